//! Guest instructions to IR: one arm for each meaning, matched without a wildcard. Knows no SPIR-V and
//! no rspirv.
//!
//! Register state is SSA (`regs`); EXEC, VCC and SGPR pairs are masks of W bits; every vector write is
//! `select(lane active, new, old)` and every memory access is guarded by the lane being active.

mod access;
mod bind;
mod buffer;
mod ds;
mod export;
mod flat;
mod float_add;
mod flow;
mod format;
mod hwreg;
mod image;
mod interp;
mod memory;
mod one_lane;
pub(crate) mod private;
mod regs;
mod salu;
mod scratch;
mod sindexed;
mod smem;
mod steady;
#[cfg(test)]
mod tests;
mod trace;
mod valu;

use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};
use spirdna_isa::launch::{InitialVgpr, Launch, Mode, SystemSgpr};
use spirdna_isa::stage::FixedSgpr;
use spirdna_isa::{Inst, RowFlags, SReg, Sem, WaveSize};

use crate::error::{Reason, Unsupported};
use crate::ir::{
    Block, Builder, Func, Helper, HelperId, Input, Kind, Loc, Module, StageInput, Target,
    Terminator, Ty, Value,
};
use crate::program::{BlockRange, End, GuestBlock, Program, Test};
use crate::resources::{DescriptorFacts, DescriptorPlace};
use regs::{Regs, Var};

pub use format::conversions_text;

/// Blocks that are copied at most because ways with different MODEs meet.
const MAX_COPIES: usize = 256;

/// About as many IR instructions come of a guest instruction.
const INSTS_EACH: usize = 4;

/// Constants and inputs that few programs have more of.
const CONSTANTS: usize = 64;

/// Lifts a decoded program. A block that is reached with different MODEs is lifted once for each.
///
/// # Errors
/// Every instruction that has no translation, in order of pc.
pub fn lift(
    room: &mut Room,
    program: &Program,
    launch: &Launch,
    facts: &DescriptorFacts,
) -> Result<Module, Vec<Unsupported>> {
    lift_as(room, program, launch, facts, How::default())
}

/// As [`lift`], with scratch behind the launch's V# as the lanes' own where an access shows that it is: for
/// programs that [`private::may_own`] it. Whoever lifts so asks [`private::keeps_address`] then.
///
/// # Errors
/// As [`lift`].
pub fn lift_private(
    room: &mut Room,
    program: &Program,
    launch: &Launch,
    facts: &DescriptorFacts,
) -> Result<Module, Vec<Unsupported>> {
    let how = How {
        private: true,
        ..How::default()
    };
    lift_as(room, program, launch, facts, how)
}

/// As [`lift`], of a program whose images may be bound nowhere: for the list of what it uses.
///
/// # Errors
/// As [`lift`].
pub fn listed(
    room: &mut Room,
    program: &Program,
    launch: &Launch,
    facts: &DescriptorFacts,
) -> Result<Module, Vec<Unsupported>> {
    let how = How {
        listing: true,
        ..How::default()
    };
    lift_as(room, program, launch, facts, how)
}

/// Room for lifts: that of a function that is no more, and the register file.
#[derive(Debug, Default)]
pub struct Room {
    func: Option<Func>,
    regs: Option<Box<Regs>>,
}

impl Room {
    /// Takes a function that nobody needs any more.
    pub fn take(&mut self, func: Func) {
        self.func = Some(func);
    }
}

/// What a lift does beside its own.
#[derive(Clone, Copy, Debug, Default)]
struct How {
    /// Images may be bound nowhere.
    listing: bool,
    /// Scratch behind the launch's V# is the lanes' own.
    private: bool,
}

fn lift_as(
    room: &mut Room,
    program: &Program,
    launch: &Launch,
    facts: &DescriptorFacts,
    how: How,
) -> Result<Module, Vec<Unsupported>> {
    let mut modes = Modes::default();
    let lifted = lift_with(room, program, launch, facts, how, &mut modes);
    if modes.conflicts.is_empty() {
        return lifted;
    }
    let mut program = program.clone();
    let mut copies: Vec<(GuestBlock, Mode, GuestBlock)> = Vec::new();
    loop {
        for Conflict {
            from,
            target,
            to,
            mode,
        } in std::mem::take(&mut modes.conflicts)
        {
            let origin = copies
                .iter()
                .find(|(_, _, copy)| *copy == to)
                .map_or(to, |&(origin, ..)| origin);
            let known = copies
                .iter()
                .find(|(of, m, _)| *of == origin && *m == mode)
                .map(|&(.., copy)| copy);
            let copy = match known {
                Some(copy) => copy,
                None if modes.at(origin) == Some(mode) => origin,
                None => {
                    let copy = program.copy_block(to);
                    copies.push((origin, mode, copy));
                    modes.reach(copy, mode);
                    copy
                }
            };
            program.redirect(from, target, copy);
        }
        modes.last = copies.len() >= MAX_COPIES;
        let lifted = lift_with(room, &program, launch, facts, how, &mut modes);
        if modes.conflicts.is_empty() || modes.last {
            return lifted;
        }
    }
}

/// A way into a block that has been reached with another MODE.
struct Conflict {
    from: GuestBlock,
    /// Which of the successors of `from`.
    target: usize,
    to: GuestBlock,
    mode: Mode,
}

/// MODE at the begin of each block, as far as it is known.
#[derive(Default)]
struct Modes {
    /// By number of the block.
    at: Vec<Option<Mode>>,
    conflicts: Vec<Conflict>,
    /// Conflicts are refused.
    last: bool,
}

impl Modes {
    fn at(&self, block: GuestBlock) -> Option<Mode> {
        self.at.get(block.index()).copied().flatten()
    }

    /// Makes room for so many blocks.
    fn reserve(&mut self, blocks: usize) {
        if self.at.len() < blocks {
            self.at.resize(blocks, None);
        }
    }

    /// A way leads into a block with a MODE: that one, if it is the first.
    fn reach(&mut self, block: GuestBlock, mode: Mode) -> Mode {
        self.reserve(block.index() + 1);
        match self.at.get_mut(block.index()) {
            Some(at) => *at.get_or_insert(mode),
            None => mode,
        }
    }
}

fn lift_with(
    room: &mut Room,
    program: &Program,
    launch: &Launch,
    facts: &DescriptorFacts,
    how: How,
    modes: &mut Modes,
) -> Result<Module, Vec<Unsupported>> {
    let mut module = match room.func.take() {
        Some(func) => Module::new_in(func, launch),
        None => Module::new(launch),
    };
    let order = reverse_post_order(program);
    let func = &mut module.func;
    func.reserve(64 + INSTS_EACH * program.inst_count());
    let entry = func.entry();
    func.block_mut(entry).insts.reserve(CONSTANTS);
    modes.reserve(program.blocks().len());
    let ways = predecessors(program, &order);
    let steady = steady::analyse(program, &order, &ways, launch.wave.lanes() / 32);
    let mut regs = room.regs.take().unwrap_or_else(|| Box::new(Regs::new()));
    regs.restart(&ways, steady);
    let mut lift = Lift {
        launch,
        facts,
        code: program.named_code(),
        b: Builder::new(&mut module.func),
        regs,
        mode: launch.mode,
        pc: 0,
        flags: RowFlags::empty(),
        origins: smem::Origins::default(),
        faults: FxHashSet::default(),
        vsharps: Vec::new(),
        last_vsharp: None,
        halves: Vec::new(),
        has_images: false,
        active: None,
        described: Vec::new(),
        helpers: Vec::new(),
        private: how.private,
        scratch_offset: None,
        jump: None,
        taken: None,
    };
    let mut refused = Vec::new();

    for &block in &order {
        let ir = lift.b.new_block();
        lift.regs.place(block, ir);
    }
    lift.prologue();
    modes.reach(GuestBlock(0), launch.mode);
    for &block in &order {
        let Some(mode) = modes.at(block) else {
            continue;
        };
        lift.mode = mode;
        lift.block(program, block, &mut refused);
        for (target, to) in program.block(block).exit.successors().enumerate() {
            let mode = lift.mode;
            if modes.reach(to, mode) == mode {
                continue;
            }
            modes.conflicts.push(Conflict {
                from: block,
                target,
                to,
                mode,
            });
            if modes.last
                && let Some(inst) = program.insts(to).first()
            {
                refused.push(Unsupported::of(inst, Reason::ModeMerge));
            }
        }
    }
    // Two words of each are its base.
    let mut bases = Vec::with_capacity(2 * facts.bound.len());
    for (number, place) in (0..).zip(&facts.bound) {
        match *place {
            DescriptorPlace::Memory { pointer, offset } => {
                let of = lift.origins.iter().filter(|&(_, (of, at))| {
                    of == pointer && at.checked_sub(offset).is_some_and(|at| at < 8)
                });
                bases.extend(of.map(|(value, _)| (value, number)));
            }
            DescriptorPlace::UserSgprs(first) => {
                for n in [first, first.saturating_add(1)] {
                    if n < launch.user_sgprs {
                        bases.push((lift.b.input(Input::UserData(n)), number));
                    }
                }
            }
        }
    }
    let Lift {
        mut b,
        mut regs,
        helpers,
        vsharps,
        halves,
        has_images,
        ..
    } = lift;
    regs.finish(&mut b);
    let unforeseen = regs.unforeseen();
    room.regs = Some(regs);
    if unforeseen {
        let bug = "a register was written that no operand names";
        refused.push(Unsupported::nothing(0, Reason::Bug(bug)));
    }
    if refused.is_empty() && has_images {
        let found = bind::run(&mut module.func, &facts.map, &halves, how.listing);
        module.images = found.images;
        let sites = found.refused.into_iter();
        refused.extend(sites.map(|(loc, reason)| match program.at(loc.0) {
            Some(inst) => Unsupported::of(inst, reason),
            None => Unsupported::nothing(loc.0, reason),
        }));
    }
    if refused.is_empty() {
        module.resources = trace::buffers(&module.func, &vsharps);
        module.helpers = helpers;
        module.bound.clone_from(&facts.bound);
        module.bound_bases = bases;
        Ok(module)
    } else {
        refused.sort_by_key(|r| r.pc);
        refused.dedup();
        Err(refused)
    }
}

/// The state of a lift: what the instruction files work on.
struct Lift<'a> {
    launch: &'a Launch,
    facts: &'a DescriptorFacts,
    /// The words of the code that the program can take addresses of.
    code: &'a [u32],
    b: Builder<'a>,
    regs: Box<Regs>,
    mode: Mode,
    /// pc of the instruction that is being lifted.
    pc: u32,
    /// What it does.
    flags: RowFlags,
    /// Where scalar loads brought their dwords from.
    origins: smem::Origins,
    /// Address and lanes of the faults that the block at hand records.
    faults: FxHashSet<(Value, Value)>,
    /// The V#s used.
    vsharps: Vec<trace::BufferWords>,
    /// The one that was used last.
    last_vsharp: Option<buffer::descriptor::VSharp>,
    /// Where components of texels are halves.
    halves: Vec<Loc>,
    /// Whether any instruction is of an image.
    has_images: bool,
    /// The block at hand, EXEC, and its lanes as `active` gives them.
    active: Option<(Block, Value, Value)>,
    /// What the V#s of the block at hand say.
    described: Vec<(buffer::address::DescribedBy, buffer::address::Described)>,
    /// Helpers that the instructions lifted so far call.
    helpers: Vec<Helper>,
    /// Whether scratch behind the launch's V# may be the lanes' own.
    private: bool,
    /// What SCRATCH_OFFSET is at entry.
    scratch_offset: Option<Value>,
    /// The address that the block's indirect branch goes to.
    jump: Option<Value>,
    /// Whether the block's subvector branch is taken.
    taken: Option<Value>,
}

impl Lift<'_> {
    /// Fills the registers that the launch defines and goes to the first guest block.
    fn prologue(&mut self) {
        let mut next = self.launch.first_user_sgpr;
        for n in 0..self.launch.user_sgprs {
            let value = self.b.input(Input::UserData(n));
            self.initial_sgpr(&mut next, value);
        }
        for i in 0..self.launch.system_sgprs.len() {
            let value = match self.launch.system_sgprs[i] {
                SystemSgpr::GroupId(axis) => self.b.input(Input::GroupId(axis)),
                SystemSgpr::TgSize => self.tg_size(),
                SystemSgpr::ScratchOffset => {
                    let wave = self.wave_number();
                    let lanes = self.launch.wave.lanes();
                    let bytes = self.launch.scratch_bytes.wrapping_mul(lanes);
                    let bytes = self.b.const32(bytes);
                    let offset = self.b.mul(wave, bytes);
                    self.scratch_offset = Some(offset);
                    offset
                }
            };
            self.initial_sgpr(&mut next, value);
        }
        for i in 0..self.launch.fixed_sgprs.len() {
            let (reg, content) = self.launch.fixed_sgprs[i];
            let value = match content {
                FixedSgpr::Value(value) => self.b.const32(value),
                FixedSgpr::Unavailable(what) => self.stage_input(StageInput::Unavailable(what)),
            };
            self.initial_sgpr(&mut { reg }, value);
        }
        for (i, (reg, content)) in self.launch.vgprs.iter().enumerate() {
            let value = match content {
                InitialVgpr::LocalId(axis) => self.b.input(Input::LocalId(*axis)),
                InitialVgpr::PerLane(_) => self.b.input(Input::LaunchVgpr(i as u32)),
                InitialVgpr::Stage(what) => self.stage_vgpr(*what),
            };
            self.regs.set_initial(Var::vector(*reg), value);
        }
        let whole = self
            .launch
            .threads()
            .is_multiple_of(u64::from(self.launch.wave.lanes()));
        // A graphics wave is seen by a lane that is there.
        let whole = whole || self.one_lane();
        let mut exec = if whole && !self.launch.partial_groups {
            self.b.const_mask(u64::MAX)
        } else {
            let live = self.b.input(Input::LaneLive);
            self.b.ballot(live)
        };
        if let Some(limit) = self.launch.exec {
            if self.launch.wave == WaveSize::W32 {
                // An ordinary register there.
                let high = self.b.const32((limit >> 32) as u32);
                self.regs.set_initial(Var::scalar(SReg::EXEC_HI), high);
            }
            let limit = self.b.const_mask(limit);
            exec = self.b.and(exec, limit);
        }
        self.regs.set_initial(Var::EXEC, exec);
        if let Some(vcc) = self.launch.vcc {
            let (lo, hi) = (
                self.b.const32(vcc as u32),
                self.b.const32((vcc >> 32) as u32),
            );
            self.regs.set_initial(Var::scalar(SReg::VCC_LO), lo);
            self.regs.set_initial(Var::scalar(SReg::VCC_HI), hi);
        }
        if let Some(m0) = self.launch.m0 {
            let m0 = self.b.const32(m0);
            self.regs.set_initial(Var::scalar(SReg::M0), m0);
        }
        let first = GuestBlock(0);
        if let Some(ir) = self.regs.ir_block(first) {
            self.regs.edge(None, self.b.block(), 0, first);
            self.b.jump(ir, Vec::new());
        }
    }

    fn initial_sgpr(&mut self, next: &mut u8, value: Value) {
        if *next < SReg::SGPRS {
            self.regs
                .set_initial(Var::scalar(SReg::from_code(*next)), value);
            *next += 1;
        }
    }

    /// `TG_SIZE`: waves in the group, wave id twice (gfx10.1 and gfx10.3 places), first-wave flag.
    fn tg_size(&mut self) -> Value {
        let wave = self.b.input(Input::WaveInGroup);
        let waves = if self.launch.partial_groups {
            let waves = self.b.input(Input::WavesInGroup);
            self.b.and32(waves, 0x3f)
        } else {
            self.b.const32((self.launch.waves() as u32) & 0x3f)
        };
        let low = self.b.shl_by(wave, 6);
        let high = self.b.shl_by(wave, 20);
        let first = self.b.eq32(wave, 0);
        let first = self.b.bool_int(first);
        let first = self.b.shl_by(first, 31);
        let ids = self.b.or(low, high);
        let word = self.b.or(waves, ids);
        self.b.or(word, first)
    }

    fn block(&mut self, program: &Program, block: GuestBlock, refused: &mut Vec<Unsupported>) {
        let Some(ir) = self.regs.ir_block(block) else {
            return;
        };
        self.b.switch_to(ir);
        self.faults.clear();
        self.described.clear();
        self.regs.begin(block);
        for inst in program.insts(block) {
            self.pc = inst.pc();
            self.flags = inst.flags();
            self.b.func_mut().set_loc(Loc(inst.pc()));
            if let Err(reason) = self.inst(inst) {
                refused.push(Unsupported::of(inst, reason));
            }
        }
        self.exit(program, block, program.block(block));
        self.regs.end();
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), Reason> {
        if self.one_lane()
            && let Some(what) = one_lane::other_lanes(inst, &self.launch.stage)
        {
            return Err(Reason::OtherLanes(what));
        }
        match inst.sem() {
            Sem::Salu(sem) => self.salu(inst, sem),
            Sem::Flow(sem) => self.flow(inst, sem),
            Sem::Valu(sem) => self.valu(inst, sem),
            Sem::Smem(sem) => self.smem(inst, sem),
            Sem::Ds(sem) if self.one_lane() => self.handed_over(inst, sem),
            Sem::Ds(sem) => self.ds(inst, sem),
            Sem::Buffer(sem) => self.buffer(inst, sem),
            Sem::Flat(sem) => self.flat(inst, sem),
            Sem::Interp(sem) => self.interp(inst, sem),
            Sem::Export => self.export(inst),
            Sem::Image(sem) => {
                self.has_images = true;
                self.image(inst, sem)
            }
        }
    }

    /// The helper of that name, which `build` makes of its parameters the first time.
    fn helper(
        &mut self,
        name: &str,
        params: &[Kind],
        build: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
    ) -> HelperId {
        if let Some(i) = self.helpers.iter().position(|h| h.name == name) {
            return HelperId(i as u32);
        }
        let mut func = Func::new(self.launch.wave);
        let entry = func.entry();
        let params: Vec<Value> = params
            .iter()
            .map(|&kind| func.add_param(entry, Ty::uniform(kind)))
            .collect();
        let mut b = Builder::new(&mut func);
        let result = build(&mut b, &params);
        b.ret();
        self.helpers.push(Helper {
            name: name.to_owned(),
            func,
            result,
            fallback: None,
        });
        HelperId(self.helpers.len() as u32 - 1)
    }

    /// Item `index` of a list; `beyond` past its end.
    fn pick(&mut self, index: Value, items: &[Value], beyond: Value) -> Value {
        pick(&mut self.b, index, items, beyond)
    }

    /// Ends the guest block.
    fn exit(&mut self, program: &Program, block: GuestBlock, range: &BlockRange) {
        let (jump, taken) = (self.jump.take(), self.taken.take());
        match &range.exit {
            End::EndPgm => self.b.ret(),
            &End::Jump(to) => {
                if let Some(ir) = self.edge(block, 0, to) {
                    self.b.jump(ir, Vec::new());
                }
            }
            &End::Branch {
                cond,
                taken: then,
                next,
            } => {
                let cond = match cond {
                    Test::Cond(cond) => self.branch_cond(cond),
                    // Where it is missing, the instruction is refused.
                    Test::Subvector => taken.unwrap_or_else(|| self.b.const_bool(false)),
                };
                if let (Some(then), Some(els)) =
                    (self.edge(block, 0, then), self.edge(block, 1, next))
                {
                    self.b.terminate(Terminator::Branch {
                        cond,
                        then: Target {
                            block: then,
                            args: Vec::new(),
                        },
                        els: Target {
                            block: els,
                            args: Vec::new(),
                        },
                    });
                }
            }
            End::Indirect(ways) => {
                let pcs: Vec<u32> = ways.iter().map(|&to| program.block(to).pc).collect();
                self.indirect(block, jump, ways, &pcs);
            }
        }
    }

    /// Goes to the block whose begin has the address `jump`; where it is none of them, that is a fault.
    fn indirect(
        &mut self,
        block: GuestBlock,
        jump: Option<Value>,
        ways: &[GuestBlock],
        pcs: &[u32],
    ) {
        let mut number = self.b.const32(ways.len() as u32);
        let jump = jump.unwrap_or_else(|| self.b.const64(0));
        for (i, &pc) in (0..).zip(pcs) {
            let address = self.b.const64(self.launch.code_address + u64::from(pc));
            let there = self.b.eq(jump, address);
            let this = self.b.const32(i);
            number = self.b.select(there, this, number);
        }
        let mut targets: Vec<Target> = Vec::new();
        for (i, &to) in ways.iter().enumerate() {
            if let Some(ir) = self.edge(block, i, to) {
                targets.push(Target::new(ir, Vec::new()));
            }
        }
        let at = self.b.block();
        let nowhere = self.b.new_block();
        targets.push(Target::new(nowhere, Vec::new()));
        self.b.terminate(Terminator::Switch {
            value: number,
            targets,
        });
        self.b.switch_to(nowhere);
        let always = self.b.const_bool(true);
        self.b.fault(self.pc, jump, always);
        self.b.ret();
        self.b.switch_to(at);
    }

    fn edge(&mut self, from: GuestBlock, target: usize, to: GuestBlock) -> Option<Block> {
        self.regs.edge(Some(from), self.b.block(), target, to);
        self.regs.ir_block(to)
    }
}

/// Item `index` of a list by a tree of selects; `beyond` past its end.
fn pick(b: &mut Builder<'_>, index: Value, items: &[Value], beyond: Value) -> Value {
    let mut level = items.to_vec();
    let mut bit = 0;
    while level.len() > 1 {
        let one = b.field_u(index, bit, 1);
        let odd = b.eq32(one, 1);
        level = level
            .chunks(2)
            .map(|pair| match *pair {
                [even, other] => b.select(odd, other, even),
                [even] => b.select(odd, beyond, even),
                _ => beyond,
            })
            .collect();
        bit += 1;
    }
    let end = b.const32(1 << bit);
    let inside = b.ult(index, end);
    match level.first() {
        Some(&item) => b.select(inside, item, beyond),
        None => beyond,
    }
}

/// Lists of so many blocks stand in place: most programs have no more.
const FEW_BLOCKS: usize = 32;

/// Blocks in reverse post-order from the entry. Without recursion: guest code may nest deeply.
fn reverse_post_order(program: &Program) -> SmallVec<[GuestBlock; FEW_BLOCKS]> {
    let mut seen: SmallVec<[bool; FEW_BLOCKS]> = smallvec![false; program.blocks().len()];
    let mut order = SmallVec::with_capacity(seen.len());
    // Blocks on the way, with the number of successors that are still to be seen, the last one first.
    let mut stack: SmallVec<[(GuestBlock, usize); FEW_BLOCKS]> = SmallVec::new();
    let enter = |block: GuestBlock| (block, program.block(block).exit.successor_count());
    if let Some(first) = seen.first_mut() {
        *first = true;
        stack.push(enter(GuestBlock(0)));
    }
    while let Some((block, left)) = stack.last_mut() {
        match left.checked_sub(1) {
            Some(next) => {
                *left = next;
                if let Some(next) = program.block(*block).exit.successor(next)
                    && !std::mem::replace(&mut seen[next.index()], true)
                {
                    stack.push(enter(next));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Incoming edges of each block, the prologue's into the first included.
fn predecessors(program: &Program, order: &[GuestBlock]) -> SmallVec<[u32; FEW_BLOCKS]> {
    let mut count: SmallVec<[u32; FEW_BLOCKS]> = smallvec![0; program.blocks().len()];
    if let Some(first) = count.first_mut() {
        *first += 1;
    }
    for &block in order {
        for next in program.block(block).exit.successors() {
            count[next.index()] += 1;
        }
    }
    count
}
