//! Guest memory as a list of regions. Addresses have 64 bits and count modulo 2^48 (a V# has a base
//! of 48). It knows no executor and no case file.

/// The bits of an address that count.
pub const ADDRESS_MASK: u64 = (1 << 48) - 1;

/// Bytes at a guest address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Unique name.
    pub name: String,
    /// Guest address of the first byte, as it is written (64 bits).
    pub address: u64,
    /// Content.
    pub bytes: Vec<u8>,
}

impl Region {
    /// The address modulo 2^48.
    pub const fn base(&self) -> u64 {
        self.address & ADDRESS_MASK
    }

    /// One past the last byte, modulo nothing: at most 2^48 in a [`GuestMemory`].
    pub fn end(&self) -> u64 {
        self.base() + self.bytes.len() as u64
    }
}

/// Index of a region in its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(pub usize);

/// Why a region cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// It shares bytes with another region.
    #[error("overlaps with another region")]
    Overlap(RegionId),
    /// It runs past 2^48.
    #[error("runs past the end of the address space")]
    Wraps,
}

/// An access to bytes that no region has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory at {address:#x}")]
pub struct Unmapped {
    /// The first byte that is missing, modulo 2^48.
    pub address: u64,
}

/// Regions that share no byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuestMemory {
    regions: Vec<Region>,
    /// Indices of regions that are not empty, by ascending base.
    order: Vec<usize>,
}

impl GuestMemory {
    /// No region.
    pub fn new() -> GuestMemory {
        GuestMemory::default()
    }

    /// Adds a region. An empty one is kept and never found by address.
    ///
    /// # Errors
    /// It overlaps, or runs past 2^48.
    pub fn add(&mut self, region: Region) -> Result<RegionId, PlaceError> {
        let id = RegionId(self.regions.len());
        if region.end() > ADDRESS_MASK + 1 {
            return Err(PlaceError::Wraps);
        }
        if !region.bytes.is_empty() {
            let at = self.after(region.base());
            let before = at.checked_sub(1).and_then(|i| self.at(i));
            if let Some((id, _)) = before.filter(|(_, r)| r.end() > region.base()) {
                return Err(PlaceError::Overlap(id));
            }
            if let Some((id, _)) = self.at(at).filter(|(_, r)| r.base() < region.end()) {
                return Err(PlaceError::Overlap(id));
            }
            self.order.insert(at, id.0);
        }
        self.regions.push(region);
        Ok(id)
    }

    /// Whether `bytes` from `address` on are free.
    pub fn is_free(&self, address: u64, bytes: u64) -> bool {
        let base = address & ADDRESS_MASK;
        let end = base.saturating_add(bytes);
        end <= ADDRESS_MASK + 1 && !self.sorted().any(|(_, r)| r.base() < end && base < r.end())
    }

    /// The regions, in the order in which they were added.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// A region.
    pub fn get(&self, id: RegionId) -> Option<&Region> {
        self.regions.get(id.0)
    }

    /// The bytes of a region, for an executor to write back.
    pub fn bytes_mut(&mut self, id: RegionId) -> Option<&mut [u8]> {
        self.regions.get_mut(id.0).map(|r| r.bytes.as_mut_slice())
    }

    /// The region of a name.
    pub fn find(&self, name: &str) -> Option<RegionId> {
        self.regions
            .iter()
            .position(|r| r.name == name)
            .map(RegionId)
    }

    /// Regions that are not empty, by ascending base.
    pub fn sorted(&self) -> impl Iterator<Item = (RegionId, &Region)> {
        (0..self.order.len()).filter_map(|i| self.at(i))
    }

    fn at(&self, position: usize) -> Option<(RegionId, &Region)> {
        let &id = self.order.get(position)?;
        Some((RegionId(id), self.regions.get(id)?))
    }

    /// Position in `order` of the first region whose base is above `base`.
    fn after(&self, base: u64) -> usize {
        self.order
            .partition_point(|&i| self.regions.get(i).is_some_and(|r| r.base() <= base))
    }

    /// The region that holds the byte at `address`, and where in it.
    fn locate(&self, address: u64) -> Result<(usize, usize), Unmapped> {
        let address = address & ADDRESS_MASK;
        let found = self.after(address).checked_sub(1).and_then(|i| self.at(i));
        match found {
            Some((id, r)) if address < r.end() => Ok((id.0, (address - r.base()) as usize)),
            _ => Err(Unmapped { address }),
        }
    }

    /// Reads bytes, also across regions that touch.
    ///
    /// # Errors
    /// A byte has no region; `into` is then unspecified.
    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Unmapped> {
        let mut done = 0;
        while let Some(rest) = into.get_mut(done..).filter(|r| !r.is_empty()) {
            let (region, offset) = self.locate(address.wrapping_add(done as u64))?;
            let from = self.regions.get(region).and_then(|r| r.bytes.get(offset..));
            let from = from.unwrap_or_default();
            let n = rest.len().min(from.len());
            for (to, &byte) in rest.iter_mut().zip(from) {
                *to = byte;
            }
            done += n;
        }
        Ok(())
    }

    /// Writes bytes, also across regions that touch; nothing is written on an error.
    ///
    /// # Errors
    /// A byte has no region.
    pub fn write(&mut self, address: u64, from: &[u8]) -> Result<(), Unmapped> {
        self.check(address, from.len())?;
        let mut done = 0;
        while let Some(rest) = from.get(done..).filter(|r| !r.is_empty()) {
            let (region, offset) = self.locate(address.wrapping_add(done as u64))?;
            let to = self
                .regions
                .get_mut(region)
                .and_then(|r| r.bytes.get_mut(offset..))
                .unwrap_or_default();
            let n = rest.len().min(to.len());
            for (to, &byte) in to.iter_mut().zip(rest) {
                *to = byte;
            }
            done += n;
        }
        Ok(())
    }

    /// Whether every one of `bytes` bytes has a region.
    ///
    /// # Errors
    /// The first byte that has none.
    pub fn check(&self, address: u64, bytes: usize) -> Result<(), Unmapped> {
        let mut done = 0;
        while done < bytes {
            let (region, offset) = self.locate(address.wrapping_add(done as u64))?;
            done += self
                .regions
                .get(region)
                .map_or(1, |r| r.bytes.len() - offset);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    fn region(name: &str, address: u64, bytes: &[u8]) -> Region {
        Region {
            name: name.to_owned(),
            address,
            bytes: bytes.to_vec(),
        }
    }

    fn two() -> GuestMemory {
        let mut m = GuestMemory::new();
        m.add(region("b", 0x1_0000_0004, &[5, 6, 7])).unwrap();
        m.add(region("a", 0x1_0000_0000, &[1, 2, 3, 4])).unwrap();
        m
    }

    #[test]
    fn touching_regions_are_crossed_and_gaps_are_not() {
        let mut m = two();
        let mut got = [0; 4];
        m.read(0x1_0000_0002, &mut got).unwrap();
        assert_eq!(got, [3, 4, 5, 6]);
        m.write(0x1_0000_0003, &[9, 8]).unwrap();
        assert_eq!(m.regions()[0].bytes, [8, 6, 7]);
        assert_eq!(m.regions()[1].bytes, [1, 2, 3, 9]);
        let end = Unmapped {
            address: 0x1_0000_0007,
        };
        assert_eq!(m.write(0x1_0000_0005, &[0, 0, 0]), Err(end));
        assert_eq!(m.regions()[0].bytes, [8, 6, 7]);
        let before = Unmapped {
            address: 0xffff_ffff,
        };
        assert_eq!(m.read(0xffff_ffff, &mut got), Err(before));
    }

    #[test]
    fn addresses_count_modulo_2_48() {
        let mut m = two();
        let high = m.add(region("c", 0xffff_8000_0000_0000, &[42; 4])).unwrap();
        let mut got = [0; 1];
        m.read(0x8000_0000_0003, &mut got).unwrap();
        assert_eq!(got, [42]);
        m.read(0xabcd_0001_0000_0000, &mut got).unwrap();
        assert_eq!(got, [1]);
        assert_eq!(
            m.add(region("d", 0x8000_0000_0002, &[0; 1])),
            Err(PlaceError::Overlap(high))
        );
        assert_eq!(
            m.add(region("e", 0xffff_ffff_ffff_fffe, &[0; 4])),
            Err(PlaceError::Wraps)
        );
    }

    #[test]
    fn overlaps_from_both_sides() {
        let mut m = two();
        let (b, a) = (RegionId(0), RegionId(1));
        let add = |m: &mut GuestMemory, at, n| m.add(region("x", at, &vec![0; n]));
        assert_eq!(add(&mut m, 0xffff_ffff, 2), Err(PlaceError::Overlap(a)));
        assert_eq!(add(&mut m, 0x1_0000_0006, 1), Err(PlaceError::Overlap(b)));
        assert!(!m.is_free(0xffff_fffc, 5) && m.is_free(0xffff_fffc, 4));
        assert!(add(&mut m, 0xffff_fffc, 4).is_ok());
        assert!(add(&mut m, 0x1_0000_0007, 1).is_ok());
        assert!(add(&mut m, 0x1_0000_0000, 0).is_ok());
    }
}
