//! Control flow, waits, barriers and MODE. Branches themselves are the program's block ends.

use spirdna_isa::launch::{Denorm, Round};
use spirdna_isa::{BranchCond, Flow, Inst};

use super::Lift;
use crate::error::Reason;
use crate::ir::Value;

impl Lift<'_> {
    /// An instruction of the flow unit. What leaves the block is handled where the block ends.
    pub(super) fn flow(&mut self, inst: &Inst, sem: Flow) -> Result<(), Reason> {
        match sem {
            Flow::Nop | Flow::EndPgm | Flow::Branch | Flow::Cbranch(_) => Ok(()),
            // Accesses are ordered where it shows by the pass that places `WaveSync`.
            Flow::Waitcnt => Ok(()),
            Flow::Barrier => {
                let next = self.b.new_block();
                self.b.barrier(next, Vec::new());
                self.b.switch_to(next);
                Ok(())
            }
            Flow::RoundMode => {
                let field = inst.simm16();
                self.mode.round32 = round(field & 3);
                self.mode.round16_64 = round(field >> 2 & 3);
                Ok(())
            }
            Flow::DenormMode => {
                let field = inst.simm16();
                self.mode.denorm32 = denorm(field & 3);
                self.mode.denorm16_64 = denorm(field >> 2 & 3);
                Ok(())
            }
            Flow::SendMsg | Flow::SetHalt | Flow::SetKill => {
                Err(Reason::NoCounterpart("messages to the host"))
            }
            Flow::EndPgmSpecial
            | Flow::CodeEnd
            | Flow::SetPc
            | Flow::SwapPc
            | Flow::Call
            | Flow::Rfe
            | Flow::Trap
            | Flow::SubvectorLoopBegin
            | Flow::SubvectorLoopEnd => Err(Reason::Meaning),
        }
    }

    /// The condition of a branch: the whole mask word decides, never a lane's bit.
    pub(super) fn branch_cond(&mut self, cond: BranchCond) -> Value {
        match cond {
            BranchCond::Scc1 => self.scc(),
            BranchCond::Scc0 => {
                let scc = self.scc();
                self.b.not(scc)
            }
            BranchCond::VccZ => self.vcc_is_zero(),
            BranchCond::VccNz => {
                let zero = self.vcc_is_zero();
                self.b.not(zero)
            }
            BranchCond::ExecZ => {
                let exec = self.exec();
                self.is_zero(exec)
            }
            BranchCond::ExecNz => {
                let exec = self.exec();
                let zero = self.is_zero(exec);
                self.b.not(zero)
            }
            // The program refuses these before anything is lifted.
            BranchCond::CdbgSys
            | BranchCond::CdbgUser
            | BranchCond::CdbgSysOrUser
            | BranchCond::CdbgSysAndUser => self.b.const_bool(false),
        }
    }
}

/// The rounding of a MODE field.
pub(super) fn round(field: u16) -> Round {
    match field & 3 {
        0 => Round::NearestEven,
        1 => Round::PlusInfinity,
        2 => Round::MinusInfinity,
        _ => Round::TowardZero,
    }
}

/// The denormal treatment of a MODE field.
pub(super) fn denorm(field: u16) -> Denorm {
    match field & 3 {
        0 => Denorm::FlushInOut,
        1 => Denorm::FlushOut,
        2 => Denorm::FlushIn,
        _ => Denorm::Allow,
    }
}
