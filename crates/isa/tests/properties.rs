//! Properties that hold for any words.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod support;

use proptest::prelude::*;

use spirdna_isa::{
    AsmErrorKind, DecodeError, DecodeOptions, Decoder, Inst, Opcode, Parts, Target, TextOptions,
    WaveSize, assemble, decode_with, encode, inst_to_string, legality,
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

/// A literal that has to be said to be one has modifiers as any other constant.
#[test]
fn literals_said_to_be_ones_have_modifiers() {
    for (head, sources, shown) in [
        (0xd711_99b4, 0x44e2_88ff, "|lit(0x8316442d)|"),
        (0xd711_99b4, 0x64e2_88ff, "-|lit(0x8316442d)|"),
        (0xd711_98b4, 0x64e2_88ff, "neg(lit(0x8316442d))"),
    ] {
        let inst = decode_with(OVERLAY, Target::Gfx1010, &[head, sources, 0x8316_442d], 0).unwrap();
        let text = inst_to_string(&inst, TextOptions::exact(WaveSize::W32));
        assert!(text.contains(shown), "{text}");
        let canonical = encode(Target::Gfx1010, 0, &Parts::of(&inst)).unwrap();
        let named = shown.replacen('|', "abs(", 1).replace('|', ")");
        for text in [text.clone(), text.replace(shown, &named)] {
            let back = assemble(Target::Gfx1010, WaveSize::W32, &text).unwrap();
            assert_eq!(&back[..], canonical.words(), "{text}");
        }
    }
}

/// Encode, then decode, is the identity on every form's operands and modifiers at their extremes.
#[test]
fn what_encodes_decodes_to_the_same_parts() {
    let mut total = 0;
    for target in Target::ALL {
        for wave in [WaveSize::W32, WaveSize::W64] {
            for op in Opcode::ALL {
                let row = op.row();
                let forms = row.forms.iter();
                for form in forms.filter(|f| f.targets.contains(target.set())) {
                    for parts in support::generate::variations(row, form, target, wave) {
                        let inst = encode(target, 64, &parts).unwrap();
                        let again = decode_with(OVERLAY, target, inst.words(), 0).unwrap();
                        assert_eq!(again.words(), inst.words());
                        let (a, b) = (Parts::of(&again), Parts::of(&inst));
                        assert_eq!(a, b);
                        let want = support::visible(&parts);
                        assert_eq!(support::visible(&a), want, "{inst:?}");
                        total += 1;
                    }
                }
            }
        }
    }
    assert!(total > 300_000, "{total}");
}

/// What decode gives and what it goes on with own nothing on the heap: instructions are `Copy`, small,
/// and dropped for nothing; a decoder is a reference and a number.
#[test]
fn decoding_allocates_nothing_for_an_instruction() {
    fn plain<T: Copy>() -> usize {
        assert!(!std::mem::needs_drop::<T>());
        size_of::<T>()
    }
    assert!(plain::<Inst>() <= 32);
    assert!(plain::<Result<Inst, DecodeError>>() <= 40);
    assert!(!std::mem::needs_drop::<Decoder<'_>>());
    assert!(size_of::<Decoder<'_>>() <= 32);
}
