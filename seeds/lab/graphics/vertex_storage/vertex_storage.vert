#version 450
// Vertices write what they compute.
layout(set = 0, binding = 0) buffer Places { vec4 places[]; };
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at - 0.75, 0.25, 1.0);
    places[gl_VertexIndex] = gl_Position + vec4(gl_InstanceIndex);
}
