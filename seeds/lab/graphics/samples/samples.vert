#version 450
// Once a sample: its number, its position, an input at the sample.
layout(location = 0) out vec2 at;
void main() {
    at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at * 1.7 - 0.9, 0.0, 1.0);
}
