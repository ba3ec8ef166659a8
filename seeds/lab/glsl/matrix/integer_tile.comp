//! A 16x16 integer matrix product through shared tiles.
//! lab: groups = [2, 2, 1]
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer A { uint a[256]; };
layout(std430, binding = 1) readonly buffer B { uint b[256]; };
layout(std430, binding = 2) buffer R { uint r[256]; };

shared uint ta[8][8], tb[8][8];

void main() {
    uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
    uint row = gl_WorkGroupID.y * 8u + y, col = gl_WorkGroupID.x * 8u + x;
    uint acc = 0u;
    for (uint t = 0u; t < 16u; t += 8u) {
        ta[y][x] = a[row * 16u + t + x];
        tb[y][x] = b[(t + y) * 16u + col];
        barrier();
        for (uint k = 0u; k < 8u; ++k) acc += ta[y][k] * tb[k][x];
        barrier();
    }
    uint i = row * 16u + col;
    r[i] = acc + gl_GlobalInvocationID.x;
}
