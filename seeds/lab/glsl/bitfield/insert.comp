//! bitfieldInsert with offsets and widths that vary by lane, 0 and 32 bits too.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int off = int(a[i ^ 2u] & 31u);
    int bits = min(int(i & 63u), 32 - off);
    if ((i & 15u) == 9u) { off = 0; bits = 32; }
    if ((i & 15u) == 10u) bits = 0;
    r[i] = bitfieldInsert(a[i], a[i ^ 1u], off, bits);
}
