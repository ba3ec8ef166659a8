//! f16vec2 and f16vec4 arithmetic: packed instructions.
//! lab: data.H = { type = "f16", min = -16.0, max = 16.0 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer H { float16_t h[128]; };
layout(std430, binding = 1) buffer R { f16vec4 r[128]; };
layout(std430, binding = 2) buffer T { f16vec2 t[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    f16vec4 x = f16vec4(h[i], h[i ^ 1u], h[i ^ 2u], h[i ^ 3u]);
    precise f16vec4 s = x + x.wzyx;
    precise f16vec4 p = s * x.yxwz;
    r[i] = p;
    t[i] = max(min(x.xy, x.zw), -s.xy);
}
