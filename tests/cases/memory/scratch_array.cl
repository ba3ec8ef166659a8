// clang-19 -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -mcpu=gfx1030 -nogpulib -O2 [-mwavefrontsize64]
// A private array with run-time indices: scratch through the private segment's V#.
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void scratch_array(__global const uint *in, __global uint *out) {
    uint i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
    uint a[24];
#pragma nounroll
    for (uint k = 0; k < 24; ++k)
        a[k] = i * 3 + k * k;
    uint s = 0;
#pragma nounroll
    for (uint k = 0; k < 16; ++k) {
        uint j = in[(i + k) & 63] % 24;
        s = s * 5 + a[j];
        a[(j * 7 + k) % 24] = s ^ i;
    }
    out[i] = s;
}
