//! Returns out of nested loops and by a helper function.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
control_early_exit(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    r[i] = 0;
    uint x = a[i];
    if ((x & 7) == 0) return;
    uint s = 0;
    for (uint p = 0; p < (x & 15); ++p) {
        for (uint q = 0; q < 4; ++q) {
            s = s * 5 + a[(i + p * 4 + q) & 127];
            if ((s & 63) == 17) { r[i] = s | 1; return; }
        }
        if ((s >> 8 & 31) == 3) break;
    }
    r[i] = s | 2;
}
