//! Rows of the table: scalar ALU and control: SOP2, SOP1, SOPK, SOPC, SOPP. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! sop_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // SOP2
            S_ADD_U32 [Sop2 0x00 ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::AddU32), WR_SCC;
            S_SUB_U32 [Sop2 0x01 ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::SubU32), WR_SCC;
            S_ADD_I32 [Sop2 0x02 ALL] (sdst(I32), ssrc0(I32), ssrc1(I32))
                salu(Salu::AddI32), WR_SCC;
            S_SUB_I32 [Sop2 0x03 ALL] (sdst(I32), ssrc0(I32), ssrc1(I32))
                salu(Salu::SubI32), WR_SCC;
            S_ADDC_U32 [Sop2 0x04 ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::AddcU32), RD_SCC | WR_SCC;
            S_SUBB_U32 [Sop2 0x05 ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::SubbU32), RD_SCC | WR_SCC;
            S_MIN_I32 [Sop2 0x06 ALL] (sdst(I32), ssrc0(I32), ssrc1(I32))
                salu(Salu::Min(Sign::Signed)), WR_SCC;
            S_MIN_U32 [Sop2 0x07 ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::Min(Sign::Unsigned)), WR_SCC;
            S_MAX_I32 [Sop2 0x08 ALL] (sdst(I32), ssrc0(I32), ssrc1(I32))
                salu(Salu::Max(Sign::Signed)), WR_SCC;
            S_MAX_U32 [Sop2 0x09 ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::Max(Sign::Unsigned)), WR_SCC;
            S_CSELECT_B32 [Sop2 0x0a ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Cselect(W32)), RD_SCC;
            S_CSELECT_B64 [Sop2 0x0b ALL] (sdst(B64), ssrc0(B64), ssrc1(B64))
                salu(Salu::Cselect(W64)), RD_SCC;
            S_AND_B32 [Sop2 0x0e ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Logic(Logic::And, W32)), WR_SCC;
            S_AND_B64 [Sop2 0x0f ALL] (sdst(B64), ssrc0(B64), ssrc1(B64))
                salu(Salu::Logic(Logic::And, W64)), WR_SCC;
            S_OR_B32 [Sop2 0x10 ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Logic(Logic::Or, W32)), WR_SCC;
            S_OR_B64 [Sop2 0x11 ALL] (sdst(B64), ssrc0(B64), ssrc1(B64))
                salu(Salu::Logic(Logic::Or, W64)), WR_SCC;
            S_XOR_B32 [Sop2 0x12 ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Logic(Logic::Xor, W32)), WR_SCC;
            S_XOR_B64 [Sop2 0x13 ALL] (sdst(B64), ssrc0(B64), ssrc1(B64))
                salu(Salu::Logic(Logic::Xor, W64)), WR_SCC;
            S_ANDN2_B32 [Sop2 0x14 ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Logic(Logic::AndN2, W32)), WR_SCC;
            S_ANDN2_B64 [Sop2 0x15 ALL] (sdst(B64), ssrc0(B64), ssrc1(B64))
                salu(Salu::Logic(Logic::AndN2, W64)), WR_SCC;
            S_ORN2_B32 [Sop2 0x16 ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Logic(Logic::OrN2, W32)), WR_SCC;
            S_ORN2_B64 [Sop2 0x17 ALL] (sdst(B64), ssrc0(B64), ssrc1(B64))
                salu(Salu::Logic(Logic::OrN2, W64)), WR_SCC;
            S_NAND_B32 [Sop2 0x18 ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Logic(Logic::Nand, W32)), WR_SCC;
            S_NAND_B64 [Sop2 0x19 ALL] (sdst(B64), ssrc0(B64), ssrc1(B64))
                salu(Salu::Logic(Logic::Nand, W64)), WR_SCC;
            S_NOR_B32 [Sop2 0x1a ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Logic(Logic::Nor, W32)), WR_SCC;
            S_NOR_B64 [Sop2 0x1b ALL] (sdst(B64), ssrc0(B64), ssrc1(B64))
                salu(Salu::Logic(Logic::Nor, W64)), WR_SCC;
            S_XNOR_B32 [Sop2 0x1c ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Logic(Logic::Xnor, W32)), WR_SCC;
            S_XNOR_B64 [Sop2 0x1d ALL] (sdst(B64), ssrc0(B64), ssrc1(B64))
                salu(Salu::Logic(Logic::Xnor, W64)), WR_SCC;
            S_LSHL_B32 [Sop2 0x1e ALL] (sdst(B32), ssrc0(B32), ssrc1(U32))
                salu(Salu::Shl(W32)), WR_SCC;
            S_LSHL_B64 [Sop2 0x1f ALL] (sdst(B64), ssrc0(B64), ssrc1(U32))
                salu(Salu::Shl(W64)), WR_SCC;
            S_LSHR_B32 [Sop2 0x20 ALL] (sdst(B32), ssrc0(B32), ssrc1(U32))
                salu(Salu::Shr(W32)), WR_SCC;
            S_LSHR_B64 [Sop2 0x21 ALL] (sdst(B64), ssrc0(B64), ssrc1(U32))
                salu(Salu::Shr(W64)), WR_SCC;
            S_ASHR_I32 [Sop2 0x22 ALL] (sdst(I32), ssrc0(I32), ssrc1(U32))
                salu(Salu::Ashr(W32)), WR_SCC;
            S_ASHR_I64 [Sop2 0x23 ALL] (sdst(I64), ssrc0(I64), ssrc1(U32))
                salu(Salu::Ashr(W64)), WR_SCC;
            S_BFM_B32 [Sop2 0x24 ALL] (sdst(B32), ssrc0(U32), ssrc1(U32))
                salu(Salu::Bfm(W32)), NONE;
            S_BFM_B64 [Sop2 0x25 ALL] (sdst(B64), ssrc0(U32), ssrc1(U32))
                salu(Salu::Bfm(W64)), NONE;
            S_MUL_I32 [Sop2 0x26 ALL] (sdst(I32), ssrc0(I32), ssrc1(I32))
                salu(Salu::MulI32), NONE;
            S_BFE_U32 [Sop2 0x27 ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::Bfe(Sign::Unsigned, W32)), WR_SCC;
            S_BFE_I32 [Sop2 0x28 ALL] (sdst(I32), ssrc0(I32), ssrc1(U32))
                salu(Salu::Bfe(Sign::Signed, W32)), WR_SCC;
            S_BFE_U64 [Sop2 0x29 ALL] (sdst(U64), ssrc0(U64), ssrc1(U32))
                salu(Salu::Bfe(Sign::Unsigned, W64)), WR_SCC;
            S_BFE_I64 [Sop2 0x2a ALL] (sdst(I64), ssrc0(I64), ssrc1(U32))
                salu(Salu::Bfe(Sign::Signed, W64)), WR_SCC;
            S_ABSDIFF_I32 [Sop2 0x2c ALL] (sdst(I32), ssrc0(I32), ssrc1(I32))
                salu(Salu::AbsDiff), WR_SCC;
            S_LSHL1_ADD_U32 [Sop2 0x2e ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::LshlAdd(1)), WR_SCC;
            S_LSHL2_ADD_U32 [Sop2 0x2f ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::LshlAdd(2)), WR_SCC;
            S_LSHL3_ADD_U32 [Sop2 0x30 ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::LshlAdd(3)), WR_SCC;
            S_LSHL4_ADD_U32 [Sop2 0x31 ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::LshlAdd(4)), WR_SCC;
            S_PACK_LL_B32_B16 [Sop2 0x32 ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Pack { hi0: false, hi1: false }), NONE;
            S_PACK_LH_B32_B16 [Sop2 0x33 ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Pack { hi0: false, hi1: true }), NONE;
            S_PACK_HH_B32_B16 [Sop2 0x34 ALL] (sdst(B32), ssrc0(B32), ssrc1(B32))
                salu(Salu::Pack { hi0: true, hi1: true }), NONE;
            S_MUL_HI_U32 [Sop2 0x35 ALL] (sdst(U32), ssrc0(U32), ssrc1(U32))
                salu(Salu::MulHi(Sign::Unsigned)), NONE;
            S_MUL_HI_I32 [Sop2 0x36 ALL] (sdst(I32), ssrc0(I32), ssrc1(I32))
                salu(Salu::MulHi(Sign::Signed)), NONE;

            // SOP1
            S_MOV_B32 [Sop1 0x03 ALL] (sdst(B32), ssrc0(B32)) salu(Salu::Mov(W32)), NONE;
            S_MOV_B64 [Sop1 0x04 ALL] (sdst(B64), ssrc0(B64)) salu(Salu::Mov(W64)), NONE;
            S_CMOV_B32 [Sop1 0x05 ALL] (sdst(B32), ssrc0(B32), tied_sdst(B32))
                salu(Salu::Cmov(W32)), RD_SCC;
            S_CMOV_B64 [Sop1 0x06 ALL] (sdst(B64), ssrc0(B64), tied_sdst(B64))
                salu(Salu::Cmov(W64)), RD_SCC;
            S_NOT_B32 [Sop1 0x07 ALL] (sdst(B32), ssrc0(B32)) salu(Salu::Not(W32)), WR_SCC;
            S_NOT_B64 [Sop1 0x08 ALL] (sdst(B64), ssrc0(B64)) salu(Salu::Not(W64)), WR_SCC;
            S_WQM_B32 [Sop1 0x09 ALL] (sdst(B32), ssrc0(B32)) salu(Salu::Wqm(W32)), WR_SCC;
            S_WQM_B64 [Sop1 0x0a ALL] (sdst(B64), ssrc0(B64)) salu(Salu::Wqm(W64)), WR_SCC;
            S_BREV_B32 [Sop1 0x0b ALL] (sdst(B32), ssrc0(B32)) salu(Salu::Brev(W32)), NONE;
            S_BREV_B64 [Sop1 0x0c ALL] (sdst(B64), ssrc0(B64)) salu(Salu::Brev(W64)), NONE;
            S_BCNT0_I32_B32 [Sop1 0x0d ALL] (sdst(I32), ssrc0(B32))
                salu(Salu::Bcnt0(W32)), WR_SCC;
            S_BCNT0_I32_B64 [Sop1 0x0e ALL] (sdst(I32), ssrc0(B64))
                salu(Salu::Bcnt0(W64)), WR_SCC;
            S_BCNT1_I32_B32 [Sop1 0x0f ALL] (sdst(I32), ssrc0(B32))
                salu(Salu::Bcnt1(W32)), WR_SCC;
            S_BCNT1_I32_B64 [Sop1 0x10 ALL] (sdst(I32), ssrc0(B64))
                salu(Salu::Bcnt1(W64)), WR_SCC;
            S_FF0_I32_B32 [Sop1 0x11 ALL] (sdst(I32), ssrc0(B32)) salu(Salu::Ff0(W32)), NONE;
            S_FF0_I32_B64 [Sop1 0x12 ALL] (sdst(I32), ssrc0(B64)) salu(Salu::Ff0(W64)), NONE;
            S_FF1_I32_B32 [Sop1 0x13 ALL] (sdst(I32), ssrc0(B32)) salu(Salu::Ff1(W32)), NONE;
            S_FF1_I32_B64 [Sop1 0x14 ALL] (sdst(I32), ssrc0(B64)) salu(Salu::Ff1(W64)), NONE;
            S_FLBIT_I32_B32 [Sop1 0x15 ALL] (sdst(I32), ssrc0(B32)) salu(Salu::FlbitU(W32)), NONE;
            S_FLBIT_I32_B64 [Sop1 0x16 ALL] (sdst(I32), ssrc0(B64)) salu(Salu::FlbitU(W64)), NONE;
            S_FLBIT_I32 [Sop1 0x17 ALL] (sdst(I32), ssrc0(I32)) salu(Salu::FlbitI(W32)), NONE;
            S_FLBIT_I32_I64 [Sop1 0x18 ALL] (sdst(I32), ssrc0(I64)) salu(Salu::FlbitI(W64)), NONE;
            S_SEXT_I32_I8 [Sop1 0x19 ALL] (sdst(I32), ssrc0(B32)) salu(Salu::Sext8), NONE;
            S_SEXT_I32_I16 [Sop1 0x1a ALL] (sdst(I32), ssrc0(B32)) salu(Salu::Sext16), NONE;
            S_BITSET0_B32 [Sop1 0x1b ALL] (sdst(B32), ssrc0(U32), tied_sdst(B32))
                salu(Salu::Bitset0(W32)), NONE;
            S_BITSET0_B64 [Sop1 0x1c ALL] (sdst(B64), ssrc0(U32), tied_sdst(B64))
                salu(Salu::Bitset0(W64)), NONE;
            S_BITSET1_B32 [Sop1 0x1d ALL] (sdst(B32), ssrc0(U32), tied_sdst(B32))
                salu(Salu::Bitset1(W32)), NONE;
            S_BITSET1_B64 [Sop1 0x1e ALL] (sdst(B64), ssrc0(U32), tied_sdst(B64))
                salu(Salu::Bitset1(W64)), NONE;
            S_GETPC_B64 [Sop1 0x1f ALL] (sdst(B64)) salu(Salu::GetPc), NONE;
            S_SETPC_B64 [Sop1 0x20 ALL] (sreg0(B64)) flow(Flow::SetPc), TERMINATOR;
            S_SWAPPC_B64 [Sop1 0x21 ALL] (sdst(B64), sreg0(B64)) flow(Flow::SwapPc), TERMINATOR;
            S_RFE_B64 [Sop1 0x22 ALL] (sreg0(B64)) flow(Flow::Rfe), TERMINATOR;
            S_AND_SAVEEXEC_B64 [Sop1 0x24 ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::SaveExec(Logic::And, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_OR_SAVEEXEC_B64 [Sop1 0x25 ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::SaveExec(Logic::Or, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_XOR_SAVEEXEC_B64 [Sop1 0x26 ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::SaveExec(Logic::Xor, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ANDN2_SAVEEXEC_B64 [Sop1 0x27 ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::SaveExec(Logic::AndN2, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ORN2_SAVEEXEC_B64 [Sop1 0x28 ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::SaveExec(Logic::OrN2, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_NAND_SAVEEXEC_B64 [Sop1 0x29 ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::SaveExec(Logic::Nand, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_NOR_SAVEEXEC_B64 [Sop1 0x2a ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::SaveExec(Logic::Nor, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_XNOR_SAVEEXEC_B64 [Sop1 0x2b ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::SaveExec(Logic::Xnor, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_QUADMASK_B32 [Sop1 0x2c ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::QuadMask(W32)), WR_SCC;
            S_QUADMASK_B64 [Sop1 0x2d ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::QuadMask(W64)), WR_SCC;
            S_MOVRELS_B32 [Sop1 0x2e ALL] (sdst(B32), sreg0(B32))
                salu(Salu::MovRelS(W32)), RD_M0 | INDEXED;
            S_MOVRELS_B64 [Sop1 0x2f ALL] (sdst(B64), sreg0(B64))
                salu(Salu::MovRelS(W64)), RD_M0 | INDEXED;
            S_MOVRELD_B32 [Sop1 0x30 ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::MovRelD(W32)), RD_M0 | INDEXED;
            S_MOVRELD_B64 [Sop1 0x31 ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::MovRelD(W64)), RD_M0 | INDEXED;
            S_ABS_I32 [Sop1 0x34 ALL] (sdst(I32), ssrc0(I32)) salu(Salu::Abs), WR_SCC;
            S_ANDN1_SAVEEXEC_B64 [Sop1 0x37 ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::SaveExec(Logic::AndN1, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ORN1_SAVEEXEC_B64 [Sop1 0x38 ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::SaveExec(Logic::OrN1, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ANDN1_WREXEC_B64 [Sop1 0x39 ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::WrExec(Logic::AndN1, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ANDN2_WREXEC_B64 [Sop1 0x3a ALL] (sdst(B64), ssrc0(B64))
                salu(Salu::WrExec(Logic::AndN2, W64)), WR_SCC | RD_EXEC | WR_EXEC;
            S_BITREPLICATE_B64_B32 [Sop1 0x3b ALL] (sdst(B64), ssrc0(B32))
                salu(Salu::BitReplicate), NONE;
            S_AND_SAVEEXEC_B32 [Sop1 0x3c ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::SaveExec(Logic::And, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_OR_SAVEEXEC_B32 [Sop1 0x3d ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::SaveExec(Logic::Or, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_XOR_SAVEEXEC_B32 [Sop1 0x3e ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::SaveExec(Logic::Xor, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ANDN2_SAVEEXEC_B32 [Sop1 0x3f ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::SaveExec(Logic::AndN2, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ORN2_SAVEEXEC_B32 [Sop1 0x40 ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::SaveExec(Logic::OrN2, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_NAND_SAVEEXEC_B32 [Sop1 0x41 ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::SaveExec(Logic::Nand, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_NOR_SAVEEXEC_B32 [Sop1 0x42 ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::SaveExec(Logic::Nor, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_XNOR_SAVEEXEC_B32 [Sop1 0x43 ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::SaveExec(Logic::Xnor, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ANDN1_SAVEEXEC_B32 [Sop1 0x44 ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::SaveExec(Logic::AndN1, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ORN1_SAVEEXEC_B32 [Sop1 0x45 ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::SaveExec(Logic::OrN1, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ANDN1_WREXEC_B32 [Sop1 0x46 ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::WrExec(Logic::AndN1, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_ANDN2_WREXEC_B32 [Sop1 0x47 ALL] (sdst(B32), ssrc0(B32))
                salu(Salu::WrExec(Logic::AndN2, W32)), WR_SCC | RD_EXEC | WR_EXEC;
            S_MOVRELSD_2_B32 [Sop1 0x49 ALL] (sdst(B32), sreg0(B32))
                salu(Salu::MovRelSd2), RD_M0 | INDEXED;

            // SOPK
            S_MOVK_I32 [Sopk 0x00 ALL] (sdst(I32), simm16(I16)) salu(Salu::Mov(W32)), NONE;
            S_VERSION [Sopk 0x01 ALL] (simm16(U16)) salu(Salu::Version), NONE;
            S_CMOVK_I32 [Sopk 0x02 ALL] (sdst(I32), simm16(I16), tied_sdst(I32))
                salu(Salu::Cmov(W32)), RD_SCC;
            S_CMPK_EQ_I32 [Sopk 0x03 ALL] (sdst_in(I32), simm16(I16))
                salu(Salu::Cmp(Cond::Eq, IntTy::I32)), WR_SCC;
            S_CMPK_LG_I32 [Sopk 0x04 ALL] (sdst_in(I32), simm16(I16))
                salu(Salu::Cmp(Cond::Lg, IntTy::I32)), WR_SCC;
            S_CMPK_GT_I32 [Sopk 0x05 ALL] (sdst_in(I32), simm16(I16))
                salu(Salu::Cmp(Cond::Gt, IntTy::I32)), WR_SCC;
            S_CMPK_GE_I32 [Sopk 0x06 ALL] (sdst_in(I32), simm16(I16))
                salu(Salu::Cmp(Cond::Ge, IntTy::I32)), WR_SCC;
            S_CMPK_LT_I32 [Sopk 0x07 ALL] (sdst_in(I32), simm16(I16))
                salu(Salu::Cmp(Cond::Lt, IntTy::I32)), WR_SCC;
            S_CMPK_LE_I32 [Sopk 0x08 ALL] (sdst_in(I32), simm16(I16))
                salu(Salu::Cmp(Cond::Le, IntTy::I32)), WR_SCC;
            S_CMPK_EQ_U32 [Sopk 0x09 ALL] (sdst_in(U32), simm16(U16))
                salu(Salu::Cmp(Cond::Eq, IntTy::U32)), WR_SCC;
            S_CMPK_LG_U32 [Sopk 0x0a ALL] (sdst_in(U32), simm16(U16))
                salu(Salu::Cmp(Cond::Lg, IntTy::U32)), WR_SCC;
            S_CMPK_GT_U32 [Sopk 0x0b ALL] (sdst_in(U32), simm16(U16))
                salu(Salu::Cmp(Cond::Gt, IntTy::U32)), WR_SCC;
            S_CMPK_GE_U32 [Sopk 0x0c ALL] (sdst_in(U32), simm16(U16))
                salu(Salu::Cmp(Cond::Ge, IntTy::U32)), WR_SCC;
            S_CMPK_LT_U32 [Sopk 0x0d ALL] (sdst_in(U32), simm16(U16))
                salu(Salu::Cmp(Cond::Lt, IntTy::U32)), WR_SCC;
            S_CMPK_LE_U32 [Sopk 0x0e ALL] (sdst_in(U32), simm16(U16))
                salu(Salu::Cmp(Cond::Le, IntTy::U32)), WR_SCC;
            S_ADDK_I32 [Sopk 0x0f ALL] (sdst(I32), tied_sdst(I32), simm16(I16))
                salu(Salu::AddI32), WR_SCC;
            S_MULK_I32 [Sopk 0x10 ALL] (sdst(I32), tied_sdst(I32), simm16(I16))
                salu(Salu::MulI32), NONE;
            S_GETREG_B32 [Sopk 0x12 ALL] (sdst(B32), simm16(U16)) salu(Salu::GetReg), RD_HWREG;
            S_SETREG_B32 [Sopk 0x13 ALL] (simm16(U16), sdst_in(B32)) salu(Salu::SetReg), WR_HWREG;
            S_SETREG_IMM32_B32 [Sopk 0x15 ALL] (simm16(U16), literal(B32))
                salu(Salu::SetReg), WR_HWREG;
            S_CALL_B64 [Sopk 0x16 ALL] (sdst(B64), simm16(I16))
                flow(Flow::Call), TERMINATOR | BRANCH;
            S_WAITCNT_VSCNT [Sopk 0x17 ALL] (sdst_in(B32), simm16(U16)) flow(Flow::Waitcnt), NONE;
            S_WAITCNT_VMCNT [Sopk 0x18 ALL] (sdst_in(B32), simm16(U16)) flow(Flow::Waitcnt), NONE;
            S_WAITCNT_EXPCNT [Sopk 0x19 ALL] (sdst_in(B32), simm16(U16))
                flow(Flow::Waitcnt), NONE;
            S_WAITCNT_LGKMCNT [Sopk 0x1a ALL] (sdst_in(B32), simm16(U16))
                flow(Flow::Waitcnt), NONE;
            S_SUBVECTOR_LOOP_BEGIN [Sopk 0x1b ALL] (sdst(B32), simm16(I16))
                flow(Flow::SubvectorLoopBegin), RD_EXEC | WR_EXEC | TERMINATOR | BRANCH;
            S_SUBVECTOR_LOOP_END [Sopk 0x1c ALL] (sdst(B32), simm16(I16))
                flow(Flow::SubvectorLoopEnd), RD_EXEC | WR_EXEC | TERMINATOR | BRANCH;

            // SOPC
            S_CMP_EQ_I32 [Sopc 0x00 ALL] (ssrc0(I32), ssrc1(I32))
                salu(Salu::Cmp(Cond::Eq, IntTy::I32)), WR_SCC;
            S_CMP_LG_I32 [Sopc 0x01 ALL] (ssrc0(I32), ssrc1(I32))
                salu(Salu::Cmp(Cond::Lg, IntTy::I32)), WR_SCC;
            S_CMP_GT_I32 [Sopc 0x02 ALL] (ssrc0(I32), ssrc1(I32))
                salu(Salu::Cmp(Cond::Gt, IntTy::I32)), WR_SCC;
            S_CMP_GE_I32 [Sopc 0x03 ALL] (ssrc0(I32), ssrc1(I32))
                salu(Salu::Cmp(Cond::Ge, IntTy::I32)), WR_SCC;
            S_CMP_LT_I32 [Sopc 0x04 ALL] (ssrc0(I32), ssrc1(I32))
                salu(Salu::Cmp(Cond::Lt, IntTy::I32)), WR_SCC;
            S_CMP_LE_I32 [Sopc 0x05 ALL] (ssrc0(I32), ssrc1(I32))
                salu(Salu::Cmp(Cond::Le, IntTy::I32)), WR_SCC;
            S_CMP_EQ_U32 [Sopc 0x06 ALL] (ssrc0(U32), ssrc1(U32))
                salu(Salu::Cmp(Cond::Eq, IntTy::U32)), WR_SCC;
            S_CMP_LG_U32 [Sopc 0x07 ALL] (ssrc0(U32), ssrc1(U32))
                salu(Salu::Cmp(Cond::Lg, IntTy::U32)), WR_SCC;
            S_CMP_GT_U32 [Sopc 0x08 ALL] (ssrc0(U32), ssrc1(U32))
                salu(Salu::Cmp(Cond::Gt, IntTy::U32)), WR_SCC;
            S_CMP_GE_U32 [Sopc 0x09 ALL] (ssrc0(U32), ssrc1(U32))
                salu(Salu::Cmp(Cond::Ge, IntTy::U32)), WR_SCC;
            S_CMP_LT_U32 [Sopc 0x0a ALL] (ssrc0(U32), ssrc1(U32))
                salu(Salu::Cmp(Cond::Lt, IntTy::U32)), WR_SCC;
            S_CMP_LE_U32 [Sopc 0x0b ALL] (ssrc0(U32), ssrc1(U32))
                salu(Salu::Cmp(Cond::Le, IntTy::U32)), WR_SCC;
            S_BITCMP0_B32 [Sopc 0x0c ALL] (ssrc0(B32), ssrc1(U32))
                salu(Salu::BitCmp0(W32)), WR_SCC;
            S_BITCMP1_B32 [Sopc 0x0d ALL] (ssrc0(B32), ssrc1(U32))
                salu(Salu::BitCmp1(W32)), WR_SCC;
            S_BITCMP0_B64 [Sopc 0x0e ALL] (ssrc0(B64), ssrc1(U32))
                salu(Salu::BitCmp0(W64)), WR_SCC;
            S_BITCMP1_B64 [Sopc 0x0f ALL] (ssrc0(B64), ssrc1(U32))
                salu(Salu::BitCmp1(W64)), WR_SCC;
            S_CMP_EQ_U64 [Sopc 0x12 ALL] (ssrc0(U64), ssrc1(U64))
                salu(Salu::Cmp(Cond::Eq, IntTy::U64)), WR_SCC;
            S_CMP_LG_U64 [Sopc 0x13 ALL] (ssrc0(U64), ssrc1(U64))
                salu(Salu::Cmp(Cond::Lg, IntTy::U64)), WR_SCC;

            // SOPP
            S_NOP [Sopp 0x00 ALL] (simm16(U16)) flow(Flow::Nop), DECIMAL;
            S_ENDPGM [Sopp 0x01 ALL] (simm16(U16)) flow(Flow::EndPgm), TERMINATOR;
            S_BRANCH [Sopp 0x02 ALL] (simm16(I16)) flow(Flow::Branch), TERMINATOR | BRANCH;
            S_WAKEUP [Sopp 0x03 ALL] () flow(Flow::Nop), NONE;
            S_CBRANCH_SCC0 [Sopp 0x04 ALL] (simm16(I16))
                flow(Flow::Cbranch(BranchCond::Scc0)), TERMINATOR | BRANCH | RD_SCC;
            S_CBRANCH_SCC1 [Sopp 0x05 ALL] (simm16(I16))
                flow(Flow::Cbranch(BranchCond::Scc1)), TERMINATOR | BRANCH | RD_SCC;
            S_CBRANCH_VCCZ [Sopp 0x06 ALL] (simm16(I16))
                flow(Flow::Cbranch(BranchCond::VccZ)), TERMINATOR | BRANCH | RD_VCC;
            S_CBRANCH_VCCNZ [Sopp 0x07 ALL] (simm16(I16))
                flow(Flow::Cbranch(BranchCond::VccNz)), TERMINATOR | BRANCH | RD_VCC;
            S_CBRANCH_EXECZ [Sopp 0x08 ALL] (simm16(I16))
                flow(Flow::Cbranch(BranchCond::ExecZ)), TERMINATOR | BRANCH | RD_EXEC;
            S_CBRANCH_EXECNZ [Sopp 0x09 ALL] (simm16(I16))
                flow(Flow::Cbranch(BranchCond::ExecNz)), TERMINATOR | BRANCH | RD_EXEC;
            S_BARRIER [Sopp 0x0a ALL] () flow(Flow::Barrier), BARRIER;
            S_SETKILL [Sopp 0x0b ALL] (simm16(U16)) flow(Flow::SetKill), DECIMAL;
            S_WAITCNT [Sopp 0x0c ALL] (simm16(U16)) flow(Flow::Waitcnt), NONE;
            S_SETHALT [Sopp 0x0d ALL] (simm16(U16)) flow(Flow::SetHalt), DECIMAL;
            S_SLEEP [Sopp 0x0e ALL] (simm16(U16)) flow(Flow::Nop), DECIMAL;
            S_SETPRIO [Sopp 0x0f ALL] (simm16(U16)) flow(Flow::Nop), DECIMAL;
            S_SENDMSG [Sopp 0x10 ALL] (simm16(U16)) flow(Flow::SendMsg), RD_M0;
            S_SENDMSGHALT [Sopp 0x11 ALL] (simm16(U16)) flow(Flow::SendMsg), RD_M0;
            S_TRAP [Sopp 0x12 ALL] (simm16(U16)) flow(Flow::Trap), DECIMAL;
            S_ICACHE_INV [Sopp 0x13 ALL] () flow(Flow::Nop), NONE;
            S_INCPERFLEVEL [Sopp 0x14 ALL] (simm16(U16)) flow(Flow::Nop), DECIMAL;
            S_DECPERFLEVEL [Sopp 0x15 ALL] (simm16(U16)) flow(Flow::Nop), DECIMAL;
            S_TTRACEDATA [Sopp 0x16 ALL] () flow(Flow::Nop), RD_M0;
            S_CBRANCH_CDBGSYS [Sopp 0x17 ALL] (simm16(I16))
                flow(Flow::Cbranch(BranchCond::CdbgSys)), TERMINATOR | BRANCH;
            S_CBRANCH_CDBGUSER [Sopp 0x18 ALL] (simm16(I16))
                flow(Flow::Cbranch(BranchCond::CdbgUser)), TERMINATOR | BRANCH;
            S_CBRANCH_CDBGSYS_OR_USER [Sopp 0x19 ALL] (simm16(I16))
                flow(Flow::Cbranch(BranchCond::CdbgSysOrUser)), TERMINATOR | BRANCH;
            S_CBRANCH_CDBGSYS_AND_USER [Sopp 0x1a ALL] (simm16(I16))
                flow(Flow::Cbranch(BranchCond::CdbgSysAndUser)), TERMINATOR | BRANCH;
            S_ENDPGM_SAVED [Sopp 0x1b ALL] () flow(Flow::EndPgmSpecial), TERMINATOR;
            S_ENDPGM_ORDERED_PS_DONE [Sopp 0x1e ALL] () flow(Flow::EndPgmSpecial), TERMINATOR;
            S_CODE_END [Sopp 0x1f ALL] () flow(Flow::CodeEnd), TERMINATOR;
            S_INST_PREFETCH [Sopp 0x20 ALL] (simm16(U16)) flow(Flow::Nop), NONE;
            S_CLAUSE [Sopp 0x21 ALL] (simm16(U16)) flow(Flow::Nop), NONE;
            S_WAIT_IDLE [Sopp 0x22 ALL] () flow(Flow::Waitcnt), NONE;
            S_WAITCNT_DEPCTR [Sopp 0x23 ALL] (simm16(U16)) flow(Flow::Waitcnt), NONE;
            S_ROUND_MODE [Sopp 0x24 ALL] (simm16(U16)) flow(Flow::RoundMode), WR_MODE;
            S_DENORM_MODE [Sopp 0x25 ALL] (simm16(U16)) flow(Flow::DenormMode), WR_MODE | DECIMAL;
            S_TTRACEDATA_IMM [Sopp 0x28 ALL] (simm16(U16)) flow(Flow::Nop), NONE;
        } }
    };
}
pub(super) use sop_rows;
