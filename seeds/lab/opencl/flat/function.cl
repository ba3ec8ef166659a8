//! A function that takes a generic pointer, used with each kind of memory.
static uint mixed(const uint *p, uint at) {
    return p[at] ^ p[(at + 1) & 63] << 3;
}

__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
flat_function(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint t[64];
    uint own[64];
    uint l = get_local_id(0);
    t[l] = a[i];
    for (uint k = 0; k < 64; ++k) own[k] = a[k] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    r[i] = mixed(t, l) + mixed(own, a[i] & 63) * 3 + mixed(a, i & 63) * 5;
}
