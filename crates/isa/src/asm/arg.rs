//! Operands as written: registers, constants, lists, with their signs. Knows no row.

use super::error::AsmErrorKind;
use super::lex::{Cursor, Fail, Number, Parsed};
use crate::operand::{SReg, Special};
use crate::text::SPECIALS;

/// An operand as written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arg {
    /// Byte offset in the line.
    pub(super) at: usize,
    pub(super) kind: ArgKind,
    pub(super) neg: bool,
    pub(super) abs: bool,
    pub(super) sext: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ArgKind {
    /// `n` VGPRs from the first on.
    Vgpr(u8, u32),
    /// `n` scalar registers from the first on; VCC and EXEC as pairs have 2, NULL has 0 (any width).
    Sgpr(SReg, u32),
    /// VGPRs that need not follow each other.
    VgprList(Vec<u8>),
    Special(Special),
    Number(Number),
    /// `lit(…)`: a literal even where an inline constant would do.
    Literal(Number),
    Off,
    /// SIMM16 of a scalar row.
    Simm16(super::special::Simm16),
    /// A name that means something to some row: a label, an export target, an attribute.
    Name(String),
}

/// One operand with its modifiers.
pub(super) fn parse_arg(c: &mut Cursor<'_>) -> Parsed<Arg> {
    c.skip_space();
    let at = c.at();
    let mut arg = Arg {
        at,
        kind: ArgKind::Off,
        neg: false,
        abs: false,
        sext: false,
    };
    if c.eat('-') {
        // `-1` is a constant; `-v1`, `-|…|` and `-abs(…)` negate.
        if c.peek().is_some_and(|ch| ch.is_ascii_digit() || ch == '.') {
            arg.kind = ArgKind::Number(negate(c.number()?));
            return Ok(arg);
        }
        arg.neg = true;
    }
    wrapped(c, &mut arg)?;
    Ok(arg)
}

/// What stands behind a sign: `neg(…)` around `abs(…)` or `|…|` around a register or constant, or
/// `sext(…)` alone. The order is that of the hardware, which negates last; any other would be read as
/// something that was not written, and nothing nests any deeper.
fn wrapped(c: &mut Cursor<'_>, arg: &mut Arg) -> Parsed<()> {
    c.skip_space();
    let start = c.at();
    if c.eat('|') {
        arg.abs = true;
        let at = c.at();
        let negative = c.eat('-');
        primary(c, arg)?;
        if negative {
            match &arg.kind {
                ArgKind::Number(n) => arg.kind = ArgKind::Number(negate(*n)),
                _ => return Err((at, AsmErrorKind::Unexpected)),
            }
        }
        return c.expect('|');
    }
    let name = c.name();
    if let Some(word @ ("neg" | "abs" | "sext")) = name
        && c.eat('(')
    {
        let outer = arg.neg || arg.abs || arg.sext;
        match word {
            "neg" if outer => return Err((start, AsmErrorKind::OperandModifier)),
            "abs" if arg.abs => return Err((start, AsmErrorKind::OperandModifier)),
            "sext" if outer => return Err((start, AsmErrorKind::OperandModifier)),
            "neg" => arg.neg = true,
            "abs" => arg.abs = true,
            _ => arg.sext = true,
        }
        let inner_at = c.at();
        if c.eat('-') {
            primary(c, arg)?;
            match &arg.kind {
                ArgKind::Number(n) => arg.kind = ArgKind::Number(negate(*n)),
                _ => return Err((inner_at, AsmErrorKind::Unexpected)),
            }
        } else if word == "neg" {
            wrapped(c, arg)?;
        } else {
            primary(c, arg)?;
        }
        return c.expect(')');
    }
    c.reset(start);
    primary(c, arg)
}

fn negate(n: Number) -> Number {
    match n {
        Number::Int(v) => Number::Int(-v),
        Number::Float(v) => Number::Float(-v),
    }
}

/// A register, list, constant or name.
fn primary(c: &mut Cursor<'_>, arg: &mut Arg) -> Parsed<()> {
    match c.peek() {
        Some('0'..='9' | '.') if !starts_name(c) => {
            arg.kind = ArgKind::Number(c.number()?);
            Ok(())
        }
        Some('[') => {
            arg.kind = register_list(c)?;
            Ok(())
        }
        _ => {
            let at = c.at();
            let name = c.name().ok_or((at, AsmErrorKind::Unexpected))?;
            if name == "lit" && c.eat('(') {
                let negative = c.eat('-');
                let n = c.number()?;
                arg.kind = ArgKind::Literal(if negative { negate(n) } else { n });
                return c.expect(')');
            }
            arg.kind = named(c, at, name)?;
            Ok(())
        }
    }
}

/// `.Lname` is a label, `.5` a number.
fn starts_name(c: &Cursor<'_>) -> bool {
    let rest = c.rest().trim_start();
    rest.starts_with('.') && rest.chars().nth(1).is_some_and(|ch| !ch.is_ascii_digit())
}

/// A register or other name; `v[1:2]` reads on in the cursor.
fn named(c: &mut Cursor<'_>, at: usize, name: &str) -> Parsed<ArgKind> {
    let lower = name.to_ascii_lowercase();
    if matches!(lower.as_str(), "v" | "s" | "ttmp") && c.peek() == Some('[') {
        c.expect('[')?;
        let first = c.integer_in(0, 255)? as u32;
        let last = if c.eat(':') {
            c.integer_in(0, 255)? as u32
        } else {
            first
        };
        c.expect(']')?;
        if last < first {
            return Err((at, AsmErrorKind::BadRegister));
        }
        return register(at, &lower, first, last - first + 1);
    }
    for file in ["ttmp", "v", "s"] {
        if let Some(digits) = lower.strip_prefix(file)
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
        {
            let first = digits
                .parse()
                .map_err(|_| (at, AsmErrorKind::BadRegister))?;
            return register(at, file, first, 1);
        }
    }
    let pair = |r, n| Ok(ArgKind::Sgpr(r, n));
    match lower.as_str() {
        "vcc" => return pair(SReg::VCC_LO, 2),
        "vcc_lo" => return pair(SReg::VCC_LO, 1),
        "vcc_hi" => return pair(SReg::VCC_HI, 1),
        "exec" => return pair(SReg::EXEC_LO, 2),
        "exec_lo" => return pair(SReg::EXEC_LO, 1),
        "exec_hi" => return pair(SReg::EXEC_HI, 1),
        "m0" => return pair(SReg::M0, 1),
        "null" => return pair(SReg::NULL, 0),
        "off" => return Ok(ArgKind::Off),
        _ => {}
    }
    // `src_scc` and `scc` alike.
    let special = SPECIALS
        .iter()
        .find(|s| s.1 == lower || s.1.strip_prefix("src_") == Some(&lower));
    match special {
        Some(s) => Ok(ArgKind::Special(s.0)),
        None => Ok(ArgKind::Name(name.to_owned())),
    }
}

fn register(at: usize, file: &str, first: u32, n: u32) -> Parsed<ArgKind> {
    let bad: Fail = (at, AsmErrorKind::BadRegister);
    let last = u64::from(first) + u64::from(n) - 1;
    match file {
        "v" if last <= 255 => Ok(ArgKind::Vgpr(first as u8, n)),
        "s" if last < u64::from(SReg::SGPRS) => Ok(ArgKind::Sgpr(SReg::from_code(first as u8), n)),
        "ttmp" if last <= 15 => {
            let base = SReg::TTMP0.code();
            Ok(ArgKind::Sgpr(SReg::from_code(base + first as u8), n))
        }
        _ => Err(bad),
    }
}

/// `[v1, v2, …]` or `[s2, s3]`: VGPRs in any order, scalar registers that follow each other.
fn register_list(c: &mut Cursor<'_>) -> Parsed<ArgKind> {
    c.skip_space();
    let start = c.at();
    c.expect('[')?;
    let mut vgprs = Vec::new();
    let mut sgprs: Option<(SReg, u32)> = None;
    loop {
        c.skip_space();
        let at = c.at();
        let name = c.name().ok_or((at, AsmErrorKind::BadRegister))?;
        match (named(c, at, name)?, &mut sgprs) {
            (ArgKind::Vgpr(v, 1), None) => vgprs.push(v),
            (ArgKind::Sgpr(r, 1), None) if vgprs.is_empty() => sgprs = Some((r, 1)),
            (ArgKind::Sgpr(r, 1), Some((first, n))) => {
                if first.offset(*n as u8) != Some(r) {
                    return Err((at, AsmErrorKind::BrokenRun));
                }
                *n += 1;
            }
            _ => return Err((at, AsmErrorKind::BadRegister)),
        }
        if c.eat(']') {
            break;
        }
        c.expect(',')?;
    }
    match (sgprs, vgprs.first()) {
        (Some((r, n)), _) => Ok(ArgKind::Sgpr(r, n)),
        (None, Some(_)) => Ok(ArgKind::VgprList(vgprs)),
        (None, None) => Err((start, AsmErrorKind::BadRegister)),
    }
}
