//! Ballots, lane bits, lane reads and shuffles over k slots of S invocations. Lane L is slot L / S of
//! invocation L mod S. At S = 1 no subgroup operation is used.

use spirv::{Capability, Op, Scope};

use super::code::Open;
use super::context::{Cx, Slot};
use super::error::{EmitError, Fail};
use super::module::Id;
use super::value::Val;

impl Cx<'_> {
    fn scope(&mut self) -> Id {
        self.m.const_u32(Scope::Subgroup as u32)
    }

    /// The mask bits that one slot contributes to a ballot: (low word, high word), 0 elsewhere.
    pub fn ballot_part(&mut self, b: &mut Open, cond: Id, slot: Slot) -> (Id, Id) {
        let zero = self.m.const_u32(0);
        let s = self.geo.subgroup;
        if s == 1 {
            let word = self.m.select(b, cond, slot.bit, zero);
            return self.in_half(b, word, slot);
        }
        self.m.need(Capability::GroupNonUniformBallot);
        let scope = self.scope();
        let ty = self.m.uvec(4);
        let ballot = self.m.op(b, Op::GroupNonUniformBallot, ty, &[scope, cond]);
        let low = self.m.part(b, ballot, 0);
        if s > 32 {
            return (low, self.m.part(b, ballot, 1));
        }
        if s == 32 {
            return self.in_half(b, low, slot);
        }
        let first = self.m.shl_by(b, slot.number, s.trailing_zeros());
        let first = self.m.mask(b, first, 31);
        let word = self.m.shl(b, low, first);
        self.in_half(b, word, slot)
    }

    /// Puts a word into the half of the mask that a slot lies in (S of at most 32).
    fn in_half(&mut self, b: &mut Open, word: Id, slot: Slot) -> (Id, Id) {
        let zero = self.m.const_u32(0);
        if self.geo.wave == 32 {
            return (word, zero);
        }
        let high = self.high_slot(b, slot);
        (
            self.m.select(b, high, zero, word),
            self.m.select(b, high, word, zero),
        )
    }

    /// Whether a slot lies in lanes 32 to 63 (wave64, S of at most 32).
    fn high_slot(&mut self, b: &mut Open, slot: Slot) -> Id {
        let per_half = 32 / self.geo.subgroup;
        match slot.fixed {
            Some(number) => self.m.const_bool(number >= per_half),
            None => {
                let per_half = self.m.const_u32(per_half);
                self.m.ule(b, per_half, slot.number)
            }
        }
    }

    /// A mask from its words.
    pub fn mask_value(&self, low: Id, high: Id) -> Val {
        if self.geo.wave == 32 {
            Val::One(low)
        } else {
            Val::Two(low, high)
        }
    }

    /// The ballot of a boolean whose slots are all at hand.
    pub fn ballot(&mut self, b: &mut Open, conds: &[Id]) -> Val {
        let (mut low, mut high) = (self.m.const_u32(0), self.m.const_u32(0));
        for (index, &cond) in conds.iter().enumerate() {
            let Some(&slot) = self.entry.slots.get(index) else {
                break;
            };
            let (l, h) = self.ballot_part(b, cond, slot);
            low = self.m.or(b, low, l);
            high = self.m.or(b, high, h);
        }
        self.mask_value(low, high)
    }

    /// Whether a boolean holds in any lane, its slots being at hand: the ballot is not zero.
    pub fn any_lane(&mut self, b: &mut Open, conds: &[Id]) -> Id {
        let mut any = self.m.const_bool(false);
        for (index, &cond) in conds.iter().enumerate() {
            let Some(&slot) = self.entry.slots.get(index) else {
                break;
            };
            let cond = match slot.inside {
                Some(inside) => self.m.band(b, inside, cond),
                None => cond,
            };
            any = self.m.bor(b, any, cond);
        }
        if self.geo.alone() || self.m.value(any).is_some() {
            return any;
        }
        self.m.need(Capability::GroupNonUniformVote);
        let (scope, ty) = (self.scope(), self.m.bool());
        self.m.op(b, Op::GroupNonUniformAny, ty, &[scope, any])
    }

    /// The ballot of a boolean that is the same in all lanes.
    pub fn ballot_uniform(&mut self, b: &mut Open, cond: Id) -> Val {
        let (ones, zero) = (self.m.const_u32(u32::MAX), self.m.const_u32(0));
        let word = self.m.select(b, cond, ones, zero);
        self.mask_value(word, word)
    }

    /// The bit of a slot's lane in a mask.
    pub fn lane_bit(&mut self, b: &mut Open, mask: Val, slot: Slot) -> Result<Id, Fail> {
        let word = match mask {
            Val::One(word) => word,
            Val::Two(low, high) if self.geo.subgroup > 32 => {
                let thirty_two = self.m.const_u32(32);
                let below = self.m.ult(b, slot.lane, thirty_two);
                self.m.select(b, below, low, high)
            }
            Val::Two(low, high) => {
                let upper = self.high_slot(b, slot);
                self.m.select(b, upper, high, low)
            }
        };
        let bit = self.m.and(b, word, slot.bit);
        Ok(self.m.nonzero(b, bit))
    }

    /// Slot and invocation of a lane.
    pub fn split_lane(&mut self, b: &mut Open, lane: Id) -> (Id, Id) {
        let (s, wave) = (self.geo.subgroup, self.geo.wave);
        if s >= wave {
            let (slot, invocation) = (self.m.const_u32(0), self.m.mask(b, lane, wave - 1));
            return (slot, invocation);
        }
        let lane = self.m.mask(b, lane, wave - 1);
        let slot = self.m.shr_by(b, lane, s.trailing_zeros());
        let invocation = self.m.mask(b, lane, s - 1);
        (slot, invocation)
    }

    /// What `invocation` (the same in all of them) holds in `word`.
    pub fn read_invocation(&mut self, b: &mut Open, word: Id, invocation: Id) -> Id {
        if self.geo.alone() {
            return word;
        }
        let scope = self.scope();
        let ty = self.m.u32();
        // A broadcast takes a constant in every version; a shuffle takes any invocation.
        let op = if self.m.value(invocation).is_some() {
            self.m.need(Capability::GroupNonUniformBallot);
            Op::GroupNonUniformBroadcast
        } else {
            self.m.need(Capability::GroupNonUniformShuffle);
            Op::GroupNonUniformShuffle
        };
        self.m.op(b, op, ty, &[scope, word, invocation])
    }

    /// What each invocation's own `invocation` holds in `word`.
    pub fn shuffle_invocation(&mut self, b: &mut Open, word: Id, invocation: Id) -> Id {
        if self.geo.alone() {
            return word;
        }
        self.m.need(Capability::GroupNonUniformShuffle);
        let scope = self.scope();
        let ty = self.m.u32();
        self.m.op(
            b,
            Op::GroupNonUniformShuffle,
            ty,
            &[scope, word, invocation],
        )
    }

    /// The word of slot `number` (below k) among all of them.
    fn pick(&mut self, b: &mut Open, words: &[Id], number: Id) -> Result<Id, Fail> {
        if let Some(number) = self.m.value(number) {
            return words
                .get(number as usize)
                .copied()
                .ok_or_else(|| EmitError::Malformed("a slot past the last").into());
        }
        let mut words = words.iter().enumerate();
        let Some((_, &first)) = words.next() else {
            return Err(EmitError::Malformed("a value without slots").into());
        };
        let mut found = first;
        for (i, &word) in words {
            let i = self.m.const_u32(i as u32);
            let here = self.m.eq(b, number, i);
            found = self.m.select(b, here, word, found);
        }
        Ok(found)
    }

    /// What a uniform lane holds, all slots being at hand.
    pub fn read_lane(&mut self, b: &mut Open, words: &[Id], lane: Id) -> Result<Id, Fail> {
        let (slot, invocation) = self.split_lane(b, lane);
        let word = self.pick(b, words, slot)?;
        Ok(self.read_invocation(b, word, invocation))
    }

    /// What a slot's own choice of lane holds: `sources` are the slots that it may lie in, by number and
    /// word. `stays`: it lies in the same invocation.
    pub fn shuffle(
        &mut self,
        b: &mut Open,
        sources: &[(Id, Id)],
        stays: bool,
        lane: Id,
    ) -> Result<Id, Fail> {
        let (slot, invocation) = self.split_lane(b, lane);
        let mut found = None;
        for &(number, word) in sources {
            let word = if stays {
                word
            } else {
                self.shuffle_invocation(b, word, invocation)
            };
            found = Some(match found {
                None => word,
                Some(other) => {
                    let here = self.m.eq(b, slot, number);
                    self.m.select(b, here, word, other)
                }
            });
        }
        found.ok_or_else(|| EmitError::Malformed("a value without slots").into())
    }

    /// Entry `number` of a table with a small number for each slot; `None` where the table is too large
    /// to compute it.
    pub fn slot_table(&mut self, b: &mut Open, table: &[u32], number: Id) -> Option<Id> {
        let m = &mut self.m;
        let first = *table.first()?;
        if table.iter().all(|&entry| entry == first) {
            return Some(m.const_u32(first));
        }
        if (0..).zip(table).all(|(i, &entry)| entry == i ^ first) {
            let first = m.const_u32(first);
            return Some(m.xor(b, number, first));
        }
        if table.len() > 16 {
            return None;
        }
        // Four bits an entry.
        let pack = |entries: &[u32]| {
            (0..)
                .zip(entries)
                .map(|(i, &entry)| (entry & 15) << (4 * i))
                .sum()
        };
        let low: u32 = pack(&table[..table.len().min(8)]);
        let mut word = m.const_u32(low);
        let mut within = number;
        if table.len() > 8 {
            let high: u32 = pack(&table[8..]);
            let (high, eight) = (m.const_u32(high), m.const_u32(8));
            let below = m.ult(b, number, eight);
            word = m.select(b, below, word, high);
            within = m.mask(b, number, 7);
        }
        let shift = m.shl_by(b, within, 2);
        let entry = m.shr(b, word, shift);
        Some(m.mask(b, entry, 15))
    }
}
