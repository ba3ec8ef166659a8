//! A packed record taken apart, changed and put together again with constant fields.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i];
    uint kind = bitfieldExtract(x, 28, 4), size = bitfieldExtract(x, 12, 16), tag = bitfieldExtract(x, 0, 12);
    int delta = bitfieldExtract(int(x), 3, 9);
    size = size + kind * 3u;
    tag ^= uint(delta) & 0x5a5u;
    uint y = 0u;
    y = bitfieldInsert(y, tag, 16, 12);
    y = bitfieldInsert(y, size, 0, 16);
    y = bitfieldInsert(y, kind + 1u, 28, 4);
    r[i] = y;
}
