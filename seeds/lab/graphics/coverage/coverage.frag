#version 450
layout(location = 0) out uvec4 target;
void main() { target = uvec4(gl_SampleMaskIn[0], bitCount(gl_SampleMaskIn[0]), 0, 1); }
