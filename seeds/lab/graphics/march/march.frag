#version 450
// Spheres by marching along rays: square roots, branches, a loop that ends where it must.
layout(location = 0) out vec4 target;
float distance_to(vec3 p) {
    vec3 q = p - floor(p * 0.5 + 0.5) * 2.0;
    return length(q) - 0.5;
}
void main() {
    vec2 at = (gl_FragCoord.xy - 16.0) / 16.0;
    vec3 direction = normalize(vec3(at, 1.5)), from = vec3(0.125, -0.25, -3.0);
    float t = 0.0;
    int steps = 0;
    for (; steps < 48; steps++) {
        float d = distance_to(from + direction * t);
        if (d < 0.001) break;
        t += d;
        if (t > 20.0) break;
    }
    vec3 p = from + direction * t;
    target = vec4(t, float(steps), dot(normalize(p), vec3(0.5)), 1.0);
}
