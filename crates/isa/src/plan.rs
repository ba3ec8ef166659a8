//! What decode checks, worked out once: for each form of a row the bits that must be 0 and, for each
//! operand field, the set of codes that it may hold. An instruction that passes is what the full
//! decoder gives; anything else (extension words, images, errors) is left to it.
//!
//! The sets are found by asking the full check for every code, so that there is one set of rules.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::decode::check_at_base;
use crate::encoding::{Encoding, Ext};
use crate::fields::{Field, FieldId};
use crate::inst::{Inst, MAX_WORDS};
use crate::operand::{SReg, Ty};
use crate::row::{Access, Class, OperandSpec, Row, RowFlags, Slot};
use crate::table::{Opcode, SLOTS, opcode_at, slot_index};
use crate::target::Target;

/// Codes of a field that are admitted, as a set of bits.
type Codes = [u64; 8];

/// One field to look at.
#[derive(Clone, Copy, Debug, Default)]
struct Check {
    lo: u8,
    /// Index of the set of admitted codes.
    codes: u8,
    /// Width as a mask.
    mask: u16,
    /// 255 is a literal.
    source: bool,
}

/// The most fields that a form checks.
const MAX_CHECKS: usize = 5;

/// How to decode a form.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Bits that must be 0 here; where one is set, the full decoder decides.
    guard: u64,
    checks: [Check; MAX_CHECKS],
    opcode: Opcode,
    encoding: Encoding,
    n: u8,
    /// Words without an optional literal.
    words: u8,
    /// Source 0 may announce an extension word.
    narrow: bool,
}

/// No plan: the full decoder decides.
const NONE: u16 = u16::MAX;

struct Plans {
    of_slot: Vec<[u16; SLOTS]>,
    plans: Vec<Plan>,
    codes: Vec<Codes>,
}

static PLANS: LazyLock<Plans> = LazyLock::new(Plans::build);

/// Field of an operand slot, where one code alone decides about it.
fn field_of(encoding: Encoding, slot: Slot) -> Option<(FieldId, bool)> {
    let vop3 = matches!(encoding, Encoding::Vop3 | Encoding::Vop3p);
    Some(match slot {
        Slot::Sdst => (FieldId::Sdst, false),
        Slot::Ssrc0 => (FieldId::Ssrc0, true),
        Slot::Ssrc1 => (FieldId::Ssrc1, true),
        Slot::Vdst | Slot::SgprDst => (FieldId::Vdst, false),
        Slot::Src0 => (FieldId::Src0, true),
        Slot::Src1 => (FieldId::Src1, vop3),
        Slot::Src2 => (FieldId::Src2, true),
        Slot::CarryOut if vop3 => (FieldId::Sdst, false),
        Slot::CarryIn if vop3 => (FieldId::Src2, true),
        Slot::CmpDst if vop3 => (FieldId::Vdst, false),
        Slot::InterpVsrc if vop3 => (FieldId::Src1, true),
        Slot::InterpVsrc => (FieldId::Vsrc, false),
        Slot::Sdata => (FieldId::Sdata, false),
        Slot::Sbase => (FieldId::Sbase, false),
        Slot::DsAddr | Slot::FlatAddr => (FieldId::Addr, false),
        Slot::Data0 | Slot::FlatData => (FieldId::Data0, false),
        Slot::Data1 => (FieldId::Data1, false),
        Slot::Saddr => (FieldId::Saddr, false),
        Slot::Vdata => (FieldId::Vdata, false),
        Slot::BufAddr => (FieldId::Vaddr, false),
        Slot::Srsrc => (FieldId::Srsrc, false),
        Slot::Soffset => (FieldId::Soffset, true),
        _ => return None,
    })
}

/// What the admitted codes of an operand depend on.
type Key = (Encoding, Slot, Class, Ty, Access, bool);

impl Plans {
    fn build() -> Plans {
        let mut all = Plans {
            of_slot: vec![[NONE; SLOTS]; Target::ALL.len()],
            plans: Vec::new(),
            codes: Vec::new(),
        };
        let mut known: HashMap<Key, u8> = HashMap::new();
        for op in Opcode::ALL {
            for form in op.row().forms {
                let Some(plan) = all.plan(op.row(), form.encoding, form.number, &mut known) else {
                    continue;
                };
                let index = all.plans.len() as u16;
                all.plans.push(plan);
                for target in Target::ALL {
                    let slot = usize::from(slot_index(form.encoding, form.number));
                    let mine = opcode_at(target, form.encoding, form.number) == Some(*op);
                    let entry = all.of_slot.get_mut(target as usize);
                    if let Some(entry) = entry.and_then(|t| t.get_mut(slot))
                        && mine
                    {
                        *entry = index;
                    }
                }
            }
        }
        all
    }

    fn plan(
        &mut self,
        row: &'static Row,
        encoding: Encoding,
        number: u16,
        known: &mut HashMap<Key, u8>,
    ) -> Option<Plan> {
        // Their checks hang together, or differ by target.
        let apart = matches!(encoding, Encoding::Mimg | Encoding::Scratch)
            || row.flags.intersects(RowFlags::OVERLAY | RowFlags::GDS_ONLY);
        if apart {
            return None;
        }
        let base = base_inst(row, encoding, number);
        let mut guard = check_at_base(&base).ok()?;
        // Bits on which the width of an operand depends.
        for id in [FieldId::Tfe, FieldId::Lds] {
            guard |= encoding.field(id).map_or(0, Field::mask);
        }
        let literal = row.operands.iter().any(|s| s.slot == Slot::Literal);
        let mut plan = Plan {
            guard,
            checks: [Check::default(); MAX_CHECKS],
            opcode: row.opcode,
            encoding,
            n: 0,
            words: encoding.base_words() + u8::from(literal),
            narrow: matches!(encoding, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc)
                && row.operands.iter().any(|s| s.slot == Slot::Src0),
        };
        // Without a source 0, its codes 233, 234, 249 and 250 still announce extension words.
        if matches!(encoding, Encoding::Vop1) && !plan.narrow {
            return None;
        }
        for spec in row.operands {
            let Some((id, source)) = field_of(encoding, spec.slot) else {
                continue;
            };
            let field = encoding.field(id)?;
            let key = (
                encoding,
                spec.slot,
                spec.class,
                spec.ty,
                spec.access,
                row.flags.contains(RowFlags::INDEXED),
            );
            let codes = match known.get(&key) {
                Some(&codes) => codes,
                None => {
                    let codes = self.codes_of(&base, field);
                    known.insert(key, codes);
                    codes
                }
            };
            let set = self.codes.get(usize::from(codes))?;
            let free = (0..=field.max()).all(|c| has(set, c));
            if free && !source {
                continue;
            }
            *plan.checks.get_mut(usize::from(plan.n))? = Check {
                lo: field.lo,
                codes,
                mask: field.max() as u16,
                source,
            };
            plan.n += 1;
        }
        Some(plan)
    }

    /// The set of codes of a field with which the full check admits the base.
    fn codes_of(&mut self, base: &Inst, field: Field) -> u8 {
        let mut set = [0; 8];
        for code in 0..=field.max() {
            let mut inst = *base;
            let bits = field.set(inst.bits(), code);
            inst.words = [bits as u32, (bits >> 32) as u32, 0, 0, 0];
            // A literal has a word; announcing codes are the full decoder's.
            if check_at_base(&inst).is_ok()
                && let Some(word) = set.get_mut(code as usize / 64)
            {
                *word |= 1u64 << (code % 64);
            }
        }
        let index = self.codes.iter().position(|s| *s == set);
        let index = index.unwrap_or_else(|| {
            self.codes.push(set);
            self.codes.len() - 1
        });
        index as u8
    }
}

fn has(set: &Codes, code: u32) -> bool {
    set.get(code as usize / 64)
        .is_some_and(|w| w >> (code % 64) & 1 != 0)
}

/// An instruction of a form with plain registers.
fn base_inst(row: &'static Row, encoding: Encoding, number: u16) -> Inst {
    let mut bits = u64::from(encoding.prefix());
    let mut set = |id: FieldId, value: u32| {
        if let Some(f) = encoding.field(id) {
            bits = f.set(bits, value);
        }
    };
    let number = u32::from(number);
    match encoding {
        Encoding::Mtbuf => {
            set(FieldId::Op, number & 7);
            set(FieldId::OpHi, number >> 3);
        }
        _ => set(FieldId::Op, number),
    }
    set(FieldId::Saddr, u32::from(SReg::NULL.code()));
    for spec in row.operands {
        plain(encoding, spec, &mut set);
        // The old value of an atomic is returned; a buffer address is at its widest, an index and an
        // offset: what these bits switch off asks less.
        if spec.access == Access::DstIfGlc {
            set(FieldId::Glc, 1);
        }
        if spec.slot == Slot::BufAddr {
            set(FieldId::Offen, 1);
            set(FieldId::Idxen, 1);
        }
    }
    Inst {
        words: [bits as u32, (bits >> 32) as u32, 0, 0, 0],
        pc: 0,
        opcode: row.opcode,
        len: encoding.base_words(),
        encoding,
        ext: Ext::None,
        target: Target::Gfx1030,
    }
}

fn plain(encoding: Encoding, spec: &OperandSpec, set: &mut impl FnMut(FieldId, u32)) {
    if let Some((id, true)) = field_of(encoding, spec.slot)
        && spec.class == Class::Vgpr
    {
        set(id, 256);
    }
}

/// The instruction at the front of `rest`, if its plan admits it.
#[inline]
pub(crate) fn decode_fast(target: Target, rest: &[u32], pc: u32) -> Option<Inst> {
    let tables = &*PLANS;
    let mut words = [0; MAX_WORDS];
    let have = match rest.first_chunk::<MAX_WORDS>() {
        Some(chunk) => {
            words = *chunk;
            MAX_WORDS
        }
        None => {
            for (to, from) in words.iter_mut().zip(rest) {
                *to = *from;
            }
            rest.len()
        }
    };
    let bits = u64::from(words[0]) | u64::from(words[1]) << 32;
    let encoding = Encoding::of_word(words[0])?;
    let slot = usize::from(slot_index(encoding, encoding.number(bits)));
    let index = *tables.of_slot.get(target as usize)?.get(slot)?;
    let plan = tables.plans.get(usize::from(index))?;
    if bits & plan.guard != 0 {
        return None;
    }
    if plan.narrow && matches!(words[0] & 0x1ff, 233 | 234 | 249 | 250) {
        return None;
    }
    let mut len = plan.words;
    for check in plan.checks.iter().take(usize::from(plan.n)) {
        let code = (bits >> check.lo) as u32 & u32::from(check.mask);
        let set = tables.codes.get(usize::from(check.codes))?;
        if !has(set, code) {
            return None;
        }
        if check.source && code == 255 {
            len = encoding.base_words() + 1;
        }
    }
    if have < usize::from(len) {
        return None;
    }
    match len {
        1 => words = [words[0], 0, 0, 0, 0],
        2 => words = [words[0], words[1], 0, 0, 0],
        _ => words = [words[0], words[1], words[2], 0, 0],
    }
    Some(Inst {
        words,
        pc,
        opcode: plan.opcode,
        len,
        encoding: plan.encoding,
        ext: Ext::None,
        target,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{DecodeOptions, decode_fully};

    #[test]
    fn what_a_plan_admits_is_what_the_full_decoder_gives() {
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u32
        };
        let (mut fast, mut total) = (0, 0);
        for op in Opcode::ALL {
            for form in op.row().forms {
                for round in 0..60 {
                    let base = base_inst(op.row(), form.encoding, form.number);
                    let free = form.encoding.fields().iter();
                    let free = free.filter(|f| !matches!(f.0, FieldId::Op | FieldId::OpHi));
                    let mut mask = free.fold(0, |m, f| m | f.1.mask());
                    for _ in 0..round % 4 {
                        mask &= u64::from(next()) | u64::from(next()) << 32;
                    }
                    let noise: u64 = (u64::from(next()) | u64::from(next()) << 32) & mask;
                    let mut bits = base.bits() ^ noise;
                    // Last registers, at which wide operands leave their file.
                    if round % 3 == 0 {
                        bits |= mask & 0xff << (8 * (next() % 8));
                    }
                    let words = [bits as u32, (bits >> 32) as u32, next(), next()];
                    for target in Target::ALL {
                        total += 1;
                        if let Some(inst) = decode_fast(target, &words, 8) {
                            let options = DecodeOptions::default();
                            assert_eq!(decode_fully(options, target, &words, 8), Ok(inst));
                            fast += 1;
                        }
                    }
                }
            }
        }
        // Plans must admit much of it, or they are of no use.
        assert!(fast * 4 > total, "{fast} of {total}");
    }
}
