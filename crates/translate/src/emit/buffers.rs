//! The buffers that a module binds: arrays of words in storage buffers, made when first used. The layout
//! of each is `reflect.rs`'s; what lies where in guest memory is `places`'s.

use spirv::{Decoration, StorageClass};

use super::code::Open;
use super::context::Cx;
use super::error::EmitError;
use super::module::Id;
use crate::reflect::{BufferBinding, BufferUse, FAULT_SLOTS, LOCKS};

/// Buffers and shared functions, made when first used.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    variables: [Option<Id>; USES],
    /// Guest memory and the LDS buffer as 64-bit words.
    wide: [Option<Id>; USES],
    pub(super) translate: Option<Id>,
    /// Of a page: notes that it is missed.
    pub(super) page_missed: Option<Id>,
    pub(super) store_bits: Option<Id>,
    pub(super) replace_bits: Option<Id>,
    /// Replaces bits of a word of LDS.
    pub(super) lds_replace_bits: Option<Id>,
    /// The LDS array.
    pub(super) lds: Option<Id>,
}

const USES: usize = 8;

/// Binding of a buffer.
fn binding(usage: BufferUse) -> u32 {
    match usage {
        BufferUse::Memory => 0,
        BufferUse::Windows => 1,
        BufferUse::Faults => 2,
        BufferUse::Launch => 3,
        BufferUse::Lds => 4,
        BufferUse::Ranges => 5,
        BufferUse::Pages => 6,
        BufferUse::Locks => 7,
    }
}

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
    fn buffer(&mut self, usage: BufferUse) -> Id {
        let (set, number) = (self.options.descriptor_set, binding(usage));
        if let Some(id) = self.buffers.variables[number as usize] {
            return id;
        }
        let m = &mut self.m;
        let word = m.u32();
        let array = m.runtime_array(word, 4);
        let block = m.block(&[(array, 0)]);
        let id = m.global(StorageClass::StorageBuffer, block);
        m.decorate(id, Decoration::DescriptorSet, &[set]);
        m.decorate(id, Decoration::Binding, &[number]);
        match usage {
            BufferUse::Memory => {
                if self.needs.reads && self.needs.writes {
                    m.decorate(id, Decoration::Coherent, &[]);
                }
                if !self.needs.writes {
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
            },
        );
        self.buffers.variables[number as usize] = Some(id);
        id
    }

    /// Declares 64-bit atomics on buffers.
    pub(super) fn need_atomic64(&mut self) -> Result<(), EmitError> {
        if !self.profile.buffer_atomic64 {
            return Err(EmitError::Missing("64-bit buffer atomics"));
        }
        if !self.profile.int64 {
            return Err(EmitError::Missing("Int64"));
        }
        self.m.need(spirv::Capability::Int64Atomics);
        Ok(())
    }

    /// A buffer as 64-bit words, for atomics.
    fn wide(&mut self, usage: BufferUse) -> Result<Id, EmitError> {
        let (set, number) = (self.options.descriptor_set, binding(usage));
        if let Some(id) = self.buffers.wide[number as usize] {
            return Ok(id);
        }
        // The narrow view is what the caller is told of.
        self.buffer(usage);
        self.need_atomic64()?;
        let m = &mut self.m;
        let word = m.u64();
        let array = m.runtime_array(word, 8);
        let block = m.block(&[(array, 0)]);
        let id = m.global(StorageClass::StorageBuffer, block);
        m.decorate(id, Decoration::DescriptorSet, &[set]);
        m.decorate(id, Decoration::Binding, &[number]);
        m.decorate(id, Decoration::Coherent, &[]);
        m.decorate(id, Decoration::Aliased, &[]);
        self.buffers.wide[number as usize] = Some(id);
        Ok(id)
    }

    /// Pointer to 64-bit word `index` of a buffer.
    pub(super) fn pointer64(
        &mut self,
        b: &mut Open,
        usage: BufferUse,
        index: Id,
    ) -> Result<Id, EmitError> {
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
        ALL_USES
            .into_iter()
            .filter_map(|usage| {
                let (set, number) = (self.options.descriptor_set, binding(usage));
                self.buffers.variables[number as usize]?;
                let min_bytes = match usage {
                    BufferUse::Memory => 16,
                    BufferUse::Windows => 16 * (1 + u64::from(self.options.max_windows)),
                    BufferUse::Faults => 4 * (1 + 4 * u64::from(FAULT_SLOTS)),
                    BufferUse::Launch => 4 * u64::from(launch_dwords),
                    BufferUse::Lds => u64::from(self.lds_bytes()),
                    BufferUse::Ranges => 32 + 32 * u64::from(self.options.max_windows.max(1)),
                    BufferUse::Pages => 32 + 16 * u64::from(self.options.max_windows.max(1)),
                    BufferUse::Locks => 4 * u64::from(LOCKS),
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

    /// Word `index` of a buffer.
    pub fn load_word(
        &mut self,
        b: &mut Open,
        usage: BufferUse,
        index: Id,
    ) -> Result<Id, EmitError> {
        let pointer = self.pointer(b, usage, index);
        let word = self.m.u32();
        Ok(self.m.load(b, word, pointer))
    }
}
