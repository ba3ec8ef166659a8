//! Integer operations: every result is computed in 128 bits and reduced to the type, wrapping or, with
//! clamp, saturating.

use spirdna_isa::{IBinary, ITernary, IUnary, IntTy, Logic, Sign};

use super::operand::Lane;
use super::result::Out;
use crate::error::ExecError;

/// Width and signedness of a type.
const fn shape(ty: IntTy) -> (u32, Sign) {
    match ty {
        IntTy::U16 => (16, Sign::Unsigned),
        IntTy::I16 => (16, Sign::Signed),
        IntTy::U32 => (32, Sign::Unsigned),
        IntTy::I32 => (32, Sign::Signed),
        IntTy::U64 => (64, Sign::Unsigned),
        IntTy::I64 => (64, Sign::Signed),
    }
}

/// Bits as a number of a width.
pub(super) const fn number(bits: u64, width: u32, sign: Sign) -> i128 {
    let up = 64 - width;
    match sign {
        Sign::Unsigned => (bits << up >> up) as i128,
        Sign::Signed => ((bits << up) as i64 >> up) as i128,
    }
}

/// Bits as a number of a type.
pub(super) const fn value(ty: IntTy, bits: u64) -> i128 {
    let (width, sign) = shape(ty);
    number(bits, width, sign)
}

/// A number as bits of a width: wrapped, or with `clamp` saturated.
pub(super) fn reduce(value: i128, width: u32, sign: Sign, clamp: bool) -> u64 {
    let (low, high) = match sign {
        Sign::Unsigned => (0, (1i128 << width) - 1),
        Sign::Signed => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
    };
    let value = if clamp { value.clamp(low, high) } else { value };
    (value & ((1i128 << width) - 1)) as u64
}

/// One source.
pub(super) fn unary(op: IUnary, a: u32) -> u32 {
    let position = |n: u32| if n == 32 { u32::MAX } else { n };
    match op {
        IUnary::Not => !a,
        IUnary::Bfrev => a.reverse_bits(),
        IUnary::FfbhU32 => position(a.leading_zeros()),
        IUnary::FfblB32 => position(a.trailing_zeros()),
        IUnary::FfbhI32 => {
            let differs = a ^ (a as i32 >> 31) as u32;
            position(differs.leading_zeros())
        }
    }
}

/// Two-operand bit logic.
pub(super) const fn logic(op: Logic, a: u32, b: u32) -> u32 {
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

/// Two sources.
pub(super) fn binary(l: &Lane<'_>, op: IBinary) -> Result<Out, ExecError> {
    let (a, b) = (l.get(0)?, l.get(1)?);
    let clamp = l.mods().clamp;
    let typed = |ty: IntTy, f: fn(i128, i128) -> i128| {
        let (width, sign) = shape(ty);
        reduce(f(value(ty, a), value(ty, b)), width, sign, clamp)
    };
    let product24 = |sign| number(a, 24, sign) * number(b, 24, sign);
    let (a32, b32) = (a as u32, b as u32);
    let lanes_below = |lane: usize| -> u64 { (1u64 << lane) - 1 };
    Ok(match op {
        IBinary::Add(ty) => typed(ty, |a, b| a + b).into(),
        IBinary::Sub(ty) => typed(ty, |a, b| a - b).into(),
        IBinary::SubRev(ty) => typed(ty, |a, b| b - a).into(),
        IBinary::MulI24 => reduce(product24(Sign::Signed), 32, Sign::Signed, clamp).into(),
        IBinary::MulU24 => reduce(product24(Sign::Unsigned), 32, Sign::Unsigned, clamp).into(),
        IBinary::MulHiI24 => ((product24(Sign::Signed) >> 32) as u32).into(),
        IBinary::MulHiU24 => ((product24(Sign::Unsigned) >> 32) as u32).into(),
        IBinary::MulLo(ty) => {
            let (width, sign) = shape(ty);
            reduce(value(ty, a) * value(ty, b), width, sign, false).into()
        }
        IBinary::MulHi(ty) => {
            let (width, sign) = shape(ty);
            let product = value(ty, a) * value(ty, b);
            reduce(product >> width, width, sign, false).into()
        }
        IBinary::Min(ty) => typed(ty, i128::min).into(),
        IBinary::Max(ty) => typed(ty, i128::max).into(),
        IBinary::ShlRev(ty) => {
            let (width, sign) = shape(ty);
            let count = a as u32 & (width - 1);
            reduce(i128::from(b) << count, width, sign, false).into()
        }
        IBinary::ShrRev(ty) => {
            let (width, sign) = shape(ty);
            let count = a as u32 & (width - 1);
            reduce(value(ty, b) >> count, width, sign, false).into()
        }
        IBinary::Logic(op) => logic(op, a32, b32).into(),
        IBinary::Bfm => (((1u32 << (a32 & 31)) - 1) << (b32 & 31)).into(),
        IBinary::BcntAdd => a32.count_ones().wrapping_add(b32).into(),
        IBinary::MbcntLo => {
            let mask = lanes_below(l.number()) as u32;
            (a32 & mask).count_ones().wrapping_add(b32).into()
        }
        IBinary::MbcntHi => {
            let mask = (lanes_below(l.number()) >> 32) as u32;
            (a32 & mask).count_ones().wrapping_add(b32).into()
        }
    })
}

/// Sum of absolute differences of four bytes; with `masked`, of those whose byte of `b` is not 0.
fn sad(a: u32, b: u32, masked: bool) -> i128 {
    a.to_le_bytes()
        .into_iter()
        .zip(b.to_le_bytes())
        .filter(|&(_, y)| !masked || y != 0)
        .map(|(x, y)| i128::from(x.abs_diff(y)))
        .sum()
}

/// One byte of `V_PERM_B32`: of eight, or a sign, or a constant.
fn permuted(data: u64, select: u8) -> u8 {
    let byte = |n: u32| (data >> (8 * n)) as u8;
    let sign = |n: u32| if byte(n) & 0x80 != 0 { 0xff } else { 0 };
    match select {
        0..=7 => byte(select.into()),
        8 => sign(1),
        9 => sign(3),
        10 => sign(5),
        11 => sign(7),
        12 => 0,
        _ => 0xff,
    }
}

/// Three sources.
pub(super) fn ternary(l: &Lane<'_>, op: ITernary) -> Result<Out, ExecError> {
    let clamp = l.mods().clamp;
    if op == ITernary::MqsadU32U8 {
        return mqsad_u32(l, clamp);
    }
    let (a, b, c) = (l.get(0)?, l.get(1)?, l.get(2)?);
    let (a32, b32, c32) = (a as u32, b as u32, c as u32);
    let unsigned32 = |value: i128| reduce(value, 32, Sign::Unsigned, clamp);
    let c_wide = i128::from(c32);
    let quads = |masked: bool| {
        (0..4).fold(0u64, |out, i| {
            let sum = sad((a >> (8 * i)) as u32, b32, masked) + i128::from(c >> (16 * i) & 0xffff);
            out | reduce(sum, 16, Sign::Unsigned, clamp) << (16 * i)
        })
    };
    let sorted = |ty: IntTy| {
        let mut s = [a, b, c].map(|x| value(ty, x));
        s.sort_unstable();
        let (width, sign) = shape(ty);
        s.map(|x| reduce(x, width, sign, false))
    };
    Ok(match op {
        ITernary::MadI24 => {
            let product = number(a, 24, Sign::Signed) * number(b, 24, Sign::Signed);
            let sum = product + number(c, 32, Sign::Signed);
            reduce(sum, 32, Sign::Signed, clamp).into()
        }
        ITernary::MadU24 => {
            let product = number(a, 24, Sign::Unsigned) * number(b, 24, Sign::Unsigned);
            unsigned32(product + c_wide).into()
        }
        ITernary::Mad16(sign) => {
            let sum = number(a, 16, sign) * number(b, 16, sign) + number(c, 16, sign);
            reduce(sum, 16, sign, clamp).into()
        }
        ITernary::Mad32_16(sign) => {
            let sum = number(a, 16, sign) * number(b, 16, sign) + number(c, 32, sign);
            reduce(sum, 32, sign, clamp).into()
        }
        ITernary::Min3(ty) => sorted(ty)[0].into(),
        ITernary::Med3(ty) => sorted(ty)[1].into(),
        ITernary::Max3(ty) => sorted(ty)[2].into(),
        ITernary::BfeU32 => {
            let field = a32 >> (b32 & 31);
            (field & ((1u32 << (c32 & 31)) - 1)).into()
        }
        ITernary::BfeI32 => {
            let (offset, width) = (b32 & 31, c32 & 31);
            let bits = if width == 0 {
                0
            } else {
                let field = i64::from(a32 as i32) >> offset;
                (field << (64 - width) >> (64 - width)) as u32
            };
            bits.into()
        }
        ITernary::Bfi => (a32 & b32 | !a32 & c32).into(),
        ITernary::AlignBit => {
            let pair = u64::from(a32) << 32 | u64::from(b32);
            ((pair >> (c32 & 31)) as u32).into()
        }
        ITernary::AlignByte => {
            let pair = u64::from(a32) << 32 | u64::from(b32);
            ((pair >> (8 * (c32 & 3))) as u32).into()
        }
        ITernary::LerpU8 => (0..4)
            .fold(0u32, |out, i| {
                let byte = |x: u32| x >> (8 * i) & 0xff;
                let sum = byte(a32) + byte(b32) + (byte(c32) & 1);
                out | (sum >> 1) << (8 * i)
            })
            .into(),
        ITernary::SadU8 => unsigned32(sad(a32, b32, false) + c_wide).into(),
        ITernary::SadHiU8 => unsigned32((sad(a32, b32, false) << 16) + c_wide).into(),
        ITernary::SadU16 => {
            let low = i128::from((a32 as u16).abs_diff(b32 as u16));
            let high = i128::from(((a32 >> 16) as u16).abs_diff((b32 >> 16) as u16));
            unsigned32(low + high + c_wide).into()
        }
        ITernary::SadU32 => unsigned32(i128::from(a32.abs_diff(b32)) + c_wide).into(),
        ITernary::MsadU8 => unsigned32(sad(a32, b32, true) + c_wide).into(),
        ITernary::QsadPkU16U8 => quads(false).into(),
        ITernary::MqsadPkU16U8 => quads(true).into(),
        ITernary::MqsadU32U8 => return mqsad_u32(l, clamp),
        ITernary::Perm => {
            let data = u64::from(a32) << 32 | u64::from(b32);
            u32::from_le_bytes(c32.to_le_bytes().map(|s| permuted(data, s))).into()
        }
        ITernary::LshlAdd => (a32 << (b32 & 31)).wrapping_add(c32).into(),
        ITernary::AddLshl => (a32.wrapping_add(b32) << (c32 & 31)).into(),
        ITernary::Add3 => a32.wrapping_add(b32).wrapping_add(c32).into(),
        ITernary::LshlOr => (a32 << (b32 & 31) | c32).into(),
        ITernary::AndOr => (a32 & b32 | c32).into(),
        ITernary::Or3 => (a32 | b32 | c32).into(),
        ITernary::Xor3 => (a32 ^ b32 ^ c32).into(),
        ITernary::Xad => (a32 ^ b32).wrapping_add(c32).into(),
    })
}

/// `V_MQSAD_U32_U8`: four masked sums with 32-bit addends.
fn mqsad_u32(l: &Lane<'_>, clamp: bool) -> Result<Out, ExecError> {
    let (a, b) = (l.get(0)?, l.get(1)? as u32);
    let mut bits = 0u128;
    for (i, c) in l.quad(2)?.into_iter().enumerate() {
        let sum = sad((a >> (8 * i)) as u32, b, true) + i128::from(c);
        bits |= u128::from(reduce(sum, 32, Sign::Unsigned, clamp)) << (32 * i);
    }
    Ok(Out { bits, flag: false })
}

/// Which way a carrying operation goes.
#[derive(Clone, Copy)]
pub(super) enum Carry {
    /// a + b.
    Add,
    /// a - b.
    Sub,
    /// b - a.
    SubRev,
}

/// A 32-bit sum or difference with carry or borrow out and, with `carry_in`, in.
pub(super) fn carry(l: &Lane<'_>, way: Carry, carry_in: bool) -> Result<Out, ExecError> {
    let (a, b) = (i128::from(l.get(0)?), i128::from(l.get(1)?));
    let extra = i128::from(carry_in && l.mask_bit(2)?);
    let exact = match way {
        Carry::Add => a + b + extra,
        Carry::Sub => a - b - extra,
        Carry::SubRev => b - a - extra,
    };
    let flag = exact < 0 || exact > u32::MAX.into();
    let bits = reduce(exact, 32, Sign::Unsigned, l.mods().clamp);
    Ok(Out::with_flag(bits, flag))
}

/// A 64-bit multiply-add of 32-bit factors; the flag is bit 64 of the exact sum in 65 bits.
pub(super) fn mad64(l: &Lane<'_>, sign: Sign) -> Result<Out, ExecError> {
    let product = number(l.get(0)?, 32, sign) * number(l.get(1)?, 32, sign);
    let sum = product + number(l.get(2)?, 64, sign);
    let bits = reduce(sum, 64, sign, l.mods().clamp);
    Ok(Out::with_flag(bits, sum >> 64 & 1 == 1))
}
