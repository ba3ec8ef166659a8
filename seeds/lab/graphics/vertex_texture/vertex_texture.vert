#version 450
// A height field that the vertex shader fetches.
layout(set = 0, binding = 0) uniform sampler2D heights;
layout(location = 0) out vec4 color;
void main() {
    int i = gl_VertexIndex % 3, n = gl_VertexIndex / 3;
    ivec2 at = ivec2((n & 3) + (i == 1 ? 1 : 0), (n >> 2) + (i == 2 ? 1 : 0));
    vec4 v = texelFetch(heights, at, 0);
    gl_Position = vec4(vec2(at) * 0.4 - 0.8, v.x * 0.5 + 0.25, 1.0);
    color = textureLod(heights, vec2(at) / 4.0, 0.0);
}
