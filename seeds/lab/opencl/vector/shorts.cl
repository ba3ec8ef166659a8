//! Vectors of shorts: packed additions, minima, shifts.
//! lab: data.a = { count = 512 }
//! lab: data.r = { count = 512 }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
vector_shorts(global const short *a, global short *r) {
    uint i = get_global_id(0);
    short4 x = vload4(i, a), y = vload4(i ^ 1, a);
    short4 s = x + y, d = x - y;
    short4 m = x < y ? x : y;
    vstore4(s ^ d ^ m ^ (x >> (short4)(3)), i, r);
}
