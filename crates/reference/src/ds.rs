//! LDS and GDS: every meaning of `Ds`. Also the lane exchanges that share the encoding.
//!
//! An address is the VGPR plus the offset modulo 2^32. An element whose bytes do not all lie in the
//! LDS reads 0 and is not written; the two elements of a two-address instruction are apart. GDS
//! addresses count from M0\[31:16\], and M0\[15:0\] bytes are in range there.

use spirdna_isa::{AtomicOp, Ds, Inst, MemData, Width};

use crate::atomic::{self, Operands, Unit};
use crate::data::{self, vector_dst, vector_src};
use crate::env::{Env, Place};
use crate::error::ExecError;
use crate::memory::AddressSpace;
use crate::state::{Wave, join};

/// Executes an instruction of the DS encoding.
pub(crate) fn execute(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    ds: Ds,
) -> Result<(), ExecError> {
    let mods = inst.mem_mods();
    let window = Window::of(wave, mods.gds);
    let offset = mods.offset as u32;
    match ds {
        Ds::Nop => Ok(()),
        Ds::Read(data) => {
            let (to, from) = (vector_dst(wave, inst, 0)?, vector_src(wave, inst, 0)?);
            let bytes = plain_bytes(wave, data)?;
            for lane in wave.active_lanes() {
                let address = wave.vgpr(from, lane).wrapping_add(offset);
                let mut raw = [0; data::MAX_BYTES];
                let (used, _) = raw.split_at_mut(bytes);
                window.load(env, wave, lane, address, used)?;
                data::write_loaded(wave, to, lane, data, used)?;
            }
            Ok(())
        }
        Ds::Write(data) => {
            let (at, from) = (vector_src(wave, inst, 0)?, vector_src(wave, inst, 1)?);
            let bytes = plain_bytes(wave, data)?;
            for lane in wave.active_lanes() {
                let address = wave.vgpr(at, lane).wrapping_add(offset);
                let raw = data::read_stored(wave, from, lane, data)?;
                let (used, _) = raw.split_at(bytes);
                window.store(env, wave, lane, address, used)?;
            }
            Ok(())
        }
        Ds::Read2(width, strided) => {
            let (to, from) = (vector_dst(wave, inst, 0)?, vector_src(wave, inst, 0)?);
            let pair = Pair::of(inst, width, strided);
            for lane in wave.active_lanes() {
                let base = wave.vgpr(from, lane);
                let mut raw = [0; 16];
                let (first, rest) = raw.split_at_mut(pair.bytes);
                let (second, _) = rest.split_at_mut(pair.bytes);
                window.load(env, wave, lane, base.wrapping_add(pair.first), first)?;
                window.load(env, wave, lane, base.wrapping_add(pair.second), second)?;
                data::write_loaded(wave, to, lane, pair.data(), &raw)?;
            }
            Ok(())
        }
        Ds::Write2(width, strided) => {
            let at = vector_src(wave, inst, 0)?;
            let pair = Pair::of(inst, width, strided);
            // All lanes write their first element before any writes its second.
            for (i, offset) in [(1, pair.first), (2, pair.second)] {
                let from = vector_src(wave, inst, i)?;
                for lane in wave.active_lanes() {
                    let address = wave.vgpr(at, lane).wrapping_add(offset);
                    let raw = data::read_stored(wave, from, lane, pair.element())?;
                    let (used, _) = raw.split_at(pair.bytes);
                    window.store(env, wave, lane, address, used)?;
                }
            }
            Ok(())
        }
        Ds::Atomic { op, width, rtn } => {
            let at = vector_src(wave, inst, 0)?;
            let to = if rtn {
                Some(vector_dst(wave, inst, 0)?)
            } else {
                None
            };
            for lane in wave.active_lanes() {
                let address = wave.vgpr(at, lane).wrapping_add(offset);
                let first = element(wave, inst, 1, lane, width)?;
                let second = match inst.src(2) {
                    Some(_) => element(wave, inst, 2, lane, width)?,
                    None => 0,
                };
                // A comparison value comes before the new value.
                let (data, other) = if matches!(op, AtomicOp::CmpSwap | AtomicOp::FCmpSwap) {
                    (second, first)
                } else {
                    (first, second)
                };
                let operands = Operands { data, other };
                let old = window.atomic(env, wave, lane, address, op, width, operands)?;
                if let Some(to) = to {
                    write_element(wave, to, lane, width, old)?;
                }
            }
            Ok(())
        }
        Ds::WrXchg2(width, strided) => {
            let (to, at) = (vector_dst(wave, inst, 0)?, vector_src(wave, inst, 0)?);
            let pair = Pair::of(inst, width, strided);
            let lanes: Vec<usize> = wave.active_lanes().collect();
            let mut old = [[0; 2]; 64];
            // Every lane's first exchange comes before any second one.
            for (i, offset) in [(0, pair.first), (1, pair.second)] {
                for &lane in &lanes {
                    let address = wave.vgpr(at, lane).wrapping_add(offset);
                    let operands = Operands {
                        data: element(wave, inst, 1 + i, lane, width)?,
                        other: 0,
                    };
                    let swap = AtomicOp::Swap;
                    old[lane % 64][i % 2] =
                        window.atomic(env, wave, lane, address, swap, width, operands)?;
                }
            }
            // The destination may be the data registers.
            for lane in lanes {
                let [first, second] = old[lane % 64];
                match width {
                    Width::B32 => {
                        wave.set_vgprs(to, lane, &[first as u32, second as u32])?;
                    }
                    Width::B64 => {
                        let words = [first, first >> 32, second, second >> 32].map(|w| w as u32);
                        wave.set_vgprs(to, lane, &words)?;
                    }
                }
            }
            Ok(())
        }
        Ds::CondXchg32 => {
            let (to, at) = (vector_dst(wave, inst, 0)?, vector_src(wave, inst, 0)?);
            let from = vector_src(wave, inst, 1)?;
            for lane in wave.active_lanes() {
                let address = wave.vgpr(at, lane).wrapping_add(offset);
                let mut old = [0; 8];
                let inside = window.load(env, wave, lane, address, &mut old)?;
                let data: [u32; 2] = wave.vgprs(from, lane)?;
                if inside {
                    // A dword is exchanged where its data's top bit is set, without that bit.
                    for (n, d) in (0..).zip(data) {
                        if d >> 31 == 1 {
                            let new = (d & 0x7fff_ffff).to_le_bytes();
                            window.store(env, wave, lane, address.wrapping_add(n * 4), &new)?;
                        }
                    }
                }
                let words = data::dwords(&old);
                let (used, _) = words.split_at(2);
                wave.set_vgprs(to, lane, used)?;
            }
            Ok(())
        }
        Ds::AtomicSrc2(op, width) => src2(wave, env, inst, window, op, width),
        Ds::WriteSrc2(width) => src2(wave, env, inst, window, AtomicOp::Swap, width),
        Ds::Permute => {
            let (to, at) = (vector_dst(wave, inst, 0)?, vector_src(wave, inst, 0)?);
            let from = vector_src(wave, inst, 1)?;
            let mut out = [0; 64];
            // The highest of several senders wins.
            for lane in wave.active_lanes() {
                let target = exchange_lane(lane, wave.vgpr(at, lane).wrapping_add(offset));
                out[target] = wave.vgpr(from, lane);
            }
            write_all(wave, to, &out);
            Ok(())
        }
        Ds::BPermute => {
            let (to, at) = (vector_dst(wave, inst, 0)?, vector_src(wave, inst, 0)?);
            let from = vector_src(wave, inst, 1)?;
            let mut out = [0; 64];
            for lane in wave.active_lanes() {
                let source = exchange_lane(lane, wave.vgpr(at, lane).wrapping_add(offset));
                out[lane % 64] = fetch(wave, from, source);
            }
            write_all(wave, to, &out);
            Ok(())
        }
        Ds::Swizzle => {
            let (to, from) = (vector_dst(wave, inst, 0)?, vector_src(wave, inst, 0)?);
            let mut out = [0; 64];
            for lane in wave.active_lanes() {
                out[lane % 64] = fetch(wave, from, swizzle_source(lane, offset));
            }
            write_all(wave, to, &out);
            Ok(())
        }
        Ds::Append => count(wave, env, inst, window, AtomicOp::Add),
        Ds::Consume => count(wave, env, inst, window, AtomicOp::Sub),
        Ds::OrderedCount => Err(wave.refuse("ordered count")),
        Ds::ReadAddTid => {
            let to = vector_dst(wave, inst, 0)?;
            for lane in wave.active_lanes() {
                let mut raw = [0; 4];
                let address = add_tid_address(wave, lane, offset);
                window.load(env, wave, lane, address, &mut raw)?;
                wave.set_vgpr(to, lane, u32::from_le_bytes(raw));
            }
            Ok(())
        }
        Ds::WriteAddTid => {
            let from = vector_src(wave, inst, 0)?;
            for lane in wave.active_lanes() {
                let raw = wave.vgpr(from, lane).to_le_bytes();
                let address = add_tid_address(wave, lane, offset);
                window.store(env, wave, lane, address, &raw)?;
            }
            Ok(())
        }
        Ds::Gws(_) => Err(wave.refuse("global wave sync")),
    }
}

/// The part of LDS or GDS that an instruction sees.
#[derive(Clone, Copy)]
struct Window {
    space: AddressSpace,
    base: u64,
    /// Bytes from the base that are in range; `None`: all of the space.
    size: Option<u64>,
    unit: Unit,
}

impl Window {
    fn of(wave: &Wave, gds: bool) -> Window {
        let unit = Unit::Lds(wave.mode);
        if gds {
            let m0 = wave.m0();
            Window {
                space: AddressSpace::Gds,
                base: u64::from(m0 >> 16),
                size: Some(u64::from(m0 & 0xffff)),
                unit,
            }
        } else {
            Window {
                space: AddressSpace::Lds,
                base: 0,
                size: None,
                unit,
            }
        }
    }

    /// The place of an access, `None` out of range.
    fn place(self, env: &Env<'_>, address: u32, bytes: usize) -> Option<Place> {
        let end = u64::from(address) + bytes as u64;
        let len = match self.space {
            AddressSpace::Gds => env.gds.bytes.len(),
            AddressSpace::Lds | AddressSpace::Global | AddressSpace::Scratch => env.lds.bytes.len(),
        } as u64;
        let inside = self.base + end <= len && self.size.is_none_or(|size| end <= size);
        inside.then_some(Place {
            space: self.space,
            address: self.base + u64::from(address),
        })
    }

    /// Reads, 0 out of range; says whether it was in range.
    fn load(
        self,
        env: &mut Env<'_>,
        wave: &Wave,
        lane: usize,
        address: u32,
        out: &mut [u8],
    ) -> Result<bool, ExecError> {
        match self.place(env, address, out.len()) {
            Some(place) => env.load(wave, Some(lane), place, out).map(|()| true),
            None => {
                out.fill(0);
                Ok(false)
            }
        }
    }

    fn store(
        self,
        env: &mut Env<'_>,
        wave: &Wave,
        lane: usize,
        address: u32,
        bytes: &[u8],
    ) -> Result<(), ExecError> {
        match self.place(env, address, bytes.len()) {
            Some(place) => env.store(wave, Some(lane), place, bytes),
            None => Ok(()),
        }
    }

    /// An atomic; the old value, 0 out of range.
    #[allow(clippy::too_many_arguments)] // an access and an operation
    fn atomic(
        self,
        env: &mut Env<'_>,
        wave: &Wave,
        lane: usize,
        address: u32,
        op: AtomicOp,
        width: Width,
        operands: Operands,
    ) -> Result<u64, ExecError> {
        let bytes = element_bytes(width);
        let Some(place) = self.place(env, address, bytes) else {
            return Ok(0);
        };
        let mut refused = None;
        let old = env.atomic(wave, Some(lane), place, bytes, |old| {
            match atomic::apply(op, width, old, operands, self.unit) {
                Ok(new) => new,
                Err(reason) => {
                    refused = Some(reason);
                    None
                }
            }
        })?;
        match refused {
            Some(reason) => Err(wave.refuse(reason)),
            None => Ok(old),
        }
    }
}

/// Offsets of a two-address instruction.
#[derive(Clone, Copy)]
struct Pair {
    bytes: usize,
    first: u32,
    second: u32,
}

impl Pair {
    /// Offsets count elements, or 64 elements.
    fn of(inst: &Inst, width: Width, strided: bool) -> Pair {
        let mods = inst.mem_mods();
        let bytes = element_bytes(width);
        let unit = bytes as u32 * if strided { 64 } else { 1 };
        Pair {
            bytes,
            first: mods.offset as u32 * unit,
            second: u32::from(mods.offset1) * unit,
        }
    }

    fn element(self) -> MemData {
        MemData::Dwords((self.bytes / 4) as u8)
    }

    fn data(self) -> MemData {
        MemData::Dwords((self.bytes / 2) as u8)
    }
}

fn element_bytes(width: Width) -> usize {
    match width {
        Width::B32 => 4,
        Width::B64 => 8,
    }
}

/// Source `i` as an element of a width.
fn element(
    wave: &Wave,
    inst: &Inst,
    i: usize,
    lane: usize,
    width: Width,
) -> Result<u64, ExecError> {
    let reg = vector_src(wave, inst, i)?;
    match width {
        Width::B32 => Ok(u64::from(wave.vgpr(reg, lane))),
        Width::B64 => {
            let [lo, hi] = wave.vgprs(reg, lane)?;
            Ok(join(lo, hi))
        }
    }
}

fn write_element(
    wave: &mut Wave,
    to: u8,
    lane: usize,
    width: Width,
    v: u64,
) -> Result<(), ExecError> {
    match width {
        Width::B32 => {
            wave.set_vgpr(to, lane, v as u32);
            Ok(())
        }
        Width::B64 => wave.set_vgpr64(to, lane, v),
    }
}

fn plain_bytes(wave: &Wave, data: MemData) -> Result<usize, ExecError> {
    data::bytes(data).ok_or_else(|| wave.refuse("formatted LDS data"))
}

/// M0\[15:0\] + offset + lane * 4.
fn add_tid_address(wave: &Wave, lane: usize, offset: u32) -> u32 {
    (wave.m0() & 0xffff) + offset + lane as u32 * 4
}

/// The lane that a byte index names for `lane`: modulo 32, in the same half of a wave64.
fn exchange_lane(lane: usize, address: u32) -> usize {
    lane & 32 | (address >> 2 & 31) as usize
}

/// A lane's register, 0 where the lane is off.
fn fetch(wave: &Wave, reg: u8, lane: usize) -> u32 {
    if wave.active(lane) {
        wave.vgpr(reg, lane)
    } else {
        0
    }
}

fn write_all(wave: &mut Wave, to: u8, values: &[u32; 64]) {
    for lane in wave.active_lanes() {
        wave.set_vgpr(to, lane, values[lane % 64]);
    }
}

/// The source lane of a swizzle: masks, a pattern of quads, a rotation, or the manual's FFT orders.
fn swizzle_source(lane: usize, offset: u32) -> usize {
    let within = (lane & 31) as u32;
    let source = if offset & 0x8000 == 0 {
        let (and, or, xor) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
        (within & and | or) ^ xor
    } else if offset & 0x4000 == 0 {
        within & !3 | offset >> ((within & 3) * 2) & 3
    } else if offset & 0x2000 == 0 {
        let (keep, by) = (offset & 31, offset >> 5 & 31);
        let rotated = if offset & 0x400 == 0 {
            within + by
        } else {
            within + 32 - by
        };
        within & keep | rotated & !keep & 31
    } else {
        let keep = offset & 31;
        let reversed = within.reverse_bits() >> 27;
        reversed >> keep.count_ones() | within & keep
    };
    lane & 32 | source as usize
}

/// An atomic whose data is in the memory too: MEM\[A\] = op(MEM\[A\], MEM\[B\]), with A the address and B so
/// many dwords behind it as the offset says (15 bits, signed). All lanes read B before any changes A.
fn src2(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    window: Window,
    op: AtomicOp,
    width: Width,
) -> Result<(), ExecError> {
    let at = vector_src(wave, inst, 0)?;
    let offset = inst.mem_mods().offset as u32;
    if offset & 0x8000 != 0 {
        // The distance would be in the address itself.
        return Err(wave.refuse("an offset1 from 128 on"));
    }
    let signed = i64::from(offset & 0x3fff) - i64::from(offset & 0x4000);
    let distance = (signed * 4) as u32;
    let bytes = element_bytes(width);
    let mut operands = [0; 64];
    for lane in wave.active_lanes() {
        let mut raw = [0; 8];
        let (used, _) = raw.split_at_mut(bytes);
        let address = wave.vgpr(at, lane).wrapping_add(distance);
        window.load(env, wave, lane, address, used)?;
        operands[lane % 64] = u64::from_le_bytes(raw);
    }
    for lane in wave.active_lanes() {
        let (data, other) = (operands[lane % 64], 0);
        let address = wave.vgpr(at, lane);
        if op == AtomicOp::Swap {
            let (used, raw) = (bytes, data.to_le_bytes());
            window.store(env, wave, lane, address, raw.split_at(used).0)?;
        } else {
            let operands = Operands { data, other };
            window.atomic(env, wave, lane, address, op, width, operands)?;
        }
    }
    Ok(())
}

/// Append and consume: the counter moves by the number of active lanes; each gets the old value.
fn count(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    window: Window,
    op: AtomicOp,
) -> Result<(), ExecError> {
    let to = vector_dst(wave, inst, 0)?;
    let exec = wave.exec();
    if exec == 0 {
        return Ok(());
    }
    let operands = Operands {
        data: u64::from(exec.count_ones()),
        other: 0,
    };
    let address = inst.mem_mods().offset as u32;
    let lane = exec.trailing_zeros() as usize;
    let old = window.atomic(env, wave, lane, address, op, Width::B32, operands)?;
    for lane in wave.active_lanes() {
        wave.set_vgpr(to, lane, old as u32);
    }
    Ok(())
}
