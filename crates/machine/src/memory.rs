//! What invocations share: buffers, workgroup memory, and who touched what since when, so that accesses
//! that nothing orders are found.

use spirv::StorageClass;

/// A pointer to nothing: what an access chain outside of its object gives.
pub(crate) const NOWHERE: u64 = u64::MAX;
/// Where the number of a buffer begins in a pointer.
pub(crate) const BUFFER_SHIFT: u32 = 40;

/// A cell that remembers whether it was written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cell {
    pub(crate) value: u64,
    pub(crate) written: bool,
}

/// Who makes an access, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Stamp {
    /// Invocation in the dispatch, from 1 on; 0: nobody.
    pub(crate) who: u64,
    pub(crate) group: u64,
    pub(crate) subgroup: u32,
    /// Workgroup barriers that ordered this memory.
    pub(crate) phase: u32,
    /// Subgroup barriers that did.
    pub(crate) step: u32,
    pub(crate) atomic: bool,
}

impl Stamp {
    /// Whether `self`, the earlier one, happens before `later`.
    fn before(self, later: Stamp) -> bool {
        self.who == later.who
            || (self.group == later.group
                && (self.phase != later.phase
                    || (self.subgroup == later.subgroup && self.step != later.step)))
    }

    fn conflicts(self, later: Stamp) -> bool {
        self.who != 0 && !self.before(later) && !(self.atomic && later.atomic)
    }
}

/// The last accesses of a place: one that changed it, two that read it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shadow {
    write: Stamp,
    reads: [Stamp; 2],
}

impl Shadow {
    /// Notes a read; whether nothing orders it after a write.
    pub(crate) fn read(&mut self, now: Stamp) -> bool {
        let [last, _] = self.reads;
        if last.who != now.who {
            self.reads = [now, last];
        } else {
            self.reads[0] = now;
        }
        self.write.conflicts(now)
    }

    /// Notes a write that changes the place; whether nothing orders it after another access.
    pub(crate) fn write(&mut self, now: Stamp) -> bool {
        let conflict = self.write.conflicts(now) || self.reads.iter().any(|r| r.conflicts(now));
        self.write = now;
        conflict
    }
}

/// A buffer of the dispatch.
pub(crate) struct Buffer<'a> {
    pub(crate) bytes: &'a mut Vec<u8>,
    /// By dword.
    pub(crate) shadow: Vec<Shadow>,
}

impl Buffer<'_> {
    /// A scalar.
    pub(crate) fn get(&self, at: u64, bytes: u8) -> Option<u64> {
        let from = usize::try_from(at).ok()?;
        let part = self.bytes.get(from..from.checked_add(bytes.into())?)?;
        let mut all = [0; 8];
        for (to, &byte) in all.iter_mut().zip(part) {
            *to = byte;
        }
        Some(u64::from_le_bytes(all))
    }

    /// Changes a scalar; `None` outside.
    pub(crate) fn put(&mut self, at: u64, bytes: u8, value: u64) -> Option<()> {
        let from = usize::try_from(at).ok()?;
        let part = self.bytes.get_mut(from..from.checked_add(bytes.into())?)?;
        for (to, byte) in part.iter_mut().zip(value.to_le_bytes()) {
            *to = byte;
        }
        Some(())
    }

    /// The shadows of a scalar.
    pub(crate) fn shadows(&mut self, at: u64, bytes: u8) -> &mut [Shadow] {
        let first = (at / 4) as usize;
        let last = ((at + u64::from(bytes.max(1)) - 1) / 4) as usize;
        self.shadow.get_mut(first..=last).unwrap_or_default()
    }
}

/// What an invocation sees beside its own variables.
pub(crate) struct Shared<'a> {
    pub(crate) buffers: Vec<Buffer<'a>>,
    pub(crate) push: Vec<u8>,
    pub(crate) workgroup: Vec<Cell>,
    pub(crate) workgroup_shadow: Vec<Shadow>,
}

/// Number of the push constants among buffers.
pub(crate) const PUSH: u64 = 0xff_ffff;

/// Buffer and byte of a pointer.
pub(crate) fn split(pointer: u64) -> (u64, u64) {
    (pointer >> BUFFER_SHIFT, pointer & ((1 << BUFFER_SHIFT) - 1))
}

/// Whether a class is one invocation's own.
pub(crate) fn own(class: StorageClass) -> bool {
    matches!(
        class,
        StorageClass::Function | StorageClass::Private | StorageClass::Input
    )
}
