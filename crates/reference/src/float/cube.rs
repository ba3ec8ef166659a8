//! Cube map coordinates and the lighting helper.

use super::Fpu;

#[derive(Clone, Copy)]
enum Axis {
    X,
    Y,
    Z,
}

impl Fpu {
    /// The major axis of a direction and whether it points down it. z wins ties, then y.
    fn major(&self, v: [u64; 3]) -> (Axis, bool) {
        let f = self.format;
        let ge = |a: u64, b: u64| self.compare(f.abs(a), f.abs(b)).is_some_and(|o| o.is_ge());
        let below = |a: u64| self.compare(a, 0).is_some_and(|o| o.is_lt());
        let [x, y, z] = v;
        if ge(z, x) && ge(z, y) {
            (Axis::Z, below(z))
        } else if ge(y, x) {
            (Axis::Y, below(y))
        } else {
            (Axis::X, below(x))
        }
    }

    /// A component that is passed on, with or without its sign flipped.
    fn passed(&self, bits: u64, negate: bool) -> u64 {
        let bits = if negate {
            bits ^ self.format.sign()
        } else {
            bits
        };
        if self.format.is_nan(bits) {
            self.nan(bits)
        } else {
            self.flush_result(self.input(bits))
        }
    }

    /// The face: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z, as a float.
    pub fn cube_id(&self, v: [u64; 3]) -> u64 {
        let (axis, below) = self.major(v);
        let face = match axis {
            Axis::X => 0,
            Axis::Y => 2,
            Axis::Z => 4,
        };
        self.from_integer(face + i128::from(below))
    }

    /// The S coordinate on the face.
    pub fn cube_sc(&self, v: [u64; 3]) -> u64 {
        let [x, _, z] = v;
        match self.major(v) {
            (Axis::Z, below) => self.passed(x, below),
            (Axis::Y, _) => self.passed(x, false),
            (Axis::X, below) => self.passed(z, !below),
        }
    }

    /// The T coordinate on the face.
    pub fn cube_tc(&self, v: [u64; 3]) -> u64 {
        let [_, y, z] = v;
        match self.major(v) {
            (Axis::Z | Axis::X, _) => self.passed(y, true),
            (Axis::Y, below) => self.passed(z, below),
        }
    }

    /// Twice the major axis.
    pub fn cube_ma(&self, v: [u64; 3]) -> u64 {
        let [x, y, z] = v;
        let major = match self.major(v).0 {
            Axis::X => x,
            Axis::Y => y,
            Axis::Z => z,
        };
        self.ldexp(major, 1)
    }

    /// `a * b` (zero times anything is 0), or the most negative finite number where b is -infinity, the
    /// most negative finite number or a NaN, or where c is not above zero.
    pub fn mullit(&self, a: u64, b: u64, c: u64) -> u64 {
        let f = self.format;
        let lowest = f.sign() | f.max_finite();
        let dark = f.is_nan(b)
            || b == lowest
            || b == f.sign() | f.infinity()
            || !self.compare(c, 0).is_some_and(|o| o.is_gt());
        if dark { lowest } else { self.mul_legacy(a, b) }
    }
}
