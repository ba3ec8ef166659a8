#version 450
// A triangle under a matrix from push constants, with a smooth and a flat parameter.
layout(push_constant) uniform Push { mat4 transform; } push;
layout(location = 0) out vec3 color;
layout(location = 1) flat out uint id;
void main() {
    int i = gl_VertexIndex % 3;
    vec2 at = vec2(i == 1 ? 1.0 : -1.0, i == 2 ? 1.0 : -1.0);
    gl_Position = push.transform * vec4(at, 0.25, 1.0);
    color = vec3(i == 0, i == 1, i == 2);
    id = uint(gl_VertexIndex + gl_InstanceIndex);
}
