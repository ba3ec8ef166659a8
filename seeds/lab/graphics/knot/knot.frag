#version 450
// A texture with levels under one light, diffuse and specular.
layout(set = 0, binding = 0) uniform Frame { vec4 turn; vec4 light; float time; };
layout(set = 0, binding = 1) uniform sampler2D tiles;
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 place;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 target;
void main() {
    vec3 n = normalize(normal);
    vec3 eye = normalize(vec3(0.0, 0.0, 3.6) - place);
    float diffuse = max(dot(n, light.xyz), 0.0);
    float shine = max(dot(n, normalize(light.xyz + eye)), 0.0);
    shine *= shine; shine *= shine; shine *= shine; shine *= shine;
    vec3 base = texture(tiles, uv).rgb;
    target = vec4(base * (0.18 + 0.82 * diffuse) + vec3(0.45 * shine), 1.0);
}
