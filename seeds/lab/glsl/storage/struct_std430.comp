//! A struct with scalars, vectors, arrays and nested structs in std430.
//! lab: groups = [1, 1, 1]
#version 450
layout(local_size_x = 64) in;

struct Pair { uint key; uint value; };
struct Item { uint id; uvec3 pos; int flag; uint list[3]; Pair inner[2]; };
layout(std430, binding = 0) readonly buffer A { Item v[64]; };
layout(std430, binding = 1) buffer R { Item r[64]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    Item x = v[i];
    uint s = x.id + x.inner[i & 1u].key;
    for (uint k = 0u; k < 3u; ++k) s = s * 31u + x.list[k];
    s ^= x.pos.x + x.pos.y * 7u + x.pos.z * 13u + uint(x.flag);
    r[i].id = s;
    r[i].pos = x.pos.zyx + x.id;
    r[i].flag = -x.flag;
    r[i].list = uint[3](x.list[2], x.list[0], x.list[1]);
    r[i].inner[0] = x.inner[1];
    r[i].inner[1] = Pair(s, x.inner[0].value);
}
