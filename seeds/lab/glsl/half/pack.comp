//! packFloat2x16 and unpackFloat2x16 move halves in a word; bits are kept.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    f16vec2 x = unpackFloat2x16(a[i] & 0x7bff7bffu);
    uint16_t y = float16BitsToUint16(x.y);
    r[i] = packFloat2x16(f16vec2(uint16BitsToFloat16(y), -x.x));
}
