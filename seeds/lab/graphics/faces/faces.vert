#version 450
// Front and back faces; each instance is turned over.
layout(location = 0) out vec3 color;
void main() {
    int i = gl_VertexIndex % 3;
    vec2 at = vec2(i == 1 ? 1.0 : -1.0, i == 2 ? 1.0 : -1.0);
    if ((gl_InstanceIndex & 1) != 0) at = at.yx * -0.5 - 0.25;
    gl_Position = vec4(at * 0.75, 0.0, 1.0);
    color = vec3(i, gl_InstanceIndex, 1.0);
}
