//! What a source module binds: its buffers and push constants with the types of their members, and what
//! else its run depends on. Knows no data and no file.

use std::collections::HashMap;

use rspirv::binary::{Consumer, ParseAction, Parser};
use rspirv::dr::{self, Instruction, Operand};
use spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass};

use crate::directive::Element;
use crate::error::LabError;

/// A type that lies in a buffer.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// A scalar.
    Scalar(Element),
    /// A 64-bit address of memory of another type.
    Pointer,
    /// Elements a stride apart; `None`: as many as the buffer holds.
    Array {
        /// The element.
        of: Box<Type>,
        /// Bytes from one to the next.
        stride: usize,
        /// How many.
        count: Option<usize>,
    },
    /// Members at byte offsets.
    Struct(Vec<Member>),
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its name, where the module keeps it.
    pub name: String,
    /// Byte offset.
    pub offset: usize,
    /// Its type.
    pub ty: Type,
}

impl Type {
    /// Bytes, with `count` elements in an array without a size.
    pub fn bytes(&self, count: usize) -> usize {
        match self {
            Type::Scalar(element) => element.bytes(),
            Type::Pointer => 8,
            Type::Array {
                of,
                stride,
                count: n,
            } => {
                let n = n.unwrap_or(count);
                // The last element has no padding behind it.
                n.saturating_sub(1) * stride + if n == 0 { 0 } else { of.bytes(count) }
            }
            Type::Struct(members) => members
                .iter()
                .map(|m| m.offset + m.ty.bytes(count))
                .max()
                .unwrap_or(0),
        }
    }
}

/// A buffer of the module.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Its name: the instance's, or the block's where that has none.
    pub name: String,
    /// Its variable.
    pub variable: u32,
    /// Descriptor set.
    pub set: u32,
    /// Binding in it.
    pub binding: u32,
    /// Whether it is a uniform buffer.
    pub uniform: bool,
    /// Its content.
    pub ty: Type,
}

/// A source module, as far as its run depends on it.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The entry point.
    pub entry: String,
    /// Threads in a workgroup.
    pub local: [u32; 3],
    /// Its buffers, by set and binding.
    pub buffers: Vec<Buffer>,
    /// Its push constants.
    pub push: Option<Type>,
    /// Whether it can see its subgroup's size.
    pub subgroups: bool,
    /// Whether it has loops.
    pub loops: bool,
    /// Float modes that it asks for: the mode, the width.
    pub modes: Vec<(ExecutionMode, u32)>,
}

struct Reader<'a> {
    defined: HashMap<u32, &'a Instruction>,
    names: HashMap<u32, String>,
    member_names: HashMap<(u32, u32), String>,
    decorations: HashMap<u32, Vec<(Decoration, Option<u32>)>>,
    member_decorations: HashMap<(u32, u32), Vec<(Decoration, Option<u32>)>>,
}

/// Loads a module. The loader that it stands on takes `OpExecutionModeId` for an instruction of a function,
/// so these are kept apart and put among the execution modes at the end.
struct Load {
    loader: dr::Loader,
    modes: Vec<Instruction>,
}

impl Consumer for Load {
    fn initialize(&mut self) -> ParseAction {
        self.loader.initialize()
    }

    fn finalize(&mut self) -> ParseAction {
        self.loader.finalize()
    }

    fn consume_header(&mut self, module: dr::ModuleHeader) -> ParseAction {
        self.loader.consume_header(module)
    }

    fn consume_instruction(&mut self, instruction: Instruction) -> ParseAction {
        if instruction.class.opcode == Op::ExecutionModeId {
            self.modes.push(instruction);
            return ParseAction::Continue;
        }
        self.loader.consume_instruction(instruction)
    }
}

/// Reads a module.
///
/// # Errors
/// It is none.
pub fn load(words: &[u32]) -> Result<dr::Module, LabError> {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut load = Load {
        loader: dr::Loader::new(),
        modes: Vec::new(),
    };
    Parser::new(&bytes, &mut load)
        .parse()
        .map_err(|e| LabError::Unsupported(format!("the module cannot be read: {e}")))?;
    let mut module = load.loader.module();
    module.execution_modes.extend(load.modes);
    Ok(module)
}

fn unsupported(text: &str) -> LabError {
    LabError::Unsupported(text.to_owned())
}

fn id(instruction: &Instruction, index: usize) -> u32 {
    match instruction.operands.get(index) {
        Some(Operand::IdRef(id)) => *id,
        _ => 0,
    }
}

fn literal(instruction: &Instruction, index: usize) -> u32 {
    match instruction.operands.get(index) {
        Some(Operand::LiteralBit32(v)) => *v,
        _ => 0,
    }
}

impl Interface {
    /// Reads a module with one compute entry point.
    ///
    /// # Errors
    /// It is no module, or has resources that the lab does not make.
    pub fn read(words: &[u32]) -> Result<Interface, LabError> {
        let module = load(words)?;
        let reader = Reader::new(&module);
        let [entry] = module.entry_points.as_slice() else {
            return Err(unsupported("a module without exactly one entry point"));
        };
        let name = match entry.operands.get(2) {
            Some(Operand::LiteralString(name)) => name.clone(),
            _ => String::new(),
        };
        let mut buffers = Vec::new();
        let mut push = None;
        for global in &module.types_global_values {
            if global.class.opcode != Op::Variable {
                continue;
            }
            let Some(Operand::StorageClass(class)) = global.operands.first() else {
                continue;
            };
            let pointee = |reader: &Reader<'_>| {
                let pointer = reader.defined.get(&global.result_type.unwrap_or(0));
                pointer.map_or(0, |p| id(p, 1))
            };
            let variable = global.result_id.unwrap_or(0);
            match class {
                StorageClass::PushConstant => push = Some(reader.ty(pointee(&reader))?),
                StorageClass::StorageBuffer | StorageClass::Uniform => {
                    let block = pointee(&reader);
                    let has = |decoration| reader.decoration(block, decoration).is_some();
                    let uniform = *class == StorageClass::Uniform && !has(Decoration::BufferBlock);
                    let own = reader.names.get(&variable).filter(|n| !n.is_empty());
                    let name = own.or_else(|| reader.names.get(&block));
                    let number = |decoration| {
                        let found = reader.decoration(variable, decoration);
                        found.flatten().unwrap_or(0)
                    };
                    buffers.push(Buffer {
                        name: name.cloned().unwrap_or_else(|| format!("buffer{variable}")),
                        variable,
                        set: number(Decoration::DescriptorSet),
                        binding: number(Decoration::Binding),
                        uniform,
                        ty: reader.ty(block)?,
                    });
                }
                StorageClass::UniformConstant | StorageClass::Image => {
                    return Err(unsupported("images and samplers"));
                }
                _ => {}
            }
        }
        buffers.sort_by_key(|b| (b.set, b.binding));
        let subgroups = module.capabilities.iter().any(|c| {
            matches!(c.operands.first(), Some(Operand::Capability(c))
                if is_subgroup(*c))
        });
        let instructions = || module.all_inst_iter();
        Ok(Interface {
            entry: name,
            local: reader.local_size(&module)?,
            buffers,
            push,
            subgroups,
            loops: instructions().any(|i| i.class.opcode == Op::LoopMerge),
            modes: modes(&module),
        })
    }
}

/// Whether a capability lets a module see its subgroup.
fn is_subgroup(capability: Capability) -> bool {
    matches!(
        capability,
        Capability::GroupNonUniform
            | Capability::GroupNonUniformVote
            | Capability::GroupNonUniformArithmetic
            | Capability::GroupNonUniformBallot
            | Capability::GroupNonUniformShuffle
            | Capability::GroupNonUniformShuffleRelative
            | Capability::GroupNonUniformClustered
            | Capability::GroupNonUniformQuad
            | Capability::SubgroupBallotKHR
            | Capability::SubgroupVoteKHR
    )
}

fn modes(module: &dr::Module) -> Vec<(ExecutionMode, u32)> {
    let float = |mode: &Instruction| match (mode.operands.get(1), mode.operands.get(2)) {
        (Some(Operand::ExecutionMode(m)), Some(Operand::LiteralBit32(width)))
            if matches!(
                m,
                ExecutionMode::DenormPreserve
                    | ExecutionMode::DenormFlushToZero
                    | ExecutionMode::RoundingModeRTE
                    | ExecutionMode::RoundingModeRTZ
            ) =>
        {
            Some((*m, *width))
        }
        _ => None,
    };
    module.execution_modes.iter().filter_map(float).collect()
}

impl<'a> Reader<'a> {
    fn new(module: &'a dr::Module) -> Reader<'a> {
        let mut reader = Reader {
            defined: HashMap::new(),
            names: HashMap::new(),
            member_names: HashMap::new(),
            decorations: HashMap::new(),
            member_decorations: HashMap::new(),
        };
        for instruction in module.all_inst_iter() {
            if let Some(result) = instruction.result_id {
                reader.defined.insert(result, instruction);
            }
        }
        for name in &module.debug_names {
            match (name.class.opcode, name.operands.as_slice()) {
                (Op::Name, [Operand::IdRef(id), Operand::LiteralString(text)]) => {
                    reader.names.insert(*id, text.clone());
                }
                (
                    Op::MemberName,
                    [
                        Operand::IdRef(id),
                        Operand::LiteralBit32(member),
                        Operand::LiteralString(text),
                    ],
                ) => {
                    reader.member_names.insert((*id, *member), text.clone());
                }
                _ => {}
            }
        }
        let value = |operand: Option<&Operand>| match operand {
            Some(Operand::LiteralBit32(v)) => Some(*v),
            Some(Operand::BuiltIn(b)) => Some(*b as u32),
            _ => None,
        };
        for annotation in &module.annotations {
            match (annotation.class.opcode, annotation.operands.as_slice()) {
                (Op::Decorate, [Operand::IdRef(id), Operand::Decoration(d), rest @ ..]) => {
                    let list = reader.decorations.entry(*id).or_default();
                    list.push((*d, value(rest.first())));
                }
                (
                    Op::MemberDecorate,
                    [
                        Operand::IdRef(id),
                        Operand::LiteralBit32(m),
                        Operand::Decoration(d),
                        rest @ ..,
                    ],
                ) => {
                    let list = reader.member_decorations.entry((*id, *m)).or_default();
                    list.push((*d, value(rest.first())));
                }
                _ => {}
            }
        }
        reader
    }

    /// A decoration of an id: whether it is there, and its number.
    fn decoration(&self, id: u32, wanted: Decoration) -> Option<Option<u32>> {
        let list = self.decorations.get(&id)?;
        list.iter().find(|(d, _)| *d == wanted).map(|&(_, v)| v)
    }

    fn member(&self, id: u32, member: u32, wanted: Decoration) -> Option<Option<u32>> {
        let list = self.member_decorations.get(&(id, member))?;
        list.iter().find(|(d, _)| *d == wanted).map(|&(_, v)| v)
    }

    /// The value of a 32-bit constant; a specialisable one's default.
    fn constant(&self, id: u32) -> u32 {
        let constant = self.defined.get(&id);
        constant.map_or(0, |c| literal(c, 0))
    }

    fn scalar(&self, of: u32) -> Option<Element> {
        let ty = self.defined.get(&of)?;
        match ty.class.opcode {
            Op::TypeInt => Element::of(false, literal(ty, 1) == 1, literal(ty, 0)),
            Op::TypeFloat => Element::of(true, true, literal(ty, 0)),
            _ => None,
        }
    }

    /// The type of an id, laid out.
    fn ty(&self, of: u32) -> Result<Type, LabError> {
        let Some(ty) = self.defined.get(&of) else {
            return Err(unsupported("an undefined type"));
        };
        let array = |element: Type, stride: usize, count| Type::Array {
            of: Box::new(element),
            stride,
            count,
        };
        Ok(match ty.class.opcode {
            Op::TypeInt | Op::TypeFloat => {
                let element = self.scalar(of);
                Type::Scalar(element.ok_or_else(|| unsupported("a scalar of an odd width"))?)
            }
            Op::TypePointer => Type::Pointer,
            Op::TypeVector => {
                let element = self.ty(id(ty, 0))?;
                let stride = element.bytes(0);
                array(element, stride, Some(literal(ty, 1) as usize))
            }
            Op::TypeArray | Op::TypeRuntimeArray => {
                let element = self.ty(id(ty, 0))?;
                let stride = self.decoration(of, Decoration::ArrayStride);
                let stride = stride.flatten();
                let stride = stride.ok_or_else(|| unsupported("an array without a stride"))?;
                let count =
                    (ty.class.opcode == Op::TypeArray).then(|| self.constant(id(ty, 1)) as usize);
                array(element, stride as usize, count)
            }
            Op::TypeStruct => {
                let mut members = Vec::new();
                for (index, operand) in (0u32..).zip(&ty.operands) {
                    let Operand::IdRef(member) = operand else {
                        continue;
                    };
                    let offset = self.member(of, index, Decoration::Offset).flatten();
                    let offset = offset.ok_or_else(|| unsupported("a member without an offset"))?;
                    members.push(Member {
                        name: self
                            .member_names
                            .get(&(of, index))
                            .cloned()
                            .unwrap_or_default(),
                        offset: offset as usize,
                        ty: self.in_struct(of, index, *member)?,
                    });
                }
                Type::Struct(members)
            }
            _ => return Err(unsupported("a type that has no place in memory")),
        })
    }

    /// A member's type: matrices take their stride and order from the member.
    fn in_struct(&self, of: u32, index: u32, member: u32) -> Result<Type, LabError> {
        let Some(ty) = self.defined.get(&member) else {
            return Err(unsupported("an undefined type"));
        };
        match ty.class.opcode {
            Op::TypeMatrix => {
                let stride = self.member(of, index, Decoration::MatrixStride).flatten();
                let stride = stride.ok_or_else(|| unsupported("a matrix without a stride"))?;
                let column = id(ty, 0);
                let columns = literal(ty, 1) as usize;
                let vector = self.defined.get(&column);
                let rows = vector.map_or(0, |v| literal(v, 1)) as usize;
                let element = self.ty(vector.map_or(0, |v| id(v, 0)))?;
                let bytes = element.bytes(0);
                let row_major = self.member(of, index, Decoration::RowMajor).is_some();
                let (outer, inner) = if row_major {
                    (rows, columns)
                } else {
                    (columns, rows)
                };
                let line = Type::Array {
                    of: Box::new(element),
                    stride: bytes,
                    count: Some(inner),
                };
                Ok(Type::Array {
                    of: Box::new(line),
                    stride: stride as usize,
                    count: Some(outer),
                })
            }
            Op::TypeArray | Op::TypeRuntimeArray
                if self
                    .defined
                    .get(&id(ty, 0))
                    .is_some_and(|e| e.class.opcode == Op::TypeMatrix) =>
            {
                let stride = self.decoration(member, Decoration::ArrayStride).flatten();
                let stride = stride.ok_or_else(|| unsupported("an array without a stride"))?;
                Ok(Type::Array {
                    of: Box::new(self.in_struct(of, index, id(ty, 0))?),
                    stride: stride as usize,
                    count: (ty.class.opcode == Op::TypeArray)
                        .then(|| self.constant(id(ty, 1)) as usize),
                })
            }
            _ => self.ty(member),
        }
    }

    fn local_size(&self, module: &dr::Module) -> Result<[u32; 3], LabError> {
        // A constant decorated as the workgroup size wins over the execution mode.
        for global in &module.types_global_values {
            let result = global.result_id.unwrap_or(0);
            let builtin = self.decoration(result, Decoration::BuiltIn).flatten();
            if builtin == Some(BuiltIn::WorkgroupSize as u32) {
                return Ok([0, 1, 2].map(|i| self.constant(id(global, i))));
            }
        }
        for mode in &module.execution_modes {
            match mode.operands.get(1) {
                Some(Operand::ExecutionMode(ExecutionMode::LocalSize)) => {
                    return Ok([2, 3, 4].map(|i| literal(mode, i)));
                }
                Some(Operand::ExecutionMode(ExecutionMode::LocalSizeId)) => {
                    return Ok([2, 3, 4].map(|i| self.constant(id(mode, i))));
                }
                _ => {}
            }
        }
        Err(unsupported("a module without a workgroup size"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn a_seed_has_its_buffers() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../seeds/shaders/ids/ids.spv"
        );
        let bytes = std::fs::read(path).unwrap();
        let words: Vec<u32> = bytes
            .chunks_exact(4)
            .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        let i = Interface::read(&words).unwrap();
        assert_eq!((i.entry.as_str(), i.local), ("main", [5, 7, 2]));
        assert!(i.subgroups && !i.loops && i.push.is_none());
        let [buffer] = i.buffers.as_slice() else {
            panic!("{:?}", i.buffers)
        };
        assert_eq!((buffer.name.as_str(), buffer.uniform), ("Out", false));
        assert_eq!(buffer.ty.bytes(70), 280);
    }
}
