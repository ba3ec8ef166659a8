//! Immediates with a text of their own, read: waits, messages, hardware registers, versions.

use super::error::AsmErrorKind;
use super::lex::{Cursor, Parsed};
use crate::fields::Field;
use crate::operand::Ty;
use crate::row::RowFlags;
use crate::sem::{Flow, Salu, Sem};
use crate::table::Opcode;
use crate::target::Target;
use crate::text::{
    DEPCTR, HWREGS, MESSAGES, SENDMSG_GS_OPS, SENDMSG_SYS_OPS, VERSION_FLAGS, VERSIONS, WAITCNT,
    depctr_default,
};

/// SIMM16 as written: a number, or a label of a branch.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Simm16 {
    Value(u16),
    Label(String),
}

/// The SIMM16 operand of a SOPK or SOPP row.
pub(super) fn parse_simm16(c: &mut Cursor<'_>, opcode: Opcode, target: Target) -> Parsed<Simm16> {
    let row = opcode.row();
    c.skip_space();
    let value = match row.sem {
        _ if row.flags.contains(RowFlags::BRANCH) => return branch(c),
        Sem::Salu(Salu::GetReg | Salu::SetReg) => hwreg(c, target)?,
        Sem::Salu(Salu::Version) => version(c)?,
        Sem::Flow(Flow::SendMsg) => message(c)?,
        Sem::Flow(Flow::Waitcnt) if opcode == Opcode::S_WAITCNT => waitcnt(c)?,
        Sem::Flow(Flow::Waitcnt) if opcode == Opcode::S_WAITCNT_DEPCTR => depctr(c, target)?,
        _ => None,
    };
    match value {
        Some(v) => Ok(Simm16::Value(v)),
        None => {
            let signed = row.operands.iter().any(|s| s.ty == Ty::I16);
            let low = if signed { -0x8000 } else { 0 };
            Ok(Simm16::Value(c.integer_in(low, 0xffff)? as u16))
        }
    }
}

fn branch(c: &mut Cursor<'_>) -> Parsed<Simm16> {
    match c.name() {
        Some(name) => Ok(Simm16::Label(name.to_owned())),
        None => Ok(Simm16::Value(c.integer_in(-0x8000, 0xffff)? as u16)),
    }
}

/// A name followed by `(`, or nothing.
fn call<'a>(c: &mut Cursor<'a>) -> Option<&'a str> {
    let start = c.at();
    let name = c.name();
    if name.is_some() && c.eat('(') {
        return name;
    }
    c.reset(start);
    None
}

/// A number, or a name that `code` knows.
fn number_or(c: &mut Cursor<'_>, max: i128, code: impl Fn(&str) -> Option<u16>) -> Parsed<u16> {
    c.skip_space();
    let at = c.at();
    match c.name() {
        Some(name) => code(name).ok_or((at, AsmErrorKind::Unexpected)),
        None => Ok(c.integer_in(0, max)? as u16),
    }
}

fn hwreg(c: &mut Cursor<'_>, target: Target) -> Parsed<Option<u16>> {
    let at = c.at();
    match call(c) {
        None => return Ok(None),
        Some("hwreg") => {}
        Some(_) => return Err((at, AsmErrorKind::Unexpected)),
    }
    let id = number_or(c, 63, |name| {
        HWREGS
            .iter()
            .find(|r| r.1 == name && r.2.contains(target.set()))
            .map(|r| r.0)
    })?;
    let (mut offset, mut size) = (0, 32);
    if c.eat(',') {
        offset = c.integer_in(0, 31)? as u16;
        c.expect(',')?;
        size = c.integer_in(1, 32)? as u16;
    }
    c.expect(')')?;
    Ok(Some(id | offset << 6 | (size - 1) << 11))
}

fn message(c: &mut Cursor<'_>) -> Parsed<Option<u16>> {
    let at = c.at();
    match call(c) {
        None => return Ok(None),
        Some("sendmsg") => {}
        Some(_) => return Err((at, AsmErrorKind::Unexpected)),
    }
    let id = number_or(c, 15, |name| {
        MESSAGES.iter().find(|m| m.1 == name).map(|m| m.0)
    })?;
    let (mut op, mut stream) = (0, 0);
    if c.eat(',') {
        let mut ops = SENDMSG_GS_OPS.iter().chain(&SENDMSG_SYS_OPS);
        let ops: Vec<_> = ops.by_ref().collect();
        op = number_or(c, 7, |name| ops.iter().find(|o| o.1 == name).map(|o| o.0))?;
        if c.eat(',') {
            stream = c.integer_in(0, 3)? as u16;
        }
    }
    c.expect(')')?;
    Ok(Some(id | op << 4 | stream << 8))
}

/// `vmcnt(1) & lgkmcnt(0)`: counters that are not named wait for nothing.
fn waitcnt(c: &mut Cursor<'_>) -> Parsed<Option<u16>> {
    let max = |lo: Field, hi: Field| (1u32 << (lo.width + hi.width)) - 1;
    let put = |bits: u64, lo: Field, hi: Field, v: u32| {
        let bits = lo.set(bits, v & lo.max());
        if hi.width == 0 {
            bits
        } else {
            hi.set(bits, v >> lo.width)
        }
    };
    let mut bits = WAITCNT
        .iter()
        .fold(0, |b, &(_, lo, hi)| put(b, lo, hi, max(lo, hi)));
    let mut any = false;
    loop {
        c.skip_space();
        let at = c.at();
        let Some(name) = call(c) else { break };
        let (base, saturate) = match name.strip_suffix("_sat") {
            Some(base) => (base, true),
            None => (name, false),
        };
        let Some(&(_, lo, hi)) = WAITCNT.iter().find(|w| w.0 == base) else {
            return Err((at, AsmErrorKind::Unexpected));
        };
        c.skip_space();
        let value_at = c.at();
        let n = c.integer_in(0, i128::from(u32::MAX))? as u32;
        if n > max(lo, hi) && !saturate {
            return Err((value_at, AsmErrorKind::OutOfRange));
        }
        c.expect(')')?;
        bits = put(bits, lo, hi, n.min(max(lo, hi)));
        any = true;
        if !c.eat('&') {
            c.eat(',');
        }
    }
    Ok(any.then_some(bits as u16))
}

fn depctr(c: &mut Cursor<'_>, target: Target) -> Parsed<Option<u16>> {
    let mut bits = depctr_default(target);
    let mut seen = 0;
    loop {
        c.skip_space();
        let at = c.at();
        let Some(name) = call(c) else { break };
        let field = DEPCTR
            .iter()
            .find(|d| d.0 == name && d.2.contains(target.set()))
            .ok_or((at, AsmErrorKind::Unexpected))?
            .1;
        if seen & field.mask() != 0 {
            return Err((at, AsmErrorKind::RepeatedModifier));
        }
        let n = c.integer_in(0, i128::from(field.max()))? as u32;
        c.expect(')')?;
        bits = field.set(bits, n);
        seen |= field.mask();
        if !c.eat('&') {
            c.eat(',');
        }
    }
    Ok((seen != 0).then_some(bits as u16))
}

/// `UC_VERSION_GFX10|UC_VERSION_W64_BIT`, parentheses or not.
fn version(c: &mut Cursor<'_>) -> Parsed<Option<u16>> {
    let start = c.at();
    let mut bits = 0;
    let mut any = false;
    loop {
        while c.eat('(') {}
        c.skip_space();
        let at = c.at();
        match c.name() {
            Some(name) => {
                let known = VERSIONS.iter().chain(&VERSION_FLAGS).find(|v| v.1 == name);
                bits |= known.ok_or((at, AsmErrorKind::Unexpected))?.0;
                any = true;
            }
            None if any || c.peek().is_some_and(|ch| ch.is_ascii_digit()) => {
                bits |= c.integer_in(0, 0xffff)? as u16;
                any = true;
            }
            None => {
                c.reset(start);
                return Ok(None);
            }
        }
        while c.eat(')') {}
        if !c.eat('|') {
            return Ok(Some(bits));
        }
    }
}
