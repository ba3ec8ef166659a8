//! Scalar ALU: results and SCC worked out by hand from the manual's descriptions; words by an
//! independent assembler.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod common;

use common::Test;
use spirdna_isa::{SReg, WaveSize};

/// Text, words, s0 on, SCC before, results, SCC after.
type Row = (
    &'static str,
    &'static [u32],
    &'static [u32],
    bool,
    &'static [(u8, u32)],
    bool,
);

// source: rows
const ROWS: &[Row] = &[
    (
        "s_mov_b32 s8, s0",
        &[0xbe880300],
        &[0x12345678],
        false,
        &[(8, 0x12345678)],
        false,
    ),
    (
        "s_mov_b32 s8, -16",
        &[0xbe8803d0],
        &[],
        true,
        &[(8, 0xfffffff0)],
        true,
    ),
    (
        "s_mov_b64 s[8:9], -1",
        &[0xbe8804c1],
        &[],
        false,
        &[(8, 0xffffffff), (9, 0xffffffff)],
        false,
    ),
    (
        "s_mov_b64 s[8:9], 1",
        &[0xbe880481],
        &[],
        false,
        &[(8, 0x1), (9, 0x0)],
        false,
    ),
    (
        "s_mov_b64 s[8:9], 0x80000000",
        &[0xbe8804ff, 0x80000000],
        &[],
        false,
        &[(8, 0x80000000), (9, 0x0)],
        false,
    ),
    (
        "s_mov_b64 s[8:9], 1.0",
        &[0xbe8804f2],
        &[],
        false,
        &[(8, 0x0), (9, 0x3ff00000)],
        false,
    ),
    (
        "s_movk_i32 s8, 0x8000",
        &[0xb0088000],
        &[],
        false,
        &[(8, 0xffff8000)],
        false,
    ),
    (
        "s_cmov_b32 s0, s1",
        &[0xbe800501],
        &[0x1, 0x2],
        false,
        &[(0, 0x1)],
        false,
    ),
    (
        "s_cmov_b32 s0, s1",
        &[0xbe800501],
        &[0x1, 0x2],
        true,
        &[(0, 0x2)],
        true,
    ),
    (
        "s_cmovk_i32 s0, 0xfffe",
        &[0xb100fffe],
        &[0x1],
        true,
        &[(0, 0xfffffffe)],
        true,
    ),
    (
        "s_not_b32 s8, s0",
        &[0xbe880700],
        &[0xffffffff],
        false,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_not_b32 s8, s0",
        &[0xbe880700],
        &[0xfffffffe],
        false,
        &[(8, 0x1)],
        true,
    ),
    (
        "s_not_b64 s[8:9], s[0:1]",
        &[0xbe880800],
        &[0xffffffff, 0x7fffffff],
        false,
        &[(8, 0x0), (9, 0x80000000)],
        true,
    ),
    (
        "s_wqm_b32 s8, s0",
        &[0xbe880900],
        &[0x10000102],
        false,
        &[(8, 0xf0000f0f)],
        true,
    ),
    (
        "s_wqm_b64 s[8:9], s[0:1]",
        &[0xbe880a00],
        &[0x0, 0x80],
        false,
        &[(8, 0x0), (9, 0xf0)],
        true,
    ),
    (
        "s_brev_b32 s8, s0",
        &[0xbe880b00],
        &[0x80000003],
        false,
        &[(8, 0xc0000001)],
        false,
    ),
    (
        "s_brev_b64 s[8:9], s[0:1]",
        &[0xbe880c00],
        &[0x1, 0x2],
        false,
        &[(8, 0x40000000), (9, 0x80000000)],
        false,
    ),
    (
        "s_bcnt0_i32_b32 s8, s0",
        &[0xbe880d00],
        &[0xffffffff],
        true,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_bcnt0_i32_b64 s8, s[0:1]",
        &[0xbe880e00],
        &[0xf, 0x0],
        false,
        &[(8, 0x3c)],
        true,
    ),
    (
        "s_bcnt1_i32_b32 s8, s0",
        &[0xbe880f00],
        &[0x80000001],
        false,
        &[(8, 0x2)],
        true,
    ),
    (
        "s_bcnt1_i32_b64 s8, s[0:1]",
        &[0xbe881000],
        &[0x3, 0x1],
        false,
        &[(8, 0x3)],
        true,
    ),
    (
        "s_ff0_i32_b32 s8, s0",
        &[0xbe881100],
        &[0xffffffff],
        true,
        &[(8, 0xffffffff)],
        true,
    ),
    (
        "s_ff0_i32_b32 s8, s0",
        &[0xbe881100],
        &[0x17],
        false,
        &[(8, 0x3)],
        false,
    ),
    (
        "s_ff0_i32_b64 s8, s[0:1]",
        &[0xbe881200],
        &[0xffffffff, 0x1],
        false,
        &[(8, 0x21)],
        false,
    ),
    (
        "s_ff1_i32_b32 s8, s0",
        &[0xbe881300],
        &[0x0],
        false,
        &[(8, 0xffffffff)],
        false,
    ),
    (
        "s_ff1_i32_b32 s8, s0",
        &[0xbe881300],
        &[0x80000000],
        false,
        &[(8, 0x1f)],
        false,
    ),
    (
        "s_ff1_i32_b64 s8, s[0:1]",
        &[0xbe881400],
        &[0x0, 0x4],
        false,
        &[(8, 0x22)],
        false,
    ),
    (
        "s_flbit_i32_b32 s8, s0",
        &[0xbe881500],
        &[0xffff],
        false,
        &[(8, 0x10)],
        false,
    ),
    (
        "s_flbit_i32_b32 s8, s0",
        &[0xbe881500],
        &[0x0],
        false,
        &[(8, 0xffffffff)],
        false,
    ),
    (
        "s_flbit_i32_b64 s8, s[0:1]",
        &[0xbe881600],
        &[0x1, 0x0],
        false,
        &[(8, 0x3f)],
        false,
    ),
    (
        "s_flbit_i32 s8, s0",
        &[0xbe881700],
        &[0x0],
        false,
        &[(8, 0xffffffff)],
        false,
    ),
    (
        "s_flbit_i32 s8, s0",
        &[0xbe881700],
        &[0xffffffff],
        false,
        &[(8, 0xffffffff)],
        false,
    ),
    (
        "s_flbit_i32 s8, s0",
        &[0xbe881700],
        &[0xcccc],
        false,
        &[(8, 0x10)],
        false,
    ),
    (
        "s_flbit_i32 s8, s0",
        &[0xbe881700],
        &[0xffff3333],
        false,
        &[(8, 0x10)],
        false,
    ),
    (
        "s_flbit_i32 s8, s0",
        &[0xbe881700],
        &[0x7fffffff],
        false,
        &[(8, 0x1)],
        false,
    ),
    (
        "s_flbit_i32_i64 s8, s[0:1]",
        &[0xbe881800],
        &[0x0, 0xffffffff],
        false,
        &[(8, 0x20)],
        false,
    ),
    (
        "s_sext_i32_i8 s8, s0",
        &[0xbe881900],
        &[0x1280],
        false,
        &[(8, 0xffffff80)],
        false,
    ),
    (
        "s_sext_i32_i16 s8, s0",
        &[0xbe881a00],
        &[0x18000],
        false,
        &[(8, 0xffff8000)],
        false,
    ),
    (
        "s_bitset0_b32 s0, s1",
        &[0xbe801b01],
        &[0xffffffff, 0x21],
        false,
        &[(0, 0xfffffffd)],
        false,
    ),
    (
        "s_bitset1_b32 s0, s1",
        &[0xbe801d01],
        &[0x0, 0x3f],
        false,
        &[(0, 0x80000000)],
        false,
    ),
    (
        "s_bitset0_b64 s[0:1], s2",
        &[0xbe801c02],
        &[0xffffffff, 0xffffffff, 0x21],
        false,
        &[(0, 0xffffffff), (1, 0xfffffffd)],
        false,
    ),
    (
        "s_bitset1_b64 s[0:1], s2",
        &[0xbe801e02],
        &[0x0, 0x0, 0x3f],
        false,
        &[(0, 0x0), (1, 0x80000000)],
        false,
    ),
    (
        "s_quadmask_b32 s8, s0",
        &[0xbe882c00],
        &[0x10000102],
        false,
        &[(8, 0x85)],
        true,
    ),
    (
        "s_quadmask_b64 s[8:9], s[0:1]",
        &[0xbe882d00],
        &[0x10, 0x80000000],
        false,
        &[(8, 0x8002), (9, 0x0)],
        true,
    ),
    (
        "s_abs_i32 s8, s0",
        &[0xbe883400],
        &[0x80000000],
        false,
        &[(8, 0x80000000)],
        true,
    ),
    (
        "s_abs_i32 s8, s0",
        &[0xbe883400],
        &[0xffffffff],
        false,
        &[(8, 0x1)],
        true,
    ),
    (
        "s_abs_i32 s8, s0",
        &[0xbe883400],
        &[0x0],
        true,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_bitreplicate_b64_b32 s[8:9], s0",
        &[0xbe883b00],
        &[0x8000000b],
        false,
        &[(8, 0xcf), (9, 0xc0000000)],
        false,
    ),
    (
        "s_add_u32 s8, s0, s1",
        &[0x80080100],
        &[0xffffffff, 0x1],
        false,
        &[(8, 0x0)],
        true,
    ),
    (
        "s_add_u32 s8, s0, s1",
        &[0x80080100],
        &[0xffffffff, 0x0],
        true,
        &[(8, 0xffffffff)],
        false,
    ),
    (
        "s_sub_u32 s8, s0, s1",
        &[0x80880100],
        &[0x0, 0x1],
        false,
        &[(8, 0xffffffff)],
        true,
    ),
    (
        "s_sub_u32 s8, s0, s1",
        &[0x80880100],
        &[0x1, 0x1],
        true,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_add_i32 s8, s0, s1",
        &[0x81080100],
        &[0x7fffffff, 0x1],
        false,
        &[(8, 0x80000000)],
        true,
    ),
    (
        "s_add_i32 s8, s0, s1",
        &[0x81080100],
        &[0xffffffff, 0x1],
        true,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_sub_i32 s8, s0, s1",
        &[0x81880100],
        &[0x80000000, 0x1],
        false,
        &[(8, 0x7fffffff)],
        true,
    ),
    (
        "s_sub_i32 s8, s0, s1",
        &[0x81880100],
        &[0x0, 0x80000000],
        false,
        &[(8, 0x80000000)],
        true,
    ),
    (
        "s_addc_u32 s8, s0, s1",
        &[0x82080100],
        &[0xffffffff, 0x0],
        true,
        &[(8, 0x0)],
        true,
    ),
    (
        "s_addc_u32 s8, s0, s1",
        &[0x82080100],
        &[0xffffffff, 0xffffffff],
        true,
        &[(8, 0xffffffff)],
        true,
    ),
    (
        "s_addc_u32 s8, s0, s1",
        &[0x82080100],
        &[0x1, 0x2],
        false,
        &[(8, 0x3)],
        false,
    ),
    (
        "s_subb_u32 s8, s0, s1",
        &[0x82880100],
        &[0x0, 0xffffffff],
        true,
        &[(8, 0x0)],
        true,
    ),
    (
        "s_subb_u32 s8, s0, s1",
        &[0x82880100],
        &[0x5, 0x4],
        true,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_min_i32 s8, s0, s1",
        &[0x83080100],
        &[0xffffffff, 0x1],
        false,
        &[(8, 0xffffffff)],
        true,
    ),
    (
        "s_min_u32 s8, s0, s1",
        &[0x83880100],
        &[0xffffffff, 0x1],
        true,
        &[(8, 0x1)],
        false,
    ),
    (
        "s_min_u32 s8, s0, s1",
        &[0x83880100],
        &[0x7, 0x7],
        true,
        &[(8, 0x7)],
        false,
    ),
    (
        "s_max_i32 s8, s0, s1",
        &[0x84080100],
        &[0xffffffff, 0x1],
        true,
        &[(8, 0x1)],
        false,
    ),
    (
        "s_max_u32 s8, s0, s1",
        &[0x84880100],
        &[0xffffffff, 0x1],
        false,
        &[(8, 0xffffffff)],
        true,
    ),
    (
        "s_max_u32 s8, s0, s1",
        &[0x84880100],
        &[0x7, 0x7],
        true,
        &[(8, 0x7)],
        false,
    ),
    (
        "s_cselect_b32 s8, s0, s1",
        &[0x85080100],
        &[0x1, 0x2],
        true,
        &[(8, 0x1)],
        true,
    ),
    (
        "s_cselect_b32 s8, s0, s1",
        &[0x85080100],
        &[0x1, 0x2],
        false,
        &[(8, 0x2)],
        false,
    ),
    (
        "s_cselect_b64 s[8:9], s[0:1], -2",
        &[0x8588c200],
        &[0x1, 0x2],
        false,
        &[(8, 0xfffffffe), (9, 0xffffffff)],
        false,
    ),
    (
        "s_and_b32 s8, s0, s1",
        &[0x87080100],
        &[0xc, 0xa],
        false,
        &[(8, 0x8)],
        true,
    ),
    (
        "s_or_b64 s[8:9], s[0:1], s[2:3]",
        &[0x88880200],
        &[0x0, 0x0, 0x0, 0x0],
        true,
        &[(8, 0x0), (9, 0x0)],
        false,
    ),
    (
        "s_xor_b32 s8, s0, s1",
        &[0x89080100],
        &[0xc, 0xa],
        false,
        &[(8, 0x6)],
        true,
    ),
    (
        "s_andn2_b32 s8, s0, s1",
        &[0x8a080100],
        &[0xc, 0xa],
        false,
        &[(8, 0x4)],
        true,
    ),
    (
        "s_orn2_b32 s8, s0, s1",
        &[0x8b080100],
        &[0xc, 0xa],
        false,
        &[(8, 0xfffffffd)],
        true,
    ),
    (
        "s_nand_b32 s8, s0, s1",
        &[0x8c080100],
        &[0xffffffff, 0xffffffff],
        true,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_nor_b32 s8, s0, s1",
        &[0x8d080100],
        &[0xc, 0xa],
        false,
        &[(8, 0xfffffff1)],
        true,
    ),
    (
        "s_xnor_b64 s[8:9], s[0:1], s[2:3]",
        &[0x8e880200],
        &[0x1, 0x1, 0x1, 0x0],
        false,
        &[(8, 0xffffffff), (9, 0xfffffffe)],
        true,
    ),
    (
        "s_lshl_b32 s8, s0, s1",
        &[0x8f080100],
        &[0x3, 0x21],
        false,
        &[(8, 0x6)],
        true,
    ),
    (
        "s_lshl_b64 s[8:9], s[0:1], s2",
        &[0x8f880200],
        &[0x1, 0x0, 0x20],
        false,
        &[(8, 0x0), (9, 0x1)],
        true,
    ),
    (
        "s_lshl_b32 s8, s0, s1",
        &[0x8f080100],
        &[0x80000000, 0x1],
        true,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_lshr_b32 s8, s0, s1",
        &[0x90080100],
        &[0x80000000, 0x1f],
        false,
        &[(8, 0x1)],
        true,
    ),
    (
        "s_lshr_b64 s[8:9], s[0:1], s2",
        &[0x90880200],
        &[0x0, 0x4, 0x41],
        false,
        &[(8, 0x0), (9, 0x2)],
        true,
    ),
    (
        "s_ashr_i32 s8, s0, s1",
        &[0x91080100],
        &[0x80000000, 0x4],
        false,
        &[(8, 0xf8000000)],
        true,
    ),
    (
        "s_ashr_i64 s[8:9], s[0:1], s2",
        &[0x91880200],
        &[0x0, 0x80000000, 0x3f],
        false,
        &[(8, 0xffffffff), (9, 0xffffffff)],
        true,
    ),
    (
        "s_bfm_b32 s8, s0, s1",
        &[0x92080100],
        &[0x4, 0x8],
        false,
        &[(8, 0xf00)],
        false,
    ),
    (
        "s_bfm_b32 s8, s0, s1",
        &[0x92080100],
        &[0x1f, 0x4],
        true,
        &[(8, 0xfffffff0)],
        true,
    ),
    (
        "s_bfm_b64 s[8:9], s0, s1",
        &[0x92880100],
        &[0x28, 0x3c],
        false,
        &[(8, 0x0), (9, 0xf0000000)],
        false,
    ),
    (
        "s_mul_i32 s8, s0, s1",
        &[0x93080100],
        &[0x10001, 0x10001],
        true,
        &[(8, 0x20001)],
        true,
    ),
    (
        "s_mulk_i32 s0, 0xffff",
        &[0xb800ffff],
        &[0x7],
        false,
        &[(0, 0xfffffff9)],
        false,
    ),
    (
        "s_addk_i32 s0, 0x8000",
        &[0xb7808000],
        &[0x80000000],
        false,
        &[(0, 0x7fff8000)],
        true,
    ),
    (
        "s_mul_hi_u32 s8, s0, s1",
        &[0x9a880100],
        &[0xffffffff, 0xffffffff],
        false,
        &[(8, 0xfffffffe)],
        false,
    ),
    (
        "s_mul_hi_i32 s8, s0, s1",
        &[0x9b080100],
        &[0xffffffff, 0xffffffff],
        false,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_bfe_u32 s8, s0, s1",
        &[0x93880100],
        &[0x12345678, 0x80008],
        false,
        &[(8, 0x56)],
        true,
    ),
    (
        "s_bfe_u32 s8, s0, s1",
        &[0x93880100],
        &[0x12345678, 0x400018],
        false,
        &[(8, 0x12)],
        true,
    ),
    (
        "s_bfe_u32 s8, s0, s1",
        &[0x93880100],
        &[0xffffffff, 0x0],
        true,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_bfe_i32 s8, s0, s1",
        &[0x94080100],
        &[0x8000, 0x80008],
        false,
        &[(8, 0xffffff80)],
        true,
    ),
    (
        "s_bfe_i32 s8, s0, s1",
        &[0x94080100],
        &[0x80000000, 0x100018],
        false,
        &[(8, 0xffffff80)],
        true,
    ),
    (
        "s_bfe_u64 s[8:9], s[0:1], s2",
        &[0x94880200],
        &[0x0, 0xff00, 0x80028],
        false,
        &[(8, 0xff), (9, 0x0)],
        true,
    ),
    (
        "s_bfe_u64 s[8:9], s[0:1], s2",
        &[0x94880200],
        &[0x1, 0x2, 0x400000],
        false,
        &[(8, 0x1), (9, 0x2)],
        true,
    ),
    (
        "s_bfe_i64 s[8:9], s[0:1], s2",
        &[0x95080200],
        &[0x80, 0x0, 0x80000],
        false,
        &[(8, 0xffffff80), (9, 0xffffffff)],
        true,
    ),
    (
        "s_absdiff_i32 s8, s0, s1",
        &[0x96080100],
        &[0x1, 0x3],
        false,
        &[(8, 0x2)],
        true,
    ),
    (
        "s_absdiff_i32 s8, s0, s1",
        &[0x96080100],
        &[0x5, 0x5],
        true,
        &[(8, 0x0)],
        false,
    ),
    (
        "s_lshl1_add_u32 s8, s0, s1",
        &[0x97080100],
        &[0x80000000, 0x1],
        false,
        &[(8, 0x1)],
        true,
    ),
    (
        "s_lshl2_add_u32 s8, s0, s1",
        &[0x97880100],
        &[0x40000001, 0x5],
        false,
        &[(8, 0x9)],
        true,
    ),
    (
        "s_lshl2_add_u32 s8, s0, s1",
        &[0x97880100],
        &[0x3fffffff, 0x3],
        true,
        &[(8, 0xffffffff)],
        false,
    ),
    (
        "s_cmov_b64 s[2:3], s[0:1]",
        &[0xbe820600],
        &[0x11111111, 0x22222222, 0x33333333, 0x44444444],
        true,
        &[(2, 0x11111111), (3, 0x22222222)],
        true,
    ),
    (
        "s_cmov_b64 s[2:3], s[0:1]",
        &[0xbe820600],
        &[0x11111111, 0x22222222, 0x33333333, 0x44444444],
        false,
        &[(2, 0x33333333), (3, 0x44444444)],
        false,
    ),
    (
        "s_getpc_b64 s[8:9]",
        &[0xbe881f00],
        &[],
        false,
        // The address behind it: one dword was before it.
        &[(8, 0x8), (9, 0x7f00)],
        false,
    ),
    (
        "s_lshl4_add_u32 s8, s0, s1",
        &[0x98880100],
        &[0x1, 0xf],
        true,
        &[(8, 0x1f)],
        false,
    ),
    (
        "s_lshl3_add_u32 s8, s0, s1",
        &[0x98080100],
        &[0x1fffffff, 0x8],
        false,
        &[(8, 0x0)],
        true,
    ),
    (
        "s_pack_ll_b32_b16 s8, s0, s1",
        &[0x99080100],
        &[0x11112222, 0x33334444],
        false,
        &[(8, 0x44442222)],
        false,
    ),
    (
        "s_pack_lh_b32_b16 s8, s0, s1",
        &[0x99880100],
        &[0x11112222, 0x33334444],
        false,
        &[(8, 0x33332222)],
        false,
    ),
    (
        "s_pack_hh_b32_b16 s8, s0, s1",
        &[0x9a080100],
        &[0x11112222, 0x33334444],
        false,
        &[(8, 0x33331111)],
        false,
    ),
    (
        "s_cmp_lt_i32 s0, s1",
        &[0xbf040100],
        &[0xffffffff, 0x0],
        false,
        &[],
        true,
    ),
    (
        "s_cmp_lt_u32 s0, s1",
        &[0xbf0a0100],
        &[0xffffffff, 0x0],
        true,
        &[],
        false,
    ),
    (
        "s_cmp_ge_i32 s0, s1",
        &[0xbf030100],
        &[0x3, 0x3],
        false,
        &[],
        true,
    ),
    (
        "s_cmp_gt_u32 s0, s1",
        &[0xbf080100],
        &[0x3, 0x3],
        true,
        &[],
        false,
    ),
    (
        "s_cmp_lg_i32 s0, s1",
        &[0xbf010100],
        &[0x3, 0x4],
        false,
        &[],
        true,
    ),
    (
        "s_cmp_le_u32 s0, s1",
        &[0xbf0b0100],
        &[0x3, 0x4],
        false,
        &[],
        true,
    ),
    (
        "s_cmp_eq_u64 s[0:1], s[2:3]",
        &[0xbf120200],
        &[0x1, 0x2, 0x1, 0x2],
        false,
        &[],
        true,
    ),
    (
        "s_cmp_lg_u64 s[0:1], s[2:3]",
        &[0xbf130200],
        &[0x1, 0x2, 0x1, 0x3],
        false,
        &[],
        true,
    ),
    (
        "s_cmpk_eq_i32 s0, 0xffff",
        &[0xb180ffff],
        &[0xffffffff],
        false,
        &[],
        true,
    ),
    (
        "s_cmpk_eq_u32 s0, 0xffff",
        &[0xb480ffff],
        &[0xffff],
        false,
        &[],
        true,
    ),
    (
        "s_cmpk_lt_i32 s0, 0x8000",
        &[0xb3808000],
        &[0x0],
        true,
        &[],
        false,
    ),
    (
        "s_bitcmp0_b32 s0, s1",
        &[0xbf0c0100],
        &[0x2, 0x21],
        true,
        &[],
        false,
    ),
    (
        "s_bitcmp1_b32 s0, s1",
        &[0xbf0d0100],
        &[0x2, 0x21],
        false,
        &[],
        true,
    ),
    (
        "s_bitcmp1_b64 s[0:1], s2",
        &[0xbf0f0200],
        &[0x0, 0x2, 0x21],
        false,
        &[],
        true,
    ),
    (
        "s_bitcmp0_b64 s[0:1], s2",
        &[0xbf0e0200],
        &[0x0, 0x2, 0x21],
        true,
        &[],
        false,
    ),
    (
        "s_or_b32 s8, s0, scc",
        &[0x8808fd00],
        &[0x2],
        true,
        &[(8, 0x3)],
        true,
    ),
    (
        "s_mov_b64 s[8:9], src_shared_base",
        &[0xbe8804eb],
        &[],
        false,
        &[(8, 0x0), (9, 0x10000)],
        false,
    ),
];

#[test]
fn results_and_scc() {
    for (text, words, inputs, scc_in, results, scc_out) in ROWS {
        // s_cmp_eq_u32 0, 0 or s_cmp_eq_u32 0, 1 set SCC.
        let set_scc = if *scc_in { 0xbf06_8080 } else { 0xbf06_8180 };
        let mut code = vec![set_scc];
        code.extend_from_slice(words);
        let t = Test::wave32(&code).sgprs(inputs).run();
        for (reg, value) in *results {
            assert_eq!(t.s(*reg), *value, "{text} {inputs:x?}: s{reg}");
        }
        assert_eq!(t.wave().scc(), *scc_out, "{text} {inputs:x?}: SCC");
    }
}

#[test]
fn saveexec_in_wave32_and_wave64() {
    // s_and_saveexec_b64 s[8:9], s[0:1]
    let code = [0xbe88_2400];
    let t = Test::new(WaveSize::W64, &code)
        .sgprs(&[6, 0])
        .exec(0xf)
        .run();
    assert_eq!((t.s(8), t.s(9), t.wave().exec()), (0xf, 0, 6));
    assert!(t.wave().scc());
    // In wave32 EXEC_HI is data: it keeps SCC set where the mask is empty.
    let mut t = Test::wave32(&code).sgprs(&[0, 0x100]).exec(0xf_0000_ffff);
    t.launch.exec = Some(0x7fff_0000_ffff);
    let t = t.run();
    assert_eq!((t.s(8), t.s(9)), (0xffff, 0x7fff));
    assert_eq!(t.wave().exec(), 0);
    assert_eq!(t.s(SReg::EXEC_HI.code()), 0x100);
    assert!(t.wave().scc());
    // s_andn2_wrexec_b32 s8, s0: EXEC = s0 & ~EXEC, and the destination gets it too.
    let t = Test::wave32(&[0xbe88_4700]).sgprs(&[0x1f]).exec(3).run();
    assert_eq!((t.s(8), t.wave().exec()), (0x1c, 0x1c));
}

// source: S_MOVRELS_B32 S_MOVRELS_B64 S_MOVRELD_B32 S_MOVRELD_B64 S_MOVRELSD_2_B32
#[test]
fn relative_moves() {
    let inputs = [10, 11, 12, 13, 14, 15, 16, 17];
    // s_movrels_b32 s8, s1; s_movreld_b64 s[10:11], s[2:3]; s_movrelsd_2_b32 s20, s0
    let code = [0xbe88_2e01, 0xbe8a_3102, 0xbe94_4900];
    let t = Test::wave32(&code).sgprs(&inputs).m0(4).run();
    assert_eq!(t.s(8), 15);
    assert_eq!((t.s(14), t.s(15)), (12, 13));
    assert_eq!(t.s(20), 14);
    let t = Test::wave32(&[0xbe94_4900])
        .sgprs(&inputs)
        .m0(0x0003_fc05)
        .run();
    assert_eq!(t.s(23), 15);
    // s_movrels_b64 s[8:9], s[0:1]; s_movreld_b32 s10, s1
    let t = Test::wave32(&[0xbe88_2f00, 0xbe8a_3001])
        .sgprs(&inputs)
        .m0(6)
        .run();
    assert_eq!((t.s(8), t.s(9)), (16, 17));
    assert_eq!(t.s(16), 11);
    // Past s105 is an error, not VCC.
    assert!(
        Test::wave32(&code)
            .sgprs(&inputs)
            .m0(106)
            .try_run()
            .is_err()
    );
}

// source: S_GETREG_B32 S_SETREG*
#[test]
fn hardware_registers() {
    // s_getreg_b32 s8, hwreg(HW_REG_MODE); s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3;
    // s_getreg_b32 s9, hwreg(HW_REG_MODE, 0, 8)
    let code = [0xb908_f801, 0xba80_0901, 3, 0xb909_3801];
    let t = Test::wave32(&code).run();
    assert_eq!((t.s(8), t.s(9)), (0x1c0, 0xf0));
    assert!(!t.wave().mode.denorm32.flushes_in());
    // s_setreg_b32 hwreg(HW_REG_MODE), s0 with the exception bits
    let mut t = Test::wave32(&[0xb980_f801]).sgprs(&[0x1000]);
    assert!(t.try_run().is_err());
    // s_round_mode 0x9; s_denorm_mode 0x5
    let t = Test::wave32(&[0xbfa4_0009, 0xbfa5_0005, 0xb908_3801]).run();
    assert_eq!(t.s(8), 0x59);
}

/// Registers, masks and MODE are what they were.
// source: S_VERSION V_NOP V_CLREXCP V_PIPEFLUSH
#[test]
fn what_does_nothing() {
    // s_cmp_eq_u32 0, 0; then s_nop 0, s_version, v_nop, v_clrexcp, v_pipeflush
    let sgprs: Vec<u32> = (0..32).map(|i| i * 0x0101_0101).collect();
    let run = |code: &[u32]| {
        Test::wave32(&[&[0xbf06_8080], code].concat())
            .sgprs(&sgprs)
            .vgpr(0, |l| l)
            .vgpr(7, |l| l << 8)
            .exec(0x00ff_f0f0)
            .m0(9)
            .run()
    };
    let nothing = run(&[0xbf80_0000]);
    for code in [0xb080_2006, 0x7e00_0000, 0x7e00_8200, 0x7e00_3600] {
        let t = run(&[code]);
        for reg in 0..128 {
            assert_eq!(t.s(reg), nothing.s(reg), "{code:x} s{reg}");
        }
        assert_eq!((t.v(0), t.v(7)), (nothing.v(0), nothing.v(7)), "{code:x}");
        let (a, b) = (t.wave(), nothing.wave());
        assert_eq!((a.exec(), a.scc(), a.mode), (b.exec(), b.scc(), b.mode));
    }
}
