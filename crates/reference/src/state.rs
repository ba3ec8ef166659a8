//! The registers of one wave: scalars, vectors by lane, EXEC, VCC, SCC, M0, MODE, pc; which of them
//! are still undefined, and what read them so. Knows no instruction and no memory.

use std::cell::RefCell;

use spirdna_isa::launch::{CODE_BASE, Mode, PRIVATE_APERTURE, SHARED_APERTURE};
use spirdna_isa::{Operand, SReg, Special, Target, Ty, WaveSize};

use crate::error::{ExecError, Unsupported};
use crate::stage::StageState;

/// Vector registers of a wave.
pub const VGPRS: usize = 256;
/// Lanes that storage is kept for, whatever the wave size.
pub const MAX_LANES: usize = 64;

/// A register as findings and traces name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// A scalar register.
    S(SReg),
    /// A vector register.
    V(u8),
    /// SCC.
    Scc,
}

/// The first read of a register that nothing had written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Byte offset of the reading instruction.
    pub pc: u32,
    /// The wave's index in its workgroup.
    pub wave: u32,
    /// The register.
    pub register: Register,
    /// The lane, for a vector register.
    pub lane: Option<u8>,
}

/// Each register is reported once a wave.
#[derive(Clone, Debug, Default)]
struct Findings {
    list: Vec<Finding>,
}

/// The state of one wave.
///
/// Reads of registers take `&self`; a read of an undefined register returns 0 and is recorded as a
/// [`Finding`]. Writes never fail where a register number cannot be out of range. `lane` is a lane
/// index below [`Wave::lanes`]; higher ones are taken modulo 64.
#[derive(Clone, Debug)]
pub struct Wave {
    target: Target,
    size: WaveSize,
    index: u32,
    sgprs: [u32; 128],
    sgpr_defined: u128,
    vgprs: Vec<[u32; MAX_LANES]>,
    vgpr_defined: Vec<u64>,
    scc: bool,
    scc_defined: bool,
    /// Rounding, denormals and the like.
    pub mode: Mode,
    /// Byte offset of the instruction that executes now.
    pub pc: u32,
    /// Byte offset of the instruction that comes next.
    pub next_pc: u32,
    /// The dword that `lds_direct` reads; whoever executes an instruction with that source sets it.
    pub lds_direct: Option<u32>,
    /// `FLAT_SCRATCH` as written with `s_setreg`; it has no effect, see the flat unit.
    pub flat_scratch: [Option<u32>; 2],
    /// Guest address of the code's first byte.
    pub code_address: u64,
    /// What a graphics wave has beyond registers.
    pub(crate) stage: Option<Box<StageState>>,
    /// The wave ended.
    pub ended: bool,
    /// The wave waits at a barrier.
    pub at_barrier: bool,
    findings: RefCell<Findings>,
    pub(crate) vgpr_count: u16,
}

impl Wave {
    /// A wave whose registers are all undefined and 0, with every lane off.
    pub fn new(target: Target, size: WaveSize, mode: Mode, index: u32) -> Wave {
        let mut wave = Wave {
            target,
            size,
            index,
            sgprs: [0; 128],
            sgpr_defined: 0,
            vgprs: vec![[0; MAX_LANES]; VGPRS],
            vgpr_defined: vec![0; VGPRS],
            scc: false,
            scc_defined: false,
            mode,
            pc: 0,
            next_pc: 0,
            lds_direct: None,
            flat_scratch: [None; 2],
            code_address: CODE_BASE,
            stage: None,
            ended: false,
            at_barrier: false,
            findings: RefCell::default(),
            vgpr_count: VGPRS as u16,
        };
        wave.set_exec(0);
        wave
    }

    /// The target whose code it runs.
    pub fn target(&self) -> Target {
        self.target
    }

    /// VGPRs that it has: where a register that M0 indexes is out of range.
    pub fn vgpr_count(&self) -> u16 {
        self.vgpr_count
    }

    /// Its size.
    pub fn size(&self) -> WaveSize {
        self.size
    }

    /// Number of lanes, 32 or 64.
    pub fn lanes(&self) -> usize {
        self.size.lanes() as usize
    }

    /// Its number in the workgroup.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Reads of undefined registers so far, each register once.
    pub fn findings(&self) -> Vec<Finding> {
        self.findings.borrow().list.clone()
    }

    fn find(&self, register: Register, lane: Option<u8>) {
        let mut findings = self.findings.borrow_mut();
        if findings.list.iter().all(|f| f.register != register) {
            findings.list.push(Finding {
                pc: self.pc,
                wave: self.index,
                register,
                lane,
            });
        }
    }

    // Scalars.

    /// A scalar register; NULL reads 0.
    pub fn sgpr(&self, reg: SReg) -> u32 {
        if reg == SReg::NULL {
            return 0;
        }
        if self.sgpr_defined >> reg.code() & 1 == 0 {
            self.find(Register::S(reg), None);
        }
        self.sgprs[reg.index()]
    }

    /// Writes a scalar register; NULL drops it.
    pub fn set_sgpr(&mut self, reg: SReg, value: u32) {
        if reg != SReg::NULL {
            self.sgprs[reg.index()] = value;
            self.sgpr_defined |= 1 << reg.code();
        }
    }

    /// Whether a scalar register was written.
    pub fn sgpr_defined(&self, reg: SReg) -> bool {
        self.sgpr_defined >> reg.code() & 1 == 1
    }

    /// The register `n` after `reg` in an access of `dwords`, all of one kind: SGPRs, VCC, trap
    /// temporaries or EXEC, of pairs aligned to 2 and wider ones to 4. NULL stands for any width.
    fn part(&self, reg: SReg, n: u32, dwords: u32) -> Result<SReg, ExecError> {
        let code = u32::from(reg.code());
        if reg == SReg::NULL {
            return Ok(reg);
        }
        let (first, end) = match code {
            0..106 => (0, 106),
            106..108 => (106, 108),
            108..124 => (108, 124),
            124 => (124, 125),
            _ => (126, 128),
        };
        let align = match dwords {
            0 | 1 => 1,
            2 => 2,
            _ => 4,
        };
        if code + dwords > end || !(code - first).is_multiple_of(align) {
            return Err(ExecError::ScalarRange {
                pc: self.pc,
                register: reg,
                dwords,
            });
        }
        Ok(SReg::from_code((code + n) as u8))
    }

    /// Checks that `dwords` registers from `reg` exist and are aligned.
    pub fn check_sgprs(&self, reg: SReg, dwords: u32) -> Result<(), ExecError> {
        self.part(reg, 0, dwords).map(|_| ())
    }

    /// `N` consecutive scalars.
    pub fn sgprs<const N: usize>(&self, reg: SReg) -> Result<[u32; N], ExecError> {
        let mut out = [0; N];
        for (n, o) in out.iter_mut().enumerate() {
            *o = self.sgpr(self.part(reg, n as u32, N as u32)?);
        }
        Ok(out)
    }

    /// Writes consecutive scalars.
    pub fn set_sgprs(&mut self, reg: SReg, values: &[u32]) -> Result<(), ExecError> {
        let dwords = values.len() as u32;
        for (n, &v) in values.iter().enumerate() {
            let r = self.part(reg, n as u32, dwords)?;
            self.set_sgpr(r, v);
        }
        Ok(())
    }

    /// A scalar pair, the low half first.
    pub fn sgpr64(&self, reg: SReg) -> Result<u64, ExecError> {
        let [lo, hi] = self.sgprs(reg)?;
        Ok(join(lo, hi))
    }

    /// Writes a scalar pair.
    pub fn set_sgpr64(&mut self, reg: SReg, value: u64) -> Result<(), ExecError> {
        self.set_sgprs(reg, &[value as u32, (value >> 32) as u32])
    }

    /// A lane mask: one register in wave32, a pair in wave64.
    pub fn mask(&self, reg: SReg) -> Result<u64, ExecError> {
        match self.size {
            WaveSize::W32 => Ok(u64::from(self.sgpr(reg))),
            WaveSize::W64 => self.sgpr64(reg),
        }
    }

    /// Writes a lane mask; in wave32 the register after it is left alone.
    pub fn set_mask(&mut self, reg: SReg, mask: u64) -> Result<(), ExecError> {
        match self.size {
            WaveSize::W32 => self.set_sgpr(reg, mask as u32),
            WaveSize::W64 => self.set_sgpr64(reg, mask)?,
        }
        Ok(())
    }

    /// The active lanes. In wave32 bits 63:32 are 0, whatever EXEC_HI holds: there it is an ordinary
    /// register.
    pub fn exec(&self) -> u64 {
        self.wave_pair(SReg::EXEC_LO)
    }

    /// Sets the active lanes; in wave32 EXEC_HI is left alone.
    pub fn set_exec(&mut self, mask: u64) {
        self.set_wave_pair(SReg::EXEC_LO, SReg::EXEC_HI, mask);
    }

    /// VCC as a lane mask, limited to the wave. A read of it counts as one of VCC_LO (and VCC_HI).
    pub fn vcc(&self) -> u64 {
        let lo = self.sgpr(SReg::VCC_LO);
        match self.size {
            WaveSize::W32 => u64::from(lo),
            WaveSize::W64 => join(lo, self.sgpr(SReg::VCC_HI)),
        }
    }

    /// Sets VCC as a lane mask; in wave32 VCC_HI is left alone.
    pub fn set_vcc(&mut self, mask: u64) {
        self.set_wave_pair(SReg::VCC_LO, SReg::VCC_HI, mask);
    }

    fn wave_pair(&self, lo: SReg) -> u64 {
        let i = lo.index();
        match self.size {
            WaveSize::W32 => u64::from(self.sgprs[i]),
            WaveSize::W64 => join(self.sgprs[i], self.sgprs[i + 1]),
        }
    }

    fn set_wave_pair(&mut self, lo: SReg, hi: SReg, mask: u64) {
        self.set_sgpr(lo, mask as u32);
        if self.size == WaveSize::W64 {
            self.set_sgpr(hi, (mask >> 32) as u32);
        }
    }

    /// Whether a lane is active.
    pub fn active(&self, lane: usize) -> bool {
        self.exec() >> (lane % MAX_LANES) & 1 == 1
    }

    /// The active lanes in ascending order, as EXEC stands now.
    pub fn active_lanes(&self) -> impl Iterator<Item = usize> + use<> {
        let exec = self.exec();
        (0..MAX_LANES).filter(move |l| exec >> l & 1 == 1)
    }

    /// M0.
    pub fn m0(&self) -> u32 {
        self.sgpr(SReg::M0)
    }

    /// SCC.
    pub fn scc(&self) -> bool {
        if !self.scc_defined {
            self.find(Register::Scc, None);
        }
        self.scc
    }

    /// Sets SCC.
    pub fn set_scc(&mut self, scc: bool) {
        self.scc = scc;
        self.scc_defined = true;
    }

    // Vectors.

    /// A vector register's dword in a lane.
    pub fn vgpr(&self, reg: u8, lane: usize) -> u32 {
        let lane = lane % MAX_LANES;
        if self.vgpr_defined[reg as usize] >> lane & 1 == 0 {
            self.find(Register::V(reg), Some(lane as u8));
        }
        self.vgprs[reg as usize][lane]
    }

    /// The same without a finding where it is undefined: for what is only merged or kept.
    pub fn vgpr_raw(&self, reg: u8, lane: usize) -> u32 {
        self.vgprs[reg as usize][lane % MAX_LANES]
    }

    /// Writes a vector register's dword in a lane, whatever EXEC says.
    pub fn set_vgpr(&mut self, reg: u8, lane: usize, value: u32) {
        let lane = lane % MAX_LANES;
        self.vgprs[reg as usize][lane] = value;
        self.vgpr_defined[reg as usize] |= 1 << lane;
    }

    /// Writes the low or the high half and keeps the other; the register counts as defined.
    pub fn set_vgpr_half(&mut self, reg: u8, lane: usize, hi: bool, value: u16) {
        let old = self.vgpr_raw(reg, lane);
        let new = if hi {
            old & 0xffff | u32::from(value) << 16
        } else {
            old & 0xffff_0000 | u32::from(value)
        };
        self.set_vgpr(reg, lane, new);
    }

    /// Checks that `dwords` registers from `reg` exist.
    pub fn check_vgprs(&self, reg: u8, dwords: u32) -> Result<(), ExecError> {
        if u32::from(reg) + dwords > VGPRS as u32 {
            return Err(ExecError::VectorRange {
                pc: self.pc,
                register: reg,
                dwords,
            });
        }
        Ok(())
    }

    /// `N` consecutive vector registers in a lane.
    pub fn vgprs<const N: usize>(&self, reg: u8, lane: usize) -> Result<[u32; N], ExecError> {
        self.check_vgprs(reg, N as u32)?;
        let mut out = [0; N];
        for (r, o) in (reg..=u8::MAX).zip(&mut out) {
            *o = self.vgpr(r, lane);
        }
        Ok(out)
    }

    /// Writes consecutive vector registers in a lane, whatever EXEC says.
    pub fn set_vgprs(&mut self, reg: u8, lane: usize, values: &[u32]) -> Result<(), ExecError> {
        self.check_vgprs(reg, values.len() as u32)?;
        for (r, &v) in (reg..=u8::MAX).zip(values) {
            self.set_vgpr(r, lane, v);
        }
        Ok(())
    }

    /// A vector register pair in a lane.
    pub fn vgpr64(&self, reg: u8, lane: usize) -> Result<u64, ExecError> {
        let [lo, hi] = self.vgprs(reg, lane)?;
        Ok(join(lo, hi))
    }

    /// Writes a vector register pair in a lane.
    pub fn set_vgpr64(&mut self, reg: u8, lane: usize, value: u64) -> Result<(), ExecError> {
        self.set_vgprs(reg, lane, &[value as u32, (value >> 32) as u32])
    }

    // Operands.

    /// What a source of up to 64 bits holds for a lane: a 64-bit type gives 64 bits, [`Ty::Mask`] a
    /// whole lane mask, every other type the 32-bit register or the constant at the type's width.
    /// A 16-bit type therefore gives the whole register: halves are the unit's to select.
    pub fn source(&self, operand: Operand, ty: Ty, lane: usize) -> Result<u64, ExecError> {
        match operand {
            Operand::V(r) => match self.dwords(ty)? {
                2 => self.vgpr64(r, lane),
                _ => Ok(u64::from(self.vgpr(r, lane))),
            },
            Operand::S(_)
            | Operand::Int(_)
            | Operand::Float(_)
            | Operand::Literal(_)
            | Operand::Special(_)
            | Operand::Imm(_)
            | Operand::Off => self.scalar(operand, ty),
        }
    }

    /// What a scalar source of up to 64 bits holds; a vector register or a switched-off operand is
    /// refused.
    pub fn scalar(&self, operand: Operand, ty: Ty) -> Result<u64, ExecError> {
        let dwords = self.dwords(ty)?;
        match operand {
            Operand::S(r) if ty == Ty::Mask => self.mask(r),
            Operand::S(r) if dwords == 2 => self.sgpr64(r),
            Operand::S(r) => Ok(u64::from(self.sgpr(r))),
            Operand::Special(s) => self.special(s, dwords),
            Operand::Int(_) | Operand::Float(_) | Operand::Literal(_) | Operand::Imm(_) => operand
                .constant_bits(ty)
                .ok_or_else(|| self.refuse(format!("{operand:?} as {ty:?}"))),
            Operand::V(_) | Operand::Off => Err(self.refuse(format!("{operand:?} as a scalar"))),
        }
    }

    /// A special source. Apertures are 64-bit registers with a low half of 0 (a limit: all ones);
    /// a 32-bit read of one is refused, because LLVM never relies on which half it gives.
    fn special(&self, special: Special, dwords: u32) -> Result<u64, ExecError> {
        let aperture = |hi: u32, lo: u32| match dwords {
            2 => Ok(join(lo, hi)),
            _ => Err(self.refuse(format!("32-bit read of {special:?}"))),
        };
        match special {
            Special::SharedBase => aperture(SHARED_APERTURE, 0),
            Special::SharedLimit => aperture(SHARED_APERTURE, u32::MAX),
            Special::PrivateBase => aperture(PRIVATE_APERTURE, 0),
            Special::PrivateLimit => aperture(PRIVATE_APERTURE, u32::MAX),
            Special::PopsExitingWaveId => Err(self.refuse("pops_exiting_wave_id")),
            Special::Vccz => Ok(u64::from(self.vcc() == 0)),
            Special::Execz => Ok(u64::from(self.exec() == 0)),
            Special::Scc => Ok(u64::from(self.scc())),
            Special::LdsDirect => self
                .lds_direct
                .map(u64::from)
                .ok_or_else(|| self.refuse("lds_direct here")),
        }
    }

    /// Writes a destination of up to 64 bits in a lane: `V` registers, whatever EXEC says. A type of
    /// 16 bits writes the whole register: whether the other half stays is the unit's to decide.
    pub fn write_vector(
        &mut self,
        operand: Operand,
        ty: Ty,
        lane: usize,
        value: u64,
    ) -> Result<(), ExecError> {
        let dwords = self.dwords(ty)?;
        match operand {
            Operand::V(r) if dwords == 2 => self.set_vgpr64(r, lane, value),
            Operand::V(r) => {
                self.set_vgpr(r, lane, value as u32);
                Ok(())
            }
            Operand::S(_)
            | Operand::Int(_)
            | Operand::Float(_)
            | Operand::Literal(_)
            | Operand::Special(_)
            | Operand::Imm(_)
            | Operand::Off => Err(self.refuse(format!("{operand:?} as a vector destination"))),
        }
    }

    /// Writes a scalar destination of up to 64 bits ([`Ty::Mask`]: as a lane mask).
    pub fn write_scalar(&mut self, operand: Operand, ty: Ty, value: u64) -> Result<(), ExecError> {
        let dwords = self.dwords(ty)?;
        match operand {
            Operand::S(r) if ty == Ty::Mask => self.set_mask(r, value),
            Operand::S(r) if dwords == 2 => self.set_sgpr64(r, value),
            Operand::S(r) => {
                self.set_sgpr(r, value as u32);
                Ok(())
            }
            Operand::V(_)
            | Operand::Int(_)
            | Operand::Float(_)
            | Operand::Literal(_)
            | Operand::Special(_)
            | Operand::Imm(_)
            | Operand::Off => Err(self.refuse(format!("{operand:?} as a scalar destination"))),
        }
    }

    /// A scalar register without a finding.
    pub(crate) fn sgpr_raw(&self, reg: SReg) -> u32 {
        self.sgprs[reg.index()]
    }

    /// SCC without a finding.
    pub(crate) fn scc_raw(&self) -> bool {
        self.scc
    }

    /// Registers that differ from another state's, with the mask of lanes for vector registers.
    pub(crate) fn differences(&self, other: &Wave) -> Vec<(Register, u64)> {
        let mut out = Vec::new();
        for (code, (a, b)) in (0..).zip(self.sgprs.iter().zip(&other.sgprs)) {
            if a != b {
                out.push((Register::S(SReg::from_code(code)), 0));
            }
        }
        if self.scc != other.scc {
            out.push((Register::Scc, 0));
        }
        for (r, (a, b)) in (0..=u8::MAX).zip(self.vgprs.iter().zip(&other.vgprs)) {
            let lanes = (0..)
                .zip(a.iter().zip(b))
                .fold(0, |m, (l, (x, y))| m | u64::from(x != y) << l);
            if lanes != 0 {
                out.push((Register::V(r), lanes));
            }
        }
        out
    }

    /// Registers that a value of up to 64 bits takes.
    fn dwords(&self, ty: Ty) -> Result<u32, ExecError> {
        match ty.bits() {
            Some(..=32) => Ok(1),
            Some(64) => Ok(2),
            Some(_) => Err(self.refuse(format!("{ty:?} as one value"))),
            None if ty == Ty::Mask => Ok(self.size.lanes() / 32),
            None => Err(self.refuse(format!("{ty:?} as one value"))),
        }
    }

    /// A refusal at the current pc. The driver adds the mnemonic and the words.
    pub fn refuse(&self, reason: impl Into<String>) -> ExecError {
        ExecError::Unsupported(Box::new(Unsupported {
            pc: self.pc,
            words: Vec::new(),
            mnemonic: "",
            reason: reason.into(),
        }))
    }
}

/// A 64-bit value from its halves.
pub(crate) const fn join(lo: u32, hi: u32) -> u64 {
    lo as u64 | (hi as u64) << 32
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may stop

    use super::*;

    fn wave(size: WaveSize) -> Wave {
        Wave::new(Target::Gfx1030, size, Mode::default(), 0)
    }

    #[test]
    fn exec_hi_is_an_ordinary_register_in_wave32() {
        let mut w = wave(WaveSize::W32);
        w.set_sgpr(SReg::EXEC_HI, 0x1234_5678);
        w.set_exec(0xffff_ffff_0000_0003);
        assert_eq!(w.exec(), 3);
        assert_eq!(w.sgpr64(SReg::EXEC_LO).unwrap(), 0x1234_5678_0000_0003);
        assert_eq!(w.active_lanes().collect::<Vec<_>>(), [0, 1]);
        let mut w = wave(WaveSize::W64);
        w.set_exec(1 << 63);
        assert_eq!(w.sgpr(SReg::EXEC_HI), 1 << 31);
        assert!(w.active(63) && !w.active(62));
    }

    #[test]
    fn wide_scalars_stay_in_their_file() {
        let w = wave(WaveSize::W64);
        let s = SReg::from_code;
        for (code, dwords, ok) in [
            (98, 8, false),
            (96, 8, true),
            (100, 4, true),
            (104, 4, false),
            (104, 2, true),
            (103, 2, false),
            (106, 2, true),
            (106, 4, false),
            (124, 1, true),
            (124, 2, false),
            (125, 8, true),
            (126, 2, true),
            (127, 2, false),
            (2, 4, false),
            (108, 16, true),
            (112, 16, false),
        ] {
            assert_eq!(
                w.check_sgprs(s(code), dwords).is_ok(),
                ok,
                "{code} {dwords}"
            );
        }
        assert!(w.vgprs::<2>(255, 0).is_err());
        assert!(w.vgprs::<2>(254, 0).is_ok());
    }

    #[test]
    fn the_first_undefined_read_is_found() {
        let mut w = wave(WaveSize::W32);
        w.set_vgpr(1, 0, 7);
        w.pc = 8;
        assert_eq!((w.vgpr(1, 0), w.vgpr(1, 5), w.sgpr(SReg::M0)), (7, 0, 0));
        w.pc = 12;
        assert_eq!((w.vgpr(1, 6), w.sgpr(SReg::NULL)), (0, 0));
        let found: Vec<_> = w
            .findings()
            .iter()
            .map(|f| (f.pc, f.register, f.lane))
            .collect();
        let expect = [
            (8, Register::V(1), Some(5)),
            (8, Register::S(SReg::M0), None),
        ];
        assert_eq!(found, expect);
    }

    #[test]
    fn constants_have_the_operands_width() {
        let w = wave(WaveSize::W64);
        let read = |o, ty| w.scalar(o, ty).unwrap();
        assert_eq!(read(Operand::Int(-1), Ty::B64), u64::MAX);
        assert_eq!(read(Operand::Int(1), Ty::B64), 1);
        assert_eq!(read(Operand::Int(-16), Ty::I32), 0xffff_fff0);
        assert_eq!(
            read(Operand::Literal(0x3ff0_0000), Ty::F64),
            0x3ff0_0000_0000_0000
        );
        assert_eq!(
            read(Operand::Special(Special::SharedBase), Ty::B64),
            1 << 48
        );
        assert!(
            w.scalar(Operand::Special(Special::SharedBase), Ty::B32)
                .is_err()
        );
    }
}
