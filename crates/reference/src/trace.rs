//! A hook that sees each instruction and what it changed. Knows nothing of how instructions work;
//! prints nothing.

use spirdna_isa::{Inst, SReg};

use crate::state::{Register, Wave};

/// One executed instruction.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Workgroup id.
    pub group: [u32; 3],
    /// The instruction.
    pub inst: &'a Inst,
    /// The wave before it.
    pub before: &'a Wave,
    /// The wave after it.
    pub after: &'a Wave,
}

/// A register that an instruction changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A scalar register and its new value.
    Scalar(SReg, u32),
    /// A vector register and the mask of the lanes in which it changed.
    Vector(u8, u64),
    /// The new SCC.
    Scc(bool),
}

impl Step<'_> {
    /// Registers whose value differs, scalars first, in ascending order.
    pub fn changes(&self) -> Vec<Change> {
        self.after
            .differences(self.before)
            .into_iter()
            .map(|(register, lanes)| match register {
                Register::S(r) => Change::Scalar(r, self.after.sgpr_raw(r)),
                Register::V(r) => Change::Vector(r, lanes),
                Register::Scc => Change::Scc(self.after.scc_raw()),
            })
            .collect()
    }
}

/// Sees each instruction after it executed. Copies of waves are made only where `ENABLED`.
pub trait Observer {
    /// Whether steps are wanted.
    const ENABLED: bool = true;
    /// An instruction executed.
    fn step(&mut self, step: &Step<'_>);
}

/// Sees nothing, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    const ENABLED: bool = false;

    fn step(&mut self, _step: &Step<'_>) {}
}
