//! Walks the structured tree of the program: scopes and loops become SPIR-V loops, an exit of more than
//! the innermost one becomes a word that says where to go, tested after each merge on the way.
//!
//! Never recursive: the tree's own events drive it, so depth costs heap and not stack.

use smallvec::SmallVec;

use super::code::{Closed, Open};
use super::context::Slot;
use super::error::{EmitError, Fail};
use super::lanes::Body;
use super::module::{Id, LabelId, MAX_IDS};
use crate::graph::{BlockId, EdgeRef};
use crate::ir::{Block, Terminator, Value};
use crate::structurize::{Crossing, Event, Label, Node, NodeId, Structured, crossings};

/// A body that takes instructions, or one whose last block is terminated.
enum Flow {
    Open(Open),
    Closed(Closed),
}

/// A construct of the tree under emission.
enum Construct {
    Select(Select),
    Repeat(Repeat),
}

/// The labels of a selection's arms.
type Arms = SmallVec<[LabelId; 2]>;

/// A selection: If, Switch or Dispatch.
struct Select {
    arms: Arms,
    merge: LabelId,
    /// Whether an arm falls to the merge.
    reached: bool,
    /// Where its two-way branch stands, if it is one.
    header: Option<usize>,
    /// The arm under emission, and where it begins.
    arm: Option<(LabelId, usize)>,
}

impl Select {
    /// Ends the arm under emission, if there is one; an arm with nothing in it goes.
    fn end_arm(&mut self, body: &mut Body<'_, '_>, flow: Flow) -> Closed {
        let mut closed = match flow {
            Flow::Closed(closed) => closed,
            Flow::Open(open) => {
                self.reached = true;
                open.branch(self.merge)
            }
        };
        if let Some((label, at)) = self.arm.take() {
            closed.leave();
            body.leave();
            if let Some(header) = self.header {
                closed.skip_empty(at, header, label, self.merge);
            }
        }
        closed
    }
}

/// A SPIR-V loop: Scope or Loop.
struct Repeat {
    label: Label,
    repeats: bool,
    header: LabelId,
    cont: LabelId,
    merge: LabelId,
    /// Where invocations leave it one by one: a word that is set on the way out and tested at the head.
    leaving: Option<Id>,
}

/// The word that says where an exit or a continue is on its way to; 0: nowhere.
fn code(label: Label, continues: bool) -> u32 {
    1 + 2 * label.0 + u32::from(continues)
}

struct Walk<'w, 'c, 'a> {
    body: &'w mut Body<'c, 'a>,
    tree: &'w Structured,
    crossings: Vec<Crossing>,
    stack: Vec<Construct>,
    /// Loops of the program in `stack`.
    loops: u32,
    /// By label: whether something exits it.
    exited: Vec<bool>,
    pending: Option<Id>,
    states: Vec<Id>,
}

/// Arms of a switch, so that its instruction stays below 65,536 words.
const MAX_ARMS: usize = 16_383;

const LOST: EmitError = EmitError::Malformed("a region tree whose constructs do not nest");
const DEAD: EmitError = EmitError::Malformed("a region tree with nodes that nothing reaches");

/// Emits the whole body of the program.
pub fn body(body: &mut Body<'_, '_>, tree: &Structured, mut open: Open) -> Result<Closed, Fail> {
    let func = body.func;
    for block in func.blocks() {
        for &param in &func.block(block).params {
            // Those that stand in arrays get them with the other values that do.
            if body.cx.unrolled() || !func.is_lane(param) {
                body.give_home(param);
            }
        }
    }
    body.give_arrays();
    if func.is_one_lane() {
        keep_beyond_loops(body, tree)?;
    }
    let crossings = crossings(tree);
    let word = body.cx.m.u32();
    let pending = crossings.iter().any(|crossing| crossing.any()).then(|| {
        let id = body.cx.m.local(&mut body.cx.frame, word);
        body.cx.m.name(id, "pending");
        id
    });
    if let Some(pending) = pending {
        let zero = body.cx.m.const_u32(0);
        body.cx.m.store(&mut open, pending, zero);
    }
    let states = (0..tree.state_vars)
        .map(|_| body.cx.m.local(&mut body.cx.frame, word))
        .collect();
    let mut walk = Walk {
        body,
        tree,
        crossings,
        stack: Vec::new(),
        loops: 0,
        exited: vec![false; tree.labels as usize],
        pending,
        states,
    };
    let mut flow = Flow::Open(open);
    for event in tree.events() {
        flow = walk.event(event, flow)?;
    }
    match flow {
        Flow::Closed(closed) => Ok(closed),
        Flow::Open(_) => Err(EmitError::Malformed("a program without an end").into()),
    }
}

/// Invocations of a graphics stage leave a loop one by one. Some drivers (lavapipe of Mesa 22.3) let those that
/// are still inside overwrite what the others have: a value that is made in a loop and used outside is only
/// safe where it is read at the loop's head. So such values stand in variables, and a loop is left from its
/// head (see `Repeat::leaving`).
fn keep_beyond_loops(body: &mut Body<'_, '_>, tree: &Structured) -> Result<(), Fail> {
    let func = body.func;
    let mut depth = 0u32;
    let mut inside = vec![false; func.block_count()];
    for event in tree.events() {
        match event {
            Event::Enter(id) if matches!(tree.node(id), Node::Loop { .. }) => depth += 1,
            Event::Leave(id) if matches!(tree.node(id), Node::Loop { .. }) => {
                depth = depth.saturating_sub(1);
            }
            Event::Leaf(id) => {
                if let Node::Block(block) = tree.node(id)
                    && let Some(inside) = inside.get_mut(block.0 as usize)
                {
                    *inside = depth > 0;
                }
            }
            Event::Enter(_) | Event::Leave(_) | Event::Arm(..) => {}
        }
    }
    // Which block makes a value in a loop.
    let mut made = vec![None; func.value_count()];
    for block in func.blocks().filter(|b| inside[b.index()]) {
        for &inst in &func.block(block).insts {
            if let Some(result) = func.inst(inst).result
                && func.as_const(result).is_none()
            {
                made[result.index()] = Some(block);
            }
        }
    }
    let mut beyond = Vec::new();
    for block in func.blocks() {
        for &inst in &func.block(block).insts {
            let args = func.inst(inst).args.iter().copied();
            beyond.extend(args.filter(|v| made[v.index()].is_some_and(|home| home != block)));
        }
        if let Some(term) = &func.block(block).term {
            // Arguments and conditions may be read where the loop is left already.
            term.for_each_value(|v| {
                if made[v.index()].is_some() {
                    beyond.push(v);
                }
            });
        }
    }
    for value in beyond {
        if func.kind(value) == crate::ir::Kind::Ptr {
            return Err(EmitError::Unsupported(
                "a place in memory that is used behind the loop that makes it",
            )
            .into());
        }
        body.give_home(value);
    }
    Ok(())
}

impl Walk<'_, '_, '_> {
    fn event(&mut self, event: Event, flow: Flow) -> Result<Flow, Fail> {
        self.body.repeated = self.loops > 0;
        if self.body.cx.m.ids() > MAX_IDS {
            return Err(EmitError::TooLarge(MAX_IDS).into());
        }
        match event {
            Event::Leaf(id) => {
                let Flow::Open(open) = flow else {
                    return Err(DEAD.into());
                };
                self.leaf(id, open)
            }
            Event::Enter(id) => {
                let Flow::Open(open) = flow else {
                    return Err(DEAD.into());
                };
                self.enter(id, open)
            }
            Event::Arm(_, index) => self.arm(index, flow),
            Event::Leave(_) => self.leave(flow),
        }
    }

    fn leaf(&mut self, id: NodeId, mut b: Open) -> Result<Flow, Fail> {
        Ok(match *self.tree.node(id) {
            Node::Block(block) => {
                let block = Block(block.0);
                self.body.cx.apart_from_others = self.body.func.is_apart(block);
                self.body.cx.memory_waits = self.body.cx.orders.within(block);
                self.body.block(&mut b, block)?;
                self.body.cx.apart_from_others = false;
                if let Some(Terminator::Barrier(_)) = self.body.func.block(block).term {
                    let memory = self.body.cx.orders.at_end(self.body.func, block);
                    self.body.cx.barrier(&mut b, memory);
                }
                Flow::Open(b)
            }
            Node::Edge(edge) => {
                self.edge(&mut b, edge)?;
                Flow::Open(b)
            }
            Node::Exit(label) => {
                if let Some(exited) = self.exited.get_mut(label.0 as usize) {
                    *exited = true;
                }
                self.go(b, label, false).map(Flow::Closed)?
            }
            Node::Continue(label) => self.go(b, label, true).map(Flow::Closed)?,
            Node::Return => {
                self.body.cx.end_faults(&mut b)?;
                Flow::Closed(self.body.cx.end_stage(b).ret())
            }
            Node::SetState { var, value } => {
                let variable = *self.states.get(var.0 as usize).ok_or(LOST)?;
                let value = self.body.cx.m.const_u32(value);
                self.body.cx.m.store(&mut b, variable, value);
                Flow::Open(b)
            }
            Node::If { .. }
            | Node::Switch { .. }
            | Node::Dispatch { .. }
            | Node::Scope { .. }
            | Node::Loop { .. } => {
                return Err(LOST.into());
            }
        })
    }

    fn edge(&mut self, b: &mut Open, edge: EdgeRef) -> Result<(), Fail> {
        let func = self.body.func;
        let term = func
            .block(Block(edge.from.0))
            .term
            .as_ref()
            .ok_or(EmitError::Malformed("a block without a terminator"))?;
        let targets = term.targets();
        let target = targets
            .get(edge.index as usize)
            .ok_or(EmitError::Malformed(
                "an edge that the terminator does not have",
            ))?;
        self.body
            .copy_args(b, &func.block(target.block).params, &target.args)
    }

    /// Ends a block with an exit of `label`, or its next turn.
    fn go(&mut self, mut b: Open, label: Label, continues: bool) -> Result<Closed, Fail> {
        let inner = self.innermost()?;
        let (inner_label, merge, cont) = (inner.label, inner.merge, inner.cont);
        let leaving = inner.leaving;
        if inner_label == label && continues {
            return Ok(b.branch(cont));
        }
        if inner_label != label {
            let pending = self.pending.ok_or(LOST)?;
            let word = self.body.cx.m.const_u32(code(label, continues));
            self.body.cx.m.store(&mut b, pending, word);
        }
        Ok(self.leave_loop(b, leaving, merge, cont))
    }

    /// Ends a block with the way out of the innermost loop: from its head, where it says so.
    fn leave_loop(
        &mut self,
        mut b: Open,
        leaving: Option<Id>,
        merge: LabelId,
        cont: LabelId,
    ) -> Closed {
        let Some(leaving) = leaving else {
            return b.branch(merge);
        };
        let one = self.body.cx.m.const_u32(1);
        self.body.cx.m.store(&mut b, leaving, one);
        b.branch(cont)
    }

    fn innermost(&self) -> Result<&Repeat, Fail> {
        self.stack
            .iter()
            .rev()
            .find_map(|construct| match construct {
                Construct::Repeat(repeat) => Some(repeat),
                Construct::Select(_) => None,
            })
            .ok_or_else(|| LOST.into())
    }

    fn enter(&mut self, id: NodeId, mut b: Open) -> Result<Flow, Fail> {
        let tree = self.tree;
        match tree.node(id) {
            Node::If { block, .. } => {
                let cond = self.decided(&mut b, *block)?;
                let m = &mut self.body.cx.m;
                let (then, els, merge) = (m.label(), m.label(), m.label());
                let closed = match m.notes.opposite(cond) {
                    Some(opposite) => b.select_branch(opposite, els, then, merge),
                    None => b.select_branch(cond, then, els, merge),
                };
                // The branch is the last instruction, of four words.
                let header = closed.position().checked_sub(4);
                self.select(Arms::from_slice(&[then, els]), merge, header);
                Ok(Flow::Closed(closed))
            }
            Node::Switch { block, arms } => {
                let value = self.decided(&mut b, *block)?;
                self.switch(b, value, arms.len()).map(Flow::Closed)
            }
            Node::Dispatch { var, arms } => {
                let variable = *self.states.get(var.0 as usize).ok_or(LOST)?;
                let word = self.body.cx.m.u32();
                let value = self.body.cx.m.load(&mut b, word, variable);
                self.switch(b, value, arms.len()).map(Flow::Closed)
            }
            Node::Scope { label, .. } => Ok(Flow::Open(self.repeat(b, *label, false))),
            Node::Loop { label, .. } => Ok(Flow::Open(self.repeat(b, *label, true))),
            _ => Err(LOST.into()),
        }
    }

    /// What a block branches on. Lanes part only where one is all that an invocation has.
    fn decided(&mut self, b: &mut Open, block: BlockId) -> Result<Id, Fail> {
        let value = self.decider(block)?;
        if !self.body.func.is_lane(value) {
            return self.body.uniform(b, value)?.one();
        }
        let slots = SmallVec::<[Slot; 4]>::from_slice(&self.body.cx.entry.slots);
        match self.body.words(b, value, &slots)?.as_slice() {
            &[word] => Ok(word),
            _ => Err(EmitError::Malformed("lanes that part in one invocation").into()),
        }
    }

    fn decider(&self, block: BlockId) -> Result<Value, Fail> {
        let func = self.body.func;
        let term = func.block(Block(block.0)).term.as_ref();
        term.and_then(Terminator::decider)
            .ok_or_else(|| EmitError::Malformed("a branch without a condition").into())
    }

    fn select(&mut self, arms: Arms, merge: LabelId, header: Option<usize>) {
        self.stack.push(Construct::Select(Select {
            arms,
            merge,
            reached: false,
            header,
            arm: None,
        }));
    }

    /// Arm i for value i, the last for all from its own number on.
    fn switch(&mut self, b: Open, value: Id, arms: usize) -> Result<Closed, Fail> {
        if arms > MAX_ARMS {
            return Err(EmitError::Limit {
                what: "ways of a switch",
                needed: arms as u64,
                available: MAX_ARMS as u64,
            }
            .into());
        }
        let m = &mut self.body.cx.m;
        let labels: Arms = (0..arms).map(|_| m.label()).collect();
        let merge = m.label();
        let Some((&default, cases)) = labels.split_last() else {
            return Err(LOST.into());
        };
        let cases: Vec<(u32, LabelId)> = (0..).zip(cases.iter().copied()).collect();
        self.select(labels, merge, None);
        Ok(b.switch(value, default, &cases, merge))
    }

    fn repeat(&mut self, mut b: Open, label: Label, repeats: bool) -> Open {
        self.loops += u32::from(repeats);
        let one_by_one = repeats && self.body.func.is_one_lane();
        let leaving = one_by_one.then(|| {
            let cx = &mut *self.body.cx;
            let word = cx.m.u32();
            let leaving = cx.m.local(&mut cx.frame, word);
            let zero = cx.m.const_u32(0);
            cx.m.store(&mut b, leaving, zero);
            leaving
        });
        let m = &mut self.body.cx.m;
        let (header, body, cont, merge) = (m.label(), m.label(), m.label(), m.label());
        self.stack.push(Construct::Repeat(Repeat {
            label,
            repeats,
            header,
            cont,
            merge,
            leaving,
        }));
        let mut open = b
            .branch(header)
            .open(header)
            .loop_branch(merge, cont, body)
            .open(body);
        open.enter();
        self.body.enter();
        let Some(leaving) = leaving else {
            return open;
        };
        let m = &mut self.body.cx.m;
        let word = m.u32();
        let out = m.load(&mut open, word, leaving);
        let out = m.nonzero(&mut open, out);
        let (exit, stay) = (m.label(), m.label());
        open.select_branch(out, exit, stay, stay)
            .open(exit)
            .branch(merge)
            .open(stay)
    }

    fn arm(&mut self, index: u32, flow: Flow) -> Result<Flow, Fail> {
        match self.stack.last_mut() {
            Some(Construct::Select(select)) => {
                let label = *select.arms.get(index as usize).ok_or(LOST)?;
                let closed = select.end_arm(self.body, flow);
                select.arm = Some((label, closed.position()));
                let mut open = closed.open(label);
                open.enter();
                self.body.enter();
                Ok(Flow::Open(open))
            }
            // The body of a loop was opened when the loop was.
            Some(Construct::Repeat(_)) => Ok(flow),
            None => Err(LOST.into()),
        }
    }

    fn leave(&mut self, flow: Flow) -> Result<Flow, Fail> {
        match self.stack.pop().ok_or(LOST)? {
            Construct::Select(mut select) => {
                let closed = select.end_arm(self.body, flow);
                let open = closed.open(select.merge);
                Ok(if select.reached {
                    Flow::Open(open)
                } else {
                    Flow::Closed(open.unreachable())
                })
            }
            Construct::Repeat(repeat) => self.leave_repeat(repeat, flow),
        }
    }

    fn leave_repeat(&mut self, repeat: Repeat, flow: Flow) -> Result<Flow, Fail> {
        let mut reached = self
            .exited
            .get(repeat.label.0 as usize)
            .copied()
            .unwrap_or(false);
        self.loops = self.loops.saturating_sub(u32::from(repeat.repeats));
        let closed = match flow {
            Flow::Closed(closed) => closed,
            Flow::Open(open) if repeat.repeats => open.branch(repeat.cont),
            Flow::Open(open) => {
                reached = true;
                open.branch(repeat.merge)
            }
        };
        let mut closed = closed.open(repeat.cont).branch(repeat.header);
        closed.leave();
        self.body.leave();
        let open = closed.open(repeat.merge);
        let crossing = self
            .crossings
            .get(repeat.label.0 as usize)
            .copied()
            .unwrap_or_default();
        let open = if crossing.any() {
            self.pass_on(open, crossing)?
        } else {
            open
        };
        Ok(if reached {
            Flow::Open(open)
        } else {
            Flow::Closed(open.unreachable())
        })
    }

    /// After a merge: goes on to where an exit or continue is on its way to.
    fn pass_on(&mut self, mut b: Open, crossing: Crossing) -> Result<Open, Fail> {
        let outer = crossing.outer.ok_or(LOST)?;
        let around = self.innermost()?;
        let (outer_merge, outer_cont, leaving) = (around.merge, around.cont, around.leaving);
        let pending = self.pending.ok_or(LOST)?;
        let m = &mut self.body.cx.m;
        let word = m.u32();
        let to = m.load(&mut b, word, pending);
        let zero = m.const_u32(0);
        let away = m.nonzero(&mut b, to);
        let (going, stay) = (m.label(), m.label());
        let mut b = b.select_branch(away, going, stay, stay).open(going);
        b.enter();
        if crossing.continues {
            let wanted = m.const_u32(code(outer, true));
            let next = m.eq(&mut b, to, wanted);
            let (turn, on) = (m.label(), m.label());
            let mut turning = b.select_branch(next, turn, on, on).open(turn);
            m.store(&mut turning, pending, zero);
            b = turning.branch(outer_cont).open(on);
        }
        if !crossing.exits && !crossing.beyond {
            let mut open = b.unreachable().open(stay);
            open.leave();
            return Ok(open);
        }
        if crossing.exits {
            let wanted = m.const_u32(code(outer, false));
            let here = m.eq(&mut b, to, wanted);
            let rest = m.select(&mut b, here, zero, to);
            m.store(&mut b, pending, rest);
        }
        let mut open = self
            .leave_loop(b, leaving, outer_merge, outer_cont)
            .open(stay);
        open.leave();
        Ok(open)
    }
}
