//! Random words of every opcode, and random streams, against llvm-mc: both accept or both refuse, with
//! equal text. Every difference is of a kind that `docs/isa-errata.toml` names and explains.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop
#![allow(clippy::print_stdout)] // and prints what it counted

mod support;

use std::collections::BTreeMap;

use spirdna_isa::{
    Encoding, Opcode, RowFlags, Target, TextOptions, WaveSize, assemble, decode, inst_to_string,
    opcode_at,
};
use spirdna_oracle::{
    Difference, KINDS, Rng, assemble as llvm_assemble, assembler_difference, difference,
    disassemble, free_bits, likely_len, random_words, spare_llvm,
};

#[test]
fn random_words_of_every_opcode() {
    if !support::have_llvm("random_words_of_every_opcode") {
        return;
    }
    let per_form: usize = match std::env::var("SPIRDNA_SWEEP") {
        Ok(n) => n
            .parse()
            .expect("SPIRDNA_SWEEP is a number of words for each form"),
        Err(_) => 6,
    };
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures: Vec<String> = Vec::new();
    let (mut total, mut accepted, mut assembled) = (0, 0, 0);
    for target in Target::ALL {
        for wave in [WaveSize::W32, WaveSize::W64] {
            let mut rng = Rng(0x5b1d_0a00 + target as u64 * 2 + wave.lanes() as u64);
            let mut items = Vec::new();
            for &op in Opcode::ALL {
                for form in op
                    .row()
                    .forms
                    .iter()
                    .filter(|f| f.targets.contains(target.set()))
                {
                    if op.row().flags.contains(RowFlags::OVERLAY) {
                        continue;
                    }
                    for _ in 0..per_form {
                        let words = random_words(&mut rng, form.encoding, form.number);
                        // As long as we, or LLVM where we refuse, take it to be: one word too many
                        // would be read as a second instruction.
                        let len = match decode(target, &words, 0) {
                            Ok(i) => i.len() as usize,
                            Err(_) => likely_len(&words),
                        };
                        items.push(words[..len].to_vec());
                    }
                }
            }
            // Words of any kind, reserved prefixes and numbers among them.
            for _ in 0..per_form * 500 {
                let mut words = [rng.word(), rng.word(), rng.word(), rng.word(), rng.word()];
                if let Some(encoding) = Encoding::of_word(words[0]) {
                    spare_llvm(encoding, &mut words);
                }
                let len = match decode(target, &words, 0) {
                    Ok(i) => i.len() as usize,
                    Err(_) => likely_len(&words),
                };
                items.push(words[..len].to_vec());
            }
            let texts = disassemble(target, wave, &items).unwrap();
            let mut agreed = Vec::new();
            for (words, theirs) in items.iter().zip(&texts) {
                total += 1;
                accepted += usize::from(theirs.is_some());
                if let Some(theirs) = theirs
                    && let Ok(inst) = decode(target, words, 0)
                    && inst_to_string(&inst, TextOptions::llvm(wave)) == *theirs
                {
                    agreed.push((inst, theirs.clone()));
                }
                if let Some(kind) = difference(target, wave, words, theirs.as_deref()) {
                    match kind {
                        Difference::Known(id) => *known.entry(id).or_default() += 1,
                        Difference::Unexplained(text) => failures.push(text),
                    }
                }
            }
            // Both assemblers on the text on which both disassemblers agree.
            let lines: Vec<String> = agreed.iter().map(|(_, text)| text.clone()).collect();
            let words = llvm_assemble(target, wave, &lines).unwrap();
            for ((inst, text), theirs) in agreed.iter().zip(words) {
                let ours = assemble(target, wave, text).ok();
                assembled += usize::from(ours.is_some());
                if ours == theirs {
                    continue;
                }
                match assembler_difference(inst) {
                    Some(id) => *known.entry(id).or_default() += 1,
                    None => failures.push(format!(
                        "{}/{} {text}: ours {ours:08x?}, LLVM {theirs:08x?}",
                        target.name(),
                        wave.lanes()
                    )),
                }
            }
        }
    }
    println!(
        "{total} instructions, {accepted} accepted by LLVM, {assembled} texts assembled; \
         known differences: {known:?}"
    );
    let n = failures.len();
    failures.truncate(40);
    assert!(n == 0, "{n} unexplained\n{}", failures.join("\n"));
    // The sample is no sample if LLVM refuses nearly all of it.
    assert!(accepted * 4 > total, "{accepted} of {total}");
    for id in known.keys() {
        assert!(KINDS.contains(id), "{id}");
    }
}

/// The list of opcodes was read with one word a number; here every number without a row is tried with
/// many.
#[test]
fn llvm_has_no_instruction_in_a_free_slot() {
    if !support::have_llvm("llvm_has_no_instruction_in_a_free_slot") {
        return;
    }
    for target in Target::ALL {
        let mut rng = Rng(0x0f5e_e510 + target as u64);
        let mut items = Vec::new();
        for encoding in Encoding::ALL {
            for number in 0..encoding.slots() {
                let row = opcode_at(target, encoding, number);
                // The highest numbers of some encodings are the prefixes of others.
                let probe = random_words(&mut rng, encoding, number);
                let prefix = Encoding::of_word(probe[0]) != Some(encoding);
                if prefix || row.is_some_and(|op| !op.row().flags.contains(RowFlags::OVERLAY)) {
                    continue;
                }
                let base = usize::from(encoding.base_words());
                // All zero, registers alone, and random words.
                for second in [
                    0,
                    0x0002_0501,
                    0x040e_0501,
                    0xfa00_0000,
                    0x007d_0201,
                    0x8001_0502,
                ] {
                    let mut words = random_words(&mut rng, encoding, number);
                    words[0] = words[0] & !free_bits(encoding)
                        | if second == 0 {
                            0
                        } else {
                            0x100 & free_bits(encoding)
                        };
                    words[1] = second;
                    if encoding == Encoding::Mtbuf {
                        words[1] = second & !(1 << 21) | u32::from(number >> 3) << 21;
                    }
                    items.push(words[..base].to_vec());
                }
                for _ in 0..6 {
                    let words = random_words(&mut rng, encoding, number);
                    items.push(words[..likely_len(&words)].to_vec());
                }
            }
        }
        let texts = disassemble(target, WaveSize::W32, &items).unwrap();
        let found: Vec<String> = items
            .iter()
            .zip(&texts)
            // A name that LLVM has for the word 0, no instruction.
            .filter(|(_, text)| text.as_deref() != Some("v_illegal"))
            .filter_map(|(words, text)| Some(format!("{words:08x?} {}", text.as_ref()?)))
            .collect();
        println!("{}: {} words in free slots", target.name(), items.len());
        assert!(
            found.is_empty(),
            "{}: {} found\n{}",
            target.name(),
            found.len(),
            found.join("\n")
        );
    }
}
