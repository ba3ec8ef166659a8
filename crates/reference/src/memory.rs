//! The memory that a shader sees through addresses, behind a trait, and a simple implementation.
//! Knows no instruction: bounds rules of descriptors and alignment rules belong to the units.

use std::collections::BTreeMap;

/// Bits of an address that count: addresses are compared modulo 2^48.
pub const ADDRESS_MASK: u64 = (1 << 48) - 1;

/// Which memory an address means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressSpace {
    /// Memory of the device.
    Global,
    /// LDS of the workgroup.
    Lds,
    /// GDS of the device.
    Gds,
    /// Scratch of a lane.
    Scratch,
}

/// Nothing is mapped at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing is mapped at {address:#x}")]
pub struct Unmapped {
    /// The first byte that is missing (48 bits).
    pub address: u64,
}

/// Device memory. Addresses are byte addresses of which the low 48 bits count; an access either
/// happens whole or is refused whole.
pub trait Memory {
    /// Reads bytes.
    fn load(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped>;
    /// Writes bytes.
    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Unmapped>;
}

impl<M: Memory + ?Sized> Memory for &mut M {
    fn load(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        (**self).load(address, bytes)
    }

    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        (**self).store(address, bytes)
    }
}

/// A mapped range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// First byte's address.
    pub base: u64,
    /// Contents.
    pub bytes: Vec<u8>,
}

impl Region {
    fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }
}

/// Why a region cannot be mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegionsError {
    /// It reaches past the 48-bit address space.
    #[error("region at {base:#x} reaches past 48 bits")]
    TooHigh {
        /// Its base.
        base: u64,
    },
    /// It overlaps another one.
    #[error("region at {base:#x} overlaps the one at {other:#x}")]
    Overlap {
        /// Its base.
        base: u64,
        /// The other's base.
        other: u64,
    },
}

/// Memory made of regions that do not overlap. An access that leaves its region is refused, also
/// where another region follows at once.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    by_base: BTreeMap<u64, Region>,
}

impl Regions {
    /// Nothing mapped.
    pub fn new() -> Regions {
        Regions::default()
    }

    /// Maps a region.
    pub fn map(&mut self, base: u64, bytes: Vec<u8>) -> Result<(), RegionsError> {
        let len = bytes.len() as u64;
        if base > ADDRESS_MASK || len > ADDRESS_MASK + 1 - base {
            return Err(RegionsError::TooHigh { base });
        }
        let overlap = |r: &&Region| r.end() > base && r.base < base + len;
        let at_or_before = self.by_base.range(..=base).next_back().map(|(_, r)| r);
        let after = self.by_base.range(base..).next().map(|(_, r)| r);
        if let Some(other) = at_or_before.filter(overlap).or(after.filter(overlap)) {
            return Err(RegionsError::Overlap {
                base,
                other: other.base,
            });
        }
        self.by_base.insert(base, Region { base, bytes });
        Ok(())
    }

    /// The region that begins at `base`.
    pub fn region(&self, base: u64) -> Option<&[u8]> {
        self.by_base.get(&base).map(|r| r.bytes.as_slice())
    }

    /// The regions, by ascending base.
    pub fn iter(&self) -> impl Iterator<Item = &Region> {
        self.by_base.values()
    }

    fn find(&mut self, address: u64, len: usize) -> Result<&mut [u8], Unmapped> {
        let address = address & ADDRESS_MASK;
        let unmapped = Unmapped { address };
        let (_, region) = self
            .by_base
            .range_mut(..=address)
            .next_back()
            .ok_or(unmapped)?;
        let start = usize::try_from(address - region.base).map_err(|_| unmapped)?;
        let mapped = region.bytes.len();
        let end = start.checked_add(len).ok_or(unmapped)?;
        region.bytes.get_mut(start..end).ok_or(Unmapped {
            address: address.max(region.base + mapped as u64),
        })
    }
}

impl Memory for Regions {
    fn load(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        let from = self.find(address, bytes.len())?;
        bytes.copy_from_slice(from);
        Ok(())
    }

    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        self.find(address, bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may stop

    use super::*;

    #[test]
    fn accesses_stay_in_their_region() {
        let mut m = Regions::new();
        m.map(0x1000, vec![1, 2, 3, 4]).unwrap();
        m.map(0x1004, vec![5, 6]).unwrap();
        let mut b = [0; 2];
        m.load(0x1002, &mut b).unwrap();
        assert_eq!(b, [3, 4]);
        assert_eq!(m.load(0x1003, &mut b), Err(Unmapped { address: 0x1004 }));
        assert_eq!(m.load(0x1006, &mut b), Err(Unmapped { address: 0x1006 }));
        assert_eq!(m.load(0xfff, &mut b), Err(Unmapped { address: 0xfff }));
        m.store(0xffff_0000_0000_1000, &[9]).unwrap();
        assert_eq!(m.region(0x1000), Some(&[9, 2, 3, 4][..]));
    }

    #[test]
    fn overlaps_are_refused() {
        let mut m = Regions::new();
        m.map(0x1000, vec![0; 16]).unwrap();
        for base in [0xff1, 0x1000, 0x1008] {
            let other = 0x1000;
            assert_eq!(
                m.map(base, vec![0; 16]),
                Err(RegionsError::Overlap { base, other })
            );
        }
        m.map(0xff0, vec![0; 16]).unwrap();
        m.map(0x1010, vec![0; 16]).unwrap();
        assert!(m.map(ADDRESS_MASK, vec![0; 2]).is_err());
        m.map(ADDRESS_MASK, vec![0; 1]).unwrap();
    }
}
