#version 450
layout(set = 0, binding = 1) uniform Tints { vec4 tint[8]; };
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;
void main() {
    int n = int(gl_FragCoord.x) & 7;
    target = color + tint[n].wzyx;
}
