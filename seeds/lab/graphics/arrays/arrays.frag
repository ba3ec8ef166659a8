#version 450
// One dimension, three dimensions, and arrays of one and two.
layout(set = 0, binding = 0) uniform sampler1D line;
layout(set = 0, binding = 1) uniform sampler3D space;
layout(set = 0, binding = 2) uniform sampler1DArray lines;
layout(set = 0, binding = 3) uniform sampler2DArray planes;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
void main() {
    target = textureLod(line, at.x * 1.5, 0.0) + textureLod(space, vec3(at, at.x * at.y), 0.0);
    other = textureLod(lines, vec2(at.y, at.x * 3.0), 0.0) - texelFetch(planes, ivec3(at * 4.0, int(at.x * 4.0)), 0);
}
