#version 450
// Some samples are masked out by the shader.
layout(location = 0) out vec4 target;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    gl_SampleMask[0] = (p.x ^ p.y) & 15;
    target = vec4(p, 1.0, 16.0);
}
