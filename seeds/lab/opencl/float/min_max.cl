//! fmin, fmax, fabs, floor, ceil, trunc and fma.
//! lab: compare = "bits"
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
float_min_max(global const float *f, global float *r, global float *t, global float *u) {
    uint i = get_global_id(0);
    float x = f[i], y = f[i ^ 1];
    r[i] = fmin(x, y) + fmax(x, y) * 2.0f;
    t[i] = floor(x) + ceil(y) * 4.0f - trunc(x) + fabs(y);
    u[i] = fma(x, y, f[i ^ 2]);
}
