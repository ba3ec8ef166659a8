//! Each 32-bit atomic on local memory.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
atomic_local32(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint t[8];
    uint l = get_local_id(0), x = a[i];
    if (l < 8) t[l] = l < 4 ? 0 : 0x7fffffff;
    barrier(CLK_LOCAL_MEM_FENCE);
    __scoped_atomic_fetch_add(&t[0], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_or(&t[1], x & 0x11111111u << (l & 3), __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_xor(&t[2], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_max(&t[3], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_and(&t[4], x | 0xffffu, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_min(&t[5], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_min((local int *)&t[6], (int)x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_sub(&t[7], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) r[get_group_id(0) * 8 + l] = t[l];
}
