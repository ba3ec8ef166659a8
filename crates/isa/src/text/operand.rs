//! Registers and constants as text.

use std::fmt::{self, Write};

use super::{FLOATS, INV_TWO_PI_F64, Printer, SPECIALS};
use crate::operand::{FloatConst, Operand, SReg, Ty};
use crate::row::{OperandSpec, Row, Slot};
use crate::sem::{FBinary, FloatTy, Sem, Valu};

impl<W: Write> Printer<'_, W> {
    /// An operand of a type, without modifiers.
    pub(super) fn operand(&mut self, operand: Operand, ty: Ty) -> fmt::Result {
        match operand {
            Operand::S(r) => {
                let n = self.dwords(ty);
                self.sgpr(r, n)
            }
            Operand::V(v) => {
                let n = self.dwords(ty);
                self.vgpr(v, n)
            }
            Operand::Int(i) => write!(self.out, "{i}"),
            Operand::Float(f) => self.inline_float(f, ty),
            Operand::Literal(l) => self.literal(l, ty),
            Operand::Special(s) => {
                let name = SPECIALS.iter().find(|n| n.0 == s).map_or("", |n| n.1);
                self.out.write_str(name)
            }
            Operand::Imm(i) => write!(self.out, "{i}"),
            Operand::Off => self.out.write_str("off"),
        }
    }

    /// `n` VGPRs from `v` on.
    pub(super) fn vgpr(&mut self, v: u8, n: u32) -> fmt::Result {
        if n <= 1 {
            write!(self.out, "v{v}")
        } else {
            write!(self.out, "v[{v}:{}]", u32::from(v) + n - 1)
        }
    }

    /// `n` scalar registers from `r` on.
    pub(super) fn sgpr(&mut self, r: SReg, n: u32) -> fmt::Result {
        let code = r.code();
        let (name, first) = match code {
            0..=105 => ("s", code),
            108..=123 => ("ttmp", code - 108),
            _ => {
                let name = match (code, n) {
                    (106, 1) => "vcc_lo",
                    (106, _) => "vcc",
                    (107, _) => "vcc_hi",
                    (124, _) => "m0",
                    (125, _) => "null",
                    (126, 1) => "exec_lo",
                    (126, _) => "exec",
                    _ => "exec_hi",
                };
                return self.out.write_str(name);
            }
        };
        if n <= 1 {
            write!(self.out, "{name}{first}")
        } else {
            write!(self.out, "{name}[{first}:{}]", u32::from(first) + n - 1)
        }
    }

    fn inline_float(&mut self, f: FloatConst, ty: Ty) -> fmt::Result {
        // LLVM writes the bits that an integer operand of 16 bits takes, which read back as a
        // literal.
        if matches!(ty, Ty::B16 | Ty::U16 | Ty::I16) && !self.options.exact {
            return write!(self.out, "{:#x}", f.bits().0);
        }
        if f == FloatConst::InvTwoPi && ty.bits() == Some(64) {
            return self.out.write_str(INV_TWO_PI_F64);
        }
        let name = FLOATS.iter().find(|n| n.0 == f).map_or("", |n| n.1);
        self.out.write_str(name)
    }

    /// A literal. LLVM names the inline constant of the same value where there is one.
    fn literal(&mut self, l: u32, ty: Ty) -> fmt::Result {
        let same = inline_of_literal(l, ty);
        if self.options.exact {
            let cut = ty.bits() == Some(16) && l > 0xffff;
            return if same.is_some() || cut {
                write!(self.out, "lit({l:#x})")
            } else {
                self.literal_hex(l, ty)
            };
        }
        match same {
            Some(Operand::Int(i)) => write!(self.out, "{i}"),
            Some(Operand::Float(f)) => {
                if f == FloatConst::InvTwoPi && ty.bits() == Some(64) {
                    return self.out.write_str(INV_TWO_PI_F64);
                }
                let name = FLOATS.iter().find(|n| n.0 == f).map_or("", |n| n.1);
                self.out.write_str(name)
            }
            _ => self.literal_hex(l, ty),
        }
    }

    fn literal_hex(&mut self, l: u32, ty: Ty) -> fmt::Result {
        match ty.bits() {
            Some(16) => write!(self.out, "{:#x}", l & 0xffff),
            _ => write!(self.out, "{l:#x}"),
        }
    }
}

/// The type by which LLVM spells a constant of an operand: it takes the exponent of V_LDEXP_F16 and
/// the class mask of V_CMP_CLASS_F16 for halves.
pub(crate) fn spelling_ty(row: &Row, spec: &OperandSpec) -> Ty {
    let half = matches!(
        row.sem,
        Sem::Valu(
            Valu::FBinary(FBinary::Ldexp, FloatTy::F16)
                | Valu::CmpClass {
                    ty: FloatTy::F16,
                    ..
                }
        )
    );
    match spec.slot {
        Slot::Src1 if half => Ty::F16,
        _ => spec.ty,
    }
}

/// A literal that is a small integer.
pub(super) fn small_int(l: u32) -> Option<i32> {
    let i = l as i32;
    (-16..=64).contains(&i).then_some(i)
}

/// The inline constant that LLVM's text gives a literal of a type.
pub(crate) fn inline_of_literal(l: u32, ty: Ty) -> Option<Operand> {
    let int = |v: i64| (-16..=64).contains(&v).then_some(Operand::Int(v as i8));
    let float = |pick: fn(FloatConst) -> u64, bits: u64| {
        FLOATS
            .iter()
            .find(|n| pick(n.0) == bits)
            .map(|n| Operand::Float(n.0))
    };
    let half = |f: FloatConst| u64::from(f.bits().0);
    let single = |f: FloatConst| u64::from(f.bits().1);
    let double = |f: FloatConst| f.bits().2;
    match ty {
        Ty::F16 => int(i64::from(l as i16)).or_else(|| float(half, u64::from(l & 0xffff))),
        Ty::PkF16 => int(i64::from(l as i32)).or_else(|| float(half, u64::from(l))),
        Ty::F64 => match l {
            0 => Some(Operand::Int(0)),
            _ => float(double, u64::from(l) << 32),
        },
        _ if ty.bits() == Some(64) => int(i64::from(l)),
        _ => int(i64::from(l as i32)).or_else(|| float(single, u64::from(l))),
    }
}
