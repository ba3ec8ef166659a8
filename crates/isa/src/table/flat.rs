//! Rows of the table: FLAT, GLOBAL and SCRATCH. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! flat_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // FLAT
            FLAT_LOAD_UBYTE [Flat 0x08 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::U8)), LOAD;
            FLAT_LOAD_SBYTE [Flat 0x09 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::I8)), LOAD;
            FLAT_LOAD_USHORT [Flat 0x0a ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::U16)), LOAD;
            FLAT_LOAD_SSHORT [Flat 0x0b ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::I16)), LOAD;
            FLAT_LOAD_DWORD [Flat 0x0c ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(1))), LOAD;
            FLAT_LOAD_DWORDX2 [Flat 0x0d ALL] (vdst(B64), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(2))), LOAD;
            FLAT_LOAD_DWORDX4 [Flat 0x0e ALL] (vdst(B128), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(4))), LOAD;
            FLAT_LOAD_DWORDX3 [Flat 0x0f ALL] (vdst(B96), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(3))), LOAD;
            FLAT_STORE_BYTE [Flat 0x18 ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::U8)), STORE;
            FLAT_STORE_BYTE_D16_HI [Flat 0x19 ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::D16U8 { hi: true })), STORE;
            FLAT_STORE_SHORT [Flat 0x1a ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::U16)), STORE;
            FLAT_STORE_SHORT_D16_HI [Flat 0x1b ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::D16B16 { hi: true })), STORE;
            FLAT_STORE_DWORD [Flat 0x1c ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::Dwords(1))), STORE;
            FLAT_STORE_DWORDX2 [Flat 0x1d ALL] (flat_addr(), flat_data(B64), saddr())
                flat(Flat::Store(MemData::Dwords(2))), STORE;
            FLAT_STORE_DWORDX4 [Flat 0x1e ALL] (flat_addr(), flat_data(B128), saddr())
                flat(Flat::Store(MemData::Dwords(4))), STORE;
            FLAT_STORE_DWORDX3 [Flat 0x1f ALL] (flat_addr(), flat_data(B96), saddr())
                flat(Flat::Store(MemData::Dwords(3))), STORE;
            FLAT_LOAD_UBYTE_D16 [Flat 0x20 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16U8 { hi: false })), LOAD | KEEPS_DST;
            FLAT_LOAD_UBYTE_D16_HI [Flat 0x21 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16U8 { hi: true })), LOAD | KEEPS_DST;
            FLAT_LOAD_SBYTE_D16 [Flat 0x22 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16I8 { hi: false })), LOAD | KEEPS_DST;
            FLAT_LOAD_SBYTE_D16_HI [Flat 0x23 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16I8 { hi: true })), LOAD | KEEPS_DST;
            FLAT_LOAD_SHORT_D16 [Flat 0x24 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16B16 { hi: false })), LOAD | KEEPS_DST;
            FLAT_LOAD_SHORT_D16_HI [Flat 0x25 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16B16 { hi: true })), LOAD | KEEPS_DST;
            FLAT_ATOMIC_SWAP [Flat 0x30 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Swap, W32)), ATOMIC;
            FLAT_ATOMIC_CMPSWAP [Flat 0x31 ALL] (vdst_glc(B32), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::CmpSwap, W32)), ATOMIC;
            FLAT_ATOMIC_ADD [Flat 0x32 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Add, W32)), ATOMIC;
            FLAT_ATOMIC_SUB [Flat 0x33 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Sub, W32)), ATOMIC;
            FLAT_ATOMIC_SMIN [Flat 0x35 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::SMin, W32)), ATOMIC;
            FLAT_ATOMIC_UMIN [Flat 0x36 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::UMin, W32)), ATOMIC;
            FLAT_ATOMIC_SMAX [Flat 0x37 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::SMax, W32)), ATOMIC;
            FLAT_ATOMIC_UMAX [Flat 0x38 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::UMax, W32)), ATOMIC;
            FLAT_ATOMIC_AND [Flat 0x39 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::And, W32)), ATOMIC;
            FLAT_ATOMIC_OR [Flat 0x3a ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Or, W32)), ATOMIC;
            FLAT_ATOMIC_XOR [Flat 0x3b ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Xor, W32)), ATOMIC;
            FLAT_ATOMIC_INC [Flat 0x3c ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Inc, W32)), ATOMIC;
            FLAT_ATOMIC_DEC [Flat 0x3d ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Dec, W32)), ATOMIC;
            FLAT_ATOMIC_FCMPSWAP [Flat 0x3e ALL] (vdst_glc(B32), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::FCmpSwap, W32)), ATOMIC;
            FLAT_ATOMIC_FMIN [Flat 0x3f ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::FMin, W32)), ATOMIC;
            FLAT_ATOMIC_FMAX [Flat 0x40 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::FMax, W32)), ATOMIC;
            FLAT_ATOMIC_SWAP_X2 [Flat 0x50 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Swap, W64)), ATOMIC;
            FLAT_ATOMIC_CMPSWAP_X2 [Flat 0x51 ALL] (vdst_glc(B64), flat_addr(), flat_data(B128), saddr())
                flat(Flat::Atomic(AtomicOp::CmpSwap, W64)), ATOMIC;
            FLAT_ATOMIC_ADD_X2 [Flat 0x52 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Add, W64)), ATOMIC;
            FLAT_ATOMIC_SUB_X2 [Flat 0x53 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Sub, W64)), ATOMIC;
            FLAT_ATOMIC_SMIN_X2 [Flat 0x55 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::SMin, W64)), ATOMIC;
            FLAT_ATOMIC_UMIN_X2 [Flat 0x56 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::UMin, W64)), ATOMIC;
            FLAT_ATOMIC_SMAX_X2 [Flat 0x57 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::SMax, W64)), ATOMIC;
            FLAT_ATOMIC_UMAX_X2 [Flat 0x58 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::UMax, W64)), ATOMIC;
            FLAT_ATOMIC_AND_X2 [Flat 0x59 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::And, W64)), ATOMIC;
            FLAT_ATOMIC_OR_X2 [Flat 0x5a ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Or, W64)), ATOMIC;
            FLAT_ATOMIC_XOR_X2 [Flat 0x5b ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Xor, W64)), ATOMIC;
            FLAT_ATOMIC_INC_X2 [Flat 0x5c ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Inc, W64)), ATOMIC;
            FLAT_ATOMIC_DEC_X2 [Flat 0x5d ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Dec, W64)), ATOMIC;
            FLAT_ATOMIC_FCMPSWAP_X2 [Flat 0x5e ALL] (vdst_glc(B64), flat_addr(), flat_data(B128), saddr())
                flat(Flat::Atomic(AtomicOp::FCmpSwap, W64)), ATOMIC;
            FLAT_ATOMIC_FMIN_X2 [Flat 0x5f ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::FMin, W64)), ATOMIC;
            FLAT_ATOMIC_FMAX_X2 [Flat 0x60 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::FMax, W64)), ATOMIC;

            // GLOBAL
            GLOBAL_LOAD_UBYTE [Global 0x08 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::U8)), LOAD | LDS_LOAD;
            GLOBAL_LOAD_SBYTE [Global 0x09 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::I8)), LOAD | LDS_LOAD;
            GLOBAL_LOAD_USHORT [Global 0x0a ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::U16)), LOAD | LDS_LOAD;
            GLOBAL_LOAD_SSHORT [Global 0x0b ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::I16)), LOAD | LDS_LOAD;
            GLOBAL_LOAD_DWORD [Global 0x0c ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(1))), LOAD | LDS_LOAD;
            GLOBAL_LOAD_DWORDX2 [Global 0x0d ALL] (vdst(B64), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(2))), LOAD;
            GLOBAL_LOAD_DWORDX4 [Global 0x0e ALL] (vdst(B128), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(4))), LOAD;
            GLOBAL_LOAD_DWORDX3 [Global 0x0f ALL] (vdst(B96), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(3))), LOAD;
            GLOBAL_LOAD_DWORD_ADDTID [Global 0x16 GFX1030] (vdst(B32), saddr())
                flat(Flat::LoadAddTid), LOAD;
            GLOBAL_STORE_DWORD_ADDTID [Global 0x17 GFX1030] (flat_data(B32), saddr())
                flat(Flat::StoreAddTid), STORE;
            GLOBAL_STORE_BYTE [Global 0x18 ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::U8)), STORE;
            GLOBAL_STORE_BYTE_D16_HI [Global 0x19 ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::D16U8 { hi: true })), STORE;
            GLOBAL_STORE_SHORT [Global 0x1a ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::U16)), STORE;
            GLOBAL_STORE_SHORT_D16_HI [Global 0x1b ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::D16B16 { hi: true })), STORE;
            GLOBAL_STORE_DWORD [Global 0x1c ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::Dwords(1))), STORE;
            GLOBAL_STORE_DWORDX2 [Global 0x1d ALL] (flat_addr(), flat_data(B64), saddr())
                flat(Flat::Store(MemData::Dwords(2))), STORE;
            GLOBAL_STORE_DWORDX4 [Global 0x1e ALL] (flat_addr(), flat_data(B128), saddr())
                flat(Flat::Store(MemData::Dwords(4))), STORE;
            GLOBAL_STORE_DWORDX3 [Global 0x1f ALL] (flat_addr(), flat_data(B96), saddr())
                flat(Flat::Store(MemData::Dwords(3))), STORE;
            GLOBAL_LOAD_UBYTE_D16 [Global 0x20 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16U8 { hi: false })), LOAD | KEEPS_DST;
            GLOBAL_LOAD_UBYTE_D16_HI [Global 0x21 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16U8 { hi: true })), LOAD | KEEPS_DST;
            GLOBAL_LOAD_SBYTE_D16 [Global 0x22 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16I8 { hi: false })), LOAD | KEEPS_DST;
            GLOBAL_LOAD_SBYTE_D16_HI [Global 0x23 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16I8 { hi: true })), LOAD | KEEPS_DST;
            GLOBAL_LOAD_SHORT_D16 [Global 0x24 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16B16 { hi: false })), LOAD | KEEPS_DST;
            GLOBAL_LOAD_SHORT_D16_HI [Global 0x25 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16B16 { hi: true })), LOAD | KEEPS_DST;
            GLOBAL_ATOMIC_SWAP [Global 0x30 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Swap, W32)), ATOMIC;
            GLOBAL_ATOMIC_CMPSWAP [Global 0x31 ALL] (vdst_glc(B32), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::CmpSwap, W32)), ATOMIC;
            GLOBAL_ATOMIC_ADD [Global 0x32 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Add, W32)), ATOMIC;
            GLOBAL_ATOMIC_SUB [Global 0x33 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Sub, W32)), ATOMIC;
            GLOBAL_ATOMIC_SMIN [Global 0x35 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::SMin, W32)), ATOMIC;
            GLOBAL_ATOMIC_UMIN [Global 0x36 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::UMin, W32)), ATOMIC;
            GLOBAL_ATOMIC_SMAX [Global 0x37 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::SMax, W32)), ATOMIC;
            GLOBAL_ATOMIC_UMAX [Global 0x38 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::UMax, W32)), ATOMIC;
            GLOBAL_ATOMIC_AND [Global 0x39 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::And, W32)), ATOMIC;
            GLOBAL_ATOMIC_OR [Global 0x3a ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Or, W32)), ATOMIC;
            GLOBAL_ATOMIC_XOR [Global 0x3b ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Xor, W32)), ATOMIC;
            GLOBAL_ATOMIC_INC [Global 0x3c ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Inc, W32)), ATOMIC;
            GLOBAL_ATOMIC_DEC [Global 0x3d ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::Dec, W32)), ATOMIC;
            GLOBAL_ATOMIC_FCMPSWAP [Global 0x3e ALL] (vdst_glc(B32), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::FCmpSwap, W32)), ATOMIC;
            GLOBAL_ATOMIC_FMIN [Global 0x3f ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::FMin, W32)), ATOMIC;
            GLOBAL_ATOMIC_FMAX [Global 0x40 ALL] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::FMax, W32)), ATOMIC;
            GLOBAL_ATOMIC_CSUB [Global 0x34 GFX1030] (vdst_glc(B32), flat_addr(), flat_data(B32), saddr())
                flat(Flat::Atomic(AtomicOp::CSub, W32)), ATOMIC;
            GLOBAL_ATOMIC_SWAP_X2 [Global 0x50 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Swap, W64)), ATOMIC;
            GLOBAL_ATOMIC_CMPSWAP_X2 [Global 0x51 ALL] (vdst_glc(B64), flat_addr(), flat_data(B128), saddr())
                flat(Flat::Atomic(AtomicOp::CmpSwap, W64)), ATOMIC;
            GLOBAL_ATOMIC_ADD_X2 [Global 0x52 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Add, W64)), ATOMIC;
            GLOBAL_ATOMIC_SUB_X2 [Global 0x53 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Sub, W64)), ATOMIC;
            GLOBAL_ATOMIC_SMIN_X2 [Global 0x55 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::SMin, W64)), ATOMIC;
            GLOBAL_ATOMIC_UMIN_X2 [Global 0x56 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::UMin, W64)), ATOMIC;
            GLOBAL_ATOMIC_SMAX_X2 [Global 0x57 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::SMax, W64)), ATOMIC;
            GLOBAL_ATOMIC_UMAX_X2 [Global 0x58 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::UMax, W64)), ATOMIC;
            GLOBAL_ATOMIC_AND_X2 [Global 0x59 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::And, W64)), ATOMIC;
            GLOBAL_ATOMIC_OR_X2 [Global 0x5a ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Or, W64)), ATOMIC;
            GLOBAL_ATOMIC_XOR_X2 [Global 0x5b ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Xor, W64)), ATOMIC;
            GLOBAL_ATOMIC_INC_X2 [Global 0x5c ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Inc, W64)), ATOMIC;
            GLOBAL_ATOMIC_DEC_X2 [Global 0x5d ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::Dec, W64)), ATOMIC;
            GLOBAL_ATOMIC_FCMPSWAP_X2 [Global 0x5e ALL] (vdst_glc(B64), flat_addr(), flat_data(B128), saddr())
                flat(Flat::Atomic(AtomicOp::FCmpSwap, W64)), ATOMIC;
            GLOBAL_ATOMIC_FMIN_X2 [Global 0x5f ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::FMin, W64)), ATOMIC;
            GLOBAL_ATOMIC_FMAX_X2 [Global 0x60 ALL] (vdst_glc(B64), flat_addr(), flat_data(B64), saddr())
                flat(Flat::Atomic(AtomicOp::FMax, W64)), ATOMIC;

            // SCRATCH
            SCRATCH_LOAD_UBYTE [Scratch 0x08 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::U8)), LOAD | LDS_LOAD;
            SCRATCH_LOAD_SBYTE [Scratch 0x09 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::I8)), LOAD | LDS_LOAD;
            SCRATCH_LOAD_USHORT [Scratch 0x0a ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::U16)), LOAD | LDS_LOAD;
            SCRATCH_LOAD_SSHORT [Scratch 0x0b ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::I16)), LOAD | LDS_LOAD;
            SCRATCH_LOAD_DWORD [Scratch 0x0c ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(1))), LOAD | LDS_LOAD;
            SCRATCH_LOAD_DWORDX2 [Scratch 0x0d ALL] (vdst(B64), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(2))), LOAD;
            SCRATCH_LOAD_DWORDX4 [Scratch 0x0e ALL] (vdst(B128), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(4))), LOAD;
            SCRATCH_LOAD_DWORDX3 [Scratch 0x0f ALL] (vdst(B96), flat_addr(), saddr())
                flat(Flat::Load(MemData::Dwords(3))), LOAD;
            SCRATCH_STORE_BYTE [Scratch 0x18 ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::U8)), STORE;
            SCRATCH_STORE_BYTE_D16_HI [Scratch 0x19 ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::D16U8 { hi: true })), STORE;
            SCRATCH_STORE_SHORT [Scratch 0x1a ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::U16)), STORE;
            SCRATCH_STORE_SHORT_D16_HI [Scratch 0x1b ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::D16B16 { hi: true })), STORE;
            SCRATCH_STORE_DWORD [Scratch 0x1c ALL] (flat_addr(), flat_data(B32), saddr())
                flat(Flat::Store(MemData::Dwords(1))), STORE;
            SCRATCH_STORE_DWORDX2 [Scratch 0x1d ALL] (flat_addr(), flat_data(B64), saddr())
                flat(Flat::Store(MemData::Dwords(2))), STORE;
            SCRATCH_STORE_DWORDX4 [Scratch 0x1e ALL] (flat_addr(), flat_data(B128), saddr())
                flat(Flat::Store(MemData::Dwords(4))), STORE;
            SCRATCH_STORE_DWORDX3 [Scratch 0x1f ALL] (flat_addr(), flat_data(B96), saddr())
                flat(Flat::Store(MemData::Dwords(3))), STORE;
            SCRATCH_LOAD_UBYTE_D16 [Scratch 0x20 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16U8 { hi: false })), LOAD | KEEPS_DST;
            SCRATCH_LOAD_UBYTE_D16_HI [Scratch 0x21 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16U8 { hi: true })), LOAD | KEEPS_DST;
            SCRATCH_LOAD_SBYTE_D16 [Scratch 0x22 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16I8 { hi: false })), LOAD | KEEPS_DST;
            SCRATCH_LOAD_SBYTE_D16_HI [Scratch 0x23 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16I8 { hi: true })), LOAD | KEEPS_DST;
            SCRATCH_LOAD_SHORT_D16 [Scratch 0x24 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16B16 { hi: false })), LOAD | KEEPS_DST;
            SCRATCH_LOAD_SHORT_D16_HI [Scratch 0x25 ALL] (vdst(B32), flat_addr(), saddr())
                flat(Flat::Load(MemData::D16B16 { hi: true })), LOAD | KEEPS_DST;
        } }
    };
}
pub(super) use flat_rows;
