// Explicit 16-bit arithmetic: scalar and packed halves, conversions both ways, 16-bit storage.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer A { f16vec2 a[]; };
layout(set = 0, binding = 1, std430) readonly buffer B { float b[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Out { f16vec2 packed[]; };
layout(set = 0, binding = 3, std430) writeonly buffer Narrow { float16_t narrow[]; };
layout(set = 0, binding = 4, std430) writeonly buffer Wide { float wide[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    f16vec2 v = a[i];
    precise float16_t h = float16_t(b[i]);
    precise f16vec2 p = v * f16vec2(h, float16_t(0.5));
    precise f16vec2 q = p + v.yx;
    q = max(q, f16vec2(float16_t(-8.0)));
    q = min(q, -v + f16vec2(float16_t(100.0)));
    packed[i] = q;
    precise float16_t s = abs(q.x) - q.y;
    narrow[i] = s;
    precise float w = float(s) * b[i];
    wide[i] = w + float(int16_t(q.y));
}
