#version 450
// Storage images of every shape: read, written, changed and asked for their size, beyond their edges too.
layout(set = 0, binding = 0, r32ui) uniform uimage1D line;
layout(set = 0, binding = 1, r32i) uniform iimage3D space;
layout(set = 0, binding = 2, r32ui) uniform uimage1DArray lines;
layout(set = 0, binding = 3, r32ui) uniform uimage2DArray planes;
layout(set = 0, binding = 4, rgba32f) uniform imageCube cube;
layout(location = 0) out uvec4 target;
layout(location = 1) out uvec4 other;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    // Each pixel has a place of its own, or they add where the order does not show.
    imageAtomicAdd(line, p.x - 4, uint(p.y));
    imageAtomicMax(lines, ivec2(p.x >> 1, p.y & 3), uint(p.x * 32 + p.y));
    ivec3 q = ivec3(p.x & 7, p.y & 7, (p.y >> 3) * 4 + (p.x >> 3));
    int old = imageLoad(space, q).x;
    imageStore(space, q, ivec4(-2 * old - p.x));
    imageAtomicMin(space, ivec3(p.x & 3, p.y & 3, 16 + (p.x & 1)), -p.y);
    ivec3 layer = ivec3(p.x & 15, p.y & 15, (p.y >> 4) * 2 + (p.x >> 4));
    uint plane = imageAtomicExchange(planes, layer, uint(p.x * 64 + p.y));
    vec4 face = imageLoad(cube, ivec3(p.x & 15, p.y, (p.x + p.y) % 6));
    imageStore(cube, ivec3(16 + (p.x & 15), p.y, 2 * (p.x >> 4) + 3 * (p.y & 1)), face.wzyx);
    target = uvec4(uint(old), plane, floatBitsToUint(face.xw));
    other = uvec4(uint(imageSize(line)) + 100u * uint(imageSize(cube).y), imageSize(space).z,
                  imageSize(lines).y * 100 + imageSize(lines).x, imageSize(planes).z * 100 + imageSize(planes).x);
}
