#version 450
// Functions that hardware approximates: powers, logarithms, sines, reciprocal roots.
layout(location = 0) out vec4 target;
void main() {
    vec2 p = floor(gl_FragCoord.xy) + 1.0;
    target = vec4(exp2(p.x * 0.25 - 4.0), log2(p.y), inversesqrt(p.x), sin(p.x * 0.09375) + cos(p.y * 0.0625));
}
