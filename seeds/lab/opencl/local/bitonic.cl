//! A bitonic sort of 64 keys.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
local_bitonic(global const uint *a, global uint *r) {
    uint i = get_global_id(0);
    local uint t[64];
    uint l = get_local_id(0);
    t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 2; k <= 64; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1) {
            uint x = t[l], y = t[l ^ j];
            barrier(CLK_LOCAL_MEM_FENCE);
            uint keep_low = ((l & j) == 0) == ((l & k) == 0);
            t[l] = keep_low ? min(x, y) : max(x, y);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    r[i] = t[l];
}
