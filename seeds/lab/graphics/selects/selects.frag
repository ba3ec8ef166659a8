#version 450
// Components of a view in another order, and formats with fewer than four.
layout(set = 0, binding = 0) uniform sampler2D turned;
layout(set = 0, binding = 1) uniform sampler2D two;
layout(set = 0, binding = 2) uniform sampler2D one;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
void main() {
    target = textureLod(turned, at, 0.0) + textureLod(two, at, 0.0);
    other = textureLod(one, at, 0.0) + textureGather(turned, at, 2);
}
