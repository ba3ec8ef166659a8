//! A double polynomial without contraction.
//! lab: data.d = { type = "f64", min = -100.0, max = 100.0 }
//! lab: compare = "bits"
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
double_polynomial(global const double *d, global double *r) {
    uint i = get_global_id(0);
    double x = d[i] * 0.01, s = 0.0;
    for (uint k = 0; k < 10; ++k) s = s * x + d[(i + k) & 127];
    r[i] = s;
}
