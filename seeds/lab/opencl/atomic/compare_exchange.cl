//! A saturating sum by compare and exchange.
//! lab: data.r = { fill = 0, count = 2 }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
atomic_compare_exchange(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint old = 0, x = a[i] & 0xffff;
    for (uint k = 0; k < 2000; ++k)
        if (__scoped_atomic_compare_exchange_n(&r[i & 1], &old, min(old + x, 900000u), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)) break;
}
