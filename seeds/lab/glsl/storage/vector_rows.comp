//! uvec2, uvec3 and uvec4 loads and stores with neighbours exchanged.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Q { uvec4 q[128]; };
layout(std430, binding = 1) readonly buffer P { uvec2 p[128]; };
layout(std430, binding = 2) buffer R { uvec4 r[128]; };
layout(std430, binding = 3) buffer T { uvec2 t[128]; };
layout(std430, binding = 4) buffer U { uvec3 u[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec4 x = q[i ^ 1u];
    uvec2 y = p[i ^ 2u];
    r[i] = x.wzyx + y.xyxy;
    t[i] = x.yz ^ y;
    u[i].xz = uvec2(x.x, y.y);
}
