//! What a wave acts on besides its registers: device memory with the code in it, LDS, GDS, scratch.
//! Owns the ranges of these spaces; knows no instruction.

use spirdna_isa::launch::{PRIVATE_APERTURE, SHARED_APERTURE};

use crate::error::{ExecError, Fault, FaultKind};
use crate::memory::{ADDRESS_MASK, AddressSpace, Memory};
use crate::state::Wave;

/// Bytes of GDS.
pub(crate) const GDS_BYTES: usize = spirdna_isa::launch::GDS_BYTES as usize;

/// A memory of bytes in which out-of-range accesses have an effect of their own (LDS, GDS).
#[derive(Clone, Debug, Default)]
pub(crate) struct Local {
    /// Contents.
    pub bytes: Vec<u8>,
}

impl Local {
    pub fn new(bytes: usize) -> Local {
        Local {
            bytes: vec![0; bytes],
        }
    }

    fn range(&self, offset: u64, len: usize) -> Option<std::ops::Range<usize>> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(len)?;
        (end <= self.bytes.len()).then_some(start..end)
    }

    /// Reads where the whole access is in range.
    pub fn load<const N: usize>(&self, offset: u64) -> Option<[u8; N]> {
        let mut out = [0; N];
        self.load_into(offset, &mut out).then_some(out)
    }

    /// Reads where the whole access is in range, and says whether it was.
    pub fn load_into(&self, offset: u64, out: &mut [u8]) -> bool {
        match self
            .range(offset, out.len())
            .and_then(|r| self.bytes.get(r))
        {
            Some(from) => {
                out.copy_from_slice(from);
                true
            }
            None => false,
        }
    }

    /// Writes where the whole access is in range, and says whether it was.
    pub fn store(&mut self, offset: u64, bytes: &[u8]) -> bool {
        match self
            .range(offset, bytes.len())
            .and_then(|r| self.bytes.get_mut(r))
        {
            Some(to) => {
                to.copy_from_slice(bytes);
                true
            }
            None => false,
        }
    }
}

/// Scratch of one wave: as many bytes for each lane, by the lane's own offset. How lanes interleave
/// in memory cannot be seen through SCRATCH and FLAT.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    bytes_per_lane: usize,
    bytes: Vec<u8>,
}

impl Scratch {
    pub fn new(bytes_per_lane: u32, lanes: usize) -> Scratch {
        let bytes_per_lane = bytes_per_lane as usize;
        Scratch {
            bytes_per_lane,
            bytes: vec![0; bytes_per_lane * lanes],
        }
    }

    fn slice(&mut self, lane: usize, offset: u64, len: usize) -> Option<&mut [u8]> {
        let offset = usize::try_from(offset).ok()?;
        if offset.checked_add(len)? > self.bytes_per_lane {
            return None;
        }
        let start = lane * self.bytes_per_lane + offset;
        self.bytes.get_mut(start..start + len)
    }
}

/// Where a byte address of a lane leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The space.
    pub space: AddressSpace,
    /// Address or offset in it.
    pub address: u64,
}

impl Place {
    pub fn global(address: u64) -> Place {
        Place {
            space: AddressSpace::Global,
            address: address & ADDRESS_MASK,
        }
    }

    /// The place of a FLAT address: the apertures lead to LDS and scratch.
    pub fn flat(address: u64) -> Place {
        let space = match (address >> 32) as u32 {
            SHARED_APERTURE => AddressSpace::Lds,
            PRIVATE_APERTURE => AddressSpace::Scratch,
            _ => return Place::global(address),
        };
        Place {
            space,
            address: address & 0xffff_ffff,
        }
    }

    pub fn offset(self, bytes: u64) -> Place {
        let mut place = self;
        place.address = place.address.wrapping_add(bytes);
        if place.space == AddressSpace::Global {
            place.address &= ADDRESS_MASK;
        }
        place
    }
}

/// Everything outside the registers that an instruction can touch.
pub(crate) struct Env<'a> {
    pub memory: &'a mut dyn Memory,
    pub code: &'a [u32],
    pub lds: &'a mut Local,
    pub gds: &'a mut Local,
    pub scratch: &'a mut Scratch,
}

impl Env<'_> {
    /// Loads for a lane, or for the whole wave. LDS out of range reads 0.
    pub fn load(
        &mut self,
        wave: &Wave,
        lane: Option<usize>,
        place: Place,
        out: &mut [u8],
    ) -> Result<(), ExecError> {
        let done = match place.space {
            AddressSpace::Global => {
                self.load_code(wave, place.address, out)
                    || self.memory.load(place.address, out).is_ok()
            }
            AddressSpace::Lds => {
                if !self.lds.load_into(place.address, out) {
                    out.fill(0);
                }
                true
            }
            AddressSpace::Gds => {
                if !self.gds.load_into(place.address, out) {
                    out.fill(0);
                }
                true
            }
            AddressSpace::Scratch => {
                let from = self
                    .scratch
                    .slice(lane.unwrap_or(0), place.address, out.len());
                match from {
                    Some(from) => {
                        out.copy_from_slice(from);
                        true
                    }
                    None => false,
                }
            }
        };
        if done {
            Ok(())
        } else {
            Err(fault(wave, lane, place, out.len(), FaultKind::Load))
        }
    }

    /// Stores for a lane, or for the whole wave. LDS out of range is dropped.
    pub fn store(
        &mut self,
        wave: &Wave,
        lane: Option<usize>,
        place: Place,
        bytes: &[u8],
    ) -> Result<(), ExecError> {
        let done = match place.space {
            AddressSpace::Global => self.memory.store(place.address, bytes).is_ok(),
            AddressSpace::Lds => {
                self.lds.store(place.address, bytes);
                true
            }
            AddressSpace::Gds => {
                self.gds.store(place.address, bytes);
                true
            }
            AddressSpace::Scratch => {
                let to = self
                    .scratch
                    .slice(lane.unwrap_or(0), place.address, bytes.len());
                match to {
                    Some(to) => {
                        to.copy_from_slice(bytes);
                        true
                    }
                    None => false,
                }
            }
        };
        if done {
            Ok(())
        } else {
            Err(fault(wave, lane, place, bytes.len(), FaultKind::Store))
        }
    }

    /// Reads, lets `update` give the new value (`None`: nothing is written), writes; returns the old
    /// value. `bytes` is 4 or 8; the address must be a multiple of it.
    pub fn atomic(
        &mut self,
        wave: &Wave,
        lane: Option<usize>,
        place: Place,
        bytes: usize,
        update: impl FnOnce(u64) -> Option<u64>,
    ) -> Result<u64, ExecError> {
        if !place.address.is_multiple_of(bytes as u64) {
            return Err(fault(wave, lane, place, bytes, FaultKind::Misaligned));
        }
        let mut raw = [0; 8];
        let (used, _) = raw.split_at_mut(bytes);
        let as_atomic = |mut e: ExecError| {
            if let ExecError::Fault(f) = &mut e {
                f.kind = FaultKind::Atomic;
            }
            e
        };
        self.load(wave, lane, place, used).map_err(as_atomic)?;
        let old = u64::from_le_bytes(raw);
        if let Some(new) = update(old) {
            let new = new.to_le_bytes();
            let (used, _) = new.split_at(bytes);
            self.store(wave, lane, place, used).map_err(as_atomic)?;
        }
        Ok(old)
    }

    /// Reads from the code where the whole access lies in it.
    fn load_code(&self, wave: &Wave, address: u64, out: &mut [u8]) -> bool {
        let Some(start) = address.checked_sub(wave.code_address) else {
            return false;
        };
        let len = self.code.len() as u64 * 4;
        if start + out.len() as u64 > len {
            return false;
        }
        for (at, o) in (start..).zip(out) {
            let word = self.code.get((at / 4) as usize).copied().unwrap_or(0);
            *o = (word >> (at % 4 * 8)) as u8;
        }
        true
    }
}

/// A fault of this wave's instruction.
fn fault(
    wave: &Wave,
    lane: Option<usize>,
    place: Place,
    bytes: usize,
    kind: FaultKind,
) -> ExecError {
    ExecError::Fault(Fault {
        pc: wave.pc,
        lane: lane.map(|l| l as u8),
        space: place.space,
        address: place.address,
        bytes: bytes as u32,
        kind,
    })
}
