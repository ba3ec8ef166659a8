#version 450
// Vertex formats: 8, 16 and 32 bits, with and without sign, normalised and not, and one per instance.
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 snorms;
layout(location = 2) in ivec4 shorts;
layout(location = 3) in uint whole;
layout(location = 4) in vec4 place;
layout(location = 0) out vec4 color;
layout(location = 1) flat out ivec4 numbers;
void main() {
    gl_Position = vec4(corner * place.zw + place.xy, 0.0, 1.0);
    color = snorms;
    numbers = shorts + ivec4(whole, 0, 0, 1);
}
