#version 450
// Texels by number, of integers too, and the sizes of images and their levels.
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform usampler2D numbers;
layout(set = 0, binding = 2) uniform isampler2D signed_numbers;
layout(location = 0) out vec4 target;
layout(location = 1) out uvec4 words;
layout(location = 2) out ivec4 sizes;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    target = texelFetch(image, (p >> 1) & 15 >> (p.x & 3), p.x & 3);
    words = texelFetch(numbers, p & 7, 0) + uvec4(texelFetch(signed_numbers, p & 7, 0));
    sizes = ivec4(textureSize(image, 2), textureQueryLevels(image), textureSize(numbers, 0).x);
}
