//! A private array by run-time indices: scratch memory.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
memory_local_array(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    uint t[70];
    for (uint k = 0; k < 70; ++k) t[k] = a[(i + k) & 127] * (k + 1);
    uint s = 0;
    for (uint k = 0; k < 20; ++k) {
        uint j = (s + a[(i * 3 + k) & 127]) % 70;
        s = s * 31 + t[j];
        t[(j + 11) % 70] ^= s;
    }
    r[i] = s;
}
