#version 450
// Pixels write a storage buffer, each its own place, and count with atomics at places that differ.
layout(set = 0, binding = 0) buffer Places { uint places[]; };
layout(set = 0, binding = 1) buffer Count { uint count[8]; uint greatest[4]; uint bits[2]; };
layout(location = 0) out vec4 target;
void main() {
    uvec2 p = uvec2(gl_FragCoord.xy);
    if (((p.x ^ p.y) & 4u) == 0u) {
        places[p.y * 32u + p.x] += p.x * p.y;
        atomicAdd(count[p.x & 7u], p.y);
    } else {
        atomicMax(greatest[p.y & 3u], p.x * 100u + p.y);
        atomicOr(bits[p.x & 1u], 1u << p.y);
    }
    target = vec4(p, 0.0, 1.0);
}
