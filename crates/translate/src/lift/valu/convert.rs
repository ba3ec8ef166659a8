//! Conversions and packs of the vector ALU.

use spirdna_isa::launch::{Denorm, Round};
use spirdna_isa::{Cvt, Ty};

use super::super::Lift;
use super::Vop;
use crate::error::Reason;
use crate::ir::{FMode, FOp, FTy, Kind, Value};

impl Lift<'_> {
    pub(super) fn v_convert(&mut self, v: &Vop<'_>, cvt: Cvt) -> Result<(), Reason> {
        let (m16, m32) = (self.fmode(FTy::F16), self.fmode(FTy::F32));
        match cvt {
            Cvt::F32FromI32 | Cvt::F32FromU32 => {
                let x = self.vsrc32(v, 0)?;
                let op = FOp::FromInt {
                    signed: cvt == Cvt::F32FromI32,
                };
                let x = self.float(op, FTy::F32, m32, &[x]);
                self.set_vfloat(v, x, FTy::F32)
            }
            Cvt::F32FromUbyte(n) => {
                let x = self.vsrc32(v, 0)?;
                let x = self.b.field_u(x, u32::from(n) * 8, 8);
                let x = self.float(FOp::FromInt { signed: false }, FTy::F32, m32, &[x]);
                self.set_vfloat(v, x, FTy::F32)
            }
            Cvt::U32FromF32 | Cvt::I32FromF32 => {
                let x = self.vsrc32(v, 0)?;
                let op = FOp::ToInt {
                    signed: cvt == Cvt::I32FromF32,
                };
                let x = self.float(op, FTy::F32, m32, &[x]);
                self.set_vdst(v, 0, x)
            }
            Cvt::FlrI32FromF32 | Cvt::RpiI32FromF32 => {
                let x = self.vsrc32(v, 0)?;
                let x = self.floor_i32(x, cvt == Cvt::RpiI32FromF32);
                self.set_vdst(v, 0, x)
            }
            Cvt::F16FromF32 => {
                let x = self.vsrc32(v, 0)?;
                let x = self.convert_float(FTy::F32, FTy::F16, x);
                self.set_vfloat(v, x, FTy::F16)
            }
            Cvt::F32FromF16 => {
                let x = self.vsrc32(v, 0)?;
                let x = self.convert_float(FTy::F16, FTy::F32, x);
                self.set_vfloat(v, x, FTy::F32)
            }
            Cvt::F16FromU16 | Cvt::F16FromI16 => {
                let x = self.vsrc32(v, 0)?;
                let signed = cvt == Cvt::F16FromI16;
                let x = if signed {
                    self.b.field_s(x, 0, 16)
                } else {
                    self.b.and32(x, 0xffff)
                };
                let x = self.float(FOp::FromInt { signed }, FTy::F16, m16, &[x]);
                self.set_vfloat(v, x, FTy::F16)
            }
            Cvt::U16FromF16 | Cvt::I16FromF16 => {
                let x = self.vsrc32(v, 0)?;
                let signed = cvt == Cvt::I16FromF16;
                let x = self.float(FOp::ToInt { signed }, FTy::F16, m16, &[x]);
                // An infinity saturates at 32 bits; a half's other values fit before this clamp acts.
                let x = self.saturate16(signed, x);
                self.set_vdst(v, 0, x)
            }
            Cvt::PkRtzF16FromF32 => {
                let mode = FMode {
                    round: Round::TowardZero,
                    ..m16
                };
                let half = |lift: &mut Self, i| -> Result<Value, Reason> {
                    let x = lift.vsrc32(v, i)?;
                    Ok(lift.float(FOp::FromFloat(FTy::F32), FTy::F16, mode, &[x]))
                };
                let (lo, hi) = (half(self, 0)?, half(self, 1)?);
                let x = self.pack_halves(lo, hi);
                self.set_vdst(v, 0, x)
            }
            Cvt::PackB32FromF16 => {
                let (lo, hi) = (self.vsrc32(v, 0)?, self.vsrc32(v, 1)?);
                let x = self.pack_halves(lo, hi);
                self.set_vdst(v, 0, x)
            }
            Cvt::PkU16FromU32 => {
                let (x, y) = (self.vsrc32(v, 0)?, self.vsrc32(v, 1)?);
                let most = self.b.const32(0xffff);
                let (x, y) = (self.b.umin(x, most), self.b.umin(y, most));
                let x = self.pack_halves(x, y);
                self.set_vdst(v, 0, x)
            }
            Cvt::PkI16FromI32 => {
                let (x, y) = (self.vsrc32(v, 0)?, self.vsrc32(v, 1)?);
                let (x, y) = (self.saturate16(true, x), self.saturate16(true, y));
                let x = self.pack_halves(x, y);
                self.set_vdst(v, 0, x)
            }
            Cvt::OffF32FromI4 => {
                let x = self.vsrc32(v, 0)?;
                let x = self.b.field_s(x, 0, 4);
                let x = self.float(FOp::FromInt { signed: true }, FTy::F32, m32, &[x]);
                let by = self.b.const32((-4i32) as u32);
                let x = self.float(FOp::Ldexp, FTy::F32, m32, &[x, by]);
                self.set_vfloat(v, x, FTy::F32)
            }
            Cvt::F32FromF64 => {
                let x = self.vsrc64(v, 0)?;
                let x = self.convert_float(FTy::F64, FTy::F32, x);
                self.set_vfloat(v, x, FTy::F32)
            }
            Cvt::F64FromF32 => {
                let x = self.vsrc32(v, 0)?;
                let x = self.convert_float(FTy::F32, FTy::F64, x);
                self.set_vfloat(v, x, FTy::F64)
            }
            Cvt::U32FromF64 | Cvt::I32FromF64 => {
                let x = self.vsrc64(v, 0)?;
                let signed = cvt == Cvt::I32FromF64;
                let m64 = self.fmode(FTy::F64);
                let x = self.float(FOp::ToInt { signed }, FTy::F64, m64, &[x]);
                self.set_vdst(v, 0, x)
            }
            Cvt::F64FromI32 | Cvt::F64FromU32 => {
                let x = self.vsrc32(v, 0)?;
                let signed = cvt == Cvt::F64FromI32;
                let m64 = self.fmode(FTy::F64);
                let x = self.float(FOp::FromInt { signed }, FTy::F64, m64, &[x]);
                self.set_vfloat(v, x, FTy::F64)
            }
            Cvt::NormI16FromF16 | Cvt::NormU16FromF16 => {
                let x = self.vsrc32(v, 0)?;
                let x = self.convert_float(FTy::F16, FTy::F32, x);
                let x = self.norm16(x, cvt == Cvt::NormI16FromF16);
                self.set_vdst(v, 0, x)
            }
            Cvt::PkNormI16FromF16 | Cvt::PkNormU16FromF16 => {
                let mut halves = [self.b.const32(0); 2];
                for (i, half) in halves.iter_mut().enumerate() {
                    let x = self.vsrc32(v, i)?;
                    let x = self.convert_float(FTy::F16, FTy::F32, x);
                    *half = self.norm16(x, cvt == Cvt::PkNormI16FromF16);
                }
                let x = self.pack_halves(halves[0], halves[1]);
                self.set_vdst(v, 0, x)
            }
            Cvt::PkNormI16FromF32 | Cvt::PkNormU16FromF32 => {
                let mut halves = [self.b.const32(0); 2];
                for (i, half) in halves.iter_mut().enumerate() {
                    let x = self.vsrc32(v, i)?;
                    *half = self.norm16(x, cvt == Cvt::PkNormI16FromF32);
                }
                let x = self.pack_halves(halves[0], halves[1]);
                self.set_vdst(v, 0, x)
            }
            Cvt::PkU8FromF32 => {
                let x = self.vsrc32(v, 0)?;
                let (at, old) = (self.vsrc32(v, 1)?, self.vsrc32(v, 2)?);
                let x = self.float(FOp::Rndne, FTy::F32, m32, &[x]);
                let x = self.float(FOp::ToInt { signed: false }, FTy::F32, m32, &[x]);
                let ones = self.b.const32(0xff);
                let x = self.b.umin(x, ones);
                let at = self.b.and32(at, 3);
                let at = self.b.shl_by(at, 3);
                let (x, mask) = (self.b.shl(x, at), self.b.shl(ones, at));
                let mask = self.b.not(mask);
                let kept = self.b.and(old, mask);
                let x = self.b.or(kept, x);
                self.set_vdst(v, 0, x)
            }
            Cvt::SatPkU8FromI16 => {
                let x = self.vsrc32(v, 0)?;
                let (zero, most) = (self.b.const32(0), self.b.const32(0xff));
                let mut bytes = [zero; 2];
                for (i, byte) in bytes.iter_mut().enumerate() {
                    let x = self.b.field_s(x, 16 * i as u32, 16);
                    let x = self.b.smax(x, zero);
                    *byte = self.b.smin(x, most);
                }
                let high = self.b.shl_by(bytes[1], 8);
                let x = self.b.or(bytes[0], high);
                // The upper half becomes 0 (measured).
                let n = self.vector_dst(v.inst, 0)?;
                self.set_vdst_of(v, (n, Ty::B32), x, v.lanes);
                Ok(())
            }
        }
    }

    /// A float in another width. The source's denormals go by its own mode, the result's rounding and
    /// denormals by that of its type.
    pub(super) fn convert_float(&mut self, from: FTy, to: FTy, x: Value) -> Value {
        let (source, result) = (self.fmode(from), self.fmode(to));
        let widens = matches!((from, to), (FTy::F16, _) | (FTy::F32, FTy::F64));
        if widens {
            // Exact, and the result is never subnormal.
            let mode = FMode {
                denorm: source.denorm,
                ..result
            };
            return self.float(FOp::FromFloat(from), to, mode, &[x]);
        }
        // A subnormal source shows where a direction rounds it up.
        let x = self.finput(from, x);
        let denorm = if result.denorm.flushes_out() {
            Denorm::FlushOut
        } else {
            Denorm::Allow
        };
        let mode = FMode { denorm, ..result };
        self.float(FOp::FromFloat(from), to, mode, &[x])
    }

    /// floor(x), or floor(x + 1/2), as an i32; a NaN saturates by its sign.
    fn floor_i32(&mut self, x: Value, half_up: bool) -> Value {
        let mode = FMode {
            round: Round::NearestEven,
            ..self.fmode(FTy::F32)
        };
        let floor = self.float(FOp::Floor, FTy::F32, mode, &[x]);
        let mut out = self.float(FOp::ToInt { signed: true }, FTy::F32, mode, &[floor]);
        if half_up {
            // The rest is exact but for a tiny negative x, where it is near 1.
            let minus = self.flip(FTy::F32, floor);
            let rest = self.float(FOp::Add, FTy::F32, mode, &[x, minus]);
            let half = self.b.const32(0x3f00_0000);
            let up = self.float(FOp::Le, FTy::F32, mode, &[half, rest]);
            let up = self.b.bool_int(up);
            out = self.b.add(out, up);
        }
        let (least, most) = (self.b.const32(0x8000_0000), self.b.const32(0x7fff_ffff));
        let zero = self.b.const32(0);
        let negative = self.b.slt(x, zero);
        let limit = self.b.select(negative, least, most);
        let nan = self.fis_nan(FTy::F32, x);
        self.b.select(nan, limit, out)
    }

    /// An f32 times 32767 (signed) or 65535, limited, to nearest even; 0 for a NaN.
    fn norm16(&mut self, x: Value, signed: bool) -> Value {
        let name = if signed { "snorm16" } else { "unorm16" };
        let id = self.helper(name, &[Kind::I32], |b, params| {
            let &[x] = params else { return b.const32(0) };
            let abs = b.and32(x, 0x7fff_ffff);
            let (one, inf) = (b.const32(0x3f80_0000), b.const32(0x7f80_0000));
            let nan = b.ult(inf, abs);
            let near = b.umin(abs, one);
            let exp = b.shr_by(near, 23);
            let frac = b.and32(near, 0x7f_ffff);
            let hidden = b.const32(0x80_0000);
            let sig = b.or(frac, hidden);
            let scale = b.const32(if signed { 0x7fff } else { 0xffff });
            let (lo, hi) = (b.mul(sig, scale), b.mul_hi_u(sig, scale));
            let product = b.pack(lo, hi);
            // Subnormals are far below a half like all small numbers.
            let from = b.const32(127 + 23);
            let by = b.sub(from, exp);
            let most = b.const32(63);
            let by = b.umin(by, most);
            let whole = b.shr_u(product, by);
            let back = b.shl(whole, by);
            let rest = b.sub(product, back);
            let one32 = b.const32(1);
            let below = b.sub(by, one32);
            let unit = b.const64(1);
            let half = b.shl(unit, below);
            let whole = b.lo(whole);
            let (over, tie) = (b.ult(half, rest), b.eq(half, rest));
            let odd = b.and32(whole, 1);
            let odd = b.eq32(odd, 1);
            let up = b.and(tie, odd);
            let up = b.or(up, over);
            let up = b.bool_int(up);
            let magnitude = b.add(whole, up);
            let zero = b.const32(0);
            let negative = b.slt(x, zero);
            let below = if signed { b.sub(zero, magnitude) } else { zero };
            let out = b.select(negative, below, magnitude);
            b.select(nan, zero, out)
        });
        self.b.call(id, Kind::I32, &[x])
    }

    /// Two halves in one register.
    pub(super) fn pack_halves(&mut self, lo: Value, hi: Value) -> Value {
        let lo = self.b.and32(lo, 0xffff);
        let hi = self.b.shl_by(hi, 16);
        self.b.or(lo, hi)
    }

    /// A 32-bit integer saturated to 16 bits.
    fn saturate16(&mut self, signed: bool, x: Value) -> Value {
        if signed {
            let (low, high) = (self.b.const32(0xffff_8000), self.b.const32(0x7fff));
            let x = self.b.smax(x, low);
            self.b.smin(x, high)
        } else {
            let most = self.b.const32(0xffff);
            self.b.umin(x, most)
        }
    }
}
