//! A generic pointer that is local in some lanes and global in others.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
flat_select(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = a[i] ^ 0x5555;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint *p = (a[i] & 1) ? (const uint *)&t[(l + 1) & 63] : (const uint *)&a[i & ~63u | (l + 5 & 63)];
    r[i] = p[0] * 3;
}
