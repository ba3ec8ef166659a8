#version 450
// Position of a pixel: x, y, depth and the reciprocal of w.
void main() {
    int i = gl_VertexIndex;
    float w = i == 2 ? 4.0 : i == 1 ? 2.0 : 1.0;
    gl_Position = vec4(i == 1 ? w : -w, i == 2 ? w : -w, 0.25 * i * w, w);
}
