//! An 8-point integer cosine transform of rows, as in image codecs.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { ivec4 r[128]; };
layout(std430, binding = 2) buffer S4 { ivec4 s4[128]; };

int v(uint k, uint i) { return int(a[(i * 8u + k) & 127u] & 0x1ffu) - 256; }

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec4 lo = ivec4(v(0u, i), v(1u, i), v(2u, i), v(3u, i)), hi = ivec4(v(7u, i), v(6u, i), v(5u, i), v(4u, i));
    ivec4 s = lo + hi, d = lo - hi;
    ivec2 e = s.xy + s.wz, o = s.xy - s.wz;
    ivec4 even = ivec4((e.x + e.y) * 64, o.x * 83 + o.y * 36, (e.x - e.y) * 64, o.x * 36 - o.y * 83);
    ivec4 odd = ivec4(d.x * 89 + d.y * 75 + d.z * 50 + d.w * 18, d.x * 75 - d.y * 18 - d.z * 89 - d.w * 50,
        d.x * 50 - d.y * 89 + d.z * 18 + d.w * 75, d.x * 18 - d.y * 50 + d.z * 75 - d.w * 89);
    r[i] = (even + 32) >> 6;
    s4[i] = (odd + 32) >> 6;
}
