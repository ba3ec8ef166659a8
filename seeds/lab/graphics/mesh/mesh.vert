#version 450
// Vertex buffers of three formats, a matrix in a uniform buffer, a light in a storage buffer.
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 tint;
layout(set = 0, binding = 0) uniform Camera { mat4 view; };
layout(set = 0, binding = 1) readonly buffer Light { vec4 direction; vec4 ambient; };
layout(location = 0) out vec2 out_uv;
layout(location = 1) out vec4 out_color;
void main() {
    gl_Position = view * vec4(position, 1.0);
    out_uv = uv;
    out_color = tint * max(dot(position, direction.xyz), 0.0) + ambient;
}
