//! Float sums of whole numbers: exact whatever the order.
//! lab: data.r = { fill = 0, count = 8, compare = "bits" }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
atomic_float_add(global const uint *a, global float *r) {
    uint i = get_global_id(0);
    local float t[2];
    uint l = get_local_id(0);
    if (l < 2) t[l] = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float x = (float)(a[i] & 255);
    __scoped_atomic_fetch_add(&t[a[i] >> 8 & 1], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_add(&r[a[i] >> 9 & 3], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 2) r[4 + get_group_id(0) * 2 + l] = t[l];
}
