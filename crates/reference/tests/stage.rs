//! Vertex and pixel waves on the interpreter: interpolation by hand-computed values, exports as they were
//! asked for.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use spirdna_isa::stage::{Barycentric, PixelRegisters, Place, StageVgpr, VertexRegisters};
use spirdna_isa::{Target, WaveSize, assemble};
use spirdna_reference::{Component, Options, Regions, StageInputs, run_stage};

fn f(x: f32) -> u32 {
    x.to_bits()
}

#[test]
fn interpolation_is_p0_and_two_steps() {
    let code = assemble(
        Target::Gfx1030,
        WaveSize::W32,
        "s_mov_b32 m0, s0
         v_interp_p1_f32 v2, v0, attr1.y
         v_interp_p2_f32 v2, v1, attr1.y
         v_interp_mov_f32 v3, p0, attr0.x
         v_interp_mov_f32 v4, p10, attr1.y
         v_cvt_pkrtz_f16_f32 v5, v2, v3
         exp mrt1 v5, v5, v5, v5 compr
         exp mrt0 v2, v3, off, v4 done vm
         s_endpgm",
    )
    .unwrap();
    let registers = PixelRegisters {
        rsrc1: 0x2c_0000,
        input_ena: 2,
        input_addr: 2,
        col_format: 0x49,
        ..PixelRegisters::default()
    };
    let launch = registers.launch(Target::Gfx1030, WaveSize::W32).unwrap();
    let center = Barycentric {
        perspective: true,
        place: Place::Center,
    };
    let component = |p0, p10, p20| Component {
        p0: f(p0),
        p10: f(p10),
        p20: f(p20),
    };
    let zero = Component::default();
    let inputs = StageInputs {
        exec: 0b101,
        vgprs: vec![
            (StageVgpr::Barycentric(center, false), vec![f(0.25); 32]),
            (StageVgpr::Barycentric(center, true), vec![f(0.5); 32]),
        ],
        attributes: vec![
            [component(7.0, 0.0, 0.0), zero, zero, zero],
            [zero, component(1.0, 4.0, -8.0), zero, zero],
        ],
    };
    let mut memory = Regions::default();
    let (exports, _) = run_stage(
        &code,
        &launch,
        &[],
        &inputs,
        &mut memory,
        &Options::default(),
    )
    .unwrap();
    let [halves, words] = exports.as_slice() else {
        panic!("{exports:?}")
    };
    // 1 + 4 / 4 - 8 / 2 = -2.
    assert_eq!(words.values[0], [f(-2.0), f(7.0), 0, f(4.0)]);
    assert_eq!(words.values[2], words.values[0]);
    assert_eq!(words.values[1], [0; 4], "a lane that is off");
    assert_eq!((words.target, words.en, words.exec), (0, 0b1011, 0b101));
    assert!(words.done && words.vm && !words.compr);
    assert_eq!(halves.values[0], [0xc000, 0x4700, 0xc000, 0x4700]);
    assert!(halves.compr && halves.target == 1);
}

#[test]
fn merged_waves_know_their_counts_and_may_ask_for_room() {
    let code = assemble(
        Target::Gfx1030,
        WaveSize::W64,
        "s_bfe_u32 m0, s2, 0x9000c
         s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
         v_mov_b32 v1, s3
         v_mov_b32 v2, s8
         exp pos0 v5, v1, v2, v8 done
         s_endpgm",
    )
    .unwrap();
    let registers = VertexRegisters {
        rsrc2: 1 << 1,
        merged: true,
        ..VertexRegisters::default()
    };
    let launch = registers.launch(Target::Gfx1030, WaveSize::W64).unwrap();
    let inputs = StageInputs {
        exec: 1,
        vgprs: vec![
            (StageVgpr::VertexIndex, vec![11; 64]),
            (StageVgpr::InstanceIndex, vec![12; 64]),
        ],
        attributes: Vec::new(),
    };
    let mut memory = Regions::default();
    let (exports, _) = run_stage(
        &code,
        &launch,
        &[99],
        &inputs,
        &mut memory,
        &Options::default(),
    )
    .unwrap();
    assert_eq!(exports[0].values[0], [11, 64 | 64 << 8 | 1 << 28, 99, 12]);
}
