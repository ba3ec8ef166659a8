//! An array of structs with padding, read whole and written by fields.
//! lab: data.v = { type = "u32", count = 768 }
//! lab: data.w = { type = "u32", count = 768 }
struct row { uchar tag; uint key; short list[3]; ulong wide; };

__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
memory_structs(global const struct row *v, global struct row *w) {
    uint i = get_global_id(0);
    struct row x = v[i], y = v[i ^ 1];
    x.key = y.key + x.tag;
    w[i].tag = x.tag ^ y.tag;
    w[i].key = x.key;
    w[i].wide = x.wide ^ y.wide >> 3;
    for (uint k = 0; k < 3; ++k) w[i].list[k] = y.list[2 - k] + (short)x.key;
}
