//! A V# as a translation sees it: four scalar registers of which some bits may be known, from constants
//! or from the caller's facts. Knows no instruction.

use spirdna_isa::SReg;
use spirdna_isa::descriptor::{DescField, vsharp};

use super::super::Lift;
use super::super::access::scalar_at;
use super::super::memory::Known;
use super::super::smem::check_range;
use super::super::trace::BufferWords;
use crate::error::Reason;
use crate::ir::{Builder, Input, Op, Value};
use crate::resources::{BufferFact, DescriptorPlace};

/// A V#.
#[derive(Clone, Copy, Debug)]
pub(in crate::lift) struct VSharp {
    words: [(Value, Known); 4],
    /// Its buffer, if that is bound.
    bound: Option<BoundBuffer>,
}

/// A buffer that the caller binds as a storage buffer of its own.
#[derive(Clone, Copy, Debug)]
pub(in crate::lift) struct BoundBuffer {
    /// Its number.
    pub number: u32,
    /// Its bytes.
    pub bytes: u32,
}

impl VSharp {
    /// A field's value, where it is known at translate time.
    pub fn known(&self, field: DescField) -> Option<u32> {
        let (_, known) = self.words[usize::from(field.dword & 3)];
        let mask = field.mask() << field.lo;
        (known.mask & mask == mask).then_some((known.bits & mask) >> field.lo)
    }

    /// A field as uniform I32.
    pub fn field(&self, b: &mut Builder<'_>, field: DescField) -> Value {
        if let Some(value) = self.known(field) {
            return b.const32(value);
        }
        let (word, _) = self.words[usize::from(field.dword & 3)];
        if field.width == 32 {
            return word;
        }
        b.field_u(word, u32::from(field.lo), u32::from(field.width))
    }

    /// Its four dwords.
    pub fn values(&self) -> [Value; 4] {
        self.words.map(|(value, _)| value)
    }

    /// The base address as uniform I64.
    pub fn base(&self, b: &mut Builder<'_>) -> Value {
        let lo = self.field(b, vsharp::BASE_LO);
        let hi = self.field(b, vsharp::BASE_HI);
        b.pack(lo, hi)
    }

    /// Number of low bits of the base that are known to be zero.
    pub fn base_zeros(&self) -> u32 {
        let (_, known) = self.words[0];
        (known.mask & !known.bits).trailing_ones()
    }

    /// Its buffer, if that is bound.
    pub fn bound(&self) -> Option<BoundBuffer> {
        self.bound
    }

    /// The buffer of that number, where what is known of the V# says how large it is.
    fn buffer(&self, number: u32) -> Option<BoundBuffer> {
        let plain = [vsharp::TYPE, vsharp::SWIZZLE_ENABLE, vsharp::ADD_TID];
        if plain.into_iter().any(|field| self.known(field) != Some(0)) {
            return None;
        }
        let records = u64::from(self.known(vsharp::NUM_RECORDS)?);
        let stride = u64::from(self.known(vsharp::STRIDE)?);
        let raw = self.known(vsharp::OOB_SELECT)? == 3 || stride == 0;
        let bytes = if raw { records } else { records * stride };
        // Offsets of accesses in range must not wrap, and a word must fit.
        let fits = (4..=1 << 30).contains(&bytes) && self.base_zeros() >= 2;
        fits.then_some(BoundBuffer {
            number,
            bytes: bytes as u32,
        })
    }

    /// NUM_RECORDS.
    pub fn num_records(&self, b: &mut Builder<'_>) -> Value {
        self.field(b, vsharp::NUM_RECORDS)
    }

    /// The stride in bytes.
    pub fn stride(&self, b: &mut Builder<'_>) -> Value {
        self.field(b, vsharp::STRIDE)
    }
}

impl Lift<'_> {
    /// The V# in four scalar registers.
    pub(in crate::lift) fn vsharp(&mut self, reg: SReg) -> Result<VSharp, Reason> {
        check_range(reg, 4)?;
        let mut values = [Value(0); 4];
        for (i, value) in (0..).zip(&mut values) {
            *value = self.sreg(scalar_at(reg, i)?);
        }
        self.vsharps.push(BufferWords {
            words: values,
            flags: self.flags,
        });
        // Accesses through one come after each other.
        if let Some(v) = self.last_vsharp.filter(|v| v.values() == values) {
            return Ok(v);
        }
        let mut words = values.map(|value| (value, Known::default()));
        let mut places = [None; 4];
        // Mostly the four are one descriptor's.
        let mut last: (Option<DescriptorPlace>, Option<&BufferFact>) = (None, None);
        for (i, (value, known)) in words.iter_mut().enumerate() {
            *known = self.known_bits(*value);
            let place = self.descriptor_place(*value, i as u32);
            places[i] = place;
            if last.0 != place {
                last = (place, place.and_then(|place| self.facts.buffer(place)));
            }
            if let Some(fact) = last.1 {
                known.bits |= fact.value[i] & fact.known[i] & !known.mask;
                known.mask |= fact.known[i];
            }
        }
        let mut v = VSharp { words, bound: None };
        if let [Some(place), ..] = places
            && places.iter().all(|&p| p == Some(place))
            && let Some(number) = self.facts.bound_number(place)
        {
            v.bound = v.buffer(number);
        }
        match v.known(vsharp::TYPE) {
            Some(1..) => Err(Reason::Operand("a descriptor that is no buffer")),
            _ => {
                self.last_vsharp = Some(v);
                Ok(v)
            }
        }
    }

    /// The descriptor that a value is dword `i` of, if it came straight from where descriptors are
    /// named.
    fn descriptor_place(&self, word: Value, i: u32) -> Option<DescriptorPlace> {
        if let Some((pointer, offset)) = self.origins.get(word) {
            let offset = offset.checked_sub(4 * i)?;
            return Some(DescriptorPlace::Memory { pointer, offset });
        }
        match self.b.func().def_inst(word)?.op {
            Op::Input(Input::UserData(n)) => Some(DescriptorPlace::UserSgprs(n.checked_sub(i)?)),
            _ => None,
        }
    }
}
