//! One invocation: runs until it ends or stops where others must come along. Knows no scheduling.

use spirv::StorageClass;

use crate::code::{Atom, Bin, Code, Edge, Function, Line, Src, Step};
use crate::error::{Finding, FindingKind, RunError};
use crate::group::{Options, device_address};
use crate::load::Module;
use crate::memory::{BUFFER_SHIFT, Cell, NOWHERE, PUSH, Shared, Stamp, own, split};
use crate::scalar;
use crate::types::Place;

/// Why an invocation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Ended,
    /// At a barrier of the workgroup, or of the subgroup.
    Barrier {
        workgroup: bool,
    },
    /// At an operation that the subgroup does together.
    Together,
}

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    pub(crate) pc: u32,
    base: u32,
    locals: u32,
    dst: u32,
}

/// An invocation.
pub(crate) struct Invocation {
    pub(crate) frames: Vec<Frame>,
    pub(crate) stop: Option<Stop>,
    /// In the workgroup.
    pub(crate) number: u32,
    pub(crate) subgroup: u32,
    pub(crate) lane: u32,
    regs: Vec<u64>,
    locals: Vec<Cell>,
    pub(crate) private: Vec<Cell>,
    /// Branches back that it has taken: trips of its loops.
    back_edges: u64,
}

/// Barriers passed that ordered workgroup memory, and buffers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passed {
    pub(crate) workgroup: u32,
    pub(crate) buffers: u32,
}

/// What all invocations of a workgroup run in.
pub(crate) struct World<'a> {
    pub(crate) module: &'a Module,
    /// Constants, then pointers of globals.
    pub(crate) constants: Vec<u64>,
    pub(crate) shared: Shared<'a>,
    pub(crate) options: &'a Options,
    pub(crate) left: u64,
    pub(crate) findings: Vec<Finding>,
    pub(crate) group: [u32; 3],
    pub(crate) group_number: u64,
    pub(crate) group_size: u32,
    pub(crate) phases: Passed,
    /// By subgroup.
    pub(crate) steps: Vec<Passed>,
    /// First cell of each variable in workgroup memory, ascending.
    pub(crate) workgroup_starts: Vec<u64>,
    /// Branches back of the invocation that took the most.
    pub(crate) back_edges: u64,
}

/// Findings kept at most.
const MAX_FINDINGS: usize = 256;
/// Calls within calls at most; SPIR-V has no recursion.
const MAX_DEPTH: usize = 256;

const INVALID: RunError = RunError::Invalid("a value that is not where it should be");

impl World<'_> {
    /// The number of a cell of workgroup memory in its variable.
    fn in_variable(&self, at: u64) -> u64 {
        let start = self.workgroup_starts.iter().rev().find(|&&s| s <= at);
        at - start.copied().unwrap_or_default()
    }

    /// Notes a finding; each kind once an instruction. A fatal one ends the run.
    pub(crate) fn find(
        &mut self,
        kind: FindingKind,
        line: &Line,
        invocation: u32,
        text: String,
    ) -> Result<(), RunError> {
        let finding = Finding {
            kind,
            word: line.word,
            id: line.id,
            group: self.group,
            invocation,
            text,
        };
        if kind.is_fatal() {
            return Err(RunError::Finding(finding));
        }
        let known = |f: &Finding| f.kind == kind && f.word == line.word;
        if self.findings.len() < MAX_FINDINGS && !self.findings.iter().any(known) {
            self.findings.push(finding);
        }
        Ok(())
    }

    fn function(&self, number: u32) -> Result<&'_ Function, RunError> {
        self.module.functions.get(number as usize).ok_or(INVALID)
    }
}

impl Invocation {
    pub(crate) fn new(
        world: &World<'_>,
        number: u32,
        subgroup: u32,
        lane: u32,
        private: Vec<Cell>,
    ) -> Result<Invocation, RunError> {
        let mut invocation = Invocation {
            frames: Vec::new(),
            stop: None,
            number,
            subgroup,
            lane,
            regs: Vec::new(),
            locals: Vec::new(),
            private,
            back_edges: 0,
        };
        invocation.call(world, world.module.entry as u32, 0)?;
        Ok(invocation)
    }

    fn call(&mut self, world: &World<'_>, number: u32, dst: u32) -> Result<(), RunError> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(RunError::Invalid("calls nested too deeply"));
        }
        let function = world.function(number)?;
        let (base, locals) = (self.regs.len() as u32, self.locals.len() as u32);
        self.regs.resize((base + function.frame) as usize, 0);
        let cells = (locals + function.local_cells) as usize;
        self.locals.resize(cells, Cell::default());
        self.frames.push(Frame {
            function: number,
            pc: 0,
            base,
            locals,
            dst,
        });
        for local in &function.locals {
            let first = locals + local.first;
            self.put(base, local.dst, u64::from(first));
            if let Some(initial) = local.initial {
                for i in 0..local.cells {
                    let value = self.get(world, base, initial.plus(i));
                    if let Some(cell) = self.locals.get_mut((first + i) as usize) {
                        *cell = Cell {
                            value,
                            written: true,
                        };
                    }
                }
            }
        }
        Ok(())
    }

    fn get(&self, world: &World<'_>, base: u32, src: Src) -> u64 {
        let found = if src.0 & Src::CONSTANT != 0 {
            world.constants.get((src.0 & !Src::CONSTANT) as usize)
        } else {
            self.regs.get((base + src.0) as usize)
        };
        found.copied().unwrap_or_default()
    }

    fn put(&mut self, base: u32, dst: u32, value: u64) {
        if let Some(cell) = self.regs.get_mut((base + dst) as usize) {
            *cell = value;
        }
    }

    /// The instruction that it stands at, and the base of its frame.
    pub(crate) fn at<'m>(&self, module: &'m Module) -> Result<(&'m Line, u32), RunError> {
        let frame = self.frames.last().ok_or(INVALID)?;
        let function = module.functions.get(frame.function as usize);
        let line = function.and_then(|f| f.lines.get(frame.pc as usize));
        Ok((line.ok_or(INVALID)?, frame.base))
    }

    /// Where it stands, outermost call first.
    pub(crate) fn place(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.frames.iter().map(|f| (f.function, f.pc))
    }

    /// An operand of the instruction that it stands at.
    pub(crate) fn operand(&self, world: &World<'_>, base: u32, src: Src) -> u64 {
        self.get(world, base, src)
    }

    /// Gives the result of the instruction that it stands at, and lets it go on.
    pub(crate) fn answer(&mut self, dst: u32, values: &[u64]) {
        if let Some(base) = self.frames.last().map(|f| f.base) {
            for (i, &value) in (0..).zip(values) {
                self.put(base, dst + i, value);
            }
        }
        self.go_on();
    }

    /// Lets it go on behind the instruction that it stands at.
    pub(crate) fn go_on(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc += 1;
        }
        self.stop = None;
    }

    fn follow(&mut self, world: &World<'_>, function: &Function, base: u32, edge: u32) -> u32 {
        let Some(Edge { to, moves }) = function.edges.get(edge as usize) else {
            return u32::MAX;
        };
        match moves.as_ref() {
            [] => {}
            &[(dst, src, 1)] => {
                let value = self.get(world, base, src);
                self.put(base, dst, value);
            }
            moves => {
                let mut values = Vec::new();
                for &(_, src, n) in moves {
                    values.extend((0..n).map(|i| self.get(world, base, src.plus(i))));
                }
                let mut values = values.into_iter();
                for &(dst, _, n) in moves {
                    for i in 0..n {
                        self.put(base, dst + i, values.next().unwrap_or_default());
                    }
                }
            }
        }
        *to
    }

    /// Follows an edge from a line, and counts it where it goes back.
    fn jump(
        &mut self,
        world: &mut World<'_>,
        function: &Function,
        base: u32,
        (from, edge): (u32, u32),
    ) -> u32 {
        let to = self.follow(world, function, base, edge);
        if to <= from {
            self.back_edges += 1;
            world.back_edges = world.back_edges.max(self.back_edges);
        }
        to
    }

    /// Runs until it stops.
    pub(crate) fn run(&mut self, world: &mut World<'_>) -> Result<Stop, RunError> {
        let module = world.module;
        loop {
            let &Frame {
                function,
                mut pc,
                base,
                dst: result,
                locals,
            } = self.frames.last().ok_or(INVALID)?;
            let code = module.functions.get(function as usize).ok_or(INVALID)?;
            // Within a call, until it calls, returns or stops.
            loop {
                let line = code.lines.get(pc as usize).ok_or(INVALID)?;
                world.left = world
                    .left
                    .checked_sub(1)
                    .ok_or(RunError::Budget(world.options.budget))?;
                let stop = match &line.code {
                    Code::Branch(edge) => {
                        pc = self.jump(world, code, base, (pc, *edge));
                        continue;
                    }
                    Code::BranchIf { cond, then, els } => {
                        let edge = if self.get(world, base, *cond) != 0 {
                            then
                        } else {
                            els
                        };
                        pc = self.jump(world, code, base, (pc, *edge));
                        continue;
                    }
                    Code::Switch {
                        value,
                        cases,
                        default,
                    } => {
                        let value = self.get(world, base, *value);
                        let case = cases.iter().find(|&&(v, _)| v == value);
                        let edge = case.map_or(*default, |&(_, edge)| edge);
                        pc = self.jump(world, code, base, (pc, edge));
                        continue;
                    }
                    Code::Return | Code::ReturnValue { .. } => {
                        let mut values = Vec::new();
                        if let Code::ReturnValue { value, n } = line.code {
                            values.extend((0..n).map(|i| self.get(world, base, value.plus(i))));
                        }
                        self.frames.pop();
                        self.regs.truncate(base as usize);
                        self.locals.truncate(locals as usize);
                        let Some(caller) = self.frames.last() else {
                            self.stop = Some(Stop::Ended);
                            return Ok(Stop::Ended);
                        };
                        let base = caller.base;
                        for (i, &value) in (0..).zip(&values) {
                            self.put(base, result + i, value);
                        }
                        break;
                    }
                    Code::Call {
                        function,
                        dst,
                        args,
                    } => {
                        let mut values = Vec::new();
                        for &(src, n) in args {
                            values.extend((0..n).map(|i| self.get(world, base, src.plus(i))));
                        }
                        if let Some(frame) = self.frames.last_mut() {
                            frame.pc = pc + 1;
                        }
                        self.call(world, *function, *dst)?;
                        let callee = world.module.functions.get(*function as usize);
                        let base = self.frames.last().map_or(0, |f| f.base);
                        let mut values = values.into_iter();
                        for &(place, n) in callee.map_or(&[][..], |f| f.params.as_slice()) {
                            for i in 0..n {
                                self.put(base, place + i, values.next().unwrap_or_default());
                            }
                        }
                        break;
                    }
                    Code::Barrier { workgroup, .. } => Some(Stop::Barrier {
                        workgroup: *workgroup,
                    }),
                    Code::Together { .. } => Some(Stop::Together),
                    Code::Unreachable => {
                        world.find(FindingKind::Unreachable, line, self.number, String::new())?;
                        None
                    }
                    _ => {
                        self.line(world, line, base)?;
                        None
                    }
                };
                if let Some(stop) = stop {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.pc = pc;
                    }
                    self.stop = Some(stop);
                    return Ok(stop);
                }
                pc += 1;
            }
        }
    }

    /// An instruction that goes on to the next one.
    fn line(&mut self, world: &mut World<'_>, line: &Line, base: u32) -> Result<(), RunError> {
        match line.code {
            Code::Un {
                op,
                dst,
                a,
                n,
                bits,
            } => {
                for i in 0..n {
                    let x = self.get(world, base, a.plus(i));
                    self.put(base, dst + i, scalar::un(op, x, bits));
                }
            }
            Code::Bin {
                op,
                dst,
                a,
                b,
                n,
                bits,
                splat,
            } => {
                for i in 0..n {
                    let x = self.get(world, base, a.plus(i));
                    let y = self.get(world, base, b.plus(if splat { 0 } else { i }));
                    let value = match scalar::bin(op, x, y, bits) {
                        Some(value) => value,
                        None => {
                            let text = format!("{op:?} of {x:#x} and {y:#x}");
                            world.find(FindingKind::Operand, line, self.number, text)?;
                            0
                        }
                    };
                    self.put(base, dst + i, value);
                }
            }
            Code::Tri {
                op,
                dst,
                a,
                b,
                c,
                n,
                bits,
            } => {
                for i in 0..n {
                    let [x, y, z] = [a, b, c].map(|s| self.get(world, base, s.plus(i)));
                    self.put(base, dst + i, scalar::tri(op, x, y, z, bits));
                }
            }
            Code::Wide {
                op,
                dst,
                a,
                b,
                n,
                bits,
            } => {
                for i in 0..n {
                    let x = self.get(world, base, a.plus(i));
                    let y = self.get(world, base, b.plus(i));
                    let (low, high) = scalar::wide(op, x, y, bits);
                    // The first member of the result is the low half, the sum or the difference.
                    self.put(base, dst + i, low);
                    self.put(base, dst + n + i, high);
                }
            }
            Code::Select {
                dst,
                cond,
                a,
                b,
                n,
                each,
            } => {
                for i in 0..n {
                    let c = self.get(world, base, cond.plus(if each { i } else { 0 }));
                    let from = if c != 0 { a } else { b };
                    let value = self.get(world, base, from.plus(i));
                    self.put(base, dst + i, value);
                }
            }
            Code::Bits {
                signed,
                dst,
                base: from,
                at,
                count,
                n,
                bits,
            } => {
                let (at, count) = (self.get(world, base, at), self.get(world, base, count));
                for i in 0..n {
                    let x = self.get(world, base, from.plus(i));
                    let value = match scalar::field(x, at, count, bits, signed) {
                        Some(value) => value,
                        None => {
                            let text = format!("{count} bits from bit {at}");
                            world.find(FindingKind::Operand, line, self.number, text)?;
                            0
                        }
                    };
                    self.put(base, dst + i, value);
                }
            }
            Code::BitsInsert {
                dst,
                base: into,
                insert,
                at,
                count,
                n,
            } => {
                let (at, count) = (self.get(world, base, at), self.get(world, base, count));
                if at > 64 || count > 64 - at {
                    let text = format!("{count} bits from bit {at}");
                    world.find(FindingKind::Operand, line, self.number, text)?;
                }
                let ones = 1u64.checked_shl(count as u32).map_or(u64::MAX, |x| x - 1);
                let mask = ones.checked_shl(at as u32).unwrap_or(0);
                for i in 0..n {
                    let old = self.get(world, base, into.plus(i));
                    let new = self.get(world, base, insert.plus(i));
                    let new = new.checked_shl(at as u32).unwrap_or(0);
                    self.put(base, dst + i, old & !mask | new & mask);
                }
            }
            Code::Copy { dst, src, n } => {
                for i in 0..n {
                    let value = self.get(world, base, src.plus(i));
                    self.put(base, dst + i, value);
                }
            }
            Code::Gather { dst, ref parts } => {
                let mut at = dst;
                for &(src, n) in parts {
                    for i in 0..n {
                        let value = self.get(world, base, src.plus(i));
                        self.put(base, at, value);
                        at += 1;
                    }
                }
            }
            Code::Vote { dst, all, a, n } => {
                let mut each = (0..n).map(|i| self.get(world, base, a.plus(i)) != 0);
                let value = if all {
                    each.all(|x| x)
                } else {
                    each.any(|x| x)
                };
                self.put(base, dst, value.into());
            }
            Code::Dot { dst, a, b, n, bits } => {
                let mut sum = 0;
                for i in 0..n {
                    let x = self.get(world, base, a.plus(i));
                    let y = self.get(world, base, b.plus(i));
                    let product = scalar::bin(Bin::FMul, x, y, bits).unwrap_or(0);
                    sum = match i {
                        0 => product,
                        _ => scalar::bin(Bin::FAdd, sum, product, bits).unwrap_or(0),
                    };
                }
                self.put(base, dst, sum);
            }
            Code::Behind { dst, a, from, n } => {
                let parts = (0..n).map(|i| self.get(world, base, a.plus(i)));
                let address = parts.rev().fold(0u64, |sum, part| {
                    sum.checked_shl(from.into()).unwrap_or(0) | part
                });
                let pointer = address.checked_sub(device_address(0)).unwrap_or(NOWHERE);
                self.put(base, dst, pointer);
            }
            Code::Rebits {
                dst,
                a,
                from,
                to,
                bits_in_all,
            } => {
                // Through one number: the widest bitcast is four words.
                let (from, to) = (u32::from(from.max(1)), u32::from(to.max(1)));
                let mut whole = 0u128;
                for i in 0..bits_in_all.div_ceil(from) {
                    let part = u128::from(self.get(world, base, a.plus(i)));
                    whole |= part.checked_shl(i * from).unwrap_or(0);
                }
                for i in 0..bits_in_all.div_ceil(to) {
                    let part = whole.checked_shr(i * to).unwrap_or(0) as u64;
                    let mask = if to >= 64 { u64::MAX } else { (1 << to) - 1 };
                    self.put(base, dst + i, part & mask);
                }
            }
            Code::ExtractDynamic { dst, a, n, index } => {
                let index = self.get(world, base, index);
                if index >= n.into() {
                    world.find(FindingKind::Outside, line, self.number, String::new())?;
                }
                let value = self.get(world, base, a.plus(index as u32));
                self.put(base, dst, value);
            }
            Code::InsertDynamic {
                dst,
                a,
                n,
                index,
                value,
            } => {
                let index = self.get(world, base, index);
                if index >= n.into() {
                    world.find(FindingKind::Outside, line, self.number, String::new())?;
                }
                let value = self.get(world, base, value);
                for i in 0..n {
                    let old = self.get(world, base, a.plus(i));
                    let new = if u64::from(i) == index { value } else { old };
                    self.put(base, dst + i, new);
                }
            }
            Code::PackHalf { dst, a } => {
                let [low, high] = [0, 1].map(|i| {
                    let x = self.get(world, base, a.plus(i));
                    scalar::round(scalar::float(x, 32), 16)
                });
                self.put(base, dst, low | high << 16);
            }
            Code::UnpackHalf { dst, a } => {
                let x = self.get(world, base, a);
                for i in 0..2 {
                    let half = x >> (16 * i) & 0xffff;
                    self.put(base, dst + i, scalar::round(scalar::float(half, 16), 32));
                }
            }
            Code::Access {
                dst,
                base: from,
                offset,
                ref steps,
            } => {
                let pointer = self.get(world, base, from);
                let value = self.access(world, base, pointer, offset, steps);
                self.put(base, dst, value);
            }
            Code::Load {
                dst,
                class,
                pointer,
                n,
            } => {
                let pointer = self.get(world, base, pointer);
                for i in 0..n {
                    let value = self.load(world, line, class, pointer, i)?;
                    self.put(base, dst + i, value);
                }
            }
            Code::Store {
                class,
                pointer,
                value,
                n,
            } => {
                let pointer = self.get(world, base, pointer);
                for i in 0..n {
                    let value = self.get(world, base, value.plus(i));
                    self.store(world, line, class, pointer, i, value)?;
                }
            }
            Code::Read {
                dst,
                pointer,
                ref places,
            } => {
                let pointer = self.get(world, base, pointer);
                for (i, &place) in (0..).zip(places) {
                    let value = self.read(world, line, pointer, place)?;
                    self.put(base, dst + i, value);
                }
            }
            Code::Write {
                pointer,
                value,
                ref places,
            } => {
                let pointer = self.get(world, base, pointer);
                for (i, &place) in (0..).zip(places) {
                    let value = self.get(world, base, value.plus(i));
                    self.write(world, line, pointer, place, value)?;
                }
            }
            Code::ArrayLength {
                dst,
                base: from,
                offset,
                stride,
            } => {
                let (buffer, at) = split(self.get(world, base, from));
                let bytes = world.shared.buffers.get(buffer as usize);
                let bytes = bytes.map_or(0, |b| b.bytes.len() as u64);
                let length = bytes.saturating_sub(at + offset) / stride.max(1);
                self.put(base, dst, length);
            }
            Code::Atomic {
                op,
                dst,
                class,
                pointer,
                data,
                compare,
                bits,
            } => {
                let pointer = self.get(world, base, pointer);
                let data = self.get(world, base, data);
                let compare = self.get(world, base, compare);
                let new = |old: u64| match op {
                    Atom::Exchange => data,
                    Atom::CompareExchange if old == compare => data,
                    Atom::CompareExchange => old,
                    Atom::Inc => scalar::bin(Bin::IAdd, old, 1, bits).unwrap_or(0),
                    Atom::Dec => scalar::bin(Bin::ISub, old, 1, bits).unwrap_or(0),
                    Atom::Op(op) => scalar::bin(op, old, data, bits).unwrap_or(0),
                };
                let old = self.atomic(world, line, class, pointer, bits, &new)?;
                if let Some(dst) = dst {
                    self.put(base, dst, old);
                }
            }
            Code::AtomicLoad {
                dst,
                class,
                pointer,
                bits,
            } => {
                let pointer = self.get(world, base, pointer);
                let value = self.atomic(world, line, class, pointer, bits, &|old| old)?;
                self.put(base, dst, value);
            }
            Code::MemoryBarrier => {}
            // The others end a line of their own in `run`.
            Code::Call { .. }
            | Code::Barrier { .. }
            | Code::Together { .. }
            | Code::Branch(_)
            | Code::BranchIf { .. }
            | Code::Switch { .. }
            | Code::Return
            | Code::ReturnValue { .. }
            | Code::Unreachable => return Err(INVALID),
        }
        Ok(())
    }

    fn access(
        &self,
        world: &World<'_>,
        base: u32,
        pointer: u64,
        offset: u64,
        steps: &[Step],
    ) -> u64 {
        if pointer == NOWHERE {
            return NOWHERE;
        }
        let mut sum = offset;
        for step in steps {
            let index = self.get(world, base, step.index) & 0xffff_ffff;
            if step.limit.is_some_and(|limit| index >= limit.into()) {
                return NOWHERE;
            }
            sum = sum.saturating_add(index.saturating_mul(step.stride));
        }
        let (_, at) = split(pointer);
        if sum >> BUFFER_SHIFT != 0 || (at + sum) >> BUFFER_SHIFT != 0 {
            return NOWHERE;
        }
        pointer + sum
    }

    fn outside(&self, world: &mut World<'_>, line: &Line, pointer: u64) -> RunError {
        let text = if pointer == NOWHERE {
            "past the end of an array".to_owned()
        } else {
            let (buffer, at) = split(pointer);
            format!("buffer {buffer}, at {at}")
        };
        match world.find(FindingKind::Outside, line, self.number, text) {
            Err(error) => error,
            Ok(()) => INVALID,
        }
    }

    fn stamp(&self, world: &World<'_>, workgroup: bool, atomic: bool) -> Stamp {
        let steps = world.steps.get(self.subgroup as usize);
        let steps = steps.copied().unwrap_or_default();
        let pick = |passed: Passed| {
            if workgroup {
                passed.workgroup
            } else {
                passed.buffers
            }
        };
        Stamp {
            who: world.group_number * u64::from(world.group_size) + u64::from(self.number) + 1,
            group: world.group_number,
            subgroup: self.subgroup,
            phase: pick(world.phases),
            step: pick(steps),
            atomic,
        }
    }

    fn cell<'s>(
        &'s mut self,
        world: &'s mut World<'_>,
        class: StorageClass,
        at: u64,
    ) -> Option<&'s mut Cell> {
        let at = usize::try_from(at).ok()?;
        match class {
            StorageClass::Function => self.locals.get_mut(at),
            StorageClass::Workgroup => world.shared.workgroup.get_mut(at),
            _ if own(class) => self.private.get_mut(at),
            _ => None,
        }
    }

    fn load(
        &mut self,
        world: &mut World<'_>,
        line: &Line,
        class: StorageClass,
        pointer: u64,
        i: u32,
    ) -> Result<u64, RunError> {
        let at = pointer.saturating_add(i.into());
        let Some(&mut cell) = self.cell(world, class, at) else {
            return Err(self.outside(world, line, pointer));
        };
        if class == StorageClass::Workgroup {
            let stamp = self.stamp(world, true, false);
            let shadow = world.shared.workgroup_shadow.get_mut(at as usize);
            if shadow.is_some_and(|s| s.read(stamp)) {
                let text = format!("a read of workgroup cell {}", world.in_variable(at));
                world.find(FindingKind::Race, line, self.number, text)?;
            }
        }
        if !cell.written {
            let kind = if class == StorageClass::Workgroup {
                FindingKind::UndefinedWorkgroup
            } else {
                FindingKind::Undefined
            };
            world.find(kind, line, self.number, format!("cell {at}"))?;
        }
        Ok(cell.value)
    }

    fn store(
        &mut self,
        world: &mut World<'_>,
        line: &Line,
        class: StorageClass,
        pointer: u64,
        i: u32,
        value: u64,
    ) -> Result<(), RunError> {
        let at = pointer.saturating_add(i.into());
        let Some(cell) = self.cell(world, class, at) else {
            return Err(self.outside(world, line, pointer));
        };
        let changes = !cell.written || cell.value != value;
        *cell = Cell {
            value,
            written: true,
        };
        if class == StorageClass::Workgroup && changes {
            let stamp = self.stamp(world, true, false);
            let shadow = world.shared.workgroup_shadow.get_mut(at as usize);
            if shadow.is_some_and(|s| s.write(stamp)) {
                let text = format!("a write of workgroup cell {}", world.in_variable(at));
                world.find(FindingKind::Race, line, self.number, text)?;
            }
        }
        Ok(())
    }

    fn read(
        &mut self,
        world: &mut World<'_>,
        line: &Line,
        pointer: u64,
        place: Place,
    ) -> Result<u64, RunError> {
        let (number, at) = split(pointer);
        let at = at + place.offset;
        if number == PUSH && pointer != NOWHERE {
            let from = at as usize;
            let part = world.shared.push.get(from..from + usize::from(place.bytes));
            let Some(part) = part else {
                return Err(self.outside(world, line, pointer));
            };
            let value = part.iter().rev();
            return Ok(value.fold(0, |sum, &byte| sum << 8 | u64::from(byte)));
        }
        let stamp = self.stamp(world, false, false);
        let buffer = world.shared.buffers.get_mut(number as usize);
        let Some(buffer) = buffer.filter(|_| pointer != NOWHERE) else {
            return Err(self.outside(world, line, pointer));
        };
        let Some(value) = buffer.get(at, place.bytes) else {
            return Err(self.outside(world, line, pointer));
        };
        let mut race = false;
        for shadow in buffer.shadows(at, place.bytes) {
            race |= shadow.read(stamp);
        }
        if race {
            let text = format!("a read of buffer {number} at {at}");
            world.find(FindingKind::Race, line, self.number, text)?;
        }
        Ok(value)
    }

    fn write(
        &mut self,
        world: &mut World<'_>,
        line: &Line,
        pointer: u64,
        place: Place,
        value: u64,
    ) -> Result<(), RunError> {
        let (number, at) = split(pointer);
        let at = at + place.offset;
        let stamp = self.stamp(world, false, false);
        let buffer = world.shared.buffers.get_mut(number as usize);
        let Some(buffer) = buffer.filter(|_| pointer != NOWHERE) else {
            return Err(self.outside(world, line, pointer));
        };
        let Some(old) = buffer.get(at, place.bytes) else {
            return Err(self.outside(world, line, pointer));
        };
        let mut race = false;
        if old != value {
            buffer.put(at, place.bytes, value);
            for shadow in buffer.shadows(at, place.bytes) {
                race |= shadow.write(stamp);
            }
        }
        if race {
            let text = format!("a write of buffer {number} at {at}");
            world.find(FindingKind::Race, line, self.number, text)?;
        }
        Ok(())
    }

    fn atomic(
        &mut self,
        world: &mut World<'_>,
        line: &Line,
        class: StorageClass,
        pointer: u64,
        bits: u8,
        new: &dyn Fn(u64) -> u64,
    ) -> Result<u64, RunError> {
        let workgroup = class == StorageClass::Workgroup;
        let stamp = self.stamp(world, workgroup, true);
        let (number, at) = split(pointer);
        if workgroup {
            let Some(cell) = self.cell(world, class, pointer) else {
                return Err(self.outside(world, line, pointer));
            };
            let (old, written) = (cell.value, cell.written);
            let value = new(old);
            *cell = Cell {
                value,
                written: true,
            };
            let shadow = world.shared.workgroup_shadow.get_mut(pointer as usize);
            let race = shadow.is_some_and(|s| {
                if value == old && written {
                    s.read(stamp)
                } else {
                    s.write(stamp)
                }
            });
            if race {
                let text = format!("an atomic on workgroup cell {}", world.in_variable(pointer));
                world.find(FindingKind::Race, line, self.number, text)?;
            }
            return Ok(old);
        }
        let buffer = world.shared.buffers.get_mut(number as usize);
        let Some(buffer) = buffer.filter(|_| pointer != NOWHERE) else {
            return Err(self.outside(world, line, pointer));
        };
        let Some(old) = buffer.get(at, bits / 8) else {
            return Err(self.outside(world, line, pointer));
        };
        let value = new(old);
        buffer.put(at, bits / 8, value);
        let mut race = false;
        for shadow in buffer.shadows(at, bits / 8) {
            race |= if value == old {
                shadow.read(stamp)
            } else {
                shadow.write(stamp)
            };
        }
        if race {
            let text = format!("an atomic on buffer {number} at {at}");
            world.find(FindingKind::Race, line, self.number, text)?;
        }
        Ok(old)
    }
}
