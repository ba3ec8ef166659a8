#version 450
// Storage images read, written and changed atomically, each pixel its own texel or a texel for many.
layout(set = 0, binding = 0, rgba32f) uniform image2D image;
layout(set = 0, binding = 1, r32ui) uniform uimage2D counts;
layout(set = 0, binding = 2, rgba8ui) writeonly uniform uimage2D bytes;
layout(location = 0) out vec4 target;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec4 v = imageLoad(image, p);
    imageStore(image, p, v * 2.0 + vec4(p, 0.0, 1.0));
    imageAtomicAdd(counts, p & 7, uint(p.x));
    imageAtomicMax(counts, (p & 3) + 8, uint(p.y * 32 + p.x));
    imageStore(bytes, p >> 1, uvec4(p >> 1, 3, 4));
    target = vec4(v.xy, imageSize(image));
}
