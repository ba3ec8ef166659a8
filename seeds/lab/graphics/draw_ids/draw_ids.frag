#version 450
layout(location = 0) flat in ivec4 numbers;
layout(location = 0) out ivec4 target;
void main() { target = numbers; }
