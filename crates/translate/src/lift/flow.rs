//! Control flow, waits, barriers and MODE. Branches themselves are the program's block ends.

use spirdna_isa::launch::{Denorm, Round, Stage};
use spirdna_isa::{BranchCond, Flow, Inst, SReg, WaveSize};

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
            // Without LDS, which is refused, waves share nothing that a barrier orders: NGG shaders of gfx10.1
            // begin with one for the sake of a fault of the hardware.
            Flow::Barrier if self.one_lane() => Ok(()),
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
            Flow::SendMsg if self.allocates(inst) => Ok(()),
            // A wave that runs is not halted.
            Flow::SetHalt if inst.simm16() == 0 => Ok(()),
            Flow::SetHalt => Err(Reason::NoCounterpart("a halted wave")),
            Flow::SetKill => Err(Reason::NoCounterpart("the kill flag of a wave")),
            Flow::SendMsg => Err(Reason::NoCounterpart("messages to the host")),
            Flow::SetPc => {
                let target = self.src(inst, 0)?;
                self.jump = Some(self.read64(target)?);
                Ok(())
            }
            Flow::SwapPc => {
                let target = self.src(inst, 0)?;
                self.jump = Some(self.read64(target)?);
                self.link(inst)
            }
            Flow::Call => self.link(inst),
            Flow::SubvectorLoopBegin => self.subvector_begin(inst),
            Flow::SubvectorLoopEnd => self.subvector_end(inst),
            Flow::EndPgmSpecial | Flow::CodeEnd | Flow::Rfe | Flow::Trap => Err(Reason::Meaning),
        }
    }

    /// Destination = address of the next instruction.
    pub(super) fn link(&mut self, inst: &Inst) -> Result<(), Reason> {
        let to = self.scalar_dst(inst, 0)?;
        let address = self.launch.code_address + u64::from(inst.next_pc());
        let address = self.b.const64(address);
        self.set_sreg64(to, address)
    }

    /// The register with the other half of EXEC, EXEC's halves and the register's value.
    fn subvector(&mut self, inst: &Inst) -> Result<(SReg, Value, Value, Value), Reason> {
        if self.launch.wave == WaveSize::W32 {
            return Err(Reason::NoMeaning("a subvector loop in wave32"));
        }
        let reg = self.scalar_dst(inst, 0)?;
        let exec = self.exec();
        let (lo, hi) = (self.b.lo(exec), self.b.hi(exec));
        Ok((reg, lo, hi, self.sreg(reg)))
    }

    /// Begins with the low half of EXEC, where it is not 0, and keeps the high one; leaves the loop where
    /// both are 0.
    fn subvector_begin(&mut self, inst: &Inst) -> Result<(), Reason> {
        let (reg, lo, hi, saved) = self.subvector(inst)?;
        let (no_lo, no_hi) = (self.is_zero(lo), self.is_zero(hi));
        let nothing = self.b.and(no_lo, no_hi);
        let zero = self.b.const32(0);
        let keep = self.b.select(no_lo, lo, hi);
        let keep = self.b.select(nothing, saved, keep);
        let high = self.b.select(no_lo, hi, zero);
        let exec = self.b.pack(lo, high);
        self.set_sreg(reg, keep);
        self.set_exec(exec);
        self.taken = Some(nothing);
        Ok(())
    }

    /// Goes on with the high half of EXEC, where it waits; otherwise both halves are back.
    fn subvector_end(&mut self, inst: &Inst) -> Result<(), Reason> {
        let (reg, lo, hi, saved) = self.subvector(inst)?;
        let (low_done, none) = (self.is_zero(hi), self.is_zero(saved));
        let waits = self.b.not(none);
        let again = self.b.and(low_done, waits);
        let zero = self.b.const32(0);
        // After the high half the low one is what was kept; after the low one alone it stays.
        let last = self.b.select(low_done, lo, saved);
        let low = self.b.select(again, zero, last);
        let high = self.b.select(again, saved, hi);
        let keep = self.b.select(again, lo, saved);
        let exec = self.b.pack(low, high);
        self.set_sreg(reg, keep);
        self.set_exec(exec);
        self.taken = Some(again);
        Ok(())
    }

    /// Whether a message asks for room for vertices and primitives, which the host has.
    fn allocates(&self, inst: &Inst) -> bool {
        const GS_ALLOC_REQ: u16 = 9;
        let merged = matches!(&self.launch.stage, Stage::Vertex(env) if env.merged);
        merged && inst.simm16() & 15 == GS_ALLOC_REQ
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
