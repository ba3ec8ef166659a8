#version 450
// Differences between neighbours: fine ones of any value, coarse ones of values for which all drivers agree.
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
void main() {
    float v = gl_FragCoord.x * gl_FragCoord.x + gl_FragCoord.x * gl_FragCoord.y;
    float plane = gl_FragCoord.x * 3.0 - gl_FragCoord.y * 5.0;
    target = vec4(dFdxFine(v), dFdyFine(v), fwidthFine(v), v);
    other = vec4(dFdx(plane), dFdy(plane), dFdxCoarse(plane), fwidth(plane));
}
