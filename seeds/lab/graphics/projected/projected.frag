#version 450
// Projected coordinates, coordinates that count texels, and the level that would be taken.
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform sampler2D counted;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
void main() {
    target = textureProj(image, vec3(at, 0.5 + at.x));
    other = vec4(textureQueryLod(image, at * 4.0), textureLod(counted, at * 9.0, 0.0).xy);
}
