#version 450
#extension GL_ARB_shader_viewport_layer_array : require
// Each instance goes to a layer of its own.
layout(location = 0) flat out uint number;
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4(at - 0.25 * float(gl_InstanceIndex), 0.0, 1.0);
    gl_Layer = 3 - gl_InstanceIndex;
    number = uint(gl_InstanceIndex);
}
