//! Loops of three levels whose counts come from memory.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
control_nested_loops(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint s = a[i];
    for (uint p = 0; p < (a[i] & 3) + 1; ++p)
        for (uint q = p; q < (a[i ^ 1] & 7); ++q) {
            uint t = q;
            while (t < (a[i ^ 2] & 15) + q) {
                s = s * 3 + t;
                if ((s & 31) == 5) break;
                t += 1 + (s >> 30);
            }
            if ((s & 127) == 99) goto out;
        }
    out:
    r[i] = s;
}
