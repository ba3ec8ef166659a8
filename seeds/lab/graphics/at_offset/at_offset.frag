#version 450
// Interpolation at places that the shader chooses.
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
void main() { target = vec4(interpolateAtOffset(at, vec2(0.25, -0.125)), interpolateAtCentroid(at)); }
