// The part of the probe that every device can run: each invocation must change its word.
#version 450
layout(local_size_x = 128) in;
layout(std430, set = 0, binding = 0) buffer Words { uint words[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    words[i] = words[i] * 3u + i;
}
