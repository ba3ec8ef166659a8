//! What the caller promises about descriptors. Facts fold to straight code; a descriptor without facts
//! is decoded at run time.

use spirdna_isa::descriptor::BufferDescriptor;

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

/// What the caller promises of the descriptors that a shader uses. Empty: nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct DescriptorFacts {
    /// Facts by place, sorted by place.
    pub buffers: Vec<(DescriptorPlace, BufferFact)>,
}

impl DescriptorFacts {
    /// The fact of a place.
    pub fn buffer(&self, place: DescriptorPlace) -> Option<&BufferFact> {
        self.buffers
            .iter()
            .find(|(p, _)| *p == place)
            .map(|(_, fact)| fact)
    }
}
