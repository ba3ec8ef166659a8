//! What can stop an execution. Every error names the pc; nothing here knows how instructions work.

use std::time::Duration;

use spirdna_isa::{DecodeError, SReg};

use crate::memory::AddressSpace;

/// A reason to stop executing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExecError {
    /// An instruction, or a form of it, that this interpreter does not execute.
    #[error(transparent)]
    Unsupported(Box<Unsupported>),
    /// Words that are no instruction were reached.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// An access that memory refused.
    #[error(transparent)]
    Fault(Fault),
    /// An operand that leaves its register file or crosses from one kind of scalar into another.
    #[error("pc {pc:#x}: {dwords} dwords from {} leave the registers", scalar_name(*register))]
    ScalarRange {
        /// Byte offset of the instruction.
        pc: u32,
        /// First register.
        register: SReg,
        /// Width of the access.
        dwords: u32,
    },
    /// A relative scalar index outside the scalar registers.
    #[error("pc {pc:#x}: relative scalar register {index} does not exist")]
    ScalarIndex {
        /// Byte offset of the instruction.
        pc: u32,
        /// The computed index.
        index: u64,
    },
    /// A vector operand that runs past v255.
    #[error("pc {pc:#x}: {dwords} dwords from v{register} leave the registers")]
    VectorRange {
        /// Byte offset of the instruction.
        pc: u32,
        /// First register.
        register: u8,
        /// Width of the access.
        dwords: u32,
    },
    /// A branch, or the flow behind an instruction, leaves the code.
    #[error("pc {pc:#x}: control leaves the code, to {target:#x}")]
    LeftCode {
        /// Byte offset of the instruction.
        pc: u32,
        /// Where it would go on, as a byte offset; as an address where it is none.
        target: u64,
    },
    /// `s_code_end` was reached.
    #[error("pc {pc:#x}: ran into s_code_end")]
    CodeEnd {
        /// Byte offset of the instruction.
        pc: u32,
    },
    /// The dispatch used up its steps.
    #[error("pc {pc:#x}: more than {limit} lane-instructions")]
    StepLimit {
        /// Byte offset of the instruction that was next.
        pc: u32,
        /// The limit.
        limit: u64,
    },
    /// The dispatch took longer than it may.
    #[error("pc {pc:#x}: not ended after {limit:?}")]
    TimeLimit {
        /// Byte offset of the instruction that was next.
        pc: u32,
        /// The limit.
        limit: Duration,
    },
    /// The launch description cannot be realised.
    #[error("launch: {0}")]
    Launch(String),
}

fn scalar_name(r: SReg) -> String {
    match r {
        SReg::VCC_LO => "vcc_lo".into(),
        SReg::VCC_HI => "vcc_hi".into(),
        SReg::M0 => "m0".into(),
        SReg::NULL => "null".into(),
        SReg::EXEC_LO => "exec_lo".into(),
        SReg::EXEC_HI => "exec_hi".into(),
        r if r.is_sgpr() => format!("s{}", r.code()),
        r => format!("ttmp{}", r.code().wrapping_sub(SReg::TTMP0.code())),
    }
}

impl ExecError {
    /// Byte offset of the instruction, where there is one.
    pub fn pc(&self) -> Option<u32> {
        match self {
            ExecError::Unsupported(u) => Some(u.pc),
            ExecError::Decode(d) => Some(d.pc()),
            ExecError::Fault(f) => Some(f.pc),
            ExecError::ScalarRange { pc, .. }
            | ExecError::ScalarIndex { pc, .. }
            | ExecError::VectorRange { pc, .. }
            | ExecError::LeftCode { pc, .. }
            | ExecError::CodeEnd { pc }
            | ExecError::StepLimit { pc, .. }
            | ExecError::TimeLimit { pc, .. } => Some(*pc),
            ExecError::Launch(_) => None,
        }
    }
}

/// An instruction that this interpreter does not execute.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("pc {pc:#x}: {mnemonic} ({words:08x?}): {reason}")]
pub struct Unsupported {
    /// Byte offset of the instruction.
    pub pc: u32,
    /// Its words.
    pub words: Vec<u32>,
    /// Its mnemonic.
    pub mnemonic: &'static str,
    /// Why.
    pub reason: String,
}

/// What an access wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// A load from an address that nothing maps.
    Load,
    /// A store to such an address.
    Store,
    /// An atomic on such an address.
    Atomic,
    /// An atomic whose address is not a multiple of its size.
    Misaligned,
}

/// An access that memory refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "pc {pc:#x}: {kind:?} of {bytes} bytes at {space:?} {address:#x}{}",
    lane.map_or(String::new(), |l| format!(" (lane {l})"))
)]
pub struct Fault {
    /// Byte offset of the instruction.
    pub pc: u32,
    /// The lane; `None` for a scalar access.
    pub lane: Option<u8>,
    /// Which memory.
    pub space: AddressSpace,
    /// Byte address (48 bits), or offset in the space.
    pub address: u64,
    /// Size of the access.
    pub bytes: u32,
    /// What it was.
    pub kind: FaultKind,
}
