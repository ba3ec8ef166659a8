//! Functions from words to what is executed: every id becomes a place in the frame, every way between
//! blocks knows what the phi instructions take.

mod extended;
mod opcodes;

use rustc_hash::FxHashMap;
use spirv::{MemorySemantics, Op, Scope, StorageClass};

use crate::code::{Atom, Bin, Code, Edge, Function, Line, Local, Src, Step, Un, WideOp};
use crate::error::LoadError;
use crate::load::{Module, Raw};
use crate::types::Type;
use opcodes::{atomic, binary, has_result};

/// Decodes all functions.
pub(crate) fn functions(
    module: &Module,
    bodies: &[Vec<Raw<'_>>],
) -> Result<Vec<Function>, LoadError> {
    let mut numbers = FxHashMap::default();
    for (i, body) in (0..).zip(bodies) {
        let head = body.first().ok_or(LoadError::Malformed("no function"))?;
        numbers.insert(head.word(1)?, i);
    }
    bodies
        .iter()
        .map(|body| Decode::new(module, &numbers).run(body))
        .collect()
}

struct Decode<'m> {
    module: &'m Module,
    functions: &'m FxHashMap<u32, u32>,
    f: Function,
    /// Types and places of ids.
    ids: FxHashMap<u32, (u32, u32)>,
    /// Line of each label.
    labels: FxHashMap<u32, u32>,
    /// Phi instructions of each label: place, type, (value, from).
    phis: FxHashMap<u32, Vec<(u32, u32, Vec<(u32, u32)>)>>,
    edges: FxHashMap<(u32, u32), u32>,
    /// Header and merge label of each loop.
    loops: Vec<(u32, u32)>,
    block: u32,
}

impl<'m> Decode<'m> {
    fn new(module: &'m Module, functions: &'m FxHashMap<u32, u32>) -> Decode<'m> {
        Decode {
            module,
            functions,
            f: Function::default(),
            ids: FxHashMap::default(),
            labels: FxHashMap::default(),
            phis: FxHashMap::default(),
            edges: FxHashMap::default(),
            loops: Vec::new(),
            block: 0,
        }
    }

    fn run(mut self, body: &[Raw<'_>]) -> Result<Function, LoadError> {
        // First every result gets its place, since a phi may name what follows it.
        let mut label = 0;
        for raw in body {
            match raw.op {
                Op::Label => label = raw.word(0)?,
                Op::Function => {}
                _ => {
                    if let Some(ty) = raw.word(0).ok().filter(|_| has_result(raw.op)) {
                        let cells = self.module.cells(ty)?;
                        self.ids.insert(raw.word(1)?, (ty, self.f.frame));
                        self.f.frame += cells;
                    }
                }
            }
            if raw.op == Op::Phi {
                let pairs = raw.from(2).chunks_exact(2).map(|p| (p[0], p[1])).collect();
                let (_, place) = self.own(raw.word(1)?)?;
                let phi = (place, raw.word(0)?, pairs);
                self.phis.entry(label).or_default().push(phi);
            }
        }
        for raw in body {
            self.line(raw)?;
        }
        let edges: Vec<((u32, u32), u32)> = self.edges.iter().map(|(&k, &v)| (k, v)).collect();
        let mut list = vec![None; edges.len()];
        for ((from, to), number) in edges {
            let mut moves = Vec::new();
            for (place, ty, pairs) in self.phis.get(&to).into_iter().flatten() {
                let value = pairs.iter().find(|&&(_, block)| block == from);
                let &(value, _) = value.ok_or(LoadError::Malformed("a phi without a way"))?;
                moves.push((*place, self.src(value)?, self.module.cells(*ty)?));
            }
            let to = *self.labels.get(&to).ok_or(LoadError::Id(to))?;
            if let Some(slot) = list.get_mut(number as usize) {
                *slot = Some(Edge {
                    to,
                    moves: moves.into(),
                });
            }
        }
        self.f.edges = list.into_iter().flatten().collect();
        for (header, merge) in &self.loops {
            let line = |label| self.labels.get(label).copied().ok_or(LoadError::Id(*label));
            self.f.loops.push((line(header)?, line(merge)?));
        }
        self.f.loops.sort_unstable();
        Ok(self.f)
    }

    fn own(&self, id: u32) -> Result<(u32, u32), LoadError> {
        self.ids.get(&id).copied().ok_or(LoadError::Id(id))
    }

    fn src(&self, id: u32) -> Result<Src, LoadError> {
        if let Some(&(_, place)) = self.ids.get(&id) {
            return Ok(Src(place));
        }
        if let Some(&(_, first)) = self.module.constants.get(&id) {
            return Ok(Src(first | Src::CONSTANT));
        }
        let global = self.module.globals.iter().position(|(g, _)| *g == id);
        // Pointers of globals stand behind the constants.
        let first = self.module.cells.len() as u32;
        global
            .map(|i| Src((first + i as u32) | Src::CONSTANT))
            .ok_or(LoadError::Id(id))
    }

    fn type_of(&self, id: u32) -> Result<u32, LoadError> {
        if let Some(&(ty, _)) = self.ids.get(&id).or(self.module.constants.get(&id)) {
            return Ok(ty);
        }
        Err(LoadError::Id(id))
    }

    /// Storage class and pointed-to type of a pointer.
    fn pointee(&self, id: u32) -> Result<(StorageClass, u32), LoadError> {
        if let Some((_, g)) = self.module.globals.iter().find(|(g, _)| *g == id) {
            return Ok((g.class, g.ty));
        }
        match self.module.ty(self.type_of(id)?)? {
            Type::Pointer { class, to } => Ok((*class, *to)),
            _ => Err(LoadError::Id(id)),
        }
    }

    /// Whether a type is that of pointers that addresses are.
    fn is_physical(&self, ty: u32) -> bool {
        let class = StorageClass::PhysicalStorageBuffer;
        matches!(self.module.ty(ty), Ok(Type::Pointer { class: c, .. }) if *c == class)
    }

    fn edge(&mut self, to: u32) -> u32 {
        let next = self.edges.len() as u32;
        *self.edges.entry((self.block, to)).or_insert(next)
    }

    fn constant(&self, id: u32) -> Result<u32, LoadError> {
        self.module.constant_u32(id)
    }

    fn line(&mut self, raw: &Raw<'_>) -> Result<(), LoadError> {
        let w = |i| raw.word(i);
        let code = match raw.op {
            Op::Label => {
                self.block = w(0)?;
                self.labels.insert(self.block, self.f.lines.len() as u32);
                return Ok(());
            }
            Op::Function | Op::Phi | Op::SelectionMerge | Op::Undef => return Ok(()),
            Op::LoopMerge => {
                self.loops.push((self.block, w(0)?));
                return Ok(());
            }
            Op::FunctionParameter => {
                let (ty, place) = self.own(w(1)?)?;
                let cells = self.module.cells(ty)?;
                self.f.params.push((place, cells));
                return Ok(());
            }
            Op::Variable => {
                let (ty, dst) = self.own(w(1)?)?;
                let Type::Pointer { to, .. } = self.module.ty(ty)? else {
                    return Err(LoadError::Id(ty));
                };
                let cells = self.module.cells(*to)?;
                let initial = match raw.from(3).first() {
                    Some(&id) => Some(self.src(id)?),
                    None => None,
                };
                self.f.locals.push(Local {
                    first: self.f.local_cells,
                    cells,
                    initial,
                    dst,
                });
                self.f.local_cells += cells;
                return Ok(());
            }
            Op::Branch => Code::Branch(self.edge(w(0)?)),
            Op::BranchConditional => Code::BranchIf {
                cond: self.src(w(0)?)?,
                then: self.edge(w(1)?),
                els: self.edge(w(2)?),
            },
            Op::Switch => {
                let wide = self.module.bits(self.type_of(w(0)?)?)? > 32;
                let step = if wide { 3 } else { 2 };
                let mut cases = Vec::new();
                for case in raw.from(2).chunks_exact(step) {
                    let high = if wide { u64::from(case[1]) << 32 } else { 0 };
                    cases.push((u64::from(case[0]) | high, self.edge(case[step - 1])));
                }
                Code::Switch {
                    value: self.src(w(0)?)?,
                    cases: cases.into(),
                    default: self.edge(w(1)?),
                }
            }
            Op::Return => Code::Return,
            Op::ReturnValue => Code::ReturnValue {
                value: self.src(w(0)?)?,
                n: self.module.cells(self.type_of(w(0)?)?)?,
            },
            Op::Unreachable => Code::Unreachable,
            Op::Store => self.store(w(0)?, w(1)?)?,
            Op::MemoryBarrier => Code::MemoryBarrier,
            Op::ControlBarrier => {
                let scope = self.constant(w(0)?)?;
                let semantics = MemorySemantics::from_bits_truncate(self.constant(w(2)?)?);
                Code::Barrier {
                    workgroup: scope != Scope::Subgroup as u32,
                    orders_workgroup: semantics.contains(MemorySemantics::WORKGROUP_MEMORY),
                    orders_buffers: semantics.contains(MemorySemantics::UNIFORM_MEMORY),
                }
            }
            Op::AtomicStore => {
                let (class, to) = self.pointee(w(0)?)?;
                Code::Atomic {
                    op: Atom::Exchange,
                    dst: None,
                    class,
                    pointer: self.src(w(0)?)?,
                    data: self.src(w(3)?)?,
                    compare: Src(0),
                    bits: self.module.bits(to)?,
                }
            }
            _ => self.value(raw)?,
        };
        self.f.lines.push(Line {
            code,
            word: raw.at,
            id: raw
                .word(usize::from(has_result(raw.op)))
                .unwrap_or_default(),
        });
        Ok(())
    }

    fn store(&self, pointer: u32, value: u32) -> Result<Code, LoadError> {
        let (class, to) = self.pointee(pointer)?;
        let (pointer, value) = (self.src(pointer)?, self.src(value)?);
        Ok(if explicit(class) {
            Code::Write {
                pointer,
                value,
                places: self.module.places(to)?.into(),
            }
        } else {
            Code::Store {
                class,
                pointer,
                value,
                n: self.module.cells(to)?,
            }
        })
    }

    /// An instruction with a result.
    fn value(&self, raw: &Raw<'_>) -> Result<Code, LoadError> {
        let w = |i| raw.word(i);
        let unsupported = || LoadError::Unsupported(format!("Op{:?}", raw.op));
        if !has_result(raw.op) {
            return Err(unsupported());
        }
        let (ty, dst) = self.own(w(1)?)?;
        let n = self.module.cells(ty)?;
        if let Some(op) = binary(raw.op) {
            let operand = self.type_of(w(2)?)?;
            return Ok(Code::Bin {
                op,
                dst,
                a: self.src(w(2)?)?,
                b: self.src(w(3)?)?,
                n,
                bits: self.module.bits(operand)?,
                splat: false,
            });
        }
        if let Some(op) = self.unary(raw)? {
            // What tests a float has the float's width.
            let sized = match op {
                Un::IsNan | Un::IsInf => self.type_of(w(2)?)?,
                _ => ty,
            };
            return Ok(Code::Un {
                op,
                dst,
                a: self.src(w(2)?)?,
                n,
                bits: self.module.bits(sized)?,
            });
        }
        if let Some(op) = atomic(raw.op) {
            let (class, to) = self.pointee(w(2)?)?;
            let (data, compare) = match raw.op {
                Op::AtomicCompareExchange => (self.src(w(6)?)?, self.src(w(7)?)?),
                Op::AtomicIIncrement | Op::AtomicIDecrement => (Src(0), Src(0)),
                _ => (self.src(w(5)?)?, Src(0)),
            };
            return Ok(Code::Atomic {
                op,
                dst: Some(dst),
                class,
                pointer: self.src(w(2)?)?,
                data,
                compare,
                bits: self.module.bits(to)?,
            });
        }
        if let Some(code) = self.together(raw, dst, n)? {
            return Ok(code);
        }
        Ok(match raw.op {
            Op::Load => {
                let (class, to) = self.pointee(w(2)?)?;
                let pointer = self.src(w(2)?)?;
                if explicit(class) {
                    Code::Read {
                        dst,
                        pointer,
                        places: self.module.places(to)?.into(),
                    }
                } else {
                    Code::Load {
                        dst,
                        class,
                        pointer,
                        n,
                    }
                }
            }
            Op::AtomicLoad => {
                let (class, to) = self.pointee(w(2)?)?;
                Code::AtomicLoad {
                    dst,
                    class,
                    pointer: self.src(w(2)?)?,
                    bits: self.module.bits(to)?,
                }
            }
            Op::AccessChain | Op::InBoundsAccessChain => self.access(raw, dst)?,
            Op::ArrayLength => {
                let (_, to) = self.pointee(w(2)?)?;
                let Type::Struct { members } = self.module.ty(to)? else {
                    return Err(LoadError::Id(to));
                };
                let member = w(3)?;
                let array = *members.get(member as usize).ok_or(LoadError::Id(to))?;
                Code::ArrayLength {
                    dst,
                    base: self.src(w(2)?)?,
                    offset: self.module.offset(to, member)?.into(),
                    stride: self.module.stride(array)?.max(1).into(),
                }
            }
            Op::CopyObject | Op::CopyLogical => Code::Copy {
                dst,
                src: self.src(w(2)?)?,
                n,
            },
            Op::Bitcast | Op::ConvertUToPtr if self.is_physical(ty) => {
                let of = self.type_of(w(2)?)?;
                Code::Behind {
                    dst,
                    a: self.src(w(2)?)?,
                    from: self.module.bits(of)?,
                    n: self.module.cells(of)?,
                }
            }
            Op::Bitcast => {
                let from = self.module.bits(self.type_of(w(2)?)?)?;
                let to = self.module.bits(ty)?;
                Code::Rebits {
                    dst,
                    a: self.src(w(2)?)?,
                    from,
                    to,
                    bits_in_all: u32::from(to) * n,
                }
            }
            Op::Select => {
                let cond = self.module.cells(self.type_of(w(2)?)?)?;
                Code::Select {
                    dst,
                    cond: self.src(w(2)?)?,
                    a: self.src(w(3)?)?,
                    b: self.src(w(4)?)?,
                    n,
                    each: cond > 1,
                }
            }
            Op::Any | Op::All => Code::Vote {
                dst,
                all: raw.op == Op::All,
                a: self.src(w(2)?)?,
                n: self.module.cells(self.type_of(w(2)?)?)?,
            },
            Op::Dot => Code::Dot {
                dst,
                a: self.src(w(2)?)?,
                b: self.src(w(3)?)?,
                n: self.module.cells(self.type_of(w(2)?)?)?,
                bits: self.module.bits(ty)?,
            },
            Op::VectorTimesScalar => Code::Bin {
                op: Bin::FMul,
                dst,
                a: self.src(w(2)?)?,
                b: self.src(w(3)?)?,
                n,
                bits: self.module.bits(ty)?,
                splat: true,
            },
            Op::BitFieldUExtract | Op::BitFieldSExtract => Code::Bits {
                signed: raw.op == Op::BitFieldSExtract,
                dst,
                base: self.src(w(2)?)?,
                at: self.src(w(3)?)?,
                count: self.src(w(4)?)?,
                n,
                bits: self.module.bits(ty)?,
            },
            Op::BitFieldInsert => Code::BitsInsert {
                dst,
                base: self.src(w(2)?)?,
                insert: self.src(w(3)?)?,
                at: self.src(w(4)?)?,
                count: self.src(w(5)?)?,
                n,
            },
            Op::UMulExtended | Op::SMulExtended | Op::IAddCarry | Op::ISubBorrow => {
                let operand = self.type_of(w(2)?)?;
                Code::Wide {
                    op: match raw.op {
                        Op::UMulExtended => WideOp::UMul,
                        Op::SMulExtended => WideOp::SMul,
                        Op::IAddCarry => WideOp::AddCarry,
                        _ => WideOp::SubBorrow,
                    },
                    dst,
                    a: self.src(w(2)?)?,
                    b: self.src(w(3)?)?,
                    n: self.module.cells(operand)?,
                    bits: self.module.bits(operand)?,
                }
            }
            Op::CompositeConstruct => {
                let mut parts = Vec::new();
                for &id in raw.from(2) {
                    parts.push((self.src(id)?, self.module.cells(self.type_of(id)?)?));
                }
                Code::Gather {
                    dst,
                    parts: parts.into(),
                }
            }
            Op::CompositeExtract => {
                let at = self.part(self.type_of(w(2)?)?, raw.from(3))?;
                Code::Copy {
                    dst,
                    src: self.src(w(2)?)?.plus(at),
                    n,
                }
            }
            Op::CompositeInsert => {
                let at = self.part(ty, raw.from(4))?;
                let (object, whole) = (self.src(w(2)?)?, self.src(w(3)?)?);
                let size = self.module.cells(self.type_of(w(2)?)?)?;
                let rest = n.saturating_sub(at + size);
                let parts = [(whole, at), (object, size), (whole.plus(at + size), rest)];
                Code::Gather {
                    dst,
                    parts: Box::new(parts),
                }
            }
            Op::VectorShuffle => {
                let (a, b) = (self.src(w(2)?)?, self.src(w(3)?)?);
                let first = self.module.cells(self.type_of(w(2)?)?)?;
                let parts = raw.from(4).iter().map(|&i| match i {
                    u32::MAX => (a, 1),
                    i if i < first => (a.plus(i), 1),
                    i => (b.plus(i - first), 1),
                });
                Code::Gather {
                    dst,
                    parts: parts.collect(),
                }
            }
            Op::VectorExtractDynamic => Code::ExtractDynamic {
                dst,
                a: self.src(w(2)?)?,
                n: self.module.cells(self.type_of(w(2)?)?)?,
                index: self.src(w(3)?)?,
            },
            Op::VectorInsertDynamic => Code::InsertDynamic {
                dst,
                a: self.src(w(2)?)?,
                n,
                index: self.src(w(4)?)?,
                value: self.src(w(3)?)?,
            },
            Op::FunctionCall => {
                let mut args = Vec::new();
                for &id in raw.from(3) {
                    let cells = match self.type_of(id) {
                        Ok(ty) => self.module.cells(ty)?,
                        Err(_) => 1,
                    };
                    args.push((self.src(id)?, cells));
                }
                Code::Call {
                    function: *self.functions.get(&w(2)?).ok_or(LoadError::Id(w(2)?))?,
                    dst,
                    args: args.into(),
                }
            }
            Op::ExtInst => self.glsl(raw, ty, dst, n)?,
            _ => return Err(unsupported()),
        })
    }

    /// The cell at which a part of a composite begins.
    fn part(&self, mut ty: u32, indexes: &[u32]) -> Result<u32, LoadError> {
        let mut at = 0;
        for &index in indexes {
            match self.module.ty(ty)? {
                Type::Vector { of, .. } | Type::Array { of, .. } => {
                    at += index * self.module.cells(*of)?;
                    ty = *of;
                }
                Type::Struct { members } => {
                    for &member in members.get(..index as usize).ok_or(LoadError::Id(ty))? {
                        at += self.module.cells(member)?;
                    }
                    ty = *members.get(index as usize).ok_or(LoadError::Id(ty))?;
                }
                _ => return Err(LoadError::Id(ty)),
            }
        }
        Ok(at)
    }

    fn access(&self, raw: &Raw<'_>, dst: u32) -> Result<Code, LoadError> {
        let base = raw.word(2)?;
        let (class, mut ty) = self.pointee(base)?;
        let explicit = explicit(class);
        let mut offset = 0u64;
        let mut steps = Vec::new();
        for &index in raw.from(3) {
            let (of, limit) = match self.module.ty(ty)? {
                Type::Struct { members } => {
                    let index = self.constant(index)?;
                    let before = members.get(..index as usize).ok_or(LoadError::Id(ty))?;
                    if explicit {
                        offset += u64::from(self.module.offset(ty, index)?);
                    } else {
                        for &member in before {
                            offset += u64::from(self.module.cells(member)?);
                        }
                    }
                    ty = *members.get(index as usize).ok_or(LoadError::Id(ty))?;
                    continue;
                }
                Type::Array { of, n } | Type::Vector { of, n } => (*of, Some(*n)),
                Type::Runtime { of } => (*of, None),
                _ => return Err(LoadError::Id(ty)),
            };
            let stride = match (explicit, self.module.ty(ty)?) {
                (true, Type::Vector { .. }) => u64::from(self.module.bits(of)? / 8),
                (true, _) => u64::from(self.module.stride(ty)?),
                (false, _) => u64::from(self.module.cells(of)?),
            };
            steps.push(Step {
                index: self.src(index)?,
                stride,
                limit,
            });
            ty = of;
        }
        Ok(Code::Access {
            dst,
            base: self.src(base)?,
            offset,
            steps: steps.into(),
        })
    }

    fn unary(&self, raw: &Raw<'_>) -> Result<Option<Un>, LoadError> {
        let from = || self.module.bits(self.type_of(raw.word(2)?)?);
        Ok(Some(match raw.op {
            Op::Not => Un::Not,
            Op::LogicalNot => Un::LogicalNot,
            Op::SNegate => Un::SNegate,
            Op::FNegate => Un::FNegate,
            Op::BitReverse => Un::BitReverse,
            Op::BitCount => Un::BitCount,
            Op::IsNan => Un::IsNan,
            Op::IsInf => Un::IsInf,
            Op::UConvert => Un::UConvert(from()?),
            Op::SConvert => Un::SConvert(from()?),
            Op::FConvert => Un::FConvert(from()?),
            Op::ConvertUToF => Un::UToF(from()?),
            Op::ConvertSToF => Un::SToF(from()?),
            Op::ConvertFToU => Un::FToU(from()?),
            Op::ConvertFToS => Un::FToS(from()?),
            _ => return Ok(None),
        }))
    }
}

/// Whether memory of a class has bytes.
pub(crate) fn explicit(class: StorageClass) -> bool {
    matches!(
        class,
        StorageClass::StorageBuffer
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::Uniform
            | StorageClass::PushConstant
    )
}
