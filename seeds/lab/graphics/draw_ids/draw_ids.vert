#version 460
// The draw's number, its first vertex and its first instance.
layout(location = 0) flat out ivec4 numbers;
void main() {
    int i = gl_VertexIndex - gl_BaseVertex;
    vec2 at = vec2(i & 1, i >> 1);
    gl_Position = vec4(at - vec2(gl_InstanceIndex - gl_BaseInstance) * 0.5, 0.0, 1.0);
    numbers = ivec4(gl_DrawID + 7, gl_BaseVertex, gl_BaseInstance, gl_InstanceIndex);
}
