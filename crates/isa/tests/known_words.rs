//! Words that other translators of this ISA read wrongly, or not at all: each kind must decode as the
//! manual and LLVM say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use spirdna_isa::{Opcode, Operand, SReg, Target, Ty, decode};

fn inst(words: &[u32]) -> spirdna_isa::Inst {
    let i = decode(Target::Gfx1030, words, 0).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(i.len() as usize, words.len());
    i
}

#[test]
fn opcode_numbers_in_full_width() {
    let cases: [(&[u32], Opcode); 14] = [
        (&[0xd760_0005, 0x0000_0101], Opcode::V_READLANE_B32),
        (&[0xd761_0005, 0x0000_0201], Opcode::V_WRITELANE_B32),
        (&[0xd773_0005, 0x040e_0501], Opcode::V_MAD_U32_U16),
        (&[0xda84_0000, 0x0000_0214], Opcode::DS_WRITE_B16_D16_HI),
        (&[0xd4e2_006a, 0x0000_d47e], Opcode::V_CMP_EQ_U64),
        (&[0xf07c_0108, 0x0001_0508], Opcode::IMAGE_ATOMIC_FMAX),
        (&[0x7e12_bf07], Opcode::V_FRACT_F16),
        (&[0x7e1c_770e], Opcode::V_FFBH_I32),
        (&[0x7e04_0ef9, 0x0006_1402], Opcode::V_CVT_U32_F32),
        (&[0xd707_4001, 0x0002_0081], Opcode::V_LSHRREV_B16),
        (&[0xd556_0008, 0x043a_110d], Opcode::V_MAX3_U32),
        (&[0x7e1e_a910], Opcode::V_RCP_F16),
        (&[0xbf9f_0000], Opcode::S_CODE_END),
        (
            &[
                0xf198_9f07,
                0x0002_0e0e,
                0x1441_130a,
                0x4543_4442,
                0x0000_4746,
            ],
            Opcode::IMAGE_BVH_INTERSECT_RAY,
        ),
    ];
    for (words, op) in cases {
        assert_eq!(inst(words).opcode(), op);
    }
}

#[test]
fn one_word_means_different_rows_on_different_targets() {
    let mac = [0x3e00_0501u32];
    assert_eq!(
        decode(Target::Gfx1013, &mac, 0).unwrap().opcode(),
        Opcode::V_MAC_F32
    );
    assert!(decode(Target::Gfx1030, &mac, 0).is_err());
    let legacy = [0x0c00_0501u32];
    assert_eq!(
        decode(Target::Gfx1010, &legacy, 0).unwrap().opcode(),
        Opcode::V_MAC_LEGACY_F32
    );
    assert_eq!(
        decode(Target::Gfx1030, &legacy, 0).unwrap().opcode(),
        Opcode::V_FMAC_LEGACY_F32
    );
}

#[test]
fn roles_in_row_order() {
    // v_cmp_lt_f32_e64 s[4:5], |v0|, v1
    let i = inst(&[0xd401_0104, 0x0002_0300]);
    assert_eq!(i.dst(0), Some((Operand::S(SReg::from_code(4)), Ty::Mask)));
    assert_eq!(i.src(0), Some((Operand::V(0), Ty::F32)));
    assert_eq!(i.valu_mods().abs, 1);
    // v_fmac_f32_e32 v5, v1, v2: the accumulator is source 2.
    let i = inst(&[0x560a_0501]);
    assert_eq!(i.src(2), Some((Operand::V(5), Ty::F32)));
    // v_add_co_ci_u32_e32 v5, vcc, v1, v2, vcc
    let i = inst(&[0x500a_0501]);
    assert_eq!(i.dst(1), Some((Operand::S(SReg::VCC_LO), Ty::Mask)));
    assert_eq!(i.src(2), Some((Operand::S(SReg::VCC_LO), Ty::Mask)));
    // v_cmpx_lt_f32_e32 v1, v2
    let i = inst(&[0x7c22_0501]);
    assert_eq!(i.dst(0), Some((Operand::S(SReg::EXEC_LO), Ty::Mask)));
    // s_addk_i32 s3, 0xfffe
    let i = inst(&[0xb783_fffe]);
    assert_eq!(i.src(0), Some((Operand::S(SReg::from_code(3)), Ty::I32)));
    assert_eq!(i.src(1), Some((Operand::Imm(-2), Ty::I16)));
    // s_branch -1 at pc 0 jumps to itself.
    assert_eq!(inst(&[0xbf82_ffff]).branch_target(), Some(0));
}

#[test]
fn a_wide_load_that_leaves_the_register_file_is_refused() {
    // s_load_dwordx8 s[100:107], s[2:3], 0x0
    let w = [0xf40c_1901, 0xfa00_0000];
    assert!(decode(Target::Gfx1030, &w, 0).is_err());
    // s_load_dwordx8 s[96:103]
    let w = [0xf40c_1801, 0xfa00_0000];
    assert!(decode(Target::Gfx1030, &w, 0).is_ok());
}
