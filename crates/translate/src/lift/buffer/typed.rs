//! Formatted buffer accesses: which format and destination select, element bytes to registers and back.
//! MTBUF names its format and moves components straight; MUBUF takes both from the V#.
//!
//! At run time a fault stands for what is refused: a format code that is none, a reserved destination
//! select, a store whose V# would move components, an element off its alignment.

use spirdna_isa::descriptor::vsharp;
use spirdna_isa::format::{BufferFormat, Layout, NumberType};
use spirdna_isa::{Encoding, Inst, MemData};

use super::super::Lift;
use super::super::access::vector_at;
use super::super::format::{self, Info, Place};
use super::super::memory::Words;
use super::Destination;
use super::address::{Item, Placed};
use super::descriptor::VSharp;
use crate::error::Reason;
use crate::ir::{Builder, Const, Kind, MemWidth, Value};

/// Format and destination select of an access.
struct Typed {
    /// Uniform I32.
    code: Value,
    info: Info,
    /// Destination selects of X, Y, Z, W: uniform I32.
    select: [Value; 4],
}

impl Lift<'_> {
    /// A formatted load.
    pub(super) fn typed_load(&mut self, inst: &Inst, data: MemData) -> Result<(), Reason> {
        let access = self.buffer_access(inst, 0)?;
        let n = components(data)?;
        let half = !matches!(data, MemData::Format(_));
        let to = self.loaded_to(inst, &access, if half { n.div_ceil(2) } else { n })?;
        let typed = self.typed(inst, &access.v)?;
        let mut refused = self.invalid(&typed);
        for &select in typed.select.iter().take(n as usize) {
            let kind = self.b.and32(select, 6);
            let reserved = self.b.eq32(kind, 2);
            refused = self.b.or(refused, reserved);
        }
        if self.b.as_const(refused) == Some(Const::Bool(true)) {
            return Err(Reason::Operand("destination select"));
        }
        let item = self.element(&typed, refused);
        let placed = self.place_item(&access, &item);
        let raw = self.load_element(&placed, &typed, item.dwords);
        let mut values = Words::new();
        for &select in typed.select.iter().take(n as usize) {
            values.push(self.component(&typed, &raw, select, half));
        }
        let to = match to {
            Destination::Registers(to) => to,
            Destination::Lds(at) => return self.write_lds(at, values[0], access.active),
        };
        match data {
            MemData::Format(_) => {
                for (i, &value) in (0..).zip(&values) {
                    self.set_vreg_at(to, i, value)?;
                }
            }
            MemData::FormatD16Hi => self.set_half(to, true, values[0]),
            _ => {
                for (i, pair) in (0..).zip(values.chunks(2)) {
                    match *pair {
                        [lo, hi] => {
                            let hi = self.b.shl_by(hi, 16);
                            let word = self.b.or(lo, hi);
                            self.set_vreg_at(to, i, word)?;
                        }
                        [lo] => self.set_half(vector_at(to, i)?, false, lo),
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// A formatted store.
    pub(super) fn typed_store(&mut self, inst: &Inst, data: MemData) -> Result<(), Reason> {
        let access = self.buffer_access(inst, 1)?;
        let from = self.vector_src(inst, 0)?;
        let half = !matches!(data, MemData::Format(_));
        let values = self.stored_components(from, data, access.active)?;
        let typed = self.typed(inst, &access.v)?;
        let mut refused = self.invalid(&typed);
        let mut words = Words::new();
        for i in 0..4 {
            let c = self.b.const32(i);
            let place = self.component_place(typed.code, c);
            let zero = self.b.const32(0);
            let has = self.b.ne(place.width, zero);
            let straight = self.b.eq32(typed.select[i as usize], 4 + i);
            let moved = self.b.not(straight);
            let moved = self.b.and(has, moved);
            refused = self.b.or(refused, moved);
            let value = values.get(i as usize).copied().unwrap_or(zero);
            let bits = self.store_bits(value, place.width, typed.info.number, half);
            let bits = self.b.shl(bits, place.shift);
            for d in 0..4 {
                if words.len() <= d as usize {
                    words.push(zero);
                }
                let here = self.b.eq32(place.dword, d);
                let here = self.b.and(here, has);
                let part = self.b.select(here, bits, zero);
                words[d as usize] = self.b.or(words[d as usize], part);
            }
        }
        if self.b.as_const(refused) == Some(Const::Bool(true)) {
            return Err(Reason::Operand("destination select"));
        }
        let item = self.element(&typed, refused);
        let placed = self.place_item(&access, &item);
        self.store_element(&placed, &typed, &words);
        Ok(())
    }

    fn typed(&mut self, inst: &Inst, v: &VSharp) -> Result<Typed, Reason> {
        let (code, select) = if inst.encoding() == Encoding::Mtbuf {
            let code = self.b.const32(u32::from(inst.mem_mods().format));
            (code, [4, 5, 6, 7].map(|s| self.b.const32(s)))
        } else {
            let code = v.field(&mut self.b, vsharp::FORMAT);
            (code, vsharp::DST_SEL.map(|f| v.field(&mut self.b, f)))
        };
        let (mut code, mut select) = (code, select);
        if let Some(Const::I32(known)) = self.b.as_const(code)
            && u8::try_from(known)
                .ok()
                .and_then(BufferFormat::from_code)
                .is_none()
        {
            let Some(stand_in) = self.null_format(v, &select) else {
                return Err(Reason::Operand("format code"));
            };
            code = self.b.const32(stand_in);
            select = [4, 5, 6, 7].map(|s| self.b.const32(s));
        }
        let packed = if self.b.as_const(code).is_some() {
            format::packed_info(&mut self.b, code)
        } else {
            let helper = self.helper("format_info", &[Kind::I32], |b, p| {
                format::packed_info(b, p[0])
            });
            self.b.call(helper, Kind::I32, &[code])
        };
        Ok(Typed {
            code,
            info: format::unpack_info(&mut self.b, packed),
            select,
        })
    }

    /// The V# that stands where nothing is bound has no records and mostly no format: nothing is in range,
    /// loads give 0, and any format says so whose components are all there. A select of 1 asks the format
    /// which 1.
    fn null_format(&self, v: &VSharp, select: &[Value; 4]) -> Option<u32> {
        let plain = |&s: &Value| {
            let select = self.b.as_const(s);
            matches!(select, Some(Const::I32(0 | 4..=7)))
        };
        if v.known(vsharp::NUM_RECORDS) != Some(0) || !select.iter().all(plain) {
            return None;
        }
        let format = BufferFormat::new(Layout::L32_32_32_32, NumberType::Uint)?;
        Some(u32::from(format.code()))
    }

    /// Whether the format code is none.
    fn invalid(&mut self, typed: &Typed) -> Value {
        self.b.eq32(typed.info.bytes, 0)
    }

    fn element(&mut self, typed: &Typed, refused: Value) -> Item {
        let dwords = match self.b.as_const(typed.info.bytes) {
            Some(Const::I32(bytes)) => bytes.div_ceil(4),
            _ => 4,
        };
        Item {
            bytes: typed.info.bytes,
            dwords,
            align_mask: typed.info.align_mask,
            refused,
            apart: false,
        }
    }

    fn component_place(&mut self, code: Value, c: Value) -> Place {
        let known = self.b.as_const(code).is_some() && self.b.as_const(c).is_some();
        let packed = if known {
            format::packed_place(&mut self.b, code, c)
        } else {
            let helper = self.helper("format_place", &[Kind::I32; 2], |b, p| {
                format::packed_place(b, p[0], p[1])
            });
            self.b.call(helper, Kind::I32, &[code, c])
        };
        format::unpack_place(&mut self.b, packed)
    }

    /// The dwords of an element; a narrower element in the low bits of the first.
    fn load_element(&mut self, placed: &Placed, typed: &Typed, dwords: u32) -> Words {
        let mut words = Words::new();
        for i in 0..dwords as usize {
            let Some((ptr, offset)) = placed.item(i) else {
                break;
            };
            let guard = placed.guards[i];
            if i > 0 {
                let word = self
                    .b
                    .load(ptr, guard, MemWidth::B32, offset, placed.aligned, false);
                words.push(word);
                continue;
            }
            let mut word = self.b.const32(0);
            for (width, only) in self.widths(typed) {
                let guard = self.b.and(guard, only);
                let aligned = placed.aligned;
                let part = self.b.load(ptr, guard, width, offset, aligned, false);
                word = self.b.or(word, part);
            }
            words.push(word);
        }
        words
    }

    fn store_element(&mut self, placed: &Placed, typed: &Typed, words: &[Value]) {
        for (i, (&guard, &word)) in placed.guards.iter().zip(words).enumerate() {
            let Some((ptr, offset)) = placed.item(i) else {
                break;
            };
            let aligned = placed.aligned;
            if i > 0 {
                self.b
                    .store(ptr, word, guard, MemWidth::B32, offset, aligned);
                continue;
            }
            for (width, only) in self.widths(typed) {
                let guard = self.b.and(guard, only);
                self.b.store(ptr, word, guard, width, offset, aligned);
            }
        }
    }

    /// How the first dword of an element is moved: widths, with when.
    fn widths(&mut self, typed: &Typed) -> [(MemWidth, Value); 3] {
        let bytes = typed.info.bytes;
        let byte = self.b.eq32(bytes, 1);
        let short = self.b.eq32(bytes, 2);
        let three = self.b.const32(3);
        let word = self.b.ult(three, bytes);
        [
            (MemWidth::B8, byte),
            (MemWidth::B16, short),
            (MemWidth::B32, word),
        ]
    }

    /// A component of the result by its select. Out of range the element is 0, and so is the component,
    /// but a constant one stays.
    fn component(&mut self, typed: &Typed, raw: &[Value], select: Value, half: bool) -> Value {
        let zero = self.b.const32(0);
        let four = self.b.const32(4);
        let from_element = self.b.ule(four, select);
        let c = self.b.and32(select, 3);
        let value = if self.b.as_const(from_element) == Some(Const::Bool(false)) {
            zero
        } else {
            let place = self.component_place(typed.code, c);
            let mut word = raw.first().copied().unwrap_or(zero);
            for (d, &other) in (0..).zip(raw).skip(1) {
                let here = self.b.eq32(place.dword, d);
                word = self.b.select(here, other, word);
            }
            let bits = self.b.bits_u(word, place.shift, place.width);
            self.load_bits(bits, place.width, typed.info.number, half)
        };
        let is_float = self.b.and32(typed.info.number, 6);
        let is_integer = self.b.eq32(is_float, 4);
        let integer_one = self.b.const32(1);
        let float_one = self.b.const32(if half { 0x3c00 } else { 0x3f80_0000 });
        let one = self.b.select(is_integer, integer_one, float_one);
        let is_one = self.b.eq32(select, 1);
        let constant = self.b.select(is_one, one, zero);
        self.b.select(from_element, value, constant)
    }

    fn load_bits(&mut self, bits: Value, width: Value, number: Value, half: bool) -> Value {
        let (name, make): (_, Convert) = if half {
            ("format_load_d16", format::load_d16)
        } else {
            ("format_load_f32", format::load_f32)
        };
        self.convert(name, make, [bits, width, number])
    }

    fn store_bits(&mut self, value: Value, width: Value, number: Value, half: bool) -> Value {
        let (name, make): (_, Convert) = if half {
            ("format_store_d16", format::store_d16)
        } else {
            ("format_store_f32", format::store_f32)
        };
        self.convert(name, make, [value, width, number])
    }

    /// Converts in place where the format is known, else by the helper.
    fn convert(&mut self, name: &str, make: Convert, [value, width, number]: [Value; 3]) -> Value {
        if self.b.as_const(width) == Some(Const::I32(0)) {
            return self.b.const32(0);
        }
        if self.b.as_const(number).is_some() && self.b.as_const(width).is_some() {
            return make(&mut self.b, value, width, number);
        }
        let helper = self.helper(name, &[Kind::I32; 3], |b, p| make(b, p[0], p[1], p[2]));
        self.b.call(helper, Kind::I32, &[value, width, number])
    }

    /// The components that a store gives, in 32 or 16 bits.
    fn stored_components(
        &mut self,
        from: u8,
        data: MemData,
        active: Value,
    ) -> Result<Words, Reason> {
        let mut values = Words::new();
        let n = components(data)?;
        for i in 0..n {
            values.push(match data {
                MemData::Format(_) => self.active_vreg(vector_at(from, i)?, active),
                MemData::FormatD16Hi => {
                    let word = self.active_vreg(from, active);
                    self.b.shr_by(word, 16)
                }
                _ => {
                    let word = self.active_vreg(vector_at(from, i / 2)?, active);
                    self.b.field_u(word, 16 * (i % 2), 16)
                }
            });
        }
        Ok(values)
    }
}

type Convert = fn(&mut Builder<'_>, Value, Value, Value) -> Value;

/// Components that formatted data has.
fn components(data: MemData) -> Result<u32, Reason> {
    match data {
        MemData::Format(n) | MemData::FormatD16(n) if n > 0 => Ok(u32::from(n)),
        MemData::FormatD16Hi => Ok(1),
        MemData::Format(_)
        | MemData::FormatD16(_)
        | MemData::U8
        | MemData::I8
        | MemData::U16
        | MemData::I16
        | MemData::D16U8 { .. }
        | MemData::D16I8 { .. }
        | MemData::D16B16 { .. }
        | MemData::Dwords(_) => Err(Reason::Meaning),
    }
}
