//! What is tried of a row in an encoding: the plain instruction first, then each modifier that the row
//! takes, each extension word, each class of operand. Everything follows from the row's operands and
//! flags; what the encoder or the operand rules refuse is no instance.

use std::collections::BTreeSet;

use spirdna_isa::{
    Access, Class, Dpp, Encoding, Ext, FloatConst, Inst, Omod, Operand, OperandSpec, Parts, Row,
    RowFlags, SReg, Salu, Sdwa, SdwaSel, SdwaUnused, Sem, Slot, Special, Target, TextOptions, Ty,
    ValuMods, encode, inst_to_string, legality,
};

use super::data::Signature;
use super::program::{
    Kind, S_DST, S_MASK, S_SOURCES, V_BOTH, V_DST, V_SOURCES, two_indices, witnesses,
};
use crate::batch::Key;

/// An instance.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is an instance of.
    pub key: Key,
    /// The instruction.
    pub inst: Inst,
    /// Its text.
    pub text: String,
    /// What it works on.
    pub kind: Kind,
    /// Which of the modes it runs in (see `data::modes`).
    pub mode: usize,
    /// Whether the mode can matter.
    pub float: bool,
    /// What its operands read.
    pub signature: Signature,
    /// Whether it has an end of SIMM16's range, which every set takes: few rows have one.
    pub extreme: bool,
    /// Lines before it.
    pub before: Vec<String>,
    /// Lines behind it.
    pub after: Vec<String>,
    /// Registers that show what it did, beside its destinations.
    pub extra: Vec<String>,
}

/// What a source operand is.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The register that its class prefers.
    Own,
    /// An SGPR.
    Scalar,
    /// What is given.
    Is(Operand),
}

/// One way to write an instruction.
#[derive(Clone, Copy, Debug)]
struct Choice {
    sources: [Source; 3],
    mods: ValuMods,
    ext: Ext,
    /// The scalar destination, where it is not the usual one.
    sdst: Option<SReg>,
    imm: i32,
    mode: usize,
    /// Whether M0 is a constant of the program where it indexes registers.
    known_index: bool,
}

const PLAIN: Choice = Choice {
    sources: [Source::Own; 3],
    mods: ValuMods {
        neg: 0,
        abs: 0,
        neg_hi: 0,
        op_sel: 0,
        op_sel_hi: 0,
        clamp: false,
        omod: Omod::None,
        dpp: None,
        sdwa: None,
    },
    ext: Ext::None,
    sdst: None,
    imm: 1,
    mode: 0,
    known_index: false,
};

/// The instances of a key on a target: the plain one first; none where the encoder takes none.
pub fn items(key: &Key, target: Target) -> Vec<Item> {
    let row = key.opcode.row();
    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    for (i, choice) in choices(row, key.encoding).into_iter().enumerate() {
        let Some(inst) = instance(key, target, &choice) else {
            continue;
        };
        let mode = if is_float(row) {
            choice.mode + if i < MODES { 0 } else { i }
        } else {
            0
        };
        let known_index = choice.known_index && row.flags.contains(RowFlags::INDEXED);
        if !seen.insert((inst.words().to_vec(), mode % MODES, known_index)) {
            continue;
        }
        let (mut before, after, extra) = witnesses(&inst);
        if known_index {
            let m0 = if two_indices(row.sem) { 0x2_0001 } else { 2 };
            before.push(format!("s_mov_b32 m0, {m0:#x}"));
        }
        let options = TextOptions {
            wave: key.wave,
            exact: false,
        };
        let text = inst_to_string(&inst, options);
        let text = format!("wave{} {text}", key.wave.lanes());
        items.push(Item {
            key: *key,
            inst,
            text,
            kind: match row.sem {
                Sem::Valu(_) => Kind::Vector,
                _ => Kind::Scalar,
            },
            mode: mode % MODES,
            float: is_float(row),
            signature: signature(row),
            extreme: key.encoding == Encoding::Sopk && matches!(choice.imm, -1 | 0x7fff | -0x8000),
            before,
            after,
            extra,
        });
    }
    items
}

/// Modes that a float row's plain instance runs in.
const MODES: usize = 4;

/// Whether MODE can matter.
fn is_float(row: &Row) -> bool {
    let float = |ty| matches!(ty, Ty::F16 | Ty::PkF16 | Ty::F32 | Ty::F64);
    row.operands.iter().any(|s| float(s.ty))
}

fn signature(row: &Row) -> Signature {
    let mut types = [None; 4];
    for spec in row.operands.iter().filter(|s| s.access == Access::Src) {
        let place = match spec.slot {
            Slot::Src0 | Slot::Ssrc0 => 0,
            Slot::Src1 | Slot::Ssrc1 => 1,
            Slot::Src2 => 2,
            Slot::Vdst | Slot::Sdst => 3,
            _ => continue,
        };
        if let Some(to) = types.get_mut(place) {
            *to = Some(spec.ty);
        }
    }
    Signature::new(types)
}

/// The number of a source slot.
fn source_number(slot: Slot) -> Option<usize> {
    match slot {
        Slot::Src0 | Slot::Ssrc0 => Some(0),
        Slot::Src1 | Slot::Ssrc1 => Some(1),
        Slot::Src2 => Some(2),
        _ => None,
    }
}

fn instance(key: &Key, target: Target, choice: &Choice) -> Option<Inst> {
    let row = key.opcode.row();
    let mut parts = Parts::new(key.opcode, key.encoding, choice.ext);
    parts.valu = choice.mods;
    let written = |slot| {
        let mut specs = row.operands.iter();
        specs.any(|s| s.slot == slot && s.access != Access::Src)
    };
    for (to, spec) in parts.operands.iter_mut().zip(row.operands) {
        *to = operand(row, key.encoding, choice, spec, written(spec.slot));
    }
    let inst = encode(target, 0, &parts).ok()?;
    let same = key.targets().all(|t| {
        let other = encode(t, 0, &parts);
        other.is_ok_and(|other| other.words() == inst.words())
    });
    (same && legality(&inst, key.wave).is_empty()).then_some(inst)
}

fn operand(
    row: &Row,
    encoding: Encoding,
    choice: &Choice,
    spec: &OperandSpec,
    written: bool,
) -> Operand {
    let sreg = |code| Operand::S(SReg::from_code(code));
    let usual = Operand::S(choice.sdst.unwrap_or(SReg::from_code(S_DST)));
    let vcc = Operand::S(SReg::VCC_LO);
    if let Some(n) = source_number(spec.slot) {
        if written {
            return Operand::V(V_BOTH);
        }
        let at = |list: [u8; 3]| list.get(n).copied().unwrap_or_default();
        let source = choice.sources.get(n).copied().unwrap_or(Source::Own);
        return match (source, spec.class) {
            (Source::Own, Class::Vgpr | Class::Any) => Operand::V(at(V_SOURCES)),
            (Source::Own | Source::Scalar, _) => sreg(at(S_SOURCES)),
            (Source::Is(operand), _) => operand,
        };
    }
    match spec.slot {
        Slot::Vdst => Operand::V(V_DST),
        Slot::Sdst | Slot::SgprDst => usual,
        Slot::CarryOut | Slot::CmpDst => match (encoding, choice.ext) {
            (Encoding::Vop3, _) => usual,
            (_, Ext::Sdwab) => choice.sdst.map_or(vcc, Operand::S),
            _ => vcc,
        },
        Slot::CarryIn if encoding == Encoding::Vop3 => match choice.sdst {
            Some(r) => Operand::S(r),
            None => sreg(S_MASK),
        },
        Slot::CarryIn => vcc,
        Slot::Simm16 => Operand::Imm(immediate(row, choice.imm)),
        Slot::Literal => Operand::Literal(match row.sem {
            Sem::Salu(Salu::SetReg) => 0xa6,
            _ => 0x3fab_3c01,
        }),
        _ => Operand::Off,
    }
}

/// SIMM16: the value that is tried; the next line but one for a branch; all of MODE for what reads a
/// hardware register, its rounding and denormal fields for what writes one.
fn immediate(row: &Row, value: i32) -> i32 {
    const MODE: i32 = 1;
    let field = |offset: i32, size: i32| MODE | offset << 6 | (size - 1) << 11;
    match row.sem {
        _ if row.flags.contains(RowFlags::BRANCH) => 1,
        Sem::Salu(Salu::GetReg) => field(0, 32),
        Sem::Salu(Salu::SetReg) => field(0, 8),
        _ => value,
    }
}

fn choices(row: &Row, encoding: Encoding) -> Vec<Choice> {
    let known_index = true;
    let mut list = vec![
        Choice {
            known_index,
            ..PLAIN
        },
        PLAIN,
    ];
    if row.flags.contains(RowFlags::INDEXED) {
        operand_classes(&mut list, PLAIN);
        if row.flags.contains(RowFlags::SDWA) {
            sdwa(&mut list, row, encoding);
        }
        if row.flags.contains(RowFlags::DPP) {
            dpp(&mut list, row);
        }
        return list;
    }
    match encoding {
        Encoding::Sopk | Encoding::Sopp => {
            let values = [0, -1, 0x7fff, -0x8000, 0x1234, 5, 10, 15];
            list.extend(values.map(|imm| Choice { imm, ..PLAIN }));
            scalar_destinations(&mut list);
        }
        Encoding::Sop1 | Encoding::Sop2 | Encoding::Sopc => {
            operand_classes(&mut list, PLAIN);
            scalar_destinations(&mut list);
        }
        Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc => {
            modes(&mut list, PLAIN);
            operand_classes(&mut list, PLAIN);
            if row.flags.contains(RowFlags::SDWA) {
                sdwa(&mut list, row, encoding);
            }
            if row.flags.contains(RowFlags::DPP) {
                dpp(&mut list, row);
            }
        }
        Encoding::Vop3 => {
            modes(&mut list, PLAIN);
            operand_classes(&mut list, PLAIN);
            scalar_destinations(&mut list);
            vop3(&mut list, row);
        }
        Encoding::Vop3p => vop3p(&mut list, row),
        _ => {}
    }
    list
}

fn modes(list: &mut Vec<Choice>, plain: Choice) {
    list.extend((1..MODES).map(|mode| Choice { mode, ..plain }));
}

/// Each source as an SGPR, inline integers and floats, a literal, VCC, EXEC and the flags that are
/// sources.
fn operand_classes(list: &mut Vec<Choice>, plain: Choice) {
    let constants = [
        Source::Scalar,
        Source::Is(Operand::Literal(0xbfa9_7b31)),
        Source::Is(Operand::Int(-7)),
        Source::Is(Operand::Float(FloatConst::MinusTwo)),
        Source::Is(Operand::Int(33)),
        Source::Is(Operand::Float(FloatConst::InvTwoPi)),
        Source::Is(Operand::S(SReg::VCC_LO)),
        Source::Is(Operand::S(SReg::EXEC_LO)),
        Source::Is(Operand::S(SReg::M0)),
        Source::Is(Operand::S(SReg::NULL)),
        Source::Is(Operand::Special(Special::Scc)),
        Source::Is(Operand::Special(Special::Vccz)),
        Source::Is(Operand::Special(Special::Execz)),
    ];
    for source in constants {
        for at in 0..3 {
            let mut choice = plain;
            if let Some(to) = choice.sources.get_mut(at) {
                *to = source;
            }
            list.push(choice);
        }
    }
}

fn scalar_destinations(list: &mut Vec<Choice>) {
    let registers = [SReg::VCC_LO, SReg::EXEC_LO, SReg::M0, SReg::NULL];
    list.extend(registers.map(|r| Choice {
        sdst: Some(r),
        ..PLAIN
    }));
}

/// |x| and -x that the row takes, one by one and together; clamp; output modifiers; and all together.
fn float_modifiers(row: &Row) -> Vec<ValuMods> {
    let has = |flag| row.flags.contains(flag);
    let set = |flags: [RowFlags; 3]| -> u8 {
        let bits = flags.into_iter().enumerate();
        bits.map(|(i, f)| u8::from(has(f)) << i).sum()
    };
    let neg = set([RowFlags::NEG0, RowFlags::NEG1, RowFlags::NEG2]);
    let abs = set([RowFlags::ABS0, RowFlags::ABS1, RowFlags::ABS2]);
    let none = PLAIN.mods;
    let mut list = Vec::new();
    for bit in [1, 2, 4] {
        if neg & bit != 0 {
            list.push(ValuMods { neg: bit, ..none });
        }
        if abs & bit != 0 {
            list.push(ValuMods { abs: bit, ..none });
        }
    }
    if neg & abs != 0 {
        list.push(ValuMods { neg, abs, ..none });
    }
    let clamp = has(RowFlags::CLAMP);
    if clamp {
        list.push(ValuMods { clamp, ..none });
    }
    if has(RowFlags::OMOD) {
        for omod in [Omod::Mul2, Omod::Mul4, Omod::Div2] {
            list.push(ValuMods { omod, ..none });
        }
        let (neg, abs, omod) = (neg & 5, abs & 2, Omod::Mul4);
        list.push(ValuMods {
            neg,
            abs,
            clamp,
            omod,
            ..none
        });
    }
    list
}

fn vop3(list: &mut Vec<Choice>, row: &Row) {
    let mut add = |mods| list.push(Choice { mods, ..PLAIN });
    let modifiers = float_modifiers(row);
    for &mods in &modifiers {
        add(mods);
    }
    if row.flags.contains(RowFlags::OPSEL) {
        let half = |spec: &OperandSpec| matches!(spec.ty.bits(), Some(16));
        let mut halves = 0;
        for spec in row.operands.iter().filter(|s| half(s)) {
            match (source_number(spec.slot), spec.access) {
                (Some(n), Access::Src) => halves |= 1 << n,
                (None, Access::Dst) => halves |= 8,
                _ => {}
            }
        }
        for op_sel in (1..16u8).filter(|bits| bits & !halves == 0) {
            add(ValuMods {
                op_sel,
                ..PLAIN.mods
            });
        }
        if let Some(&last) = modifiers.last() {
            add(ValuMods {
                op_sel: halves,
                ..last
            });
        }
    }
    if row.flags.contains(RowFlags::OPSEL01) {
        for op_sel in 1..4 {
            add(ValuMods {
                op_sel,
                ..PLAIN.mods
            });
        }
    }
}

fn vop3p(list: &mut Vec<Choice>, row: &Row) {
    let sources = row.operands.iter().filter(|s| s.access == Access::Src);
    let all = sources
        .filter_map(|s| source_number(s.slot))
        .fold(0u8, |bits, n| bits | 1 << n);
    let usual = ValuMods {
        op_sel_hi: all,
        ..PLAIN.mods
    };
    let plain = Choice {
        mods: usual,
        ..PLAIN
    };
    *list = vec![plain];
    modes(list, plain);
    operand_classes(list, plain);
    let mut add = |mods| list.push(Choice { mods, ..PLAIN });
    for bits in 0..=all {
        add(ValuMods {
            op_sel: bits,
            ..usual
        });
        add(ValuMods {
            op_sel_hi: bits,
            ..usual
        });
        if row.flags.contains(RowFlags::NEG0) {
            add(ValuMods { neg: bits, ..usual });
            add(ValuMods {
                neg_hi: bits,
                ..usual
            });
        }
    }
    add(ValuMods {
        clamp: true,
        ..usual
    });
    add(ValuMods {
        op_sel: all & 1,
        op_sel_hi: all & !1,
        clamp: true,
        ..PLAIN.mods
    });
    add(ValuMods {
        neg: all & 5,
        neg_hi: all & 2,
        op_sel: all & 2,
        op_sel_hi: all,
        clamp: true,
        ..PLAIN.mods
    });
}

const PARTS: [SdwaSel; 7] = [
    SdwaSel::Byte0,
    SdwaSel::Byte1,
    SdwaSel::Byte2,
    SdwaSel::Byte3,
    SdwaSel::Word0,
    SdwaSel::Word1,
    SdwaSel::Dword,
];

/// Every part of each source, zero- and sign-extended, every part of the destination with each treatment
/// of the rest, and the modifiers that SDWA has.
fn sdwa(list: &mut Vec<Choice>, row: &Row, encoding: Encoding) {
    let compare = encoding == Encoding::Vopc;
    let ext = if compare { Ext::Sdwab } else { Ext::Sdwa };
    let two = row.operands.iter().any(|s| s.slot == Slot::Src1);
    let whole = Sdwa {
        dst: (!compare).then_some((SdwaSel::Dword, SdwaUnused::Pad)),
        src0: SdwaSel::Dword,
        src0_sext: false,
        // Of one source the fields of the second say nothing.
        src1: if two { SdwaSel::Dword } else { SdwaSel::Byte0 },
        src1_sext: false,
    };
    let mut add = |mods, sdwa, sources, sdst| {
        let mods = ValuMods {
            sdwa: Some(sdwa),
            ..mods
        };
        list.push(Choice {
            sources,
            mods,
            ext,
            sdst,
            ..PLAIN
        });
    };
    let (none, own) = (PLAIN.mods, [Source::Own; 3]);
    add(none, whole, own, None);
    for src0 in PARTS {
        for src0_sext in [false, true] {
            let part = Sdwa {
                src0,
                src0_sext,
                ..whole
            };
            add(none, part, own, None);
        }
    }
    if two {
        for src1 in PARTS {
            let src1_sext = matches!(src1, SdwaSel::Byte1 | SdwaSel::Word0);
            let part = Sdwa {
                src1,
                src1_sext,
                ..whole
            };
            add(none, part, own, None);
        }
    }
    if compare {
        add(none, whole, own, Some(SReg::from_code(S_DST)));
    } else {
        for sel in PARTS {
            for unused in [SdwaUnused::Pad, SdwaUnused::Sext, SdwaUnused::Preserve] {
                let part = Sdwa {
                    dst: Some((sel, unused)),
                    src0: SdwaSel::Word1,
                    ..whole
                };
                add(none, part, own, None);
            }
        }
    }
    add(
        none,
        whole,
        [Source::Scalar, Source::Own, Source::Own],
        None,
    );
    add(
        none,
        whole,
        [Source::Own, Source::Scalar, Source::Own],
        None,
    );
    for mods in float_modifiers(row) {
        add(mods, whole, own, None);
        let part = Sdwa {
            src0: SdwaSel::Word1,
            ..whole
        };
        add(mods, part, own, None);
    }
}

/// Every kind of DPP16 control, with masks, bound control and fetch-inactive in turn; DPP8; and the
/// modifiers that DPP16 has.
fn dpp(list: &mut Vec<Choice>, row: &Row) {
    let mut add = |mods: ValuMods, dpp| {
        let ext = match dpp {
            Dpp::Dpp16 { .. } => Ext::Dpp16,
            Dpp::Dpp8 { .. } => Ext::Dpp8,
        };
        let mods = ValuMods {
            dpp: Some(dpp),
            ..mods
        };
        list.push(Choice { mods, ext, ..PLAIN });
    };
    // Permutations of quads, shifts and rotations within a row, mirrors, broadcasts in a row, xor.
    let controls = [
        0x0e4, 0x01b, 0x0b1, 0x101, 0x103, 0x10f, 0x111, 0x114, 0x11f, 0x121, 0x128, 0x12f, 0x140,
        0x141, 0x150, 0x157, 0x15f, 0x160, 0x161, 0x16a, 0x16f,
    ];
    let full = |ctrl| Dpp::Dpp16 {
        ctrl,
        row_mask: 15,
        bank_mask: 15,
        bound_ctrl: false,
        fetch_inactive: false,
    };
    let none = PLAIN.mods;
    for (i, ctrl) in controls.into_iter().enumerate() {
        for bound_ctrl in [false, true] {
            for fetch_inactive in [false, true] {
                let partly = i % 3 == 1;
                add(
                    none,
                    Dpp::Dpp16 {
                        ctrl,
                        row_mask: if partly { 0b0101 } else { 15 },
                        bank_mask: if i % 3 == 2 { 0b1011 } else { 15 },
                        bound_ctrl,
                        fetch_inactive,
                    },
                );
            }
        }
    }
    for mods in float_modifiers(row) {
        // DPP has neither clamp nor an output modifier.
        let mods = ValuMods {
            clamp: false,
            omod: Omod::None,
            ..mods
        };
        add(mods, full(0x114));
    }
    for fetch_inactive in [false, true] {
        for lanes in [[7, 6, 5, 4, 3, 2, 1, 0], [3, 3, 0, 7, 1, 2, 6, 3]] {
            add(
                none,
                Dpp::Dpp8 {
                    lanes,
                    fetch_inactive,
                },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use spirdna_isa::{Opcode, WaveSize};

    use super::*;
    use crate::alu::Alu;
    use crate::batch::Depth;
    use crate::plan::Selection;

    fn texts(opcode: Opcode, encoding: Encoding) -> Vec<String> {
        let keys = Selection::all(Depth::Long).keys(&Alu);
        let key = keys
            .into_iter()
            .map(|(_, key)| key)
            .find(|k| k.opcode == opcode && k.encoding == encoding && k.wave == WaveSize::W32);
        let key = key.unwrap();
        let items = items(&key, key.target());
        items.into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn every_form_has_a_plain_instance_on_every_target() {
        let mut none = Vec::new();
        for (_, key) in Selection::all(Depth::Long).keys(&Alu) {
            none.extend(key.targets().filter_map(|target| {
                let plain = items(&key, target).into_iter().next();
                plain
                    .is_none_or(|item| item.inst.opcode() != key.opcode)
                    .then(|| format!("{key} on {}", target.name()))
            }));
        }
        assert_eq!(none, [""; 0]);
    }

    #[test]
    fn modifiers_and_operand_classes_are_tried() {
        let has = |opcode, encoding, parts: &[&str]| {
            let texts = texts(opcode, encoding);
            for part in parts {
                assert!(texts.iter().any(|t| t.contains(part)), "{part}: {texts:#?}");
            }
        };
        has(
            Opcode::V_FMA_F32,
            Encoding::Vop3,
            &[
                "|v6|",
                "-v8",
                "clamp",
                "mul:2",
                "div:2",
                "s40",
                "-2.0",
                "0xbfa97b31",
                "vcc_lo",
            ],
        );
        has(
            Opcode::V_ADD_F16,
            Encoding::Vop3,
            &["op_sel:[1,1,1]", "op_sel:[0,0,1]", "op_sel:[0,1,0]"],
        );
        has(
            Opcode::V_ADD_F32,
            Encoding::Vop2,
            &[
                "dst_unused:UNUSED_PRESERVE",
                "dst_unused:UNUSED_SEXT",
                "src0_sel:BYTE_3",
                "src1_sel:WORD_1",
                "row_share:7",
                "row_mirror",
                "bound_ctrl:",
                "fi:1",
                "dpp8:[7,6,5,4,3,2,1,0]",
                "row_mask:0x5",
            ],
        );
        has(
            Opcode::V_CMP_LT_F32,
            Encoding::Vopc,
            &["sext(", "s64", "src0_sel:WORD_0"],
        );
        has(
            Opcode::V_PK_FMA_F16,
            Encoding::Vop3p,
            &[
                "op_sel_hi:[0,0,0]",
                "neg_hi:[0,1,0]",
                "neg_lo:[1,0,1]",
                "clamp",
            ],
        );
        has(
            Opcode::S_ADD_I32,
            Encoding::Sop2,
            &["exec_lo", "vcc_lo", "src_scc", "-7", "m0, s40"],
        );
        has(Opcode::S_ADDK_I32, Encoding::Sopk, &["0xffff", "0x8000"]);
    }
}
