#version 450
// Targets that are normalised: bytes and shorts, with and without sign, sRGB, and values out of range.
layout(location = 0) out vec4 bytes;
layout(location = 1) out vec4 signed_bytes;
layout(location = 2) out vec2 shorts;
layout(location = 3) out vec4 signed_shorts;
layout(location = 4) out vec4 coded;
layout(location = 5) out float one;
void main() {
    vec2 p = floor(gl_FragCoord.xy) / 31.0;
    bytes = vec4(p, 1.5, -0.5);
    signed_bytes = vec4(p * 2.0 - 1.0, -3.0, 3.0);
    shorts = vec2(p.x * 1.25 - 0.125, p.y);
    signed_shorts = vec4(p.y * 2.0 - 1.0, -p.x, 1.25, -1.25);
    coded = vec4(p, p.x * p.y, 0.5);
    one = p.x;
}
