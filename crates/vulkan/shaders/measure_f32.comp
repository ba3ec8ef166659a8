// What the device does with 32-bit floats: five results of each triple of bits, nothing declared.
#version 450
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer In { uvec2 given[]; };
layout(std430, set = 0, binding = 1) buffer Out { uvec2 results[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    precise float a = uintBitsToFloat(given[3u * i].x);
    precise float b = uintBitsToFloat(given[3u * i + 1u].x);
    precise float c = uintBitsToFloat(given[3u * i + 2u].x);
    precise float sum = a + b;
    precise float product = a * b;
    precise float fused = fma(a, b, c);
    precise float least = min(a, b);
    results[5u * i] = uvec2(floatBitsToUint(sum), 0u);
    results[5u * i + 1u] = uvec2(floatBitsToUint(product), 0u);
    results[5u * i + 2u] = uvec2(floatBitsToUint(fused), 0u);
    results[5u * i + 3u] = uvec2(floatBitsToUint(least), 0u);
    results[5u * i + 4u] = uvec2(0u);
}
