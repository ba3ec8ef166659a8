#version 450
// Clip distances that the pixel shader reads too.
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; };
layout(location = 0) out vec2 color;
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.5, 1.0);
    gl_ClipDistance[0] = 0.875 - at.x;
    gl_ClipDistance[1] = at.y + 2.0;
    color = at;
}
