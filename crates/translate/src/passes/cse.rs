//! A pure instruction that equals a dominating one becomes it.
//!
//! Before: any function; the dominators are its own. After: no pure instruction, and no load of what nobody
//! writes, is dominated by one of the same operation on the same arguments (arguments of commutative
//! operations in either order); no fault by one of the same address and condition: of those only the first
//! one of a wave counts. A pure instruction that gives one of its arguments, by what is constant among them, is
//! that argument. May not touch: other effects, blocks, parameters. The replaced instructions are gone.

use crate::ir::dom::Dominators;
use crate::ir::numbering::{self, Numbering};
use crate::ir::{Block, Const, Func, Inst, InstData, Kind, Op, Pure, Value};
use crate::passes::replaced::Replaced;

/// Room for the pass.
#[derive(Debug, Default)]
pub struct Room {
    known: Numbering,
    /// By instruction: where it stands, of those that are numbered.
    homes: Vec<Block>,
    /// By value.
    constants: Vec<Constant>,
    same: Replaced,
    /// Whether an instruction became one of its arguments in the last run.
    simpler: bool,
}

/// What matters of a constant here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Constant {
    /// It is none.
    Not,
    Zero,
    Ones,
    Other,
}

/// Runs the pass; gives the number of instructions removed.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    run_in(&mut Room::default(), func, doms)
}

/// As [`run`].
pub fn run_in(room: &mut Room, func: &mut Func, doms: &Dominators) -> usize {
    let values = func.value_count();
    room.known.clear();
    room.homes.clear();
    room.homes.resize(func.inst_count(), func.entry());
    room.constants.clear();
    room.constants.resize(values, Constant::Not);
    room.same.clear();
    room.simpler = false;
    let mut repeated = 0;
    for &block in doms.order() {
        let mut insts = std::mem::take(&mut func.block_mut(block).insts);
        let head = func.head_of(block);
        for &inst in &insts[..head] {
            room.note_constant(func.inst(inst));
        }
        let mut kept = head;
        for at in head..insts.len() {
            let inst = insts[at];
            // A definition that dominates has been visited, and its replacement with it.
            if !room.same.is_empty() {
                room.same.resolve_all(&mut func.inst_mut(inst).args);
            }
            let data = func.inst(inst);
            match room.equal(func, doms, block, inst, data) {
                None => {
                    insts[kept] = inst;
                    kept += 1;
                }
                Some(Equal::Value(result, value)) => room.same.insert(result, value, values),
                Some(Equal::Effect) => repeated += 1,
            }
        }
        insts.truncate(kept);
        func.block_mut(block).insts = insts;
    }
    room.same.resolve_rest(func, doms);
    room.same.len() + repeated
}

/// What an instruction equals.
enum Equal {
    /// Its result is that value.
    Value(Value, Value),
    /// It does nothing more.
    Effect,
}

impl Room {
    /// Whether the last run left values without a use, perhaps. What equals another instruction leaves its arguments
    /// to that one; what became one of its arguments, not the other ones.
    pub fn leaves_unused(&self) -> bool {
        self.simpler
    }

    fn note_constant(&mut self, data: &InstData) {
        let constant = match data.op {
            Op::ConstBool(x) => Const::Bool(x),
            Op::Const32(x) => Const::I32(x),
            Op::Const64(x) => Const::I64(x),
            _ => return,
        };
        if let Some(result) = data.result
            && let Some(place) = self.constants.get_mut(result.index())
        {
            *place = if constant.is_zero() {
                Constant::Zero
            } else if constant.is_ones() {
                Constant::Ones
            } else {
                Constant::Other
            };
        }
    }

    #[inline]
    fn constant(&self, value: Value) -> Constant {
        self.constants
            .get(value.index())
            .copied()
            .unwrap_or(Constant::Not)
    }

    /// What an instruction of a block equals; one that equals nothing is numbered.
    #[inline]
    fn equal(
        &mut self,
        func: &Func,
        doms: &Dominators,
        block: Block,
        inst: Inst,
        data: &InstData,
    ) -> Option<Equal> {
        let args = data.args.as_slice();
        let turned;
        let (key, commutes) = match (data.op, args) {
            (Op::Pure(pure), args) => {
                if let (Some(value), Some(result)) = (self.one_of(func, pure, args), data.result) {
                    self.simpler = true;
                    return Some(Equal::Value(result, value));
                }
                match *args {
                    [a, b] if pure.commutes() => {
                        turned = if a > b { [b, a] } else { [a, b] };
                        (numbering::key(&data.op, &turned), true)
                    }
                    _ => (numbering::key(&data.op, args), false),
                }
            }
            // A place in a bound buffer stays where it is used.
            (Op::PtrBound { .. }, _) => return None,
            // Whichever instruction it is of.
            (Op::Fault { .. }, args) => (numbering::key(&Op::Fault { pc: 0 }, args), false),
            (op, args) if op.is_pure() => (numbering::key(&data.op, args), false),
            _ => return None,
        };
        let homes = &self.homes;
        let found = self.known.find_or_add(key, inst, |other| {
            let known = func.inst(other);
            let same_args = known.args.as_slice() == args
                || commutes && matches!((known.args.as_slice(), args), (&[a, b], &[c, d]) if (a, b) == (d, c));
            // What was a lane's own before its arguments were found to be the wave's is no value for
            // who needs one of the wave.
            let fits = || match (known.result, data.result) {
                (Some(value), Some(result)) => !func.is_lane(value) || func.is_lane(result),
                _ => true,
            };
            let home = homes[other.index()];
            same_args
                && same_op(&known.op, &data.op)
                && fits()
                && (home == block || doms.dominates(home, block))
        });
        let Some(found) = found else {
            self.homes[inst.index()] = block;
            return None;
        };
        Some(match (data.result, func.inst(found).result) {
            (Some(result), Some(value)) => Equal::Value(result, value),
            _ => Equal::Effect,
        })
    }

    /// The argument that a pure instruction gives, where constants among them say which.
    #[inline]
    fn one_of(&self, func: &Func, op: Pure, args: &[Value]) -> Option<Value> {
        use Constant::{Not, Ones, Zero};
        match *args {
            [c, x, y] if op == Pure::Select => match (self.constant(c), x == y) {
                (Ones, _) => Some(x),
                (Not, false) => {
                    let bool = self.constant(x) == Ones
                        && self.constant(y) == Zero
                        && func.kind(x) == Kind::Bool;
                    bool.then_some(c)
                }
                (Not, true) => Some(x),
                (_, _) => Some(y),
            },
            [x, y] => {
                let (cx, cy) = (self.constant(x), self.constant(y));
                if (cx, cy) == (Not, Not) && x != y {
                    return None;
                }
                match op {
                    Pure::And if x == y || cx == Zero || cy == Ones => Some(x),
                    Pure::And if cy == Zero || cx == Ones => Some(y),
                    Pure::Or if x == y || cx == Ones || cy == Zero => Some(x),
                    Pure::Or if cy == Ones || cx == Zero => Some(y),
                    Pure::Xor | Pure::Add if cx == Zero => Some(y),
                    Pure::Xor | Pure::Add | Pure::Sub if cy == Zero => Some(x),
                    Pure::Shl | Pure::ShrU | Pure::ShrS if cy == Zero => Some(x),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Whether operations are the same; of faults it does not matter whose they are.
fn same_op(a: &Op, b: &Op) -> bool {
    match (a, b) {
        (Op::Pure(a), Op::Pure(b)) => a == b,
        (Op::Fault { .. }, Op::Fault { .. }) => true,
        (a, b) => a == b,
    }
}
