#version 450
// Which samples of a pixel are covered.
void main() {
    int i = gl_VertexIndex;
    gl_Position = vec4(i == 1 ? 0.9 : -0.8, i == 2 ? 0.7 : -0.95, 0.0, 1.0);
}
