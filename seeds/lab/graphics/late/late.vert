#version 450
// The first triangle slopes away from left to right, the second stands across it.
layout(location = 0) flat out uint instance;
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    float z = gl_InstanceIndex == 0 ? 0.25 + 0.5 * at.x : 0.5 - 0.125 * at.y;
    gl_Position = vec4(at * 2.0 - 1.0, z, 1.0);
    instance = uint(gl_InstanceIndex);
}
