//! From words to a module: types, constants, variables, decorations, and the words of functions. What a
//! function does is `decode`'s.

use rustc_hash::FxHashMap;
use spirv::{BuiltIn, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};

use crate::code::Function;
use crate::decode;
use crate::error::LoadError;
use crate::types::Type;

/// A global variable.
#[derive(Clone, Debug)]
pub(crate) struct Global {
    pub(crate) class: StorageClass,
    /// Pointed-to type.
    pub(crate) ty: u32,
    pub(crate) initial: Option<u32>,
}

/// An instruction, as words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'a> {
    pub(crate) op: Op,
    /// Operands, result type and result included.
    pub(crate) words: &'a [u32],
    /// Place in the module.
    pub(crate) at: u32,
}

impl Raw<'_> {
    pub(crate) fn word(&self, i: usize) -> Result<u32, LoadError> {
        self.words
            .get(i)
            .copied()
            .ok_or(LoadError::Malformed("an instruction that is cut off"))
    }

    pub(crate) fn from(&self, i: usize) -> &[u32] {
        self.words.get(i..).unwrap_or_default()
    }
}

/// A module, ready to run.
#[derive(Clone, Debug)]
pub struct Module {
    pub(crate) types: FxHashMap<u32, Type>,
    pub(crate) strides: FxHashMap<u32, u32>,
    pub(crate) offsets: FxHashMap<(u32, u32), u32>,
    /// Constants: type and first cell.
    pub(crate) constants: FxHashMap<u32, (u32, u32)>,
    pub(crate) cells: Vec<u64>,
    pub(crate) globals: Vec<(u32, Global)>,
    pub(crate) builtins: FxHashMap<u32, BuiltIn>,
    pub(crate) sets: FxHashMap<u32, u32>,
    pub(crate) bindings: FxHashMap<u32, u32>,
    pub(crate) functions: Vec<Function>,
    pub(crate) entry: usize,
    pub(crate) local: [u32; 3],
    pub(crate) glsl: Vec<u32>,
}

/// Ids at most.
const MAX_BOUND: u32 = 0x40_0000;

fn string(words: &[u32]) -> (String, usize) {
    let mut bytes = Vec::new();
    for (i, word) in words.iter().enumerate() {
        for byte in word.to_le_bytes() {
            if byte == 0 {
                return (String::from_utf8_lossy(&bytes).into_owned(), i + 1);
            }
            bytes.push(byte);
        }
    }
    (String::from_utf8_lossy(&bytes).into_owned(), words.len())
}

impl Module {
    /// Reads a compute module; `entry` names its entry point.
    ///
    /// # Errors
    /// The words are no module, or it has what this machine does not execute.
    pub fn load(words: &[u32], entry: &str) -> Result<Module, LoadError> {
        let &[magic, _, _, bound, _, ref rest @ ..] = words else {
            return Err(LoadError::Malformed("no header"));
        };
        if magic != spirv::MAGIC_NUMBER {
            return Err(LoadError::Malformed("another magic number"));
        }
        if bound > MAX_BOUND {
            return Err(LoadError::Malformed("too many ids"));
        }
        let mut module = Module {
            types: FxHashMap::default(),
            strides: FxHashMap::default(),
            offsets: FxHashMap::default(),
            constants: FxHashMap::default(),
            cells: Vec::new(),
            globals: Vec::new(),
            builtins: FxHashMap::default(),
            sets: FxHashMap::default(),
            bindings: FxHashMap::default(),
            functions: Vec::new(),
            entry: 0,
            local: [1; 3],
            glsl: Vec::new(),
        };
        let mut entries: Vec<(String, u32)> = Vec::new();
        let mut modes: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut bodies: Vec<Vec<Raw<'_>>> = Vec::new();
        let mut inside = false;
        let mut at = 0usize;
        while let Some(&head) = rest.get(at) {
            let len = (head >> 16) as usize;
            let place = at as u32 + 5;
            let operands = rest.get(at + 1..at + len).filter(|_| len > 0);
            let operands =
                operands.ok_or(LoadError::Malformed("an instruction that is cut off"))?;
            at += len;
            let op = Op::from_u32(head & 0xffff)
                .ok_or_else(|| LoadError::Unsupported(format!("opcode {}", head & 0xffff)))?;
            let raw = Raw {
                op,
                words: operands,
                at: place,
            };
            match op {
                Op::Function => {
                    inside = true;
                    bodies.push(vec![raw]);
                }
                Op::FunctionEnd => inside = false,
                Op::Line | Op::NoLine | Op::Nop => {}
                _ if inside => {
                    if let Some(body) = bodies.last_mut() {
                        body.push(raw);
                    }
                }
                Op::EntryPoint if raw.word(0)? == ExecutionModel::GLCompute as u32 => {
                    entries.push((string(raw.from(2)).0, raw.word(1)?));
                }
                Op::ExecutionMode => modes.push((raw.word(0)?, raw.from(1).to_vec())),
                Op::ExecutionModeId => modes.push((raw.word(0)?, raw.from(1).to_vec())),
                _ => module.global(&raw)?,
            }
        }
        let id = entries
            .iter()
            .find(|(name, _)| name == entry)
            .map(|&(_, id)| id)
            .ok_or_else(|| LoadError::Entry(entry.to_owned()))?;
        for (target, mode) in &modes {
            if *target != id {
                continue;
            }
            if let [kind, x, y, z] = mode[..] {
                if kind == ExecutionMode::LocalSize as u32 {
                    module.local = [x, y, z];
                } else if kind == ExecutionMode::LocalSizeId as u32 {
                    module.local = [
                        module.constant_u32(x)?,
                        module.constant_u32(y)?,
                        module.constant_u32(z)?,
                    ];
                }
            }
        }
        // A constant decorated as the workgroup size is the workgroup size.
        let size = module
            .builtins
            .iter()
            .find(|&(_, &builtin)| builtin == BuiltIn::WorkgroupSize)
            .and_then(|(id, _)| module.constants.get(id));
        if let Some(&(_, first)) = size
            && let Some(&[x, y, z]) = module.cells.get(first as usize..first as usize + 3)
        {
            module.local = [x as u32, y as u32, z as u32];
        }
        module.functions = decode::functions(&module, &bodies)?;
        module.entry = bodies
            .iter()
            .position(|body| body.first().and_then(|f| f.word(1).ok()) == Some(id))
            .ok_or(LoadError::Id(id))?;
        Ok(module)
    }

    /// Invocations of a workgroup along x, y and z.
    pub fn local_size(&self) -> [u32; 3] {
        self.local
    }

    pub(crate) fn constant_u32(&self, id: u32) -> Result<u32, LoadError> {
        let (_, first) = self.constants.get(&id).ok_or(LoadError::Id(id))?;
        self.cells
            .get(*first as usize)
            .map(|&v| v as u32)
            .ok_or(LoadError::Id(id))
    }

    fn constant(&mut self, id: u32, ty: u32, values: &[u64]) {
        self.constants.insert(id, (ty, self.cells.len() as u32));
        self.cells.extend_from_slice(values);
    }

    fn global(&mut self, raw: &Raw<'_>) -> Result<(), LoadError> {
        let w = |i| raw.word(i);
        match raw.op {
            Op::Capability
            | Op::Extension
            | Op::MemoryModel
            | Op::EntryPoint
            | Op::Name
            | Op::MemberName
            | Op::Source
            | Op::SourceExtension
            | Op::SourceContinued
            | Op::String
            | Op::ModuleProcessed => {}
            Op::ExtInstImport => {
                if string(raw.from(1)).0 == "GLSL.std.450" {
                    self.glsl.push(w(0)?);
                }
            }
            Op::Decorate => {
                let id = w(0)?;
                match Decoration::from_u32(w(1)?) {
                    Some(Decoration::ArrayStride) => {
                        self.strides.insert(id, w(2)?);
                    }
                    Some(Decoration::BuiltIn) => {
                        if let Some(builtin) = BuiltIn::from_u32(w(2)?) {
                            self.builtins.insert(id, builtin);
                        }
                    }
                    Some(Decoration::DescriptorSet) => {
                        self.sets.insert(id, w(2)?);
                    }
                    Some(Decoration::Binding) => {
                        self.bindings.insert(id, w(2)?);
                    }
                    _ => {}
                }
            }
            Op::MemberDecorate => {
                if Decoration::from_u32(w(2)?) == Some(Decoration::Offset) {
                    self.offsets.insert((w(0)?, w(1)?), w(3)?);
                }
            }
            Op::TypeVoid => self.set(w(0)?, Type::Void),
            Op::TypeBool => self.set(w(0)?, Type::Bool),
            Op::TypeInt | Op::TypeFloat => {
                let bits = w(1)?;
                if !matches!(bits, 8 | 16 | 32 | 64) {
                    return Err(LoadError::Unsupported(format!("{bits}-bit numbers")));
                }
                let bits = bits as u8;
                let ty = if raw.op == Op::TypeInt {
                    Type::Int { bits }
                } else {
                    Type::Float { bits }
                };
                self.set(w(0)?, ty);
            }
            Op::TypeVector => self.set(
                w(0)?,
                Type::Vector {
                    of: w(1)?,
                    n: w(2)?,
                },
            ),
            Op::TypeArray => {
                let n = self.constant_u32(w(2)?)?;
                self.set(w(0)?, Type::Array { of: w(1)?, n });
            }
            Op::TypeRuntimeArray => self.set(w(0)?, Type::Runtime { of: w(1)? }),
            Op::TypeStruct => self.set(
                w(0)?,
                Type::Struct {
                    members: raw.from(1).to_vec(),
                },
            ),
            Op::TypePointer => {
                let class = StorageClass::from_u32(w(1)?)
                    .ok_or(LoadError::Malformed("an unknown storage class"))?;
                self.set(w(0)?, Type::Pointer { class, to: w(2)? });
            }
            Op::TypeFunction => self.set(w(0)?, Type::Function { result: w(1)? }),
            Op::ConstantTrue | Op::SpecConstantTrue => self.constant(w(1)?, w(0)?, &[1]),
            Op::ConstantFalse | Op::SpecConstantFalse => self.constant(w(1)?, w(0)?, &[0]),
            Op::Constant | Op::SpecConstant => {
                let bits = self.bits(w(0)?)?;
                let high = if bits > 32 { w(3)? } else { 0 };
                let value = u64::from(w(2)?) | u64::from(high) << 32;
                let mask = if bits == 64 {
                    u64::MAX
                } else {
                    (1 << bits) - 1
                };
                self.constant(w(1)?, w(0)?, &[value & mask]);
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let mut values = Vec::new();
                for id in raw.from(2) {
                    let &(ty, first) = self.constants.get(id).ok_or(LoadError::Id(*id))?;
                    let count = self.cells(ty)?;
                    let part = first as usize..(first + count) as usize;
                    values.extend_from_slice(self.cells.get(part).unwrap_or_default());
                }
                self.constant(w(1)?, w(0)?, &values);
            }
            Op::ConstantNull | Op::Undef => {
                let count = self.cells(w(0)?)?;
                self.constant(w(1)?, w(0)?, &vec![0; count as usize]);
            }
            Op::Variable => {
                let class = StorageClass::from_u32(w(2)?)
                    .ok_or(LoadError::Malformed("an unknown storage class"))?;
                let ty = match self.ty(w(0)?)? {
                    Type::Pointer { to, .. } => *to,
                    _ => return Err(LoadError::Id(w(0)?)),
                };
                let initial = raw.from(3).first().copied();
                self.globals.push((w(1)?, Global { class, ty, initial }));
            }
            _ => return Err(LoadError::Unsupported(format!("Op{:?}", raw.op))),
        }
        Ok(())
    }

    fn set(&mut self, id: u32, ty: Type) {
        self.types.insert(id, ty);
    }
}
