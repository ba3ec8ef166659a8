//! A tree reduction with a barrier at each level.
#version 450
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer A { uint a[256]; };
layout(std430, binding = 1) buffer R { uint r[2]; };

shared uint t[128];

void main() {
    uint l = gl_LocalInvocationIndex;
    t[l] = a[gl_GlobalInvocationID.x];
    barrier();
    for (uint s = 64u; s > 0u; s >>= 1) {
        if (l < s) t[l] = t[l] * 3u + t[l + s];
        barrier();
    }
    if (l == 0u) r[gl_WorkGroupID.x] = t[0];
}
