//! Components permuted by constants and picked by a run-time index.
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
vector_shuffle(global const uint4 *q, global uint4 *r) {
    uint i = get_global_id(0);
    uint4 x = q[i], y = q[i ^ 1];
    uint4 z = __builtin_shufflevector(x, y, 7, 0, 5, 2);
    uint v[8] = { x.x, x.y, x.z, x.w, y.x, y.y, y.z, y.w };
    r[i] = z + (uint4)(v[x.x & 7], v[x.y & 7], v[y.z & 7], v[y.w & 7]);
}
