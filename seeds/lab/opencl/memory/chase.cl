//! Indices followed through memory until a mark.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
memory_chase(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint at = i, n = 0, s = 0;
    do {
        uint w = a[at];
        s = s * 3 + w;
        at = w >> 4 & 127;
        ++n;
    } while ((s & 15) != 7 && n < 30);
    r[i] = s ^ n << 26;
}
