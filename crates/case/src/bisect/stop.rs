//! A case that stops: at a chosen visit of a chosen instruction every wave writes its registers to memory and
//! ends. The instruction's first word becomes a branch to code behind the program, which counts the visit
//! and writes and ends, or else executes the instruction and branches back. So the same machine code runs on
//! the reference and on any device, and what both leave can be compared. Knows no executor.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use spirdna_isa::launch::SystemSgpr;
use spirdna_isa::{Flow, Inst, Operand, RowFlags, SReg, Salu, Sem, Ty, WaveSize, assemble, decode};

use super::BisectError;
use crate::case::{Case, Dispatch};
use crate::memory::{Region, RegionId};

/// The region that the registers go to.
pub const REGION: &str = "trace";

/// What it holds where nobody wrote.
const UNWRITTEN: u8 = 0xcd;

/// Bytes of that region at most.
const MAX_BYTES: u64 = 1 << 28;

/// Where it may lie: the low half of the address is 0, so that no sum in it carries.
const PLACES: std::ops::Range<u64> = 0x2000..0x2040;

/// Registers of a program: what instructions name, and what was seen to change.
#[derive(Clone, Debug)]
pub struct Registers {
    scalars: [bool; 128],
    vectors: [bool; 256],
}

impl Default for Registers {
    fn default() -> Self {
        Registers {
            scalars: [false; 128],
            vectors: [false; 256],
        }
    }
}

impl Registers {
    /// Takes `count` scalars from `reg` on.
    pub fn scalar(&mut self, reg: SReg, count: u32) {
        for slot in self
            .scalars
            .iter_mut()
            .skip(reg.index())
            .take(count as usize)
        {
            *slot = true;
        }
    }

    /// Takes `count` vectors from `reg` on.
    pub fn vector(&mut self, reg: u8, count: u32) {
        let from = usize::from(reg);
        for slot in self.vectors.iter_mut().skip(from).take(count as usize) {
            *slot = true;
        }
    }

    fn has_scalar(&self, code: u8) -> bool {
        self.scalars.get(usize::from(code)).copied().unwrap_or(true)
    }

    fn has_vector(&self, reg: u8) -> bool {
        self.vectors.get(usize::from(reg)).copied().unwrap_or(true)
    }

    /// Takes what an instruction names.
    fn instruction(&mut self, inst: &Inst, wave: WaveSize) {
        /// Registers of an operand whose width the instruction's fields say: more than any has.
        const WIDEST: u32 = 16;
        for (operand, ty) in inst.dsts().chain(inst.srcs()) {
            let count = match (ty, ty.bits()) {
                (Ty::Mask, _) => wave.lanes() / 32,
                (_, Some(bits)) => bits.div_ceil(32),
                (_, None) => WIDEST,
            };
            match operand {
                Operand::S(reg) => self.scalar(reg, count),
                Operand::V(reg) => self.vector(reg, count),
                _ => {}
            }
        }
    }
}

/// Rows that are stored together: a store's address costs more than its data.
const PART: usize = 4;

/// What a row of a wave's block holds: a dword of each lane. A block holds parts of four rows, in each the
/// four dwords of lane 0, then of lane 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A scalar, the same in each lane.
    Scalar(u8),
    /// SCC.
    Scc,
    /// A vector.
    Vector(u8),
}

impl Source {
    /// The register's name.
    pub fn name(self) -> String {
        match self {
            Source::Scalar(106) => "vcc_lo".to_owned(),
            Source::Scalar(107) => "vcc_hi".to_owned(),
            Source::Scalar(124) => "m0".to_owned(),
            Source::Scalar(126) => "exec_lo".to_owned(),
            Source::Scalar(127) => "exec_hi".to_owned(),
            Source::Scalar(n) => format!("s{n}"),
            Source::Scc => "scc".to_owned(),
            Source::Vector(n) => format!("v{n}"),
        }
    }
}

/// Vectors that a stop needs: an address, and four dwords.
const VECTORS: u8 = 6;

/// Scalars that the program does not name, and what they are for.
#[derive(Clone, Copy, Debug)]
struct Spare {
    /// Lanes that live, a pair.
    live: u8,
    /// EXEC where the wave stops, a pair.
    exec: u8,
    visits: u8,
    base: u8,
    scc: u8,
    scratch: u8,
}

/// A case that can be stopped.
pub struct Stoppable<'a> {
    case: &'a Case,
    dispatch: &'a Dispatch,
    /// The instructions that control may reach, by pc.
    pub instructions: BTreeMap<u32, Inst>,
    /// A wave's block.
    pub rows: Vec<Source>,
    spare: Spare,
    /// The first of [`VECTORS`] vectors.
    vector: u8,
    address: u64,
    bytes: u64,
}

fn no_room(what: &str) -> BisectError {
    BisectError::Unsupported(what.to_owned())
}

impl<'a> Stoppable<'a> {
    /// Looks at a case's only dispatch. `pcs`: instructions that were executed; `changed`: registers that were
    /// seen to change.
    ///
    /// # Errors
    /// The program leaves no registers, or is too long for its branches.
    pub fn new(
        case: &'a Case,
        pcs: impl Iterator<Item = u32>,
        changed: &Registers,
    ) -> Result<Stoppable<'a>, BisectError> {
        let [dispatch] = case.dispatches.as_slice() else {
            return Err(no_room("more than one dispatch"));
        };
        let launch = &dispatch.launch;
        let instructions = reach(dispatch, pcs.chain([launch.entry]));
        let mut used = changed.clone();
        for inst in instructions.values() {
            used.instruction(inst, launch.wave);
        }
        for (reg, _) in &launch.vgprs {
            used.vector(*reg, 1);
        }
        // The ids of the wave follow the launch's own scalars.
        let first_free = launch.user_sgprs + launch.system_sgprs.len() as u32 + 4;
        let mut free = (0..SReg::SGPRS)
            .rev()
            .filter(|&s| u32::from(s) >= first_free && !used.has_scalar(s));
        let pairs = (0..SReg::SGPRS / 2).rev().map(|n| 2 * n).filter(|&s| {
            u32::from(s) >= first_free && !used.has_scalar(s) && !used.has_scalar(s + 1)
        });
        let pairs: Vec<u8> = pairs.take(2).collect();
        let &[live, exec] = pairs.as_slice() else {
            return Err(no_room("a program that leaves no scalar registers"));
        };
        let mut single = || {
            free.find(|s| ![live, live + 1, exec, exec + 1].contains(s))
                .ok_or_else(|| no_room("a program that leaves no scalar registers"))
        };
        let spare = Spare {
            live,
            exec,
            visits: single()?,
            base: single()?,
            scc: single()?,
            scratch: single()?,
        };
        let vector = (0..=u8::MAX - (VECTORS - 1))
            .rev()
            .find(|&v| (v..=v + (VECTORS - 1)).all(|v| !used.has_vector(v)))
            .ok_or_else(|| no_room("a program that leaves no vector registers"))?;
        let rows = rows(&used, launch.wave);
        let dwords = rows.len().next_multiple_of(PART) as u64;
        let block = 4 * dwords * u64::from(launch.wave.lanes());
        let groups: u64 = dispatch.groups.iter().map(|&n| u64::from(n)).product();
        let bytes = block.saturating_mul(groups).saturating_mul(launch.waves());
        if bytes > MAX_BYTES {
            return Err(no_room("a grid whose registers take too much memory"));
        }
        let address = PLACES
            .map(|high| high << 32)
            .find(|&at| case.memory.is_free(at, bytes))
            .ok_or_else(|| no_room("memory without a free place"))?;
        Ok(Stoppable {
            case,
            dispatch,
            instructions,
            rows,
            spare,
            vector,
            address,
            bytes,
        })
    }

    /// Bytes of a wave's block.
    pub fn block(&self) -> usize {
        let dwords = self.rows.len().next_multiple_of(PART);
        4 * dwords * self.dispatch.launch.wave.lanes() as usize
    }

    /// A row's value in a lane of a block; `None` outside of it.
    pub fn value(&self, block: &[u8], row: usize, lane: usize) -> Option<u32> {
        let lanes = self.dispatch.launch.wave.lanes() as usize;
        let at = 4 * ((row / PART * lanes + lane) * PART + row % PART);
        let word = block.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*word))
    }

    /// Whether a stop can stand at an instruction: one that may be executed elsewhere.
    pub fn can_stop(&self, pc: u32) -> bool {
        self.instructions.get(&pc).is_some_and(|inst| {
            !matches!(
                inst.sem(),
                Sem::Salu(Salu::GetPc)
                    | Sem::Flow(
                        Flow::SwapPc
                            | Flow::Call
                            | Flow::CodeEnd
                            | Flow::Rfe
                            | Flow::Trap
                            | Flow::SetHalt
                            | Flow::SubvectorLoopBegin
                            | Flow::SubvectorLoopEnd
                    )
            )
        })
    }

    /// The case that stops where each wave comes to an instruction for the `visit`th time, before it executes.
    ///
    /// # Errors
    /// The program is too long for its branches.
    pub fn stopped(&self, pc: u32, visit: u32) -> Result<Case, BisectError> {
        let inst = self.instructions.get(&pc);
        let inst = inst.ok_or_else(|| no_room("a stop outside the program"))?;
        let (mut launch, mut code) = (self.dispatch.launch.clone(), self.dispatch.code.clone());
        let first = launch.user_sgprs + launch.system_sgprs.len() as u32;
        let ids = [0, 1, 2].map(SystemSgpr::GroupId);
        launch.system_sgprs.extend(ids);
        launch.system_sgprs.push(SystemSgpr::TgSize);
        // Whoever comes to the program comes by here.
        launch.entry = 4 * code.len() as u32;
        code.extend(self.assemble(&self.prologue(first))?);
        let back = self.branch(code.len(), self.dispatch.launch.entry)?;
        code.push(back);
        let at = code.len();
        code.extend(self.assemble(&self.stop(visit))?);
        match (inst.branch_target(), inst.words()) {
            (Some(target), &[word]) => {
                let moved = offset(code.len(), target)?;
                code.push(word & 0xffff_0000 | u32::from(moved));
            }
            (_, words) => code.extend(words),
        }
        let back = self.branch(code.len(), inst.next_pc())?;
        code.push(back);
        let there = self.branch((pc / 4) as usize, 4 * at as u32)?;
        let place = code.get_mut((pc / 4) as usize);
        *place.ok_or_else(|| no_room("a stop outside the program"))? = there;
        let mut case = self.case.clone();
        case.original = None;
        case.dispatches = vec![Dispatch {
            code,
            launch,
            ..self.dispatch.clone()
        }];
        let region = Region {
            name: REGION.to_owned(),
            address: self.address,
            bytes: vec![UNWRITTEN; self.bytes as usize],
        };
        let added = case.memory.add(region);
        added.map_err(|e| no_room(&format!("memory where the registers go: {e}")))?;
        Ok(case)
    }

    /// The region of a stopped case that holds the registers.
    pub fn region(case: &Case) -> RegionId {
        RegionId(case.memory.regions().len().saturating_sub(1))
    }

    fn assemble(&self, text: &str) -> Result<Vec<u32>, BisectError> {
        let launch = &self.dispatch.launch;
        assemble(launch.target, launch.wave, text).map_err(|errors| {
            let first = errors.first().map(ToString::to_string);
            BisectError::Internal(format!("{text}\n{}", first.unwrap_or_default()))
        })
    }

    /// A branch that stands at a word and goes to a pc.
    fn branch(&self, at: usize, to: u32) -> Result<u32, BisectError> {
        let words = self.assemble(&format!("s_branch {}", offset(at, to)?))?;
        words
            .first()
            .copied()
            .ok_or_else(|| BisectError::Internal("a branch without a word".to_owned()))
    }

    /// Finds the wave's block and the lanes that live, and leaves the registers as the launch has them; the
    /// wave's ids are in the four scalars from `first` on.
    fn prologue(&self, first: u32) -> String {
        let launch = &self.dispatch.launch;
        let [nx, ny, _] = self.dispatch.groups;
        let (x, y, z, tg) = (first, first + 1, first + 2, first + 3);
        let Spare {
            live,
            visits,
            base,
            scratch,
            ..
        } = self.spare;
        let mut text = format!(
            "s_mul_i32 s{base}, s{z}, {ny:#x}\n\
             s_add_u32 s{base}, s{base}, s{y}\n\
             s_mul_i32 s{base}, s{base}, {nx:#x}\n\
             s_add_u32 s{base}, s{base}, s{x}\n\
             s_mul_i32 s{base}, s{base}, {:#x}\n\
             s_bfe_u32 s{scratch}, s{tg}, 0x60006\n\
             s_add_u32 s{base}, s{base}, s{scratch}\n\
             s_mul_i32 s{base}, s{base}, {:#x}\n\
             s_mov_b32 s{visits}, 0\n",
            launch.waves(),
            self.block(),
        );
        match launch.wave {
            WaveSize::W32 => line(&mut text, format_args!("s_mov_b32 s{live}, exec_lo")),
            WaveSize::W64 => {
                let high = live + 1;
                line(&mut text, format_args!("s_mov_b64 s[{live}:{high}], exec"));
            }
        }
        for id in [x, y, z, tg] {
            line(&mut text, format_args!("s_mov_b32 s{id}, 0"));
        }
        line(&mut text, format_args!("s_cmp_lg_u32 s{visits}, 0"));
        text
    }

    /// Counts the visit, and at the right one writes the registers and ends; otherwise falls through with
    /// every register as it was.
    fn stop(&self, visit: u32) -> String {
        let Spare {
            live,
            exec,
            visits,
            base,
            scc,
            ..
        } = self.spare;
        let wave = self.dispatch.launch.wave;
        let (low, high, data) = (self.vector, self.vector + 1, self.vector + 2);
        let mut text = format!(
            "s_cselect_b32 s{scc}, 1, 0\n\
             s_add_u32 s{visits}, s{visits}, 1\n\
             s_cmp_eq_u32 s{visits}, {visit:#x}\n\
             s_cbranch_scc0 on\n\
             s_waitcnt 0\n",
        );
        match wave {
            WaveSize::W32 => line(
                &mut text,
                format_args!(
                    "s_mov_b32 s{exec}, exec_lo\ns_mov_b32 exec_lo, s{live}\n\
                     v_mbcnt_lo_u32_b32 v{low}, -1, 0"
                ),
            ),
            WaveSize::W64 => {
                let (exec_high, live_high) = (exec + 1, live + 1);
                line(
                    &mut text,
                    format_args!(
                        "s_mov_b64 s[{exec}:{exec_high}], exec\n\
                         s_mov_b64 exec, s[{live}:{live_high}]\n\
                         v_mbcnt_lo_u32_b32 v{low}, -1, 0\n\
                         v_mbcnt_hi_u32_b32 v{low}, -1, v{low}"
                    ),
                );
            }
        }
        line(
            &mut text,
            format_args!(
                "v_lshlrev_b32_e32 v{low}, 4, v{low}\n\
                 v_add_nc_u32_e32 v{low}, s{base}, v{low}\n\
                 v_mov_b32_e32 v{high}, {:#x}",
                self.address >> 32
            ),
        );
        // As far as an offset reaches.
        let part = 4 * PART as u32 * wave.lanes();
        let reach = 2048 / part;
        for (n, sources) in (0..).zip(self.rows.chunks(PART)) {
            let at = n % reach * part;
            if n > 0 && n % reach == 0 {
                let step = reach * part;
                line(
                    &mut text,
                    format_args!("v_add_nc_u32_e32 v{low}, {step:#x}, v{low}"),
                );
            }
            for (to, source) in (data..=data + 3).zip(sources) {
                let from = match (source, wave) {
                    (Source::Scalar(126), _) => format!("s{exec}"),
                    (Source::Scalar(127), WaveSize::W64) => format!("s{}", exec + 1),
                    (Source::Scc, _) => format!("s{scc}"),
                    (source, _) => source.name(),
                };
                line(&mut text, format_args!("v_mov_b32_e32 v{to}, {from}"));
            }
            let last = data + 3;
            line(
                &mut text,
                format_args!(
                    "global_store_dwordx4 v[{low}:{high}], v[{data}:{last}], off offset:{at}"
                ),
            );
        }
        line(
            &mut text,
            format_args!("s_endpgm\non:\ns_cmp_lg_u32 s{scc}, 0"),
        );
        text
    }
}

/// Adds a line.
fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = text.write_fmt(line);
    text.push('\n');
}

/// SIMM16 of a branch that stands at a word and goes to a pc.
fn offset(at: usize, to: u32) -> Result<u16, BisectError> {
    let distance = i64::from(to / 4) - (at as i64 + 1);
    let near = i16::try_from(distance).map(i16::cast_unsigned);
    near.map_err(|_| no_room("a program that is too long for its branches"))
}

/// What a wave's block holds.
fn rows(used: &Registers, wave: WaveSize) -> Vec<Source> {
    let always = [126, 106, 124];
    let high = match wave {
        WaveSize::W64 => vec![127, 107],
        WaveSize::W32 => vec![],
    };
    let named = [127, 107].into_iter().chain(0..SReg::SGPRS);
    let mut scalars: Vec<u8> = always.into_iter().chain(high).collect();
    for code in named {
        if used.has_scalar(code) && !scalars.contains(&code) {
            scalars.push(code);
        }
    }
    let scalars = scalars.into_iter().map(Source::Scalar);
    let vectors = (0..=255).filter(|&v| used.has_vector(v));
    scalars
        .chain([Source::Scc])
        .chain(vectors.map(Source::Vector))
        .collect()
}

/// The instructions that control may reach from some pcs, as far as branches say.
fn reach(dispatch: &Dispatch, from: impl Iterator<Item = u32>) -> BTreeMap<u32, Inst> {
    let mut found = BTreeMap::new();
    let mut left: Vec<u32> = from.collect();
    while let Some(pc) = left.pop() {
        let index = (pc / 4) as usize;
        if found.contains_key(&pc) || index >= dispatch.code.len() {
            continue;
        }
        let Ok(inst) = decode(dispatch.launch.target, &dispatch.code, index) else {
            continue;
        };
        if inst.flags().contains(RowFlags::BRANCH) {
            left.extend(inst.branch_target());
        }
        let goes_on = !matches!(
            inst.sem(),
            Sem::Flow(
                Flow::Branch | Flow::EndPgm | Flow::EndPgmSpecial | Flow::SetPc | Flow::CodeEnd
            )
        );
        if goes_on {
            left.push(inst.next_pc());
        }
        found.insert(pc, inst);
    }
    found
}
