//! Square roots and divisions within their bounds.
//! lab: compare = { ulp = 4 }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
float_sqrt_divide(global const float *f, global float *r, global float *t) {
    uint i = get_global_id(0);
    float x = f[i], y = f[i ^ 1];
    y = fabs(y) < 0.5f ? 2.0f : y;
    r[i] = x / y;
    t[i] = sqrt(fabs(x));
}
