//! Cases beside the format tables: a descriptor built in the shader, constants of scalar moves, scalar
//! loads of every width at the ends of their fields.

use std::fmt::Write;

use super::model::{LAYOUTS, Number, half};
use super::{
    BEFORE, INPUT, LANES, OUT, XYZW, expect_words, head, memory_fill, memory_words, pair, raw,
    word3,
};

/// Copies the LDS to the output (V# in s[4:7]), all lanes, and ends. One store in a loop: many stores
/// would make a program that takes a host's compiler long.
fn copy_lds(asm: &mut String, words: usize) -> std::fmt::Result {
    writeln!(
        asm,
        "s_waitcnt lgkmcnt(0)\n\
         s_mov_b32 exec_lo, -1\n\
         v_lshlrev_b32_e32 v3, 2, v0\n\
         s_movk_i32 s21, {}\n\
         copy:\n\
         ds_read_b32 v5, v3\n\
         s_waitcnt lgkmcnt(0)\n\
         buffer_store_dword v5, v3, s[4:7], 0 offen\n\
         v_add_nc_u32_e32 v3, {:#x}, v3\n\
         s_sub_u32 s21, s21, 1\n\
         s_cmp_lg_u32 s21, 0\n\
         s_cbranch_scc1 copy\n\
         s_endpgm",
        words.div_ceil(LANES),
        4 * LANES
    )
}

/// The case of a program that stores its results through s[4:7]; `low` is s[0:3], `high` s8 on.
fn case(
    asm: &str,
    low: [u32; 4],
    high: &[u32],
    memories: &[(&str, u64, &[u32])],
    expected: &[u32],
) -> Result<String, std::fmt::Error> {
    let bytes = 4 * expected.len();
    let mut sgprs = low.to_vec();
    sgprs.extend(raw(OUT, bytes));
    sgprs.extend(high);
    let mut text = head(asm, 1, &sgprs, Some(bytes))?;
    for (name, address, words) in memories {
        memory_words(&mut text, name, *address, words)?;
    }
    memory_fill(&mut text, "out", OUT, bytes)?;
    expect_words(&mut text, "out", expected)?;
    Ok(text)
}

/// Name and text of each case.
pub fn cases() -> Result<Vec<(&'static str, String)>, std::fmt::Error> {
    Ok(vec![
        ("d16_built_descriptor", built_descriptor()?),
        ("scalar_constants", scalar_constants()?),
        ("scalar_loads", scalar_loads()?),
        ("scalar_buffer_loads", scalar_buffer_loads()?),
    ])
}

/// The V# is put together by scalar instructions, swizzle x,0,1,1; 16 results a lane.
fn built_descriptor() -> Result<String, std::fmt::Error> {
    // Layout by number, of the first component.
    let formats = [
        (0, Number::Unorm),
        (0, Number::Uint),
        (1, Number::Snorm),
        (1, Number::Uscaled),
        (1, Number::Float),
        (3, Number::Float),
        (3, Number::Uint),
        (3, Number::Sint),
        (5, Number::Float),
    ];
    let select = [4, 0, 1, 1];
    let inputs: Vec<u32> = (0..LANES as u32)
        .map(|i| match i {
            0 => 0x0000_00ff,
            1 => 0x8000_0080,
            2 => 0x0000_ffaf,
            3 => 0x477f_f000,
            4 => 0x7f80_0001,
            5 => 0xffc1_2345,
            6 => 0x3380_0001,
            7 => 0xff80_0000,
            8 => 0x0000_ffff,
            9 => 0x0000_8000,
            i => i.wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995,
        })
        .collect();
    let mut asm = String::new();
    writeln!(
        asm,
        "// s[0:1] input, s[4:7] output\n\
         v_lshlrev_b32_e32 v1, 2, v0\n\
         v_mul_u32_u24_e32 v2, {:#x}, v0\n\
         s_and_b32 s9, s1, 0xffff\n\
         s_mov_b32 s8, s0\n\
         s_movk_i32 s10, {}",
        28 * formats.len(),
        4 * LANES
    )?;
    let mut results = vec![Vec::new(); LANES];
    for (f, (l, number)) in formats.into_iter().enumerate() {
        let at = 28 * f;
        let layout = LAYOUTS[l];
        let code = layout
            .formats()
            .find(|&(_, n)| n == number)
            .map_or(0, |(code, _)| code);
        let word = word3(select, code, 3);
        writeln!(
            asm,
            "s_mov_b32 s11, {:#x}\n\
             s_or_b32 s11, s11, {:#x}\n\
             v_mov_b32_e32 v10, {BEFORE:#x}\n\
             v_mov_b32_e32 v11, {BEFORE:#x}\n\
             v_mov_b32_e32 v14, {BEFORE:#x}\n\
             buffer_load_format_d16_x v10, v1, s[8:11], 0 offen\n\
             buffer_load_format_d16_hi_x v11, v1, s[8:11], 0 offen\n\
             buffer_load_format_d16_xy v12, v1, s[8:11], 0 offen\n\
             buffer_load_format_d16_xyz v[13:14], v1, s[8:11], 0 offen\n\
             buffer_load_format_d16_xyzw v[15:16], v1, s[8:11], 0 offen\n\
             s_waitcnt vmcnt(0)\n\
             ds_write_b64 v2, v[10:11] offset:{at}\n\
             ds_write_b64 v2, v[12:13] offset:{}\n\
             ds_write_b64 v2, v[14:15] offset:{}\n\
             ds_write_b32 v2, v16 offset:{}",
            word & 0xfff,
            word & !0xfff,
            at + 8,
            at + 16,
            at + 24
        )?;
        let one = if number.is_integer() { 1 } else { 0x3c00 };
        for (result, &input) in results.iter_mut().zip(&inputs) {
            let width = layout.widths[0];
            let x = half(number, width, input & super::model::ones(width));
            let high = (BEFORE >> 16) as u16;
            result.extend([
                pair(x, high),
                pair(BEFORE as u16, x),
                pair(x, 0),
                pair(x, 0),
                pair(one, high),
                pair(x, 0),
                pair(one, one),
            ]);
        }
    }
    let base = [INPUT as u32, (INPUT >> 32) as u32 | 0x000a_0000, 0, 0];
    let results = results.concat();
    copy_lds(&mut asm, results.len())?;
    case(&asm, base, &[], &[("in", INPUT, &inputs)], &results)
}

/// Puts scalar registers into lanes of v10 on, 32 words a register: few stores make a small program.
fn keep_scalars(asm: &mut String, regs: &[String], at: &mut u32) -> std::fmt::Result {
    for reg in regs {
        if at.is_multiple_of(128) {
            writeln!(asm, "v_mov_b32_e32 v{}, 0", 10 + *at / 128)?;
        }
        writeln!(
            asm,
            "v_writelane_b32 v{}, {reg}, {}",
            10 + *at / 128,
            *at % 128 / 4
        )?;
        *at += 4;
    }
    Ok(())
}

/// Stores the words that `keep_scalars` kept, and ends.
fn store_kept(asm: &mut String, bytes: u32) -> std::fmt::Result {
    writeln!(asm, "v_lshlrev_b32_e32 v3, 2, v0")?;
    for i in 0..bytes.div_ceil(128) {
        writeln!(
            asm,
            "buffer_store_dword v{}, v3, s[4:7], 0 offen offset:{}",
            10 + i,
            128 * i
        )?;
    }
    writeln!(asm, "s_endpgm")
}

fn scalar_constants() -> Result<String, std::fmt::Error> {
    let mut asm = String::new();
    let mut expected = Vec::new();
    let mut at = 0;
    let wide = [
        ("-1", u64::MAX),
        ("1", 1),
        ("0", 0),
        ("64", 64),
        ("-16", (-16_i64) as u64),
        ("-2", (-2_i64) as u64),
        ("0x12345678", 0x1234_5678),
        ("0x80000000", 0x8000_0000),
    ];
    for (text, value) in wide {
        writeln!(asm, "s_mov_b64 s[10:11], {text}")?;
        keep_scalars(&mut asm, &["s10".into(), "s11".into()], &mut at)?;
        expected.extend([value as u32, (value >> 32) as u32]);
    }
    for i in -16_i32..=64 {
        writeln!(asm, "s_mov_b32 s10, {i}")?;
        keep_scalars(&mut asm, &["s10".into()], &mut at)?;
        expected.push(i as u32);
    }
    let floats = [
        ("0.5", 0x3f00_0000),
        ("-0.5", 0xbf00_0000),
        ("1.0", 0x3f80_0000),
        ("-1.0", 0xbf80_0000),
        ("2.0", 0x4000_0000),
        ("-2.0", 0xc000_0000),
        ("4.0", 0x4080_0000),
        ("-4.0", 0xc080_0000),
        ("0.15915494", 0x3e22_f983),
    ];
    for (text, value) in floats {
        writeln!(asm, "s_mov_b32 s10, {text}")?;
        keep_scalars(&mut asm, &["s10".into()], &mut at)?;
        expected.push(value);
    }
    // Negative constants in a vector instruction and in a 64-bit one.
    writeln!(asm, "s_mov_b32 vcc_lo, 7\ns_mov_b32 vcc_hi, 7")?;
    for i in [-16_i32, -5, -1] {
        writeln!(
            asm,
            "v_add_nc_u32_e64 v2, {i}, 7\nv_readfirstlane_b32 s10, v2"
        )?;
        keep_scalars(&mut asm, &["s10".into()], &mut at)?;
        expected.push(7_u32.wrapping_add(i as u32));
        writeln!(asm, "s_and_b64 s[10:11], vcc, {i}")?;
        keep_scalars(&mut asm, &["s10".into(), "s11".into()], &mut at)?;
        expected.extend([7 & i as u32, 7]);
    }
    store_kept(&mut asm, at)?;
    case(&asm, [0; 4], &[], &[], &expected)
}

/// `n` words that tell where they come from.
fn marked(tag: u32, n: u32) -> Vec<u32> {
    (0..n).map(|i| (tag << 16) | (i * 4)).collect()
}

fn names(first: u32, n: u32) -> Vec<String> {
    (first..first + n).map(|i| format!("s{i}")).collect()
}

fn range(first: u32, n: u32) -> String {
    if n == 1 {
        format!("s{first}")
    } else {
        format!("s[{first}:{}]", first + n - 1)
    }
}

const BASE: u64 = 0x1_0010_0000;

fn scalar_loads() -> Result<String, std::fmt::Error> {
    // Around the base, and where the largest offset leads.
    let (near, far) = (marked(0xa, 64), marked(0xb, 16));
    let far_offset = 0xf_fffc_u32;
    let mut asm = String::new();
    let mut expected = Vec::new();
    let mut at = 0;
    let mut load = |asm: &mut String,
                    dst: u32,
                    n: u32,
                    base: &str,
                    offset: &str,
                    words: &[u32]|
     -> std::fmt::Result {
        let suffix = if n == 1 {
            String::new()
        } else {
            format!("x{n}")
        };
        writeln!(
            asm,
            "s_load_dword{suffix} {}, {base}, {offset}\ns_waitcnt lgkmcnt(0)",
            range(dst, n)
        )?;
        keep_scalars(asm, &names(dst, n), &mut at)?;
        expected.extend_from_slice(words);
        Ok(())
    };
    // Every width, the highest destination, an offset whose low bits do not count.
    for (n, dst) in [(1, 105), (2, 104), (4, 100), (8, 96), (16, 88)] {
        load(&mut asm, dst, n, "s[0:1]", "0x0", &near[..n as usize])?;
        load(&mut asm, dst, n, "s[0:1]", "0x27", &near[9..9 + n as usize])?;
        load(&mut asm, 8, n, "s[0:1]", "0xffffc", &far[..n as usize])?;
    }
    // The offset in a register, alone and with the largest and the smallest immediate.
    writeln!(asm, "s_mov_b32 s30, 0x2b\ns_mov_b32 s31, 0x100010")?;
    load(&mut asm, 8, 4, "s[0:1]", "s30", &near[10..14])?;
    load(&mut asm, 8, 2, "s[0:1]", "s30 offset:0x11", &near[14..16])?;
    load(
        &mut asm,
        8,
        2,
        "s[0:1]",
        "s31 offset:-0x100000",
        &near[4..6],
    )?;
    writeln!(asm, "s_mov_b32 s30, 8")?;
    load(&mut asm, 8, 2, "s[0:1]", "s30 offset:0xffffc", &far[2..4])?;
    // The highest base, and a base whose low bits do not count.
    writeln!(asm, "s_add_u32 s104, s0, 3\ns_mov_b32 s105, s1")?;
    load(&mut asm, 8, 2, "s[104:105]", "0x4", &near[1..3])?;
    // The destination is the base.
    writeln!(asm, "s_mov_b64 s[16:17], s[0:1]")?;
    load(&mut asm, 16, 8, "s[16:17]", "0x20", &near[8..16])?;
    // Into VCC.
    writeln!(
        asm,
        "s_load_dwordx2 vcc, s[0:1], 0x30\ns_waitcnt lgkmcnt(0)"
    )?;
    keep_scalars(&mut asm, &["vcc_lo".into(), "vcc_hi".into()], &mut at)?;
    expected.extend_from_slice(&near[12..14]);
    let memories: [(&str, u64, &[u32]); 2] = [
        ("near", BASE, &near),
        ("far", BASE + u64::from(far_offset), &far),
    ];
    store_kept(&mut asm, at)?;
    let base = [BASE as u32, (BASE >> 32) as u32, 0, 0];
    case(&asm, base, &[], &memories, &expected)
}

fn scalar_buffer_loads() -> Result<String, std::fmt::Error> {
    let data = marked(0xc, 32);
    let mut asm = String::new();
    let mut expected = Vec::new();
    let mut at = 0;
    // V#, bytes in range, (dwords, destination), offsets.
    let all = [(1, 105), (2, 104), (4, 100), (8, 96), (16, 80)];
    let ends: &[u32] = &[0x16, 80];
    let more: &[u32] = &[0, 60, 96, 100, 0xf_ffff];
    let views = [
        ("s[0:3]", 100_u32, &all[..], ends),
        ("s[0:3]", 100, &all[..1], more),
        ("s[8:11]", 80, &all[..3], ends),
        ("s[8:11]", 80, &all[2..3], &more[1..]),
        ("s[12:15]", 0, &all[..2], &more[..2]),
    ];
    for (view, bound, widths, offsets) in views {
        for &(n, dst) in widths {
            for &offset in offsets {
                let suffix = if n == 1 {
                    String::new()
                } else {
                    format!("x{n}")
                };
                writeln!(
                    asm,
                    "s_buffer_load_dword{suffix} {}, {view}, {offset:#x}\ns_waitcnt lgkmcnt(0)",
                    range(dst, n)
                )?;
                for (i, reg) in (0..).zip(names(dst, n)) {
                    let byte = (offset & !3) + 4 * i;
                    let inside = byte < bound;
                    let word = if inside { data[byte as usize / 4] } else { 0 };
                    keep_scalars(&mut asm, &[reg], &mut at)?;
                    expected.push(word);
                }
            }
        }
    }
    store_kept(&mut asm, at)?;
    // Bytes without a stride, whole records with one (5 of 16), and no record at all; the low bits of
    // the first base do not count.
    let mut more = vec![
        INPUT as u32,
        (INPUT >> 32) as u32 | 16 << 16,
        5,
        word3(XYZW, 22, 0),
    ];
    more.extend(raw(INPUT, 0));
    let first = raw(INPUT + 2, 100);
    case(&asm, first, &more, &[("in", INPUT, &data)], &expected)
}
