#version 450
layout(location = 0) sample in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out uvec4 number;
void main() {
    target = vec4(at, gl_FragCoord.xy) * float(gl_SampleID + 1);
    number = uvec4(gl_SampleID, gl_SampleMaskIn[0], uvec2(gl_FragCoord.xy));
}
