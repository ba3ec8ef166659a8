//! Immediates that have a text of their own: waits, messages, hardware registers, versions. The names
//! are LLVM's; `asm` reads the same tables.

use std::fmt::{self, Write};

use super::Printer;
use crate::fields::Field;
use crate::operand::Operand;
use crate::row::RowFlags;
use crate::sem::{Flow, Salu, Sem};
use crate::table::Opcode;
use crate::target::{Target, TargetSet};

const ALL: TargetSet = TargetSet::all();

/// Hardware registers of `hwreg(…)`.
pub(crate) const HWREGS: [(u16, &str, TargetSet); 18] = [
    (1, "HW_REG_MODE", ALL),
    (2, "HW_REG_STATUS", ALL),
    (3, "HW_REG_TRAPSTS", ALL),
    (5, "HW_REG_GPR_ALLOC", ALL),
    (6, "HW_REG_LDS_ALLOC", ALL),
    (7, "HW_REG_IB_STS", ALL),
    (15, "HW_REG_SH_MEM_BASES", ALL),
    (16, "HW_REG_TBA_LO", ALL),
    (17, "HW_REG_TBA_HI", ALL),
    (18, "HW_REG_TMA_LO", ALL),
    (19, "HW_REG_TMA_HI", ALL),
    (20, "HW_REG_FLAT_SCR_LO", ALL),
    (21, "HW_REG_FLAT_SCR_HI", ALL),
    (
        22,
        "HW_REG_XNACK_MASK",
        TargetSet::GFX1010.union(TargetSet::GFX1013),
    ),
    (23, "HW_REG_HW_ID1", ALL),
    (24, "HW_REG_HW_ID2", ALL),
    (25, "HW_REG_POPS_PACKER", ALL),
    (29, "HW_REG_SHADER_CYCLES", TargetSet::GFX1030),
];

/// The name of a hardware register on a target.
pub fn hwreg_name(id: u16, target: Target) -> Option<&'static str> {
    HWREGS
        .iter()
        .find(|r| r.0 == id && r.2.contains(target.set()))
        .map(|r| r.1)
}

/// Messages of `sendmsg(…)`.
pub(crate) const MESSAGES: [(u16, &str); 12] = [
    (1, "MSG_INTERRUPT"),
    (2, "MSG_GS"),
    (3, "MSG_GS_DONE"),
    (4, "MSG_SAVEWAVE"),
    (5, "MSG_STALL_WAVE_GEN"),
    (6, "MSG_HALT_WAVES"),
    (7, "MSG_ORDERED_PS_DONE"),
    (8, "MSG_EARLY_PRIM_DEALLOC"),
    (9, "MSG_GS_ALLOC_REQ"),
    (10, "MSG_GET_DOORBELL"),
    (11, "MSG_GET_DDID"),
    (15, "MSG_SYSMSG"),
];

/// The name of a message.
pub(crate) fn message_name(id: u16) -> Option<&'static str> {
    MESSAGES.iter().find(|m| m.0 == id).map(|m| m.1)
}

/// Operations of the geometry messages.
pub(crate) const SENDMSG_GS_OPS: [(u16, &str); 4] = [
    (0, "GS_OP_NOP"),
    (1, "GS_OP_CUT"),
    (2, "GS_OP_EMIT"),
    (3, "GS_OP_EMIT_CUT"),
];

/// Operations of the system message.
pub(crate) const SENDMSG_SYS_OPS: [(u16, &str); 3] = [
    (1, "SYSMSG_OP_ECC_ERR_INTERRUPT"),
    (2, "SYSMSG_OP_REG_RD"),
    (4, "SYSMSG_OP_TTRACE_PC"),
];

/// Fields of S_WAITCNT_DEPCTR in the order of the text; each waits for nothing at its largest value.
pub(crate) const DEPCTR: [(&str, Field, TargetSet); 7] = [
    ("depctr_hold_cnt", Field::new(7, 1), TargetSet::GFX1030),
    ("depctr_sa_sdst", Field::new(0, 1), ALL),
    ("depctr_va_vdst", Field::new(12, 4), ALL),
    ("depctr_va_sdst", Field::new(9, 3), ALL),
    ("depctr_va_ssrc", Field::new(8, 1), ALL),
    ("depctr_va_vcc", Field::new(1, 1), ALL),
    ("depctr_vm_vsrc", Field::new(2, 3), ALL),
];

/// Counters of S_WAITCNT: name, low field, high field.
pub(crate) const WAITCNT: [(&str, Field, Field); 3] = [
    ("vmcnt", Field::new(0, 4), Field::new(14, 2)),
    ("expcnt", Field::new(4, 3), Field::new(0, 0)),
    ("lgkmcnt", Field::new(8, 6), Field::new(0, 0)),
];

/// Versions of S_VERSION.
pub(crate) const VERSIONS: [(u16, &str); 4] = [
    (0, "UC_VERSION_GFX7"),
    (4, "UC_VERSION_GFX10"),
    (6, "UC_VERSION_GFX11"),
    (9, "UC_VERSION_GFX12"),
];

/// Flags of S_VERSION in the order of the text.
pub(crate) const VERSION_FLAGS: [(u16, &str); 3] = [
    (0x2000, "UC_VERSION_W64_BIT"),
    (0x4000, "UC_VERSION_W32_BIT"),
    (0x8000, "UC_VERSION_MDP_BIT"),
];

impl<W: Write> Printer<'_, W> {
    /// SIMM16 of SOPK and SOPP.
    pub(super) fn simm16(&mut self) -> fmt::Result {
        let imm = self.inst.simm16();
        match self.inst.sem() {
            _ if self.flags().contains(RowFlags::BRANCH) => write!(self.out, "{imm}"),
            Sem::Salu(Salu::GetReg | Salu::SetReg) => self.hwreg(imm),
            Sem::Salu(Salu::Version) => self.version(imm),
            Sem::Flow(Flow::SendMsg) => self.message(imm),
            Sem::Flow(Flow::Waitcnt) if self.inst.opcode() == Opcode::S_WAITCNT => {
                self.waitcnt(imm)
            }
            Sem::Flow(Flow::Waitcnt) if self.inst.opcode() == Opcode::S_WAITCNT_DEPCTR => {
                self.depctr(imm)
            }
            Sem::Flow(Flow::EndPgm) => write!(self.out, "{imm}"),
            _ if self.flags().contains(RowFlags::DECIMAL) && imm <= 64 => write!(self.out, "{imm}"),
            _ => write!(self.out, "{imm:#x}"),
        }
    }

    fn hwreg(&mut self, imm: u16) -> fmt::Result {
        let (id, offset, size) = (imm & 0x3f, imm >> 6 & 0x1f, (imm >> 11) + 1);
        self.out.write_str("hwreg(")?;
        match hwreg_name(id, self.inst.target()) {
            Some(name) => self.out.write_str(name)?,
            None => write!(self.out, "{id}")?,
        }
        if (offset, size) != (0, 32) {
            write!(self.out, ", {offset}, {size}")?;
        }
        self.out.write_char(')')
    }

    fn version(&mut self, imm: u16) -> fmt::Result {
        let flags: u16 = VERSION_FLAGS.iter().map(|f| f.0).sum();
        let version = imm & 0xff;
        if imm & !(flags | 0xff) != 0 {
            return write!(self.out, "{imm:#x}");
        }
        let set: Vec<&str> = VERSION_FLAGS
            .iter()
            .filter(|f| imm & f.0 != 0)
            .map(|f| f.1)
            .collect();
        for _ in 1..set.len() {
            self.out.write_char('(')?;
        }
        match VERSIONS.iter().find(|v| v.0 == version) {
            Some(v) => self.out.write_str(v.1)?,
            None => write!(self.out, "{version}")?,
        }
        for (i, flag) in set.iter().enumerate() {
            let close = if i + 1 < set.len() { ")" } else { "" };
            write!(self.out, "|{flag}{close}")?;
        }
        Ok(())
    }

    fn message(&mut self, imm: u16) -> fmt::Result {
        let (id, op, stream) = (imm & 0xf, imm >> 4 & 7, imm >> 8 & 3);
        if id | op << 4 | stream << 8 != imm {
            return write!(self.out, "{imm}");
        }
        let named = match (message_name(id), id) {
            (Some(name), 2 | 3) if op <= 3 && (op != 0 || (id == 3 && stream == 0)) => {
                let op_name = SENDMSG_GS_OPS.iter().find(|o| o.0 == op).map(|o| o.1);
                Some((name, op_name, op != 0))
            }
            (Some(name), 15) if stream == 0 => SENDMSG_SYS_OPS
                .iter()
                .find(|o| o.0 == op)
                .map(|o| (name, Some(o.1), false)),
            (Some(name), _) if id != 2 && id != 3 && id != 15 && op == 0 && stream == 0 => {
                Some((name, None, false))
            }
            _ => None,
        };
        match named {
            Some((name, None, _)) => write!(self.out, "sendmsg({name})"),
            Some((name, Some(op), false)) => write!(self.out, "sendmsg({name}, {op})"),
            Some((name, Some(op), true)) => write!(self.out, "sendmsg({name}, {op}, {stream})"),
            None => write!(self.out, "sendmsg({id}, {op}, {stream})"),
        }
    }

    fn waitcnt(&mut self, imm: u16) -> fmt::Result {
        let bits = u64::from(imm);
        if imm & 0x80 != 0 {
            return write!(self.out, "{imm:#x}");
        }
        let value = |lo: Field, hi: Field| lo.get(bits) | hi.get(bits) << lo.width;
        let max = |lo: Field, hi: Field| (1u32 << (lo.width + hi.width)) - 1;
        let all = WAITCNT
            .iter()
            .all(|&(_, lo, hi)| value(lo, hi) == max(lo, hi));
        let mut separator = "";
        for (name, lo, hi) in WAITCNT {
            if all || value(lo, hi) != max(lo, hi) {
                write!(self.out, "{separator}{name}({})", value(lo, hi))?;
                separator = " ";
            }
        }
        Ok(())
    }

    fn depctr(&mut self, imm: u16) -> fmt::Result {
        let bits = u64::from(imm);
        let target = self.inst.target();
        if bits & !depctr_default(target) != 0 {
            return write!(self.out, "{imm:#x}");
        }
        let fields = || DEPCTR.into_iter().filter(|f| f.2.contains(target.set()));
        let all = fields().all(|f| f.1.get(bits) == f.1.max());
        let mut separator = "";
        for (name, field, _) in fields() {
            if all || field.get(bits) != field.max() {
                write!(self.out, "{separator}{name}({})", field.get(bits))?;
                separator = " ";
            }
        }
        Ok(())
    }

    /// `attr3.y`.
    pub(super) fn attribute(&mut self, operand: Operand) -> fmt::Result {
        let Operand::Imm(i) = operand else {
            return Ok(());
        };
        let channel = ["x", "y", "z", "w"].get((i & 3) as usize).copied();
        write!(self.out, "attr{}.{}", i >> 2, channel.unwrap_or(""))
    }

    /// The parameter that V_INTERP_MOV takes.
    pub(super) fn interpolation_point(&mut self, operand: Operand) -> fmt::Result {
        match operand {
            Operand::Imm(0) => self.out.write_str("p10"),
            Operand::Imm(1) => self.out.write_str("p20"),
            Operand::Imm(2) => self.out.write_str("p0"),
            Operand::Imm(i) => write!(self.out, "invalid_param_{i}"),
            _ => Ok(()),
        }
    }
}

/// S_WAITCNT_DEPCTR's value that waits for nothing: all fields of the target at their largest.
pub(crate) fn depctr_default(target: Target) -> u64 {
    DEPCTR
        .iter()
        .filter(|f| f.2.contains(target.set()))
        .fold(0, |m, f| m | f.1.mask())
}
