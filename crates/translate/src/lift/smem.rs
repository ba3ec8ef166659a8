//! Scalar memory. Base, SOFFSET and the immediate each lose their low two bits; the data is loaded
//! before a destination that overlaps the base is written.

use smallvec::SmallVec;
use spirdna_isa::{Inst, Operand, SReg, Smem};

use super::Lift;
use super::access::scalar_at;
use super::buffer::descriptor::BoundBuffer;
use super::memory::atomic_op;
use crate::error::Reason;
use crate::ir::{Const, Input, MemWidth, Op, Shape, Value};
use spirdna_isa::{AtomicOp, Width};

/// Where the dwords come from that scalar loads through a user SGPR's pointer brought: the pointer's
/// first user SGPR and the byte offset.
#[derive(Debug, Default)]
pub(super) struct Origins(Vec<(Value, (u32, u32))>);

/// Room for them where there are any.
const FIRST_ORIGINS: usize = 32;

impl Origins {
    /// Where a value comes from.
    pub fn get(&self, value: Value) -> Option<(u32, u32)> {
        let at = self.0.binary_search_by_key(&value, |&(value, _)| value);
        at.ok().and_then(|at| self.0.get(at)).map(|&(_, from)| from)
    }

    /// Says where a value comes from. They come in order, but for constants in the place of loads.
    fn insert(&mut self, value: Value, from: (u32, u32)) {
        if self.0.last().is_none_or(|&(last, _)| last < value) {
            if self.0.capacity() == 0 {
                self.0.reserve(FIRST_ORIGINS);
            }
            self.0.push((value, from));
            return;
        }
        match self.0.binary_search_by_key(&value, |&(value, _)| value) {
            Ok(at) => self.0[at].1 = from,
            Err(at) => self.0.insert(at, (value, from)),
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (Value, (u32, u32))> + '_ {
        self.0.iter().copied()
    }
}

/// Words of a table of the code's own at most; longer ones are loaded from memory: hosts that keep an array of constants
/// where each invocation fills its own pay for every word.
const MAX_TABLE: u64 = 64;

/// A value for each dword of an access.
type Dwords = SmallVec<[Value; 16]>;

/// An access: base (I64), byte offset (I64), and what bounds the offset.
struct Access {
    base: Value,
    offset: Value,
    bound: Option<Value>,
    /// The bound buffer that it lies in.
    buffer: Option<BoundBuffer>,
}

impl Lift<'_> {
    /// A scalar memory instruction.
    pub(super) fn smem(&mut self, inst: &Inst, sem: Smem) -> Result<(), Reason> {
        match sem {
            Smem::Load(n) => {
                let access = self.smem_base(inst, 0)?;
                self.smem_load(inst, u32::from(n), &access)
            }
            Smem::BufferLoad(n) => {
                let access = self.smem_descriptor(inst, 0)?;
                self.smem_load(inst, u32::from(n), &access)
            }
            Smem::Store(n) => {
                let access = self.smem_base(inst, 1)?;
                self.smem_store(inst, u32::from(n), &access)
            }
            Smem::BufferStore(n) => {
                let access = self.smem_descriptor(inst, 1)?;
                self.smem_store(inst, u32::from(n), &access)
            }
            Smem::Atomic(op, width) => {
                let access = self.smem_base(inst, 1)?;
                self.smem_atomic(inst, op, width, &access)
            }
            Smem::BufferAtomic(op, width) => {
                let access = self.smem_descriptor(inst, 1)?;
                self.smem_atomic(inst, op, width, &access)
            }
            // Memory has no caches here.
            Smem::Cache => Ok(()),
            Smem::WaveIdInGroup => {
                let wave = self.b.input(Input::WaveInGroup);
                let reg = self.scalar_dst(inst, 0)?;
                self.set_sreg(reg, wave);
                Ok(())
            }
            Smem::MemTime | Smem::MemRealtime => {
                Err(Reason::NoCounterpart("clocks of the guest's device"))
            }
            Smem::ScratchLoad(_) | Smem::ScratchStore(_) => {
                Err(Reason::Unsettled("where scalar scratch lies"))
            }
            Smem::AtcProbe => Err(Reason::NoCounterpart("probes of address translation")),
            Smem::Discard => Err(Reason::NoCounterpart("what a data cache loses")),
        }
    }

    fn smem_reg(&self, inst: &Inst, i: usize) -> Result<SReg, Reason> {
        match self.src(inst, i)? {
            (Operand::S(reg), _) => Ok(reg),
            _ => Err(Reason::Operand("scalar register")),
        }
    }

    /// An access through the 64-bit address in source `i`.
    fn smem_base(&mut self, inst: &Inst, i: usize) -> Result<Access, Reason> {
        let reg = self.smem_reg(inst, i)?;
        check_range(reg, 2)?;
        let base = self.sreg64(reg)?;
        let mask = self.b.const64(!3);
        Ok(Access {
            base: self.b.and(base, mask),
            offset: self.smem_offset(inst, i + 1)?,
            bound: None,
            buffer: None,
        })
    }

    /// An access through the V# in source `i`, whose swizzle and lane id do not count.
    fn smem_descriptor(&mut self, inst: &Inst, i: usize) -> Result<Access, Reason> {
        let reg = self.smem_reg(inst, i)?;
        let v = self.vsharp(reg)?;
        let base = v.base(&mut self.b);
        let mask = self.b.const64(!3);
        let base = self.b.and(base, mask);
        let offset = self.smem_offset(inst, i + 1)?;
        if inst.mem_mods().offset < 0 && matches!(self.src(inst, i + 1)?, (Operand::Off, _)) {
            return Err(Reason::Operand("negative offset"));
        }
        let (stride, records) = (v.stride(&mut self.b), v.num_records(&mut self.b));
        let lo = self.b.mul(stride, records);
        let hi = self.b.mul_hi_u(stride, records);
        let product = self.b.pack(lo, hi);
        let plain = self.b.zext(records);
        let raw = self.is_zero(stride);
        Ok(Access {
            base,
            offset,
            bound: Some(self.b.select(raw, plain, product)),
            buffer: v.bound(),
        })
    }

    /// SOFFSET plus the immediate.
    fn smem_offset(&mut self, inst: &Inst, i: usize) -> Result<Value, Reason> {
        let imm = i64::from(inst.mem_mods().offset & !3);
        let imm = self.b.const64(imm as u64);
        match self.src(inst, i)? {
            (Operand::Off, _) => Ok(imm),
            operand => {
                let reg = self.read32(operand)?;
                let reg = self.b.and32(reg, !3);
                let reg = self.b.zext(reg);
                Ok(self.b.add(reg, imm))
            }
        }
    }

    /// Of each of `n` dwords, whether it is in range.
    fn smem_inside(&mut self, n: u32, access: &Access) -> Dwords {
        let Some(bound) = access.bound else {
            return SmallVec::from_elem(self.b.const_bool(true), n as usize);
        };
        let inside = |i: u32| {
            let step = self.b.const64(u64::from(i) * 4);
            let offset = self.b.add(access.offset, step);
            self.b.ult(offset, bound)
        };
        (0..n).map(inside).collect()
    }

    /// The place of an access of `n` dwords, and for each whether it is in range.
    fn smem_place(&mut self, n: u32, access: &Access) -> (Value, Dwords) {
        let mut inside = self.smem_inside(n, access);
        if let Some(buffer) = access.buffer {
            let at = self.b.lo(access.offset);
            let zeros = self.low_zeros(at);
            for (guard, i) in inside.iter_mut().zip(1..) {
                let fits = self.inside_bound(buffer, (at, zeros), 4 * i);
                *guard = self.b.and(*guard, fits);
            }
            return (self.b.ptr_bound(buffer.number, at), inside);
        }
        let address = self.b.add(access.base, access.offset);
        let guard = inside
            .first()
            .copied()
            .unwrap_or_else(|| self.b.const_bool(false));
        let bytes = self.bytes_in_range(&inside);
        let nobody = self.b.const_bool(false);
        (self.place_bytes(address, bytes, guard, nobody), inside)
    }

    /// Bytes of the dwords that are in range: those before the first that is not.
    pub(super) fn bytes_in_range(&mut self, inside: &[Value]) -> Value {
        if inside.iter().all(|g| Some(g) == inside.first()) {
            return self.b.const32(4 * inside.len() as u32);
        }
        let mut count = self.b.const32(0);
        for &guard in inside {
            let one = self.b.bool_int(guard);
            count = self.b.add(count, one);
        }
        self.b.shl_by(count, 2)
    }

    fn smem_load(&mut self, inst: &Inst, n: u32, access: &Access) -> Result<(), Reason> {
        let to = self.scalar_dst(inst, 0)?;
        check_range(to, n)?;
        let origin = self.smem_origin(inst);
        if let Some(words) = self.code_words(n, access) {
            for (i, word) in (0..).zip(words) {
                let word = self.b.const32(word);
                self.set_sreg(scalar_at(to, i)?, word);
            }
            return Ok(());
        }
        if let Some(number) = self.code_table(access) {
            return self.table_load(to, n, access, number);
        }
        let (ptr, inside) = match origin {
            Some((pointer, offset)) if self.facts.all_bound(pointer, offset, n) => {
                // Nobody needs the words of bound descriptors, unless the shader does more with them.
                let address = self.b.add(access.base, access.offset);
                let yes = self.b.const_bool(true);
                (
                    self.b.ptr(address, 4 * n),
                    SmallVec::from_elem(yes, n as usize),
                )
            }
            _ => self.smem_place(n, access),
        };
        let steady = match origin {
            Some((pointer, offset)) => {
                // What is known of a V# hangs on where its words come from.
                self.last_vsharp = None;
                self.facts.covered(pointer, offset, n)
            }
            None => 0,
        };
        for (i, guard) in (0..).zip(inside) {
            let at = u32::from(i) * 4;
            let steady = steady >> i & 1 == 1;
            let word = self.b.load(ptr, guard, MemWidth::B32, at, true, steady);
            if let Some((pointer, offset)) = origin {
                self.origins.insert(word, (pointer, offset + at));
            }
            self.set_sreg(scalar_at(to, i)?, word);
        }
        Ok(())
    }

    fn constant64(&self, value: Value) -> Option<u64> {
        match self.b.as_const(value) {
            Some(Const::I64(x)) => Some(x),
            _ => None,
        }
    }

    /// The `n` words that a load at a known address takes, where they are words of the program's own code.
    fn code_words(&self, n: u32, access: &Access) -> Option<Vec<u32>> {
        if access.bound.is_some() {
            return None;
        }
        let address = self
            .constant64(access.base)?
            .checked_add(self.constant64(access.offset)?)?;
        Some(self.code_at(address, n.into())?.to_vec())
    }

    /// `n` words of the program's own code from an address on.
    fn code_at(&self, address: u64, n: u64) -> Option<&[u32]> {
        let first = address.checked_sub(self.launch.code_address)?;
        if !first.is_multiple_of(4) {
            return None;
        }
        let first = usize::try_from(first / 4).ok()?;
        self.code
            .get(first..first.checked_add(usize::try_from(n).ok()?)?)
    }

    /// The table of the words that an access can reach, where they are words of the program's own code: what
    /// compilers put behind it for arrays of constants.
    fn code_table(&mut self, access: &Access) -> Option<u32> {
        let (None, Some(bound)) = (access.buffer.as_ref(), access.bound) else {
            return None;
        };
        let words = self.constant64(bound)?.div_ceil(4);
        if words == 0 || words > MAX_TABLE {
            return None;
        }
        let table = self.code_at(self.constant64(access.base)?, words)?.to_vec();
        Some(self.b.func_mut().table(&table))
    }

    /// A load of `n` words of a table.
    fn table_load(&mut self, to: SReg, n: u32, access: &Access, number: u32) -> Result<(), Reason> {
        let tables = self.b.func().tables();
        let words = tables.get(number as usize).map_or(0, Vec::len) as u32;
        let none = self.b.const32(words);
        let inside = self.smem_inside(n, access);
        let at = self.b.lo(access.offset);
        for (i, guard) in (0..n).zip(inside) {
            // Where a negative sum wraps, a later dword is in range and the first is not.
            let at = self.b.add32(at, 4 * i);
            let index = self.b.shr_by(at, 2);
            let index = self.b.select(guard, index, none);
            let word = self.b.table(number, index);
            self.set_sreg(scalar_at(to, i as u8)?, word);
        }
        Ok(())
    }

    /// The pointer and the offset of a load through a pointer in user SGPRs.
    fn smem_origin(&mut self, inst: &Inst) -> Option<(u32, u32)> {
        let (Operand::S(base), _) = inst.src(0)? else {
            return None;
        };
        if !matches!(inst.sem(), spirdna_isa::Sem::Smem(Smem::Load(_))) {
            return None;
        }
        let lo = self.sreg(base);
        let Op::Input(Input::UserData(pointer)) = self.b.func().def_inst(lo)?.op else {
            return None;
        };
        match inst.src(1)? {
            (Operand::Off, _) => {
                let offset = u32::try_from(inst.mem_mods().offset & !3).ok()?;
                Some((pointer, offset))
            }
            _ => None,
        }
    }

    fn smem_store(&mut self, inst: &Inst, n: u32, access: &Access) -> Result<(), Reason> {
        let from = self.smem_reg(inst, 0)?;
        check_range(from, n)?;
        let mut words = Vec::new();
        for i in 0..n as u8 {
            words.push(self.sreg(scalar_at(from, i)?));
        }
        let (ptr, inside) = self.smem_place(n, access);
        for (i, (&guard, word)) in (0..).zip(inside.iter().zip(words)) {
            self.b.store(ptr, word, guard, MemWidth::B32, i * 4, true);
        }
        Ok(())
    }

    fn smem_atomic(
        &mut self,
        inst: &Inst,
        op: AtomicOp,
        width: Width,
        access: &Access,
    ) -> Result<(), Reason> {
        let ir = atomic_op(op, false)?;
        let from = self.smem_reg(inst, 0)?;
        let (bits, dwords) = match width {
            Width::B32 => (MemWidth::B32, 1),
            Width::B64 => (MemWidth::B64, 2),
        };
        check_range(from, dwords * ir.data_args() as u32)?;
        let mut data = Vec::new();
        for i in 0..ir.data_args() as u8 {
            let reg = scalar_at(from, i * dwords as u8)?;
            data.push(match width {
                Width::B32 => self.sreg(reg),
                Width::B64 => self.sreg64(reg)?,
            });
        }
        let (ptr, inside) = self.smem_place(dwords, access);
        let guard = inside
            .last()
            .copied()
            .unwrap_or_else(|| self.b.const_bool(false));
        let address = self.b.add(access.base, access.offset);
        let guard = self.guard_aligned(address, dwords * 4, guard);
        let old = self
            .b
            .atomic(ir, bits, 0, Shape::Uniform, ptr, guard, &data);
        if let Some((Operand::S(to), _)) = inst.dst(0) {
            match width {
                Width::B32 => self.set_sreg(to, old),
                Width::B64 => self.set_sreg64(to, old)?,
            }
        }
        Ok(())
    }
}

/// Checks that `n` scalar registers from `reg` on lie in one register file, at a multiple of what the
/// hardware aligns them to: s0 to s105, VCC, or the trap temporaries.
pub(super) fn check_range(reg: SReg, n: u32) -> Result<(), Reason> {
    let first = u32::from(reg.code());
    let last = first + n.max(1) - 1;
    let vcc = u32::from(SReg::VCC_LO.code());
    let ttmp = u32::from(SReg::TTMP0.code());
    let m0 = u32::from(SReg::M0.code());
    let inside = |from: u32, to: u32| first >= from && last < to;
    let aligned = first.is_multiple_of(n.clamp(1, 4));
    if aligned && (inside(0, vcc) || inside(vcc, ttmp) || inside(ttmp, m0)) {
        return Ok(());
    }
    // A dword may also go to M0 or be dropped.
    if n == 1 && (reg == SReg::M0 || reg == SReg::NULL) {
        return Ok(());
    }
    Err(Reason::RegisterRange)
}
