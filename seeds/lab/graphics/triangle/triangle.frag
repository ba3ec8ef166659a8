#version 450
layout(location = 0) in vec3 color;
layout(location = 1) flat in uint id;
layout(location = 0) out vec4 target;
void main() {
    target = vec4(color * (id == 0u ? 1.0 : 0.5), float(id));
}
