//! Bytes and shorts in local memory written by neighbours.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
local_bytes(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uchar t[64];
    local ushort u[64];
    uint l = get_local_id(0);
    t[l] = a[i];
    u[63 - l] = a[i] >> 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    r[i] = t[(l * 3 + 1) & 63] | (uint)u[(l * 5 + 2) & 63] << 8;
}
