//! What a name or a constant in an operand is worth: the code table of registers, constants and
//! symbols. Written from the ISA documents and not from the ISA crate, so that a fault there shows.
//! Knows no bit position.

use std::collections::BTreeMap;

/// The code table. A caller may take entries out, to see what the solver says of a table with a hole.
#[derive(Clone, Debug)]
pub struct ValueTable {
    names: BTreeMap<&'static str, u16>,
    integers: Vec<Integers>,
    symbols: BTreeMap<&'static str, Symbol>,
}

/// A run of inline integers: `first` has `code`, and the codes count up while the values count by
/// `step`.
#[derive(Clone, Copy, Debug)]
struct Integers {
    first: i64,
    step: i64,
    count: u16,
    code: u16,
}

/// The value of a symbol and the greatest value that a symbol of its family has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    pub value: i64,
    pub top: i64,
}

/// Scalar registers and constants with a name, by source code.
const NAMES: [(&str, u16); 40] = [
    ("vcc", 106),
    ("vcc_lo", 106),
    ("vcc_hi", 107),
    ("m0", 124),
    ("null", 125),
    ("exec", 126),
    ("exec_lo", 126),
    ("exec_hi", 127),
    ("src_shared_base", 235),
    ("shared_base", 235),
    ("src_shared_limit", 236),
    ("shared_limit", 236),
    ("src_private_base", 237),
    ("private_base", 237),
    ("src_private_limit", 238),
    ("private_limit", 238),
    ("src_pops_exiting_wave_id", 239),
    ("pops_exiting_wave_id", 239),
    ("0.5", 240),
    ("-0.5", 241),
    ("1.0", 242),
    ("-1.0", 243),
    ("2.0", 244),
    ("-2.0", 245),
    ("4.0", 246),
    ("-4.0", 247),
    ("0.15915494", 248),
    ("0.15915494309189532", 248),
    ("src_vccz", 251),
    ("vccz", 251),
    ("src_execz", 252),
    ("execz", 252),
    ("src_scc", 253),
    ("scc", 253),
    ("src_lds_direct", 254),
    ("lds_direct", 254),
    // TTMP registers count up from 108; two names anchor the run, `register` does the rest.
    ("ttmp0", 108),
    ("ttmp15", 123),
    ("s0", 0),
    ("s105", 105),
];

/// Families of symbols. In a family the names stand in the order of their values.
const FAMILIES: [(i64, &[&str]); 6] = [
    (
        0,
        &[
            "SQ_RSRC_IMG_1D",
            "SQ_RSRC_IMG_2D",
            "SQ_RSRC_IMG_3D",
            "SQ_RSRC_IMG_CUBE",
            "SQ_RSRC_IMG_1D_ARRAY",
            "SQ_RSRC_IMG_2D_ARRAY",
            "SQ_RSRC_IMG_2D_MSAA",
            "SQ_RSRC_IMG_2D_MSAA_ARRAY",
        ],
    ),
    (
        0,
        &[
            "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD",
        ],
    ),
    (0, &["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"]),
    (0, &["p10", "p20", "p0"]),
    (0, &["x", "y", "z", "w"]),
    (12, &["pos0", "pos1", "pos2", "pos3", "pos4"]),
];

/// Export targets beside `pos…`, `mrt…` and `param…`.
const TARGETS: [(&str, i64); 3] = [("mrtz", 8), ("null", 9), ("prim", 20)];

/// The greatest export target: `param31`.
const TOP_TARGET: i64 = 63;

impl ValueTable {
    /// The table of RDNA and RDNA2.
    pub fn rdna() -> ValueTable {
        let mut symbols = BTreeMap::new();
        for (first, names) in FAMILIES {
            let top = first + names.len() as i64 - 1;
            for (name, value) in names.iter().zip(first..) {
                symbols.insert(*name, Symbol { value, top });
            }
        }
        ValueTable {
            names: NAMES.into_iter().collect(),
            integers: vec![
                Integers {
                    first: 0,
                    step: 1,
                    count: 65,
                    code: 128,
                },
                Integers {
                    first: -1,
                    step: -1,
                    count: 16,
                    code: 193,
                },
            ],
            symbols,
        }
    }

    /// The table without a name.
    #[must_use]
    pub fn without_name(mut self, name: &str) -> ValueTable {
        self.names.remove(name);
        self
    }

    /// The table without the negative inline integers.
    #[must_use]
    pub fn without_negative_integers(mut self) -> ValueTable {
        self.integers.retain(|run| run.step > 0);
        self
    }

    /// The source code of a register, of a range's first register, of a special source or of an
    /// inline float.
    pub fn code(&self, text: &str) -> Option<u16> {
        if let Some(&code) = self.names.get(text) {
            return Some(code);
        }
        let (file, first) = split_register(text)?;
        let index: u16 = first.parse().ok()?;
        match file {
            "s" if index < 106 => Some(index),
            "v" if index < 256 => Some(256 + index),
            "ttmp" if index < 16 => Some(108 + index),
            _ => None,
        }
    }

    /// The source code of an integer, where it has one.
    pub fn integer(&self, value: i64) -> Option<u16> {
        self.integers.iter().find_map(|run| {
            let n = value.checked_sub(run.first)?.checked_mul(run.step)?;
            let n = u16::try_from(n).ok().filter(|n| *n < run.count)?;
            Some(run.code + n)
        })
    }

    /// A symbol of a modifier or of an operand that is neither register nor constant.
    pub(crate) fn symbol(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// The number of an export target.
    pub(crate) fn export_target(&self, text: &str) -> Option<Symbol> {
        let counted = |prefix: &str, first: i64, count: i64| {
            let n: i64 = text.strip_prefix(prefix)?.parse().ok()?;
            (0..count).contains(&n).then_some(first + n)
        };
        let value = TARGETS
            .iter()
            .find(|t| t.0 == text)
            .map(|t| t.1)
            .or_else(|| counted("mrt", 0, 8))
            .or_else(|| counted("pos", 12, 5))
            .or_else(|| counted("param", 32, 32))?;
        Some(Symbol {
            value,
            top: TOP_TARGET,
        })
    }

    /// A text with the source code, for suggestions: `s64`, `exec_hi`, `v128`.
    pub fn text_of(&self, code: u16) -> String {
        match code {
            0..=105 => return format!("s{code}"),
            108..=123 => return format!("ttmp{}", code - 108),
            256..=511 => return format!("v{}", code - 256),
            _ => {}
        }
        for run in &self.integers {
            if (run.code..run.code + run.count).contains(&code) {
                return (run.first + i64::from(code - run.code) * run.step).to_string();
            }
        }
        let named = self.names.iter().find(|n| *n.1 == code);
        named.map_or_else(|| format!("source code {code}"), |n| (*n.0).to_string())
    }
}

/// `s5`, `s[4:5]`, `s[4]`: the file and the first index.
fn split_register(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (file, index) = text.split_at_checked(digits)?;
    let Some(range) = index.strip_prefix('[') else {
        return Some((file, index));
    };
    let range = range.strip_suffix(']')?;
    let first = range.split(':').next()?;
    Some((file, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_documents() {
        let t = ValueTable::rdna();
        for (text, code) in [
            ("s0", 0),
            ("s[104:105]", 104),
            ("vcc", 106),
            ("ttmp[14:15]", 122),
            ("null", 125),
            ("exec", 126),
            ("1.0", 242),
            ("v[254:255]", 510),
        ] {
            assert_eq!(t.code(text), Some(code), "{text}");
        }
        for text in ["s106", "v256", "ttmp16", "sgpr", "5", "off", "a0", ""] {
            assert_eq!(t.code(text), None, "{text}");
        }
        assert_eq!(t.integer(0), Some(128));
        assert_eq!(t.integer(64), Some(192));
        assert_eq!(t.integer(65), None);
        assert_eq!(t.integer(-1), Some(193));
        assert_eq!(t.integer(-16), Some(208));
        assert_eq!(t.integer(-17), None);
        let holed = t.without_negative_integers().without_name("exec");
        assert_eq!(holed.integer(-1), None);
        assert_eq!(holed.code("exec"), None);
        assert_eq!(holed.code("exec_lo"), Some(126));
    }
}
