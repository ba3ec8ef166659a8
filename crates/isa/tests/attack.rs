//! Input that means harm: the assembler and the decoder answer it with an error, in time and memory in
//! proportion to it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use std::time::{Duration, Instant};

use spirdna_isa::{
    AsmErrorKind, DecodeOptions, Decoder, MAX_ERRORS, Opcode, Target, TextOptions, WaveSize,
    assemble, decode_with, inst_to_string,
};
use spirdna_oracle::{Rng, random_words};

const TARGET: Target = Target::Gfx1030;

fn kind(text: &str) -> AsmErrorKind {
    match assemble(TARGET, WaveSize::W32, text) {
        Ok(words) => panic!("{words:08x?} of {}", text.get(..60).unwrap_or(text)),
        Err(errors) => errors[0].kind.clone(),
    }
}

/// The hardware negates after it takes the absolute value, and extends before: no text says otherwise
/// and assembles.
#[test]
fn signs_nest_in_one_order() {
    let words = |text| assemble(TARGET, WaveSize::W32, text).unwrap();
    let both = words("v_add_f32_e64 v0, -|v1|, v2");
    assert_eq!(words("v_add_f32_e64 v0, neg(abs(v1)), v2"), both);
    assert_eq!(words("v_add_f32_e64 v0, -abs(v1), v2"), both);
    assert_eq!(words("v_add_f32_e64 v0, neg(|v1|), v2"), both);
    for source in [
        "neg(neg(v1))",
        "-neg(v1)",
        "abs(neg(v1))",
        "abs(abs(v1))",
        "abs(-v1)",
        "|-v1|",
        "abs(|v1|)",
        "||v1||",
        "neg(abs(neg(v1)))",
        "neg(sext(v1))",
        "sext(sext(v1))",
    ] {
        kind(&format!("v_add_f32_e64 v0, {source}, v2"));
    }
}

/// What is written is encoded: nothing that the encoding would drop, and nothing twice.
#[test]
fn nothing_written_is_dropped() {
    for text in [
        "buffer_load_dword v0, v1, s[4:7], 0",
        "buffer_atomic_dec v0, v0, s[0:3], s0 offset:528",
        "scratch_load_dword v0, v1, s2",
        "global_load_dword v0, v[2:3], off glc glc",
        "tbuffer_load_format_x v0, off, s[4:7], format:[BUF_FMT_8_UNORM], 0 format:22",
        "v_add_f32_e64 v0, v1, v2 clamp clamp",
        "s_waitcnt_depctr depctr_va_vcc(0) depctr_va_vcc(0)",
        "image_load v0, v1, s[0:7] dmask:0x1",
        "buffer_load_dword v0, off, s[4:7], 0 offen",
    ] {
        kind(text);
    }
}

#[test]
fn long_and_deep_text_is_an_error_in_time() {
    let n = 200_000;
    let start = Instant::now();
    for open in [
        "neg(", "abs(", "sext(", "lit(", "|", "-", "[", "-|", "neg(abs(",
    ] {
        kind(&format!("v_add_f32_e64 v0, {}", open.repeat(n)));
        kind(&format!(
            "v_add_f32_e64 v0, {}v1{}",
            open.repeat(n),
            ")".repeat(n)
        ));
    }
    // Long names, numbers, lists and lines.
    kind(&"x".repeat(n));
    kind(&format!("s_mov_b32 s0, {}", "9".repeat(n)));
    kind(&format!("s_mov_b32 s0, 0x{}", "f".repeat(n)));
    kind(&format!(
        "s_mov_b32 s0, 1.{}e{}",
        "0".repeat(n),
        "9".repeat(n)
    ));
    let list = "v1, ".repeat(n);
    kind(&format!(
        "image_sample v0, [{list}v1], s[0:7], s[0:3] dmask:0x1 dim:SQ_RSRC_IMG_2D"
    ));
    let bits = "1,".repeat(n);
    kind(&format!("v_pk_add_f16 v0, v1, v2 op_sel:[{bits}1]"));
    kind(&format!("v_mov_b32_dpp v0, v1 quad_perm:[{bits}1]"));
    kind(&format!("v_mov_b32 v0, v1 {}", "clamp ".repeat(n)));
    kind(&format!("v_mov_b32 v0, {}", "v1, ".repeat(n)));
    // The same label again and again, in one line and in many.
    kind(&"a: ".repeat(n));
    kind(&"a:\n".repeat(n));
    // More errors than anybody reads.
    let errors = assemble(TARGET, WaveSize::W32, &"?\n".repeat(n)).unwrap_err();
    assert_eq!(errors.len(), MAX_ERRORS);
    let errors = assemble(TARGET, WaveSize::W32, &"s_branch nowhere\n".repeat(n)).unwrap_err();
    assert_eq!(errors.len(), MAX_ERRORS);
    // Comments and strings that do not end.
    assert_eq!(kind(&"/* ".repeat(n)), AsmErrorKind::OpenComment);
    assert_eq!(kind("s_nop 0 /*/"), AsmErrorKind::OpenComment);
    kind(&"\"".repeat(n));
    assert_eq!(assemble(TARGET, WaveSize::W32, &";".repeat(n)), Ok(vec![]));
    assert_eq!(
        assemble(TARGET, WaveSize::W32, &"/**/".repeat(n)),
        Ok(vec![])
    );
    // What is right stays right however long.
    let long = format!(".long {}1", "1, ".repeat(n));
    assert_eq!(assemble(TARGET, WaveSize::W32, &long).unwrap().len(), n + 1);
    // Far more than a busy machine needs, far less than anything quadratic would.
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

/// Pieces that are put in the place of pieces of a text.
const PIECES: &[&str] = &[
    "-1",
    "0xffffffffffffffff",
    "18446744073709551615",
    "99999999999999999999",
    "1e400",
    "-1e400",
    "0.5",
    "lit(0x3f800000)",
    "v[255:256]",
    "v[5:4]",
    "s[103:106]",
    "s[0:255]",
    "ttmp[15:16]",
    "exec",
    "vcc",
    "vcc_hi",
    "null",
    "m0",
    "off",
    "src_lds_direct",
    "src_private_limit",
    "[v1, v2]",
    "|v1|",
    "neg(1.0)",
    "sext(v1)",
    "op_sel:[1,1,1,1]",
    "op_sel_hi:[0,0]",
    "neg_lo:[1,1,1]",
    "clamp",
    "mul:2",
    "dst_sel:BYTE_3",
    "src1_sel:WORD_1",
    "dst_unused:UNUSED_SEXT",
    "quad_perm:[3,2,1,0]",
    "row_share:15",
    "dpp8:[7,6,5,4,3,2,1,0]",
    "fi:1",
    "bound_ctrl:0",
    "row_mask:0x5",
    "offset:65535",
    "offset:-1048576",
    "offset:swizzle(BITMASK_PERM,\"01pip\")",
    "offset0:255",
    "glc",
    "lds",
    "gds",
    "tfe",
    "a16",
    "d16",
    "r128",
    "dim:SQ_RSRC_IMG_CUBE",
    "dim:7",
    "dmask:0xf",
    "offen",
    "idxen",
    "format:[BUF_FMT_32_FLOAT]",
    "format:127",
    "vmcnt(63)",
    "hwreg(HW_REG_MODE, 31, 32)",
    "sendmsg(MSG_GS, GS_OP_CUT, 3)",
    "attr32.w",
    "mrt7",
    "compr",
    "done",
    "label",
    ",",
    "\u{e9}",
    "\t",
    "",
    "(",
    ")",
    "[",
    "]",
    "|",
    ":",
    "&",
];

/// Texts of instructions with pieces exchanged: an answer or an error, and what assembles decodes.
#[test]
fn mangled_text_is_answered() {
    let mut rng = Rng(0xa77a_c4ed);
    let (mut taken, mut refused) = (0, 0);
    while taken + refused < 60_000 {
        let target = rng.pick(&Target::ALL);
        let wave = rng.pick(&[WaveSize::W32, WaveSize::W64]);
        let form = rng.pick(rng.clone().pick(Opcode::ALL).row().forms);
        let words = random_words(&mut rng, form.encoding, form.number);
        let overlay = DecodeOptions { overlay: true };
        let Ok(inst) = decode_with(overlay, target, &words, 0) else {
            continue;
        };
        let text = inst_to_string(&inst, TextOptions::exact(wave));
        let mut pieces: Vec<&str> = text.split_inclusive([' ', ',', '[', ']', ':']).collect();
        for _ in 0..=rng.below(3) {
            let at = rng.below(pieces.len());
            match rng.below(4) {
                0 => {
                    pieces.remove(at);
                }
                1 => pieces.insert(at, rng.pick(PIECES)),
                2 => pieces[at] = rng.pick(PIECES),
                _ => pieces.insert(at, pieces[at]),
            }
            if pieces.is_empty() {
                pieces.push("s_nop 0");
            }
        }
        let text = pieces.concat();
        match assemble(target, wave, &text) {
            Ok(words) => {
                taken += 1;
                for item in Decoder::with_options(overlay, target, &words) {
                    item.unwrap_or_else(|e| panic!("{text}: {e}"));
                }
            }
            Err(errors) => {
                refused += 1;
                for e in errors {
                    let line = text.lines().nth(e.line as usize - 1).unwrap_or("");
                    let end = line.chars().count() as u32 + 1;
                    assert!((1..=end).contains(&e.column), "{text}: {e}");
                }
            }
        }
    }
    // Neither all nonsense nor all sense.
    assert!(taken > 3000 && refused > 3000, "{taken} {refused}");
}
