//! Half dot products and mixes that the compiler may contract.
//! lab: data.H = { type = "f16", min = -2.0, max = 2.0 }
//! lab: data.R.compare = { absolute = 0.03 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer H { float16_t h[128]; };
layout(std430, binding = 1) buffer R { f16vec2 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    f16vec4 x = f16vec4(h[i], h[i ^ 1u], h[i ^ 2u], h[i ^ 3u]);
    r[i] = f16vec2(dot(x, x.wzyx), mix(x.x, x.y, float16_t(0.25)));
}
