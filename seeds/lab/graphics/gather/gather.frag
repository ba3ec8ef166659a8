#version 450
// Four texels at once, of each component, and compared.
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform sampler2DShadow depths;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
void main() {
    target = textureGather(image, at, 0) + 2.0 * textureGather(image, at, 3);
    other = textureGather(depths, at, at.x);
}
