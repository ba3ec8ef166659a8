//! What the memory units share: places of guest memory with their faults, what is known of an address
//! at translate time, and how data sits in vector registers. Knows no encoding and no descriptor.

use smallvec::SmallVec;
use spirdna_isa::{AtomicOp as Guest, Inst, MemData, Operand, Width};

use super::Lift;
use super::access::vector_at;
use crate::error::Reason;
use crate::ir::{AtomicOp, MemWidth, Op, Pure, Shape, Value};

/// The dwords that a lane moves: at most four.
pub(super) type Words = SmallVec<[Value; 4]>;

/// How far back `low_zeros` and `known_bits` look.
const DEPTH: u32 = 8;

/// Bits of an I32 that are known at translate time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Known {
    /// Which bits.
    pub mask: u32,
    /// Their values; 0 elsewhere.
    pub bits: u32,
}

impl Lift<'_> {
    // ---- What is known of a value ----------------------------------------------------------------

    /// A value that stands for `v` in the lanes where `active` holds: what masked writes of the same
    /// mask wrote.
    pub(super) fn where_active(&self, mut v: Value, active: Value) -> Value {
        while let Some((Pure::Select, &[cond, new, _])) = self.pure_of(v) {
            if cond != active {
                break;
            }
            v = new;
        }
        v
    }

    /// The same for the lanes where `active` does not hold.
    pub(super) fn where_inactive(&self, mut v: Value, active: Value) -> Value {
        while let Some((Pure::Select, &[cond, _, old])) = self.pure_of(v) {
            if cond != active {
                break;
            }
            v = old;
        }
        v
    }

    fn pure_of(&self, v: Value) -> Option<(Pure, &[Value])> {
        let data = self.b.func().def_inst(v)?;
        match data.op {
            Op::Pure(op) => Some((op, data.args.as_slice())),
            _ => None,
        }
    }

    /// A number of low bits that are zero, as far as the value's making shows it.
    pub(super) fn low_zeros(&self, v: Value) -> u32 {
        self.low_zeros_to(v, DEPTH)
    }

    fn low_zeros_to(&self, v: Value, depth: u32) -> u32 {
        let func = self.b.func();
        let zeros = |bits: u64| if bits == 0 { 64 } else { bits.trailing_zeros() };
        let (mut v, mut depth) = (v, depth);
        // As many as the arguments leave that have been looked at.
        let mut most = 64;
        while let Some(data) = func.def_inst(v) {
            let op = match data.op {
                Op::Pure(op) if depth > 0 => op,
                Op::ConstBool(x) => return zeros(x.into()).min(most),
                Op::Const32(x) => return zeros(x.into()).min(most),
                Op::Const64(x) => return zeros(x).min(most),
                _ => return 0,
            };
            depth -= 1;
            let of = |v: Value| match func.as_const(v) {
                Some(c) => zeros(c.bits()),
                None => self.low_zeros_to(v, depth),
            };
            let count = |v: Value| func.as_const(v).map(|c| c.bits() as u32 & 63);
            let found = match (op, data.args.as_slice()) {
                // Of two arguments the second is the one that says more in fewer steps.
                (Pure::Add | Pure::Sub | Pure::Or | Pure::Xor, &[x, y])
                | (Pure::Select, &[_, x, y]) => {
                    most = most.min(of(y));
                    if most == 0 {
                        return 0;
                    }
                    v = x;
                    continue;
                }
                (Pure::ZExt | Pure::SExt | Pure::Pack | Pure::Lo, &[x, ..]) => {
                    v = x;
                    continue;
                }
                (Pure::And, &[x, y]) => match of(y) {
                    zeros if zeros >= most => zeros,
                    zeros => zeros.max(of(x)),
                },
                (Pure::Mul, &[x, y]) => of(x) + of(y),
                (Pure::Shl, &[x, n]) => match count(n).unwrap_or(0) {
                    n if n >= most => n,
                    n => n + of(x),
                },
                (Pure::ShrU | Pure::ShrS, &[x, n]) | (Pure::BitsU | Pure::BitsS, &[x, n, _]) => {
                    count(n).map_or(0, |n| of(x).saturating_sub(n))
                }
                _ => 0,
            };
            return found.min(most);
        }
        0
    }

    /// Bits of an I32 that are known, as far as its making shows them.
    pub(super) fn known_bits(&self, v: Value) -> Known {
        self.known_bits_to(v, DEPTH)
    }

    fn known_bits_to(&self, v: Value, depth: u32) -> Known {
        if let Some(c) = self.b.as_const(v) {
            return Known {
                mask: u32::MAX,
                bits: c.bits() as u32,
            };
        }
        let Some((op, args)) = self.pure_of(v).filter(|_| depth > 0) else {
            return Known::default();
        };
        let of = |v: Value| self.known_bits_to(v, depth - 1);
        match (op, args) {
            (Pure::And, &[x, y]) => {
                let (x, y) = (of(x), of(y));
                let zeros = (x.mask & !x.bits) | (y.mask & !y.bits);
                let ones = x.bits & y.bits;
                Known {
                    mask: zeros | ones,
                    bits: ones,
                }
            }
            (Pure::Or, &[x, y]) => {
                let (x, y) = (of(x), of(y));
                let zeros = (x.mask & !x.bits) & (y.mask & !y.bits);
                let ones = x.bits | y.bits;
                Known {
                    mask: zeros | ones,
                    bits: ones,
                }
            }
            (Pure::Select, &[_, x, y]) => {
                let (x, y) = (of(x), of(y));
                let mask = x.mask & y.mask & !(x.bits ^ y.bits);
                Known {
                    mask,
                    bits: x.bits & mask,
                }
            }
            _ => Known::default(),
        }
    }

    /// x + n, of an I32.
    #[inline]
    pub(super) fn plus(&mut self, x: Value, n: u32) -> Value {
        if n == 0 { x } else { self.b.add32(x, n) }
    }

    /// Whether two Bools hold, of which the second mostly is known not to.
    #[inline]
    pub(super) fn both(&mut self, x: Value, y: Value) -> Value {
        if self.is_no(y) { y } else { self.b.and(x, y) }
    }

    // ---- Places of guest memory ------------------------------------------------------------------

    /// The place of `bytes` bytes at a guest address, for the lanes where `guard` holds. Those that have
    /// none record a fault; their loads give 0 and their stores do nothing.
    pub(super) fn place(&mut self, address: Value, bytes: u32, guard: Value) -> Value {
        let (bytes, nobody) = (self.b.const32(bytes), self.b.const_bool(false));
        self.place_bytes(address, bytes, guard, nobody)
    }

    /// As `place`, of as many bytes as an I32 says (at least 1 where `guard` holds). The lanes of
    /// `refused` record a fault whatever the place is.
    pub(super) fn place_bytes(
        &mut self,
        address: Value,
        bytes: Value,
        guard: Value,
        refused: Value,
    ) -> Value {
        let ptr = self.b.ptr_bytes(address, bytes);
        let ok = self.b.ptr_ok(ptr);
        let bad = self.b.not(ok);
        let mut bad = self.b.and(guard, bad);
        if !self.is_no(refused) {
            bad = self.b.or(bad, refused);
        }
        self.fault(address, bad);
        ptr
    }

    /// A place of an address, with the fault of the lanes of `guard` that have none.
    pub(super) fn place_checked(&mut self, ptr: Value, address: Value, guard: Value) -> Value {
        let ok = self.b.ptr_ok(ptr);
        let bad = self.b.not(ok);
        let bad = self.b.and(guard, bad);
        self.fault(address, bad);
        ptr
    }

    /// Records a fault for the lanes of `bad`, unless the block recorded the same one before.
    pub(super) fn fault(&mut self, address: Value, bad: Value) {
        if !self.is_no(bad) && self.faults.insert((address, bad)) {
            self.b.fault(self.pc, address, bad);
        }
    }

    /// Loads one item of `data` from a place; dword `i` where `guards[i]` holds.
    pub(super) fn load_data(
        &mut self,
        ptr: Value,
        guards: &[Value],
        data: MemData,
        aligned: bool,
    ) -> Result<Words, Reason> {
        let width = item_width(data)?;
        let step = if width == MemWidth::B32 { 4 } else { 1 };
        Ok((0..)
            .zip(guards)
            .map(|(i, &guard)| self.b.load(ptr, guard, width, i * step, aligned, false))
            .collect())
    }

    /// Stores one item of `data` at a place.
    pub(super) fn store_data(
        &mut self,
        ptr: Value,
        guards: &[Value],
        values: &[Value],
        data: MemData,
        aligned: bool,
    ) -> Result<(), Reason> {
        let width = item_width(data)?;
        let step = if width == MemWidth::B32 { 4 } else { 1 };
        for (i, (&guard, &value)) in (0..).zip(guards.iter().zip(values)) {
            self.b.store(ptr, value, guard, width, i * step, aligned);
        }
        Ok(())
    }

    // ---- Data in vector registers ----------------------------------------------------------------

    /// Writes what was loaded (narrow items zero-extended) to the active lanes of the registers from
    /// `n` on.
    pub(super) fn write_loaded(
        &mut self,
        n: u8,
        data: MemData,
        words: &[Value],
    ) -> Result<(), Reason> {
        let first = words.first().copied().ok_or(Reason::MissingOperand(0))?;
        match data {
            MemData::U8 | MemData::U16 => self.set_vreg(n, first),
            MemData::I8 | MemData::I16 => {
                let bits = if data == MemData::I8 { 8 } else { 16 };
                let value = self.b.field_s(first, 0, bits);
                self.set_vreg(n, value);
            }
            MemData::D16U8 { hi } | MemData::D16B16 { hi } => self.set_half(n, hi, first),
            MemData::D16I8 { hi } => {
                let value = self.b.field_s(first, 0, 8);
                let value = self.b.and32(value, 0xffff);
                self.set_half(n, hi, value);
            }
            MemData::Dwords(_) => {
                for (i, &word) in (0..).zip(words) {
                    self.set_vreg_at(n, i, word)?;
                }
            }
            MemData::Format(_) | MemData::FormatD16(_) | MemData::FormatD16Hi => {
                return Err(Reason::Meaning);
            }
        }
        Ok(())
    }

    /// Writes 16 bits (upper half zero) to one half of a register's active lanes.
    pub(super) fn set_half(&mut self, n: u8, hi: bool, half: Value) {
        let old = self.vreg(n);
        let (kept, new) = if hi {
            (self.b.and32(old, 0xffff), self.b.shl_by(half, 16))
        } else {
            (self.b.and32(old, 0xffff_0000), half)
        };
        let value = self.b.or(kept, new);
        self.set_vreg(n, value);
    }

    /// The dwords to store from the registers from `n` on. Of a narrow item the low bits count.
    pub(super) fn stored(&mut self, n: u8, data: MemData, active: Value) -> Result<Words, Reason> {
        let mut words = Words::new();
        match data {
            MemData::U8
            | MemData::I8
            | MemData::U16
            | MemData::I16
            | MemData::D16U8 { hi: false }
            | MemData::D16I8 { hi: false }
            | MemData::D16B16 { hi: false } => words.push(self.active_vreg(n, active)),
            MemData::D16U8 { hi: true }
            | MemData::D16I8 { hi: true }
            | MemData::D16B16 { hi: true } => {
                let word = self.active_vreg(n, active);
                words.push(self.b.shr_by(word, 16));
            }
            MemData::Dwords(count) => {
                for i in 0..u32::from(count) {
                    let reg = vector_at(n, i)?;
                    words.push(self.active_vreg(reg, active));
                }
            }
            MemData::Format(_) | MemData::FormatD16(_) | MemData::FormatD16Hi => {
                return Err(Reason::Meaning);
            }
        }
        Ok(words)
    }

    /// A vector register as its active lanes have it.
    pub(super) fn active_vreg(&mut self, n: u8, active: Value) -> Value {
        let value = self.vreg(n);
        self.where_active(value, active)
    }

    /// Source role `i`, which is a vector register.
    pub(super) fn vector_src(&self, inst: &Inst, i: usize) -> Result<u8, Reason> {
        match self.src(inst, i)? {
            (Operand::V(n), _) => Ok(n),
            _ => Err(Reason::Operand("vector source")),
        }
    }

    /// One item of an atomic's data: an I32 or an I64 in registers from `n` on.
    pub(super) fn atomic_item(
        &mut self,
        n: u8,
        first: u32,
        width: Width,
        active: Value,
    ) -> Result<Value, Reason> {
        let reg = vector_at(n, first)?;
        let lo = self.active_vreg(reg, active);
        match width {
            Width::B32 => Ok(lo),
            Width::B64 => {
                let hi = self.active_vreg(vector_at(n, first + 1)?, active);
                Ok(self.b.pack(lo, hi))
            }
        }
    }

    /// Writes the old value of an atomic.
    pub(super) fn write_old(&mut self, n: u8, width: Width, old: Value) -> Result<(), Reason> {
        match width {
            Width::B32 => self.set_vreg(n, old),
            Width::B64 => {
                vector_at(n, 1)?;
                let (lo, hi) = (self.b.lo(old), self.b.hi(old));
                self.set_vreg(n, lo);
                self.set_vreg_at(n, 1, hi)?;
            }
        }
        Ok(())
    }

    /// An atomic on guest memory: the data registers from `from` on; gives the old value. A place that is
    /// not a multiple of the width is a fault; `aligned` says that it is known to be a multiple of 4.
    pub(super) fn memory_atomic_old(
        &mut self,
        op: Guest,
        width: Width,
        from: u8,
        address: Value,
        guard: Value,
        aligned: bool,
    ) -> Result<Value, Reason> {
        let bytes = match width {
            Width::B32 => 4,
            Width::B64 => 8,
        };
        let guard = if aligned && bytes == 4 {
            guard
        } else {
            self.guard_aligned(address, bytes, guard)
        };
        let ptr = self.place(address, bytes, guard);
        self.atomic_at(op, width, from, ptr, guard)
    }

    /// An atomic at a place: the data registers from `from` on; gives the old value.
    pub(super) fn atomic_at(
        &mut self,
        op: Guest,
        width: Width,
        from: u8,
        ptr: Value,
        guard: Value,
    ) -> Result<Value, Reason> {
        let active = self.active();
        // Memory keeps subnormals whatever MODE says.
        let ir = atomic_op(op, false)?;
        let (bits, dwords) = match width {
            Width::B32 => (MemWidth::B32, 1),
            Width::B64 => (MemWidth::B64, 2),
        };
        let mut data = Words::new();
        data.push(self.atomic_item(from, 0, width, active)?);
        if ir.data_args() == 2 {
            data.push(self.atomic_item(from, dwords, width, active)?);
        }
        Ok(self.b.atomic(ir, bits, 0, Shape::Lane, ptr, guard, &data))
    }

    /// Writes an atomic's old value to the instruction's destination, if it has one.
    pub(super) fn write_old_of(
        &mut self,
        inst: &Inst,
        width: Width,
        old: Value,
    ) -> Result<(), Reason> {
        match inst.dst(0) {
            Some((Operand::V(n), _)) => self.write_old(n, width, old),
            Some(_) => Err(Reason::Operand("destination")),
            None => Ok(()),
        }
    }

    /// The guard without the lanes whose address (I32 or I64) is no multiple of `bytes`: those record
    /// a fault.
    pub(super) fn guard_aligned(&mut self, address: Value, bytes: u32, guard: Value) -> Value {
        if self.low_zeros(address) >= bytes.trailing_zeros() {
            return guard;
        }
        let (low, address) = if self.b.ty(address).kind == crate::ir::Kind::I64 {
            (self.b.lo(address), address)
        } else {
            (address, self.b.zext(address))
        };
        let rest = self.b.and32(low, bytes - 1);
        let aligned = self.is_zero(rest);
        let bad = self.b.not(aligned);
        let bad = self.b.and(guard, bad);
        self.fault(address, bad);
        self.b.and(guard, aligned)
    }
}

/// Bits that one item of plain data takes in memory (of several dwords: one).
pub(super) fn item_width(data: MemData) -> Result<MemWidth, Reason> {
    match data {
        MemData::U8 | MemData::I8 | MemData::D16U8 { .. } | MemData::D16I8 { .. } => {
            Ok(MemWidth::B8)
        }
        MemData::U16 | MemData::I16 | MemData::D16B16 { .. } => Ok(MemWidth::B16),
        MemData::Dwords(_) => Ok(MemWidth::B32),
        MemData::Format(_) | MemData::FormatD16(_) | MemData::FormatD16Hi => Err(Reason::Meaning),
    }
}

/// Bytes of plain data.
pub(super) fn data_bytes(data: MemData) -> Result<u32, Reason> {
    Ok(match (item_width(data)?, data) {
        (_, MemData::Dwords(n)) => 4 * u32::from(n),
        (MemWidth::B8, _) => 1,
        _ => 2,
    })
}

/// Dwords that plain data is loaded or stored in.
pub(super) fn data_items(data: MemData) -> u32 {
    match data {
        MemData::Dwords(n) => u32::from(n),
        _ => 1,
    }
}

/// The IR's atomic. `flush`: floats of the unit count subnormals as signed zeros.
pub(super) fn atomic_op(op: Guest, flush: bool) -> Result<AtomicOp, Reason> {
    Ok(match op {
        Guest::Swap => AtomicOp::Swap,
        Guest::CmpSwap => AtomicOp::CmpSwap,
        Guest::Add => AtomicOp::Add,
        Guest::Sub => AtomicOp::Sub,
        Guest::RSub => AtomicOp::RSub,
        Guest::SMin => AtomicOp::SMin,
        Guest::UMin => AtomicOp::UMin,
        Guest::SMax => AtomicOp::SMax,
        Guest::UMax => AtomicOp::UMax,
        Guest::And => AtomicOp::And,
        Guest::Or => AtomicOp::Or,
        Guest::Xor => AtomicOp::Xor,
        Guest::Inc => AtomicOp::Inc,
        Guest::Dec => AtomicOp::Dec,
        Guest::CSub => AtomicOp::CSub,
        Guest::MskOr => AtomicOp::MskOr,
        Guest::Wrap => AtomicOp::Wrap,
        Guest::FCmpSwap => AtomicOp::FCmpSwap { flush },
        Guest::FMin => AtomicOp::FMin { flush },
        Guest::FMax => AtomicOp::FMax { flush },
        // Of LDS alone: see `ds_atomic_op`.
        Guest::FAdd => return Err(Reason::Meaning),
    })
}
