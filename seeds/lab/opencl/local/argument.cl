//! Local memory whose size the caller gives.
//! lab: lds.t = 512
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
local_argument(global const uint *a, local uint *t, global uint *r) {
    uint i = get_global_id(0);
    uint l = get_local_id(0);
    t[l] = a[i];
    t[l + 64] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    r[i] = t[63 - l] + t[64 + (l * 7 & 63)];
}
