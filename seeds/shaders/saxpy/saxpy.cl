// OpenCL C, freestanding: y = a * x + y in floats and in integers, through global pointers.
#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
saxpy(global const float *x, global float *y, global const int *p, global long *q, float a, int b, int n) {
    int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
    if (i < n) {
        float r = a * x[i];
        y[i] = r + y[i];
        q[i] = (long)p[i] * b + q[i];
    }
}
