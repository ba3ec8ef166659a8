//! A bench for one vector instruction: registers with edge values and random ones, a wave that is partly
//! active, and the same words on the reference interpreter and, lifted and lowered, on the IR's evaluator.

use spirdna_isa::launch::{Denorm, InitialVgpr, Mode, Round};
use spirdna_isa::{
    Access, Class, Encoding, Ext, Inst, Omod, Opcode, Operand, Parts, RowFlags, SReg, Slot, Target,
    TextOptions, WaveSize, encode, inst_to_string,
};
use spirdna_reference::{Grid, Options, Regions, run_dispatch};
pub(super) use spirdna_values::Random;

use super::world::World;
use crate::ir::{Module, Op};
use crate::options::{Fidelity, Nans};
use crate::passes::lower_float::{self, sim::SimHost};
use crate::profile::HostProfile;

const OUT: u64 = 0x10_0000;
const LANES: usize = 64;
/// Bytes that each lane leaves.
const RECORD: usize = 48;

pub(super) fn modes() -> [Mode; 5] {
    [
        Mode {
            denorm32: Denorm::Allow,
            ieee: true,
            ..Mode::default()
        },
        Mode {
            round32: Round::PlusInfinity,
            round16_64: Round::TowardZero,
            denorm16_64: Denorm::FlushIn,
            ..Mode::default()
        },
        Mode::default(),
        Mode {
            round32: Round::MinusInfinity,
            round16_64: Round::MinusInfinity,
            denorm32: Denorm::FlushOut,
            denorm16_64: Denorm::FlushInOut,
            ieee: true,
            dx10_clamp: false,
            fp16_ovfl: false,
        },
        Mode {
            denorm16_64: Denorm::FlushOut,
            fp16_ovfl: true,
            ..Mode::default()
        },
    ]
}

/// A row in an encoding with the registers that the bench gives it.
pub(super) fn plain(opcode: Opcode, encoding: Encoding, ext: Ext) -> Parts {
    let row = opcode.row();
    let mut parts = Parts::new(opcode, encoding, ext);
    let sources = row
        .operands
        .iter()
        .filter(|s| s.access == Access::Src)
        .count() as u8;
    for (to, spec) in parts.operands.iter_mut().zip(row.operands) {
        let vector = matches!(spec.class, Class::Vgpr | Class::Any);
        *to = match spec.slot {
            Slot::Vdst => Operand::V(10),
            Slot::SgprDst => Operand::S(SReg::from_code(10)),
            Slot::CarryOut | Slot::CarryIn | Slot::CmpDst | Slot::Vcc => Operand::S(SReg::VCC_LO),
            Slot::Src0 if vector => Operand::V(0),
            Slot::Src1 if vector => Operand::V(2),
            Slot::Src2 if vector => Operand::V(4),
            Slot::Src0 | Slot::Src1 => Operand::S(SReg::from_code(2)),
            Slot::Src2 => Operand::S(SReg::from_code(3)),
            Slot::Literal => Operand::Literal(0x3fab_3c01),
            _ => Operand::Off,
        };
    }
    if encoding == Encoding::Vop3p {
        parts.valu.op_sel_hi = (1u8 << sources.min(3)) - 1;
    }
    parts
}

/// The same with modifiers, by number.
pub(super) fn instruction(opcode: Opcode, encoding: Encoding, variant: usize) -> Option<Inst> {
    let row = opcode.row();
    let mut parts = plain(opcode, encoding, Ext::None);
    let sources = row
        .operands
        .iter()
        .filter(|s| s.access == Access::Src)
        .count() as u8;
    let flags = row.flags;
    let all = (1u8 << sources.min(3)) - 1;
    match variant {
        0 => {}
        1 => {
            let bit = |f: RowFlags, n: u8| if flags.contains(f) { n } else { 0 };
            match encoding {
                Encoding::Vop3 => {
                    parts.valu.neg = bit(RowFlags::NEG0, 1) | bit(RowFlags::NEG2, 4);
                    parts.valu.abs = bit(RowFlags::ABS1, 2);
                    parts.valu.clamp = flags.contains(RowFlags::CLAMP);
                    if flags.contains(RowFlags::OMOD) {
                        parts.valu.omod = Omod::Mul2;
                    }
                    if flags.contains(RowFlags::OPSEL) {
                        let half = |i: usize| {
                            row.operands
                                .iter()
                                .filter(|s| s.access == Access::Src)
                                .nth(i)
                                .is_some_and(|s| s.ty.bits() == Some(16))
                        };
                        for i in 0..usize::from(sources.min(3)) {
                            parts.valu.op_sel |= u8::from(half(i)) << i;
                        }
                        if row.operands[0].ty.bits() == Some(16) {
                            parts.valu.op_sel |= 8;
                        }
                    }
                }
                Encoding::Vop3p => {
                    parts.valu.op_sel = all & 1;
                    parts.valu.op_sel_hi = all & !1;
                    parts.valu.clamp = flags.contains(RowFlags::CLAMP);
                }
                _ => return None,
            }
        }
        2 if encoding == Encoding::Vop3p => {
            parts.valu.neg = all & 5;
            parts.valu.neg_hi = all & 2;
            parts.valu.clamp = true;
        }
        3 if encoding == Encoding::Vop3p => {
            parts.valu.op_sel_hi = 0;
        }
        _ => return None,
    }
    encode(Target::Gfx1030, 0, &parts).ok()
}

/// What an instruction runs in.
#[derive(Clone)]
pub(super) struct Setup {
    pub(super) wave: WaveSize,
    pub(super) mode: Mode,
    /// The host that floats are lowered for, and what executes its operations.
    pub(super) host: Option<(HostProfile, SimHost)>,
    /// Sets of registers that it is given.
    pub(super) rounds: usize,
}

impl Setup {
    pub(super) fn new(mode: Mode) -> Setup {
        Setup {
            wave: WaveSize::W32,
            mode,
            host: None,
            rounds: 4,
        }
    }
}

/// What a program that executes the instruction runs in.
pub(super) fn world(words: &[u32], mode: Mode) -> World {
    world_of(words, &Setup::new(mode))
}

fn world_of(words: &[u32], setup: &Setup) -> World {
    let save = match setup.wave {
        WaveSize::W32 => "s_mov_b32 s20, exec_lo\ns_mov_b32 exec_lo, -1\n",
        WaveSize::W64 => "s_mov_b64 s[20:21], exec\ns_mov_b64 exec, -1\n",
    };
    let text = format!(
        "{save}v_mov_b32 v14, vcc_lo\nv_mov_b32 v15, s10\nv_mov_b32 v16, s20\nv_mov_b32 v17, v2\n\
        v_mov_b32 v18, vcc_hi\nv_mov_b32 v19, s11\nv_mov_b32 v20, s21\nv_mov_b32 v21, v3\n\
        global_store_dwordx4 v[8:9], v[10:13], off\n\
        global_store_dwordx4 v[8:9], v[14:17], off offset:16\n\
        global_store_dwordx4 v[8:9], v[18:21], off offset:32\ns_endpgm\n"
    );
    let user: Vec<u32> = (0..16)
        .map(|i| 0x0102_0304u32.wrapping_mul(i + 5))
        .collect();
    let mut world = World::new(setup.wave, &text, &user);
    world.code.splice(0..0, words.iter().copied());
    world.launch.mode = setup.mode;
    world.launch.vcc = Some(0x3c5a_e1f0_a5c3_1e0f);
    world.launch.exec = Some(0x7fff_bffe_fffe_7fff);
    world.launch.m0 = Some(1);
    world.host = setup.host.as_ref().map(|(_, host)| *host);
    world.region(OUT, vec![0; RECORD * LANES])
}

/// Words of 32 bits in all registers.
pub(super) fn registers_like(random: &mut Random) -> Vec<(u8, InitialVgpr)> {
    let add = instruction(Opcode::V_ADD_F32, Encoding::Vop2, 0).unwrap();
    registers(random, &add, WaveSize::W32)
}

fn registers(random: &mut Random, inst: &Inst, wave: WaveSize) -> Vec<(u8, InitialVgpr)> {
    let mut words = vec![[0u32; 14]; wave.lanes() as usize];
    for (lane, w) in words.iter_mut().enumerate() {
        for x in &mut *w {
            *x = random.word();
        }
        for (operand, ty) in inst.srcs() {
            if let Operand::V(n) = operand
                && usize::from(n) < 12
            {
                let n = usize::from(n);
                let size = ty.bits().unwrap_or(32).div_ceil(32) as usize;
                random.fill(ty, &mut w[n..n + size]);
            }
        }
        // Equal operands and near ones are cases of their own.
        if random.bits().is_multiple_of(6) {
            (w[2], w[3]) = (w[0], w[1]);
        }
        if random.bits().is_multiple_of(6) {
            (w[4], w[5]) = (w[2], w[3] ^ (1 << 31));
        }
        let address = OUT + (RECORD * lane) as u64;
        (w[8], w[9]) = (address as u32, (address >> 32) as u32);
    }
    (0..14)
        .map(|r| {
            let values = words.iter().map(|w| w[usize::from(r)]).collect();
            (r, InitialVgpr::PerLane(values))
        })
        .collect()
}

pub(super) fn lowered(world: &World) -> Result<Module, String> {
    lowered_for(world, &HostProfile::portable(32))
}

fn lowered_for(world: &World, profile: &HostProfile) -> Result<Module, String> {
    let mut module = world
        .module()
        .map_err(|e| e.first().map_or_else(String::new, ToString::to_string))?;
    lower_float::run(&mut module, profile, Fidelity::Exact, Nans::Payload)
        .map_err(|e| e.first().map_or_else(String::new, ToString::to_string))?;
    Ok(module)
}

/// Whether the host computes anything.
fn uses_host(module: &Module) -> bool {
    let helpers = module.helpers.iter().map(|h| &h.func);
    helpers.chain([&module.func]).any(|func| {
        func.blocks()
            .flat_map(|block| &func.block(block).insts)
            .any(|&inst| matches!(func.inst(inst).op, Op::Host(..)))
    })
}

/// What the reference leaves in memory; `None` where it refuses.
pub(super) fn reference(world: &World) -> Option<Vec<u8>> {
    let mut memory = Regions::new();
    memory.map(OUT, vec![0; RECORD * LANES]).unwrap();
    run_dispatch(
        &world.code,
        &world.launch,
        &world.user,
        Grid::groups([1, 1, 1]),
        &mut memory,
        &Options::default(),
    )
    .ok()?;
    memory.region(OUT).map(<[u8]>::to_vec)
}

/// Runs an instruction; what differs, or why it was not run.
pub(super) fn compare(
    inst: &Inst,
    setup: &Setup,
    random: &mut Random,
) -> Result<Option<String>, String> {
    let mut world = world_of(inst.words(), setup);
    world.launch.vgprs = registers(random, inst, setup.wave);
    let module = match &setup.host {
        None => lowered(&world)?,
        Some((profile, _)) => {
            let module = lowered_for(&world, profile)?;
            if !uses_host(&module) {
                return Err("no host operation".to_owned());
            }
            module
        }
    };
    for _ in 0..setup.rounds {
        world.launch.vgprs = registers(random, inst, setup.wave);
        let Some(expected) = reference(&world) else {
            return Err("the reference refuses it".to_owned());
        };
        world.memory[0].bytes.fill(0);
        world.run_module(&module).unwrap();
        let found = &world.memory[0].bytes;
        if let Some(i) = (0..expected.len()).find(|&i| expected[i] != found[i]) {
            let (lane, word) = (i / RECORD, i % RECORD / 4);
            let at = i / 4 * 4;
            let get = |b: &[u8]| u32::from_le_bytes(b[at..at + 4].try_into().unwrap());
            let inputs: Vec<String> = [0, 1, 2, 3, 4, 5, 6, 7, 10, 11]
                .iter()
                .map(|&r| match &world.launch.vgprs[r].1 {
                    InitialVgpr::PerLane(values) => format!("v{r}={:08x}", values[lane]),
                    InitialVgpr::LocalId(_) | InitialVgpr::Stage(_) => String::new(),
                })
                .collect();
            return Ok(Some(format!(
                "{} {:?} {:?}: lane {lane} word {word}: {:08x} instead of {:08x}, {}",
                text(inst),
                setup.wave,
                setup.mode,
                get(found),
                get(&expected),
                inputs.join(" ")
            )));
        }
    }
    Ok(None)
}

/// An instruction as text.
pub(super) fn text(inst: &Inst) -> String {
    inst_to_string(inst, TextOptions::llvm(WaveSize::W32))
}
