//! A sieve of small primes in a bitmap kept by shared atomics.
//! lab: groups = [1, 1, 1]
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer R { uint r[32]; };

shared uint t[32];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    if (l < 32u) t[l] = 0u;
    barrier();
    uint p = l + 2u;
    for (uint k = p * p; k < 1024u; k += p) atomicOr(t[k >> 5], 1u << (k & 31u));
    barrier();
    if (l < 32u) r[l] = ~t[l];
}
