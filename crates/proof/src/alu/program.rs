//! The program around instances. Owns the registers that they are given: loads their sources, runs each
//! under the workgroup's EXEC, and stores every register that it can write. Knows rows only by their
//! operands and flags.
//!
//! Registers: s[0:1] inputs, s[2:3] results, s4 workgroup, s[6:7] the workgroup's block, s[8:9] its
//! results; s32 on the block's scalars; v0 lane, v1 its input offset, v2 its result offset, v4 on its
//! values ([`super::data`]).

use std::fmt::Write as _;
use std::ops::Range;

use spirdna_isa::{
    Access, Flow, Inst, Operand, RowFlags, SReg, Salu, Sem, Slot, Ty, Valu, WaveSize, assemble,
};

use super::data::{HEAD, LANE, block_bytes};
use super::instances::Item;

/// Whether an instruction works on the wave or on its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On the wave: one lane stores what it left.
    Scalar,
    /// On lanes: each stores what it left.
    Vector,
}

/// Vector sources 0, 1 and 2, and their scalar counterparts.
pub const V_SOURCES: [u8; 3] = [4, 6, 8];
/// See [`V_SOURCES`].
pub const S_SOURCES: [u8; 3] = [40, 42, 44];
/// The old content of destinations: four VGPRs, and a pair of SGPRs.
const V_OLD: u8 = 12;
/// The destinations.
pub const V_DST: u8 = 16;
/// A source that is written too.
pub const V_BOTH: u8 = 24;
/// The scalar destination.
pub const S_DST: u8 = 64;
/// A scalar source that stands for a mask: random bits.
pub const S_MASK: u8 = 38;

/// A finished program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The code.
    pub code: Vec<u32>,
    /// Bytes of a run of results: those of a lane, of the wave where it is scalar.
    pub run_bytes: usize,
    /// Runs of a workgroup.
    pub runs: usize,
    /// The dwords of a run that are each instance's.
    pub results: Vec<Range<usize>>,
}

/// Where a result stands when the instruction is done.
enum Place {
    V(u8),
    S(String),
}

/// Assembles the program of instances of one kind and wave size.
///
/// # Errors
/// It does not assemble: a reason in words.
pub fn build(items: &[&Item], wave: WaveSize) -> Result<Program, String> {
    let first = items.first().ok_or("no instance")?;
    let kind = first.kind;
    let mut results = Vec::new();
    let mut text = Text {
        out: String::new(),
        wave,
        kind,
        results: 0,
    };
    for item in items {
        let from = text.results;
        text.item(item);
        results.push(from..text.results);
    }
    text.flush();
    let (run_bytes, runs) = match kind {
        Kind::Scalar => (4 * LANES * text.results.div_ceil(LANES), 1),
        Kind::Vector => (16 * text.results.div_ceil(4), wave.lanes() as usize),
    };
    let body = text.out;
    let mut all = String::new();
    // Writing to a String does not fail.
    // What the translator knows to be a multiple of 4 it accesses by dwords.
    for (pointer, stride, to) in [(0, block_bytes(kind, wave), 6), (2, run_bytes * runs, 8)] {
        let _ = writeln!(
            all,
            "s_and_b32 s{pointer}, s{pointer}, -16\n\
             s_mul_i32 s5, s4, {:#x}\n\
             s_lshl_b32 s5, s5, 4\n\
             s_add_u32 s{to}, s{pointer}, s5\n\
             s_addc_u32 s{}, s{}, 0",
            stride / 16,
            to + 1,
            pointer + 1,
        );
    }
    all.push_str("s_load_dwordx16 s[32:47], s[6:7], 0x0\n");
    if kind == Kind::Vector {
        for (v, bytes) in [(1, 4 * LANE), (2, run_bytes)] {
            let _ = writeln!(all, "v_mul_u32_u24_e32 v{v}, {:#x}, v0", bytes / 16);
            let _ = writeln!(all, "v_lshlrev_b32_e32 v{v}, 4, v{v}");
        }
        for chunk in 0..LANE / 4 {
            let (v, at) = (4 + 4 * chunk, 4 * HEAD + 16 * chunk);
            let _ = writeln!(
                all,
                "global_load_dwordx4 v[{v}:{}], v1, s[6:7] offset:{at}",
                v + 3
            );
        }
    } else {
        all.push_str("v_lshlrev_b32_e32 v2, 2, v0\n");
    }
    all.push_str("s_waitcnt vmcnt(0) lgkmcnt(0)\n");
    all.push_str(&body);
    all.push_str("s_endpgm\n");
    let code = assemble(first.key.target(), wave, &all).map_err(|errors| {
        let error = errors.first().map_or_else(String::new, ToString::to_string);
        format!("the frame does not assemble: {error}")
    })?;
    Ok(Program {
        code,
        run_bytes,
        runs,
        results,
    })
}

struct Text {
    out: String,
    wave: WaveSize,
    kind: Kind,
    /// Dwords of results so far. A vector program gathers four in v[28:31] and stores them; a scalar one
    /// gathers as many in the lanes of v28, so that it stores seldom.
    results: usize,
}

/// The first VGPR of the staging area.
const STAGE: usize = 28;

/// Lanes that a scalar program gathers results in.
const LANES: usize = 32;

impl Text {
    fn line(&mut self, line: impl std::fmt::Display) {
        // Writing to a String does not fail.
        let _ = writeln!(self.out, "{line}");
    }

    /// Writes EXEC, from a pair of SGPRs or -1.
    fn set_exec(&mut self, from: Option<u8>) {
        match (self.wave, from) {
            (WaveSize::W32, None) => self.line("s_mov_b32 exec_lo, -1"),
            (WaveSize::W64, None) => self.line("s_mov_b64 exec, -1"),
            (_, Some(s)) => {
                self.line(format_args!("s_mov_b64 exec, s[{s}:{}]", s + 1));
            }
        }
    }

    fn item(&mut self, item: &Item) {
        let inst = &item.inst;
        let flags = inst.flags();
        self.line("s_mov_b64 vcc, s[34:35]");
        let m0 = if two_indices(inst.sem()) { 46 } else { 37 };
        self.line(format_args!("s_mov_b32 m0, s{m0}"));
        for pair in (S_DST..S_DST + 8).step_by(2) {
            let many = flags.contains(RowFlags::INDEXED);
            if pair == S_DST || many && self.kind == Kind::Scalar {
                self.line(format_args!("s_mov_b64 s[{pair}:{}], s[38:39]", pair + 1));
            }
        }
        for (operand, ty) in inst.dsts() {
            if let Operand::V(v) = operand {
                for i in 0..vector_dwords(inst, ty) {
                    let old = if v == V_BOTH { 4 } else { V_OLD + i % 4 };
                    self.line(format_args!("v_mov_b32_e32 v{}, v{old}", v + i));
                }
            }
        }
        for line in &item.before {
            self.line(line);
        }
        if self.kind == Kind::Scalar || flags.intersects(RowFlags::RD_SCC | RowFlags::WR_SCC) {
            self.line("s_cmp_lg_u32 s36, 0");
        }
        self.set_exec(Some(32));
        for word in inst.words() {
            self.line(format_args!(".long {word:#x}"));
        }
        for line in &item.after {
            self.line(line);
        }
        let places = self.places(inst, item);
        for place in places {
            self.stage(&place);
        }
    }

    /// What an instruction can write. Flags are saved first, EXEC is set for the stores.
    fn places(&mut self, inst: &Inst, item: &Item) -> Vec<Place> {
        let flags = inst.flags();
        let mut places = Vec::new();
        let scalar = self.kind == Kind::Scalar;
        if scalar || flags.contains(RowFlags::WR_SCC) {
            self.line("s_cselect_b32 s78, 1, 0");
            places.push(Place::S("s78".to_owned()));
        }
        let mut exec = flags.contains(RowFlags::WR_EXEC);
        for (operand, ty) in inst.dsts() {
            match operand {
                Operand::V(v) => {
                    places.extend((0..vector_dwords(inst, ty)).map(|i| Place::V(v + i)));
                }
                Operand::S(SReg::EXEC_LO | SReg::EXEC_HI) => exec = true,
                Operand::S(SReg::NULL) => {}
                Operand::S(r) => {
                    // Both of a pair, also where one is written.
                    let relative = flags.contains(RowFlags::INDEXED) && scalar;
                    let many = if relative { 8 } else { 2 };
                    let many = if r == SReg::M0 { 1 } else { many };
                    let registers = (0..many).filter_map(|i| r.offset(i)).map(name);
                    places.extend(registers.map(Place::S));
                }
                _ => {}
            }
        }
        if exec {
            self.line("s_mov_b32 s76, exec_lo");
            self.line("s_mov_b32 s77, exec_hi");
            places.push(Place::S("s76".to_owned()));
            places.push(Place::S("s77".to_owned()));
        }
        for register in &item.extra {
            places.push(Place::S(register.clone()));
        }
        if places.is_empty() {
            // What writes nothing leaves these as they are.
            let vector = (!scalar).then_some(Place::V(4));
            let pair = ["vcc_lo", "vcc_hi"].map(|s| Place::S(s.to_owned()));
            places.extend(vector.into_iter().chain(pair));
        }
        self.set_exec(None);
        places
    }

    fn stage(&mut self, place: &Place) {
        match (place, self.kind) {
            (Place::S(s), Kind::Scalar) => {
                let lane = self.results % LANES;
                self.line(format_args!("v_writelane_b32 v{STAGE}, {s}, {lane}"));
            }
            (place, _) => {
                let to = STAGE + self.results % 4;
                match place {
                    Place::V(v) => self.line(format_args!("v_mov_b32_e32 v{to}, v{v}")),
                    Place::S(s) => self.line(format_args!("v_mov_b32_e32 v{to}, {s}")),
                }
            }
        }
        self.results += 1;
        if self.full() {
            self.store();
        }
    }

    fn full(&self) -> bool {
        self.results.is_multiple_of(match self.kind {
            Kind::Scalar => LANES,
            Kind::Vector => 4,
        })
    }

    fn store(&mut self) {
        match self.kind {
            Kind::Vector => {
                let at = 4 * (self.results - 4);
                self.line(format_args!(
                    "global_store_dwordx4 v2, v[28:31], s[8:9] offset:{at}"
                ));
            }
            Kind::Scalar => {
                let at = 4 * (self.results - LANES);
                if self.wave == WaveSize::W64 {
                    self.line("s_mov_b64 exec, 0xffffffff");
                }
                self.line(format_args!(
                    "global_store_dword v2, v{STAGE}, s[8:9] offset:{at}"
                ));
                self.set_exec(None);
            }
        }
    }

    /// Stores what is gathered, filled up with a constant.
    fn flush(&mut self) {
        while !self.full() {
            self.stage(&Place::S("0".to_owned()));
        }
    }
}

/// Dwords of a vector destination that are watched: all that it has, and where M0 moves it, as many more
/// as it may be moved.
fn vector_dwords(inst: &Inst, ty: Ty) -> u8 {
    let own = ty.bits().map_or(1, |b| b.div_ceil(32)) as u8;
    let moved = inst.flags().contains(RowFlags::INDEXED);
    if moved { own + 3 } else { own }
}

/// Whether M0 holds an index of the source and another of the destination.
pub fn two_indices(sem: Sem) -> bool {
    matches!(
        sem,
        Sem::Salu(Salu::MovRelSd2) | Sem::Valu(Valu::MovRelSd2 | Valu::SwapRel)
    )
}

/// A scalar register in the assembler's words.
pub fn name(r: SReg) -> String {
    match r {
        SReg::VCC_LO => "vcc_lo".to_owned(),
        SReg::VCC_HI => "vcc_hi".to_owned(),
        SReg::M0 => "m0".to_owned(),
        SReg::NULL => "null".to_owned(),
        SReg::EXEC_LO => "exec_lo".to_owned(),
        SReg::EXEC_HI => "exec_hi".to_owned(),
        r => format!("s{}", r.code()),
    }
}

/// Lines before and after an instruction that show an effect which no register shows, and the registers
/// that show it: branches skip a line, MODE is read back.
pub fn witnesses(inst: &Inst) -> (Vec<String>, Vec<String>, Vec<String>) {
    let own = |lines: &[&str]| lines.iter().map(|&l| l.to_owned()).collect::<Vec<_>>();
    let flags = inst.flags();
    let mut before = Vec::new();
    let mut after = Vec::new();
    let mut extra = Vec::new();
    if flags.contains(RowFlags::BRANCH) {
        before.extend(own(&["s_mov_b32 s80, 1"]));
        after.extend(own(&["s_mov_b32 s80, 2"]));
        extra.extend(own(&["s80"]));
    }
    if let (Sem::Flow(Flow::SetPc | Flow::SwapPc), Some((Operand::S(reg), _))) =
        (inst.sem(), inst.src(0))
        && let Some(next) = reg.offset(1)
        && reg != SReg::EXEC_LO
    {
        // To behind the line after it: four instructions of a word from where S_GETPC counts.
        let (lo, hi) = (name(reg), name(next));
        let pair = if reg == SReg::VCC_LO {
            "vcc".to_owned()
        } else {
            format!("s[{}:{}]", reg.code(), next.code())
        };
        before.extend(own(&["s_mov_b32 s80, 1"]));
        before.extend([
            format!("s_getpc_b64 {pair}"),
            format!("s_add_u32 {lo}, {lo}, 16"),
            format!("s_addc_u32 {hi}, {hi}, 0"),
        ]);
        after.extend(own(&["s_mov_b32 s80, 2"]));
        extra.extend(own(&["s80"]));
    }
    if inst.sem() == Sem::Flow(Flow::EndPgm) {
        // Some workgroups end here and store nothing.
        before.extend(own(&["s_cmp_lg_u32 s36, 0", "s_cbranch_scc1 on"]));
        after.extend(own(&["on:"]));
    }
    if flags.intersects(RowFlags::WR_MODE | RowFlags::WR_HWREG) {
        after.extend(own(&["s_getreg_b32 s80, hwreg(HW_REG_MODE)"]));
        extra.extend(own(&["s80"]));
    }
    if inst.sem() == Sem::Salu(Salu::SetReg)
        && inst
            .row()
            .operands
            .iter()
            .any(|s| s.slot == Slot::Sdst && s.access == Access::Src)
    {
        // The new MODE must be known where it is translated.
        before.extend([format!("s_mov_b32 s{S_DST}, 0x5a")]);
    }
    if matches!(inst.sem(), Sem::Flow(Flow::RoundMode | Flow::DenormMode)) {
        after.extend(own(&["s_nop 0"]));
    }
    (before, after, extra)
}
