#version 450
// The primitive's number.
layout(location = 0) out uvec4 target;
void main() { target = uvec4(gl_PrimitiveID + 1); }
