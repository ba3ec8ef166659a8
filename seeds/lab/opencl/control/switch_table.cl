//! A dense switch of constants: compilers make a table of it.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
control_switch_table(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint x = a[i], s;
    switch (x & 15) {
    case 0: s = 17; break; case 1: s = 4; break; case 2: s = 99; break; case 3: s = 1024; break;
    case 4: s = 31; break; case 5: s = 8; break; case 6: s = 77; break; case 7: s = 5; break;
    case 8: s = 12; break; case 9: s = 6; break; case 10: s = 303; break; case 11: s = 2; break;
    default: s = 1; break;
    }
    r[i] = s * (x >> 4);
}
