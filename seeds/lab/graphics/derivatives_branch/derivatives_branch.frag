#version 450
// Differences in a branch that whole quads take, and of a value that a loop makes.
layout(location = 0) out vec4 target;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    float v = gl_FragCoord.x * gl_FragCoord.y;
    float sum = 0.0;
    for (int i = 0; i <= (p.y >> 3); i++) sum += float(p.x * i);
    if (((p.x >> 2) & 1) == 0) target = vec4(dFdxFine(v), dFdyFine(sum), dFdxFine(sum), 1.0);
    else target = vec4(0.0, sum, v, 2.0);
}
