//! Scratch behind a launch's V# as the lanes' own. What it must hold comes from the same program with the scratch
//! in guest memory, where the V# leads.

use spirdna_isa::WaveSize;
use spirdna_isa::launch::SystemSgpr;

use super::world::World;
use crate::ir::{Module, Op};
use crate::lift::{Room, lift_private, private};
use crate::passes::dce;
use crate::program::Program;

const OUT: u64 = 0x2_0000_0000;
const BYTES: u32 = 64;

/// A V# at 0x1_0000_0000 of a wave32's scratch, the address of OUT.
const USER: [u32; 6] = [
    0,
    1 | 1 << 31,
    2 * 32 * BYTES,
    0xfac | 20 << 12 | 2 << 21 | 1 << 23 | 1 << 24 | 2 << 28,
    0,
    2,
];

/// Adds SCRATCH_OFFSET (s6), runs `body`, which leaves v2 and v3, and stores both.
fn world(body: &str) -> World {
    let text = format!(
        "s_add_u32 s0, s0, s6\n\
         s_addc_u32 s1, s1, 0\n\
         v_lshlrev_b32_e32 v1, 2, v0\n\
         v_and_b32_e32 v1, 60, v1\n\
         v_lshlrev_b32_e32 v5, 3, v0\n\
         v_mov_b32_e32 v2, 0\n\
         v_mov_b32_e32 v3, 0\n\
         {body}\n\
         global_store_dwordx2 v5, v[2:3], s[4:5]\n\
         s_endpgm"
    );
    let mut world = World::new(WaveSize::W32, &text, &USER)
        .region(0x1_0000_0000, vec![0; 2 * 32 * BYTES as usize])
        .region(OUT, vec![0; 256]);
    world.launch.scratch_bytes = BYTES;
    world.launch.scratch_vsharp = Some(0);
    world.launch.system_sgprs = vec![SystemSgpr::ScratchOffset];
    world
}

fn program(world: &World) -> Program {
    Program::decode(world.launch.target, &world.code).unwrap()
}

/// The module with scratch as the lanes' own, and whether it still needs the V#'s address.
fn own(world: &World) -> (Module, bool) {
    let program = program(world);
    assert!(private::may_own(&program, &world.launch));
    let mut module =
        lift_private(&mut Room::default(), &program, &world.launch, &world.facts).unwrap();
    crate::ir::verify::verify_module(&module).unwrap();
    dce::run(&mut module.func);
    let keeps = private::keeps_address(&module.func, &world.launch);
    (module, keeps)
}

fn accesses(module: &Module) -> usize {
    let func = &module.func;
    let insts = func.blocks().flat_map(|block| &func.block(block).insts);
    insts
        .filter(|&&inst| {
            matches!(
                func.inst(inst).op,
                Op::ScratchLoad { .. } | Op::ScratchStore { .. }
            )
        })
        .count()
}

/// A table by run-time index in a loop, bytes beside each other, a further part by SOFFSET.
const TABLE: &str = "s_mov_b32 s10, 3\n\
    s_movk_i32 s11, 0x200\n\
    again:\n\
    v_add_nc_u32_e32 v4, s10, v0\n\
    buffer_store_dword v4, v1, s[0:3], 0 offen\n\
    buffer_load_dword v3, v1, s[0:3], 0 offen\n\
    v_add_nc_u32_e32 v2, v2, v3\n\
    s_sub_u32 s10, s10, 1\n\
    s_cmp_lg_u32 s10, 0\n\
    s_cbranch_scc1 again\n\
    buffer_store_byte v2, v1, s[0:3], 0 offen offset:1\n\
    buffer_store_short v0, v1, s[0:3], 0 offen offset:2\n\
    buffer_load_dword v3, v1, s[0:3], 0 offen\n\
    buffer_store_dword v3, off, s[0:3], s11 offset:4\n\
    buffer_load_dword v2, off, s[0:3], 0 offset:20";

#[test]
fn it_holds_what_memory_behind_the_v_holds() {
    let mut in_memory = world(TABLE);
    in_memory.run();
    let mut own_array = world(TABLE);
    let (module, keeps) = own(&own_array);
    assert!(!keeps);
    assert_eq!(accesses(&module), 7);
    own_array.run_module(&module).unwrap();
    assert_eq!(own_array.dwords(1), in_memory.dwords(1));
    assert_ne!(in_memory.dwords(1), vec![0; 64]);
    assert_eq!(own_array.dwords(0), vec![0; 2 * 32 * BYTES as usize / 4]);
    assert_ne!(in_memory.dwords(0), own_array.dwords(0));
    assert!(own_array.faults.is_empty() && in_memory.faults.is_empty());
}

#[test]
fn lanes_that_leave_theirs_fault() {
    // Lanes 0 to 14 lie in the 64 bytes with both dwords; lane 15 and from lane 16 on (which begin again) one does not.
    let mut world = world("buffer_load_dwordx2 v[2:3], v1, s[0:3], 0 offen");
    let (module, keeps) = own(&world);
    assert!(!keeps);
    world.run_module(&module).unwrap();
    assert_eq!(world.faults.len(), 2, "lanes 15 and 31");
    let mut crossing = self::world("buffer_load_dword v2, v1, s[0:3], 0 offen offset:2");
    let (module, _) = own(&crossing);
    crossing.run_module(&module).unwrap();
    assert_eq!(crossing.faults.len(), 32);
}

#[test]
fn another_use_of_its_address_keeps_it_in_memory() {
    let (_, keeps) = own(&world(
        "buffer_store_dword v0, v1, s[0:3], 0 offen\ns_load_dword s8, s[0:1], 0x0\nv_mov_b32_e32 v2, s8",
    ));
    assert!(keeps, "a scalar load");
    let (_, keeps) = own(&world(
        "s_mov_b32 s8, 4\nbuffer_store_dword v0, v1, s[0:3], s8 offen",
    ));
    assert!(keeps, "another lane's by SOFFSET");
    let (_, keeps) = own(&world(
        "s_sub_u32 s0, s0, s6\nbuffer_store_dword v0, v1, s[0:3], 0 offen",
    ));
    assert!(keeps, "another wave's");
    let (_, keeps) = own(&world(
        "s_mov_b32 s3, 0x31016fac\nbuffer_store_dword v0, v1, s[0:3], 0 offen",
    ));
    assert!(keeps, "another V#");
    let (_, keeps) = own(&world("buffer_store_dword v0, v1, s[0:3], 0 idxen"));
    assert!(keeps, "another record");
    let flat = world("v_mov_b32_e32 v9, 0x20000\nv_mov_b32_e32 v8, 0\nflat_load_dword v2, v[8:9]");
    assert!(!private::may_own(&program(&flat), &flat.launch));
    let mut none = world("");
    none.launch.scratch_vsharp = None;
    assert!(!private::may_own(&program(&none), &none.launch));
}
