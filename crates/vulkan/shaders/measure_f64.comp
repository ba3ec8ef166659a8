// What the device does with 64-bit floats: five results of each triple of bits, nothing declared.
#version 450
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer In { uvec2 given[]; };
layout(std430, set = 0, binding = 1) buffer Out { uvec2 results[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    precise double a = packDouble2x32(given[3u * i]);
    precise double b = packDouble2x32(given[3u * i + 1u]);
    precise double c = packDouble2x32(given[3u * i + 2u]);
    precise double sum = a + b;
    precise double product = a * b;
    precise double fused = fma(a, b, c);
    precise double least = min(a, b);
    results[5u * i] = unpackDouble2x32(sum);
    results[5u * i + 1u] = unpackDouble2x32(product);
    results[5u * i + 2u] = unpackDouble2x32(fused);
    results[5u * i + 3u] = unpackDouble2x32(least);
    results[5u * i + 4u] = uvec2(0u);
}
