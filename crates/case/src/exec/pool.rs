//! Guest memory as one pool of bytes and a table of windows into it: what a translated module with
//! the window model binds. Knows the table's layout (`BufferUse` in the translator's reflection) and
//! no Vulkan.

use spirdna_translate::reflect::POOL_RESERVED;

use crate::memory::{GuestMemory, RegionId};

/// Bytes at the start of the pool that no window has: reads that must not happen go there.
const RESERVED: usize = POOL_RESERVED as usize;

/// A window keeps its address modulo this in the pool, so that what is aligned stays aligned.
const ALIGN: usize = 256;

/// A run of regions that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Guest address, 48 bits.
    pub base: u64,
    /// Bytes.
    pub bytes: u32,
    /// Byte offset in the pool, a multiple of 4.
    pub offset: u32,
}

/// Memory laid out for a device.
#[derive(Clone, Debug)]
pub struct Pool {
    /// The bytes; a whole number of dwords.
    pub bytes: Vec<u8>,
    /// By ascending base.
    pub windows: Vec<Window>,
    /// Where each region lies.
    places: Vec<(RegionId, usize)>,
}

/// The memory does not fit 32-bit offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the memory regions need more than 4 GiB")]
pub struct TooLarge;

impl Pool {
    /// Lays memory out.
    ///
    /// # Errors
    /// It needs more than 32-bit offsets.
    pub fn new(memory: &GuestMemory) -> Result<Pool, TooLarge> {
        let mut pool = Pool {
            bytes: vec![0; RESERVED],
            windows: Vec::new(),
            places: Vec::new(),
        };
        let mut end = None;
        for (id, region) in memory.sorted() {
            let length = u32::try_from(region.bytes.len()).map_err(|_| TooLarge)?;
            let touching = pool
                .windows
                .last_mut()
                .filter(|_| end == Some(region.base()));
            match touching {
                Some(window) => {
                    window.bytes = window.bytes.checked_add(length).ok_or(TooLarge)?;
                }
                None => {
                    let low = (region.base() % ALIGN as u64) as usize;
                    let start = pool.bytes.len().next_multiple_of(ALIGN) + low;
                    pool.bytes.resize(start, 0);
                    pool.windows.push(Window {
                        base: region.base(),
                        bytes: length,
                        offset: u32::try_from(start).map_err(|_| TooLarge)?,
                    });
                }
            }
            pool.places.push((id, pool.bytes.len()));
            pool.bytes.extend_from_slice(&region.bytes);
            end = Some(region.end());
        }
        let whole = pool.bytes.len().next_multiple_of(4);
        pool.bytes.resize(whole, 0);
        u32::try_from(whole).map_err(|_| TooLarge)?;
        Ok(pool)
    }

    /// How many windows memory needs.
    pub fn windows(memory: &GuestMemory) -> usize {
        let mut end = None;
        let begins = memory.sorted().filter(|(_, region)| {
            let touches = end == Some(region.base());
            end = Some(region.end());
            !touches
        });
        begins.count()
    }

    /// The window table: the count, three dwords of padding, then base low, base high, bytes and
    /// offset of each window.
    pub fn table(&self) -> Vec<u8> {
        let mut words = vec![self.windows.len() as u32, 0, 0, 0];
        for w in &self.windows {
            words.extend([w.base as u32, (w.base >> 32) as u32, w.bytes, w.offset]);
        }
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    /// Where each region lies.
    pub fn places(&self) -> impl Iterator<Item = (RegionId, usize)> + '_ {
        self.places.iter().copied()
    }

    /// Writes the pool's bytes back to the regions.
    pub fn write_back(&self, memory: &mut GuestMemory) {
        for &(id, start) in &self.places {
            if let Some(to) = memory.bytes_mut(id) {
                let from = self.bytes.get(start..).unwrap_or_default();
                for (to, &from) in to.iter_mut().zip(from) {
                    *to = from;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;
    use crate::memory::Region;

    #[test]
    fn touching_regions_share_a_window_and_come_back() {
        let mut memory = GuestMemory::new();
        let mut add = |name: &str, address, bytes: &[u8]| {
            let name = name.to_owned();
            let bytes = bytes.to_vec();
            memory
                .add(Region {
                    name,
                    address,
                    bytes,
                })
                .unwrap()
        };
        let high = add("high", 0xffff_8000_0000_0010, &[9, 8, 7]);
        let second = add("second", 0x1_0000_0008, &[5, 6, 7, 8]);
        add("first", 0x1_0000_0004, &[1, 2, 3, 4]);
        let mut pool = Pool::new(&memory).unwrap();
        let window = |base, bytes, offset| Window {
            base,
            bytes,
            offset,
        };
        assert_eq!(
            pool.windows,
            [
                window(0x1_0000_0004, 8, 0x104),
                window(0x8000_0000_0010, 3, 0x210)
            ]
        );
        assert_eq!(Pool::windows(&memory), 2);
        assert_eq!(pool.bytes.len(), 0x214);
        assert_eq!(pool.bytes[0x104..0x10c], [1, 2, 3, 4, 5, 6, 7, 8]);
        let table: Vec<u32> = crate::code::little_endian(&pool.table()).unwrap();
        assert_eq!(table[..8], [2, 0, 0, 0, 4, 1, 8, 0x104]);
        assert_eq!(table[8..], [0x10, 0x8000, 3, 0x210]);
        pool.bytes[0x10b] = 42;
        pool.bytes[0x210] = 43;
        pool.bytes[0x213] = 99;
        pool.write_back(&mut memory);
        assert_eq!(memory.get(second).unwrap().bytes, [5, 6, 7, 42]);
        assert_eq!(memory.get(high).unwrap().bytes, [43, 8, 7]);
    }
}
