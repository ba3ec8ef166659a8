//! What decode checks, worked out once: for each form of a row, alone and with each extension word, the
//! bits that must be 0 and, for each field, the set of codes that it may hold. An instruction that passes
//! is what the full decoder gives; anything else (errors, rare combinations) is left to it.
//!
//! The sets are found by asking the full check for every code, so that there is one set of rules. A
//! look-up goes from the first nine bits to the opcode's place, and from there to the plan; nothing on
//! that way branches on which encoding it is.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::decode::{check_at_base, extension_of};
use crate::encoding::{Encoding, Ext};
use crate::fields::{Field, FieldId};
use crate::inst::{Inst, MAX_WORDS};
use crate::operand::{SReg, Ty};
use crate::row::{Access, Class, OperandSpec, Row, RowFlags, Slot};
use crate::sem::{AtomicOp, Image, Sem};
use crate::table::{Opcode, opcode_at};
use crate::target::Target;

/// Codes of a field that are admitted, as a set of bits.
type Codes = [u64; 8];

/// One field to look at.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Check {
    lo: u8,
    /// Index of the set of admitted codes.
    codes: u8,
    /// Width as a mask.
    mask: u16,
    /// The code that announces a literal, or one that no field holds.
    literal: u16,
}

/// No code.
const NO_LITERAL: u16 = u16::MAX;

/// A check that every word passes.
const PASS: Check = Check {
    lo: 0,
    codes: 0,
    mask: 0,
    literal: NO_LITERAL,
};

/// The most fields that a form checks.
const MAX_CHECKS: usize = 5;

/// How to decode a form: one cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
struct Plan {
    /// Bits that must be 0 here; where one is set, the full decoder decides.
    guard: u64,
    checks: [Check; MAX_CHECKS],
    opcode: Opcode,
    /// Plans of the form with SDWA, DPP16 and DPP8.
    with: [u16; 3],
    /// Index into the image plans.
    image: u16,
    encoding: Encoding,
    ext: Ext,
    /// Words without an optional literal or NSA words.
    words: u8,
    /// It is longer than the encoding is: `words` tells, and an image's modifiers.
    longer: bool,
    /// Source 0 may announce an extension word.
    narrow: bool,
    /// There are more than three checks.
    more: bool,
}

/// Registers that an image instruction takes, by its modifiers; 0 where the full decoder decides.
#[derive(Clone, Copy, Debug)]
struct ImagePlan {
    /// By DIM and A16 (bit 3).
    addresses: [u8; 16],
    /// By DMASK, D16 (bit 4) and TFE (bit 5).
    data: [u8; 64],
}

/// No plan: the full decoder decides.
const NONE: u16 = u16::MAX;

/// Where the opcode's place is found, for one value of the first nine bits.
#[derive(Clone, Copy, Debug, Default)]
struct Prefix {
    /// The number's place in the first two words, and its mask.
    lo: u8,
    mask: u16,
    /// The place and mask of the number's high part (the segment of FLAT), and how far it moves up.
    high_lo: u8,
    high_mask: u8,
    high_shift: u8,
    /// The encoding's words, without literals and the like.
    words: u8,
    /// Where the encoding's places begin.
    first: u16,
}

struct Plans {
    prefixes: [Prefix; 512],
    /// By target and place.
    at: [Vec<u16>; Target::ALL.len()],
    plans: Vec<Plan>,
    images: Vec<ImagePlan>,
    codes: [Codes; 256],
    /// Sets in use.
    sets: usize,
}

static PLANS: LazyLock<Box<Plans>> = LazyLock::new(|| Box::new(Plans::build()));

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
        // An image's data is as long as its modifiers say.
        Slot::Vdata if encoding == Encoding::Mimg => return None,
        Slot::Vdata => (FieldId::Vdata, false),
        Slot::BufAddr => (FieldId::Vaddr, false),
        Slot::Srsrc => (FieldId::Srsrc, false),
        Slot::Ssamp => (FieldId::Ssamp, false),
        Slot::Soffset => (FieldId::Soffset, true),
        _ => return None,
    })
}

/// What the admitted codes of an operand depend on.
type Key = (Encoding, Slot, Class, Ty, Access, bool);

/// What the plan of a form with an extension word depends on, but for the opcode that it names: the
/// encoding, the code that announces the word, the row's flags and its operands.
type ExtKey = (Encoding, u32, u64, Vec<(Slot, Class, Ty, Access)>);

/// What was worked out before.
#[derive(Default)]
struct Before {
    codes: HashMap<Key, u8>,
    extended: HashMap<ExtKey, Option<Plan>>,
}

/// FLAT, SCRATCH and GLOBAL share a prefix: their places are one encoding's, with the segment on top.
const SEGMENTS: [Encoding; 3] = [Encoding::Flat, Encoding::Scratch, Encoding::Global];

/// The encoding's opcode number as parts of a place: the low part, the high part, and how far that moves.
fn number_fields(encoding: Encoding) -> (Field, Option<Field>, u8) {
    let low = encoding.field(FieldId::Op).unwrap_or(Field::new(0, 0));
    let high = encoding
        .field(FieldId::OpHi)
        .or_else(|| encoding.field(FieldId::Seg));
    (low, high, low.width)
}

/// Where the places of each encoding begin, and how many there are in all. The last is no opcode's.
fn first_places() -> (HashMap<Encoding, u16>, usize) {
    let mut first = HashMap::new();
    let mut next = 0;
    for encoding in Encoding::ALL {
        if matches!(encoding, Encoding::Scratch | Encoding::Global) {
            continue;
        }
        let (low, high, _) = number_fields(encoding);
        first.insert(encoding, next);
        next += 1 << (low.width + high.map_or(0, |h| h.width));
    }
    (first, usize::from(next) + 1)
}

impl Plans {
    fn build() -> Plans {
        let (first, places) = first_places();
        let mut all = Plans {
            prefixes: [Prefix::default(); 512],
            at: [(); Target::ALL.len()].map(|()| vec![NONE; places]),
            plans: Vec::new(),
            images: Vec::new(),
            codes: [[u64::MAX; 8]; 256],
            // The first set admits all.
            sets: 1,
        };
        for (word, prefix) in (0u32..).zip(&mut all.prefixes) {
            let encoding = Encoding::of_word(word << 23);
            let Some((e, &first)) = encoding.and_then(|e| Some((e, first.get(&e)?))) else {
                prefix.first = places as u16 - 1;
                continue;
            };
            let (low, high, shift) = number_fields(e);
            *prefix = Prefix {
                lo: low.lo,
                mask: low.max() as u16,
                high_lo: high.map_or(0, |h| h.lo),
                high_mask: high.map_or(0, |h| h.max() as u8),
                high_shift: shift,
                words: e.base_words(),
                first,
            };
        }
        let mut known = Before::default();
        for op in Opcode::ALL {
            for form in op.row().forms {
                let Some(index) = all.add(op.row(), form.encoding, form.number, &mut known) else {
                    continue;
                };
                let segment = SEGMENTS.iter().position(|s| *s == form.encoding);
                let family = segment.map_or(form.encoding, |_| Encoding::Flat);
                let begin = first.get(&family).copied().unwrap_or(0);
                let place = usize::from(begin + form.number) + (segment.unwrap_or(0) << 7);
                for (target, at) in Target::ALL.into_iter().zip(&mut all.at) {
                    let mine = opcode_at(target, form.encoding, form.number) == Some(*op);
                    if let Some(entry) = at.get_mut(place)
                        && mine
                    {
                        *entry = index;
                    }
                }
            }
        }
        all
    }

    fn push(&mut self, plan: Plan) -> u16 {
        self.plans.push(plan);
        (self.plans.len() - 1) as u16
    }

    /// Adds a form's plan and those of its extension words.
    fn add(
        &mut self,
        row: &'static Row,
        encoding: Encoding,
        number: u16,
        known: &mut Before,
    ) -> Option<u16> {
        let mut plan = self.plan(row, encoding, number, known)?;
        if plan.narrow {
            for (with, code) in plan.with.iter_mut().zip([249, 250, 233]) {
                let operands = row.operands.iter();
                let operands = operands.map(|s| (s.slot, s.class, s.ty, s.access));
                let key = (encoding, code, row.flags.bits(), operands.collect());
                let ext = match known.extended.get(&key) {
                    Some(ext) => *ext,
                    None => {
                        let ext = self.extended(row, encoding, number, code);
                        known.extended.insert(key, ext);
                        ext
                    }
                };
                let ext = ext.map(|ext| Plan {
                    opcode: row.opcode,
                    ..ext
                });
                *with = ext.map_or(NONE, |ext| self.push(ext));
            }
        }
        Some(self.push(plan))
    }

    fn plan(
        &mut self,
        row: &'static Row,
        encoding: Encoding,
        number: u16,
        known: &mut Before,
    ) -> Option<Plan> {
        // Their checks hang together, or differ by target.
        let apart = encoding == Encoding::Scratch
            || row
                .flags
                .intersects(RowFlags::OVERLAY | RowFlags::GDS_ONLY | RowFlags::BVH_RAY);
        if apart {
            return None;
        }
        let base = base_inst(row, encoding, number);
        let mut guard = check_at_base(&base).ok()?;
        let image = match encoding {
            Encoding::Mimg => self.image(&base),
            _ => {
                // Bits on which the width of an operand depends.
                for id in [FieldId::Tfe, FieldId::Lds] {
                    guard |= encoding.field(id).map_or(0, Field::mask);
                }
                NONE
            }
        };
        let literal = row.operands.iter().any(|s| s.slot == Slot::Literal);
        let base_words = encoding.base_words();
        let mut plan = Plan {
            guard,
            checks: [PASS; MAX_CHECKS],
            opcode: row.opcode,
            with: [NONE; 3],
            image,
            encoding,
            ext: Ext::None,
            words: base_words + u8::from(literal),
            longer: literal || image != NONE,
            narrow: matches!(encoding, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc)
                && row.operands.iter().any(|s| s.slot == Slot::Src0),
            more: false,
        };
        // Without a source 0, its codes 233, 234, 249 and 250 still announce extension words.
        if matches!(encoding, Encoding::Vop1) && !plan.narrow {
            return None;
        }
        let mut n = 0;
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
            let codes = match known.codes.get(&key) {
                Some(&codes) => codes,
                None => {
                    let codes = self.codes_of(&base, field)?;
                    known.codes.insert(key, codes);
                    codes
                }
            };
            if codes == 0 && !source {
                continue;
            }
            *plan.checks.get_mut(n)? = Check {
                lo: field.lo,
                codes,
                mask: field.max() as u16,
                literal: if source { 255 } else { NO_LITERAL },
            };
            n += 1;
        }
        plan.more = n > 3;
        Some(plan)
    }

    /// The plan of a form with the extension word that a source code announces.
    fn extended(
        &mut self,
        row: &'static Row,
        encoding: Encoding,
        number: u16,
        code: u32,
    ) -> Option<Plan> {
        let mut base = base_inst(row, encoding, number);
        let mut bits = encoding.field(FieldId::Src0)?.set(base.bits(), code);
        base.words[0] = bits as u32;
        base.ext = extension_of(&base).ok()?;
        base.len = 2;
        // Selects of whole dwords, and no other lane.
        for (id, plain) in [
            (FieldId::DstSel, 6),
            (FieldId::Src0Sel, 6),
            (FieldId::Src1Sel, 6),
            (FieldId::DppCtrl, 0xe4),
        ] {
            if let Some(f) = base.ext.field(id) {
                bits = f.set(bits, plain);
            }
        }
        if !row.operands.iter().any(|s| s.slot == Slot::Src1)
            && let Some(f) = base.ext.field(FieldId::Src1Sel)
        {
            bits = f.set(bits, 0);
        }
        base.words[1] = (bits >> 32) as u32;
        let reserved = check_at_base(&base).ok()?;
        let mask = |id| base.ext.field(id).map_or(0, Field::mask);
        // Scalar sources are checked as such; a sign extension takes the signs away.
        let guard = reserved
            | mask(FieldId::Src0Scalar)
            | mask(FieldId::Src1Scalar)
            | mask(FieldId::Src0Sext)
            | mask(FieldId::Src1Sext);
        let mut plan = Plan {
            guard,
            checks: [PASS; MAX_CHECKS],
            opcode: row.opcode,
            with: [NONE; 3],
            image: NONE,
            encoding,
            ext: base.ext,
            words: 2,
            longer: true,
            narrow: false,
            more: false,
        };
        let fields = [
            base.ext.field(FieldId::Src0),
            base.ext.field(FieldId::DstSel),
            base.ext.field(FieldId::DstUnused),
            base.ext.field(FieldId::Src0Sel),
            base.ext.field(FieldId::Src1Sel),
            base.ext.field(FieldId::DppCtrl),
            encoding.field(FieldId::Src1),
            encoding.field(FieldId::Vdst),
        ];
        let mut n = 0;
        for field in fields.into_iter().flatten() {
            // Fields of what the row lacks are guarded.
            if field.mask() & guard == field.mask() {
                continue;
            }
            let codes = self.codes_of(&base, field)?;
            if codes == 0 {
                continue;
            }
            *plan.checks.get_mut(n)? = Check {
                lo: field.lo,
                codes,
                mask: field.max() as u16,
                literal: NO_LITERAL,
            };
            n += 1;
        }
        plan.more = n > 3;
        Some(plan)
    }

    /// Registers of an image form by its modifiers, and its place among the image plans.
    fn image(&mut self, base: &Inst) -> u16 {
        let with = |fields: &[(FieldId, u32)]| {
            let mut inst = *base;
            let set = |bits, &(id, value): &(FieldId, u32)| match inst.encoding.field(id) {
                Some(f) => f.set(bits, value),
                None => bits,
            };
            let bits = fields.iter().fold(inst.bits(), set);
            inst.words = [bits as u32, (bits >> 32) as u32, 0, 0, 0];
            // What the full check refuses, it refuses without a plan.
            check_at_base(&inst).is_ok().then_some(inst)
        };
        let mut plan = ImagePlan {
            addresses: [0; 16],
            data: [0; 64],
        };
        for (i, n) in (0..).zip(&mut plan.addresses) {
            let inst = with(&[(FieldId::Dim, i & 7), (FieldId::A16, i >> 3)]);
            *n = inst.and_then(|i| i.image_address_words()).unwrap_or(0) as u8;
        }
        for (i, n) in (0..).zip(&mut plan.data) {
            let inst = with(&[
                (FieldId::Dmask, i & 15),
                (FieldId::D16, i >> 4 & 1),
                (FieldId::Tfe, i >> 5),
            ]);
            *n = inst.and_then(|i| i.image_data_words()).unwrap_or(0) as u8;
        }
        self.images.push(plan);
        (self.images.len() - 1) as u16
    }

    /// The set of codes of a field with which the full check admits the base; `None` where there is no
    /// room for another set.
    fn codes_of(&mut self, base: &Inst, field: Field) -> Option<u8> {
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
        if (0..=field.max()).all(|c| has(&set, c)) {
            return Some(0);
        }
        let used = self.codes.get(..self.sets)?;
        let index = match used.iter().position(|s| *s == set) {
            Some(index) => index,
            None => {
                *self.codes.get_mut(self.sets)? = set;
                self.sets += 1;
                self.sets - 1
            }
        };
        u8::try_from(index).ok()
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
        Encoding::Mimg => {
            set(FieldId::Op, number & 0x7f);
            set(FieldId::OpHi, number >> 7);
            // One component, which every row takes.
            set(FieldId::Dmask, image_dmask(row));
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

/// The smallest DMASK that a row takes.
fn image_dmask(row: &Row) -> u32 {
    match row.sem {
        Sem::Image(Image::Atomic(AtomicOp::CmpSwap | AtomicOp::FCmpSwap)) => 3,
        _ => 1,
    }
}

fn plain(encoding: Encoding, spec: &OperandSpec, set: &mut impl FnMut(FieldId, u32)) {
    if let Some((id, true)) = field_of(encoding, spec.slot)
        && spec.class == Class::Vgpr
    {
        set(id, 256);
    }
}

/// What a plan says of an instruction.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    plan: &'static Plan,
    words: [u32; MAX_WORDS],
    /// Length in words.
    pub(crate) len: u8,
}

/// The first words of `rest`, 0 behind its end.
#[inline(always)]
fn front(rest: &[u32]) -> [u32; MAX_WORDS] {
    if let [a, b, c, d, e, ..] = *rest {
        [a, b, c, d, e]
    } else {
        short_front(rest)
    }
}

#[cold]
fn short_front(rest: &[u32]) -> [u32; MAX_WORDS] {
    let mut words = [0; MAX_WORDS];
    for (to, from) in words.iter_mut().zip(rest) {
        *to = *from;
    }
    words
}

/// Whether a field's code is admitted (in bit 0), and whether it announces a literal.
#[inline(always)]
fn look(codes: &[Codes; 256], check: &Check, bits: u64) -> (u64, bool) {
    let code = (bits >> check.lo) as u16 & check.mask;
    let set = &codes[usize::from(check.codes)];
    let admitted = set[usize::from(code >> 6 & 7)] >> (code & 63);
    (admitted, code == check.literal)
}

/// Whether a plan admits the words, and whether they announce a literal.
#[inline(always)]
fn admitted(tables: &Plans, plan: &Plan, bits: u64) -> (bool, bool) {
    // Without a branch for each: most forms have no more than the first few.
    let [a, b, c, d, e] = &plan.checks;
    let look = |check| look(&tables.codes, check, bits);
    let ((a, la), (b, lb), (c, lc)) = (look(a), look(b), look(c));
    let (mut ok, mut literal) = (a & b & c, la | lb | lc);
    if plan.more {
        let ((d, ld), (e, le)) = (look(d), look(e));
        ok &= d & e;
        literal |= ld | le;
    }
    (ok & 1 != 0 && bits & plan.guard == 0, literal)
}

/// [`find`] with the plan that an extension word's announcement chooses.
#[inline(never)]
fn extended(
    tables: &'static Plans,
    plan: &Plan,
    words: [u32; MAX_WORDS],
    have: usize,
) -> Option<Found> {
    let index = match words[0] & 0x1ff {
        249 => plan.with[0],
        250 => plan.with[1],
        233 | 234 => plan.with[2],
        _ => return None,
    };
    let plan = tables.plans.get(usize::from(index))?;
    let bits = u64::from(words[0]) | u64::from(words[1]) << 32;
    let (ok, _) = admitted(tables, plan, bits);
    let len = plan.words;
    (ok && have >= usize::from(len)).then_some(Found { plan, words, len })
}

/// What the plan of the instruction at the front of `rest` says, if there is one and it admits it.
#[inline(always)]
pub(crate) fn find(target: Target, rest: &[u32]) -> Option<Found> {
    let tables: &'static Plans = &PLANS;
    let words = front(rest);
    let bits = u64::from(words[0]) | u64::from(words[1]) << 32;
    let prefix = &tables.prefixes[(words[0] >> 23) as usize];
    let low = (bits >> prefix.lo) as u16 & prefix.mask;
    let high = u16::from((bits >> prefix.high_lo) as u8 & prefix.high_mask) << prefix.high_shift;
    let place = usize::from(prefix.first + (low | high));
    let index = *tables.at[target as usize].get(place)?;
    let plan = tables.plans.get(usize::from(index))?;
    let (ok, literal) = admitted(tables, plan, bits);
    if !ok {
        // Codes that announce an extension word are no source's.
        return match plan.narrow {
            true => extended(tables, plan, words, rest.len()),
            false => None,
        };
    }
    // Mostly the length hangs on the prefix alone, so that the next word can be looked at early.
    let len = if literal || plan.longer {
        longer(tables, plan, literal, bits)?
    } else {
        prefix.words
    };
    if rest.len() < usize::from(len) {
        return None;
    }
    Some(Found { plan, words, len })
}

/// The length of an instruction that is longer than its encoding. Apart, so that its length is a guess
/// that the processor makes and not a number that it waits for.
#[inline(never)]
fn longer(tables: &Plans, plan: &Plan, literal: bool, bits: u64) -> Option<u8> {
    if plan.image != NONE {
        let image = tables.images.get(usize::from(plan.image))?;
        return Some(plan.words + image_words(image, bits)?);
    }
    Some(
        plan.words
            .max(plan.encoding.base_words() + u8::from(literal)),
    )
}

impl Found {
    /// The instruction. It is put together where it is wanted: a copy of what was just written in
    /// smaller pieces would wait for them.
    #[inline(always)]
    pub(crate) fn inst(self, target: Target, pc: u32) -> Inst {
        let [a, b, c, d, e] = self.words;
        let word = |i: u8, w: u32| if self.len > i { w } else { 0 };
        Inst {
            words: [a, word(1, b), word(2, c), word(3, d), word(4, e)],
            pc,
            opcode: self.plan.opcode,
            len: self.len,
            encoding: self.plan.encoding,
            ext: self.plan.ext,
            target,
        }
    }
}

/// NSA words of an image instruction whose registers are all there.
fn image_words(plan: &ImagePlan, bits: u64) -> Option<u8> {
    let field = |f: Option<Field>| f.map_or(0, |f| f.get(bits));
    let get = |id| field(Encoding::Mimg.field(id));
    let form = get(FieldId::Dim) | get(FieldId::A16) << 3;
    let size = get(FieldId::Dmask) | get(FieldId::D16) << 4 | get(FieldId::Tfe) << 5;
    let addresses = u32::from(*plan.addresses.get(form as usize)?);
    let data = u32::from(*plan.data.get(size as usize)?);
    let nsa = get(FieldId::Nsa);
    let run_fits = match nsa {
        0 => get(FieldId::Vaddr) + addresses <= 256,
        _ => addresses >= 2 && nsa == (addresses - 1).div_ceil(4),
    };
    let admitted = addresses != 0 && data != 0 && run_fits && get(FieldId::Vdata) + data <= 256;
    admitted.then_some(nsa as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{DecodeOptions, decode_fully};

    #[test]
    fn a_plan_that_rows_share_is_each_ones_own() {
        let mut all = Plans::build();
        let mut compared = 0;
        for op in Opcode::ALL {
            for form in op.row().forms {
                let index = PLANS.at.iter().zip(Target::ALL).find_map(|(at, target)| {
                    let mine = opcode_at(target, form.encoding, form.number) == Some(*op);
                    let plans = at.iter().filter(|&&i| i != NONE);
                    let mut of = plans.filter(|&&i| {
                        let plan = &PLANS.plans[usize::from(i)];
                        plan.opcode == *op && plan.encoding == form.encoding
                    });
                    of.next().filter(|_| mine).copied()
                });
                let Some(plan) = index.map(|i| PLANS.plans[usize::from(i)]) else {
                    continue;
                };
                if !plan.narrow {
                    continue;
                }
                for (with, code) in plan.with.into_iter().zip([249, 250, 233]) {
                    let own = all.extended(op.row(), form.encoding, form.number, code);
                    let shared = (with != NONE).then(|| PLANS.plans[usize::from(with)]);
                    assert_eq!(shared, own, "{} {code}", op.name());
                    compared += 1;
                }
            }
        }
        assert!(compared > 300, "{compared}");
    }

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
        let mut by_kind = HashMap::new();
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
                    // Extension words, mostly of few bits beside whole selects.
                    let narrow = form.encoding.base_words() == 1;
                    if narrow && round % 2 == 0 {
                        let code = [249, 250, 233, 234][round / 2 % 4];
                        bits = bits & !0x1ff | code;
                        let few = next() & next() & next();
                        let second = if code == 249 { 0x0606_0600 ^ few } else { few };
                        bits = bits & 0xffff_ffff | u64::from(second) << 32;
                    }
                    let words = [bits as u32, (bits >> 32) as u32, next(), next(), next()];
                    for target in Target::ALL {
                        total += 1;
                        let full = decode_fully(DecodeOptions::default(), target, &words, 8);
                        let entry = by_kind.entry((form.encoding, full.map(|i| i.ext).ok()));
                        let (n, planned) = entry.or_insert((0, 0));
                        *n += 1;
                        for have in 0..=words.len() {
                            let words = &words[..have];
                            if let Some(found) = find(target, words) {
                                let inst = found.inst(target, 8);
                                let full = decode_fully(DecodeOptions::default(), target, words, 8);
                                assert_eq!(full, Ok(inst));
                                fast += usize::from(have == 5);
                                *planned += usize::from(have == 5);
                            }
                        }
                    }
                }
            }
        }
        // Plans must admit much of it, or they are of no use.
        assert!(fast * 4 > total, "{fast} of {total}");
        for ((encoding, ext), (n, planned)) in by_kind {
            let Some(ext) = ext else { continue };
            let none = encoding == Encoding::Scratch;
            assert!(
                planned * 2 > n || none,
                "{encoding:?} {ext:?}: {planned} of {n}"
            );
        }
    }
}
