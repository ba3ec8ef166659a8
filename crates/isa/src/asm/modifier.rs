//! Modifiers behind the operands. Knows spellings, not which row takes what.

use super::error::AsmErrorKind;
use super::lex::{Cursor, Parsed};
use crate::format::{self, BufferFormat, Layout, NumberType};
use crate::mods::{Omod, SdwaSel, SdwaUnused};
use crate::text::{DIMS, DPP_COUNTED, DPP_PLAIN, OMODS, SDWA_SELS, SDWA_UNUSED};

/// One modifier with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Modifier {
    Clamp,
    Omod(Omod),
    OpSel(Vec<u8>),
    OpSelHi(Vec<u8>),
    NegLo(Vec<u8>),
    NegHi(Vec<u8>),
    High,
    DstSel(SdwaSel),
    DstUnused(SdwaUnused),
    Src0Sel(SdwaSel),
    Src1Sel(SdwaSel),
    DppCtrl(u16),
    Dpp8([u8; 8]),
    RowMask(u8),
    BankMask(u8),
    BoundCtrl,
    FetchInactive(bool),
    Offset(i32),
    Offset0(u8),
    Offset1(u8),
    Glc,
    Slc,
    Dlc,
    Lds,
    Gds,
    Tfe,
    Lwe,
    Offen,
    Idxen,
    Format(u8),
    Dmask(u8),
    Dim(u8),
    Unorm,
    R128,
    A16,
    D16,
    Done,
    Compr,
    Vm,
}

impl Modifier {
    /// Whether it asks for a DPP word.
    pub(super) fn is_dpp(&self) -> bool {
        matches!(self, Modifier::DppCtrl(_) | Modifier::Dpp8(_))
    }

    /// Whether it asks for an SDWA word.
    pub(super) fn is_sdwa(&self) -> bool {
        matches!(
            self,
            Modifier::DstSel(_)
                | Modifier::DstUnused(_)
                | Modifier::Src0Sel(_)
                | Modifier::Src1Sel(_)
        )
    }
}

/// Modifiers to the end of the statement, added to `list` with their places. None stands there twice.
pub(super) fn parse_modifiers(c: &mut Cursor<'_>, list: &mut Vec<(usize, Modifier)>) -> Parsed<()> {
    while !c.at_end() {
        // LLVM admits commas between modifiers.
        c.eat(',');
        let at = {
            c.skip_space();
            c.at()
        };
        let m = parse_modifier(c, at)?;
        let kind = std::mem::discriminant(&m);
        if list
            .iter()
            .any(|other| std::mem::discriminant(&other.1) == kind)
        {
            return Err((at, AsmErrorKind::RepeatedModifier));
        }
        list.push((at, m));
    }
    Ok(())
}

/// Whether a modifier stands here (MTBUF's format may stand before the last operand).
pub(super) fn format_follows(c: &Cursor<'_>) -> bool {
    c.rest().trim_start().starts_with("format:")
}

pub(super) fn parse_modifier(c: &mut Cursor<'_>, at: usize) -> Parsed<Modifier> {
    let unknown = (at, AsmErrorKind::UnknownModifier);
    let name = c.name().ok_or((at, AsmErrorKind::Unexpected))?;
    let flag = match name {
        "clamp" => Some(Modifier::Clamp),
        "high" => Some(Modifier::High),
        "glc" => Some(Modifier::Glc),
        "slc" => Some(Modifier::Slc),
        "dlc" => Some(Modifier::Dlc),
        "lds" => Some(Modifier::Lds),
        "gds" => Some(Modifier::Gds),
        "tfe" => Some(Modifier::Tfe),
        "lwe" => Some(Modifier::Lwe),
        "offen" => Some(Modifier::Offen),
        "idxen" => Some(Modifier::Idxen),
        "unorm" => Some(Modifier::Unorm),
        "r128" => Some(Modifier::R128),
        "a16" => Some(Modifier::A16),
        "d16" => Some(Modifier::D16),
        "done" => Some(Modifier::Done),
        "compr" => Some(Modifier::Compr),
        "vm" => Some(Modifier::Vm),
        _ => DPP_PLAIN
            .iter()
            .find(|p| p.0 == name)
            .map(|p| Modifier::DppCtrl(p.1)),
    };
    if let Some(m) = flag {
        return Ok(m);
    }
    if !c.eat(':') {
        return Err(unknown);
    }
    if let Some(&(_, base, lo, hi)) = DPP_COUNTED.iter().find(|d| d.0 == name) {
        let n = c.integer_in(i128::from(lo), i128::from(hi))? as u16;
        return Ok(Modifier::DppCtrl(base + n));
    }
    Ok(match name {
        "mul" | "div" => {
            let start = c.at();
            let n = c.integer()?;
            let text = format!("{name}:{n}");
            match OMODS.iter().find(|o| o.1 == text) {
                Some(o) => Modifier::Omod(o.0),
                None if n == 1 => Modifier::Omod(Omod::None),
                None => return Err((start, AsmErrorKind::OutOfRange)),
            }
        }
        "op_sel" => Modifier::OpSel(c.list(1)?),
        "op_sel_hi" => Modifier::OpSelHi(c.list(1)?),
        "neg_lo" => Modifier::NegLo(c.list(1)?),
        "neg_hi" => Modifier::NegHi(c.list(1)?),
        "dst_sel" => Modifier::DstSel(sdwa_sel(c)?),
        "src0_sel" => Modifier::Src0Sel(sdwa_sel(c)?),
        "src1_sel" => Modifier::Src1Sel(sdwa_sel(c)?),
        "dst_unused" => {
            let start = c.at();
            let word = c.name().unwrap_or("");
            match SDWA_UNUSED.iter().find(|u| u.1 == word) {
                Some(u) => Modifier::DstUnused(u.0),
                None => return Err((start, AsmErrorKind::Unexpected)),
            }
        }
        "quad_perm" => {
            let start = c.at();
            let lanes = c.list(3)?;
            match lanes.as_slice() {
                &[a, b, d, e] => Modifier::DppCtrl(
                    u16::from(a) | u16::from(b) << 2 | u16::from(d) << 4 | u16::from(e) << 6,
                ),
                _ => return Err((start, AsmErrorKind::Unexpected)),
            }
        }
        "dpp8" => {
            let start = c.at();
            let lanes = c.list(7)?;
            match <[u8; 8]>::try_from(lanes) {
                Ok(lanes) => Modifier::Dpp8(lanes),
                Err(_) => return Err((start, AsmErrorKind::Unexpected)),
            }
        }
        "row_mask" => Modifier::RowMask(c.integer_in(0, 15)? as u8),
        "bank_mask" => Modifier::BankMask(c.integer_in(0, 15)? as u8),
        "bound_ctrl" => {
            // Both spellings set the bit.
            c.integer_in(0, 1)?;
            Modifier::BoundCtrl
        }
        "fi" => Modifier::FetchInactive(c.integer_in(0, 1)? == 1),
        "offset" => match swizzle(c)? {
            Some(imm) => Modifier::Offset(i32::from(imm)),
            None => Modifier::Offset(c.integer_in(-(1 << 20), (1 << 20) - 1)? as i32),
        },
        "offset0" => Modifier::Offset0(c.integer_in(0, 255)? as u8),
        "offset1" => Modifier::Offset1(c.integer_in(0, 255)? as u8),
        "dmask" => Modifier::Dmask(c.integer_in(0, 15)? as u8),
        "dim" => Modifier::Dim(dimension(c)?),
        "format" => Modifier::Format(buffer_format(c)?),
        _ => return Err(unknown),
    })
}

fn sdwa_sel(c: &mut Cursor<'_>) -> Parsed<SdwaSel> {
    let start = c.at();
    let word = c.name().unwrap_or("");
    match SDWA_SELS.iter().find(|s| s.1 == word) {
        Some(s) => Ok(s.0),
        None => Err((start, AsmErrorKind::Unexpected)),
    }
}

/// `SQ_RSRC_IMG_2D`, `2D` or a number.
fn dimension(c: &mut Cursor<'_>) -> Parsed<u8> {
    c.skip_space();
    let start = c.at();
    let rest = c.rest();
    let len = rest
        .find(|ch: char| !(ch.is_ascii_alphanumeric() || ch == '_'))
        .unwrap_or(rest.len());
    let word = rest.get(..len).unwrap_or("");
    let short = |d: &str| d.strip_prefix("SQ_RSRC_IMG_") == Some(word) || d == word;
    match (DIMS.iter().position(|d| short(d)), word.parse::<u8>()) {
        (Some(i), _) => {
            c.reset(start + len);
            Ok(i as u8)
        }
        (None, Ok(n)) if n < 8 => {
            c.reset(start + len);
            Ok(n)
        }
        _ => Err((start, AsmErrorKind::Unexpected)),
    }
}

/// `[BUF_FMT_32_FLOAT]`, `[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]` or a code.
fn buffer_format(c: &mut Cursor<'_>) -> Parsed<u8> {
    c.skip_space();
    let start = c.at();
    let bad = (start, AsmErrorKind::Unexpected);
    if !c.eat('[') {
        let max = i128::from(BufferFormat::CODES - 1);
        return Ok(c.integer_in(0, max)? as u8);
    }
    let first = c.name().ok_or_else(|| bad.clone())?;
    let code = if c.eat(',') {
        let second = c.name().ok_or_else(|| bad.clone())?;
        split_format(first, second)
    } else {
        format::code_from_name(first)
    };
    c.expect(']')?;
    code.ok_or(bad)
}

fn split_format(data: &str, number: &str) -> Option<u8> {
    let layout = data.strip_prefix("BUF_DATA_FORMAT_")?;
    let number = number.strip_prefix("BUF_NUM_FORMAT_")?;
    let layout = Layout::ALL.into_iter().find(|l| l.name() == layout)?;
    let number = NumberType::ALL.into_iter().find(|n| n.name() == number)?;
    BufferFormat::new(layout, number).map(BufferFormat::code)
}

/// `swizzle(MODE,…)`, or nothing.
fn swizzle(c: &mut Cursor<'_>) -> Parsed<Option<u16>> {
    c.skip_space();
    let start = c.at();
    if c.name() != Some("swizzle") {
        c.reset(start);
        return Ok(None);
    }
    c.expect('(')?;
    let at = c.at();
    let mode = c.name().unwrap_or("");
    let imm = match mode {
        "QUAD_PERM" => {
            let mut imm = 0x8000;
            for shift in [0, 2, 4, 6] {
                c.expect(',')?;
                imm |= (c.integer_in(0, 3)? as u16) << shift;
            }
            imm
        }
        "SWAP" => {
            c.expect(',')?;
            0x1f | power_of_two(c, 1, 16)? << 10
        }
        "REVERSE" => {
            c.expect(',')?;
            0x1f | (power_of_two(c, 2, 32)? - 1) << 10
        }
        "BROADCAST" => {
            c.expect(',')?;
            let group = power_of_two(c, 2, 32)?;
            c.expect(',')?;
            let lane = c.integer_in(0, i128::from(group) - 1)? as u16;
            (32 - group) | lane << 5
        }
        "BITMASK_PERM" => {
            c.expect(',')?;
            bitmask(c)?
        }
        _ => return Err((at, AsmErrorKind::Unexpected)),
    };
    c.expect(')')?;
    Ok(Some(imm))
}

fn power_of_two(c: &mut Cursor<'_>, lo: i128, hi: i128) -> Parsed<u16> {
    c.skip_space();
    let at = c.at();
    let n = c.integer_in(lo, hi)? as u16;
    if n.is_power_of_two() {
        Ok(n)
    } else {
        Err((at, AsmErrorKind::OutOfRange))
    }
}

/// `"01pi…"`, five characters, bit 4 first.
fn bitmask(c: &mut Cursor<'_>) -> Parsed<u16> {
    c.expect('"')?;
    let (mut and, mut or, mut xor) = (0, 0, 0);
    for bit in (0..5).rev() {
        let at = c.at();
        let m = 1 << bit;
        match c.rest().chars().next() {
            Some('0') => {}
            Some('1') => or |= m,
            Some('p') => and |= m,
            Some('i') => {
                and |= m;
                xor |= m;
            }
            _ => return Err((at, AsmErrorKind::Unexpected)),
        }
        c.reset(at + 1);
    }
    c.expect('"')?;
    Ok(and | or << 5 | xor << 10)
}
