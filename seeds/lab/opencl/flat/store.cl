//! Stores through generic pointers to local, private and global places.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
flat_store(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint t[64];
    uint own[4] = { 1, 2, 3, 4 };
    uint l = get_local_id(0);
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint *p = (a[i] & 1) ? (uint *)&t[l] : (a[i] & 2) ? &own[a[i] >> 2 & 3] : (uint *)&r[i];
    r[i] = 7;
    *p = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    r[i] += t[l] + own[0] + own[1] * 2 + own[2] * 3 + own[3] * 4;
}
