//! What a pixel's neighbours in its quad hold, without subgroup operations: a host's fine derivatives are the
//! differences of two neighbours, exact for whole numbers below 2^16, so a word goes over in halves. Every
//! host has them, in fragment stages alone.

use spirv::{BuiltIn, Capability, Op};

use super::code::Open;
use super::context::Cx;
use super::module::Id;

/// An axis of the screen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    X,
    Y,
}

impl Cx<'_> {
    /// The word that a lane of the quad holds; which one, `perm` says in two bits for each lane. `narrow`:
    /// only the low 16 bits are not zero.
    pub fn quad(&mut self, b: &mut Open, x: Id, perm: u8, narrow: bool) -> Id {
        // From which neighbour: itself, beside, below or above, across.
        let from = |lane: u8| (perm >> (2 * lane) & 3) ^ lane;
        let all = [0, 1, 2, 3].map(from);
        let mut held: [Option<Id>; 4] = [Some(x), None, None, None];
        if all.contains(&1) || all.contains(&3) {
            held[1] = Some(self.other(b, x, Axis::X, narrow));
        }
        if all.contains(&2) {
            held[2] = Some(self.other(b, x, Axis::Y, narrow));
        }
        if let (true, Some(beside)) = (all.contains(&3), held[1]) {
            held[3] = Some(self.other(b, beside, Axis::Y, narrow));
        }
        let at = |lane: usize| held.get(usize::from(all[lane])).copied().flatten();
        let [a, b0, c, d] = [0, 1, 2, 3].map(|lane| at(lane).unwrap_or(x));
        if a == b0 && a == c && a == d {
            return a;
        }
        let (right, below) = (self.odd(b, Axis::X), self.odd(b, Axis::Y));
        let upper = self.m.select(b, right, b0, a);
        let lower = self.m.select(b, right, d, c);
        self.m.select(b, below, lower, upper)
    }

    /// Whether the pixel's coordinate is odd: it is the second of its quad along an axis.
    fn odd(&mut self, b: &mut Open, axis: Axis) -> Id {
        let float = self.m.float(32);
        let vector = self.m.vector(float, 4);
        let variable = self.m.builtin(BuiltIn::FragCoord, vector);
        let index = self.m.const_u32(match axis {
            Axis::X => 0,
            Axis::Y => 1,
        });
        let class = spirv::StorageClass::Input;
        let pointer = self.m.access(b, class, float, variable, &[index]);
        let place = self.m.load(b, float, pointer);
        let place = self.m.unary(b, Op::ConvertFToU, place);
        let one = self.m.const_u32(1);
        let word = self.m.u32();
        let bit = self.m.op(b, Op::BitwiseAnd, word, &[place, one]);
        self.m.nonzero(b, bit)
    }

    /// The word that the other pixel along an axis holds.
    fn other(&mut self, b: &mut Open, x: Id, axis: Axis, narrow: bool) -> Id {
        self.m.need(Capability::DerivativeControl);
        if narrow {
            return self.other_half(b, x, axis);
        }
        let word = self.m.u32();
        let (mask, sixteen) = (self.m.const_u32(0xffff), self.m.const_u32(16));
        let low = self.m.op(b, Op::BitwiseAnd, word, &[x, mask]);
        let high = self.m.op(b, Op::ShiftRightLogical, word, &[x, sixteen]);
        let (low, high) = (
            self.other_half(b, low, axis),
            self.other_half(b, high, axis),
        );
        let high = self.m.op(b, Op::ShiftLeftLogical, word, &[high, sixteen]);
        self.m.op(b, Op::BitwiseOr, word, &[low, high])
    }

    fn other_half(&mut self, b: &mut Open, x: Id, axis: Axis) -> Id {
        let float = self.m.float(32);
        let own = self.m.op(b, Op::ConvertUToF, float, &[x]);
        let op = match axis {
            Axis::X => Op::DPdxFine,
            Axis::Y => Op::DPdyFine,
        };
        let step = self.m.op(b, op, float, &[own]);
        let second = self.odd(b, axis);
        let before = self.m.op(b, Op::FSub, float, &[own, step]);
        let after = self.m.op(b, Op::FAdd, float, &[own, step]);
        let other = self.m.op(b, Op::Select, float, &[second, before, after]);
        self.m.unary(b, Op::ConvertFToU, other)
    }
}
