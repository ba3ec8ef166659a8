#version 450
layout(location = 0) in vec4 smooth_one;
layout(location = 1) noperspective in vec4 linear_one;
layout(location = 2) flat in ivec4 flat_one;
layout(location = 3) centroid in vec4 centroid_one;
layout(location = 0) out vec4 target;
layout(location = 1) out ivec4 numbers;
layout(location = 2) out vec4 other;
void main() {
    target = smooth_one;
    numbers = flat_one;
    other = linear_one * centroid_one;
}
