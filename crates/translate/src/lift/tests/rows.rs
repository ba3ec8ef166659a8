//! Every row of the vector ALU in its plain forms and with modifiers, in wave32 and without a host's floats.

use std::collections::BTreeSet;

use spirdna_isa::launch::Mode;
use spirdna_isa::{CmpTy, Encoding, Opcode, Sem, Target, Valu, WaveSize, assemble};

use super::alu::{
    Random, Setup, compare, instruction, lowered, modes, reference, registers_like, world,
};

/// Rows that have no translation.
const REFUSED: &[&str] = &[];

#[test]
fn every_vector_row_gives_what_the_reference_gives() {
    let only = std::env::var("SPIRDNA_ROW").unwrap_or_default();
    let mut refused = BTreeSet::new();
    let mut partly = BTreeSet::new();
    let mut wrong = Vec::new();
    let mut compared = 0;
    for &opcode in Opcode::ALL {
        let row = opcode.row();
        let Sem::Valu(_) = row.sem else { continue };
        if !only.is_empty() && !row.name.starts_with(&only) {
            continue;
        }
        for encoding in [
            Encoding::Vop1,
            Encoding::Vop2,
            Encoding::Vopc,
            Encoding::Vop3,
            Encoding::Vop3p,
        ] {
            if row.form(encoding, Target::Gfx1030).is_none() {
                continue;
            }
            for variant in 0..4 {
                let Some(inst) = instruction(opcode, encoding, variant) else {
                    if variant == 0 {
                        wrong.push(format!("{} {encoding:?}: not encoded", row.name));
                    }
                    continue;
                };
                // MODE is nothing to integers.
                let integer = matches!(
                    row.sem,
                    Sem::Valu(
                        Valu::IUnary(_)
                            | Valu::IBinary(_)
                            | Valu::ITernary(_)
                            | Valu::Cmp {
                                ty: CmpTy::Int(_),
                                ..
                            }
                            | Valu::Mov
                    )
                );
                let count = if integer { 1 } else { 5 };
                for (m, mode) in modes().into_iter().enumerate().take(count) {
                    let mut random =
                        Random::new(opcode as u64 * 64 + variant as u64 * 8 + m as u64);
                    compared += 1;
                    match compare(&inst, &Setup::new(mode), &mut random) {
                        Ok(None) => {}
                        Ok(Some(text)) => wrong.push(format!(
                            "{} {encoding:?} variant {variant} mode {m}: {text}",
                            row.name
                        )),
                        Err(why) => {
                            if variant == 0 {
                                refused.insert(row.name);
                            } else if !refused.contains(row.name) {
                                partly.insert(format!("{} variant {variant}: {why}", row.name));
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 0);
    println!("refused: {refused:?}\nin part: {partly:#?}");
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    if only.is_empty() {
        assert_eq!(refused, REFUSED.iter().copied().collect());
    }
}

#[test]
fn mode_is_written_and_read() {
    let text = "s_mov_b32 s4, 0x2c5\ns_setreg_b32 hwreg(HW_REG_MODE, 0, 10), s4\n\
        v_add_f32 v10, v0, v2\nv_mul_f64 v[12:13], v[4:5], v[6:7]\n\
        s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xb\nv_add_f32 v11, v0, v2\n\
        s_getreg_b32 s10, hwreg(HW_REG_MODE)\n";
    let words = assemble(Target::Gfx1030, WaveSize::W32, text).unwrap();
    for (i, mode) in modes().into_iter().enumerate() {
        let mut world = world(&words, mode);
        world.launch.vgprs = registers_like(&mut Random::new(i as u64));
        let module = lowered(&world).unwrap();
        world.run_module(&module).unwrap();
        assert_eq!(
            Some(&world.memory[0].bytes),
            reference(&world).as_ref(),
            "mode {i}"
        );
    }
    // What is not known at translate time, and what is no float field.
    for text in [
        "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s4\n",
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 1), 1\n",
        "s_getreg_b32 s10, hwreg(HW_REG_TRAPSTS)\n",
        "s_getreg_b32 s10, hwreg(HW_REG_HW_ID1)\n",
        "s_getreg_b32 s10, hwreg(HW_REG_GPR_ALLOC)\n",
        "s_getreg_b32 s10, hwreg(HW_REG_LDS_ALLOC)\n",
        "s_getreg_b32 s10, hwreg(HW_REG_SHADER_CYCLES)\n",
        "s_setreg_b32 hwreg(HW_REG_TRAPSTS), s4\n",
    ] {
        let words = assemble(Target::Gfx1030, WaveSize::W32, text).unwrap();
        let mut world = world(&words, Mode::default());
        world.launch.vgprs = registers_like(&mut Random::new(0));
        let why = lowered(&world).expect_err(text);
        // By name.
        let name = text.split("hwreg(").nth(1).unwrap();
        let name = name.split([')', ',']).next().unwrap();
        let named = if name == "HW_REG_MODE" { "MODE" } else { name };
        assert!(why.contains(named), "{text}: {why}");
    }
}
