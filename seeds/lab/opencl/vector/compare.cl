//! Vector comparisons give masks that select.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
vector_compare(global const int4 *q, global int4 *r) {
    uint i = get_global_id(0);
    int4 x = q[i], y = q[i ^ 1];
    int4 m = x < y;
    int4 e = (x & 7) == (y & 7);
    r[i] = (m & x) | (~m & y) ^ (e & 0x55) + (x >= 0 ? y : -y);
}
