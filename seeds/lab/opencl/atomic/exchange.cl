//! Exchanges hand a token on: with the last one, each number is seen once.
//! lab: data.r = { fill = 0, count = 129, compare = "multiset" }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
atomic_exchange(global uint *r) {
    uint i = get_global_id(0);
    r[i] = __scoped_atomic_exchange_n(&r[128], i + 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
