#version 450
// Offsets in texels, of samples, of gathers and of fetches.
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
layout(location = 2) out vec4 third;
void main() {
    target = textureLodOffset(image, at, 0.0, ivec2(3, -2));
    other = textureGatherOffset(image, at, ivec2(-1, 4), 1);
    third = texelFetchOffset(image, ivec2(gl_FragCoord.xy) & 7, 0, ivec2(2, 1));
}
