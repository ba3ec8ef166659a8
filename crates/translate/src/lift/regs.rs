//! Guest registers as SSA values: which value each register holds at each point. Knows no instruction.
//!
//! Blocks are lifted in reverse post-order. A register read before it is written in its block takes its
//! value from the only predecessor, if that is lifted already, or becomes a parameter of the block. When
//! all blocks are lifted, `finish` supplies the parameters' arguments on every edge. Registers nobody
//! wrote hold zero.

use std::ops::Range;

use smallvec::SmallVec;
use spirdna_isa::SReg;

use super::steady::{BlockFacts, RegSet};
use crate::ir::{Block, Builder, Kind, Target, Terminator, Ty, Value};
use crate::program::GuestBlock;

/// No value.
const NONE: Value = Value(u32::MAX);

/// A guest register as a variable of SSA construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(u16);

impl Var {
    /// EXEC as one mask.
    pub const EXEC: Var = Var(128);
    /// SCC.
    pub const SCC: Var = Var(129);
    const VGPR0: u16 = 130;
    const COUNT: usize = 130 + 256;

    /// A scalar register that is a variable of its own.
    pub const fn scalar(reg: SReg) -> Var {
        Var(reg.code() as u16)
    }

    /// A vector register.
    pub const fn vector(n: u8) -> Var {
        Var(Self::VGPR0 + n as u16)
    }

    const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether a set has the register (of EXEC a half).
    fn is_in(self, set: &RegSet) -> bool {
        match self {
            Var::EXEC => {
                set.has_scalar(SReg::EXEC_LO.code()) || set.has_scalar(SReg::EXEC_HI.code())
            }
            Var::SCC => set.has_scc(),
            Var(n) if n >= Self::VGPR0 => set.has_vector((n - Self::VGPR0) as u8),
            Var(n) => set.has_scalar(n as u8),
        }
    }

    fn ty(self, mask: Kind) -> Ty {
        match self {
            Var::EXEC => Ty::uniform(mask),
            Var::SCC => Ty::uniform(Kind::Bool),
            Var(n) if n >= Self::VGPR0 => Ty::lane(Kind::I32),
            _ => Ty::uniform(Kind::I32),
        }
    }
}

/// The prologue, as what an edge leaves.
const PROLOGUE: GuestBlock = GuestBlock(u32::MAX);

/// An edge into a guest block: the IR block it leaves and which of its targets it is.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The guest block it leaves, or [`PROLOGUE`].
    from: GuestBlock,
    ir: Block,
    target: u32,
}

/// A set of registers, by number.
type VarSet = [u64; Var::COUNT.div_ceil(64)];

#[derive(Debug, Default)]
struct BlockState {
    /// The IR block that the guest block begins with.
    ir: Option<Block>,
    edges: SmallVec<[Edge; 2]>,
    /// Number of edges that will come: known from the guest's graph before lifting.
    predecessors: u32,
    lifted: bool,
    /// The block (or [`PROLOGUE`]) that alone leads to it and was lifted before.
    only: Option<GuestBlock>,
    /// Whether something is kept of what registers hold at its begin.
    kept: bool,
    /// Registers that were written in it, where edges leave it, and where in `Regs::ends` their values are.
    written: VarSet,
    ends: Range<usize>,
}

/// What a register holds at the begin of a block; free where the value is [`NONE`].
#[derive(Clone, Copy, Debug)]
struct Slot {
    block: GuestBlock,
    var: Var,
    value: Value,
}

/// Slots at first.
const FIRST_SLOTS: usize = 64;

/// Slots that are kept for the next program at most: all of them are made free then.
const KEPT_SLOTS: usize = 1024;

const FREE: Slot = Slot {
    block: PROLOGUE,
    var: Var(0),
    value: NONE,
};

/// What registers hold at the begins of blocks, as far as that is not found at once: a hash table with open
/// addressing.
#[derive(Debug, Default)]
struct Begins {
    /// A power of two of them, or none; half of them are free.
    slots: Vec<Slot>,
    taken: usize,
}

impl Begins {
    /// The slot of a register, or the free one where it belongs. There are slots.
    fn place(&self, block: GuestBlock, var: Var) -> usize {
        let key = u64::from(block.0) << 16 | u64::from(var.0);
        let mask = self.slots.len() - 1;
        let mut place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            // The mask keeps it inside.
            let slot = &self.slots[place];
            if slot.value == NONE || slot.block == block && slot.var == var {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    fn get(&self, block: GuestBlock, var: Var) -> Option<Value> {
        if self.slots.is_empty() {
            return None;
        }
        let value = self.slots[self.place(block, var)].value;
        (value != NONE).then_some(value)
    }

    fn set(&mut self, block: GuestBlock, var: Var, value: Value) {
        if (self.taken + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let place = self.place(block, var);
        self.taken += usize::from(self.slots[place].value == NONE);
        self.slots[place] = Slot { block, var, value };
    }

    fn clear(&mut self) {
        if self.slots.len() > KEPT_SLOTS {
            self.slots = Vec::new();
        } else if self.taken > 0 {
            self.slots.fill(FREE);
        }
        self.taken = 0;
    }

    fn grow(&mut self) {
        let slots = vec![FREE; (self.slots.len() * 2).max(FIRST_SLOTS)];
        for slot in std::mem::replace(&mut self.slots, slots) {
            if slot.value != NONE {
                let place = self.place(slot.block, slot.var);
                self.slots[place] = slot;
            }
        }
    }
}

/// About as many registers a block writes.
const REGS_EACH: usize = 8;

/// Room for parameters where there are any.
const FIRST_PARAMS: usize = 32;

/// The register file of a function under construction.
#[derive(Debug)]
pub struct Regs {
    blocks: Vec<BlockState>,
    /// What is known of the blocks' registers before they are lifted; empty where nothing is.
    facts: Vec<BlockFacts>,
    begins: Begins,
    /// Values at the ends of blocks, a block's by register.
    ends: Vec<(Var, Value)>,
    /// What each register holds at entry of the program, as far as that is known.
    initial: [Value; Var::COUNT],
    /// Those of which that is known.
    at_entry: VarSet,
    current: Option<GuestBlock>,
    /// The block that was lifted last.
    last: GuestBlock,
    /// What each register holds now, as far as the current block, or those that it alone goes on from, wrote
    /// or read it.
    now: [Value; Var::COUNT],
    /// Those of which that is known.
    known: VarSet,
    /// Those that the current block wrote.
    written: VarSet,
    /// Whether an edge leaves the current block.
    goes_on: bool,
    /// Blocks between where a value is asked for and where it is known.
    chain: SmallVec<[GuestBlock; 16]>,
    /// Parameters in the order in which they were added: those from `supplied` on still lack arguments.
    params: Vec<(GuestBlock, Var)>,
    supplied: usize,
    /// A block wrote a register that its facts do not name.
    unforeseen: bool,
}

impl Regs {
    /// The register file of no program.
    pub fn new() -> Regs {
        Regs {
            blocks: Vec::new(),
            facts: Vec::new(),
            begins: Begins::default(),
            ends: Vec::new(),
            initial: [NONE; Var::COUNT],
            at_entry: VarSet::default(),
            current: None,
            last: PROLOGUE,
            now: [NONE; Var::COUNT],
            known: VarSet::default(),
            written: VarSet::default(),
            goes_on: false,
            chain: SmallVec::new(),
            params: Vec::new(),
            supplied: 0,
            unforeseen: false,
        }
    }

    /// Makes it that of a program whose guest block `i` has `predecessors[i]` incoming edges, counting the
    /// prologue's; what it was before is forgotten.
    pub fn restart(&mut self, predecessors: &[u32], facts: Vec<BlockFacts>) {
        let state = |&predecessors| BlockState {
            predecessors,
            ..BlockState::default()
        };
        self.blocks.clear();
        self.blocks.extend(predecessors.iter().map(state));
        self.facts = facts;
        self.begins.clear();
        self.ends.clear();
        for var in vars(&std::mem::take(&mut self.at_entry)) {
            self.initial[var.index()] = NONE;
        }
        self.current = None;
        self.last = PROLOGUE;
        self.take_written();
        self.forget_now();
        self.goes_on = false;
        self.params.clear();
        self.supplied = 0;
        self.unforeseen = false;
    }

    /// What the current block wrote, which is known from now on.
    fn take_written(&mut self) -> VarSet {
        let written = std::mem::take(&mut self.written);
        for (known, written) in self.known.iter_mut().zip(written) {
            *known |= written;
        }
        written
    }

    /// Forgets what registers hold now.
    fn forget_now(&mut self) {
        for var in vars(&std::mem::take(&mut self.known)) {
            self.now[var.index()] = NONE;
        }
    }

    /// Whether a block wrote a register that its facts do not name: values of joins may be wrong.
    pub fn unforeseen(&self) -> bool {
        self.unforeseen
    }

    /// What a register holds at entry of the program.
    pub fn set_initial(&mut self, var: Var, value: Value) {
        self.initial[var.index()] = value;
        add(&mut self.at_entry, var);
    }

    /// Names the IR block that a guest block begins with.
    pub fn place(&mut self, block: GuestBlock, ir: Block) {
        self.blocks[block.index()].ir = Some(ir);
    }

    /// The IR block that a guest block begins with.
    pub fn ir_block(&self, block: GuestBlock) -> Option<Block> {
        self.blocks[block.index()].ir
    }

    /// Begins lifting a block.
    pub fn begin(&mut self, block: GuestBlock) {
        self.current = Some(block);
        let only = match self.blocks[block.index()].edges.as_slice() {
            &[Edge { from, .. }] if self.blocks[block.index()].predecessors == 1 => Some(from),
            _ => None,
        };
        self.blocks[block.index()].only = only;
        if only != Some(self.last) {
            self.forget_now();
        }
    }

    /// Ends the block that is being lifted; its edges have been recorded.
    pub fn end(&mut self) {
        let Some(block) = self.current.take() else {
            return;
        };
        self.last = block;
        let written = self.take_written();
        if self.ends.capacity() == 0 && self.goes_on {
            self.ends.reserve(REGS_EACH * self.blocks.len());
        }
        let state = &mut self.blocks[block.index()];
        state.lifted = true;
        let foreseen = self.facts.get(block.index());
        let foreseen = foreseen.and_then(|facts| facts.writes.as_ref());
        if self.goes_on || foreseen.is_some() {
            let first = self.ends.len();
            for var in vars(&written) {
                self.unforeseen |= foreseen.is_some_and(|foreseen| !var.is_in(foreseen));
                self.ends.push((var, self.now[var.index()]));
            }
            state.ends = first..self.ends.len();
            state.written = written;
        }
        self.goes_on = false;
    }

    /// Records that target number `target` of IR block `ir`, at the end of `from` (`None`: the prologue),
    /// goes to `to`.
    pub fn edge(&mut self, from: Option<GuestBlock>, ir: Block, target: usize, to: GuestBlock) {
        self.goes_on |= from.is_some();
        self.blocks[to.index()].edges.push(Edge {
            from: from.unwrap_or(PROLOGUE),
            ir,
            target: target as u32,
        });
    }

    /// Writes a register in the current block.
    #[inline]
    pub fn write(&mut self, var: Var, value: Value) {
        self.now[var.index()] = value;
        add(&mut self.written, var);
    }

    /// Reads a register in the current block.
    #[inline]
    pub fn read(&mut self, b: &mut Builder<'_>, var: Var) -> Value {
        match self.now[var.index()] {
            NONE => self.read_before(b, var),
            value => value,
        }
    }

    /// Reads a register that the current block has neither written nor read.
    fn read_before(&mut self, b: &mut Builder<'_>, var: Var) -> Value {
        let Some(block) = self.current else {
            return self.initial_value(b, var);
        };
        let value = self.at_entry(b, block, var);
        self.now[var.index()] = value;
        add(&mut self.known, var);
        value
    }

    /// Gives every parameter its arguments. All blocks are lifted and have their terminators.
    pub fn finish(&mut self, b: &mut Builder<'_>) {
        while let Some(&(block, var)) = self.params.get(self.supplied) {
            self.supplied += 1;
            let ir = self.blocks[block.index()].ir;
            let params = ir.map_or(0, |ir| b.func().block(ir).params.len());
            for i in 0..self.blocks[block.index()].edges.len() {
                let edge = self.blocks[block.index()].edges[i];
                let value = self.at_end(b, edge.from, var);
                let term = b.func_mut().block_mut(edge.ir).term.as_mut();
                if let Some(target) = term.and_then(|term| target(term, edge.target)) {
                    if target.args.capacity() == 0 {
                        target.args.reserve(params);
                    }
                    target.args.push(value);
                }
            }
        }
    }

    fn initial_value(&mut self, b: &mut Builder<'_>, var: Var) -> Value {
        let known = self.initial[var.index()];
        if known != NONE {
            return known;
        }
        let value = b.zero(var.ty(b.func().mask_kind()).kind);
        self.set_initial(var, value);
        value
    }

    fn at_end(&mut self, b: &mut Builder<'_>, block: GuestBlock, var: Var) -> Value {
        if block == PROLOGUE {
            return self.initial_value(b, var);
        }
        match self.written_at_end(block, var) {
            Some(value) => value,
            None => self.at_entry(b, block, var),
        }
    }

    /// What a block that has been lifted wrote to a register.
    fn written_at_end(&self, block: GuestBlock, var: Var) -> Option<Value> {
        let state = &self.blocks[block.index()];
        if !has(&state.written, var) {
            return None;
        }
        let ends = self.ends.get(state.ends.clone())?;
        let at = ends.binary_search_by_key(&var, |&(var, _)| var).ok()?;
        ends.get(at).map(|&(_, value)| value)
    }

    /// Value at the begin of a block: walks up the chain of only predecessors without recursion.
    fn at_entry(&mut self, b: &mut Builder<'_>, block: GuestBlock, var: Var) -> Value {
        let mut at = block;
        self.chain.clear();
        let value = loop {
            let state = &self.blocks[at.index()];
            if state.kept
                && let Some(value) = self.begins.get(at, var)
            {
                break value;
            }
            match state.only.or_else(|| self.kept_from(at, var)) {
                Some(PROLOGUE) => break self.initial_value(b, var),
                Some(from) => {
                    if let Some(value) = self.written_at_end(from, var) {
                        break value;
                    }
                    self.chain.push(at);
                    at = from;
                }
                None => {
                    self.chain.push(at);
                    break self.new_param(b, at, var);
                }
            }
        };
        // Where one step is enough, nothing is to be kept.
        for &at in &self.chain {
            self.blocks[at.index()].kept = true;
            self.begins.set(at, var, value);
        }
        value
    }

    /// The block ([`PROLOGUE`]: the program's begin) at whose end a register holds what it holds at the begin
    /// of a join.
    fn kept_from(&self, block: GuestBlock, var: Var) -> Option<GuestBlock> {
        let kept = self.facts.get(block.index())?.kept.as_ref()?;
        match kept.from {
            _ if var.is_in(&kept.written) => None,
            Some(from) => self.blocks[from.index()].lifted.then_some(from),
            None => Some(PROLOGUE),
        }
    }

    fn new_param(&mut self, b: &mut Builder<'_>, block: GuestBlock, var: Var) -> Value {
        let ty = var.ty(b.func().mask_kind());
        match self.blocks[block.index()].ir {
            Some(ir) => {
                if self.params.capacity() == 0 {
                    self.params.reserve(FIRST_PARAMS);
                }
                self.params.push((block, var));
                b.param(ir, ty)
            }
            // A block that was never placed is unreachable: nothing reads what this value is.
            None => self.initial_value(b, var),
        }
    }
}

/// Target number `i` of a terminator.
fn target(term: &mut Terminator, i: u32) -> Option<&mut Target> {
    match (term, i) {
        (Terminator::Jump(to) | Terminator::Barrier(to), 0) => Some(to),
        (Terminator::Branch { then, .. }, 0) => Some(then),
        (Terminator::Branch { els, .. }, 1) => Some(els),
        (Terminator::Switch { targets, .. }, _) => targets.get_mut(i as usize),
        _ => None,
    }
}

/// Adds a register to a set.
#[inline]
fn add(set: &mut VarSet, var: Var) {
    set[var.index() / 64] |= 1 << (var.index() % 64);
}

/// Whether a set has a register.
#[inline]
fn has(set: &VarSet, var: Var) -> bool {
    set[var.index() / 64] >> (var.index() % 64) & 1 != 0
}

/// The registers of a set in order.
fn vars(set: &VarSet) -> impl Iterator<Item = Var> + '_ {
    let mut words = (0..).zip(set);
    // The number of the word at hand, and which of it are to come.
    let (mut at, mut left) = (0, 0u64);
    std::iter::from_fn(move || {
        while left == 0 {
            (at, left) = words.next().map(|(at, &word)| (at, word))?;
        }
        let var = Var(64 * at + left.trailing_zeros() as u16);
        left &= left - 1;
        Some(var)
    })
}
