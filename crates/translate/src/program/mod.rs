//! Guest code as basic blocks: decoding follows control flow from the entry, so that tables behind the
//! code and code behind the first end are met as what they are. Indirect branches go where the code's own
//! constants say. Knows no IR.

mod known;
pub mod registers;
mod targets;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use spirdna_isa::launch::CODE_BASE;
use spirdna_isa::{BranchCond, Flow, Inst, Salu, Sem, Target, decode};

use crate::error::{Reason, Unsupported};
use crate::key::{CodeHash, words_hash};

/// A guest basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GuestBlock(pub u32);

impl GuestBlock {
    /// The number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a two-way branch tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// A condition of S_CBRANCH.
    Cond(BranchCond),
    /// What the block's last instruction, of a subvector loop, says itself.
    Subvector,
}

/// How a guest block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The wave ends.
    EndPgm,
    /// Control continues there: a branch, or the next block.
    Jump(GuestBlock),
    /// Two ways.
    Branch {
        /// What is tested.
        cond: Test,
        /// Where the branch goes.
        taken: GuestBlock,
        /// The next instruction.
        next: GuestBlock,
    },
    /// To the address that the last instruction's source holds, which is the begin of one of these or no
    /// place of the code.
    Indirect(Vec<GuestBlock>),
}

impl End {
    /// The successors in order.
    pub fn successors(&self) -> impl Iterator<Item = GuestBlock> + '_ {
        (0..).map_while(|i| self.successor(i))
    }

    /// Successor number `i`.
    #[inline]
    pub fn successor(&self, i: usize) -> Option<GuestBlock> {
        match (self, i) {
            (End::Jump(to), 0) | (End::Branch { taken: to, .. }, 0) => Some(*to),
            (End::Branch { next, .. }, 1) => Some(*next),
            (End::Indirect(to), _) => to.get(i).copied(),
            _ => None,
        }
    }

    /// How many successors there are.
    #[inline]
    pub fn successor_count(&self) -> usize {
        match self {
            End::EndPgm => 0,
            End::Jump(_) => 1,
            End::Branch { .. } => 2,
            End::Indirect(to) => to.len(),
        }
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
    /// A hash of all words of the code, where the program takes addresses of it.
    whole: Option<u128>,
    /// The words of the code, where the program takes addresses of it.
    code: Vec<u32>,
}

impl Program {
    /// As [`Program::decode_at`], with the code at [`CODE_BASE`] and its entry at the first word.
    ///
    /// # Errors
    /// As there.
    pub fn decode(target: Target, code: &[u32]) -> Result<Program, Vec<Unsupported>> {
        Program::decode_at(target, code, CODE_BASE, 0)
    }

    /// Decodes everything that control can reach from a byte offset of the code, whose first word lies at a
    /// guest address.
    ///
    /// # Errors
    /// Every place that does not decode, branches out of the code, runs off its end or goes where only
    /// run time knows.
    pub fn decode_at(
        target: Target,
        code: &[u32],
        address: u64,
        entry: u32,
    ) -> Result<Program, Vec<Unsupported>> {
        let mut indirect = BTreeMap::new();
        for _ in 0..MAX_ROUNDS {
            let mut walk = Walk {
                target,
                code,
                at: vec![None; code.len()],
                leader: vec![false; code.len()],
                indirect: &indirect,
                open: Vec::new(),
                pending: Vec::new(),
                refused: Vec::new(),
            };
            walk.run((entry / 4) as usize);
            let Walk {
                at,
                leader,
                open,
                mut refused,
                ..
            } = walk;
            let mut program =
                assemble_blocks(target, &at, &leader, &indirect, (entry / 4) as usize);
            if !open.is_empty() {
                let mut more = indirect.clone();
                for (pc, targets) in targets::find(&program, code, address) {
                    let known: &mut Vec<u32> = more.entry(pc).or_default();
                    known.extend(targets.into_iter().flatten());
                    known.sort_unstable();
                    known.dedup();
                }
                if more != indirect {
                    indirect = more;
                    continue;
                }
                // A branch has targets here only where all of them are known.
                let found = targets::find(&program, code, address);
                let unknown = open.into_iter().filter(|inst| {
                    let targets = found.get(&inst.pc()).cloned().flatten();
                    targets.is_none_or(|targets| targets.is_empty())
                });
                refused.extend(unknown.map(|i| Unsupported::of(&i, Reason::IndirectBranch)));
            }
            if refused.is_empty() {
                if program.names_code() {
                    program.whole = Some(words_hash(code));
                    program.code = code.to_vec();
                }
                return Ok(program);
            }
            refused.sort_by_key(|r| r.pc);
            return Err(refused);
        }
        Err(vec![Unsupported::nothing(0, Reason::IndirectBranch)])
    }

    /// The target that it was decoded for.
    pub const fn target(&self) -> Target {
        self.target
    }

    /// A hash of all words of the code, where the program takes addresses of it: what it reads of the code
    /// decides where it goes.
    pub(crate) const fn whole(&self) -> Option<u128> {
        self.whole
    }

    /// The words of the code, where the program takes addresses of it; otherwise none.
    pub(crate) fn named_code(&self) -> &[u32] {
        &self.code
    }

    /// The hash of the code that control reaches: all that a translation takes of it. Of a program that
    /// takes addresses of its code, the hash of all of it.
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
            (End::Indirect(ways), _) => {
                if let Some(way) = ways.get_mut(target) {
                    *way = to;
                }
            }
            _ => {}
        }
    }

    /// The instruction at a pc.
    pub fn at(&self, pc: u32) -> Option<&Inst> {
        self.insts.iter().find(|inst| inst.pc() == pc)
    }

    /// Whether an instruction takes an address of the code.
    pub fn names_code(&self) -> bool {
        self.insts.iter().any(|inst| {
            matches!(
                inst.sem(),
                Sem::Salu(Salu::GetPc) | Sem::Flow(Flow::SwapPc | Flow::Call)
            )
        })
    }

    /// Number of instructions.
    pub fn inst_count(&self) -> usize {
        self.insts.len()
    }
}

/// Rounds of finding more of the program by what is known of indirect branches.
const MAX_ROUNDS: u32 = 256;

/// What an instruction does to control.
enum Step {
    Next,
    End,
    Jump(u32),
    Branch(Test, u32),
    Indirect,
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
            | BranchCond::ExecNz => Step::Branch(Test::Cond(cond), target()),
            BranchCond::CdbgSys
            | BranchCond::CdbgUser
            | BranchCond::CdbgSysOrUser
            | BranchCond::CdbgSysAndUser => {
                Step::Refuse(Reason::NoCounterpart("the debugger's branch conditions"))
            }
        },
        Flow::Call => Step::Jump(target()),
        Flow::SetPc | Flow::SwapPc => Step::Indirect,
        Flow::Rfe | Flow::Trap => Step::Refuse(Reason::NoCounterpart("traps")),
        Flow::EndPgmSpecial => Step::Refuse(Reason::NoCounterpart(
            "context save and ordered pixel shading",
        )),
        Flow::CodeEnd => Step::Refuse(Reason::RunsOff),
        Flow::SubvectorLoopBegin | Flow::SubvectorLoopEnd => {
            Step::Branch(Test::Subvector, target())
        }
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
    /// Targets of indirect branches by pc, as far as they are known.
    indirect: &'a BTreeMap<u32, Vec<u32>>,
    /// The indirect branches.
    open: Vec<Inst>,
    pending: Vec<usize>,
    refused: Vec<Unsupported>,
}

impl Walk<'_> {
    fn run(&mut self, entry: usize) {
        self.pending.push(entry);
        if let Some(first) = self.leader.get_mut(entry) {
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
                Step::Indirect => {
                    for &pc in self.indirect.get(&inst.pc()).into_iter().flatten() {
                        self.branch(&inst, pc);
                    }
                    self.open.push(inst);
                    return;
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

/// No block.
const NOWHERE: GuestBlock = GuestBlock(u32::MAX);

/// Cuts the decoded instructions into blocks. Two decodings may overlap (a branch into the middle of an
/// instruction): each leader's run is followed by instruction length, so each keeps its own reading.
fn assemble_blocks(
    target: Target,
    at: &[Option<Inst>],
    leader: &[bool],
    indirect: &BTreeMap<u32, Vec<u32>>,
    entry: usize,
) -> Program {
    let mut number = vec![NOWHERE; at.len()];
    // The entry is the first block, then they follow by their places.
    let words = at.iter().zip(leader).enumerate();
    let mut starts: Vec<usize> = words
        .filter(|(_, (inst, leader))| **leader && inst.is_some())
        .map(|(word, _)| word)
        .collect();
    if let Some(first) = starts.iter().position(|&word| word == entry) {
        starts.get_mut(..=first).unwrap_or_default().rotate_right(1);
    }
    for (i, &word) in starts.iter().enumerate() {
        if let Some(number) = number.get_mut(word) {
            *number = GuestBlock(i as u32);
        }
    }
    let mut program = Program {
        target,
        insts: Vec::new(),
        blocks: Vec::with_capacity(starts.len()),
        whole: None,
        code: Vec::new(),
    };
    for &start in &starts {
        let first = program.insts.len();
        let mut word = start;
        let mut exit = End::EndPgm;
        while let Some(Some(inst)) = at.get(word) {
            program.insts.push(*inst);
            let next = word + inst.len() as usize;
            // Of what was refused, or runs off the code, nothing is left.
            let to = |pc: u32| {
                let number = number.get((pc / 4) as usize).copied();
                number.filter(|&n| n != NOWHERE)
            };
            match step(inst) {
                Step::Next => {
                    word = next;
                    if leader.get(next).copied().unwrap_or(false) {
                        exit = to(next as u32 * 4).map_or(End::EndPgm, End::Jump);
                        break;
                    }
                }
                Step::Jump(pc) => {
                    exit = to(pc).map_or(End::EndPgm, End::Jump);
                    break;
                }
                Step::Branch(cond, pc) => {
                    exit = match (to(pc), to(next as u32 * 4)) {
                        (Some(taken), Some(next)) => End::Branch { cond, taken, next },
                        (one, other) => one.or(other).map_or(End::EndPgm, End::Jump),
                    };
                    break;
                }
                Step::Indirect => {
                    let targets = indirect.get(&inst.pc()).into_iter().flatten();
                    exit = End::Indirect(targets.filter_map(|&pc| to(pc)).collect());
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
