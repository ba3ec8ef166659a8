//! A stable compaction by a scan of flags.
//! lab: data.R = { fill = 0 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };
layout(std430, binding = 2) buffer N { uint n[2]; };

shared uint t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    uint keep = a[i] >> 5 & 1u;
    t[l] = keep;
    barrier();
    for (uint d = 1u; d < 64u; d <<= 1) {
        uint x = l >= d ? t[l - d] : 0u;
        barrier();
        t[l] += x;
        barrier();
    }
    if (keep != 0u) r[gl_WorkGroupID.x * 64u + t[l] - 1u] = a[i];
    if (l == 63u) n[gl_WorkGroupID.x] = t[63];
}
