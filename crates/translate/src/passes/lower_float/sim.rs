//! Hosts for the tests: what a profile promises, and beyond that as unhelpful as it may be.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

use spirdna_isa::launch::{Denorm, Round};

use super::format::Format;
use super::model;
use crate::ir::eval;
use crate::ir::{FMode, FOp, FTy, HostOp};
use crate::profile::HostProfile;

/// A host as a profile describes it, and beyond that as unhelpful as it may be.
#[derive(Clone, Copy)]
pub struct SimHost {
    /// f32 subnormals are flushed, the zeros have any sign.
    flushes: bool,
    fused: bool,
    /// What the profile calls `folds_zeros`.
    folds: bool,
    state: u64,
}

impl SimHost {
    fn any(&mut self) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.state >> 33
    }

    fn single(&mut self, x: f32) -> f32 {
        if self.flushes && x.is_subnormal() {
            if self.any().is_multiple_of(2) {
                0.0
            } else {
                -0.0
            }
        } else {
            x
        }
    }

    fn nan(&mut self, bits: u64, ty: FTy) -> u64 {
        let f = Format::of(ty);
        if bits & f.abs_mask() > f.infinity() {
            f.infinity() | (self.any() & (f.frac_mask() | f.sign())) | 1
        } else {
            bits
        }
    }
}

impl SimHost {
    /// What the host gives; `None` for what no exact lowering may ask of it.
    pub fn host(&mut self, op: HostOp, ty: FTy, a: &[u64]) -> Option<u64> {
        if let Some(bits) = self.folded(op, ty, a) {
            return Some(bits);
        }
        if let Some(bits) = self.compared(op, ty, a) {
            return Some(bits);
        }
        let bits = match (ty, op) {
            (FTy::F32, HostOp::FromS32) => {
                let &[x] = a else { return None };
                u64::from((x as u32 as i32 as f32).to_bits())
            }
            (FTy::F32, HostOp::FromU32) => {
                let &[x] = a else { return None };
                u64::from((x as u32 as f32).to_bits())
            }
            (FTy::F32, HostOp::FromFloat(FTy::F16)) => {
                let mode = FMode {
                    round: Round::NearestEven,
                    denorm: Denorm::Allow,
                    ieee: false,
                };
                model::run(FOp::FromFloat(FTy::F16), FTy::F32, mode, a)?
            }
            (FTy::F32, HostOp::FromFloat(FTy::F64)) => {
                let &[x] = a else { return None };
                u64::from(self.single(f64::from_bits(x) as f32).to_bits())
            }
            (FTy::F64, HostOp::FromFloat(FTy::F32)) => {
                let &[x] = a else { return None };
                f64::from(self.single(f32::from_bits(x as u32))).to_bits()
            }
            (FTy::F16, HostOp::FromFloat(FTy::F32)) => {
                let mode = FMode {
                    round: Round::NearestEven,
                    denorm: Denorm::Allow,
                    ieee: false,
                };
                model::run(FOp::FromFloat(FTy::F32), FTy::F16, mode, a)?
            }
            (FTy::F32, _) => {
                let x: Vec<f32> = a
                    .iter()
                    .map(|&b| f32::from_bits(b as u32))
                    .map(|x| self.single(x))
                    .collect();
                let out = match (op, x.as_slice()) {
                    (HostOp::FAdd, &[x, y]) => x + y,
                    (HostOp::FSub, &[x, y]) => x - y,
                    (HostOp::FMul, &[x, y]) => x * y,
                    (HostOp::FFma, &[x, y, z]) if self.fused => x.mul_add(y, z),
                    (HostOp::FFma, &[x, y, z]) => x * y + z,
                    (HostOp::FTrunc, &[x]) => x.trunc(),
                    (HostOp::FCeil, &[x]) => x.ceil(),
                    (HostOp::FFloor, &[x]) => x.floor(),
                    (HostOp::FRoundEven, &[x]) => x.round_ties_even(),
                    (HostOp::FDiv, &[x, y]) => self.about(f64::from(x) / f64::from(y), 2),
                    (HostOp::FSqrt, &[x]) => self.about(f64::from(x).sqrt(), 4),
                    (HostOp::FInverseSqrt, &[x]) => self.about(1.0 / f64::from(x).sqrt(), 2),
                    _ => return None,
                };
                u64::from(self.single(out).to_bits())
            }
            (FTy::F64, _) => {
                let x: Vec<f64> = a.iter().map(|&b| f64::from_bits(b)).collect();
                match (op, x.as_slice()) {
                    (HostOp::FAdd, &[x, y]) => x + y,
                    (HostOp::FSub, &[x, y]) => x - y,
                    (HostOp::FMul, &[x, y]) => x * y,
                    (HostOp::FFma, &[x, y, z]) if self.fused => x.mul_add(y, z),
                    (HostOp::FTrunc, &[x]) => x.trunc(),
                    (HostOp::FCeil, &[x]) => x.ceil(),
                    (HostOp::FFloor, &[x]) => x.floor(),
                    (HostOp::FRoundEven, &[x]) => x.round_ties_even(),
                    _ => return None,
                }
                .to_bits()
            }
            // A product or sum of halves is exact in f64, so it is rounded once.
            (FTy::F16, _) => {
                let mode = FMode {
                    round: Round::NearestEven,
                    denorm: Denorm::Allow,
                    ieee: false,
                };
                let fop = match op {
                    HostOp::FAdd => FOp::Add,
                    HostOp::FMul => FOp::Mul,
                    HostOp::FTrunc => FOp::Trunc,
                    HostOp::FCeil => FOp::Ceil,
                    HostOp::FFloor => FOp::Floor,
                    HostOp::FRoundEven => FOp::Rndne,
                    HostOp::FSub => {
                        let &[x, y] = a else { return None };
                        let bits = model::run(FOp::Add, ty, mode, &[x, y ^ 0x8000])?;
                        return Some(self.nan(bits, ty));
                    }
                    _ => return None,
                };
                model::run(fop, ty, mode, a)?
            }
        };
        Some(self.nan(bits, ty))
    }
}

impl SimHost {
    /// A result that is right to some units in the last place.
    fn about(&mut self, x: f64, units: i64) -> f32 {
        let off = (self.any() % (2 * units as u64 + 1)) as i64 - units;
        let near = x as f32;
        if near.is_normal() {
            f32::from_bits((i64::from(near.to_bits()) + off) as u32)
        } else {
            near
        }
    }

    /// Comparisons, and conversions to integers, of which those out of range give anything.
    fn compared(&mut self, op: HostOp, ty: FTy, a: &[u64]) -> Option<u64> {
        let wide = |host: &mut SimHost, bits: u64| match ty {
            FTy::F64 => f64::from_bits(bits),
            FTy::F32 => f64::from(host.single(f32::from_bits(bits as u32))),
            FTy::F16 => {
                let f = Format::of(ty);
                let (exp, frac) = ((bits >> 10) as u32 & 31, (bits & f.frac_mask()) as f64);
                let size = match exp {
                    31 if frac > 0.0 => f64::NAN,
                    31 => f64::INFINITY,
                    0 => frac * 2f64.powi(-24),
                    _ => (1024.0 + frac) * 2f64.powi(exp as i32 - 25),
                };
                if bits & f.sign() != 0 { -size } else { size }
            }
        };
        let x: Vec<f64> = a.iter().map(|&bits| wide(self, bits)).collect();
        match (op, x.as_slice()) {
            (HostOp::FLt, &[x, y]) => Some(u64::from(x < y)),
            (HostOp::FLe, &[x, y]) => Some(u64::from(x <= y)),
            (HostOp::FEq, &[x, y]) => Some(u64::from(x == y)),
            (HostOp::ToS32, &[x]) if x > -2147483649.0 && x < 2147483648.0 => {
                Some(u64::from(x as i32 as u32))
            }
            (HostOp::ToU32, &[x]) if x > -1.0 && x < 4294967296.0 => Some(u64::from(x as u32)),
            (HostOp::ToS32 | HostOp::ToU32, _) => Some(self.any() & 0xffff_ffff),
            _ => None,
        }
    }

    /// What a compiler may make of an operand that it knows to be zero, or of equal ones; `None`: nothing.
    fn folded(&mut self, op: HostOp, ty: FTy, a: &[u64]) -> Option<u64> {
        let mask = Format::of(ty).abs_mask();
        if !self.folds || !self.any().is_multiple_of(2) {
            return None;
        }
        let zero = |x: u64| x & mask == 0;
        match (op, a) {
            (HostOp::FMul, &[x, y]) if zero(x) || zero(y) => Some(0),
            (HostOp::FAdd, &[x, y]) if zero(x) => Some(y),
            (HostOp::FAdd | HostOp::FSub, &[x, y]) if zero(y) => Some(x),
            (HostOp::FSub, &[x, y]) if x == y => Some(0),
            (HostOp::FFma, &[x, y, z]) if zero(x) || zero(y) => Some(z),
            _ => None,
        }
    }
}

impl eval::Env for SimHost {
    fn input(&mut self, _: crate::ir::Input, _: u32) -> u64 {
        0
    }
    fn contains(&mut self, _: u64, _: u32) -> bool {
        false
    }
    fn load(&mut self, _: u64, _: crate::ir::MemWidth) -> u64 {
        0
    }
    fn store(&mut self, _: u64, _: crate::ir::MemWidth, _: u64) {}
    fn lds_load(&mut self, _: u32, _: crate::ir::MemWidth) -> u64 {
        0
    }
    fn lds_store(&mut self, _: u32, _: crate::ir::MemWidth, _: u64) {}
    fn fault(&mut self, _: u32, _: u64) {}

    fn host(&mut self, op: HostOp, ty: FTy, a: &[u64]) -> Option<u64> {
        SimHost::host(self, op, ty, a)
    }
}

const PROMISES: crate::profile::FloatHost = crate::profile::FloatHost {
    rte: true,
    signed_zero_inf_nan: true,
    ..crate::profile::FloatHost::UNKNOWN
};

/// A host like lavapipe (keeps subnormals, no fused fma), one like it that fuses, one that flushes f32
/// subnormals, ones like NVIDIA's.
pub fn hosts() -> Vec<(HostProfile, SimHost)> {
    let kept = crate::profile::FloatHost {
        keeps_denorms: true,
        ..PROMISES
    };
    let fused = crate::profile::FloatHost {
        fused_fma: true,
        ..kept
    };
    let keeping = HostProfile {
        folds_zeros: true,
        int16: true,
        float16: true,
        float64: true,
        f16: kept,
        f32: kept,
        f64: kept,
        ..HostProfile::portable(8)
    };
    let flushing = HostProfile {
        f32: crate::profile::FloatHost {
            flushes_denorms: true,
            fused_fma: true,
            ..PROMISES
        },
        f64: fused,
        folds_zeros: false,
        ..keeping.clone()
    };
    let folding = HostProfile {
        f32: fused,
        f64: fused,
        ..keeping.clone()
    };
    let both = HostProfile {
        folds_zeros: false,
        ..folding.clone()
    };
    let unfused = HostProfile {
        folds_zeros: false,
        ..keeping.clone()
    };
    vec![
        (
            keeping,
            SimHost {
                flushes: false,
                fused: false,
                folds: true,
                state: 1,
            },
        ),
        (
            folding,
            SimHost {
                flushes: false,
                fused: true,
                folds: true,
                state: 4,
            },
        ),
        (
            unfused,
            SimHost {
                flushes: false,
                fused: false,
                folds: false,
                state: 5,
            },
        ),
        (
            flushing,
            SimHost {
                flushes: true,
                fused: true,
                folds: false,
                state: 2,
            },
        ),
        (
            both,
            SimHost {
                flushes: false,
                fused: true,
                folds: false,
                state: 3,
            },
        ),
    ]
}
