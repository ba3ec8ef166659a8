//! Double add, subtract, multiply and compare.
//! lab: data.d = { type = "f64", min = -100.0, max = 100.0 }
//! lab: compare = "bits"
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
double_arithmetic(global const double *d, global double *r) {
    uint i = get_global_id(0);
    double x = d[i], y = d[i ^ 1];
    double s = x + y, p = x * y;
    r[i] = s < p ? s - x : p - y;
}
