//! An inclusive scan by doubling in local memory.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
local_scan(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 64; d <<= 1) {
        uint x = l >= d ? t[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    r[i] = t[l];
}
