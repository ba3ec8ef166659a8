//! Derived beside declared: which field of the ISA table each operand should sit in, and whether it
//! does. The only file that reads the table's bit positions.

use std::collections::{BTreeMap, BTreeSet};

use spirdna_isa::fields::{Field, FieldId};
use spirdna_isa::{Encoding, Ext};

use crate::encoding::{EncodingLayout, MergedField};
use crate::fit::Place;
use crate::probe::{Extension, Section};
use crate::solve::{Kind, bits_text};

/// An operand's field as derived and as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The operand; for a field that no text reached, the field.
    pub operand: String,
    /// The table's fields and bits, `Offset 0..7 + Offset1 8..15`.
    pub table: String,
    /// What came of it.
    pub verdict: Verdict,
}

/// Whether derived and declared agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every bit agrees.
    Equal,
    /// What was derived agrees; the table has more, which no text reaches.
    Unreached(String),
    /// They differ.
    Different(String),
}

/// What the table says of an operand.
#[derive(Default)]
struct Declared {
    ids: Vec<FieldId>,
    places: BTreeMap<u8, Place>,
    signed: bool,
}

impl Declared {
    /// Adds a field that holds the value's bits from `value_lo` on.
    fn field(mut self, id: FieldId, field: Option<Field>, value_lo: u8) -> Declared {
        let Some(field) = field else { return self };
        self.ids.push(id);
        for i in 0..field.width {
            let place = Place {
                bit: field.lo + i,
                inverted: false,
            };
            self.places.insert(value_lo + i, place);
        }
        self
    }

    /// Adds bit `bit` of a field as bit `k` of the value.
    fn bit(mut self, id: FieldId, field: Option<Field>, bit: u8, k: u8, inverted: bool) -> Self {
        if let Some(field) = field.filter(|f| bit < f.width) {
            self.ids.push(id);
            let place = Place {
                bit: field.lo + bit,
                inverted,
            };
            self.places.insert(k, place);
        }
        self
    }

    /// Adds `width` bits from bit `lo` on.
    fn bits(mut self, lo: u8, width: u8) -> Declared {
        for i in 0..width {
            let place = Place {
                bit: lo + i,
                inverted: false,
            };
            self.places.insert(i, place);
        }
        self
    }

    /// Leaves out value bits: a field in units of 2 or 4 registers has no lower ones.
    fn scaled(mut self, by: u8) -> Declared {
        self.places = self
            .places
            .into_iter()
            .map(|(k, place)| (k + by, place))
            .collect();
        self
    }

    fn text(&self) -> String {
        let names: Vec<String> = self.ids.iter().map(|id| format!("{id:?}")).collect();
        format!("{} {}", names.join(" + "), bits_text(&self.places))
    }
}

fn ext(section: Section) -> Ext {
    match (section.extension, section.encoding) {
        (Extension::None, _) => Ext::None,
        (Extension::Sdwa, Encoding::Vopc) => Ext::Sdwab,
        (Extension::Sdwa, _) => Ext::Sdwa,
        (Extension::Dpp16, _) => Ext::Dpp16,
        (Extension::Dpp8, _) => Ext::Dpp8,
    }
}

/// Lays a derived layout beside the table.
pub fn compare(section: Section, layout: &EncodingLayout) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    let mut covered: BTreeSet<FieldId> = BTreeSet::new();
    for field in &layout.fields {
        let declared = declared(section, &field.operand);
        let (table, verdict) = match &declared {
            Some(d) => {
                covered.extend(&d.ids);
                (d.text(), judge(field, d))
            }
            None => (
                "-".to_string(),
                Verdict::Different("the table has no such field".into()),
            ),
        };
        comparisons.push(Comparison {
            operand: field.operand.clone(),
            table,
            verdict,
        });
    }
    let ext = ext(section);
    let own = section.encoding.fields().iter().map(|f| (*f, false));
    let further = ext.fields().iter().map(|f| (*f, true));
    for ((id, field), in_ext) in own.chain(further) {
        if covered.contains(&id) {
            continue;
        }
        let verdict = match no_text(section, id, in_ext) {
            Some(reason) => Verdict::Unreached(reason.into()),
            None => Verdict::Different("no operand was found in it".into()),
        };
        comparisons.push(Comparison {
            operand: "-".into(),
            table: Declared::default().field(id, Some(field), 0).text(),
            verdict,
        });
    }
    comparisons.push(prefix(section, layout));
    comparisons
}

/// Why no text reaches a field of the table.
fn no_text(section: Section, id: FieldId, in_ext: bool) -> Option<&'static str> {
    let vop3 = section.encoding == Encoding::Vop3;
    match id {
        FieldId::Seg => Some("tells FLAT, SCRATCH and GLOBAL apart: among the fixed bits"),
        FieldId::Src0 if !in_ext && section.extension != Extension::None => {
            Some("announces the extension word")
        }
        FieldId::Sdst if vop3 && !section.vop3b => Some("VOP3B"),
        FieldId::Abs | FieldId::OpSel | FieldId::Attr | FieldId::Chan if vop3 && section.vop3b => {
            Some("VOP3A")
        }
        FieldId::Src1Sel
        | FieldId::Src1Sext
        | FieldId::Src1Neg
        | FieldId::Src1Abs
        | FieldId::Src1Scalar
            if section.encoding == Encoding::Vop1 =>
        {
            Some("VOP1 has one source")
        }
        FieldId::Tfe if section.encoding == Encoding::Mtbuf => Some("llvm-mc has no text for it"),
        FieldId::Saddr if section.encoding == Encoding::Flat => Some("FLAT has no scalar address"),
        FieldId::Lds if section.encoding == Encoding::Flat => Some("no load of FLAT goes to LDS"),
        _ => None,
    }
}

/// Bits that belong to no field of the table hold the encoding's prefix.
fn prefix(section: Section, layout: &EncodingLayout) -> Comparison {
    let mut fields = 0u64;
    for (id, field) in section.encoding.fields() {
        if *id != FieldId::Seg {
            fields |= field.mask();
        }
    }
    let own = !(fields as u32);
    let (fixed, ones) = layout.fixed;
    let table = section.encoding.prefix();
    let wrong = own & (!fixed | (ones ^ table));
    let verdict = if wrong == 0 {
        Verdict::Equal
    } else {
        Verdict::Different(format!(
            "bits {wrong:#010x} are not fixed or not the table's"
        ))
    };
    Comparison {
        operand: "fixed bits".into(),
        table: format!("{table:#010x} in {own:#010x}"),
        verdict,
    }
}

fn judge(field: &MergedField, declared: &Declared) -> Verdict {
    for (k, place) in &field.places {
        if declared.places.get(k) != Some(place) {
            return Verdict::Different(format!(
                "bit {k} of the value is derived at bit {}",
                place.bit
            ));
        }
    }
    let [unsigned, signed, either] = field.signs;
    if declared.signed && signed + either == 0 {
        return Verdict::Different("no negative value was accepted".into());
    }
    if !declared.signed && signed != 0 {
        return Verdict::Different(format!(
            "two's complement in {signed} opcodes, without a sign in {}",
            unsigned + either
        ));
    }
    let most = field
        .kinds
        .iter()
        .map(|k| k.bits())
        .max_by_key(|b| b.unwrap_or(64));
    let bound = most.flatten().unwrap_or(64);
    let mut beyond = Vec::new();
    for &k in declared.places.keys() {
        if field.places.contains_key(&k) {
            continue;
        }
        let reason = if k >= bound {
            "its values have fewer bits"
        } else if field.refused >> k & 1 != 0 {
            "refused by the assembler"
        } else if field.operand == "op" {
            "no opcode has it"
        } else {
            return Verdict::Different(format!("bit {k} of the value was never derived"));
        };
        beyond.push((k, reason));
    }
    match beyond.as_slice() {
        [] => Verdict::Equal,
        [(k, reason)] => Verdict::Unreached(format!("value bit {k}: {reason}")),
        [(first, reason), .., (last, _)] => {
            Verdict::Unreached(format!("value bits {first}..{last}: {reason}"))
        }
    }
}

/// Where the table puts an operand or modifier of a section.
fn declared(section: Section, operand: &str) -> Option<Declared> {
    let encoding = section.encoding;
    let ext = ext(section);
    let new = Declared::default;
    let own = |id| new().field(id, encoding.field(id), 0);
    let further = |id| new().field(id, ext.field(id), 0);
    let vop3 = matches!(encoding, Encoding::Vop3 | Encoding::Vop3p);
    let plain = section.extension == Extension::None;
    if let Some((base, suffix)) = operand.split_once('.') {
        return dotted(section, base, suffix);
    }
    let found = match operand {
        "op" => {
            let low = encoding.field(FieldId::Op);
            let width = low.map_or(0, |f| f.width);
            own(FieldId::Op).field(FieldId::OpHi, encoding.field(FieldId::OpHi), width)
        }
        "sdst" => own(FieldId::Sdst),
        "ssrc0" => own(FieldId::Ssrc0),
        "ssrc1" => own(FieldId::Ssrc1),
        "simm16" => own(FieldId::Simm16),
        "literal" | "k" => new().bits(encoding.base_words() * 32, 32),
        "vdst" => own(FieldId::Vdst),
        "sgprdst" => own(FieldId::Vdst),
        "src0" if plain => own(FieldId::Src0),
        "src0" => further(FieldId::Src0).bit(
            FieldId::Src0Scalar,
            ext.field(FieldId::Src0Scalar),
            0,
            8,
            true,
        ),
        "src1" if !plain => own(FieldId::Src1).bit(
            FieldId::Src1Scalar,
            ext.field(FieldId::Src1Scalar),
            0,
            8,
            true,
        ),
        "src1" => own(FieldId::Src1),
        "src2" => own(FieldId::Src2),
        "src3" => own(FieldId::Data1),
        "carryout" => own(FieldId::Sdst),
        "carryin" => own(FieldId::Src2),
        "cmpdst" if vop3 => own(FieldId::Vdst),
        "cmpdst" => further(FieldId::Sdst),
        "attr" => own(FieldId::Attr),
        "chan" => own(FieldId::Chan),
        "interpvsrc" | "interppoint" => own(FieldId::Vsrc),
        "sdata" | "probeimm" => own(FieldId::Sdata),
        "sbase" => own(FieldId::Sbase).scaled(1),
        "smemoffset" => own(FieldId::Soffset),
        "dsaddr" | "flataddr" => own(FieldId::Addr),
        "data0" | "flatdata" => own(FieldId::Data0),
        "data1" => own(FieldId::Data1),
        "saddr" => own(FieldId::Saddr),
        "vdata" => own(FieldId::Vdata),
        "bufaddr" | "imageaddr" => own(FieldId::Vaddr),
        "srsrc" => own(FieldId::Srsrc).scaled(2),
        "ssamp" => own(FieldId::Ssamp).scaled(2),
        "soffset" => own(FieldId::Soffset),
        "exptarget" => own(FieldId::Tgt),
        "offset" if encoding == Encoding::Ds => {
            own(FieldId::Offset).field(FieldId::Offset1, encoding.field(FieldId::Offset1), 8)
        }
        "offset" => Declared {
            signed: matches!(
                encoding,
                Encoding::Smem | Encoding::Global | Encoding::Scratch
            ),
            ..own(FieldId::Offset)
        },
        "offset0" => own(FieldId::Offset),
        "offset1" => own(FieldId::Offset1),
        "glc" => own(FieldId::Glc),
        "slc" => own(FieldId::Slc),
        "dlc" => own(FieldId::Dlc),
        "lds" => own(FieldId::Lds),
        "gds" => own(FieldId::Gds),
        "tfe" => own(FieldId::Tfe),
        "lwe" => own(FieldId::Lwe),
        "offen" => own(FieldId::Offen),
        "idxen" => own(FieldId::Idxen),
        "format" => own(FieldId::Format),
        "dim" => own(FieldId::Dim),
        "dmask" => own(FieldId::Dmask),
        "unorm" => own(FieldId::Unorm),
        "r128" => own(FieldId::R128),
        "a16" => own(FieldId::A16),
        "d16" => own(FieldId::D16),
        "done" => own(FieldId::Done),
        "compr" => own(FieldId::Compr),
        "vm" => own(FieldId::Vm),
        "clamp" if plain => own(FieldId::Clamp),
        "clamp" => further(FieldId::Clamp),
        "omod" if plain => own(FieldId::Omod),
        "omod" => further(FieldId::Omod),
        // V_INTERP_P1LL_F16 and its kin: the half, in the bit above the attribute.
        "high" => new().bit(FieldId::Src0, encoding.field(FieldId::Src0), 8, 0, false),
        "dst_sel" => further(FieldId::DstSel),
        "dst_unused" => further(FieldId::DstUnused),
        "src0_sel" => further(FieldId::Src0Sel),
        "src1_sel" => further(FieldId::Src1Sel),
        "dpp_ctrl" => further(FieldId::DppCtrl),
        "row_mask" => further(FieldId::RowMask),
        "bank_mask" => further(FieldId::BankMask),
        "bound_ctrl" => further(FieldId::BoundCtrl),
        "fi" if ext == Ext::Dpp16 => further(FieldId::FetchInactive),
        // DPP8 says it in the code that announces it: 233 or 234.
        "fi" => new().bit(FieldId::Src0, encoding.field(FieldId::Src0), 1, 0, false),
        "dpp8" => further(FieldId::Lanes),
        _ => return None,
    };
    (!found.places.is_empty()).then_some(found)
}

/// Parts of an operand, and elements of a list.
fn dotted(section: Section, base: &str, suffix: &str) -> Option<Declared> {
    let encoding = section.encoding;
    let ext = ext(section);
    let new = Declared::default;
    let own = |id, bit| new().bit(id, encoding.field(id), bit, 0, false);
    let further = |id| new().bit(id, ext.field(id), 0, 0, false);
    let source = || base.strip_prefix("src").and_then(|n| n.parse::<u8>().ok());
    let element = || suffix.parse::<u8>().ok();
    let found = match (base, suffix) {
        ("smemoffset", "imm") => Declared {
            signed: true,
            ..new().field(FieldId::Offset, encoding.field(FieldId::Offset), 0)
        },
        ("cmpdst", "explicit") => further(FieldId::SdstUsed),
        ("imageaddr", "words") => new().field(FieldId::Nsa, encoding.field(FieldId::Nsa), 0),
        ("imageaddr", _) => new().bits(56 + 8 * element()?, 8),
        (_, "en") => own(FieldId::En, source()?),
        (_, "neg" | "abs" | "sext") if ext != Ext::None => {
            let [of0, of1] = match suffix {
                "neg" => [FieldId::Src0Neg, FieldId::Src1Neg],
                "abs" => [FieldId::Src0Abs, FieldId::Src1Abs],
                _ => [FieldId::Src0Sext, FieldId::Src1Sext],
            };
            further(if source()? == 0 { of0 } else { of1 })
        }
        (_, "neg") => own(FieldId::Neg, source()?),
        // The mix instructions keep the signs of their sources where packed ones keep NEG_HI.
        (_, "abs") if encoding == Encoding::Vop3p => own(FieldId::NegHi, source()?),
        (_, "abs") => own(FieldId::Abs, source()?),
        ("op_sel", "dst") => own(FieldId::OpSel, 3),
        ("op_sel", _) => own(FieldId::OpSel, element()?),
        ("op_sel_hi", "2") => own(FieldId::OpSelHi2, 0),
        ("op_sel_hi", _) => own(FieldId::OpSelHi, element()?),
        ("neg_lo", _) => own(FieldId::Neg, element()?),
        ("neg_hi", _) => own(FieldId::NegHi, element()?),
        _ => return None,
    };
    (!found.places.is_empty()).then_some(found)
}

/// How many bits a field's values have, for the page.
pub(crate) fn kinds_text(kinds: &BTreeSet<Kind>) -> String {
    let names: Vec<&str> = kinds
        .iter()
        .map(|k| match k {
            Kind::Scalar => "scalar register",
            Kind::Vgpr => "VGPR",
            Kind::ScalarSource => "scalar source",
            Kind::Source => "source",
            Kind::Symbol(1) => "flag",
            Kind::Symbol(_) => "name",
            Kind::Number => "number",
            Kind::Literal => "literal",
        })
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    names.join(", ")
}
