//! MUBUF and MTBUF: addresses, bounds and swizzles of the V#, raw and formatted data, atomics. The
//! conversions of formats are `format`'s.
//!
//! With index = idxen + add_tid (without a wrap) and offset = offen + instruction offset (modulo 2^32),
//! - linear: base + SOFFSET + index * stride + offset;
//! - swizzled: as the manual's blocks of `index_stride` records with elements of 4 bytes, which no
//!   dword of an access may cross, plus base and SOFFSET.
//!
//! A load with LDS set puts the dword that a register would get at M0[15:0] + instruction offset + 4 * lane
//! of the LDS; one with TFE set writes 0, resident, to the register behind its data.
//!
//! Bounds do not count SOFFSET; with a stride of 0 the structured rule looks at the index alone. A raw access is checked at the first byte of each dword, a formatted
//! one and an atomic at its first byte, whole.

use spirdna_isa::descriptor::{BufferDescriptor, DstSel, OobSelect};
use spirdna_isa::format::{BufferFormat, NumberType};
use spirdna_isa::{AtomicOp, Buffer, Encoding, Inst, MemData, Operand, SReg, Sem, Ty, Width};

use crate::atomic::{self, Operands, Unit};
use crate::data::{self, registers, src, vector_dst, vector_src};
use crate::env::{Env, Place};
use crate::error::{ExecError, Fault, FaultKind};
use crate::format;
use crate::memory::{ADDRESS_MASK, AddressSpace};
use crate::state::{Wave, join};

/// Bytes of a swizzle element on gfx10.
const ELEMENT: u64 = 4;

/// Executes a buffer instruction.
pub(crate) fn execute(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    buffer: Buffer,
) -> Result<(), ExecError> {
    match buffer {
        Buffer::Load(data) => load(wave, env, inst, data),
        Buffer::Store(data) => store(wave, env, inst, data),
        Buffer::StoreLds => Err(wave.refuse("buffer store from LDS")),
        Buffer::Atomic(op, width) => read_modify_write(wave, env, inst, op, width),
        // Memory is in order here, and there are no caches.
        Buffer::Cache => Ok(()),
    }
}

/// What an instruction's scalar side says of addresses.
#[derive(Clone, Copy)]
struct View {
    v: BufferDescriptor,
    soffset: u64,
    inst_offset: u64,
    /// First VGPR of the address and which parts it has.
    vaddr: Option<u8>,
    idxen: bool,
    offen: bool,
}

/// Index and offset of a lane.
#[derive(Clone, Copy)]
struct Element {
    lane: usize,
    index: u64,
    offset: u64,
}

impl View {
    /// Reads V#, SOFFSET and modifiers; the address operand is source `i`.
    fn of(wave: &Wave, inst: &Inst, i: usize) -> Result<View, ExecError> {
        let mods = inst.mem_mods();
        let loads = matches!(inst.sem(), Sem::Buffer(Buffer::Load(_)));
        if mods.tfe && (mods.lds || !loads) {
            return Err(wave.refuse("TFE"));
        }
        if mods.lds && !loads {
            return Err(wave.refuse("LDS"));
        }
        let vaddr = match src(wave, inst, i)? {
            (Operand::V(r), _) => Some(r),
            _ => None,
        };
        let (Operand::S(srsrc), _) = src(wave, inst, i + 1)? else {
            return Err(wave.refuse("a V# that is no register"));
        };
        let v = BufferDescriptor::from_words(wave.sgprs(srsrc)?);
        if v.ty != 0 {
            return Err(wave.refuse("a descriptor that is no buffer"));
        }
        let soffset = wave.scalar(src(wave, inst, i + 2)?.0, Ty::U32)?;
        Ok(View {
            v,
            soffset,
            inst_offset: mods.offset as u64,
            vaddr,
            idxen: mods.idxen,
            offen: mods.offen,
        })
    }

    fn element(&self, wave: &Wave, lane: usize) -> Result<Element, ExecError> {
        let mut index = if self.v.add_tid { lane as u64 } else { 0 };
        let mut offset = self.inst_offset;
        if let Some(r) = self.vaddr {
            match (self.idxen, self.offen) {
                (true, true) => {
                    let [i, o]: [u32; 2] = wave.vgprs(r, lane)?;
                    index += u64::from(i);
                    offset += u64::from(o);
                }
                (true, false) => index += u64::from(wave.vgpr(r, lane)),
                (false, true) => offset += u64::from(wave.vgpr(r, lane)),
                (false, false) => {}
            }
        }
        Ok(Element {
            lane,
            index,
            offset: offset & 0xffff_ffff,
        })
    }

    /// The byte at `offset` of a record, relative to base and SOFFSET. The index counts modulo 2^32
    /// here: one that carried is in range only where nothing bounds it.
    fn relative(&self, e: Element, offset: u64) -> u64 {
        let stride = u64::from(self.v.stride);
        let index = e.index & 0xffff_ffff;
        if self.v.swizzle_enable {
            let is = u64::from(self.v.index_stride);
            let block = index / is * stride + offset / ELEMENT * ELEMENT;
            block * is + index % is * ELEMENT + offset % ELEMENT
        } else {
            index * stride + offset
        }
    }

    /// Whether an access that begins at `offset` of the record is in range.
    fn in_range(&self, e: Element, offset: u64) -> bool {
        let records = u64::from(self.v.num_records);
        match self.v.oob_select {
            OobSelect::Structured => {
                let stride = u64::from(self.v.stride);
                e.index < records && (stride == 0 || offset < stride)
            }
            OobSelect::Index => e.index < records,
            OobSelect::NumRecordsZero => records != 0,
            OobSelect::Raw if self.v.swizzle_enable => self.relative(e, offset) < records,
            OobSelect::Raw => offset < records,
        }
    }

    fn place(&self, e: Element, offset: u64) -> Place {
        let relative = self.relative(e, offset);
        let sum = self
            .v
            .base
            .wrapping_add(self.soffset)
            .wrapping_add(relative);
        Place::global(sum & ADDRESS_MASK)
    }

    /// Swizzled accesses must not cross elements: the manual wants them on dwords.
    fn check_element(
        &self,
        wave: &Wave,
        e: Element,
        offset: u64,
        bytes: usize,
    ) -> Result<(), ExecError> {
        if offset % ELEMENT + (bytes as u64).min(ELEMENT) <= ELEMENT {
            return Ok(());
        }
        Err(misaligned(wave, e, self.place(e, offset), bytes as u32))
    }

    /// Loads bytes from `at` bytes behind the element's offset, without a check.
    fn load(
        &self,
        wave: &Wave,
        env: &mut Env<'_>,
        e: Element,
        at: u64,
        out: &mut [u8],
    ) -> Result<(), ExecError> {
        let first = e.offset + at;
        if self.v.swizzle_enable {
            self.check_element(wave, e, first, out.len())?;
            for (offset, o) in (first..).zip(out) {
                let place = self.place(e, offset);
                env.load(wave, Some(e.lane), place, std::slice::from_mut(o))?;
            }
            Ok(())
        } else {
            env.load(wave, Some(e.lane), self.place(e, first), out)
        }
    }

    /// Loads up to four bytes, zero-extended; 0 where they are out of range.
    fn load_word(
        &self,
        wave: &Wave,
        env: &mut Env<'_>,
        e: Element,
        data: MemData,
        inside: bool,
    ) -> Result<u32, ExecError> {
        let mut raw = [0; 4];
        let (used, _) = raw.split_at_mut(data::bytes(data).unwrap_or(4).min(4));
        if inside {
            self.load(wave, env, e, 0, used)?;
        }
        Ok(u32::from_le_bytes(raw))
    }

    fn store(
        &self,
        wave: &Wave,
        env: &mut Env<'_>,
        e: Element,
        at: u64,
        bytes: &[u8],
    ) -> Result<(), ExecError> {
        let first = e.offset + at;
        if self.v.swizzle_enable {
            self.check_element(wave, e, first, bytes.len())?;
            for (offset, b) in (first..).zip(bytes) {
                let place = self.place(e, offset);
                env.store(wave, Some(e.lane), place, std::slice::from_ref(b))?;
            }
            Ok(())
        } else {
            env.store(wave, Some(e.lane), self.place(e, first), bytes)
        }
    }
}

/// The format that an instruction uses and where its components go.
#[derive(Clone, Copy)]
struct Typed {
    /// `None` for a reserved or invalid code.
    format: Option<BufferFormat>,
    code: u8,
    select: [DstSel; 4],
}

impl Typed {
    /// MTBUF names its format and does not swizzle; MUBUF takes both from the V#.
    fn of(inst: &Inst, v: &BufferDescriptor) -> Typed {
        let (code, select) = if inst.encoding() == Encoding::Mtbuf {
            (inst.mem_mods().format, [0, 1, 2, 3].map(DstSel::Component))
        } else {
            (v.format_code, v.dst_sel)
        };
        Typed {
            format: BufferFormat::from_code(code),
            code,
            select,
        }
    }

    fn format(&self, wave: &Wave) -> Result<BufferFormat, ExecError> {
        self.format
            .ok_or_else(|| wave.refuse(format!("buffer format code {}", self.code)))
    }

    /// Components through the destination select. Out of range the components are 0, but a constant
    /// one stays.
    fn selected<T: Copy + Default>(
        &self,
        wave: &Wave,
        components: [T; 4],
        one: impl Fn(NumberType) -> T,
    ) -> Result<[T; 4], ExecError> {
        let mut out = [T::default(); 4];
        for (o, select) in out.iter_mut().zip(self.select) {
            *o = match select {
                DstSel::Zero => T::default(),
                DstSel::One => one(self.format(wave)?.number()),
                DstSel::Component(c) => components.get(usize::from(c)).copied().unwrap_or_default(),
                DstSel::NBc1 | DstSel::Reserved => {
                    return Err(wave.refuse(format!("destination select {select:?}")));
                }
            };
        }
        Ok(out)
    }

    /// Refuses a store whose V# would move components: no row shows what becomes of them.
    fn check_store(&self, wave: &Wave, format: BufferFormat) -> Result<(), ExecError> {
        let components = format.layout().components();
        let straight = (0..)
            .zip(self.select)
            .take(components)
            .all(|(i, s)| s == DstSel::Component(i));
        if straight {
            Ok(())
        } else {
            Err(wave.refuse("a formatted store with a destination select"))
        }
    }
}

/// A formatted element must lie on its component's (a packed one on a dword's) boundary.
fn check_alignment(
    wave: &Wave,
    view: &View,
    e: Element,
    format: BufferFormat,
) -> Result<(), ExecError> {
    let place = view.place(e, e.offset);
    if place
        .address
        .is_multiple_of(u64::from(format.layout().alignment()))
    {
        return Ok(());
    }
    Err(misaligned(wave, e, place, format.layout().bytes()))
}

fn misaligned(wave: &Wave, e: Element, place: Place, bytes: u32) -> ExecError {
    ExecError::Fault(Fault {
        pc: wave.pc,
        lane: Some(e.lane as u8),
        space: place.space,
        address: place.address,
        bytes,
        kind: FaultKind::Misaligned,
    })
}

/// A load with LDS set: the dword that a register would get goes to LDS. The lanes come in order, each with
/// the byte of its dword; those whose dword is not inside do nothing.
fn load_to_lds(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    data: MemData,
) -> Result<(), ExecError> {
    let view = View::of(wave, inst, 0)?;
    let typed = Typed::of(inst, &view.v);
    let first = u64::from(wave.sgpr(SReg::M0) & 0xffff) + view.inst_offset;
    for lane in wave.active_lanes() {
        let at = first + 4 * lane as u64;
        if at + 4 > env.lds.bytes.len() as u64 {
            continue;
        }
        let e = view.element(wave, lane)?;
        if !at.is_multiple_of(4) {
            return Err(ExecError::Fault(Fault {
                pc: wave.pc,
                lane: Some(lane as u8),
                space: AddressSpace::Lds,
                address: at,
                bytes: 4,
                kind: FaultKind::Misaligned,
            }));
        }
        let inside = view.in_range(e, e.offset);
        let word = match data {
            MemData::U8 | MemData::U16 | MemData::Dwords(1) => {
                view.load_word(wave, env, e, data, inside)?
            }
            MemData::I8 => view.load_word(wave, env, e, data, inside)? as i8 as u32,
            MemData::I16 => view.load_word(wave, env, e, data, inside)? as i16 as u32,
            MemData::Format(1) => {
                let mut raw = [0; format::MAX_ELEMENT];
                if inside {
                    let format = typed.format(wave)?;
                    check_alignment(wave, &view, e, format)?;
                    let (used, _) = raw.split_at_mut(format.layout().bytes() as usize);
                    view.load(wave, env, e, 0, used)?;
                }
                let format = typed.format.filter(|_| inside);
                let components = format.map_or([0; 4], |f| format::load(f, &raw));
                let [word, ..] = typed.selected(wave, components, format::one)?;
                word
            }
            MemData::D16U8 { .. }
            | MemData::D16I8 { .. }
            | MemData::D16B16 { .. }
            | MemData::Dwords(_)
            | MemData::Format(_)
            | MemData::FormatD16(_)
            | MemData::FormatD16Hi => {
                return Err(wave.refuse("several dwords or halves to LDS"));
            }
        };
        env.lds.store(at, &word.to_le_bytes());
    }
    Ok(())
}

/// Registers that a load writes, without the status of TFE.
fn data_registers(data: MemData) -> u32 {
    match data {
        MemData::Format(n) => u32::from(n),
        MemData::FormatD16(n) => u32::from(n).div_ceil(2),
        MemData::Dwords(n) => u32::from(n),
        MemData::U8
        | MemData::I8
        | MemData::U16
        | MemData::I16
        | MemData::D16U8 { .. }
        | MemData::D16I8 { .. }
        | MemData::D16B16 { .. }
        | MemData::FormatD16Hi => 1,
    }
}

fn load(wave: &mut Wave, env: &mut Env<'_>, inst: &Inst, data: MemData) -> Result<(), ExecError> {
    if inst.mem_mods().lds {
        return load_to_lds(wave, env, inst, data);
    }
    load_to_registers(wave, env, inst, data)?;
    if inst.mem_mods().tfe {
        // Resident: what is not there was a fault.
        let to = u32::from(vector_dst(wave, inst, 0)?) + data_registers(data);
        let to = u8::try_from(to).map_err(|_| wave.refuse("a status past the last register"))?;
        for lane in wave.active_lanes() {
            wave.set_vgprs(to, lane, &[0])?;
        }
    }
    Ok(())
}

fn load_to_registers(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    data: MemData,
) -> Result<(), ExecError> {
    let view = View::of(wave, inst, 0)?;
    let to = vector_dst(wave, inst, 0)?;
    if let Some(bytes) = data::bytes(data) {
        for lane in wave.active_lanes() {
            let e = view.element(wave, lane)?;
            let mut raw = [0; data::MAX_BYTES];
            let (used, _) = raw.split_at_mut(bytes);
            for (at, part) in (0..).step_by(4).zip(used.chunks_mut(4)) {
                if view.in_range(e, e.offset + at) {
                    view.load(wave, env, e, at, part)?;
                }
            }
            data::write_loaded(wave, to, lane, data, used)?;
        }
        return Ok(());
    }
    let typed = Typed::of(inst, &view.v);
    for lane in wave.active_lanes() {
        let e = view.element(wave, lane)?;
        let mut raw = [0; format::MAX_ELEMENT];
        let inside = view.in_range(e, e.offset);
        if inside {
            let format = typed.format(wave)?;
            check_alignment(wave, &view, e, format)?;
            let (used, _) = raw.split_at_mut(format.layout().bytes() as usize);
            view.load(wave, env, e, 0, used)?;
        }
        // Out of range every component is 0.
        let format = typed.format.filter(|_| inside);
        if let MemData::Format(n) = data {
            let components = format.map_or([0; 4], |f| format::load(f, &raw));
            let out = typed.selected(wave, components, format::one)?;
            let (used, _) = out.split_at(usize::from(n).min(4));
            wave.set_vgprs(to, lane, used)?;
        } else {
            let components = format.map_or([0; 4], |f| format::load_d16(f, &raw));
            let out = typed.selected(wave, components, format::one_d16)?;
            write_halves(wave, to, lane, data, out)?;
        }
    }
    Ok(())
}

/// Packs halves: two a register; a lone one keeps the other half.
fn write_halves(
    wave: &mut Wave,
    to: u8,
    lane: usize,
    data: MemData,
    [x, y, z, w]: [u16; 4],
) -> Result<(), ExecError> {
    let pack = |lo: u16, hi: u16| u32::from(lo) | u32::from(hi) << 16;
    match data {
        MemData::FormatD16(1) => wave.set_vgpr_half(to, lane, false, x),
        MemData::FormatD16Hi => wave.set_vgpr_half(to, lane, true, x),
        MemData::FormatD16(2) => wave.set_vgpr(to, lane, pack(x, y)),
        MemData::FormatD16(3) => {
            wave.check_vgprs(to, 2)?;
            wave.set_vgpr(to, lane, pack(x, y));
            wave.set_vgpr_half(to + 1, lane, false, z);
        }
        MemData::FormatD16(_) => wave.set_vgprs(to, lane, &[pack(x, y), pack(z, w)])?,
        MemData::U8
        | MemData::I8
        | MemData::U16
        | MemData::I16
        | MemData::D16U8 { .. }
        | MemData::D16I8 { .. }
        | MemData::D16B16 { .. }
        | MemData::Dwords(_)
        | MemData::Format(_) => return Err(wave.refuse("unformatted halves")),
    }
    Ok(())
}

/// The halves to store; those not given are 0.
fn read_halves(wave: &Wave, from: u8, lane: usize, data: MemData) -> Result<[u16; 4], ExecError> {
    let n = match data {
        MemData::FormatD16Hi => return Ok([(wave.vgpr(from, lane) >> 16) as u16, 0, 0, 0]),
        MemData::FormatD16(n) => n,
        MemData::U8
        | MemData::I8
        | MemData::U16
        | MemData::I16
        | MemData::D16U8 { .. }
        | MemData::D16I8 { .. }
        | MemData::D16B16 { .. }
        | MemData::Dwords(_)
        | MemData::Format(_) => return Err(wave.refuse("unformatted halves")),
    };
    let [a, b, ..] = registers(wave, from, lane, n.div_ceil(2))?;
    let mut out = [a as u16, (a >> 16) as u16, b as u16, (b >> 16) as u16];
    for (i, o) in (0..).zip(&mut out) {
        if i >= n {
            *o = 0;
        }
    }
    Ok(out)
}

fn store(wave: &mut Wave, env: &mut Env<'_>, inst: &Inst, data: MemData) -> Result<(), ExecError> {
    let view = View::of(wave, inst, 1)?;
    let from = vector_src(wave, inst, 0)?;
    if let Some(bytes) = data::bytes(data) {
        for lane in wave.active_lanes() {
            let e = view.element(wave, lane)?;
            let raw = data::read_stored(wave, from, lane, data)?;
            let (used, _) = raw.split_at(bytes);
            for (at, part) in (0..).step_by(4).zip(used.chunks(4)) {
                if view.in_range(e, e.offset + at) {
                    view.store(wave, env, e, at, part)?;
                }
            }
        }
        return Ok(());
    }
    let typed = Typed::of(inst, &view.v);
    for lane in wave.active_lanes() {
        let e = view.element(wave, lane)?;
        if !view.in_range(e, e.offset) {
            continue;
        }
        let format = typed.format(wave)?;
        typed.check_store(wave, format)?;
        check_alignment(wave, &view, e, format)?;
        let element = if let MemData::Format(n) = data {
            format::store(format, registers(wave, from, lane, n)?)
        } else {
            format::store_d16(format, read_halves(wave, from, lane, data)?)
        };
        let (used, _) = element.split_at(format.layout().bytes() as usize);
        view.store(wave, env, e, 0, used)?;
    }
    Ok(())
}

fn read_modify_write(
    wave: &mut Wave,
    env: &mut Env<'_>,
    inst: &Inst,
    op: AtomicOp,
    width: Width,
) -> Result<(), ExecError> {
    let view = View::of(wave, inst, 1)?;
    let from = vector_src(wave, inst, 0)?;
    for lane in wave.active_lanes() {
        let e = view.element(wave, lane)?;
        let operands = memory_operands(wave, from, lane, op, width)?;
        let mut old = 0;
        if view.in_range(e, e.offset) {
            let place = view.place(e, e.offset);
            let unit = Unit::Memory;
            old = memory_atomic(wave, env, lane, place, op, width, operands, unit)?;
        }
        return_old(wave, inst, lane, width, old)?;
    }
    Ok(())
}

/// Data of a memory atomic: the new value, then the comparison.
pub(crate) fn memory_operands(
    wave: &Wave,
    from: u8,
    lane: usize,
    op: AtomicOp,
    width: Width,
) -> Result<Operands, ExecError> {
    let pair = matches!(op, AtomicOp::CmpSwap | AtomicOp::FCmpSwap);
    let dwords = match width {
        Width::B32 => 1,
        Width::B64 => 2,
    };
    let [a, b, c, d] = registers(wave, from, lane, if pair { dwords * 2 } else { dwords })?;
    Ok(match width {
        Width::B32 => Operands {
            data: u64::from(a),
            other: u64::from(b),
        },
        Width::B64 => Operands {
            data: join(a, b),
            other: join(c, d),
        },
    })
}

/// An atomic of a lane, by the unit that does it.
#[allow(clippy::too_many_arguments, reason = "all that makes an atomic")]
pub(crate) fn memory_atomic(
    wave: &Wave,
    env: &mut Env<'_>,
    lane: usize,
    place: Place,
    op: AtomicOp,
    width: Width,
    operands: Operands,
    unit: Unit,
) -> Result<u64, ExecError> {
    let bytes = match width {
        Width::B32 => 4,
        Width::B64 => 8,
    };
    let mut refused = None;
    let old = env.atomic(wave, Some(lane), place, bytes, |old| {
        match atomic::apply(op, width, old, operands, unit) {
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

/// Writes an atomic's old value where the instruction returns it.
pub(crate) fn return_old(
    wave: &mut Wave,
    inst: &Inst,
    lane: usize,
    width: Width,
    old: u64,
) -> Result<(), ExecError> {
    if inst.dst(0).is_none() {
        return Ok(());
    }
    let to = vector_dst(wave, inst, 0)?;
    match width {
        Width::B32 => {
            wave.set_vgpr(to, lane, old as u32);
            Ok(())
        }
        Width::B64 => wave.set_vgpr64(to, lane, old),
    }
}
