// Integer hashing and bit twiddling: multiplies, shifts, rotates, bit fields, counts and finds.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint src[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 dst[]; };

uint rotl(uint v, uint s) { return (v << (s & 31u)) | (v >> ((32u - s) & 31u)); }

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint v = src[i];
    uint h = v ^ (v >> 16);
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    uint hi, lo;
    umulExtended(v, h, hi, lo);
    int field = bitfieldExtract(int(v), 5, 11);
    uint inserted = bitfieldInsert(h, v, 7, 9);
    uint counts = uint(bitCount(v)) | (uint(findMSB(v)) << 8) | (uint(findLSB(v)) << 16)
                | (uint(findMSB(int(h))) << 24);
    uint rot = rotl(v, h) + bitfieldReverse(h) - (uint(field) >> 3);
    dst[i] = uvec4(h ^ hi, inserted + lo, counts, rot ^ uint(field * int(i) - 77));
}
