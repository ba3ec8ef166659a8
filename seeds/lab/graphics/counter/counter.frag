#version 450
// All pixels count in one place, which RADV does once a wave.
layout(set = 0, binding = 0) buffer Count { uint count; uint greatest; };
layout(location = 0) out vec4 target;
void main() {
    uvec2 p = uvec2(gl_FragCoord.xy);
    atomicAdd(count, 1u);
    atomicMax(greatest, p.x * 100u + p.y);
    target = vec4(p, 0.0, 1.0);
}
