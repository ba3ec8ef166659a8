//! Random words of every opcode, and random streams, against llvm-mc: both accept or both refuse, with
//! equal text. Every difference is of a kind that `docs/isa-errata.toml` names and explains.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop
#![allow(clippy::print_stdout)] // and prints what it counted

mod support;

use std::collections::BTreeMap;

use spirdna_isa::fields::FieldId;
use spirdna_isa::{
    Breach, DecodeError, Encoding, Ext, Inst, Opcode, Reserved, RowFlags, Sem, Target, TextOptions,
    Valu, WaveSize, decode, inst_to_string, legality, opcode_at,
};
use support::Rng;
use support::words::{free_bits, random_words};

/// The kind of a difference where we accept and LLVM refuses or has other text.
fn kind_of_accepted(
    inst: &Inst,
    ours: &str,
    theirs: Option<&str>,
    wave: WaveSize,
) -> Option<&'static str> {
    let op = inst.opcode();
    let breaches = legality(inst, wave);
    let misaligned = breaches
        .iter()
        .any(|b| matches!(b, Breach::Misaligned { .. }));
    if misaligned
        && theirs.is_some_and(|t| aligned(ours) == *t || aligned(&without_op_sel(ours)) == *t)
    {
        return Some("misaligned");
    }
    if breaches
        .iter()
        .any(|b| matches!(b, Breach::MaskPair { .. }))
        && theirs.is_none()
    {
        return Some("mask-pair");
    }
    if inst.encoding() == Encoding::Vop3 && theirs == Some(&without_op_sel(ours)) {
        return Some("op-sel-16");
    }
    if op == Opcode::V_PK_FMAC_F16 && inst.ext() != Ext::None {
        return Some("pk-fmac-dpp");
    }
    if inst.flags().contains(RowFlags::GATHER) && inst.image_mods().d16 && inst.mem_mods().tfe {
        return Some("gather-d16-tfe");
    }
    let last = inst.field(FieldId::Vdata) + 4 > 256;
    if inst.flags().contains(RowFlags::GATHER) && inst.image_mods().d16 && last && theirs.is_none()
    {
        return Some("gather-d16-range");
    }
    let atomic = matches!(inst.sem(), Sem::Image(spirdna_isa::Image::Atomic(_)));
    if atomic && inst.mem_mods().tfe {
        return Some("image-atomic-tfe");
    }
    if matches!(inst.sem(), Sem::Valu(Valu::FmaMix(_))) && inst.literal().is_some() {
        return Some("mix-literal");
    }
    if op == Opcode::S_WAITCNT && inst.simm16() & 0x80 != 0 {
        return Some("waitcnt-bit-7");
    }
    if matches!(op, Opcode::S_SENDMSG | Opcode::S_SENDMSGHALT) && inst.simm16() & !0x37f != 0 {
        return Some("message-bits");
    }
    None
}

/// Text with scalar ranges moved down to their alignment, as LLVM's disassembler does.
fn aligned(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (head, tail) = rest.split_at(open);
        out += head;
        let close = tail.find(']').map_or(tail.len(), |c| c + 1);
        let (list, after) = tail.split_at(close);
        let scalar = head.ends_with('s') || head.ends_with("ttmp");
        let range = list.trim_matches(['[', ']']).split_once(':');
        match range.map(|(a, b)| (a.parse::<u32>(), b.parse::<u32>())) {
            Some((Ok(a), Ok(b))) if scalar => {
                let n = b - a + 1;
                let a = a - a % if n == 2 { 2 } else { 4 };
                out += &format!("[{a}:{}]", a + n - 1);
            }
            _ => out += list,
        }
        rest = after;
    }
    out + rest
}

fn without_op_sel(text: &str) -> String {
    let keep = |w: &&str| !w.starts_with("op_sel:");
    text.split(' ').filter(keep).collect::<Vec<_>>().join(" ")
}

/// The kind of a difference where we refuse and LLVM accepts.
fn kind_of_refused(words: &[u32], e: &DecodeError, theirs: &str) -> Option<&'static str> {
    let DecodeError::Reserved { reason, .. } = e else {
        return None;
    };
    let encoding = Encoding::of_word(words[0])?;
    let special = theirs.contains("src_") || theirs.contains("null");
    Some(match reason {
        Reserved::Extension if theirs.starts_with("v_nop") => "nop-extension",
        Reserved::Extension if theirs.starts_with("v_pipeflush") => "nop-extension",
        Reserved::Extension if theirs.starts_with("v_clrexcp") => "nop-extension",
        Reserved::Range if encoding == Encoding::Vop3 && special => "compare-into-special",
        Reserved::Range if encoding == Encoding::Mimg => "image-range",
        // s[105:106] and ttmp[15:16] that LLVM moves down.
        Reserved::Range if theirs.contains("s[") || theirs.contains("ttmp[") => "misaligned",
        Reserved::Source { code: 254 } => "lds-direct",
        Reserved::Source { .. } if theirs.contains("movrel") => "movrel-source",
        Reserved::Source { .. } if theirs.starts_with("s_swappc") => "jump-source",
        Reserved::Source { .. } if special => "special-source",
        Reserved::Modifier { .. } if encoding == Encoding::Scratch => "scratch-no-address",
        Reserved::Modifier { .. } if encoding == Encoding::Mimg => "image-modifier",
        Reserved::Modifier { .. } if encoding == Encoding::Vop3 => "vop3-modifier",
        Reserved::Modifier { .. } if encoding == Encoding::Vop2 => "dpp-modifier",
        _ => return None,
    })
}

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
    let (mut total, mut accepted) = (0, 0);
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
                    support::words::spare_llvm(encoding, &mut words);
                }
                let len = match decode(target, &words, 0) {
                    Ok(i) => i.len() as usize,
                    Err(_) => likely_len(&words),
                };
                items.push(words[..len].to_vec());
            }
            let texts = support::disassemble(target, wave, &items);
            for (words, theirs) in items.iter().zip(&texts) {
                total += 1;
                accepted += usize::from(theirs.is_some());
                if let Some(kind) = difference(target, wave, words, theirs.as_deref()) {
                    match kind {
                        Ok(id) => *known.entry(id).or_default() += 1,
                        Err(text) => failures.push(text),
                    }
                }
            }
        }
    }
    println!("{total} instructions, {accepted} accepted by LLVM; known differences: {known:?}");
    let n = failures.len();
    failures.truncate(40);
    assert!(n == 0, "{n} unexplained\n{}", failures.join("\n"));
    // The sample is no sample if LLVM refuses nearly all of it.
    assert!(accepted * 4 > total, "{accepted} of {total}");
    let errata = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/isa-errata.toml"
    ))
    .expect("docs/isa-errata.toml");
    for id in known.keys() {
        assert!(
            errata.contains(&format!("id = \"{id}\"")),
            "{id} is not in docs/isa-errata.toml"
        );
    }
}

/// Length by the first words alone, for words that we refuse.
fn likely_len(words: &[u32]) -> usize {
    let Some(encoding) = Encoding::of_word(words[0]) else {
        return 1;
    };
    let base = usize::from(encoding.base_words());
    let bits = u64::from(words[0]) | u64::from(words[1]) << 32;
    let is = |id: FieldId, codes: &[u32]| {
        encoding
            .field(id)
            .is_some_and(|f| codes.contains(&f.get(bits)))
    };
    let narrow = matches!(encoding, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc);
    let extra = match encoding {
        Encoding::Mimg => encoding
            .field(FieldId::Nsa)
            .map_or(0, |f| f.get(bits) as usize),
        _ if narrow => usize::from(is(FieldId::Src0, &[233, 234, 249, 250, 255])),
        Encoding::Sop1 | Encoding::Sop2 | Encoding::Sopc => {
            usize::from(is(FieldId::Ssrc0, &[255]) || is(FieldId::Ssrc1, &[255]))
        }
        Encoding::Vop3 | Encoding::Vop3p => usize::from(
            is(FieldId::Src0, &[255]) || is(FieldId::Src1, &[255]) || is(FieldId::Src2, &[255]),
        ),
        _ => 0,
    };
    base + extra
}

/// `None` where both agree; the kind of a known difference; or what is unexplained.
fn difference(
    target: Target,
    wave: WaveSize,
    words: &[u32],
    theirs: Option<&str>,
) -> Option<Result<&'static str, String>> {
    let hex: Vec<String> = words.iter().map(|w| format!("{w:08x}")).collect();
    let at = format!("{}/{} {}", target.name(), wave.lanes(), hex.join("_"));
    match (decode(target, words, 0), theirs) {
        (Err(_), None) => None,
        (Ok(inst), theirs) => {
            let ours = inst_to_string(&inst, TextOptions::llvm(wave));
            if theirs == Some(&ours) && inst.words() == words {
                return None;
            }
            Some(match kind_of_accepted(&inst, &ours, theirs, wave) {
                Some(id) => Ok(id),
                None => Err(format!("{at}: ours `{ours}`, LLVM {theirs:?}")),
            })
        }
        (Err(e), Some(theirs)) => Some(match kind_of_refused(words, &e, theirs) {
            Some(id) => Ok(id),
            None => Err(format!("{at}: ours {e}, LLVM `{theirs}`")),
        }),
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
        let texts = support::disassemble(target, WaveSize::W32, &items);
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

#[test]
fn alignment_of_text() {
    assert_eq!(
        aligned("s_mov_b64 s[5:6], ttmp[3:4]"),
        "s_mov_b64 s[4:5], ttmp[2:3]"
    );
    assert_eq!(aligned("x v[5:6], s[6:9]"), "x v[5:6], s[4:7]");
}
