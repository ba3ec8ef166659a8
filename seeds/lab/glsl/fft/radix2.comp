//! A 64-point FFT in shared memory; twiddles by cos and sin.
//! lab: data.F = { type = "f32", min = -1.0, max = 1.0 }
//! lab: data.R.compare = { absolute = 0.0005 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer F { float f[128]; };
layout(std430, binding = 1) buffer R { vec2 r[128]; };

shared vec2 t[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    uint rev = bitfieldReverse(l) >> 26;
    t[l] = vec2(f[gl_WorkGroupID.x * 64u + rev], 0.0);
    barrier();
    for (uint h = 1u; h < 64u; h <<= 1) {
        uint x = l & ~h & 63u;
        float ang = -3.14159265 * float(l & (h - 1u)) / float(h);
        vec2 w = vec2(cos(ang), sin(ang));
        vec2 p = t[x], q = t[x | h];
        vec2 m = vec2(q.x * w.x - q.y * w.y, q.x * w.y + q.y * w.x);
        barrier();
        t[l] = (l & h) == 0u ? p + m : p - m;
        barrier();
    }
    r[i] = t[l];
}
