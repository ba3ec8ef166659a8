//! A box filter of an 16x16 image through a tile with a border.
//! lab: groups = [2, 2, 1]
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer A { uint a[256]; };
layout(std430, binding = 1) buffer R { uint r[256]; };

shared uint t[10][10];

void main() {
    uvec2 l = gl_LocalInvocationID.xy;
    uvec2 g = gl_GlobalInvocationID.xy;
    for (uint k = gl_LocalInvocationIndex; k < 100u; k += 64u) {
        ivec2 q = clamp(ivec2(gl_WorkGroupID.xy * 8u) + ivec2(k % 10u, k / 10u) - 1, 0, 15);
        t[k / 10u][k % 10u] = a[q.y * 16 + q.x] & 0xffffu;
    }
    barrier();
    uint s = 0u;
    for (uint y = 0u; y < 3u; ++y) for (uint x = 0u; x < 3u; ++x) s += t[l.y + y][l.x + x];
    r[g.y * 16u + g.x] = s / 9u;
}
