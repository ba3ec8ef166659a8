#version 450
layout(location = 0) in vec2 centre_one;
layout(location = 1) centroid in vec2 centroid_one;
layout(location = 2) noperspective centroid in vec2 linear_one;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
void main() {
    target = vec4(centre_one, centroid_one);
    other = vec4(linear_one, centroid_one.x - centre_one.x, 1.0);
}
