#version 450
// Centroid and sample inputs of a slanted edge, with four samples.
layout(location = 0) out vec2 centre_one;
layout(location = 1) centroid out vec2 centroid_one;
layout(location = 2) noperspective centroid out vec2 linear_one;
void main() {
    int i = gl_VertexIndex;
    float w = i == 1 ? 2.0 : 1.0;
    gl_Position = vec4(i == 1 ? 0.9 * w : -0.8, i == 2 ? 0.7 : -0.95 * w, 0.0, w);
    centre_one = vec2(i, 3 - i);
    centroid_one = vec2(2 * i, i);
    linear_one = vec2(i, i * i);
}
