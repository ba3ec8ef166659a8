//! The directives at a shader's head: `//! lab: key = value` lines, which together are one TOML table, and
//! `//!` lines without `lab:`, which say what the shader is for. Knows no language and no type.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use spirdna_case::format::CompareSpec;

use crate::error::LabError;

/// What a shader's head says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Directives {
    /// The shader's point: its first line without `lab:`.
    #[serde(skip)]
    pub point: String,
    /// Workgroups in the grid.
    pub groups: Option<[u32; 3]>,
    /// OpenCL: threads in a workgroup.
    pub local: Option<[u32; 3]>,
    /// Elements of every array without a size; the invocations of the grid when absent.
    pub count: Option<u32>,
    /// Push constants, dword by dword.
    pub push: Option<Vec<Number>>,
    /// Values of scalar arguments and of members of the push constants.
    #[serde(default)]
    pub arg: BTreeMap<String, Number>,
    /// OpenCL: bytes of local pointer arguments.
    #[serde(default)]
    pub lds: BTreeMap<String, u32>,
    /// OpenCL: the kernel.
    pub kernel: Option<String>,
    /// Buffers, by name, and members of them, by `buffer.member`.
    #[serde(default)]
    pub data: BTreeMap<String, DataSpec>,
    /// How floats are compared.
    pub compare: Option<Rule>,
    /// Whether the result depends on the subgroup size.
    pub subgroup_dependent: Option<bool>,
    /// Wave sizes; both when absent.
    pub waves: Option<Vec<u32>>,
    /// Targets by name; all that the language's compiler makes when absent.
    pub targets: Option<Vec<String>>,
    /// Why it is not run.
    pub skip: Option<String>,
}

/// What a buffer holds before the run, and how it is compared after it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSpec {
    /// How elements are made, where it is not the declared type's way.
    #[serde(rename = "type")]
    pub ty: Option<Element>,
    /// The least value.
    pub min: Option<Number>,
    /// The greatest; for floats the bound that is not reached.
    pub max: Option<Number>,
    /// Elements of an array without a size.
    pub count: Option<u32>,
    /// The first elements; the rest are 0.
    pub values: Option<Vec<Number>>,
    /// Every element.
    pub fill: Option<Number>,
    /// The buffer whose address this 64-bit member holds.
    pub pointer: Option<String>,
    /// How it is compared.
    pub compare: Option<Rule>,
}

/// An integer (64-bit ones in strings) or a float.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A 64-bit integer.
    Text(String),
}

impl Number {
    /// The integer, two's complement; a float has its integer part.
    pub fn bits(&self) -> Option<u64> {
        match self {
            Number::Int(v) => Some(v.cast_unsigned()),
            Number::Float(v) => Some((*v as i64).cast_unsigned()),
            Number::Text(text) => spirdna_case::format::parse_u64(text),
        }
    }

    /// The nearest float.
    pub fn float(&self) -> Option<f64> {
        match self {
            Number::Int(v) => Some(*v as f64),
            Number::Float(v) => Some(*v),
            Number::Text(text) => text.parse().ok(),
        }
    }
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Element {
    /// 8 bits.
    U8,
    /// 8 bits.
    I8,
    /// 16 bits.
    U16,
    /// 16 bits.
    I16,
    /// 32 bits.
    U32,
    /// 32 bits.
    I32,
    /// 64 bits.
    U64,
    /// 64 bits.
    I64,
    /// Half.
    F16,
    /// Float.
    F32,
    /// Double.
    F64,
}

impl Element {
    /// Its size in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Element::U8 | Element::I8 => 1,
            Element::U16 | Element::I16 | Element::F16 => 2,
            Element::U32 | Element::I32 | Element::F32 => 4,
            Element::U64 | Element::I64 | Element::F64 => 8,
        }
    }

    /// Whether it is a float.
    pub const fn is_float(self) -> bool {
        matches!(self, Element::F16 | Element::F32 | Element::F64)
    }

    /// Whether it is a signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(
            self,
            Element::I8 | Element::I16 | Element::I32 | Element::I64
        )
    }

    /// The scalar of a width and kind.
    pub const fn of(float: bool, signed: bool, bits: u32) -> Option<Element> {
        Some(match (float, signed, bits) {
            (true, _, 16) => Element::F16,
            (true, _, 32) => Element::F32,
            (true, _, 64) => Element::F64,
            (false, false, 8) => Element::U8,
            (false, true, 8) => Element::I8,
            (false, false, 16) => Element::U16,
            (false, true, 16) => Element::I16,
            (false, false, 32) => Element::U32,
            (false, true, 32) => Element::I32,
            (false, false, 64) => Element::U64,
            (false, true, 64) => Element::I64,
            _ => return None,
        })
    }
}

/// How results are compared. Integers under `Ulp` and `Absolute` are compared bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "RuleText", into = "RuleText")]
pub enum Rule {
    /// Every bit, but any NaN stands for any NaN of a float.
    Bits,
    /// Units in the last place.
    Ulp(u64),
    /// Absolute difference.
    Absolute(f64),
    /// The same elements in any order, whole elements of the array.
    Multiset,
    /// Not compared.
    Skip,
}

/// A rule as it is written: as in case files, and `skip`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum RuleText {
    Name(RuleName),
    Table(RuleTable),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RuleName {
    Bits,
    NanClass,
    Multiset,
    Skip,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RuleTable {
    Ulp(u64),
    Absolute(f64),
}

impl From<RuleText> for Rule {
    fn from(text: RuleText) -> Rule {
        match text {
            RuleText::Name(RuleName::Bits | RuleName::NanClass) => Rule::Bits,
            RuleText::Name(RuleName::Multiset) => Rule::Multiset,
            RuleText::Name(RuleName::Skip) => Rule::Skip,
            RuleText::Table(RuleTable::Ulp(n)) => Rule::Ulp(n),
            RuleText::Table(RuleTable::Absolute(x)) => Rule::Absolute(x),
        }
    }
}

impl From<Rule> for RuleText {
    fn from(rule: Rule) -> RuleText {
        match rule {
            Rule::Bits => RuleText::Name(RuleName::Bits),
            Rule::Multiset => RuleText::Name(RuleName::Multiset),
            Rule::Skip => RuleText::Name(RuleName::Skip),
            Rule::Ulp(n) => RuleText::Table(RuleTable::Ulp(n)),
            Rule::Absolute(x) => RuleText::Table(RuleTable::Absolute(x)),
        }
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rule::Bits => f.write_str("bits"),
            Rule::Ulp(n) => write!(f, "{n} ulp"),
            Rule::Absolute(x) => write!(f, "{x:e}"),
            Rule::Multiset => f.write_str("multiset"),
            Rule::Skip => f.write_str("not compared"),
        }
    }
}

impl From<Rule> for Option<CompareSpec> {
    fn from(rule: Rule) -> Option<CompareSpec> {
        match rule {
            Rule::Bits => Some(CompareSpec::NanClass),
            Rule::Ulp(n) => Some(CompareSpec::Ulp(n)),
            Rule::Absolute(x) => Some(CompareSpec::Absolute(x)),
            Rule::Multiset => Some(CompareSpec::Multiset),
            Rule::Skip => None,
        }
    }
}

impl Directives {
    /// Reads the head of a source: the `//!` lines before its first other line. A source without them has
    /// the defaults of all.
    ///
    /// # Errors
    /// The directives are no TOML, or one is unknown.
    pub fn read(source: &str) -> Result<Directives, LabError> {
        let mut table = String::new();
        let mut point = String::new();
        let head = source.lines().map(str::trim);
        for line in head.take_while(|l| l.is_empty() || l.starts_with("//")) {
            let Some(text) = line.strip_prefix("//!") else {
                continue;
            };
            let text = text.trim();
            match text.strip_prefix("lab:") {
                Some(directive) => {
                    table += directive;
                    table.push('\n');
                }
                None if point.is_empty() => point = text.to_owned(),
                None => {}
            }
        }
        let directives: Directives = toml::from_str(&table)
            .map_err(|e| LabError::Directive(e.to_string().trim_end().to_owned()))?;
        Ok(Directives {
            point,
            ..directives
        })
    }

    /// The workgroups of the grid.
    pub fn grid(&self) -> [u32; 3] {
        self.groups.unwrap_or([2, 1, 1])
    }

    /// What is said of a buffer's member: of the member itself, and under it of the whole buffer.
    pub fn data_of(&self, buffer: &str, member: &str) -> DataSpec {
        let whole = self.data.get(buffer).cloned().unwrap_or_default();
        let full = format!("{buffer}.{member}");
        // A member's name alone will do where no instance has a name.
        let own = self.data.get(&full).or_else(|| self.data.get(member));
        let Some(own) = own.filter(|_| !member.is_empty()).cloned() else {
            return whole;
        };
        DataSpec {
            ty: own.ty.or(whole.ty),
            min: own.min.or(whole.min),
            max: own.max.or(whole.max),
            count: own.count.or(whole.count),
            values: own.values.or(whole.values),
            fill: own.fill.or(whole.fill),
            pointer: own.pointer.or(whole.pointer),
            compare: own.compare.or(whole.compare),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn the_head_is_one_table() {
        let source = "//! A point.\n//! lab: groups = [4, 1, 1]\n//! more text\n\
                      //! lab: data.x = { type = \"f32\", min = -1.0, max = 2 }\n\
                      //! lab: compare = { ulp = 4 }\n//! lab: data.y.compare = \"skip\"\n#version 450\n\
                      //! lab: nonsense = 1\n";
        let d = Directives::read(source).unwrap();
        assert_eq!((d.point.as_str(), d.groups), ("A point.", Some([4, 1, 1])));
        assert_eq!(d.compare, Some(Rule::Ulp(4)));
        assert_eq!(d.data_of("y", "v").compare, Some(Rule::Skip));
        let x = d.data_of("x", "v");
        assert_eq!((x.ty, x.max), (Some(Element::F32), Some(Number::Int(2))));
        assert_eq!(x.min, Some(Number::Float(-1.0)));
    }

    #[test]
    fn what_is_unknown_is_told() {
        for head in ["//! lab: gruops = [1,1,1]", "//! lab: compare = \"near\""] {
            assert!(Directives::read(head).is_err(), "{head}");
        }
    }
}
