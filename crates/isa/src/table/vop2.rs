//! Rows of the table: VOP2 and the VOP3 forms of its rows. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! vop2_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // VOP2
            V_CNDMASK_B32 [Vop2 0x01 ALL, Vop3 0x101 ALL] (vdst(B32), src0(B32), src1(B32), carry_in())
                valu(Valu::Cndmask), ABS_NEG2 | DPP | SDWA;
            V_DOT2C_F32_F16 [Vop2 0x02 GFX1030] (vdst(F32), src0(PkF16), src1(PkF16), tied_vdst(F32))
                dot(Dot::F32F16), DPP;
            V_ADD_F32 [Vop2 0x03 ALL, Vop3 0x103 ALL] (vdst(F32), src0(F32), src1(F32))
                fb(FBinary::Add, FloatTy::F32), FLOAT2 | DPP | SDWA;
            V_SUB_F32 [Vop2 0x04 ALL, Vop3 0x104 ALL] (vdst(F32), src0(F32), src1(F32))
                fb(FBinary::Sub, FloatTy::F32), FLOAT2 | DPP | SDWA;
            V_SUBREV_F32 [Vop2 0x05 ALL, Vop3 0x105 ALL] (vdst(F32), src0(F32), src1(F32))
                fb(FBinary::SubRev, FloatTy::F32), FLOAT2 | DPP | SDWA;
            V_MAC_LEGACY_F32 [Vop2 0x06 RDNA1, Vop3 0x106 RDNA1] (vdst(F32), src0(F32), src1(F32), tied_vdst(F32))
                ft(FTernary::MadLegacy, FloatTy::F32), FLOAT2;
            V_FMAC_LEGACY_F32 [Vop2 0x06 GFX1030, Vop3 0x106 GFX1030] (vdst(F32), src0(F32), src1(F32), tied_vdst(F32))
                ft(FTernary::FmaLegacy, FloatTy::F32), FLOAT2;
            V_MUL_LEGACY_F32 [Vop2 0x07 ALL, Vop3 0x107 ALL] (vdst(F32), src0(F32), src1(F32))
                fb(FBinary::MulLegacy, FloatTy::F32), FLOAT2 | DPP | SDWA;
            V_MUL_F32 [Vop2 0x08 ALL, Vop3 0x108 ALL] (vdst(F32), src0(F32), src1(F32))
                fb(FBinary::Mul, FloatTy::F32), FLOAT2 | DPP | SDWA;
            V_MUL_I32_I24 [Vop2 0x09 ALL, Vop3 0x109 ALL] (vdst(I32), src0(I32), src1(I32))
                ib(IBinary::MulI24), CLAMP | DPP | SDWA;
            V_MUL_HI_I32_I24 [Vop2 0x0a ALL, Vop3 0x10a ALL] (vdst(I32), src0(I32), src1(I32))
                ib(IBinary::MulHiI24), DPP | SDWA;
            V_MUL_U32_U24 [Vop2 0x0b ALL, Vop3 0x10b ALL] (vdst(U32), src0(U32), src1(U32))
                ib(IBinary::MulU24), CLAMP | DPP | SDWA;
            V_MUL_HI_U32_U24 [Vop2 0x0c ALL, Vop3 0x10c ALL] (vdst(U32), src0(U32), src1(U32))
                ib(IBinary::MulHiU24), DPP | SDWA;
            V_DOT4C_I32_I8 [Vop2 0x0d GFX1030] (vdst(I32), src0(B32), src1(B32), tied_vdst(I32))
                dot(Dot::I32I8), DPP;
            V_MIN_F32 [Vop2 0x0f ALL, Vop3 0x10f ALL] (vdst(F32), src0(F32), src1(F32))
                fb(FBinary::Min, FloatTy::F32), FLOAT2 | DPP | SDWA;
            V_MAX_F32 [Vop2 0x10 ALL, Vop3 0x110 ALL] (vdst(F32), src0(F32), src1(F32))
                fb(FBinary::Max, FloatTy::F32), FLOAT2 | DPP | SDWA;
            V_MIN_I32 [Vop2 0x11 ALL, Vop3 0x111 ALL] (vdst(I32), src0(I32), src1(I32))
                ib(IBinary::Min(IntTy::I32)), DPP | SDWA;
            V_MAX_I32 [Vop2 0x12 ALL, Vop3 0x112 ALL] (vdst(I32), src0(I32), src1(I32))
                ib(IBinary::Max(IntTy::I32)), DPP | SDWA;
            V_MIN_U32 [Vop2 0x13 ALL, Vop3 0x113 ALL] (vdst(U32), src0(U32), src1(U32))
                ib(IBinary::Min(IntTy::U32)), DPP | SDWA;
            V_MAX_U32 [Vop2 0x14 ALL, Vop3 0x114 ALL] (vdst(U32), src0(U32), src1(U32))
                ib(IBinary::Max(IntTy::U32)), DPP | SDWA;
            V_LSHRREV_B32 [Vop2 0x16 ALL, Vop3 0x116 ALL] (vdst(B32), src0(U32), src1(B32))
                ib(IBinary::ShrRev(IntTy::U32)), DPP | SDWA;
            V_ASHRREV_I32 [Vop2 0x18 ALL, Vop3 0x118 ALL] (vdst(I32), src0(U32), src1(I32))
                ib(IBinary::ShrRev(IntTy::I32)), DPP | SDWA;
            V_LSHLREV_B32 [Vop2 0x1a ALL, Vop3 0x11a ALL] (vdst(B32), src0(U32), src1(B32))
                ib(IBinary::ShlRev(IntTy::U32)), DPP | SDWA;
            V_AND_B32 [Vop2 0x1b ALL, Vop3 0x11b ALL] (vdst(B32), src0(B32), src1(B32))
                ib(IBinary::Logic(Logic::And)), DPP | SDWA;
            V_OR_B32 [Vop2 0x1c ALL, Vop3 0x11c ALL] (vdst(B32), src0(B32), src1(B32))
                ib(IBinary::Logic(Logic::Or)), DPP | SDWA;
            V_XOR_B32 [Vop2 0x1d ALL, Vop3 0x11d ALL] (vdst(B32), src0(B32), src1(B32))
                ib(IBinary::Logic(Logic::Xor)), DPP | SDWA;
            V_XNOR_B32 [Vop2 0x1e ALL, Vop3 0x11e ALL] (vdst(B32), src0(B32), src1(B32))
                ib(IBinary::Logic(Logic::Xnor)), DPP | SDWA;
            V_MAC_F32 [Vop2 0x1f RDNA1, Vop3 0x11f RDNA1] (vdst(F32), src0(F32), src1(F32), tied_vdst(F32))
                ft(FTernary::Mad, FloatTy::F32), FLOAT2 | DPP;
            V_MADMK_F32 [Vop2 0x20 RDNA1] (vdst(F32), src0(F32), literal(F32), src1(F32))
                ft(FTernary::Mad, FloatTy::F32), NONE;
            V_MADAK_F32 [Vop2 0x21 RDNA1] (vdst(F32), src0(F32), src1(F32), literal(F32))
                ft(FTernary::Mad, FloatTy::F32), NONE;
            V_ADD_NC_U32 [Vop2 0x25 ALL, Vop3 0x125 ALL] (vdst(U32), src0(U32), src1(U32))
                ib(IBinary::Add(IntTy::U32)), CLAMP | DPP | SDWA;
            V_SUB_NC_U32 [Vop2 0x26 ALL, Vop3 0x126 ALL] (vdst(U32), src0(U32), src1(U32))
                ib(IBinary::Sub(IntTy::U32)), CLAMP | DPP | SDWA;
            V_SUBREV_NC_U32 [Vop2 0x27 ALL, Vop3 0x127 ALL] (vdst(U32), src0(U32), src1(U32))
                ib(IBinary::SubRev(IntTy::U32)), CLAMP | DPP | SDWA;
            V_ADD_CO_CI_U32 [Vop2 0x28 ALL, Vop3 0x128 ALL] (vdst(U32), carry_out(), src0(U32), src1(U32), carry_in())
                valu(Valu::AddCi), CLAMP | DPP | SDWA;
            V_SUB_CO_CI_U32 [Vop2 0x29 ALL, Vop3 0x129 ALL] (vdst(U32), carry_out(), src0(U32), src1(U32), carry_in())
                valu(Valu::SubCi), CLAMP | DPP | SDWA;
            V_SUBREV_CO_CI_U32 [Vop2 0x2a ALL, Vop3 0x12a ALL] (vdst(U32), carry_out(), src0(U32), src1(U32), carry_in())
                valu(Valu::SubRevCi), CLAMP | DPP | SDWA;
            V_FMAC_F32 [Vop2 0x2b ALL, Vop3 0x12b ALL] (vdst(F32), src0(F32), src1(F32), tied_vdst(F32))
                ft(FTernary::Fma, FloatTy::F32), FLOAT2 | DPP;
            V_FMAMK_F32 [Vop2 0x2c ALL] (vdst(F32), src0(F32), literal(F32), src1(F32))
                ft(FTernary::Fma, FloatTy::F32), NONE;
            V_FMAAK_F32 [Vop2 0x2d ALL] (vdst(F32), src0(F32), src1(F32), literal(F32))
                ft(FTernary::Fma, FloatTy::F32), NONE;
            V_CVT_PKRTZ_F16_F32 [Vop2 0x2f ALL, Vop3 0x12f ALL] (vdst(PkF16), src0(F32), src1(F32))
                cvt(Cvt::PkRtzF16FromF32), FLOAT2 | DPP | SDWA;
            V_ADD_F16 [Vop2 0x32 ALL, Vop3 0x132 ALL] (vdst(F16), src0(F16), src1(F16))
                fb(FBinary::Add, FloatTy::F16), OPSEL | FLOAT2 | DPP | SDWA;
            V_SUB_F16 [Vop2 0x33 ALL, Vop3 0x133 ALL] (vdst(F16), src0(F16), src1(F16))
                fb(FBinary::Sub, FloatTy::F16), OPSEL | FLOAT2 | DPP | SDWA;
            V_SUBREV_F16 [Vop2 0x34 ALL, Vop3 0x134 ALL] (vdst(F16), src0(F16), src1(F16))
                fb(FBinary::SubRev, FloatTy::F16), OPSEL | FLOAT2 | DPP | SDWA;
            V_MUL_F16 [Vop2 0x35 ALL, Vop3 0x135 ALL] (vdst(F16), src0(F16), src1(F16))
                fb(FBinary::Mul, FloatTy::F16), OPSEL | FLOAT2 | DPP | SDWA;
            V_FMAC_F16 [Vop2 0x36 ALL, Vop3 0x136 ALL] (vdst(F16), src0(F16), src1(F16), tied_vdst(F16))
                ft(FTernary::Fma, FloatTy::F16), OPSEL | FLOAT2 | DPP;
            V_FMAMK_F16 [Vop2 0x37 ALL] (vdst(F16), src0(F16), literal(F16), src1(F16))
                ft(FTernary::Fma, FloatTy::F16), NONE;
            V_FMAAK_F16 [Vop2 0x38 ALL] (vdst(F16), src0(F16), src1(F16), literal(F16))
                ft(FTernary::Fma, FloatTy::F16), NONE;
            V_MAX_F16 [Vop2 0x39 ALL, Vop3 0x139 ALL] (vdst(F16), src0(F16), src1(F16))
                fb(FBinary::Max, FloatTy::F16), OPSEL | FLOAT2 | DPP | SDWA;
            V_MIN_F16 [Vop2 0x3a ALL, Vop3 0x13a ALL] (vdst(F16), src0(F16), src1(F16))
                fb(FBinary::Min, FloatTy::F16), OPSEL | FLOAT2 | DPP | SDWA;
            V_LDEXP_F16 [Vop2 0x3b ALL, Vop3 0x13b ALL] (vdst(F16), src0(F16), src1(I16))
                fb(FBinary::Ldexp, FloatTy::F16), OPSEL | ABS_NEG1 | OMOD | CLAMP | DPP | SDWA;
            V_PK_FMAC_F16 [Vop2 0x3c ALL] (vdst(PkF16), src0(PkF16), src1(PkF16), tied_vdst(PkF16))
                valu(Valu::Packed(Packed::FmaF16)), DPP;
        } }
    };
}
pub(super) use vop2_rows;
