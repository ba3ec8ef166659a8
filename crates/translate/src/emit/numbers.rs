//! Numbers of pure instructions: an instruction that was made before with the same arguments, where it
//! dominates, is not made again. Dominance is that of structured flow: what stands before a construct
//! dominates all of it and what follows, what stands in it only itself. Knows nothing of the IR.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::Op;

use super::module::Id;

/// What a result is noted under that is not numbered by its own words.
pub type Key = SmallVec<[u32; 8]>;

/// An instruction of the body: where its words begin, and the part that it stands in.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    at: u32,
    /// Below `Numbers::base`: of an earlier body, so the place is free.
    part: u32,
}

/// Places of a table at first.
const FIRST: usize = 128;

/// What was made in the parts of a body that dominate the place under emission. Open addressing over the
/// body's own words; one table serves one body after another.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// A power of two of them, or none.
    slots: Vec<Slot>,
    /// Those that may be taken yet: half of them stay free.
    free: usize,
    /// The part that is the whole body. Parts are counted on from body to body.
    base: u32,
    /// Numbers of the parts that are open, ascending, without the whole body.
    open: Vec<u32>,
    parts: u32,
    /// The part that the place under emission stands in.
    part: u32,
    noted: FxHashMap<Key, (Id, u32)>,
}

impl Numbers {
    /// Begins a body: nothing is known.
    pub fn begin(&mut self) {
        if self.parts > u32::MAX / 2 {
            self.slots.clear();
            self.parts = 0;
        }
        self.parts += 1;
        self.base = self.parts;
        self.part = self.base;
        self.free = self.slots.len() / 2;
        self.open.clear();
        self.noted.clear();
    }

    /// Begins a part.
    pub fn enter(&mut self) {
        self.parts += 1;
        self.open.push(self.parts);
        self.part = self.parts;
    }

    /// Ends the part begun last.
    pub fn leave(&mut self) {
        self.open.pop();
        self.part = self.open.last().copied().unwrap_or(self.base);
    }

    /// Whether a part dominates the place under emission.
    #[inline]
    fn is_open(&self, part: u32) -> bool {
        part == self.part || part == self.base || self.open.binary_search(&part).is_ok()
    }

    /// The result of an instruction of a body's words that dominates, and is the same but for the result. Without
    /// one, this one is remembered, which is the next to be written.
    #[inline]
    pub fn find_or_add(&mut self, words: &[u32], inst: &Inst<'_>, hash: Hash) -> Option<u32> {
        if self.free == 0 {
            self.grow();
        }
        let hash = hash.end();
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            // The mask keeps it inside; there is always a free place.
            let slot = self.slots[place];
            if slot.part < self.base {
                self.free -= 1;
                break;
            }
            if slot.hash == hash
                && let Some(result) = inst.at(words, slot.at as usize)
            {
                if self.is_open(slot.part) {
                    return Some(result);
                }
                break;
            }
            place = (place + 1) & mask;
        }
        self.slots[place] = Slot {
            hash,
            at: words.len() as u32,
            part: self.part,
        };
        None
    }

    #[cold]
    fn grow(&mut self) {
        let len = (self.slots.len() * 2).max(FIRST);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); len]);
        self.free = len / 2;
        let mask = len - 1;
        for slot in old.into_iter().filter(|slot| slot.part >= self.base) {
            let mut place = slot.hash as usize & mask;
            while self.slots[place].part != 0 {
                place = (place + 1) & mask;
            }
            self.slots[place] = slot;
            self.free = self.free.saturating_sub(1);
        }
    }

    /// What was noted under a key where it dominates.
    pub fn noted(&self, key: &Key) -> Option<Id> {
        let &(id, part) = self.noted.get(key)?;
        self.is_open(part).then_some(id)
    }

    /// Notes a result under a key.
    pub fn note(&mut self, key: Key, id: Id) {
        self.noted.insert(key, (id, self.part));
    }
}

/// An instruction but for its result.
#[derive(Clone, Copy, Debug)]
pub struct Inst<'i> {
    /// Its first word.
    pub first: u32,
    /// Its type.
    pub ty: u32,
    /// Its operands.
    pub args: &'i [Id],
}

impl Inst<'_> {
    /// The result of this instruction, if it is what stands at a place.
    #[inline]
    fn at(&self, words: &[u32], place: usize) -> Option<u32> {
        let [first, ty, result, args @ ..] = words.get(place..)? else {
            return None;
        };
        let args = args.get(..self.args.len())?;
        let mut both = self.args.iter().zip(args);
        let same = *first == self.first && *ty == self.ty && both.all(|(x, y)| x.word() == *y);
        same.then_some(*result)
    }
}

/// The hash of an instruction but for its result, by pairs of words.
#[derive(Clone, Copy, Debug)]
pub struct Hash(u64);

impl Hash {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;

    /// Of an instruction.
    #[inline]
    pub fn of(inst: &Inst<'_>) -> Hash {
        let mut hash = Hash(0);
        hash.add(inst.ty, inst.first);
        match *inst.args {
            [x] => hash.add(x.word(), 0),
            [x, y] => hash.add(x.word(), y.word()),
            _ => {
                for args in inst.args.chunks(2) {
                    let next = args.get(1).map_or(0, |arg| arg.word());
                    hash.add(args.first().map_or(0, |arg| arg.word()), next);
                }
            }
        }
        hash
    }

    /// With two words more.
    #[inline]
    fn add(&mut self, word: u32, next: u32) {
        let both = u64::from(word) | u64::from(next) << 32;
        self.0 = (self.0.rotate_left(5) ^ both).wrapping_mul(Self::FACTOR);
    }

    #[inline]
    fn end(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// Operations whose result depends on their arguments alone, and that do nothing else.
pub const PURE: &[Op] = &[
    Op::AccessChain,
    Op::Bitcast,
    Op::BitCount,
    Op::BitFieldSExtract,
    Op::BitFieldUExtract,
    Op::BitReverse,
    Op::BitwiseAnd,
    Op::BitwiseOr,
    Op::BitwiseXor,
    Op::CompositeConstruct,
    Op::CompositeExtract,
    Op::ConvertFToS,
    Op::ConvertFToU,
    Op::ConvertSToF,
    Op::ConvertUToF,
    Op::DPdxFine,
    Op::DPdyFine,
    Op::ExtInst,
    Op::FAdd,
    Op::FConvert,
    Op::FDiv,
    Op::FMul,
    Op::FNegate,
    Op::FOrdEqual,
    Op::FOrdLessThan,
    Op::FOrdLessThanEqual,
    Op::FSub,
    Op::IAdd,
    Op::IAddCarry,
    Op::IEqual,
    Op::IMul,
    Op::ImageQueryLevels,
    Op::ImageQuerySamples,
    Op::ImageQuerySize,
    Op::ImageQuerySizeLod,
    Op::INotEqual,
    Op::ISub,
    Op::ISubBorrow,
    Op::LogicalAnd,
    Op::LogicalNot,
    Op::LogicalNotEqual,
    Op::LogicalOr,
    Op::Not,
    Op::SConvert,
    Op::SLessThan,
    Op::SLessThanEqual,
    Op::SMulExtended,
    Op::Select,
    Op::ShiftLeftLogical,
    Op::ShiftRightArithmetic,
    Op::ShiftRightLogical,
    Op::UConvert,
    Op::UDiv,
    Op::ULessThan,
    Op::ULessThanEqual,
    Op::UMod,
    Op::UMulExtended,
];
