//! What depends on values that run time knows: registers that M0 indexes, and MODE where ways with
//! different ones meet. Against the reference interpreter.

use spirdna_isa::launch::Mode;
use spirdna_isa::{Target, WaveSize, assemble};

use super::alu::{Random, lowered, reference, registers_like, world};

/// Runs a program with s4 and s5 as given (the other user SGPRs are numbers) and compares.
fn check(text: &str, s4: u32, s5: u32) {
    let words = assemble(Target::Gfx1030, WaveSize::W32, text).unwrap_or_else(|e| panic!("{e:?}"));
    let mut world = world(&words, Mode::default());
    world.user[4] = s4;
    world.user[5] = s5;
    world.launch.m0 = None;
    world.launch.vgprs = registers_like(&mut Random::new(u64::from(s4) << 32 | u64::from(s5)));
    let module = lowered(&world).unwrap_or_else(|e| panic!("{text}: {e}"));
    world.run_module(&module).unwrap();
    let expected = reference(&world).unwrap_or_else(|| panic!("the reference refuses {text}"));
    assert_eq!(
        world.memory[0].bytes, expected,
        "{text} s4 = {s4:#x}, s5 = {s5:#x}"
    );
    assert_eq!(world.faults, Vec::new(), "{text} s4 = {s4:#x}");
}

/// What a wave that faults records.
fn faults(text: &str, s4: u32) -> Vec<(u32, u64)> {
    let words = assemble(Target::Gfx1030, WaveSize::W32, text).unwrap();
    let mut world = world(&words, Mode::default());
    world.user[4] = s4;
    world.launch.m0 = None;
    world.launch.vgprs = registers_like(&mut Random::new(1));
    let module = lowered(&world).unwrap();
    world.run_module(&module).unwrap();
    assert_eq!(reference(&world), None, "{text}");
    world.faults
}

#[test]
fn vector_registers_by_m0() {
    for text in [
        "v_movrels_b32 v10, v1",
        "v_movrels_b32_sdwa v10, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2",
        "v_movrels_b32_dpp v10, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
        "v_movreld_b32 v10, v0",
        "v_movreld_b32 v10, 7",
        "v_movreld_b32_sdwa v10, v0 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:WORD_1",
        "v_movrelsd_b32 v10, v1",
    ] {
        for index in [0, 1, 2, 3] {
            check(&format!("s_mov_b32 m0, s4\n{text}\n"), index, 0);
        }
        // A source past the last register reads v0, a destination there is not written.
        for index in [255, 256, 0x1_0000, u32::MAX] {
            check(&format!("s_mov_b32 m0, s4\n{text}\n"), index, 0);
        }
    }
    for text in ["v_movrelsd_2_b32 v10, v1", "v_swaprel_b32 v10, v1"] {
        for (from, to) in [(0, 0), (1, 2), (3, 1), (2, 0)] {
            let m0 = to << 16 | 0xfc00 | from;
            check(&format!("s_mov_b32 m0, s4\n{text}\n"), m0, 0);
        }
    }
    check(
        "s_mov_b32 m0, s4\nv_movrelsd_2_b32 v10, v1\n",
        0x200_0001,
        0,
    );
    let swap = "s_mov_b32 m0, s4\nv_swaprel_b32 v10, v1\n";
    // 30 lanes are active.
    assert_eq!(faults(swap, 0x100_0000), vec![(4, 0x100_0000); 30]);
}

#[test]
fn scalar_registers_by_m0() {
    for text in [
        "s_movrels_b32 s10, s6",
        "s_movreld_b32 s10, s6",
        "s_movrelsd_2_b32 s10, s6",
    ] {
        for m0 in [0, 1, 2, 0x1_0002, 0x2_0001] {
            if text.contains("_2_") || m0 < 3 {
                let show = "v_mov_b32 v11, s11\nv_mov_b32 v12, s12\n";
                check(&format!("s_mov_b32 m0, s4\n{text}\n{show}"), m0, 0);
            }
        }
    }
    for text in [
        "s_movrels_b64 s[10:11], s[6:7]",
        "s_movreld_b64 s[10:11], s[6:7]",
    ] {
        for m0 in [0, 2, 4] {
            let show = "v_mov_b32 v11, s11\nv_mov_b32 v12, s12\nv_mov_b32 v13, s13\n";
            check(&format!("s_mov_b32 m0, s4\n{text}\n{show}"), m0, 0);
        }
        // An odd pair, and one past s105.
        for m0 in [1, 100] {
            let found = faults(&format!("s_mov_b32 m0, s4\n{text}\n"), m0);
            let base = if text.contains("movrels") { 6 } else { 10 };
            assert_eq!(found, [(4, u64::from(base + m0))], "{text}");
        }
    }
    let found = faults("s_mov_b32 m0, s4\ns_movrels_b32 s10, s6\n", 100);
    assert_eq!(found, [(4, 106)]);
}

#[test]
fn modes_that_meet() {
    let meet = "s_cmp_lg_u32 s4, 0\ns_cbranch_scc0 L\ns_round_mode 1\nL:\n\
        v_add_f32 v10, v0, v2\ns_getreg_b32 s10, hwreg(HW_REG_MODE)\n";
    let turn = "s_mov_b32 s6, 3\nL:\nv_add_f32 v10, v10, v2\nv_mul_f32 v11, v11, v0\n\
        s_cmp_lg_u32 s4, s6\ns_cbranch_scc0 M\ns_round_mode 2\ns_denorm_mode 3\nM:\n\
        s_sub_u32 s6, s6, 1\ns_cmp_lg_u32 s6, 0\ns_cbranch_scc1 L\n\
        v_add_f32 v12, v0, v2\ns_getreg_b32 s10, hwreg(HW_REG_MODE)\n";
    // A field is restored from what was read before.
    let restore = "s_getreg_b32 s6, hwreg(HW_REG_MODE, 0, 4)\ns_cmp_lg_u32 s4, 0\n\
        s_cbranch_scc0 L\ns_round_mode 3\nv_add_f32 v11, v0, v2\n\
        s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s6\nL:\nv_add_f32 v10, v0, v2\n";
    for text in [meet, turn, restore] {
        for s4 in 0..4 {
            check(text, s4, 0);
        }
    }
}
