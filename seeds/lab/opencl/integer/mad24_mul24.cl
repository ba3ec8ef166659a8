//! mad24 and mul24 of values within 24 bits, both signs.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
integer_mad24_mul24(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    int x = (int)a[i] >> 8, y = (int)a[i ^ 1] >> 9;
    uint u = a[i] & 0xffffff, v = a[i ^ 1] >> 8;
    r[i] = mul24(u, v) + mad24(v, u, a[i ^ 2]) * 3 + (uint)mul24(x, y) + (uint)mad24(y, x, (int)a[i ^ 3]);
}
