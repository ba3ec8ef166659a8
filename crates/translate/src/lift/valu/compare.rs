//! Comparisons: a mask of the active lanes, or EXEC.

use spirdna_isa::{CmpTy, Cond, FloatTy, IntTy};

use super::super::Lift;
use super::super::salu::int_sign;
use super::Vop;
use super::float::fty;
use crate::error::Reason;
use crate::ir::{FOp, Value};

impl Lift<'_> {
    pub(super) fn v_compare(&mut self, v: &Vop<'_>, cond: Cond, ty: CmpTy) -> Result<(), Reason> {
        let result = match ty {
            CmpTy::Int(ty) => {
                let (x, y) = if matches!(ty, IntTy::U64 | IntTy::I64) {
                    (self.vsrc64(v, 0)?, self.vsrc64(v, 1)?)
                } else {
                    let (x, y) = (self.vsrc32(v, 0)?, self.vsrc32(v, 1)?);
                    (self.extend(ty, x), self.extend(ty, y))
                };
                self.int_cond(cond, int_sign(ty), x, y)
            }
            CmpTy::Float(ty) => {
                let (x, y) = (self.vfloat(v, 0, ty)?, self.vfloat(v, 1, ty)?);
                self.float_cond(cond, ty, x, y)
            }
        };
        self.set_vmask(v, 0, result)
    }

    fn float_cond(&mut self, cond: Cond, ty: FloatTy, x: Value, y: Value) -> Value {
        let (ty, mode) = (fty(ty), self.fmode(fty(ty)));
        let b = &mut self.b;
        match cond {
            Cond::F => b.const_bool(false),
            Cond::T => b.const_bool(true),
            Cond::Lt => b.float(FOp::Lt, ty, mode, &[x, y]),
            Cond::Eq => b.float(FOp::Eq, ty, mode, &[x, y]),
            Cond::Le => b.float(FOp::Le, ty, mode, &[x, y]),
            Cond::Gt => b.float(FOp::Lt, ty, mode, &[y, x]),
            Cond::Ge => b.float(FOp::Le, ty, mode, &[y, x]),
            Cond::Lg => {
                let (less, greater) = (
                    b.float(FOp::Lt, ty, mode, &[x, y]),
                    b.float(FOp::Lt, ty, mode, &[y, x]),
                );
                b.or(less, greater)
            }
            Cond::U => b.float(FOp::Unordered, ty, mode, &[x, y]),
            Cond::O | Cond::Nge | Cond::Nlg | Cond::Ngt | Cond::Nle | Cond::Neq | Cond::Nlt => {
                let positive = match cond {
                    Cond::O => Cond::U,
                    Cond::Nge => Cond::Ge,
                    Cond::Nlg => Cond::Lg,
                    Cond::Ngt => Cond::Gt,
                    Cond::Nle => Cond::Le,
                    Cond::Neq => Cond::Eq,
                    _ => Cond::Lt,
                };
                let guest = match ty {
                    crate::ir::FTy::F16 => FloatTy::F16,
                    crate::ir::FTy::F32 => FloatTy::F32,
                    crate::ir::FTy::F64 => FloatTy::F64,
                };
                let positive = self.float_cond(positive, guest, x, y);
                self.b.not(positive)
            }
        }
    }

    pub(super) fn v_class(&mut self, v: &Vop<'_>, ty: FloatTy) -> Result<(), Reason> {
        let x = self.vfloat(v, 0, ty)?;
        let classes = self.vsrc32(v, 1)?;
        let (ty, mode) = (fty(ty), self.fmode(fty(ty)));
        let result = self.b.float(FOp::Class, ty, mode, &[x, classes]);
        self.set_vmask(v, 0, result)
    }
}
