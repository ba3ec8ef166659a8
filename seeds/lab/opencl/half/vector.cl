//! Vectors of halves: packed arithmetic.
//! lab: data.h = { type = "f16", min = -16.0, max = 16.0 }
//! lab: compare = "bits"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
half_vector(global const half4 *h, global half4 *r) {
    uint i = get_global_id(0);
    half4 x = h[i], y = h[i ^ 1];
    half4 s = x + y.wzyx;
    r[i] = s * y - x;
}
