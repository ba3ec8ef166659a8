#version 450
// Structures, arrays and matrices between the stages, some of them flat.
struct Part { vec3 a; float b; };
layout(location = 0) out mat3 frame;
layout(location = 3) out Part parts[2];
layout(location = 7) flat out uvec2 ids[2];
layout(location = 9) out float last[3];
void main() {
    int i = gl_VertexIndex;
    vec2 at = vec2(i & 1, i >> 1) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
    frame = mat3(at, 1.0, -at, 2.0, at.yx, 3.0);
    parts[0] = Part(vec3(at, i), 0.5);
    parts[1] = Part(vec3(i, at), 0.25 * i);
    ids[0] = uvec2(17, i);
    ids[1] = uvec2(i + 3, 99);
    last = float[3](at.x * 8.0, at.y * 4.0, 1.0);
}
