//! Conversions and packs of the vector ALU.

use spirdna_isa::Cvt;
use spirdna_isa::launch::Round;

use super::super::Lift;
use super::Vop;
use crate::error::Reason;
use crate::ir::{FMode, FOp, FTy, Value};

impl Lift<'_> {
    pub(super) fn v_convert(&mut self, v: &Vop<'_>, cvt: Cvt) -> Result<(), Reason> {
        let (m16, m32) = (self.fmode(FTy::F16), self.fmode(FTy::F32));
        match cvt {
            Cvt::F32FromI32 | Cvt::F32FromU32 => {
                let x = self.vsrc32(v, 0)?;
                let op = FOp::FromInt {
                    signed: cvt == Cvt::F32FromI32,
                };
                let x = self.b.float(op, FTy::F32, m32, &[x]);
                self.set_vfloat(v, x, FTy::F32)
            }
            Cvt::F32FromUbyte(n) => {
                let x = self.vsrc32(v, 0)?;
                let x = self.b.field_u(x, u32::from(n) * 8, 8);
                let x = self
                    .b
                    .float(FOp::FromInt { signed: false }, FTy::F32, m32, &[x]);
                self.set_vfloat(v, x, FTy::F32)
            }
            Cvt::U32FromF32 | Cvt::I32FromF32 => {
                let x = self.vsrc32(v, 0)?;
                let op = FOp::ToInt {
                    signed: cvt == Cvt::I32FromF32,
                };
                let x = self.b.float(op, FTy::F32, m32, &[x]);
                self.set_vdst(v, 0, x)
            }
            Cvt::FlrI32FromF32 => {
                let x = self.vsrc32(v, 0)?;
                let x = self.b.float(FOp::Floor, FTy::F32, m32, &[x]);
                let x = self
                    .b
                    .float(FOp::ToInt { signed: true }, FTy::F32, m32, &[x]);
                self.set_vdst(v, 0, x)
            }
            Cvt::F16FromF32 => {
                let x = self.vsrc32(v, 0)?;
                let x = self.flushed32(x);
                let x = self.b.float(FOp::FromFloat(FTy::F32), FTy::F16, m16, &[x]);
                self.set_vfloat(v, x, FTy::F16)
            }
            Cvt::F32FromF16 => {
                let x = self.vsrc32(v, 0)?;
                // The f16 denormal mode decides what a subnormal half is; the result is never subnormal.
                let mode = FMode {
                    denorm: m16.denorm,
                    ..m32
                };
                let x = self.b.float(FOp::FromFloat(FTy::F16), FTy::F32, mode, &[x]);
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
                let x = self.b.float(FOp::FromInt { signed }, FTy::F16, m16, &[x]);
                self.set_vfloat(v, x, FTy::F16)
            }
            Cvt::U16FromF16 | Cvt::I16FromF16 => {
                let x = self.vsrc32(v, 0)?;
                let signed = cvt == Cvt::I16FromF16;
                let x = self.b.float(FOp::ToInt { signed }, FTy::F16, m16, &[x]);
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
                    Ok(lift.b.float(FOp::FromFloat(FTy::F32), FTy::F16, mode, &[x]))
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
            Cvt::RpiI32FromF32
            | Cvt::OffF32FromI4
            | Cvt::F32FromF64
            | Cvt::F64FromF32
            | Cvt::U32FromF64
            | Cvt::I32FromF64
            | Cvt::F64FromI32
            | Cvt::F64FromU32
            | Cvt::NormI16FromF16
            | Cvt::NormU16FromF16
            | Cvt::PkNormI16FromF32
            | Cvt::PkNormU16FromF32
            | Cvt::PkNormI16FromF16
            | Cvt::PkNormU16FromF16
            | Cvt::PkU8FromF32
            | Cvt::SatPkU8FromI16 => Err(Reason::Meaning),
        }
    }

    /// An f32 operand as MODE's f32 denormals say: the conversion itself knows the result's mode only.
    fn flushed32(&mut self, x: Value) -> Value {
        if !self.mode.denorm32.flushes_in() {
            return x;
        }
        let exponent = self.b.and32(x, 0x7f80_0000);
        let small = self.b.eq32(exponent, 0);
        let zero = self.b.and32(x, 0x8000_0000);
        self.b.select(small, zero, x)
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
