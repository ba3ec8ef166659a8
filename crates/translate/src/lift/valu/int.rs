//! Integer arithmetic of the vector ALU.

use spirdna_isa::{IBinary, ITernary, IUnary, IntTy, Operand, Sign, Valu};

use super::super::Lift;
use super::super::salu::int_sign;
use super::Vop;
use crate::error::Reason;
use crate::ir::{Input, Value};

impl Lift<'_> {
    pub(super) fn v_int_unary(&mut self, v: &Vop<'_>, op: IUnary) -> Result<(), Reason> {
        let x = self.vsrc32(v, 0)?;
        let x = match op {
            IUnary::Not => self.b.not(x),
            IUnary::Bfrev => self.b.bit_reverse(x),
            IUnary::FfbhU32 => self.zeros_above(x),
            IUnary::FfbhI32 => {
                let sign = self.b.sar_by(x, 31);
                let x = self.b.xor(x, sign);
                self.zeros_above(x)
            }
            IUnary::FfblB32 => self.b.find_lsb(x),
        };
        self.set_vdst(v, 0, x)
    }

    /// Leading zeros of 32 bits, -1 for 0.
    fn zeros_above(&mut self, x: Value) -> Value {
        let top = self.b.find_umsb(x);
        let last = self.b.const32(31);
        let count = self.b.sub(last, top);
        let minus = self.b.const32(u32::MAX);
        let none = self.b.eq(top, minus);
        self.b.select(none, minus, count)
    }

    pub(super) fn v_int_binary(&mut self, v: &Vop<'_>, op: IBinary) -> Result<(), Reason> {
        match op {
            IBinary::Add(ty) => self.v_add_sub(v, ty, false, false),
            IBinary::Sub(ty) => self.v_add_sub(v, ty, true, false),
            IBinary::SubRev(ty) => self.v_add_sub(v, ty, true, true),
            IBinary::ShlRev(ty) | IBinary::ShrRev(ty) if is_wide(ty) => {
                let (n, x) = (self.vsrc32(v, 0)?, self.vsrc64(v, 1)?);
                let x = match (op, int_sign(ty)) {
                    (IBinary::ShlRev(_), _) => self.b.shl(x, n),
                    (_, Sign::Unsigned) => self.b.shr_u(x, n),
                    (_, Sign::Signed) => self.b.shr_s(x, n),
                };
                self.set_vdst64(v, 0, x)
            }
            IBinary::ShlRev(ty) | IBinary::ShrRev(ty) => {
                let (n, x) = (self.vsrc32(v, 0)?, self.vsrc32(v, 1)?);
                let narrow = is_narrow(ty);
                let n = if narrow { self.b.and32(n, 15) } else { n };
                let x = match (op, int_sign(ty)) {
                    (IBinary::ShlRev(_), _) => self.b.shl(x, n),
                    (_, Sign::Unsigned) => self.b.shr_u(x, n),
                    (_, Sign::Signed) => {
                        let x = if narrow { self.b.field_s(x, 0, 16) } else { x };
                        self.b.shr_s(x, n)
                    }
                };
                self.set_vdst(v, 0, x)
            }
            _ => {
                let (x, y) = (self.vsrc32(v, 0)?, self.vsrc32(v, 1)?);
                let low = self.int2(op, x, y)?;
                let x = match (op, v.mods.clamp) {
                    (IBinary::MulI24, true) => {
                        let high = self.int2(IBinary::MulHiI24, x, y)?;
                        let wide = self.b.pack(low, high);
                        self.saturate64(Sign::Signed, wide)
                    }
                    (IBinary::MulU24, true) => {
                        let high = self.int2(IBinary::MulHiU24, x, y)?;
                        let wide = self.b.pack(low, high);
                        self.saturate64(Sign::Unsigned, wide)
                    }
                    _ => low,
                };
                self.set_vdst(v, 0, x)
            }
        }
    }

    fn int2(&mut self, op: IBinary, x: Value, y: Value) -> Result<Value, Reason> {
        Ok(match op {
            IBinary::MulI24 => {
                let (x, y) = (self.b.field_s(x, 0, 24), self.b.field_s(y, 0, 24));
                self.b.mul(x, y)
            }
            IBinary::MulHiI24 => {
                let (x, y) = (self.b.field_s(x, 0, 24), self.b.field_s(y, 0, 24));
                self.b.mul_hi_s(x, y)
            }
            IBinary::MulU24 => {
                let (x, y) = (self.b.and32(x, 0xff_ffff), self.b.and32(y, 0xff_ffff));
                self.b.mul(x, y)
            }
            IBinary::MulHiU24 => {
                let (x, y) = (self.b.and32(x, 0xff_ffff), self.b.and32(y, 0xff_ffff));
                self.b.mul_hi_u(x, y)
            }
            IBinary::MulLo(_) => self.b.mul(x, y),
            IBinary::MulHi(ty) => match int_sign(ty) {
                Sign::Unsigned => self.b.mul_hi_u(x, y),
                Sign::Signed => self.b.mul_hi_s(x, y),
            },
            IBinary::Min(ty) | IBinary::Max(ty) => {
                let (x, y) = (self.extend(ty, x), self.extend(ty, y));
                match (op, int_sign(ty)) {
                    (IBinary::Min(_), Sign::Unsigned) => self.b.umin(x, y),
                    (IBinary::Min(_), Sign::Signed) => self.b.smin(x, y),
                    (_, Sign::Unsigned) => self.b.umax(x, y),
                    (_, Sign::Signed) => self.b.smax(x, y),
                }
            }
            IBinary::Logic(logic) => self.logic(logic, x, y),
            IBinary::Bfm => {
                let one = self.b.const32(1);
                let end = self.b.shl(one, x);
                let ones = self.b.sub(end, one);
                self.b.shl(ones, y)
            }
            IBinary::BcntAdd => {
                let count = self.b.bit_count(x);
                self.b.add(count, y)
            }
            IBinary::MbcntLo | IBinary::MbcntHi => self.mbcnt(op == IBinary::MbcntHi, x, y),
            IBinary::Add(_)
            | IBinary::Sub(_)
            | IBinary::SubRev(_)
            | IBinary::ShlRev(_)
            | IBinary::ShrRev(_) => return Err(Reason::Meaning),
        })
    }

    /// Ones of the mask half below the lane, plus y.
    fn mbcnt(&mut self, high: bool, x: Value, y: Value) -> Value {
        let lane = self.b.input(Input::LaneId);
        let half = self.b.const32(32);
        let upper = self.b.ule(half, lane);
        let one = self.b.const32(1);
        let bit = self.b.shl(one, lane);
        let below = self.b.sub(bit, one);
        let (zero, ones) = (self.b.const32(0), self.b.const32(u32::MAX));
        let below = if high {
            self.b.select(upper, below, zero)
        } else {
            self.b.select(upper, ones, below)
        };
        let bits = self.b.and(x, below);
        let count = self.b.bit_count(bits);
        self.b.add(count, y)
    }

    /// A 16-bit value as 32 bits by its sign.
    pub(super) fn extend(&mut self, ty: IntTy, x: Value) -> Value {
        match ty {
            IntTy::I16 => self.b.field_s(x, 0, 16),
            IntTy::U16 => self.b.and32(x, 0xffff),
            IntTy::U32 | IntTy::I32 | IntTy::U64 | IntTy::I64 => x,
        }
    }

    fn v_add_sub(&mut self, v: &Vop<'_>, ty: IntTy, sub: bool, rev: bool) -> Result<(), Reason> {
        if is_wide(ty) {
            return Err(Reason::Meaning);
        }
        let (mut x, mut y) = (self.vsrc32(v, 0)?, self.vsrc32(v, 1)?);
        if rev {
            (x, y) = (y, x);
        }
        let x = if is_narrow(ty) {
            let (x, y) = (self.extend(ty, x), self.extend(ty, y));
            let z = if sub {
                self.b.sub(x, y)
            } else {
                self.b.add(x, y)
            };
            if v.mods.clamp { self.clamp16(ty, z) } else { z }
        } else {
            let z = if sub {
                self.b.sub(x, y)
            } else {
                self.b.add(x, y)
            };
            if v.mods.clamp {
                self.clamp32(ty, sub, x, y, z)
            } else {
                z
            }
        };
        self.set_vdst(v, 0, x)
    }

    /// Saturates an exact 32-bit result to 16 bits.
    pub(super) fn clamp16(&mut self, ty: IntTy, z: Value) -> Value {
        let (low, high) = if int_sign(ty) == Sign::Signed {
            (self.b.const32(0xffff_8000), self.b.const32(0x7fff))
        } else {
            (self.b.const32(0), self.b.const32(0xffff))
        };
        let z = self.b.smax(z, low);
        self.b.smin(z, high)
    }

    /// Saturates a wrapped 32-bit sum or difference.
    fn clamp32(&mut self, ty: IntTy, sub: bool, x: Value, y: Value, z: Value) -> Value {
        if int_sign(ty) == Sign::Unsigned {
            let (over, limit) = if sub {
                (self.b.ult(x, y), self.b.const32(0))
            } else {
                (self.b.ult(z, x), self.b.const32(u32::MAX))
            };
            return self.b.select(over, limit, z);
        }
        let (a, b) = if sub {
            (self.b.xor(x, y), self.b.xor(x, z))
        } else {
            (self.b.xor(x, z), self.b.xor(y, z))
        };
        let both = self.b.and(a, b);
        let zero = self.b.const32(0);
        let over = self.b.slt(both, zero);
        // The sign of x tells which way it went.
        let sign = self.b.sar_by(x, 31);
        let most = self.b.const32(0x7fff_ffff);
        let limit = self.b.xor(sign, most);
        self.b.select(over, limit, z)
    }

    pub(super) fn v_carry(&mut self, v: &Vop<'_>, sem: Valu) -> Result<(), Reason> {
        let (mut x, mut y) = (self.vsrc32(v, 0)?, self.vsrc32(v, 1)?);
        if matches!(sem, Valu::SubRevCo | Valu::SubRevCi) {
            (x, y) = (y, x);
        }
        let add = matches!(sem, Valu::AddCo | Valu::AddCi);
        let partial = if add {
            self.b.add(x, y)
        } else {
            self.b.sub(x, y)
        };
        let out = if add {
            self.b.ult(partial, x)
        } else {
            self.b.ult(x, y)
        };
        let (z, out) = if matches!(sem, Valu::AddCi | Valu::SubCi | Valu::SubRevCi) {
            let mask = self.src(v.inst, 2)?;
            let mask = self.read_mask(mask)?;
            let c = self.b.lane_bit(mask);
            let c = self.b.bool_int(c);
            let z = if add {
                self.b.add(partial, c)
            } else {
                self.b.sub(partial, c)
            };
            let more = if add {
                self.b.ult(z, partial)
            } else {
                self.b.ult(partial, c)
            };
            (z, self.b.or(out, more))
        } else {
            (partial, out)
        };
        let z = if v.mods.clamp {
            let limit = self.b.const32(if add { u32::MAX } else { 0 });
            self.b.select(out, limit, z)
        } else {
            z
        };
        self.set_vdst(v, 0, z)?;
        self.set_vmask(v, 1, out)
    }

    pub(super) fn v_mad64(&mut self, v: &Vop<'_>, sign: Sign) -> Result<(), Reason> {
        let (x, y) = (self.vsrc32(v, 0)?, self.vsrc32(v, 1)?);
        let z = self.vsrc64(v, 2)?;
        let lo = self.b.mul(x, y);
        let hi = match sign {
            Sign::Unsigned => self.b.mul_hi_u(x, y),
            Sign::Signed => self.b.mul_hi_s(x, y),
        };
        let product = self.b.pack(lo, hi);
        let sum = self.b.add(product, z);
        let carry = self.b.ult(sum, product);
        let carry = match sign {
            Sign::Unsigned => carry,
            // The 65th bit of the signed sum: the carry with both sign extensions added.
            Sign::Signed => {
                let zero = self.b.const32(0);
                let zhi = self.b.hi(z);
                let (a, b) = (self.b.slt(hi, zero), self.b.slt(zhi, zero));
                let signs = self.b.xor(a, b);
                self.b.xor(signs, carry)
            }
        };
        let sum = if v.mods.clamp {
            // The carry is bit 64 of the exact sum: of a signed one its sign.
            let (over, limit) = match sign {
                Sign::Unsigned => (carry, self.b.const64(u64::MAX)),
                Sign::Signed => {
                    let zero = self.b.const32(0);
                    let top = self.b.hi(sum);
                    let top = self.b.slt(top, zero);
                    let (least, most) = (self.b.const64(1 << 63), self.b.const64(u64::MAX >> 1));
                    (self.b.xor(top, carry), self.b.select(carry, least, most))
                }
            };
            self.b.select(over, limit, sum)
        } else {
            sum
        };
        self.set_vdst64(v, 0, sum)?;
        self.set_vmask(v, 1, carry)
    }

    pub(super) fn v_int_ternary(&mut self, v: &Vop<'_>, op: ITernary) -> Result<(), Reason> {
        if matches!(
            op,
            ITernary::QsadPkU16U8 | ITernary::MqsadPkU16U8 | ITernary::MqsadU32U8
        ) {
            return self.v_quads(v, op);
        }
        let (x, y) = (self.vsrc32(v, 0)?, self.vsrc32(v, 1)?);
        let z = self.vsrc32(v, 2)?;
        let x = if v.mods.clamp {
            self.int3_clamped(v, op, x, y, z)?
        } else {
            self.int3(v, op, x, y, z)?
        };
        self.set_vdst(v, 0, x)
    }

    /// With clamp: a sum saturates, what cannot overflow stays.
    fn int3_clamped(
        &mut self,
        v: &Vop<'_>,
        op: ITernary,
        x: Value,
        y: Value,
        z: Value,
    ) -> Result<Value, Reason> {
        let (sign, product) = match op {
            ITernary::Mad16(_)
            | ITernary::Min3(_)
            | ITernary::Max3(_)
            | ITernary::Med3(_)
            | ITernary::BfeU32
            | ITernary::BfeI32 => return self.int3(v, op, x, y, z),
            ITernary::MadI24 | ITernary::MadU24 => {
                let (low, high, sign) = if op == ITernary::MadI24 {
                    (IBinary::MulI24, IBinary::MulHiI24, Sign::Signed)
                } else {
                    (IBinary::MulU24, IBinary::MulHiU24, Sign::Unsigned)
                };
                let (low, high) = (self.int2(low, x, y)?, self.int2(high, x, y)?);
                (sign, self.b.pack(low, high))
            }
            ITernary::Mad32_16(sign) => {
                let zero = self.b.const32(0);
                let product = self.int3(v, op, x, y, zero)?;
                let wide = match sign {
                    Sign::Signed => self.b.sext(product),
                    Sign::Unsigned => self.b.zext(product),
                };
                (sign, wide)
            }
            ITernary::SadU8
            | ITernary::SadHiU8
            | ITernary::SadU16
            | ITernary::SadU32
            | ITernary::MsadU8 => {
                let zero = self.b.const32(0);
                let sum = self.int3(v, op, x, y, zero)?;
                (Sign::Unsigned, self.b.zext(sum))
            }
            _ => return Err(Reason::Modifier("clamp")),
        };
        let z = match sign {
            Sign::Signed => self.b.sext(z),
            Sign::Unsigned => self.b.zext(z),
        };
        let sum = self.b.add(product, z);
        Ok(self.saturate64(sign, sum))
    }

    /// Four sums of absolute differences, of the bytes from each of the first four of a 64-bit source on,
    /// into halves (with clamp saturated) or, `words`, into four registers.
    fn v_quads(&mut self, v: &Vop<'_>, op: ITernary) -> Result<(), Reason> {
        let words = op == ITernary::MqsadU32U8;
        let masked = op != ITernary::QsadPkU16U8;
        let (x, y) = (self.vsrc64(v, 0)?, self.vsrc32(v, 1)?);
        let addends: [Value; 4] = if words {
            let (Operand::V(n), _) = self.src(v.inst, 2)? else {
                return Err(Reason::Operand("source"));
            };
            [
                self.vreg(n),
                self.vreg_at(n, 1)?,
                self.vreg_at(n, 2)?,
                self.vreg_at(n, 3)?,
            ]
        } else {
            let z = self.vsrc64(v, 2)?;
            let (lo, hi) = (self.b.lo(z), self.b.hi(z));
            [
                self.b.field_u(lo, 0, 16),
                self.b.field_u(lo, 16, 16),
                self.b.field_u(hi, 0, 16),
                self.b.field_u(hi, 16, 16),
            ]
        };
        let sad = if masked {
            ITernary::MsadU8
        } else {
            ITernary::SadU8
        };
        let mut sums = addends;
        for (i, (sum, &z)) in sums.iter_mut().zip(&addends).enumerate() {
            let part = self.b.shr_by(x, 8 * i as u32);
            let part = self.b.lo(part);
            *sum = match (words, v.mods.clamp) {
                (true, true) => self.int3_clamped(v, sad, part, y, z)?,
                (true, false) => self.int3(v, sad, part, y, z)?,
                (false, clamp) => {
                    let sum = self.int3(v, sad, part, y, z)?;
                    if clamp {
                        self.clamp16(IntTy::U16, sum)
                    } else {
                        sum
                    }
                }
            };
        }
        if words {
            let n = self.vector_dst(v.inst, 0)?;
            for (i, sum) in sums.into_iter().enumerate() {
                let at = super::super::access::vector_at(n, i as u32)?;
                self.set_vreg_where(at, sum, v.lanes);
            }
            return Ok(());
        }
        let (lo, hi) = (
            self.pack_halves(sums[0], sums[1]),
            self.pack_halves(sums[2], sums[3]),
        );
        let wide = self.b.pack(lo, hi);
        self.set_vdst64(v, 0, wide)
    }

    fn int3(
        &mut self,
        v: &Vop<'_>,
        op: ITernary,
        x: Value,
        y: Value,
        z: Value,
    ) -> Result<Value, Reason> {
        Ok(match op {
            ITernary::MadI24 => {
                let x = self.int2(IBinary::MulI24, x, y)?;
                self.b.add(x, z)
            }
            ITernary::MadU24 => {
                let x = self.int2(IBinary::MulU24, x, y)?;
                self.b.add(x, z)
            }
            ITernary::Mad16(sign) => self.mad16(v, sign, x, y, z),
            ITernary::Mad32_16(sign) => {
                let ty = if sign == Sign::Signed {
                    IntTy::I16
                } else {
                    IntTy::U16
                };
                let (x, y) = (self.extend(ty, x), self.extend(ty, y));
                let x = self.b.mul(x, y);
                self.b.add(x, z)
            }
            ITernary::Min3(ty) | ITernary::Max3(ty) => {
                let two = if matches!(op, ITernary::Min3(_)) {
                    IBinary::Min(ty)
                } else {
                    IBinary::Max(ty)
                };
                let x = self.int2(two, x, y)?;
                self.int2(two, x, z)?
            }
            ITernary::Med3(ty) => {
                let (min, max) = (IBinary::Min(ty), IBinary::Max(ty));
                let (low, high) = (self.int2(min, x, y)?, self.int2(max, x, y)?);
                let high = self.int2(min, high, z)?;
                self.int2(max, low, high)?
            }
            ITernary::BfeU32 | ITernary::BfeI32 => {
                let at = self.b.and32(y, 31);
                let n = self.b.and32(z, 31);
                // Bits past the top are zero, or the sign.
                let signed = op == ITernary::BfeI32;
                let x = if signed {
                    self.b.shr_s(x, at)
                } else {
                    self.b.shr_u(x, at)
                };
                let zero = self.b.const32(0);
                self.b_low_bits(x, zero, n, signed)
            }
            ITernary::Bfi => {
                let a = self.b.and(x, y);
                let x = self.b.not(x);
                let b = self.b.and(x, z);
                self.b.or(a, b)
            }
            ITernary::AlignBit => {
                let n = self.b.and32(z, 31);
                let wide = self.b.pack(y, x);
                let wide = self.b.shr_u(wide, n);
                self.b.lo(wide)
            }
            ITernary::AlignByte => {
                let n = self.b.and32(z, 3);
                let n = self.b.shl_by(n, 3);
                let wide = self.b.pack(y, x);
                let wide = self.b.shr_u(wide, n);
                self.b.lo(wide)
            }
            ITernary::Perm => self.perm(x, y, z),
            ITernary::LerpU8 => {
                let mut sum = self.b.const32(0);
                for byte in 0..4 {
                    let (a, c) = (
                        self.b.field_u(x, byte * 8, 8),
                        self.b.field_u(y, byte * 8, 8),
                    );
                    let round = self.b.field_u(z, byte * 8, 1);
                    let s = self.b.add(a, c);
                    let s = self.b.add(s, round);
                    let s = self.b.shr_by(s, 1);
                    let s = self.b.shl_by(s, byte * 8);
                    sum = self.b.or(sum, s);
                }
                sum
            }
            ITernary::SadU8 | ITernary::SadHiU8 | ITernary::SadU16 | ITernary::SadU32 => {
                let width = match op {
                    ITernary::SadU32 => 32,
                    ITernary::SadU16 => 16,
                    _ => 8,
                };
                let mut sum = self.b.const32(0);
                for at in (0..32).step_by(width as usize) {
                    let (a, c) = (self.b.field_u(x, at, width), self.b.field_u(y, at, width));
                    let d = self.abs_diff(a, c);
                    sum = self.b.add(sum, d);
                }
                if op == ITernary::SadHiU8 {
                    sum = self.b.shl_by(sum, 16);
                }
                self.b.add(sum, z)
            }
            ITernary::MsadU8 => {
                let mut sum = z;
                for at in [0, 8, 16, 24] {
                    let (a, c) = (self.b.field_u(x, at, 8), self.b.field_u(y, at, 8));
                    let d = self.abs_diff(a, c);
                    let zero = self.b.const32(0);
                    let masked = self.b.eq(c, zero);
                    let d = self.b.select(masked, zero, d);
                    sum = self.b.add(sum, d);
                }
                sum
            }
            ITernary::LshlAdd => {
                let x = self.b.shl(x, y);
                self.b.add(x, z)
            }
            ITernary::AddLshl => {
                let x = self.b.add(x, y);
                self.b.shl(x, z)
            }
            ITernary::Add3 => {
                let x = self.b.add(x, y);
                self.b.add(x, z)
            }
            ITernary::LshlOr => {
                let x = self.b.shl(x, y);
                self.b.or(x, z)
            }
            ITernary::AndOr => {
                let x = self.b.and(x, y);
                self.b.or(x, z)
            }
            ITernary::Or3 => {
                let x = self.b.or(x, y);
                self.b.or(x, z)
            }
            ITernary::Xor3 => {
                let x = self.b.xor(x, y);
                self.b.xor(x, z)
            }
            ITernary::Xad => {
                let x = self.b.xor(x, y);
                self.b.add(x, z)
            }
            ITernary::QsadPkU16U8 | ITernary::MqsadPkU16U8 | ITernary::MqsadU32U8 => {
                return Err(Reason::Meaning);
            }
        })
    }

    /// The low n bits (n below 32), extended by zero or sign; 0 where n is 0.
    fn b_low_bits(&mut self, x: Value, zero: Value, n: Value, signed: bool) -> Value {
        let whole = self.b.const32(32);
        let spare = self.b.sub(whole, n);
        let up = self.b.shl(x, spare);
        let down = if signed {
            self.b.shr_s(up, spare)
        } else {
            self.b.shr_u(up, spare)
        };
        let none = self.b.eq(n, zero);
        self.b.select(none, zero, down)
    }

    fn abs_diff(&mut self, x: Value, y: Value) -> Value {
        let (high, low) = (self.b.umax(x, y), self.b.umin(x, y));
        self.b.sub(high, low)
    }

    fn mad16(&mut self, v: &Vop<'_>, sign: Sign, x: Value, y: Value, z: Value) -> Value {
        let ty = if sign == Sign::Signed {
            IntTy::I16
        } else {
            IntTy::U16
        };
        let (x, y, z) = (self.extend(ty, x), self.extend(ty, y), self.extend(ty, z));
        let product = self.b.mul(x, y);
        let sum = self.b.add(product, z);
        if !v.mods.clamp {
            return sum;
        }
        match sign {
            Sign::Signed => self.clamp16(ty, sum),
            // 0xffff * 0xffff + 0xffff still fits 32 unsigned bits.
            Sign::Unsigned => {
                let most = self.b.const32(0xffff);
                self.b.umin(sum, most)
            }
        }
    }

    /// Bytes of {x, y} by selectors: 0-3 of y, 4-7 of x, 8-11 sign of a word's or byte pair's top, 12
    /// zero, 13 and above 0xff.
    fn perm(&mut self, x: Value, y: Value, z: Value) -> Value {
        let wide = self.b.pack(y, x);
        let mut result = self.b.const32(0);
        for byte in 0..4 {
            let sel = self.b.field_u(z, byte * 8, 8);
            let at = self.b.and32(sel, 7);
            let at = self.b.shl_by(at, 3);
            let plain = self.b.shr_u(wide, at);
            let plain = self.b.lo(plain);
            let plain = self.b.and32(plain, 0xff);
            // Sign of byte 1, 3, 5 or 7 for selectors 8 to 11.
            let pair = self.b.and32(sel, 3);
            let at = self.b.shl_by(pair, 4);
            let at = self.b.add32(at, 15);
            let sign = self.b.shr_u(wide, at);
            let sign = self.b.lo(sign);
            let sign = self.b.field_s(sign, 0, 1);
            let sign = self.b.and32(sign, 0xff);
            let (zero, ones) = (self.b.const32(0), self.b.const32(0xff));
            let (c8, c12) = (self.b.const32(8), self.b.const32(12));
            let is_plain = self.b.ult(sel, c8);
            let is_sign = self.b.ult(sel, c12);
            let is_zero = self.b.eq(sel, c12);
            let pick = self.b.select(is_zero, zero, ones);
            let pick = self.b.select(is_sign, sign, pick);
            let pick = self.b.select(is_plain, plain, pick);
            let pick = self.b.shl_by(pick, byte * 8);
            result = self.b.or(result, pick);
        }
        result
    }
}

const fn is_wide(ty: IntTy) -> bool {
    matches!(ty, IntTy::U64 | IntTy::I64)
}

const fn is_narrow(ty: IntTy) -> bool {
    matches!(ty, IntTy::U16 | IntTy::I16)
}
