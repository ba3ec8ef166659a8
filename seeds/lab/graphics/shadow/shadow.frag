#version 450
// Comparisons, filtered and not, with a level and in an array.
layout(set = 0, binding = 0) uniform sampler2DShadow hard;
layout(set = 0, binding = 1) uniform sampler2DShadow soft;
layout(set = 0, binding = 2) uniform sampler2DArrayShadow many;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
void main() {
    target = vec4(texture(hard, vec3(at, 0.5)), texture(soft, vec3(at, at.y)), textureLod(hard, vec3(at, at.x), 0.0),
        texture(many, vec4(at, floor(at.x * 3.0), 0.5)));
}
