//! Vectors of bytes loaded, widened, narrowed and stored.
//! lab: data.a = { count = 512 }
//! lab: data.r = { count = 512 }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
vector_bytes(global const uchar *a, global uchar *r) {
    uint i = get_global_id(0);
    uchar4 x = vload4(i, a), y = vload4(i ^ 1, a);
    ushort4 s = convert_ushort4(x) * (ushort4)(3, 5, 7, 9) + convert_ushort4(y);
    vstore4(convert_uchar4(s >> (ushort4)(2)), i, r);
}
