//! 64- and 128-bit elements in local memory.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
local_wide(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint4 t[64];
    local ulong u[64];
    uint l = get_local_id(0);
    t[l] = (uint4)(a[i], l, a[i] >> 3, ~a[i]);
    u[l ^ 5] = (ulong)a[i] << 17;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint4 v = t[(l * 11 + 3) & 63];
    r[i] = v.x + v.y * 3 + v.z * 5 + v.w * 7 + (uint)(u[l] >> 12);
}
