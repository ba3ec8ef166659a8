//! popcount, clz, rotate, bitselect and mul_hi.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
integer_bits(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint x = a[i], y = a[i ^ 1];
    uint s = popcount(x) + clz(y >> (i & 31)) * 64 + rotate(x, y & 31) * 3;
    r[i] = s ^ bitselect(x, y, a[i ^ 2]) ^ mul_hi(x, y) ^ (uint)mul_hi((int)x, (int)y) * 5;
}
