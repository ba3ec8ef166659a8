//! Every vector ALU row in every encoding and extension, on registers full of edge values: it executes,
//! and it never panics.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop"
)]

mod common;

use common::Test;
use spirdna_isa::launch::{Denorm, Mode, Round};
use spirdna_isa::{
    Class, Dpp, Encoding, Ext, MAX_OPERANDS, Opcode, Operand, Packed, Parts, RowFlags, SReg, Sdwa,
    SdwaSel, SdwaUnused, Sem, Slot, Target, Ty, Valu, WaveSize, encode,
};

/// Edge values of all float widths and random bits.
fn value(state: &mut u64) -> u32 {
    const EDGES: [u32; 20] = [
        0,
        1,
        0x8000_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0001,
        0x7f80_0001,
        0x7f7f_ffff,
        0x0080_0000,
        0x007f_ffff,
        0x7ff0_0000,
        0xfff8_0000,
        0x3ff0_0000,
        0x7c00_7e01,
        0x03ff_fbff,
        0x3c00_bc00,
        0xffff_ffff,
        0x4b00_0001,
    ];
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    let r = state.wrapping_mul(0x2545_f491_4f6c_dd1d);
    if r >> 63 == 0 {
        EDGES[(r >> 8) as usize % EDGES.len()]
    } else {
        (r >> 20) as u32
    }
}

fn operands(opcode: Opcode) -> [Operand; MAX_OPERANDS] {
    let mut out = [Operand::Off; MAX_OPERANDS];
    for (i, (o, spec)) in out.iter_mut().zip(opcode.row().operands).enumerate() {
        let n = i as u8 * 4;
        *o = match spec.class {
            Class::Vgpr | Class::Any => Operand::V(8 + n),
            Class::Sgpr | Class::Scalar if spec.slot == Slot::CmpDst => Operand::S(SReg::VCC_LO),
            Class::Sgpr | Class::Scalar => Operand::S(SReg::from_code(8 + n)),
            Class::Imm => Operand::Literal(0x3fc0_1234),
            Class::Fixed => Operand::Off,
        };
        if matches!(spec.slot, Slot::CarryOut | Slot::CarryIn) {
            *o = Operand::S(SReg::VCC_LO);
        }
        // A wide source that stands in the table as a scalar or a VGPR alone still takes VGPRs.
        if spec.ty == Ty::Mask && spec.class == Class::Scalar {
            *o = Operand::S(SReg::VCC_LO);
        }
    }
    out
}

fn parts(opcode: Opcode, encoding: Encoding, ext: Ext, seed: u64) -> Parts {
    let mut p = Parts::new(opcode, encoding, ext);
    p.operands = operands(opcode);
    match ext {
        Ext::None => {}
        Ext::Dpp16 => {
            p.valu.dpp = Some(Dpp::Dpp16 {
                ctrl: [0x1b, 0x103, 0x11f, 0x128, 0x140, 0x141, 0x155, 0x16a][seed as usize % 8],
                row_mask: 15,
                bank_mask: 15,
                bound_ctrl: seed & 1 == 1,
                fetch_inactive: seed & 2 == 2,
            });
        }
        Ext::Dpp8 => {
            p.valu.dpp = Some(Dpp::Dpp8 {
                lanes: [1, 0, 3, 2, 7, 7, 7, 0],
                fetch_inactive: seed & 1 == 1,
            });
        }
        Ext::Sdwa | Ext::Sdwab => {
            let sels = [
                SdwaSel::Byte1,
                SdwaSel::Word1,
                SdwaSel::Dword,
                SdwaSel::Byte3,
            ];
            p.valu.sdwa = Some(Sdwa {
                dst: (ext == Ext::Sdwa).then(|| {
                    let unused = [SdwaUnused::Pad, SdwaUnused::Sext, SdwaUnused::Preserve];
                    (sels[seed as usize % 4], unused[seed as usize % 3])
                }),
                src0: sels[seed as usize / 2 % 4],
                src0_sext: false,
                src1: if opcode.row().operands.iter().any(|s| s.slot == Slot::Src1) {
                    sels[seed as usize / 4 % 4]
                } else {
                    SdwaSel::Dword
                },
                src1_sext: false,
            });
        }
    }
    if encoding == Encoding::Vop3p {
        p.valu.op_sel_hi = if opcode.row().operands.len() > 3 {
            7
        } else {
            3
        };
    }
    if seed & 1 == 1
        && !matches!(
            opcode.row().sem,
            // Refused: what it saturates has no one reading.
            Sem::Valu(Valu::Packed(
                Packed::MulLoU16 | Packed::ShlRevB16 | Packed::ShrRevB16 | Packed::AshrRevI16
            ))
        )
        && opcode.row().flags.contains(RowFlags::CLAMP)
        && matches!(encoding, Encoding::Vop3 | Encoding::Vop3p)
    {
        p.valu.clamp = true;
    }
    p
}

fn mode(seed: u64) -> Mode {
    let rounds = [
        Round::NearestEven,
        Round::PlusInfinity,
        Round::MinusInfinity,
        Round::TowardZero,
    ];
    let denorms = [
        Denorm::Allow,
        Denorm::FlushInOut,
        Denorm::FlushOut,
        Denorm::FlushIn,
    ];
    let i = seed as usize;
    Mode {
        round32: rounds[i % 4],
        round16_64: rounds[i / 2 % 4],
        denorm32: denorms[i / 3 % 4],
        denorm16_64: denorms[i % 4],
        ieee: seed & 2 == 2,
        dx10_clamp: seed & 4 == 4,
        fp16_ovfl: seed & 8 == 8,
    }
}

#[test]
fn every_row_executes() {
    let (mut ran, mut failed) = (0, Vec::new());
    for (round, target) in Target::ALL.into_iter().enumerate() {
        for &opcode in Opcode::ALL {
            let row = opcode.row();
            if !matches!(row.sem, Sem::Valu(_)) {
                continue;
            }
            for form in row.forms {
                if !form.targets.contains(target.set()) {
                    continue;
                }
                let short = matches!(
                    form.encoding,
                    Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc
                );
                let sdwa = if form.encoding == Encoding::Vopc {
                    Ext::Sdwab
                } else {
                    Ext::Sdwa
                };
                let exts = [
                    (Ext::None, true),
                    (Ext::Dpp16, short && row.flags.contains(RowFlags::DPP)),
                    (Ext::Dpp8, short && row.flags.contains(RowFlags::DPP)),
                    (sdwa, short && row.flags.contains(RowFlags::SDWA)),
                ];
                for (ext, has) in exts {
                    if !has {
                        continue;
                    }
                    for seed in 0..2u64 {
                        let seed = seed + 2 * round as u64 + opcode as u64;
                        let inst = match encode(target, 0, &parts(opcode, form.encoding, ext, seed))
                        {
                            Ok(inst) => inst,
                            Err(e) => {
                                failed.push(format!("{opcode:?} {:?} {ext:?}: {e}", form.encoding));
                                continue;
                            }
                        };
                        let size = if seed & 1 == 0 {
                            WaveSize::W32
                        } else {
                            WaveSize::W64
                        };
                        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
                        let mut test = Test::new(size, inst.words())
                            .exec(0xffff_0fff_fff7_ff0f)
                            .m0(0x0001_0001)
                            .sgprs(&std::array::from_fn::<u32, 40, _>(|i| {
                                i as u32 * 0x0101_0101
                            }));
                        test.launch.target = target;
                        test.launch.mode = mode(seed);
                        test.launch.vcc = Some(0x1234_5678_9abc_def0);
                        if matches!(
                            row.sem,
                            Sem::Valu(Valu::MovRelS | Valu::MovRelSd | Valu::MovRelD)
                        ) {
                            test = test.m0(3);
                        }
                        for r in 0..48 {
                            let values: Vec<u32> = (0..64).map(|_| value(&mut state)).collect();
                            test = test.vgpr(r, move |l| values[l as usize]);
                        }
                        ran += 1;
                        if let Err(e) = test.try_run() {
                            failed.push(format!("{opcode:?} {:?} {ext:?}: {e}", form.encoding));
                        }
                    }
                }
            }
        }
    }
    failed.sort();
    failed.dedup();
    assert!(
        failed.is_empty(),
        "{} of {ran}:\n{}",
        failed.len(),
        failed.join("\n")
    );
    assert!(ran > 7_000, "{ran}");
}
