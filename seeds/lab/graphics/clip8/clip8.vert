#version 450
// Seven clip distances, one of them at a computed place, in both vectors of distances.
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[7]; };
layout(location = 0) out vec2 color;
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.5, 1.0);
    for (int i = 0; i < 7; i++) gl_ClipDistance[i] = 1.0 + float(i) - at.x * float(i & 3) - at.y;
    gl_ClipDistance[6] = at.x + at.y - 0.25;
    color = at;
}
