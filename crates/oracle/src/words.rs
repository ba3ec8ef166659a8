//! Words to ask about: random ones with a given opcode, and how long words are that do not decode.

use spirdna_isa::Encoding;
use spirdna_isa::fields::FieldId;

use crate::rng::Rng;

/// Free bits of an encoding's first word: all but the prefix and the opcode.
pub fn free_bits(encoding: Encoding) -> u32 {
    let all: u64 = encoding
        .fields()
        .iter()
        .filter(|f| !matches!(f.0, FieldId::Op | FieldId::OpHi | FieldId::Seg))
        .fold(0, |m, f| m | f.1.mask());
    all as u32
}

/// Words with the opcode of a form and random other bits. Half of the time few bits are set, so that
/// instructions without odd modifiers occur too.
pub fn random_words(rng: &mut Rng, encoding: Encoding, number: u16) -> Vec<u32> {
    let thin = |rng: &mut Rng| match rng.below(4) {
        0 => rng.word(),
        1 => rng.word() & rng.word(),
        2 => rng.word() & rng.word() & rng.word(),
        _ => 0,
    };
    let mut bits = u64::from(thin(rng) & free_bits(encoding) | encoding.prefix());
    let second = match encoding {
        // SGPR and VGPR operands that stand for something, most of the time.
        Encoding::Smem if rng.below(2) == 0 => 0xfa00_0000 | thin(rng) & 0x1f_ffff,
        Encoding::Flat | Encoding::Global if rng.below(2) == 0 => {
            thin(rng) & !0x00ff_0000 | 0x007d_0000
        }
        _ => thin(rng),
    };
    bits |= u64::from(second) << 32;
    let n = u32::from(number);
    let (low, high) = match encoding {
        Encoding::Mimg => (n & 0x7f, n >> 7),
        Encoding::Mtbuf => (n & 7, n >> 3),
        _ => (n, 0),
    };
    for (id, value) in [(FieldId::Op, low), (FieldId::OpHi, high)] {
        if let Some(f) = encoding.field(id) {
            bits = f.set(bits, value);
        }
    }
    let mut words = vec![bits as u32, (bits >> 32) as u32];
    // Extension and literal words: few selects beyond the register.
    if encoding.base_words() == 1 {
        words[1] = match rng.below(3) {
            0 => 0x0606_0600 | rng.word() & 0xff,
            1 => 0xff00_0000 | rng.word() & 0xfff,
            _ => rng.word(),
        };
    }
    while words.len() < 5 {
        words.push(rng.word());
    }
    spare_llvm(encoding, &mut words);
    words
}

/// llvm-mc stops at an SDWA select of 7 or an unused-code of 3: those bits are cleared.
pub fn spare_llvm(encoding: Encoding, words: &mut [u32]) {
    let narrow = matches!(encoding, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc);
    if !narrow || words[0] & 0x1ff != 249 {
        return;
    }
    let shifts: &[u32] = match encoding {
        Encoding::Vopc => &[16, 24],
        _ => &[8, 16, 24],
    };
    for s in shifts {
        if words[1] >> s & 7 == 7 {
            words[1] &= !(1 << s);
        }
    }
    if encoding != Encoding::Vopc && words[1] >> 11 & 3 == 3 {
        words[1] &= !(1 << 11);
    }
}

/// Length by the first words alone, for words that we refuse.
pub fn likely_len(words: &[u32]) -> usize {
    let first = words.first().copied().unwrap_or(0);
    let Some(encoding) = Encoding::of_word(first) else {
        return 1;
    };
    let base = usize::from(encoding.base_words());
    let bits = u64::from(first) | u64::from(words.get(1).copied().unwrap_or(0)) << 32;
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
