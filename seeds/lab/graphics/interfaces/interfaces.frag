#version 450
struct Part { vec3 a; float b; };
layout(location = 0) in mat3 frame;
layout(location = 3) in Part parts[2];
layout(location = 7) flat in uvec2 ids[2];
layout(location = 9) in float last[3];
layout(location = 0) out vec4 target;
layout(location = 1) out uvec4 numbers;
void main() {
    int n = int(gl_FragCoord.y) & 1;
    vec3 v = frame * parts[n].a + parts[1 - n].b;
    target = vec4(v, last[int(gl_FragCoord.x) % 3]);
    numbers = uvec4(ids[n], ids[1 - n]);
}
