//! The buffers that a module binds: arrays of words in storage buffers, made when first used. The layout
//! of each is `reflect.rs`'s; what lies where in guest memory is `places`'s.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::{Decoration, StorageClass};

use super::code::Open;
use super::context::{Access, Cx};
use super::error::{EmitError, Fail};
use super::module::Id;
use crate::reflect::{BufferBinding, BufferUse, FAULT_SLOTS, LOCKS, POOL_RESERVED};
use crate::resources::DescriptorPlace;

/// Buffers and shared functions, made when first used.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    /// By binding.
    variables: SmallVec<[Option<Id>; 16]>,
    /// Guest memory and the LDS buffer as 64-bit words.
    wide: FxHashMap<u32, Id>,
    /// Descriptors whose buffers are bound, in the order of their first use.
    bound: SmallVec<[DescriptorPlace; 8]>,
    pub(super) translate: Option<Id>,
    /// Makes a place with its fault.
    pub(super) checked: Option<Id>,
    /// `near_address`.
    pub(super) near: Option<Id>,
    /// `open_window`.
    pub(super) open_window: Option<Id>,
    /// A step of the search for a window.
    pub(super) narrow: Option<Id>,
    /// Remembers a fault.
    pub(super) remember: Option<Id>,
    /// Of a page: notes that it is missed.
    pub(super) page_missed: Option<Id>,
    /// Stores at any byte, for guest memory and for each bound buffer.
    pub(super) store_bits: FxHashMap<Option<DescriptorPlace>, Id>,
    pub(super) replace_bits: FxHashMap<Option<DescriptorPlace>, Id>,
    /// Replaces bits of a word of LDS.
    pub(super) lds_replace_bits: Option<Id>,
    /// The LDS array.
    pub(super) lds: Option<Id>,
}

const USES: usize = 8;

/// Bindings from here on are those of bound buffers.
const FIRST_BOUND: u32 = USES as u32;

/// By binding.
const ALL_USES: [BufferUse; USES] = [
    BufferUse::Memory,
    BufferUse::Windows,
    BufferUse::Faults,
    BufferUse::Launch,
    BufferUse::Lds,
    BufferUse::Ranges,
    BufferUse::Pages,
    BufferUse::Locks,
];

impl Cx<'_> {
    /// Descriptor set and binding of a buffer.
    fn binding(&mut self, usage: BufferUse) -> (u32, u32) {
        let binding = match usage {
            BufferUse::Memory => 0,
            BufferUse::Windows => 1,
            BufferUse::Faults => 2,
            BufferUse::Launch => 3,
            BufferUse::Lds => 4,
            BufferUse::Ranges => 5,
            BufferUse::Pages => 6,
            BufferUse::Locks => 7,
            BufferUse::Bound(place) => {
                let known = &mut self.buffers.bound;
                let index = known.iter().position(|&p| p == place);
                let index = index.unwrap_or_else(|| {
                    known.push(place);
                    known.len() - 1
                });
                FIRST_BOUND + index as u32
            }
        };
        (self.options.descriptor_set, binding)
    }

    /// What the program does to a bound buffer.
    fn bound_access(&self, place: DescriptorPlace) -> Access {
        let mut sum = Access::default();
        for (_, access) in self
            .ir
            .bound
            .iter()
            .zip(&self.bound)
            .filter(|(p, _)| **p == place)
        {
            sum.writes |= access.writes;
            sum.reads |= access.reads;
        }
        sum
    }

    pub(super) fn buffer(&mut self, usage: BufferUse) -> Id {
        let (set, number) = self.binding(usage);
        if let Some(&Some(id)) = self.buffers.variables.get(number as usize) {
            return id;
        }
        let access = match usage {
            BufferUse::Bound(place) => self.bound_access(place),
            _ => Access {
                writes: self.needs.writes,
                reads: self.needs.reads,
            },
        };
        let m = &mut self.m;
        let array = if matches!(usage, BufferUse::Windows | BufferUse::Faults) {
            let entry = m.uvec(4);
            m.runtime_array(entry, 16)
        } else {
            let word = m.u32();
            m.runtime_array(word, 4)
        };
        let block = m.block(array, 1, 0);
        let id = m.global(StorageClass::StorageBuffer, block);
        m.decorate(id, Decoration::DescriptorSet, &[set]);
        m.decorate(id, Decoration::Binding, &[number]);
        match usage {
            BufferUse::Memory | BufferUse::Bound(_) => {
                if access.writes && access.reads {
                    m.decorate(id, Decoration::Coherent, &[]);
                }
                if !access.writes {
                    m.decorate(id, Decoration::NonWritable, &[]);
                }
                if self.needs.atomic64 && !self.needs.locks {
                    m.decorate(id, Decoration::Aliased, &[]);
                }
            }
            BufferUse::Windows | BufferUse::Launch | BufferUse::Ranges | BufferUse::Pages => {
                m.decorate(id, Decoration::NonWritable, &[]);
            }
            BufferUse::Lds => {
                m.decorate(id, Decoration::Coherent, &[]);
                if self.needs.lds_atomic64 && !self.needs.lds_locks {
                    m.decorate(id, Decoration::Aliased, &[]);
                }
            }
            BufferUse::Locks => m.decorate(id, Decoration::Coherent, &[]),
            BufferUse::Faults => {}
        }
        m.name(
            id,
            match usage {
                BufferUse::Memory => "memory",
                BufferUse::Windows => "windows",
                BufferUse::Faults => "faults",
                BufferUse::Launch => "launch",
                BufferUse::Lds => "lds",
                BufferUse::Ranges => "ranges",
                BufferUse::Pages => "pages",
                BufferUse::Locks => "locks",
                BufferUse::Bound(_) => "buffer",
            },
        );
        let variables = &mut self.buffers.variables;
        if variables.len() <= number as usize {
            variables.resize(number as usize + 1, None);
        }
        if let Some(place) = variables.get_mut(number as usize) {
            *place = Some(id);
        }
        id
    }

    /// Declares 64-bit atomics on buffers.
    pub(super) fn need_atomic64(&mut self) -> Result<(), Fail> {
        if !self.profile.buffer_atomic64 {
            return Err(EmitError::Missing("64-bit buffer atomics").into());
        }
        if !self.profile.int64 {
            return Err(EmitError::Missing("Int64").into());
        }
        self.m.need(spirv::Capability::Int64Atomics);
        Ok(())
    }

    /// A buffer as 64-bit words, for atomics.
    fn wide(&mut self, usage: BufferUse) -> Result<Id, Fail> {
        let (set, number) = self.binding(usage);
        if let Some(&id) = self.buffers.wide.get(&number) {
            return Ok(id);
        }
        // The narrow view is what the caller is told of.
        self.buffer(usage);
        self.need_atomic64()?;
        let m = &mut self.m;
        let word = m.u64();
        let array = m.runtime_array(word, 8);
        let block = m.block(array, 1, 0);
        let id = m.global(StorageClass::StorageBuffer, block);
        m.decorate(id, Decoration::DescriptorSet, &[set]);
        m.decorate(id, Decoration::Binding, &[number]);
        m.decorate(id, Decoration::Coherent, &[]);
        m.decorate(id, Decoration::Aliased, &[]);
        self.buffers.wide.insert(number, id);
        Ok(id)
    }

    /// Pointer to 64-bit word `index` of a buffer.
    pub(super) fn pointer64(
        &mut self,
        b: &mut Open,
        usage: BufferUse,
        index: Id,
    ) -> Result<Id, Fail> {
        let variable = self.wide(usage)?;
        let ty = self.m.u64();
        let first = self.m.const_u32(0);
        Ok(self.m.access(
            b,
            StorageClass::StorageBuffer,
            ty,
            variable,
            &[first, index],
        ))
    }

    /// The buffers used so far, with the least size of each.
    pub fn bindings(&self, launch_dwords: u32) -> Vec<BufferBinding> {
        let set = self.options.descriptor_set;
        let buffers = &self.buffers;
        let bound = buffers.bound.iter().copied().map(BufferUse::Bound);
        (0..)
            .zip(ALL_USES.into_iter().chain(bound))
            .zip(&buffers.variables)
            .filter_map(|((number, usage), variable)| {
                variable.as_ref()?;
                let min_bytes = match usage {
                    BufferUse::Memory => u64::from(POOL_RESERVED),
                    BufferUse::Windows => 16 * self.window_entries(),
                    BufferUse::Faults => 16 * (1 + u64::from(FAULT_SLOTS)),
                    BufferUse::Launch => 4 * u64::from(launch_dwords),
                    BufferUse::Lds => u64::from(self.lds_bytes()),
                    BufferUse::Ranges => 32 + 32 * u64::from(self.options.max_windows.max(1)),
                    BufferUse::Pages => 32 + 16 * u64::from(self.options.max_windows.max(1)),
                    BufferUse::Locks => 4 * u64::from(LOCKS),
                    // The caller knows; a word at least.
                    BufferUse::Bound(_) => 4,
                };
                Some(BufferBinding {
                    usage,
                    set,
                    binding: number,
                    min_bytes,
                })
            })
            .collect()
    }

    pub(super) fn pointer(&mut self, b: &mut Open, usage: BufferUse, index: Id) -> Id {
        let variable = self.buffer(usage);
        let word = self.m.u32();
        let first = self.m.const_u32(0);
        self.m.access(
            b,
            StorageClass::StorageBuffer,
            word,
            variable,
            &[first, index],
        )
    }

    /// Pointer to entry `index` of a buffer that is an array of four words.
    pub(super) fn entry_pointer(&mut self, b: &mut Open, usage: BufferUse, index: Id) -> Id {
        let variable = self.buffer(usage);
        let four = self.m.uvec(4);
        let first = self.m.const_u32(0);
        self.m.access(
            b,
            StorageClass::StorageBuffer,
            four,
            variable,
            &[first, index],
        )
    }

    /// Word `index` of a buffer.
    pub fn load_word(&mut self, b: &mut Open, usage: BufferUse, index: Id) -> Result<Id, Fail> {
        let pointer = self.pointer(b, usage, index);
        let word = self.m.u32();
        Ok(self.m.load(b, word, pointer))
    }
}
