//! A list of generic pointers in private memory, followed by a run-time index.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
flat_chase(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = a[i] >> 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint *list[3] = { (const uint *)&t[(l + 9) & 63], (const uint *)&a[i ^ 1], (const uint *)&a[i ^ 2] };
    uint s = 0;
    for (uint k = 0; k < 6; ++k) s = s * 3 + *list[(a[i] >> k) % 3];
    r[i] = s;
}
