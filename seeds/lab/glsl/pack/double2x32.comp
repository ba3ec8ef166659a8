//! packDouble2x32 and unpackDouble2x32 move bits, whatever they mean.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    double d = packDouble2x32(uvec2(a[i], a[i ^ 1u]));
    uvec2 w = unpackDouble2x32(d);
    double e = packDouble2x32(w.yx & 0x7fefffffu);
    r[i] = uvec4(w, unpackDouble2x32(abs(e)));
}
