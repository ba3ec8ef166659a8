#version 450
in float gl_ClipDistance[2];
layout(location = 0) in vec2 color;
layout(location = 0) out vec4 target;
void main() { target = vec4(color, gl_ClipDistance[0], gl_ClipDistance[1]); }
