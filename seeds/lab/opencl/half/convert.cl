//! Halves from and to floats, integers and doubles.
//! lab: data.h = { type = "f16", min = -16.0, max = 16.0 }
//! lab: compare = "bits"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
half_convert(global const half *h, global half *r, global int *t) {
    uint i = get_global_id(0);
    half x = h[i];
    float f = (float)x * 0.5f;
    r[i] = (half)(f + (float)h[i ^ 1]);
    t[i] = (int)((float)x * 16.0f) + (int)(ushort)(h[i ^ 2] * (half)4.0f + (half)100.0f);
}
