//! uvec4 and 64-bit elements in shared memory.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec4 r[128]; };

shared uvec4 t[64];
shared uint64_t q[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = uvec4(a[i], a[i ^ 1u], a[i ^ 2u], l);
    q[l ^ 1u] = uint64_t(a[i]) << 20;
    barrier();
    uvec4 x = t[(l * 7u + 3u) & 63u];
    r[i] = x.wzyx + unpack32(q[l]).xyxy;
}
