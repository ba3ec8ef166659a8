//! Rows of the table: VOP3P. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! vop3p_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // VOP3P
            V_PK_MAD_I16 [Vop3p 0x00 ALL] (vdst(PkI16), src0(PkI16), src1(PkI16), src2(PkI16))
                valu(Valu::Packed(Packed::Mad(Sign::Signed))), PACKED3;
            V_PK_MUL_LO_U16 [Vop3p 0x01 ALL] (vdst(PkU16), src0(PkU16), src1(PkU16))
                valu(Valu::Packed(Packed::MulLoU16)), PACKED2;
            V_PK_ADD_I16 [Vop3p 0x02 ALL] (vdst(PkI16), src0(PkI16), src1(PkI16))
                valu(Valu::Packed(Packed::Add(Sign::Signed))), PACKED2;
            V_PK_SUB_I16 [Vop3p 0x03 ALL] (vdst(PkI16), src0(PkI16), src1(PkI16))
                valu(Valu::Packed(Packed::Sub(Sign::Signed))), PACKED2;
            V_PK_LSHLREV_B16 [Vop3p 0x04 ALL] (vdst(PkB16), src0(PkU16), src1(PkB16))
                valu(Valu::Packed(Packed::ShlRevB16)), PACKED2;
            V_PK_LSHRREV_B16 [Vop3p 0x05 ALL] (vdst(PkB16), src0(PkU16), src1(PkB16))
                valu(Valu::Packed(Packed::ShrRevB16)), PACKED2;
            V_PK_ASHRREV_I16 [Vop3p 0x06 ALL] (vdst(PkI16), src0(PkU16), src1(PkI16))
                valu(Valu::Packed(Packed::AshrRevI16)), PACKED2;
            V_PK_MAX_I16 [Vop3p 0x07 ALL] (vdst(PkI16), src0(PkI16), src1(PkI16))
                valu(Valu::Packed(Packed::Max(Sign::Signed))), PACKED2;
            V_PK_MIN_I16 [Vop3p 0x08 ALL] (vdst(PkI16), src0(PkI16), src1(PkI16))
                valu(Valu::Packed(Packed::Min(Sign::Signed))), PACKED2;
            V_PK_MAD_U16 [Vop3p 0x09 ALL] (vdst(PkU16), src0(PkU16), src1(PkU16), src2(PkU16))
                valu(Valu::Packed(Packed::Mad(Sign::Unsigned))), PACKED3;
            V_PK_ADD_U16 [Vop3p 0x0a ALL] (vdst(PkU16), src0(PkU16), src1(PkU16))
                valu(Valu::Packed(Packed::Add(Sign::Unsigned))), PACKED2;
            V_PK_SUB_U16 [Vop3p 0x0b ALL] (vdst(PkU16), src0(PkU16), src1(PkU16))
                valu(Valu::Packed(Packed::Sub(Sign::Unsigned))), PACKED2;
            V_PK_MAX_U16 [Vop3p 0x0c ALL] (vdst(PkU16), src0(PkU16), src1(PkU16))
                valu(Valu::Packed(Packed::Max(Sign::Unsigned))), PACKED2;
            V_PK_MIN_U16 [Vop3p 0x0d ALL] (vdst(PkU16), src0(PkU16), src1(PkU16))
                valu(Valu::Packed(Packed::Min(Sign::Unsigned))), PACKED2;
            V_PK_FMA_F16 [Vop3p 0x0e ALL] (vdst(PkF16), src0(PkF16), src1(PkF16), src2(PkF16))
                valu(Valu::Packed(Packed::FmaF16)), PACKED3;
            V_PK_ADD_F16 [Vop3p 0x0f ALL] (vdst(PkF16), src0(PkF16), src1(PkF16))
                valu(Valu::Packed(Packed::AddF16)), PACKED2;
            V_PK_MUL_F16 [Vop3p 0x10 ALL] (vdst(PkF16), src0(PkF16), src1(PkF16))
                valu(Valu::Packed(Packed::MulF16)), PACKED2;
            V_PK_MIN_F16 [Vop3p 0x11 ALL] (vdst(PkF16), src0(PkF16), src1(PkF16))
                valu(Valu::Packed(Packed::MinF16)), PACKED2;
            V_PK_MAX_F16 [Vop3p 0x12 ALL] (vdst(PkF16), src0(PkF16), src1(PkF16))
                valu(Valu::Packed(Packed::MaxF16)), PACKED2;
            V_DOT2_F32_F16 [Vop3p 0x13 GFX1030] (vdst(F32), src0(PkF16), src1(PkF16), src2(F32))
                dot(Dot::F32F16), PACKED3;
            V_DOT2_I32_I16 [Vop3p 0x14 GFX1030] (vdst(I32), src0(PkI16), src1(PkI16), src2(I32))
                dot(Dot::I32I16), PACKED3;
            V_DOT2_U32_U16 [Vop3p 0x15 GFX1030] (vdst(U32), src0(PkU16), src1(PkU16), src2(U32))
                dot(Dot::U32U16), PACKED3;
            V_DOT4_I32_I8 [Vop3p 0x16 GFX1030] (vdst(I32), src0(B32), src1(B32), src2(I32))
                dot(Dot::I32I8), PACKED3;
            V_DOT4_U32_U8 [Vop3p 0x17 GFX1030] (vdst(U32), src0(B32), src1(B32), src2(U32))
                dot(Dot::U32U8), PACKED3;
            V_DOT8_I32_I4 [Vop3p 0x18 GFX1030] (vdst(I32), src0(B32), src1(B32), src2(I32))
                dot(Dot::I32I4), PACKED3;
            V_DOT8_U32_U4 [Vop3p 0x19 GFX1030] (vdst(U32), src0(B32), src1(B32), src2(U32))
                dot(Dot::U32U4), PACKED3;
            V_FMA_MIX_F32 [Vop3p 0x20 ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                valu(Valu::FmaMix(MixDst::F32)), PACKED3;
            V_FMA_MIXLO_F16 [Vop3p 0x21 ALL] (vdst(F16), src0(F32), src1(F32), src2(F32))
                valu(Valu::FmaMix(MixDst::Lo)), PACKED3;
            V_FMA_MIXHI_F16 [Vop3p 0x22 ALL] (vdst(F16), src0(F32), src1(F32), src2(F32))
                valu(Valu::FmaMix(MixDst::Hi)), PACKED3;
        } }
    };
}
pub(super) use vop3p_rows;
