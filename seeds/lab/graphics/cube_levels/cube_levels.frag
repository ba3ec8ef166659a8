#version 450
// A cube with levels and filters, by implicit differences, by given ones and by a level.
layout(set = 0, binding = 0) uniform samplerCube image;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 other;
void main() {
    vec3 d = vec3(at * 2.0 - 1.0, 0.75);
    target = texture(image, d);
    // Along the face: what part of a difference goes across it, devices (and RADV) turn into other levels than
    // the specification has.
    vec3 a = abs(d);
    vec3 along = 1.0 - step(max(max(a.x, a.y), a.z), a);
    other = textureGrad(image, d, vec3(0.25, 0.125, 0.5) * along, vec3(-0.25, at.y, 0.25) * along);
}
