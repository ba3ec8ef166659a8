#version 450
layout(set = 0, binding = 1) uniform Palette { vec4 colors[8]; };
layout(location = 0) flat in uint number;
layout(location = 1) in float sum;
layout(location = 0) out vec4 target;
void main() { target = colors[number & 7u] + vec4(0.0, 0.0, sum, 0.0); }
