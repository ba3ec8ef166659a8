// OpenCL C, freestanding: a dot product reduced in local memory, one global atomic a group.
__attribute__((reqd_work_group_size(128, 1, 1))) kernel void
dotsum(global const uint *x, global const ushort *y, global uint *total, global uint *peak) {
    local uint sums[128];
    uint t = __builtin_amdgcn_workitem_id_x();
    uint i = __builtin_amdgcn_workgroup_id_x() * 128 + t;
    uint v = x[i] * y[i];
    sums[t] = v;
    for (uint step = 64; step > 0; step >>= 1) {
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
        if (t < step) {
            sums[t] += sums[t + step];
        }
    }
    if (t == 0) {
        __scoped_atomic_fetch_add(total, sums[0], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    }
    __scoped_atomic_fetch_max(peak, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
