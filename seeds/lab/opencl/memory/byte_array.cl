//! A private array of bytes by run-time indices.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
memory_byte_array(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uchar t[200];
    for (uint k = 0; k < 200; ++k) t[k] = (uchar)(a[(i + k) & 127] >> (k & 15));
    for (uint k = 0; k < 30; ++k) t[(a[k] + i) % 200] += (uchar)k;
    uint s = 0;
    for (uint k = 0; k < 30; ++k) s = s * 33 + t[(a[k + 30] ^ i) % 200];
    r[i] = s;
}
