//! Tickets by atomic adds: the last group to finish sums the parts.
//! lab: groups = [4, 1, 1]
//! lab: data.part = { fill = 0, count = 4 }
//! lab: data.n = { fill = 0, count = 1 }
//! lab: data.r = { count = 1 }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
atomic_ticket(global const uint *a, global uint *part, global uint *n, global uint *r) {
    uint i = get_global_id(0);
    local uint last;
    uint l = get_local_id(0), g = get_group_id(0);
    __scoped_atomic_fetch_add(&part[g], a[i], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0) last = __scoped_atomic_fetch_add(&n[0], 1u, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last == get_num_groups(0) - 1 && l == 0) {
        uint s = 0;
        for (uint k = 0; k < get_num_groups(0); ++k) s += __scoped_atomic_load_n(&part[k], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) * (k + 1);
        r[0] = s;
    }
}
