//! Memory, image and export instructions as texts: what depends on a modifier or on another operand.
//! Knows no bit position.

use spirdna_isa::{Access, Encoding, Row, RowFlags, Slot};

use super::texts::{dwords, numbers, scalar_registers, sgpr, vgpr, vgprs};
use super::{Probe, Text, role};

fn add(base: &Text, probes: &mut Vec<Probe>, modifiers: &[&str]) {
    for modifier in modifiers {
        probes.push(Probe::one(base.modifier(modifier)));
    }
}

fn offsets(base: &Text, probes: &mut Vec<Probe>, name: &str, top: u32) {
    for n in numbers(top) {
        probes.push(Probe::one(base.modifier(&format!("{name}:{n}"))));
    }
}

pub(super) fn smem(base: &Text, probes: &mut Vec<Probe>) {
    add(base, probes, &["glc", "dlc", "glc dlc"]);
    if base.has("smemoffset") {
        let register = base.operand("smemoffset", "s7");
        offsets(&register, probes, "offset", 21);
    }
}

pub(super) fn ds(row: &Row, base: &Text, probes: &mut Vec<Probe>) {
    if row.flags.contains(RowFlags::DS2) {
        offsets(base, probes, "offset0", 8);
        offsets(base, probes, "offset1", 8);
    } else {
        offsets(base, probes, "offset", 16);
    }
    add(base, probes, &["gds"]);
    probes.push(Probe::one(base.without_modifier("gds")));
}

/// Registers of a role's data.
fn data_dwords(row: &Row, slot: Slot) -> u32 {
    let spec = row.operands.iter().find(|s| s.slot == slot);
    spec.map_or(1, |s| dwords(s.ty))
}

pub(super) fn flat(row: &Row, encoding: Encoding, base: &Text, probes: &mut Vec<Probe>) {
    offsets(base, probes, "offset", 12);
    add(base, probes, &["slc", "dlc"]);
    let glc = base.modifier("glc");
    // With GLC an atomic returns the old value.
    let returns = row
        .operands
        .iter()
        .find(|s| s.access == Access::DstIfGlc && !s.hidden);
    if let Some(spec) = returns {
        let (role, n) = (role(spec.slot), dwords(spec.ty));
        for register in vgprs(n) {
            probes.push(Probe::one(glc.with_first(&role, register)));
        }
    }
    probes.push(Probe::one(glc));
    if row.flags.contains(RowFlags::LDS_LOAD) {
        probes.push(Probe(vec![
            base.modifier("lds").without("vdst"),
            base.modifier("lds"),
        ]));
    }
    let addr = |base: &Text, n: u32, probes: &mut Vec<Probe>| {
        for register in vgprs(n) {
            probes.push(Probe::one(base.operand("flataddr", &register)));
        }
    };
    match encoding {
        Encoding::Scratch => {
            addr(base, 1, probes);
            // One address, a VGPR or an SGPR.
            let scalar = base.operand("flataddr", "off");
            for register in scalar_registers(1) {
                probes.push(Probe::one(scalar.operand("saddr", &register)));
            }
        }
        Encoding::Global => {
            addr(base, 2, probes);
            let offset = base.operand("flataddr", &vgpr(4, 1));
            addr(&offset.operand("saddr", "s[2:3]"), 1, probes);
            let mut pairs = scalar_registers(2);
            pairs.push(sgpr(1, 2));
            for pair in pairs {
                probes.push(Probe::one(offset.operand("saddr", &pair)));
            }
        }
        _ => addr(base, 2, probes),
    }
}

pub(super) fn buffer(row: &Row, base: &Text, probes: &mut Vec<Probe>) {
    if !base.has("srsrc") {
        return;
    }
    let typed = base.modifiers.iter().any(|m| m.starts_with("format:"));
    // llvm-mc cuts larger offsets to 12 bits without a word.
    for n in numbers(12).iter().filter(|n| *n != "4096") {
        probes.push(Probe::one(base.modifier(&format!("offset:{n}"))));
    }
    add(base, probes, &["glc", "slc", "dlc"]);
    for (modifiers, n) in [("offen", 1), ("idxen", 1), ("idxen offen", 2)] {
        for register in vgprs(n) {
            let text = base.operand("bufaddr", &register).modifier(modifiers);
            probes.push(Probe::one(text));
        }
    }
    if base.has("vdata") {
        // A load that reports faults writes one register more.
        let n = data_dwords(row, Slot::Vdata) + 1;
        let first = base.operand("vdata", &vgpr(4, n)).modifier("tfe");
        probes.push(Probe(vec![first, base.modifier("tfe")]));
    }
    if row.flags.contains(RowFlags::LDS_LOAD) {
        probes.push(Probe::one(base.modifier("lds").without("vdata")));
    }
    if typed {
        offsets(base, probes, "format", 7);
    }
}

/// Address registers that an image instruction may have.
const ADDRESSES: std::ops::RangeInclusive<u32> = 1..=12;

const DIMS: [&str; 8] = [
    "SQ_RSRC_IMG_1D",
    "SQ_RSRC_IMG_2D",
    "SQ_RSRC_IMG_3D",
    "SQ_RSRC_IMG_CUBE",
    "SQ_RSRC_IMG_1D_ARRAY",
    "SQ_RSRC_IMG_2D_ARRAY",
    "SQ_RSRC_IMG_2D_MSAA",
    "SQ_RSRC_IMG_2D_MSAA_ARRAY",
];

/// Texts for every number of data and address registers: how many there are follows from the opcode,
/// and the assembler knows.
pub(super) fn image_bases(text: &Text) -> Vec<Text> {
    let shapes = [
        (1, "dmask:0x1 dim:SQ_RSRC_IMG_1D"),
        (4, "dmask:0x1 dim:SQ_RSRC_IMG_1D"),
        (2, "dmask:0x3 dim:SQ_RSRC_IMG_1D"),
        (4, "dmask:0xf dim:SQ_RSRC_IMG_1D"),
        (4, "dmask:0x1 dim:SQ_RSRC_IMG_2D"),
        (1, "dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA"),
        (4, "dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA"),
        (4, ""),
    ];
    let mut bases = Vec::new();
    for (data, modifiers) in shapes {
        for addresses in ADDRESSES {
            let sized = text
                .operand("vdata", &vgpr(4, data))
                .operand("imageaddr", &vgpr(32, addresses));
            bases.push(sized.modifier(modifiers));
        }
    }
    bases
}

/// Registers of a range's text, `v[4:7]`.
fn count(text: &str) -> u32 {
    let inner = text.split_once('[').map_or("", |t| t.1);
    let ends = inner.trim_end_matches(']').split_once(':');
    let ends = ends.and_then(|(a, b)| Some((a.parse::<u32>().ok()?, b.parse::<u32>().ok()?)));
    ends.map_or(1, |(a, b)| b - a + 1)
}

pub(super) fn image(base: &Text, probes: &mut Vec<Probe>) {
    let registers = |role: &str| {
        let at = base.form.roles.iter().position(|r| r == role);
        at.and_then(|i| base.operands.get(i))
            .map_or(1, |t| count(t))
    };
    for role in ["vdata", "imageaddr"] {
        for register in vgprs(registers(role)) {
            probes.push(Probe::one(base.operand(role, &register)));
        }
    }
    let any_data = |text: &Text| -> Probe {
        let sizes = [1, 2, 3, 4, 5].map(|n| text.operand("vdata", &vgpr(4, n)));
        Probe(sizes.to_vec())
    };
    let any_address = |text: &Text| -> Probe {
        let sizes = ADDRESSES.map(|n| text.operand("imageaddr", &vgpr(32, n)));
        Probe(sizes.collect())
    };
    add(base, probes, &["unorm", "glc", "slc", "dlc"]);
    for dim in DIMS {
        probes.push(any_address(&base.modifier(&format!("dim:{dim}"))));
    }
    // llvm-mc cuts larger masks to four bits without a word.
    for mask in 0..16 {
        probes.push(any_data(&base.modifier(&format!("dmask:{mask:#x}"))));
    }
    probes.push(any_address(&base.modifier("a16")));
    for modifier in ["d16", "tfe", "lwe"] {
        probes.push(any_data(&base.modifier(modifier)));
    }
    let narrow = base.operand("srsrc", &sgpr(32, 4)).modifier("r128");
    probes.push(Probe(vec![narrow, base.modifier("r128")]));
    address_lists(base, probes);
}

/// Lists of address registers that need not follow each other: pseudo-random ones, so that every bit of
/// every element has a column of its own.
fn address_lists(base: &Text, probes: &mut Vec<Probe>) {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32 & 0xff
    };
    let no_dim = !base.modifiers.iter().any(|m| m.starts_with("dim:"));
    let dims: &[&str] = if no_dim {
        &[""]
    } else {
        &["dim:SQ_RSRC_IMG_2D", "dim:SQ_RSRC_IMG_3D"]
    };
    // As many as one, two and three further words hold.
    for group in [2..=5, 6..=9, 10..=13] {
        for dim in dims {
            for _ in 0..12 {
                let registers: Vec<String> = (0..13).map(|_| vgpr(next(), 1)).collect();
                let lists = group.clone().map(|n| {
                    let list = registers.get(..n).unwrap_or(&[]).join(", ");
                    let text = base.operand("imageaddr", &format!("[{list}]"));
                    text.modifier(dim)
                });
                probes.push(Probe(lists.collect()));
            }
        }
    }
}

pub(super) fn export_targets() -> Vec<String> {
    let mut texts: Vec<String> = (0..9).map(|n| format!("mrt{n}")).collect();
    texts.extend(["mrtz", "null", "prim"].map(String::from));
    texts.extend((0..6).map(|n| format!("pos{n}")));
    texts.extend((0..33).map(|n| format!("param{n}")));
    texts
}

pub(super) fn export(base: &Text, probes: &mut Vec<Probe>) {
    add(base, probes, &["done", "vm"]);
    let mut none = base.clone();
    for n in 0..4 {
        let role = format!("src{n}");
        none = none.operand(&role, "off");
        probes.push(Probe::one(base.operand(&role, "off")));
    }
    // Packed halves name two registers twice; only the flag is looked at.
    add(&none, probes, &["compr"]);
}
