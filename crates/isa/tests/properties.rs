//! Properties that hold for any words.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use proptest::prelude::*;

use spirdna_isa::{
    AsmErrorKind, DecodeOptions, Decoder, Inst, Opcode, Parts, Target, TextOptions, WaveSize,
    assemble, decode_with, encode, inst_to_string, legality,
};
use spirdna_oracle::{Rng, random_words};

const OVERLAY: DecodeOptions = DecodeOptions { overlay: true };

fn target() -> impl Strategy<Value = Target> {
    proptest::sample::select(&Target::ALL[..])
}

fn wave() -> impl Strategy<Value = WaveSize> {
    proptest::sample::select(&[WaveSize::W32, WaveSize::W64][..])
}

/// Words with the opcode of some row, and words of any kind.
fn words() -> impl Strategy<Value = Vec<u32>> {
    let directed = (0..Opcode::ALL.len(), any::<u64>()).prop_map(|(i, seed)| {
        let mut rng = Rng(seed);
        let form = rng.pick(Opcode::ALL[i].row().forms);
        random_words(&mut rng, form.encoding, form.number)
    });
    prop_oneof![4 => directed, 1 => proptest::collection::vec(any::<u32>(), 0..6)]
}

/// What the words of an instruction mean, without what the encoding ignores.
fn meaning(inst: &Inst) -> (Parts, String) {
    let mut parts = Parts::of(inst);
    parts.export.en = 0;
    (
        parts,
        inst_to_string(inst, TextOptions::exact(WaveSize::W32)),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn decode_and_what_follows_does_not_panic(target in target(), words in words(), wave in wave(), overlay: bool) {
        for at in 0..=words.len() {
            match decode_with(DecodeOptions { overlay }, target, &words, at) {
                Ok(inst) => {
                    prop_assert_eq!(inst.pc() as usize, at * 4);
                    prop_assert_eq!(inst.words(), &words[at..at + inst.len() as usize]);
                    let text = inst_to_string(&inst, TextOptions::llvm(wave));
                    prop_assert!(!text.is_empty());
                    let _ = (inst.dsts().count(), inst.srcs().count(), inst.valu_mods(), inst.mem_mods());
                    let _ = (inst.image_mods(), inst.image_data_words(), inst.export_mods());
                    let _ = (inst.branch_target(), inst.literal(), legality(&inst, wave));
                }
                Err(e) => {
                    prop_assert_eq!(e.pc() as usize, at * 4);
                    prop_assert_eq!(e.resync(), e.pc() + 4);
                    prop_assert!(e.words().len() <= words.len() - at);
                }
            }
        }
    }

    #[test]
    fn a_listing_covers_every_word(target in target(), words in proptest::collection::vec(any::<u32>(), 0..64)) {
        let mut next = 0;
        for item in Decoder::new(target, &words) {
            let (pc, after) = match item {
                Ok(inst) => (inst.pc(), inst.next_pc()),
                Err(e) => (e.pc(), e.resync()),
            };
            prop_assert_eq!(pc, next);
            next = after;
        }
        prop_assert_eq!(next as usize, words.len() * 4);
    }

    /// Encoding the parts gives the canonical words: the same meaning, and the same words again.
    #[test]
    fn parts_encode_to_canonical_words(target in target(), words in words()) {
        let Ok(inst) = decode_with(OVERLAY, target, &words, 0) else { return Ok(()) };
        let canonical = encode(target, 0, &Parts::of(&inst));
        let canonical = canonical.map_err(|e| TestCaseError::fail(format!("{inst:?}: {e}")))?;
        prop_assert_eq!(meaning(&canonical), meaning(&inst));
        let again = encode(target, 0, &Parts::of(&canonical)).unwrap();
        prop_assert_eq!(again.words(), canonical.words());
    }

    /// Text assembles to the canonical words, or the instruction breaks a rule that has a name.
    #[test]
    fn text_assembles_back(target in target(), words in words(), wave in wave()) {
        let Ok(inst) = decode_with(OVERLAY, target, &words, 0) else { return Ok(()) };
        let text = inst_to_string(&inst, TextOptions::exact(wave));
        let canonical = encode(target, 0, &Parts::of(&inst)).unwrap();
        match assemble(target, wave, &text) {
            Ok(back) => prop_assert_eq!(&back[..], canonical.words(), "{}", text),
            Err(errors) => {
                let named = !legality(&inst, wave).is_empty();
                prop_assert!(named, "{:?} {}: {:?}", inst, text, errors);
                // A misaligned range, or a mask without a pair, has no text that the parser takes.
                let kind = &errors[0].kind;
                let expected = matches!(
                    kind,
                    AsmErrorKind::Illegal(_)
                        | AsmErrorKind::Misaligned(_)
                        | AsmErrorKind::BadRegister
                        | AsmErrorKind::OperandWidth { .. }
                );
                prop_assert!(expected, "{}: {:?}", text, kind);
            }
        }
    }

    /// Any text is an answer or errors with places inside it.
    #[test]
    fn the_assembler_answers_any_text(target in target(), wave in wave(), text in "[ -~\n]{0,80}") {
        if let Err(errors) = assemble(target, wave, &text) {
            prop_assert!(!errors.is_empty());
            let lines: Vec<&str> = text.split('\n').collect();
            for e in errors {
                let line = lines[e.line as usize - 1];
                prop_assert!(e.column as usize <= line.chars().count() + 1, "{}", e);
            }
        }
    }
}
