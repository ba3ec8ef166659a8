//! Registers that a loop leaves alone keep their value in it.

use spirdna_isa::WaveSize;

use super::world::World;
use crate::resources::{BufferFact, DescriptorFacts, DescriptorPlace};

/// A store through a V# inside of a loop, which counts s10 down and writes s11.
const LOOP: &str = "s_mov_b32 s10, 5\n\
    s_movk_i32 s12, 0x30\n\
    v_lshlrev_b32_e32 v1, 2, v0\n\
    again:\n\
    s_mov_b32 s11, s10\n\
    v_mov_b32_e32 v2, s11\n\
    v_add_nc_u32_e32 v2, s12, v2\n\
    buffer_store_dword v2, v1, s[0:3], 0 offen\n\
    v_add_nc_u32_e32 v1, 0x80, v1\n\
    s_sub_u32 s10, s10, 1\n\
    s_cmp_lg_u32 s10, 0\n\
    s_cbranch_scc1 again\n\
    s_endpgm";

fn world() -> World {
    let user = [0, 1, 640, 0x3101_6fac];
    World::new(WaveSize::W32, LOOP, &user).words(0x1_0000_0000, &[0; 160])
}

#[test]
fn facts_reach_into_loops() {
    let mut world = world();
    let unknown = world.module().unwrap();
    assert_eq!(unknown.helpers.len(), 1);
    world.facts = DescriptorFacts {
        buffers: vec![(
            DescriptorPlace::UserSgprs(0),
            BufferFact {
                known: [3, 0xffff_0000, u32::MAX, u32::MAX],
                value: [0, 0, 640, 0x3101_6fac],
            },
        )],
        ..DescriptorFacts::default()
    };
    let known = world.module().unwrap();
    assert!(known.helpers.is_empty());
    // The loop's block has parameters for what changes: s10, v1 and the like, not for the V#.
    let params = |m: &crate::ir::Module| -> usize {
        m.func.blocks().map(|b| m.func.block(b).params.len()).sum()
    };
    assert!(params(&known) <= 3, "{} parameters", params(&known));
    for module in [unknown, known] {
        world.memory[0].bytes.fill(0);
        world.run_module(&module).unwrap();
        let words: Vec<u32> = (0..160).map(|i| 0x30 + 5 - i / 32).collect();
        assert_eq!(world.dwords(0), words);
    }
}

/// A branch that writes a register on one way only: the join must not take the dominator's value.
#[test]
fn joins_see_writes_on_any_way() {
    let text = |which: &str| {
        format!(
            "s_mov_b32 s10, 1\n\
             s_mov_b32 s11, 2\n\
             s_cmp_lg_u32 s4, 0\n\
             s_cbranch_scc1 other\n\
             s_mov_b32 {which}, 7\n\
             other:\n\
             s_lshl_b32 s12, s11, 8\n\
             s_or_b32 s12, s12, s10\n\
             v_mov_b32_e32 v2, s12\n\
             v_lshlrev_b32_e32 v1, 2, v0\n\
             buffer_store_dword v2, v1, s[0:3], 0 offen\n\
             s_endpgm"
        )
    };
    for (which, taken, expected) in [
        ("s10", 0, 0x207),
        ("s10", 1, 0x201),
        ("s11", 0, 0x701),
        ("s11", 1, 0x201),
    ] {
        let user = [0, 1, 128, 0x3101_6fac, taken];
        let mut world =
            World::new(WaveSize::W32, &text(which), &user).words(0x1_0000_0000, &[0; 32]);
        world.run();
        assert_eq!(world.dwords(0), [expected; 32], "{which} {taken}");
    }
}

/// A loop back to the program's first instruction: user SGPRs that nothing writes stay what they are.
#[test]
fn a_loop_from_the_first_instruction() {
    let text = "v_lshlrev_b32_e32 v1, 2, v0\n\
                v_mov_b32_e32 v2, s5\n\
                buffer_store_dword v2, v1, s[0:3], 0 offen\n\
                s_add_u32 s0, s0, 128\n\
                s_sub_u32 s4, s4, 1\n\
                s_cmp_lg_u32 s4, 0\n\
                s_cbranch_scc1 -8\n\
                s_endpgm";
    let user = [0, 1, 128, 0x3101_6fac, 3, 0x77];
    let mut world = World::new(WaveSize::W32, text, &user).words(0x1_0000_0000, &[0; 96]);
    // The branch goes back over all words before it.
    let words = world.code.len() as u32 - 2;
    world.code[words as usize] = 0xbf85_0000 | (0x1_0000 - words - 1) & 0xffff;
    world.run();
    assert_eq!(world.dwords(0), [0x77; 96]);
}
