//! Doubles to and from integers of 32 and 64 bits and floats.
//! lab: data.d = { type = "f64", min = -1000.0, max = 1000.0 }
//! lab: compare = "bits"
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
double_convert(global const double *d, global long *r, global double *t) {
    uint i = get_global_id(0);
    double x = d[i];
    r[i] = (long)(x * 1.0e9) + (int)x;
    t[i] = (double)(float)x + (double)(long)(x * 4096.0) + (double)(uint)(x * x);
}
