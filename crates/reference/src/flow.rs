//! Control flow, waits, barriers and MODE: every meaning of `Flow`. Sets where the wave goes on; the
//! driver checks that it stays in the code.

use spirdna_isa::{BranchCond, Flow, Inst, Operand, SReg, WaveSize};

use crate::data::{dst, src};
use crate::error::ExecError;
use crate::salu::{denorm_field, round_field};
use crate::state::Wave;

/// Executes a control instruction.
pub(crate) fn execute(wave: &mut Wave, inst: &Inst, flow: Flow) -> Result<(), ExecError> {
    match flow {
        // Memory is in program order here: there is nothing to wait for.
        Flow::Nop | Flow::Waitcnt => Ok(()),
        Flow::EndPgm => {
            wave.ended = true;
            Ok(())
        }
        Flow::EndPgmSpecial => Err(wave.refuse("an end with a context save or a pixel message")),
        Flow::CodeEnd => Err(ExecError::CodeEnd { pc: wave.pc }),
        Flow::Branch => branch(wave, inst),
        Flow::Cbranch(cond) => {
            if holds(wave, cond)? {
                branch(wave, inst)?;
            }
            Ok(())
        }
        Flow::Barrier => {
            wave.at_barrier = true;
            Ok(())
        }
        Flow::SetPc => {
            let (operand, ty) = src(wave, inst, 0)?;
            let target = wave.scalar(operand, ty)?;
            set_pc(wave, target)
        }
        Flow::SwapPc => {
            let (operand, ty) = src(wave, inst, 0)?;
            let target = wave.scalar(operand, ty)?;
            link(wave, inst)?;
            set_pc(wave, target)
        }
        Flow::Call => {
            link(wave, inst)?;
            branch(wave, inst)
        }
        Flow::Rfe => Err(wave.refuse("return from an exception")),
        Flow::SendMsg => Err(wave.refuse(format!("message {:#x}", inst.simm16()))),
        Flow::SetHalt if inst.simm16() == 0 => Ok(()),
        Flow::SetHalt => Err(wave.refuse("halt")),
        Flow::SetKill => Err(wave.refuse("kill flag")),
        Flow::Trap => Err(wave.refuse(format!("trap {}", inst.simm16()))),
        Flow::RoundMode => {
            let v = u32::from(inst.simm16());
            wave.mode.round32 = round_field(v);
            wave.mode.round16_64 = round_field(v >> 2);
            Ok(())
        }
        Flow::DenormMode => {
            let v = u32::from(inst.simm16());
            wave.mode.denorm32 = denorm_field(v);
            wave.mode.denorm16_64 = denorm_field(v >> 2);
            Ok(())
        }
        Flow::SubvectorLoopBegin => {
            let save = subvector_register(wave, inst)?;
            let (lo, hi) = (wave.sgpr(SReg::EXEC_LO), wave.sgpr(SReg::EXEC_HI));
            if lo == 0 && hi == 0 {
                // No pass at all.
                branch(wave, inst)
            } else if lo == 0 {
                // The high half alone.
                wave.set_sgpr(save, lo);
                Ok(())
            } else {
                wave.set_sgpr(save, hi);
                wave.set_sgpr(SReg::EXEC_HI, 0);
                Ok(())
            }
        }
        Flow::SubvectorLoopEnd => {
            let save = subvector_register(wave, inst)?;
            let saved = wave.sgpr(save);
            if wave.sgpr(SReg::EXEC_HI) != 0 {
                // The high half is done: both are back.
                wave.set_sgpr(SReg::EXEC_LO, saved);
                Ok(())
            } else if saved == 0 {
                // The low half was all.
                Ok(())
            } else {
                let lo = wave.sgpr(SReg::EXEC_LO);
                wave.set_sgpr(SReg::EXEC_HI, saved);
                wave.set_sgpr(save, lo);
                wave.set_sgpr(SReg::EXEC_LO, 0);
                branch(wave, inst)
            }
        }
    }
}

fn branch(wave: &mut Wave, inst: &Inst) -> Result<(), ExecError> {
    wave.next_pc = inst
        .branch_target()
        .ok_or_else(|| wave.refuse("a branch without a target"))?;
    Ok(())
}

fn set_pc(wave: &mut Wave, target: u64) -> Result<(), ExecError> {
    let offset = target.wrapping_sub(wave.code_address);
    match u32::try_from(offset) {
        Ok(pc) if pc.is_multiple_of(4) => {
            wave.next_pc = pc;
            Ok(())
        }
        _ => Err(ExecError::LeftCode {
            pc: wave.pc,
            target,
        }),
    }
}

/// Destination = address of the next instruction.
fn link(wave: &mut Wave, inst: &Inst) -> Result<(), ExecError> {
    let (operand, ty) = dst(wave, inst, 0)?;
    wave.write_scalar(operand, ty, wave.code_address + u64::from(inst.next_pc()))
}

fn holds(wave: &Wave, cond: BranchCond) -> Result<bool, ExecError> {
    match cond {
        BranchCond::Scc0 => Ok(!wave.scc()),
        BranchCond::Scc1 => Ok(wave.scc()),
        BranchCond::VccZ => Ok(wave.vcc() == 0),
        BranchCond::VccNz => Ok(wave.vcc() != 0),
        BranchCond::ExecZ => Ok(wave.exec() == 0),
        BranchCond::ExecNz => Ok(wave.exec() != 0),
        BranchCond::CdbgSys
        | BranchCond::CdbgUser
        | BranchCond::CdbgSysOrUser
        | BranchCond::CdbgSysAndUser => Err(wave.refuse("a debugger's branch condition")),
    }
}

/// The register that keeps the other half of EXEC.
fn subvector_register(wave: &Wave, inst: &Inst) -> Result<SReg, ExecError> {
    if wave.size() == WaveSize::W32 {
        return Err(wave.refuse("a subvector loop in wave32"));
    }
    match dst(wave, inst, 0)? {
        (Operand::S(r), _) => Ok(r),
        _ => Err(wave.refuse("a subvector loop without a register")),
    }
}
