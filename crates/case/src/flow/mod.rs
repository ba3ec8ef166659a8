//! Random programs of control flow, as cases: any graph of blocks, and nests of ifs and loops with breaks
//! of several levels. Every block records its visit in a scalar and a per-lane hash and changes
//! registers, masks and LDS; every block costs fuel, so that every program ends after few visits. What a
//! case must leave is the reference's to say. A third family (`lanes`) is what compilers make of nested ifs and
//! loops: EXEC alone decides, and what a lane computes is its own. A fourth (`arrays`) has arrays in registers there,
//! picked from by trees of comparisons.

mod arrays;
mod lanes;
mod reduce;

use std::path::Path;

use crate::case::Case;
use crate::error::CaseError;

pub use reduce::reduce;

/// Visits of blocks that a wave makes at most. With the slot loops of an invocation that carries a whole
/// wave, that stays below 30,000 back-edges.
const FUEL: u32 = 48;

/// Kinds of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Two waves that do not look at each other: any graph of blocks, or nests.
    Plain,
    /// Two to four waves hand values to each other through LDS, ordered by barriers that each meets at places of its
    /// own.
    Shared,
    /// Ifs and loops of lanes, as compilers make them.
    Lanes,
    /// The same with arrays in registers, whose elements trees of comparisons pick.
    Arrays,
}

/// What a program is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowSpec {
    /// All choices follow from it.
    pub seed: u64,
    /// Lanes of a wave: 32 or 64.
    pub wave: u32,
    /// Which kind it is.
    pub family: Family,
    /// A few blocks only: a driver that compiles slowly takes a fraction of a second.
    pub small: bool,
}

impl FlowSpec {
    /// A program of two waves that do not look at each other; both wave sizes in turn.
    pub fn of(seed: u64) -> FlowSpec {
        FlowSpec {
            seed,
            wave: if seed.is_multiple_of(2) { 32 } else { 64 },
            family: Family::Plain,
            small: false,
        }
    }

    /// As [`FlowSpec::of`], ifs and loops of lanes.
    pub fn lanes(seed: u64) -> FlowSpec {
        FlowSpec {
            family: Family::Lanes,
            ..FlowSpec::of(seed)
        }
    }

    /// As [`FlowSpec::of`], of waves that do.
    pub fn shared(seed: u64) -> FlowSpec {
        FlowSpec {
            family: Family::Shared,
            ..FlowSpec::of(seed)
        }
    }

    /// As [`FlowSpec::lanes`], with arrays in registers.
    pub fn arrays(seed: u64) -> FlowSpec {
        FlowSpec {
            family: Family::Arrays,
            ..FlowSpec::of(seed)
        }
    }

    /// The name of its case.
    pub fn name(&self) -> String {
        let family = match self.family {
            Family::Plain => "",
            Family::Shared => "shared-",
            Family::Lanes => "lanes-",
            Family::Arrays => "arrays-",
        };
        let small = if self.small { "small-" } else { "" };
        format!("{family}{small}w{}-{}", self.wave, self.seed)
    }
}

/// The project's own numbers (SplitMix64), so that a seed stays the same program.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn below(&mut self, n: u32) -> u32 {
        (self.next() >> 33) as u32 % n.max(1)
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.get(self.below(from.len() as u32) as usize)
            .copied()
            .unwrap_or_default()
    }
}

/// A program's text in parts. A unit is one or more lines that only make sense together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowProgram {
    /// Lanes of a wave.
    wave: u32,
    /// Waves of the workgroup.
    waves: u32,
    /// Bytes of LDS.
    lds: u32,
    /// Whether it reads a dword a thread at s[2:3].
    input: bool,
    /// Whether it reads registers that nothing has written, which are 0.
    undefined: bool,
    /// What gives the registers and LDS their first values.
    head: Vec<String>,
    /// The blocks, in which a part may be left out and the rest still means something.
    body: Vec<String>,
    /// From `end:` on: what stores the results.
    tail: Vec<String>,
}

/// Writes the program's text.
struct Writer {
    rng: Rng,
    units: Vec<String>,
    wide: bool,
    labels: u32,
    barriers: bool,
    /// Waves look at each other's values.
    shared: bool,
    /// Blocks that may still come.
    left: u32,
    small: bool,
}

/// Masks: EXEC, VCC and three pairs of SGPRs.
const MASKS: [[&str; 2]; 5] = [
    ["exec_lo", "exec"],
    ["vcc_lo", "vcc"],
    ["s14", "s[14:15]"],
    ["s16", "s[16:17]"],
    ["s18", "s[18:19]"],
];

impl Writer {
    fn put(&mut self, line: &str) {
        self.units.push(line.to_owned());
    }

    /// Lines that stand or fall together.
    fn together(&mut self, lines: &[&str]) {
        self.units.push(lines.join("\n"));
    }

    fn mask(&mut self, from: std::ops::Range<u32>) -> &'static str {
        let index = from.start + self.rng.below(from.end - from.start);
        MASKS
            .get(index as usize)
            .map_or("vcc", |m| m[usize::from(self.wide)])
    }

    fn bits(&self) -> &'static str {
        if self.wide { "b64" } else { "b32" }
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }

    /// The instructions of a block: its visit, and some of anything.
    fn block(&mut self, number: u32) {
        let number = number & 63;
        self.left = self.left.saturating_sub(1);
        self.together(&["s_sub_u32 s3, s3, 1", "s_cbranch_scc1 end"]);
        self.put("s_mul_i32 s10, s10, 31");
        self.put(&format!("s_add_u32 s10, s10, {}", number + 1));
        self.put("v_mul_lo_u32 v1, v1, 33");
        self.put(&format!("v_xor_b32_e32 v1, {number}, v1"));
        let most = if self.small { 3 } else { 5 };
        for _ in 0..self.rng.below(most) {
            self.anything();
        }
        if self.shared {
            if self.rng.chance(40) {
                self.meet();
            }
        } else if self.barriers && self.rng.chance(25) {
            self.put("s_barrier");
        }
    }

    /// A barrier. Between two of them a wave writes to one of two areas and reads from the other: that of
    /// the time before, which nobody changes now.
    fn meet(&mut self) {
        self.together(&[
            "s_barrier",
            "s_mov_b32 s24, s22",
            "s_mov_b32 s22, s23",
            "s_mov_b32 s23, s24",
        ]);
    }

    /// Something for or from other waves.
    fn exchange(&mut self) {
        match self.rng.below(4) {
            0 => self.together(&[
                "v_add_nc_u32_e32 v3, s22, v14",
                "ds_write_b32 v3, v1",
                "s_waitcnt lgkmcnt(0)",
            ]),
            1 => self.together(&[
                "v_add_nc_u32_e32 v3, s23, v15",
                "ds_read_b32 v2, v3",
                "s_waitcnt lgkmcnt(0)",
            ]),
            2 => self.together(&[
                "v_and_b32_e32 v3, 3, v1",
                "v_lshl_add_u32 v3, v3, 2, v16",
                "v_add_nc_u32_e32 v3, s22, v3",
                "ds_add_u32 v3, v2",
                "s_waitcnt lgkmcnt(0)",
            ]),
            _ => self.together(&[
                "v_and_b32_e32 v3, 3, v0",
                "v_lshl_add_u32 v3, v3, 2, v16",
                "v_add_nc_u32_e32 v3, s23, v3",
                "ds_read_b32 v2, v3",
                "s_waitcnt lgkmcnt(0)",
            ]),
        }
    }

    /// The two areas of `threads` dwords and four cells that all add to, each; all 0 at first.
    fn areas(&mut self, threads: u32, exec: &str, saved: &str, bits: &str) {
        let (own, area) = (4 * threads, 4 * threads + 16);
        let other = self.rng.below(threads - 1) + 1;
        for line in [
            &*format!("v_add_nc_u32_e32 v14, {own:#x}, v4"),
            &*format!("v_add_nc_u32_e32 v15, {other:#x}, v0"),
            &*format!("v_subrev_nc_u32_e32 v16, {threads:#x}, v15"),
            "v_min_u32_e32 v15, v15, v16",
            "v_lshlrev_b32_e32 v15, 2, v15",
            &*format!("v_add_nc_u32_e32 v15, {own:#x}, v15"),
            &*format!("v_mov_b32_e32 v16, {:#x}", 2 * own),
            "s_mov_b32 s22, 0",
            &*format!("s_movk_i32 s23, {area:#x}"),
            "v_mov_b32_e32 v17, 0",
            "ds_write_b32 v14, v17",
            &*format!("ds_write_b32 v14, v17 offset:{area}"),
            "v_cmpx_gt_u32_e32 4, v0",
            "v_add_nc_u32_e32 v18, v16, v4",
            "ds_write_b32 v18, v17",
            &*format!("ds_write_b32 v18, v17 offset:{area}"),
            &*format!("s_mov_{bits} {exec}, {saved}"),
            "s_waitcnt lgkmcnt(0)",
            "s_barrier",
        ] {
            self.put(line);
        }
    }

    fn anything(&mut self) {
        if self.shared && self.rng.chance(40) {
            return self.exchange();
        }
        let bits = self.bits();
        let wave = if self.wide { 64 } else { 32 };
        match self.rng.below(16) {
            0 => self.put("v_lshl_add_u32 v2, v1, 3, v2"),
            1 => self.put("v_add_nc_u32_e32 v1, s10, v1"),
            2 => self.put("v_xor_b32_e32 v1, v2, v1"),
            3 => {
                let vcc = if self.wide { "vcc" } else { "vcc_lo" };
                self.put(&format!("v_cndmask_b32_e32 v2, v2, v1, {vcc}"));
            }
            4 | 5 => {
                let op = self
                    .rng
                    .pick(&["lt_u32", "gt_i32", "eq_u32", "ne_u32", "le_i32"]);
                let to = self.mask(1..5);
                let with = self.rng.pick(&["v2", "v0", "s10", "s11"]);
                self.put(&format!("v_cmp_{op}_e64 {to}, v1, {with}"));
            }
            6 | 7 => {
                let op = self
                    .rng
                    .pick(&["and", "or", "xor", "andn2", "orn2", "nand"]);
                let (to, a, b) = (self.mask(0..5), self.mask(0..5), self.mask(0..5));
                self.put(&format!("s_{op}_{bits} {to}, {a}, {b}"));
            }
            8 => {
                let op = self.rng.pick(&["and", "or", "xor", "andn1"]);
                let (to, a) = (self.mask(2..5), self.mask(1..5));
                self.put(&format!("s_{op}_saveexec_{bits} {to}, {a}"));
            }
            9 => {
                let from = self.mask(1..5);
                let exec = if self.wide { "exec" } else { "exec_lo" };
                self.put(&format!("s_mov_{bits} {exec}, {from}"));
            }
            10 => {
                let line = self.rng.pick(&[
                    "v_readlane_b32 s11, v1, s6",
                    "v_readfirstlane_b32 s11, v2",
                    "v_writelane_b32 v2, s10, s6",
                ]);
                self.together(&[&format!("s_and_b32 s6, s10, {}", wave - 1), line]);
            }
            11 => {
                let from = self.mask(0..5);
                self.put(&format!("s_bcnt1_i32_{bits} s11, {from}"));
            }
            12 => self.put("v_mbcnt_lo_u32_b32 v2, s14, v2"),
            13 => {
                // Each lane its own place, so that the order of lanes does not show.
                let by = self.rng.below(wave) * 4;
                self.together(&[
                    &format!("v_xor_b32_e32 v3, {by:#x}, v4"),
                    "ds_write_b32 v3, v1",
                    "s_waitcnt lgkmcnt(0)",
                ]);
            }
            14 => self.together(&["ds_read_b32 v2, v4", "s_waitcnt lgkmcnt(0)"]),
            _ => self.together(&[
                "v_and_b32_e32 v3, 3, v1",
                "v_lshl_add_u32 v3, v3, 2, v5",
                "ds_add_u32 v3, v2",
                "s_waitcnt lgkmcnt(0)",
            ]),
        }
    }

    /// A conditional branch.
    fn branch(&mut self, to: &str) {
        let scc = match self.rng.below(7) {
            0 | 1 => {
                let bit = self.rng.below(8);
                self.put(&format!("s_bitcmp1_b32 s10, {bit}"));
                true
            }
            2 => {
                self.put("s_cmp_lt_u32 s10, s11");
                true
            }
            3 => {
                let from = self.mask(1..5);
                let bits = self.bits();
                self.put(&format!("s_and_{bits} {from}, {from}, {from}"));
                true
            }
            _ => false,
        };
        let when = if scc {
            self.rng.pick(&["scc0", "scc1"])
        } else {
            self.rng.pick(&["vccz", "vccnz", "execz", "execnz"])
        };
        self.put(&format!("s_cbranch_{when} {to}"));
    }

    /// Any graph of blocks.
    fn graph(&mut self) {
        let count = if self.small {
            3 + self.rng.below(3)
        } else {
            3 + self.rng.below(12)
        };
        for i in 0..count {
            self.put(&format!("b{i}:"));
            self.block(i);
            let target = |w: &mut Writer| {
                let forward = w.rng.chance(55) && i + 1 < count;
                let to = if forward {
                    i + 1 + w.rng.below(count - i - 1)
                } else {
                    w.rng.below(count)
                };
                if w.rng.chance(6) {
                    "end".to_owned()
                } else {
                    format!("b{to}")
                }
            };
            for _ in 0..1 + self.rng.below(2) {
                let to = target(self);
                self.branch(&to);
            }
            if self.rng.chance(40) {
                let to = target(self);
                self.put(&format!("s_branch {to}"));
            }
        }
    }

    /// A sequence of statements; `exits` are the labels that breaks may go to, innermost last.
    fn nest(&mut self, depth: u32, exits: &mut Vec<String>) {
        for i in 0..1 + self.rng.below(3) {
            // A loop costs fuel, so there is always one block.
            if i > 0 && self.left == 0 {
                return;
            }
            let number = self.rng.below(64);
            self.block(number);
            match self
                .rng
                .below(if depth == 0 || self.left == 0 { 2 } else { 6 })
            {
                0 => {}
                1 => {
                    if let Some(to) = exits.get(self.rng.below(exits.len() as u32) as usize) {
                        let to = to.clone();
                        self.branch(&to);
                    }
                }
                2 | 3 => {
                    let (other, meet) = (self.label(), self.label());
                    self.branch(&other);
                    self.nest(depth - 1, exits);
                    self.put(&format!("s_branch {meet}"));
                    self.put(&format!("{other}:"));
                    if self.rng.chance(60) {
                        self.nest(depth - 1, exits);
                    }
                    self.put(&format!("{meet}:"));
                }
                _ => {
                    let (head, out) = (self.label(), self.label());
                    self.put(&format!("{head}:"));
                    exits.push(out.clone());
                    self.nest(depth - 1, exits);
                    exits.pop();
                    if self.rng.chance(50) {
                        self.branch(&head);
                    } else {
                        self.branch(&out);
                        self.put(&format!("s_branch {head}"));
                    }
                    self.put(&format!("{out}:"));
                }
            }
        }
    }
}

/// The program of a spec.
pub fn flow_program(spec: FlowSpec) -> FlowProgram {
    match spec.family {
        Family::Plain | Family::Shared => {}
        Family::Lanes => return lanes::program(spec),
        Family::Arrays => return arrays::program(spec),
    }
    let shared = spec.family == Family::Shared;
    let wide = spec.wave == 64;
    let family = u64::from(shared) << 60 ^ u64::from(spec.small) << 61;
    let mut w = Writer {
        rng: Rng(spec.seed ^ u64::from(spec.wave) << 48 ^ family),
        units: Vec::new(),
        wide,
        labels: 0,
        barriers: false,
        shared,
        left: if spec.small { 5 } else { u32::MAX },
        small: spec.small,
    };
    w.barriers = w.rng.chance(30);
    let waves = if shared { 2 + w.rng.below(3) } else { 2 };
    let threads = waves * spec.wave;
    let (bits, exec, vcc) = if wide {
        ("b64", "exec", "vcc")
    } else {
        ("b32", "exec_lo", "vcc_lo")
    };
    let saved = if wide { "s[8:9]" } else { "s8" };
    let masks = if wide {
        ["s[14:15]", "s[16:17]", "s[18:19]"]
    } else {
        ["s14", "s16", "s18"]
    };
    let start = w.rng.below(1 << 20);
    let shift = if wide { 6 } else { 5 };
    w.put(&format!("s_mov_{bits} {saved}, {exec}"));
    for line in [
        &*format!("s_movk_i32 s3, {FUEL}"),
        "v_readfirstlane_b32 s4, v0",
        &*format!("s_lshr_b32 s4, s4, {shift}"),
        &*format!("s_mul_i32 s10, s4, {start:#x}"),
        &*format!("s_add_u32 s10, s10, {start:#x}"),
        "s_mov_b32 s11, 5",
        "v_mul_lo_u32 v1, v0, s10",
        "v_mov_b32_e32 v2, v0",
        "v_lshlrev_b32_e32 v4, 2, v0",
        &*format!("s_lshl_b32 s5, s4, {}", shift + 2),
        "v_mov_b32_e32 v5, s5",
        "ds_write_b32 v4, v0",
    ] {
        w.put(line);
    }
    for (i, mask) in masks.iter().enumerate() {
        w.put(&format!("v_cmp_gt_u32_e64 {mask}, {}, v0", 7 + 11 * i));
    }
    w.put(&format!("v_cmp_ne_u32_e64 {vcc}, 3, v0"));
    w.put("s_waitcnt lgkmcnt(0)");
    if shared {
        w.areas(threads, exec, saved, bits);
    }
    let head = std::mem::take(&mut w.units);
    if w.rng.chance(50) {
        w.graph();
    } else {
        w.nest(3, &mut vec!["end".to_owned()]);
    }
    let body = std::mem::take(&mut w.units);
    w.put("end:");
    let (low, high) = if wide {
        ("exec_lo", "exec_hi")
    } else {
        ("exec_lo", "s14")
    };
    w.put(&format!("s_mov_b32 s20, {low}"));
    w.put(&format!("s_mov_b32 s21, {high}"));
    w.put(&format!("s_mov_{bits} {exec}, {saved}"));
    for line in [
        "ds_read_b32 v8, v4",
        "s_xor_b32 s21, s21, vcc_lo",
        "s_xor_b32 s11, s11, s10",
        "v_xor_b32_e32 v9, s20, v2",
        "v_mov_b32_e32 v10, s11",
        "v_xor_b32_e32 v11, s21, v1",
        "v_lshlrev_b32_e32 v6, 4, v0",
        "s_waitcnt lgkmcnt(0)",
        "global_store_dwordx4 v6, v[8:11], s[0:1]",
        "s_endpgm",
    ] {
        w.put(line);
    }
    FlowProgram {
        wave: spec.wave,
        waves,
        lds: if shared {
            12 * threads + 32
        } else {
            4 * threads
        },
        input: false,
        undefined: false,
        head,
        body,
        tail: w.units,
    }
}

impl FlowProgram {
    /// The program alone.
    pub fn asm(&self) -> String {
        let mut text = String::new();
        for unit in self.head.iter().chain(&self.body).chain(&self.tail) {
            text.push_str(unit);
            text.push('\n');
        }
        text
    }

    /// The text of its case file. Whole waves: a program may switch any lane on, and a lane without a
    /// thread holds nothing defined.
    pub fn case_text(&self) -> String {
        let threads = self.waves * self.wave;
        let (bytes, lds) = (16 * threads, self.lds);
        let (more, input) = if self.input {
            let random = format!("seed = \"1\", type = \"u32\", count = {threads}");
            (
                ", { lo = \"in\" }, { hi = \"in\" }",
                format!("[[memory]]\nname = \"in\"\nrandom = {{ {random} }}\n"),
            )
        } else {
            ("", String::new())
        };
        let undefined = if self.undefined {
            "undefined_reads = true\n"
        } else {
            ""
        };
        format!(
            "{undefined}[shader]\ntarget = \"gfx1030\"\nstage = \"compute\"\nwave = {}\nasm = \"\"\"\n{}\"\"\"\n\
             [launch]\ngroups = [1, 1, 1]\nlocal = [{threads}, 1, 1]\nlds = {lds}\n\
             sgprs = [{{ lo = \"out\" }}, {{ hi = \"out\" }}{more}]\n\
             [[memory]]\nname = \"out\"\nsize = {bytes}\nfill = 0xdeadbeef\n{input}",
            self.wave,
            self.asm()
        )
    }

    /// Its case, under a name for messages.
    ///
    /// # Errors
    /// The text is no case: a mistake of this file.
    pub fn case(&self, name: &str) -> Result<Case, CaseError> {
        Case::parse(Path::new(name), &self.case_text())
    }
}

/// The text of a program's case file.
pub fn flow_case_text(spec: FlowSpec) -> String {
    flow_program(spec).case_text()
}

/// The case of a program.
///
/// # Errors
/// The text is no case: a mistake of this file.
pub fn flow_case(spec: FlowSpec) -> Result<Case, CaseError> {
    flow_program(spec).case(&format!("flow-{}.case.toml", spec.name()))
}
