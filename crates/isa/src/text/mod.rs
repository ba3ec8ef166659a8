//! Instructions as text in LLVM's syntax. Owns spelling alone; reads every fact from the instruction.

mod memory;
mod names;
mod operand;
mod special;
mod valu;

pub(crate) use names::*;
pub(crate) use operand::{inline_of_literal, spelling_ty};
pub use special::hwreg_name;
pub(crate) use special::{
    DEPCTR, HWREGS, MESSAGES, SENDMSG_GS_OPS, SENDMSG_SYS_OPS, VERSION_FLAGS, VERSIONS, WAITCNT,
    depctr_default,
};

use std::fmt::{self, Write};

use crate::encoding::{Encoding, Ext};
use crate::inst::Inst;
use crate::operand::{Operand, Ty};
use crate::row::{Access, OperandSpec, RowFlags, Slot};
use crate::target::WaveSize;

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextOptions {
    /// The wave size: the width of masks (`vcc_lo` or `vcc`).
    pub wave: WaveSize,
    /// Write a literal that an inline constant could replace as `lit(0x3f800000)`, and inline floats of
    /// 16-bit integer operands by name, so that the text assembles to the same words. Off, both are
    /// written as LLVM writes them (`1.0`; `0x3800`), which assembles to another encoding of the same
    /// meaning.
    pub exact: bool,
}

impl TextOptions {
    /// LLVM's text.
    pub const fn llvm(wave: WaveSize) -> TextOptions {
        TextOptions { wave, exact: false }
    }

    /// Text that assembles back to the same words.
    pub const fn exact(wave: WaveSize) -> TextOptions {
        TextOptions { wave, exact: true }
    }
}

/// Writes an instruction as LLVM does, without a line end.
///
/// # Errors
/// Only what the writer returns.
pub fn format_inst(inst: &Inst, options: TextOptions, out: &mut impl Write) -> fmt::Result {
    Printer { inst, options, out }.inst()
}

/// [`format_inst`] into a new string.
pub fn inst_to_string(inst: &Inst, options: TextOptions) -> String {
    let mut s = String::new();
    // Writing to a String cannot fail.
    let _ = format_inst(inst, options, &mut s);
    s
}

/// `0x10: 7e000280 v_mov_b32_e32 v0, 0`, masks as in wave32.
impl fmt::Debug for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}:", self.pc())?;
        for word in self.words() {
            write!(f, " {word:08x}")?;
        }
        f.write_char(' ')?;
        format_inst(self, TextOptions::exact(WaveSize::W32), f)
    }
}

/// The mnemonic's suffix: which encoding of a row with several it is.
///
/// LLVM writes none for V_NOP and its like, in whichever encoding; `exact` tells them apart.
pub(crate) fn suffix(inst: &Inst, exact: bool) -> &'static str {
    let row = inst.row();
    if row.operands.is_empty() {
        return match inst.encoding() {
            Encoding::Vop3 if exact => "_e64",
            _ => "",
        };
    }
    let has = |e| row.form(e, inst.target()).is_some();
    match (inst.encoding(), inst.ext()) {
        (_, Ext::Sdwa | Ext::Sdwab) => "_sdwa",
        (_, Ext::Dpp16 | Ext::Dpp8) => "_dpp",
        (Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc, Ext::None) if has(Encoding::Vop3) => {
            "_e32"
        }
        (Encoding::Vintrp, _) => "_e32",
        (Encoding::Vop3, _)
            if has(Encoding::Vop1)
                || has(Encoding::Vop2)
                || has(Encoding::Vopc)
                || has(Encoding::Vintrp) =>
        {
            "_e64"
        }
        _ => "",
    }
}

struct Printer<'a, W: Write> {
    inst: &'a Inst,
    options: TextOptions,
    out: &'a mut W,
}

impl<W: Write> Printer<'_, W> {
    fn inst(&mut self) -> fmt::Result {
        for c in self.inst.row().name.chars() {
            self.out.write_char(c.to_ascii_lowercase())?;
        }
        self.out.write_str(suffix(self.inst, self.options.exact))?;
        let mut separator = if self.inst.encoding() == Encoding::Exp {
            " "
        } else {
            ""
        };
        let row = self.inst.row();
        for spec in row.operands {
            if !self.shown(spec) {
                continue;
            }
            if separator.is_empty() {
                separator = " ";
            } else if spec.slot == Slot::ExpSrc(0) {
                // `exp mrt0 v0, …`: no comma behind the target.
                separator = " ";
            }
            self.out.write_str(separator)?;
            self.role(spec)?;
            separator = ", ";
        }
        match self.inst.encoding() {
            Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc | Encoding::Vop3 | Encoding::Vop3p => {
                self.valu_modifiers()
            }
            Encoding::Sop2
            | Encoding::Sopk
            | Encoding::Sop1
            | Encoding::Sopc
            | Encoding::Sopp
            | Encoding::Vintrp => Ok(()),
            Encoding::Smem
            | Encoding::Ds
            | Encoding::Mubuf
            | Encoding::Mtbuf
            | Encoding::Mimg
            | Encoding::Flat
            | Encoding::Global
            | Encoding::Scratch
            | Encoding::Exp => self.memory_modifiers(),
        }
    }

    /// Whether the text has the operand.
    fn shown(&self, spec: &OperandSpec) -> bool {
        let glc = self.inst.mem_mods().glc;
        if spec.hidden || (spec.access == Access::DstIfGlc && !glc) {
            return false;
        }
        match spec.slot {
            // FLAT has no scalar address.
            Slot::Saddr => self.inst.encoding() != Encoding::Flat,
            Slot::Vdata | Slot::Vdst => !self.inst.lds_in_place_of_data(spec),
            // S_ENDPGM's operand is left out where it is 0.
            Slot::Simm16 => {
                self.inst.opcode() != crate::table::Opcode::S_ENDPGM || self.inst.simm16() != 0
            }
            _ => true,
        }
    }

    fn role(&mut self, spec: &OperandSpec) -> fmt::Result {
        let operand = self.inst.operand(spec);
        let ty = match spec.slot {
            // LLVM writes eight registers with R128 too.
            Slot::Srsrc => spec.ty,
            _ => self.inst.operand_ty(spec),
        };
        match spec.slot {
            Slot::Src0 | Slot::Src1 | Slot::Src2 | Slot::InterpVsrc => {
                self.modified_source(spec, operand, ty)
            }
            Slot::Simm16 => self.simm16(),
            Slot::Literal => {
                let l = self.inst.literal().unwrap_or(0);
                match operand::small_int(l) {
                    // LLVM writes small integers of S_SETREG_IMM32 in decimal, K of V_FMAMK never.
                    Some(i) if self.inst.encoding() == Encoding::Sopk => write!(self.out, "{i}"),
                    _ => write!(self.out, "{l:#x}"),
                }
            }
            Slot::AttrChan => self.attribute(operand),
            Slot::InterpPoint => self.interpolation_point(operand),
            Slot::ProbeImm => match operand {
                Operand::Imm(i) if i <= 64 => write!(self.out, "{i}"),
                Operand::Imm(i) => write!(self.out, "{i:#x}"),
                _ => Ok(()),
            },
            Slot::ExpTarget => self.export_target(),
            Slot::SmemOffset => self.smem_offset(operand),
            Slot::ImageAddr => self.image_address(),
            Slot::Vdata => self.data(operand, ty),
            Slot::Vdst if self.inst.encoding() == Encoding::Ds => self.data(operand, ty),
            _ => self.operand(operand, ty),
        }
    }

    /// A register name with the number of registers that a mask has.
    fn mask_dwords(&self) -> u32 {
        match self.options.wave {
            WaveSize::W32 => 1,
            WaveSize::W64 => 2,
        }
    }

    fn dwords(&self, ty: Ty) -> u32 {
        match ty {
            Ty::Mask => self.mask_dwords(),
            _ => ty.bits().map_or(1, |b| b.div_ceil(32)),
        }
    }

    fn flags(&self) -> RowFlags {
        self.inst.flags()
    }
}
