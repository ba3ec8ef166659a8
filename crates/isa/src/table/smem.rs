//! Rows of the table: SMEM. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! smem_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // SMEM
            S_LOAD_DWORD [Smem 0x00 ALL] (sdata(B32), sbase(B64), smem_offset())
                smem(Smem::Load(1)), LOAD;
            S_LOAD_DWORDX2 [Smem 0x01 ALL] (sdata(B64), sbase(B64), smem_offset())
                smem(Smem::Load(2)), LOAD;
            S_LOAD_DWORDX4 [Smem 0x02 ALL] (sdata(B128), sbase(B64), smem_offset())
                smem(Smem::Load(4)), LOAD;
            S_LOAD_DWORDX8 [Smem 0x03 ALL] (sdata(B256), sbase(B64), smem_offset())
                smem(Smem::Load(8)), LOAD;
            S_LOAD_DWORDX16 [Smem 0x04 ALL] (sdata(B512), sbase(B64), smem_offset())
                smem(Smem::Load(16)), LOAD;
            S_SCRATCH_LOAD_DWORD [Smem 0x05 RDNA1] (sdata(B32), sbase(B64), smem_offset())
                smem(Smem::ScratchLoad(1)), LOAD;
            S_SCRATCH_LOAD_DWORDX2 [Smem 0x06 RDNA1] (sdata(B64), sbase(B64), smem_offset())
                smem(Smem::ScratchLoad(2)), LOAD;
            S_SCRATCH_LOAD_DWORDX4 [Smem 0x07 RDNA1] (sdata(B128), sbase(B64), smem_offset())
                smem(Smem::ScratchLoad(4)), LOAD;
            S_BUFFER_LOAD_DWORD [Smem 0x08 ALL] (sdata(B32), sbase(B128), smem_offset())
                smem(Smem::BufferLoad(1)), LOAD;
            S_BUFFER_LOAD_DWORDX2 [Smem 0x09 ALL] (sdata(B64), sbase(B128), smem_offset())
                smem(Smem::BufferLoad(2)), LOAD;
            S_BUFFER_LOAD_DWORDX4 [Smem 0x0a ALL] (sdata(B128), sbase(B128), smem_offset())
                smem(Smem::BufferLoad(4)), LOAD;
            S_BUFFER_LOAD_DWORDX8 [Smem 0x0b ALL] (sdata(B256), sbase(B128), smem_offset())
                smem(Smem::BufferLoad(8)), LOAD;
            S_BUFFER_LOAD_DWORDX16 [Smem 0x0c ALL] (sdata(B512), sbase(B128), smem_offset())
                smem(Smem::BufferLoad(16)), LOAD;
            S_STORE_DWORD [Smem 0x10 RDNA1] (sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Store(1)), STORE;
            S_STORE_DWORDX2 [Smem 0x11 RDNA1] (sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Store(2)), STORE;
            S_STORE_DWORDX4 [Smem 0x12 RDNA1] (sdata_in(B128), sbase(B64), smem_offset())
                smem(Smem::Store(4)), STORE;
            S_SCRATCH_STORE_DWORD [Smem 0x15 RDNA1] (sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::ScratchStore(1)), STORE;
            S_SCRATCH_STORE_DWORDX2 [Smem 0x16 RDNA1] (sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::ScratchStore(2)), STORE;
            S_SCRATCH_STORE_DWORDX4 [Smem 0x17 RDNA1] (sdata_in(B128), sbase(B64), smem_offset())
                smem(Smem::ScratchStore(4)), STORE;
            S_BUFFER_STORE_DWORD [Smem 0x18 RDNA1] (sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferStore(1)), STORE;
            S_BUFFER_STORE_DWORDX2 [Smem 0x19 RDNA1] (sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferStore(2)), STORE;
            S_BUFFER_STORE_DWORDX4 [Smem 0x1a RDNA1] (sdata_in(B128), sbase(B128), smem_offset())
                smem(Smem::BufferStore(4)), STORE;
            S_GL1_INV [Smem 0x1f ALL] () smem(Smem::Cache), NONE;
            S_DCACHE_INV [Smem 0x20 ALL] () smem(Smem::Cache), NONE;
            S_DCACHE_WB [Smem 0x21 RDNA1] () smem(Smem::Cache), NONE;
            S_MEMTIME [Smem 0x24 ALL] (sdata(B64)) smem(Smem::MemTime), NONE;
            S_MEMREALTIME [Smem 0x25 ALL] (sdata(B64)) smem(Smem::MemRealtime), NONE;
            S_ATC_PROBE [Smem 0x26 ALL] (probe_imm(), sbase(B64), smem_offset())
                smem(Smem::AtcProbe), NONE;
            S_ATC_PROBE_BUFFER [Smem 0x27 ALL] (probe_imm(), sbase(B128), smem_offset())
                smem(Smem::AtcProbe), NONE;
            S_DCACHE_DISCARD [Smem 0x28 RDNA1] (sbase(B64), smem_offset())
                smem(Smem::Discard), NONE;
            S_DCACHE_DISCARD_X2 [Smem 0x29 RDNA1] (sbase(B64), smem_offset())
                smem(Smem::Discard), NONE;
            S_GET_WAVEID_IN_WORKGROUP [Smem 0x2a RDNA1] (sdata(B32))
                smem(Smem::WaveIdInGroup), NONE;
            S_BUFFER_ATOMIC_SWAP [Smem 0x40 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Swap, W32)), ATOMIC;
            S_BUFFER_ATOMIC_CMPSWAP [Smem 0x41 RDNA1] (sdata_glc(B32), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::CmpSwap, W32)), ATOMIC;
            S_BUFFER_ATOMIC_ADD [Smem 0x42 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Add, W32)), ATOMIC;
            S_BUFFER_ATOMIC_SUB [Smem 0x43 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Sub, W32)), ATOMIC;
            S_BUFFER_ATOMIC_SMIN [Smem 0x44 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::SMin, W32)), ATOMIC;
            S_BUFFER_ATOMIC_UMIN [Smem 0x45 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::UMin, W32)), ATOMIC;
            S_BUFFER_ATOMIC_SMAX [Smem 0x46 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::SMax, W32)), ATOMIC;
            S_BUFFER_ATOMIC_UMAX [Smem 0x47 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::UMax, W32)), ATOMIC;
            S_BUFFER_ATOMIC_AND [Smem 0x48 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::And, W32)), ATOMIC;
            S_BUFFER_ATOMIC_OR [Smem 0x49 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Or, W32)), ATOMIC;
            S_BUFFER_ATOMIC_XOR [Smem 0x4a RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Xor, W32)), ATOMIC;
            S_BUFFER_ATOMIC_INC [Smem 0x4b RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Inc, W32)), ATOMIC;
            S_BUFFER_ATOMIC_DEC [Smem 0x4c RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Dec, W32)), ATOMIC;
            S_BUFFER_ATOMIC_SWAP_X2 [Smem 0x60 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Swap, W64)), ATOMIC;
            S_BUFFER_ATOMIC_CMPSWAP_X2 [Smem 0x61 RDNA1] (sdata_glc(B64), sdata_in(B128), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::CmpSwap, W64)), ATOMIC;
            S_BUFFER_ATOMIC_ADD_X2 [Smem 0x62 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Add, W64)), ATOMIC;
            S_BUFFER_ATOMIC_SUB_X2 [Smem 0x63 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Sub, W64)), ATOMIC;
            S_BUFFER_ATOMIC_SMIN_X2 [Smem 0x64 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::SMin, W64)), ATOMIC;
            S_BUFFER_ATOMIC_UMIN_X2 [Smem 0x65 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::UMin, W64)), ATOMIC;
            S_BUFFER_ATOMIC_SMAX_X2 [Smem 0x66 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::SMax, W64)), ATOMIC;
            S_BUFFER_ATOMIC_UMAX_X2 [Smem 0x67 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::UMax, W64)), ATOMIC;
            S_BUFFER_ATOMIC_AND_X2 [Smem 0x68 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::And, W64)), ATOMIC;
            S_BUFFER_ATOMIC_OR_X2 [Smem 0x69 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Or, W64)), ATOMIC;
            S_BUFFER_ATOMIC_XOR_X2 [Smem 0x6a RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Xor, W64)), ATOMIC;
            S_BUFFER_ATOMIC_INC_X2 [Smem 0x6b RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Inc, W64)), ATOMIC;
            S_BUFFER_ATOMIC_DEC_X2 [Smem 0x6c RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B128), smem_offset())
                smem(Smem::BufferAtomic(AtomicOp::Dec, W64)), ATOMIC;
            S_ATOMIC_SWAP [Smem 0x80 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Swap, W32)), ATOMIC;
            S_ATOMIC_CMPSWAP [Smem 0x81 RDNA1] (sdata_glc(B32), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::CmpSwap, W32)), ATOMIC;
            S_ATOMIC_ADD [Smem 0x82 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Add, W32)), ATOMIC;
            S_ATOMIC_SUB [Smem 0x83 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Sub, W32)), ATOMIC;
            S_ATOMIC_SMIN [Smem 0x84 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::SMin, W32)), ATOMIC;
            S_ATOMIC_UMIN [Smem 0x85 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::UMin, W32)), ATOMIC;
            S_ATOMIC_SMAX [Smem 0x86 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::SMax, W32)), ATOMIC;
            S_ATOMIC_UMAX [Smem 0x87 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::UMax, W32)), ATOMIC;
            S_ATOMIC_AND [Smem 0x88 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::And, W32)), ATOMIC;
            S_ATOMIC_OR [Smem 0x89 RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Or, W32)), ATOMIC;
            S_ATOMIC_XOR [Smem 0x8a RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Xor, W32)), ATOMIC;
            S_ATOMIC_INC [Smem 0x8b RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Inc, W32)), ATOMIC;
            S_ATOMIC_DEC [Smem 0x8c RDNA1] (sdata_glc(B32), sdata_in(B32), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Dec, W32)), ATOMIC;
            S_ATOMIC_SWAP_X2 [Smem 0xa0 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Swap, W64)), ATOMIC;
            S_ATOMIC_CMPSWAP_X2 [Smem 0xa1 RDNA1] (sdata_glc(B64), sdata_in(B128), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::CmpSwap, W64)), ATOMIC;
            S_ATOMIC_ADD_X2 [Smem 0xa2 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Add, W64)), ATOMIC;
            S_ATOMIC_SUB_X2 [Smem 0xa3 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Sub, W64)), ATOMIC;
            S_ATOMIC_SMIN_X2 [Smem 0xa4 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::SMin, W64)), ATOMIC;
            S_ATOMIC_UMIN_X2 [Smem 0xa5 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::UMin, W64)), ATOMIC;
            S_ATOMIC_SMAX_X2 [Smem 0xa6 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::SMax, W64)), ATOMIC;
            S_ATOMIC_UMAX_X2 [Smem 0xa7 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::UMax, W64)), ATOMIC;
            S_ATOMIC_AND_X2 [Smem 0xa8 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::And, W64)), ATOMIC;
            S_ATOMIC_OR_X2 [Smem 0xa9 RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Or, W64)), ATOMIC;
            S_ATOMIC_XOR_X2 [Smem 0xaa RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Xor, W64)), ATOMIC;
            S_ATOMIC_INC_X2 [Smem 0xab RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Inc, W64)), ATOMIC;
            S_ATOMIC_DEC_X2 [Smem 0xac RDNA1] (sdata_glc(B64), sdata_in(B64), sbase(B64), smem_offset())
                smem(Smem::Atomic(AtomicOp::Dec, W64)), ATOMIC;
        } }
    };
}
pub(super) use smem_rows;
