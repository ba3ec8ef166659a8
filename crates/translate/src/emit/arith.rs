//! Integer and boolean instructions on 32-bit words, with constants folded. Shift counts are the
//! caller's to mask. Knows nothing of the IR.

use spirv::{GlslStd450Op, Op};

use super::code::Open;
use super::module::{Id, Module};
use super::notes::Note;

/// The sign bit of a float of 32 bits, and of the high half of one of 64.
const SIGN: u32 = 1 << 31;
/// All bits but that.
pub(super) const MAGNITUDE: u32 = SIGN - 1;

impl Module {
    #[inline]
    fn word(&self, id: Id) -> Option<u32> {
        self.value(id).map(|v| v as u32)
    }

    #[inline]
    fn words(&self, x: Id, y: Id) -> (Option<u32>, Option<u32>) {
        (self.word(x), self.word(y))
    }

    fn binary(&mut self, b: &mut Open, op: Op, x: Id, y: Id) -> Id {
        let ty = self.u32();
        self.op(b, op, ty, &[x, y])
    }

    fn relation(&mut self, b: &mut Open, op: Op, x: Id, y: Id) -> Id {
        let ty = self.bool();
        self.op(b, op, ty, &[x, y])
    }

    /// x + y.
    pub fn add(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_u32(x.wrapping_add(y)),
            (Some(0), _) => y,
            (_, Some(0)) => x,
            _ => self.binary(b, Op::IAdd, x, y),
        }
    }

    /// x - y.
    pub fn sub(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_u32(x.wrapping_sub(y)),
            (_, Some(0)) => x,
            _ => self.binary(b, Op::ISub, x, y),
        }
    }

    /// x * y.
    pub fn mul(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_u32(x.wrapping_mul(y)),
            (Some(0), _) | (_, Some(0)) => self.const_u32(0),
            (Some(1), _) => y,
            (_, Some(1)) => x,
            (_, Some(n)) if n.is_power_of_two() => {
                let count = self.const_u32(n.trailing_zeros());
                self.shl(b, x, count)
            }
            _ => self.binary(b, Op::IMul, x, y),
        }
    }

    /// x / y, unsigned; y is not 0.
    pub fn div(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (_, Some(1)) => x,
            (_, Some(n)) if n.is_power_of_two() => {
                let count = self.const_u32(n.trailing_zeros());
                self.shr(b, x, count)
            }
            (Some(x), Some(y)) if y != 0 => self.const_u32(x / y),
            _ => self.binary(b, Op::UDiv, x, y),
        }
    }

    /// x modulo y, unsigned; y is not 0.
    pub fn rem(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (_, Some(n)) if n.is_power_of_two() => {
                let mask = self.const_u32(n - 1);
                self.and(b, x, mask)
            }
            (Some(x), Some(y)) if y != 0 => self.const_u32(x % y),
            _ => self.binary(b, Op::UMod, x, y),
        }
    }

    /// x & y.
    pub fn and(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_u32(x & y),
            (Some(0), _) | (_, Some(0)) => self.const_u32(0),
            (Some(u32::MAX), _) => y,
            (_, Some(u32::MAX)) => x,
            (_, Some(mask)) => {
                if let Note::Masked(_, old) = self.notes.of(x)
                    && old & !mask == 0
                {
                    return x;
                }
                let id = self.binary(b, Op::BitwiseAnd, x, y);
                self.notes.set(id, Note::Masked(x, mask));
                id
            }
            _ => self.binary(b, Op::BitwiseAnd, x, y),
        }
    }

    /// x & a constant.
    pub fn mask(&mut self, b: &mut Open, x: Id, mask: u32) -> Id {
        let mask = self.const_u32(mask);
        self.and(b, x, mask)
    }

    /// x | y.
    pub fn or(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_u32(x | y),
            (Some(0), _) => y,
            (_, Some(0)) => x,
            _ => self.binary(b, Op::BitwiseOr, x, y),
        }
    }

    /// x ^ y.
    pub fn xor(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_u32(x ^ y),
            (Some(0), _) => y,
            (_, Some(0)) => x,
            (_, Some(SIGN)) => {
                let id = self.binary(b, Op::BitwiseXor, x, y);
                self.notes.set(id, Note::Negated(x));
                id
            }
            _ => self.binary(b, Op::BitwiseXor, x, y),
        }
    }

    /// ~x.
    pub fn not(&mut self, b: &mut Open, x: Id) -> Id {
        match self.word(x) {
            Some(x) => self.const_u32(!x),
            None => {
                let ty = self.u32();
                self.op(b, Op::Not, ty, &[x])
            }
        }
    }

    /// x << y; y is below 32.
    pub fn shl(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_u32(x.wrapping_shl(y)),
            (_, Some(0)) => x,
            (Some(0), _) => x,
            _ => self.binary(b, Op::ShiftLeftLogical, x, y),
        }
    }

    /// x >> y, logical; y is below 32.
    pub fn shr(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_u32(x.wrapping_shr(y)),
            (_, Some(0)) => x,
            (Some(0), _) => x,
            _ => self.binary(b, Op::ShiftRightLogical, x, y),
        }
    }

    /// x >> y, arithmetic; y is below 32.
    pub fn sar(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_u32((x as i32).wrapping_shr(y) as u32),
            (_, Some(0)) => x,
            _ => self.binary(b, Op::ShiftRightArithmetic, x, y),
        }
    }

    /// x << a constant below 32.
    pub fn shl_by(&mut self, b: &mut Open, x: Id, count: u32) -> Id {
        let count = self.const_u32(count);
        self.shl(b, x, count)
    }

    /// x >> a constant below 32.
    pub fn shr_by(&mut self, b: &mut Open, x: Id, count: u32) -> Id {
        let count = self.const_u32(count);
        self.shr(b, x, count)
    }

    /// x + a constant.
    pub fn add_by(&mut self, b: &mut Open, x: Id, count: u32) -> Id {
        let count = self.const_u32(count);
        self.add(b, x, count)
    }

    /// x == y.
    pub fn eq(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_bool(x == y),
            _ if x == y => self.const_bool(true),
            _ => self.relation(b, Op::IEqual, x, y),
        }
    }

    /// x != y.
    pub fn ne(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_bool(x != y),
            _ if x == y => self.const_bool(false),
            _ => self.relation(b, Op::INotEqual, x, y),
        }
    }

    /// x != 0.
    pub fn nonzero(&mut self, b: &mut Open, x: Id) -> Id {
        let zero = self.const_u32(0);
        self.ne(b, x, zero)
    }

    /// x < y, unsigned.
    pub fn ult(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_bool(x < y),
            (_, Some(0)) => self.const_bool(false),
            _ => self.relation(b, Op::ULessThan, x, y),
        }
    }

    /// x <= y, unsigned.
    pub fn ule(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_bool(x <= y),
            (Some(0), _) | (_, Some(u32::MAX)) => self.const_bool(true),
            _ => self.relation(b, Op::ULessThanEqual, x, y),
        }
    }

    /// x < y, signed.
    pub fn slt(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_bool((x as i32) < (y as i32)),
            _ => self.relation(b, Op::SLessThan, x, y),
        }
    }

    /// x <= y, signed.
    pub fn sle(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match self.words(x, y) {
            (Some(x), Some(y)) => self.const_bool((x as i32) <= (y as i32)),
            _ => self.relation(b, Op::SLessThanEqual, x, y),
        }
    }

    /// A byte index so many bytes on. Neither wraps.
    pub fn place_add(&mut self, b: &mut Open, place: Id, bytes: u32) -> Id {
        let sum = self.add_by(b, place, bytes);
        if sum != place && self.value(sum).is_none() {
            self.notes.set(sum, Note::Sum(place, bytes));
        }
        sum
    }

    /// The index of the word that a byte index lies in. Of words behind one another the first one's index is
    /// computed once.
    pub fn word_index(&mut self, b: &mut Open, byte: Id) -> Id {
        match self.notes.of(byte) {
            Note::Sum(first, bytes) if bytes.is_multiple_of(4) => {
                let first = self.shr_by(b, first, 2);
                self.add_by(b, first, bytes / 4)
            }
            _ => self.shr_by(b, byte, 2),
        }
    }

    /// cond ? x : y on words.
    pub fn select(&mut self, b: &mut Open, cond: Id, x: Id, y: Id) -> Id {
        if let Some(opposite) = self.notes.opposite(cond) {
            return self.select(b, opposite, y, x);
        }
        match self.value(cond) {
            Some(0) => y,
            Some(_) => x,
            None if x == y => x,
            None => {
                let ty = self.u32();
                self.op(b, Op::Select, ty, &[cond, x, y])
            }
        }
    }

    /// cond ? x : y on booleans.
    pub fn select_bool(&mut self, b: &mut Open, cond: Id, x: Id, y: Id) -> Id {
        match (self.value(cond), self.value(x), self.value(y)) {
            (Some(0), ..) => y,
            (Some(_), ..) => x,
            _ if x == y => x,
            (_, Some(1), Some(0)) => cond,
            (_, Some(0), Some(1)) => self.bnot(b, cond),
            (_, Some(1), _) => self.bor(b, cond, y),
            (_, _, Some(0)) => self.band(b, cond, x),
            _ => {
                let ty = self.bool();
                self.op(b, Op::Select, ty, &[cond, x, y])
            }
        }
    }

    /// Both.
    pub fn band(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match (self.value(x), self.value(y)) {
            (Some(0), _) | (_, Some(0)) => self.const_bool(false),
            (Some(_), _) => y,
            (_, Some(_)) => x,
            _ if x == y => x,
            _ => self.relation(b, Op::LogicalAnd, x, y),
        }
    }

    /// Either.
    pub fn bor(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match (self.value(x), self.value(y)) {
            (Some(1), _) | (_, Some(1)) => self.const_bool(true),
            (Some(_), _) => y,
            (_, Some(_)) => x,
            _ if x == y => x,
            _ => self.relation(b, Op::LogicalOr, x, y),
        }
    }

    /// One and not the other.
    pub fn bxor(&mut self, b: &mut Open, x: Id, y: Id) -> Id {
        match (self.value(x), self.value(y)) {
            (Some(x), Some(y)) => self.const_bool(x != y),
            _ => self.relation(b, Op::LogicalNotEqual, x, y),
        }
    }

    /// The opposite.
    pub fn bnot(&mut self, b: &mut Open, x: Id) -> Id {
        match self.value(x) {
            Some(x) => self.const_bool(x == 0),
            None => {
                if let Some(opposite) = self.notes.opposite(x) {
                    return opposite;
                }
                let ty = self.bool();
                let id = self.op(b, Op::LogicalNot, ty, &[x]);
                self.notes.set(id, Note::Opposite(x));
                id
            }
        }
    }

    /// 1 or 0.
    pub fn bool_word(&mut self, b: &mut Open, x: Id) -> Id {
        let (one, zero) = (self.const_u32(1), self.const_u32(0));
        self.select(b, x, one, zero)
    }

    /// Low and high half of the unsigned product.
    pub fn mul_wide(&mut self, b: &mut Open, x: Id, y: Id) -> (Id, Id) {
        self.two(b, Op::UMulExtended, x, y)
    }

    /// Low and high half of the signed product.
    pub fn mul_wide_signed(&mut self, b: &mut Open, x: Id, y: Id) -> (Id, Id) {
        self.two(b, Op::SMulExtended, x, y)
    }

    /// x + y and the carry.
    pub fn add_carry(&mut self, b: &mut Open, x: Id, y: Id) -> (Id, Id) {
        match self.words(x, y) {
            (Some(0), _) => (y, self.const_u32(0)),
            (_, Some(0)) => (x, self.const_u32(0)),
            _ => self.two(b, Op::IAddCarry, x, y),
        }
    }

    /// x - y and the borrow.
    pub fn sub_borrow(&mut self, b: &mut Open, x: Id, y: Id) -> (Id, Id) {
        match self.word(y) {
            Some(0) => (x, self.const_u32(0)),
            _ => self.two(b, Op::ISubBorrow, x, y),
        }
    }

    fn two(&mut self, b: &mut Open, op: Op, x: Id, y: Id) -> (Id, Id) {
        let word = self.u32();
        let pair = self.pair(word);
        let both = self.op(b, op, pair, &[x, y]);
        (self.part(b, both, 0), self.part(b, both, 1))
    }

    /// Word `index` of a pair or vector of words.
    pub fn part(&mut self, b: &mut Open, composite: Id, index: u32) -> Id {
        let ty = self.u32();
        self.op_words(b, Op::CompositeExtract, ty, [composite.word(), index])
    }

    /// A vector of two words.
    pub fn join(&mut self, b: &mut Open, low: Id, high: Id) -> Id {
        if let (Some(low), Some(high)) = self.words(low, high) {
            return self.const_uvec2(u64::from(low) | u64::from(high) << 32);
        }
        let ty = self.uvec2();
        self.op(b, Op::CompositeConstruct, ty, &[low, high])
    }

    /// A GLSL.std.450 operation from words to a word.
    pub fn glsl_word(&mut self, b: &mut Open, op: GlslStd450Op, args: &[Id]) -> Id {
        let ty = self.u32();
        self.glsl(b, op, ty, args)
    }

    /// A core operation from a word to a word.
    pub fn unary(&mut self, b: &mut Open, op: Op, x: Id) -> Id {
        let ty = self.u32();
        self.op(b, op, ty, &[x])
    }
}
