// Tree reduction in workgroup memory: 256 threads, a barrier a level, sum and maximum of a group.
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint src[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 dst[]; };
shared uint sums[256];
shared uint peaks[256];

void main() {
    uint t = gl_LocalInvocationID.x;
    uint v = src[gl_GlobalInvocationID.x];
    sums[t] = v;
    peaks[t] = v;
    barrier();
    for (uint step = 128u; step > 0u; step >>= 1) {
        if (t < step) {
            sums[t] += sums[t + step];
            peaks[t] = max(peaks[t], peaks[t + step]);
        }
        barrier();
    }
    if (t == 0u) {
        dst[gl_WorkGroupID.x] = uvec2(sums[0], peaks[0]);
    }
}
