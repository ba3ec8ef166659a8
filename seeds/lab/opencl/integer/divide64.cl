//! 64-bit division and remainder, signed and unsigned.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
integer_divide64(global const long *a, global long *r, global ulong *t) {
    uint i = get_global_id(0);
    long x = a[i], y = a[i ^ 1] >> (i & 63);
    if (y == 0 || y == -1) y = 9;
    ulong u = (ulong)a[i ^ 2] >> (i & 31) | 1;
    r[i] = x / y ^ x % y * 3;
    t[i] = (ulong)x / u ^ (ulong)x % u * 5;
}
