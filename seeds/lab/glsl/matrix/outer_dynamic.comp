//! outerProduct, matrixCompMult, and a column picked by a run-time index.
//! lab: data.R.compare = { ulp = 2 }
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[128]; };
layout(std430, binding = 1) readonly buffer F { float f[128]; };
layout(std430, binding = 2) buffer R { vec4 r[128]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 v = vec4(f[i], f[i ^ 1u], f[i ^ 2u], f[i ^ 3u]);
    mat4 m = outerProduct(v, v.zyxw);
    m = matrixCompMult(m, mat4(2.0, 0.5, 1.0, 4.0, 2.0, 0.5, 1.0, 4.0, 2.0, 0.5, 1.0, 4.0, 2.0, 0.5, 1.0, 4.0));
    uint c = a[i] & 3u;
    r[i] = m[c] + vec4(m[3u - c][i & 3u]);
}
