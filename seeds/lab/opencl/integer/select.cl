//! Comparisons and selects of mixed signs and widths.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
integer_select(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint x = a[i];
    int y = (int)a[i ^ 1];
    long z = (long)y * (int)x;
    uint s = x > (uint)y ? x : (uint)y;
    s += (int)x > y ? 1 : 2;
    s ^= z > 0 ? (uint)(z >> 32) : (uint)z;
    s += (short)x > (short)y ? 16 : (uchar)x < (uchar)y ? 32 : 64;
    r[i] = s;
}
