//! Wave-wide results gathered in branches that not all lanes take.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], s = 0u;
    if (x % 3u == 0u) {
        s = subgroupAdd(x & 0xffffu);
        if ((x & 64u) != 0u) s += subgroupMax(x) >> 16;
    } else {
        for (uint k = 0u; k < (x & 3u) + 1u; ++k) {
            uint b = subgroupBallotBitCount(subgroupBallot((x >> k & 1u) != 0u));
            s = s * 7u + b;
            if (b == 1u) break;
        }
    }
    r[i] = s;
}
