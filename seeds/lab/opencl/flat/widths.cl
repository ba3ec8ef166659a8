//! Loads of 8 to 128 bits through a generic pointer.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
flat_widths(global const uint *a, global const uint4 *q, global uint *r) {
    uint i = get_global_id(0);
    local uint4 t[64];
    uint l = get_local_id(0);
    t[l] = (uint4)(a[i], ~a[i], a[i] * 3, a[i] >> 5);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uchar *p = (a[i] & 4) ? (const uchar *)&t[l ^ 1] : (const uchar *)(q + (i ^ 1));
    uint4 v = *(const uint4 *)p;
    r[i] = p[1] + *(const ushort *)(p + 2) + (uint)(*(const ulong *)(p + 8) >> 9) + v.x * 3 + v.z + (int)*(const char *)(p + 7);
}
