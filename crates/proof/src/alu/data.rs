//! What instances read: a block of memory for each workgroup with scalars and, for vector instances, the
//! registers of each lane. Owns the layout, which `program` loads.
//!
//! A block: 16 dwords of scalars ([`HEAD`]), then for each lane sources 0, 1 (two dwords each), 2 (four)
//! and the destination's old content (four).

use std::fmt;

use spirdna_isa::launch::{Denorm, Mode, Round};
use spirdna_isa::{Ty, WaveSize};
use spirdna_values::{Random, tuple};

use super::program::Kind;

/// Dwords of scalars in a block: EXEC, VCC (two each), SCC, M0, the scalar destination's old content,
/// sources 0, 1, 2 (two each), M0 of instances that take two indices, a spare.
pub const HEAD: usize = 16;

/// Dwords of a lane.
pub const LANE: usize = 12;

/// Types of the values of sources 0, 1, 2 and of the destination's old content; instances whose types
/// agree share data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature(pub [Ty; 4]);

impl Default for Signature {
    fn default() -> Self {
        Signature([Ty::B32; 4])
    }
}

impl Signature {
    /// Of the types that matter; the others take the type before them. Types whose values are chosen
    /// alike are one.
    pub fn new(types: [Option<Ty>; 4]) -> Signature {
        let first = types.iter().flatten().next().copied();
        let mut last = class(first.unwrap_or(Ty::B32));
        Signature(types.map(|ty| {
            last = ty.map_or(last, class);
            last
        }))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, ty) in self.0.iter().enumerate() {
            write!(f, "{}{ty:?}", if i == 0 { "" } else { "-" })?;
        }
        Ok(())
    }
}

/// The type that stands for a type.
fn class(ty: Ty) -> Ty {
    match ty {
        Ty::F16 | Ty::PkF16 => Ty::F16,
        Ty::B16 | Ty::U16 | Ty::I16 | Ty::PkB16 | Ty::PkU16 | Ty::PkI16 => Ty::I16,
        Ty::F32 => Ty::F32,
        Ty::F64 => Ty::F64,
        Ty::B64 | Ty::U64 | Ty::I64 | Ty::Mask => Ty::I64,
        _ => Ty::B32,
    }
}

/// Modes that float instances take turns at; 0 is the default.
pub fn modes(i: usize) -> Mode {
    match i % 4 {
        0 => Mode::default(),
        1 => Mode {
            denorm32: Denorm::Allow,
            ieee: true,
            ..Mode::default()
        },
        2 => Mode {
            round32: Round::PlusInfinity,
            round16_64: Round::TowardZero,
            denorm16_64: Denorm::FlushIn,
            ..Mode::default()
        },
        _ => Mode {
            round32: Round::MinusInfinity,
            round16_64: Round::MinusInfinity,
            denorm32: Denorm::FlushOut,
            denorm16_64: Denorm::FlushInOut,
            ieee: true,
            dx10_clamp: false,
            fp16_ovfl: false,
        },
    }
}

/// EXEC of a workgroup's wave: most lanes, halves, all, one, none, random ones.
pub fn exec(group: usize, wave: WaveSize) -> u64 {
    let mask = match group {
        0 => 0x7fff_0fff_fffe_7fff,
        1 => u64::MAX,
        2 => 0x5a3c_e1f0_a5c3_1e0f,
        3 => 0,
        4 => 1 << 17,
        5 => 0xffff_0000_0000_ffff,
        _ => {
            let mut random = Random::new(group as u64);
            random.bits() | random.bits()
        }
    };
    mask & wave.full_mask()
}

/// Bytes of a block.
pub const fn block_bytes(kind: Kind, wave: WaveSize) -> usize {
    4 * match kind {
        Kind::Scalar => HEAD,
        Kind::Vector => HEAD + LANE * wave.lanes() as usize,
    }
}

/// The blocks of all workgroups.
pub fn input(signature: &Signature, kind: Kind, wave: WaveSize, groups: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(block_bytes(kind, wave) * groups);
    // The same for every batch of a signature: a tuple's values do not depend on what shares a module.
    let mut random = Random::new(0x5eed);
    for group in 0..groups {
        let mut words = head(&mut random, signature, kind, wave, group);
        if kind == Kind::Vector {
            let lanes = wave.lanes() as usize;
            for lane in 0..lanes {
                let values = values(&mut random, signature, (group * lanes + lane) as u64);
                words.extend(values);
            }
        }
        bytes.extend(words.iter().flat_map(|w| w.to_le_bytes()));
    }
    bytes
}

fn head(
    random: &mut Random,
    signature: &Signature,
    kind: Kind,
    wave: WaveSize,
    group: usize,
) -> Vec<u32> {
    let mask = |random: &mut Random| {
        let mut pair = [0; 2];
        random.fill(Ty::Mask, &mut pair);
        pair
    };
    let exec = exec(group, wave);
    let mut exec = [exec as u32, (exec >> 32) as u32];
    if kind == Kind::Scalar && group > 4 {
        exec = mask(random);
        if wave == WaveSize::W32 {
            exec = [exec[0], 0];
        }
    }
    let vcc = if group % 7 == 3 {
        [0, random.word()]
    } else {
        mask(random)
    };
    let scc = random.below(2) as u32;
    let index = random.below(4) as u32;
    let values = values(random, signature, group as u64);
    let [s00, s01, s10, s11, s20, s21, _, _, old0, old1, ..] = values;
    let two = random.below(4) as u32 | (random.below(4) as u32) << 16;
    let mut words = vec![
        exec[0], exec[1], vcc[0], vcc[1], scc, index, old0, old1, s00, s01, s10, s11, s20, s21, two,
    ];
    words.resize_with(HEAD, || random.word());
    words
}

/// A tuple of values in the order of a lane's block.
fn values(random: &mut Random, signature: &Signature, index: u64) -> [u32; LANE] {
    let Signature([t0, t1, t2, told]) = *signature;
    let (mut s0, mut s1, mut s2, mut old) = ([0; 2], [0; 2], [0; 4], [0; 4]);
    random.fill(t0, &mut s0);
    random.fill(t1, &mut s1);
    random.fill(t2, &mut s2);
    random.fill(told, &mut old);
    let dwords = |ty: Ty| ty.bits().map_or(1, |b| b.div_ceil(32)) as usize;
    let mut operands = [
        (t0, &mut s0[..]),
        (t1, &mut s1[..]),
        (t2, &mut s2[..]),
        (told, &mut old[..]),
    ];
    for (ty, out) in &mut operands {
        let whole = std::mem::take(out);
        *out = whole.split_at_mut(dwords(*ty).min(whole.len())).0;
    }
    tuple(random, index, &mut operands);
    let mut all = [0; LANE];
    let parts = s0.iter().chain(&s1).chain(&s2).chain(&old);
    for (to, &from) in all.iter_mut().zip(parts) {
        *to = from;
    }
    all
}
