//! 64-bit atomics on local memory.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
atomic_local64(global const ulong *a, global ulong *r) {
    uint i = get_global_id(0);
    local ulong t[4];
    uint l = get_local_id(0);
    ulong x = a[i];
    if (l < 4) t[l] = l == 3 ? ~0ul : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    __scoped_atomic_fetch_add(&t[0], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_xor(&t[1], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_max(&t[2], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_min(&t[3], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4) r[get_group_id(0) * 4 + l] = t[l];
}
