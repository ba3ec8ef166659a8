// Follows a device address from the push constants to one that is kept in memory.
#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Target { uint words[2]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Table { Target target; };
layout(push_constant) uniform Push { uint pad[2]; Table table; };
void main() {
    Target target = table.target;
    target.words[1] = target.words[0] + 5u;
}
