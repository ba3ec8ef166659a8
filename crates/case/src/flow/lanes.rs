//! Random programs as compilers make them of ifs and loops over lanes: EXEC is saved, narrowed and put back,
//! branches only skip what no lane needs, and what a lane computes is mostly its own. Now and then something is
//! of the whole wave (a scalar that counts, a lane that is read), so that lanes cannot part there.

use super::arrays::Arrays;
use super::{FlowProgram, FlowSpec, Rng};

/// Trips of loops that a lane makes in all.
const FUEL: u32 = 24;

/// Waves of the workgroup.
pub(super) const WAVES: u32 = 2;

pub(super) struct Writer {
    pub(super) rng: Rng,
    pub(super) units: Vec<String>,
    wide: bool,
    labels: u32,
    /// Mask of the byte offsets of the input.
    pub(super) offsets: u32,
    /// What blocks work on in programs of arrays.
    pub(super) arrays: Option<Arrays>,
}

impl Writer {
    /// A writer of a spec's program; `family` tells the numbers of families apart.
    pub(super) fn new(spec: FlowSpec, family: u64) -> Writer {
        Writer {
            rng: Rng(spec.seed ^ u64::from(spec.wave) << 48 ^ family << 60),
            units: Vec::new(),
            wide: spec.wave == 64,
            labels: 0,
            offsets: 4 * WAVES * spec.wave - 4,
            arrays: None,
        }
    }

    pub(super) fn put(&mut self, line: &str) {
        self.units.push(line.to_owned());
    }

    pub(super) fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }

    pub(super) fn bits(&self) -> &'static str {
        if self.wide { "b64" } else { "b32" }
    }

    pub(super) fn exec(&self) -> &'static str {
        if self.wide { "exec" } else { "exec_lo" }
    }

    pub(super) fn vcc(&self) -> &'static str {
        if self.wide { "vcc" } else { "vcc_lo" }
    }

    /// A mask register of a depth.
    pub(super) fn mask(&self, depth: u32, which: u32) -> String {
        let first = 20 + 4 * depth + 2 * which;
        if self.wide {
            format!("s[{first}:{}]", first + 1)
        } else {
            format!("s{first}")
        }
    }

    /// VCC becomes a condition of lanes.
    pub(super) fn condition(&mut self) {
        let op = self
            .rng
            .pick(&["lt_u32", "gt_i32", "ne_u32", "le_i32", "ge_u32"]);
        let (vcc, bit) = (self.vcc(), self.rng.below(8));
        if self.rng.chance(60) {
            let width = 1 + self.rng.below(3);
            self.put(&format!("v_bfe_u32 v3, v1, {bit}, {width}"));
            self.put(&format!("v_cmp_{op}_e32 {vcc}, 1, v3"));
        } else {
            self.put(&format!("v_cmp_{op}_e32 {vcc}, v1, v2"));
        }
    }

    pub(super) fn block(&mut self) {
        if let Some(mut arrays) = self.arrays.take() {
            self.array_block(&mut arrays);
            self.arrays = Some(arrays);
            return;
        }
        let number = self.rng.below(64);
        self.put("v_mul_lo_u32 v1, v1, 33");
        self.put(&format!("v_xor_b32_e32 v1, {number}, v1"));
        for _ in 0..self.rng.below(4) {
            match self.rng.below(20) {
                0..=3 => self.put("v_lshl_add_u32 v2, v1, 3, v2"),
                4..=6 => self.put("v_xor_b32_e32 v1, v2, v1"),
                7..=9 => {
                    self.condition();
                    let vcc = self.vcc();
                    self.put(&format!("v_cndmask_b32_e32 v2, v2, v1, {vcc}"));
                }
                10..=14 => {
                    let offsets = self.offsets;
                    self.put(&format!("v_and_b32_e32 v3, {offsets:#x}, v1"));
                    self.put("global_load_dword v5, v3, s[2:3]");
                    self.put("s_waitcnt vmcnt(0)");
                    self.put("v_xor_b32_e32 v2, v5, v2");
                }
                15 | 16 => self.put("v_mov_b32_e32 v2, s11"),
                17 => self.put("v_alignbit_b32 v1, v1, v1, v2"),
                // The wave's.
                18 => self.put("s_add_u32 s10, s10, 1"),
                _ => self.put("v_readfirstlane_b32 s11, v1"),
            }
        }
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..1 + self.rng.below(3) {
            self.block();
            if depth == 0 {
                continue;
            }
            match self.rng.below(8) {
                0 => {}
                1..=4 => self.choice(depth - 1),
                _ => self.repetition(depth - 1),
            }
        }
    }

    pub(super) fn choice(&mut self, depth: u32) {
        let (bits, exec, vcc, saved) = (self.bits(), self.exec(), self.vcc(), self.mask(depth, 0));
        self.condition();
        self.put(&format!("s_and_saveexec_{bits} {saved}, {vcc}"));
        self.skippable(depth);
        if self.rng.chance(40) {
            self.put(&format!("s_andn2_{bits} {exec}, {saved}, {exec}"));
            self.skippable(depth);
        }
        let back = self.rng.pick(&["mov", "or"]);
        match back {
            "or" => self.put(&format!("s_or_{bits} {exec}, {exec}, {saved}")),
            _ => self.put(&format!("s_mov_{bits} {exec}, {saved}")),
        }
    }

    pub(super) fn skippable(&mut self, depth: u32) {
        let end = self.label();
        // What trees stand in is skipped nearly always, as where a compiler counts its length.
        let often = if self.arrays.is_some() { 97 } else { 75 };
        if self.rng.chance(often) {
            self.put(&format!("s_cbranch_execz {end}"));
        }
        self.statements(depth);
        self.put(&format!("{end}:"));
    }

    pub(super) fn repetition(&mut self, depth: u32) {
        let (bits, exec, vcc) = (self.bits(), self.exec(), self.vcc());
        let (saved, left) = (self.mask(depth, 0), self.mask(depth, 1));
        let (head, end) = (self.label(), self.label());
        let stays = self.arrays.is_some() && self.rng.chance(85);
        let gathers = !stays && self.rng.chance(50);
        self.put(&format!("s_mov_{bits} {saved}, {exec}"));
        if gathers {
            self.put(&format!("s_mov_{bits} {left}, 0"));
        }
        self.put(&format!("{head}:"));
        // Fuel first: a lane without any leaves.
        self.put("v_subrev_nc_u32_e32 v20, 1, v20");
        if stays {
            // Mesa's: who stays, who goes, and on with those that stay.
            for line in [
                &*format!("v_cmp_le_i32_e32 {vcc}, 0, v20"),
                &*format!("s_and_saveexec_{bits} {left}, {vcc}"),
                &*format!("s_andn2_{bits} {exec}, {left}, {exec}"),
                "v_xor_b32_e32 v2, v1, v2",
                &*format!("s_andn2_{bits} {left}, {left}, {exec}"),
                &*format!("s_cbranch_scc0 {end}"),
                &*format!("s_mov_{bits} {exec}, {left}"),
            ] {
                self.put(line);
            }
        } else {
            self.put(&format!("v_cmp_gt_i32_e32 {vcc}, 0, v20"));
            self.leave(&saved, &left, gathers);
            self.put(&format!("s_cbranch_execz {end}"));
        }
        self.statements(depth);
        if self.rng.chance(if stays { 8 } else { 50 }) {
            self.condition();
            self.leave(&saved, &left, gathers);
            self.put(&format!("s_cbranch_execz {end}"));
            self.block();
        }
        if self.arrays.is_some() && self.rng.chance(90) {
            // Mesa's loops ask at their begins.
            self.put(&format!("s_branch {head}"));
        } else {
            self.condition();
            self.leave(&saved, &left, gathers);
            self.put(&format!("s_cbranch_execnz {head}"));
        }
        self.put(&format!("{end}:"));
        if gathers && self.rng.chance(50) {
            self.put(&format!("s_or_{bits} {exec}, {exec}, {left}"));
        } else {
            self.put(&format!("s_mov_{bits} {exec}, {saved}"));
        }
    }

    /// Where EXEC is kept that the program begins with.
    fn saved(&self) -> &'static str {
        if self.wide { "s[8:9]" } else { "s8" }
    }

    /// First values of what all programs have.
    pub(super) fn begin(&mut self) {
        let start = self.rng.below(1 << 20) | 1;
        let (bits, exec, saved) = (self.bits(), self.exec(), self.saved());
        for line in [
            &*format!("s_mov_{bits} {saved}, {exec}"),
            "s_mov_b32 s10, 5",
            "s_mov_b32 s11, 77",
            &*format!("v_mul_lo_u32 v1, v0, {start:#x}"),
            "v_mov_b32_e32 v2, v0",
            &*format!("v_mov_b32_e32 v20, {FUEL}"),
        ] {
            self.put(line);
        }
    }

    /// All lanes are there again.
    pub(super) fn end(&mut self) {
        let (bits, exec, saved) = (self.bits(), self.exec(), self.saved());
        self.put("end:");
        self.put(&format!("s_mov_{bits} {exec}, {saved}"));
    }

    /// Each lane stores v1, v2, another register, and what the last line makes v11 of the scalars in s10.
    pub(super) fn tell(&mut self, third: &str, last: &str) {
        for line in [
            "v_lshlrev_b32_e32 v6, 4, v0",
            "v_mov_b32_e32 v8, v1",
            "v_mov_b32_e32 v9, v2",
            &*format!("v_mov_b32_e32 v10, {third}"),
            "s_add_u32 s10, s10, s11",
            last,
            "global_store_dwordx4 v6, v[8:11], s[0:1]",
            "s_endpgm",
        ] {
            self.put(line);
        }
    }

    /// Lanes with VCC leave.
    fn leave(&mut self, saved: &str, left: &str, gathers: bool) {
        let (bits, exec, vcc) = (self.bits(), self.exec(), self.vcc());
        if gathers {
            self.put(&format!("s_or_{bits} {left}, {vcc}, {left}"));
            if self.rng.chance(50) {
                self.put(&format!("s_andn2_{bits} {exec}, {saved}, {left}"));
            } else {
                self.put(&format!("s_andn2_{bits} {exec}, {exec}, {left}"));
            }
        } else {
            self.put(&format!("s_andn2_{bits} {exec}, {exec}, {vcc}"));
        }
    }
}

/// The program of a spec.
pub(super) fn program(spec: FlowSpec) -> FlowProgram {
    let mut w = Writer::new(spec, 3);
    w.begin();
    let head = std::mem::take(&mut w.units);
    w.statements(if spec.small { 2 } else { 3 });
    let body = std::mem::take(&mut w.units);
    w.end();
    w.tell("v20", "v_mov_b32_e32 v11, s10");
    FlowProgram {
        wave: spec.wave,
        waves: WAVES,
        lds: 0,
        input: true,
        undefined: false,
        head,
        body,
        tail: w.units,
    }
}
