//! Loads and stores with strides, offsets beyond 12 bits, and negative steps.
//! lab: data.a = { count = 2048 }
//! lab: data.r = { count = 256 }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
memory_strided(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint s = 0;
    for (int k = 3; k >= 0; --k) s = s * 7 + a[i * 4 + k];
    s += a[2047 - i] + a[1500 + (i & 15)];
    r[i * 2] = s;
    r[i * 2 + 1] = s >> 3;
}
