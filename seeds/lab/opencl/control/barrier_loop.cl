//! A loop with barriers whose count the group shares through local memory.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
control_barrier_loop(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint t[64], n;
    uint l = get_local_id(0);
    t[l] = a[i];
    if (l == 0) n = (a[i] & 3) + 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint m = n;
    for (uint k = 0; k < m; ++k) {
        uint x = t[(l + k) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x & 1) t[l] = t[l] * 3 + x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    r[i] = t[l];
}
