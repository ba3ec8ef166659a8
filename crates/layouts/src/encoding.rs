//! The opcodes of one encoding side by side: one layout of all, the opcode's own field, and where they
//! disagree. Knows nothing of the ISA's layouts.

use std::collections::{BTreeMap, BTreeSet};

use crate::columns::Words;
use crate::finding::Finding;
use crate::fit::{Fit, Place, Sign, fit};
use crate::sample::{OpcodeSamples, Sample};
use crate::solve::{Field, Kind, OpcodeLayout, bits_text, solve_opcode};
use crate::values::ValueTable;

/// A field as all opcodes of the encoding together show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedField {
    /// The operand or modifier.
    pub operand: String,
    /// What it holds.
    pub kinds: BTreeSet<Kind>,
    /// Bits of the value to bits of the instruction.
    pub places: BTreeMap<u8, Place>,
    /// Opcodes that read it without a sign, as two's complement, either way.
    pub signs: [usize; 3],
    /// What it holds where the text leaves it out.
    pub idle: BTreeSet<u64>,
    /// Bits of the value that occur in refused texts.
    pub refused: u64,
    /// Opcodes that have it.
    pub opcodes: usize,
}

/// The layout of an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingLayout {
    /// Its name.
    pub name: String,
    /// The fields; the opcode's number is the one called `op`.
    pub fields: Vec<MergedField>,
    /// Each opcode on its own.
    pub opcodes: Vec<OpcodeLayout>,
    /// Bits of the first word that are the same in every sample, and their value.
    pub fixed: (u32, u32),
    /// Accepted texts.
    pub samples: usize,
    /// Refused texts.
    pub refused: usize,
    /// What is open or wrong, the opcodes' findings included.
    pub findings: Vec<Finding>,
}

impl EncodingLayout {
    /// The field of an operand.
    pub fn field(&self, operand: &str) -> Option<&MergedField> {
        self.fields.iter().find(|f| f.operand == operand)
    }
}

/// Solves every opcode of an encoding and lays them side by side.
pub fn solve_encoding(
    values: &ValueTable,
    name: &str,
    opcodes: &[OpcodeSamples],
) -> EncodingLayout {
    let solved: Vec<OpcodeLayout> = opcodes.iter().map(|o| solve_opcode(values, o)).collect();
    let mut findings: Vec<Finding> = solved.iter().flat_map(|o| o.findings.clone()).collect();
    let mut by_operand: BTreeMap<&str, Vec<(&str, &Field)>> = BTreeMap::new();
    for opcode in &solved {
        for field in &opcode.fields {
            let group = by_operand.entry(&field.operand).or_default();
            group.push((&opcode.name, field));
        }
    }
    let mut fields = Vec::new();
    for (operand, group) in by_operand {
        let merged = merge(operand, &group);
        if let Some(disagreement) = disagreement(name, operand, &group) {
            findings.push(disagreement);
        } else {
            narrower(values, &merged, &group, &mut findings);
        }
        fields.push(merged);
    }
    match opcode_field(name, opcodes, &fields) {
        Ok(Some(field)) => fields.insert(0, field),
        Ok(None) => {}
        Err(finding) => findings.push(finding),
    }
    // What an opcode alone leaves open, the fields of its neighbours may end.
    let taken: BTreeSet<u8> = fields
        .iter()
        .flat_map(|f: &MergedField| f.places.values().map(|p| p.bit))
        .collect();
    let mine = |operand: &str, next: &u8| {
        let field = fields.iter().find(|f| f.operand == operand);
        field.is_some_and(|f| f.places.values().any(|p| p.bit == *next))
    };
    // Registers that other opcodes have in the same place end there too, and need no more bits.
    let ended = |next: &u8| {
        fields.iter().any(|f| {
            let top = f.places.iter().next_back();
            top.is_some_and(|(&k, place)| {
                let full = |kind: &Kind| kind.bits().is_some_and(|bits| bits == k + 1);
                place.bit + 1 == *next && f.kinds.iter().any(full)
            })
        })
    };
    findings.retain(|f| match f {
        Finding::TooNarrow { operand, next, .. } => {
            (!taken.contains(next) || mine(operand, next)) && !ended(next)
        }
        _ => true,
    });
    let all = || opcodes.iter().flat_map(|o| &o.samples);
    let first = |s: &Sample| s.words.first().copied().unwrap_or(0);
    let ones = all().fold(u32::MAX, |bits, s| bits & first(s));
    let zeros = all().fold(u32::MAX, |bits, s| bits & !first(s));
    EncodingLayout {
        name: name.to_string(),
        fields,
        opcodes: solved,
        fixed: (ones | zeros, ones),
        samples: all().count(),
        refused: opcodes.iter().map(|o| o.refused.len()).sum(),
        findings,
    }
}

fn merge(operand: &str, group: &[(&str, &Field)]) -> MergedField {
    let mut merged = MergedField {
        operand: operand.to_string(),
        kinds: BTreeSet::new(),
        places: BTreeMap::new(),
        signs: [0; 3],
        idle: BTreeSet::new(),
        refused: 0,
        opcodes: group.len(),
    };
    for (_, field) in group {
        merged.kinds.insert(field.kind);
        for (&k, &place) in &field.places {
            merged.places.entry(k).or_insert(place);
        }
        let [unsigned, signed, either] = &mut merged.signs;
        match field.sign {
            Sign::Unsigned => *unsigned += 1,
            Sign::Signed => *signed += 1,
            Sign::Either => *either += 1,
        }
        merged.idle.extend(field.idle);
        merged.refused |= field.refused;
    }
    merged
}

/// Opcodes that put one bit of the value in different places.
fn disagreement(encoding: &str, operand: &str, group: &[(&str, &Field)]) -> Option<Finding> {
    let mut places: BTreeMap<u8, BTreeSet<Place>> = BTreeMap::new();
    for (_, field) in group {
        for (&k, &place) in &field.places {
            places.entry(k).or_default().insert(place);
        }
    }
    let (&bit, _) = places.iter().find(|(_, set)| set.len() > 1)?;
    let mut layouts: BTreeMap<Option<Place>, (String, Vec<String>)> = BTreeMap::new();
    for (opcode, field) in group {
        let key = field.places.get(&bit).copied();
        let text = || format!("bits {}", bits_text(&field.places));
        let layout = layouts.entry(key).or_insert_with(|| (text(), Vec::new()));
        layout.1.push((*opcode).to_string());
    }
    Some(Finding::Disagree {
        encoding: encoding.to_string(),
        operand: operand.to_string(),
        layouts: layouts.into_values().collect(),
    })
}

/// Opcodes whose field shows fewer bits than their neighbours' does, though nothing kept the samples
/// from reaching further.
fn narrower(
    values: &ValueTable,
    merged: &MergedField,
    group: &[(&str, &Field)],
    findings: &mut Vec<Finding>,
) {
    let top = merged.places.keys().next_back().copied().unwrap_or(0);
    for (opcode, field) in group {
        let missing: Vec<u8> = (field.top() + 1..=top)
            .filter(|&k| field.refused >> k & 1 == 0)
            // Another kind may have fewer values: no VGPR stands in a scalar register's field.
            .filter(|&k| field.kind.bits().is_none_or(|bits| k < bits))
            .collect();
        let known = findings.iter().any(|f| {
            matches!(f, Finding::TooNarrow { opcode: o, operand, .. }
                if o == opcode && *operand == field.operand)
        });
        // The sign's bits are no further magnitude.
        if missing.is_empty() || known || field.sign != Sign::Unsigned {
            continue;
        }
        let signed = merged.signs[1] != 0 && merged.places.len() == field.places.len() + 1;
        if signed {
            continue;
        }
        findings.push(Finding::TooNarrow {
            opcode: (*opcode).to_string(),
            operand: field.operand.clone(),
            seen: field.top() + 1,
            next: field.places.get(&field.top()).map_or(0, |p| p.bit) + 1,
            neighbours: Some(top + 1),
            add: missing
                .iter()
                .map(|&k| match field.kind {
                    Kind::Vgpr => values.text_of(256 + (1 << k.min(7))),
                    Kind::Number | Kind::Literal | Kind::Symbol(_) => {
                        (1u64 << k.min(63)).to_string()
                    }
                    _ => values.text_of(1 << k.min(8)),
                })
                .collect(),
        });
    }
}

/// Samples of each opcode that the opcode's own field is looked for in.
const OPCODE_SAMPLES: usize = 4;

/// The opcode's number as a field of the encoding; none where there is one opcode, or where the caller
/// knows no numbers.
fn opcode_field(
    encoding: &str,
    opcodes: &[OpcodeSamples],
    fields: &[MergedField],
) -> Result<Option<MergedField>, Finding> {
    let mut samples = Vec::new();
    let mut numbers = Vec::new();
    for opcode in opcodes {
        let Some(number) = opcode.number else {
            return Ok(None);
        };
        for sample in opcode.samples.iter().take(OPCODE_SAMPLES) {
            samples.push(sample.clone());
            numbers.push(Some(i64::from(number)));
        }
    }
    let claimed: BTreeSet<u8> = fields
        .iter()
        .flat_map(|f| f.places.values().map(|p| p.bit))
        .collect();
    match fit(&Words::new(&samples), &numbers, &claimed, false) {
        Fit::Constant => Ok(None),
        Fit::Found { places, .. } => Ok(Some(MergedField {
            operand: "op".into(),
            kinds: BTreeSet::from([Kind::Number]),
            places,
            signs: [opcodes.len(), 0, 0],
            idle: BTreeSet::new(),
            refused: 0,
            opcodes: opcodes.len(),
        })),
        Fit::Several(lows) => Err(Finding::Several {
            opcode: encoding.to_string(),
            operand: "op".into(),
            candidates: lows.iter().map(|lo| format!("from bit {lo}")).collect(),
            add: vec!["more opcodes".into()],
        }),
        Fit::None {
            nearest, against, ..
        } => Err(Finding::NoField {
            opcode: encoding.to_string(),
            operand: "op".into(),
            nearest: nearest.map(|(lo, _)| (lo, 1)),
            against: against
                .into_iter()
                .filter_map(|i| {
                    let number = numbers.get(i).copied().flatten()?;
                    Some((samples.get(i)?.text.clone(), number, None))
                })
                .collect(),
        }),
    }
}
