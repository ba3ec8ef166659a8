//! Each 32-bit atomic on global memory.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
atomic_global32(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint x = a[i];
    __scoped_atomic_fetch_add(&r[0], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_sub(&r[1], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_and(&r[2], x | 0xff00u << (i & 15), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_or(&r[3], x & 0x01010101u << (i & 7), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_xor(&r[4], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_min(&r[5], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_max(&r[6], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_min((global int *)&r[7], (int)x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_max((global int *)&r[8], (int)x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
