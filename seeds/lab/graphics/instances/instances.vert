#version 450
// Instances placed by a storage buffer, with a loop and a branch in the vertex shader.
struct Item { vec2 at; float size; uint steps; };
layout(set = 0, binding = 0) readonly buffer Items { Item items[]; };
layout(location = 0) flat out uint number;
layout(location = 1) out float sum;
void main() {
    Item item = items[gl_InstanceIndex];
    int i = gl_VertexIndex % 3;
    vec2 at = vec2(i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
    gl_Position = vec4(at * item.size + item.at, 0.0, 1.0);
    number = uint(gl_InstanceIndex);
    float total = 0.0;
    for (uint n = 0; n < item.steps; n++) {
        if ((n & 1u) != 0u) total += 0.5; else total += float(n);
    }
    sum = total;
}
