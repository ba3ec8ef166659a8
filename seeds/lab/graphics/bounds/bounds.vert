#version 450
// Vertices by index from a uniform array, and far outside of the target.
layout(set = 0, binding = 0) uniform Corners { vec4 corners[12]; };
layout(location = 0) out vec4 color;
void main() {
    vec4 corner = corners[(gl_VertexIndex * 5) % 12];
    gl_Position = vec4(corner.xy * corner.w, corner.z, corner.w);
    color = corners[11 - gl_VertexIndex];
}
