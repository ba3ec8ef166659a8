#version 450
// Some pixels are thrown away, in a branch and behind a loop.
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    if ((p.x * 7 + p.y * 3) % 5 == 0) discard;
    int n = 0;
    for (int i = p.x; i > 1; i = (i & 1) != 0 ? 3 * i + 1 : i >> 1) n++;
    if (n > 15) discard;
    target = vec4(n, p, 1.0);
}
