//! A SPIR-V module under construction: newtyped ids, types and constants made once, declarations in a
//! fixed order, capabilities and extensions recorded when something uses them.
//!
//! Owns the word layout of a module and of its declarations; `code` owns that of function bodies. Knows
//! nothing of the IR, of lanes or of guest memory.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, MemoryModel,
    Op, StorageClass,
};

use super::code::{Closed, Open, Room};
use super::notes::{Constants, Note, Notes};
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

    /// The type of a number in the word stream.
    #[cfg(test)]
    pub(super) const fn of(word: u32) -> TypeId {
        TypeId(word)
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

/// A type that stands among the declarations, and is no pointer: two are the same type where their words but
/// for the id are the same, and how they are laid out.
#[derive(Clone, Copy)]
struct Declared {
    id: TypeId,
    /// The first word of its instruction.
    first: u32,
    /// Where its instruction begins.
    at: usize,
    layout: Layout,
}

/// How the parts of a type lie in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Nobody says.
    None,
    /// An array: so many bytes from one element to the next.
    Stride(u32),
    /// A block: its members one behind the other.
    Block,
    /// Of one member, behind an address; whether others see its changes.
    Behind(bool),
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

/// Appends one instruction whose operands `write` appends.
fn put_by(words: &mut Vec<u32>, op: Op, write: impl FnOnce(&mut Vec<u32>)) {
    let at = words.len();
    words.push(op as u32);
    write(words);
    let count = (words.len() - at) as u32;
    if let Some(first) = words.get_mut(at) {
        *first |= count << 16;
    }
}

/// Appends a literal string: UTF-8, little-endian, ended by a zero byte.
fn put_string(words: &mut Vec<u32>, text: &str) {
    let bytes = text.as_bytes();
    for at in 0..bytes.len() / 4 + 1 {
        let four = bytes.iter().skip(4 * at).take(4).rev();
        words.push(four.fold(0, |word, &byte| word << 8 | u32::from(byte)));
    }
}

/// A function whose body is being written: what stands before the body.
#[must_use]
pub struct Frame {
    /// Its first instructions; its variables are the last of them.
    head: Vec<u32>,
    /// Its parameters.
    pub params: SmallVec<[Id; 10]>,
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

/// Types that are found by number.
#[derive(Clone, Copy)]
enum Frequent {
    Void,
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
const SMALL: usize = 128;

/// The ids of small constants by their values; 0: there is none yet.
struct Small([u32; SMALL]);

impl Default for Small {
    fn default() -> Self {
        Small([0; SMALL])
    }
}

/// Pointer types that are found without a look over all.
const RECENT: usize = 16;

/// A module under construction, and the room that it needs, which the next one takes over
/// ([`Module::begin`]).
#[derive(Default)]
pub struct Module {
    next: u32,
    version: (u8, u8),
    /// Few, each once.
    capabilities: Vec<u32>,
    /// The names of those that were asked for before; kept.
    capability_names: Vec<(u32, String)>,
    /// Few, each once.
    extensions: Vec<&'static str>,
    glsl: Option<Id>,
    /// Few, each once.
    modes: Vec<(u32, SmallVec<[u32; 3]>)>,
    names: bool,
    debug: Vec<u32>,
    annotations: Vec<u32>,
    globals: Vec<u32>,
    interface: Vec<Id>,
    /// Few, so that a look over them is the quickest.
    types: Vec<Declared>,
    /// Those that nearly every instruction names, by `Frequent`.
    frequent: [Option<TypeId>; FREQUENT],
    /// Pointer types, by class and type. As `types`.
    pointers: Vec<(StorageClass, TypeId, TypeId)>,
    /// Those that were asked for last.
    recent: [Option<(StorageClass, TypeId, TypeId)>; RECENT],
    /// 32-bit constants below `SMALL`, and the two booleans.
    small: Small,
    bools: [Option<Id>; 2],
    constants: Constants,
    composites: FxHashMap<(TypeId, Vec<Id>), Id>,
    nulls: Vec<(TypeId, Id)>,
    /// What is known of results.
    pub(super) notes: Notes,
    builtins: Vec<(BuiltIn, Id)>,
    functions: Vec<u32>,
    #[allow(clippy::vec_box, reason = "bodies take them in their boxes")]
    rooms: Vec<Box<Room>>,
    heads: Vec<Vec<u32>>,
    pub(super) trim: Trim,
}

impl Module {
    /// Begins a module of the given SPIR-V version. `names`: debug names are written. Nothing of the one
    /// before is left.
    pub fn begin(&mut self, version: (u8, u8), names: bool) {
        self.next = 1;
        self.version = version;
        self.capabilities.clear();
        self.capabilities.push(Capability::Shader as u32);
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
        self.recent = [None; RECENT];
        self.small.0.fill(0);
        self.bools = [None; 2];
        self.constants.clear();
        self.composites.clear();
        self.nulls.clear();
        self.notes.clear();
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
        if !self.capabilities.contains(&(capability as u32)) {
            self.capabilities.push(capability as u32);
        }
    }

    /// Records that an extension is used.
    pub fn need_extension(&mut self, name: &'static str) {
        if !self.extensions.contains(&name) {
            self.extensions.push(name);
        }
    }

    /// Records an execution mode of the entry point.
    pub fn mode(&mut self, mode: ExecutionMode, operands: &[u32]) {
        let mode = (mode as u32, SmallVec::from_slice(operands));
        if !self.modes.contains(&mode) {
            self.modes.push(mode);
        }
    }

    /// Gives a debug name, if the module carries names.
    pub fn name(&mut self, id: Id, name: &str) {
        if self.names {
            put_by(&mut self.debug, Op::Name, |words| {
                words.push(id.0);
                put_string(words, name);
            });
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

    /// The type of these operands, and whether it was made now.
    fn laid_out(&mut self, op: Op, operands: &[u32], layout: Layout) -> (TypeId, bool) {
        let first = (operands.len() as u32 + 2) << 16 | op as u32;
        let globals = &self.globals;
        let known = self.types.iter().find(|known| {
            known.first == first
                && known.layout == layout
                && globals.get(known.at + 2..known.at + 2 + operands.len()) == Some(operands)
        });
        if let Some(known) = known {
            return (known.id, false);
        }
        let id = TypeId(self.raw_id());
        let at = self.globals.len();
        self.types.push(Declared {
            id,
            first,
            at,
            layout,
        });
        put_both(&mut self.globals, op, &[id.0], operands);
        (id, true)
    }

    fn make_type(&mut self, op: Op, operands: &[u32]) -> TypeId {
        self.laid_out(op, operands, Layout::None).0
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
        self.frequent(Frequent::Void, |m| m.make_type(Op::TypeVoid, &[]))
    }

    /// `bool`.
    #[inline]
    pub fn bool(&mut self) -> TypeId {
        self.frequent(Frequent::Bool, |m| m.make_type(Op::TypeBool, &[]))
    }

    /// 32-bit integer without sign: the type of all 32-bit values.
    #[inline]
    pub fn u32(&mut self) -> TypeId {
        self.frequent(Frequent::U32, |m| m.make_type(Op::TypeInt, &[32, 0]))
    }

    /// Two of them: the type of all 64-bit values (x is the low half).
    pub fn uvec2(&mut self) -> TypeId {
        self.uvec(2)
    }

    /// 32-bit integer with sign: for interfaces that want one.
    pub fn i32(&mut self) -> TypeId {
        self.make_type(Op::TypeInt, &[32, 1])
    }

    /// A vector.
    pub fn vector(&mut self, of: TypeId, n: u32) -> TypeId {
        self.make_type(Op::TypeVector, &[of.0, n])
    }

    /// A vector of n 32-bit integers.
    pub fn uvec(&mut self, n: u32) -> TypeId {
        let make = |m: &mut Module| {
            let of = m.u32();
            m.make_type(Op::TypeVector, &[of.0, n])
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
        self.make_type(Op::TypeInt, &[64, 0])
    }

    /// 16-bit integer; declares `Int16`.
    pub fn u16(&mut self) -> TypeId {
        self.need(Capability::Int16);
        self.make_type(Op::TypeInt, &[16, 0])
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
            m.make_type(Op::TypeFloat, &[bits])
        })
    }

    /// An array of a fixed length, for `Function`, `Private` and `Workgroup` storage.
    pub fn array(&mut self, of: TypeId, length: u32) -> TypeId {
        let count = self.const_u32(length);
        self.make_type(Op::TypeArray, &[of.0, count.0])
    }

    /// A runtime array with a stride in bytes.
    pub fn runtime_array(&mut self, of: TypeId, stride: u32) -> TypeId {
        let layout = Layout::Stride(stride);
        let (id, new) = self.laid_out(Op::TypeRuntimeArray, &[of.0], layout);
        if new {
            self.decorate_raw(id.0, Decoration::ArrayStride, &[stride]);
        }
        id
    }

    /// A `Block` structure of `count` members of a type, one behind the other; `bytes`: of a member that others
    /// follow.
    pub fn block(&mut self, of: TypeId, count: u32, bytes: u32) -> TypeId {
        let operands: SmallVec<[u32; 32]> = SmallVec::from_elem(of.0, count as usize);
        let (id, new) = self.laid_out(Op::TypeStruct, &operands, Layout::Block);
        if new {
            self.decorate_raw(id.0, Decoration::Block, &[]);
            for index in 0..count {
                let words = [id.0, index, Decoration::Offset as u32, index * bytes];
                put(&mut self.annotations, Op::MemberDecorate, &words);
            }
        }
        id
    }

    /// A `Block` structure of one member that an address of the device points to; `coherent`: others see
    /// what is written to it. Makes the module one with physical addresses.
    pub fn physical_block(&mut self, of: TypeId, coherent: bool) -> TypeId {
        let (id, new) = self.laid_out(Op::TypeStruct, &[of.0], Layout::Behind(coherent));
        if !new {
            return id;
        }
        self.need(Capability::PhysicalStorageBufferAddresses);
        if self.version < (1, 5) {
            self.need_extension("SPV_KHR_physical_storage_buffer");
        }
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
        let make = |m: &mut Module| m.make_type(Op::TypeStruct, &[of.0, of.0]);
        if self.frequent[Frequent::U32 as usize] == Some(of) {
            self.frequent(Frequent::Pair, make)
        } else {
            make(self)
        }
    }

    /// `OpTypeImage` of these operands.
    pub fn image_type(&mut self, operands: &[u32]) -> TypeId {
        self.make_type(Op::TypeImage, operands)
    }

    /// A sampler.
    pub fn sampler_type(&mut self) -> TypeId {
        self.make_type(Op::TypeSampler, &[])
    }

    /// An image with a sampler.
    pub fn sampled_image_type(&mut self, image: TypeId) -> TypeId {
        self.make_type(Op::TypeSampledImage, &[image.0])
    }

    /// A pointer.
    pub fn pointer(&mut self, class: StorageClass, to: TypeId) -> TypeId {
        let is = |&(c, t, _): &(StorageClass, TypeId, TypeId)| c == class && t == to;
        let place = (class as u32 ^ to.0) as usize % RECENT;
        if let Some((.., id)) = self.recent[place].filter(is) {
            return id;
        }
        let known = self.pointers.iter().copied().find(is);
        let pointer = known.unwrap_or_else(|| {
            let id = TypeId(self.raw_id());
            let words = [id.0, class as u32, to.0];
            put(&mut self.globals, Op::TypePointer, &words);
            self.pointers.push((class, to, id));
            (class, to, id)
        });
        self.recent[place] = Some(pointer);
        pointer.2
    }

    fn function_type(&mut self, result: TypeId, params: &[TypeId]) -> TypeId {
        let mut operands: SmallVec<[u32; 12]> = SmallVec::new();
        operands.push(result.0);
        for ty in params {
            operands.push(ty.0);
        }
        self.make_type(Op::TypeFunction, &operands)
    }

    fn constant(&mut self, ty: TypeId, op: Op, value: u64, literal: &[u32]) -> Id {
        let place = self.constants.place(ty, value);
        if let Some(id) = place.id() {
            return id;
        }
        let id = Id(self.next);
        place.fill(id);
        self.next = self.next.saturating_add(1);
        put_both(&mut self.globals, op, &[ty.0, id.0], literal);
        self.notes.set(id, Note::Value(value));
        id
    }

    /// A 32-bit constant.
    #[inline]
    pub fn const_u32(&mut self, value: u32) -> Id {
        match self.small.0.get(value as usize) {
            Some(&id) if id != 0 => Id(id),
            _ => self.other_u32(value),
        }
    }

    /// A constant that is not found by its number.
    fn other_u32(&mut self, value: u32) -> Id {
        let ty = self.u32();
        let id = self.constant(ty, Op::Constant, u64::from(value), &[value]);
        if let Some(place) = self.small.0.get_mut(value as usize) {
            *place = id.0;
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
        let place = self.constants.place(ty, u64::from(bits));
        if let Some(id) = place.id() {
            return id;
        }
        let id = Id(self.next);
        place.fill(id);
        self.next = self.next.saturating_add(1);
        put(&mut self.globals, Op::Constant, &[ty.0, id.0, bits]);
        id
    }

    /// All zeros of a type.
    pub fn null(&mut self, ty: TypeId) -> Id {
        if let Some(&(_, id)) = self.nulls.iter().find(|&&(of, _)| of == ty) {
            return id;
        }
        let id = self.id();
        put(&mut self.globals, Op::ConstantNull, &[ty.0, id.0]);
        self.nulls.push((ty, id));
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
        let low = self.const_u32(value as u32);
        let high = self.const_u32((value >> 32) as u32);
        self.constant(ty, Op::ConstantComposite, value, &[low.0, high.0])
    }

    /// The value of a constant made here: of a 64-bit pair, the whole of it; of a boolean, 0 or 1.
    #[inline]
    pub fn value(&self, id: Id) -> Option<u64> {
        self.notes.value(id)
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
        if let Some(&(_, id)) = self.builtins.iter().find(|&&(known, _)| known == builtin) {
            return id;
        }
        let id = self.global(StorageClass::Input, ty);
        self.decorate(id, Decoration::BuiltIn, &[builtin as u32]);
        self.builtins.push((builtin, id));
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
        let mut head = self.heads.pop().unwrap_or_default();
        put(&mut head, Op::Function, &[result.0, id.0, 0, ty.0]);
        let mut ids = SmallVec::new();
        for param in params {
            let param_id = self.id();
            put(&mut head, Op::FunctionParameter, &[param.0, param_id.0]);
            ids.push(param_id);
        }
        let label = self.label();
        put(&mut head, Op::Label, &[label.0]);
        let room = self.rooms.pop().unwrap_or_default();
        (Frame { head, params: ids }, Open::entry(label, room))
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
                &mut frame.head,
                Op::Variable,
                &[pointer.0, id.0, class, initial.0],
            ),
            None => put(&mut frame.head, Op::Variable, &[pointer.0, id.0, class]),
        }
        id
    }

    /// Ends a function.
    pub fn end_function(&mut self, frame: Frame, body: Closed) {
        let from = self.functions.len();
        let mut head = frame.head;
        self.functions.append(&mut head);
        self.heads.push(head);
        let room = body.append_to(&mut self.functions, from, &mut self.trim, self.next);
        self.rooms.push(room);
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
        self.capabilities.sort_unstable();
        for &capability in &self.capabilities {
            put(&mut words, Op::Capability, &[capability]);
        }
        self.extensions.sort_unstable();
        for extension in &self.extensions {
            put_by(&mut words, Op::Extension, |words| {
                put_string(words, extension)
            });
        }
        if let Some(glsl) = self.glsl {
            put_by(&mut words, Op::ExtInstImport, |words| {
                words.push(glsl.0);
                put_string(words, "GLSL.std.450");
            });
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
        put_by(&mut words, Op::EntryPoint, |words| {
            words.extend_from_slice(&[model as u32, entry.0]);
            put_string(words, name);
            words.extend(self.interface.iter().map(|id| id.0));
        });
        for (mode, literals) in &self.modes {
            put_both(&mut words, Op::ExecutionMode, &[entry.0, *mode], literals);
        }
        self.trim.annotations(&self.debug, &mut words);
        self.trim.annotations(&self.annotations, &mut words);
        words.extend_from_slice(&self.globals);
        words.extend_from_slice(&self.functions);
        Assembled {
            words,
            capabilities: self.named_capabilities(),
            extensions: self
                .extensions
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
        }
    }

    /// The names of the capabilities, in the order of their numbers.
    fn named_capabilities(&mut self) -> Vec<String> {
        let known = &mut self.capability_names;
        let mut names = Vec::with_capacity(self.capabilities.len());
        for &number in &self.capabilities {
            if let Some((_, name)) = known.iter().find(|&&(other, _)| other == number) {
                names.push(name.clone());
            } else if let Some(capability) = Capability::from_u32(number) {
                let name = format!("{capability:?}");
                known.push((number, name.clone()));
                names.push(name);
            }
        }
        names
    }
}
