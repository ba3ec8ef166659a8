//! Rays against integer triangles: signs of 64-bit edge products.
//! lab: compare = "bits"
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

ivec2 v(uint k) { return ivec2(int(a[k]) >> 1, int(a[(k * 7u + 3u) & 127u]) >> 1); }
int64_t edge(ivec2 p, ivec2 q, ivec2 s) {
    return (int64_t(q.x) - int64_t(p.x)) / 2l * ((int64_t(s.y) - int64_t(p.y)) / 2l) - (int64_t(q.y) - int64_t(p.y)) / 2l * ((int64_t(s.x) - int64_t(p.x)) / 2l);
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 p0 = v(i), p1 = v(i ^ 1u), p2 = v(i ^ 2u), q = v(i ^ 3u);
    int64_t e0 = edge(p0, p1, q), e1 = edge(p1, p2, q), e2 = edge(p2, p0, q), area = edge(p0, p1, p2);
    bool inside = area > 0l ? e0 >= 0l && e1 >= 0l && e2 >= 0l : e0 <= 0l && e1 <= 0l && e2 <= 0l;
    r[i] = uint(inside) | uint(area > 0l) << 1 | uint(e0 + e1 + e2 == area) << 2;
}
