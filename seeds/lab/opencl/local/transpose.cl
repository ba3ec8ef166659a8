//! A transposition with a barrier, in two dimensions.
//! lab: groups = [1, 1, 1]
__attribute__((reqd_work_group_size(16, 16, 1))) kernel void
local_transpose(global const uint *a, global uint *r) {
    local uint t[16][17];
    uint x = get_local_id(0), y = get_local_id(1);
    t[y][x] = a[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    r[y * 16 + x] = t[x][y] * 5 + y;
}
