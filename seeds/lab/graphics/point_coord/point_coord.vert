#version 450
void main() {
    gl_PointSize = 9.0;
    gl_Position = vec4(float(gl_VertexIndex) - 0.5, 0.25, 0.0, 1.0);
}
