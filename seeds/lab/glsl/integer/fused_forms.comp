//! Shapes that become v_add3, v_lshl_add, v_add_lshl, v_lshl_or, v_and_or, v_or3, v_xad.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], y = a[i ^ 1u], z = a[i ^ 2u];
    r[i] = uvec4((x + y + z) ^ ((x << 3) + y), (x + y) << 5 ^ ((x << 9) | z), (x & y) | z, (x | y | z) + ((x ^ y) + z));
}
