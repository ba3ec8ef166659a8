#version 450
#extension GL_EXT_demote_to_helper_invocation : require
// Pixels that are demoted go on as helpers and store nothing; with depth from the shader.
layout(set = 0, binding = 0) buffer Places { uint places[]; };
layout(location = 0) out vec4 target;
void main() {
    uvec2 p = uvec2(gl_FragCoord.xy);
    if (((p.x * p.y) & 3u) == 1u) demote;
    places[p.y * 32u + p.x] = p.x + 1u;
    gl_FragDepth = float(p.x) / 64.0;
    target = vec4(p, helperInvocationEXT() ? 1.0 : 2.0, 1.0);
}
