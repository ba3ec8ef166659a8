//! A SPIR-V module under construction: newtyped ids, types and constants made once, declarations in a
//! fixed order, capabilities and extensions recorded when something uses them.
//!
//! Owns the word layout of a module and of its declarations; `code` owns that of function bodies. Knows
//! nothing of the IR, of lanes or of guest memory.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, MemoryModel,
    Op, StorageClass,
};

use super::code::{Closed, Open, Room};
use super::trim::Trim;

/// The id of a result: a value, a variable, a constant or a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u32);

impl Id {
    /// The number in the word stream.
    #[inline]
    pub(super) const fn word(self) -> u32 {
        self.0
    }

    /// The id of a number in the word stream.
    #[inline]
    pub(super) const fn of(word: u32) -> Id {
        Id(word)
    }
}

/// The id of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);

impl TypeId {
    /// The number in the word stream.
    #[inline]
    pub(super) const fn word(self) -> u32 {
        self.0
    }
}

/// The id of a block label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(u32);

impl LabelId {
    /// The number in the word stream.
    #[inline]
    pub(super) const fn word(self) -> u32 {
        self.0
    }
}

/// What makes two types the same type.
#[derive(Clone, PartialEq, Eq, Hash)]
enum TypeKey {
    Void,
    Bool,
    U32,
    I32,
    U64,
    U16,
    Float(u32),
    Vector(TypeId, u32),
    Array(TypeId, u32),
    RuntimeArray(TypeId, u32),
    Block(Vec<(TypeId, u32)>),
    /// Of one member, behind an address; whether others see its changes.
    Behind(TypeId, bool),
    Function(TypeId, Vec<TypeId>),
    Pair(TypeId),
    Image(Vec<u32>),
    Sampler,
    SampledImage(TypeId),
}

/// Ids that Vulkan implementations must accept in a module (SPIR-V "Universal Limits").
pub(super) const MAX_IDS: u32 = 4_194_303;

/// Words of a module, about, that stand before its names, decorations, declarations and functions.
const HEADER: usize = 128;

/// Appends one instruction.
#[inline]
pub(super) fn put(words: &mut Vec<u32>, op: Op, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op as u32);
    words.extend_from_slice(operands);
}

/// Appends one instruction whose operands come in two parts.
fn put_both(words: &mut Vec<u32>, op: Op, operands: &[u32], more: &[u32]) {
    words.push((operands.len() as u32 + more.len() as u32 + 1) << 16 | op as u32);
    words.extend_from_slice(operands);
    words.extend_from_slice(more);
}

/// The words of a literal string: UTF-8, little-endian, ended by a zero byte.
fn string_words(text: &str) -> Vec<u32> {
    let mut words = vec![0u32; text.len() / 4 + 1];
    for (i, byte) in text.bytes().enumerate() {
        if let Some(word) = words.get_mut(i / 4) {
            *word |= u32::from(byte) << (8 * (i % 4));
        }
    }
    words
}

/// A function whose body is being written: what stands before the body.
#[must_use]
pub struct Frame {
    head: Vec<u32>,
    locals: Vec<u32>,
    /// Its parameters.
    pub params: Vec<Id>,
}

/// A finished module and what it declared.
pub struct Assembled {
    /// The words.
    pub words: Vec<u32>,
    /// Capabilities by name, in the order of their numbers.
    pub capabilities: Vec<String>,
    /// Extensions.
    pub extensions: Vec<String>,
}

/// How values were made, as far as those who use them look: where a value is at hand, so is what it was
/// made of.
#[derive(Default)]
pub(super) struct Made {
    /// Words, or pairs, that are the bits of a float of so many bits.
    pub floats: FxHashMap<(u32, Id, Option<Id>), Id>,
    /// Words that differ from another by their sign bit, bit 31.
    pub negated: FxHashMap<Id, Id>,
    /// Words that are another without its sign bit, bit 31.
    pub magnitudes: FxHashMap<Id, Id>,
    /// Words of which only the bits of a mask may be set.
    pub masks: FxHashMap<Id, u32>,
    /// Byte indexes that are another and so many bytes.
    pub sums: FxHashMap<Id, (Id, u32)>,
    /// Booleans that are the opposite of another.
    pub nots: FxHashMap<Id, Id>,
}

impl Made {
    fn clear(&mut self) {
        self.floats.clear();
        self.negated.clear();
        self.magnitudes.clear();
        self.masks.clear();
        self.sums.clear();
        self.nots.clear();
    }
}

/// Types that are found by number.
#[derive(Clone, Copy)]
enum Frequent {
    Bool,
    U32,
    /// Vectors of 2, 3 and 4 words.
    Words2,
    Words3,
    Words4,
    /// A pair of words.
    Pair,
    /// Floats of 16, 32 and 64 bits.
    F16,
    F32,
    F64,
}

const FREQUENT: usize = Frequent::F64 as usize + 1;

/// Constants below this are found by number.
const SMALL: usize = 32;

/// A module under construction, and the room that it needs, which the next one takes over
/// ([`Module::begin`]).
#[derive(Default)]
pub struct Module {
    next: u32,
    version: (u8, u8),
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<&'static str>,
    glsl: Option<Id>,
    modes: IndexSet<(u32, Vec<u32>)>,
    names: bool,
    debug: Vec<u32>,
    annotations: Vec<u32>,
    globals: Vec<u32>,
    interface: Vec<Id>,
    types: FxHashMap<TypeKey, TypeId>,
    /// Those that nearly every instruction names, by `Frequent`.
    frequent: [Option<TypeId>; FREQUENT],
    /// Pointer types: few, so that a look over them is the quickest.
    pointers: Vec<(StorageClass, TypeId, TypeId)>,
    /// 32-bit constants below `SMALL`, and the two booleans.
    small: [Option<Id>; SMALL],
    bools: [Option<Id>; 2],
    constants: FxHashMap<(TypeId, u64), Id>,
    composites: FxHashMap<(TypeId, Vec<Id>), Id>,
    values: FxHashMap<Id, u64>,
    /// By id, as bits: those in `values`, since most ids that are asked about are not.
    valued: Vec<u64>,
    /// What is known of how values were made.
    pub(super) made: Made,
    builtins: FxHashMap<u32, Id>,
    functions: Vec<u32>,
    rooms: Vec<Room>,
    trim: Trim,
}

impl Module {
    /// Begins a module of the given SPIR-V version. `names`: debug names are written. Nothing of the one
    /// before is left.
    pub fn begin(&mut self, version: (u8, u8), names: bool) {
        self.next = 1;
        self.version = version;
        self.capabilities.clear();
        self.capabilities.insert(Capability::Shader as u32);
        self.extensions.clear();
        self.glsl = None;
        self.modes.clear();
        self.names = names;
        self.debug.clear();
        self.annotations.clear();
        self.globals.clear();
        self.interface.clear();
        self.types.clear();
        self.frequent = [None; FREQUENT];
        self.pointers.clear();
        self.small = [None; SMALL];
        self.bools = [None; 2];
        self.constants.clear();
        self.composites.clear();
        self.values.clear();
        self.valued.clear();
        self.made.clear();
        self.builtins.clear();
        self.functions.clear();
        self.trim.clear();
    }

    /// The SPIR-V version claimed.
    pub fn version(&self) -> (u8, u8) {
        self.version
    }

    /// Ids handed out so far.
    #[inline]
    pub fn ids(&self) -> u32 {
        self.next
    }

    #[inline]
    fn raw_id(&mut self) -> u32 {
        let id = self.next;
        self.next = self.next.saturating_add(1);
        id
    }

    /// The id that `id` gives next.
    #[inline]
    pub(super) fn next_id(&self) -> Id {
        Id(self.next)
    }

    /// A fresh id.
    #[inline]
    pub fn id(&mut self) -> Id {
        Id(self.raw_id())
    }

    /// A fresh label.
    #[inline]
    pub fn label(&mut self) -> LabelId {
        LabelId(self.raw_id())
    }

    /// Records that a capability is used.
    pub fn need(&mut self, capability: Capability) {
        self.capabilities.insert(capability as u32);
    }

    /// Records that an extension is used.
    pub fn need_extension(&mut self, name: &'static str) {
        self.extensions.insert(name);
    }

    /// Records an execution mode of the entry point.
    pub fn mode(&mut self, mode: ExecutionMode, operands: &[u32]) {
        self.modes.insert((mode as u32, operands.to_vec()));
    }

    /// Gives a debug name, if the module carries names.
    pub fn name(&mut self, id: Id, name: &str) {
        if self.names {
            put_both(&mut self.debug, Op::Name, &[id.0], &string_words(name));
        }
    }

    /// Decorates a result.
    pub fn decorate(&mut self, id: Id, decoration: Decoration, operands: &[u32]) {
        self.decorate_raw(id.0, decoration, operands);
    }

    fn decorate_raw(&mut self, id: u32, decoration: Decoration, operands: &[u32]) {
        let words = [id, decoration as u32];
        put_both(&mut self.annotations, Op::Decorate, &words, operands);
    }

    fn make_type(&mut self, key: TypeKey, op: Op, operands: &[u32]) -> TypeId {
        if let Some(&id) = self.types.get(&key) {
            return id;
        }
        let id = self.raw_id();
        put_both(&mut self.globals, op, &[id], operands);
        self.types.insert(key, TypeId(id));
        TypeId(id)
    }

    /// A frequent type, which `make` makes.
    #[inline]
    fn frequent(&mut self, which: Frequent, make: impl FnOnce(&mut Module) -> TypeId) -> TypeId {
        if let Some(id) = self.frequent[which as usize] {
            return id;
        }
        let id = make(self);
        self.frequent[which as usize] = Some(id);
        id
    }

    /// `void`.
    pub fn void(&mut self) -> TypeId {
        self.make_type(TypeKey::Void, Op::TypeVoid, &[])
    }

    /// `bool`.
    #[inline]
    pub fn bool(&mut self) -> TypeId {
        self.frequent(Frequent::Bool, |m| {
            m.make_type(TypeKey::Bool, Op::TypeBool, &[])
        })
    }

    /// 32-bit integer without sign: the type of all 32-bit values.
    #[inline]
    pub fn u32(&mut self) -> TypeId {
        self.frequent(Frequent::U32, |m| {
            m.make_type(TypeKey::U32, Op::TypeInt, &[32, 0])
        })
    }

    /// Two of them: the type of all 64-bit values (x is the low half).
    pub fn uvec2(&mut self) -> TypeId {
        self.uvec(2)
    }

    /// 32-bit integer with sign: for interfaces that want one.
    pub fn i32(&mut self) -> TypeId {
        self.make_type(TypeKey::I32, Op::TypeInt, &[32, 1])
    }

    /// A vector.
    pub fn vector(&mut self, of: TypeId, n: u32) -> TypeId {
        self.make_type(TypeKey::Vector(of, n), Op::TypeVector, &[of.0, n])
    }

    /// A vector of n 32-bit integers.
    pub fn uvec(&mut self, n: u32) -> TypeId {
        let make = |m: &mut Module| {
            let of = m.u32();
            m.make_type(TypeKey::Vector(of, n), Op::TypeVector, &[of.0, n])
        };
        match n {
            2 => self.frequent(Frequent::Words2, make),
            3 => self.frequent(Frequent::Words3, make),
            4 => self.frequent(Frequent::Words4, make),
            _ => make(self),
        }
    }

    /// 64-bit integer; declares `Int64`.
    pub fn u64(&mut self) -> TypeId {
        self.need(Capability::Int64);
        self.make_type(TypeKey::U64, Op::TypeInt, &[64, 0])
    }

    /// 16-bit integer; declares `Int16`.
    pub fn u16(&mut self) -> TypeId {
        self.need(Capability::Int16);
        self.make_type(TypeKey::U16, Op::TypeInt, &[16, 0])
    }

    /// A float of 16, 32 or 64 bits; declares `Float16` or `Float64`.
    pub fn float(&mut self, bits: u32) -> TypeId {
        let (which, needs) = match bits {
            16 => (Frequent::F16, Some(Capability::Float16)),
            64 => (Frequent::F64, Some(Capability::Float64)),
            _ => (Frequent::F32, None),
        };
        self.frequent(which, |m| {
            if let Some(capability) = needs {
                m.need(capability);
            }
            m.make_type(TypeKey::Float(bits), Op::TypeFloat, &[bits])
        })
    }

    /// An array of a fixed length, for `Function`, `Private` and `Workgroup` storage.
    pub fn array(&mut self, of: TypeId, length: u32) -> TypeId {
        let count = self.const_u32(length);
        self.make_type(TypeKey::Array(of, length), Op::TypeArray, &[of.0, count.0])
    }

    /// A runtime array with a stride in bytes.
    pub fn runtime_array(&mut self, of: TypeId, stride: u32) -> TypeId {
        let key = TypeKey::RuntimeArray(of, stride);
        if let Some(&id) = self.types.get(&key) {
            return id;
        }
        let id = self.make_type(key, Op::TypeRuntimeArray, &[of.0]);
        self.decorate_raw(id.0, Decoration::ArrayStride, &[stride]);
        id
    }

    /// A `Block` structure of (member, byte offset).
    pub fn block(&mut self, members: &[(TypeId, u32)]) -> TypeId {
        let key = TypeKey::Block(members.to_vec());
        if let Some(&id) = self.types.get(&key) {
            return id;
        }
        let operands: Vec<u32> = members.iter().map(|&(ty, _)| ty.0).collect();
        let id = self.make_type(key, Op::TypeStruct, &operands);
        self.decorate_raw(id.0, Decoration::Block, &[]);
        for (index, &(_, offset)) in members.iter().enumerate() {
            put(
                &mut self.annotations,
                Op::MemberDecorate,
                &[id.0, index as u32, Decoration::Offset as u32, offset],
            );
        }
        id
    }

    /// A `Block` structure of one member that an address of the device points to; `coherent`: others see
    /// what is written to it. Makes the module one with physical addresses.
    pub fn physical_block(&mut self, of: TypeId, coherent: bool) -> TypeId {
        let key = TypeKey::Behind(of, coherent);
        if let Some(&id) = self.types.get(&key) {
            return id;
        }
        self.need(Capability::PhysicalStorageBufferAddresses);
        if self.version < (1, 5) {
            self.need_extension("SPV_KHR_physical_storage_buffer");
        }
        let id = self.make_type(key, Op::TypeStruct, &[of.0]);
        self.decorate_raw(id.0, Decoration::Block, &[]);
        let words = [id.0, 0, Decoration::Offset as u32, 0];
        put(&mut self.annotations, Op::MemberDecorate, &words);
        if coherent {
            let words = [id.0, 0, Decoration::Coherent as u32];
            put(&mut self.annotations, Op::MemberDecorate, &words);
        }
        id
    }

    /// The result of `OpIAddCarry` and its like: a pair of one type.
    pub fn pair(&mut self, of: TypeId) -> TypeId {
        let make = |m: &mut Module| m.make_type(TypeKey::Pair(of), Op::TypeStruct, &[of.0, of.0]);
        if self.frequent[Frequent::U32 as usize] == Some(of) {
            self.frequent(Frequent::Pair, make)
        } else {
            make(self)
        }
    }

    /// `OpTypeImage` of these operands.
    pub fn image_type(&mut self, operands: &[u32]) -> TypeId {
        self.make_type(TypeKey::Image(operands.to_vec()), Op::TypeImage, operands)
    }

    /// A sampler.
    pub fn sampler_type(&mut self) -> TypeId {
        self.make_type(TypeKey::Sampler, Op::TypeSampler, &[])
    }

    /// An image with a sampler.
    pub fn sampled_image_type(&mut self, image: TypeId) -> TypeId {
        self.make_type(
            TypeKey::SampledImage(image),
            Op::TypeSampledImage,
            &[image.0],
        )
    }

    /// A pointer.
    pub fn pointer(&mut self, class: StorageClass, to: TypeId) -> TypeId {
        let is = |&&(c, t, _): &&(StorageClass, TypeId, TypeId)| c == class && t == to;
        if let Some(&(.., id)) = self.pointers.iter().find(is) {
            return id;
        }
        let id = TypeId(self.raw_id());
        let words = [id.0, class as u32, to.0];
        put(&mut self.globals, Op::TypePointer, &words);
        self.pointers.push((class, to, id));
        id
    }

    fn function_type(&mut self, result: TypeId, params: &[TypeId]) -> TypeId {
        let mut operands = vec![result.0];
        operands.extend(params.iter().map(|ty| ty.0));
        self.make_type(
            TypeKey::Function(result, params.to_vec()),
            Op::TypeFunction,
            &operands,
        )
    }

    fn constant(&mut self, ty: TypeId, op: Op, value: u64, literal: &[u32]) -> Id {
        if let Some(&id) = self.constants.get(&(ty, value)) {
            return id;
        }
        let id = self.id();
        put_both(&mut self.globals, op, &[ty.0, id.0], literal);
        self.constants.insert((ty, value), id);
        self.set_value(id, value);
        id
    }

    fn set_value(&mut self, id: Id, value: u64) {
        let (word, bit) = (id.0 as usize / 64, id.0 % 64);
        if self.valued.len() <= word {
            self.valued.resize(word + 1, 0);
        }
        if let Some(bits) = self.valued.get_mut(word) {
            *bits |= 1 << bit;
        }
        self.values.insert(id, value);
    }

    /// A 32-bit constant.
    #[inline]
    pub fn const_u32(&mut self, value: u32) -> Id {
        if let Some(&Some(id)) = self.small.get(value as usize) {
            return id;
        }
        let ty = self.u32();
        let id = self.constant(ty, Op::Constant, u64::from(value), &[value]);
        if let Some(place) = self.small.get_mut(value as usize) {
            *place = Some(id);
        }
        id
    }

    /// A 32-bit constant with sign.
    pub fn const_i32(&mut self, value: u32) -> Id {
        let ty = self.i32();
        self.const_float(ty, value)
    }

    /// A constant vector or array.
    pub fn const_vector(&mut self, ty: TypeId, parts: &[Id]) -> Id {
        let key = (ty, parts.to_vec());
        if let Some(&id) = self.composites.get(&key) {
            return id;
        }
        let id = self.id();
        let mut words = vec![ty.0, id.0];
        words.extend(parts.iter().map(|part| part.0));
        put(&mut self.globals, Op::ConstantComposite, &words);
        self.composites.insert(key, id);
        id
    }

    /// A float constant: the float of these bits.
    pub fn const_float(&mut self, ty: TypeId, bits: u32) -> Id {
        let key = (ty, u64::from(bits));
        if let Some(&id) = self.constants.get(&key) {
            return id;
        }
        let id = self.id();
        put(&mut self.globals, Op::Constant, &[ty.0, id.0, bits]);
        self.constants.insert(key, id);
        id
    }

    /// All zeros of a type.
    pub fn null(&mut self, ty: TypeId) -> Id {
        if let Some(&id) = self.composites.get(&(ty, Vec::new())) {
            return id;
        }
        let id = self.id();
        put(&mut self.globals, Op::ConstantNull, &[ty.0, id.0]);
        self.composites.insert((ty, Vec::new()), id);
        id
    }

    /// A boolean constant.
    #[inline]
    pub fn const_bool(&mut self, value: bool) -> Id {
        if let Some(id) = self.bools[usize::from(value)] {
            return id;
        }
        let ty = self.bool();
        let op = if value {
            Op::ConstantTrue
        } else {
            Op::ConstantFalse
        };
        let id = self.constant(ty, op, u64::from(value), &[]);
        self.bools[usize::from(value)] = Some(id);
        id
    }

    /// A 64-bit value as a pair of halves.
    pub fn const_uvec2(&mut self, value: u64) -> Id {
        let ty = self.uvec2();
        let parts = vec![
            self.const_u32(value as u32),
            self.const_u32((value >> 32) as u32),
        ];
        if let Some(&id) = self.composites.get(&(ty, parts.clone())) {
            return id;
        }
        let id = self.id();
        let mut words = vec![ty.0, id.0];
        words.extend(parts.iter().map(|part| part.0));
        put(&mut self.globals, Op::ConstantComposite, &words);
        self.composites.insert((ty, parts), id);
        self.set_value(id, value);
        id
    }

    /// The value of a constant made here: of a 64-bit pair, the whole of it; of a boolean, 0 or 1.
    #[inline]
    pub fn value(&self, id: Id) -> Option<u64> {
        let bits = self.valued.get(id.0 as usize / 64)?;
        if bits >> (id.0 % 64) & 1 == 0 {
            return None;
        }
        self.values.get(&id).copied()
    }

    /// A variable outside functions.
    pub fn global(&mut self, class: StorageClass, ty: TypeId) -> Id {
        self.initialised(class, ty, None)
    }

    /// A variable outside functions, and a constant that it holds at first.
    pub fn initialised(&mut self, class: StorageClass, ty: TypeId, content: Option<Id>) -> Id {
        let pointer = self.pointer(class, ty);
        let id = self.id();
        let words = [
            pointer.0,
            id.0,
            class as u32,
            content.map_or(0, |content| content.0),
        ];
        let words = &words[..3 + usize::from(content.is_some())];
        put(&mut self.globals, Op::Variable, words);
        // Before SPIR-V 1.4 the interface lists inputs and outputs alone.
        let listed = matches!(class, StorageClass::Input | StorageClass::Output);
        if listed || self.version >= (1, 4) {
            self.interface.push(id);
        }
        id
    }

    /// A built-in input variable, made once.
    pub fn builtin(&mut self, builtin: BuiltIn, ty: TypeId) -> Id {
        if let Some(&id) = self.builtins.get(&(builtin as u32)) {
            return id;
        }
        let id = self.global(StorageClass::Input, ty);
        self.decorate(id, Decoration::BuiltIn, &[builtin as u32]);
        self.builtins.insert(builtin as u32, id);
        id
    }

    /// The GLSL.std.450 instruction set.
    pub fn glsl_set(&mut self) -> Id {
        match self.glsl {
            Some(id) => id,
            None => {
                let id = self.id();
                self.glsl = Some(id);
                id
            }
        }
    }

    /// Begins a function with an id given beforehand.
    pub fn begin_function(&mut self, id: Id, result: TypeId, params: &[TypeId]) -> (Frame, Open) {
        let ty = self.function_type(result, params);
        let mut head = Vec::with_capacity(5 + 3 * params.len() + 2);
        put(&mut head, Op::Function, &[result.0, id.0, 0, ty.0]);
        let mut ids = Vec::with_capacity(params.len());
        for param in params {
            let param_id = self.id();
            put(&mut head, Op::FunctionParameter, &[param.0, param_id.0]);
            ids.push(param_id);
        }
        let label = self.label();
        put(&mut head, Op::Label, &[label.0]);
        let room = self.rooms.pop().unwrap_or_default();
        (
            Frame {
                head,
                locals: Vec::new(),
                params: ids,
            },
            Open::entry(label, room),
        )
    }

    /// A variable of a function.
    pub fn local(&mut self, frame: &mut Frame, ty: TypeId) -> Id {
        self.local_with(frame, ty, None)
    }

    /// The same, which begins as a constant.
    pub fn local_with(&mut self, frame: &mut Frame, ty: TypeId, initial: Option<Id>) -> Id {
        let pointer = self.pointer(StorageClass::Function, ty);
        let id = self.id();
        let class = StorageClass::Function as u32;
        match initial {
            Some(initial) => put(
                &mut frame.locals,
                Op::Variable,
                &[pointer.0, id.0, class, initial.0],
            ),
            None => put(&mut frame.locals, Op::Variable, &[pointer.0, id.0, class]),
        }
        id
    }

    /// Ends a function.
    pub fn end_function(&mut self, frame: Frame, body: Closed) {
        let from = self.functions.len();
        self.functions.extend_from_slice(&frame.head);
        self.functions.extend_from_slice(&frame.locals);
        self.rooms.push(body.append_to(&mut self.functions));
        self.trim.function(&mut self.functions, from, self.next);
        put(&mut self.functions, Op::FunctionEnd, &[]);
    }

    /// Puts the module together, with one entry point; a compute one has a local size.
    pub fn finish(
        &mut self,
        model: ExecutionModel,
        entry: Id,
        name: &str,
        local_size: [u32; 3],
    ) -> Assembled {
        if model == ExecutionModel::GLCompute {
            self.mode(ExecutionMode::LocalSize, &local_size);
        }
        self.trim.declarations(&mut self.globals, self.next);
        let parts = [
            &self.debug,
            &self.annotations,
            &self.globals,
            &self.functions,
        ];
        let room: usize = parts.iter().map(|words| words.len()).sum();
        let mut words = Vec::with_capacity(room + HEADER);
        words.extend_from_slice(&[
            spirv::MAGIC_NUMBER,
            u32::from(self.version.0) << 16 | u32::from(self.version.1) << 8,
            0,
            self.next,
            0,
        ]);
        for &capability in &self.capabilities {
            put(&mut words, Op::Capability, &[capability]);
        }
        for extension in &self.extensions {
            put(&mut words, Op::Extension, &string_words(extension));
        }
        if let Some(glsl) = self.glsl {
            let name = string_words("GLSL.std.450");
            put_both(&mut words, Op::ExtInstImport, &[glsl.0], &name);
        }
        let physical = Capability::PhysicalStorageBufferAddresses as u32;
        let addressing = if self.capabilities.contains(&physical) {
            AddressingModel::PhysicalStorageBuffer64
        } else {
            AddressingModel::Logical
        };
        put(
            &mut words,
            Op::MemoryModel,
            &[addressing as u32, MemoryModel::GLSL450 as u32],
        );
        let mut operands = vec![model as u32, entry.0];
        operands.extend(string_words(name));
        operands.extend(self.interface.iter().map(|id| id.0));
        put(&mut words, Op::EntryPoint, &operands);
        for (mode, literals) in &self.modes {
            put_both(&mut words, Op::ExecutionMode, &[entry.0, *mode], literals);
        }
        self.trim.annotations(&self.debug, &mut words);
        self.trim.annotations(&self.annotations, &mut words);
        words.extend_from_slice(&self.globals);
        words.extend_from_slice(&self.functions);
        let capabilities = self
            .capabilities
            .iter()
            .filter_map(|&number| Capability::from_u32(number))
            .map(|capability| format!("{capability:?}"))
            .collect();
        Assembled {
            words,
            capabilities,
            extensions: self
                .extensions
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
        }
    }
}
