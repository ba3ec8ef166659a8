//! bitfieldExtract with offsets and widths that vary by lane, 0 and 32 bits too.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    int off = int(i & 31u);
    int bits = min(int(a[i ^ 1u] & 63u), 32 - off);
    if ((i & 15u) == 9u) { off = 0; bits = 32; }
    r[i] = uvec2(bitfieldExtract(a[i], off, bits), uint(bitfieldExtract(int(a[i]), off, bits)));
}
