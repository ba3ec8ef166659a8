#version 450
// All pixels run and count, whatever their depth, and those that are thrown away leave none.
layout(set = 0, binding = 0, r32ui) uniform uimage2D ran;
layout(location = 0) flat in uint instance;
layout(location = 0) out vec4 target;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    imageAtomicAdd(ran, p, 1u + 100u * instance);
    if ((p.x + p.y * 3) % 5 == 0) discard;
    target = vec4(p, instance, gl_FragCoord.z);
}
