// Doubles each word and counts how often it was visited; the grid may arrive in parts.
#version 450
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint width; uint height; uint addend; uint pad; uint base[3]; };
layout(std430, set = 0, binding = 0) buffer Data { uint data[]; };
layout(std430, set = 0, binding = 2) buffer Visits { uint visits[]; };
void main() {
    uvec3 group = gl_WorkGroupID + uvec3(base[0], base[1], base[2]);
    uint at = ((group.z * height + group.y) * width + group.x) * 4u + gl_LocalInvocationID.x;
    data[at] = data[at] * 2u + addend;
    atomicAdd(visits[at], 1u);
}
