//! Rows of the table: VOPC and the VOP3 forms of its rows. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! vopc_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // VOPC
            V_CMP_F_F32 [Vopc 0x00 ALL, Vop3 0x00 ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::F, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_LT_F32 [Vopc 0x01 ALL, Vop3 0x01 ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Lt, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_EQ_F32 [Vopc 0x02 ALL, Vop3 0x02 ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Eq, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_LE_F32 [Vopc 0x03 ALL, Vop3 0x03 ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Le, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_GT_F32 [Vopc 0x04 ALL, Vop3 0x04 ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Gt, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_LG_F32 [Vopc 0x05 ALL, Vop3 0x05 ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Lg, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_GE_F32 [Vopc 0x06 ALL, Vop3 0x06 ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Ge, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_O_F32 [Vopc 0x07 ALL, Vop3 0x07 ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::O, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_U_F32 [Vopc 0x08 ALL, Vop3 0x08 ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::U, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NGE_F32 [Vopc 0x09 ALL, Vop3 0x09 ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Nge, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NLG_F32 [Vopc 0x0a ALL, Vop3 0x0a ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Nlg, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NGT_F32 [Vopc 0x0b ALL, Vop3 0x0b ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Ngt, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NLE_F32 [Vopc 0x0c ALL, Vop3 0x0c ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Nle, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NEQ_F32 [Vopc 0x0d ALL, Vop3 0x0d ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Neq, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NLT_F32 [Vopc 0x0e ALL, Vop3 0x0e ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::Nlt, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_TRU_F32 [Vopc 0x0f ALL, Vop3 0x0f ALL] (cmp_dst(), src0(F32), src1(F32))
                vcmp(Cond::T, CmpTy::Float(FloatTy::F32), false), ABS_NEG2 | CLAMP | SDWA;
            V_CMP_F_F64 [Vopc 0x20 ALL, Vop3 0x20 ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::F, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_LT_F64 [Vopc 0x21 ALL, Vop3 0x21 ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Lt, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_EQ_F64 [Vopc 0x22 ALL, Vop3 0x22 ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Eq, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_LE_F64 [Vopc 0x23 ALL, Vop3 0x23 ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Le, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_GT_F64 [Vopc 0x24 ALL, Vop3 0x24 ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Gt, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_LG_F64 [Vopc 0x25 ALL, Vop3 0x25 ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Lg, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_GE_F64 [Vopc 0x26 ALL, Vop3 0x26 ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Ge, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_O_F64 [Vopc 0x27 ALL, Vop3 0x27 ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::O, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_U_F64 [Vopc 0x28 ALL, Vop3 0x28 ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::U, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_NGE_F64 [Vopc 0x29 ALL, Vop3 0x29 ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Nge, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_NLG_F64 [Vopc 0x2a ALL, Vop3 0x2a ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Nlg, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_NGT_F64 [Vopc 0x2b ALL, Vop3 0x2b ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Ngt, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_NLE_F64 [Vopc 0x2c ALL, Vop3 0x2c ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Nle, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_NEQ_F64 [Vopc 0x2d ALL, Vop3 0x2d ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Neq, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_NLT_F64 [Vopc 0x2e ALL, Vop3 0x2e ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::Nlt, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_TRU_F64 [Vopc 0x2f ALL, Vop3 0x2f ALL] (cmp_dst(), src0(F64), src1(F64))
                vcmp(Cond::T, CmpTy::Float(FloatTy::F64), false), ABS_NEG2 | CLAMP;
            V_CMP_F_I32 [Vopc 0x80 ALL, Vop3 0x80 ALL] (cmp_dst(), src0(I32), src1(I32))
                vcmp(Cond::F, CmpTy::Int(IntTy::I32), false), SDWA;
            V_CMP_LT_I32 [Vopc 0x81 ALL, Vop3 0x81 ALL] (cmp_dst(), src0(I32), src1(I32))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::I32), false), SDWA;
            V_CMP_EQ_I32 [Vopc 0x82 ALL, Vop3 0x82 ALL] (cmp_dst(), src0(I32), src1(I32))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::I32), false), SDWA;
            V_CMP_LE_I32 [Vopc 0x83 ALL, Vop3 0x83 ALL] (cmp_dst(), src0(I32), src1(I32))
                vcmp(Cond::Le, CmpTy::Int(IntTy::I32), false), SDWA;
            V_CMP_GT_I32 [Vopc 0x84 ALL, Vop3 0x84 ALL] (cmp_dst(), src0(I32), src1(I32))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::I32), false), SDWA;
            V_CMP_NE_I32 [Vopc 0x85 ALL, Vop3 0x85 ALL] (cmp_dst(), src0(I32), src1(I32))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::I32), false), SDWA;
            V_CMP_GE_I32 [Vopc 0x86 ALL, Vop3 0x86 ALL] (cmp_dst(), src0(I32), src1(I32))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::I32), false), SDWA;
            V_CMP_T_I32 [Vopc 0x87 ALL, Vop3 0x87 ALL] (cmp_dst(), src0(I32), src1(I32))
                vcmp(Cond::T, CmpTy::Int(IntTy::I32), false), SDWA;
            V_CMP_CLASS_F32 [Vopc 0x88 ALL, Vop3 0x88 ALL] (cmp_dst(), src0(F32), src1(U32))
                valu(Valu::CmpClass { ty: FloatTy::F32, exec: false }), ABS_NEG1 | SDWA;
            V_CMP_LT_I16 [Vopc 0x89 ALL, Vop3 0x89 ALL] (cmp_dst(), src0(I16), src1(I16))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::I16), false), OPSEL | SDWA;
            V_CMP_EQ_I16 [Vopc 0x8a ALL, Vop3 0x8a ALL] (cmp_dst(), src0(I16), src1(I16))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::I16), false), OPSEL | SDWA;
            V_CMP_LE_I16 [Vopc 0x8b ALL, Vop3 0x8b ALL] (cmp_dst(), src0(I16), src1(I16))
                vcmp(Cond::Le, CmpTy::Int(IntTy::I16), false), OPSEL | SDWA;
            V_CMP_GT_I16 [Vopc 0x8c ALL, Vop3 0x8c ALL] (cmp_dst(), src0(I16), src1(I16))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::I16), false), OPSEL | SDWA;
            V_CMP_NE_I16 [Vopc 0x8d ALL, Vop3 0x8d ALL] (cmp_dst(), src0(I16), src1(I16))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::I16), false), OPSEL | SDWA;
            V_CMP_GE_I16 [Vopc 0x8e ALL, Vop3 0x8e ALL] (cmp_dst(), src0(I16), src1(I16))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::I16), false), OPSEL | SDWA;
            V_CMP_CLASS_F16 [Vopc 0x8f ALL, Vop3 0x8f ALL] (cmp_dst(), src0(F16), src1(U16))
                valu(Valu::CmpClass { ty: FloatTy::F16, exec: false }), OPSEL | ABS_NEG1 | SDWA;
            V_CMP_F_I64 [Vopc 0xa0 ALL, Vop3 0xa0 ALL] (cmp_dst(), src0(I64), src1(I64))
                vcmp(Cond::F, CmpTy::Int(IntTy::I64), false), NONE;
            V_CMP_LT_I64 [Vopc 0xa1 ALL, Vop3 0xa1 ALL] (cmp_dst(), src0(I64), src1(I64))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::I64), false), NONE;
            V_CMP_EQ_I64 [Vopc 0xa2 ALL, Vop3 0xa2 ALL] (cmp_dst(), src0(I64), src1(I64))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::I64), false), NONE;
            V_CMP_LE_I64 [Vopc 0xa3 ALL, Vop3 0xa3 ALL] (cmp_dst(), src0(I64), src1(I64))
                vcmp(Cond::Le, CmpTy::Int(IntTy::I64), false), NONE;
            V_CMP_GT_I64 [Vopc 0xa4 ALL, Vop3 0xa4 ALL] (cmp_dst(), src0(I64), src1(I64))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::I64), false), NONE;
            V_CMP_NE_I64 [Vopc 0xa5 ALL, Vop3 0xa5 ALL] (cmp_dst(), src0(I64), src1(I64))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::I64), false), NONE;
            V_CMP_GE_I64 [Vopc 0xa6 ALL, Vop3 0xa6 ALL] (cmp_dst(), src0(I64), src1(I64))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::I64), false), NONE;
            V_CMP_T_I64 [Vopc 0xa7 ALL, Vop3 0xa7 ALL] (cmp_dst(), src0(I64), src1(I64))
                vcmp(Cond::T, CmpTy::Int(IntTy::I64), false), NONE;
            V_CMP_CLASS_F64 [Vopc 0xa8 ALL, Vop3 0xa8 ALL] (cmp_dst(), src0(F64), src1(U32))
                valu(Valu::CmpClass { ty: FloatTy::F64, exec: false }), ABS_NEG1;
            V_CMP_LT_U16 [Vopc 0xa9 ALL, Vop3 0xa9 ALL] (cmp_dst(), src0(U16), src1(U16))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::U16), false), OPSEL | SDWA;
            V_CMP_EQ_U16 [Vopc 0xaa ALL, Vop3 0xaa ALL] (cmp_dst(), src0(U16), src1(U16))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::U16), false), OPSEL | SDWA;
            V_CMP_LE_U16 [Vopc 0xab ALL, Vop3 0xab ALL] (cmp_dst(), src0(U16), src1(U16))
                vcmp(Cond::Le, CmpTy::Int(IntTy::U16), false), OPSEL | SDWA;
            V_CMP_GT_U16 [Vopc 0xac ALL, Vop3 0xac ALL] (cmp_dst(), src0(U16), src1(U16))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::U16), false), OPSEL | SDWA;
            V_CMP_NE_U16 [Vopc 0xad ALL, Vop3 0xad ALL] (cmp_dst(), src0(U16), src1(U16))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::U16), false), OPSEL | SDWA;
            V_CMP_GE_U16 [Vopc 0xae ALL, Vop3 0xae ALL] (cmp_dst(), src0(U16), src1(U16))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::U16), false), OPSEL | SDWA;
            V_CMP_F_U32 [Vopc 0xc0 ALL, Vop3 0xc0 ALL] (cmp_dst(), src0(U32), src1(U32))
                vcmp(Cond::F, CmpTy::Int(IntTy::U32), false), SDWA;
            V_CMP_LT_U32 [Vopc 0xc1 ALL, Vop3 0xc1 ALL] (cmp_dst(), src0(U32), src1(U32))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::U32), false), SDWA;
            V_CMP_EQ_U32 [Vopc 0xc2 ALL, Vop3 0xc2 ALL] (cmp_dst(), src0(U32), src1(U32))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::U32), false), SDWA;
            V_CMP_LE_U32 [Vopc 0xc3 ALL, Vop3 0xc3 ALL] (cmp_dst(), src0(U32), src1(U32))
                vcmp(Cond::Le, CmpTy::Int(IntTy::U32), false), SDWA;
            V_CMP_GT_U32 [Vopc 0xc4 ALL, Vop3 0xc4 ALL] (cmp_dst(), src0(U32), src1(U32))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::U32), false), SDWA;
            V_CMP_NE_U32 [Vopc 0xc5 ALL, Vop3 0xc5 ALL] (cmp_dst(), src0(U32), src1(U32))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::U32), false), SDWA;
            V_CMP_GE_U32 [Vopc 0xc6 ALL, Vop3 0xc6 ALL] (cmp_dst(), src0(U32), src1(U32))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::U32), false), SDWA;
            V_CMP_T_U32 [Vopc 0xc7 ALL, Vop3 0xc7 ALL] (cmp_dst(), src0(U32), src1(U32))
                vcmp(Cond::T, CmpTy::Int(IntTy::U32), false), SDWA;
            V_CMP_F_F16 [Vopc 0xc8 ALL, Vop3 0xc8 ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::F, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_LT_F16 [Vopc 0xc9 ALL, Vop3 0xc9 ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Lt, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_EQ_F16 [Vopc 0xca ALL, Vop3 0xca ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Eq, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_LE_F16 [Vopc 0xcb ALL, Vop3 0xcb ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Le, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_GT_F16 [Vopc 0xcc ALL, Vop3 0xcc ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Gt, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_LG_F16 [Vopc 0xcd ALL, Vop3 0xcd ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Lg, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_GE_F16 [Vopc 0xce ALL, Vop3 0xce ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Ge, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_O_F16 [Vopc 0xcf ALL, Vop3 0xcf ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::O, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_F_U64 [Vopc 0xe0 ALL, Vop3 0xe0 ALL] (cmp_dst(), src0(U64), src1(U64))
                vcmp(Cond::F, CmpTy::Int(IntTy::U64), false), NONE;
            V_CMP_LT_U64 [Vopc 0xe1 ALL, Vop3 0xe1 ALL] (cmp_dst(), src0(U64), src1(U64))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::U64), false), NONE;
            V_CMP_EQ_U64 [Vopc 0xe2 ALL, Vop3 0xe2 ALL] (cmp_dst(), src0(U64), src1(U64))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::U64), false), NONE;
            V_CMP_LE_U64 [Vopc 0xe3 ALL, Vop3 0xe3 ALL] (cmp_dst(), src0(U64), src1(U64))
                vcmp(Cond::Le, CmpTy::Int(IntTy::U64), false), NONE;
            V_CMP_GT_U64 [Vopc 0xe4 ALL, Vop3 0xe4 ALL] (cmp_dst(), src0(U64), src1(U64))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::U64), false), NONE;
            V_CMP_NE_U64 [Vopc 0xe5 ALL, Vop3 0xe5 ALL] (cmp_dst(), src0(U64), src1(U64))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::U64), false), NONE;
            V_CMP_GE_U64 [Vopc 0xe6 ALL, Vop3 0xe6 ALL] (cmp_dst(), src0(U64), src1(U64))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::U64), false), NONE;
            V_CMP_T_U64 [Vopc 0xe7 ALL, Vop3 0xe7 ALL] (cmp_dst(), src0(U64), src1(U64))
                vcmp(Cond::T, CmpTy::Int(IntTy::U64), false), NONE;
            V_CMP_U_F16 [Vopc 0xe8 ALL, Vop3 0xe8 ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::U, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NGE_F16 [Vopc 0xe9 ALL, Vop3 0xe9 ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Nge, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NLG_F16 [Vopc 0xea ALL, Vop3 0xea ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Nlg, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NGT_F16 [Vopc 0xeb ALL, Vop3 0xeb ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Ngt, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NLE_F16 [Vopc 0xec ALL, Vop3 0xec ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Nle, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NEQ_F16 [Vopc 0xed ALL, Vop3 0xed ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Neq, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_NLT_F16 [Vopc 0xee ALL, Vop3 0xee ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::Nlt, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMP_TRU_F16 [Vopc 0xef ALL, Vop3 0xef ALL] (cmp_dst(), src0(F16), src1(F16))
                vcmp(Cond::T, CmpTy::Float(FloatTy::F16), false), OPSEL | ABS_NEG2 | CLAMP | SDWA;
            V_CMPX_F_F32 [Vopc 0x10 ALL, Vop3 0x10 ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::F, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_LT_F32 [Vopc 0x11 ALL, Vop3 0x11 ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Lt, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_EQ_F32 [Vopc 0x12 ALL, Vop3 0x12 ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Eq, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_LE_F32 [Vopc 0x13 ALL, Vop3 0x13 ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Le, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_GT_F32 [Vopc 0x14 ALL, Vop3 0x14 ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Gt, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_LG_F32 [Vopc 0x15 ALL, Vop3 0x15 ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Lg, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_GE_F32 [Vopc 0x16 ALL, Vop3 0x16 ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Ge, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_O_F32 [Vopc 0x17 ALL, Vop3 0x17 ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::O, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_U_F32 [Vopc 0x18 ALL, Vop3 0x18 ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::U, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NGE_F32 [Vopc 0x19 ALL, Vop3 0x19 ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Nge, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NLG_F32 [Vopc 0x1a ALL, Vop3 0x1a ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Nlg, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NGT_F32 [Vopc 0x1b ALL, Vop3 0x1b ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Ngt, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NLE_F32 [Vopc 0x1c ALL, Vop3 0x1c ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Nle, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NEQ_F32 [Vopc 0x1d ALL, Vop3 0x1d ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Neq, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NLT_F32 [Vopc 0x1e ALL, Vop3 0x1e ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::Nlt, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_TRU_F32 [Vopc 0x1f ALL, Vop3 0x1f ALL] (exec_dst(), src0(F32), src1(F32))
                vcmp(Cond::T, CmpTy::Float(FloatTy::F32), true), ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_F_F64 [Vopc 0x30 ALL, Vop3 0x30 ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::F, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_LT_F64 [Vopc 0x31 ALL, Vop3 0x31 ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Lt, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_EQ_F64 [Vopc 0x32 ALL, Vop3 0x32 ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Eq, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_LE_F64 [Vopc 0x33 ALL, Vop3 0x33 ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Le, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_GT_F64 [Vopc 0x34 ALL, Vop3 0x34 ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Gt, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_LG_F64 [Vopc 0x35 ALL, Vop3 0x35 ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Lg, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_GE_F64 [Vopc 0x36 ALL, Vop3 0x36 ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Ge, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_O_F64 [Vopc 0x37 ALL, Vop3 0x37 ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::O, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_U_F64 [Vopc 0x38 ALL, Vop3 0x38 ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::U, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_NGE_F64 [Vopc 0x39 ALL, Vop3 0x39 ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Nge, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_NLG_F64 [Vopc 0x3a ALL, Vop3 0x3a ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Nlg, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_NGT_F64 [Vopc 0x3b ALL, Vop3 0x3b ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Ngt, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_NLE_F64 [Vopc 0x3c ALL, Vop3 0x3c ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Nle, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_NEQ_F64 [Vopc 0x3d ALL, Vop3 0x3d ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Neq, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_NLT_F64 [Vopc 0x3e ALL, Vop3 0x3e ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::Nlt, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_TRU_F64 [Vopc 0x3f ALL, Vop3 0x3f ALL] (exec_dst(), src0(F64), src1(F64))
                vcmp(Cond::T, CmpTy::Float(FloatTy::F64), true), ABS_NEG2 | CLAMP | WR_EXEC;
            V_CMPX_F_I32 [Vopc 0x90 ALL, Vop3 0x90 ALL] (exec_dst(), src0(I32), src1(I32))
                vcmp(Cond::F, CmpTy::Int(IntTy::I32), true), SDWA | WR_EXEC;
            V_CMPX_LT_I32 [Vopc 0x91 ALL, Vop3 0x91 ALL] (exec_dst(), src0(I32), src1(I32))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::I32), true), SDWA | WR_EXEC;
            V_CMPX_EQ_I32 [Vopc 0x92 ALL, Vop3 0x92 ALL] (exec_dst(), src0(I32), src1(I32))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::I32), true), SDWA | WR_EXEC;
            V_CMPX_LE_I32 [Vopc 0x93 ALL, Vop3 0x93 ALL] (exec_dst(), src0(I32), src1(I32))
                vcmp(Cond::Le, CmpTy::Int(IntTy::I32), true), SDWA | WR_EXEC;
            V_CMPX_GT_I32 [Vopc 0x94 ALL, Vop3 0x94 ALL] (exec_dst(), src0(I32), src1(I32))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::I32), true), SDWA | WR_EXEC;
            V_CMPX_NE_I32 [Vopc 0x95 ALL, Vop3 0x95 ALL] (exec_dst(), src0(I32), src1(I32))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::I32), true), SDWA | WR_EXEC;
            V_CMPX_GE_I32 [Vopc 0x96 ALL, Vop3 0x96 ALL] (exec_dst(), src0(I32), src1(I32))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::I32), true), SDWA | WR_EXEC;
            V_CMPX_T_I32 [Vopc 0x97 ALL, Vop3 0x97 ALL] (exec_dst(), src0(I32), src1(I32))
                vcmp(Cond::T, CmpTy::Int(IntTy::I32), true), SDWA | WR_EXEC;
            V_CMPX_CLASS_F32 [Vopc 0x98 ALL, Vop3 0x98 ALL] (exec_dst(), src0(F32), src1(U32))
                valu(Valu::CmpClass { ty: FloatTy::F32, exec: true }), ABS_NEG1 | SDWA | WR_EXEC;
            V_CMPX_LT_I16 [Vopc 0x99 ALL, Vop3 0x99 ALL] (exec_dst(), src0(I16), src1(I16))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::I16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_EQ_I16 [Vopc 0x9a ALL, Vop3 0x9a ALL] (exec_dst(), src0(I16), src1(I16))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::I16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_LE_I16 [Vopc 0x9b ALL, Vop3 0x9b ALL] (exec_dst(), src0(I16), src1(I16))
                vcmp(Cond::Le, CmpTy::Int(IntTy::I16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_GT_I16 [Vopc 0x9c ALL, Vop3 0x9c ALL] (exec_dst(), src0(I16), src1(I16))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::I16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_NE_I16 [Vopc 0x9d ALL, Vop3 0x9d ALL] (exec_dst(), src0(I16), src1(I16))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::I16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_GE_I16 [Vopc 0x9e ALL, Vop3 0x9e ALL] (exec_dst(), src0(I16), src1(I16))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::I16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_CLASS_F16 [Vopc 0x9f ALL, Vop3 0x9f ALL] (exec_dst(), src0(F16), src1(U16))
                valu(Valu::CmpClass { ty: FloatTy::F16, exec: true }), OPSEL | ABS_NEG1 | SDWA | WR_EXEC;
            V_CMPX_F_I64 [Vopc 0xb0 ALL, Vop3 0xb0 ALL] (exec_dst(), src0(I64), src1(I64))
                vcmp(Cond::F, CmpTy::Int(IntTy::I64), true), WR_EXEC;
            V_CMPX_LT_I64 [Vopc 0xb1 ALL, Vop3 0xb1 ALL] (exec_dst(), src0(I64), src1(I64))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::I64), true), WR_EXEC;
            V_CMPX_EQ_I64 [Vopc 0xb2 ALL, Vop3 0xb2 ALL] (exec_dst(), src0(I64), src1(I64))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::I64), true), WR_EXEC;
            V_CMPX_LE_I64 [Vopc 0xb3 ALL, Vop3 0xb3 ALL] (exec_dst(), src0(I64), src1(I64))
                vcmp(Cond::Le, CmpTy::Int(IntTy::I64), true), WR_EXEC;
            V_CMPX_GT_I64 [Vopc 0xb4 ALL, Vop3 0xb4 ALL] (exec_dst(), src0(I64), src1(I64))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::I64), true), WR_EXEC;
            V_CMPX_NE_I64 [Vopc 0xb5 ALL, Vop3 0xb5 ALL] (exec_dst(), src0(I64), src1(I64))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::I64), true), WR_EXEC;
            V_CMPX_GE_I64 [Vopc 0xb6 ALL, Vop3 0xb6 ALL] (exec_dst(), src0(I64), src1(I64))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::I64), true), WR_EXEC;
            V_CMPX_T_I64 [Vopc 0xb7 ALL, Vop3 0xb7 ALL] (exec_dst(), src0(I64), src1(I64))
                vcmp(Cond::T, CmpTy::Int(IntTy::I64), true), WR_EXEC;
            V_CMPX_CLASS_F64 [Vopc 0xb8 ALL, Vop3 0xb8 ALL] (exec_dst(), src0(F64), src1(U32))
                valu(Valu::CmpClass { ty: FloatTy::F64, exec: true }), ABS_NEG1 | WR_EXEC;
            V_CMPX_LT_U16 [Vopc 0xb9 ALL, Vop3 0xb9 ALL] (exec_dst(), src0(U16), src1(U16))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::U16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_EQ_U16 [Vopc 0xba ALL, Vop3 0xba ALL] (exec_dst(), src0(U16), src1(U16))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::U16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_LE_U16 [Vopc 0xbb ALL, Vop3 0xbb ALL] (exec_dst(), src0(U16), src1(U16))
                vcmp(Cond::Le, CmpTy::Int(IntTy::U16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_GT_U16 [Vopc 0xbc ALL, Vop3 0xbc ALL] (exec_dst(), src0(U16), src1(U16))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::U16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_NE_U16 [Vopc 0xbd ALL, Vop3 0xbd ALL] (exec_dst(), src0(U16), src1(U16))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::U16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_GE_U16 [Vopc 0xbe ALL, Vop3 0xbe ALL] (exec_dst(), src0(U16), src1(U16))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::U16), true), OPSEL | SDWA | WR_EXEC;
            V_CMPX_F_U32 [Vopc 0xd0 ALL, Vop3 0xd0 ALL] (exec_dst(), src0(U32), src1(U32))
                vcmp(Cond::F, CmpTy::Int(IntTy::U32), true), SDWA | WR_EXEC;
            V_CMPX_LT_U32 [Vopc 0xd1 ALL, Vop3 0xd1 ALL] (exec_dst(), src0(U32), src1(U32))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::U32), true), SDWA | WR_EXEC;
            V_CMPX_EQ_U32 [Vopc 0xd2 ALL, Vop3 0xd2 ALL] (exec_dst(), src0(U32), src1(U32))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::U32), true), SDWA | WR_EXEC;
            V_CMPX_LE_U32 [Vopc 0xd3 ALL, Vop3 0xd3 ALL] (exec_dst(), src0(U32), src1(U32))
                vcmp(Cond::Le, CmpTy::Int(IntTy::U32), true), SDWA | WR_EXEC;
            V_CMPX_GT_U32 [Vopc 0xd4 ALL, Vop3 0xd4 ALL] (exec_dst(), src0(U32), src1(U32))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::U32), true), SDWA | WR_EXEC;
            V_CMPX_NE_U32 [Vopc 0xd5 ALL, Vop3 0xd5 ALL] (exec_dst(), src0(U32), src1(U32))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::U32), true), SDWA | WR_EXEC;
            V_CMPX_GE_U32 [Vopc 0xd6 ALL, Vop3 0xd6 ALL] (exec_dst(), src0(U32), src1(U32))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::U32), true), SDWA | WR_EXEC;
            V_CMPX_T_U32 [Vopc 0xd7 ALL, Vop3 0xd7 ALL] (exec_dst(), src0(U32), src1(U32))
                vcmp(Cond::T, CmpTy::Int(IntTy::U32), true), SDWA | WR_EXEC;
            V_CMPX_F_F16 [Vopc 0xd8 ALL, Vop3 0xd8 ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::F, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_LT_F16 [Vopc 0xd9 ALL, Vop3 0xd9 ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Lt, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_EQ_F16 [Vopc 0xda ALL, Vop3 0xda ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Eq, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_LE_F16 [Vopc 0xdb ALL, Vop3 0xdb ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Le, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_GT_F16 [Vopc 0xdc ALL, Vop3 0xdc ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Gt, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_LG_F16 [Vopc 0xdd ALL, Vop3 0xdd ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Lg, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_GE_F16 [Vopc 0xde ALL, Vop3 0xde ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Ge, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_O_F16 [Vopc 0xdf ALL, Vop3 0xdf ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::O, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_F_U64 [Vopc 0xf0 ALL, Vop3 0xf0 ALL] (exec_dst(), src0(U64), src1(U64))
                vcmp(Cond::F, CmpTy::Int(IntTy::U64), true), WR_EXEC;
            V_CMPX_LT_U64 [Vopc 0xf1 ALL, Vop3 0xf1 ALL] (exec_dst(), src0(U64), src1(U64))
                vcmp(Cond::Lt, CmpTy::Int(IntTy::U64), true), WR_EXEC;
            V_CMPX_EQ_U64 [Vopc 0xf2 ALL, Vop3 0xf2 ALL] (exec_dst(), src0(U64), src1(U64))
                vcmp(Cond::Eq, CmpTy::Int(IntTy::U64), true), WR_EXEC;
            V_CMPX_LE_U64 [Vopc 0xf3 ALL, Vop3 0xf3 ALL] (exec_dst(), src0(U64), src1(U64))
                vcmp(Cond::Le, CmpTy::Int(IntTy::U64), true), WR_EXEC;
            V_CMPX_GT_U64 [Vopc 0xf4 ALL, Vop3 0xf4 ALL] (exec_dst(), src0(U64), src1(U64))
                vcmp(Cond::Gt, CmpTy::Int(IntTy::U64), true), WR_EXEC;
            V_CMPX_NE_U64 [Vopc 0xf5 ALL, Vop3 0xf5 ALL] (exec_dst(), src0(U64), src1(U64))
                vcmp(Cond::Lg, CmpTy::Int(IntTy::U64), true), WR_EXEC;
            V_CMPX_GE_U64 [Vopc 0xf6 ALL, Vop3 0xf6 ALL] (exec_dst(), src0(U64), src1(U64))
                vcmp(Cond::Ge, CmpTy::Int(IntTy::U64), true), WR_EXEC;
            V_CMPX_T_U64 [Vopc 0xf7 ALL, Vop3 0xf7 ALL] (exec_dst(), src0(U64), src1(U64))
                vcmp(Cond::T, CmpTy::Int(IntTy::U64), true), WR_EXEC;
            V_CMPX_U_F16 [Vopc 0xf8 ALL, Vop3 0xf8 ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::U, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NGE_F16 [Vopc 0xf9 ALL, Vop3 0xf9 ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Nge, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NLG_F16 [Vopc 0xfa ALL, Vop3 0xfa ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Nlg, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NGT_F16 [Vopc 0xfb ALL, Vop3 0xfb ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Ngt, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NLE_F16 [Vopc 0xfc ALL, Vop3 0xfc ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Nle, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NEQ_F16 [Vopc 0xfd ALL, Vop3 0xfd ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Neq, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_NLT_F16 [Vopc 0xfe ALL, Vop3 0xfe ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::Nlt, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
            V_CMPX_TRU_F16 [Vopc 0xff ALL, Vop3 0xff ALL] (exec_dst(), src0(F16), src1(F16))
                vcmp(Cond::T, CmpTy::Float(FloatTy::F16), true), OPSEL | ABS_NEG2 | CLAMP | SDWA | WR_EXEC;
        } }
    };
}
pub(super) use vopc_rows;
