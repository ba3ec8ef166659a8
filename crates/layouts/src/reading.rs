//! A text taken apart: a term for each thing in it that may sit in a field of its own. Knows no bit
//! position.
//!
//! The things are called by role (`sdata`) or by modifier (`offset`, `glc`), with a suffix for what
//! else hangs on an operand: `src0.neg`, `src0.abs`, `src0.sext`; `vaddr.1` for the second register of
//! a list; `op_sel.0` for an element; `src1.en` for an export's source that is not `off`.

use std::collections::BTreeMap;

use crate::sample::Sample;
use crate::values::{Symbol, ValueTable};

/// What stands in a place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A register, special source or inline float: its source code.
    Code(u16),
    /// A number: an inline integer, a literal or an immediate.
    Number(i64),
    /// A name with a value from a closed family, and the greatest value of the family.
    Symbol {
        /// The value.
        value: i64,
        /// The family's greatest.
        top: i64,
    },
    /// `off`.
    Off,
    /// No reading.
    Unknown(String),
}

impl From<Symbol> for Term {
    fn from(s: Symbol) -> Term {
        Term::Symbol {
            value: s.value,
            top: s.top,
        }
    }
}

/// A text taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The mnemonic.
    pub mnemonic: String,
    /// The terms.
    pub terms: BTreeMap<String, Term>,
}

const ON: Term = Term::Symbol { value: 1, top: 1 };
const OFF: Term = Term::Symbol { value: 0, top: 1 };

/// Takes a sample's text apart.
pub fn read(values: &ValueTable, sample: &Sample) -> Reading {
    let text = sample.text.trim();
    let (mnemonic, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let mut reading = Reading {
        mnemonic: mnemonic.to_string(),
        terms: BTreeMap::new(),
    };
    let export = mnemonic == "exp";
    let mut place = 0;
    for chunk in split(rest, |c| c == ',') {
        for (i, token) in split(chunk, char::is_whitespace).into_iter().enumerate() {
            // Behind the target of an export stands no comma.
            let operand = i == 0 || (export && place == 1);
            if operand && !is_modifier(token) {
                let role = sample.form.roles.get(place).cloned();
                let role = role.unwrap_or_else(|| format!("op{place}"));
                if export && place == 0 {
                    let target = values.export_target(token);
                    let term = target.map_or_else(|| Term::Unknown(token.into()), Term::from);
                    reading.terms.insert(role, term);
                } else {
                    operand_terms(values, &mut reading.terms, &role, token, export);
                }
                place += 1;
            } else {
                modifier_terms(values, &mut reading.terms, token, sample);
            }
        }
    }
    reading
}

/// The value of a thing that a text leaves out, where leaving it out means something: flags and
/// offsets are 0.
pub(crate) fn absent_value(name: &str) -> Option<Term> {
    let (base, suffix) = name.split_once('.').unwrap_or((name, ""));
    if matches!(suffix, "neg" | "abs" | "sext") {
        return Some(OFF);
    }
    match base {
        "offset" | "offset0" | "offset1" => Some(Term::Number(0)),
        "omod" => Some(Term::Symbol { value: 0, top: 3 }),
        "op_sel" | "neg_lo" | "neg_hi" => Some(OFF),
        _ if suffix == "words" => Some(Term::Symbol { value: 0, top: 3 }),
        _ if FLAGS.contains(&base) && suffix.is_empty() => Some(OFF),
        _ => None,
    }
}

/// Modifiers that are there or not.
const FLAGS: [&str; 20] = [
    "glc",
    "slc",
    "dlc",
    "lds",
    "tfe",
    "lwe",
    "gds",
    "offen",
    "idxen",
    "unorm",
    "r128",
    "a16",
    "d16",
    "done",
    "compr",
    "vm",
    "clamp",
    "bound_ctrl",
    "fi",
    "high",
];

/// Splits at separators outside of brackets and bars; leaves out empty parts.
fn split(text: &str, separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0i32;
    let mut start = 0;
    for (i, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ if depth == 0 && separator(c) => {
                parts.push(text.get(start..i).unwrap_or(""));
                start = i + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or(""));
    parts.retain(|p| !p.trim().is_empty());
    parts.into_iter().map(str::trim).collect()
}

/// `name:…` with the colon outside of brackets, or a flag.
fn is_modifier(token: &str) -> bool {
    let name = token.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    match name {
        Some(end) => token.get(end..).is_some_and(|r| r.starts_with(':')),
        None => FLAGS.contains(&token),
    }
}

/// An integer in decimal or hexadecimal, with or without a sign.
pub(crate) fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

fn term(values: &ValueTable, token: &str) -> Term {
    if token == "off" {
        Term::Off
    } else if let Some(n) = number(token) {
        Term::Number(n)
    } else if let Some(code) = values.code(token) {
        Term::Code(code)
    } else if let Some(symbol) = values.symbol(token) {
        symbol.into()
    } else {
        Term::Unknown(token.to_string())
    }
}

fn operand_terms(
    values: &ValueTable,
    terms: &mut BTreeMap<String, Term>,
    role: &str,
    token: &str,
    export: bool,
) {
    // A list of registers: the first in the operand's own field, the others in further words.
    if let Some(list) = token.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        let elements = split(list, |c| c == ',');
        let words = elements.len().saturating_sub(1).div_ceil(4) as i64;
        terms.insert(
            format!("{role}.words"),
            Term::Symbol {
                value: words,
                top: 3,
            },
        );
        for (i, element) in elements.into_iter().enumerate() {
            let name = if i == 0 {
                role.to_string()
            } else {
                format!("{role}.{i}")
            };
            terms.insert(name, term(values, element));
        }
        return;
    }
    // An interpolation attribute and its channel.
    if let Some((attr, channel)) = token.strip_prefix("attr").and_then(|t| t.split_once('.'))
        && let (Some(attr), Some(channel)) = (number(attr), values.symbol(channel))
    {
        terms.insert("attr".into(), Term::Number(attr));
        terms.insert("chan".into(), channel.into());
        return;
    }
    let mut inner = token;
    let mut found = Vec::new();
    if values.code(token).is_none() && number(token).is_none() {
        if let Some(rest) = inner.strip_prefix('-') {
            found.push("neg");
            inner = rest;
        }
        for (open, close, name) in [
            ("neg(", ")", "neg"),
            ("|", "|", "abs"),
            ("sext(", ")", "sext"),
        ] {
            if let Some(rest) = inner.strip_prefix(open).and_then(|t| t.strip_suffix(close)) {
                found.push(name);
                inner = rest;
            }
        }
    }
    for name in found {
        terms.insert(format!("{role}.{name}"), ON);
    }
    let term = term(values, inner);
    if export {
        let on = if term == Term::Off { OFF } else { ON };
        terms.insert(format!("{role}.en"), on);
    }
    terms.insert(role.to_string(), term);
}

fn modifier_terms(
    values: &ValueTable,
    terms: &mut BTreeMap<String, Term>,
    token: &str,
    sample: &Sample,
) {
    let Some((name, value)) = token.split_once(':') else {
        let (name, term) = match token {
            "row_mirror" => ("dpp_ctrl", dpp(0x140)),
            "row_half_mirror" => ("dpp_ctrl", dpp(0x141)),
            _ => (token, ON),
        };
        terms.insert(name.to_string(), term);
        return;
    };
    let list: Option<Vec<i64>> = value
        .strip_prefix('[')
        .and_then(|v| v.strip_suffix(']'))
        .and_then(|v| v.split(',').map(|e| number(e.trim())).collect());
    // Names of fields that several spellings share.
    let shift = |bits: u32| {
        let list = list.as_deref()?;
        Some(list.iter().rev().fold(0, |packed, e| packed << bits | e))
    };
    let omod = |code: i64| {
        (
            "omod",
            Term::Symbol {
                value: code,
                top: 3,
            },
        )
    };
    let counted = |base: i64| number(value).map(|n| dpp(base + n));
    let special = match (name, value) {
        ("mul", "2") => Some(omod(1)),
        ("mul", "4") => Some(omod(2)),
        ("div", "2") => Some(omod(3)),
        ("bound_ctrl", _) => Some(("bound_ctrl", ON)),
        ("quad_perm", _) => shift(2).map(|n| ("dpp_ctrl", dpp(n))),
        ("row_shl", _) => counted(0x100).map(|t| ("dpp_ctrl", t)),
        ("row_shr", _) => counted(0x110).map(|t| ("dpp_ctrl", t)),
        ("row_ror", _) => counted(0x120).map(|t| ("dpp_ctrl", t)),
        ("row_share", _) => counted(0x150).map(|t| ("dpp_ctrl", t)),
        ("row_xmask", _) => counted(0x160).map(|t| ("dpp_ctrl", t)),
        ("fi", "1") => Some(("fi", ON)),
        ("fi", "0") => Some(("fi", OFF)),
        ("dpp8", _) => shift(3).map(|value| {
            let top = 0xff_ffff;
            ("dpp8", Term::Symbol { value, top })
        }),
        _ => None,
    };
    if let Some((name, term)) = special {
        terms.insert(name.to_string(), term);
        return;
    }
    match list {
        Some(elements) => {
            let last = elements.len().saturating_sub(1);
            for (i, element) in elements.into_iter().enumerate() {
                let element = if element == 0 { OFF } else { ON };
                let key = if name == "op_sel" && i == last && sample.form.op_sel_has_dst {
                    "op_sel.dst".to_string()
                } else {
                    format!("{name}.{i}")
                };
                terms.insert(key, element);
            }
        }
        None => {
            let term = match term(values, value) {
                Term::Code(_) => Term::Unknown(value.to_string()),
                term => term,
            };
            terms.insert(name.to_string(), term);
        }
    }
}

/// A DPP control; the greatest is `row_xmask:15`.
fn dpp(value: i64) -> Term {
    Term::Symbol { value, top: 0x16f }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, roles: &[&str]) -> Vec<(String, Term)> {
        let values = ValueTable::rdna();
        read(&values, &Sample::named(text, &[], roles))
            .terms
            .into_iter()
            .collect()
    }

    fn expect(text: &str, roles: &[&str], expected: &[(&str, Term)]) {
        let mut expected: Vec<_> = expected
            .iter()
            .map(|(n, t)| ((*n).to_string(), t.clone()))
            .collect();
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(terms(text, roles), expected, "{text}");
    }

    #[test]
    fn operands_and_modifiers() {
        expect(
            "buffer_load_dword v5, v[1:2], s[8:11], 0x80 idxen offen offset:4095 glc",
            &["vdata", "vaddr", "srsrc", "soffset"],
            &[
                ("vdata", Term::Code(256 + 5)),
                ("vaddr", Term::Code(256 + 1)),
                ("srsrc", Term::Code(8)),
                ("soffset", Term::Number(128)),
                ("idxen", ON),
                ("offen", ON),
                ("offset", Term::Number(4095)),
                ("glc", ON),
            ],
        );
        expect(
            "v_fma_f32 v0, -|v1|, neg(s2), |v3| clamp div:2",
            &["d", "a", "b", "c"],
            &[
                ("d", Term::Code(256)),
                ("a", Term::Code(257)),
                ("a.neg", ON),
                ("a.abs", ON),
                ("b", Term::Code(2)),
                ("b.neg", ON),
                ("c", Term::Code(259)),
                ("c.abs", ON),
                ("clamp", ON),
                ("omod", Term::Symbol { value: 3, top: 3 }),
            ],
        );
        expect(
            "v_mov_b32_dpp v0, -1.0 quad_perm:[3,2,1,0] row_mask:0xa fi:1",
            &["d", "s"],
            &[
                ("d", Term::Code(256)),
                ("s", Term::Code(243)),
                ("dpp_ctrl", dpp(0b00_01_10_11)),
                ("row_mask", Term::Number(10)),
                ("fi", ON),
            ],
        );
        expect(
            "exp pos3 v1, off, v3, v4 done",
            &["tgt", "a", "b"],
            &[
                ("tgt", Term::Symbol { value: 15, top: 63 }),
                ("a", Term::Code(257)),
                ("a.en", ON),
                ("b", Term::Off),
                ("b.en", OFF),
                ("op3", Term::Code(259)),
                ("op3.en", ON),
                ("op4", Term::Code(260)),
                ("op4.en", ON),
                ("done", ON),
            ],
        );
        expect(
            "image_load v0, [v1, v9], s[0:7] dim:SQ_RSRC_IMG_2D",
            &["vdata", "vaddr", "srsrc"],
            &[
                ("vdata", Term::Code(256)),
                ("vaddr", Term::Code(257)),
                ("vaddr.1", Term::Code(265)),
                ("vaddr.words", Term::Symbol { value: 1, top: 3 }),
                ("srsrc", Term::Code(0)),
                ("dim", Term::Symbol { value: 1, top: 7 }),
            ],
        );
        expect(
            "s_mov_b32 s0, flub",
            &[],
            &[
                ("op0", Term::Code(0)),
                ("op1", Term::Unknown("flub".into())),
            ],
        );
    }
}
