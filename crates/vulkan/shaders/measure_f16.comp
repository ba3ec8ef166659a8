// What the device does with 16-bit floats: five results of each triple of bits, nothing declared. The last
// one is the first operand as a 32-bit float.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer In { uvec2 given[]; };
layout(std430, set = 0, binding = 1) buffer Out { uvec2 results[]; };
float16_t half_of(uint i) { return uint16BitsToHalf(uint16_t(given[i].x)); }
uvec2 bits_of(float16_t x) { return uvec2(uint(halfBitsToUint16(x)), 0u); }
void main() {
    uint i = gl_GlobalInvocationID.x;
    precise float16_t a = half_of(3u * i);
    precise float16_t b = half_of(3u * i + 1u);
    precise float16_t c = half_of(3u * i + 2u);
    precise float16_t sum = a + b;
    precise float16_t product = a * b;
    precise float16_t fused = fma(a, b, c);
    precise float16_t least = min(a, b);
    results[5u * i] = bits_of(sum);
    results[5u * i + 1u] = bits_of(product);
    results[5u * i + 2u] = bits_of(fused);
    results[5u * i + 3u] = bits_of(least);
    results[5u * i + 4u] = uvec2(floatBitsToUint(float(a)), 0u);
}
