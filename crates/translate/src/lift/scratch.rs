//! A lane's scratch, as SCRATCH instructions and FLAT's scratch aperture reach it: nothing else does, and what
//! FLAT_SCRATCH holds does not count. Zero at entry where it is an array of the invocation's own; scratch of more
//! bytes than such an array should have lies in guest memory, where the caller put it: each lane of the grid has
//! its bytes there, one behind the other. Knows no encoding.

use spirdna_isa::MemData;

use super::Lift;
use super::memory::{Words, item_width};
use crate::error::Reason;
use crate::ir::{Area, Input, MemWidth, Value};

/// Bytes that a lane's scratch takes in guest memory: it begins at a multiple of them.
const SCRATCH_ALIGN: u32 = 16;

/// Bytes of scratch up to which a lane has them in an array of its invocation: of 64 lanes in one, 256 KiB.
pub(super) const MAX_OWN_BYTES: u32 = 4096;

/// Where lanes reach their scratch.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scratch {
    /// In the array of the invocation.
    Own {
        /// Byte: I32.
        at: Value,
        /// Lanes that go there: in range.
        guard: Value,
        /// It is known to be a multiple of 4.
        aligned: bool,
    },
    /// In guest memory.
    Lent {
        /// Guest address: I64.
        address: Value,
        /// Lanes that go there.
        guard: Value,
        /// Low bits of the address that are zero.
        zeros: u32,
    },
}

impl Lift<'_> {
    /// The lanes of `guard` whose `bytes` at `at` (I64) lie in their scratch; the others of it fault.
    pub(super) fn inside_scratch(&mut self, at: Value, bytes: u32, guard: Value) -> Value {
        let Some(last) = self.launch.scratch_bytes.checked_sub(bytes) else {
            self.fault(at, guard);
            return self.b.const_bool(false);
        };
        let last = self.b.const64(u64::from(last));
        let inside = self.b.ule(at, last);
        let outside = self.b.not(inside);
        let bad = self.b.and(guard, outside);
        self.fault(at, bad);
        self.b.and(guard, inside)
    }

    /// Where `at` (I64) bytes from the begin of the lanes' scratch are; lanes of `guard` that leave it
    /// fault.
    pub(super) fn scratch_places(&mut self, at: Value, bytes: u32, guard: Value) -> Scratch {
        let zeros = self.low_zeros(at);
        let low = self.b.lo(at);
        let guard = self.inside_scratch(at, bytes, guard);
        if self.launch.scratch_bytes <= MAX_OWN_BYTES {
            return Scratch::Own {
                at: low,
                guard,
                aligned: zeros >= 2,
            };
        }
        let (wave, lane) = self.scratch_begin();
        // Where it is in the lane's scratch, 32 bits hold it.
        let behind = self.b.add(lane, low);
        let behind = self.b.zext(behind);
        Scratch::Lent {
            address: self.b.add(wave, behind),
            guard,
            zeros: zeros.min(SCRATCH_ALIGN.trailing_zeros()),
        }
    }

    /// Guest address of the wave's scratch (uniform), and how far behind it the lane's begins (I32), where 32
    /// bits hold that.
    fn scratch_begin(&mut self) -> (Value, Value) {
        let lane_bytes = self.launch.scratch_bytes.next_multiple_of(SCRATCH_ALIGN);
        let wave_bytes = self
            .b
            .const32(lane_bytes.wrapping_mul(self.launch.wave.lanes()));
        let wave = self.wave_number();
        let lo = self.b.mul(wave, wave_bytes);
        let hi = self.b.mul_hi_u(wave, wave_bytes);
        let wave = self.b.pack(lo, hi);
        let base = self.area_base(Area::Scratch);
        let wave = self.b.add(base, wave);
        let lane = self.b.input(Input::LaneId);
        let lane_bytes = self.b.const32(lane_bytes);
        (wave, self.b.mul(lane, lane_bytes))
    }

    /// Loads one item from the lanes' own scratch: 0 in the other lanes.
    pub(super) fn scratch_load_data(
        &mut self,
        (at, guard, aligned): (Value, Value, bool),
        data: MemData,
        items: u32,
    ) -> Result<Words, Reason> {
        let width = item_width(data)?;
        let step = if width == MemWidth::B32 { 4 } else { 1 };
        Ok((0..items)
            .map(|i| self.b.scratch_load(at, guard, width, i * step, aligned))
            .collect())
    }

    /// Stores one item to the lanes' own scratch.
    pub(super) fn scratch_store_data(
        &mut self,
        (at, guard, aligned): (Value, Value, bool),
        data: MemData,
        words: &[Value],
    ) -> Result<(), Reason> {
        let width = item_width(data)?;
        let step = if width == MemWidth::B32 { 4 } else { 1 };
        for (i, &word) in (0..).zip(words) {
            self.b
                .scratch_store(at, word, guard, width, i * step, aligned);
        }
        Ok(())
    }
}
