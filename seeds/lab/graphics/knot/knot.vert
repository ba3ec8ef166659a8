#version 450
// A mesh that turns, with a wave that runs along it. What decides the place of a vertex is precise: the same
// operations in the same order.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(set = 0, binding = 0) uniform Frame {
    vec4 turn;  // cosine and sine about y, and about x
    vec4 light; // to the light
    float time;
};
layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec3 out_place;
layout(location = 2) out vec2 out_uv;
vec3 turned(vec3 p) {
    precise vec3 a = vec3(turn.x * p.x + turn.y * p.z, p.y, turn.x * p.z - turn.y * p.x);
    precise vec3 b = vec3(a.x, turn.z * a.y - turn.w * a.z, turn.z * a.z + turn.w * a.y);
    return b;
}
void main() {
    precise float s = abs(fract(uv.x * 0.125 - time) * 2.0 - 1.0);
    precise float wave = s * s * (3.0 - 2.0 * s);
    precise vec3 p = position + normal * (wave * 0.12 - 0.05);
    precise vec3 place = turned(p);
    precise float w = 3.6 - place.z;
    precise vec4 clip = vec4(place.x * 1.65, place.y * -2.2, w * 1.1 - 1.1, w);
    gl_Position = clip;
    out_place = place;
    out_normal = turned(normal);
    out_uv = vec2(uv.x, uv.y + time);
}
