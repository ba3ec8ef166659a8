//! Shuffles whose choice of lane is known when the module is emitted (DPP, swizzles, `permlane`): which
//! slots a slot takes words from. Most patterns take from one or two, so that few host shuffles do, where
//! an unknown choice needs one from every slot. Knows nothing of SPIR-V.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ir::fold::fold;
use crate::ir::{Const, Func, Input, Op, Pure, Value};

/// How deep the expression of a lane number may be.
const DEPTH: u32 = 24;

/// The slots that each slot takes words from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// By destination slot: distinct source slots, ascending.
    pub sources: Vec<Vec<u32>>,
    /// Every word comes from the same invocation that gets it.
    pub stays: bool,
}

impl Pattern {
    /// The pattern of a choice of lanes (one a lane, taken modulo the wave size) over slots of S.
    pub fn new(lanes: &[u32], subgroup: u32) -> Pattern {
        let wave = lanes.len() as u32;
        let mut stays = true;
        let mut sources = Vec::new();
        for (slot, chosen) in lanes.chunks(subgroup as usize).enumerate() {
            let mut from: Vec<u32> = Vec::new();
            for (invocation, &lane) in chosen.iter().enumerate() {
                let lane = lane % wave;
                stays &= (lane % subgroup) as usize == invocation;
                from.push(lane / subgroup);
            }
            from.sort_unstable();
            from.dedup();
            debug_assert!(slot < wave as usize);
            sources.push(from);
        }
        Pattern { sources, stays }
    }

    /// The most slots that one takes from.
    pub fn width(&self) -> usize {
        self.sources.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Source number `index` of each slot; a slot with fewer repeats its first.
    pub fn column(&self, index: usize) -> Vec<u32> {
        let of = |from: &Vec<u32>| from.get(index).or(from.first()).copied().unwrap_or(0);
        self.sources.iter().map(of).collect()
    }
}

/// A value that is known in every lane.
#[derive(Clone, Debug)]
enum Lanes {
    /// The same in all.
    All(Const),
    /// One a lane.
    Each(Rc<[Const]>),
}

impl Lanes {
    fn get(&self, lane: usize) -> Option<Const> {
        match self {
            Lanes::All(constant) => Some(*constant),
            Lanes::Each(lanes) => lanes.get(lane).copied(),
        }
    }
}

/// Values known in every lane.
#[derive(Clone, Debug, Default)]
pub struct Known {
    found: FxHashMap<Value, Option<Lanes>>,
}

impl Known {
    /// The words of a value in every lane, if they do not depend on run-time data.
    pub fn words(&mut self, func: &Func, value: Value) -> Option<Vec<u32>> {
        let lanes = self.lanes(func, value, DEPTH)?;
        (0..func.wave().lanes() as usize)
            .map(|lane| match lanes.get(lane)? {
                Const::I32(x) => Some(x),
                Const::Bool(_) | Const::I64(_) => None,
            })
            .collect()
    }

    /// Whether a lane number is known to be another than the lane's own in one of the first lanes, as far as a
    /// short look shows it.
    pub fn moves(&self, func: &Func, value: Value) -> bool {
        (0..4).any(|lane| {
            let mut looks = 32;
            let word = one(func, value, lane, &mut looks);
            matches!(word, Some(Const::I32(x)) if x % func.wave().lanes() != lane)
        })
    }

    fn lanes(&mut self, func: &Func, value: Value, depth: u32) -> Option<Lanes> {
        if let Some(constant) = func.as_const(value) {
            return Some(Lanes::All(constant));
        }
        if let Some(found) = self.found.get(&value) {
            return found.clone();
        }
        let found = self.compute(func, value, depth.checked_sub(1)?);
        self.found.insert(value, found.clone());
        found
    }

    fn compute(&mut self, func: &Func, value: Value, depth: u32) -> Option<Lanes> {
        let wave = func.wave().lanes();
        let data = func.def_inst(value)?;
        match data.op {
            Op::Input(Input::LaneId) => Some(Lanes::Each((0..wave).map(Const::I32).collect())),
            Op::LaneBit => {
                let mask = self.lanes(func, *data.args.first()?, depth)?;
                let bit = |lane: u32| {
                    let mask = mask.get(lane as usize)?;
                    Some(Const::Bool(mask.bits() >> lane & 1 == 1))
                };
                Some(Lanes::Each((0..wave).map(bit).collect::<Option<_>>()?))
            }
            Op::Pure(op) => self.pure(func, op, &data.args, wave, depth),
            _ => None,
        }
    }

    fn pure(
        &mut self,
        func: &Func,
        op: Pure,
        args: &[Value],
        wave: u32,
        depth: u32,
    ) -> Option<Lanes> {
        let mut columns: SmallVec<[Lanes; 3]> = SmallVec::new();
        for &arg in args {
            columns.push(self.lanes(func, arg, depth)?);
        }
        let row = |lane| -> Option<Const> {
            let mut row: SmallVec<[Const; 3]> = SmallVec::new();
            for column in &columns {
                row.push(column.get(lane)?);
            }
            fold(op, &row)
        };
        if columns.iter().all(|c| matches!(c, Lanes::All(_))) {
            return Some(Lanes::All(row(0)?));
        }
        let mut lanes = Vec::with_capacity(wave as usize);
        for lane in 0..wave as usize {
            lanes.push(row(lane)?);
        }
        Some(Lanes::Each(lanes.into()))
    }
}

/// What a value is in one lane, if that is known after so many looks.
fn one(func: &Func, value: Value, lane: u32, looks: &mut u32) -> Option<Const> {
    *looks = looks.checked_sub(1)?;
    let data = func.def_inst(value)?;
    match data.op {
        Op::ConstBool(_) | Op::Const32(_) | Op::Const64(_) => func.as_const(value),
        Op::Input(Input::LaneId) => Some(Const::I32(lane)),
        Op::LaneBit => {
            let mask = one(func, *data.args.first()?, lane, looks)?;
            Some(Const::Bool(mask.bits() >> lane & 1 == 1))
        }
        Op::Pure(op) => {
            let mut row = [Const::Bool(false); 3];
            for (place, &arg) in row.iter_mut().zip(&data.args) {
                *place = one(func, arg, lane, looks)?;
            }
            fold(op, row.get(..data.args.len())?)
        }
        _ => None,
    }
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
    use crate::ir::Builder;
    use spirdna_isa::WaveSize;

    fn pattern(wave: u32, s: u32, choose: impl Fn(u32) -> u32) -> Pattern {
        Pattern::new(&(0..wave).map(choose).collect::<Vec<_>>(), s)
    }

    #[test]
    fn a_swap_of_neighbours_stays_in_its_slot() {
        let p = pattern(32, 8, |lane| lane ^ 1);
        assert_eq!(p.sources, [[0], [1], [2], [3]]);
        assert!(!p.stays);
    }

    #[test]
    fn a_swap_of_halves_moves_whole_slots() {
        let p = pattern(64, 16, |lane| lane ^ 32);
        assert_eq!(p.sources, [[2], [3], [0], [1]]);
        assert!(p.stays);
        assert_eq!(p.column(0), [2, 3, 0, 1]);
    }

    #[test]
    fn a_shift_by_one_takes_from_two_slots() {
        let p = pattern(32, 16, |lane| lane.wrapping_sub(1));
        assert_eq!(p.sources, [vec![0, 1], vec![0, 1]], "lane 0 takes lane 31");
        let p = pattern(32, 4, |lane| lane.saturating_sub(1));
        assert_eq!(p.sources[0], [0]);
        assert_eq!(p.sources[3], [2, 3]);
        assert_eq!((p.width(), p.column(1)[0], p.column(1)[3]), (2, 0, 3));
    }

    #[test]
    fn what_is_known_of_lanes_is_what_the_expression_says() {
        let mut func = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut func);
        let lane = b.input(Input::LaneId);
        let moved = b.add32(lane, 3);
        let within = b.and32(moved, 7);
        let row = b.and32(lane, !7);
        let sum = b.or(row, within);
        let mask = b.const_mask(0x5555_5555);
        let even = b.lane_bit(mask);
        let chosen = b.select(even, sum, lane);
        let data = b.input(Input::UserData(0));
        let unknown = b.add(chosen, data);
        b.ret();
        let mut known = Known::default();
        let expected: Vec<u32> = (0..32)
            .map(|i| {
                if i % 2 == 0 {
                    i / 8 * 8 + (i + 3) % 8
                } else {
                    i
                }
            })
            .collect();
        assert_eq!(known.words(&func, chosen), Some(expected));
        assert_eq!(known.words(&func, unknown), None);
    }
}
