//! Functions: blocks with parameters, instructions, values, terminators. Storage and access only;
//! what an operation means stands in `op.rs`, what is well formed in `verify.rs`.

use std::fmt;
use std::slice;

use smallvec::SmallVec;
use spirdna_isa::WaveSize;

use super::args::Args;
use super::fold::Const;
use super::numbering::{self, Numbering};
use super::op::{Op, Pure};
use super::types::{Kind, Shape, Ty};

macro_rules! id {
    ($(#[$m:meta])* $name:ident, $letter:literal) => {
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id!(
    /// A value: the result of an instruction or a parameter of a block.
    Value,
    "v"
);
id!(
    /// A basic block.
    Block,
    "b"
);
id!(
    /// An instruction.
    Inst,
    "i"
);

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Def {
    /// The result of an instruction.
    Inst(Inst),
    /// A parameter of a block, by position.
    Param(Block, u32),
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueData {
    /// Its type.
    pub ty: Ty,
    /// Its definition.
    pub def: Def,
    /// It is a constant: most looks at a value ask for one.
    constant: bool,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InstData {
    /// What it does.
    pub op: Op,
    /// Its arguments, in the order that `op.rs` gives.
    pub args: Args,
    /// Its result, if the operation has one.
    pub result: Option<Value>,
    /// The guest instruction it comes from.
    pub loc: Loc,
}

const _: () = assert!(size_of::<InstData>() <= 56);

/// The pc of a guest instruction: what an IR instruction was lifted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Loc(pub u32);

/// A block to go to, with the arguments for its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The block.
    pub block: Block,
    /// One argument a parameter. A uniform argument may go to a per-lane parameter.
    pub args: Vec<Value>,
}

impl Target {
    /// A target.
    pub fn new(block: Block, args: Vec<Value>) -> Target {
        Target { block, args }
    }
}

/// How a block ends. All flow is uniform for the wave, but where lanes part ([`Func::is_apart`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Terminator {
    /// Go on there.
    Jump(Target),
    /// Two ways.
    Branch {
        /// A uniform Bool.
        cond: Value,
        /// Where it is true.
        then: Target,
        /// Where it is false.
        els: Target,
    },
    /// Many ways.
    Switch {
        /// A uniform I32.
        value: Value,
        /// Target i for value i; the last one for every value from its own index on. Never empty.
        targets: Vec<Target>,
    },
    /// The wave ends (in a helper: the helper's result is returned).
    Return,
    /// All waves of the workgroup meet (those that returned do not count), then go on there.
    Barrier(Target),
}

impl Terminator {
    /// The targets, in order.
    pub fn targets(&self) -> SmallVec<[&Target; 2]> {
        match self {
            Terminator::Jump(t) | Terminator::Barrier(t) => SmallVec::from_slice(&[t]),
            Terminator::Branch { then, els, .. } => SmallVec::from_slice(&[then, els]),
            Terminator::Switch { targets, .. } => targets.iter().collect(),
            Terminator::Return => SmallVec::new(),
        }
    }

    /// The targets, in order, one after the other.
    #[inline]
    pub fn ways(&self) -> impl Iterator<Item = &Target> {
        let (first, then): (&[Target], &[Target]) = match self {
            Terminator::Jump(t) | Terminator::Barrier(t) => (slice::from_ref(t), &[]),
            Terminator::Branch { then, els, .. } => (slice::from_ref(then), slice::from_ref(els)),
            Terminator::Switch { targets, .. } => (targets, &[]),
            Terminator::Return => (&[], &[]),
        };
        first.iter().chain(then)
    }

    /// The targets, to change them.
    pub fn targets_mut(&mut self) -> SmallVec<[&mut Target; 2]> {
        let mut all = SmallVec::new();
        match self {
            Terminator::Jump(t) | Terminator::Barrier(t) => all.push(t),
            Terminator::Branch { then, els, .. } => {
                all.push(then);
                all.push(els);
            }
            Terminator::Switch { targets, .. } => all.extend(targets.iter_mut()),
            Terminator::Return => {}
        }
        all
    }

    /// The value that decides, if one does.
    #[inline]
    pub fn decider(&self) -> Option<Value> {
        match self {
            Terminator::Branch { cond, .. } => Some(*cond),
            Terminator::Switch { value, .. } => Some(*value),
            Terminator::Jump(_) | Terminator::Return | Terminator::Barrier(_) => None,
        }
    }

    /// Replaces every value used by `map` of it.
    pub fn map_values(&mut self, mut map: impl FnMut(Value) -> Value) {
        match self {
            Terminator::Branch { cond, .. } => *cond = map(*cond),
            Terminator::Switch { value, .. } => *value = map(*value),
            Terminator::Jump(_) | Terminator::Return | Terminator::Barrier(_) => {}
        }
        let mut each = |target: &mut Target| {
            for arg in &mut target.args {
                *arg = map(*arg);
            }
        };
        match self {
            Terminator::Jump(to) | Terminator::Barrier(to) => each(to),
            Terminator::Branch { then, els, .. } => {
                each(then);
                each(els);
            }
            Terminator::Switch { targets, .. } => targets.iter_mut().for_each(each),
            Terminator::Return => {}
        }
    }

    /// Calls `f` with every value used.
    pub fn for_each_value(&self, mut f: impl FnMut(Value)) {
        if let Some(value) = self.decider() {
            f(value);
        }
        for target in self.ways() {
            for &arg in &target.args {
                f(arg);
            }
        }
    }
}

/// A basic block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockData {
    /// Its parameters.
    pub params: Vec<Value>,
    /// Its instructions, in order.
    pub insts: Vec<Inst>,
    /// How it ends; absent only while it is built.
    pub term: Option<Terminator>,
}

/// Room for instructions that a block that gets one has at first.
const FIRST_INSTS: usize = 32;

/// Constants that are found without a look into the table of all, by a hash of theirs.
const RECENT: usize = 64;

/// The same of 64 bits.
const RECENT_WIDE: usize = 16;

/// Constants at the head that were asked for last.
#[derive(Clone, Debug)]
struct Recent {
    words: [Option<(u32, Value)>; RECENT],
    wide: [Option<(u64, Value)>; RECENT_WIDE],
    bools: [Option<Value>; 2],
}

impl Default for Recent {
    fn default() -> Recent {
        Recent {
            words: [None; RECENT],
            wide: [None; RECENT_WIDE],
            bools: [None; 2],
        }
    }
}

/// A function: a wave's program, or (one block, all values uniform) the body of a helper.
#[derive(Clone, Debug)]
pub struct Func {
    wave: WaveSize,
    /// The wave is seen by one of its lanes, which all hold the same: every value is uniform.
    one_lane: bool,
    /// Blocks at whose branches lanes may part (`passes/diverge`).
    partings: Vec<Block>,
    /// Blocks in which flow is the lane's own, by number; empty where there are none.
    apart: Vec<bool>,
    /// What new instructions are said to come from.
    loc: Loc,
    blocks: Vec<BlockData>,
    insts: Vec<InstData>,
    values: Vec<ValueData>,
    /// Constant tables, each once.
    tables: Vec<Vec<u32>>,
    /// Constants and inputs, one each, at the head of the entry block; those that left it have no result.
    head: Numbering,
    head_len: usize,
    // In a box, since functions go from hand to hand.
    recent: Box<Recent>,
    /// Pure instructions of the block that a builder is at, made by that builder.
    numbered: Numbering,
    /// Blocks of a function before it, whose room the next ones take.
    spare: Vec<BlockData>,
}

impl Func {
    /// A function whose entry block is empty.
    pub fn new(wave: WaveSize) -> Func {
        let mut func = Func::new_without_blocks(wave);
        func.new_block();
        func
    }

    fn new_without_blocks(wave: WaveSize) -> Func {
        Func {
            wave,
            one_lane: false,
            partings: Vec::new(),
            apart: Vec::new(),
            loc: Loc::default(),
            blocks: Vec::new(),
            insts: Vec::new(),
            values: Vec::new(),
            tables: Vec::new(),
            head: Numbering::default(),
            head_len: 0,
            recent: Box::default(),
            numbered: Numbering::default(),
            spare: Vec::new(),
        }
    }

    /// An empty one with the room that this function had; `one_lane`: for one lane of a wave whose lanes all hold
    /// the same (see `docs/ir.md`).
    pub fn renewed(mut self, wave: WaveSize, one_lane: bool) -> Func {
        // So that a block gets the room of the one of its number.
        for mut block in self.blocks.drain(..).rev() {
            block.params.clear();
            block.insts.clear();
            block.term = None;
            self.spare.push(block);
        }
        self.wave = wave;
        self.one_lane = one_lane;
        self.loc = Loc::default();
        self.insts.clear();
        self.values.clear();
        self.tables.clear();
        self.head.clear();
        self.head_len = 0;
        self.forget_recent();
        self.numbered.clear();
        self.partings.clear();
        self.apart.clear();
        self.new_block();
        self
    }

    /// Forgets which constants were asked for last.
    fn forget_recent(&mut self) {
        *self.recent = Recent::default();
    }

    /// Makes room for instructions to come.
    pub fn reserve(&mut self, insts: usize) {
        self.insts.reserve(insts);
        self.values.reserve(insts);
    }

    /// The constant tables, by the number that `Op::Table` has.
    pub fn tables(&self) -> &[Vec<u32>] {
        &self.tables
    }

    /// The number of a table of these words.
    pub fn table(&mut self, words: &[u32]) -> u32 {
        let known = self.tables.iter().position(|table| table == words);
        let number = known.unwrap_or_else(|| {
            self.tables.push(words.to_vec());
            self.tables.len() - 1
        });
        number as u32
    }

    /// Whether the wave is seen by one of its lanes.
    #[inline]
    pub const fn is_one_lane(&self) -> bool {
        self.one_lane
    }

    /// Blocks that end in a branch at which lanes may part.
    pub fn partings(&self) -> &[Block] {
        &self.partings
    }

    /// Marks the blocks at whose branches lanes may part.
    pub fn set_partings(&mut self, partings: Vec<Block>) {
        self.partings = partings;
    }

    /// Whether lanes go their own ways in a block.
    pub fn is_apart(&self, block: Block) -> bool {
        self.apart.get(block.index()).copied().unwrap_or(false)
    }

    /// Whether there are blocks in which lanes go their own ways.
    pub fn has_apart(&self) -> bool {
        !self.apart.is_empty()
    }

    /// Says in which blocks, by number, lanes go their own ways.
    pub fn set_apart(&mut self, apart: Vec<bool>) {
        self.apart = apart;
    }

    /// Lanes of the wave that it is for.
    pub const fn wave(&self) -> WaveSize {
        self.wave
    }

    /// The kind of a lane mask: I32 in wave32, I64 in wave64.
    #[inline]
    pub const fn mask_kind(&self) -> Kind {
        mask_kind(self.wave)
    }

    /// The entry block. Nothing jumps to it.
    #[inline]
    pub const fn entry(&self) -> Block {
        Block(0)
    }

    /// Every block, in order of creation.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + use<> {
        (0..self.blocks.len() as u32).map(Block)
    }

    /// Number of blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Number of values ever made; every `Value` of this function is below it.
    #[inline]
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Number of instructions ever made, in a block or not.
    pub fn inst_count(&self) -> usize {
        self.insts.len()
    }

    /// A block.
    #[inline]
    pub fn block(&self, block: Block) -> &BlockData {
        &self.blocks[block.index()]
    }

    /// A block, to change it.
    #[inline]
    pub fn block_mut(&mut self, block: Block) -> &mut BlockData {
        &mut self.blocks[block.index()]
    }

    /// An instruction.
    #[inline]
    pub fn inst(&self, inst: Inst) -> &InstData {
        &self.insts[inst.index()]
    }

    /// An instruction, to change it.
    #[inline]
    pub fn inst_mut(&mut self, inst: Inst) -> &mut InstData {
        &mut self.insts[inst.index()]
    }

    /// What is known of a value.
    #[inline]
    pub fn value(&self, value: Value) -> ValueData {
        self.values[value.index()]
    }

    /// Type of a value.
    #[inline]
    pub fn ty(&self, value: Value) -> Ty {
        self.values[value.index()].ty
    }

    /// Kind of a value.
    #[inline]
    pub fn kind(&self, value: Value) -> Kind {
        self.ty(value).kind
    }

    /// Whether a value is per-lane.
    #[inline]
    pub fn is_lane(&self, value: Value) -> bool {
        self.ty(value).is_lane()
    }

    /// Definition of a value.
    #[inline]
    pub fn def(&self, value: Value) -> Def {
        self.values[value.index()].def
    }

    /// The instruction that makes a value, unless it is a parameter.
    #[inline]
    pub fn def_inst(&self, value: Value) -> Option<&InstData> {
        match self.def(value) {
            Def::Inst(inst) => Some(self.inst(inst)),
            Def::Param(..) => None,
        }
    }

    /// The number of the bound buffer that a place lies in, if it is one's.
    pub fn bound_buffer(&self, place: Value) -> Option<u32> {
        match self.def_inst(place)?.op {
            Op::PtrBound { buffer } => Some(buffer),
            _ => None,
        }
    }

    /// The constant that a value is, if it is one.
    #[inline]
    pub fn as_const(&self, value: Value) -> Option<Const> {
        let data = &self.values[value.index()];
        let (true, Def::Inst(inst)) = (data.constant, data.def) else {
            return None;
        };
        match self.insts[inst.index()].op {
            Op::ConstBool(b) => Some(Const::Bool(b)),
            Op::Const32(x) => Some(Const::I32(x)),
            Op::Const64(x) => Some(Const::I64(x)),
            _ => None,
        }
    }

    /// Whether a value is a constant.
    #[inline]
    pub(super) fn is_constant(&self, value: Value) -> bool {
        self.values[value.index()].constant
    }

    /// Says which guest instruction new instructions come from.
    pub fn set_loc(&mut self, loc: Loc) {
        self.loc = loc;
    }

    /// Adds an empty block.
    pub fn new_block(&mut self) -> Block {
        self.blocks.push(self.spare.pop().unwrap_or_default());
        Block(self.blocks.len() as u32 - 1)
    }

    /// Adds a parameter to a block. Every target that names the block then needs one more argument.
    pub fn add_param(&mut self, block: Block, ty: Ty) -> Value {
        let index = self.blocks[block.index()].params.len() as u32;
        let value = self.new_value(ty, Def::Param(block, index));
        self.blocks[block.index()].params.push(value);
        value
    }

    /// Makes an instruction that is in no block yet, with a result of `ty`.
    #[inline]
    pub fn new_inst(&mut self, op: Op, args: Args, ty: Option<Ty>) -> Inst {
        if let Some(ty) = ty {
            return self.new_result(op, args, ty).0;
        }
        let inst = Inst(self.insts.len() as u32);
        self.insts.push(InstData {
            op,
            args,
            result: None,
            loc: self.loc,
        });
        inst
    }

    /// Makes an instruction that is in no block yet, and its result.
    #[inline]
    fn new_result(&mut self, op: Op, args: Args, ty: Ty) -> (Inst, Value) {
        let inst = Inst(self.insts.len() as u32);
        let value = self.new_value(ty, Def::Inst(inst));
        self.insts.push(InstData {
            op,
            args,
            result: Some(value),
            loc: self.loc,
        });
        (inst, value)
    }

    /// Appends an instruction to a block.
    #[inline]
    pub fn append_inst(&mut self, block: Block, op: Op, args: Args, ty: Option<Ty>) -> Inst {
        let inst = self.new_inst(op, args, ty);
        self.append(block, inst);
        inst
    }

    /// Appends an instruction with a result to a block.
    #[inline]
    pub fn append_value(&mut self, block: Block, op: Op, args: Args, ty: Ty) -> Value {
        let (inst, value) = self.new_result(op, args, ty);
        self.append(block, inst);
        value
    }

    #[inline]
    fn append(&mut self, block: Block, inst: Inst) {
        let insts = &mut self.blocks[block.index()].insts;
        if insts.capacity() == 0 {
            insts.reserve(FIRST_INSTS);
        }
        insts.push(inst);
    }

    /// Forgets what [`Func::numbered`] finds.
    #[inline]
    pub(super) fn forget_numbered(&mut self) {
        self.numbered.clear();
    }

    /// What a pure operation has given before in the builder's block. Where it has not, the instruction that is
    /// made next is taken for it.
    #[inline]
    pub(super) fn numbered(&mut self, key: u32, op: Op, args: &[Value]) -> Option<Value> {
        let (insts, next) = (&self.insts, Inst(self.insts.len() as u32));
        let known = self.numbered.find_or_add(key, next, |inst| {
            let data = &insts[inst.index()];
            data.op == op && *data.args == *args
        })?;
        self.insts[known.index()].result
    }

    /// As [`Func::numbered`], of an operation whose arguments stand in place with zeros behind them.
    #[inline]
    pub(super) fn numbered_pure(&mut self, key: u32, op: Pure, few: [Value; 4]) -> Option<Value> {
        let (insts, next) = (&self.insts, Inst(self.insts.len() as u32));
        let known = self.numbered.find_or_add(key, next, |inst| {
            let data = &insts[inst.index()];
            matches!(data.op, Op::Pure(of) if of == op) && data.args.in_place() == Some(few)
        })?;
        self.insts[known.index()].result
    }

    /// The arguments of the instruction that makes a value, where that is this operation: as many as it takes,
    /// and no value's number behind.
    #[inline]
    pub(super) fn args_of(&self, op: Pure, value: Value) -> Option<[Value; 4]> {
        let Def::Inst(inst) = self.values[value.index()].def else {
            return None;
        };
        let data = &self.insts[inst.index()];
        match data.op {
            Op::Pure(of) if of == op => data.args.in_place(),
            _ => None,
        }
    }

    /// The constant or input of `op`, made once and placed at the head of the entry block.
    #[inline]
    pub(crate) fn head_value(&mut self, op: Op, ty: Ty) -> Value {
        match op {
            Op::Const32(x) => {
                let place = (x.wrapping_mul(0x9e37_79b9) >> 26) as usize;
                if let Some((known, value)) = self.recent.words[place]
                    && known == x
                {
                    return value;
                }
                let value = self.new_head_value(op, ty);
                self.recent.words[place] = Some((x, value));
                value
            }
            Op::ConstBool(x) => {
                if let Some(value) = self.recent.bools[usize::from(x)] {
                    return value;
                }
                let value = self.new_head_value(op, ty);
                self.recent.bools[usize::from(x)] = Some(value);
                value
            }
            op => self.new_head_value(op, ty),
        }
    }

    /// As [`Func::head_value`], of what that does not remember.
    fn new_head_value(&mut self, op: Op, ty: Ty) -> Value {
        let Op::Const64(x) = op else {
            return self.placed_at_head(op, ty);
        };
        let place = (x.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize;
        if let Some((known, value)) = self.recent.wide[place]
            && known == x
        {
            return value;
        }
        let value = self.placed_at_head(op, ty);
        self.recent.wide[place] = Some((x, value));
        value
    }

    fn placed_at_head(&mut self, op: Op, ty: Ty) -> Value {
        let key = numbering::key(&op, &[]);
        let (insts, next) = (&self.insts, Inst(self.insts.len() as u32));
        let known = self.head.find_or_add(key, next, |inst| {
            let data = &insts[inst.index()];
            data.op == op && data.result.is_some()
        });
        if let Some(value) = known.and_then(|inst| insts[inst.index()].result) {
            return value;
        }
        let (inst, value) = self.new_result(op, Args::new(), ty);
        self.values[value.index()].constant =
            matches!(op, Op::ConstBool(_) | Op::Const32(_) | Op::Const64(_));
        self.blocks[0].insts.insert(self.head_len, inst);
        self.head_len += 1;
        value
    }

    /// Number of constants and inputs at the head of the entry block.
    #[inline]
    pub const fn head_len(&self) -> usize {
        self.head_len
    }

    /// Number of constants and inputs at the head of a block: only the entry block has any.
    #[inline]
    pub fn head_of(&self, block: Block) -> usize {
        if block == self.entry() {
            self.head_len
        } else {
            0
        }
    }

    /// Keeps those constants and inputs for which `keep` holds; the others leave the entry block.
    pub fn retain_head(&mut self, mut keep: impl FnMut(Value) -> bool) {
        self.forget_recent();
        let insts = &mut self.insts;
        let head_len = self.head_len;
        let mut kept = 0;
        let mut index = 0;
        self.blocks[0].insts.retain(|inst| {
            index += 1;
            if index > head_len {
                return true;
            }
            let data = &mut insts[inst.index()];
            let stays = data.result.is_some_and(&mut keep);
            if stays {
                kept += 1;
            } else {
                // So that `head` does not find it.
                data.result = None;
            }
            stays
        });
        self.head_len = kept;
    }

    /// Replaces every use of a value by `map` of it, in the blocks.
    pub fn map_uses(&mut self, mut map: impl FnMut(Value) -> Value) {
        for block in &mut self.blocks {
            for inst in &block.insts {
                for arg in &mut self.insts[inst.index()].args {
                    *arg = map(*arg);
                }
            }
            if let Some(term) = &mut block.term {
                term.map_values(&mut map);
            }
        }
    }

    /// Keeps the parameters for which `keep` holds; the others go, with the arguments for them
    /// everywhere. A parameter that goes must have no other use left. Gives how many went.
    pub fn retain_params(&mut self, keep: impl Fn(Block, Value) -> bool) -> usize {
        let stay = |block: Block, params: &[Value]| params.iter().all(|&v| keep(block, v));
        if self.blocks().all(|b| stay(b, &self.block(b).params)) {
            return 0;
        }
        for from in 0..self.blocks.len() {
            let Some(mut term) = self.blocks[from].term.take() else {
                continue;
            };
            for target in term.targets_mut() {
                // Targets outside the function are the verifier's.
                let Some(to) = self.blocks.get(target.block.index()) else {
                    continue;
                };
                if !stay(target.block, &to.params) {
                    let mut params = to.params.iter();
                    let keeps = |&v: &Value| keep(target.block, v);
                    target.args.retain(|_| params.next().is_none_or(keeps));
                }
            }
            self.blocks[from].term = Some(term);
        }
        let mut gone = 0;
        for (block, data) in (0..).map(Block).zip(&mut self.blocks) {
            let before = data.params.len();
            data.params.retain(|&v| keep(block, v));
            gone += before - data.params.len();
            if data.params.len() < before {
                for (position, value) in (0..).zip(&data.params) {
                    self.values[value.index()].def = Def::Param(block, position);
                }
            }
        }
        gone
    }

    /// Changes the type of a value (a pass that has proved another shape).
    pub fn set_ty(&mut self, value: Value, ty: Ty) {
        self.values[value.index()].ty = ty;
    }

    /// Blocks that the terminator of `block` names, in order, repeated where it names one twice.
    pub fn successors(&self, block: Block) -> SmallVec<[Block; 2]> {
        match &self.block(block).term {
            Some(Terminator::Jump(to) | Terminator::Barrier(to)) => {
                SmallVec::from_slice(&[to.block])
            }
            Some(Terminator::Branch { then, els, .. }) => {
                SmallVec::from_buf([then.block, els.block])
            }
            Some(Terminator::Switch { targets, .. }) => targets.iter().map(|t| t.block).collect(),
            Some(Terminator::Return) | None => SmallVec::new(),
        }
    }

    #[inline]
    fn new_value(&mut self, mut ty: Ty, def: Def) -> Value {
        if self.one_lane {
            ty.shape = Shape::Uniform;
        }
        self.values.push(ValueData {
            ty,
            def,
            constant: false,
        });
        Value(self.values.len() as u32 - 1)
    }
}

/// The kind of a lane mask: I32 in wave32, I64 in wave64.
#[inline]
pub const fn mask_kind(wave: WaveSize) -> Kind {
    match wave {
        WaveSize::W32 => Kind::I32,
        WaveSize::W64 => Kind::I64,
    }
}
