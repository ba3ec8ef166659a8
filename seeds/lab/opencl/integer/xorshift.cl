//! Generators with 32- and 64-bit state stepped by data.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
integer_xorshift(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint x = a[i] | 1;
    ulong y = (ulong)a[i ^ 1] << 21 | 1;
    uint n = a[i ^ 2] & 31;
    for (uint k = 0; k <= n; ++k) {
        x ^= x << 13; x ^= x >> 17; x ^= x << 5;
        y ^= y >> 12; y ^= y << 25; y ^= y >> 27;
    }
    r[i] = x ^ (uint)(y * 2685821657736338717ul >> 32);
}
