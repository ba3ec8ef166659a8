//! Float arithmetic: guest operations with MODE; what the host makes of them is `lower_float`'s.

use spirdna_isa::launch::Denorm;
use spirdna_isa::{FBinary, FTernary, FUnary, FloatTy, MixDst, Operand};

use super::super::Lift;
use super::Vop;
use crate::error::Reason;
use crate::ir::{FMode, FOp, FTy, Input, Op, StageInput, Value};

/// The IR's name of a guest float type.
pub(super) const fn fty(ty: FloatTy) -> FTy {
    match ty {
        FloatTy::F16 => FTy::F16,
        FloatTy::F32 => FTy::F32,
        FloatTy::F64 => FTy::F64,
    }
}

impl Lift<'_> {
    /// Source `i` as a float of the type, modifiers applied.
    pub(super) fn vfloat(&mut self, v: &Vop<'_>, i: usize, ty: FloatTy) -> Result<Value, Reason> {
        match ty {
            FloatTy::F64 => self.vsrc64(v, i),
            FloatTy::F16 | FloatTy::F32 => self.vsrc32(v, i),
        }
    }

    pub(super) fn v_float_unary(
        &mut self,
        v: &Vop<'_>,
        op: FUnary,
        ty: FloatTy,
    ) -> Result<(), Reason> {
        let x = self.vfloat(v, 0, ty)?;
        let (fty, mode) = (fty(ty), self.fmode(fty(ty)));
        let op = match op {
            FUnary::Trunc => FOp::Trunc,
            FUnary::Ceil => FOp::Ceil,
            FUnary::Rndne => FOp::Rndne,
            FUnary::Floor => FOp::Floor,
            FUnary::Fract => FOp::Fract,
            FUnary::Exp => FOp::Exp2,
            FUnary::Log => FOp::Log2,
            FUnary::Rcp | FUnary::RcpIflag => FOp::Rcp,
            FUnary::Rsq => FOp::Rsq,
            FUnary::Sqrt => FOp::Sqrt,
            FUnary::Sin => FOp::Sin,
            FUnary::Cos => FOp::Cos,
            FUnary::FrexpMant => FOp::FrexpMant,
            FUnary::FrexpExp => {
                let x = self.float(FOp::FrexpExp, fty, mode, &[x]);
                return self.set_vdst(v, 0, x);
            }
        };
        let x = match self.reciprocal_of(x) {
            Some(inverse) if op == FOp::Rcp => inverse,
            _ => self.float(op, fty, mode, &[x]),
        };
        self.set_vfloat(v, x, fty)
    }

    /// What a pixel's w is the reciprocal of. The host hands over 1 / w, and w stands for whatever number has
    /// that reciprocal: taking it again gives back what the host handed over.
    fn reciprocal_of(&self, x: Value) -> Option<Value> {
        let data = self.b.func().def_inst(x)?;
        let (Op::Float(FOp::Rcp, FTy::F32, _), &[inverse]) = (data.op, data.args.as_slice()) else {
            return None;
        };
        let of = self.b.func().def_inst(inverse)?.op;
        (of == Op::Input(Input::Stage(StageInput::FragCoord(3)))).then_some(inverse)
    }

    pub(super) fn v_float_binary(
        &mut self,
        v: &Vop<'_>,
        op: FBinary,
        ty: FloatTy,
    ) -> Result<(), Reason> {
        let x = self.vfloat(v, 0, ty)?;
        let (f, mode) = (fty(ty), self.fmode(fty(ty)));
        if op == FBinary::Ldexp {
            let n = self.vsrc32(v, 1)?;
            let n = if ty == FloatTy::F16 {
                self.b.field_s(n, 0, 16)
            } else {
                n
            };
            let x = self.float(FOp::Ldexp, f, mode, &[x, n]);
            return self.set_vfloat(v, x, f);
        }
        let y = self.vfloat(v, 1, ty)?;
        let x = match op {
            FBinary::Add => self.float(FOp::Add, f, mode, &[x, y]),
            FBinary::Sub => {
                let y = self.flip(f, y);
                self.float(FOp::Add, f, mode, &[x, y])
            }
            // The first NaN in operand order wins: source 0, negated, stays first.
            FBinary::SubRev => {
                let x = self.flip(f, x);
                self.float(FOp::Add, f, mode, &[x, y])
            }
            FBinary::Mul => self.float(FOp::Mul, f, mode, &[x, y]),
            FBinary::MulLegacy => self.float(FOp::MulLegacy, f, mode, &[x, y]),
            FBinary::Min => self.float(FOp::Min, f, mode, &[x, y]),
            FBinary::Max => self.float(FOp::Max, f, mode, &[x, y]),
            FBinary::Ldexp => return Err(Reason::Meaning),
        };
        self.set_vfloat(v, x, f)
    }

    pub(super) fn v_float_ternary(
        &mut self,
        v: &Vop<'_>,
        op: FTernary,
        ty: FloatTy,
    ) -> Result<(), Reason> {
        let (f, mode) = (fty(ty), self.fmode(fty(ty)));
        let (x, y) = (self.vfloat(v, 0, ty)?, self.vfloat(v, 1, ty)?);
        let z = self.vfloat(v, 2, ty)?;
        let x = match op {
            FTernary::Fma => self.float(FOp::Fma, f, mode, &[x, y, z]),
            FTernary::FmaLegacy => self.float(FOp::FmaLegacy, f, mode, &[x, y, z]),
            FTernary::Mad => self.float(FOp::Mad, f, mode, &[x, y, z]),
            FTernary::MadLegacy => {
                // As `Mad`: two roundings, denormals flushed whatever MODE says.
                let mode = FMode {
                    denorm: Denorm::FlushInOut,
                    ..mode
                };
                let x = self.float(FOp::MulLegacy, f, mode, &[x, y]);
                self.float(FOp::Add, f, mode, &[x, z])
            }
            FTernary::Min3 => {
                let x = self.float(FOp::Min, f, mode, &[x, y]);
                self.float(FOp::Min, f, mode, &[x, z])
            }
            FTernary::Max3 => {
                let x = self.float(FOp::Max, f, mode, &[x, y]);
                self.float(FOp::Max, f, mode, &[x, z])
            }
            FTernary::Med3 => self.float(FOp::Med3, f, mode, &[x, y, z]),
            FTernary::CubeId
            | FTernary::CubeSc
            | FTernary::CubeTc
            | FTernary::CubeMa
            | FTernary::DivFixup
            | FTernary::DivFmas
            | FTernary::Mullit => self.float3(v, op, f, [x, y, z])?,
        };
        self.set_vfloat(v, x, f)
    }

    /// Mixed-precision FMA: `op_sel_hi` makes a source a half, `op_sel` picks which; `neg_hi` is abs.
    pub(super) fn v_fma_mix(&mut self, v: &Vop<'_>, dst: MixDst) -> Result<(), Reason> {
        let mode = self.fmode(FTy::F32);
        let half = self.fmode(FTy::F16);
        let mut args = [self.b.const32(0); 3];
        for (i, arg) in args.iter_mut().enumerate() {
            let mut x = self.vraw32(v, i)?;
            let is_half = v.mods.op_sel_hi >> i & 1 == 1;
            let (operand, _) = self.src(v.inst, i)?;
            if is_half && matches!(operand, Operand::Float(_)) {
                return Err(Reason::Operand("an inline float as a half"));
            }
            if !is_half && v.mods.op_sel >> i & 1 == 1 {
                return Err(Reason::Modifier("op_sel of a source that is no half"));
            }
            if v.mods.op_sel_hi >> i & 1 == 1 {
                let high = v.mods.op_sel >> i & 1 == 1;
                x = if high {
                    self.b.shr_by(x, 16)
                } else {
                    self.b.and32(x, 0xffff)
                };
                // Widening is exact; the f16 denormal mode decides what a subnormal is.
                let widen = FMode {
                    denorm: half.denorm,
                    ..mode
                };
                x = self.float(FOp::FromFloat(FTy::F16), FTy::F32, widen, &[x]);
            }
            if v.mods.neg_hi >> i & 1 == 1 {
                x = self.b.and32(x, 0x7fff_ffff);
            }
            if v.mods.neg >> i & 1 == 1 {
                x = self.flip(FTy::F32, x);
            }
            *arg = x;
        }
        match dst {
            MixDst::F32 => {
                let x = self.float(FOp::Fma, FTy::F32, mode, &args);
                self.set_vfloat(v, x, FTy::F32)
            }
            MixDst::Lo | MixDst::Hi => {
                let x = self.float(FOp::Fma, FTy::F32, mode, &args);
                let x = self.convert_float(FTy::F32, FTy::F16, x);
                let x = self.float_result(v, x, FTy::F16);
                let n = self.vector_dst(v.inst, 0)?;
                let old = self.vreg(n);
                let x = self.half_place(x, old, dst == MixDst::Hi);
                self.set_vreg_where(n, x, v.lanes);
                Ok(())
            }
        }
    }

    /// The sign bit flipped: every bit pattern survives.
    pub(super) fn flip(&mut self, ty: FTy, x: Value) -> Value {
        match ty {
            FTy::F16 => {
                let sign = self.b.const32(0x8000);
                self.b.xor(x, sign)
            }
            FTy::F32 => {
                let sign = self.b.const32(0x8000_0000);
                self.b.xor(x, sign)
            }
            FTy::F64 => {
                let sign = self.b.const64(1 << 63);
                self.b.xor(x, sign)
            }
        }
    }
}
