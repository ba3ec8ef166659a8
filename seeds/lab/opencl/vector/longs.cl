//! Vectors of 64-bit integers.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
vector_longs(global const ulong2 *q, global ulong2 *r) {
    uint i = get_global_id(0);
    ulong2 x = q[i], y = q[i ^ 1];
    ulong2 s = x * y + (x >> (ulong2)(i & 63)) - (y << (ulong2)(3));
    r[i] = x < y ? s : s ^ y.yx;
}
