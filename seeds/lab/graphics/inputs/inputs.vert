#version 450
// Smooth, linear, flat and centroid parameters of a triangle in perspective.
layout(push_constant) uniform Push { float w; } push;
layout(location = 0) out vec4 smooth_one;
layout(location = 1) noperspective out vec4 linear_one;
layout(location = 2) flat out ivec4 flat_one;
layout(location = 3) centroid out vec4 centroid_one;
void main() {
    int i = gl_VertexIndex;
    float w = i == 2 ? push.w : 1.0;
    gl_Position = vec4(i == 1 ? 1.0 : -1.0, i == 2 ? w : -1.0, 0.0, w);
    smooth_one = vec4(i, 2 * i, 4 * i, -i);
    linear_one = vec4(i, -i, 0.25 * i, 8 * i);
    flat_one = ivec4(i - 7, i, -1, 0x7fc00001);
    centroid_one = vec4(-i, i, i * i, 3 - i);
}
