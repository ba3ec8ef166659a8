//! A state machine of gotos: its flow is not reducible.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
control_goto_machine(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint x = a[i], s = 0, n = 0;
    if (x & 1) goto second;
    first:
        s += x & 255;
        x = x * 1664525 + 1013904223;
        if (++n > 40) goto done;
        if (x >> 31) goto third;
    second:
        s ^= x >> 8;
        x = x * 22695477 + 1;
        if (++n > 40) goto done;
        if (x >> 30 & 1) goto first;
    third:
        s = rotate(s, 3u);
        x += s;
        if (++n > 40) goto done;
        if ((x & 7) == 3) goto done;
        if (x & 8) goto second;
        goto first;
    done:
    r[i] = s ^ n << 24;
}
