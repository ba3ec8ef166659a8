//! A compensated sum: each addition's rounding error kept.
//! lab: data.d = { type = "f64", min = -100.0, max = 100.0 }
//! lab: compare = "bits"
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
double_compensated(global const double *d, global double *r, global double *t_) {
    uint i = get_global_id(0);
    double s = 0.0, c = 0.0;
    for (uint k = 0; k < 12; ++k) {
        double y = d[(i + k * 5) & 127] - c;
        double t = s + y;
        c = (t - s) - y;
        s = t;
    }
    r[i] = s;
    t_[i] = c;
}
