//! Integer vector operations against definitions of their own: host integers and bit by bit, lanes of
//! edge values and random bits.

#![allow(
    clippy::needless_range_loop,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop"
)]

mod common;

use common::Test;
use spirdna_isa::{Target, WaveSize, assemble};

/// Edge values of 32, 24, 16, 8 bits, then random bits.
fn values(seed: u64) -> Vec<u32> {
    const EDGES: [u32; 24] = [
        0,
        1,
        2,
        31,
        32,
        33,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x1_0000,
        0x7f_ffff,
        0x80_0000,
        0xff_ffff,
        0x100_0000,
        0x7fff_ffff,
        0x8000_0000,
        0x8000_0001,
        0xffff_ff80,
        0xffff_8000,
        0xffff_fffe,
        0xffff_ffff,
    ];
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..64)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let r = state.wrapping_mul(0x2545_f491_4f6c_dd1d);
            match r >> 60 {
                0..=9 => EDGES[(r >> 8) as usize % EDGES.len()],
                10 => (r >> 20) as u32 & 0x1f,
                _ => (r >> 16) as u32,
            }
        })
        .collect()
}

fn words(wave: WaveSize, text: &str) -> Vec<u32> {
    assemble(Target::Gfx1030, wave, text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

/// Runs `text`, which reads v1 to v6, on 64 lanes.
fn run(text: &str, seed: u64) -> ([Vec<u32>; 7], Test) {
    let inputs: [Vec<u32>; 7] = std::array::from_fn(|i| values(seed * 16 + i as u64));
    let mut test = Test::new(WaveSize::W64, &words(WaveSize::W64, text));
    for (i, v) in inputs.iter().enumerate().skip(1) {
        let v = v.clone();
        test = test.vgpr(i as u8, move |l| v[l as usize]);
    }
    (inputs, test.run())
}

/// What an operation makes of v1, v2, v3.
type Define = fn(u32, u32, u32) -> u32;

/// Checks operations on v1, v2, v3 that write v10.
fn check(operations: &[(&str, Define)]) {
    for (text, define) in operations {
        for seed in 1..12 {
            let (v, test) = run(text, seed);
            for (lane, got) in test.v(10).into_iter().enumerate() {
                let [a, b, c] = [v[1][lane], v[2][lane], v[3][lane]];
                let want = define(a, b, c);
                assert_eq!(
                    got, want,
                    "{text}: {a:#x} {b:#x} {c:#x}: {got:#x}, want {want:#x}"
                );
            }
        }
    }
}

fn s24(x: u32) -> i64 {
    i64::from((x << 8) as i32 >> 8)
}

fn u24(x: u32) -> u64 {
    u64::from(x & 0xff_ffff)
}

fn bytes(x: u32) -> [i32; 4] {
    x.to_le_bytes().map(i32::from)
}

fn sad(a: u32, b: u32) -> u32 {
    let mut sum = 0;
    for i in 0..4 {
        sum += (bytes(a)[i] - bytes(b)[i]).unsigned_abs();
    }
    sum
}

fn masked_sad(a: u32, b: u32) -> u32 {
    let mut sum = 0;
    for i in 0..4 {
        if bytes(b)[i] != 0 {
            sum += (bytes(a)[i] - bytes(b)[i]).unsigned_abs();
        }
    }
    sum
}

// source: rows
#[test]
fn two_sources_of_32_bits() {
    check(&[
        ("v_add_nc_u32 v10, v1, v2", |a, b, _| a.wrapping_add(b)),
        ("v_add_nc_u32_e64 v10, v1, v2 clamp", |a, b, _| {
            a.saturating_add(b)
        }),
        ("v_sub_nc_u32 v10, v1, v2", |a, b, _| a.wrapping_sub(b)),
        ("v_sub_nc_u32_e64 v10, v1, v2 clamp", |a, b, _| {
            a.saturating_sub(b)
        }),
        ("v_subrev_nc_u32 v10, v1, v2", |a, b, _| b.wrapping_sub(a)),
        ("v_add_nc_i32 v10, v1, v2 clamp", |a, b, _| {
            (a as i32).saturating_add(b as i32) as u32
        }),
        ("v_sub_nc_i32 v10, v1, v2 clamp", |a, b, _| {
            (a as i32).saturating_sub(b as i32) as u32
        }),
        ("v_mul_lo_u32 v10, v1, v2", |a, b, _| a.wrapping_mul(b)),
        ("v_mul_hi_u32 v10, v1, v2", |a, b, _| {
            ((u64::from(a) * u64::from(b)) >> 32) as u32
        }),
        ("v_mul_hi_i32 v10, v1, v2", |a, b, _| {
            ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
        }),
        ("v_mul_i32_i24 v10, v1, v2", |a, b, _| {
            (s24(a) * s24(b)) as u32
        }),
        ("v_mul_hi_i32_i24 v10, v1, v2", |a, b, _| {
            ((s24(a) * s24(b)) >> 32) as u32
        }),
        ("v_mul_u32_u24 v10, v1, v2", |a, b, _| {
            (u24(a) * u24(b)) as u32
        }),
        ("v_mul_hi_u32_u24 v10, v1, v2", |a, b, _| {
            ((u24(a) * u24(b)) >> 32) as u32
        }),
        ("v_min_i32 v10, v1, v2", |a, b, _| {
            (a as i32).min(b as i32) as u32
        }),
        ("v_max_i32 v10, v1, v2", |a, b, _| {
            (a as i32).max(b as i32) as u32
        }),
        ("v_min_u32 v10, v1, v2", |a, b, _| a.min(b)),
        ("v_max_u32 v10, v1, v2", |a, b, _| a.max(b)),
        ("v_lshlrev_b32 v10, v1, v2", |a, b, _| b.wrapping_shl(a)),
        ("v_lshrrev_b32 v10, v1, v2", |a, b, _| b.wrapping_shr(a)),
        ("v_ashrrev_i32 v10, v1, v2", |a, b, _| {
            (b as i32).wrapping_shr(a) as u32
        }),
        ("v_and_b32 v10, v1, v2", |a, b, _| a & b),
        ("v_or_b32 v10, v1, v2", |a, b, _| a | b),
        ("v_xor_b32 v10, v1, v2", |a, b, _| a ^ b),
        ("v_xnor_b32 v10, v1, v2", |a, b, _| !(a ^ b)),
        ("v_not_b32 v10, v1", |a, _, _| !a),
        ("v_bfrev_b32 v10, v1", |a, _, _| {
            (0..32).fold(0, |r, i| r << 1 | a >> i & 1)
        }),
        ("v_ffbh_u32 v10, v1", |a, _, _| {
            (0..32).find(|i| a >> (31 - i) & 1 == 1).unwrap_or(u32::MAX)
        }),
        ("v_ffbl_b32 v10, v1", |a, _, _| {
            (0..32).find(|i| a >> i & 1 == 1).unwrap_or(u32::MAX)
        }),
        ("v_ffbh_i32 v10, v1", |a, _, _| {
            (1..32)
                .find(|i| a >> (31 - i) & 1 != a >> 31)
                .unwrap_or(u32::MAX)
        }),
        ("v_bfm_b32 v10, v1, v2", |a, b, _| {
            (0..32).fold(0, |r, i| {
                let (width, at) = (a & 31, b & 31);
                if i >= at && i < at + width {
                    r | 1 << i
                } else {
                    r
                }
            })
        }),
        ("v_bcnt_u32_b32 v10, v1, v2", |a, b, _| {
            (0..32).map(|i| a >> i & 1).sum::<u32>().wrapping_add(b)
        }),
        ("v_cvt_pk_u16_u32 v10, v1, v2", |a, b, _| {
            let s = |x: u32| if x > 0xffff { 0xffff } else { x };
            s(a) | s(b) << 16
        }),
        ("v_cvt_pk_i16_i32 v10, v1, v2", |a, b, _| {
            let s = |x: u32| {
                i16::try_from(x as i32).unwrap_or(if x >> 31 == 1 { i16::MIN } else { i16::MAX })
            };
            u32::from(s(a) as u16) | u32::from(s(b) as u16) << 16
        }),
    ]);
}

#[test]
fn three_sources_of_32_bits() {
    check(&[
        ("v_mad_i32_i24 v10, v1, v2, v3", |a, b, c| {
            ((s24(a) * s24(b)) as u32).wrapping_add(c)
        }),
        ("v_mad_u32_u24 v10, v1, v2, v3", |a, b, c| {
            ((u24(a) * u24(b)) as u32).wrapping_add(c)
        }),
        ("v_mad_u32_u16 v10, v1, v2, v3", |a, b, c| {
            ((a & 0xffff) * (b & 0xffff)).wrapping_add(c)
        }),
        (
            "v_mad_i32_i16 v10, v1, v2, v3 op_sel:[1,0,0,0]",
            |a, b, c| {
                (i32::from((a >> 16) as i16) * i32::from(b as i16)).wrapping_add(c as i32) as u32
            },
        ),
        ("v_min3_i32 v10, v1, v2, v3", |a, b, c| {
            [a as i32, b as i32, c as i32].into_iter().min().unwrap() as u32
        }),
        ("v_max3_i32 v10, v1, v2, v3", |a, b, c| {
            (a as i32).max(b as i32).max(c as i32) as u32
        }),
        ("v_min3_u32 v10, v1, v2, v3", |a, b, c| a.min(b).min(c)),
        ("v_max3_u32 v10, v1, v2, v3", |a, b, c| a.max(b).max(c)),
        ("v_med3_i32 v10, v1, v2, v3", |a, b, c| {
            let (a, b, c) = (a as i32, b as i32, c as i32);
            a.max(b).min(a.min(b).max(c)) as u32
        }),
        ("v_med3_u32 v10, v1, v2, v3", |a, b, c| {
            a.max(b).min(a.min(b).max(c))
        }),
        ("v_bfe_u32 v10, v1, v2, v3", |a, b, c| {
            (0..c & 31).fold(0, |r, i| {
                let at = i + (b & 31);
                if at < 32 { r | (a >> at & 1) << i } else { r }
            })
        }),
        ("v_bfe_i32 v10, v1, v2, v3", |a, b, c| {
            let (at, width) = (b & 31, c & 31);
            if width == 0 {
                0
            } else {
                // The field's last bit, or the sign where the field leaves the register, fills.
                let bit = |i: u32| a >> (at + i).min(31) & 1;
                (0..32).fold(0, |r, i| r | bit(i.min(width - 1)) << i)
            }
        }),
        ("v_bfi_b32 v10, v1, v2, v3", |a, b, c| {
            (0..32).fold(0, |r, i| {
                let from = if a >> i & 1 == 1 { b } else { c };
                r | (from >> i & 1) << i
            })
        }),
        ("v_alignbit_b32 v10, v1, v2, v3", |a, b, c| {
            let n = c & 31;
            if n == 0 { b } else { b >> n | a << (32 - n) }
        }),
        ("v_alignbyte_b32 v10, v1, v2, v3", |a, b, c| {
            let n = 8 * (c & 3);
            if n == 0 { b } else { b >> n | a << (32 - n) }
        }),
        ("v_lerp_u8 v10, v1, v2, v3", |a, b, c| {
            u32::from_le_bytes(std::array::from_fn(|i| {
                ((bytes(a)[i] + bytes(b)[i] + (bytes(c)[i] & 1)) / 2) as u8
            }))
        }),
        ("v_sad_u8 v10, v1, v2, v3", |a, b, c| {
            sad(a, b).wrapping_add(c)
        }),
        ("v_sad_u8 v10, v1, v2, v3 clamp", |a, b, c| {
            sad(a, b).saturating_add(c)
        }),
        ("v_sad_hi_u8 v10, v1, v2, v3", |a, b, c| {
            (sad(a, b) << 16).wrapping_add(c)
        }),
        ("v_sad_u16 v10, v1, v2, v3", |a, b, c| {
            let d = |s: u32| ((a >> s & 0xffff) as i32 - (b >> s & 0xffff) as i32).unsigned_abs();
            (d(0) + d(16)).wrapping_add(c)
        }),
        ("v_sad_u32 v10, v1, v2, v3", |a, b, c| {
            a.abs_diff(b).wrapping_add(c)
        }),
        ("v_msad_u8 v10, v1, v2, v3", |a, b, c| {
            masked_sad(a, b).wrapping_add(c)
        }),
        ("v_perm_b32 v10, v1, v2, v3", |a, b, c| {
            let eight = [bytes(b), bytes(a)].concat();
            u32::from_le_bytes(c.to_le_bytes().map(|s| match s {
                0..=7 => eight[usize::from(s)] as u8,
                8..=11 => {
                    let signed = eight[usize::from(s - 8) * 2 + 1];
                    if signed >= 128 { 0xff } else { 0 }
                }
                12 => 0,
                _ => 0xff,
            }))
        }),
        ("v_lshl_add_u32 v10, v1, v2, v3", |a, b, c| {
            a.wrapping_shl(b).wrapping_add(c)
        }),
        ("v_add_lshl_u32 v10, v1, v2, v3", |a, b, c| {
            a.wrapping_add(b).wrapping_shl(c)
        }),
        ("v_add3_u32 v10, v1, v2, v3", |a, b, c| {
            a.wrapping_add(b).wrapping_add(c)
        }),
        ("v_lshl_or_b32 v10, v1, v2, v3", |a, b, c| {
            a.wrapping_shl(b) | c
        }),
        ("v_and_or_b32 v10, v1, v2, v3", |a, b, c| a & b | c),
        ("v_or3_b32 v10, v1, v2, v3", |a, b, c| a | b | c),
        ("v_xor3_b32 v10, v1, v2, v3", |a, b, c| a ^ b ^ c),
        ("v_xad_u32 v10, v1, v2, v3", |a, b, c| {
            (a ^ b).wrapping_add(c)
        }),
        ("v_dot2_i32_i16 v10, v1, v2, v3", |a, b, c| {
            let h = |x: u32| [i32::from(x as i16), i32::from((x >> 16) as i16)];
            let p = |i: usize| h(a)[i].wrapping_mul(h(b)[i]);
            p(0).wrapping_add(p(1)).wrapping_add(c as i32) as u32
        }),
        ("v_dot2_u32_u16 v10, v1, v2, v3", |a, b, c| {
            let p = |s: u32| (a >> s & 0xffff).wrapping_mul(b >> s & 0xffff);
            p(0).wrapping_add(p(16)).wrapping_add(c)
        }),
        ("v_dot2_u32_u16 v10, v1, v2, v3 clamp", |a, b, c| {
            let p = |s: u32| u64::from(a >> s & 0xffff) * u64::from(b >> s & 0xffff);
            (p(0) + p(16) + u64::from(c)).min(u64::from(u32::MAX)) as u32
        }),
        (
            "v_mov_b32 v10, v3\nv_dot4c_i32_i8 v10, v1, v2",
            |a, b, c| {
                let s = |x: u32, i: usize| i32::from(x.to_le_bytes()[i] as i8);
                (0..4).fold(c, |sum, i| sum.wrapping_add((s(a, i) * s(b, i)) as u32))
            },
        ),
        ("v_dot4_u32_u8 v10, v1, v2, v3", |a, b, c| {
            (0..4).fold(c, |s, i| s.wrapping_add((bytes(a)[i] * bytes(b)[i]) as u32))
        }),
        ("v_dot4_i32_i8 v10, v1, v2, v3 clamp", |a, b, c| {
            let byte = |x: u32, i: usize| i64::from(x.to_le_bytes()[i] as i8);
            let sum = (0..4).fold(i64::from(c as i32), |s, i| s + byte(a, i) * byte(b, i));
            sum.clamp(i32::MIN.into(), i32::MAX.into()) as u32
        }),
        ("v_dot8_i32_i4 v10, v1, v2, v3", |a, b, c| {
            let nibble = |x: u32, i: u32| (x << (28 - 4 * i)) as i32 >> 28;
            (0..8).fold(c, |s, i| {
                s.wrapping_add((nibble(a, i) * nibble(b, i)) as u32)
            })
        }),
        ("v_dot8_u32_u4 v10, v1, v2, v3", |a, b, c| {
            let nibble = |x: u32, i: u32| x >> (4 * i) & 15;
            (0..8).fold(c, |s, i| s.wrapping_add(nibble(a, i) * nibble(b, i)))
        }),
    ]);
}

/// Operations on halves: the destination starts as v3, so that the kept half shows.
#[test]
fn sixteen_bits_keep_the_other_half() {
    check(&[
        ("v_mov_b32 v10, v3\nv_add_nc_u16 v10, v1, v2", |a, b, c| {
            c & 0xffff_0000 | a.wrapping_add(b) & 0xffff
        }),
        (
            "v_mov_b32 v10, v3\nv_add_nc_u16 v10, v1, v2 op_sel:[1,0,1]",
            |a, b, c| c & 0xffff | (a >> 16).wrapping_add(b) << 16,
        ),
        (
            "v_mov_b32 v10, v3\nv_sub_nc_i16 v10, v1, v2 clamp",
            |a, b, c| c & 0xffff_0000 | u32::from((a as i16).saturating_sub(b as i16) as u16),
        ),
        (
            "v_mov_b32 v10, v3\nv_mul_lo_u16 v10, v1, v2 op_sel:[0,1,0]",
            |a, b, c| c & 0xffff_0000 | u32::from((a as u16).wrapping_mul((b >> 16) as u16)),
        ),
        ("v_mov_b32 v10, v3\nv_lshlrev_b16 v10, v1, v2", |a, b, c| {
            c & 0xffff_0000 | b << (a & 15) & 0xffff
        }),
        ("v_mov_b32 v10, v3\nv_ashrrev_i16 v10, v1, v2", |a, b, c| {
            c & 0xffff_0000 | u32::from((b as i16 >> (a & 15)) as u16)
        }),
        (
            "v_mov_b32 v10, v3\nv_mad_i16 v10, v1, v2, v10",
            |a, b, c| {
                let sum = i32::from(a as i16) * i32::from(b as i16) + i32::from(c as i16);
                c & 0xffff_0000 | sum as u32 & 0xffff
            },
        ),
        (
            "v_mov_b32 v10, v3\nv_mad_u16 v10, v1, v2, v10 clamp",
            |a, b, c| {
                let sum = u64::from(a & 0xffff) * u64::from(b & 0xffff) + u64::from(c & 0xffff);
                c & 0xffff_0000 | sum.min(0xffff) as u32
            },
        ),
        (
            "v_mov_b32 v10, v3\nv_med3_i16 v10, v1, v2, v10",
            |a, b, c| {
                let (x, y, z) = (a as i16, b as i16, c as i16);
                c & 0xffff_0000 | u32::from(x.max(y).min(x.min(y).max(z)) as u16)
            },
        ),
        (
            "v_mov_b32 v10, v3\nv_min3_u16 v10, v1, v2, v10",
            |a, b, c| c & 0xffff_0000 | (a & 0xffff).min(b & 0xffff).min(c & 0xffff),
        ),
        ("v_mov_b32 v10, v3\nv_max_i16 v10, v1, v2", |a, b, c| {
            c & 0xffff_0000 | u32::from((a as i16).max(b as i16) as u16)
        }),
        ("v_mov_b32 v10, v3\nv_min_i16 v10, v1, v2", |a, b, c| {
            c & 0xffff_0000 | u32::from((a as i16).min(b as i16) as u16)
        }),
        ("v_mov_b32 v10, v3\nv_max_u16 v10, v1, v2", |a, b, c| {
            c & 0xffff_0000 | u32::from((a as u16).max(b as u16))
        }),
        ("v_mov_b32 v10, v3\nv_min_u16 v10, v1, v2", |a, b, c| {
            c & 0xffff_0000 | u32::from((a as u16).min(b as u16))
        }),
        (
            "v_mov_b32 v10, v3\nv_max3_i16 v10, v1, v2, v10",
            |a, b, c| c & 0xffff_0000 | u32::from((a as i16).max(b as i16).max(c as i16) as u16),
        ),
        (
            "v_mov_b32 v10, v3\nv_min3_i16 v10, v1, v2, v10",
            |a, b, c| c & 0xffff_0000 | u32::from((a as i16).min(b as i16).min(c as i16) as u16),
        ),
        (
            "v_mov_b32 v10, v3\nv_max3_u16 v10, v1, v2, v10",
            |a, b, c| c & 0xffff_0000 | u32::from((a as u16).max(b as u16).max(c as u16)),
        ),
        (
            "v_mov_b32 v10, v3\nv_med3_u16 v10, v1, v2, v10",
            |a, b, c| {
                let (x, y, z) = (a as u16, b as u16, c as u16);
                c & 0xffff_0000 | u32::from(x.max(y).min(x.min(y).max(z)))
            },
        ),
        (
            "v_mov_b32 v10, v3\nv_add_nc_i16 v10, v1, v2 clamp",
            |a, b, c| c & 0xffff_0000 | u32::from((a as i16).saturating_add(b as i16) as u16),
        ),
        (
            "v_mov_b32 v10, v3\nv_sub_nc_u16 v10, v1, v2 clamp",
            |a, b, c| c & 0xffff_0000 | u32::from((a as u16).saturating_sub(b as u16)),
        ),
        ("v_mov_b32 v10, v3\nv_lshrrev_b16 v10, v1, v2", |a, b, c| {
            c & 0xffff_0000 | u32::from(b as u16 >> (a & 15))
        }),
        ("v_pk_add_i16 v10, v1, v2 clamp", |a, b, _| {
            let h = |s: u32| {
                let sum = ((a >> s) as i16).saturating_add((b >> s) as i16);
                u32::from(sum as u16) << s
            };
            h(0) | h(16)
        }),
        (
            "v_pk_mad_u16 v10, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[0,1,1]",
            |a, b, c| {
                let m = |x: u32, y: u32, z: u32| {
                    (x & 0xffff).wrapping_mul(y & 0xffff).wrapping_add(z) & 0xffff
                };
                m(a >> 16, b, c) | m(a, b >> 16, c >> 16) << 16
            },
        ),
        ("v_sat_pk_u8_i16 v10, v1", |a, _, _| {
            let s = |x: u32| i32::from(x as i16).clamp(0, 255) as u32;
            s(a) | s(a >> 16) << 8
        }),
    ]);
}

// source: V_ADD_CO_CI_U32 V_SUB_CO_CI_U32 V_SUBREV_CO_CI_U32
#[test]
fn wide_results() {
    type Wide = fn(u64, u64, u64) -> u64;
    let operations: [(&str, Wide); 12] = [
        ("v_lshlrev_b64 v[10:11], v1, v[3:4]", |a, b, _| {
            b.wrapping_shl(a as u32)
        }),
        ("v_lshrrev_b64 v[10:11], v1, v[3:4]", |a, b, _| {
            b.wrapping_shr(a as u32)
        }),
        ("v_ashrrev_i64 v[10:11], v1, v[3:4]", |a, b, _| {
            (b as i64).wrapping_shr(a as u32) as u64
        }),
        (
            "v_mad_u64_u32 v[10:11], s[10:11], v1, v3, v[5:6]",
            |a, b, c| {
                (a & 0xffff_ffff)
                    .wrapping_mul(b & 0xffff_ffff)
                    .wrapping_add(c)
            },
        ),
        (
            "v_mad_i64_i32 v[10:11], s[10:11], v1, v3, v[5:6]",
            |a, b, c| {
                i64::from(a as i32)
                    .wrapping_mul(i64::from(b as i32))
                    .wrapping_add(c as i64) as u64
            },
        ),
        (
            "v_qsad_pk_u16_u8 v[10:11], v[1:2], v3, v[5:6]",
            |a, b, c| {
                (0..4).fold(0, |r, i| {
                    let sum =
                        u64::from(sad((a >> (8 * i)) as u32, b as u32)).wrapping_add(c >> (16 * i));
                    r | (sum & 0xffff) << (16 * i)
                })
            },
        ),
        (
            "v_mqsad_pk_u16_u8 v[10:11], v[1:2], v3, v[5:6] clamp",
            |a, b, c| {
                (0..4).fold(0, |r, i| {
                    let add = c >> (16 * i) & 0xffff;
                    let sum = u64::from(masked_sad((a >> (8 * i)) as u32, b as u32)) + add;
                    r | sum.min(0xffff) << (16 * i)
                })
            },
        ),
        // Carries: the mask is read back a bit a lane.
        (
            "v_add_co_u32 v10, s[10:11], v1, v3\nv_cndmask_b32 v11, 0, 1, s[10:11]",
            |a, b, _| {
                let (sum, carry) = (a as u32).overflowing_add(b as u32);
                u64::from(sum) | u64::from(carry) << 32
            },
        ),
        (
            "v_subrev_co_u32 v10, s[10:11], v1, v3\nv_cndmask_b32 v11, 0, 1, s[10:11]",
            |a, b, _| {
                let (d, borrow) = (b as u32).overflowing_sub(a as u32);
                u64::from(d) | u64::from(borrow) << 32
            },
        ),
        (
            "v_cmp_gt_u32 vcc, 0, 0\nv_cmp_lt_u32 vcc, v5, v6\nv_add_co_ci_u32 v10, vcc, v1, v3, vcc\nv_cndmask_b32 v11, 0, 1, vcc",
            |a, b, c| {
                let carry = u64::from((c as u32) < (c >> 32) as u32);
                let sum = (a & 0xffff_ffff) + (b & 0xffff_ffff) + carry;
                sum & 0xffff_ffff | sum >> 32 << 32
            },
        ),
        (
            "v_cmp_lt_u32 vcc, v5, v6\nv_sub_co_ci_u32 v10, vcc, v1, v3, vcc\nv_cndmask_b32 v11, 0, 1, vcc",
            |a, b, c| {
                let borrow = i64::from((c as u32) < (c >> 32) as u32);
                let d = i64::from(a as u32) - i64::from(b as u32) - borrow;
                d as u64 & 0xffff_ffff | u64::from(d < 0) << 32
            },
        ),
        (
            "v_cmp_lt_u32 vcc, v5, v6\nv_subrev_co_ci_u32 v10, vcc, v1, v3, vcc\nv_cndmask_b32 v11, 0, 1, vcc",
            |a, b, c| {
                let borrow = i64::from((c as u32) < (c >> 32) as u32);
                let d = i64::from(b as u32) - i64::from(a as u32) - borrow;
                d as u64 & 0xffff_ffff | u64::from(d < 0) << 32
            },
        ),
    ];
    for (text, define) in operations {
        for seed in 1..12 {
            let (v, test) = run(text, seed);
            let (low, high) = (test.v(10), test.v(11));
            for lane in 0..64 {
                let pair = |i: usize| u64::from(v[i][lane]) | u64::from(v[i + 1][lane]) << 32;
                let want = define(pair(1), pair(3), pair(5));
                let got = u64::from(low[lane]) | u64::from(high[lane]) << 32;
                assert_eq!(got, want, "{text} lane {lane}: {got:#x}, want {want:#x}");
            }
        }
    }
}

#[test]
fn multiply_add_carries_and_four_sums() {
    for seed in 1..12 {
        let (v, test) = run(
            "v_mad_u64_u32 v[10:11], s[10:11], v1, v3, v[5:6]\nv_mqsad_u32_u8 v[12:15], v[1:2], v3, v[3:6]",
            seed,
        );
        let mask = u64::from(test.s(10)) | u64::from(test.s(11)) << 32;
        for lane in 0..64 {
            let c = u128::from(v[5][lane]) | u128::from(v[6][lane]) << 32;
            let sum = u128::from(v[1][lane]) * u128::from(v[3][lane]) + c;
            assert_eq!(mask >> lane & 1 == 1, sum >> 64 != 0, "{seed} {lane}");
            let a = u64::from(v[1][lane]) | u64::from(v[2][lane]) << 32;
            for i in 0..4u8 {
                let want = masked_sad((a >> (8 * i)) as u32, v[3][lane])
                    .wrapping_add(v[3 + usize::from(i)][lane]);
                assert_eq!(test.v(12 + i)[lane], want);
            }
        }
    }
}

#[test]
fn comparisons_give_zero_where_disabled() {
    type Holds = fn(i64, i64) -> bool;
    let conditions: [(&str, Holds); 6] = [
        ("lt", |a, b| a < b),
        ("eq", |a, b| a == b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ne", |a, b| a != b),
        ("ge", |a, b| a >= b),
    ];
    type Widen = fn(u32) -> i64;
    let types: [(&str, Widen); 4] = [
        ("i32", |x| i64::from(x as i32)),
        ("u32", i64::from),
        ("i16", |x| i64::from(x as i16)),
        ("u16", |x| i64::from(x as u16)),
    ];
    for (cond, holds) in conditions {
        for (ty, widen) in types {
            let text = format!(
                "s_mov_b64 exec, 0xff00ff0f\nv_cmp_{cond}_{ty} s[10:11], v1, v2\nv_cmpx_{cond}_{ty} v1, v2"
            );
            let (v, test) = run(&text, 3);
            let exec = 0xff00_ff0fu64;
            let want = (0..64)
                .filter(|&l| exec >> l & 1 == 1 && holds(widen(v[1][l]), widen(v[2][l])))
                .fold(0u64, |m, l| m | 1 << l);
            let got = u64::from(test.s(10)) | u64::from(test.s(11)) << 32;
            assert_eq!(got, want, "{text}");
            assert_eq!(test.wave().exec(), want, "{text}");
        }
    }
}

/// What gfx10.1 has and gfx10.3 lacks.
// source: V_MUL_LO_I32
#[test]
fn the_signed_low_product_of_gfx10_1() {
    for target in [Target::Gfx1010, Target::Gfx1013] {
        let text = "v_mul_lo_i32 v10, v1, v2";
        let words = assemble(target, WaveSize::W64, text).unwrap();
        let (a, b) = (values(3), values(4));
        let (x, y) = (a.clone(), b.clone());
        let mut test = Test::new(WaveSize::W64, &words)
            .vgpr(1, move |l| x[l as usize])
            .vgpr(2, move |l| y[l as usize]);
        test.launch.target = target;
        for (lane, got) in test.run().v(10).into_iter().enumerate() {
            let product = i64::from(a[lane] as i32) * i64::from(b[lane] as i32);
            assert_eq!(got, product as u32, "{target:?} {lane}");
        }
    }
}
