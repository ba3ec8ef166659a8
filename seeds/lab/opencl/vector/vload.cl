//! vload and vstore of 2 to 16 words at unaligned places.
//! lab: data.a = { count = 520 }
//! lab: data.r = { count = 512 }
//! lab: data.t = { count = 256 }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
vector_vload(global const uint *a, global uint *r, global uint *t) {
    uint i = get_global_id(0);
    uint2 x = vload2(i, a + 1);
    uint3 y = vload3(i, a + 2);
    uint4 z = vload4(i, a);
    uint8 w = vload8(i >> 1, a + 3);
    uint4 s = z + (uint4)(x, y.xy) + w.s0246;
    vstore4(s * w.s7531, i, r);
    vstore2(x ^ y.yz, i, t);
}
