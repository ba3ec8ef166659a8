//! The mask of lanes with an equal key, by a ballot a bit.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uvec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] & 31u;
    uvec2 m = subgroupBallot(true).xy;
    for (uint k = 0u; k < 5u; ++k) {
        bool bit = (x >> k & 1u) != 0u;
        uvec2 b = subgroupBallot(bit).xy;
        m &= bit ? b : ~b;
    }
    r[i] = m;
}
