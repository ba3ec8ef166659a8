#version 450
// Bit fields, counts, wide products, packing: integers of the pixel stage.
layout(location = 0) out uvec4 target;
void main() {
    uvec2 p = uvec2(gl_FragCoord.xy);
    uint x = p.x * 0x9e3779b9u ^ p.y * 0x85ebca6bu;
    uint high, low;
    umulExtended(x, 0xc2b2ae35u, high, low);
    uint sum = uint(bitfieldExtract(int(x), int(p.x & 15u), int(p.y & 15u)))
        + bitfieldInsert(low, high, int(p.y & 7u), int(p.x & 7u) + 3);
    uint carry;
    uint added = uaddCarry(x, low, carry);
    target = uvec4(sum ^ bitfieldReverse(x), uint(bitCount(x)) << 16 | uint(findMSB(x)) << 8 | uint(findLSB(low)),
        packHalf2x16(vec2(p) * 0.25), added + carry + packUnorm4x8(vec4(p, 8, 40) / 64.0));
}
