//! Whole private arrays copied and passed to functions by value.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

struct Table { uint v[80]; };
Table turned(Table t, uint by) {
    Table u = t;
    for (uint k = 0u; k < 40u; ++k) u.v[k] = t.v[(k + by) % 40u];
    return u;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    Table t;
    for (uint k = 0u; k < 40u; ++k) t.v[k] = a[(i + k * 3u) & 127u];
    Table u = turned(t, a[i] % 40u);
    r[i] = u.v[a[i ^ 1u] % 40u] + t.v[a[i ^ 2u] % 40u];
}
