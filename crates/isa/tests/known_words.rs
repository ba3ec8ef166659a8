//! Words that other translators of this ISA read wrongly, or not at all: each kind must decode as the
//! manual and LLVM say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use spirdna_isa::{
    Breach, Decoder, Encoding, Opcode, Operand, Parts, RowFlags, SReg, SdwaSel, SdwaUnused,
    Special, Target, TextOptions, Ty, WaveSize, assemble, decode, encode, inst_to_string, legality,
    opcode_at,
};

fn inst(words: &[u32]) -> spirdna_isa::Inst {
    let i = decode(Target::Gfx1030, words, 0).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(i.len() as usize, words.len());
    i
}

/// Kinds of faults, in the order of the list of faults seen elsewhere, each with words and the text that
/// LLVM gives them, but for
/// OP_SEL of V_LSHRREV_B16, which it leaves out.
const KNOWN: &[(&str, &[(&[u32], &str)])] = &[
    (
        "lane reads and writes with another generation's numbers; V_MAD_U32_U16 missing",
        &[
            (&[0xd760_0005, 0x0000_0101], "v_readlane_b32 s5, v1, s0"),
            (&[0xd761_0005, 0x0000_0201], "v_writelane_b32 v5, s1, s1"),
            (&[0xd773_0005, 0x040e_0501], "v_mad_u32_u16 v5, v1, v2, v3"),
        ],
    ),
    (
        "VOP3 forms of VOPC, VOP2 and VOP1 missing",
        &[
            (&[0xd401_0104, 0x0002_0300], "v_cmp_lt_f32_e64 s4, |v0|, v1"),
            (&[0xd5aa_0005, 0x0000_0101], "v_rcp_f32_e64 v5, v1"),
            (&[0xd503_0005, 0x0002_0501], "v_add_f32_e64 v5, v1, v2"),
        ],
    ),
    (
        "the mix instructions of VOP3P missing",
        &[
            (&[0xcc20_0005, 0x040e_0501], "v_fma_mix_f32 v5, v1, v2, v3"),
            (
                &[0xcc20_4005, 0x1c0e_0501],
                "v_fma_mix_f32 v5, v1, v2, v3 op_sel_hi:[1,1,1]",
            ),
            (
                &[0xcc21_0005, 0x040e_0501],
                "v_fma_mixlo_f16 v5, v1, v2, v3",
            ),
            (
                &[0xcc22_0005, 0x040e_0501],
                "v_fma_mixhi_f16 v5, v1, v2, v3",
            ),
        ],
    ),
    (
        "the top bit of MUBUF's opcode cut off; its LDS bit and the GDS bit of DS undecoded",
        &[
            (
                &[0xe200_0000, 0x8001_0502],
                "buffer_load_format_d16_x v5, off, s[4:7], 0",
            ),
            (
                &[0xe21c_0000, 0x8001_0502],
                "buffer_store_format_d16_xyzw v[5:6], off, s[4:7], 0",
            ),
            (
                &[0xe031_0000, 0x8001_0502],
                "buffer_load_dword off, s[4:7], 0 lds",
            ),
            (&[0xd8da_0000, 0x0500_0001], "ds_read_b32 v5, v1 gds"),
        ],
    ),
    (
        "the top bit of MIMG's opcode, in bit 0, cut off",
        &[
            (
                &[0xf000_0131, 0x0002_0504],
                "image_msaa_load v5, v[4:6], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA",
            ),
            (
                &[0xf198_9f01, 0x0002_0e0e],
                "image_bvh_intersect_ray v[14:17], v[14:24], s[8:11]",
            ),
        ],
    ),
    (
        "DS numbers above 0x80 taken from another generation",
        &[
            (&[0xda84_0000, 0x0000_0214], "ds_write_b16_d16_hi v20, v2"),
            (&[0xdacc_0000, 0x0500_0201], "ds_bpermute_b32 v5, v1, v2"),
        ],
    ),
    (
        "64-bit integer compares of scalars in VOP3 missing",
        &[(
            &[0xd4e2_006a, 0x0000_d47e],
            "v_cmp_eq_u64_e64 vcc_lo, exec, vcc",
        )],
    ),
    (
        "float image atomics missing",
        &[(
            &[0xf07c_0108, 0x0001_0508],
            "image_atomic_fmax v5, v[8:9], s[4:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        )],
    ),
    (
        "the addresses of an image instruction in NSA words",
        &[(
            &[0xf110_010a, 0x00c0_0d0a, 0x0000_5e5f],
            "image_gather4_l v[13:16], [v10, v95, v94], s[0:7], s[24:27] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        )],
    ),
    (
        "16-bit unary rows, and compares with SDWA, missing",
        &[
            (&[0x7e12_bf07], "v_fract_f16_e32 v9, v7"),
            (
                &[0x7d72_d4f9, 0x0606_0000],
                "v_cmpx_lt_u16_sdwa v0, v106 src0_sel:DWORD src1_sel:DWORD",
            ),
        ],
    ),
    (
        "V_FFBH_I32 missing",
        &[(&[0x7e1c_770e], "v_ffbh_i32_e32 v14, v14")],
    ),
    (
        "S_CODE_END read as code; trap temporaries refused",
        &[
            (&[0xbf9f_0000], "s_code_end"),
            (&[0xbe84_0375], "s_mov_b32 s4, ttmp9"),
        ],
    ),
    (
        "SDWA of bit operations",
        &[
            (
                &[0x7e08_6ef9, 0x0004_1402],
                "v_not_b32_sdwa v4, v2 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0",
            ),
            (
                &[0x7e08_74f9, 0x0005_1302],
                "v_ffbl_b32_sdwa v4, v2 dst_sel:BYTE_3 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1",
            ),
        ],
    ),
    (
        "SDWA selects printed as the defaults",
        &[(
            &[0x7e04_0ef9, 0x0006_1402],
            "v_cvt_u32_f32_sdwa v2, v2 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
        )],
    ),
    (
        "OP_SEL of a 16-bit shift, three-operand maxima, 16-bit reciprocals",
        &[
            (
                &[0xd707_4001, 0x0002_0081],
                "v_lshrrev_b16 v1, 1, v0 op_sel:[0,0,1]",
            ),
            (&[0xd556_0008, 0x043a_110d], "v_max3_u32 v8, v13, v8, v14"),
            (&[0x7e1e_a910], "v_rcp_f16_e32 v15, v16"),
        ],
    ),
    (
        "SDST of VOP3B read as ABS and OP_SEL",
        &[
            (&[0xd710_0005, 0x0002_0501], "v_sub_co_u32 v5, s0, v1, v2"),
            (
                &[0xd56d_6a05, 0x040e_0501],
                "v_div_scale_f32 v5, vcc_lo, v1, v2, v3",
            ),
        ],
    ),
    (
        "ABS and CLAMP in the wrong one of VOP3A and VOP3B",
        &[(
            &[0xd70f_8005, 0x0002_0501],
            "v_add_co_u32 v5, s0, v1, v2 clamp",
        )],
    ),
    (
        "SDST of S_CMPK not read; SCC refused as a source",
        &[
            (&[0xb185_4321], "s_cmpk_eq_i32 s5, 0x4321"),
            (&[0x8800_fd6b], "s_or_b32 s0, vcc_hi, src_scc"),
        ],
    ),
    (
        "SRSRC of raw MUBUF accesses ignored; MTBUF undecoded",
        &[
            (
                &[0xe030_1010, 0x8302_0500],
                "buffer_load_dword v5, v0, s[8:11], 3 offen offset:16",
            ),
            (
                &[0xe8b0_2010, 0x8302_0500],
                "tbuffer_load_format_x v5, v0, s[8:11], 3 format:[BUF_FMT_32_FLOAT] idxen offset:16",
            ),
        ],
    ),
    (
        "three-operand and 16-bit integer rows missing",
        &[
            (&[0xd76d_0005, 0x040e_0501], "v_add3_u32 v5, v1, v2, v3"),
            (&[0xd70d_0005, 0x0002_0501], "v_add_nc_i16 v5, v1, v2"),
            (&[0xd703_0005, 0x0002_0501], "v_add_nc_u16 v5, v1, v2"),
            (&[0xd75e_0005, 0x040e_0501], "v_mad_i16 v5, v1, v2, v3"),
            (&[0xd708_0005, 0x0002_0501], "v_ashrrev_i16 v5, v1, v2"),
            (&[0xcc03_4005, 0x1802_0501], "v_pk_sub_i16 v5, v1, v2"),
        ],
    ),
];

#[test]
fn text_of_words_that_others_misread() {
    assert_eq!(KNOWN.len(), 20, "rows of the list of faults");
    for (kind, words) in KNOWN {
        for (words, text) in *words {
            let i = inst(words);
            let ours = inst_to_string(&i, TextOptions::llvm(WaveSize::W32));
            assert_eq!(ours, *text, "{kind}");
            let opcode = i.opcode().name().to_ascii_lowercase();
            assert!(text.starts_with(&opcode), "{kind}: {opcode} {text}");
            let exact = inst_to_string(&i, TextOptions::exact(WaveSize::W32));
            let back = assemble(Target::Gfx1030, WaveSize::W32, &exact);
            // Some have bits that the encoding ignores (VADDR of a buffer access without one).
            let canonical = encode(Target::Gfx1030, 0, &Parts::of(&i)).unwrap();
            assert_eq!(back.as_deref(), Ok(canonical.words()), "{kind}: {exact}");
        }
    }
}

/// The kinds of which whole families were missing.
#[test]
fn families_that_others_misread() {
    // A VOP3 form of VOPC, VOP2 and VOP1 rows has the number at a fixed distance.
    let mut forms = 0;
    for op in Opcode::ALL {
        for target in Target::ALL {
            for (narrow, distance) in [
                (Encoding::Vopc, 0),
                (Encoding::Vop2, 0x100),
                (Encoding::Vop1, 0x180),
            ] {
                let (row, wide) = (op.row(), Encoding::Vop3);
                if let (Some(n), Some(w)) = (row.form(narrow, target), row.form(wide, target)) {
                    assert_eq!(w.number, n.number + distance, "{op:?}");
                    forms += 1;
                }
            }
        }
    }
    assert!(forms > 3 * 290, "{forms}");
    // D16 formats and what their numbers without the top bit are; every IMAGE number of 8 bits.
    for number in 0..8 {
        let name = |n| {
            opcode_at(Target::Gfx1030, Encoding::Mubuf, n)
                .unwrap()
                .name()
        };
        let d16 = name(number | 0x80);
        assert_eq!(d16.replace("_D16", ""), name(number));
        assert_ne!(d16, name(number));
    }
    let image = |n| opcode_at(Target::Gfx1030, Encoding::Mimg, n);
    assert_eq!(image(0x00), Some(Opcode::IMAGE_LOAD));
    assert_eq!(image(0x80), Some(Opcode::IMAGE_MSAA_LOAD));
    assert_eq!(image(0xe6), Some(Opcode::IMAGE_BVH_INTERSECT_RAY));
    assert_ne!(image(0x66), image(0xe6));
    // Compares of every condition with SDWA, 16-bit ones among them.
    for op in Opcode::ALL {
        let row = op.row();
        let f64 = row.operands.iter().any(|s| s.ty.bits() == Some(64));
        if row.form(Encoding::Vopc, Target::Gfx1030).is_some() && !f64 {
            assert!(row.flags.contains(RowFlags::SDWA), "{op:?}");
        }
    }
}

#[test]
fn roles_and_modifiers_of_words_that_others_misread() {
    let s = |n| Operand::S(SReg::from_code(n));
    // V_READLANE writes a scalar register.
    assert_eq!(
        inst(&[0xd760_0005, 0x0000_0101]).dst(0),
        Some((s(5), Ty::B32))
    );
    // V_WRITELANE writes one lane of a VGPR, from scalars, whatever EXEC says.
    let i = inst(&[0xd761_0005, 0x0000_0201]);
    assert_eq!(i.dst(0), Some((Operand::V(5), Ty::B32)));
    assert_eq!(
        (i.src(0), i.src(1)),
        (Some((s(1), Ty::B32)), Some((s(1), Ty::U32)))
    );
    assert!(i.flags().contains(RowFlags::LANES));
    // V_FMA_MIX: OP_SEL_HI says which sources are halves.
    assert_eq!(inst(&[0xcc20_4005, 0x1c0e_0501]).valu_mods().op_sel_hi, 7);
    assert_eq!(inst(&[0xcc20_0005, 0x040e_0501]).valu_mods().op_sel_hi, 0);
    // MUBUF's LDS bit: nothing goes to a register. DS's GDS bit.
    let i = inst(&[0xe031_0000, 0x8001_0502]);
    assert_eq!((i.dst(0), i.mem_mods().lds), (None, true));
    assert!(inst(&[0xd8da_0000, 0x0500_0001]).mem_mods().gds);
    // A raw buffer load reads its descriptor; MTBUF names its format.
    let i = inst(&[0xe030_1010, 0x8302_0500]);
    assert_eq!(i.src(1), Some((s(8), Ty::B128)));
    assert_eq!(inst(&[0xe8b0_2010, 0x8302_0500]).mem_mods().format, 22);
    // NSA: the addresses are named one by one.
    let i = inst(&[0xf110_010a, 0x00c0_0d0a, 0x0000_5e5f]);
    let addresses: Vec<u8> = i.nsa_addresses().take(3).collect();
    assert_eq!(addresses, [10, 95, 94]);
    assert_eq!(
        (i.image_address_words(), i.image_data_words()),
        (Some(3), Some(4))
    );
    // SDWA keeps the rest of its destination.
    let sdwa = inst(&[0x7e04_0ef9, 0x0006_1402]).valu_mods().sdwa.unwrap();
    assert_eq!(sdwa.dst, Some((SdwaSel::Word0, SdwaUnused::Preserve)));
    // VOP3B: bits 14:8 are SDST, not ABS and OP_SEL.
    let i = inst(&[0xd56d_6a05, 0x040e_0501]);
    assert_eq!(
        i.dst(1),
        Some((SReg::VCC_LO, Ty::Mask)).map(|(r, t)| (Operand::S(r), t))
    );
    assert_eq!((i.valu_mods().abs, i.valu_mods().op_sel), (0, 0));
    // S_CMPK reads SDST; SCC is a source.
    let i = inst(&[0xb185_4321]);
    assert_eq!((i.dst(0), i.src(0)), (None, Some((s(5), Ty::I32))));
    let scc = Operand::Special(Special::Scc);
    assert_eq!(inst(&[0x8800_fd6b]).src(1), Some((scc, Ty::B32)));
    // OP_SEL of the destination.
    assert_eq!(inst(&[0xd707_4001, 0x0002_0081]).valu_mods().op_sel, 8);
}

#[test]
fn a_listing_goes_on_behind_the_first_end() {
    // Two s_endpgm, code behind them, a word that is none, s_code_end.
    let words = [
        0xbf81_0000,
        0x7e00_0280,
        0xbf81_0000,
        0x0000_0000,
        0xbf9f_0000,
    ];
    let items: Vec<_> = Decoder::new(Target::Gfx1030, &words).collect();
    assert_eq!(items.len(), 5);
    assert_eq!(items[3].as_ref().unwrap_err().resync(), 16);
    assert_eq!(items[4].as_ref().unwrap().opcode(), Opcode::S_CODE_END);
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

/// Words that hardware executes and LLVM refuses (captured ldexp_f16_inline_constants, sdwa_ldexp_f16).
#[test]
fn words_that_hardware_executes_and_llvm_refuses() {
    let exact = TextOptions::exact(WaveSize::W32);
    // The constant 0 in SRC2 of a row with two sources, beside a literal in SRC1.
    let i = inst(&[0xd53b_0017, 0x0201_ff04, 0x3f00_0000]);
    assert_eq!(i.literal(), Some(0x3f00_0000));
    assert_eq!(i.srcs().count(), 2);
    let breach = Breach::UnusedSource { source_field: 2 };
    assert_eq!(legality(&i, WaveSize::W32), [breach]);
    // Its text gives the canonical words, with 0 there, and breaks no rule.
    let text = inst_to_string(&i, exact);
    let canonical = [0xd53b_0017, 0x0001_ff04, 0x3f00_0000];
    let back = assemble(Target::Gfx1030, WaveSize::W32, &text).unwrap();
    assert_eq!(back, canonical);
    assert_eq!(inst_to_string(&inst(&canonical), exact), text);
    assert_eq!(legality(&inst(&canonical), WaveSize::W32), []);
    // A literal's code, LDS_DIRECT and reserved ones are refused there.
    for code in [255, 254, 253, 209, 249u32] {
        let words = [0xd53b_0017, 0x0001_0504 | code << 18, 0];
        assert!(decode(Target::Gfx1030, &words, 0).is_err(), "{code}");
    }
    // SRC0_SEXT and SRC1_SEXT of halves.
    for (words, text) in [
        (
            [0x7616_0af9, 0x0009_1504],
            "v_ldexp_f16_sdwa v11, sext(v4), v5 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE \
             src0_sel:BYTE_1 src1_sel:BYTE_0",
        ),
        (
            [0x7622_0af9, 0x0d0d_0604],
            "v_ldexp_f16_sdwa v17, sext(v4), sext(v5) dst_sel:DWORD dst_unused:UNUSED_PAD \
             src0_sel:WORD_1 src1_sel:WORD_1",
        ),
    ] {
        let i = inst(&words);
        assert_eq!(inst_to_string(&i, exact), text);
        assert!(i.valu_mods().sdwa.unwrap().src0_sext);
        let back = assemble(Target::Gfx1030, WaveSize::W32, text).unwrap();
        assert_eq!(back, words);
    }
    // Beside a sign modifier there is no row that says which comes first.
    assert!(decode(Target::Gfx1030, &[0x7616_0af9, 0x0019_1504], 0).is_err());
}

#[test]
fn a_dword_of_lds_is_read_where_a_vgpr_may_be_read() {
    let text = "v_readfirstlane_b32 s100, src_lds_direct";
    let words = [0x7ec8_04fe];
    assert_eq!(
        inst_to_string(&inst(&words), TextOptions::llvm(WaveSize::W32)),
        text
    );
    assert_eq!(
        assemble(Target::Gfx1030, WaveSize::W32, text).unwrap(),
        words
    );
    // v_swap_b32 writes its source too.
    assert!(decode(Target::Gfx1030, &[0x7e9a_cafe], 0).is_err());
    assert!(
        assemble(
            Target::Gfx1030,
            WaveSize::W32,
            "v_swap_b32 v77, src_lds_direct"
        )
        .is_err()
    );
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

/// S_SETVSKIP of older generations turns vector instructions off; its number means nothing here, as do
/// those of S_CBRANCH_I_FORK and of S_SET_GPR_IDX_*.
#[test]
fn an_older_generations_instruction_is_refused() {
    for target in Target::ALL {
        // SOPC 0x10 and 0x11
        for word in [0xbf10_0201, 0xbf11_0201] {
            assert!(decode(target, &[word], 0).is_err(), "{target:?} {word:#x}");
        }
        for op in Opcode::ALL {
            let name = op.name();
            assert!(!name.contains("VSKIP") && !name.contains("FORK") && !name.contains("GPR_IDX"));
        }
    }
}

/// Controls of DPP16 that the manual does not name are refused, never taken for the identity.
#[test]
fn reserved_dpp_controls_are_refused() {
    // Quad permutation, shifts and rotations of a row (0 is reserved), mirrors, shares, exchanges.
    let named = |c: u32| {
        matches!(c, 0x000..=0x0ff | 0x101..=0x10f | 0x111..=0x11f | 0x121..=0x12f)
            || matches!(c, 0x140 | 0x141 | 0x150..=0x16f)
    };
    for target in Target::ALL {
        for control in 0..0x200u32 {
            // v_mov_b32_dpp v2, v1
            let words = [0x7e04_02fa, 0xff00_0001 | control << 8];
            let decoded = decode(target, &words, 0);
            assert_eq!(decoded.is_ok(), named(control), "{target:?} {control:#x}");
        }
    }
}
