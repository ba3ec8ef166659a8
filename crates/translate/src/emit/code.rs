//! Function bodies: open and terminated blocks, structured selections and loops, and instructions with
//! constants folded.
//!
//! An `Open` block takes instructions; a terminator consumes it and gives a `Closed` one, which only
//! accepts a label. So no block is left without a terminator, and none has two. Knows nothing of the IR.

use smallvec::SmallVec;
use spirv::{GlslStd450Op, LoopControl, MemoryAccess, Op, SelectionControl, StorageClass};

use super::module::{Id, LabelId, Module, TypeId, put};
use super::numbers::{Hash, Inst, Key, Numbers};
use super::trim::{Pending, Trim, is_droppable, is_pure, kind_of};

/// What a body is written into: its words, what its end has to look at, and the numbers of its instructions. Kept
/// for the next one, empty.
#[derive(Debug, Default)]
pub(super) struct Room {
    words: Vec<u32>,
    pending: Pending,
    numbers: Numbers,
}

/// A function body whose last block takes instructions.
#[must_use]
pub struct Open {
    // In a box, since bodies are handed on at every end and beginning of a block.
    room: Box<Room>,
    label: LabelId,
}

/// A function body whose last block is terminated.
#[must_use]
pub struct Closed {
    room: Box<Room>,
}

impl Open {
    /// The first block of a function, whose label the function writes.
    pub(super) fn entry(label: LabelId, mut room: Box<Room>) -> Open {
        room.numbers.begin();
        Open { room, label }
    }

    /// The block that takes instructions.
    pub fn label(&self) -> LabelId {
        self.label
    }

    /// Begins a part of the body that does not dominate what follows it.
    pub fn enter(&mut self) {
        self.room.numbers.enter();
    }

    /// Ends it.
    pub fn leave(&mut self) {
        self.room.numbers.leave();
    }

    fn closed(self) -> Closed {
        Closed { room: self.room }
    }

    /// An instruction that names labels and literals only, or whose values somebody else counts.
    fn put(&mut self, op: Op, operands: &[u32]) {
        put(&mut self.room.words, op, operands);
    }

    /// Says that the end of the block uses a value.
    fn uses(&mut self, value: Id) {
        self.room.pending.used.push(value.word());
    }

    /// Starts another block after a terminator that stays inside this file.
    fn begin(&mut self, label: LabelId) {
        self.put(Op::Label, &[label.word()]);
        self.label = label;
    }

    /// Ends the block with a jump.
    pub fn branch(mut self, target: LabelId) -> Closed {
        self.put(Op::Branch, &[target.word()]);
        self.closed()
    }

    /// Ends the function.
    pub fn ret(mut self) -> Closed {
        self.put(Op::Return, &[]);
        self.closed()
    }

    /// Ends the fragment, which is discarded.
    pub fn kill(mut self) -> Closed {
        self.put(Op::Kill, &[]);
        self.closed()
    }

    /// Ends the function with a value.
    pub fn ret_value(mut self, value: Id) -> Closed {
        self.uses(value);
        self.put(Op::ReturnValue, &[value.word()]);
        self.closed()
    }

    /// Ends a block that nothing reaches.
    pub fn unreachable(mut self) -> Closed {
        self.put(Op::Unreachable, &[]);
        self.closed()
    }

    /// Ends the block with a loop header's merge and a jump into the loop.
    pub fn loop_branch(mut self, merge: LabelId, cont: LabelId, body: LabelId) -> Closed {
        self.put(
            Op::LoopMerge,
            &[merge.word(), cont.word(), LoopControl::NONE.bits()],
        );
        self.branch(body)
    }

    /// Ends the block with a selection.
    pub fn select_branch(
        mut self,
        cond: Id,
        then: LabelId,
        otherwise: LabelId,
        merge: LabelId,
    ) -> Closed {
        self.uses(cond);
        self.put(
            Op::SelectionMerge,
            &[merge.word(), SelectionControl::NONE.bits()],
        );
        self.put(
            Op::BranchConditional,
            &[cond.word(), then.word(), otherwise.word()],
        );
        self.closed()
    }

    /// Ends the block with a switch.
    pub fn switch(
        mut self,
        selector: Id,
        default: LabelId,
        cases: &[(u32, LabelId)],
        merge: LabelId,
    ) -> Closed {
        self.put(
            Op::SelectionMerge,
            &[merge.word(), SelectionControl::NONE.bits()],
        );
        self.uses(selector);
        let words = &mut self.room.words;
        words.push((2 * cases.len() as u32 + 3) << 16 | Op::Switch as u32);
        words.extend_from_slice(&[selector.word(), default.word()]);
        words.extend(
            cases
                .iter()
                .flat_map(|&(value, label)| [value, label.word()]),
        );
        self.closed()
    }
}

impl Closed {
    /// Begins the next block.
    pub fn open(self, label: LabelId) -> Open {
        let mut open = Open {
            room: self.room,
            label,
        };
        open.put(Op::Label, &[label.word()]);
        open
    }

    /// Words so far: where the next block begins.
    pub fn position(&self) -> usize {
        self.room.words.len()
    }

    /// Ends the part of the body begun last.
    pub fn leave(&mut self) {
        self.room.numbers.leave();
    }

    /// Takes back the block that begins at `at` and has nothing but a jump to `merge`; the selection that
    /// ends right before goes straight there instead of to `label`. `false`: it stays, because it has
    /// more, or because both ways of the selection would be the same.
    pub fn skip_empty(&mut self, at: usize, header: usize, label: LabelId, merge: LabelId) -> bool {
        let empty = [
            2 << 16 | Op::Label as u32,
            label.word(),
            2 << 16 | Op::Branch as u32,
            merge.word(),
        ];
        let Some(ways) = self.room.words.get(header..header + 4) else {
            return false;
        };
        let branch = 4 << 16 | Op::BranchConditional as u32;
        if self.room.words.get(at..) != Some(&empty[..])
            || ways.first() != Some(&branch)
            || ways.contains(&merge.word())
        {
            return false;
        }
        for way in self.room.words.iter_mut().skip(header + 2).take(2) {
            if *way == label.word() {
                *way = merge.word();
            }
        }
        self.room.words.truncate(at);
        true
    }

    /// Appends the words of the body to those of its function's head, which begin at `from`, without what nobody
    /// uses; gives what it stood in. All ids are below `bound`.
    pub(super) fn append_to(
        mut self,
        words: &mut Vec<u32>,
        from: usize,
        trim: &mut Trim,
        bound: u32,
    ) -> Box<Room> {
        let body = words.len();
        words.append(&mut self.room.words);
        trim.function(words, (from, body), &mut self.room.pending, bound);
        self.room
    }
}

/// The first half of a selection; `Module::end_if` or `begin_else` must take it.
#[must_use]
pub struct If {
    otherwise: LabelId,
    merge: LabelId,
    /// The block that decides.
    from: LabelId,
    /// Where the words name `otherwise`.
    at: usize,
}

/// The second half of a selection.
#[must_use]
pub struct Else {
    merge: LabelId,
}

/// A counting loop under construction; `Module::end_count` must take it.
#[must_use]
pub struct CountLoop {
    header: LabelId,
    cont: LabelId,
    merge: LabelId,
    variable: Id,
    next: Id,
    limit: u32,
    step: u32,
    /// The counter: 0, step, … below the limit.
    pub counter: Id,
}

/// A loop that runs until a condition holds at its end; `Module::end_until` must take it.
#[must_use]
pub struct UntilLoop {
    header: LabelId,
    cont: LabelId,
    merge: LabelId,
    phi: Id,
    ty: TypeId,
    /// Where the phi's words begin, so that the end can complete them.
    at: usize,
}

impl UntilLoop {
    /// The value carried round the loop.
    pub fn carried(&self) -> Id {
        self.phi
    }
}

impl Module {
    /// An instruction with a result and ids as operands. A pure one that was made before where it
    /// dominates this place is not made again.
    #[inline(never)]
    pub fn op(&mut self, b: &mut Open, op: Op, ty: TypeId, args: &[Id]) -> Id {
        let Room {
            words,
            pending,
            numbers,
        } = &mut *b.room;
        let first = (args.len() as u32 + 3) << 16 | op as u32;
        let ty = ty.word();
        let kind = kind_of(op as u32);
        if is_pure(kind) {
            let inst = Inst { first, ty, args };
            if let Some(found) = numbers.find_or_add(words, &inst, Hash::of(&inst)) {
                return Id::of(found);
            }
        }
        let (at, id) = (words.len(), self.next_id());
        let result = id.word();
        // Nearly all have one to three operands; their words are written at once.
        match *args {
            [x] => words.extend_from_slice(&[first, ty, result, x.word()]),
            [x, y] => words.extend_from_slice(&[first, ty, result, x.word(), y.word()]),
            [x, y, z] => {
                words.extend_from_slice(&[first, ty, result, x.word(), y.word(), z.word()]);
            }
            _ => {
                words.extend_from_slice(&[first, ty, result]);
                words.extend(args.iter().map(|arg| arg.word()));
            }
        }
        let uses = &mut self.trim.uses;
        uses.count(ty);
        for arg in args {
            uses.count(arg.word());
        }
        if op == Op::ExtInst {
            // The number of an extended instruction is no id.
            uses.forget(args.get(1).map_or(0, |which| which.word()));
        }
        if is_droppable(kind) {
            pending.droppable.push(at as u32);
        } else {
            // It stays, and what is said of it.
            uses.count(result);
        }
        self.id()
    }

    /// An instruction with a result and words as operands; as `op`, a pure one is made once.
    #[inline]
    pub fn op_words<const N: usize>(
        &mut self,
        b: &mut Open,
        op: Op,
        ty: TypeId,
        operands: [u32; N],
    ) -> Id {
        self.op(b, op, ty, &operands.map(Id::of))
    }

    /// The same of any number of operands.
    pub fn op_listed(&mut self, b: &mut Open, op: Op, ty: TypeId, operands: &[u32]) -> Id {
        let args: SmallVec<[Id; 16]> = operands.iter().copied().map(Id::of).collect();
        self.op(b, op, ty, &args)
    }

    /// What `remember` noted under this key where it dominates this place.
    pub fn remembered(&mut self, b: &Open, op: Op, key: &[u32]) -> Option<Id> {
        b.room.numbers.noted(&Module::noted(op, key))
    }

    /// Notes a result that is not numbered by its own words.
    pub fn remember(&mut self, b: &mut Open, op: Op, key: &[u32], id: Id) {
        b.room.numbers.note(Module::noted(op, key), id);
    }

    fn noted(op: Op, key: &[u32]) -> Key {
        let mut all = Key::new();
        all.push(op as u32);
        all.extend_from_slice(key);
        all
    }

    /// An instruction without a result, with words as operands.
    pub fn effect_words(&mut self, b: &mut Open, op: Op, operands: &[u32]) {
        self.trim.uses.count_all(operands);
        b.put(op, operands);
    }

    /// An instruction without a result.
    pub fn effect(&mut self, b: &mut Open, op: Op, args: &[Id]) {
        for arg in args {
            self.trim.uses.count(arg.word());
        }
        b.room.words.push((args.len() as u32 + 1) << 16 | op as u32);
        b.room.words.extend(args.iter().map(|arg| arg.word()));
    }

    /// An instruction of GLSL.std.450.
    pub fn glsl(&mut self, b: &mut Open, op: GlslStd450Op, ty: TypeId, args: &[Id]) -> Id {
        let (set, which) = (self.glsl_set(), Id::of(op as u32));
        match *args {
            [x] => self.op(b, Op::ExtInst, ty, &[set, which, x]),
            [x, y] => self.op(b, Op::ExtInst, ty, &[set, which, x, y]),
            _ => {
                let mut operands: SmallVec<[Id; 8]> = SmallVec::from_slice(&[set, which]);
                operands.extend_from_slice(args);
                self.op(b, Op::ExtInst, ty, &operands)
            }
        }
    }

    /// A pointer to an element.
    pub fn access(
        &mut self,
        b: &mut Open,
        class: StorageClass,
        of: TypeId,
        base: Id,
        indexes: &[Id],
    ) -> Id {
        let pointer = self.pointer(class, of);
        match *indexes {
            [x] => self.op(b, Op::AccessChain, pointer, &[base, x]),
            [x, y] => self.op(b, Op::AccessChain, pointer, &[base, x, y]),
            _ => {
                let mut operands: SmallVec<[Id; 8]> = SmallVec::from_slice(&[base]);
                operands.extend_from_slice(indexes);
                self.op(b, Op::AccessChain, pointer, &operands)
            }
        }
    }

    /// A load.
    pub fn load(&mut self, b: &mut Open, ty: TypeId, pointer: Id) -> Id {
        self.op(b, Op::Load, ty, &[pointer])
    }

    /// A load from an address of so many bytes' alignment.
    pub fn load_aligned(&mut self, b: &mut Open, ty: TypeId, pointer: Id, align: u32) -> Id {
        let words = [pointer.word(), MemoryAccess::ALIGNED.bits(), align];
        self.op_words(b, Op::Load, ty, words)
    }

    /// A store to an address of so many bytes' alignment.
    pub fn store_aligned(&mut self, b: &mut Open, pointer: Id, value: Id, align: u32) {
        let (pointer, value) = (pointer.word(), value.word());
        let aligned = MemoryAccess::ALIGNED.bits();
        self.effect_words(b, Op::Store, &[pointer, value, aligned, align]);
    }

    /// A store.
    pub fn store(&mut self, b: &mut Open, pointer: Id, value: Id) {
        self.effect(b, Op::Store, &[pointer, value]);
    }

    /// A function call.
    pub fn call(&mut self, b: &mut Open, ty: TypeId, function: Id, args: &[Id]) -> Id {
        let mut operands: SmallVec<[Id; 12]> = SmallVec::from_slice(&[function]);
        operands.extend_from_slice(args);
        self.op(b, Op::FunctionCall, ty, &operands)
    }

    /// Begins a selection: instructions go to the branch where `cond` holds.
    pub fn begin_if(&mut self, b: &mut Open, cond: Id) -> If {
        let (then, merge) = (self.label(), self.label());
        let otherwise = self.label();
        let from = b.label;
        self.trim.uses.count(cond.word());
        b.put(
            Op::SelectionMerge,
            &[merge.word(), SelectionControl::NONE.bits()],
        );
        b.put(
            Op::BranchConditional,
            &[cond.word(), then.word(), otherwise.word()],
        );
        let at = b.room.words.len() - 1;
        b.begin(then);
        b.enter();
        If {
            otherwise,
            merge,
            from,
            at,
        }
    }

    /// Goes on with the branch where it does not hold.
    pub fn begin_else(&mut self, b: &mut Open, tok: If) -> Else {
        b.put(Op::Branch, &[tok.merge.word()]);
        b.begin(tok.otherwise);
        b.leave();
        b.enter();
        Else { merge: tok.merge }
    }

    /// Ends a selection that has only one branch.
    pub fn end_if(&mut self, b: &mut Open, tok: If) {
        if let Some(word) = b.room.words.get_mut(tok.at) {
            *word = tok.merge.word();
        }
        b.put(Op::Branch, &[tok.merge.word()]);
        b.begin(tok.merge);
        b.leave();
    }

    /// Ends a selection with one branch; gives for each pair its first from it, and its second (made
    /// before) without it.
    pub fn end_if_values(
        &mut self,
        b: &mut Open,
        tok: If,
        ty: TypeId,
        values: &[(Id, Id)],
    ) -> SmallVec<[Id; 2]> {
        let (then_end, from) = (b.label, tok.from);
        self.end_if(b, tok);
        values
            .iter()
            .map(|(then, otherwise)| {
                let words = [then.word(), then_end.word(), otherwise.word(), from.word()];
                self.op_words(b, Op::Phi, ty, words)
            })
            .collect()
    }

    /// Ends a selection with two branches.
    pub fn end_else(&mut self, b: &mut Open, tok: Else) {
        b.put(Op::Branch, &[tok.merge.word()]);
        b.begin(tok.merge);
        b.leave();
    }

    /// Begins a loop that counts from 0 below `limit` by `step`; both are above 0.
    pub fn begin_count(&mut self, b: &mut Open, limit: u32, step: u32) -> CountLoop {
        let (header, body) = (self.label(), self.label());
        let (cont, merge) = (self.label(), self.label());
        let (counter, next) = (self.id(), self.id());
        let ty = self.u32();
        let zero = self.const_u32(0);
        let from = b.label;
        b.put(Op::Branch, &[header.word()]);
        b.begin(header);
        self.effect_words(
            b,
            Op::Phi,
            &[
                ty.word(),
                counter.word(),
                zero.word(),
                from.word(),
                next.word(),
                cont.word(),
            ],
        );
        b.put(
            Op::LoopMerge,
            &[merge.word(), cont.word(), LoopControl::DONT_UNROLL.bits()],
        );
        b.put(Op::Branch, &[body.word()]);
        b.begin(body);
        b.enter();
        CountLoop {
            header,
            cont,
            merge,
            variable: counter,
            next,
            limit,
            step,
            counter,
        }
    }

    /// Ends it.
    pub fn end_count(&mut self, b: &mut Open, tok: CountLoop) {
        let (u32_, bool_) = (self.u32(), self.bool());
        let step = self.const_u32(tok.step);
        let limit = self.const_u32(tok.limit);
        b.put(Op::Branch, &[tok.cont.word()]);
        b.begin(tok.cont);
        self.effect_words(
            b,
            Op::IAdd,
            &[
                u32_.word(),
                tok.next.word(),
                tok.variable.word(),
                step.word(),
            ],
        );
        let more = self.op(b, Op::ULessThan, bool_, &[tok.next, limit]);
        self.trim.uses.count(more.word());
        b.put(
            Op::BranchConditional,
            &[more.word(), tok.header.word(), tok.merge.word()],
        );
        b.begin(tok.merge);
        b.leave();
    }

    /// Begins a loop that carries one value and runs at least once.
    pub fn begin_until(&mut self, b: &mut Open, ty: TypeId, start: Id) -> UntilLoop {
        let (header, body) = (self.label(), self.label());
        let (cont, merge) = (self.label(), self.label());
        let phi = self.id();
        let from = b.label;
        b.put(Op::Branch, &[header.word()]);
        b.begin(header);
        let at = b.room.words.len();
        // The value of the next trip is known only at the end, which writes it over the zero here.
        self.effect_words(
            b,
            Op::Phi,
            &[
                ty.word(),
                phi.word(),
                start.word(),
                from.word(),
                0,
                cont.word(),
            ],
        );
        b.put(
            Op::LoopMerge,
            &[merge.word(), cont.word(), LoopControl::DONT_UNROLL.bits()],
        );
        b.put(Op::Branch, &[body.word()]);
        b.begin(body);
        b.enter();
        UntilLoop {
            header,
            cont,
            merge,
            phi,
            ty,
            at,
        }
    }

    /// Ends it: leaves where `done` holds, else goes round with `next`.
    pub fn end_until(&mut self, b: &mut Open, tok: UntilLoop, done: Id, next: Id) {
        debug_assert_ne!(tok.ty.word(), 0);
        if let Some(word) = b.room.words.get_mut(tok.at + 5) {
            *word = next.word();
        }
        self.trim.uses.count_all(&[next.word(), done.word()]);
        b.put(Op::Branch, &[tok.cont.word()]);
        b.begin(tok.cont);
        b.put(
            Op::BranchConditional,
            &[done.word(), tok.merge.word(), tok.header.word()],
        );
        b.begin(tok.merge);
        b.leave();
    }
}
