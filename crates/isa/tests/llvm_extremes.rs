//! Every form of every row on every target, its operands and modifiers at their extremes: our words
//! against LLVM's text, our text against LLVM's words, and both ways through ourselves.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop
#![allow(clippy::print_stdout)] // and prints what it counted

mod support;

use std::collections::BTreeMap;

use spirdna_isa::{
    AsmErrorKind, DecodeOptions, Encoding, Ext, Inst, Opcode, Parts, RowFlags, Sem, Target,
    TextOptions, Ty, Valu, WaveSize, assemble, decode_with, encode, inst_to_string, legality,
};
use spirdna_oracle::assembler_difference;

/// What LLVM is known to do otherwise (docs/isa-errata.md explains each).
fn known_difference(inst: &Inst) -> Option<&'static str> {
    let row = inst.row();
    let m = inst.valu_mods();
    let llvm_knows_op_sel = row.forms.len() == 1
        && !matches!(
            inst.opcode(),
            Opcode::V_MUL_LO_U16
                | Opcode::V_LSHRREV_B16
                | Opcode::V_ASHRREV_I16
                | Opcode::V_LSHLREV_B16
                | Opcode::V_MAX_U16
                | Opcode::V_MAX_I16
                | Opcode::V_MIN_U16
                | Opcode::V_MIN_I16
        );
    if inst.encoding() == Encoding::Vop3 && m.op_sel != 0 && !llvm_knows_op_sel {
        return Some("op-sel-16");
    }
    if inst.opcode() == Opcode::V_PK_FMAC_F16 && inst.ext() != Ext::None {
        return Some("pk-fmac-dpp");
    }
    if row.flags.contains(RowFlags::OVERLAY) {
        return Some("overlay");
    }
    if row.flags.contains(RowFlags::GATHER) && inst.image_mods().d16 && inst.mem_mods().tfe {
        return Some("gather-d16-tfe");
    }
    if matches!(inst.sem(), Sem::Valu(Valu::FmaMix(_))) && inst.literal().is_some() {
        return Some("mix-literal");
    }
    if inst.opcode() == Opcode::S_WAITCNT && inst.simm16() & 0x80 != 0 {
        return Some("waitcnt-bit-7");
    }
    let message = matches!(inst.opcode(), Opcode::S_SENDMSG | Opcode::S_SENDMSGHALT);
    if message && inst.simm16() & !0x37f != 0 {
        return Some("message-bits");
    }
    let double = matches!(
        inst.opcode(),
        Opcode::IMAGE_ATOMIC_CMPSWAP | Opcode::IMAGE_ATOMIC_FCMPSWAP
    );
    if double && inst.mem_mods().tfe {
        return Some("image-atomic-tfe");
    }
    None
}

#[test]
fn every_form_at_its_extremes() {
    if !support::have_llvm("every_form_at_its_extremes") {
        return;
    }
    // gfx1030 and what it lacks; SPIRDNA_LONG=1 adds the rows that the targets share.
    let long = std::env::var_os("SPIRDNA_LONG").is_some();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut total = 0;
    let mut failures: Failures = BTreeMap::new();
    for target in Target::ALL {
        for wave in [WaveSize::W32, WaveSize::W64] {
            let mut parts = Vec::new();
            let mut insts = Vec::new();
            for &op in Opcode::ALL {
                let row = op.row();
                let masks = row.operands.iter().any(|s| s.ty == Ty::Mask);
                if wave == WaveSize::W64 && !masks {
                    continue;
                }
                if target != Target::Gfx1030 && row.exists_on(Target::Gfx1030) && !long {
                    continue;
                }
                for form in row
                    .forms
                    .iter()
                    .filter(|f| f.targets.contains(target.set()))
                {
                    for p in support::generate::variations(row, form, target, wave) {
                        match encode(target, 0, &p) {
                            Ok(inst) => {
                                parts.push(p);
                                insts.push(inst);
                            }
                            Err(e) => fail(&mut failures, "does not encode", op, || {
                                format!("{e}: {p:?}")
                            }),
                        }
                    }
                }
            }
            total += insts.len();
            compare(target, wave, &parts, &insts, &mut known, &mut failures);
        }
    }
    println!("{total} instructions; known differences: {known:?}");
    let shown: Vec<String> = failures
        .iter()
        .map(|((kind, op), (n, example))| format!("{n} x {op:?} {kind}: {example}"))
        .take(100)
        .collect();
    let n = failures.len();
    assert!(
        failures.is_empty(),
        "{n} kinds of failures\n{}",
        shown.join("\n")
    );
    assert!(total > 80_000, "{total}");
}

fn compare(
    target: Target,
    wave: WaveSize,
    parts: &[Parts],
    insts: &[Inst],
    known: &mut BTreeMap<&'static str, usize>,
    failures: &mut Failures,
) {
    let words: Vec<Vec<u32>> = insts.iter().map(|i| i.words().to_vec()).collect();
    let texts: Vec<String> = insts
        .iter()
        .map(|i| inst_to_string(i, TextOptions::llvm(wave)))
        .collect();
    let llvm_texts = spirdna_oracle::disassemble(target, wave, &words).unwrap();
    let llvm_words = spirdna_oracle::assemble(target, wave, &texts).unwrap();
    let overlay = DecodeOptions { overlay: true };
    for (i, inst) in insts.iter().enumerate() {
        let op = inst.opcode();
        let hex: Vec<String> = words[i].iter().map(|w| format!("{w:08x}")).collect();
        let lanes = wave.lanes();
        let at = || format!("{}/{lanes} {} {}", target.name(), hex.join("_"), texts[i]);
        // Encode and decode.
        let again = decode_with(overlay, target, &words[i], 0).map(|d| Parts::of(&d));
        if again.map(|p| support::visible(&p)) != Ok(support::visible(&parts[i])) {
            fail(failures, "decodes to other parts", op, || {
                format!("{} {again:?} instead of {:?}", at(), parts[i])
            });
        }
        let legal = legality(inst, wave).is_empty();
        // Our own text back.
        let exact = inst_to_string(inst, TextOptions::exact(wave));
        let back = assemble(target, wave, &exact);
        let back_ok = match &back {
            Ok(w) => legal && w == &words[i],
            Err(e) => !legal && matches!(e[0].kind, AsmErrorKind::Illegal(_)),
        };
        if !back_ok {
            fail(failures, "reassembles to other words", op, || {
                format!("{} {exact} {back:x?}", at())
            });
        }
        if let Some(id) = known_difference(inst) {
            *known.entry(id).or_default() += 1;
            continue;
        }
        if llvm_texts[i].as_ref() != Some(&texts[i]) {
            fail(failures, "LLVM reads other text", op, || {
                format!("{} {:?}", at(), llvm_texts[i])
            });
        }
        if let Some(id) = assembler_difference(inst) {
            *known.entry(id).or_default() += 1;
            continue;
        }
        // What breaks a rule has text, and no assembler takes it.
        let want = legal.then_some(&words[i]);
        if llvm_words[i].as_ref() != want {
            fail(failures, "LLVM writes other words", op, || {
                format!("{} {:x?}", at(), llvm_words[i])
            });
        }
    }
}

/// Failures by kind and opcode: how many, and the first.
type Failures = BTreeMap<(&'static str, Opcode), (usize, String)>;

fn fail(all: &mut Failures, kind: &'static str, op: Opcode, example: impl FnOnce() -> String) {
    all.entry((kind, op)).or_insert_with(|| (0, example())).0 += 1;
}
