//! Where decode and text differ from llvm-mc, by the kinds that `docs/isa-errata.toml` lists.

use spirdna_isa::fields::FieldId;
use spirdna_isa::{
    Breach, DecodeError, Encoding, Ext, Inst, Opcode, Operand, OperandSpec, Reserved, RowFlags,
    Sem, Slot, Target, TextOptions, Ty, Valu, WaveSize, decode, inst_to_string, legality,
};

/// How an answer of llvm-mc differs from ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Of a kind that is explained.
    Known(&'static str),
    /// Of no such kind: words and both answers.
    Unexplained(String),
}

/// The ids that `docs/isa-errata.toml` lists, in its order.
pub fn errata_ids() -> impl Iterator<Item = &'static str> {
    let text = include_str!("../../../docs/isa-errata.toml");
    text.lines().filter_map(|line| {
        let id = line.strip_prefix("id = \"")?;
        id.strip_suffix('"')
    })
}

/// Every kind that [`difference`] and [`assembler_difference`] name.
pub const KINDS: &[&str] = &[
    "compressed-export",
    "dpp-modifier",
    "f64-literal-sign",
    "gather-d16-range",
    "gather-d16-tfe",
    "image-atomic-tfe",
    "image-modifier",
    "image-range",
    "int16-inline-float",
    "interp-param",
    "jump-source",
    "k16-high-bits",
    "lds-direct",
    "mask-pair",
    "message-bits",
    "misaligned",
    "mix-literal",
    "movrel-source",
    "msaa-dmask",
    "nop-e64",
    "nop-extension",
    "null-data",
    "op-sel-16",
    "pk-fmac-dpp",
    "scalar-into-special",
    "scratch-no-address",
    "sext-float",
    "special-source",
    "swizzle-canonical",
    "unused-source",
    "v-illegal",
    "vop3-modifier",
    "waitcnt-bit-7",
];

/// Compares our reading of `words` as one instruction with LLVM's text (`None` where it refuses them);
/// `None` where both agree.
pub fn difference(
    target: Target,
    wave: WaveSize,
    words: &[u32],
    theirs: Option<&str>,
) -> Option<Difference> {
    let unexplained = |ours: &str| {
        let hex: Vec<String> = words.iter().map(|w| format!("{w:08x}")).collect();
        Difference::Unexplained(format!(
            "{}/{} {}: ours {ours}, LLVM {theirs:?}",
            target.name(),
            wave.lanes(),
            hex.join("_")
        ))
    };
    match (decode(target, words, 0), theirs) {
        (Err(_), None) => None,
        (Ok(inst), theirs) => {
            let ours = inst_to_string(&inst, TextOptions::llvm(wave));
            if theirs == Some(&ours) && inst.words() == words {
                return None;
            }
            Some(match kind_of_accepted(&inst, &ours, theirs, wave) {
                Some(id) => Difference::Known(id),
                None => unexplained(&format!("`{ours}`")),
            })
        }
        (Err(e), Some(theirs)) => Some(match kind_of_refused(words, &e, theirs) {
            Some(id) => Difference::Known(id),
            None => unexplained(&e.to_string()),
        }),
    }
}

/// The kind of a difference between our assembler and LLVM's, over an instruction's text on which both
/// disassemblers agree.
pub fn assembler_difference(inst: &Inst) -> Option<&'static str> {
    if inst.encoding() == Encoding::Vop3 && inst.row().operands.is_empty() {
        return Some("nop-e64");
    }
    let int16 = |ty| matches!(ty, Ty::B16 | Ty::U16 | Ty::I16);
    if inst
        .srcs()
        .any(|(op, ty)| matches!(op, Operand::Float(_)) && int16(ty))
    {
        return Some("int16-inline-float");
    }
    let k = |s: &OperandSpec| s.slot == Slot::Literal && s.ty == Ty::F16;
    if inst.row().operands.iter().any(k) && inst.literal().is_some_and(|l| l > 0xffff) {
        return Some("k16-high-bits");
    }
    let offset = inst.mem_mods().offset;
    if inst.opcode() == Opcode::DS_SWIZZLE_B32
        && offset & 0x8000 == 0
        && offset & offset >> 5 & 0x1f != 0
    {
        return Some("swizzle-canonical");
    }
    if inst.encoding() == Encoding::Exp && inst.export_mods().compr {
        return Some("compressed-export");
    }
    if inst.opcode() == Opcode::V_INTERP_MOV_F32 {
        let point = inst.row().operands.iter();
        let mut point = point.filter(|s| s.slot == Slot::InterpPoint);
        if point.any(|s| !matches!(inst.operand(s), Operand::Imm(0..=2))) {
            return Some("interp-param");
        }
    }
    let msaa = inst.sem() == Sem::Image(spirdna_isa::Image::MsaaLoad);
    if msaa && inst.image_mods().dmask.count_ones() != 1 {
        return Some("msaa-dmask");
    }
    let m = inst.valu_mods();
    let double = |(i, (op, ty)): (usize, (Operand, Ty))| {
        matches!(op, Operand::Literal(_)) && ty == Ty::F64 && (m.neg | m.abs) >> i & 1 != 0
    };
    if inst.srcs().enumerate().any(double) {
        return Some("f64-literal-sign");
    }
    let mut data = inst.row().operands.iter();
    let null = |s: &OperandSpec| {
        s.slot == Slot::Sdata && inst.operand(s) == Operand::S(spirdna_isa::SReg::NULL)
    };
    if data.any(null) {
        return Some("null-data");
    }
    None
}

/// The kind of a difference where we accept and LLVM refuses or has other text.
fn kind_of_accepted(
    inst: &Inst,
    ours: &str,
    theirs: Option<&str>,
    wave: WaveSize,
) -> Option<&'static str> {
    let op = inst.opcode();
    let breaches = legality(inst, wave);
    let misaligned = breaches
        .iter()
        .any(|b| matches!(b, Breach::Misaligned { .. }));
    if misaligned
        && theirs.is_some_and(|t| aligned(ours) == *t || aligned(&without_op_sel(ours)) == *t)
    {
        return Some("misaligned");
    }
    if breaches
        .iter()
        .any(|b| matches!(b, Breach::MaskPair { .. }))
        && theirs.is_none()
    {
        return Some("mask-pair");
    }
    if inst.encoding() == Encoding::Vop3 && theirs == Some(&without_op_sel(ours)) {
        return Some("op-sel-16");
    }
    if theirs.is_none()
        && breaches
            .iter()
            .any(|b| matches!(b, Breach::UnusedSource { .. }))
    {
        return Some("unused-source");
    }
    let extends = inst.valu_mods().sdwa;
    let extends = extends.is_some_and(|s| s.src0_sext || s.src1_sext);
    if theirs.is_none() && extends && ours.contains("sext(") {
        return Some("sext-float");
    }
    if op == Opcode::V_PK_FMAC_F16 && inst.ext() != Ext::None {
        return Some("pk-fmac-dpp");
    }
    if inst.flags().contains(RowFlags::GATHER) && inst.image_mods().d16 && inst.mem_mods().tfe {
        return Some("gather-d16-tfe");
    }
    let last = inst.field(FieldId::Vdata) + 4 > 256;
    if inst.flags().contains(RowFlags::GATHER) && inst.image_mods().d16 && last && theirs.is_none()
    {
        return Some("gather-d16-range");
    }
    let atomic = matches!(inst.sem(), Sem::Image(spirdna_isa::Image::Atomic(_)));
    if atomic && inst.mem_mods().tfe {
        return Some("image-atomic-tfe");
    }
    if matches!(inst.sem(), Sem::Valu(Valu::FmaMix(_))) && inst.literal().is_some() {
        return Some("mix-literal");
    }
    if op == Opcode::S_WAITCNT && inst.simm16() & 0x80 != 0 {
        return Some("waitcnt-bit-7");
    }
    if matches!(op, Opcode::S_SENDMSG | Opcode::S_SENDMSGHALT) && inst.simm16() & !0x37f != 0 {
        return Some("message-bits");
    }
    None
}

/// Text with scalar ranges moved down to their alignment, as LLVM's disassembler does.
fn aligned(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (head, tail) = rest.split_at(open);
        out += head;
        let close = tail.find(']').map_or(tail.len(), |c| c + 1);
        let (list, after) = tail.split_at(close);
        let scalar = head.ends_with('s') || head.ends_with("ttmp");
        let range = list.trim_matches(['[', ']']).split_once(':');
        match range.map(|(a, b)| (a.parse::<u32>(), b.parse::<u32>())) {
            Some((Ok(a), Ok(b))) if scalar => {
                let n = b.saturating_sub(a) + 1;
                let a = a - a % if n == 2 { 2 } else { 4 };
                out += &format!("[{a}:{}]", a + n - 1);
            }
            _ => out += list,
        }
        rest = after;
    }
    out + rest
}

fn without_op_sel(text: &str) -> String {
    let keep = |w: &&str| !w.starts_with("op_sel:");
    text.split(' ').filter(keep).collect::<Vec<_>>().join(" ")
}

/// The kind of a difference where we refuse and LLVM accepts.
fn kind_of_refused(words: &[u32], e: &DecodeError, theirs: &str) -> Option<&'static str> {
    let DecodeError::Reserved { reason, .. } = e else {
        return None;
    };
    let encoding = Encoding::of_word(*words.first()?)?;
    // LLVM's name for the word 0.
    if words == [0] && theirs == "v_illegal" {
        return Some("v-illegal");
    }
    let special = theirs.contains("src_") || theirs.contains("null");
    Some(match reason {
        Reserved::Extension if theirs.starts_with("v_nop") => "nop-extension",
        Reserved::Extension if theirs.starts_with("v_pipeflush") => "nop-extension",
        Reserved::Extension if theirs.starts_with("v_clrexcp") => "nop-extension",
        Reserved::Range if special && matches!(encoding, Encoding::Vop1 | Encoding::Vop3) => {
            "scalar-into-special"
        }
        Reserved::Range if encoding == Encoding::Mimg => "image-range",
        // s[105:106] and ttmp[15:16] that LLVM moves down.
        Reserved::Range if theirs.contains("s[") || theirs.contains("ttmp[") => "misaligned",
        Reserved::Source { code: 254 } => "lds-direct",
        Reserved::Source { .. } if theirs.contains("movrel") => "movrel-source",
        Reserved::Source { .. } if theirs.starts_with("s_swappc") => "jump-source",
        Reserved::Source { .. } if special => "special-source",
        Reserved::Modifier { .. } if encoding == Encoding::Scratch => "scratch-no-address",
        Reserved::Modifier { .. } if encoding == Encoding::Mimg => "image-modifier",
        Reserved::Modifier { .. } if encoding == Encoding::Vop3 => "vop3-modifier",
        Reserved::Modifier { .. } if encoding == Encoding::Vop2 => "dpp-modifier",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignment_of_text() {
        assert_eq!(
            aligned("s_mov_b64 s[5:6], ttmp[3:4]"),
            "s_mov_b64 s[4:5], ttmp[2:3]"
        );
        assert_eq!(aligned("x v[5:6], s[6:9]"), "x v[5:6], s[4:7]");
    }

    #[test]
    fn every_kind_is_explained() {
        let ids: Vec<_> = errata_ids().collect();
        assert!(ids.len() >= KINDS.len());
        for kind in KINDS {
            assert!(ids.contains(kind), "{kind} is not in docs/isa-errata.toml");
        }
    }

    #[test]
    fn a_wrong_text_is_no_known_difference() {
        let words = [0x7e00_0280];
        let ask = |theirs| difference(Target::Gfx1030, WaveSize::W32, &words, theirs);
        assert_eq!(ask(Some("v_mov_b32_e32 v0, 0")), None);
        assert!(matches!(
            ask(Some("v_mov_b32_e32 v0, 1")),
            Some(Difference::Unexplained(_))
        ));
        assert!(matches!(ask(None), Some(Difference::Unexplained(_))));
    }
}
