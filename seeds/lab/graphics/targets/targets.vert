#version 450
// Targets of every kind of component: halves, words, integers of 8 to 32 bits, one and two components.
layout(location = 0) out vec2 at;
void main() {
    at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
