//! A 16x16 integer matrix product by tiles in local memory.
//! lab: groups = [2, 2, 1]
//! lab: count = 256
__attribute__((reqd_work_group_size(8, 8, 1))) kernel void
local_tile_multiply(global const uint *a, global const uint *b, global uint *r) {
    local uint ta[8][9], tb[8][9];
    uint x = get_local_id(0), y = get_local_id(1);
    uint row = get_group_id(1) * 8 + y, col = get_group_id(0) * 8 + x;
    uint sum = 0;
    for (uint t = 0; t < 16; t += 8) {
        ta[y][x] = a[row * 16 + t + x];
        tb[y][x] = b[(t + y) * 16 + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 8; ++k) sum += ta[y][k] * tb[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    r[row * 16 + col] = sum;
}
