//! A switch whose cases do different work, with fall-through.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
control_switch_work(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint s = a[i], n = 0;
    for (uint k = 0; k < 12; ++k) {
        switch (s % 7) {
        case 0: s += 5;
        case 1: s *= 3; break;
        case 2: s ^= s >> 9; n += 1; break;
        case 3: if (s & 64) { n += 2; break; }
        case 4: s = rotate(s, 7u); break;
        case 5: s -= n; continue;
        default: s = s * s + 1;
        }
        n += s & 3;
    }
    r[i] = s ^ n << 24;
}
