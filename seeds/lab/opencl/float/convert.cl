//! Floats to and from integers of every width.
//! lab: data.f = { type = "f32", min = -100.0, max = 100.0 }
//! lab: compare = "bits"
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
float_convert(global const uint *a, global const float *f, global int *r, global float *t) {
    uint i = get_global_id(0);
    float x = f[i];
    r[i] = (int)x ^ (int)(uint)(x * x) ^ (int)(uchar)fabs(x) ^ (short)x << 9;
    t[i] = (float)a[i] + (float)(int)a[i ^ 1] + (float)(uchar)a[i] + (float)(long)((ulong)a[i] << 20);
}
