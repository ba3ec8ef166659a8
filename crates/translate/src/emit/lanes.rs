//! Values of a function over the slots of an invocation: where each stands, and how an instruction is
//! emitted once for the wave or once a slot.
//!
//! Few slots: a per-lane value is one SSA value a slot. Many: it is an SSA value inside the slot loop
//! that makes it, and an array over the slots everywhere else.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::checked::Checks;
use super::code::Open;
use super::context::{Cx, Slot};
use super::error::{EmitError, Fail};
use super::memory::Stored;
use super::module::Id;
use super::patterns::{Known, Pattern};
use super::places::Near;
use super::remake::remade;
use super::scratch::ScratchAccess;
use super::segments::{self, Class, Segment};
use super::value::{Val, pack, part_type, unpack, whole_type};
use super::{host_float, pure};
use crate::ir::{self, Block, Const, Func, Inst, Kind, Op, Value};
use crate::reflect::LaunchLayout;
use crate::resources::DescriptorPlace;

/// A value in every slot at hand.
pub type PerSlot = SmallVec<[Val; 4]>;
/// Variables for the words of a value.
pub type Parts = SmallVec<[Id; 2]>;

/// Variables that hold a value.
#[derive(Clone, Debug)]
pub enum Home {
    /// Of a uniform value.
    Uniform(Parts),
    /// Of a per-lane value, a set of variables a slot.
    Slots(SmallVec<[Parts; 1]>),
    /// Of a per-lane value, arrays over the slots; booleans as words.
    Arrays(Parts),
}

/// Values of the function under emission.
pub struct Body<'c, 'a> {
    /// The shared state.
    pub cx: &'c mut Cx<'a>,
    /// The function.
    pub func: &'a Func,
    /// Layout of the launch buffer.
    pub launch: &'c LaunchLayout,
    /// Whether what is emitted stands in a loop of the program.
    pub repeated: bool,
    /// Values at hand: uniform ones and, where there is one slot, per-lane ones too. Constants and inputs stay.
    at_hand: Vec<Option<Val>>,
    lanes: FxHashMap<Value, PerSlot>,
    pub(super) homes: FxHashMap<Value, Home>,
    /// Values of the slot loop under emission, one a slot of the trip.
    pub(super) trip: FxHashMap<Value, PerSlot>,
    /// Values of `at_hand` and `lanes` that were loaded from homes, in the parts of the flow that
    /// dominate the place under emission.
    loaded: Vec<Value>,
    /// How many of `loaded` there were where each open part began.
    parts: Vec<usize>,
    /// Values that are known in every lane.
    pub(super) known: Known,
    pub(super) plans: FxHashMap<Block, Vec<Segment>>,
    /// Places that are made with their faults.
    checks: Checks,
    /// Values that a slot loop makes anew where it uses them.
    pub(super) remade: FxHashSet<Value>,
    /// Accumulators of ballots, by their position in a segment.
    pub(super) accumulators: Vec<Id>,
    /// Arrays that no value holds now, by whether they hold pairs.
    pub(super) free: [Vec<Parts>; 2],
}

impl<'c, 'a> Body<'c, 'a> {
    /// A body with nothing emitted; plans the slot loops if there are any. `at_hand` is room.
    pub fn new(
        cx: &'c mut Cx<'a>,
        launch: &'c LaunchLayout,
        checks: Checks,
        mut at_hand: Vec<Option<Val>>,
    ) -> Body<'c, 'a> {
        let ir = cx.ir;
        let func = &ir.func;
        let mut plans = FxHashMap::default();
        if !cx.unrolled() {
            for block in func.blocks() {
                plans.insert(block, segments::plan(func, block));
            }
        }
        let remade = if cx.unrolled() {
            FxHashSet::default()
        } else {
            remade(func)
        };
        cx.apart = checks.apart;
        at_hand.clear();
        at_hand.resize(func.value_count(), None);
        Body {
            remade,
            cx,
            func,
            launch,
            repeated: false,
            at_hand,
            lanes: FxHashMap::default(),
            homes: FxHashMap::default(),
            trip: FxHashMap::default(),
            loaded: Vec::new(),
            parts: Vec::new(),
            known: Known::default(),
            plans,
            checks,
            accumulators: Vec::new(),
            free: [Vec::new(), Vec::new()],
        }
    }

    /// The room of values, for another body.
    pub fn into_room(self) -> Vec<Option<Val>> {
        self.at_hand
    }

    // ---- Homes -----------------------------------------------------------------------------------

    pub(super) fn variable(&mut self, kind: Kind) -> Parts {
        let kind = self.cx.stands_as(kind);
        let ty = part_type(&mut self.cx.m, kind);
        let mut variables = Parts::new();
        for _ in 0..super::value::parts(kind) {
            variables.push(self.cx.m.local(&mut self.cx.frame, ty));
        }
        variables
    }

    pub(super) fn arrays(&mut self, kind: Kind) -> Parts {
        let parts = super::value::parts(self.cx.stands_as(kind));
        if let Some(free) = self.free.get_mut(parts - 1).and_then(Vec::pop) {
            return free;
        }
        let word = self.cx.m.u32();
        let ty = self.cx.m.array(word, self.cx.geo.slots);
        (0..parts)
            .map(|_| self.cx.m.local(&mut self.cx.frame, ty))
            .collect()
    }

    /// Gives a value variables that hold it: a parameter of a block, or a per-lane value that leaves the
    /// slot loop that makes it.
    pub fn give_home(&mut self, value: Value) {
        if self.homes.contains_key(&value) {
            return;
        }
        let ty = self.func.ty(value);
        let home = if !ty.is_lane() {
            Home::Uniform(self.variable(ty.kind))
        } else if self.cx.unrolled() {
            let mut slots = SmallVec::new();
            for _ in 0..self.cx.geo.slots {
                slots.push(self.variable(ty.kind));
            }
            Home::Slots(slots)
        } else {
            Home::Arrays(self.arrays(ty.kind))
        };
        self.homes.insert(value, home);
    }

    pub(super) fn load_parts(
        &mut self,
        b: &mut Open,
        kind: Kind,
        variables: &Parts,
    ) -> Result<Val, Fail> {
        let ty = part_type(&mut self.cx.m, kind);
        let mut ids = Parts::new();
        for &variable in variables {
            ids.push(self.cx.m.load(b, ty, variable));
        }
        Val::from_ids(&ids)
    }

    /// Stores a value to its home; of a per-lane one, what it is in each slot.
    fn store_home(&mut self, b: &mut Open, value: Value, slots: &[Val]) {
        let homes: &[Parts] = match self.homes.get(&value) {
            Some(Home::Uniform(variables)) => std::slice::from_ref(variables),
            Some(Home::Slots(variables)) => variables,
            Some(Home::Arrays(_)) | None => &[],
        };
        for (variables, value) in homes.iter().zip(slots) {
            for (&variable, id) in variables.iter().zip(value.ids()) {
                self.cx.m.store(b, variable, id);
            }
        }
    }

    pub(super) fn element(&mut self, b: &mut Open, array: Id, slot: Slot) -> Id {
        let word = self.cx.m.u32();
        self.cx.m.access(
            b,
            spirv::StorageClass::Function,
            word,
            array,
            &[slot.number],
        )
    }

    pub(super) fn load_element(
        &mut self,
        b: &mut Open,
        kind: Kind,
        arrays: &Parts,
        slot: Slot,
    ) -> Result<Val, Fail> {
        let word = self.cx.m.u32();
        let mut ids = Parts::new();
        for &array in arrays {
            let pointer = self.element(b, array, slot);
            let id = self.cx.m.load(b, word, pointer);
            ids.push(if kind == Kind::Bool {
                self.cx.m.nonzero(b, id)
            } else {
                id
            });
        }
        Val::from_ids(&ids)
    }

    pub(super) fn store_element(
        &mut self,
        b: &mut Open,
        kind: Kind,
        arrays: &Parts,
        slot: Slot,
        value: Val,
    ) {
        for (&array, id) in arrays.iter().zip(value.ids()) {
            let pointer = self.element(b, array, slot);
            let id = if kind == Kind::Bool {
                self.cx.m.bool_word(b, id)
            } else {
                id
            };
            self.cx.m.store(b, pointer, id);
        }
    }

    // ---- Reading values --------------------------------------------------------------------------

    fn constant(&mut self, value: Value) -> Option<Val> {
        let m = &mut self.cx.m;
        Some(match self.func.as_const(value)? {
            Const::Bool(x) => Val::One(m.const_bool(x)),
            Const::I32(x) => Val::One(m.const_u32(x)),
            Const::I64(x) => Val::Two(m.const_u32(x as u32), m.const_u32((x >> 32) as u32)),
        })
    }

    /// A value that is at hand.
    #[inline]
    fn found(&self, value: Value) -> Option<Val> {
        self.at_hand.get(value.index()).copied().flatten()
    }

    #[inline]
    fn keep(&mut self, value: Value, found: Option<Val>) {
        if let Some(place) = self.at_hand.get_mut(value.index()) {
            *place = found;
        }
    }

    /// Whether a per-lane value is one value, so that it may stand among those at hand.
    fn single(&self) -> bool {
        self.cx.unrolled() && self.cx.geo.slots == 1
    }

    /// A uniform value, or, in the only slot, a per-lane one. `slots`: that slot, or none for the wave.
    #[inline(always)]
    fn one_value(&mut self, b: &mut Open, value: Value, slots: &[Slot]) -> Result<Val, Fail> {
        match self.found(value) {
            Some(found) => Ok(found),
            None => self.one_fetched(b, value, slots),
        }
    }

    /// The same where it is not at hand.
    #[inline(never)]
    fn one_fetched(&mut self, b: &mut Open, value: Value, slots: &[Slot]) -> Result<Val, Fail> {
        if slots.is_empty() || !self.func.is_lane(value) {
            return self.fetched(b, value);
        }
        let all = self.in_slots(b, value, slots)?;
        all.first()
            .copied()
            .ok_or_else(|| EmitError::Malformed("a value without slots").into())
    }

    /// A uniform value.
    #[inline]
    pub fn uniform(&mut self, b: &mut Open, value: Value) -> Result<Val, Fail> {
        match self.found(value) {
            Some(found) => Ok(found),
            None => self.fetched(b, value),
        }
    }

    /// A uniform value that is not at hand: a constant, an input, or one that has a home.
    fn fetched(&mut self, b: &mut Open, value: Value) -> Result<Val, Fail> {
        let found = if let Some(constant) = self.constant(value) {
            constant
        } else if let Some(Op::Input(input)) = self.func.def_inst(value).map(|data| data.op) {
            self.cx.uniform_input(input)?
        } else if let Some(Home::Uniform(variables)) = self.homes.get(&value) {
            let variables = Parts::from_slice(variables);
            self.loaded.push(value);
            self.load_parts(b, self.func.kind(value), &variables)?
        } else {
            return Err(EmitError::Malformed("a uniform value that is not at hand").into());
        };
        self.keep(value, Some(found));
        Ok(found)
    }

    /// A value in each of these slots: all of them, or those of a trip of a slot loop.
    pub fn in_slots(
        &mut self,
        b: &mut Open,
        value: Value,
        slots: &[Slot],
    ) -> Result<PerSlot, Fail> {
        if let Some(found) = self.found(value) {
            return Ok(SmallVec::from_elem(found, slots.len()));
        }
        if !self.func.is_lane(value) || self.func.as_const(value).is_some() {
            let found = self.fetched(b, value)?;
            return Ok(SmallVec::from_elem(found, slots.len()));
        }
        let unrolled = self.cx.unrolled();
        let single = self.single();
        if !single {
            let known = if unrolled { &self.lanes } else { &self.trip };
            if let Some(found) = known.get(&value) {
                return Ok(found.clone());
            }
        }
        let anywhere = match self.func.def(value) {
            ir::Def::Inst(inst)
                if segments::class(self.func, inst) == Class::Anywhere
                    || self.remade.contains(&value) =>
            {
                Some(inst)
            }
            _ => None,
        };
        let mut found = PerSlot::new();
        if let (Some(inst), false) = (anywhere, unrolled) {
            found = self.lane_results(b, inst, slots)?;
        } else {
            let kind = self.func.kind(value);
            match self.homes.get(&value).cloned() {
                Some(Home::Slots(variables)) => {
                    for parts in &variables {
                        found.push(self.load_parts(b, kind, parts)?);
                    }
                }
                Some(Home::Arrays(arrays)) => {
                    for &slot in slots {
                        found.push(self.load_element(b, kind, &arrays, slot)?);
                    }
                }
                _ => {
                    return Err(EmitError::Malformed("a per-lane value that is not at hand").into());
                }
            }
        }
        if single {
            self.keep(value, found.first().copied());
            self.loaded.push(value);
        } else if unrolled {
            self.lanes.insert(value, found.clone());
            self.loaded.push(value);
        } else {
            self.trip.insert(value, found.clone());
        }
        Ok(found)
    }

    /// Begins a part of the flow that does not dominate what follows it.
    pub fn enter(&mut self) {
        self.parts.push(self.loaded.len());
    }

    /// Ends it, and forgets what it loaded from homes. Until then a home's value stays at hand: who goes
    /// to the block whose parameter it is comes by the load again before any use.
    pub fn leave(&mut self) {
        let kept = self.parts.pop().unwrap_or(0);
        for value in self.loaded.drain(kept..) {
            if let Some(place) = self.at_hand.get_mut(value.index()) {
                *place = None;
            }
            self.lanes.remove(&value);
        }
    }

    // ---- Parameters and edges --------------------------------------------------------------------

    /// Stores arguments to the parameters of a block: all are read before one is written.
    pub fn copy_args(
        &mut self,
        b: &mut Open,
        params: &[Value],
        args: &[Value],
    ) -> Result<(), Fail> {
        let mut uniform: SmallVec<[(Value, Val); 4]> = SmallVec::new();
        let mut lanes: SmallVec<[(Value, Value); 4]> = SmallVec::new();
        for (&param, &arg) in params.iter().zip(args).filter(|(param, arg)| param != arg) {
            match self.homes.get(&param) {
                Some(Home::Uniform(_)) => uniform.push((param, self.uniform(b, arg)?)),
                Some(_) => lanes.push((param, arg)),
                // A parameter that nothing uses has no home.
                None => {}
            }
        }
        if lanes.is_empty() {
        } else if self.cx.unrolled() {
            let slots = self.slots();
            let mut values: SmallVec<[(Value, PerSlot); 2]> = SmallVec::new();
            for (param, arg) in lanes {
                values.push((param, self.in_slots(b, arg, &slots)?));
            }
            for (param, value) in values {
                self.store_home(b, param, &value);
            }
        } else {
            let weight = 4 * lanes.len() as u32;
            self.slot_loop(b, weight, |body, b, slots| {
                let mut values = Vec::new();
                for &(param, arg) in &lanes {
                    values.push((param, body.in_slots(b, arg, slots)?, body.func.kind(arg)));
                }
                for (param, value, kind) in values {
                    if let Some(Home::Arrays(arrays)) = body.homes.get(&param).cloned() {
                        for (&slot, value) in slots.iter().zip(value) {
                            body.store_element(b, kind, &arrays, slot, value);
                        }
                    }
                }
                Ok(())
            })?;
        }
        for (param, value) in uniform {
            self.store_home(b, param, &[value]);
        }
        Ok(())
    }

    /// All slots, where they are unrolled.
    fn slots(&self) -> SmallVec<[Slot; 4]> {
        SmallVec::from_slice(&self.cx.entry.slots)
    }

    // ---- Instructions ----------------------------------------------------------------------------

    /// Emits the instructions of a block.
    pub fn block(&mut self, b: &mut Open, block: Block) -> Result<(), Fail> {
        if !self.cx.unrolled() {
            return self.segments(b, block);
        }
        let func = self.func;
        let (slots, single) = (self.slots(), self.single());
        let mut rest = func.block(block).insts.as_slice();
        while let Some((&inst, behind)) = rest.split_first() {
            let data = func.inst(inst);
            match data.op {
                // Made where they are used.
                Op::ConstBool(_) | Op::Const32(_) | Op::Const64(_) => {
                    rest = behind;
                    continue;
                }
                Op::Pure(op) if single => {
                    self.pure_inst(b, op, data, &slots)?;
                    rest = behind;
                    continue;
                }
                Op::Store { .. } => {
                    let run = stores_together(func, rest);
                    if run.len() > 1 {
                        self.store_run(b, run, &slots)?;
                        rest = rest.get(run.len()..).unwrap_or_default();
                        continue;
                    }
                }
                _ => {}
            }
            rest = behind;
            match segments::class(func, inst) {
                Class::Uniform => self.uniform_inst(b, inst)?,
                Class::Ballot | Class::ReadLane => self.gather(b, inst, &slots)?,
                Class::Shuffle => self.shuffle(b, inst, &slots)?,
                Class::Anywhere => {
                    if func
                        .inst(inst)
                        .result
                        .is_some_and(|v| func.is_lane(v) && func.as_const(v).is_none())
                    {
                        self.lane_inst(b, inst, &slots)?;
                    }
                }
                Class::Lane => self.lane_inst(b, inst, &slots)?,
            }
        }
        Ok(())
    }

    /// The bound buffer that a place lies in; `None`: guest memory.
    fn target(&self, place: Value) -> Option<DescriptorPlace> {
        let number = self.func.bound_buffer(place)?;
        self.cx.ir.bound.get(number as usize).copied()
    }

    /// Stores to one place under one guard.
    fn store_run(&mut self, b: &mut Open, run: &[Inst], slots: &[Slot]) -> Result<(), Fail> {
        let func = self.func;
        let Some((&first, _)) = run.split_first() else {
            return Ok(());
        };
        let (place, guard) = (func.inst(first).args[0], func.inst(first).args[2]);
        let once = run
            .iter()
            .all(|&inst| segments::class(func, inst) == Class::Uniform);
        // Of stores of uniform values that stand with per-lane ones each lane stores its own.
        let one = [Slot::none(&mut self.cx.m)];
        let slots = if once { &one[..] } else { slots };
        let ptrs = self.in_slots(b, place, slots)?;
        let guards = self.words(b, guard, slots)?;
        let mut columns = Vec::new();
        for &inst in run {
            columns.push(self.in_slots(b, func.inst(inst).args[1], slots)?);
        }
        for (i, ((&ptr, &guard), slot)) in ptrs.iter().zip(&guards).zip(slots).enumerate() {
            let mut stores: SmallVec<[Stored; 4]> = SmallVec::new();
            for (&inst, column) in run.iter().zip(&columns) {
                if let (
                    Op::Store {
                        width,
                        offset,
                        aligned,
                    },
                    Some(&value),
                ) = (func.inst(inst).op, column.get(i))
                {
                    stores.push(Stored {
                        value,
                        width,
                        offset,
                        aligned,
                    });
                }
            }
            let guard = match slot.inside {
                Some(inside) => self.cx.m.band(b, inside, guard),
                None => guard,
            };
            let target = self.target(place);
            self.cx.at_target(target, ptr, |cx, ptr| {
                cx.memory_store(b, ptr, guard, &stores, once)
            })?;
        }
        Ok(())
    }

    pub(super) fn define(&mut self, value: Value, result: Val) {
        self.keep(value, Some(result));
    }

    pub(super) fn define_lanes(
        &mut self,
        b: &mut Open,
        value: Value,
        results: PerSlot,
        slots: &[Slot],
    ) {
        if self.single() {
            return self.keep(value, results.first().copied());
        }
        if let Some(Home::Arrays(arrays)) = self.homes.get(&value).cloned() {
            let kind = self.func.kind(value);
            for (&slot, &result) in slots.iter().zip(&results) {
                self.store_element(b, kind, &arrays, slot, result);
            }
        }
        let known = if self.cx.unrolled() {
            &mut self.lanes
        } else {
            &mut self.trip
        };
        known.insert(value, results);
    }

    /// An instruction that the wave does once.
    pub(super) fn uniform_inst(&mut self, b: &mut Open, inst: Inst) -> Result<(), Fail> {
        let func = self.func;
        let data = func.inst(inst);
        let mut check = None;
        match data.op {
            Op::Pure(op) => return self.pure_inst(b, op, data, &[]),
            // Of a uniform value: itself.
            Op::ReadLane => {
                let value = self.uniform(b, data.args[0])?;
                if let Some(result) = data.result {
                    self.define(result, value);
                }
                return Ok(());
            }
            Op::Fault { .. } if self.checks.has_fault(inst) => return Ok(()),
            Op::Ptr { .. } | Op::PtrBytes => check = self.checks.place(inst),
            _ => {}
        }
        let mut args: SmallVec<[Val; 4]> = SmallVec::new();
        for &arg in &data.args {
            args.push(self.uniform(b, arg)?);
        }
        if let Some(check) = check {
            let guard = match check.guard {
                Some(guard) => self.uniform(b, guard)?.one()?,
                None => self.cx.m.const_bool(true),
            };
            let first = self.cx.elected(b);
            let place = self.checked(b, inst, &args, guard, first, check.pc)?;
            if let Some(result) = data.result {
                self.define(result, place);
            }
            return Ok(());
        }
        if let Some(value) = self.operation(b, inst, &args, None)? {
            self.define_uniform(b, data.result, value);
        }
        Ok(())
    }

    /// Keeps the only value of a result, and stores it where it has a home.
    #[inline]
    fn define_uniform(&mut self, b: &mut Open, result: Option<Value>, value: Val) {
        let Some(result) = result else { return };
        self.define(result, value);
        // Only lanes that leave loops one by one make results have homes: see `function`.
        if self.func.is_one_lane() && self.homes.contains_key(&result) {
            // Known by its id in this block only.
            self.store_home(b, result, &[value]);
            self.loaded.push(result);
        }
    }

    /// A pure operation for the wave, or for the only slot (see `one_value`).
    fn pure_inst(
        &mut self,
        b: &mut Open,
        op: ir::Pure,
        data: &ir::InstData,
        slots: &[Slot],
    ) -> Result<(), Fail> {
        if matches!(op, ir::Pure::Eq | ir::Pure::Ne)
            && let (Some((cond, some)), Some(result)) = (self.tests_ballot(data), data.result)
        {
            let slots = self.slots();
            let conds = self.words(b, cond, &slots)?;
            let any = self.cx.any_lane(b, &conds);
            let value = if some { any } else { self.cx.m.bnot(b, any) };
            self.define(result, Val::One(value));
            return Ok(());
        }
        let value = match *data.args.as_slice() {
            [x] => {
                let kind = self.func.kind(x);
                let x = self.one_value(b, x, slots)?;
                pure::unary(&mut self.cx.m, b, op, kind, x)?
            }
            [x, y] => {
                let kind = self.func.kind(x);
                let (x, y) = (self.one_value(b, x, slots)?, self.one_value(b, y, slots)?);
                let m = &mut self.cx.m;
                let simple = match (x, y) {
                    (Val::One(x), Val::One(y)) => pure::on_ones(m, b, op, kind, x, y),
                    _ => None,
                };
                match simple {
                    Some(id) => Val::One(id),
                    None => pure::binary(m, b, op, kind, x, y)?,
                }
            }
            [x, y, z] => {
                let kind = self.func.kind(if op == ir::Pure::Select { y } else { x });
                let (x, y) = (self.one_value(b, x, slots)?, self.one_value(b, y, slots)?);
                let args = [x, y, self.one_value(b, z, slots)?];
                pure::emit(&mut self.cx.m, b, op, kind, &args)?
            }
            _ => return Err(EmitError::Malformed("an instruction with wrong arguments").into()),
        };
        self.define_uniform(b, data.result, value);
        Ok(())
    }

    /// What is balloted where an instruction asks whether a ballot is zero, and whether it asks for the
    /// opposite. Only where all slots are at hand.
    #[inline]
    fn tests_ballot(&self, data: &ir::InstData) -> Option<(Value, bool)> {
        let some = match data.op {
            Op::Pure(ir::Pure::Eq) => false,
            Op::Pure(ir::Pure::Ne) => true,
            _ => return None,
        };
        let &[mask, zero] = data.args.as_slice() else {
            return None;
        };
        let ballot = self.func.def_inst(mask)?;
        let cond = *ballot.args.first()?;
        let asks = ballot.op == Op::Ballot
            && self.func.is_lane(cond)
            && self.func.as_const(zero).is_some_and(|c| c.is_zero())
            && self.cx.unrolled();
        asks.then_some((cond, some))
    }

    /// The results of a per-lane instruction in these slots.
    fn lane_results(&mut self, b: &mut Open, inst: Inst, slots: &[Slot]) -> Result<PerSlot, Fail> {
        let data = self.func.inst(inst);
        let mut columns: SmallVec<[PerSlot; 4]> = SmallVec::new();
        for &arg in &data.args {
            columns.push(self.in_slots(b, arg, slots)?);
        }
        let check = match data.op {
            Op::Ptr { .. } | Op::PtrBytes => self.checks.place(inst),
            _ => None,
        };
        let guards = match check.and_then(|check| check.guard) {
            Some(guard) => Some(self.words(b, guard, slots)?),
            None => None,
        };
        let mut results = PerSlot::new();
        for (i, &slot) in slots.iter().enumerate() {
            let args: SmallVec<[Val; 4]> = columns
                .iter()
                .filter_map(|column| column.get(i).copied())
                .collect();
            if let Some(check) = check {
                let yes = self.cx.m.const_bool(true);
                let guard = guards.as_ref().and_then(|all| all.get(i).copied());
                let mut guard = guard.unwrap_or(yes);
                if let Some(inside) = slot.inside {
                    guard = self.cx.m.band(b, inside, guard);
                }
                results.push(self.checked(b, inst, &args, guard, yes, check.pc)?);
                continue;
            }
            if let Some(value) = self.operation(b, inst, &args, Some(slot))? {
                results.push(value);
            }
        }
        Ok(results)
    }

    pub(super) fn lane_inst(
        &mut self,
        b: &mut Open,
        inst: Inst,
        slots: &[Slot],
    ) -> Result<(), Fail> {
        let data = self.func.inst(inst);
        let checked = match data.op {
            Op::Fault { .. } if self.checks.has_fault(inst) => return Ok(()),
            Op::Fault { pc } => return self.lane_fault(b, inst, pc, slots),
            Op::Ptr { .. } | Op::PtrBytes => self.checks.place(inst).is_some(),
            _ => false,
        };
        if self.single()
            && !checked
            && let &[slot] = slots
        {
            let value = match *data.args.as_slice() {
                // Loads.
                [x, y] => {
                    let args = [self.one_value(b, x, slots)?, self.one_value(b, y, slots)?];
                    self.operation(b, inst, &args, Some(slot))?
                }
                _ => {
                    let mut args: SmallVec<[Val; 4]> = SmallVec::new();
                    for &arg in &data.args {
                        args.push(self.one_value(b, arg, slots)?);
                    }
                    self.operation(b, inst, &args, Some(slot))?
                }
            };
            if let Some(result) = data.result {
                self.keep(result, value);
            }
            return Ok(());
        }
        let results = self.lane_results(b, inst, slots)?;
        if let Some(value) = data.result {
            self.define_lanes(b, value, results, slots);
        }
        Ok(())
    }

    /// A place that is made with its fault.
    fn checked(
        &mut self,
        b: &mut Open,
        inst: Inst,
        args: &[Val],
        guard: Id,
        first: Id,
        pc: u32,
    ) -> Result<Val, Fail> {
        let (address, bytes) = match (&self.func.inst(inst).op, args) {
            (Op::Ptr { bytes, .. }, &[address]) => (address, self.cx.m.const_u32(*bytes)),
            (&Op::Ptr { bytes, .. }, &[_, window, base, offset]) => {
                let near = Near {
                    window,
                    base,
                    offset: offset.one()?,
                    bytes,
                };
                return self.cx.near_ptr(b, near, guard, first, pc);
            }
            (Op::PtrBytes, &[address, bytes]) => (address, bytes.one()?),
            _ => return Err(EmitError::Malformed("a place with wrong arguments").into()),
        };
        self.cx.checked_ptr(b, address, bytes, guard, first, pc)
    }

    /// A fault of any of the slots.
    fn lane_fault(
        &mut self,
        b: &mut Open,
        inst: Inst,
        pc: u32,
        slots: &[Slot],
    ) -> Result<(), Fail> {
        let data = self.func.inst(inst);
        let addresses = self.in_slots(b, data.args[0], slots)?;
        let guards = self.words(b, data.args[1], slots)?;
        let mut lanes: SmallVec<[(Val, Id); 4]> = SmallVec::new();
        for ((address, mut guard), slot) in addresses.into_iter().zip(guards).zip(slots) {
            if let Some(inside) = slot.inside {
                guard = self.cx.m.band(b, inside, guard);
            }
            lanes.push((address, guard));
        }
        self.cx.fault(b, pc, &lanes, false)
    }

    /// A ballot or a lane read with all slots at hand.
    fn gather(&mut self, b: &mut Open, inst: Inst, slots: &[Slot]) -> Result<(), Fail> {
        let data = self.func.inst(inst);
        let ids = self.words(b, data.args[0], slots)?;
        let value = match data.op {
            Op::Ballot => self.cx.ballot(b, &ids),
            _ => {
                let lane = self.uniform(b, data.args[1])?.one()?;
                Val::One(self.cx.read_lane(b, &ids, lane)?)
            }
        };
        if let Some(result) = data.result {
            self.define(result, value);
        }
        Ok(())
    }

    /// The pattern of a shuffle, if it is known and takes few slots.
    pub(super) fn pattern(&mut self, lane: Value) -> Option<Pattern> {
        // In one slot only a choice of the lane's own is of use.
        if self.cx.geo.slots == 1 && self.known.moves(self.func, lane) {
            return None;
        }
        let words = self.known.words(self.func, lane)?;
        let pattern = Pattern::new(&words, self.cx.geo.subgroup);
        (pattern.stays || 2 * pattern.width() <= self.cx.geo.slots as usize).then_some(pattern)
    }

    /// A shuffle with all slots at hand.
    fn shuffle(&mut self, b: &mut Open, inst: Inst, slots: &[Slot]) -> Result<(), Fail> {
        let data = self.func.inst(inst);
        let ids = self.words(b, data.args[0], slots)?;
        let lanes = self.words(b, data.args[1], slots)?;
        let pattern = self.pattern(data.args[1]);
        let mut results = PerSlot::new();
        for (i, lane) in lanes.into_iter().enumerate() {
            let known = pattern.as_ref().and_then(|pattern| pattern.sources.get(i));
            let sources: SmallVec<[(Id, Id); 4]> = match known {
                Some(from) => from
                    .iter()
                    .filter_map(|&s| Some((slots.get(s as usize)?.number, *ids.get(s as usize)?)))
                    .collect(),
                None => slots
                    .iter()
                    .map(|slot| slot.number)
                    .zip(ids.iter().copied())
                    .collect(),
            };
            let stays = pattern.as_ref().is_some_and(|pattern| pattern.stays);
            results.push(Val::One(self.cx.shuffle(b, &sources, stays, lane)?));
        }
        if let Some(value) = data.result {
            self.define_lanes(b, value, results, slots);
        }
        Ok(())
    }

    pub(super) fn words(
        &mut self,
        b: &mut Open,
        value: Value,
        slots: &[Slot],
    ) -> Result<SmallVec<[Id; 4]>, Fail> {
        let mut words = SmallVec::new();
        for value in self.in_slots(b, value, slots)? {
            words.push(value.one()?);
        }
        Ok(words)
    }

    /// One instruction, for the wave or for a slot.
    fn operation(
        &mut self,
        b: &mut Open,
        inst: Inst,
        args: &[Val],
        slot: Option<Slot>,
    ) -> Result<Option<Val>, Fail> {
        let func = self.func;
        let data = func.inst(inst);
        let kind = |index: usize| {
            data.args
                .get(index)
                .map_or(Kind::I32, |&arg| func.kind(arg))
        };
        let once = slot.is_none();
        let target = match data.op {
            Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } => {
                data.args.first().and_then(|&place| self.target(place))
            }
            _ => None,
        };
        let cx = &mut *self.cx;
        let mut guarded: SmallVec<[Val; 4]>;
        let mut args = args;
        if let Some(inside) = slot.and_then(|slot| slot.inside)
            && let Some(at) = guard_argument(&data.op)
        {
            guarded = SmallVec::from_slice(args);
            if let Some(guard) = guarded.get_mut(at) {
                *guard = Val::One(cx.m.band(b, inside, guard.one()?));
            }
            args = &guarded;
        }
        Ok(Some(match (&data.op, args) {
            (Op::Pure(op), _) => {
                let decides = usize::from(*op == ir::Pure::Select);
                pure::emit(&mut cx.m, b, *op, kind(decides), args)?
            }
            (Op::Host(op, ty), _) => host_float::emit(&mut cx.m, b, cx.profile, *op, *ty, args)?,
            (Op::Float(..), _) => {
                return Err(
                    EmitError::Malformed("a guest float operation that was not lowered").into(),
                );
            }
            (Op::Call(helper), _) => {
                let function = *cx
                    .helpers
                    .get(helper.0 as usize)
                    .ok_or(EmitError::Malformed("a call of an unknown helper"))?;
                let result = cx
                    .ir
                    .helper(*helper)
                    .map(|helper| helper.result_kind())
                    .ok_or(EmitError::Malformed("a call of an unknown helper"))?;
                call(cx, b, function, result, args)
            }
            (Op::LaneBit, &[mask]) if func.is_one_lane() => Val::One(cx.even_mask(b, mask)),
            (&Op::Output { to, component }, &[value, guard]) => {
                cx.output(b, to, component, value.one()?, guard.one()?)?;
                return Ok(None);
            }
            (&Op::Quad { perm, narrow }, &[x]) => Val::One(cx.quad(b, x.one()?, perm, narrow)),
            (Op::Image(access), _) => {
                let mut words: SmallVec<[Id; 16]> = SmallVec::new();
                for arg in args {
                    words.push(arg.one()?);
                }
                let loc = func.inst(inst).loc;
                return Ok(cx.image(b, access, &words, once, loc)?.map(Val::One));
            }
            (Op::Valid, &[x]) => {
                cx.valid(b, x.one()?);
                return Ok(None);
            }
            (Op::InterpFirst { .. }, _) => {
                return Err(EmitError::Malformed("half of an interpolation").into());
            }
            (Op::LaneBit, &[mask]) => match slot {
                Some(slot) => Val::One(cx.lane_bit(b, mask, slot)?),
                None => return Err(EmitError::Malformed("a lane bit without a lane").into()),
            },
            (Op::Ballot, &[cond]) => cx.ballot_uniform(b, cond.one()?),
            (Op::Shuffle, &[value, _]) => value,
            (Op::Input(input), []) => match slot {
                Some(slot) => Val::One(cx.lane_input(b, *input, slot, self.launch)?),
                None => cx.uniform_input(*input)?,
            },
            (&Op::Table(number), &[index]) => Val::One(cx.table(b, number, index.one()?)?),
            (Op::Window, &[address]) => cx.window_of(b, address)?,
            (Op::Ptr { bytes, .. }, &[address]) => {
                let bytes = cx.m.const_u32(*bytes);
                cx.ptr(b, address, bytes)?
            }
            (&Op::Ptr { bytes, .. }, &[_, window, base, offset]) => {
                let near = Near {
                    window,
                    base,
                    offset: offset.one()?,
                    bytes,
                };
                // Nobody remembers a fault here.
                let (yes, no) = (cx.m.const_bool(true), cx.m.const_bool(false));
                cx.near_ptr(b, near, yes, no, 0)?
            }
            (Op::PtrBytes, &[address, bytes]) => cx.ptr(b, address, bytes.one()?)?,
            (Op::PtrBound { .. }, &[offset]) => cx.bound_place(offset.one()?),
            (Op::PtrOk, &[ptr]) => Val::One(cx.ptr_ok(b, ptr)),
            (
                &Op::Load {
                    width,
                    offset,
                    aligned,
                    read_only,
                },
                &[ptr, guard],
            ) => {
                let (guard, once) = (guard.one()?, once && !read_only);
                cx.at_target(target, ptr, |cx, ptr| {
                    cx.memory_load(b, ptr, guard, width, offset, aligned, once)
                })?
            }
            (
                &Op::Store {
                    width,
                    offset,
                    aligned,
                },
                &[ptr, value, guard],
            ) => {
                let store = Stored {
                    value,
                    width,
                    offset,
                    aligned,
                };
                let guard = guard.one()?;
                cx.at_target(target, ptr, |cx, ptr| {
                    cx.memory_store(b, ptr, guard, &[store], once)
                })?;
                return Ok(None);
            }
            (
                &Op::Atomic {
                    op,
                    width,
                    offset,
                    shape,
                },
                &[ptr, guard, ref data @ ..],
            ) => {
                let guard = guard.one()?;
                cx.at_target(target, ptr, |cx, ptr| {
                    cx.memory_atomic(b, op, width, offset, shape, ptr, guard, data)
                })?
            }
            (&Op::LdsLoad { width }, &[address, guard]) => {
                Val::One(cx.lds_load(b, address.one()?, guard.one()?, width, once)?)
            }
            (&Op::LdsStore { width }, &[address, value, guard]) => {
                cx.lds_store(b, address.one()?, value.one()?, guard.one()?, width, once)?;
                return Ok(None);
            }
            (&Op::LdsAtomic { op, width, shape }, &[address, guard, ref data @ ..]) => {
                cx.lds_atomic(b, op, width, shape, address.one()?, guard.one()?, data)?
            }
            (
                &Op::ScratchLoad {
                    width,
                    offset,
                    aligned,
                },
                &[at, guard],
            ) => {
                let access = ScratchAccess {
                    at: at.one()?,
                    offset,
                    guard: guard.one()?,
                    width,
                    aligned,
                };
                Val::One(cx.scratch_load(b, slot, &access)?)
            }
            (
                &Op::ScratchStore {
                    width,
                    offset,
                    aligned,
                },
                &[at, value, guard],
            ) => {
                let access = ScratchAccess {
                    at: at.one()?,
                    offset,
                    guard: guard.one()?,
                    width,
                    aligned,
                };
                cx.scratch_store(b, slot, &access, value.one()?)?;
                return Ok(None);
            }
            (&Op::Fault { pc }, &[address, guard]) => {
                cx.fault(b, pc, &[(address, guard.one()?)], once)?;
                return Ok(None);
            }
            (Op::WaveSync, []) => {
                cx.wave_sync(b);
                return Ok(None);
            }
            (Op::AnyWave, &[x]) => Val::One(cx.any_wave(b, x.one()?)?),
            _ => return Err(EmitError::Malformed("an instruction with wrong arguments").into()),
        }))
    }
}

/// The stores that instructions begin with, as far as they go to one place under one guard.
fn stores_together<'i>(func: &Func, insts: &'i [Inst]) -> &'i [Inst] {
    let target = |inst: &Inst| {
        let data = func.inst(*inst);
        matches!(data.op, Op::Store { .. })
            .then(|| (data.args.first().copied(), data.args.get(2).copied()))
    };
    let first = insts.first().and_then(target);
    let count = insts
        .iter()
        .take_while(|inst| first.is_some() && target(inst) == first)
        .count();
    &insts[..count]
}

/// Which argument of an access is its guard.
fn guard_argument(op: &Op) -> Option<usize> {
    match op {
        Op::Image(access) => access.op.is_guarded().then_some(0),
        op => op.memory_guard(),
    }
}

/// A call of a function on whole values.
pub fn call(cx: &mut Cx<'_>, b: &mut Open, function: Id, result: Kind, args: &[Val]) -> Val {
    let ids: SmallVec<[Id; 8]> = args.iter().map(|&arg| pack(&mut cx.m, b, arg)).collect();
    let ty = whole_type(&mut cx.m, result);
    let id = cx.m.call(b, ty, function, &ids);
    unpack(&mut cx.m, b, result, id)
}
