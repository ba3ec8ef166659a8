//! Half add, subtract, multiply and compare.
//! lab: data.h = { type = "f16", min = -16.0, max = 16.0 }
//! lab: compare = "bits"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
half_arithmetic(global const half *h, global half *r) {
    uint i = get_global_id(0);
    half x = h[i], y = h[i ^ 1];
    half s = x + y, p = x * y;
    r[i] = s < p ? s - x : p - y;
}
