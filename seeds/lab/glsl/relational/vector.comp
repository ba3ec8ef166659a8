//! lessThan and friends on vectors, any, all and not.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer F { float f[128]; };
layout(std430, binding = 2) buffer R { uint r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 x = vec4(f[i], f[i ^ 1u], f[i ^ 2u], f[i ^ 3u]);
    ivec4 y = ivec4(a[i], a[i ^ 1u], a[i ^ 2u], a[i ^ 3u]);
    bvec4 l = lessThan(x, x.wzyx), g = greaterThanEqual(y, y.yzwx), e = equal(x, x.xxzz), n = notEqual(y, y.xxyy);
    uint k = uint(any(l)) | uint(all(g)) << 1 | uint(any(not(e))) << 2 | uint(all(n)) << 3;
    k |= uint(l.x) << 4 | uint(l.y) << 5 | uint(g.z) << 6 | uint(g.w) << 7 | uint(e.y) << 8 | uint(n.w) << 9;
    r[i] = k;
}
