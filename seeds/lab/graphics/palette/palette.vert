#version 450
// A matrix palette: uniform arrays indexed by an attribute of the vertex.
layout(location = 0) in vec2 position;
layout(location = 1) in uvec2 bones;
layout(location = 2) in vec2 weights;
layout(set = 0, binding = 0) uniform Palette { mat4 bone[4]; };
layout(set = 0, binding = 1) uniform Tints { vec4 tint[8]; };
layout(location = 0) out vec4 color;
void main() {
    mat4 m = bone[bones.x] * weights.x + bone[bones.y] * weights.y;
    gl_Position = m * vec4(position, 0.25, 1.0);
    color = tint[bones.x + bones.y];
}
