//! What the addresses of LDS accesses have of the lane: whether the lanes of a wave keep to shares of their own.
//!
//! A fact of the function as it is, nothing is changed. An address is taken apart into multiples of thread and
//! lane ids and a rest, modulo 2^n; of the rest its range and its low bits are followed through sums, shifts,
//! masks, choices, parameters, and what branches and the guard say of it. Where the rest stays within one
//! stride of the ids, at every time, no two lanes of a wave ever touch the same byte. Conservative: what it
//! does not know is no share.

use std::cell::OnceCell;

use smallvec::SmallVec;

use crate::ir::dom::Dominators;
use crate::ir::feeds::Feeds;
use crate::ir::{Block, Const, Def, Func, Input, MemWidth, Op, Pure, Terminator, Value};

/// Threads of a workgroup by axis, and lanes of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Threads by axis.
    pub local: [u32; 3],
    /// Lanes of a wave.
    pub lanes: u32,
    /// Groups at the end of the grid may have fewer threads along any axis; theirs stand side by side too.
    pub partial: bool,
}

impl Group {
    /// Threads along x that every group has beside each other, if rows of x are all the same.
    fn row(self) -> Option<u32> {
        let [x, y, z] = self.local;
        (!self.partial || (y <= 1 && z <= 1)).then_some(x)
    }
}

/// A lane's share: `span` bytes from `first` and the multiples of the lane's ids on, modulo 2^`modulus`. The ids'
/// multiples of two lanes of a wave are different multiples of 2^`stride` modulo 2^`modulus`, and `span` is
/// at most 2^`stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    ids: Ids,
    first: u32,
    span: u32,
    stride: u8,
    modulus: u8,
    /// Binary logarithm of the lanes of a wave.
    lanes: u8,
}

impl Share {
    /// A share that has both.
    pub fn joined(self, other: Share) -> Option<Share> {
        if self.ids != other.ids {
            return None;
        }
        let most = self.modulus.min(other.modulus);
        (self.stride + self.lanes..=most).rev().find_map(|modulus| {
            // How far behind the one the other begins, also before it.
            let unused = 32 - u32::from(modulus);
            let apart = (other.first.wrapping_sub(self.first) << unused) as i32 >> unused;
            let (apart, span) = (i64::from(apart), i64::from(self.span));
            let (start, end) = (apart.min(0), span.max(apart + i64::from(other.span)));
            (end - start <= 1 << self.stride).then(|| Share {
                first: self.first.wrapping_add(start as u32) & low_mask(modulus.into()),
                span: (end - start) as u32,
                modulus,
                ..self
            })
        })
    }
}

/// What an access does not leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// What each lane keeps to.
    pub share: Option<Share>,
    /// The first and the last byte that any lane touches.
    pub extent: (u32, u32),
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds {
        share: None,
        extent: (0, u32::MAX),
    };

    /// The share that both keep to, if there is one.
    pub fn share_with(self, other: Bounds) -> Option<Share> {
        match (self.share, other.share) {
            (Some(a), Some(b)) => a.joined(b),
            _ => None,
        }
    }

    /// Of both.
    pub fn joined(self, other: Bounds) -> Bounds {
        Bounds {
            share: self.share_with(other),
            extent: (
                self.extent.0.min(other.extent.0),
                self.extent.1.max(other.extent.1),
            ),
        }
    }

    /// Whether no byte can be of both.
    pub fn is_apart(self, other: Bounds) -> bool {
        self.extent.1 < other.extent.0 || other.extent.1 < self.extent.0
    }
}

/// Multiples of the thread ids by axis, and of the lane id.
type Ids = [u32; 4];

/// A value: `ids` and a rest, modulo 2^`modulus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    ids: Ids,
    modulus: u32,
    /// Least and greatest rest.
    least: u32,
    greatest: u32,
    /// The rest is `low` modulo 2^`bits`.
    bits: u32,
    low: u32,
}

/// The lowest n bits.
fn low_mask(n: u32) -> u32 {
    1u32.checked_shl(n).unwrap_or(0).wrapping_sub(1)
}

impl Form {
    const UNKNOWN: Form = Form {
        ids: [0; 4],
        modulus: 32,
        least: 0,
        greatest: u32::MAX,
        bits: 0,
        low: 0,
    };

    const fn exactly(x: u32) -> Form {
        Form {
            least: x,
            greatest: x,
            bits: 32,
            low: x,
            ..Form::UNKNOWN
        }
    }

    const fn id(number: usize) -> Form {
        let mut form = Form::exactly(0);
        form.ids[number] = 1;
        form
    }

    /// Whether it says something of the value itself.
    fn is_rest(&self) -> bool {
        self.ids == [0; 4] && self.modulus == 32
    }

    /// The greatest value, where that does not wrap; `greatest`: of the ids.
    fn last(&self, greatest: Ids) -> Option<u32> {
        if self.modulus != 32 {
            return None;
        }
        let mut last = self.greatest;
        for (times, id) in self.ids.into_iter().zip(greatest) {
            last = last.checked_add(times.checked_mul(id)?)?;
        }
        Some(last)
    }

    fn within(mut self, least: u32, greatest: u32) -> Form {
        if self.is_rest() {
            (self.least, self.greatest) = (self.least.max(least), self.greatest.min(greatest));
        }
        self
    }

    fn sum(self, other: Form) -> Form {
        let mut ids = self.ids;
        for (id, more) in ids.iter_mut().zip(other.ids) {
            *id = id.wrapping_add(more);
        }
        let range = self.greatest.checked_add(other.greatest);
        let bits = self.bits.min(other.bits);
        Form {
            ids,
            modulus: self.modulus.min(other.modulus),
            // Not above the greatest, so that it does not wrap where that does not.
            least: range.map_or(0, |_| self.least.wrapping_add(other.least)),
            greatest: range.unwrap_or(u32::MAX),
            bits,
            low: self.low.wrapping_add(other.low) & low_mask(bits),
        }
    }

    fn times(self, x: u32) -> Form {
        if x == 0 {
            return Form::exactly(0);
        }
        let zeros = x.trailing_zeros();
        let range = self.greatest.checked_mul(x);
        let bits = (self.bits + zeros).min(32);
        Form {
            ids: self.ids.map(|id| id.wrapping_mul(x)),
            modulus: (self.modulus + zeros).min(32),
            least: range.map_or(0, |_| self.least.wrapping_mul(x)),
            greatest: range.unwrap_or(u32::MAX),
            bits,
            low: self.low.wrapping_mul(x) & low_mask(bits),
        }
    }

    fn masked(self, mask: u32) -> Form {
        if mask == u32::MAX {
            return self;
        }
        if self.is_rest() {
            // A bit is known where it was, or where the mask has none.
            let unknown = mask & !low_mask(self.bits);
            let bits = unknown.trailing_zeros();
            return Form {
                least: 0,
                greatest: self.greatest.min(mask),
                bits,
                low: self.low & mask & low_mask(bits),
                ..Form::UNKNOWN
            };
        }
        let ones = mask.trailing_ones();
        if low_mask(ones) == mask {
            return Form {
                modulus: self.modulus.min(ones),
                ..self
            };
        }
        Form::UNKNOWN
    }

    fn shifted_down(self, n: u32) -> Form {
        if !self.is_rest() {
            return Form::UNKNOWN;
        }
        Form {
            least: self.least >> n,
            greatest: self.greatest >> n,
            bits: self.bits.saturating_sub(n),
            low: self.low >> n,
            ..Form::UNKNOWN
        }
    }

    /// Low bits that are zero.
    fn zeros(&self) -> u32 {
        let of_ids = self.ids.iter().map(|id| id.trailing_zeros());
        let of_rest = self.low.trailing_zeros().min(self.bits);
        of_ids.min().unwrap_or(32).min(of_rest).min(self.modulus)
    }

    /// Bits of one and bits of the other, if no bit can be of both.
    fn beside(self, other: Form) -> Form {
        let fits = |low: Form, high: Form| low.is_rest() && low.greatest <= low_mask(high.zeros());
        if fits(self, other) || fits(other, self) {
            return self.sum(other);
        }
        Form::UNKNOWN
    }

    fn either(self, other: Form) -> Form {
        if self.ids != other.ids {
            return Form::UNKNOWN;
        }
        let same = (self.low ^ other.low).trailing_zeros();
        let bits = self.bits.min(other.bits).min(same);
        Form {
            ids: self.ids,
            modulus: self.modulus.min(other.modulus),
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            bits,
            low: self.low & low_mask(bits),
        }
    }
}

/// Values that are looked at for an address at most.
const FUEL: u32 = 400;

/// Blocks above an access whose branches are looked at.
const ABOVE: u32 = 12;

/// Rounds of a loop's parameter until nothing more is learnt of it, or nothing is said.
const ROUNDS: u32 = 4;

/// A condition that holds for one lane of a wave at most, and that the guard asks for.
pub fn lane_of(func: &Func, group: Group, guard: Value) -> Option<Value> {
    let mut found = None;
    leaves(func, guard, true, 6, &mut |value, truth| {
        let inst = func.def_inst(value);
        if let Some((Op::Pure(Pure::Eq), &[x, y])) = inst.map(|i| (i.op, i.args.as_slice()))
            && truth
            && [(x, y), (y, x)].iter().any(|&(id, constant)| {
                func.as_const(constant).is_some() && tells_lanes(func, group, id)
            })
        {
            found.get_or_insert(value);
        }
    });
    found
}

/// Whether a value is another one in each lane of a wave.
fn tells_lanes(func: &Func, group: Group, id: Value) -> bool {
    match func.def_inst(id).map(|inst| inst.op) {
        Some(Op::Input(Input::LaneId)) => true,
        Some(Op::Input(Input::LocalId(0))) => {
            let [_, y, z] = group.local;
            let whole = |x: u32| x > 0 && x.is_multiple_of(group.lanes);
            (y == 1 && z == 1) || group.row().is_some_and(whole)
        }
        _ => false,
    }
}

/// What is known of a function's addresses.
pub struct Shares<'a> {
    func: &'a Func,
    doms: &'a Dominators,
    group: Group,
    /// Asked for where an address is made of parameters.
    feeds: OnceCell<Feeds>,
}

/// What is known where an access stands: the greatest that values can be there. They are few.
#[derive(Debug, Default)]
struct Facts(SmallVec<[(Value, u32); 8]>);

impl Facts {
    fn add(&mut self, value: Value, greatest: u32) {
        match self.0.iter_mut().find(|(of, _)| *of == value) {
            Some((_, known)) => *known = greatest.min(*known),
            None => self.0.push((value, greatest)),
        }
    }

    fn greatest(&self, value: Value) -> Option<u32> {
        let found = self.0.iter().find(|(of, _)| *of == value);
        found.map(|&(_, greatest)| greatest)
    }
}

/// A walk up the makings of one address.
struct Walk<'a> {
    shares: &'a Shares<'a>,
    facts: Facts,
    /// Parameters that are being looked at, with what is taken of them: nothing before the first round.
    open: Vec<(Value, Option<Form>)>,
    fuel: u32,
}

impl<'a> Shares<'a> {
    /// Of a function.
    pub fn new(func: &'a Func, doms: &'a Dominators, group: Group) -> Shares<'a> {
        Shares {
            func,
            doms,
            group,
            feeds: OnceCell::new(),
        }
    }

    /// What an access in `block` keeps to.
    pub fn of(&self, block: Block, address: Value, guard: Value, width: MemWidth) -> Bounds {
        let mut walk = Walk {
            shares: self,
            facts: self.facts(block, guard),
            open: Vec::new(),
            fuel: FUEL,
        };
        let form = walk.form(address, true).unwrap_or(Form::UNKNOWN);
        let greatest = walk.greatest_ids();
        let mut extent = (0, u32::MAX);
        if let Some(last) = form.last(greatest)
            && let Some(last) = last.checked_add(width.bytes() - 1)
        {
            extent = (form.least, last);
        }
        if let Some(last) = walk.facts.greatest(address) {
            extent.1 = extent.1.min(last.saturating_add(width.bytes() - 1));
        }
        Bounds {
            share: self.share(form, width),
            extent,
        }
    }

    fn share(&self, form: Form, width: MemWidth) -> Option<Share> {
        let ids = self.canonical(form.ids)?;
        let step = if ids[3] != 0 { ids[3] } else { ids[0] };
        if !step.is_power_of_two() {
            return None;
        }
        let stride = step.trailing_zeros();
        let lanes = self.group.lanes.trailing_zeros();
        // Either the rest's low bits say where in which share it is, or its range.
        let (first, more, modulus) = if form.bits >= stride + lanes {
            (form.low, 0, form.bits)
        } else {
            (form.least, form.greatest.checked_sub(form.least)?, 32)
        };
        let span = more
            .checked_add(width.bytes())
            .filter(|&span| span <= step)?;
        let modulus = modulus.min(form.modulus);
        (modulus >= stride + lanes).then(|| Share {
            ids,
            first: first & low_mask(modulus),
            span,
            stride: stride as u8,
            modulus: modulus as u8,
            lanes: lanes as u8,
        })
    }

    /// The ids without those of axes that have one thread, if they count up with the lanes of a wave.
    fn canonical(&self, mut ids: Ids) -> Option<Ids> {
        let [_, y, z] = self.group.local;
        if y <= 1 {
            ids[1] = 0;
        }
        if z <= 1 {
            ids[2] = 0;
        }
        if ids[3] != 0 {
            return (ids[..3] == [0; 3]).then_some(ids);
        }
        let x = self.group.row()?;
        let along = ids[0].wrapping_mul(x);
        let next = along.wrapping_mul(y);
        let flat = (y <= 1 || ids[1] == along) && (z <= 1 || ids[2] == next);
        // Rows of whole waves: the other ids are the wave's.
        let rows = x > 0 && x.is_multiple_of(self.group.lanes);
        (flat || rows).then_some(ids)
    }

    /// What branches before a block, and the guard, say of values.
    fn facts(&self, block: Block, guard: Value) -> Facts {
        let mut facts = Facts::default();
        let mut at = block;
        for _ in 0..ABOVE {
            if let Some(before) = self.only(at)
                && let Some(Terminator::Branch { cond, then, .. }) = &self.func.block(before).term
            {
                self.note(*cond, then.block == at, &mut facts);
            }
            match self.doms.idom(at) {
                Some(up) if up != at => at = up,
                _ => break,
            }
        }
        self.note(guard, true, &mut facts);
        facts
    }

    /// The only block that goes to one, once.
    fn only(&self, block: Block) -> Option<Block> {
        let mut from = self.doms.ways_in(block);
        from.next().filter(|_| from.len() == 0)
    }

    fn note(&self, cond: Value, truth: bool, facts: &mut Facts) {
        leaves(self.func, cond, truth, 6, &mut |value, truth| {
            let Some(inst) = self.func.def_inst(value) else {
                return;
            };
            let (Op::Pure(op), &[x, y]) = (inst.op, inst.args.as_slice()) else {
                return;
            };
            let word = |v: Value| match self.func.as_const(v) {
                Some(Const::I32(x)) => Some(x),
                _ => None,
            };
            let greatest = match (op, truth, word(x), word(y)) {
                (Pure::ULt, true, None, Some(c)) => c.checked_sub(1).map(|c| (x, c)),
                (Pure::ULe, true, None, Some(c)) | (Pure::Eq, true, None, Some(c)) => Some((x, c)),
                (Pure::ULe, false, Some(c), None) => c.checked_sub(1).map(|c| (y, c)),
                (Pure::ULt, false, Some(c), None) | (Pure::Eq, true, Some(c), None) => Some((y, c)),
                _ => None,
            };
            if let Some((value, greatest)) = greatest {
                facts.add(value, greatest);
            }
        });
    }
}

/// The conditions that hold, or do not, where `cond` is `truth`.
fn leaves(func: &Func, cond: Value, truth: bool, depth: u32, each: &mut dyn FnMut(Value, bool)) {
    each(cond, truth);
    let Some(inst) = func.def_inst(cond).filter(|_| depth > 0) else {
        return;
    };
    match (inst.op, inst.args.as_slice(), truth) {
        (Op::Pure(Pure::Not), &[x], _) => leaves(func, x, !truth, depth - 1, each),
        (Op::Pure(Pure::And), &[x, y], true) | (Op::Pure(Pure::Or), &[x, y], false) => {
            leaves(func, x, truth, depth - 1, each);
            leaves(func, y, truth, depth - 1, each);
        }
        // The lane's own bit.
        (Op::LaneBit, &[mask], true) => bits(func, mask, depth - 1, each),
        _ => {}
    }
}

/// The conditions of lanes whose bit of a mask is set.
fn bits(func: &Func, mask: Value, depth: u32, each: &mut dyn FnMut(Value, bool)) {
    let Some(inst) = func.def_inst(mask).filter(|_| depth > 0) else {
        return;
    };
    match (inst.op, inst.args.as_slice()) {
        (Op::Ballot, &[x]) => leaves(func, x, true, depth - 1, each),
        (Op::Pure(Pure::And), &[x, y]) => {
            bits(func, x, depth - 1, each);
            bits(func, y, depth - 1, each);
        }
        _ => {}
    }
}

impl Walk<'_> {
    /// The greatest ids of threads that do the access: those that a workgroup has, and what is known where it stands.
    fn greatest_ids(&mut self) -> Ids {
        let Group {
            local,
            lanes,
            partial,
        } = self.shares.group;
        let threads: u64 = local.iter().map(|&n| u64::from(n)).product();
        // Lanes past the last thread have ids past the end.
        let full = threads.is_multiple_of(lanes.into()) && !partial;
        let of = |n: u32| if full && n > 0 { n - 1 } else { u32::MAX };
        let mut ids = [of(local[0]), of(local[1]), of(local[2]), lanes - 1];
        for at in 0..self.facts.0.len() {
            let (value, last) = self.facts.0[at];
            let Some(form) = self
                .form(value, true)
                .filter(|form| form.last(ids).is_some())
            else {
                continue;
            };
            let mut set = (0..4).filter(|&i| form.ids[i] != 0);
            if let (Some(axis), None, Some(most)) =
                (set.next(), set.next(), last.checked_sub(form.least))
            {
                ids[axis] = ids[axis].min(most / form.ids[axis]);
            }
        }
        ids
    }

    /// `None`: nothing flows there yet. `here`: the value is what it is where the access stands, not what it was.
    fn form(&mut self, value: Value, here: bool) -> Option<Form> {
        let func = self.shares.func;
        if let Some(Const::I32(x)) = func.as_const(value) {
            return Some(Form::exactly(x));
        }
        let Some(left) = self.fuel.checked_sub(1) else {
            return Some(Form::UNKNOWN);
        };
        self.fuel = left;
        let form = match func.def(value) {
            Def::Param(block, index) => self.param(value, block, index as usize)?,
            Def::Inst(inst) => {
                let data = func.inst(inst);
                self.made(data.op, &data.args, here)?
            }
        };
        match self.facts.greatest(value) {
            Some(greatest) if here => Some(form.within(0, greatest)),
            _ => Some(form),
        }
    }

    fn made(&mut self, op: Op, args: &[Value], here: bool) -> Option<Form> {
        let func = self.shares.func;
        let word = |v: Value| match func.as_const(v) {
            Some(Const::I32(x)) => Some(x),
            _ => None,
        };
        let form = match (op, args) {
            (Op::Input(Input::LocalId(axis)), _) => match usize::from(axis) {
                axis @ 0..3 => Form::id(axis),
                _ => Form::UNKNOWN,
            },
            (Op::Input(Input::LaneId), _) => Form::id(3),
            (Op::Pure(Pure::Add), &[x, y]) => self.form(x, here)?.sum(self.form(y, here)?),
            (Op::Pure(Pure::Mul), &[x, y]) => match (word(x), word(y)) {
                (_, Some(c)) => self.form(x, here)?.times(c),
                (Some(c), _) => self.form(y, here)?.times(c),
                _ => Form::UNKNOWN,
            },
            (Op::Pure(Pure::Shl), &[x, n]) => match word(n) {
                Some(n) => self.form(x, here)?.times(1 << (n % 32)),
                None => Form::UNKNOWN,
            },
            (Op::Pure(Pure::ShrU), &[x, n]) => match word(n) {
                Some(n) => self.form(x, here)?.shifted_down(n % 32),
                None => Form::UNKNOWN,
            },
            (Op::Pure(Pure::And), &[x, y]) => match (word(x), word(y)) {
                (_, Some(mask)) => self.form(x, here)?.masked(mask),
                (Some(mask), _) => self.form(y, here)?.masked(mask),
                _ => Form::UNKNOWN,
            },
            (Op::Pure(Pure::Or | Pure::Xor), &[x, y]) => {
                self.form(x, here)?.beside(self.form(y, here)?)
            }
            (Op::Pure(Pure::Select), &[_, x, y]) => {
                // Of one of them that is not reached yet, the other is all.
                match (self.form(x, here), self.form(y, here)) {
                    (Some(x), Some(y)) => x.either(y),
                    (x, y) => x.or(y)?,
                }
            }
            (Op::Pure(Pure::BoolInt), _) => Form::UNKNOWN.within(0, 1),
            (Op::Pure(Pure::BitsU), &[_, _, n]) => match word(n) {
                Some(n) => Form::UNKNOWN.within(0, low_mask(n)),
                None => Form::UNKNOWN,
            },
            _ => Form::UNKNOWN,
        };
        Some(form)
    }

    fn param(&mut self, value: Value, block: Block, index: usize) -> Option<Form> {
        if let Some(&(_, taken)) = self.open.iter().find(|(open, _)| *open == value) {
            return taken;
        }
        let place = self.open.len();
        self.open.push((value, None));
        let mut known = None;
        for round in 0..=ROUNDS {
            let mut joined: Option<Form> = None;
            let shares = self.shares;
            let feeds = || Feeds::new(shares.func, shares.doms.order());
            for &arg in shares.feeds.get_or_init(feeds).of(block, index) {
                // What was known of values here says nothing of what they were then.
                let Some(form) = self.form(arg, false) else {
                    continue;
                };
                joined = Some(joined.map_or(form, |joined| joined.either(form)));
            }
            let next = match (known, joined) {
                (None, joined) => joined,
                (Some(known), Some(joined)) => Some(joined.either(known)),
                (known, None) => known,
            };
            if next == known {
                break;
            }
            known = next.map(|form| match round {
                // A range that grows once may grow for ever.
                0 => form,
                ROUNDS => Form::UNKNOWN,
                _ => Form {
                    least: 0,
                    greatest: u32::MAX,
                    ..form
                },
            });
            self.open[place].1 = known;
        }
        self.open.truncate(place);
        known
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]
mod tests {
    use spirdna_isa::WaveSize;

    use super::*;
    use crate::ir::random::Rng;
    use crate::ir::{Builder, Kind, Target, Ty};

    const GROUP: Group = Group {
        local: [64, 1, 1],
        lanes: 32,
        partial: false,
    };

    /// The shares of addresses that `make` builds, in a block where the condition holds that it gives too.
    fn shares(
        group: Group,
        make: impl Fn(&mut Builder<'_>) -> (Vec<Value>, Option<Value>),
    ) -> Vec<Option<Share>> {
        let mut func = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut func);
        let (addresses, cond) = make(&mut b);
        let here = b.new_block();
        match cond {
            Some(cond) => {
                let other = b.new_block();
                b.branch(cond, Target::new(here, vec![]), Target::new(other, vec![]));
                b.switch_to(other);
                b.ret();
            }
            None => b.jump(here, vec![]),
        }
        b.switch_to(here);
        let yes = b.const_bool(true);
        b.ret();
        let doms = Dominators::new(&func);
        let shares = Shares::new(&func, &doms, group);
        addresses
            .into_iter()
            .map(|address| shares.of(here, address, yes, MemWidth::B32).share)
            .collect()
    }

    #[test]
    fn a_words_place_by_lane_is_a_share_and_another_array_is_the_same() {
        let found = shares(GROUP, |b| {
            let (id, any) = (b.input(Input::LocalId(0)), b.input(Input::UserData(0)));
            let word = b.shl_by(id, 2);
            let later = b.add32(word, 256);
            let row = b.shl_by(any, 8);
            let at_row = b.add(word, row);
            let aside = b.add32(word, 16);
            let half = b.shl_by(id, 1);
            (vec![word, later, at_row, aside, half, any], None)
        });
        let [word, later, row, aside] = [0, 1, 2, 3].map(|i: usize| found[i].unwrap());
        assert!(word.joined(later).is_some());
        assert!(later.joined(row).is_some());
        // Four lanes further on: another lane's word.
        assert!(word.joined(aside).is_none());
        assert!(aside.joined(aside).is_some());
        assert!(row.joined(aside).is_none());
        assert_eq!(found[4], None);
        assert_eq!(found[5], None);
    }

    #[test]
    fn a_row_by_lane_is_a_share_where_the_column_is_known_to_be_in_it() {
        let row = |limit: Option<u32>| {
            shares(GROUP, |b| {
                let (id, column) = (b.input(Input::LocalId(0)), b.input(Input::UserData(0)));
                let row = b.shl_by(id, 8);
                let at = b.shl_by(column, 2);
                let address = b.add(row, at);
                let cond = limit.map(|limit| {
                    let limit = b.const32(limit);
                    b.ult(column, limit)
                });
                (vec![address], cond)
            })[0]
        };
        assert!(row(Some(64)).is_some());
        assert!(row(Some(65)).is_none());
        assert!(row(None).is_none());
    }

    #[test]
    fn a_counter_of_a_loop_is_followed() {
        let stepping = |by: u32| {
            let mut func = Func::new(WaveSize::W32);
            let mut b = Builder::new(&mut func);
            let (id, again) = (b.input(Input::LocalId(0)), b.input(Input::UserData(0)));
            let (body, end) = (b.new_block(), b.new_block());
            let k = b.param(body, Ty::lane(Kind::I32));
            b.jump(body, vec![id]);
            b.switch_to(body);
            let (yes, next) = (b.const_bool(true), b.add32(k, by));
            let address = b.shl_by(k, 2);
            let again = b.eq32(again, 0);
            b.branch(
                again,
                Target::new(body, vec![next]),
                Target::new(end, vec![]),
            );
            b.switch_to(end);
            b.ret();
            let doms = Dominators::new(&func);
            Shares::new(&func, &doms, GROUP)
                .of(body, address, yes, MemWidth::B32)
                .share
        };
        assert!(stepping(64).is_some());
        assert!(stepping(32).is_some());
        assert!(stepping(31).is_none());
        assert!(stepping(16).is_none());
    }

    #[test]
    fn ids_of_two_axes_count_up_where_rows_join_or_are_whole_waves() {
        let tile = |local: [u32; 3], pitch: u32| tile_of(Group { local, ..GROUP }, pitch);
        assert!(tile([8, 8, 1], 8).is_some());
        assert!(tile([8, 8, 1], 9).is_none());
        assert!(tile([32, 4, 1], 33).is_some());
        assert!(tile([64, 1, 1], 5).is_some());
        assert!(tile([48, 2, 1], 64).is_none());
    }

    #[test]
    fn rows_of_partial_groups_are_shorter() {
        let partial = |local: [u32; 3], pitch: u32| {
            let group = Group {
                local,
                partial: true,
                ..GROUP
            };
            tile_of(group, pitch)
        };
        assert!(partial([8, 8, 1], 8).is_none());
        assert!(partial([32, 4, 1], 32).is_none());
        assert!(partial([64, 1, 1], 64).is_some());
    }

    /// What word y * pitch + x is to the threads of a group.
    fn tile_of(group: Group, pitch: u32) -> Option<Share> {
        shares(group, |b| {
            let (x, y) = (b.input(Input::LocalId(0)), b.input(Input::LocalId(1)));
            let pitch = b.const32(pitch);
            let row = b.mul(y, pitch);
            let at = b.add(row, x);
            (vec![b.shl_by(at, 2)], None)
        })[0]
    }

    #[test]
    fn what_a_branch_says_of_a_thread_bounds_what_it_touches() {
        let mut func = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut func);
        let (id, mask) = (b.input(Input::LocalId(0)), b.input(Input::UserData(0)));
        let (here, other) = (b.new_block(), b.new_block());
        // Of pairs of words, those of threads whose second one is below word 64.
        let twice = b.shl_by(id, 1);
        let second = b.add32(twice, 1);
        let limit = b.const32(64);
        let low = b.ult(second, limit);
        let ballot = b.ballot(low);
        let some = b.and(ballot, mask);
        let none = b.eq32(some, 0);
        let address = b.shl_by(id, 3);
        let next = b.add32(address, 4);
        b.branch(none, Target::new(other, vec![]), Target::new(here, vec![]));
        b.switch_to(here);
        let (guard, yes) = (b.lane_bit(some), b.const_bool(true));
        b.ret();
        b.switch_to(other);
        b.ret();
        let doms = Dominators::new(&func);
        let shares = Shares::new(&func, &doms, GROUP);
        let extent = |address, guard| shares.of(here, address, guard, MemWidth::B32).extent;
        assert_eq!(extent(address, guard), (0, 8 * 31 + 3));
        assert_eq!(extent(next, guard), (4, 8 * 31 + 7));
        assert_eq!(extent(next, yes), (4, 8 * 63 + 7));
        assert_eq!(extent(mask, guard), (0, u32::MAX));
    }

    /// The value that an address has for a thread, by words of its own.
    fn value(func: &Func, v: Value, id: [u32; 2], data: &[u32; 3]) -> u32 {
        let inst = func.def_inst(v).unwrap();
        let of = |i: usize| value(func, inst.args[i], id, data);
        match inst.op {
            Op::Const32(x) => x,
            Op::Input(Input::LocalId(axis)) => id[usize::from(axis)],
            Op::Input(Input::UserData(n)) => data[n as usize],
            Op::Pure(Pure::Add) => of(0).wrapping_add(of(1)),
            Op::Pure(Pure::Mul) => of(0).wrapping_mul(of(1)),
            Op::Pure(Pure::Shl) => of(0) << (of(1) % 32),
            Op::Pure(Pure::ShrU) => of(0) >> (of(1) % 32),
            Op::Pure(Pure::And) => of(0) & of(1),
            Op::Pure(Pure::Or) => of(0) | of(1),
            Op::Pure(Pure::Xor) => of(0) ^ of(1),
            op => panic!("{op:?}"),
        }
    }

    #[test]
    fn random_addresses_that_are_in_one_share_never_meet() {
        let mut joined = 0;
        for seed in 0..3000 {
            let mut rng = Rng::new(seed);
            let local = [[64, 1, 1], [32, 2, 1], [16, 4, 1], [8, 8, 1]][rng.below(4)];
            let mut func = Func::new(WaveSize::W32);
            let mut b = Builder::new(&mut func);
            let mut pool: Vec<Value> = vec![b.input(Input::LocalId(0)), b.input(Input::LocalId(1))];
            pool.extend((0..3).map(|n| b.input(Input::UserData(n))));
            for _ in 0..4 + rng.below(8) {
                let x = pool[rng.below(pool.len())];
                let y = pool[rng.below(pool.len())];
                let n = [1, 2, 3, 5, 8][rng.below(5)];
                let made = match rng.below(9) {
                    0..3 => b.add(x, y),
                    3 => b.shl_by(x, n),
                    4 => b.shr_by(x, n),
                    5 => b.and32(x, [0xff, 0x3f, 0x100, 0xfff0, 7][rng.below(5)]),
                    6 => {
                        let c = b.const32([8, 16, 3, 32, 33][rng.below(5)]);
                        b.mul(x, c)
                    }
                    7 => b.or(x, y),
                    _ => b.add32(x, [4, 16, 256, 1024, u32::MAX][rng.below(5)]),
                };
                pool.push(made);
            }
            let words: Vec<Value> = pool.iter().map(|&v| b.shl_by(v, 2)).collect();
            let yes = b.const_bool(true);
            b.ret();
            let doms = Dominators::new(&func);
            let group = Group { local, ..GROUP };
            let shares = Shares::new(&func, &doms, group);
            let entry = func.entry();
            let of = |&v: &Value| Some((v, shares.of(entry, v, yes, MemWidth::B32).share?));
            let found: Vec<(Value, Share)> = words.iter().filter_map(of).collect();
            let ids = |n: u32| [n % local[0], n / local[0]];
            for &v in &words {
                let (first, last) = shares.of(entry, v, yes, MemWidth::B32).extent;
                for _ in 0..20 {
                    let data = [0; 3].map(|_| (rng.edge() as u32) >> rng.below(32));
                    let at = value(&func, v, ids(rng.below(64) as u32), &data);
                    // Four bytes of a multiple of four.
                    assert!(
                        first <= at && at | 3 <= last,
                        "seed {seed}: {v} is {at:#x}, not in {first:#x} to {last:#x}"
                    );
                }
            }
            for (i, &(v, share)) in found.iter().enumerate() {
                for &(other, others) in &found[i..] {
                    if share.joined(others).is_none() {
                        continue;
                    }
                    joined += 1;
                    for _ in 0..20 {
                        // Two lanes of one wave, each at a time of its own: only their thread ids hold on.
                        let wave = 32 * rng.below(2) as u32;
                        let lanes = [0, 1].map(|_| wave + rng.below(32) as u32);
                        let mut data = || [0; 3].map(|_| (rng.edge() as u32) >> rng.below(32));
                        let (then, later) = (data(), data());
                        let a = value(&func, v, ids(lanes[0]), &then);
                        let b = value(&func, other, ids(lanes[1]), &later);
                        assert!(
                            lanes[0] == lanes[1] || a != b,
                            "seed {seed}: {v} and {other} of {lanes:?} are {a:#x}"
                        );
                    }
                }
            }
        }
        assert!(joined > 1000, "{joined}");
    }
}
