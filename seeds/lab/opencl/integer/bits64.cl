//! 64-bit popcount, clz, rotations and high products.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
integer_bits64(global const ulong *a, global ulong *r) {
    uint i = get_global_id(0);
    ulong x = a[i], y = a[i ^ 1];
    r[i] = popcount(x) + clz(x >> (i & 63)) * 256 + rotate(x, y & 63) + mul_hi(x, y) * 3;
}
