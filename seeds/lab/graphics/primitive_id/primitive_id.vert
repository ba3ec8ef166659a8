#version 450
void main() {
    int i = gl_VertexIndex % 3, n = gl_VertexIndex / 3;
    gl_Position = vec4(vec2(i & 1, i >> 1) - vec2(n) * 0.25, 0.0, 1.0);
}
