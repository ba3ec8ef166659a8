#version 450
// Depth from the shader, of two layers that cut each other.
layout(location = 0) flat in uint layer;
layout(location = 0) out vec4 target;
void main() {
    gl_FragDepth = layer == 0u ? gl_FragCoord.x / 32.0 : gl_FragCoord.y / 32.0;
    target = vec4(layer, gl_FragCoord.z, gl_FragDepth, 1.0);
}
