//! Which texts to try: for each row of the ISA table that an encoding has, a text that the assembler
//! takes, and others that differ from it in one thing. Reads the table's operands, classes and flags;
//! knows no bit position and does not read `fields`.

mod memory;
mod texts;
mod vector;

use std::sync::Arc;

use spirdna_isa::{Access, Class, Encoding, Opcode, OperandSpec, Row, RowFlags, Slot, Target, Ty};

use crate::reading::number;
use crate::sample::Form;
use texts::{
    constants, dword_values, dwords, literals, numbers, scalar_registers, sgpr, vgpr, vgprs,
};

/// Which second word the instructions of a section have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extension {
    /// None.
    None,
    /// SDWA, for compares SDWAB.
    Sdwa,
    /// DPP16.
    Dpp16,
    /// DPP8.
    Dpp8,
}

/// A part of the page: an encoding, with an extension word perhaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    /// The encoding.
    pub encoding: Encoding,
    /// The extension word.
    pub extension: Extension,
    /// VOP3: the rows with a scalar destination in place of ABS and OP_SEL.
    pub vop3b: bool,
}

impl Section {
    /// `VOP3B`, `VOP2 DPP16`.
    pub fn name(self) -> String {
        let name = self.encoding.name();
        match (self.encoding, self.extension) {
            (Encoding::Vop3, _) if self.vop3b => "VOP3B".to_string(),
            (Encoding::Vop3, _) => "VOP3A".to_string(),
            (_, Extension::None) => name.to_string(),
            (Encoding::Vopc, Extension::Sdwa) => format!("{name} SDWAB"),
            (_, Extension::Sdwa) => format!("{name} SDWA"),
            (_, Extension::Dpp16) => format!("{name} DPP16"),
            (_, Extension::Dpp8) => format!("{name} DPP8"),
        }
    }

    /// The rows that have instructions of the section, with their numbers. What LLVM does not know
    /// (the overlay, `pk-fmac-dpp` of docs/isa-errata.md) is left out.
    pub(crate) fn rows(self, target: Target) -> Vec<(&'static Row, u16)> {
        let needs = match self.extension {
            Extension::None => RowFlags::empty(),
            Extension::Sdwa => RowFlags::SDWA,
            Extension::Dpp16 | Extension::Dpp8 => RowFlags::DPP,
        };
        let scalar_dst = |row: &Row| row.operands.iter().any(|s| s.slot == Slot::CarryOut);
        Opcode::ALL
            .iter()
            .map(|op| op.row())
            .filter(|row| !row.flags.contains(RowFlags::OVERLAY) && row.flags.contains(needs))
            .filter(|row| self.extension == Extension::None || row.opcode != Opcode::V_PK_FMAC_F16)
            .filter(|row| self.encoding != Encoding::Vop3 || scalar_dst(row) == self.vop3b)
            .filter_map(|row| Some((row, row.form(self.encoding, target)?.number)))
            .collect()
    }
}

/// Every section, in the order of the page.
pub fn sections() -> Vec<Section> {
    let mut sections = Vec::new();
    let mut add = |encoding, extension, vop3b| {
        sections.push(Section {
            encoding,
            extension,
            vop3b,
        });
    };
    for encoding in Encoding::ALL {
        add(encoding, Extension::None, false);
        match encoding {
            Encoding::Vop3 => add(encoding, Extension::None, true),
            Encoding::Vop1 | Encoding::Vop2 => {
                for extension in [Extension::Sdwa, Extension::Dpp16, Extension::Dpp8] {
                    add(encoding, extension, false);
                }
            }
            Encoding::Vopc => add(encoding, Extension::Sdwa, false),
            _ => {}
        }
    }
    sections
}

/// A text in parts, so that a single thing can be changed.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    mnemonic: String,
    operands: Vec<String>,
    modifiers: Vec<String>,
    form: Arc<Form>,
}

impl Text {
    pub fn form(&self) -> Arc<Form> {
        Arc::clone(&self.form)
    }

    pub fn text(&self) -> String {
        let mut text = self.mnemonic.clone();
        for (i, operand) in self.operands.iter().enumerate() {
            text.push_str(if i == 0 { " " } else { ", " });
            text.push_str(operand);
        }
        for modifier in &self.modifiers {
            text.push(' ');
            text.push_str(modifier);
        }
        text
    }

    /// The text with another operand in a role; unchanged where it has no such role.
    fn operand(&self, role: &str, operand: &str) -> Text {
        let mut text = self.clone();
        let roles = self.form.roles.iter().zip(&mut text.operands);
        for (_, slot) in roles.filter(|(r, _)| *r == role) {
            *slot = operand.to_string();
        }
        text
    }

    /// The text with further modifiers; one of the same name is replaced in its place (the assembler
    /// wants them in order).
    fn modifier(&self, modifier: &str) -> Text {
        let mut text = self.clone();
        for new in modifier.split(' ').filter(|m| !m.is_empty()) {
            match text.modifiers.iter_mut().find(|m| slot(m) == slot(new)) {
                Some(old) => *old = new.to_string(),
                None => text.modifiers.push(new.to_string()),
            }
        }
        text
    }

    /// The text without a modifier.
    fn without_modifier(&self, name: &str) -> Text {
        let mut text = self.clone();
        text.modifiers.retain(|m| slot(m) != name);
        text
    }

    /// The text without an operand.
    fn without(&self, role: &str) -> Text {
        let mut text = self.clone();
        let mut form = Form::clone(&self.form);
        if let Some(i) = form.roles.iter().position(|r| r == role) {
            form.roles.remove(i);
            text.operands.remove(i);
        }
        text.form = Arc::new(form);
        text
    }

    /// The text with an operand in front.
    fn with_first(&self, role: &str, operand: String) -> Text {
        let mut text = self.clone();
        let mut form = Form::clone(&self.form);
        form.roles.insert(0, role.to_string());
        text.operands.insert(0, operand);
        text.form = Arc::new(form);
        text
    }

    fn has(&self, role: &str) -> bool {
        self.form.roles.iter().any(|r| r == role)
    }
}

/// The name of a modifier; all DPP controls have one.
fn slot(modifier: &str) -> &str {
    let name = modifier.split(':').next().unwrap_or("");
    let control = name == "quad_perm" || name.starts_with("row_");
    if control && name != "row_mask" {
        "dpp_ctrl"
    } else {
        name
    }
}

/// Texts that differ from an accepted one in one thing. The first that the assembler takes is the
/// sample; where it takes none, the first is a refused text.
#[derive(Clone, Debug)]
pub(crate) struct Probe(pub Vec<Text>);

impl Probe {
    fn one(text: Text) -> Probe {
        Probe(vec![text])
    }
}

/// What a role is called: by the slot's name, so that `compare` finds the field.
pub(crate) fn role(slot: Slot) -> String {
    match slot {
        Slot::ExpSrc(n) => format!("src{n}"),
        // `literal` is the one that a source may have.
        Slot::Literal => "k".to_string(),
        slot => format!("{slot:?}").to_lowercase(),
    }
}

/// Operands that a text shows, without those that GLC adds.
fn shown(row: &Row, encoding: Encoding) -> impl Iterator<Item = &'static OperandSpec> {
    row.operands.iter().filter(move |s| {
        !s.hidden
            && s.access != Access::DstIfGlc
            && !(s.slot == Slot::Saddr && encoding == Encoding::Flat)
    })
}

/// Texts of which the assembler should take one.
pub(crate) fn bases(row: &'static Row, section: Section, target: Target) -> Vec<Text> {
    let suffix = |encoding| row.form(encoding, target).is_some();
    let name = row.name.to_lowercase();
    let mnemonics: Vec<String> = match (section.encoding, section.extension) {
        (_, Extension::Sdwa) => vec![format!("{name}_sdwa")],
        (_, Extension::Dpp16 | Extension::Dpp8) => vec![format!("{name}_dpp")],
        (Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc, _) if suffix(Encoding::Vop3) => {
            vec![format!("{name}_e32"), name]
        }
        (Encoding::Vop3, _) => vec![format!("{name}_e64"), name],
        (Encoding::Vintrp, _) => vec![format!("{name}_e32"), name],
        _ => vec![name],
    };
    let specs: Vec<&OperandSpec> = shown(row, section.encoding).collect();
    let form = Arc::new(Form {
        roles: specs.iter().map(|s| role(s.slot)).collect(),
        op_sel_has_dst: section.encoding == Encoding::Vop3
            && !row.flags.contains(RowFlags::OPSEL01),
    });
    let operands: Vec<String> = specs
        .iter()
        .enumerate()
        .map(|(i, s)| base(s, section, i as u32))
        .collect();
    let plain = |mnemonic: &String| Text {
        mnemonic: mnemonic.clone(),
        operands: operands.clone(),
        modifiers: base_modifiers(row, section),
        form: Arc::clone(&form),
    };
    let plain = mnemonics.iter().map(plain);
    match section.encoding {
        Encoding::Mimg => plain.flat_map(|t| memory::image_bases(&t)).collect(),
        // K has the width of the row's type.
        _ => plain.flat_map(|t| [t.operand("k", "0x3141"), t]).collect(),
    }
}

fn base_modifiers(row: &Row, section: Section) -> Vec<String> {
    let sources = row
        .operands
        .iter()
        .filter(|s| !s.hidden && matches!(s.slot, Slot::Src0 | Slot::Src1))
        .count();
    let modifiers: &[&str] = match (section.encoding, section.extension) {
        (Encoding::Vopc, Extension::Sdwa) => &["src0_sel:DWORD", "src1_sel:DWORD"],
        (_, Extension::Sdwa) if sources < 2 => {
            &["dst_sel:DWORD", "dst_unused:UNUSED_PAD", "src0_sel:DWORD"]
        }
        (_, Extension::Sdwa) => &[
            "dst_sel:DWORD",
            "dst_unused:UNUSED_PAD",
            "src0_sel:DWORD",
            "src1_sel:DWORD",
        ],
        (_, Extension::Dpp16) => &["quad_perm:[0,1,2,3]", "row_mask:0xf", "bank_mask:0xf"],
        (_, Extension::Dpp8) => &["dpp8:[0,0,0,0,0,0,0,0]"],
        (Encoding::Mtbuf, _) => &["format:5"],
        (Encoding::Ds, _) if row.flags.contains(RowFlags::GDS_ONLY) => &["gds"],
        _ => &[],
    };
    // A row without operands (V_NOP) has no selects either.
    if sources == 0 && section.extension == Extension::Sdwa {
        return Vec::new();
    }
    modifiers.iter().map(ToString::to_string).collect()
}

/// Whether the mask operand is VCC whatever the text says.
fn implied_vcc(slot: Slot, section: Section) -> bool {
    match slot {
        Slot::CarryOut | Slot::CarryIn => section.encoding != Encoding::Vop3,
        Slot::CmpDst => section.encoding == Encoding::Vopc && section.extension == Extension::None,
        _ => false,
    }
}

/// A plain operand for the `i`-th place.
fn base(spec: &OperandSpec, section: Section, i: u32) -> String {
    let n = dwords(spec.ty);
    match spec.slot {
        _ if implied_vcc(spec.slot, section) => "vcc_lo".into(),
        Slot::Simm16 => "5".into(),
        Slot::Literal => "0x11213141".into(),
        Slot::AttrChan => "attr1.y".into(),
        Slot::InterpPoint => "p10".into(),
        Slot::ProbeImm => "5".into(),
        Slot::ExpTarget => "mrt1".into(),
        Slot::SmemOffset => "0x8".into(),
        Slot::BufAddr | Slot::Saddr => "off".into(),
        Slot::FlatAddr if section.encoding == Encoding::Scratch => vgpr(4 * i, 1),
        _ => match spec.class {
            Class::Vgpr | Class::Any => vgpr(4 * (i + 1), n),
            Class::Sgpr | Class::Scalar => sgpr(16 * i, n),
            Class::Imm | Class::Fixed => "5".into(),
        },
    }
}

/// Texts that differ from an accepted base in one thing.
pub(crate) fn probes(row: &'static Row, section: Section, base: &Text) -> Vec<Probe> {
    let mut probes = vec![Probe::one(base.clone())];
    for spec in shown(row, section.encoding) {
        let role = role(spec.slot);
        match spec.slot {
            // These depend on a modifier or on each other.
            Slot::BufAddr | Slot::Saddr | Slot::FlatAddr => {}
            Slot::Vdata | Slot::ImageAddr if section.encoding == Encoding::Mimg => {}
            _ => {
                let exponent = row.opcode == Opcode::V_LDEXP_F16 && spec.slot == Slot::Src1;
                for text in operand_texts(spec, section) {
                    // llvm-mc cuts this literal to 16 bits without a word.
                    if exponent && number(&text).is_some_and(|n| n > 0xffff) {
                        continue;
                    }
                    probes.push(Probe::one(base.operand(&role, &text)));
                }
            }
        }
    }
    match section.encoding {
        Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc | Encoding::Vop3 | Encoding::Vop3p => {
            vector::modifiers(row, section, base, &mut probes);
        }
        Encoding::Smem => memory::smem(base, &mut probes),
        Encoding::Ds => memory::ds(row, base, &mut probes),
        Encoding::Flat | Encoding::Global | Encoding::Scratch => {
            memory::flat(row, section.encoding, base, &mut probes);
        }
        Encoding::Mubuf | Encoding::Mtbuf => memory::buffer(row, base, &mut probes),
        Encoding::Mimg => memory::image(base, &mut probes),
        Encoding::Exp => memory::export(base, &mut probes),
        Encoding::Sop2
        | Encoding::Sopk
        | Encoding::Sop1
        | Encoding::Sopc
        | Encoding::Sopp
        | Encoding::Vintrp => {}
    }
    probes
}

/// What to try in an operand's place.
fn operand_texts(spec: &OperandSpec, section: Section) -> Vec<String> {
    let n = dwords(spec.ty);
    let short = !matches!(section.encoding, Encoding::Vop3 | Encoding::Vop3p);
    match spec.slot {
        // Anything else is refused.
        _ if implied_vcc(spec.slot, section) => vec!["s5".into(), "vcc_lo".into()],
        // llvm-mc cuts larger numbers to 16 bits without a word.
        Slot::Simm16 => within(numbers(16), -0x8000, 0xffff),
        Slot::Literal => dword_values(),
        Slot::AttrChan => {
            let attrs = [0, 1, 2, 4, 8, 16, 31, 32, 33, 63, 64];
            let mut texts: Vec<String> = attrs.iter().map(|a| format!("attr{a}.x")).collect();
            texts.extend(["x", "y", "z", "w"].map(|c| format!("attr0.{c}")));
            texts
        }
        Slot::InterpPoint => ["p10", "p20", "p0"].map(String::from).to_vec(),
        // llvm-mc cuts it to 7 bits without a word.
        Slot::ProbeImm => within(numbers(7), 0, 0x7f),
        Slot::SmemOffset => {
            let mut texts = scalar_registers(1);
            texts.extend(numbers(21));
            texts
        }
        Slot::ExpTarget => memory::export_targets(),
        // A vector source that the short encodings hold in a VGPR field.
        Slot::Src1 if short && spec.class == Class::Any && section.encoding != Encoding::Vintrp => {
            let mut texts = vgprs(n);
            texts.extend(scalar_registers(n));
            texts.extend(["1", "1.0"].map(String::from));
            texts
        }
        _ => match spec.class {
            Class::Vgpr => vgprs(n),
            Class::Sgpr => {
                let mut texts = scalar_registers(n);
                // NULL is no multiple of the unit; llvm-mc takes it and drops the low bits.
                if matches!(spec.slot, Slot::Sbase | Slot::Srsrc | Slot::Ssamp) {
                    texts.retain(|t| t != "null");
                }
                // Ranges out of line: refused, which shows that the low bits are out of reach.
                if n > 1 {
                    texts.extend([sgpr(1, n), sgpr(2, n)]);
                }
                texts
            }
            Class::Scalar | Class::Any => source_texts(spec, section, n),
            Class::Imm | Class::Fixed => Vec::new(),
        },
    }
}

/// The numbers of a list that lie in a range.
fn within(texts: Vec<String>, min: i64, max: i64) -> Vec<String> {
    let inside = |t: &String| t.parse().is_ok_and(|n: i64| (min..=max).contains(&n));
    texts.into_iter().filter(inside).collect()
}

fn source_texts(spec: &OperandSpec, section: Section, n: u32) -> Vec<String> {
    let mut texts = scalar_registers(n);
    if n > 1 {
        texts.push(sgpr(1, n));
    }
    if spec.class == Class::Any {
        texts.extend(vgprs(n));
    }
    // The source's own field is in the extension word, which has no constants.
    if section.extension == Extension::None {
        texts.extend(constants(spec.ty));
        if spec.slot == Slot::Src0 && spec.class == Class::Any {
            texts.push("src_lds_direct".into());
        }
        if spec.ty == Ty::F64 || spec.ty == Ty::F32 {
            texts.extend(literals());
        }
    }
    texts
}
