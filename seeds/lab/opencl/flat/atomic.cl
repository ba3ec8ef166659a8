//! Atomics through generic pointers, 32 and 64 bit.
//! lab: data.r = { fill = 0, count = 132 }
//! lab: data.w = { fill = 0, count = 2 }
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
flat_atomic(global const uint *a, global uint *r, global ulong *w) {
    uint i = get_global_id(0);
    local uint t[4];
    local ulong u[2];
    uint l = get_local_id(0);
    if (l < 4) t[l] = 0;
    if (l < 2) u[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint *p = (a[i] & 1) ? (uint *)&t[a[i] >> 1 & 3] : (uint *)&r[128 + (a[i] >> 1 & 3)];
    __scoped_atomic_fetch_add(p, a[i] >> 8, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    ulong *q = (a[i] & 8) ? (ulong *)&u[a[i] >> 4 & 1] : (ulong *)&w[a[i] >> 4 & 1];
    __scoped_atomic_fetch_xor(q, (ulong)a[i] << 13, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    barrier(CLK_LOCAL_MEM_FENCE);
    r[i] = l < 4 ? t[l] : l < 6 ? (uint)(u[l - 4] >> 7) : 0;
}
