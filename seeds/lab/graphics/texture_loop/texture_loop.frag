#version 450
// A texture in a loop whose trips differ from pixel to pixel, and behind a branch.
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
void main() {
    vec4 sum = vec4(0.0);
    int trips = (int(gl_FragCoord.x) ^ int(gl_FragCoord.y)) & 7;
    for (int i = 0; i < trips; i++) {
        vec4 v = textureLod(image, at + float(i) * 0.0625, 0.0);
        if (v.x > 1.5) break;
        sum += v;
    }
    if (at.x > 0.5) sum -= textureLod(image, at.yx, 0.0);
    target = sum;
}
