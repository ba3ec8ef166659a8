//! Each 64-bit atomic on global memory.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
atomic_global64(global const ulong *a, global ulong *r) {
    uint i = get_global_id(0);
    ulong x = a[i];
    __scoped_atomic_fetch_add(&r[0], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_and(&r[1], x | 0xffff0000ffff0000ul, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_or(&r[2], x & 0x0101010101010101ul << (i & 7), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_xor(&r[3], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_min(&r[4], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_max(&r[5], x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_min((global long *)&r[6], (long)x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_max((global long *)&r[7], (long)x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
