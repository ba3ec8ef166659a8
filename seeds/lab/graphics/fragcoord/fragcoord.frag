#version 450
layout(location = 0) out vec4 target;
void main() { target = gl_FragCoord; }
