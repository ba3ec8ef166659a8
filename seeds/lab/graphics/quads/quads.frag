#version 450
#extension GL_KHR_shader_subgroup_quad : require
// Exchanges within quads.
layout(location = 0) out vec4 target;
void main() {
    float v = gl_FragCoord.x + 100.0 * gl_FragCoord.y;
    target = vec4(subgroupQuadSwapHorizontal(v), subgroupQuadSwapVertical(v), subgroupQuadSwapDiagonal(v),
        subgroupQuadBroadcast(v, 0));
}
