//! Scalar block layout: vec3 without padding, doubles at any multiple of their size.
//! lab: groups = [1, 1, 1]
#version 450
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;

struct Row { uint a; uvec3 b; uint c; };
layout(scalar, binding = 0) readonly buffer A { Row v[64]; };
layout(scalar, binding = 1) buffer R { Row r[64]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    Row x = v[i];
    r[i].b = x.b.zxy + x.a;
    r[i].a = x.c ^ x.b.x;
    r[i].c = x.a * 3u;
}
