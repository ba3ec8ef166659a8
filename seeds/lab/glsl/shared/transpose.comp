//! A 16x16 tile transposed with a padded row.
//! lab: groups = [1, 1, 1]
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer A { uint a[256]; };
layout(std430, binding = 1) buffer R { uint r[256]; };

shared uint t[16][17];

void main() {
    uvec2 l = gl_LocalInvocationID.xy;
    t[l.y][l.x] = a[l.y * 16u + l.x];
    barrier();
    r[l.y * 16u + l.x] = t[l.x][l.y] + gl_GlobalInvocationID.x;
}
