#version 450
// Points of several sizes.
layout(location = 0) flat out uint number;
void main() {
    gl_PointSize = 1.0 + float(gl_VertexIndex);
    gl_Position = vec4(float(gl_VertexIndex) / 4.0 - 0.875, float(gl_VertexIndex % 3) * 0.5 - 0.5, 0.0, 1.0);
    number = uint(gl_VertexIndex);
}
