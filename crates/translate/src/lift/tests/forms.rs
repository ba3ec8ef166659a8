//! Every row of the vector ALU in its other forms: lane-crossing sources, parts of registers, constants of
//! each kind, scalar sources, wave64, and floats by a host's own operations.

use std::collections::BTreeMap;

use spirdna_isa::{
    Access, Dpp, Encoding, Ext, FloatConst, Inst, Omod, Opcode, Operand, Parts, RowFlags, SReg,
    Sdwa, SdwaSel, SdwaUnused, Sem, Slot, Target, Ty, WaveSize, encode,
};

use super::alu::{Random, Setup, compare, instruction, modes, plain, text};
use crate::passes::lower_float::sim::hosts;

const ENCODINGS: [Encoding; 5] = [
    Encoding::Vop1,
    Encoding::Vop2,
    Encoding::Vopc,
    Encoding::Vop3,
    Encoding::Vop3p,
];

/// Vector rows in their encodings.
fn rows() -> impl Iterator<Item = (Opcode, Encoding)> {
    let only = std::env::var("SPIRDNA_ROW").unwrap_or_default();
    Opcode::ALL
        .iter()
        .copied()
        .filter(move |opcode| {
            let row = opcode.row();
            matches!(row.sem, Sem::Valu(_)) && row.name.starts_with(&only)
        })
        .flat_map(|opcode| ENCODINGS.map(|encoding| (opcode, encoding)))
        .filter(|(opcode, encoding)| opcode.row().form(*encoding, Target::Gfx1030).is_some())
}

/// What was compared.
#[derive(Default)]
struct Tally {
    compared: usize,
    wrong: Vec<String>,
    /// Why instructions were not run: how many, and the first.
    refused: BTreeMap<String, (usize, String)>,
}

/// What has two readings, or means nothing.
const REFUSED: [&str; 5] = [
    "modifier clamp is not translated here",
    "modifier op_sel of a result that is no half is not translated here",
    "modifier op_sel of a source that is no half is not translated here",
    "modifier op_sel of bytes is not translated here",
    "operand an inline float as a half is not translated here",
];

impl Tally {
    fn run(&mut self, inst: &Inst, setup: &Setup, random: &mut Random) {
        match compare(inst, setup, random) {
            Ok(None) => self.compared += 1,
            Ok(Some(text)) => self.wrong.push(text),
            Err(why) => {
                let reason = why.rsplit(": ").next().unwrap_or(&why).to_owned();
                let entry = self.refused.entry(reason).or_insert((0, text(inst)));
                entry.0 += 1;
            }
        }
    }

    /// All that was run agrees, that was enough, and nothing was refused for another reason than these.
    fn finish(self, least: usize, reasons: &[&str]) {
        println!("compared {}, refused {:#?}", self.compared, self.refused);
        let n = self.wrong.len();
        let text = self.wrong.join("\n");
        assert!(n == 0, "{n} wrong\n{text}");
        if std::env::var_os("SPIRDNA_ROW").is_none() {
            assert!(self.compared >= least, "{} compared", self.compared);
            for reason in self.refused.keys() {
                assert!(reasons.contains(&reason.as_str()), "{:?}", self.refused);
            }
        }
    }
}

/// Flips that float rows take.
fn signs(parts: &mut Parts, random: &mut Random) {
    let flags = parts.opcode.row().flags;
    let mut bits = |all: [RowFlags; 2]| {
        let take = random.bits() as u8;
        let set = u8::from(flags.contains(all[0])) | u8::from(flags.contains(all[1])) << 1;
        take & set
    };
    parts.valu.neg = bits([RowFlags::NEG0, RowFlags::NEG1]);
    parts.valu.abs = bits([RowFlags::ABS0, RowFlags::ABS1]);
}

const CONTROLS: [u16; 20] = [
    0x1b, 0x4e, 0xb1, 0x00, 0x101, 0x104, 0x10f, 0x111, 0x118, 0x11f, 0x121, 0x128, 0x12f, 0x140,
    0x141, 0x150, 0x15b, 0x160, 0x161, 0x16f,
];

fn dpp16(opcode: Opcode, encoding: Encoding, ctrl: u16, random: &mut Random) -> Option<Inst> {
    let mut parts = plain(opcode, encoding, Ext::Dpp16);
    signs(&mut parts, random);
    let flags = random.bits();
    parts.valu.dpp = Some(Dpp::Dpp16 {
        ctrl,
        row_mask: random.of(&[15, 15, 5, 10]),
        bank_mask: random.of(&[15, 15, 6, 9]),
        bound_ctrl: flags & 1 == 1,
        fetch_inactive: flags & 2 == 2,
    });
    encode(Target::Gfx1030, 0, &parts).ok()
}

#[test]
fn lanes_across_rows_of_16() {
    let mut tally = Tally::default();
    let mut turn = 0;
    for (opcode, encoding) in rows() {
        if !opcode.row().flags.contains(RowFlags::DPP) {
            continue;
        }
        // Each control once on a plain move, two of them in turn on every row.
        let all = opcode == Opcode::V_MOV_B32;
        for _ in 0..if all { CONTROLS.len() * 2 } else { 2 } {
            turn += 1;
            let mut random = Random::new(turn as u64);
            let Some(inst) = dpp16(
                opcode,
                encoding,
                CONTROLS[turn % CONTROLS.len()],
                &mut random,
            ) else {
                continue;
            };
            let setup = Setup {
                rounds: 1,
                wave: [WaveSize::W32, WaveSize::W64][turn / 2 % 2],
                ..Setup::new(modes()[turn % 5])
            };
            tally.run(&inst, &setup, &mut random);
        }
    }
    tally.finish(300, &[]);
}

#[test]
fn lanes_across_groups_of_8() {
    let mut tally = Tally::default();
    for (turn, (opcode, encoding)) in rows().enumerate() {
        if !opcode.row().flags.contains(RowFlags::DPP) {
            continue;
        }
        let mut random = Random::new(turn as u64);
        let mut parts = plain(opcode, encoding, Ext::Dpp8);
        parts.valu.dpp = Some(Dpp::Dpp8 {
            lanes: std::array::from_fn(|_| random.bits() as u8 & 7),
            fetch_inactive: turn % 2 == 1,
        });
        let Ok(inst) = encode(Target::Gfx1030, 0, &parts) else {
            continue;
        };
        let setup = Setup {
            rounds: 1,
            ..Setup::new(modes()[turn % 5])
        };
        tally.run(&inst, &setup, &mut random);
    }
    tally.finish(150, &[]);
}

#[test]
fn parts_of_registers() {
    const SELECTS: [SdwaSel; 7] = [
        SdwaSel::Byte0,
        SdwaSel::Byte1,
        SdwaSel::Byte2,
        SdwaSel::Byte3,
        SdwaSel::Word0,
        SdwaSel::Word1,
        SdwaSel::Dword,
    ];
    const UNUSED: [SdwaUnused; 3] = [SdwaUnused::Pad, SdwaUnused::Sext, SdwaUnused::Preserve];
    let mut tally = Tally::default();
    let mut turn = 0;
    for (opcode, encoding) in rows() {
        let flags = opcode.row().flags;
        if !flags.contains(RowFlags::SDWA) {
            continue;
        }
        for _ in 0..4 {
            turn += 1;
            let mut random = Random::new(turn as u64);
            let compare = encoding == Encoding::Vopc;
            let ext = if compare { Ext::Sdwab } else { Ext::Sdwa };
            let mut parts = plain(opcode, encoding, ext);
            signs(&mut parts, &mut random);
            let bits = random.bits();
            parts.valu.sdwa = Some(Sdwa {
                dst: (!compare).then(|| (random.of(&SELECTS), random.of(&UNUSED))),
                src0: random.of(&SELECTS),
                src0_sext: bits & 1 == 1,
                src1: random.of(&SELECTS),
                src1_sext: bits & 2 == 2,
            });
            if !compare {
                parts.valu.clamp = bits & 4 == 4 && flags.contains(RowFlags::CLAMP);
                if bits & 8 == 8 && flags.contains(RowFlags::OMOD) {
                    parts.valu.omod = random.of(&[Omod::Mul2, Omod::Mul4, Omod::Div2]);
                }
            }
            let mut inst = encode(Target::Gfx1030, 0, &parts);
            if inst.is_err() {
                // A row of one source, or one that takes no extension of signs.
                if let Some(sdwa) = &mut parts.valu.sdwa {
                    (sdwa.src0_sext, sdwa.src1_sext) = (false, false);
                    if opcode
                        .row()
                        .operands
                        .iter()
                        .filter(|o| o.access == Access::Src)
                        .count()
                        < 2
                    {
                        sdwa.src1 = SdwaSel::Dword;
                    }
                }
                inst = encode(Target::Gfx1030, 0, &parts);
            }
            let Ok(inst) = inst else { continue };
            let setup = Setup {
                rounds: 1,
                ..Setup::new(modes()[turn % 5])
            };
            tally.run(&inst, &setup, &mut random);
        }
    }
    tally.finish(500, &[]);
}

const FLOATS: [FloatConst; 9] = [
    FloatConst::Half,
    FloatConst::MinusHalf,
    FloatConst::One,
    FloatConst::MinusOne,
    FloatConst::Two,
    FloatConst::MinusTwo,
    FloatConst::Four,
    FloatConst::MinusFour,
    FloatConst::InvTwoPi,
];

/// An instruction one of whose sources is another operand, if there is one.
fn with_source(
    opcode: Opcode,
    encoding: Encoding,
    place: usize,
    operand: Operand,
    random: &mut Random,
) -> Option<Inst> {
    let row = opcode.row();
    let mut parts = plain(opcode, encoding, Ext::None);
    let (to, spec) = parts
        .operands
        .iter_mut()
        .zip(row.operands)
        .filter(|(_, spec)| matches!(spec.slot, Slot::Src0 | Slot::Src1 | Slot::Src2))
        .nth(place)?;
    let wide = spec.ty.bits() == Some(64) || spec.ty == Ty::Mask;
    *to = match operand {
        // A pair where the type is wide.
        Operand::S(reg) if wide => Operand::S(SReg::from_code(reg.code() & !1)),
        other => other,
    };
    if encoding == Encoding::Vop3 {
        signs(&mut parts, random);
        if row.flags.contains(RowFlags::OPSEL) && random.bits() & 1 == 1 {
            let halves = row.operands.iter().filter(|s| s.access == Access::Src);
            for (i, spec) in halves.enumerate().take(3) {
                parts.valu.op_sel |= u8::from(spec.ty.bits() == Some(16)) << i;
            }
        }
    }
    if encoding == Encoding::Vop3p {
        parts.valu.op_sel = random.bits() as u8 & 3;
        parts.valu.op_sel_hi = random.bits() as u8 & 7;
    }
    encode(Target::Gfx1030, 0, &parts).ok()
}

#[test]
fn constants_and_scalars_as_sources() {
    let mut tally = Tally::default();
    let mut turn = 0;
    let mut kinds = [0; 5];
    for (opcode, encoding) in rows() {
        for place in 0..3 {
            for (kind, count) in kinds.iter_mut().enumerate() {
                turn += 1;
                let mut random = Random::new(turn as u64);
                let operand = match kind {
                    0 => Operand::Int((random.bits() % 81) as i8 - 16),
                    1 => Operand::Float(random.of(&FLOATS)),
                    2 => Operand::Literal(random.word()),
                    3 => Operand::S(SReg::from_code(random.of(&[4, 7, 106, 126]))),
                    _ => random.of(&[
                        Operand::Special(spirdna_isa::Special::Vccz),
                        Operand::Special(spirdna_isa::Special::Execz),
                        Operand::Special(spirdna_isa::Special::Scc),
                    ]),
                };
                // One constant a row and place is enough for what is no number.
                if kind == 4 && place != 0 {
                    continue;
                }
                let Some(inst) = with_source(opcode, encoding, place, operand, &mut random) else {
                    continue;
                };
                *count += 1;
                let setup = Setup {
                    rounds: 1,
                    ..Setup::new(modes()[turn % 5])
                };
                tally.run(&inst, &setup, &mut random);
            }
        }
    }
    println!("integers, floats, literals, registers, specials: {kinds:?}");
    tally.finish(5000, &REFUSED);
}

#[test]
fn waves_of_64() {
    let mut tally = Tally::default();
    for (turn, (opcode, encoding)) in rows().enumerate() {
        for variant in 0..2 {
            let Some(inst) = instruction(opcode, encoding, variant) else {
                continue;
            };
            let setup = Setup {
                wave: WaveSize::W64,
                rounds: 1,
                ..Setup::new(modes()[turn % 5])
            };
            tally.run(&inst, &setup, &mut Random::new((turn * 2 + variant) as u64));
        }
    }
    tally.finish(1100, &REFUSED);
}

#[test]
fn floats_by_a_host() {
    let mut tally = Tally::default();
    for (turn, (opcode, encoding)) in rows().enumerate() {
        for (h, host) in hosts().into_iter().enumerate() {
            for (m, mode) in modes().into_iter().enumerate() {
                // Hosts round to nearest; a modifier in turn.
                if matches!(m, 1 | 3) {
                    continue;
                }
                let variant = (turn + h + m) % 2;
                let inst = instruction(opcode, encoding, variant)
                    .or_else(|| instruction(opcode, encoding, 0));
                let Some(inst) = inst else { continue };
                let setup = Setup {
                    host: Some(host.clone()),
                    rounds: 2,
                    ..Setup::new(mode)
                };
                tally.run(
                    &inst,
                    &setup,
                    &mut Random::new((turn * 64 + h * 8 + m) as u64),
                );
            }
        }
    }
    let mut reasons = REFUSED.to_vec();
    reasons.push("no host operation");
    tally.finish(250, &reasons);
}
