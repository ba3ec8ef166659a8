//! 32-bit division and remainder, signed and unsigned, by variables.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
integer_divide(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    int x = (int)a[i], y = (int)a[i ^ 1] >> (i & 31);
    if (y == 0 || y == -1) y = 9;
    uint u = a[i ^ 2] >> (i & 15) | 1;
    r[i] = (uint)(x / y) ^ (uint)(x % y) * 3 ^ a[i] / u * 5 ^ a[i] % u;
}
