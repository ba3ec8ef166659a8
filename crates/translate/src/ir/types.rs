//! Types of IR values.

/// What a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True or false.
    Bool,
    /// 32 bits without a type: integers, f32 bits, an f16 in the low half (upper half zero).
    I32,
    /// 64 bits without a type.
    I64,
    /// A host place of guest memory, made by `Op::Ptr`. What it is made of is emit's business.
    Ptr,
}

/// How many of it a wave has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// One for the wave: every invocation holds the same value.
    Uniform,
    /// One for each lane.
    Lane,
}

impl Shape {
    /// That of what comes of one of this shape and one of another.
    #[inline]
    pub const fn with(self, other: Shape) -> Shape {
        match self {
            Shape::Uniform => other,
            Shape::Lane => Shape::Lane,
        }
    }
}

/// Type of an IR value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ty {
    /// What it is made of.
    pub kind: Kind,
    /// One for the wave or one a lane.
    pub shape: Shape,
}

impl Ty {
    /// A uniform type.
    pub const fn uniform(kind: Kind) -> Ty {
        Ty {
            kind,
            shape: Shape::Uniform,
        }
    }

    /// A per-lane type.
    pub const fn lane(kind: Kind) -> Ty {
        Ty {
            kind,
            shape: Shape::Lane,
        }
    }

    /// Whether it is per-lane.
    pub const fn is_lane(self) -> bool {
        matches!(self.shape, Shape::Lane)
    }
}
