#version 450
// Levels by number, by bias and by given differences, and least levels.
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
layout(location = 2) out vec4 third;
void main() {
    target = textureLod(image, at, at.x * 4.0);
    other = texture(image, at, 1.25);
    third = textureGrad(image, at, vec2(0.125, 0.0), vec2(0.0, at.y * 0.5));
}
