#version 450
// Loops in loops with breaks and continues, a switch, an array that is indexed dynamically.
layout(location = 0) out uvec4 target;
void main() {
    uvec2 p = uvec2(gl_FragCoord.xy);
    uint seen[8] = uint[8](1u, 1u, 2u, 3u, 5u, 8u, 13u, 21u);
    uint steps = 0u, sum = 0u;
    for (uint i = 0u; i < p.x; i++) {
        uint x = i * 2654435761u + p.y;
        while (x > 9u) {
            steps++;
            x = (x >> 3) ^ (x & 5u);
            if (x == 13u) break;
            if ((x & 1u) != 0u) { x >>= 1; continue; }
            sum += seen[x & 7u];
        }
        switch (x & 3u) {
            case 0u: sum += 3u; break;
            case 1u: sum ^= steps; // falls through
            case 2u: sum = sum << 1 | sum >> 31; break;
            default: if (sum > 1000u) { i++; } break;
        }
        if (steps > 200u) break;
    }
    target = uvec4(sum, steps, p);
}
