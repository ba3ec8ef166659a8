//! Guest registers as SSA values: which value each register holds at each point. Knows no instruction.
//!
//! Blocks are lifted in reverse post-order. A register read before it is written in its block takes its
//! value from the only predecessor, if that is lifted already, or becomes a parameter of the block. When
//! all blocks are lifted, `finish` supplies the parameters' arguments on every edge. Registers nobody
//! wrote hold zero.

use std::collections::VecDeque;

use smallvec::SmallVec;
use spirdna_isa::SReg;

use super::steady::{BlockFacts, RegSet};
use crate::ir::{Block, Builder, Kind, Ty, Value};
use crate::program::GuestBlock;

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

    /// The register as a set.
    fn set(self) -> RegSet {
        match self {
            Var::EXEC => RegSet::EXEC,
            Var::SCC => RegSet::SCC,
            Var(n) if n >= Self::VGPR0 => RegSet::vectors((n - Self::VGPR0) as u8, 1),
            Var(n) => RegSet::scalars(n as u8, 1),
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

/// Room for registers that a block that is asked for one has at first.
const FIRST_REGS: usize = 16;

/// An edge into a guest block: the IR block it leaves and which of its targets it is.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The guest block it leaves; `None` for the prologue.
    from: Option<GuestBlock>,
    ir: Block,
    target: usize,
}

#[derive(Default)]
struct BlockState {
    /// The IR block that the guest block begins with.
    ir: Option<Block>,
    edges: SmallVec<[Edge; 2]>,
    /// Number of edges that will come: known from the guest's graph before lifting.
    predecessors: u32,
    /// Values at its begin, as far as anybody asked, by register.
    entry: Vec<(Var, Value)>,
    /// Values written in it, by register.
    end: Vec<(Var, Value)>,
    lifted: bool,
    /// What is known of its registers before it is lifted.
    facts: BlockFacts,
}

impl BlockState {
    /// What a register holds at the begin, or where that is to be put.
    fn at_begin(&self, var: Var) -> Result<Value, usize> {
        let at = self.entry.binary_search_by_key(&var, |&(var, _)| var);
        at.and_then(|at| self.entry.get(at).map(|&(_, value)| value).ok_or(at))
    }

    /// What was written to a register.
    fn at_end(&self, var: Var) -> Option<Value> {
        let at = self.end.binary_search_by_key(&var, |&(var, _)| var).ok()?;
        self.end.get(at).map(|&(_, value)| value)
    }
}

/// The register file of a function under construction.
pub struct Regs {
    blocks: Vec<BlockState>,
    /// What each register holds at entry of the program, as far as that is known.
    initial: Vec<Option<Value>>,
    current: Option<GuestBlock>,
    /// What the current block has written.
    now: Vec<Option<Value>>,
    written: Vec<Var>,
    /// Parameters that still lack arguments, in the order in which they were added.
    params: VecDeque<(GuestBlock, Var)>,
    /// A block wrote a register that its facts do not name.
    unforeseen: bool,
}

impl Regs {
    /// A register file for a program whose guest block `i` has `predecessors[i]` incoming edges,
    /// counting the prologue's.
    pub fn new(predecessors: &[u32], facts: &[BlockFacts]) -> Regs {
        let blocks = predecessors
            .iter()
            .zip(facts)
            .map(|(&predecessors, &facts)| BlockState {
                predecessors,
                facts,
                ..BlockState::default()
            })
            .collect();
        Regs {
            blocks,
            initial: vec![None; Var::COUNT],
            current: None,
            now: vec![None; Var::COUNT],
            written: Vec::new(),
            params: VecDeque::new(),
            unforeseen: false,
        }
    }

    /// Whether a block wrote a register that its facts do not name: values of joins may be wrong.
    pub fn unforeseen(&self) -> bool {
        self.unforeseen
    }

    /// What a register holds at entry of the program.
    pub fn set_initial(&mut self, var: Var, value: Value) {
        self.initial[var.index()] = Some(value);
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
    }

    /// Ends the block that is being lifted.
    pub fn end(&mut self) {
        let Some(block) = self.current.take() else {
            return;
        };
        let state = &mut self.blocks[block.index()];
        self.written.sort_unstable();
        state.end.reserve_exact(self.written.len());
        for var in self.written.drain(..) {
            if let Some(value) = self.now[var.index()].take() {
                state.end.push((var, value));
            }
        }
        state.lifted = true;
    }

    /// Records that target number `target` of IR block `ir`, at the end of `from`, goes to `to`.
    pub fn edge(&mut self, from: Option<GuestBlock>, ir: Block, target: usize, to: GuestBlock) {
        self.blocks[to.index()]
            .edges
            .push(Edge { from, ir, target });
    }

    /// Writes a register in the current block.
    pub fn write(&mut self, var: Var, value: Value) {
        if let Some(block) = self.current {
            let facts = &self.blocks[block.index()].facts;
            self.unforeseen |= !facts.writes.meets(&var.set());
        }
        if self.now[var.index()].replace(value).is_none() {
            self.written.push(var);
        }
    }

    /// Reads a register in the current block.
    pub fn read(&mut self, b: &mut Builder<'_>, var: Var) -> Value {
        match (self.now[var.index()], self.current) {
            (Some(value), _) => value,
            (None, Some(block)) => self.at_entry(b, block, var),
            (None, None) => self.initial_value(b, var),
        }
    }

    /// Gives every parameter its arguments. All blocks are lifted and have their terminators.
    pub fn finish(&mut self, b: &mut Builder<'_>) {
        while let Some((block, var)) = self.params.pop_front() {
            for i in 0..self.blocks[block.index()].edges.len() {
                let edge = self.blocks[block.index()].edges[i];
                let value = self.at_end(b, edge.from, var);
                if let Some(term) = &mut b.func_mut().block_mut(edge.ir).term
                    && let Some(target) = term.targets_mut().get_mut(edge.target)
                {
                    target.args.push(value);
                }
            }
        }
    }

    fn initial_value(&mut self, b: &mut Builder<'_>, var: Var) -> Value {
        if let Some(value) = self.initial[var.index()] {
            return value;
        }
        let value = b.zero(var.ty(b.func().mask_kind()).kind);
        self.initial[var.index()] = Some(value);
        value
    }

    fn at_end(&mut self, b: &mut Builder<'_>, block: Option<GuestBlock>, var: Var) -> Value {
        let Some(block) = block else {
            return self.initial_value(b, var);
        };
        match self.blocks[block.index()].at_end(var) {
            Some(value) => value,
            None => self.at_entry(b, block, var),
        }
    }

    /// Value at the begin of a block: walks up the chain of only predecessors without recursion.
    fn at_entry(&mut self, b: &mut Builder<'_>, block: GuestBlock, var: Var) -> Value {
        let mut chain: SmallVec<[GuestBlock; 8]> = SmallVec::new();
        let mut at = block;
        let value = loop {
            if let Ok(value) = self.blocks[at.index()].at_begin(var) {
                break value;
            }
            chain.push(at);
            let state = &self.blocks[at.index()];
            match (state.predecessors, state.edges.as_slice()) {
                (1, [Edge { from: None, .. }]) => break self.initial_value(b, var),
                (
                    1,
                    [
                        Edge {
                            from: Some(from), ..
                        },
                    ],
                ) if self.blocks[from.index()].lifted => {
                    if let Some(value) = self.blocks[from.index()].at_end(var) {
                        break value;
                    }
                    at = *from;
                }
                _ => match self.kept_from(at, var) {
                    Some(None) => break self.initial_value(b, var),
                    Some(Some(from)) => {
                        if let Some(value) = self.blocks[from.index()].at_end(var) {
                            break value;
                        }
                        at = from;
                    }
                    None => break self.new_param(b, at, var),
                },
            }
        };
        for at in chain {
            let state = &mut self.blocks[at.index()];
            if state.entry.capacity() == 0 {
                state.entry.reserve(FIRST_REGS);
            }
            if let Err(place) = state.at_begin(var) {
                state.entry.insert(place, (var, value));
            }
        }
        value
    }

    /// The block (`None`: the program's begin) at whose end a register holds what it holds at the begin of
    /// a join.
    fn kept_from(&self, block: GuestBlock, var: Var) -> Option<Option<GuestBlock>> {
        let kept = self.blocks[block.index()].facts.kept?;
        match kept.from {
            _ if kept.written.meets(&var.set()) => None,
            Some(from) if !self.blocks[from.index()].lifted => None,
            from => Some(from),
        }
    }

    fn new_param(&mut self, b: &mut Builder<'_>, block: GuestBlock, var: Var) -> Value {
        let ty = var.ty(b.func().mask_kind());
        match self.blocks[block.index()].ir {
            Some(ir) => {
                self.params.push_back((block, var));
                b.param(ir, ty)
            }
            // A block that was never placed is unreachable: nothing reads what this value is.
            None => self.initial_value(b, var),
        }
    }
}
