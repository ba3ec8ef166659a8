//! A tree reduction in local memory, one atomic a group.
__attribute__((reqd_work_group_size(128, 1, 1))) kernel void
local_reduce(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint t[128];
    uint l = get_local_id(0);
    t[l] = a[i] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 64; s > 0; s >>= 1) {
        if (l < s) t[l] += t[l + s] ^ s;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) __scoped_atomic_fetch_add(&r[0], t[0], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
