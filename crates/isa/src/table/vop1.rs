//! Rows of the table: VOP1 and the VOP3 forms of its rows. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! vop1_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // VOP1
            V_NOP [Vop1 0x00 ALL, Vop3 0x180 ALL] () valu(Valu::Nop), NONE;
            V_MOV_B32 [Vop1 0x01 ALL, Vop3 0x181 ALL] (vdst(B32), src0(B32))
                valu(Valu::Mov), DPP | SDWA;
            V_READFIRSTLANE_B32 [Vop1 0x02 ALL] (sgpr_dst(B32), vsrc0(B32))
                valu(Valu::ReadFirstLane), LANES;
            V_CVT_I32_F64 [Vop1 0x03 ALL, Vop3 0x183 ALL] (vdst(I32), src0(F64))
                cvt(Cvt::I32FromF64), FCVT1;
            V_CVT_F64_I32 [Vop1 0x04 ALL, Vop3 0x184 ALL] (vdst(F64), src0(I32))
                cvt(Cvt::F64FromI32), OMOD | CLAMP;
            V_CVT_F32_I32 [Vop1 0x05 ALL, Vop3 0x185 ALL] (vdst(F32), src0(I32))
                cvt(Cvt::F32FromI32), OMOD | CLAMP | DPP | SDWA;
            V_CVT_F32_U32 [Vop1 0x06 ALL, Vop3 0x186 ALL] (vdst(F32), src0(U32))
                cvt(Cvt::F32FromU32), OMOD | CLAMP | DPP | SDWA;
            V_CVT_U32_F32 [Vop1 0x07 ALL, Vop3 0x187 ALL] (vdst(U32), src0(F32))
                cvt(Cvt::U32FromF32), FCVT1 | DPP | SDWA;
            V_CVT_I32_F32 [Vop1 0x08 ALL, Vop3 0x188 ALL] (vdst(I32), src0(F32))
                cvt(Cvt::I32FromF32), FCVT1 | DPP | SDWA;
            V_CVT_F16_F32 [Vop1 0x0a ALL, Vop3 0x18a ALL] (vdst(F16), src0(F32))
                cvt(Cvt::F16FromF32), OPSEL | FLOAT1 | DPP | SDWA;
            V_CVT_F32_F16 [Vop1 0x0b ALL, Vop3 0x18b ALL] (vdst(F32), src0(F16))
                cvt(Cvt::F32FromF16), OPSEL | FLOAT1 | DPP | SDWA;
            V_CVT_RPI_I32_F32 [Vop1 0x0c ALL, Vop3 0x18c ALL] (vdst(I32), src0(F32))
                cvt(Cvt::RpiI32FromF32), ABS_NEG1 | CLAMP | DPP | SDWA;
            V_CVT_FLR_I32_F32 [Vop1 0x0d ALL, Vop3 0x18d ALL] (vdst(I32), src0(F32))
                cvt(Cvt::FlrI32FromF32), ABS_NEG1 | CLAMP | DPP | SDWA;
            V_CVT_OFF_F32_I4 [Vop1 0x0e ALL, Vop3 0x18e ALL] (vdst(F32), src0(B32))
                cvt(Cvt::OffF32FromI4), OMOD | CLAMP | DPP | SDWA;
            V_CVT_F32_F64 [Vop1 0x0f ALL, Vop3 0x18f ALL] (vdst(F32), src0(F64))
                cvt(Cvt::F32FromF64), FLOAT1;
            V_CVT_F64_F32 [Vop1 0x10 ALL, Vop3 0x190 ALL] (vdst(F64), src0(F32))
                cvt(Cvt::F64FromF32), FLOAT1;
            V_CVT_F32_UBYTE0 [Vop1 0x11 ALL, Vop3 0x191 ALL] (vdst(F32), src0(U32))
                cvt(Cvt::F32FromUbyte(0)), OMOD | CLAMP | DPP | SDWA;
            V_CVT_F32_UBYTE1 [Vop1 0x12 ALL, Vop3 0x192 ALL] (vdst(F32), src0(U32))
                cvt(Cvt::F32FromUbyte(1)), OMOD | CLAMP | DPP | SDWA;
            V_CVT_F32_UBYTE2 [Vop1 0x13 ALL, Vop3 0x193 ALL] (vdst(F32), src0(U32))
                cvt(Cvt::F32FromUbyte(2)), OMOD | CLAMP | DPP | SDWA;
            V_CVT_F32_UBYTE3 [Vop1 0x14 ALL, Vop3 0x194 ALL] (vdst(F32), src0(U32))
                cvt(Cvt::F32FromUbyte(3)), OMOD | CLAMP | DPP | SDWA;
            V_CVT_U32_F64 [Vop1 0x15 ALL, Vop3 0x195 ALL] (vdst(U32), src0(F64))
                cvt(Cvt::U32FromF64), FCVT1;
            V_CVT_F64_U32 [Vop1 0x16 ALL, Vop3 0x196 ALL] (vdst(F64), src0(U32))
                cvt(Cvt::F64FromU32), OMOD | CLAMP;
            V_TRUNC_F64 [Vop1 0x17 ALL, Vop3 0x197 ALL] (vdst(F64), src0(F64))
                fu(FUnary::Trunc, FloatTy::F64), FLOAT1;
            V_CEIL_F64 [Vop1 0x18 ALL, Vop3 0x198 ALL] (vdst(F64), src0(F64))
                fu(FUnary::Ceil, FloatTy::F64), FLOAT1;
            V_RNDNE_F64 [Vop1 0x19 ALL, Vop3 0x199 ALL] (vdst(F64), src0(F64))
                fu(FUnary::Rndne, FloatTy::F64), FLOAT1;
            V_FLOOR_F64 [Vop1 0x1a ALL, Vop3 0x19a ALL] (vdst(F64), src0(F64))
                fu(FUnary::Floor, FloatTy::F64), FLOAT1;
            V_PIPEFLUSH [Vop1 0x1b ALL, Vop3 0x19b ALL] () valu(Valu::Nop), NONE;
            V_FRACT_F32 [Vop1 0x20 ALL, Vop3 0x1a0 ALL] (vdst(F32), src0(F32))
                fu(FUnary::Fract, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_TRUNC_F32 [Vop1 0x21 ALL, Vop3 0x1a1 ALL] (vdst(F32), src0(F32))
                fu(FUnary::Trunc, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_CEIL_F32 [Vop1 0x22 ALL, Vop3 0x1a2 ALL] (vdst(F32), src0(F32))
                fu(FUnary::Ceil, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_RNDNE_F32 [Vop1 0x23 ALL, Vop3 0x1a3 ALL] (vdst(F32), src0(F32))
                fu(FUnary::Rndne, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_FLOOR_F32 [Vop1 0x24 ALL, Vop3 0x1a4 ALL] (vdst(F32), src0(F32))
                fu(FUnary::Floor, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_EXP_F32 [Vop1 0x25 ALL, Vop3 0x1a5 ALL] (vdst(F32), src0(F32))
                fu(FUnary::Exp, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_LOG_F32 [Vop1 0x27 ALL, Vop3 0x1a7 ALL] (vdst(F32), src0(F32))
                fu(FUnary::Log, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_RCP_F32 [Vop1 0x2a ALL, Vop3 0x1aa ALL] (vdst(F32), src0(F32))
                fu(FUnary::Rcp, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_RCP_IFLAG_F32 [Vop1 0x2b ALL, Vop3 0x1ab ALL] (vdst(F32), src0(F32))
                fu(FUnary::RcpIflag, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_RSQ_F32 [Vop1 0x2e ALL, Vop3 0x1ae ALL] (vdst(F32), src0(F32))
                fu(FUnary::Rsq, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_RCP_F64 [Vop1 0x2f ALL, Vop3 0x1af ALL] (vdst(F64), src0(F64))
                fu(FUnary::Rcp, FloatTy::F64), FLOAT1;
            V_RSQ_F64 [Vop1 0x31 ALL, Vop3 0x1b1 ALL] (vdst(F64), src0(F64))
                fu(FUnary::Rsq, FloatTy::F64), FLOAT1;
            V_SQRT_F32 [Vop1 0x33 ALL, Vop3 0x1b3 ALL] (vdst(F32), src0(F32))
                fu(FUnary::Sqrt, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_SQRT_F64 [Vop1 0x34 ALL, Vop3 0x1b4 ALL] (vdst(F64), src0(F64))
                fu(FUnary::Sqrt, FloatTy::F64), FLOAT1;
            V_SIN_F32 [Vop1 0x35 ALL, Vop3 0x1b5 ALL] (vdst(F32), src0(F32))
                fu(FUnary::Sin, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_COS_F32 [Vop1 0x36 ALL, Vop3 0x1b6 ALL] (vdst(F32), src0(F32))
                fu(FUnary::Cos, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_NOT_B32 [Vop1 0x37 ALL, Vop3 0x1b7 ALL] (vdst(B32), src0(B32))
                iu(IUnary::Not), DPP | SDWA;
            V_BFREV_B32 [Vop1 0x38 ALL, Vop3 0x1b8 ALL] (vdst(B32), src0(B32))
                iu(IUnary::Bfrev), DPP | SDWA;
            V_FFBH_U32 [Vop1 0x39 ALL, Vop3 0x1b9 ALL] (vdst(I32), src0(U32))
                iu(IUnary::FfbhU32), DPP | SDWA;
            V_FFBL_B32 [Vop1 0x3a ALL, Vop3 0x1ba ALL] (vdst(I32), src0(B32))
                iu(IUnary::FfblB32), DPP | SDWA;
            V_FFBH_I32 [Vop1 0x3b ALL, Vop3 0x1bb ALL] (vdst(I32), src0(I32))
                iu(IUnary::FfbhI32), DPP | SDWA;
            V_FREXP_EXP_I32_F64 [Vop1 0x3c ALL, Vop3 0x1bc ALL] (vdst(I32), src0(F64))
                fu(FUnary::FrexpExp, FloatTy::F64), FCVT1;
            V_FREXP_MANT_F64 [Vop1 0x3d ALL, Vop3 0x1bd ALL] (vdst(F64), src0(F64))
                fu(FUnary::FrexpMant, FloatTy::F64), FLOAT1;
            V_FRACT_F64 [Vop1 0x3e ALL, Vop3 0x1be ALL] (vdst(F64), src0(F64))
                fu(FUnary::Fract, FloatTy::F64), FLOAT1;
            V_FREXP_EXP_I32_F32 [Vop1 0x3f ALL, Vop3 0x1bf ALL] (vdst(I32), src0(F32))
                fu(FUnary::FrexpExp, FloatTy::F32), ABS_NEG1 | CLAMP | DPP | SDWA;
            V_FREXP_MANT_F32 [Vop1 0x40 ALL, Vop3 0x1c0 ALL] (vdst(F32), src0(F32))
                fu(FUnary::FrexpMant, FloatTy::F32), FLOAT1 | DPP | SDWA;
            V_CLREXCP [Vop1 0x41 ALL, Vop3 0x1c1 ALL] () valu(Valu::Nop), NONE;
            V_MOVRELD_B32 [Vop1 0x42 ALL, Vop3 0x1c2 ALL] (vdst(B32), src0(B32))
                valu(Valu::MovRelD), RD_M0 | INDEXED | DPP | SDWA;
            V_MOVRELS_B32 [Vop1 0x43 ALL, Vop3 0x1c3 ALL] (vdst(B32), vsrc0(B32))
                valu(Valu::MovRelS), RD_M0 | INDEXED | DPP | SDWA;
            V_MOVRELSD_B32 [Vop1 0x44 ALL, Vop3 0x1c4 ALL] (vdst(B32), vsrc0(B32))
                valu(Valu::MovRelSd), RD_M0 | INDEXED | DPP | SDWA;
            V_MOVRELSD_2_B32 [Vop1 0x48 ALL, Vop3 0x1c8 ALL] (vdst(B32), vsrc0(B32))
                valu(Valu::MovRelSd2), RD_M0 | INDEXED | DPP | SDWA;
            V_CVT_F16_U16 [Vop1 0x50 ALL, Vop3 0x1d0 ALL] (vdst(F16), src0(U16))
                cvt(Cvt::F16FromU16), OPSEL | OMOD | CLAMP | DPP | SDWA;
            V_CVT_F16_I16 [Vop1 0x51 ALL, Vop3 0x1d1 ALL] (vdst(F16), src0(I16))
                cvt(Cvt::F16FromI16), OPSEL | OMOD | CLAMP | DPP | SDWA;
            V_CVT_U16_F16 [Vop1 0x52 ALL, Vop3 0x1d2 ALL] (vdst(U16), src0(F16))
                cvt(Cvt::U16FromF16), OPSEL | FCVT1 | DPP | SDWA;
            V_CVT_I16_F16 [Vop1 0x53 ALL, Vop3 0x1d3 ALL] (vdst(I16), src0(F16))
                cvt(Cvt::I16FromF16), OPSEL | FCVT1 | DPP | SDWA;
            V_RCP_F16 [Vop1 0x54 ALL, Vop3 0x1d4 ALL] (vdst(F16), src0(F16))
                fu(FUnary::Rcp, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_SQRT_F16 [Vop1 0x55 ALL, Vop3 0x1d5 ALL] (vdst(F16), src0(F16))
                fu(FUnary::Sqrt, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_RSQ_F16 [Vop1 0x56 ALL, Vop3 0x1d6 ALL] (vdst(F16), src0(F16))
                fu(FUnary::Rsq, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_LOG_F16 [Vop1 0x57 ALL, Vop3 0x1d7 ALL] (vdst(F16), src0(F16))
                fu(FUnary::Log, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_EXP_F16 [Vop1 0x58 ALL, Vop3 0x1d8 ALL] (vdst(F16), src0(F16))
                fu(FUnary::Exp, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_FREXP_MANT_F16 [Vop1 0x59 ALL, Vop3 0x1d9 ALL] (vdst(F16), src0(F16))
                fu(FUnary::FrexpMant, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_FREXP_EXP_I16_F16 [Vop1 0x5a ALL, Vop3 0x1da ALL] (vdst(I16), src0(F16))
                fu(FUnary::FrexpExp, FloatTy::F16), OPSEL | FCVT1 | DPP | SDWA;
            V_FLOOR_F16 [Vop1 0x5b ALL, Vop3 0x1db ALL] (vdst(F16), src0(F16))
                fu(FUnary::Floor, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_CEIL_F16 [Vop1 0x5c ALL, Vop3 0x1dc ALL] (vdst(F16), src0(F16))
                fu(FUnary::Ceil, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_TRUNC_F16 [Vop1 0x5d ALL, Vop3 0x1dd ALL] (vdst(F16), src0(F16))
                fu(FUnary::Trunc, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_RNDNE_F16 [Vop1 0x5e ALL, Vop3 0x1de ALL] (vdst(F16), src0(F16))
                fu(FUnary::Rndne, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_FRACT_F16 [Vop1 0x5f ALL, Vop3 0x1df ALL] (vdst(F16), src0(F16))
                fu(FUnary::Fract, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_SIN_F16 [Vop1 0x60 ALL, Vop3 0x1e0 ALL] (vdst(F16), src0(F16))
                fu(FUnary::Sin, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_COS_F16 [Vop1 0x61 ALL, Vop3 0x1e1 ALL] (vdst(F16), src0(F16))
                fu(FUnary::Cos, FloatTy::F16), OPSEL | FLOAT1 | DPP | SDWA;
            V_SAT_PK_U8_I16 [Vop1 0x62 ALL, Vop3 0x1e2 ALL] (vdst(B16), src0(PkI16))
                cvt(Cvt::SatPkU8FromI16), OPSEL | DPP | SDWA;
            V_CVT_NORM_I16_F16 [Vop1 0x63 ALL, Vop3 0x1e3 ALL] (vdst(I16), src0(F16))
                cvt(Cvt::NormI16FromF16), OPSEL | FCVT1 | DPP | SDWA;
            V_CVT_NORM_U16_F16 [Vop1 0x64 ALL, Vop3 0x1e4 ALL] (vdst(U16), src0(F16))
                cvt(Cvt::NormU16FromF16), OPSEL | FCVT1 | DPP | SDWA;
            V_SWAP_B32 [Vop1 0x65 ALL] (vdst(B32), vsrc0_dst(B32), vsrc0(B32), tied_vdst(B32))
                valu(Valu::Swap), NONE;
            V_SWAPREL_B32 [Vop1 0x68 ALL] (vdst(B32), vsrc0_dst(B32), vsrc0(B32), tied_vdst(B32))
                valu(Valu::SwapRel), RD_M0 | INDEXED;
        } }
    };
}
pub(super) use vop1_rows;
