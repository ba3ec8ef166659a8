// What the OpenCL C sources of the lab stand on, for two compilers that link no OpenCL library: AMD's
// machine code (freestanding), and the host's CPU, which runs the same source as the original. Included
// before each source. Everything is generic C, so that both compile the same definitions; only ids,
// barriers and the address spaces of atomics differ.
#ifndef SPIRDNA_LAB_OPENCL_H
#define SPIRDNA_LAB_OPENCL_H

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define LAB static inline __attribute__((overloadable, always_inline))

// ---- Where a work item is.
#ifdef __AMDGCN__
LAB size_t lab_local_id(uint d) {
    return d == 0 ? __builtin_amdgcn_workitem_id_x() : d == 1 ? __builtin_amdgcn_workitem_id_y()
         : d == 2 ? __builtin_amdgcn_workitem_id_z() : 0;
}
LAB size_t lab_group_id(uint d) {
    return d == 0 ? __builtin_amdgcn_workgroup_id_x() : d == 1 ? __builtin_amdgcn_workgroup_id_y()
         : d == 2 ? __builtin_amdgcn_workgroup_id_z() : 0;
}
LAB size_t lab_local_size(uint d) {
    return d == 0 ? __builtin_amdgcn_workgroup_size_x() : d == 1 ? __builtin_amdgcn_workgroup_size_y()
         : d == 2 ? __builtin_amdgcn_workgroup_size_z() : 1;
}
LAB size_t lab_global_size(uint d) {
    return d == 0 ? __builtin_amdgcn_grid_size_x() : d == 1 ? __builtin_amdgcn_grid_size_y()
         : d == 2 ? __builtin_amdgcn_grid_size_z() : 1;
}
LAB void lab_barrier(void) {
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
LAB void lab_fence(void) { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
#else
// The host's runner has these: which of local id, group id, local size, global size; the axis.
size_t lab_host_id(uint what, uint axis);
void lab_host_barrier(void);
LAB size_t lab_local_id(uint d) { return lab_host_id(0, d); }
LAB size_t lab_group_id(uint d) { return lab_host_id(1, d); }
LAB size_t lab_local_size(uint d) { return lab_host_id(2, d); }
LAB size_t lab_global_size(uint d) { return lab_host_id(3, d); }
LAB void lab_barrier(void) { lab_host_barrier(); }
LAB void lab_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif
LAB size_t lab_global_id(uint d) { return lab_group_id(d) * lab_local_size(d) + lab_local_id(d); }
#define get_local_id(d) lab_local_id(d)
#define get_group_id(d) lab_group_id(d)
#define get_local_size(d) lab_local_size(d)
#define get_enqueued_local_size(d) lab_local_size(d)
#define get_global_size(d) lab_global_size(d)
#define get_global_id(d) lab_global_id(d)
#define get_num_groups(d) (lab_global_size(d) / lab_local_size(d))
#define get_global_offset(d) ((size_t)0)
#define get_work_dim() 3u
#define get_local_linear_id() \
    ((lab_local_id(2) * lab_local_size(1) + lab_local_id(1)) * lab_local_size(0) + lab_local_id(0))
#define get_global_linear_id() \
    ((lab_global_id(2) * lab_global_size(1) + lab_global_id(1)) * lab_global_size(0) + lab_global_id(0))
#define barrier(flags) lab_barrier()
#define work_group_barrier(...) lab_barrier()
#define mem_fence(flags) lab_fence()
#define read_mem_fence(flags) lab_fence()
#define write_mem_fence(flags) lab_fence()

// ---- Integers: f(F, T, U) for every scalar type T with its unsigned type U, and for its vectors.
#define LAB_VECTORS(F, T, U) F(T, U) F(T##2, U##2) F(T##3, U##3) F(T##4, U##4) F(T##8, U##8) F(T##16, U##16)
#define LAB_INTEGERS(F) LAB_VECTORS(F, char, uchar) LAB_VECTORS(F, uchar, uchar) LAB_VECTORS(F, short, ushort) \
    LAB_VECTORS(F, ushort, ushort) LAB_VECTORS(F, int, uint) LAB_VECTORS(F, uint, uint) \
    LAB_VECTORS(F, long, ulong) LAB_VECTORS(F, ulong, ulong)
#define LAB_SCALAR_INTEGERS(F) F(char, uchar) F(uchar, uchar) F(short, ushort) F(ushort, ushort) F(int, uint) \
    F(uint, uint) F(long, ulong) F(ulong, ulong)
#define LAB_FLOATS(F) LAB_VECTORS(F, float, uint) LAB_VECTORS(F, double, ulong) LAB_VECTORS(F, half, ushort)

#define LAB_MIN_MAX(T, U) \
    LAB T lab_min(T a, T b) { return __builtin_elementwise_min(a, b); } \
    LAB T lab_max(T a, T b) { return __builtin_elementwise_max(a, b); }
LAB_INTEGERS(LAB_MIN_MAX)
LAB_FLOATS(LAB_MIN_MAX)
#define min(a, b) lab_min(a, b)
#define max(a, b) lab_max(a, b)
#define clamp(x, low, high) lab_min(lab_max(x, low), high)

#define LAB_BITS(T, U) LAB U lab_popcount(T a) { return __builtin_elementwise_popcount(__builtin_astype(a, U)); }
#if __has_builtin(__builtin_elementwise_popcount)
LAB_INTEGERS(LAB_BITS)
#else
LAB uchar lab_popcount(uchar a) { return __builtin_popcount(a); }
LAB char lab_popcount(char a) { return __builtin_popcount((uchar)a); }
LAB ushort lab_popcount(ushort a) { return __builtin_popcount(a); }
LAB short lab_popcount(short a) { return __builtin_popcount((ushort)a); }
LAB uint lab_popcount(uint a) { return __builtin_popcount(a); }
LAB int lab_popcount(int a) { return __builtin_popcount(a); }
LAB ulong lab_popcount(ulong a) { return __builtin_popcountl(a); }
LAB long lab_popcount(long a) { return __builtin_popcountl(a); }
#endif
#define popcount(a) lab_popcount(a)

LAB uint lab_clz(uint a) { return a ? __builtin_clz(a) : 32; }
LAB int lab_clz(int a) { return a ? __builtin_clz(a) : 32; }
LAB ulong lab_clz(ulong a) { return a ? __builtin_clzl(a) : 64; }
LAB long lab_clz(long a) { return a ? __builtin_clzl(a) : 64; }
LAB ushort lab_clz(ushort a) { return lab_clz((uint)a) - 16; }
LAB uchar lab_clz(uchar a) { return lab_clz((uint)a) - 24; }
LAB uint lab_ctz(uint a) { return a ? __builtin_ctz(a) : 32; }
LAB int lab_ctz(int a) { return a ? __builtin_ctz(a) : 32; }
LAB ulong lab_ctz(ulong a) { return a ? __builtin_ctzl(a) : 64; }
#define clz(a) lab_clz(a)
#define ctz(a) lab_ctz(a)

#define LAB_ROTATE(T, U) \
    LAB T lab_rotate(T a, T n) { \
        U bits = (U)(8 * sizeof(T)), by = (U)n & (bits - 1), x = (U)a; \
        return (T)((U)(x << by) | (U)(x >> ((bits - by) & (bits - 1)))); \
    } \
    LAB T lab_abs_diff_raw(T a, T b) { return a > b ? a - b : b - a; } \
    LAB U lab_abs_diff(T a, T b) { return a > b ? (U)a - (U)b : (U)b - (U)a; } \
    LAB U lab_abs(T a) { return a < 0 ? (U)0 - (U)a : (U)a; } \
    LAB T lab_add_sat(T a, T b) { return __builtin_elementwise_add_sat(a, b); } \
    LAB T lab_sub_sat(T a, T b) { return __builtin_elementwise_sub_sat(a, b); } \
    LAB T lab_hadd(T a, T b) { return (a & b) + ((a ^ b) >> 1); } \
    LAB T lab_rhadd(T a, T b) { return (a | b) - ((a ^ b) >> 1); }
LAB_SCALAR_INTEGERS(LAB_ROTATE)
#define rotate(a, n) lab_rotate(a, n)
#define abs_diff(a, b) lab_abs_diff(a, b)
#define abs(a) lab_abs(a)
#define add_sat(a, b) lab_add_sat(a, b)
#define sub_sat(a, b) lab_sub_sat(a, b)
#define hadd(a, b) lab_hadd(a, b)
#define rhadd(a, b) lab_rhadd(a, b)

LAB int lab_mul_hi(int a, int b) { return (int)(((long)a * b) >> 32); }
LAB uint lab_mul_hi(uint a, uint b) { return (uint)(((ulong)a * b) >> 32); }
LAB ulong lab_mul_hi(ulong a, ulong b) {
    ulong al = (uint)a, ah = a >> 32, bl = (uint)b, bh = b >> 32;
    ulong low = al * bl, mid = ah * bl + (low >> 32), mid2 = al * bh + (uint)mid;
    return ah * bh + (mid >> 32) + (mid2 >> 32);
}
LAB long lab_mul_hi(long a, long b) {
    return (long)(lab_mul_hi((ulong)a, (ulong)b) - (a < 0 ? (ulong)b : 0) - (b < 0 ? (ulong)a : 0));
}
LAB short lab_mul_hi(short a, short b) { return (short)(((int)a * b) >> 16); }
LAB ushort lab_mul_hi(ushort a, ushort b) { return (ushort)(((uint)a * b) >> 16); }
#define mul_hi(a, b) lab_mul_hi(a, b)
#define mad_hi(a, b, c) (lab_mul_hi(a, b) + (c))
// Operands beyond 24 bits are the caller's mistake in OpenCL; here they are cut, so that all agree.
LAB int lab_mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
LAB uint lab_mul24(uint a, uint b) { return (a & 0xffffff) * (b & 0xffffff); }
#define mul24(a, b) lab_mul24(a, b)
#define mad24(a, b, c) (lab_mul24(a, b) + (c))
LAB long lab_upsample(int a, uint b) { return (long)((ulong)(uint)a << 32 | b); }
LAB ulong lab_upsample(uint a, uint b) { return (ulong)a << 32 | b; }
LAB uint lab_upsample(ushort a, ushort b) { return (uint)a << 16 | b; }
LAB ushort lab_upsample(uchar a, uchar b) { return (ushort)((ushort)a << 8 | b); }
#define upsample(a, b) lab_upsample(a, b)

#define LAB_SELECT(T, U) \
    LAB T lab_bitselect(T a, T b, T c) { \
        U m = __builtin_astype(c, U); \
        return __builtin_astype((U)((__builtin_astype(a, U) & ~m) | (__builtin_astype(b, U) & m)), T); \
    }
LAB_SCALAR_INTEGERS(LAB_SELECT)
LAB_SELECT(float, uint)
LAB_SELECT(double, ulong)
LAB_SELECT(uint2, uint2) LAB_SELECT(uint4, uint4) LAB_SELECT(int2, uint2) LAB_SELECT(int4, uint4)
#define bitselect(a, b, c) lab_bitselect(a, b, c)
#define LAB_SELECT_SCALAR(T, U) LAB T lab_select(T a, T b, U c) { return c ? b : a; }
LAB_SELECT_SCALAR(int, int) LAB_SELECT_SCALAR(uint, int) LAB_SELECT_SCALAR(int, uint) LAB_SELECT_SCALAR(uint, uint)
LAB_SELECT_SCALAR(float, int) LAB_SELECT_SCALAR(float, uint) LAB_SELECT_SCALAR(long, long)
LAB_SELECT_SCALAR(ulong, ulong) LAB_SELECT_SCALAR(double, long) LAB_SELECT_SCALAR(ulong, long)
#define LAB_SELECT_VECTOR(T, M) LAB T lab_select(T a, T b, M c) { return c < 0 ? b : a; }
LAB_SELECT_VECTOR(int2, int2) LAB_SELECT_VECTOR(int4, int4) LAB_SELECT_VECTOR(uint2, int2)
LAB_SELECT_VECTOR(uint4, int4) LAB_SELECT_VECTOR(float2, int2) LAB_SELECT_VECTOR(float4, int4)
#define select(a, b, c) lab_select(a, b, c)

// ---- Floats: what every compiler computes exactly.
#define LAB_EXACT(T, U) \
    LAB T lab_fabs(T a) { return __builtin_elementwise_abs(a); } \
    LAB T lab_floor(T a) { return __builtin_elementwise_floor(a); } \
    LAB T lab_ceil(T a) { return __builtin_elementwise_ceil(a); } \
    LAB T lab_trunc(T a) { return __builtin_elementwise_trunc(a); } \
    LAB T lab_rint(T a) { return __builtin_elementwise_roundeven(a); } \
    LAB T lab_fma(T a, T b, T c) { return __builtin_elementwise_fma(a, b, c); } \
    LAB T lab_copysign(T a, T b) { return __builtin_elementwise_copysign(a, b); }
LAB_FLOATS(LAB_EXACT)
#define fabs(a) lab_fabs(a)
#define floor(a) lab_floor(a)
#define ceil(a) lab_ceil(a)
#define trunc(a) lab_trunc(a)
#define rint(a) lab_rint(a)
#define fma(a, b, c) lab_fma(a, b, c)
#define mad(a, b, c) ((a) * (b) + (c))
#define copysign(a, b) lab_copysign(a, b)
#define fmin(a, b) lab_min(a, b)
#define fmax(a, b) lab_max(a, b)
#define mix(a, b, t) ((a) + ((b) - (a)) * (t))
#define step(edge, x) ((x) < (edge) ? 0.0f : 1.0f)
#define sign(x) ((x) > 0 ? 1.0f : (x) < 0 ? -1.0f : (x))
#define isnan(x) ((x) != (x))
#define isinf(x) (lab_fabs(x) == INFINITY)
#define isfinite(x) (lab_fabs(x) < INFINITY)
#define signbit(x) (__builtin_astype(x, int) < 0)
LAB float lab_sqrt(float a) { return __builtin_sqrtf(a); }
LAB double lab_sqrt(double a) { return __builtin_sqrt(a); }
#define sqrt(a) lab_sqrt(a)
#define native_sqrt(a) lab_sqrt(a)
#define rsqrt(a) (1.0f / lab_sqrt(a))
#define native_divide(a, b) ((a) / (b))
#define native_recip(a) (1.0f / (a))
#define LAB_DOT(T, N2, N3, N4) \
    LAB T lab_dot(N2 a, N2 b) { return a.x * b.x + a.y * b.y; } \
    LAB T lab_dot(N3 a, N3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
    LAB T lab_dot(N4 a, N4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
LAB_DOT(float, float2, float3, float4)
LAB_DOT(double, double2, double3, double4)
#define dot(a, b) lab_dot(a, b)
LAB float3 lab_cross(float3 a, float3 b) {
    return (float3)(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
#define cross(a, b) lab_cross(a, b)
#define length(a) lab_sqrt(lab_dot(a, a))

// ---- Vector loads and stores, in every address space.
#define LAB_VLOAD(S, T, N) \
    LAB T##N lab_vload##N(size_t i, S const T *p) { \
        T##N v; \
        for (int k = 0; k < N; ++k) { \
            v[k] = p[i * N + k]; \
        } \
        return v; \
    } \
    LAB void lab_vstore##N(T##N v, size_t i, S T *p) { \
        for (int k = 0; k < N; ++k) { \
            p[i * N + k] = v[k]; \
        } \
    }
#define LAB_VLOADS(S, T) LAB_VLOAD(S, T, 2) LAB_VLOAD(S, T, 3) LAB_VLOAD(S, T, 4) LAB_VLOAD(S, T, 8) LAB_VLOAD(S, T, 16)
#define LAB_VSPACE(S) LAB_VLOADS(S, char) LAB_VLOADS(S, uchar) LAB_VLOADS(S, short) LAB_VLOADS(S, ushort) \
    LAB_VLOADS(S, int) LAB_VLOADS(S, uint) LAB_VLOADS(S, long) LAB_VLOADS(S, ulong) LAB_VLOADS(S, float) \
    LAB_VLOADS(S, double) LAB_VLOADS(S, half)
LAB_VSPACE(global)
LAB_VSPACE(local)
LAB_VSPACE(private)
#define vload2(i, p) lab_vload2(i, p)
#define vload3(i, p) lab_vload3(i, p)
#define vload4(i, p) lab_vload4(i, p)
#define vload8(i, p) lab_vload8(i, p)
#define vload16(i, p) lab_vload16(i, p)
#define vstore2(v, i, p) lab_vstore2(v, i, p)
#define vstore3(v, i, p) lab_vstore3(v, i, p)
#define vstore4(v, i, p) lab_vstore4(v, i, p)
#define vstore8(v, i, p) lab_vstore8(v, i, p)
#define vstore16(v, i, p) lab_vstore16(v, i, p)
#define vload_half(i, p) ((float)(p)[i])
#define vstore_half(v, i, p) ((p)[i] = (half)(v))

// ---- Atomics. OpenCL 1.x names on plain pointers, relaxed, at device scope; they give the old value.
#define atomic_add(p, v) __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_sub(p, v) __scoped_atomic_fetch_sub(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_and(p, v) __scoped_atomic_fetch_and(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_or(p, v) __scoped_atomic_fetch_or(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_xor(p, v) __scoped_atomic_fetch_xor(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_min(p, v) __scoped_atomic_fetch_min(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_max(p, v) __scoped_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_xchg(p, v) __scoped_atomic_exchange_n(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_inc(p) __scoped_atomic_fetch_add(p, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_dec(p) __scoped_atomic_fetch_sub(p, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_cmpxchg(p, old, new) \
    ({ __typeof__(*(p) + 0) lab_old = (old); \
       __scoped_atomic_compare_exchange_n(p, &lab_old, new, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, \
                                          __MEMORY_SCOPE_DEVICE); \
       lab_old; })
#define atom_add atomic_add
#define atom_sub atomic_sub
#define atom_and atomic_and
#define atom_or atomic_or
#define atom_xor atomic_xor
#define atom_min atomic_min
#define atom_max atomic_max
#define atom_xchg atomic_xchg
#define atom_inc atomic_inc
#define atom_dec atomic_dec
#define atom_cmpxchg atomic_cmpxchg

// ---- Conversions between scalars; to other roundings and saturations a source writes its own.
#define convert_char(x) ((char)(x))
#define convert_uchar(x) ((uchar)(x))
#define convert_short(x) ((short)(x))
#define convert_ushort(x) ((ushort)(x))
#define convert_int(x) ((int)(x))
#define convert_uint(x) ((uint)(x))
#define convert_long(x) ((long)(x))
#define convert_ulong(x) ((ulong)(x))
#define convert_float(x) ((float)(x))
#define convert_double(x) ((double)(x))
#define convert_int2(x) __builtin_convertvector(x, int2)
#define convert_uint2(x) __builtin_convertvector(x, uint2)
#define convert_float2(x) __builtin_convertvector(x, float2)
#define convert_int4(x) __builtin_convertvector(x, int4)
#define convert_uint4(x) __builtin_convertvector(x, uint4)
#define convert_float4(x) __builtin_convertvector(x, float4)
#define convert_short4(x) __builtin_convertvector(x, short4)
#define convert_ushort4(x) __builtin_convertvector(x, ushort4)
#define convert_char4(x) __builtin_convertvector(x, char4)
#define convert_uchar4(x) __builtin_convertvector(x, uchar4)
#define convert_long2(x) __builtin_convertvector(x, long2)
#define convert_double2(x) __builtin_convertvector(x, double2)
#endif
