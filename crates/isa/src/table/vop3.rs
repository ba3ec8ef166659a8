//! Rows of the table: rows that only VOP3 carries. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! vop3_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // VOP3
            V_MAD_LEGACY_F32 [Vop3 0x140 RDNA1] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::MadLegacy, FloatTy::F32), FLOAT3;
            V_FMA_LEGACY_F32 [Vop3 0x140 GFX1030] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::FmaLegacy, FloatTy::F32), FLOAT3;
            V_MAD_F32 [Vop3 0x141 RDNA1] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::Mad, FloatTy::F32), FLOAT3;
            V_MAD_I32_I24 [Vop3 0x142 ALL] (vdst(I32), src0(I32), src1(I32), src2(I32))
                it(ITernary::MadI24), CLAMP;
            V_MAD_U32_U24 [Vop3 0x143 ALL] (vdst(U32), src0(U32), src1(U32), src2(U32))
                it(ITernary::MadU24), CLAMP;
            V_CUBEID_F32 [Vop3 0x144 ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::CubeId, FloatTy::F32), FLOAT3;
            V_CUBESC_F32 [Vop3 0x145 ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::CubeSc, FloatTy::F32), FLOAT3;
            V_CUBETC_F32 [Vop3 0x146 ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::CubeTc, FloatTy::F32), FLOAT3;
            V_CUBEMA_F32 [Vop3 0x147 ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::CubeMa, FloatTy::F32), FLOAT3;
            V_BFE_U32 [Vop3 0x148 ALL] (vdst(U32), src0(U32), src1(U32), src2(U32))
                it(ITernary::BfeU32), NONE;
            V_BFE_I32 [Vop3 0x149 ALL] (vdst(I32), src0(I32), src1(U32), src2(U32))
                it(ITernary::BfeI32), NONE;
            V_BFI_B32 [Vop3 0x14a ALL] (vdst(B32), src0(B32), src1(B32), src2(B32))
                it(ITernary::Bfi), NONE;
            V_FMA_F32 [Vop3 0x14b ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::Fma, FloatTy::F32), FLOAT3;
            V_FMA_F64 [Vop3 0x14c ALL] (vdst(F64), src0(F64), src1(F64), src2(F64))
                ft(FTernary::Fma, FloatTy::F64), FLOAT3;
            V_LERP_U8 [Vop3 0x14d ALL] (vdst(B32), src0(B32), src1(B32), src2(B32))
                it(ITernary::LerpU8), NONE;
            V_ALIGNBIT_B32 [Vop3 0x14e ALL] (vdst(B32), src0(B32), src1(B32), src2(U32))
                it(ITernary::AlignBit), NONE;
            V_ALIGNBYTE_B32 [Vop3 0x14f ALL] (vdst(B32), src0(B32), src1(B32), src2(U32))
                it(ITernary::AlignByte), NONE;
            V_MULLIT_F32 [Vop3 0x150 ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::Mullit, FloatTy::F32), FLOAT3;
            V_MIN3_F32 [Vop3 0x151 ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::Min3, FloatTy::F32), FLOAT3;
            V_MIN3_I32 [Vop3 0x152 ALL] (vdst(I32), src0(I32), src1(I32), src2(I32))
                it(ITernary::Min3(IntTy::I32)), NONE;
            V_MIN3_U32 [Vop3 0x153 ALL] (vdst(U32), src0(U32), src1(U32), src2(U32))
                it(ITernary::Min3(IntTy::U32)), NONE;
            V_MAX3_F32 [Vop3 0x154 ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::Max3, FloatTy::F32), FLOAT3;
            V_MAX3_I32 [Vop3 0x155 ALL] (vdst(I32), src0(I32), src1(I32), src2(I32))
                it(ITernary::Max3(IntTy::I32)), NONE;
            V_MAX3_U32 [Vop3 0x156 ALL] (vdst(U32), src0(U32), src1(U32), src2(U32))
                it(ITernary::Max3(IntTy::U32)), NONE;
            V_MED3_F32 [Vop3 0x157 ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::Med3, FloatTy::F32), FLOAT3;
            V_MED3_I32 [Vop3 0x158 ALL] (vdst(I32), src0(I32), src1(I32), src2(I32))
                it(ITernary::Med3(IntTy::I32)), NONE;
            V_MED3_U32 [Vop3 0x159 ALL] (vdst(U32), src0(U32), src1(U32), src2(U32))
                it(ITernary::Med3(IntTy::U32)), NONE;
            V_SAD_U8 [Vop3 0x15a ALL] (vdst(U32), src0(B32), src1(B32), src2(U32))
                it(ITernary::SadU8), CLAMP;
            V_SAD_HI_U8 [Vop3 0x15b ALL] (vdst(U32), src0(B32), src1(B32), src2(U32))
                it(ITernary::SadHiU8), CLAMP;
            V_SAD_U16 [Vop3 0x15c ALL] (vdst(U32), src0(B32), src1(B32), src2(U32))
                it(ITernary::SadU16), CLAMP;
            V_SAD_U32 [Vop3 0x15d ALL] (vdst(U32), src0(U32), src1(U32), src2(U32))
                it(ITernary::SadU32), CLAMP;
            V_CVT_PK_U8_F32 [Vop3 0x15e ALL] (vdst(B32), src0(F32), src1(U32), src2(B32))
                cvt(Cvt::PkU8FromF32), ABS_NEG1 | CLAMP;
            V_DIV_FIXUP_F32 [Vop3 0x15f ALL] (vdst(F32), src0(F32), src1(F32), src2(F32))
                ft(FTernary::DivFixup, FloatTy::F32), FLOAT3;
            V_DIV_FIXUP_F64 [Vop3 0x160 ALL] (vdst(F64), src0(F64), src1(F64), src2(F64))
                ft(FTernary::DivFixup, FloatTy::F64), FLOAT3;
            V_ADD_F64 [Vop3 0x164 ALL] (vdst(F64), src0(F64), src1(F64))
                fb(FBinary::Add, FloatTy::F64), FLOAT2;
            V_MUL_F64 [Vop3 0x165 ALL] (vdst(F64), src0(F64), src1(F64))
                fb(FBinary::Mul, FloatTy::F64), FLOAT2;
            V_MIN_F64 [Vop3 0x166 ALL] (vdst(F64), src0(F64), src1(F64))
                fb(FBinary::Min, FloatTy::F64), FLOAT2;
            V_MAX_F64 [Vop3 0x167 ALL] (vdst(F64), src0(F64), src1(F64))
                fb(FBinary::Max, FloatTy::F64), FLOAT2;
            V_LDEXP_F64 [Vop3 0x168 ALL] (vdst(F64), src0(F64), src1(I32))
                fb(FBinary::Ldexp, FloatTy::F64), ABS_NEG1 | OMOD | CLAMP;
            V_MUL_LO_U32 [Vop3 0x169 ALL] (vdst(U32), src0(U32), src1(U32))
                ib(IBinary::MulLo(IntTy::U32)), NONE;
            V_MUL_HI_U32 [Vop3 0x16a ALL] (vdst(U32), src0(U32), src1(U32))
                ib(IBinary::MulHi(IntTy::U32)), NONE;
            V_MUL_LO_I32 [Vop3 0x16b RDNA1] (vdst(I32), src0(I32), src1(I32))
                ib(IBinary::MulLo(IntTy::I32)), NONE;
            V_MUL_HI_I32 [Vop3 0x16c ALL] (vdst(I32), src0(I32), src1(I32))
                ib(IBinary::MulHi(IntTy::I32)), NONE;
            V_DIV_SCALE_F32 [Vop3 0x16d ALL] (vdst(F32), carry_out(), src0(F32), src1(F32), src2(F32))
                valu(Valu::DivScale(FloatTy::F32)), NEG3 | OMOD | CLAMP;
            V_DIV_SCALE_F64 [Vop3 0x16e ALL] (vdst(F64), carry_out(), src0(F64), src1(F64), src2(F64))
                valu(Valu::DivScale(FloatTy::F64)), NEG3 | OMOD | CLAMP;
            V_DIV_FMAS_F32 [Vop3 0x16f ALL] (vdst(F32), src0(F32), src1(F32), src2(F32), vcc_in())
                ft(FTernary::DivFmas, FloatTy::F32), FLOAT3 | RD_VCC;
            V_DIV_FMAS_F64 [Vop3 0x170 ALL] (vdst(F64), src0(F64), src1(F64), src2(F64), vcc_in())
                ft(FTernary::DivFmas, FloatTy::F64), FLOAT3 | RD_VCC;
            V_MSAD_U8 [Vop3 0x171 ALL] (vdst(U32), src0(B32), src1(B32), src2(U32))
                it(ITernary::MsadU8), CLAMP;
            V_QSAD_PK_U16_U8 [Vop3 0x172 ALL] (vdst(B64), src0(B64), src1(B32), src2(B64))
                it(ITernary::QsadPkU16U8), CLAMP;
            V_MQSAD_PK_U16_U8 [Vop3 0x173 ALL] (vdst(B64), src0(B64), src1(B32), src2(B64))
                it(ITernary::MqsadPkU16U8), CLAMP;
            V_TRIG_PREOP_F64 [Vop3 0x174 ALL] (vdst(F64), src0(F64), src1(U32))
                valu(Valu::TrigPreop), ABS_NEG1 | OMOD | CLAMP;
            V_MQSAD_U32_U8 [Vop3 0x175 ALL] (vdst(B128), src0(B64), src1(B32), vsrc2(B128))
                it(ITernary::MqsadU32U8), CLAMP;
            V_MAD_U64_U32 [Vop3 0x176 ALL] (vdst(U64), carry_out(), src0(U32), src1(U32), src2(U64))
                valu(Valu::Mad64(Sign::Unsigned)), CLAMP;
            V_MAD_I64_I32 [Vop3 0x177 ALL] (vdst(I64), carry_out(), src0(I32), src1(I32), src2(I64))
                valu(Valu::Mad64(Sign::Signed)), CLAMP;
            V_XOR3_B32 [Vop3 0x178 ALL] (vdst(B32), src0(B32), src1(B32), src2(B32))
                it(ITernary::Xor3), NONE;
            V_LSHLREV_B64 [Vop3 0x2ff ALL] (vdst(B64), src0(U32), src1(B64))
                ib(IBinary::ShlRev(IntTy::U64)), NONE;
            V_LSHRREV_B64 [Vop3 0x300 ALL] (vdst(B64), src0(U32), src1(B64))
                ib(IBinary::ShrRev(IntTy::U64)), NONE;
            V_ASHRREV_I64 [Vop3 0x301 ALL] (vdst(I64), src0(U32), src1(I64))
                ib(IBinary::ShrRev(IntTy::I64)), NONE;
            V_ADD_NC_U16 [Vop3 0x303 ALL] (vdst(U16), src0(U16), src1(U16))
                ib(IBinary::Add(IntTy::U16)), OPSEL | CLAMP;
            V_SUB_NC_U16 [Vop3 0x304 ALL] (vdst(U16), src0(U16), src1(U16))
                ib(IBinary::Sub(IntTy::U16)), OPSEL | CLAMP;
            V_MUL_LO_U16 [Vop3 0x305 ALL] (vdst(U16), src0(U16), src1(U16))
                ib(IBinary::MulLo(IntTy::U16)), OPSEL;
            V_LSHRREV_B16 [Vop3 0x307 ALL] (vdst(B16), src0(U16), src1(B16))
                ib(IBinary::ShrRev(IntTy::U16)), OPSEL;
            V_ASHRREV_I16 [Vop3 0x308 ALL] (vdst(I16), src0(U16), src1(I16))
                ib(IBinary::ShrRev(IntTy::I16)), OPSEL;
            V_MAX_U16 [Vop3 0x309 ALL] (vdst(U16), src0(U16), src1(U16))
                ib(IBinary::Max(IntTy::U16)), OPSEL;
            V_MAX_I16 [Vop3 0x30a ALL] (vdst(I16), src0(I16), src1(I16))
                ib(IBinary::Max(IntTy::I16)), OPSEL;
            V_MIN_U16 [Vop3 0x30b ALL] (vdst(U16), src0(U16), src1(U16))
                ib(IBinary::Min(IntTy::U16)), OPSEL;
            V_MIN_I16 [Vop3 0x30c ALL] (vdst(I16), src0(I16), src1(I16))
                ib(IBinary::Min(IntTy::I16)), OPSEL;
            V_ADD_NC_I16 [Vop3 0x30d ALL] (vdst(I16), src0(I16), src1(I16))
                ib(IBinary::Add(IntTy::I16)), OPSEL | CLAMP;
            V_SUB_NC_I16 [Vop3 0x30e ALL] (vdst(I16), src0(I16), src1(I16))
                ib(IBinary::Sub(IntTy::I16)), OPSEL | CLAMP;
            V_ADD_CO_U32 [Vop3 0x30f ALL] (vdst(U32), carry_out(), src0(U32), src1(U32))
                valu(Valu::AddCo), CLAMP;
            V_SUB_CO_U32 [Vop3 0x310 ALL] (vdst(U32), carry_out(), src0(U32), src1(U32))
                valu(Valu::SubCo), CLAMP;
            V_SUBREV_CO_U32 [Vop3 0x319 ALL] (vdst(U32), carry_out(), src0(U32), src1(U32))
                valu(Valu::SubRevCo), CLAMP;
            V_PACK_B32_F16 [Vop3 0x311 ALL] (vdst(PkF16), src0(F16), src1(F16))
                cvt(Cvt::PackB32FromF16), OPSEL | ABS_NEG2 | CLAMP;
            V_CVT_PKNORM_I16_F16 [Vop3 0x312 ALL] (vdst(PkI16), src0(F16), src1(F16))
                cvt(Cvt::PkNormI16FromF16), OPSEL | ABS_NEG2 | CLAMP;
            V_CVT_PKNORM_U16_F16 [Vop3 0x313 ALL] (vdst(PkU16), src0(F16), src1(F16))
                cvt(Cvt::PkNormU16FromF16), OPSEL | ABS_NEG2 | CLAMP;
            V_LSHLREV_B16 [Vop3 0x314 ALL] (vdst(B16), src0(U16), src1(B16))
                ib(IBinary::ShlRev(IntTy::U16)), OPSEL;
            V_MAD_U16 [Vop3 0x340 ALL] (vdst(U16), src0(U16), src1(U16), src2(U16))
                it(ITernary::Mad16(Sign::Unsigned)), OPSEL | CLAMP;
            V_INTERP_P1LL_F16 [Vop3 0x342 ALL] (vdst(F32), interp_src(F32), attr_chan())
                interp(Interp::P1llF16), INTERP_MODS | OMOD | RD_M0;
            V_INTERP_P1LV_F16 [Vop3 0x343 ALL] (vdst(F32), interp_src(F32), attr_chan(), vsrc2(F16))
                interp(Interp::P1lvF16), INTERP_MODS2 | OMOD | RD_M0;
            V_PERM_B32 [Vop3 0x344 ALL] (vdst(B32), src0(B32), src1(B32), src2(B32))
                it(ITernary::Perm), NONE;
            V_XAD_U32 [Vop3 0x345 ALL] (vdst(U32), src0(U32), src1(U32), src2(U32))
                it(ITernary::Xad), NONE;
            V_LSHL_ADD_U32 [Vop3 0x346 ALL] (vdst(U32), src0(U32), src1(U32), src2(U32))
                it(ITernary::LshlAdd), NONE;
            V_ADD_LSHL_U32 [Vop3 0x347 ALL] (vdst(U32), src0(U32), src1(U32), src2(U32))
                it(ITernary::AddLshl), NONE;
            V_FMA_F16 [Vop3 0x34b ALL] (vdst(F16), src0(F16), src1(F16), src2(F16))
                ft(FTernary::Fma, FloatTy::F16), OPSEL | FLOAT3;
            V_MIN3_F16 [Vop3 0x351 ALL] (vdst(F16), src0(F16), src1(F16), src2(F16))
                ft(FTernary::Min3, FloatTy::F16), OPSEL | FLOAT3;
            V_MIN3_I16 [Vop3 0x352 ALL] (vdst(I16), src0(I16), src1(I16), src2(I16))
                it(ITernary::Min3(IntTy::I16)), OPSEL | CLAMP;
            V_MIN3_U16 [Vop3 0x353 ALL] (vdst(U16), src0(U16), src1(U16), src2(U16))
                it(ITernary::Min3(IntTy::U16)), OPSEL | CLAMP;
            V_MAX3_F16 [Vop3 0x354 ALL] (vdst(F16), src0(F16), src1(F16), src2(F16))
                ft(FTernary::Max3, FloatTy::F16), OPSEL | FLOAT3;
            V_MAX3_I16 [Vop3 0x355 ALL] (vdst(I16), src0(I16), src1(I16), src2(I16))
                it(ITernary::Max3(IntTy::I16)), OPSEL | CLAMP;
            V_MAX3_U16 [Vop3 0x356 ALL] (vdst(U16), src0(U16), src1(U16), src2(U16))
                it(ITernary::Max3(IntTy::U16)), OPSEL | CLAMP;
            V_MED3_F16 [Vop3 0x357 ALL] (vdst(F16), src0(F16), src1(F16), src2(F16))
                ft(FTernary::Med3, FloatTy::F16), OPSEL | FLOAT3;
            V_MED3_I16 [Vop3 0x358 ALL] (vdst(I16), src0(I16), src1(I16), src2(I16))
                it(ITernary::Med3(IntTy::I16)), OPSEL | CLAMP;
            V_MED3_U16 [Vop3 0x359 ALL] (vdst(U16), src0(U16), src1(U16), src2(U16))
                it(ITernary::Med3(IntTy::U16)), OPSEL | CLAMP;
            V_INTERP_P2_F16 [Vop3 0x35a ALL] (vdst(F16), interp_src(F32), attr_chan(), vsrc2(F32))
                interp(Interp::P2F16), INTERP_MODS2 | RD_M0;
            V_MAD_I16 [Vop3 0x35e ALL] (vdst(I16), src0(I16), src1(I16), src2(I16))
                it(ITernary::Mad16(Sign::Signed)), OPSEL | CLAMP;
            V_DIV_FIXUP_F16 [Vop3 0x35f ALL] (vdst(F16), src0(F16), src1(F16), src2(F16))
                ft(FTernary::DivFixup, FloatTy::F16), OPSEL | FLOAT3;
            V_READLANE_B32 [Vop3 0x360 ALL] (sgpr_dst(B32), vsrc0(B32), lane_sel())
                valu(Valu::ReadLane), LANES;
            V_WRITELANE_B32 [Vop3 0x361 ALL] (vdst(B32), scalar_src0(B32), lane_sel())
                valu(Valu::WriteLane), LANES;
            V_LDEXP_F32 [Vop3 0x362 ALL] (vdst(F32), src0(F32), src1(I32))
                fb(FBinary::Ldexp, FloatTy::F32), ABS_NEG1 | OMOD | CLAMP;
            V_BFM_B32 [Vop3 0x363 ALL] (vdst(B32), src0(U32), src1(U32)) ib(IBinary::Bfm), NONE;
            V_BCNT_U32_B32 [Vop3 0x364 ALL] (vdst(U32), src0(B32), src1(U32))
                ib(IBinary::BcntAdd), NONE;
            V_MBCNT_LO_U32_B32 [Vop3 0x365 ALL] (vdst(U32), src0(B32), src1(U32))
                ib(IBinary::MbcntLo), LANES;
            V_MBCNT_HI_U32_B32 [Vop3 0x366 ALL] (vdst(U32), src0(B32), src1(U32))
                ib(IBinary::MbcntHi), LANES;
            V_CVT_PKNORM_I16_F32 [Vop3 0x368 ALL] (vdst(PkI16), src0(F32), src1(F32))
                cvt(Cvt::PkNormI16FromF32), ABS_NEG2 | CLAMP;
            V_CVT_PKNORM_U16_F32 [Vop3 0x369 ALL] (vdst(PkU16), src0(F32), src1(F32))
                cvt(Cvt::PkNormU16FromF32), ABS_NEG2 | CLAMP;
            V_CVT_PK_U16_U32 [Vop3 0x36a ALL] (vdst(PkU16), src0(U32), src1(U32))
                cvt(Cvt::PkU16FromU32), NONE;
            V_CVT_PK_I16_I32 [Vop3 0x36b ALL] (vdst(PkI16), src0(I32), src1(I32))
                cvt(Cvt::PkI16FromI32), NONE;
            V_ADD3_U32 [Vop3 0x36d ALL] (vdst(U32), src0(U32), src1(U32), src2(U32))
                it(ITernary::Add3), NONE;
            V_LSHL_OR_B32 [Vop3 0x36f ALL] (vdst(B32), src0(B32), src1(B32), src2(B32))
                it(ITernary::LshlOr), NONE;
            V_AND_OR_B32 [Vop3 0x371 ALL] (vdst(B32), src0(B32), src1(B32), src2(B32))
                it(ITernary::AndOr), NONE;
            V_OR3_B32 [Vop3 0x372 ALL] (vdst(B32), src0(B32), src1(B32), src2(B32))
                it(ITernary::Or3), NONE;
            V_MAD_U32_U16 [Vop3 0x373 ALL] (vdst(U32), src0(U16), src1(U16), src2(U32))
                it(ITernary::Mad32_16(Sign::Unsigned)), OPSEL | CLAMP;
            V_MAD_I32_I16 [Vop3 0x375 ALL] (vdst(I32), src0(I16), src1(I16), src2(I32))
                it(ITernary::Mad32_16(Sign::Signed)), OPSEL | CLAMP;
            V_SUB_NC_I32 [Vop3 0x376 ALL] (vdst(I32), src0(I32), src1(I32))
                ib(IBinary::Sub(IntTy::I32)), CLAMP;
            V_PERMLANE16_B32 [Vop3 0x377 ALL] (vdst(B32), vsrc0(B32), scalar_src1(B32), scalar_src2(B32), tied_vdst(B32))
                valu(Valu::PermLane16), OPSEL01 | LANES;
            V_PERMLANEX16_B32 [Vop3 0x378 ALL] (vdst(B32), vsrc0(B32), scalar_src1(B32), scalar_src2(B32), tied_vdst(B32))
                valu(Valu::PermLaneX16), OPSEL01 | LANES;
            V_ADD_NC_I32 [Vop3 0x37f ALL] (vdst(I32), src0(I32), src1(I32))
                ib(IBinary::Add(IntTy::I32)), CLAMP;
        } }
    };
}
pub(super) use vop3_rows;
