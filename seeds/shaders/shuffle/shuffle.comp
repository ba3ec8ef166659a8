// Lane exchange: a shuffle by a computed lane, exclusive-or shuffles, quad operations. Wave32 only:
// for wave64 this driver compiles the computed shuffle with VGPRs shared between the wave's halves.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint src[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 dst[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint v = src[i];
    uint far = subgroupShuffle(v, (gl_SubgroupInvocationID * 7u + v) & 31u);
    uint near = subgroupShuffleXor(v, 5u) + subgroupShuffleXor(v, 16u) * 3u;
    uint quad = subgroupQuadSwapHorizontal(v) - subgroupQuadBroadcast(v, 2u);
    uint below = subgroupShuffleDown(v, 8u);
    uint down = gl_SubgroupInvocationID < 24u ? below : v;
    dst[i] = uvec4(far, near, quad, down);
}
