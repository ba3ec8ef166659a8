#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
// Texels as halves, at coordinates, levels, biases and derivatives that are halves: odd numbers of components
// and even ones. The texels are halves themselves and every coordinate has one, so that nothing is rounded.
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1, rgba16f) uniform image2D store;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
layout(location = 2) out vec4 third;
void main() {
    f16vec2 p = f16vec2(gl_FragCoord.xy);
    f16vec2 at = p * 0.03125hf;
    i16vec2 texel = i16vec2(gl_FragCoord.xy) & i16vec2(7s);
    f16vec4 level = f16vec4(textureLod(image, vec2(at), float(at.x * 4.0hf)));
    f16vec3 bias = f16vec3(texture(image, vec2(at), float(at.y * 4.0hf)).xyz);
    target = vec4(level) + vec4(vec3(bias), 1.0);
    f16vec4 along = f16vec4(textureGrad(image, vec2(at), vec2(at * 0.25hf), vec2(at.yx * 0.125hf)));
    float16_t one = float16_t(texelFetch(image, ivec2(texel), 1).y);
    other = vec4(along) - vec4(float(one));
    f16vec4 before = f16vec4(imageLoad(store, ivec2(i16vec2(gl_FragCoord.xy))));
    imageStore(store, ivec2(i16vec2(gl_FragCoord.xy)), vec4(before.wzyx));
    third = vec4(f16vec4(textureGather(image, vec2(at), 2))) + vec4(before);
}
