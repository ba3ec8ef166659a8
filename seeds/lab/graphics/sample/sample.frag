#version 450
// A texture with levels, sampled by implicit differences: nearest and linear.
layout(set = 0, binding = 0) uniform sampler2D nearest;
layout(set = 0, binding = 1) uniform sampler2D filtered;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
void main() {
    target = texture(nearest, at * 1.7 - 0.3);
    other = texture(filtered, at * vec2(0.5, 3.0));
}
