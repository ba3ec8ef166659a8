// A table of constants behind S_GETPC_B64 and functions that are called, one of which calls another. Compiled with
// clang-19 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx1030 -nogpulib -O2 [-mwavefrontsize64].
__constant int table[64] = {5,9,2,7,1,0,3,8,11,13,17,19,23,29,31,37,41,43,47,53,59,61,67,71,73,79,83,89,97,101,103,107,109,113,127,131,137,139,149,151,157,163,167,173,179,181,191,193,197,199,211,223,227,229,233,239,241,251,257,263,269,271,277,281};
__attribute__((noinline)) static int twice(int x) { return x * 2 + 1; }
__attribute__((noinline)) static int mix2(int x, int y) { return twice(x) ^ (y << 3); }
__attribute__((reqd_work_group_size(64,1,1)))
__kernel void k(__global int *out) {
  int i = (int)__builtin_amdgcn_workitem_id_x();
  int a = table[(i * 7) & 63];
  out[i] = mix2(a, i) + twice(i);
}
