//! Additions and subtractions whose results are dropped or kept, by lanes.
//! lab: data.n = { fill = 0, count = 9 }
//! lab: data.r = { fill = 0, count = 128 }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
atomic_increment_wrap(global const uint *a, global uint *n, global uint *r) {
    uint i = get_global_id(0);
    uint x = a[i];
    if (x & 1) __scoped_atomic_fetch_add(&n[x >> 1 & 7], 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    else r[i] = __scoped_atomic_fetch_add(&n[8], 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) < 128;
}
