#version 450
// Cubes and an array of cubes, in all directions.
layout(set = 0, binding = 0) uniform samplerCube image;
layout(set = 0, binding = 1) uniform samplerCubeArray many;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
void main() {
    vec3 d = vec3(at * 2.0 - 1.0, sin(at.x * 6.0) + 0.25);
    target = textureLod(image, d, 0.0);
    other = textureLod(many, vec4(d.zxy, floor(at.y * 2.0)), 0.0);
}
