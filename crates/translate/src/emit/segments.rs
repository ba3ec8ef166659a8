//! Cuts a block into segments, for hosts where an invocation carries too many lanes to unroll them: the
//! per-lane instructions of a segment are emitted as one loop over the slots, between uniform
//! instructions that run once before it and once after it.
//!
//! A segment ends where an instruction needs what is complete only after all slots: a lane read or a
//! shuffle of a value made in the segment, a per-lane use of a ballot taken in it, or an access of memory
//! that another lane's access in the segment may touch. Knows nothing of SPIR-V.

use rustc_hash::FxHashSet;

use crate::ir::image::{ImageAccess, ImageOp};
use crate::ir::{Block, Func, Inst, Kind, MemWidth, Module, Op, Shape, Value};

/// One loop over the slots and the uniform instructions around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Uniform instructions that run before the loop.
    pub before: Vec<Inst>,
    /// Per-lane instructions and ballots of the loop.
    pub lanes: Vec<Inst>,
    /// Uniform instructions that run after it.
    pub after: Vec<Inst>,
}

impl Segment {
    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.lanes.is_empty() && self.after.is_empty()
    }
}

/// What an instruction is to a slot loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A constant, an input or a lane bit: cheap, so made anew where it is used.
    Anywhere,
    /// Once for the wave.
    Uniform,
    /// Once a slot.
    Lane,
    /// A ballot of a per-lane boolean: taken slot by slot, complete after the loop.
    Ballot,
    /// A read of a lane of a per-lane value: once for the wave, needs all slots.
    ReadLane,
    /// A shuffle of a per-lane value: once a slot, needs all slots.
    Shuffle,
}

/// The class of an instruction.
pub fn class(func: &Func, inst: Inst) -> Class {
    let data = func.inst(inst);
    let once_a_slot = || {
        let lane = data.result.is_some_and(|v| func.is_lane(v))
            || data.args.iter().any(|&arg| func.is_lane(arg));
        if lane { Class::Lane } else { Class::Uniform }
    };
    let first_is_lane = || data.args.first().is_some_and(|&x| func.is_lane(x));
    match &data.op {
        Op::Pure(_) => once_a_slot(),
        Op::LaneBit if func.is_one_lane() => Class::Uniform,
        Op::ConstBool(_) | Op::Const32(_) | Op::Const64(_) | Op::Input(_) | Op::LaneBit => {
            Class::Anywhere
        }
        Op::Ballot if first_is_lane() => Class::Ballot,
        Op::ReadLane if first_is_lane() => Class::ReadLane,
        Op::Shuffle if first_is_lane() => Class::Shuffle,
        Op::Atomic { shape, .. } | Op::LdsAtomic { shape, .. } => match shape {
            Shape::Uniform => Class::Uniform,
            Shape::Lane => Class::Lane,
        },
        Op::Image(ImageAccess {
            op: ImageOp::Atomic { shape, .. },
            ..
        }) => match shape {
            Shape::Uniform => Class::Uniform,
            Shape::Lane => Class::Lane,
        },
        Op::ScratchLoad { .. } | Op::ScratchStore { .. } if func.is_one_lane() => Class::Uniform,
        Op::ScratchLoad { .. } | Op::ScratchStore { .. } => Class::Lane,
        Op::Ballot
        | Op::ReadLane
        | Op::Shuffle
        | Op::Image(_)
        | Op::Float(..)
        | Op::Host(..)
        | Op::Call(_)
        | Op::Table(_)
        | Op::Window
        | Op::Ptr { .. }
        | Op::PtrBytes
        | Op::PtrBound { .. }
        | Op::PtrOk
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::LdsLoad { .. }
        | Op::LdsStore { .. }
        | Op::Fault { .. }
        | Op::WaveSync
        | Op::AnyWave
        | Op::InterpFirst { .. }
        | Op::Quad { .. }
        | Op::Output { .. }
        | Op::Valid => once_a_slot(),
    }
}

/// About how many host instructions an instruction is for one slot, weighed by what a host's compiler
/// makes of them. `helpers`: the weights of the module's helpers.
pub fn weight(func: &Func, inst: Inst, helpers: &[u32]) -> u32 {
    let data = func.inst(inst);
    let wide = data
        .args
        .first()
        .is_some_and(|&arg| func.kind(arg) == Kind::I64);
    match &data.op {
        Op::ConstBool(_) | Op::Const32(_) | Op::Const64(_) | Op::Input(_) => 0,
        Op::Pure(_) if wide => 4,
        Op::Pure(_) | Op::LaneBit | Op::PtrOk => 1,
        Op::Host(..) => 4,
        Op::Float(..) | Op::Ballot | Op::ReadLane => 8,
        // Hosts inline functions.
        Op::Call(helper) => helpers.get(helper.0 as usize).copied().unwrap_or(0),
        Op::Shuffle => 16,
        Op::Window | Op::Ptr { .. } | Op::PtrBytes => 60,
        Op::Table(_) => 6,
        Op::PtrBound { .. } => 0,
        Op::Load { aligned: true, .. } | Op::LdsLoad { .. } => 6,
        Op::Load { .. } => 20,
        Op::Store {
            width: MemWidth::B32 | MemWidth::B64,
            aligned: true,
            ..
        }
        | Op::LdsStore {
            width: MemWidth::B32 | MemWidth::B64,
        } => 8,
        Op::Store { .. } | Op::LdsStore { .. } => 150,
        Op::ScratchLoad { aligned, .. } => {
            if *aligned {
                6
            } else {
                14
            }
        }
        Op::ScratchStore {
            width: MemWidth::B32,
            aligned: true,
            ..
        } => 6,
        Op::ScratchStore { .. } => 24,
        // An atomic is compiled as a loop over invocations by hosts that run on a CPU.
        Op::Atomic { .. } | Op::LdsAtomic { .. } => 200,
        Op::Fault { .. } => 5,
        Op::WaveSync => 0,
        Op::AnyWave => 20,
        Op::InterpFirst { .. } | Op::Output { .. } | Op::Valid => 4,
        Op::Quad { .. } => 30,
        // Hosts that run on a CPU compile a sampler into each.
        Op::Image(_) => 100,
    }
}

/// The weights of a module's helpers, by number.
pub fn helper_weights(module: &Module) -> Vec<u32> {
    let mut weights: Vec<u32> = Vec::new();
    for helper in &module.helpers {
        let func = &helper.func;
        let insts = &func.block(func.entry()).insts;
        let other = helper
            .fallback
            .and_then(|f| weights.get(f.helper.0 as usize));
        weights.push(insts.iter().fold(other.copied().unwrap_or(0), |sum, &i| {
            sum.saturating_add(weight(func, i, &weights))
        }));
    }
    weights
}

/// What an instruction does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    None,
    Memory {
        writes: bool,
    },
    Lds {
        writes: bool,
    },
    /// Orders everything.
    Sync,
}

fn access(op: &Op) -> Access {
    match op {
        Op::Load {
            read_only: true, ..
        } => Access::None,
        Op::Load { .. } => Access::Memory { writes: false },
        Op::Store { .. } | Op::Atomic { .. } => Access::Memory { writes: true },
        Op::LdsLoad { .. } => Access::Lds { writes: false },
        Op::LdsStore { .. } | Op::LdsAtomic { .. } => Access::Lds { writes: true },
        Op::WaveSync | Op::AnyWave => Access::Sync,
        Op::Image(access) if access.op.is_pure() => Access::None,
        Op::Image(access) => Access::Memory {
            writes: access.op.writes(),
        },
        Op::ConstBool(_)
        | Op::Const32(_)
        | Op::Const64(_)
        | Op::Input(_)
        | Op::Pure(_)
        | Op::Float(..)
        | Op::Host(..)
        | Op::Call(_)
        | Op::Ballot
        | Op::LaneBit
        | Op::ReadLane
        | Op::Shuffle
        | Op::Table(_)
        | Op::Window
        | Op::Ptr { .. }
        | Op::PtrBytes
        | Op::PtrBound { .. }
        | Op::PtrOk
        | Op::ScratchLoad { .. }
        | Op::ScratchStore { .. }
        | Op::Fault { .. }
        | Op::InterpFirst { .. }
        | Op::Quad { .. }
        | Op::Output { .. }
        | Op::Valid => Access::None,
    }
}

/// Whether `later` must not overtake `earlier` in another lane.
fn conflict(func: &Func, earlier: Inst, later: Inst) -> bool {
    let (first, second) = (func.inst(earlier), func.inst(later));
    match (access(&first.op), access(&second.op)) {
        (Access::None, _) | (_, Access::None) => false,
        (Access::Sync, _) | (_, Access::Sync) => true,
        (Access::Lds { writes: a }, Access::Lds { writes: b }) => a || b,
        (Access::Memory { writes: a }, Access::Memory { writes: b }) => {
            (a || b) && !parts_of_one_store(func, earlier, later)
        }
        (Access::Lds { .. }, Access::Memory { .. })
        | (Access::Memory { .. }, Access::Lds { .. }) => false,
    }
}

/// Whether two stores are parts, in ascending order, of one wider store of a lane: then the lanes need
/// no order between the parts. Each guest instruction begins at offset 0 of its place, so a second
/// instruction on the same place does not ascend.
fn parts_of_one_store(func: &Func, earlier: Inst, later: Inst) -> bool {
    let (first, second) = (func.inst(earlier), func.inst(later));
    match (&first.op, &second.op) {
        (
            Op::Store {
                width, offset: a, ..
            },
            Op::Store { offset: b, .. },
        ) => first.args.first() == second.args.first() && a.saturating_add(width.bytes()) <= *b,
        _ => false,
    }
}

/// Calls `f` with the arguments that an instruction needs, through those made anew at the use.
pub fn needed(func: &Func, inst: Inst, f: &mut impl FnMut(Value)) {
    for &arg in &func.inst(inst).args {
        need_value(func, arg, f);
    }
}

/// The same for one value.
pub fn need_value(func: &Func, value: Value, f: &mut impl FnMut(Value)) {
    f(value);
    // A lane bit needs its mask, which is uniform and so no lane bit itself.
    if let Some(data) = func.def_inst(value)
        && data.op == Op::LaneBit
        && let Some(&mask) = data.args.first()
    {
        f(mask);
    }
}

struct Planner<'f> {
    func: &'f Func,
    done: Vec<Segment>,
    now: Segment,
    /// Per-lane values made in the loop of `now`.
    made: FxHashSet<Value>,
    /// Values complete only after the loop of `now`.
    late: FxHashSet<Value>,
}

impl Planner<'_> {
    fn cut(&mut self) {
        if !self.now.is_empty() {
            self.done.push(std::mem::take(&mut self.now));
        }
        self.made.clear();
        self.late.clear();
    }

    fn any_needed(&self, inst: Inst, set: &FxHashSet<Value>) -> bool {
        let mut found = false;
        needed(self.func, inst, &mut |value| found |= set.contains(&value));
        found
    }

    fn conflicts(&self, inst: Inst) -> bool {
        access(&self.func.inst(inst).op) != Access::None
            && self
                .now
                .lanes
                .iter()
                .chain(&self.now.after)
                .any(|&other| conflict(self.func, other, inst))
    }

    fn lane(&mut self, inst: Inst, needs_all_slots: bool) {
        let first = self.func.inst(inst).args.first();
        let incomplete = needs_all_slots && first.is_some_and(|x| self.made.contains(x));
        if incomplete || self.any_needed(inst, &self.late) || self.conflicts(inst) {
            self.cut();
        }
        self.now.lanes.push(inst);
        if let Some(result) = self.func.inst(inst).result {
            if self.func.is_lane(result) {
                self.made.insert(result);
            } else {
                self.late.insert(result);
            }
        }
    }

    fn uniform(&mut self, inst: Inst) {
        let waits = self.any_needed(inst, &self.late)
            || self.any_needed(inst, &self.made)
            || self.conflicts(inst);
        if !waits {
            self.now.before.push(inst);
            return;
        }
        self.now.after.push(inst);
        if let Some(result) = self.func.inst(inst).result {
            self.late.insert(result);
        }
    }
}

/// The segments of a block, in order.
pub fn plan(func: &Func, block: Block) -> Vec<Segment> {
    let mut planner = Planner {
        func,
        done: Vec::new(),
        now: Segment::default(),
        made: FxHashSet::default(),
        late: FxHashSet::default(),
    };
    for &inst in &func.block(block).insts {
        match class(func, inst) {
            Class::Anywhere => {}
            Class::Uniform | Class::ReadLane => planner.uniform(inst),
            Class::Lane | Class::Ballot => planner.lane(inst, false),
            Class::Shuffle => planner.lane(inst, true),
        }
    }
    planner.cut();
    planner.done
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        reason = "tests"
    )]

    use super::*;
    use crate::ir::{Builder, Input, Kind};
    use spirdna_isa::WaveSize;

    /// Segments as text: `before | lanes | after` of each, operations by a letter.
    fn shape(func: &Func) -> Vec<String> {
        let letter = |&inst: &Inst| match func.inst(inst).op {
            Op::Pure(_) => 'p',
            Op::Ballot => 'B',
            Op::ReadLane => 'R',
            Op::Shuffle => 'S',
            Op::LdsLoad { .. } => 'l',
            Op::LdsStore { .. } => 's',
            Op::Load { .. } => 'L',
            Op::Store { .. } => 'W',
            Op::Ptr { .. } => 'P',
            Op::WaveSync => 'y',
            _ => '?',
        };
        plan(func, func.entry())
            .iter()
            .map(|s| {
                let text = |list: &[Inst]| list.iter().map(letter).collect::<String>();
                format!("{}|{}|{}", text(&s.before), text(&s.lanes), text(&s.after))
            })
            .collect()
    }

    fn with(build: impl FnOnce(&mut Builder<'_>)) -> Func {
        let mut func = Func::new(WaveSize::W64);
        let mut builder = Builder::new(&mut func);
        build(&mut builder);
        builder.ret();
        func
    }

    #[test]
    fn independent_lane_work_is_one_loop() {
        let func = with(|b| {
            let lane = b.input(Input::LaneId);
            let x = b.input(Input::UserData(0));
            let u = b.add32(x, 5);
            let v = b.add(lane, u);
            let w = b.mul(u, u);
            let _ = b.xor(v, w);
        });
        assert_eq!(
            shape(&func),
            ["pp|pp|"],
            "uniform work is hoisted before the loop"
        );
    }

    #[test]
    fn a_ballot_is_complete_after_its_loop() {
        let func = with(|b| {
            let lane = b.input(Input::LaneId);
            let x = b.input(Input::UserData(0));
            let less = b.ult(lane, x);
            let mask = b.ballot(less);
            let count = b.bit_count(mask);
            let v = b.add32(lane, 7);
            let _ = b.add(v, count);
        });
        // The ballot and the independent sum share a loop, the count follows it, its use cuts.
        assert_eq!(shape(&func), ["|pBp|p", "|p|"]);
    }

    #[test]
    fn a_lane_bit_of_a_fresh_ballot_cuts() {
        let func = with(|b| {
            let lane = b.input(Input::LaneId);
            let x = b.input(Input::UserData(0));
            let less = b.ult(lane, x);
            let mask = b.ballot(less);
            let mask = b.not(mask);
            let bit = b.lane_bit(mask);
            let _ = b.bool_int(bit);
        });
        assert_eq!(shape(&func), ["|pB|p", "|p|"]);
    }

    #[test]
    fn lane_reads_and_shuffles_need_all_slots() {
        let func = with(|b| {
            let lane = b.input(Input::LaneId);
            let x = b.input(Input::UserData(0));
            let v = b.mul(lane, lane);
            let read = b.read_lane(v, x);
            let other = b.xor(lane, x);
            let shuffled = b.shuffle(v, other);
            let _ = b.add(shuffled, read);
        });
        // The read waits for the loop that makes its value, the shuffle needs another loop.
        assert_eq!(shape(&func), ["|pp|R", "|Sp|"]);
    }

    #[test]
    fn memory_order_between_lanes_is_kept() {
        let func = with(|b| {
            let lane = b.input(Input::LaneId);
            let yes = b.const_bool(true);
            let at = b.shl_by(lane, 2);
            b.lds_store(at, lane, yes, MemWidth::B32);
            b.wave_sync();
            let back = b.lds_load(at, yes, MemWidth::B32);
            let again = b.lds_load(at, yes, MemWidth::B32);
            let sum = b.add(back, again);
            b.lds_store(at, sum, yes, MemWidth::B32);
        });
        assert_eq!(shape(&func), ["|ps|y", "|llp|", "|s|"]);
    }

    #[test]
    fn parts_of_a_store_share_a_loop_and_other_stores_do_not() {
        let func = with(|b| {
            let lane = b.input(Input::LaneId);
            let yes = b.const_bool(true);
            let address = b.zext(lane);
            let place = b.ptr(address, 8);
            b.store(place, lane, yes, MemWidth::B32, 0, true);
            b.store(place, lane, yes, MemWidth::B32, 4, true);
            b.store(place, lane, yes, MemWidth::B32, 0, true);
            let seven = b.const32(7);
            let slot = b.zext(seven);
            let slot = b.ptr(slot, 4);
            let word = b.load(slot, yes, MemWidth::B32, 0, true, false);
            assert!(!b.ty(word).is_lane());
            let _ = b.zero(Kind::I32);
        });
        // The uniform load must see the stores, so it comes after the loop of the last one; its place
        // waits for none and stands before that loop.
        assert_eq!(shape(&func), ["|pPWW|", "P|W|L"]);
    }
}
