#version 450
// Lines with an attribute along them.
layout(location = 0) out float along;
void main() {
    float a = float(gl_VertexIndex >> 1);
    vec2 to = vec2(a * 0.25 - 0.875, 0.875 - a * 0.125);
    gl_Position = vec4((gl_VertexIndex & 1) == 0 ? vec2(-0.875, -0.875) : to, 0.0, 1.0);
    along = float(gl_VertexIndex & 1) * 8.0 + a;
}
