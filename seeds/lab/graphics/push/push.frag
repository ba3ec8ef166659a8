#version 450
layout(push_constant) uniform Push { vec2 offset; vec2 scale; vec4 list[4]; uint pick; } push;
layout(location = 0) out vec4 target;
void main() { target = push.list[push.pick] + vec4(push.scale, gl_FragCoord.xy); }
