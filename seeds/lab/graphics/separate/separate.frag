#version 450
// Images and samplers apart: one image with two samplers, one sampler for two images.
layout(set = 0, binding = 0) uniform texture2D first;
layout(set = 0, binding = 1) uniform texture2D second;
layout(set = 0, binding = 2) uniform sampler nearest;
layout(set = 0, binding = 3) uniform sampler clamped;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
void main() {
    target = textureLod(sampler2D(first, nearest), at * 2.0, 0.0) + textureLod(sampler2D(first, clamped), at * 2.0, 0.0)
        - textureLod(sampler2D(second, clamped), at, 0.0);
}
