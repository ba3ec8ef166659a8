//! The steps of a division, the cube map coordinates and the lighting helper, made of comparisons of
//! fields and of guest float operations.

use spirdna_isa::{FTernary, FloatTy};

use super::super::Lift;
use super::Vop;
use super::float::fty;
use crate::error::Reason;
use crate::ir::{FOp, FTy, Value};

/// What the steps use in a format.
struct Steps {
    /// Distance of exponent fields from which the quotient is near an end of the range.
    far: u32,
    /// Exponent of the scale.
    scale: i32,
    /// Exponent field of a numerator up to which it is scaled up.
    small: u32,
    /// Distance of exponent fields below which the quotient is 0.
    nothing: i32,
    frac_bits: u32,
    exp_bits: u32,
}

const fn steps(ty: FTy) -> Steps {
    match ty {
        FTy::F64 => Steps {
            far: 768,
            scale: 128,
            small: 53,
            nothing: -1075,
            frac_bits: 52,
            exp_bits: 11,
        },
        FTy::F32 => Steps {
            far: 96,
            scale: 64,
            small: 23,
            nothing: -150,
            frac_bits: 23,
            exp_bits: 8,
        },
        FTy::F16 => Steps {
            far: 0,
            scale: 0,
            small: 0,
            nothing: 0,
            frac_bits: 10,
            exp_bits: 5,
        },
    }
}

impl Lift<'_> {
    /// A constant of a float type's kind.
    fn fbits(&mut self, ty: FTy, bits: u64) -> Value {
        match ty {
            FTy::F64 => self.b.const64(bits),
            FTy::F16 | FTy::F32 => self.b.const32(bits as u32),
        }
    }

    fn sign_mask(ty: FTy) -> u64 {
        let s = steps(ty);
        1 << (s.frac_bits + s.exp_bits)
    }

    fn infinity(ty: FTy) -> u64 {
        let s = steps(ty);
        ((1 << s.exp_bits) - 1) << s.frac_bits
    }

    fn fabs(&mut self, ty: FTy, x: Value) -> Value {
        let mask = self.fbits(ty, Self::sign_mask(ty) - 1);
        self.b.and(x, mask)
    }

    fn fsign(&mut self, ty: FTy, x: Value) -> Value {
        let mask = self.fbits(ty, Self::sign_mask(ty));
        self.b.and(x, mask)
    }

    /// The exponent field.
    fn ffield(&mut self, ty: FTy, x: Value) -> Value {
        let s = steps(ty);
        if ty == FTy::F64 {
            let hi = self.b.hi(x);
            self.b.field_u(hi, s.frac_bits - 32, s.exp_bits)
        } else {
            self.b.field_u(x, s.frac_bits, s.exp_bits)
        }
    }

    pub(super) fn fis_nan(&mut self, ty: FTy, x: Value) -> Value {
        let (abs, inf) = (self.fabs(ty, x), self.fbits(ty, Self::infinity(ty)));
        self.b.ult(inf, abs)
    }

    pub(super) fn fis_inf(&mut self, ty: FTy, x: Value) -> Value {
        self.fis(ty, x, Self::infinity(ty))
    }

    fn fis(&mut self, ty: FTy, x: Value, magnitude: u64) -> Value {
        let (abs, bits) = (self.fabs(ty, x), self.fbits(ty, magnitude));
        self.b.eq(abs, bits)
    }

    /// An operand as MODE sees it: a subnormal is a signed zero where inputs are flushed.
    pub(super) fn finput(&mut self, ty: FTy, x: Value) -> Value {
        if self.fmode(ty).denorm.flushes_in() {
            self.fflush(ty, x)
        } else {
            x
        }
    }

    fn fflush(&mut self, ty: FTy, x: Value) -> Value {
        let abs = self.fabs(ty, x);
        let least = self.fbits(ty, 1 << steps(ty).frac_bits);
        let (small, sign) = (self.b.ult(abs, least), self.fsign(ty, x));
        self.b.select(small, sign, x)
    }

    /// `out`, unless an operand is a NaN: then the first one, quiet with IEEE.
    fn first_nan(&mut self, ty: FTy, out: Value, operands: &[Value]) -> Value {
        let mut out = out;
        for &x in operands.iter().rev() {
            let nan = if self.mode.ieee {
                let quiet = self.fbits(ty, 1 << (steps(ty).frac_bits - 1));
                self.b.or(x, quiet)
            } else {
                x
            };
            let is_nan = self.fis_nan(ty, x);
            out = self.b.select(is_nan, nan, out);
        }
        out
    }

    fn default_nan(&mut self, ty: FTy) -> Value {
        let bits = Self::sign_mask(ty) | Self::infinity(ty) | 1 << (steps(ty).frac_bits - 1);
        self.fbits(ty, bits)
    }

    /// An operand of a division, scaled, and whether the scale has to be undone. The conditions go by
    /// exponent fields; what is not the denominator's bits counts as numerator.
    pub(super) fn v_div_scale(&mut self, v: &Vop<'_>, ty: FloatTy) -> Result<(), Reason> {
        let s = steps(fty(ty));
        let (value, denominator) = (self.vfloat(v, 0, ty)?, self.vfloat(v, 1, ty)?);
        let numerator = self.vfloat(v, 2, ty)?;
        let ty = fty(ty);
        if ty == FTy::F16 {
            return Err(Reason::Meaning);
        }
        let mode = self.fmode(ty);
        let value = self.finput(ty, value);
        let denominator = self.finput(ty, denominator);
        let numerator = self.finput(ty, numerator);
        let (top, bottom) = (self.ffield(ty, numerator), self.ffield(ty, denominator));
        let distance = self.b.sub(top, bottom);
        let far = self.b.const32(s.far);
        let minus_far = self.b.const32(s.far.wrapping_neg());
        let most = self.b.const32((1 << s.exp_bits) - 4);
        let inverse_subnormal = self.b.ult(most, bottom);
        let large = self.b.sle(far, distance);
        let small = self.b.sle(distance, minus_far);
        let is_denominator = self.b.eq(value, denominator);
        let zero = self.b.const32(0);
        let no_field = self.b.eq(bottom, zero);
        let denominator_zero = self.fis(ty, denominator, 0);
        let some = self.b.not(denominator_zero);
        let subnormal = self.b.and(no_field, some);
        let least = self.b.const32(s.small + 1);
        let numerator_small = self.b.ult(top, least);
        let (up, down) = (
            self.b.const32(s.scale as u32),
            self.b.const32((-s.scale) as u32),
        );
        let (up_if, up_unless) = (
            self.b.select(is_denominator, up, zero),
            self.b.select(is_denominator, zero, up),
        );
        let down_if = self.b.select(is_denominator, down, zero);
        // The last rule first; each earlier one overrides it.
        let mut by = self.b.select(numerator_small, up, zero);
        by = self.b.select(small, up_unless, by);
        by = self.b.select(inverse_subnormal, down, by);
        let both = self.b.and(inverse_subnormal, small);
        by = self.b.select(both, down_if, by);
        by = self.b.select(subnormal, up, by);
        by = self.b.select(large, up_if, by);
        let not_subnormal = self.b.not(subnormal);
        let flag = self.b.and(small, not_subnormal);
        let flag = self.b.or(large, flag);
        let scaled = self.b.float(FOp::Ldexp, ty, mode, &[value, by]);
        let same = self.b.eq(by, zero);
        let nan = self.fis_nan(ty, value);
        let same = self.b.or(same, nan);
        let out = self.b.select(same, value, scaled);
        let numerator_zero = self.fis(ty, numerator, 0);
        let none = self.b.or(denominator_zero, numerator_zero);
        let nan = self.default_nan(ty);
        let out = self.b.select(none, nan, out);
        self.set_vfloat(v, out, ty)?;
        self.set_vmask(v, 1, flag)
    }

    /// The operations of three floats that are made of others.
    pub(super) fn float3(
        &mut self,
        v: &Vop<'_>,
        op: FTernary,
        ty: FTy,
        [x, y, z]: [Value; 3],
    ) -> Result<Value, Reason> {
        let mode = self.fmode(ty);
        Ok(match op {
            FTernary::DivFmas => {
                let mask = self.src(v.inst, 3)?;
                let mask = self.read_mask(mask)?;
                let undo = self.b.lane_bit(mask);
                let s = steps(ty);
                let field = self.ffield(ty, z);
                let bias = self.b.const32((1 << (s.exp_bits - 1)) - 1);
                let up = self.b.ult(bias, field);
                let (more, less) = (
                    self.b.const32(s.scale as u32),
                    self.b.const32((-s.scale) as u32),
                );
                let by = self.b.select(up, more, less);
                let zero = self.b.const32(0);
                let by = self.b.select(undo, by, zero);
                self.b.float(FOp::FmaScaled, ty, mode, &[x, y, z, by])
            }
            FTernary::DivFixup => self.div_fixup(ty, x, y, z),
            FTernary::Mullit => {
                let zero = self.fbits(ty, 0);
                let above = self.b.float(FOp::Lt, ty, mode, &[zero, z]);
                let product = self.b.float(FOp::MulLegacy, ty, mode, &[x, y]);
                let lowest_bits = Self::sign_mask(ty) | (Self::infinity(ty) - 1);
                let lowest = self.fbits(ty, lowest_bits);
                let minus_inf = self.fbits(ty, Self::sign_mask(ty) | Self::infinity(ty));
                let nan = self.fis_nan(ty, y);
                let (a, b) = (self.b.eq(y, lowest), self.b.eq(y, minus_inf));
                let dark = self.b.or(a, b);
                let dark = self.b.or(dark, nan);
                let below = self.b.not(above);
                let dark = self.b.or(dark, below);
                self.b.select(dark, lowest, product)
            }
            FTernary::CubeId | FTernary::CubeSc | FTernary::CubeTc | FTernary::CubeMa => {
                self.cube(op, ty, [x, y, z])
            }
            FTernary::Fma
            | FTernary::FmaLegacy
            | FTernary::Mad
            | FTernary::MadLegacy
            | FTernary::Min3
            | FTernary::Max3
            | FTernary::Med3 => return Err(Reason::Meaning),
        })
    }

    /// The quotient with the special cases of numerator / denominator.
    fn div_fixup(
        &mut self,
        ty: FTy,
        quotient: Value,
        denominator: Value,
        numerator: Value,
    ) -> Value {
        let mode = self.fmode(ty);
        let s = steps(ty);
        let operands = [numerator, denominator];
        let quotient = self.finput(ty, quotient);
        let denominator = self.finput(ty, denominator);
        let numerator = self.finput(ty, numerator);
        let differ = self.b.xor(denominator, numerator);
        let sign = self.fsign(ty, differ);
        let inf_bits = Self::infinity(ty);
        let (top_inf, bottom_inf) = (
            self.fis(ty, numerator, inf_bits),
            self.fis(ty, denominator, inf_bits),
        );
        let (top_zero, bottom_zero) = (self.fis(ty, numerator, 0), self.fis(ty, denominator, 0));
        let inf = self.fbits(ty, inf_bits);
        let signed_inf = self.b.or(inf, sign);
        let abs = self.fabs(ty, quotient);
        let magnitude = if mode.denorm.flushes_out() {
            self.fflush(ty, abs)
        } else {
            abs
        };
        let number = self.b.or(magnitude, sign);
        let over = self.b.ule(inf, abs);
        let limit = if self.mode.fp16_ovfl && ty == FTy::F16 {
            let most = self.fbits(ty, inf_bits - 1);
            self.b.or(most, sign)
        } else {
            signed_inf
        };
        let mut out = self.b.select(over, limit, number);
        if ty != FTy::F16 {
            let (top, bottom) = (self.ffield(ty, numerator), self.ffield(ty, denominator));
            let distance = self.b.sub(top, bottom);
            let least = self.b.const32(s.nothing as u32);
            let nothing = self.b.slt(distance, least);
            // Below half of the smallest number: what rounding makes of it.
            let one = self.fbits(ty, ((1 << (s.exp_bits - 1)) - 1) << s.frac_bits);
            let one = self.b.or(one, sign);
            let by = self.b.const32((-4000i32) as u32);
            let tiny = self.b.float(FOp::Ldexp, ty, mode, &[one, by]);
            out = self.b.select(nothing, tiny, out);
        }
        let none = self.b.or(bottom_inf, top_zero);
        out = self.b.select(none, sign, out);
        let all = self.b.or(top_inf, bottom_zero);
        out = self.b.select(all, signed_inf, out);
        let (infs, zeros) = (
            self.b.and(top_inf, bottom_inf),
            self.b.and(top_zero, bottom_zero),
        );
        let invalid = self.b.or(infs, zeros);
        let nan = self.default_nan(ty);
        out = self.b.select(invalid, nan, out);
        self.first_nan(ty, out, &operands)
    }

    /// Cube map coordinates; z is the major axis where it is as large as the others, then y.
    fn cube(&mut self, op: FTernary, ty: FTy, [x, y, z]: [Value; 3]) -> Value {
        let mode = self.fmode(ty);
        let (ax, ay, az) = (self.fabs(ty, x), self.fabs(ty, y), self.fabs(ty, z));
        let zx = self.b.float(FOp::Le, ty, mode, &[ax, az]);
        let zy = self.b.float(FOp::Le, ty, mode, &[ay, az]);
        let is_z = self.b.and(zx, zy);
        let is_y = self.b.float(FOp::Le, ty, mode, &[ax, ay]);
        let pick = |lift: &mut Self, for_x, for_y, for_z| {
            let other = lift.b.select(is_y, for_y, for_x);
            lift.b.select(is_z, for_z, other)
        };
        let major = pick(self, x, y, z);
        if op == FTernary::CubeMa {
            let one = self.b.const32(1);
            return self.b.float(FOp::Ldexp, ty, mode, &[major, one]);
        }
        let zero = self.fbits(ty, 0);
        let below = self.b.float(FOp::Lt, ty, mode, &[major, zero]);
        if op == FTernary::CubeId {
            let mut faces = [zero; 6];
            // 0.0 to 5.0.
            let bits = [
                0,
                0x3f80_0000,
                0x4000_0000,
                0x4040_0000,
                0x4080_0000,
                0x40a0_0000,
            ];
            for (face, bits) in faces.iter_mut().zip(bits) {
                *face = self.fbits(ty, bits);
            }
            let [x0, x1, y0, y1, z0, z1] = faces;
            let (fx, fy, fz) = (
                self.b.select(below, x1, x0),
                self.b.select(below, y1, y0),
                self.b.select(below, z1, z0),
            );
            return pick(self, fx, fy, fz);
        }
        let (nx, ny, nz) = (self.flip(ty, x), self.flip(ty, y), self.flip(ty, z));
        let part = if op == FTernary::CubeSc {
            let for_z = self.b.select(below, nx, x);
            let for_x = self.b.select(below, z, nz);
            pick(self, for_x, x, for_z)
        } else {
            let for_y = self.b.select(below, nz, z);
            pick(self, ny, for_y, ny)
        };
        // The larger of it and itself: NaNs and subnormals as the mode has them.
        self.b.float(FOp::Max, ty, mode, &[part, part])
    }
}
