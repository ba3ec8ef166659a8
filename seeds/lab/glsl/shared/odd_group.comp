//! A group of 100 threads: the last wave is partly empty.
#version 450
layout(local_size_x = 100) in;
layout(std430, binding = 0) readonly buffer A { uint a[200]; };
layout(std430, binding = 1) buffer R { uint r[200]; };

shared uint t[100];

void main() {
    uint l = gl_LocalInvocationIndex;
    t[l] = a[gl_GlobalInvocationID.x];
    barrier();
    r[gl_GlobalInvocationID.x] = t[(l + 37u) % 100u] * 3u + t[99u - l];
}
