//! Every built-in id of a three-dimensional group and grid.
//! lab: groups = [2, 2, 2]
#version 450
layout(local_size_x = 5, local_size_y = 4, local_size_z = 3) in;
layout(std430, binding = 0) buffer R { uvec4 r[480]; };

void main() {
    uvec3 n = gl_NumWorkGroups, w = gl_WorkGroupID, l = gl_LocalInvocationID, g = gl_GlobalInvocationID, s = gl_WorkGroupSize;
    uint slot = ((w.z * n.y + w.y) * n.x + w.x) * 60u + gl_LocalInvocationIndex;
    r[slot] = uvec4(g, l.x | l.y << 8 | l.z << 16 | (s.x + s.y + s.z) << 24);
}
