//! Guest code as basic blocks: decoding follows control flow from the entry, so that tables behind the
//! code and code behind the first end are met as what they are. Knows no IR.

use spirdna_isa::{BranchCond, Flow, Inst, Sem, Target, decode};

use crate::error::{Reason, Unsupported};
use crate::key::CodeHash;

/// A guest basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GuestBlock(pub u32);

impl GuestBlock {
    /// The number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a guest block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The wave ends.
    EndPgm,
    /// Control continues there: a branch, or the next block.
    Jump(GuestBlock),
    /// Two ways.
    Branch {
        /// What is tested.
        cond: BranchCond,
        /// Where the branch goes.
        taken: GuestBlock,
        /// The next instruction.
        next: GuestBlock,
    },
}

impl End {
    /// The successors in order.
    pub fn successors(self) -> impl Iterator<Item = GuestBlock> {
        let (a, b) = match self {
            End::EndPgm => (None, None),
            End::Jump(to) => (Some(to), None),
            End::Branch { taken, next, .. } => (Some(taken), Some(next)),
        };
        a.into_iter().chain(b)
    }
}

/// A basic block: a run of instructions and its end. The instruction that ends it is its last one.
#[derive(Clone, Debug)]
pub struct BlockRange {
    /// pc of the first instruction.
    pub pc: u32,
    /// Index of the first instruction in `Program::insts`.
    pub first: usize,
    /// Index behind the last.
    pub end: usize,
    /// How it ends.
    pub exit: End,
}

/// A decoded program.
#[derive(Clone)]
pub struct Program {
    target: Target,
    insts: Vec<Inst>,
    blocks: Vec<BlockRange>,
}

impl Program {
    /// Decodes everything that control can reach from the first word.
    ///
    /// # Errors
    /// Every place that does not decode, branches out of the code, runs off its end or goes where only
    /// run time knows.
    pub fn decode(target: Target, code: &[u32]) -> Result<Program, Vec<Unsupported>> {
        let mut walk = Walk {
            target,
            code,
            at: vec![None; code.len()],
            leader: vec![false; code.len()],
            pending: Vec::new(),
            refused: Vec::new(),
        };
        walk.run();
        let Walk {
            at,
            leader,
            mut refused,
            ..
        } = walk;
        if !refused.is_empty() {
            refused.sort_by_key(|r| r.pc);
            return Err(refused);
        }
        Ok(assemble_blocks(target, &at, &leader))
    }

    /// The target that it was decoded for.
    pub const fn target(&self) -> Target {
        self.target
    }

    /// The hash of the code that control reaches: all that a translation takes of it.
    pub fn code_hash(&self) -> CodeHash {
        CodeHash::of(self)
    }

    /// The blocks; the first is the entry.
    pub fn blocks(&self) -> &[BlockRange] {
        &self.blocks
    }

    /// A block.
    pub fn block(&self, block: GuestBlock) -> &BlockRange {
        &self.blocks[block.index()]
    }

    /// The instructions of a block.
    pub fn insts(&self, block: GuestBlock) -> &[Inst] {
        self.range(self.block(block))
    }

    /// The instructions of a block, by its range.
    pub(crate) fn range(&self, range: &BlockRange) -> &[Inst] {
        &self.insts[range.first..range.end]
    }

    /// Adds a copy of a block: the same instructions and the same ways on.
    pub fn copy_block(&mut self, block: GuestBlock) -> GuestBlock {
        let copy = self.block(block).clone();
        self.blocks.push(copy);
        GuestBlock(self.blocks.len() as u32 - 1)
    }

    /// Sends successor number `target` of a block elsewhere.
    pub fn redirect(&mut self, block: GuestBlock, target: usize, to: GuestBlock) {
        match (&mut self.blocks[block.index()].exit, target) {
            (End::Jump(way) | End::Branch { taken: way, .. }, 0)
            | (End::Branch { next: way, .. }, 1) => *way = to,
            _ => {}
        }
    }

    /// The instruction at a pc.
    pub fn at(&self, pc: u32) -> Option<&Inst> {
        self.insts.iter().find(|inst| inst.pc() == pc)
    }

    /// Number of instructions.
    pub fn inst_count(&self) -> usize {
        self.insts.len()
    }
}

/// What an instruction does to control.
enum Step {
    Next,
    End,
    Jump(u32),
    Branch(BranchCond, u32),
    Refuse(Reason),
}

fn step(inst: &Inst) -> Step {
    let Sem::Flow(flow) = inst.sem() else {
        return Step::Next;
    };
    let target = || inst.branch_target().unwrap_or(u32::MAX);
    match flow {
        Flow::EndPgm => Step::End,
        Flow::Branch => Step::Jump(target()),
        Flow::Cbranch(cond) => match cond {
            BranchCond::Scc0
            | BranchCond::Scc1
            | BranchCond::VccZ
            | BranchCond::VccNz
            | BranchCond::ExecZ
            | BranchCond::ExecNz => Step::Branch(cond, target()),
            BranchCond::CdbgSys
            | BranchCond::CdbgUser
            | BranchCond::CdbgSysOrUser
            | BranchCond::CdbgSysAndUser => {
                Step::Refuse(Reason::NoCounterpart("the debugger's branch conditions"))
            }
        },
        Flow::SetPc | Flow::SwapPc | Flow::Call => Step::Refuse(Reason::IndirectBranch),
        Flow::Rfe | Flow::Trap => Step::Refuse(Reason::NoCounterpart("traps")),
        Flow::EndPgmSpecial => Step::Refuse(Reason::NoCounterpart(
            "context save and ordered pixel shading",
        )),
        Flow::CodeEnd => Step::Refuse(Reason::RunsOff),
        Flow::SubvectorLoopBegin | Flow::SubvectorLoopEnd => Step::Refuse(Reason::Meaning),
        Flow::Nop
        | Flow::Barrier
        | Flow::Waitcnt
        | Flow::SendMsg
        | Flow::SetHalt
        | Flow::SetKill
        | Flow::RoundMode
        | Flow::DenormMode => Step::Next,
    }
}

struct Walk<'a> {
    target: Target,
    code: &'a [u32],
    /// Instruction that begins at each word.
    at: Vec<Option<Inst>>,
    leader: Vec<bool>,
    pending: Vec<usize>,
    refused: Vec<Unsupported>,
}

impl Walk<'_> {
    fn run(&mut self) {
        self.pending.push(0);
        if let Some(first) = self.leader.first_mut() {
            *first = true;
        }
        while let Some(word) = self.pending.pop() {
            self.follow(word);
        }
    }

    fn follow(&mut self, mut word: usize) {
        loop {
            match self.at.get(word) {
                Some(None) => {}
                Some(Some(_)) => return,
                None => {
                    self.refused
                        .push(Unsupported::nothing(word as u32 * 4, Reason::RunsOff));
                    return;
                }
            }
            let inst = match decode(self.target, self.code, word) {
                Ok(inst) => inst,
                Err(error) => {
                    self.refused.push(Unsupported::undecoded(error));
                    return;
                }
            };
            self.at[word] = Some(inst);
            let next = word + inst.len() as usize;
            match step(&inst) {
                Step::Next => {}
                Step::End => return,
                Step::Jump(pc) => {
                    self.branch(&inst, pc);
                    return;
                }
                Step::Branch(_, pc) => {
                    self.branch(&inst, pc);
                    if let Some(leader) = self.leader.get_mut(next) {
                        *leader = true;
                    }
                }
                Step::Refuse(reason) => {
                    self.refused.push(Unsupported::of(&inst, reason));
                    return;
                }
            }
            word = next;
        }
    }

    fn branch(&mut self, inst: &Inst, pc: u32) {
        let word = (pc / 4) as usize;
        match self.leader.get_mut(word) {
            Some(leader) if pc.is_multiple_of(4) => {
                *leader = true;
                self.pending.push(word);
            }
            _ => self
                .refused
                .push(Unsupported::of(inst, Reason::BranchTarget(pc))),
        }
    }
}

/// Cuts the decoded instructions into blocks. Two decodings may overlap (a branch into the middle of an
/// instruction): each leader's run is followed by instruction length, so each keeps its own reading.
fn assemble_blocks(target: Target, at: &[Option<Inst>], leader: &[bool]) -> Program {
    let mut number = vec![GuestBlock(u32::MAX); at.len()];
    let mut starts = Vec::new();
    for (word, inst) in at.iter().enumerate() {
        if leader[word] && inst.is_some() {
            number[word] = GuestBlock(starts.len() as u32);
            starts.push(word);
        }
    }
    let mut program = Program {
        target,
        insts: Vec::new(),
        blocks: Vec::with_capacity(starts.len()),
    };
    for &start in &starts {
        let first = program.insts.len();
        let mut word = start;
        let mut exit = End::EndPgm;
        while let Some(Some(inst)) = at.get(word) {
            program.insts.push(*inst);
            let next = word + inst.len() as usize;
            let to = |pc: u32| number[(pc / 4) as usize];
            match step(inst) {
                Step::Next => {
                    word = next;
                    if leader.get(next).copied().unwrap_or(false) {
                        exit = End::Jump(number[next]);
                        break;
                    }
                }
                Step::Jump(pc) => {
                    exit = End::Jump(to(pc));
                    break;
                }
                Step::Branch(cond, pc) => {
                    exit = End::Branch {
                        cond,
                        taken: to(pc),
                        next: number[next],
                    };
                    break;
                }
                Step::End | Step::Refuse(_) => break,
            }
        }
        program.blocks.push(BlockRange {
            pc: start as u32 * 4,
            first,
            end: program.insts.len(),
            exit,
        });
    }
    program
}
