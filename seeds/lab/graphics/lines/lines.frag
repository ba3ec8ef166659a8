#version 450
layout(location = 0) in float along;
layout(location = 0) out vec4 target;
void main() { target = vec4(along, 1.0, 0.0, 1.0); }
