//! What the caller promises about descriptors. Facts fold to straight code; a descriptor without facts
//! is decoded at run time.

use spirdna_isa::descriptor::BufferDescriptor;

use crate::bindings::ResourceMap;

/// What is known of a V#: each dword's known bits and their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct BufferFact {
    /// Bits that are known, a dword each.
    pub known: [u32; 4],
    /// Their values; 0 where not known.
    pub value: [u32; 4],
}

impl BufferFact {
    /// Everything but the base address and the number of records is known: one translation serves
    /// buffers of every size.
    pub fn all_but_place(descriptor: &BufferDescriptor) -> BufferFact {
        BufferFact::of(descriptor, [0, 0xffff_0000, 0, u32::MAX])
    }

    /// Everything but the base address is known.
    pub fn all_but_base(descriptor: &BufferDescriptor) -> BufferFact {
        BufferFact::of(descriptor, [0, 0xffff_0000, u32::MAX, u32::MAX])
    }

    fn of(descriptor: &BufferDescriptor, known: [u32; 4]) -> BufferFact {
        let words = descriptor.words;
        let mut value = [0; 4];
        for (i, v) in value.iter_mut().enumerate() {
            *v = words[i] & known[i];
        }
        BufferFact { known, value }
    }
}

/// Where a descriptor comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DescriptorPlace {
    /// Four user SGPRs from this one on.
    UserSgprs(u32),
    /// In memory: the user SGPR that holds the (low half of the) pointer, and the byte offset from it.
    Memory {
        /// First user SGPR of the pointer.
        pointer: u32,
        /// Byte offset of the load.
        offset: u32,
    },
}

impl DescriptorPlace {
    /// Whether the buffer of a descriptor here may be bound: others are taken for not bound.
    pub const fn may_be_bound(self) -> bool {
        match self {
            DescriptorPlace::UserSgprs(first) => first < 128,
            DescriptorPlace::Memory { pointer, offset } => pointer < 128 && offset < 1 << 24,
        }
    }
}

/// What the caller promises of the descriptors that a shader uses. Empty: nothing. A descriptor in memory
/// that has a fact is written by nobody during the dispatch.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct DescriptorFacts {
    /// Facts by place, sorted by place.
    pub buffers: Vec<(DescriptorPlace, BufferFact)>,
    /// Descriptors whose buffers the caller binds as storage buffers of their own (`BufferUse::Bound`), as
    /// far as their facts say how large they are: the dispatch reaches those bytes through that descriptor
    /// alone, and nothing else through it.
    pub bound: Vec<DescriptorPlace>,
    /// Images and samplers: where they are bound, and what is known of them.
    pub map: ResourceMap,
}

impl DescriptorFacts {
    /// Which of so many dwords (at most 32) behind a pointer, from an offset on, are part of a descriptor in
    /// memory that has a fact: bit i for dword i.
    pub fn covered(&self, pointer: u32, offset: u32, n: u32) -> u32 {
        let mut covered = 0;
        for (place, _) in &self.buffers {
            let DescriptorPlace::Memory {
                pointer: p,
                offset: first,
            } = *place
            else {
                continue;
            };
            if p == pointer {
                // Dwords before this one's begin, and before its end.
                let before = |byte: i64| {
                    let dwords = (byte - i64::from(offset) + 3).div_euclid(4);
                    (1u64 << dwords.clamp(0, i64::from(n.min(32)))) - 1
                };
                let first = i64::from(first);
                covered |= (before(first + 16) & !before(first)) as u32;
            }
        }
        covered
    }

    /// Whether each of so many dwords behind a pointer is part of a descriptor whose buffer is bound.
    pub fn all_bound(&self, pointer: u32, offset: u32, dwords: u32) -> bool {
        (0..dwords).all(|i| {
            self.bound.iter().any(|place| match *place {
                DescriptorPlace::Memory {
                    pointer: p,
                    offset: first,
                } => {
                    let at = offset.checked_add(4 * i);
                    let at = at.and_then(|at| at.checked_sub(first));
                    p == pointer && at.is_some_and(|at| at < 16)
                }
                DescriptorPlace::UserSgprs(_) => false,
            })
        })
    }

    /// The number of a descriptor whose buffer is bound.
    pub fn bound_number(&self, place: DescriptorPlace) -> Option<u32> {
        let number = self.bound.iter().position(|p| *p == place)?;
        if !place.may_be_bound() {
            return None;
        }
        u32::try_from(number).ok()
    }

    /// The fact of a place.
    pub fn buffer(&self, place: DescriptorPlace) -> Option<&BufferFact> {
        self.buffers
            .iter()
            .find(|(p, _)| *p == place)
            .map(|(_, fact)| fact)
    }
}
