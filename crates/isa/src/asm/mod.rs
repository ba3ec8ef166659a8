//! Assembly text to words, in LLVM's syntax: labels, `.long`, comments (`//`, `;`, `/* */`), explicit
//! and implicit encodings. Reads every fact from the table; knows spellings alone.

mod arg;
mod build;
mod error;
mod lex;
mod modifier;
mod special;

pub use error::{AsmError, AsmErrorKind};

use std::collections::HashMap;
use std::sync::LazyLock;

use arg::{Arg, ArgKind, parse_arg};
use build::{Statement, build};
use lex::{Cursor, Fail, Parsed};
use modifier::{Modifier, format_follows, parse_modifier, parse_modifiers};
use special::parse_simm16;

use crate::encode::encode;
use crate::encoding::{Encoding, Ext};
use crate::fields::FieldId;
use crate::inst::Inst;
use crate::legality::legality;
use crate::row::{Row, Slot};
use crate::table::Opcode;
use crate::target::{Target, WaveSize};

/// The most errors that [`assemble`] gives.
pub const MAX_ERRORS: usize = 1000;

/// Assembles a text.
///
/// # Errors
/// Every error that the text has, in its order, each with line and column; of a text with more than
/// [`MAX_ERRORS`] the first ones alone.
pub fn assemble(target: Target, wave: WaveSize, text: &str) -> Result<Vec<u32>, Vec<AsmError>> {
    let mut a = Assembler {
        target,
        wave,
        words: Vec::new(),
        labels: HashMap::new(),
        fixups: Vec::new(),
        errors: Vec::new(),
    };
    let (clean, open) = blank_comments(text);
    for (number, line) in clean.lines().enumerate() {
        a.line(number as u32 + 1, line);
        if a.errors.len() >= MAX_ERRORS {
            return Err(a.errors);
        }
    }
    if let Some(at) = open {
        let before = text.get(..at).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |p| p + 1);
        let number = before.matches('\n').count() as u32 + 1;
        let line = text.get(line_start..).unwrap_or("");
        a.error(number, line, (at - line_start, AsmErrorKind::OpenComment));
    }
    a.finish()
}

/// Replaces comments by spaces, so that columns stay; says where one begins that does not end.
fn blank_comments(text: &str) -> (String, Option<usize>) {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with("//") || c == ';' {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            // `/*/` does not end.
            match rest.get(2..).and_then(|inner| inner.find("*/")) {
                Some(end) => end + 4,
                None => return (out, Some(text.len() - rest.len())),
            }
        } else if c == '"' {
            let close = rest.get(1..).and_then(|r| r.find(['"', '\n']));
            let len = close.map_or(rest.len(), |p| p + 2);
            out.push_str(rest.get(..len).unwrap_or(""));
            rest = rest.get(len..).unwrap_or("");
            continue;
        } else {
            out.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or("");
            continue;
        };
        for ch in rest.get(..len).unwrap_or("").chars() {
            out.push(if ch == '\n' { '\n' } else { ' ' });
        }
        rest = rest.get(len..).unwrap_or("");
    }
    (out, None)
}

/// A branch whose label was not yet known.
struct Fixup {
    word: usize,
    label: String,
    line: u32,
    column: u32,
}

struct Assembler {
    target: Target,
    wave: WaveSize,
    words: Vec<u32>,
    labels: HashMap<String, usize>,
    fixups: Vec<Fixup>,
    errors: Vec<AsmError>,
}

impl Assembler {
    fn error(&mut self, number: u32, line: &str, (at, kind): Fail) {
        let column = line.get(..at).unwrap_or(line).chars().count() as u32 + 1;
        self.errors.push(AsmError {
            line: number,
            column,
            kind,
        });
    }

    fn line(&mut self, number: u32, line: &str) {
        let mut c = Cursor::new(line, 0, line.trim_end().len());
        loop {
            c.skip_space();
            let at = c.at();
            let Some(name) = c.name() else { break };
            if !c.rest().starts_with(':') {
                c.reset(at);
                break;
            }
            c.eat(':');
            if self
                .labels
                .insert(name.to_owned(), self.words.len())
                .is_some()
            {
                self.error(number, line, (at, AsmErrorKind::DuplicateLabel));
                // One error a line.
                self.words.push(0);
                return;
            }
        }
        if c.at_end() {
            return;
        }
        if let Err(fail) = self.statement(number, line, &mut c) {
            self.error(number, line, fail);
            // Keep the places of labels roughly right for the errors that follow.
            self.words.push(0);
        }
    }

    fn statement(&mut self, number: u32, line: &str, c: &mut Cursor<'_>) -> Parsed<()> {
        let at = c.at();
        let name = c.name().ok_or((at, AsmErrorKind::UnknownMnemonic))?;
        if name.starts_with('.') {
            return self.directive(at, name, c);
        }
        let pc = (self.words.len() as u32).wrapping_mul(4);
        let (inst, label) = instruction(self.target, self.wave, pc, at, name, c)?;
        if let Some((at, label)) = label {
            let column = line.get(..at).unwrap_or(line).chars().count() as u32 + 1;
            self.fixups.push(Fixup {
                word: self.words.len(),
                label,
                line: number,
                column,
            });
        }
        self.words.extend_from_slice(inst.words());
        Ok(())
    }

    fn directive(&mut self, at: usize, name: &str, c: &mut Cursor<'_>) -> Parsed<()> {
        if name != ".long" {
            return Err((at, AsmErrorKind::UnknownDirective));
        }
        loop {
            let word = c.integer_in(-(1 << 31), (1 << 32) - 1)?;
            self.words.push(word as u32);
            if c.at_end() {
                return Ok(());
            }
            c.expect(',')?;
        }
    }

    fn finish(mut self) -> Result<Vec<u32>, Vec<AsmError>> {
        for f in &self.fixups {
            let kind = match self.labels.get(&f.label) {
                None => AsmErrorKind::UndefinedLabel,
                Some(&to) => {
                    let distance = to as i64 - (f.word as i64 + 1);
                    let field = Encoding::Sopp.field(FieldId::Simm16);
                    match (i16::try_from(distance), self.words.get_mut(f.word), field) {
                        (Ok(d), Some(w), Some(field)) => {
                            *w = field.set(u64::from(*w), u32::from(d as u16)) as u32;
                            continue;
                        }
                        _ => AsmErrorKind::BranchRange,
                    }
                }
            };
            self.errors.push(AsmError {
                line: f.line,
                column: f.column,
                kind,
            });
        }
        if self.errors.is_empty() {
            Ok(self.words)
        } else {
            self.errors.sort_by_key(|e| (e.line, e.column));
            self.errors.truncate(MAX_ERRORS);
            Err(self.errors)
        }
    }
}

/// Rows by their names in lower case.
static ROWS: LazyLock<HashMap<String, &'static Row>> = LazyLock::new(|| {
    let row = |op: &Opcode| (op.name().to_ascii_lowercase(), op.row());
    Opcode::ALL.iter().map(row).collect()
});

/// Encodings that a suffix admits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Suffix {
    None,
    E32,
    E64,
    Sdwa,
    Dpp,
}

fn find_row(name: &str) -> Option<(&'static Row, Suffix)> {
    let lower = name.to_ascii_lowercase();
    if let Some(row) = ROWS.get(&lower) {
        return Some((row, Suffix::None));
    }
    [
        ("_e32", Suffix::E32),
        ("_e64", Suffix::E64),
        ("_sdwa", Suffix::Sdwa),
        ("_dpp", Suffix::Dpp),
    ]
    .into_iter()
    .find_map(|(text, suffix)| Some((*ROWS.get(lower.strip_suffix(text)?)?, suffix)))
}

type Assembled = (Inst, Option<(usize, String)>);

/// One instruction: parses it and takes the first encoding that holds it.
fn instruction(
    target: Target,
    wave: WaveSize,
    pc: u32,
    at: usize,
    name: &str,
    c: &mut Cursor<'_>,
) -> Parsed<Assembled> {
    let (row, suffix) = find_row(name).ok_or((at, AsmErrorKind::UnknownMnemonic))?;
    let statement = parse(row, target, c)?;
    let candidates = candidates(&statement, suffix, target);
    let mut best: Option<Fail> = None;
    for (encoding, ext) in candidates {
        let built =
            build(&statement, wave, encoding, ext).and_then(|(parts, label)| {
                match encode(target, pc, &parts) {
                    Err(e) => Err((at, AsmErrorKind::Encode(e))),
                    Ok(inst) => match legality(&inst, wave).first() {
                        Some(&breach) => Err((at, AsmErrorKind::Illegal(breach))),
                        None => Ok((inst, label)),
                    },
                }
            });
        match built {
            Ok(done) => return Ok(done),
            // The encoding that got furthest says best what is wrong; of two, the later.
            Err(fail) => {
                if best.as_ref().is_none_or(|b| fail.0 >= b.0) {
                    best = Some(fail);
                }
            }
        }
    }
    Err(best.unwrap_or((at, AsmErrorKind::NoForm)))
}

/// Encodings in the order of preference.
fn candidates(s: &Statement, suffix: Suffix, target: Target) -> Vec<(Encoding, Ext)> {
    let dpp8 = s.modifiers.iter().any(|m| matches!(m.1, Modifier::Dpp8(_)));
    let dpp = s.modifiers.iter().any(|m| m.1.is_dpp());
    let sdwa = s.modifiers.iter().any(|m| m.1.is_sdwa());
    let mut list = Vec::new();
    for form in s.row.forms {
        if !form.targets.contains(target.set()) {
            continue;
        }
        let e = form.encoding;
        let narrow = matches!(e, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc);
        let ext = match suffix {
            Suffix::E32 if narrow || e == Encoding::Vintrp => Ext::None,
            Suffix::E64 if e == Encoding::Vop3 => Ext::None,
            Suffix::E32 | Suffix::E64 => continue,
            Suffix::Sdwa | Suffix::Dpp if !narrow => continue,
            Suffix::Sdwa if e == Encoding::Vopc => Ext::Sdwab,
            Suffix::Sdwa => Ext::Sdwa,
            Suffix::Dpp if dpp8 => Ext::Dpp8,
            Suffix::Dpp => Ext::Dpp16,
            Suffix::None if narrow && sdwa && e == Encoding::Vopc => Ext::Sdwab,
            Suffix::None if narrow && sdwa => Ext::Sdwa,
            Suffix::None if narrow && dpp8 => Ext::Dpp8,
            Suffix::None if narrow && dpp => Ext::Dpp16,
            Suffix::None => Ext::None,
        };
        list.push((e, ext));
    }
    list
}

/// Operands and modifiers of a statement.
fn parse(row: &'static Row, target: Target, c: &mut Cursor<'_>) -> Parsed<Statement> {
    let mut args = Vec::new();
    let mut modifiers = Vec::new();
    let mut shown = row.operands.iter().filter(|s| !s.hidden).peekable();
    if shown.peek().is_some() && !c.at_end() {
        loop {
            c.skip_space();
            let start = c.at();
            if format_follows(c) {
                modifiers.push((start, parse_modifier(c, start)?));
            } else {
                let slot = shown.next().map(|s| s.slot);
                args.push(match slot {
                    Some(Slot::Simm16) => Arg {
                        at: start,
                        kind: ArgKind::Simm16(parse_simm16(c, row.opcode, target)?),
                        neg: false,
                        abs: false,
                        sext: false,
                    },
                    _ => parse_arg(c)?,
                });
                // No comma behind the target of an export.
                if slot == Some(Slot::ExpTarget) {
                    c.eat(',');
                    continue;
                }
            }
            if !c.eat(',') {
                break;
            }
        }
    }
    parse_modifiers(c, &mut modifiers)?;
    Ok(Statement {
        row,
        end: c.at(),
        args,
        modifiers,
    })
}
