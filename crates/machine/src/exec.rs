//! One invocation: runs until it ends or stops where others must come along. Knows no scheduling.

mod access;

use crate::code::{Atom, Bin, Code, Edge, Function, Line, Src};
use crate::error::{FindingKind, RunError};
use crate::group::device_address;
use crate::load::Module;
use crate::memory::{Cell, NOWHERE, split};
use crate::scalar;
use crate::world::{INVALID, World};

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
    /// The loops that it is in, outermost first.
    trips: Vec<Trip>,
}

/// A loop that an invocation is in.
#[derive(Clone, Copy)]
struct Trip {
    /// Calls around it.
    depth: usize,
    /// First line of its header, and of what follows it.
    header: u32,
    end: u32,
    /// Trips done.
    number: u32,
}

/// Calls within calls at most; SPIR-V has no recursion.
const MAX_DEPTH: usize = 256;

/// Instructions between two looks at the clock, less one.
const CLOCK: u64 = (1 << 18) - 1;

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
            trips: Vec::new(),
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

    /// Where it stands, outermost call first: the function, each loop with its trip, the line. Of two
    /// invocations in one loop the one with fewer trips is behind, wherever in the loop they are.
    pub(crate) fn place(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (1..).zip(&self.frames).flat_map(move |(depth, f)| {
            let trips = self.trips.iter().filter(move |t| t.depth == depth);
            let trips = trips.map(|t| (t.header, t.number));
            std::iter::once((f.function, 0))
                .chain(trips)
                .chain(std::iter::once((f.pc, 0)))
        })
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
        if !function.loops.is_empty() {
            self.count_trips(function, to);
        }
        to
    }

    /// Leaves the loops that a line is not in, and enters, or goes round, the one that it begins.
    fn count_trips(&mut self, function: &Function, to: u32) {
        let depth = self.frames.len();
        let here = |t: &Trip| t.depth == depth;
        while self
            .trips
            .pop_if(|t| here(t) && !(t.header <= to && to < t.end))
            .is_some()
        {}
        let Ok(found) = function.loops.binary_search_by_key(&to, |l| l.0) else {
            return;
        };
        match self.trips.last_mut().filter(|t| here(t)) {
            Some(trip) if trip.header == to => trip.number += 1,
            _ => self
                .trips
                .extend(function.loops.get(found).map(|&(header, end)| Trip {
                    depth,
                    header,
                    end,
                    number: 0,
                })),
        }
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
                if world.left & CLOCK == 0 {
                    world.in_time()?;
                }
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
                        let depth = self.frames.len();
                        while self.trips.pop_if(|t| t.depth == depth).is_some() {}
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
}
