#version 450
// Push constants that both stages read, apart and together, one of them at a computed index.
layout(push_constant) uniform Push { vec2 offset; vec2 scale; vec4 list[4]; uint pick; } push;
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at * push.scale + push.offset, 0.0, 1.0);
}
