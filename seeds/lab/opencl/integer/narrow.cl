//! Arithmetic of bytes and shorts wraps at their width.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
integer_narrow(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uchar x = a[i], y = a[i ^ 1];
    char s = (char)(a[i] >> 8), t = (char)(a[i ^ 1] >> 8);
    ushort u = a[i] >> 16, v = a[i ^ 1] >> 16;
    uchar p = x * y + 3;
    char q = s - t;
    ushort w = u * v + (u >> 3);
    r[i] = p | (uint)(uchar)q << 8 | (uint)w << 16;
}
