#version 450
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
// Votes and ballots of a wave of pixels, made so that the picture does not depend on who is in it.
layout(location = 0) out vec4 target;
void main() {
    bool yes = gl_FragCoord.x > 0.0;
    uvec4 all = subgroupBallot(yes), none = subgroupBallot(!yes);
    target = vec4(subgroupAll(yes) ? 1.0 : 0.0, subgroupAny(!yes) ? 1.0 : 0.0, all.x != 0u ? 2.0 : 3.0,
        float(none.x | none.y));
}
