#version 450
// Pixels that fail the depth test neither run nor count, and those that are thrown away leave their depth.
layout(early_fragment_tests) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D ran;
layout(location = 0) flat in uint instance;
layout(location = 0) out vec4 target;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    imageAtomicAdd(ran, p, 1u + 100u * instance);
    if ((p.x + p.y * 3) % 5 == 0) discard;
    target = vec4(p, instance, gl_FragCoord.z);
}
