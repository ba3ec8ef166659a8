//! Scalar ALU: every meaning of `Salu`, with its effect on SCC. Knows no encoding.

use spirdna_isa::launch::{Denorm, Mode, PRIVATE_APERTURE, Round, SHARED_APERTURE};
use spirdna_isa::{Cond, Inst, IntTy, Logic, Operand, SReg, Salu, Sign, Width};

use crate::data::{dst, src};
use crate::error::ExecError;
use crate::state::Wave;

/// Executes a scalar ALU instruction.
pub(crate) fn execute(wave: &mut Wave, inst: &Inst, salu: Salu) -> Result<(), ExecError> {
    let a = |w: &Wave| value(w, inst, 0);
    let b = |w: &Wave| value(w, inst, 1);
    match salu {
        Salu::Mov(_) => {
            let v = a(wave)?;
            write(wave, inst, v)
        }
        Salu::Cmov(_) => {
            if wave.scc() {
                let v = a(wave)?;
                write(wave, inst, v)?;
            }
            Ok(())
        }
        Salu::Not(w) => {
            let v = fit(!a(wave)?, w);
            write_nz(wave, inst, v)
        }
        Salu::Wqm(w) => {
            let v = fit(whole_quads(a(wave)?), w);
            write_nz(wave, inst, v)
        }
        Salu::Brev(w) => {
            let v = a(wave)?;
            let v = match w {
                Width::B32 => u64::from((v as u32).reverse_bits()),
                Width::B64 => v.reverse_bits(),
            };
            write(wave, inst, v)
        }
        Salu::Bcnt0(w) => {
            let v = u64::from(fit(!a(wave)?, w).count_ones());
            write_nz(wave, inst, v)
        }
        Salu::Bcnt1(w) => {
            let v = u64::from(fit(a(wave)?, w).count_ones());
            write_nz(wave, inst, v)
        }
        Salu::Ff0(w) => {
            let v = first_one(fit(!a(wave)?, w));
            write(wave, inst, v)
        }
        Salu::Ff1(w) => {
            let v = first_one(fit(a(wave)?, w));
            write(wave, inst, v)
        }
        Salu::FlbitU(w) => {
            let v = leading_zeros(a(wave)?, w);
            write(wave, inst, v)
        }
        Salu::FlbitI(w) => {
            let v = extend(a(wave)?, w);
            let v = leading_zeros(fit((v ^ (v >> 63)) as u64, w), w);
            write(wave, inst, v)
        }
        Salu::Sext8 => {
            let v = a(wave)? as i8 as u64;
            write(wave, inst, v)
        }
        Salu::Sext16 => {
            let v = a(wave)? as i16 as u64;
            write(wave, inst, v)
        }
        // The destination is source 1.
        Salu::Bitset0(w) => {
            let v = b(wave)? & !(1 << shift_count(a(wave)?, w));
            write(wave, inst, v)
        }
        Salu::Bitset1(w) => {
            let v = b(wave)? | 1 << shift_count(a(wave)?, w);
            write(wave, inst, v)
        }
        Salu::GetPc => {
            let address = wave.code_address + u64::from(inst.next_pc());
            write(wave, inst, address)
        }
        Salu::SaveExec(op, w) => {
            let (old, new) = exec_op(wave, op, a(wave)?, w)?;
            write(wave, inst, old)?;
            set_exec(wave, new, w)?;
            wave.set_scc(new != 0);
            Ok(())
        }
        Salu::WrExec(op, w) => {
            let (_, new) = exec_op(wave, op, a(wave)?, w)?;
            write(wave, inst, new)?;
            set_exec(wave, new, w)?;
            wave.set_scc(new != 0);
            Ok(())
        }
        Salu::QuadMask(w) => {
            let v = fit(a(wave)?, w);
            let quads = (0..16).fold(0, |m, q| m | u64::from(v >> (q * 4) & 15 != 0) << q);
            write_nz(wave, inst, quads)
        }
        Salu::MovRelS(w) => {
            let reg = indexed(wave, src(wave, inst, 0)?.0, wave.m0(), w)?;
            let v = read_reg(wave, reg, w)?;
            write(wave, inst, v)
        }
        Salu::MovRelD(w) => {
            let v = a(wave)?;
            let reg = indexed(wave, dst(wave, inst, 0)?.0, wave.m0(), w)?;
            write_reg(wave, reg, v, w)
        }
        Salu::MovRelSd2 => {
            let m0 = wave.m0();
            let from = indexed(wave, src(wave, inst, 0)?.0, m0 & 0x3ff, Width::B32)?;
            let to = indexed(wave, dst(wave, inst, 0)?.0, m0 >> 16 & 0x3ff, Width::B32)?;
            let v = wave.sgpr(from);
            wave.set_sgpr(to, v);
            Ok(())
        }
        Salu::Abs => {
            let v = (a(wave)? as i32).unsigned_abs();
            write_nz(wave, inst, u64::from(v))
        }
        Salu::BitReplicate => {
            let v = a(wave)?;
            let doubled = (0..32).fold(0, |m, i| m | ((v >> i & 1) * 3) << (2 * i));
            write(wave, inst, doubled)
        }
        Salu::AddU32 => add(wave, inst, false),
        Salu::AddcU32 => {
            let carry = wave.scc();
            add(wave, inst, carry)
        }
        Salu::SubU32 => subtract(wave, inst, false),
        Salu::SubbU32 => {
            let borrow = wave.scc();
            subtract(wave, inst, borrow)
        }
        Salu::AddI32 => {
            let (v, overflow) = (a(wave)? as i32).overflowing_add(b(wave)? as i32);
            write_scc(wave, inst, u64::from(v as u32), overflow)
        }
        Salu::SubI32 => {
            let (v, overflow) = (a(wave)? as i32).overflowing_sub(b(wave)? as i32);
            write_scc(wave, inst, u64::from(v as u32), overflow)
        }
        // Equal operands clear SCC: the RDNA2 manual compares strictly both ways.
        Salu::Min(sign) => {
            let (x, y) = (a(wave)?, b(wave)?);
            let first = less(x, y, sign);
            write_scc(wave, inst, if first { x } else { y }, first)
        }
        Salu::Max(sign) => {
            let (x, y) = (a(wave)?, b(wave)?);
            let first = less(y, x, sign);
            write_scc(wave, inst, if first { x } else { y }, first)
        }
        Salu::Cselect(_) => {
            let v = if wave.scc() { a(wave)? } else { b(wave)? };
            write(wave, inst, v)
        }
        Salu::Logic(op, w) => {
            let v = fit(logic(op, a(wave)?, b(wave)?), w);
            write_nz(wave, inst, v)
        }
        Salu::Shl(w) => {
            let v = fit(fit(a(wave)?, w) << shift_count(b(wave)?, w), w);
            write_nz(wave, inst, v)
        }
        Salu::Shr(w) => {
            let v = fit(a(wave)?, w) >> shift_count(b(wave)?, w);
            write_nz(wave, inst, v)
        }
        Salu::Ashr(w) => {
            let v = extend(a(wave)?, w) >> shift_count(b(wave)?, w);
            write_nz(wave, inst, fit(v as u64, w))
        }
        Salu::Bfm(w) => {
            let ones = (1u64 << shift_count(a(wave)?, w)) - 1;
            let v = fit(ones << shift_count(b(wave)?, w), w);
            write(wave, inst, v)
        }
        Salu::MulI32 => {
            let v = (a(wave)? as u32).wrapping_mul(b(wave)? as u32);
            write(wave, inst, u64::from(v))
        }
        Salu::MulHi(sign) => {
            let (x, y) = (a(wave)? as u32, b(wave)? as u32);
            let product = match sign {
                Sign::Unsigned => u64::from(x) * u64::from(y),
                Sign::Signed => (i64::from(x as i32) * i64::from(y as i32)) as u64,
            };
            write(wave, inst, product >> 32)
        }
        Salu::Bfe(sign, w) => {
            let field = b(wave)?;
            let v = bit_field(a(wave)?, field, sign, w);
            write_nz(wave, inst, v)
        }
        Salu::LshlAdd(n) => {
            let sum = (u64::from(a(wave)? as u32) << n) + u64::from(b(wave)? as u32);
            write_scc(wave, inst, sum, sum >> 32 != 0)
        }
        Salu::Pack { hi0, hi1 } => {
            let half = |v: u64, hi: bool| if hi { v >> 16 & 0xffff } else { v & 0xffff };
            let v = half(a(wave)?, hi0) | half(b(wave)?, hi1) << 16;
            write(wave, inst, v)
        }
        Salu::AbsDiff => {
            let difference = (a(wave)? as i32).wrapping_sub(b(wave)? as i32);
            write_nz(wave, inst, u64::from(difference.unsigned_abs()))
        }
        Salu::Cmp(cond, ty) => {
            let (x, y) = (a(wave)?, b(wave)?);
            let scc = compare(wave, cond, ty, x, y)?;
            wave.set_scc(scc);
            Ok(())
        }
        Salu::BitCmp0(w) => {
            let scc = a(wave)? >> shift_count(b(wave)?, w) & 1 == 0;
            wave.set_scc(scc);
            Ok(())
        }
        Salu::BitCmp1(w) => {
            let scc = a(wave)? >> shift_count(b(wave)?, w) & 1 == 1;
            wave.set_scc(scc);
            Ok(())
        }
        Salu::GetReg => {
            let field = HwField::of(a(wave)?);
            let register = read_hwreg(wave, field.id)?;
            let v = register >> field.offset & field.mask();
            write(wave, inst, u64::from(v))
        }
        Salu::SetReg => {
            let field = HwField::of(a(wave)?);
            let v = b(wave)? as u32;
            write_hwreg(wave, field, v)
        }
        Salu::Version => Ok(()),
    }
}

/// Source `i` at its width; an immediate is extended to 64 bits as the row's type says.
fn value(wave: &Wave, inst: &Inst, i: usize) -> Result<u64, ExecError> {
    match src(wave, inst, i)? {
        (Operand::Imm(v), _) => Ok(i64::from(v) as u64),
        (operand, ty) => wave.scalar(operand, ty),
    }
}

fn write(wave: &mut Wave, inst: &Inst, v: u64) -> Result<(), ExecError> {
    let (operand, ty) = dst(wave, inst, 0)?;
    wave.write_scalar(operand, ty, v)
}

fn write_scc(wave: &mut Wave, inst: &Inst, v: u64, scc: bool) -> Result<(), ExecError> {
    write(wave, inst, v)?;
    wave.set_scc(scc);
    Ok(())
}

fn write_nz(wave: &mut Wave, inst: &Inst, v: u64) -> Result<(), ExecError> {
    write_scc(wave, inst, v, v != 0)
}

/// The value at a width.
fn fit(v: u64, w: Width) -> u64 {
    match w {
        Width::B32 => v & 0xffff_ffff,
        Width::B64 => v,
    }
}

/// The value at a width as a signed number.
fn extend(v: u64, w: Width) -> i64 {
    match w {
        Width::B32 => i64::from(v as i32),
        Width::B64 => v as i64,
    }
}

/// Shift counts and bit numbers use five bits, or six at 64.
fn shift_count(v: u64, w: Width) -> u32 {
    match w {
        Width::B32 => v as u32 & 31,
        Width::B64 => v as u32 & 63,
    }
}

const NONE: u64 = 0xffff_ffff;

fn first_one(v: u64) -> u64 {
    match v {
        0 => NONE,
        v => u64::from(v.trailing_zeros()),
    }
}

fn leading_zeros(v: u64, w: Width) -> u64 {
    let v = fit(v, w);
    match (v, w) {
        (0, _) => NONE,
        (v, Width::B32) => u64::from((v as u32).leading_zeros()),
        (v, Width::B64) => u64::from(v.leading_zeros()),
    }
}

fn whole_quads(v: u64) -> u64 {
    (0..16).fold(0, |m, q| {
        let quad = 15 << (q * 4);
        if v & quad != 0 { m | quad } else { m }
    })
}

pub(crate) fn logic(op: Logic, a: u64, b: u64) -> u64 {
    match op {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
        Logic::AndN2 => a & !b,
        Logic::OrN2 => a | !b,
        Logic::Nand => !(a & b),
        Logic::Nor => !(a | b),
        Logic::Xnor => !(a ^ b),
        Logic::AndN1 => !a & b,
        Logic::OrN1 => !a | b,
    }
}

fn exec_op(wave: &Wave, op: Logic, a: u64, w: Width) -> Result<(u64, u64), ExecError> {
    let old = read_reg(wave, SReg::EXEC_LO, w)?;
    Ok((old, fit(logic(op, a, old), w)))
}

fn set_exec(wave: &mut Wave, v: u64, w: Width) -> Result<(), ExecError> {
    write_reg(wave, SReg::EXEC_LO, v, w)
}

fn read_reg(wave: &Wave, reg: SReg, w: Width) -> Result<u64, ExecError> {
    match w {
        Width::B32 => Ok(u64::from(wave.sgpr(reg))),
        Width::B64 => wave.sgpr64(reg),
    }
}

fn write_reg(wave: &mut Wave, reg: SReg, v: u64, w: Width) -> Result<(), ExecError> {
    match w {
        Width::B32 => {
            wave.set_sgpr(reg, v as u32);
            Ok(())
        }
        Width::B64 => wave.set_sgpr64(reg, v),
    }
}

/// The register `index` after an operand; it must be one of s0 to s105.
fn indexed(wave: &Wave, operand: Operand, index: u32, w: Width) -> Result<SReg, ExecError> {
    let Operand::S(base) = operand else {
        return Err(wave.refuse("relative index of a constant"));
    };
    let at = u64::from(base.code()) + u64::from(index);
    let last = at
        + match w {
            Width::B32 => 0,
            Width::B64 => 1,
        };
    if last >= u64::from(SReg::SGPRS) {
        return Err(ExecError::ScalarIndex {
            pc: wave.pc,
            index: at,
        });
    }
    Ok(SReg::from_code(at as u8))
}

fn add(wave: &mut Wave, inst: &Inst, carry: bool) -> Result<(), ExecError> {
    let (a, b) = (value(wave, inst, 0)? as u32, value(wave, inst, 1)? as u32);
    let sum = u64::from(a) + u64::from(b) + u64::from(carry);
    write_scc(wave, inst, sum, sum >> 32 != 0)
}

fn subtract(wave: &mut Wave, inst: &Inst, borrow: bool) -> Result<(), ExecError> {
    let (a, b) = (value(wave, inst, 0)? as u32, value(wave, inst, 1)? as u32);
    let difference = i64::from(a) - i64::from(b) - i64::from(borrow);
    write_scc(wave, inst, difference as u64, difference < 0)
}

fn less(a: u64, b: u64, sign: Sign) -> bool {
    match sign {
        Sign::Signed => (a as i32) < b as i32,
        Sign::Unsigned => (a as u32) < b as u32,
    }
}

/// Offset in bits 4:0 (5:0 at 64), width in bits 22:16. A signed field that reaches past the top is
/// what an arithmetic shift leaves.
fn bit_field(v: u64, field: u64, sign: Sign, w: Width) -> u64 {
    let bits = match w {
        Width::B32 => 32,
        Width::B64 => 64,
    };
    let offset = shift_count(field, w);
    let width = field as u32 >> 16 & 0x7f;
    if width == 0 {
        return 0;
    }
    match sign {
        Sign::Unsigned => {
            let shifted = fit(v, w) >> offset;
            if width >= 64 {
                shifted
            } else {
                shifted & ((1 << width) - 1)
            }
        }
        Sign::Signed => {
            let shifted = extend(v, w) >> offset;
            let kept = width.min(bits - offset);
            let up = 64 - kept;
            fit((shifted << up >> up) as u64, w)
        }
    }
}

fn compare(wave: &Wave, cond: Cond, ty: IntTy, a: u64, b: u64) -> Result<bool, ExecError> {
    let order = match ty {
        IntTy::I32 => (a as i32).cmp(&(b as i32)),
        IntTy::U32 => (a as u32).cmp(&(b as u32)),
        IntTy::U64 => a.cmp(&b),
        IntTy::I64 => (a as i64).cmp(&(b as i64)),
        IntTy::U16 | IntTy::I16 => return Err(wave.refuse("16-bit scalar compare")),
    };
    match cond {
        Cond::Lt => Ok(order.is_lt()),
        Cond::Eq => Ok(order.is_eq()),
        Cond::Le => Ok(order.is_le()),
        Cond::Gt => Ok(order.is_gt()),
        Cond::Lg => Ok(order.is_ne()),
        Cond::Ge => Ok(order.is_ge()),
        Cond::F
        | Cond::O
        | Cond::U
        | Cond::Nge
        | Cond::Nlg
        | Cond::Ngt
        | Cond::Nle
        | Cond::Neq
        | Cond::Nlt
        | Cond::T => Err(wave.refuse("no such scalar compare")),
    }
}

/// The field that SIMM16 of S_GETREG and S_SETREG names.
#[derive(Clone, Copy)]
struct HwField {
    id: u32,
    offset: u32,
    size: u32,
}

impl HwField {
    fn of(simm16: u64) -> HwField {
        let v = simm16 as u32;
        HwField {
            id: v & 63,
            offset: v >> 6 & 31,
            size: (v >> 11 & 31) + 1,
        }
    }

    fn mask(self) -> u32 {
        match self.size {
            32 => u32::MAX,
            n => (1 << n) - 1,
        }
    }
}

const HW_MODE: u32 = 1;
const HW_SH_MEM_BASES: u32 = 15;
const HW_FLAT_SCR_LO: u32 = 20;
const HW_FLAT_SCR_HI: u32 = 21;

fn read_hwreg(wave: &Wave, id: u32) -> Result<u32, ExecError> {
    match id {
        HW_MODE => Ok(mode_word(wave.mode)),
        HW_SH_MEM_BASES => Ok(PRIVATE_APERTURE >> 16 | SHARED_APERTURE & 0xffff_0000),
        HW_FLAT_SCR_LO | HW_FLAT_SCR_HI => {
            let [lo, hi] = wave.flat_scratch;
            let half = if id == HW_FLAT_SCR_LO { lo } else { hi };
            half.ok_or_else(|| wave.refuse("FLAT_SCRATCH before it is written"))
        }
        _ => Err(wave.refuse(format!("hardware register {id}"))),
    }
}

fn write_hwreg(wave: &mut Wave, field: HwField, v: u32) -> Result<(), ExecError> {
    let mask = field.mask().wrapping_shl(field.offset);
    let merged = |old: u32| old & !mask | v.wrapping_shl(field.offset) & mask;
    match field.id {
        HW_MODE => {
            let word = merged(mode_word(wave.mode));
            wave.mode = mode_from_word(word)
                .ok_or_else(|| wave.refuse(format!("MODE {word:#x}: only float fields")))?;
            Ok(())
        }
        HW_FLAT_SCR_LO => {
            let [lo, _] = &mut wave.flat_scratch;
            *lo = Some(merged(lo.unwrap_or(0)));
            Ok(())
        }
        HW_FLAT_SCR_HI => {
            let [_, hi] = &mut wave.flat_scratch;
            *hi = Some(merged(hi.unwrap_or(0)));
            Ok(())
        }
        id => Err(wave.refuse(format!("write of hardware register {id}"))),
    }
}

/// The rounding of a 2-bit field.
pub(crate) fn round_field(v: u32) -> Round {
    match v & 3 {
        0 => Round::NearestEven,
        1 => Round::PlusInfinity,
        2 => Round::MinusInfinity,
        _ => Round::TowardZero,
    }
}

/// The denormal treatment of a 2-bit field.
pub(crate) fn denorm_field(v: u32) -> Denorm {
    match v & 3 {
        0 => Denorm::FlushInOut,
        1 => Denorm::FlushOut,
        2 => Denorm::FlushIn,
        _ => Denorm::Allow,
    }
}

const MODE_DX10_CLAMP: u32 = 1 << 8;
const MODE_IEEE: u32 = 1 << 9;
const MODE_FP16_OVFL: u32 = 1 << 23;
const MODE_FLOAT: u32 = 0xff | MODE_DX10_CLAMP | MODE_IEEE | MODE_FP16_OVFL;

/// MODE as the register holds it.
pub(crate) fn mode_word(m: Mode) -> u32 {
    let flag = |on: bool, bit: u32| if on { bit } else { 0 };
    m.round32 as u32
        | (m.round16_64 as u32) << 2
        | (m.denorm32 as u32) << 4
        | (m.denorm16_64 as u32) << 6
        | flag(m.dx10_clamp, MODE_DX10_CLAMP)
        | flag(m.ieee, MODE_IEEE)
        | flag(m.fp16_ovfl, MODE_FP16_OVFL)
}

/// `None` where bits outside the float fields are set: exceptions, debugging and the like.
fn mode_from_word(w: u32) -> Option<Mode> {
    (w & !MODE_FLOAT == 0).then(|| Mode {
        round32: round_field(w),
        round16_64: round_field(w >> 2),
        denorm32: denorm_field(w >> 4),
        denorm16_64: denorm_field(w >> 6),
        ieee: w & MODE_IEEE != 0,
        dx10_clamp: w & MODE_DX10_CLAMP != 0,
        fp16_ovfl: w & MODE_FP16_OVFL != 0,
    })
}
