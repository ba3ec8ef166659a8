//! Float expressions without contraction: the same bits everywhere.
//! lab: compare = "bits"
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
float_arithmetic(global const float *f, global float *r) {
    uint i = get_global_id(0);
    float x = f[i], y = f[i ^ 1], z = f[i ^ 2];
    r[i] = (x * y + z) * (x - y) + (z * z - x) * 0.125f;
}
