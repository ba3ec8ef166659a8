//! Rows of the table: MUBUF and MTBUF. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! buffer_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // MUBUF
            BUFFER_LOAD_FORMAT_X [Mubuf 0x00 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Format(1))), LOAD | LDS_LOAD;
            BUFFER_LOAD_FORMAT_XY [Mubuf 0x01 ALL] (vdata(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Format(2))), LOAD;
            BUFFER_LOAD_FORMAT_XYZ [Mubuf 0x02 ALL] (vdata(B96), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Format(3))), LOAD;
            BUFFER_LOAD_FORMAT_XYZW [Mubuf 0x03 ALL] (vdata(B128), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Format(4))), LOAD;
            BUFFER_STORE_FORMAT_X [Mubuf 0x04 ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Format(1))), STORE;
            BUFFER_STORE_FORMAT_XY [Mubuf 0x05 ALL] (vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Format(2))), STORE;
            BUFFER_STORE_FORMAT_XYZ [Mubuf 0x06 ALL] (vdata_in(B96), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Format(3))), STORE;
            BUFFER_STORE_FORMAT_XYZW [Mubuf 0x07 ALL] (vdata_in(B128), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Format(4))), STORE;
            BUFFER_LOAD_UBYTE [Mubuf 0x08 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::U8)), LOAD | LDS_LOAD;
            BUFFER_LOAD_SBYTE [Mubuf 0x09 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::I8)), LOAD | LDS_LOAD;
            BUFFER_LOAD_USHORT [Mubuf 0x0a ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::U16)), LOAD | LDS_LOAD;
            BUFFER_LOAD_SSHORT [Mubuf 0x0b ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::I16)), LOAD | LDS_LOAD;
            BUFFER_LOAD_DWORD [Mubuf 0x0c ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Dwords(1))), LOAD | LDS_LOAD;
            BUFFER_LOAD_DWORDX2 [Mubuf 0x0d ALL] (vdata(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Dwords(2))), LOAD;
            BUFFER_LOAD_DWORDX4 [Mubuf 0x0e ALL] (vdata(B128), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Dwords(4))), LOAD;
            BUFFER_LOAD_DWORDX3 [Mubuf 0x0f ALL] (vdata(B96), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Dwords(3))), LOAD;
            BUFFER_STORE_BYTE [Mubuf 0x18 ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::U8)), STORE;
            BUFFER_STORE_BYTE_D16_HI [Mubuf 0x19 ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::D16U8 { hi: true })), STORE;
            BUFFER_STORE_SHORT [Mubuf 0x1a ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::U16)), STORE;
            BUFFER_STORE_SHORT_D16_HI [Mubuf 0x1b ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::D16B16 { hi: true })), STORE;
            BUFFER_STORE_DWORD [Mubuf 0x1c ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Dwords(1))), STORE;
            BUFFER_STORE_DWORDX2 [Mubuf 0x1d ALL] (vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Dwords(2))), STORE;
            BUFFER_STORE_DWORDX4 [Mubuf 0x1e ALL] (vdata_in(B128), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Dwords(4))), STORE;
            BUFFER_STORE_DWORDX3 [Mubuf 0x1f ALL] (vdata_in(B96), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Dwords(3))), STORE;
            BUFFER_LOAD_UBYTE_D16 [Mubuf 0x20 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::D16U8 { hi: false })), LOAD | KEEPS_DST;
            BUFFER_LOAD_UBYTE_D16_HI [Mubuf 0x21 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::D16U8 { hi: true })), LOAD | KEEPS_DST;
            BUFFER_LOAD_SBYTE_D16 [Mubuf 0x22 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::D16I8 { hi: false })), LOAD | KEEPS_DST;
            BUFFER_LOAD_SBYTE_D16_HI [Mubuf 0x23 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::D16I8 { hi: true })), LOAD | KEEPS_DST;
            BUFFER_LOAD_SHORT_D16 [Mubuf 0x24 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::D16B16 { hi: false })), LOAD | KEEPS_DST;
            BUFFER_LOAD_SHORT_D16_HI [Mubuf 0x25 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::D16B16 { hi: true })), LOAD | KEEPS_DST;
            BUFFER_LOAD_FORMAT_D16_HI_X [Mubuf 0x26 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::FormatD16Hi)), LOAD | KEEPS_DST;
            BUFFER_STORE_FORMAT_D16_HI_X [Mubuf 0x27 ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::FormatD16Hi)), STORE;
            BUFFER_ATOMIC_SWAP [Mubuf 0x30 ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Swap, W32)), ATOMIC;
            BUFFER_ATOMIC_CMPSWAP [Mubuf 0x31 ALL] (vdata_glc(B32), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::CmpSwap, W32)), ATOMIC;
            BUFFER_ATOMIC_ADD [Mubuf 0x32 ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Add, W32)), ATOMIC;
            BUFFER_ATOMIC_SUB [Mubuf 0x33 ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Sub, W32)), ATOMIC;
            BUFFER_ATOMIC_SMIN [Mubuf 0x35 ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::SMin, W32)), ATOMIC;
            BUFFER_ATOMIC_UMIN [Mubuf 0x36 ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::UMin, W32)), ATOMIC;
            BUFFER_ATOMIC_SMAX [Mubuf 0x37 ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::SMax, W32)), ATOMIC;
            BUFFER_ATOMIC_UMAX [Mubuf 0x38 ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::UMax, W32)), ATOMIC;
            BUFFER_ATOMIC_AND [Mubuf 0x39 ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::And, W32)), ATOMIC;
            BUFFER_ATOMIC_OR [Mubuf 0x3a ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Or, W32)), ATOMIC;
            BUFFER_ATOMIC_XOR [Mubuf 0x3b ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Xor, W32)), ATOMIC;
            BUFFER_ATOMIC_INC [Mubuf 0x3c ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Inc, W32)), ATOMIC;
            BUFFER_ATOMIC_DEC [Mubuf 0x3d ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Dec, W32)), ATOMIC;
            BUFFER_ATOMIC_FCMPSWAP [Mubuf 0x3e ALL] (vdata_glc(B32), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::FCmpSwap, W32)), ATOMIC;
            BUFFER_ATOMIC_FMIN [Mubuf 0x3f ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::FMin, W32)), ATOMIC;
            BUFFER_ATOMIC_FMAX [Mubuf 0x40 ALL] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::FMax, W32)), ATOMIC;
            BUFFER_ATOMIC_CSUB [Mubuf 0x34 GFX1030] (vdata_glc(B32), vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::CSub, W32)), ATOMIC;
            BUFFER_ATOMIC_SWAP_X2 [Mubuf 0x50 ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Swap, W64)), ATOMIC;
            BUFFER_ATOMIC_CMPSWAP_X2 [Mubuf 0x51 ALL] (vdata_glc(B64), vdata_in(B128), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::CmpSwap, W64)), ATOMIC;
            BUFFER_ATOMIC_ADD_X2 [Mubuf 0x52 ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Add, W64)), ATOMIC;
            BUFFER_ATOMIC_SUB_X2 [Mubuf 0x53 ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Sub, W64)), ATOMIC;
            BUFFER_ATOMIC_SMIN_X2 [Mubuf 0x55 ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::SMin, W64)), ATOMIC;
            BUFFER_ATOMIC_UMIN_X2 [Mubuf 0x56 ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::UMin, W64)), ATOMIC;
            BUFFER_ATOMIC_SMAX_X2 [Mubuf 0x57 ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::SMax, W64)), ATOMIC;
            BUFFER_ATOMIC_UMAX_X2 [Mubuf 0x58 ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::UMax, W64)), ATOMIC;
            BUFFER_ATOMIC_AND_X2 [Mubuf 0x59 ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::And, W64)), ATOMIC;
            BUFFER_ATOMIC_OR_X2 [Mubuf 0x5a ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Or, W64)), ATOMIC;
            BUFFER_ATOMIC_XOR_X2 [Mubuf 0x5b ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Xor, W64)), ATOMIC;
            BUFFER_ATOMIC_INC_X2 [Mubuf 0x5c ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Inc, W64)), ATOMIC;
            BUFFER_ATOMIC_DEC_X2 [Mubuf 0x5d ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::Dec, W64)), ATOMIC;
            BUFFER_ATOMIC_FCMPSWAP_X2 [Mubuf 0x5e ALL] (vdata_glc(B64), vdata_in(B128), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::FCmpSwap, W64)), ATOMIC;
            BUFFER_ATOMIC_FMIN_X2 [Mubuf 0x5f ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::FMin, W64)), ATOMIC;
            BUFFER_ATOMIC_FMAX_X2 [Mubuf 0x60 ALL] (vdata_glc(B64), vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Atomic(AtomicOp::FMax, W64)), ATOMIC;
            BUFFER_GL0_INV [Mubuf 0x71 ALL] () buf(Buffer::Cache), NONE;
            BUFFER_GL1_INV [Mubuf 0x72 ALL] () buf(Buffer::Cache), NONE;
            BUFFER_LOAD_FORMAT_D16_X [Mubuf 0x80 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::FormatD16(1))), LOAD | KEEPS_DST;
            BUFFER_LOAD_FORMAT_D16_XY [Mubuf 0x81 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::FormatD16(2))), LOAD;
            BUFFER_LOAD_FORMAT_D16_XYZ [Mubuf 0x82 ALL] (vdata(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::FormatD16(3))), LOAD | KEEPS_DST;
            BUFFER_LOAD_FORMAT_D16_XYZW [Mubuf 0x83 ALL] (vdata(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::FormatD16(4))), LOAD;
            BUFFER_STORE_FORMAT_D16_X [Mubuf 0x84 ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::FormatD16(1))), STORE;
            BUFFER_STORE_FORMAT_D16_XY [Mubuf 0x85 ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::FormatD16(2))), STORE;
            BUFFER_STORE_FORMAT_D16_XYZ [Mubuf 0x86 ALL] (vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::FormatD16(3))), STORE;
            BUFFER_STORE_FORMAT_D16_XYZW [Mubuf 0x87 ALL] (vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::FormatD16(4))), STORE;

            // MTBUF
            TBUFFER_LOAD_FORMAT_X [Mtbuf 0x00 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Format(1))), LOAD;
            TBUFFER_LOAD_FORMAT_XY [Mtbuf 0x01 ALL] (vdata(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Format(2))), LOAD;
            TBUFFER_LOAD_FORMAT_XYZ [Mtbuf 0x02 ALL] (vdata(B96), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Format(3))), LOAD;
            TBUFFER_LOAD_FORMAT_XYZW [Mtbuf 0x03 ALL] (vdata(B128), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::Format(4))), LOAD;
            TBUFFER_STORE_FORMAT_X [Mtbuf 0x04 ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Format(1))), STORE;
            TBUFFER_STORE_FORMAT_XY [Mtbuf 0x05 ALL] (vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Format(2))), STORE;
            TBUFFER_STORE_FORMAT_XYZ [Mtbuf 0x06 ALL] (vdata_in(B96), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Format(3))), STORE;
            TBUFFER_STORE_FORMAT_XYZW [Mtbuf 0x07 ALL] (vdata_in(B128), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::Format(4))), STORE;
            TBUFFER_LOAD_FORMAT_D16_X [Mtbuf 0x08 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::FormatD16(1))), LOAD | KEEPS_DST;
            TBUFFER_LOAD_FORMAT_D16_XY [Mtbuf 0x09 ALL] (vdata(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::FormatD16(2))), LOAD;
            TBUFFER_LOAD_FORMAT_D16_XYZ [Mtbuf 0x0a ALL] (vdata(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::FormatD16(3))), LOAD | KEEPS_DST;
            TBUFFER_LOAD_FORMAT_D16_XYZW [Mtbuf 0x0b ALL] (vdata(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Load(MemData::FormatD16(4))), LOAD;
            TBUFFER_STORE_FORMAT_D16_X [Mtbuf 0x0c ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::FormatD16(1))), STORE;
            TBUFFER_STORE_FORMAT_D16_XY [Mtbuf 0x0d ALL] (vdata_in(B32), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::FormatD16(2))), STORE;
            TBUFFER_STORE_FORMAT_D16_XYZ [Mtbuf 0x0e ALL] (vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::FormatD16(3))), STORE;
            TBUFFER_STORE_FORMAT_D16_XYZW [Mtbuf 0x0f ALL] (vdata_in(B64), buf_addr(), srsrc(B128), soffset())
                buf(Buffer::Store(MemData::FormatD16(4))), STORE;
        } }
    };
}
pub(super) use buffer_rows;
