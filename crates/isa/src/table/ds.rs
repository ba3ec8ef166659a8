//! Rows of the table: DS: LDS and GDS. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! ds_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // DS
            DS_ADD_U32 [Ds 0x00 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Add, width: W32, rtn: false }), ATOMIC;
            DS_SUB_U32 [Ds 0x01 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Sub, width: W32, rtn: false }), ATOMIC;
            DS_RSUB_U32 [Ds 0x02 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::RSub, width: W32, rtn: false }), ATOMIC;
            DS_INC_U32 [Ds 0x03 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Inc, width: W32, rtn: false }), ATOMIC;
            DS_DEC_U32 [Ds 0x04 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Dec, width: W32, rtn: false }), ATOMIC;
            DS_MIN_I32 [Ds 0x05 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::SMin, width: W32, rtn: false }), ATOMIC;
            DS_MAX_I32 [Ds 0x06 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::SMax, width: W32, rtn: false }), ATOMIC;
            DS_MIN_U32 [Ds 0x07 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::UMin, width: W32, rtn: false }), ATOMIC;
            DS_MAX_U32 [Ds 0x08 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::UMax, width: W32, rtn: false }), ATOMIC;
            DS_AND_B32 [Ds 0x09 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::And, width: W32, rtn: false }), ATOMIC;
            DS_OR_B32 [Ds 0x0a ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Or, width: W32, rtn: false }), ATOMIC;
            DS_XOR_B32 [Ds 0x0b ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Xor, width: W32, rtn: false }), ATOMIC;
            DS_MSKOR_B32 [Ds 0x0c ALL] (ds_addr(), data0(B32), data1(B32))
                ds(Ds::Atomic { op: AtomicOp::MskOr, width: W32, rtn: false }), ATOMIC;
            DS_WRITE_B32 [Ds 0x0d ALL] (ds_addr(), data0(B32))
                ds(Ds::Write(MemData::Dwords(1))), STORE;
            DS_WRITE2_B32 [Ds 0x0e ALL] (ds_addr(), data0(B32), data1(B32))
                ds(Ds::Write2(W32, false)), STORE | DS2;
            DS_WRITE2ST64_B32 [Ds 0x0f ALL] (ds_addr(), data0(B32), data1(B32))
                ds(Ds::Write2(W32, true)), STORE | DS2;
            DS_CMPST_B32 [Ds 0x10 ALL] (ds_addr(), data0(B32), data1(B32))
                ds(Ds::Atomic { op: AtomicOp::CmpSwap, width: W32, rtn: false }), ATOMIC;
            DS_CMPST_F32 [Ds 0x11 ALL] (ds_addr(), data0(B32), data1(B32))
                ds(Ds::Atomic { op: AtomicOp::FCmpSwap, width: W32, rtn: false }), ATOMIC;
            DS_MIN_F32 [Ds 0x12 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::FMin, width: W32, rtn: false }), ATOMIC;
            DS_MAX_F32 [Ds 0x13 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::FMax, width: W32, rtn: false }), ATOMIC;
            DS_NOP [Ds 0x14 ALL] () ds(Ds::Nop), NONE;
            DS_ADD_F32 [Ds 0x15 ALL] (ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::FAdd, width: W32, rtn: false }), ATOMIC;
            DS_ADD_RTN_U32 [Ds 0x20 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Add, width: W32, rtn: true }), ATOMIC;
            DS_SUB_RTN_U32 [Ds 0x21 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Sub, width: W32, rtn: true }), ATOMIC;
            DS_RSUB_RTN_U32 [Ds 0x22 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::RSub, width: W32, rtn: true }), ATOMIC;
            DS_INC_RTN_U32 [Ds 0x23 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Inc, width: W32, rtn: true }), ATOMIC;
            DS_DEC_RTN_U32 [Ds 0x24 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Dec, width: W32, rtn: true }), ATOMIC;
            DS_MIN_RTN_I32 [Ds 0x25 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::SMin, width: W32, rtn: true }), ATOMIC;
            DS_MAX_RTN_I32 [Ds 0x26 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::SMax, width: W32, rtn: true }), ATOMIC;
            DS_MIN_RTN_U32 [Ds 0x27 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::UMin, width: W32, rtn: true }), ATOMIC;
            DS_MAX_RTN_U32 [Ds 0x28 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::UMax, width: W32, rtn: true }), ATOMIC;
            DS_AND_RTN_B32 [Ds 0x29 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::And, width: W32, rtn: true }), ATOMIC;
            DS_OR_RTN_B32 [Ds 0x2a ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Or, width: W32, rtn: true }), ATOMIC;
            DS_XOR_RTN_B32 [Ds 0x2b ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Xor, width: W32, rtn: true }), ATOMIC;
            DS_MSKOR_RTN_B32 [Ds 0x2c ALL] (vdst(B32), ds_addr(), data0(B32), data1(B32))
                ds(Ds::Atomic { op: AtomicOp::MskOr, width: W32, rtn: true }), ATOMIC;
            DS_WRXCHG_RTN_B32 [Ds 0x2d ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::Swap, width: W32, rtn: true }), ATOMIC;
            DS_WRXCHG2_RTN_B32 [Ds 0x2e ALL] (vdst(B64), ds_addr(), data0(B32), data1(B32))
                ds(Ds::WrXchg2(W32, false)), ATOMIC | DS2;
            DS_WRXCHG2ST64_RTN_B32 [Ds 0x2f ALL] (vdst(B64), ds_addr(), data0(B32), data1(B32))
                ds(Ds::WrXchg2(W32, true)), ATOMIC | DS2;
            DS_CMPST_RTN_B32 [Ds 0x30 ALL] (vdst(B32), ds_addr(), data0(B32), data1(B32))
                ds(Ds::Atomic { op: AtomicOp::CmpSwap, width: W32, rtn: true }), ATOMIC;
            DS_CMPST_RTN_F32 [Ds 0x31 ALL] (vdst(B32), ds_addr(), data0(B32), data1(B32))
                ds(Ds::Atomic { op: AtomicOp::FCmpSwap, width: W32, rtn: true }), ATOMIC;
            DS_MIN_RTN_F32 [Ds 0x32 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::FMin, width: W32, rtn: true }), ATOMIC;
            DS_MAX_RTN_F32 [Ds 0x33 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::FMax, width: W32, rtn: true }), ATOMIC;
            DS_WRAP_RTN_B32 [Ds 0x34 ALL] (vdst(B32), ds_addr(), data0(B32), data1(B32))
                ds(Ds::Atomic { op: AtomicOp::Wrap, width: W32, rtn: true }), ATOMIC;
            DS_ADD_RTN_F32 [Ds 0x55 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Atomic { op: AtomicOp::FAdd, width: W32, rtn: true }), ATOMIC;
            DS_READ_B32 [Ds 0x36 ALL] (vdst(B32), ds_addr())
                ds(Ds::Read(MemData::Dwords(1))), LOAD;
            DS_READ2_B32 [Ds 0x37 ALL] (vdst(B64), ds_addr())
                ds(Ds::Read2(W32, false)), LOAD | DS2;
            DS_READ2ST64_B32 [Ds 0x38 ALL] (vdst(B64), ds_addr())
                ds(Ds::Read2(W32, true)), LOAD | DS2;
            DS_ADD_U64 [Ds 0x40 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Add, width: W64, rtn: false }), ATOMIC;
            DS_SUB_U64 [Ds 0x41 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Sub, width: W64, rtn: false }), ATOMIC;
            DS_RSUB_U64 [Ds 0x42 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::RSub, width: W64, rtn: false }), ATOMIC;
            DS_INC_U64 [Ds 0x43 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Inc, width: W64, rtn: false }), ATOMIC;
            DS_DEC_U64 [Ds 0x44 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Dec, width: W64, rtn: false }), ATOMIC;
            DS_MIN_I64 [Ds 0x45 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::SMin, width: W64, rtn: false }), ATOMIC;
            DS_MAX_I64 [Ds 0x46 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::SMax, width: W64, rtn: false }), ATOMIC;
            DS_MIN_U64 [Ds 0x47 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::UMin, width: W64, rtn: false }), ATOMIC;
            DS_MAX_U64 [Ds 0x48 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::UMax, width: W64, rtn: false }), ATOMIC;
            DS_AND_B64 [Ds 0x49 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::And, width: W64, rtn: false }), ATOMIC;
            DS_OR_B64 [Ds 0x4a ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Or, width: W64, rtn: false }), ATOMIC;
            DS_XOR_B64 [Ds 0x4b ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Xor, width: W64, rtn: false }), ATOMIC;
            DS_MSKOR_B64 [Ds 0x4c ALL] (ds_addr(), data0(B64), data1(B64))
                ds(Ds::Atomic { op: AtomicOp::MskOr, width: W64, rtn: false }), ATOMIC;
            DS_WRITE_B64 [Ds 0x4d ALL] (ds_addr(), data0(B64))
                ds(Ds::Write(MemData::Dwords(2))), STORE;
            DS_WRITE2_B64 [Ds 0x4e ALL] (ds_addr(), data0(B64), data1(B64))
                ds(Ds::Write2(W64, false)), STORE | DS2;
            DS_WRITE2ST64_B64 [Ds 0x4f ALL] (ds_addr(), data0(B64), data1(B64))
                ds(Ds::Write2(W64, true)), STORE | DS2;
            DS_CMPST_B64 [Ds 0x50 ALL] (ds_addr(), data0(B64), data1(B64))
                ds(Ds::Atomic { op: AtomicOp::CmpSwap, width: W64, rtn: false }), ATOMIC;
            DS_CMPST_F64 [Ds 0x51 ALL] (ds_addr(), data0(B64), data1(B64))
                ds(Ds::Atomic { op: AtomicOp::FCmpSwap, width: W64, rtn: false }), ATOMIC;
            DS_MIN_F64 [Ds 0x52 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::FMin, width: W64, rtn: false }), ATOMIC;
            DS_MAX_F64 [Ds 0x53 ALL] (ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::FMax, width: W64, rtn: false }), ATOMIC;
            DS_ADD_RTN_U64 [Ds 0x60 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Add, width: W64, rtn: true }), ATOMIC;
            DS_SUB_RTN_U64 [Ds 0x61 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Sub, width: W64, rtn: true }), ATOMIC;
            DS_RSUB_RTN_U64 [Ds 0x62 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::RSub, width: W64, rtn: true }), ATOMIC;
            DS_INC_RTN_U64 [Ds 0x63 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Inc, width: W64, rtn: true }), ATOMIC;
            DS_DEC_RTN_U64 [Ds 0x64 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Dec, width: W64, rtn: true }), ATOMIC;
            DS_MIN_RTN_I64 [Ds 0x65 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::SMin, width: W64, rtn: true }), ATOMIC;
            DS_MAX_RTN_I64 [Ds 0x66 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::SMax, width: W64, rtn: true }), ATOMIC;
            DS_MIN_RTN_U64 [Ds 0x67 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::UMin, width: W64, rtn: true }), ATOMIC;
            DS_MAX_RTN_U64 [Ds 0x68 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::UMax, width: W64, rtn: true }), ATOMIC;
            DS_AND_RTN_B64 [Ds 0x69 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::And, width: W64, rtn: true }), ATOMIC;
            DS_OR_RTN_B64 [Ds 0x6a ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Or, width: W64, rtn: true }), ATOMIC;
            DS_XOR_RTN_B64 [Ds 0x6b ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Xor, width: W64, rtn: true }), ATOMIC;
            DS_MSKOR_RTN_B64 [Ds 0x6c ALL] (vdst(B64), ds_addr(), data0(B64), data1(B64))
                ds(Ds::Atomic { op: AtomicOp::MskOr, width: W64, rtn: true }), ATOMIC;
            DS_WRXCHG_RTN_B64 [Ds 0x6d ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::Swap, width: W64, rtn: true }), ATOMIC;
            DS_WRXCHG2_RTN_B64 [Ds 0x6e ALL] (vdst(B128), ds_addr(), data0(B64), data1(B64))
                ds(Ds::WrXchg2(W64, false)), ATOMIC | DS2;
            DS_WRXCHG2ST64_RTN_B64 [Ds 0x6f ALL] (vdst(B128), ds_addr(), data0(B64), data1(B64))
                ds(Ds::WrXchg2(W64, true)), ATOMIC | DS2;
            DS_CMPST_RTN_B64 [Ds 0x70 ALL] (vdst(B64), ds_addr(), data0(B64), data1(B64))
                ds(Ds::Atomic { op: AtomicOp::CmpSwap, width: W64, rtn: true }), ATOMIC;
            DS_CMPST_RTN_F64 [Ds 0x71 ALL] (vdst(B64), ds_addr(), data0(B64), data1(B64))
                ds(Ds::Atomic { op: AtomicOp::FCmpSwap, width: W64, rtn: true }), ATOMIC;
            DS_MIN_RTN_F64 [Ds 0x72 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::FMin, width: W64, rtn: true }), ATOMIC;
            DS_MAX_RTN_F64 [Ds 0x73 ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::Atomic { op: AtomicOp::FMax, width: W64, rtn: true }), ATOMIC;
            DS_READ_B64 [Ds 0x76 ALL] (vdst(B64), ds_addr())
                ds(Ds::Read(MemData::Dwords(2))), LOAD;
            DS_READ2_B64 [Ds 0x77 ALL] (vdst(B128), ds_addr())
                ds(Ds::Read2(W64, false)), LOAD | DS2;
            DS_READ2ST64_B64 [Ds 0x78 ALL] (vdst(B128), ds_addr())
                ds(Ds::Read2(W64, true)), LOAD | DS2;
            DS_GWS_SEMA_RELEASE_ALL [Ds 0x18 ALL] ()
                ds(Ds::Gws(Gws::SemaReleaseAll)), RD_M0 | GDS_ONLY;
            DS_GWS_INIT [Ds 0x19 ALL] (gws_data(B32)) ds(Ds::Gws(Gws::Init)), RD_M0 | GDS_ONLY;
            DS_GWS_SEMA_V [Ds 0x1a ALL] () ds(Ds::Gws(Gws::SemaV)), RD_M0 | GDS_ONLY;
            DS_GWS_SEMA_BR [Ds 0x1b ALL] (gws_data(B32))
                ds(Ds::Gws(Gws::SemaBr)), RD_M0 | GDS_ONLY;
            DS_GWS_SEMA_P [Ds 0x1c ALL] () ds(Ds::Gws(Gws::SemaP)), RD_M0 | GDS_ONLY;
            DS_GWS_BARRIER [Ds 0x1d ALL] (gws_data(B32))
                ds(Ds::Gws(Gws::Barrier)), RD_M0 | GDS_ONLY;
            DS_WRITE_B8 [Ds 0x1e ALL] (ds_addr(), data0(B32)) ds(Ds::Write(MemData::U8)), STORE;
            DS_WRITE_B16 [Ds 0x1f ALL] (ds_addr(), data0(B32)) ds(Ds::Write(MemData::U16)), STORE;
            DS_SWIZZLE_B32 [Ds 0x35 ALL] (vdst(B32), ds_addr()) ds(Ds::Swizzle), LANES;
            DS_READ_I8 [Ds 0x39 ALL] (vdst(B32), ds_addr()) ds(Ds::Read(MemData::I8)), LOAD;
            DS_READ_U8 [Ds 0x3a ALL] (vdst(B32), ds_addr()) ds(Ds::Read(MemData::U8)), LOAD;
            DS_READ_I16 [Ds 0x3b ALL] (vdst(B32), ds_addr()) ds(Ds::Read(MemData::I16)), LOAD;
            DS_READ_U16 [Ds 0x3c ALL] (vdst(B32), ds_addr()) ds(Ds::Read(MemData::U16)), LOAD;
            DS_CONSUME [Ds 0x3d ALL] (vdst(B32)) ds(Ds::Consume), ATOMIC | RD_M0 | LANES;
            DS_APPEND [Ds 0x3e ALL] (vdst(B32)) ds(Ds::Append), ATOMIC | RD_M0 | LANES;
            DS_ORDERED_COUNT [Ds 0x3f ALL] (vdst(B32), ds_addr())
                ds(Ds::OrderedCount), ATOMIC | RD_M0 | GDS_ONLY;
            DS_CONDXCHG32_RTN_B64 [Ds 0x7e ALL] (vdst(B64), ds_addr(), data0(B64))
                ds(Ds::CondXchg32), ATOMIC;
            DS_ADD_SRC2_U32 [Ds 0x80 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Add, W32)), ATOMIC;
            DS_SUB_SRC2_U32 [Ds 0x81 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Sub, W32)), ATOMIC;
            DS_RSUB_SRC2_U32 [Ds 0x82 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::RSub, W32)), ATOMIC;
            DS_INC_SRC2_U32 [Ds 0x83 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Inc, W32)), ATOMIC;
            DS_DEC_SRC2_U32 [Ds 0x84 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Dec, W32)), ATOMIC;
            DS_MIN_SRC2_I32 [Ds 0x85 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::SMin, W32)), ATOMIC;
            DS_MAX_SRC2_I32 [Ds 0x86 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::SMax, W32)), ATOMIC;
            DS_MIN_SRC2_U32 [Ds 0x87 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::UMin, W32)), ATOMIC;
            DS_MAX_SRC2_U32 [Ds 0x88 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::UMax, W32)), ATOMIC;
            DS_AND_SRC2_B32 [Ds 0x89 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::And, W32)), ATOMIC;
            DS_OR_SRC2_B32 [Ds 0x8a RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Or, W32)), ATOMIC;
            DS_XOR_SRC2_B32 [Ds 0x8b RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Xor, W32)), ATOMIC;
            DS_WRITE_SRC2_B32 [Ds 0x8d RDNA1] (ds_addr()) ds(Ds::WriteSrc2(W32)), ATOMIC;
            DS_MIN_SRC2_F32 [Ds 0x92 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::FMin, W32)), ATOMIC;
            DS_MAX_SRC2_F32 [Ds 0x93 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::FMax, W32)), ATOMIC;
            DS_ADD_SRC2_F32 [Ds 0x95 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::FAdd, W32)), ATOMIC;
            DS_ADD_SRC2_U64 [Ds 0xc0 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Add, W64)), ATOMIC;
            DS_SUB_SRC2_U64 [Ds 0xc1 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Sub, W64)), ATOMIC;
            DS_RSUB_SRC2_U64 [Ds 0xc2 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::RSub, W64)), ATOMIC;
            DS_INC_SRC2_U64 [Ds 0xc3 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Inc, W64)), ATOMIC;
            DS_DEC_SRC2_U64 [Ds 0xc4 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Dec, W64)), ATOMIC;
            DS_MIN_SRC2_I64 [Ds 0xc5 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::SMin, W64)), ATOMIC;
            DS_MAX_SRC2_I64 [Ds 0xc6 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::SMax, W64)), ATOMIC;
            DS_MIN_SRC2_U64 [Ds 0xc7 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::UMin, W64)), ATOMIC;
            DS_MAX_SRC2_U64 [Ds 0xc8 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::UMax, W64)), ATOMIC;
            DS_AND_SRC2_B64 [Ds 0xc9 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::And, W64)), ATOMIC;
            DS_OR_SRC2_B64 [Ds 0xca RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Or, W64)), ATOMIC;
            DS_XOR_SRC2_B64 [Ds 0xcb RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::Xor, W64)), ATOMIC;
            DS_WRITE_SRC2_B64 [Ds 0xcd RDNA1] (ds_addr()) ds(Ds::WriteSrc2(W64)), ATOMIC;
            DS_MIN_SRC2_F64 [Ds 0xd2 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::FMin, W64)), ATOMIC;
            DS_MAX_SRC2_F64 [Ds 0xd3 RDNA1] (ds_addr())
                ds(Ds::AtomicSrc2(AtomicOp::FMax, W64)), ATOMIC;
            DS_WRITE_B8_D16_HI [Ds 0xa0 ALL] (ds_addr(), data0(B32))
                ds(Ds::Write(MemData::D16U8 { hi: true })), STORE;
            DS_WRITE_B16_D16_HI [Ds 0xa1 ALL] (ds_addr(), data0(B32))
                ds(Ds::Write(MemData::D16B16 { hi: true })), STORE;
            DS_READ_U8_D16 [Ds 0xa2 ALL] (vdst(B32), ds_addr())
                ds(Ds::Read(MemData::D16U8 { hi: false })), LOAD | KEEPS_DST;
            DS_READ_U8_D16_HI [Ds 0xa3 ALL] (vdst(B32), ds_addr())
                ds(Ds::Read(MemData::D16U8 { hi: true })), LOAD | KEEPS_DST;
            DS_READ_I8_D16 [Ds 0xa4 ALL] (vdst(B32), ds_addr())
                ds(Ds::Read(MemData::D16I8 { hi: false })), LOAD | KEEPS_DST;
            DS_READ_I8_D16_HI [Ds 0xa5 ALL] (vdst(B32), ds_addr())
                ds(Ds::Read(MemData::D16I8 { hi: true })), LOAD | KEEPS_DST;
            DS_READ_U16_D16 [Ds 0xa6 ALL] (vdst(B32), ds_addr())
                ds(Ds::Read(MemData::D16B16 { hi: false })), LOAD | KEEPS_DST;
            DS_READ_U16_D16_HI [Ds 0xa7 ALL] (vdst(B32), ds_addr())
                ds(Ds::Read(MemData::D16B16 { hi: true })), LOAD | KEEPS_DST;
            DS_WRITE_ADDTID_B32 [Ds 0xb0 ALL] (data0(B32)) ds(Ds::WriteAddTid), STORE | RD_M0;
            DS_READ_ADDTID_B32 [Ds 0xb1 ALL] (vdst(B32)) ds(Ds::ReadAddTid), LOAD | RD_M0;
            DS_PERMUTE_B32 [Ds 0xb2 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::Permute), LANES;
            DS_BPERMUTE_B32 [Ds 0xb3 ALL] (vdst(B32), ds_addr(), data0(B32))
                ds(Ds::BPermute), LANES;
            DS_WRITE_B96 [Ds 0xde ALL] (ds_addr(), data0(B96))
                ds(Ds::Write(MemData::Dwords(3))), STORE;
            DS_WRITE_B128 [Ds 0xdf ALL] (ds_addr(), data0(B128))
                ds(Ds::Write(MemData::Dwords(4))), STORE;
            DS_READ_B96 [Ds 0xfe ALL] (vdst(B96), ds_addr())
                ds(Ds::Read(MemData::Dwords(3))), LOAD;
            DS_READ_B128 [Ds 0xff ALL] (vdst(B128), ds_addr())
                ds(Ds::Read(MemData::Dwords(4))), LOAD;
        } }
    };
}
pub(super) use ds_rows;
