// Reads a uniform buffer of another set.
#version 450
layout(local_size_x = 1) in;
layout(std140, set = 2, binding = 5) uniform Factors { uvec4 factors; };
layout(std430, set = 0, binding = 1) buffer Data { uint data[]; };
void main() {
    data[0] = factors.x;
    data[1] = factors.y * factors.z;
    data[2] = uint(data.length());
}
