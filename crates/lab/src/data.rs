//! What fills buffers and push constants: random values that suit each type, or what the directives say;
//! and how each place is compared afterwards. Knows types and directives, and no module.

use serde::{Deserialize, Serialize};

use crate::directive::{DataSpec, Directives, Element, Number, Rule};
use crate::error::LabError;
use crate::interface::Type;

/// Bytes of a buffer at most.
const MAX_BYTES: usize = 64 << 20;

/// Floats lie in this range where nothing is said.
const FLOAT_RANGE: (f64, f64) = (-100.0, 100.0);

/// Elements a fixed step apart that are compared alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Byte offset of the first.
    pub offset: usize,
    /// The element.
    pub element: Element,
    /// How many.
    pub count: usize,
    /// Bytes from one to the next.
    pub step: usize,
    /// How they are compared.
    pub rule: Rule,
}

/// A buffer's content, its places, and the pointers in it.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// Its bytes; those of no member are 0.
    pub bytes: Vec<u8>,
    /// Its elements. What lies between them is compared bit for bit.
    pub places: Vec<Place>,
    /// 64-bit addresses of buffers in it: byte offset, buffer.
    pub pointers: Vec<(usize, String)>,
}

/// Random bits, the same for the same seed: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A seed from names: FNV-1a.
fn seed(names: &[&str]) -> u64 {
    let bytes = names.iter().flat_map(|n| n.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

struct Filler<'a> {
    directives: &'a Directives,
    buffer: &'a str,
    /// Elements of an array without a size, where nothing else is said.
    count: usize,
    /// The rule of floats, where nothing is said.
    rule: Rule,
    random: Random,
    content: Content,
}

/// Fills a buffer of a shader. `count`: elements of an array without a size; `rule`: how floats are compared
/// where nothing else is said.
///
/// # Errors
/// A directive does not fit, or the buffer is too large.
pub fn fill(
    shader: &str,
    buffer: &str,
    ty: &Type,
    directives: &Directives,
    count: usize,
    rule: Rule,
) -> Result<Content, LabError> {
    let whole = directives.data_of(buffer, "");
    let count = whole.count.map_or(count, |n| n as usize);
    // An unsized array's own count may be said of it by its name.
    let count = match ty {
        Type::Struct(members) => members.last().map_or(count, |m| {
            let spec = directives.data_of(buffer, &m.name);
            spec.count.map_or(count, |n| n as usize)
        }),
        _ => count,
    };
    let bytes = ty.bytes(count);
    if bytes > MAX_BYTES {
        return Err(LabError::Unsupported(format!(
            "{bytes} bytes of {buffer}, and {MAX_BYTES} is the most"
        )));
    }
    let mut filler = Filler {
        directives,
        buffer,
        count,
        rule,
        random: Random(seed(&[shader, buffer])),
        content: Content {
            bytes: vec![0; bytes.next_multiple_of(4)],
            ..Content::default()
        },
    };
    filler.fill(ty, 0, "", &mut 0)?;
    Ok(filler.content)
}

impl Filler<'_> {
    /// Fills a type at an offset; `index` counts the elements of the member so far.
    fn fill(
        &mut self,
        ty: &Type,
        offset: usize,
        path: &str,
        index: &mut usize,
    ) -> Result<(), LabError> {
        match ty {
            Type::Scalar(element) => self.scalar(*element, offset, path, index),
            Type::Pointer => {
                let spec = self.directives.data_of(self.buffer, path);
                let Some(to) = spec.pointer else {
                    return Err(LabError::Directive(format!(
                        "{}.{path} is an address: say `data.\"{}.{path}\".pointer`",
                        self.buffer, self.buffer
                    )));
                };
                self.content.pointers.push((offset, to));
                Ok(())
            }
            Type::Array { of, stride, count } => {
                let count = count.unwrap_or(self.count);
                for i in 0..count {
                    self.fill(of, offset + i * stride, path, index)?;
                }
                Ok(())
            }
            Type::Struct(members) => {
                for member in members {
                    let path = match path {
                        "" => member.name.clone(),
                        path => format!("{path}.{}", member.name),
                    };
                    // The elements of a member count over all elements of the array around it only
                    // where it is the outermost.
                    let mut own = 0;
                    self.fill(&member.ty, offset + member.offset, &path, &mut own)?;
                }
                Ok(())
            }
        }
    }

    fn scalar(
        &mut self,
        declared: Element,
        offset: usize,
        path: &str,
        index: &mut usize,
    ) -> Result<(), LabError> {
        let spec = self.directives.data_of(self.buffer, path);
        if let Some(to) = &spec.pointer {
            self.content.pointers.push((offset, to.clone()));
            return Ok(());
        }
        let element = spec.ty.unwrap_or(declared);
        let fits = element.bytes() == declared.bytes();
        if !fits && !declared.bytes().is_multiple_of(element.bytes()) {
            return Err(LabError::Directive(format!(
                "{}.{path}: elements of {} bytes are given as {} bytes",
                self.buffer,
                declared.bytes(),
                element.bytes()
            )));
        }
        for part in 0..declared.bytes() / element.bytes() {
            let at = offset + part * element.bytes();
            let bits = value(&spec, element, *index, &mut self.random)?;
            *index += 1;
            let to = self.content.bytes.get_mut(at..).unwrap_or_default();
            for (to, from) in to.iter_mut().zip(bits.to_le_bytes()).take(element.bytes()) {
                *to = from;
            }
            // What a float is compared by is its declared type where that is one; a packed one of a
            // directive is.
            let compared = if fits && declared.is_float() {
                declared
            } else {
                element
            };
            let rule = spec.compare.unwrap_or(if compared.is_float() {
                self.rule
            } else {
                Rule::Bits
            });
            self.place(at, compared, rule);
        }
        Ok(())
    }

    /// Adds an element to the places, joined to the last where it goes on.
    fn place(&mut self, offset: usize, element: Element, rule: Rule) {
        if let Some(last) = self.content.places.last_mut()
            && (last.element, last.rule) == (element, rule)
        {
            let next = last.offset + last.count * last.step;
            if last.count == 1 && offset > last.offset {
                last.step = offset - last.offset;
                last.count = 2;
                return;
            }
            if next == offset {
                last.count += 1;
                return;
            }
        }
        self.content.places.push(Place {
            offset,
            element,
            count: 1,
            step: element.bytes(),
            rule,
        });
    }
}

/// The bits of a number as an element.
pub fn bits(number: &Number, element: Element) -> Result<u64, LabError> {
    let wrong = || LabError::Directive(format!("{number:?} is no {element:?}"));
    match element {
        Element::F16 => Ok(half(number.float().ok_or_else(wrong)?).into()),
        Element::F32 => Ok((number.float().ok_or_else(wrong)? as f32).to_bits().into()),
        Element::F64 => Ok(number.float().ok_or_else(wrong)?.to_bits()),
        _ => number.bits().ok_or_else(wrong),
    }
}

/// One element's bits, by the directives or by chance.
fn value(
    spec: &DataSpec,
    element: Element,
    index: usize,
    random: &mut Random,
) -> Result<u64, LabError> {
    if let Some(values) = &spec.values {
        return values.get(index).map_or(Ok(0), |v| bits(v, element));
    }
    if let Some(fill) = &spec.fill {
        return bits(fill, element);
    }
    if element.is_float() {
        let bound = |n: &Option<Number>, absent| {
            n.as_ref().map_or(Ok(absent), |n| {
                n.float()
                    .ok_or_else(|| LabError::Directive(format!("{n:?} is no float")))
            })
        };
        let (low, high) = (
            bound(&spec.min, FLOAT_RANGE.0)?,
            bound(&spec.max, FLOAT_RANGE.1)?,
        );
        let x = low + random.unit() * (high - low);
        return bits(&Number::Float(x), element);
    }
    let (min, max) = match (&spec.min, &spec.max) {
        (None, None) => return Ok(random.next()),
        (min, max) => (min, max),
    };
    let width = 8 * element.bytes() as u32;
    let number = |n: &Option<Number>, absent: i128| match n {
        None => Some(absent),
        Some(Number::Text(text)) if element == Element::U64 => {
            spirdna_case::format::parse_u64(text).map(i128::from)
        }
        Some(n) => n.bits().map(|b| i128::from(b.cast_signed())),
    };
    let (least, most) = if element.is_signed() {
        (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
    } else {
        (0, (1i128 << width) - 1)
    };
    let wrong = || LabError::Directive(format!("{min:?} to {max:?} is no range of {element:?}"));
    let (low, high) = (
        number(min, least).ok_or_else(wrong)?,
        number(max, most).ok_or_else(wrong)?,
    );
    if low > high {
        return Err(wrong());
    }
    let span = (high - low).cast_unsigned() + 1;
    let wide = u128::from(random.next()) << 64 | u128::from(random.next());
    Ok((low + (wide % span).cast_signed()) as u64)
}

/// A double rounded once to a half (to nearest even), its bits.
pub fn half(value: f64) -> u16 {
    let sign = (value.to_bits() >> 48 & 0x8000) as u16;
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return sign | 0x7e00;
    }
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // Halves are multiples of 2^-24; from 2^-14 on, of their exponent's last place.
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    let place = (exponent - 10).max(-24);
    let scaled = magnitude * 2f64.powi(-place);
    let whole = scaled.round_ties_even() as u32;
    let bits = if place == -24 {
        whole
    } else {
        ((exponent + 14) as u32) * 1024 + whole
    };
    sign | bits as u16
}

/// The value of a half's bits.
pub fn half_value(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)] // a test may stop

    use super::*;
    use crate::interface::Member;

    #[test]
    fn halves_come_back() {
        for bits in 0..=u16::MAX {
            let value = half_value(bits);
            if !value.is_nan() {
                assert_eq!(half(value), bits, "{value}");
            }
        }
        assert_eq!(half(2049.0), 0x6800);
        assert_eq!(half(2051.0), 0x6802);
        assert_eq!(half(2f64.powi(-25)), 0);
        assert_eq!(half(65519.9), 0x7bff);
    }

    #[test]
    fn members_lie_where_they_are_said_to() {
        let array = |ty, stride, count| Type::Array {
            of: Box::new(ty),
            stride,
            count,
        };
        let ty = Type::Struct(vec![
            Member {
                name: "n".into(),
                offset: 0,
                ty: Type::Scalar(Element::U32),
            },
            Member {
                name: "v".into(),
                offset: 16,
                ty: array(array(Type::Scalar(Element::F32), 4, Some(3)), 16, None),
            },
        ]);
        let text = "//! lab: data.\"b.n\" = { values = [7] }\n\
                    //! lab: data.b = { min = 1.0, max = 2.0 }\n";
        let directives = Directives::read(text).unwrap();
        let content = fill("s", "b", &ty, &directives, 2, Rule::Ulp(3)).unwrap();
        assert_eq!(content.bytes.len(), 16 + 16 + 12);
        assert_eq!(content.bytes[..8], [7, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(content.bytes[28..32], [0; 4]);
        for at in [16, 20, 24, 32, 36, 40] {
            let x = f32::from_le_bytes(content.bytes[at..at + 4].try_into().unwrap());
            assert!((1.0..2.0).contains(&x), "{x}");
        }
        let count: usize = content.places.iter().map(|p| p.count).sum();
        assert_eq!((count, content.places[0].rule), (7, Rule::Bits));
    }
}
