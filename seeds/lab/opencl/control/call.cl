//! A function that must not be inlined, called in divergent flow.
__attribute__((noinline)) static uint step_(uint x, uint y) {
    uint s = x ^ 0x9e3779b9;
    for (uint k = 0; k < (y & 7); ++k) s = s * 5 + k;
    return s;
}

__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
control_call(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint x = a[i], s = 0;
    if (x & 1) s = step_(x, i);
    for (uint k = 0; k < (x >> 1 & 3); ++k) s += step_(s + k, x);
    r[i] = s;
}
