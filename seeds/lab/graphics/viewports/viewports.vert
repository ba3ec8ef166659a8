#version 450
#extension GL_ARB_shader_viewport_layer_array : require
// Each instance goes to a viewport of its own.
layout(location = 0) out vec2 color;
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at - 1.0, 0.0, 1.0);
    gl_ViewportIndex = gl_InstanceIndex % 3;
    color = at + float(gl_InstanceIndex);
}
