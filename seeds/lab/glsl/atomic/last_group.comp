//! The last group to finish adds up what the others wrote.
//! lab: groups = [4, 1, 1]
//! lab: data.PART = { fill = 0 }
//! lab: data.N = { fill = 0 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[256]; };
layout(std430, binding = 1) buffer PART { uint part[4]; };
layout(std430, binding = 2) buffer N { uint n[1]; };
layout(std430, binding = 3) buffer R { uint r[1]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    atomicAdd(part[gl_WorkGroupID.x], a[i]);
    memoryBarrierBuffer();
    barrier();
    if (l == 0u) {
        uint ticket = atomicAdd(n[0], 1u);
        if (ticket == gl_NumWorkGroups.x - 1u) {
            uint s = 0u;
            for (uint k = 0u; k < gl_NumWorkGroups.x; ++k) s += atomicOr(part[k], 0u) * (k + 1u);
            r[0] = s;
        }
    }
}
