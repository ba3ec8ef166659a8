//! Scalar arguments of each size, and pointers between them.
//! lab: arg.f = 37.25
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
memory_scalars(uchar c, global const uint *a, short s, uint b, ulong w, global uint *r, float f) {
    uint i = get_global_id(0);
    r[i] = a[i] * b + (uint)s + (uint)(w >> 11) + (uint)(f * 4.0f) + (uint)c;
}
