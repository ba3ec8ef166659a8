#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 half_float;
layout(location = 1) out uvec4 bytes;
layout(location = 2) out ivec4 shorts;
layout(location = 3) out float single;
layout(location = 4) out uvec2 pair;
layout(location = 5) out vec4 normalised;
layout(location = 6) out ivec4 words;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    half_float = vec4(p, 0.5, -2.0);
    bytes = uvec4(p, p.x ^ p.y, 255);
    shorts = ivec4(p.x - 16, -p.y, p.x * p.y, -32768);
    single = float(p.x) * 0.125;
    pair = uvec2(p.x * 0x01010101u, ~uint(p.y));
    normalised = vec4(p.x & 1, p.y & 1, 1.0, 0.0);
    words = ivec4(p.x * -65536, p.y, 0x7fffffff, -1);
}
