//! Specialisation constants as sizes, bounds and switches.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

layout(constant_id = 0) const uint LIMIT = 6u;
layout(constant_id = 1) const int FACTOR = -3;
layout(constant_id = 2) const bool TWICE = true;

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint s = 0u, t[LIMIT];
    for (uint k = 0u; k < LIMIT; ++k) t[k] = a[(i + k) & 127u] * uint(FACTOR);
    if (TWICE) s = t[LIMIT - 1u] * 2u;
    for (uint k = 0u; k < LIMIT; ++k) s = s * 3u + t[k];
    r[i] = s;
}
