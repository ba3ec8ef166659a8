//! A histogram by local atomics, merged by global ones.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
local_histogram(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint h[64];
    uint l = get_local_id(0);
    h[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 4; ++k) __scoped_atomic_fetch_add(&h[a[i] >> (k * 6) & 63], 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (h[l] != 0) __scoped_atomic_fetch_add(&r[l], h[l], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
