//! The layout of one opcode: which reading of each operand explains every sample, where it sits, and
//! what the samples leave open. Knows the value table and nothing of the ISA's layouts.

use std::collections::{BTreeMap, BTreeSet};

use crate::columns::{Column, Words};
use crate::finding::Finding;
use crate::fit::{Fit, Place, Sign, fit};
use crate::reading::{Reading, Term, absent_value, read};
use crate::sample::{OpcodeSamples, Sample};
use crate::values::ValueTable;

/// What a field holds, by the values that were seen in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Codes of scalar registers, below 128.
    Scalar,
    /// VGPRs: source codes from 256 on, so that value bit 8 is always set.
    Vgpr,
    /// Source codes of scalar registers and constants.
    ScalarSource,
    /// Source codes of any kind.
    Source,
    /// Names of a closed family or a flag; its greatest value.
    Symbol(i64),
    /// Numbers.
    Number,
    /// Literals: numbers that no inline constant replaces.
    Literal,
}

impl Kind {
    /// Bits that the values of the kind have, where the kind bounds them.
    pub(crate) fn bits(self) -> Option<u8> {
        match self {
            Kind::Scalar => Some(7),
            Kind::Vgpr | Kind::ScalarSource => Some(8),
            Kind::Source => Some(9),
            Kind::Symbol(top) => Some((64 - top.leading_zeros()) as u8),
            Kind::Literal => Some(32),
            Kind::Number => None,
        }
    }
}

/// A field of an opcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The operand or modifier.
    pub operand: String,
    /// What it holds.
    pub kind: Kind,
    /// Bits of the value to bits of the instruction.
    pub places: BTreeMap<u8, Place>,
    /// How it reads negative values.
    pub sign: Sign,
    /// What it holds where the text leaves the operand out or says `off`, if that is always the same.
    pub idle: Option<u64>,
    /// Bits of the value that are set in a text that the assembler refused.
    pub refused: u64,
    /// The least and the greatest value seen.
    pub range: (i64, i64),
}

impl Field {
    /// The value in a sample's words.
    pub(crate) fn value(&self, sample: &Sample) -> u64 {
        value_at(&self.places, sample)
    }

    /// The highest exercised bit of the value.
    pub(crate) fn top(&self) -> u8 {
        self.places.keys().next_back().copied().unwrap_or(0)
    }
}

/// The layout of an opcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpcodeLayout {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Operands that are the same in every text.
    pub constant: Vec<String>,
    /// What is open or wrong.
    pub findings: Vec<Finding>,
}

impl OpcodeLayout {
    /// The field of an operand.
    pub fn field(&self, operand: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.operand == operand)
    }
}

/// A candidate part of an operand: its name, kind and value in each sample.
struct Part {
    name: String,
    kind: Kind,
    values: Vec<Option<i64>>,
    /// Samples that contradict the reading before any field is looked for.
    contradicted: Vec<usize>,
    fit: Fit,
}

/// `vcc` as a source code; a compare's implied destination.
const VCC: u16 = 106;
/// The source code that announces a literal.
const LITERAL: u16 = 255;

/// Solves an opcode.
pub fn solve_opcode(values: &ValueTable, opcode: &OpcodeSamples) -> OpcodeLayout {
    let mut layout = OpcodeLayout {
        name: opcode.name.clone(),
        fields: Vec::new(),
        constant: Vec::new(),
        findings: Vec::new(),
    };
    if opcode.samples.is_empty() {
        layout.findings.push(Finding::NoSamples {
            opcode: opcode.name.clone(),
            refused: opcode.refused.iter().map(|s| s.text.clone()).collect(),
        });
        return layout;
    }
    let words = Words::new(&opcode.samples);
    let readings: Vec<Reading> = opcode.samples.iter().map(|s| read(values, s)).collect();
    let refused: Vec<Reading> = opcode.refused.iter().map(|s| read(values, s)).collect();
    let names: BTreeSet<&String> = readings.iter().flat_map(|r| r.terms.keys()).collect();
    let mut solver = Solver {
        values,
        opcode,
        words: &words,
        parts: Vec::new(),
        literals: vec![None; opcode.samples.len()],
        unread: BTreeMap::new(),
        layout,
    };
    for name in names {
        let present: Vec<Option<Term>> = readings
            .iter()
            .map(|r| r.terms.get(name).cloned())
            .collect();
        solver.operand(name, &present);
    }
    solver.literal();
    solver.settle();
    solver.finish(&refused)
}

struct Solver<'a> {
    values: &'a ValueTable,
    opcode: &'a OpcodeSamples,
    words: &'a Words,
    parts: Vec<Part>,
    literals: Vec<Option<i64>>,
    unread: BTreeMap<String, Vec<(usize, String)>>,
    layout: OpcodeLayout,
}

impl Solver<'_> {
    /// Tries the readings of an operand and keeps the one that explains the samples.
    fn operand(&mut self, name: &str, terms: &[Option<Term>]) {
        let mut readings = Vec::new();
        // What a text leaves out is 0, unless another operand of that text fills the field.
        if let Some(absent) = absent_value(name) {
            let filled: Vec<Option<Term>> = terms
                .iter()
                .map(|t| Some(t.clone().unwrap_or_else(|| absent.clone())))
                .collect();
            readings = self.readings(name, &filled);
        }
        readings.extend(self.readings(name, terms));
        self.choose(name, readings);
    }

    /// Every way to read an operand's terms.
    fn readings(&mut self, name: &str, terms: &[Option<Term>]) -> Vec<Vec<Part>> {
        let mut unread = Vec::new();
        let (mut codes, mut numbers, mut symbols) = (false, false, false);
        let mut implied = (false, false);
        for (i, term) in terms.iter().enumerate() {
            match term {
                Some(Term::Code(code)) => {
                    codes = true;
                    implied.0 |= *code == VCC;
                    implied.1 |= *code != VCC;
                }
                Some(Term::Number(_)) => numbers = true,
                Some(Term::Symbol { .. }) => symbols = true,
                Some(Term::Unknown(text)) => unread.push((i, text.clone())),
                Some(Term::Off) | None => {}
            }
        }
        if !unread.is_empty() {
            self.unread.insert(name.to_string(), unread);
        }
        let mut readings = Vec::new();
        if codes {
            readings.push(vec![self.codes(name, terms, |_| true)]);
            if numbers {
                readings.push(vec![
                    self.codes_alone(name, terms),
                    self.numbers(&format!("{name}.imm"), terms),
                ]);
            }
            if implied == (true, true) {
                let explicit = terms
                    .iter()
                    .map(|t| match t {
                        Some(Term::Code(code)) => Some(i64::from(*code != VCC)),
                        _ => None,
                    })
                    .collect();
                readings.push(vec![
                    self.codes(name, terms, |code| code != VCC),
                    self.part(format!("{name}.explicit"), Kind::Symbol(1), explicit),
                ]);
            }
        } else if numbers || symbols {
            readings.push(vec![self.numbers(name, terms)]);
            if numbers && !symbols && absent_value(name).is_none() && self.is_operand(name) {
                readings.push(vec![self.codes(name, terms, |_| true)]);
            }
        }
        readings
    }

    /// Whether the name is an operand's, not a modifier's.
    fn is_operand(&self, name: &str) -> bool {
        let mut forms = self.opcode.samples.iter().map(|s| &s.form);
        let unnamed = name
            .strip_prefix("op")
            .is_some_and(|n| n.parse::<u8>().is_ok());
        unnamed || forms.any(|form| form.roles.iter().any(|r| r == name))
    }

    fn choose(&mut self, name: &str, mut readings: Vec<Vec<Part>>) {
        let wrong = |parts: &[Part]| -> usize {
            parts
                .iter()
                .map(|p| match &p.fit {
                    Fit::None { against, .. } => against.len().max(1) + p.contradicted.len(),
                    _ => p.contradicted.len(),
                })
                .sum()
        };
        let right: Vec<usize> = (0..readings.len())
            .filter(|&i| readings.get(i).is_some_and(|r| wrong(r) == 0))
            .collect();
        // Numbers alone may be read as numbers and as inline constants.
        if let [first, second] = right.as_slice()
            && absent_value(name).is_none()
            && let (Some([a]), Some([b])) = (
                readings.get(*first).map(Vec::as_slice),
                readings.get(*second).map(Vec::as_slice),
            )
            && let (Fit::Found { places: pa, .. }, Fit::Found { places: pb, .. }) = (&a.fit, &b.fit)
        {
            self.layout.findings.push(Finding::Several {
                opcode: self.opcode.name.clone(),
                operand: name.to_string(),
                candidates: vec![
                    format!("a number in bits {}", bits_text(pa)),
                    format!("a source code in bits {}", bits_text(pb)),
                ],
                add: vec!["-1".into(), "65".into(), "a register".into()],
            });
            return;
        }
        let best = right.first().copied().or_else(|| {
            (0..readings.len()).min_by_key(|&i| readings.get(i).map_or(usize::MAX, |r| wrong(r)))
        });
        let Some(best) = best.filter(|&i| i < readings.len()) else {
            return;
        };
        let parts = readings.swap_remove(best);
        for part in &parts {
            if part.kind != Kind::Number {
                self.note_literals(part);
            }
        }
        self.parts.extend(parts);
    }

    /// Remembers the literals of the samples that a part reads as source code 255.
    fn note_literals(&mut self, part: &Part) {
        for (i, value) in part.values.iter().enumerate() {
            if *value == Some(i64::from(LITERAL))
                && let Some(slot) = self.literals.get_mut(i)
                && let Some(&word) = self.opcode.samples.get(i).and_then(|s| s.words.last())
            {
                // The texts' literals were compared with this word when the part was made.
                *slot = Some(i64::from(word));
            }
        }
    }

    fn part(&self, name: String, kind: Kind, values: Vec<Option<i64>>) -> Part {
        let fit = fit(self.words, &values, &BTreeSet::new(), is_loose(kind));
        Part {
            name,
            kind,
            values,
            contradicted: Vec::new(),
            fit,
        }
    }

    /// The operand as source codes; integers that are no inline constants are literals.
    fn codes(&self, name: &str, terms: &[Option<Term>], admit: impl Fn(u16) -> bool) -> Part {
        let mut contradicted = Vec::new();
        let codes: Vec<Option<i64>> = terms
            .iter()
            .enumerate()
            .map(|(i, term)| match term {
                Some(Term::Code(code)) => admit(*code).then_some(i64::from(*code)),
                Some(Term::Number(n)) => {
                    let code = self.values.integer(*n).unwrap_or_else(|| {
                        let words = self.opcode.samples.get(i).map(|s| s.words.as_slice());
                        if words.and_then(<[u32]>::last) != Some(&(*n as u32)) {
                            contradicted.push(i);
                        }
                        LITERAL
                    });
                    Some(i64::from(code))
                }
                _ => None,
            })
            .collect();
        let mut part = self.part(name.to_string(), code_kind(&codes), codes);
        part.contradicted = contradicted;
        part
    }

    /// The registers of an operand whose numbers sit elsewhere.
    fn codes_alone(&self, name: &str, terms: &[Option<Term>]) -> Part {
        let codes: Vec<Option<i64>> = terms
            .iter()
            .map(|term| match term {
                Some(Term::Code(code)) => Some(i64::from(*code)),
                _ => None,
            })
            .collect();
        self.part(name.to_string(), code_kind(&codes), codes)
    }

    fn numbers(&self, name: &str, terms: &[Option<Term>]) -> Part {
        let mut kind = Kind::Number;
        let numbers = terms
            .iter()
            .map(|term| match term {
                Some(Term::Number(n)) => Some(*n),
                Some(Term::Symbol { value, top }) => {
                    kind = Kind::Symbol(*top);
                    Some(*value)
                }
                _ => None,
            })
            .collect();
        self.part(name.to_string(), kind, numbers)
    }

    /// The literal, whichever operand it belongs to.
    fn literal(&mut self) {
        if self.literals.iter().any(Option::is_some) {
            let literals = self.literals.clone();
            let part = self.part("literal".into(), Kind::Literal, literals);
            self.parts.push(part);
        }
    }

    /// Fields do not overlap: takes the bits of those that are certain from the candidates of the
    /// others, until nothing changes.
    fn settle(&mut self) {
        loop {
            let claimed: BTreeSet<u8> = self
                .parts
                .iter()
                .filter_map(|p| match &p.fit {
                    Fit::Found { places, .. } => Some(places),
                    _ => None,
                })
                .flat_map(|places| places.values().map(|p| p.bit))
                .collect();
            let mut changed = false;
            for part in &mut self.parts {
                if matches!(part.fit, Fit::Several(_)) {
                    let again = fit(self.words, &part.values, &claimed, is_loose(part.kind));
                    if matches!(again, Fit::Found { .. }) {
                        part.fit = again;
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn finish(mut self, refused: &[Reading]) -> OpcodeLayout {
        let parts = std::mem::take(&mut self.parts);
        for part in &parts {
            match &part.fit {
                Fit::Found { places, sign } if part.contradicted.is_empty() => {
                    let field = self.field(part, places, *sign, refused);
                    self.layout.fields.push(field);
                }
                Fit::Constant if part.contradicted.is_empty() => self.constant(part, refused),
                Fit::Several(lows) => self.several(part, &parts, lows),
                fit => self.no_field(part, fit),
            }
        }
        self.unread_names();
        let claimed: BTreeSet<u8> = self
            .layout
            .fields
            .iter()
            .flat_map(|f| f.places.values().map(|p| p.bit))
            .collect();
        // A field may go on only where the next bit is nobody's and always 0.
        let open = |bit: u8| {
            let mut samples = self.opcode.samples.iter();
            !claimed.contains(&bit)
                && samples
                    .clone()
                    .any(|s| s.words.len() * 32 > usize::from(bit))
                && samples.all(|s| !s.bit(bit))
        };
        let mut findings = Vec::new();
        for (field, part) in self
            .layout
            .fields
            .iter()
            .filter_map(|f| Some((f, parts.iter().find(|p| p.name == f.operand)?)))
        {
            extremes(
                self.values,
                self.opcode,
                field,
                part,
                refused,
                &open,
                &mut findings,
            );
        }
        self.layout.findings.append(&mut findings);
        if !self.layout.findings.iter().any(Finding::is_error) {
            self.unexplained(&claimed);
        }
        self.layout
    }

    fn field(
        &self,
        part: &Part,
        places: &BTreeMap<u8, Place>,
        sign: Sign,
        refused: &[Reading],
    ) -> Field {
        let mut idle = None;
        let mut same = true;
        for (sample, value) in self.opcode.samples.iter().zip(&part.values) {
            if value.is_none() {
                let held = value_at(places, sample);
                same &= idle.is_none_or(|other| other == held);
                idle = Some(held);
            }
        }
        let seen = || part.values.iter().flatten().copied();
        Field {
            operand: part.name.clone(),
            kind: part.kind,
            places: places.clone(),
            sign,
            idle: idle.filter(|_| same),
            refused: refused
                .iter()
                .filter_map(|r| refused_value(self.values, part, r))
                .fold(0, |bits, v| bits | v as u64),
            range: (seen().min().unwrap_or(0), seen().max().unwrap_or(0)),
        }
    }

    /// An operand that never changes is a field that was not looked for, unless other texts were
    /// refused.
    fn constant(&mut self, part: &Part, refused: &[Reading]) {
        self.layout.constant.push(part.name.clone());
        let value = part.values.iter().flatten().next().copied();
        let tried = refused
            .iter()
            .any(|r| refused_value(self.values, part, r).is_some_and(|v| Some(v) != value));
        let implied = part.name.contains('.') || part.name == "literal";
        if !tried && !implied && value.is_some() {
            self.layout.findings.push(Finding::Extremes {
                opcode: self.opcode.name.clone(),
                operand: part.name.clone(),
                add: vec!["any other value".into()],
            });
        }
    }

    fn several(&mut self, part: &Part, parts: &[Part], lows: &[u8]) {
        // Which operands move together with this one, bit for bit?
        let twins: Vec<&str> = parts
            .iter()
            .filter(|p| p.name != part.name && matches!(&p.fit, Fit::Several(l) if l == lows))
            .map(|p| p.name.as_str())
            .collect();
        let mut add: Vec<String> = twins
            .iter()
            .map(|t| format!("texts in which {} differs from {t}", part.name))
            .collect();
        if add.is_empty() {
            let seen = part.values.iter().flatten().fold(0, |bits, v| bits | v);
            let top = part.kind.bits().unwrap_or(8);
            add = (0..top)
                .filter(|k| seen >> k & 1 == 0)
                .map(|k| text_of_bit(self.values, part.kind, k))
                .collect();
            add.push(format!("texts that change {} alone", part.name));
        }
        self.layout.findings.push(Finding::Several {
            opcode: self.opcode.name.clone(),
            operand: part.name.clone(),
            candidates: lows.iter().map(|lo| format!("from bit {lo}")).collect(),
            add,
        });
    }

    fn no_field(&mut self, part: &Part, fit: &Fit) {
        let (places, nearest, mut against) = match fit {
            Fit::None {
                nearest,
                top,
                against,
            } => {
                let places: Option<BTreeMap<u8, Place>> = nearest.map(|(lo, first)| {
                    (first..=*top)
                        .map(|k| {
                            let place = Place {
                                bit: lo + (k - first),
                                inverted: false,
                            };
                            (k, place)
                        })
                        .collect()
                });
                let width = nearest.map(|(lo, first)| (lo, top - first + 1));
                (places, width, against.clone())
            }
            Fit::Found { places, .. } => {
                let lo = places.values().map(|p| p.bit).min().unwrap_or(0);
                let width = places.len() as u8;
                (Some(places.clone()), Some((lo, width)), Vec::new())
            }
            _ => (None, None, Vec::new()),
        };
        against.extend(&part.contradicted);
        against.sort_unstable();
        against.dedup();
        let against = against
            .into_iter()
            .filter_map(|i| {
                let sample = self.opcode.samples.get(i)?;
                let holds = places.as_ref().map(|p| value_at(p, sample));
                Some((
                    sample.text.clone(),
                    part.values.get(i).copied().flatten().unwrap_or(0),
                    holds,
                ))
            })
            .collect();
        self.layout.findings.push(Finding::NoField {
            opcode: self.opcode.name.clone(),
            operand: part.name.clone(),
            nearest,
            against,
        });
    }

    fn unread_names(&mut self) {
        for (operand, samples) in std::mem::take(&mut self.unread) {
            let field = self.layout.field(&operand);
            let samples = samples
                .into_iter()
                .filter_map(|(i, name)| {
                    let sample = self.opcode.samples.get(i)?;
                    Some((sample.text.clone(), name, field.map(|f| f.value(sample))))
                })
                .collect();
            self.layout.findings.push(Finding::Unread {
                opcode: self.opcode.name.clone(),
                operand,
                samples,
            });
        }
    }

    /// Every bit that moves belongs to a field or moves together with one.
    fn unexplained(&mut self, claimed: &BTreeSet<u8>) {
        let all = self.words.all();
        let known: Vec<&Column> = claimed
            .iter()
            .filter_map(|&bit| self.words.column(bit))
            .collect();
        let open: Vec<(u8, &Column)> = self
            .words
            .iter()
            .filter(|(bit, column)| !claimed.contains(bit) && !column.is_constant(all))
            .filter(|(_, column)| {
                !known
                    .iter()
                    .any(|k| k.agrees(column, all) || k.opposes(column, all))
            })
            .collect();
        let Some((_, column)) = open.first() else {
            return;
        };
        let set = column.samples().next();
        let clear = (0..self.opcode.samples.len()).find(|i| !column.samples().any(|s| s == *i));
        let text = |i: Option<usize>| {
            let sample = i.and_then(|i| self.opcode.samples.get(i));
            sample.map_or_else(String::new, |s| s.text.clone())
        };
        let finding = Finding::Unexplained {
            opcode: self.opcode.name.clone(),
            bits: open.iter().map(|o| o.0).collect(),
            samples: (text(set), text(clear)),
        };
        self.layout.findings.push(finding);
    }
}

/// Whether a field was seen as wide as it is: next bit, bits in between, extremes.
fn extremes(
    values: &ValueTable,
    opcode: &OpcodeSamples,
    field: &Field,
    part: &Part,
    refused: &[Reading],
    open: &impl Fn(u8) -> bool,
    findings: &mut Vec<Finding>,
) {
    let top = field.top();
    let after = field.places.get(&top).map_or(0, |p| p.bit) + 1;
    let tried = |k: u8| field.refused >> k & 1 != 0;
    let missing: Vec<u8> = match field.kind.bits() {
        Some(bits) => (top + 1..bits).filter(|&k| !tried(k)).collect(),
        None if tried(top + 1) || top >= 62 => Vec::new(),
        None => vec![top + 1],
    };
    if !missing.is_empty() && field.sign == Sign::Unsigned && open(after) {
        findings.push(Finding::TooNarrow {
            opcode: opcode.name.clone(),
            operand: field.operand.clone(),
            seen: top + 1,
            next: after,
            neighbours: None,
            add: missing
                .iter()
                .map(|&k| text_of_bit(values, field.kind, k))
                .collect(),
        });
    }
    let mut add: Vec<String> = (0..top)
        .filter(|k| !field.places.contains_key(k) && !tried(*k))
        .map(|k| text_of_bit(values, field.kind, k))
        .collect();
    if field.kind == Kind::Number {
        let half = 1i64 << top;
        let ends = match field.sign {
            Sign::Unsigned => [0, 2 * half - 1],
            Sign::Signed => [-half, half - 1],
            Sign::Either => [-half, 2 * half - 1],
        };
        for end in ends {
            let seen = part.values.contains(&Some(end));
            let out_of_reach = refused
                .iter()
                .any(|r| refused_value(values, part, r) == Some(end));
            // A text cannot leave a register out by the number that means so.
            if !seen && !out_of_reach {
                add.push(end.to_string());
            }
        }
    }
    if !add.is_empty() {
        findings.push(Finding::Extremes {
            opcode: opcode.name.clone(),
            operand: field.operand.clone(),
            add,
        });
    }
}

/// A field's bits as a person writes them.
pub(crate) fn bits_text(places: &BTreeMap<u8, Place>) -> String {
    let mut runs: Vec<(u8, u8, bool)> = Vec::new();
    let mut last: Option<(u8, Place)> = None;
    for (&k, &place) in places {
        let joined = last.is_some_and(|(lk, lp)| {
            place.inverted == lp.inverted && place.bit.checked_sub(lp.bit) == Some(k - lk)
        });
        match runs.last_mut() {
            Some(run) if joined => run.1 = place.bit,
            _ => runs.push((place.bit, place.bit, place.inverted)),
        }
        last = Some((k, place));
    }
    let runs: Vec<String> = runs
        .iter()
        .map(|&(lo, hi, inverted)| {
            let not = if inverted { "!" } else { "" };
            if lo == hi {
                format!("{not}{lo}")
            } else {
                format!("{not}{lo}..{hi}")
            }
        })
        .collect();
    runs.join(" + ")
}

/// A text for a value with bit `k` set, for suggestions.
fn text_of_bit(values: &ValueTable, kind: Kind, k: u8) -> String {
    match kind {
        Kind::Scalar | Kind::ScalarSource | Kind::Source => values.text_of(1 << k.min(8)),
        Kind::Vgpr => values.text_of(256 + (1 << k.min(7))),
        Kind::Symbol(_) | Kind::Number | Kind::Literal => (1u64 << k.min(63)).to_string(),
    }
}

fn is_loose(kind: Kind) -> bool {
    matches!(kind, Kind::Source | Kind::Symbol(1))
}

fn code_kind(codes: &[Option<i64>]) -> Kind {
    let (mut vgpr, mut scalar, mut constant) = (false, false, false);
    for code in codes.iter().flatten() {
        match code {
            256.. => vgpr = true,
            128.. => constant = true,
            _ => scalar = true,
        }
    }
    match (vgpr, scalar, constant) {
        (true, false, false) => Kind::Vgpr,
        (true, ..) => Kind::Source,
        (false, _, true) => Kind::ScalarSource,
        (false, ..) => Kind::Scalar,
    }
}

fn value_at(places: &BTreeMap<u8, Place>, sample: &Sample) -> u64 {
    places.iter().fold(0, |value, (k, place)| {
        value | u64::from(sample.bit(place.bit) != place.inverted) << k
    })
}

/// The value that a refused text has for a part.
fn refused_value(values: &ValueTable, part: &Part, reading: &Reading) -> Option<i64> {
    let name = part.name.strip_suffix(".imm").unwrap_or(&part.name);
    let number = matches!(part.kind, Kind::Number | Kind::Literal | Kind::Symbol(_));
    if part.kind == Kind::Literal {
        // Whichever operand it stands in.
        return reading.terms.iter().find_map(|(name, term)| match term {
            Term::Number(n) if absent_value(name).is_none() && values.integer(*n).is_none() => {
                Some(*n)
            }
            _ => None,
        });
    }
    let absent = absent_value(name);
    match reading.terms.get(name).or(absent.as_ref())? {
        Term::Code(code) if !number => Some(i64::from(*code)),
        Term::Number(n) if number => Some(*n),
        Term::Number(n) => values.integer(*n).map(i64::from),
        Term::Symbol { value, .. } if number => Some(*value),
        _ => None,
    }
}
