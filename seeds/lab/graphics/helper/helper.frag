#version 450
// Whether an invocation is a helper: never, where it shows.
layout(location = 0) out vec4 target;
void main() { target = vec4(gl_HelperInvocation ? 1.0 : 0.5, gl_FragCoord.xy, 1.0); }
