//! 64-bit divisions that a compiler made of 32-bit operations become divisions again.
//!
//! A restoring division of n by d subtracts d << k where that is not more than what is left of n, for k from the
//! top down to 0; the quotient has bit k where it did. Compilers for hardware without a 64-bit divider write all
//! its steps one behind the other: first, where d < 2^32 and the high word of n is not less than d, 32 steps that
//! divide the high word, then 32 steps on both words.
//!
//! Before: any function, for a host that has 64-bit integers. After: quotient and remainder of such a division are
//! those of `UDiv` and `URem` of I64s, and what made them has no use left. May not touch: anything else, the flow.
//!
//! Why it is exact: step k keeps or subtracts by `d << k <= n`, with a guard that says that d << k does not lose
//! bits (where it would, d * 2^k is more than any n, so that "no" is right). So the steps from m - 1 to 0 leave the
//! quotient min(n / d, 2^m - 1) in whole numbers, and n minus that times d. With the first division done wherever
//! d < 2^32 and d <= the high word (`need`), what is left of the high word is less than d, or d is 0 or at least
//! 2^32: the second division's quotient is the low word of n / d, its remainder n % d, and the first one's quotient
//! the high word of n / d (0 where `need` is false). Where d is 0, all steps subtract 0: quotients of ones and the
//! remainder n, as `UDiv` and `URem` have it.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::ir::{Block, Builder, Const, Def, Func, Kind, Op, Pure, Target, Terminator, Value};

/// Instructions of 32 steps at least: comparison, difference, selects.
const SHORTEST: usize = 32 * 5;

/// The conditions of a division's steps, from step 0 on.
type Steps = SmallVec<[Value; 32]>;

/// What is divided by: words whose values are known to be equal count as one.
#[derive(Clone, Copy, Debug)]
enum Divisor {
    Known(u64),
    /// Low and high word.
    Words(Value, Value),
}

/// A division of a function.
#[derive(Debug)]
struct Division {
    /// Where its last steps are.
    block: Block,
    /// The dividend.
    low: Value,
    high: Value,
    divisor: Divisor,
    /// What is left of it, where something asks for it.
    rest_low: Option<Value>,
    rest_high: Option<Value>,
    /// The low word of the quotient, where something asks for it.
    quotient: Option<Value>,
    /// Values that are its high word.
    quotient_high: SmallVec<[Value; 2]>,
}

impl Division {
    /// The values that it is made of.
    fn operands(&self) -> SmallVec<[Value; 4]> {
        let mut of = SmallVec::from_slice(&[self.low, self.high]);
        if let Divisor::Words(low, high) = self.divisor {
            of.extend([low, high]);
        }
        of
    }
}

/// Runs the pass; gives how many divisions it has found.
pub fn run(func: &mut Func) -> usize {
    let mut found = Vec::new();
    for block in func.blocks() {
        if func.block(block).insts.len() < SHORTEST {
            continue;
        }
        // The last step comes last.
        for &inst in func.block(block).insts.iter().rev() {
            let data = func.inst(inst);
            if data.op == Op::Pure(Pure::ULe)
                && let &[divisor, left] = data.args.as_slice()
                && func.kind(left) == Kind::I64
                && pure(func, left).is_some_and(|(op, _)| op == Pure::Pack)
                && let Some(compare) = data.result
                && let Some(division) = division(func, block, compare, divisor)
            {
                found.push(division);
            }
        }
    }
    // What one is made of stays: a parameter may be that and a quotient's high word.
    let operands: FxHashSet<Value> = found.iter().flat_map(Division::operands).collect();
    for division in &mut found {
        division.quotient_high.retain(|v| !operands.contains(v));
    }
    let mut same: Vec<(Value, Value)> = Vec::new();
    for division in &found {
        replace(func, division, &mut same);
    }
    if !same.is_empty() {
        same.sort_unstable();
        func.map_uses(|value| match same.binary_search_by_key(&value, |s| s.0) {
            Ok(at) => same.get(at).map_or(value, |s| s.1),
            Err(_) => value,
        });
    }
    found.len()
}

/// The operation and arguments of a pure instruction.
fn pure(func: &Func, value: Value) -> Option<(Pure, &[Value])> {
    let data = func.def_inst(value)?;
    match data.op {
        Op::Pure(op) => Some((op, data.args.as_slice())),
        _ => None,
    }
}

/// The two arguments of such an operation.
fn pair_of(func: &Func, value: Value, want: Pure) -> Option<(Value, Value)> {
    match pure(func, value)? {
        (op, &[x, y]) if op == want => Some((x, y)),
        _ => None,
    }
}

/// Condition and choices of a select.
fn select(func: &Func, value: Value) -> Option<(Value, Value, Value)> {
    match pure(func, value)? {
        (Pure::Select, &[cond, x, y]) => Some((cond, x, y)),
        _ => None,
    }
}

fn word(func: &Func, value: Value) -> Option<u32> {
    match func.as_const(value)? {
        Const::I32(x) => Some(x),
        _ => None,
    }
}

/// Whether a value is `x - k`.
fn less(func: &Func, value: Value, x: Value, k: u32) -> bool {
    if k == 0 {
        return value == x;
    }
    match pure(func, value) {
        Some((Pure::Add, &[y, c])) => y == x && word(func, c) == Some(k.wrapping_neg()),
        Some((Pure::Sub, &[y, c])) => y == x && word(func, c) == Some(k),
        _ => false,
    }
}

/// Whether a value is the number of the highest one of `of`, -1 where there is none; also by the count of zeros from
/// above, which says -1 for none too.
fn is_highest_one(func: &Func, value: Value, of: Value) -> bool {
    let direct = |v| matches!(pure(func, v), Some((Pure::FindUMsb, &[x])) if x == of);
    if direct(value) {
        return true;
    }
    // count > 31 ? count : 31 - count, all unsigned, with count = (top == -1 ? -1 : 31 - top).
    let check = || -> Option<bool> {
        let (over, count, other) = select(func, value)?;
        let (limit, compared) = pair_of(func, over, Pure::ULt)?;
        let (from, taken) = pair_of(func, other, Pure::Sub)?;
        let (none, ones, zeros) = select(func, count)?;
        let (top, absent) = pair_of(func, none, Pure::Eq)?;
        let (from_top, taken_top) = pair_of(func, zeros, Pure::Sub)?;
        Some(
            word(func, limit)? == 31
                && compared == count
                && word(func, from)? == 31
                && taken == count
                && word(func, ones)? == u32::MAX
                && word(func, absent)? == u32::MAX
                && word(func, from_top)? == 31
                && taken_top == top
                && direct(top),
        )
    };
    check().unwrap_or(false)
}

/// The comparison in a step's condition: where it has to be guarded, the guard says that the highest one of `top`
/// is at most `31 - k`.
fn compared(func: &Func, cond: Value, k: u32, top: Option<Value>) -> Option<Value> {
    let top = match top {
        Some(top) if k > 0 => top,
        _ => return Some(cond),
    };
    let (x, y) = pair_of(func, cond, Pure::And)?;
    [(x, y), (y, x)].into_iter().find_map(|(guard, compare)| {
        let (highest, most) = pair_of(func, guard, Pure::SLe)?;
        (word(func, most)? == 31 - k && is_highest_one(func, highest, top)).then_some(compare)
    })
}

/// Whether a value is `x << k` of a word.
fn is_shifted(func: &Func, value: Value, x: Value, k: u32) -> bool {
    if k == 0 {
        return value == x;
    }
    pair_of(func, value, Pure::Shl).is_some_and(|(y, n)| y == x && word(func, n) == Some(k))
}

/// The steps of a division of one word by one, back from what they leave: what they began with, and their
/// conditions.
fn steps_of_words(func: &Func, left: Value, divisor: Divisor) -> Option<(Value, Steps)> {
    let mut steps = Steps::new();
    let mut value = left;
    for k in 0..32 {
        let (shifted, top) = match divisor {
            Divisor::Known(d) => {
                let shifted = d << k;
                if shifted > u64::from(u32::MAX) {
                    break;
                }
                (shifted as u32, None)
            }
            Divisor::Words(low, _) => (0, Some(low)),
        };
        let (cond, less_by, before) = select(func, value)?;
        let compare = compared(func, cond, k, top)?;
        let (amount, with) = pair_of(func, compare, Pure::ULe)?;
        let right = match divisor {
            Divisor::Known(_) => {
                word(func, amount) == Some(shifted) && less(func, less_by, before, shifted)
            }
            Divisor::Words(low, _) => {
                is_shifted(func, amount, low, k)
                    && pair_of(func, less_by, Pure::Sub) == Some((before, amount))
            }
        };
        if !right || with != before {
            return None;
        }
        steps.push(cond);
        value = before;
    }
    Some((value, steps))
}

/// Whether a value is that word of an I64.
fn is_half(func: &Func, value: Value, of: Value, half: Pure) -> bool {
    match pure(func, of) {
        Some((Pure::Pack, &[low, high])) => value == if half == Pure::Lo { low } else { high },
        _ => matches!(pure(func, value), Some((op, &[x])) if op == half && x == of),
    }
}

/// Whether `less_by` is `left - amount` of I64s as words.
fn is_less_by(
    func: &Func,
    less_by: (Value, Value),
    left: (Value, Value),
    amount: Value,
    known: Option<u64>,
) -> bool {
    if let Some(known) = known {
        let (low, high) = (known as u32, (known >> 32) as u32);
        if low == 0 {
            return less_by.0 == left.0 && less(func, less_by.1, left.1, high);
        }
        if !less(func, less_by.0, left.0, low) {
            return false;
        }
        // left.1 + !high + carry, where the carry is that of left.0 + -low.
        let carried = || -> Option<bool> {
            let (x, y) = pair_of(func, less_by.1, Pure::Add)?;
            Some([(x, y), (y, x)].into_iter().any(|(sum, carry)| {
                let is_carry = || -> Option<bool> {
                    let (Pure::BoolInt, &[carry]) = pure(func, carry)? else {
                        return None;
                    };
                    let (x, y) = pair_of(func, carry, Pure::ULt)?;
                    Some(x == less_by.0 && word(func, y)? == low.wrapping_neg())
                };
                less(func, sum, left.1, high.wrapping_add(1)) && is_carry() == Some(true)
            }))
        };
        // left.1 - high - borrow.
        let borrowed = || -> Option<bool> {
            let (rest, borrow) = pair_of(func, less_by.1, Pure::Sub)?;
            let (Pure::BoolInt, &[borrow]) = pure(func, borrow)? else {
                return None;
            };
            let (x, y) = pair_of(func, borrow, Pure::ULt)?;
            Some(less(func, rest, left.1, high) && x == left.0 && word(func, y)? == low)
        };
        return carried() == Some(true) || borrowed() == Some(true);
    }
    let borrowed = || -> Option<bool> {
        let (x, low) = pair_of(func, less_by.0, Pure::Sub)?;
        let (rest, borrow) = pair_of(func, less_by.1, Pure::Sub)?;
        let (y, high) = pair_of(func, rest, Pure::Sub)?;
        let (Pure::BoolInt, &[borrow]) = pure(func, borrow)? else {
            return None;
        };
        Some(
            x == left.0
                && y == left.1
                && is_half(func, low, amount, Pure::Lo)
                && is_half(func, high, amount, Pure::Hi)
                && pair_of(func, borrow, Pure::ULt) == Some((left.0, low)),
        )
    };
    borrowed() == Some(true)
}

/// The steps from 1 on of a division of two words, back from what they leave: what they began with, and their
/// conditions.
fn steps_of_pairs(
    func: &Func,
    left: (Value, Value),
    divisor: Divisor,
    whole: Value,
) -> Option<((Value, Value), Steps)> {
    let mut steps = Steps::new();
    let (mut low, mut high) = left;
    for k in 1..32 {
        let (known, top) = match divisor {
            Divisor::Known(d) => match d.checked_mul(1 << k) {
                Some(shifted) => (Some(shifted), None),
                None => break,
            },
            Divisor::Words(_, top) => (None, (word(func, top) != Some(0)).then_some(top)),
        };
        let (cond, less_high, before_high) = select(func, high)?;
        let (less_low, before_low) = match select(func, low) {
            Some((also, x, y)) if also == cond => (x, y),
            _ => (low, low),
        };
        let compare = compared(func, cond, k, top)?;
        let (amount, with) = pair_of(func, compare, Pure::ULe)?;
        let right = match known {
            Some(shifted) => func.as_const(amount) == Some(Const::I64(shifted)),
            None => is_shifted(func, amount, whole, k),
        };
        let before = (before_low, before_high);
        if !right
            || pair_of(func, with, Pure::Pack) != Some(before)
            || !is_less_by(func, (less_low, less_high), before, amount, known)
        {
            return None;
        }
        steps.push(cond);
        (low, high) = before;
    }
    Some(((low, high), steps))
}

/// Whether a value is the quotient of such steps.
fn is_quotient(func: &Func, mut value: Value, steps: &[Value]) -> bool {
    // Where there is but one, its bit is the quotient.
    if let (&[step], Some((Pure::BoolInt, &[cond]))) = (steps, pure(func, value)) {
        return cond == step;
    }
    for (k, &step) in steps.iter().enumerate() {
        let Some((cond, with, without)) = select(func, value) else {
            return false;
        };
        let bit = 1_u32 << k;
        let right = if k + 1 == steps.len() {
            word(func, with) == Some(bit) && word(func, without) == Some(0)
        } else {
            pair_of(func, with, Pure::Or)
                .is_some_and(|(x, y)| x == without && word(func, y) == Some(bit))
        };
        if cond != step || !right {
            return false;
        }
        value = without;
    }
    !steps.is_empty()
}

/// A block that is come to from a branch, or from a block of its own behind it.
#[derive(Clone, Copy, Debug)]
struct Join<'f> {
    block: Block,
    /// Where this holds, through the block of its own.
    cond: Value,
    /// From there.
    done: &'f Target,
    /// From the branch.
    skipped: &'f Target,
}

impl<'f> Join<'f> {
    /// What is known of how a block is come to.
    fn of(func: &'f Func, block: Block) -> Option<Join<'f>> {
        let mut from: SmallVec<[Block; 4]> = SmallVec::new();
        for other in func.blocks() {
            let term = func.block(other).term.as_ref()?;
            from.extend(term.ways().filter(|t| t.block == block).map(|_| other));
        }
        let &[x, y] = from.as_slice() else {
            return None;
        };
        [(x, y), (y, x)].into_iter().find_map(|(branch, own)| {
            let Some(Terminator::Branch { cond, then, els }) = &func.block(branch).term else {
                return None;
            };
            let Some(Terminator::Jump(done)) = &func.block(own).term else {
                return None;
            };
            let ways_in = |to: Block| {
                let terms = func.blocks().filter_map(|b| func.block(b).term.as_ref());
                terms
                    .flat_map(Terminator::ways)
                    .filter(|t| t.block == to)
                    .count()
            };
            (then.block == own && els.block == block && ways_in(own) == 1).then_some(Join {
                block,
                cond: *cond,
                done,
                skipped: els,
            })
        })
    }

    /// Whether a Bool says that it was come to from the branch.
    fn says_skipped(&self, func: &Func, value: Value) -> bool {
        match pure(func, value) {
            Some((Pure::Not, &[x])) => x == self.cond,
            Some((Pure::ULt, &[x, y])) => pair_of(func, self.cond, Pure::ULe) == Some((y, x)),
            Some((Pure::ULe, &[x, y])) => pair_of(func, self.cond, Pure::ULt) == Some((y, x)),
            _ => false,
        }
    }

    /// What a value is where it was come to by one way and the other, if that is all that it is.
    fn ways(&self, func: &Func, value: Value) -> Option<(Value, Value)> {
        if let Def::Param(block, at) = func.def(value)
            && block == self.block
        {
            let at = at as usize;
            return Some((*self.done.args.get(at)?, *self.skipped.args.get(at)?));
        }
        let (cond, x, y) = select(func, value)?;
        let (done, skipped) = if self.says_skipped(func, cond) {
            (y, x)
        } else if cond == self.cond {
            (x, y)
        } else {
            return None;
        };
        let own = |v| match func.def(v) {
            Def::Param(block, at) if block == self.block => Some(at as usize),
            _ => None,
        };
        let done = own(done).map_or(Some(done), |at| self.done.args.get(at).copied())?;
        let skipped =
            own(skipped).map_or(Some(skipped), |at| self.skipped.args.get(at).copied())?;
        Some((done, skipped))
    }
}

/// Whether a Bool says that the divisor is less than 2^32 and not more than that word.
fn needs(func: &Func, cond: Value, word_of: Value, divisor: Divisor) -> bool {
    match divisor {
        Divisor::Known(d) => pair_of(func, cond, Pure::ULe)
            .is_some_and(|(x, y)| y == word_of && word(func, x).map(u64::from) == Some(d)),
        Divisor::Words(low, high) => {
            let compares = |v| pair_of(func, v, Pure::ULe) == Some((low, word_of));
            if word(func, high) == Some(0) {
                return compares(cond);
            }
            let is_short = |v| {
                pair_of(func, v, Pure::Eq)
                    .is_some_and(|(x, y)| x == high && word(func, y) == Some(0))
            };
            pair_of(func, cond, Pure::And)
                .is_some_and(|(x, y)| (is_short(x) && compares(y)) || (is_short(y) && compares(x)))
        }
    }
}

/// The division of which a comparison with the divisor itself is the last step.
fn division(func: &Func, block: Block, compare: Value, whole: Value) -> Option<Division> {
    let divisor = match func.as_const(whole) {
        // A longer one leaves out steps of the first division, and compilers have no such.
        Some(Const::I64(d)) if (1..=u64::from(u32::MAX)).contains(&d) => Divisor::Known(d),
        Some(_) => return None,
        None => {
            let (low, high) = pair_of(func, whole, Pure::Pack)?;
            Divisor::Words(low, high)
        }
    };
    let (_, left) = pair_of(func, compare, Pure::ULe)?;
    let left = pair_of(func, left, Pure::Pack)?;
    let ((low, reduced), mut steps) = steps_of_pairs(func, left, divisor, whole)?;
    steps.insert(0, compare);
    let join = Join::of(func, block)?;
    let (done, high) = join.ways(func, reduced)?;
    let (began, high_steps) = steps_of_words(func, done, divisor)?;
    if began != high || !needs(func, join.cond, high, divisor) {
        return None;
    }
    let insts = &func.block(block).insts;
    let results = || insts.iter().filter_map(|&inst| func.inst(inst).result);
    let by = |value: Value| select(func, value).filter(|s| s.0 == compare);
    let known = match divisor {
        Divisor::Known(d) => Some(d),
        Divisor::Words(..) => None,
    };
    let rest_low = results().find_map(|value| {
        let (_, less_low, before) = by(value)?;
        let right = before == left.0
            && match divisor {
                Divisor::Known(d) => less(func, less_low, before, d as u32),
                Divisor::Words(low, _) => pair_of(func, less_low, Pure::Sub) == Some((before, low)),
            };
        right.then_some((value, less_low))
    });
    let rest_high = results().find(|&value| {
        by(value).is_some_and(|(_, less_high, before)| {
            let less_by = rest_low.map(|(_, less_low)| (less_low, less_high));
            before == left.1 && less_by.is_some_and(|l| is_less_by(func, l, left, whole, known))
        })
    });
    let quotient = results().find(|&value| is_quotient(func, value, &steps));
    let is_high = |&value: &Value| {
        join.ways(func, value).is_some_and(|(done, skipped)| {
            word(func, skipped) == Some(0) && is_quotient(func, done, &high_steps)
        })
    };
    let params = func.block(block).params.iter().copied();
    let quotient_high: SmallVec<[Value; 2]> = params.chain(results()).filter(is_high).collect();
    if quotient.is_none() && rest_low.is_none() && quotient_high.is_empty() {
        return None;
    }
    Some(Division {
        block,
        low,
        high,
        divisor,
        rest_low: rest_low.map(|(value, _)| value),
        rest_high,
        quotient,
        quotient_high,
    })
}

/// Makes a division of 64 bits, and says what it is the same as.
fn replace(func: &mut Func, division: &Division, same: &mut Vec<(Value, Value)>) {
    let block = division.block;
    let place = |func: &Func, value: Value| {
        let insts = &func.block(block).insts;
        match func.def(value) {
            Def::Inst(inst) => insts.iter().position(|&i| i == inst),
            Def::Param(..) => None,
        }
    };
    let of = division.operands();
    // Behind what it is made of, and behind the constants of the entry block.
    let made = of.iter().filter_map(|&v| place(func, v)).max();
    let mut at = made.map_or(0, |at| at + 1);
    at = at.max(func.head_of(block));
    let highs = division.quotient_high.iter().copied();
    let highs: SmallVec<[Value; 2]> = highs
        .filter(|&v| place(func, v).map_or(at == 0, |place| place >= at))
        .collect();
    let behind = func.block_mut(block).insts.split_off(at);
    let mut b = Builder::at(func, block);
    let dividend = b.pack(division.low, division.high);
    let divisor = match division.divisor {
        Divisor::Known(d) => b.const64(d),
        Divisor::Words(low, high) => b.pack(low, high),
    };
    // The high word of a quotient does not depend on the low word of the dividend, and may be uniform where that is not.
    let mut is = |b: &Builder<'_>, old: Value, new: Value| {
        if b.ty(old).is_lane() || !b.ty(new).is_lane() {
            same.push((old, new));
        }
    };
    if division.quotient.is_some() || !highs.is_empty() {
        let quotient = b.udiv(dividend, divisor);
        if let Some(low) = division.quotient {
            let new = b.lo(quotient);
            is(&b, low, new);
        }
        for &high in &highs {
            let new = b.hi(quotient);
            is(&b, high, new);
        }
    }
    if division.rest_low.is_some() || division.rest_high.is_some() {
        let rest = b.urem(dividend, divisor);
        if let Some(low) = division.rest_low {
            let new = b.lo(rest);
            is(&b, low, new);
        }
        if let Some(high) = division.rest_high {
            let new = b.hi(rest);
            is(&b, high, new);
        }
    }
    func.block_mut(block).insts.extend(behind);
}

#[cfg(test)]
mod tests;
