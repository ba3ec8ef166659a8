//! Guest memory behind addresses of a device: what a translated module with the offset or the page model
//! reads, as buffers and places in them where addresses go. Knows the layouts of `BufferUse::Ranges` and
//! `BufferUse::Pages` in the translator's reflection, and no device.

use std::collections::BTreeMap;

use super::RunError;
use super::pool::Pool;
use crate::memory::GuestMemory;

/// Bytes before what is mapped: the first 16 are the zeros that the models ask for.
const HEAD: usize = 256;

/// Pages of a memory at most, so that tables stay small.
const MAX_PAGES: u64 = 1 << 14;

/// An address that is written before the run: of byte `add` of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Patch {
    /// Where it goes: what the module binds, or the buffer of this number.
    pub(super) into: Option<usize>,
    /// Byte there.
    pub(super) at: usize,
    /// The buffer whose address is meant.
    pub(super) buffer: usize,
    /// Added to it.
    pub(super) add: u64,
}

/// Memory laid out for a model with addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct Addressed {
    /// What the module binds: the ranges, or the pages.
    pub(super) table: Vec<u8>,
    /// Buffers that only addresses reach.
    pub(super) buffers: Vec<Vec<u8>>,
    /// Addresses to write.
    pub(super) patches: Vec<Patch>,
    /// Runs of guest bytes: guest address, byte of buffer 0, bytes.
    runs: Vec<(u64, usize, usize)>,
    /// Guest addresses of pages, from entry 1 on; of the page model.
    pages: Vec<u64>,
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    let place = bytes.get_mut(at..at + value.len()).unwrap_or_default();
    for (to, &from) in place.iter_mut().zip(value) {
        *to = from;
    }
}

impl Addressed {
    /// The windows of a pool as ranges.
    pub(super) fn ranges(mut pool: Pool, memory: &GuestMemory) -> Addressed {
        let mut laid = Addressed::default();
        laid.patch(None, 8, 0, 0);
        let mut numbers = vec![pool.windows.len() as u64, 0, 0, 0];
        for window in &pool.windows {
            laid.patch(None, 8 * (numbers.len() + 2), 0, window.offset as usize);
            numbers.extend([window.base, window.bytes.into(), 0, 0]);
        }
        laid.table = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        for (id, at) in pool.places() {
            if let Some(region) = memory.get(id) {
                laid.runs.push((region.base(), at, region.bytes.len()));
            }
        }
        laid.buffers.push(std::mem::take(&mut pool.bytes));
        laid
    }

    fn run(&mut self, address: u64, at: usize, bytes: &[u8]) {
        self.runs.push((address, at, bytes.len()));
        if let Some(buffer) = self.buffers.first_mut() {
            put(buffer, at, bytes);
        }
    }

    /// Pages, small ones and in another order than the guest's, so that what crosses from one to the next
    /// is seen. Behind each run of pages one is known and missing.
    ///
    /// # Errors
    /// The regions lie in more spans than the module looks up.
    pub(super) fn pages(memory: &GuestMemory, most: u32) -> Result<Addressed, RunError> {
        let total: u64 = memory.sorted().map(|(_, r)| r.end() - r.base()).sum();
        let shift = (7..31).find(|&s| total >> s <= MAX_PAGES).unwrap_or(31);
        let size = 1usize << shift;
        // Guest pages that are there, and one behind each run of them.
        let mut there: BTreeMap<u64, bool> = BTreeMap::new();
        for (_, region) in memory.sorted() {
            let (first, last) = (region.base() >> shift, (region.end() - 1) >> shift);
            there.extend((first..=last).map(|page| (page, true)));
            there.entry(last + 1).or_insert(false);
        }
        let pages: Vec<(u64, bool)> = there.into_iter().collect();
        let count = pages.len();
        // Entry i + 1 is of page i: entry 0 is nobody's.
        let entry = |i: usize| i + 1;
        // The last page first.
        let place = |i: usize| HEAD + (count - 1 - i) * size;
        let mut spans: Vec<[u64; 3]> = Vec::new();
        let mut laid = Addressed {
            buffers: vec![
                vec![0; HEAD + count * size],
                vec![0; 8 * entry(count)],
                vec![0; 4 * entry(count).div_ceil(32)],
            ],
            ..Addressed::default()
        };
        for (at, buffer) in [(8, 0), (16, 1), (24, 2)] {
            laid.patch(None, at, buffer, 0);
        }
        for (i, &(page, there)) in pages.iter().enumerate() {
            match spans.last_mut().filter(|[first, n, _]| first + n == page) {
                Some([_, n, _]) => *n += 1,
                None => spans.push([page, 1, entry(i) as u64]),
            }
            if there {
                laid.patch(Some(1), 8 * entry(i), 0, place(i));
            }
        }
        if spans.len() > most as usize {
            let text = format!("{} spans, and the module looks up {most}", spans.len());
            return Err(RunError::Unsupported(text));
        }
        let mut words = vec![shift as u32, spans.len() as u32, 0, 0, 0, 0, 0, 0];
        for [page, n, first] in spans {
            words.extend([page as u32, (page >> 32) as u32, n as u32, first as u32]);
        }
        laid.table = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        for (_, region) in memory.sorted() {
            let mut done = 0;
            while let Some(rest) = region.bytes.get(done..).filter(|r| !r.is_empty()) {
                let address = region.base() + done as u64;
                let within = (address % size as u64) as usize;
                let n = rest.len().min(size - within);
                let (part, _) = rest.split_at(n);
                if let Ok(i) = pages.binary_search_by_key(&(address >> shift), |p| p.0) {
                    laid.run(address, place(i) + within, part);
                }
                done += n;
            }
        }
        let numbers = pages.iter().map(|&(page, _)| page << shift);
        laid.pages = numbers.collect();
        Ok(laid)
    }

    fn patch(&mut self, into: Option<usize>, at: usize, buffer: usize, add: usize) {
        self.patches.push(Patch {
            into,
            at,
            buffer,
            add: add as u64,
        });
    }

    /// Writes the bytes back to the regions.
    pub(super) fn write_back(&self, memory: &mut GuestMemory) {
        let Some(buffer) = self.buffers.first() else {
            return;
        };
        for &(address, at, bytes) in &self.runs {
            if let Some(from) = buffer.get(at..at + bytes) {
                // A region that was lent is none of the memory's.
                let _ = memory.write(address, from);
            }
        }
    }

    /// Guest addresses of the pages that the run missed.
    pub(super) fn missed(&self) -> Vec<u64> {
        let Some(bits) = self.buffers.get(2) else {
            return Vec::new();
        };
        let bit = |i: usize| bits.get(i / 8).is_some_and(|byte| byte >> (i % 8) & 1 != 0);
        let missed = (1..).zip(&self.pages).filter(|&(entry, _)| bit(entry));
        missed.map(|(_, &page)| page).collect()
    }
}
