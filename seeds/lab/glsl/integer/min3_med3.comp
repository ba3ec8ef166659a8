//! Nested min and max that AMD compilers turn into three-operand instructions.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int x = int(a[i]), y = int(a[i ^ 1u]), z = int(a[i ^ 2u]);
    uint ux = uint(x), uy = uint(y), uz = uint(z);
    int med = max(min(x, y), min(max(x, y), z));
    uint umed = max(min(ux, uy), min(max(ux, uy), uz));
    r[i] = uvec4(uint(min(x, min(y, z))) ^ uint(max(x, max(y, z))), min(ux, min(uy, uz)) + max(ux, max(uy, uz)), uint(med), umed);
}
