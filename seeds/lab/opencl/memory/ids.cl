//! All ids and sizes of a two-dimensional grid.
//! lab: groups = [3, 2, 1]
__attribute__((reqd_work_group_size(8, 4, 1))) kernel void
memory_ids(global uint *r) {
    uint x = get_global_id(0), y = get_global_id(1);
    uint at = y * get_global_size(0) + x;
    r[at] = get_local_id(0) | get_local_id(1) << 4 | get_group_id(0) << 8 | get_group_id(1) << 12 | get_local_size(0) << 16 | get_num_groups(1) << 24;
}
