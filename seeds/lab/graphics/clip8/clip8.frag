#version 450
layout(location = 0) in vec2 color;
layout(location = 0) out vec4 target;
void main() { target = vec4(color, 0.5, 1.0); }
