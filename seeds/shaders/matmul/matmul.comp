// Integer matrix product of 32x32 by 32x32 in 16x16 tiles through workgroup memory; 2D groups.
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, std430) readonly buffer A { int a[]; };
layout(set = 0, binding = 1, std430) readonly buffer B { int b[]; };
layout(set = 0, binding = 2, std430) writeonly buffer C { int c[]; };
shared int tileA[16][16];
shared int tileB[16][16];

void main() {
    uint x = gl_LocalInvocationID.x;
    uint y = gl_LocalInvocationID.y;
    uint column = gl_WorkGroupID.x * 16u + x;
    uint row = gl_WorkGroupID.y * 16u + y;
    int sum = 0;
    for (uint t = 0u; t < 2u; t++) {
        tileA[y][x] = a[row * 32u + t * 16u + x];
        tileB[y][x] = b[(t * 16u + y) * 32u + column];
        barrier();
        for (uint k = 0u; k < 16u; k++) {
            sum += tileA[y][k] * tileB[k][x];
        }
        barrier();
    }
    c[row * 32u + column] = sum;
}
