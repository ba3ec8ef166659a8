#version 450
layout(location = 0) in vec4 color;
layout(location = 1) flat in ivec4 numbers;
layout(location = 0) out vec4 target;
layout(location = 1) out ivec4 other;
void main() {
    target = color;
    other = numbers;
}
