// Launch state: 3D ids, a group that fills no whole number of waves, subgroup ids and counts, and
// workgroup memory handed around behind a barrier.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 5, local_size_y = 7, local_size_z = 2) in;
layout(set = 0, binding = 0, std430) writeonly buffer Out { uint dst[]; };
shared uint slots[70];

void main() {
    uvec3 l = gl_LocalInvocationID;
    uvec3 g = gl_WorkGroupID;
    uint index = gl_LocalInvocationIndex;
    slots[index] = gl_SubgroupID * 64u + gl_SubgroupInvocationID;
    barrier();
    uint other = slots[69u - index];
    uint group = (g.z * gl_NumWorkGroups.y + g.y) * gl_NumWorkGroups.x + g.x;
    dst[group * 70u + index] = (group << 27) ^ (l.x | (l.y << 4) | (l.z << 8) | (other << 12) | (gl_NumSubgroups << 24));
}
