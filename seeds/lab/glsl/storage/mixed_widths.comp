//! A record of bytes, shorts, words and quads at their natural places.
//! lab: groups = [1, 1, 1]
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 64) in;

struct Rec { uint8_t b; uint8_t c; uint16_t s; uint w; uint64_t q; };
layout(std430, binding = 0) readonly buffer A { Rec v[64]; };
layout(std430, binding = 1) buffer R { Rec r[64]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    Rec x = v[i];
    r[i].b = x.b + uint8_t(x.s);
    r[i].c = uint8_t(x.w);
    r[i].s = x.s * uint16_t(3) + uint16_t(x.b);
    r[i].w = x.w ^ uint(x.q);
    r[i].q = x.q + uint64_t(x.w);
}
