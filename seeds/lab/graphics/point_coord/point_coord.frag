#version 450
// Where in a point a pixel is.
layout(location = 0) out vec4 target;
void main() { target = vec4(gl_PointCoord, 0.0, 1.0); }
