#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// Arithmetic of halves into a target of halves.
layout(location = 0) out vec4 target;
layout(location = 1) out float one;
void main() {
    f16vec2 p = f16vec2(gl_FragCoord.xy);
    f16vec2 q = p * f16vec2(0.25hf, -0.5hf) + f16vec2(1.0hf);
    target = vec4(q, max(q.x, q.y), abs(q.x) + float16_t(65000.0));
    one = float(q.x * q.y);
}
