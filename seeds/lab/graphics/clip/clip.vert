#version 450
// Two clip distances and a cull distance; each instance has its own place.
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float gl_CullDistance[1]; };
layout(location = 0) out vec4 color;
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
    gl_ClipDistance[0] = 0.75 - at.x;
    gl_ClipDistance[1] = at.y - 0.25;
    gl_CullDistance[0] = gl_InstanceIndex == 1 ? -1.0 : 1.0;
    color = vec4(1.0, gl_InstanceIndex, 0.0, 1.0);
}
