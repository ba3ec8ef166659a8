//! Values reversed in a group through shared memory.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

shared uint t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    t[l] = a[i];
    barrier();
    r[i] = t[63u - l];
}
