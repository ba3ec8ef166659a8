//! Bytes and shorts stored from the low and the high half of words.
//! lab: data.b = { count = 256 }
//! lab: data.h = { count = 256 }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
memory_small_stores(global const uint *a, global uchar *b, global ushort *h) {
    uint i = get_global_id(0);
    uint x = a[i];
    b[i * 2] = (uchar)(x >> 16);
    b[i * 2 + 1] = (uchar)x;
    h[i * 2] = (ushort)(x >> 16);
    h[i * 2 + 1] = (ushort)(x * 3);
}
