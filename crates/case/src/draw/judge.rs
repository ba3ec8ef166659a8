//! Compares what a draw left with what the file expects and with the original's picture.

use std::fmt;

use spirdna_vulkan::draw::{Format, FormatClass};

use super::run::{Image, Picture};
use super::{DrawCase, Target};

/// Where a picture differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which image.
    pub image: String,
    /// Against what.
    pub against: &'static str,
    /// Pixels that differ by more than the file allows.
    pub pixels: u32,
    /// The first of them.
    pub at: [u32; 2],
    /// What it should hold.
    pub expected: Vec<u8>,
    /// What it holds.
    pub found: Vec<u8>,
    /// The greatest distance of components, in steps of their representation.
    pub greatest: u32,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.at;
        write!(
            f,
            "{} against {}: {} pixels differ (by {} steps at most), the first at ({x}, {y}): expected {:02x?}, found {:02x?}",
            self.image, self.against, self.pixels, self.greatest, self.expected, self.found
        )
    }
}

/// Everything that differs: expected pixels, the original's picture, memory faults.
pub fn judge(case: &DrawCase, found: &Picture, original: Option<&Picture>) -> Vec<String> {
    let mut all = Vec::new();
    for fault in &found.outcome.faults {
        all.push(format!("memory fault: {fault}"));
    }
    for (i, (target, image)) in case.colors.iter().zip(&found.colors).enumerate() {
        let name = format!("color {i}");
        all.extend(expected(case, target, image, &name).map(|d| d.to_string()));
        if let Some(other) = original.and_then(|o| o.colors.get(i)) {
            let allowed = Allowed {
                step: target.step,
                within: target.within,
                off: target.off,
            };
            all.extend(images(case, image, other, &name, allowed).map(|d| d.to_string()));
        }
    }
    if let Some(other) = original {
        all.extend(memory(found, other));
    }
    if let (Some(depth), Some(image), Some(other)) = (
        case.depth,
        &found.depth,
        original.and_then(|o| o.depth.as_ref()),
    ) {
        let allowed = Allowed {
            step: depth.step,
            within: [0.0; 4],
            off: 0,
        };
        all.extend(images(case, image, other, "depth", allowed).map(|d| d.to_string()));
    }
    all
}

/// Regions that do not hold what the original left there: buffers and storage images that shaders wrote.
fn memory<'p>(found: &'p Picture, other: &'p Picture) -> impl Iterator<Item = String> + 'p {
    let regions = found.outcome.memory.regions();
    let both = regions.iter().zip(other.outcome.memory.regions());
    both.filter_map(|(mine, theirs)| {
        let bytes = mine.bytes.iter().zip(&theirs.bytes);
        let differ: Vec<usize> = bytes
            .enumerate()
            .filter_map(|(i, (a, b))| (a != b).then_some(i))
            .collect();
        let first = differ.first()?;
        Some(format!(
            "{}: {} bytes differ from the original's, the first at {first}",
            mine.name,
            differ.len()
        ))
    })
}

/// How far an image may be from another.
#[derive(Clone, Copy)]
struct Allowed {
    /// Steps of components.
    step: u32,
    /// Distances of components' values.
    within: [f32; 4],
    /// Pixels that may be off by more.
    off: u32,
}

impl Allowed {
    /// Whether each component of two texels of 32-bit floats is near enough, by steps or in value.
    fn by_components(&self, format: Format, a: &[u8], b: &[u8]) -> bool {
        if !(format.name().starts_with("R32") && format.name().ends_with("Sfloat")) {
            return false;
        }
        let pairs = a.chunks(4).zip(b.chunks(4)).zip(self.within);
        pairs.into_iter().all(|((a, b), within)| {
            let value = |bytes: &[u8]| bytes.try_into().map_or(f32::NAN, f32::from_le_bytes);
            distance(format, a, b) <= self.step || (value(a) - value(b)).abs() <= within
        })
    }
}

fn pixel(image: &Image, index: usize) -> &[u8] {
    let bytes = image.format.bytes() as usize;
    image
        .data
        .get(index * bytes..(index + 1) * bytes)
        .unwrap_or_default()
}

fn expected(case: &DrawCase, target: &Target, image: &Image, name: &str) -> Option<Difference> {
    let width = case.size[0] as usize;
    let wrong = target.pixels.iter().find(|(at, value)| {
        let index = at[1] as usize * width + at[0] as usize;
        pixel(image, index) != value.as_slice()
    });
    wrong.map(|(at, value)| Difference {
        image: name.to_owned(),
        against: "the expectation",
        pixels: 1,
        at: *at,
        expected: value.clone(),
        found: pixel(image, at[1] as usize * width + at[0] as usize).to_vec(),
        greatest: distance(
            image.format,
            value,
            pixel(image, at[1] as usize * width + at[0] as usize),
        ),
    })
}

fn images(
    case: &DrawCase,
    found: &Image,
    other: &Image,
    name: &str,
    allowed: Allowed,
) -> Option<Difference> {
    let [width, height] = case.size;
    let mut first = None;
    let (mut count, mut greatest) = (0, 0);
    for index in 0..width as usize * height as usize * case.layers as usize {
        let (a, b) = (pixel(found, index), pixel(other, index));
        if a == b {
            continue;
        }
        let steps = distance(found.format, a, b);
        if steps <= allowed.step || allowed.by_components(found.format, a, b) {
            continue;
        }
        count += 1;
        greatest = greatest.max(steps);
        first.get_or_insert(index);
    }
    let index = first.filter(|_| count > allowed.off)?;
    Some(Difference {
        image: name.to_owned(),
        against: "the original",
        pixels: count,
        at: [index as u32 % width, index as u32 / width],
        expected: pixel(other, index).to_vec(),
        found: pixel(found, index).to_vec(),
        greatest,
    })
}

/// The greatest distance of two texels' components, in steps of their representation.
fn distance(format: Format, a: &[u8], b: &[u8]) -> u32 {
    let name = format.name();
    let bytes = if name.starts_with("R8") {
        1
    } else if name.starts_with("R16") {
        2
    } else {
        4
    };
    let float = name.ends_with("Sfloat") || format.class() == FormatClass::Depth;
    let value = |part: &[u8]| {
        let raw = part
            .iter()
            .rev()
            .fold(0u32, |word, &byte| word << 8 | u32::from(byte));
        let sign = 1u32 << (8 * bytes - 1);
        // Floats in the order of their values.
        if float && raw & sign != 0 {
            -i64::from(raw & !sign)
        } else {
            i64::from(raw)
        }
    };
    let steps = a
        .chunks(bytes)
        .zip(b.chunks(bytes))
        .map(|(x, y)| (value(x) - value(y)).unsigned_abs());
    steps
        .max()
        .map_or(0, |n| u32::try_from(n).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_near_by_steps_or_in_value() {
        let texel = |x: [f32; 2]| x.map(f32::to_le_bytes).concat();
        let format = Format::R32G32Sfloat;
        let allowed = Allowed {
            step: 1,
            within: [0.5, 0.0, 0.0, 0.0],
            off: 0,
        };
        let one_on = f32::from_bits(1.0_f32.to_bits() + 1);
        let near = |a, b| allowed.by_components(format, &texel(a), &texel(b));
        assert!(near([1.0, 1.0], [1.5, one_on]));
        assert!(!near([1.0, 1.0], [1.75, 1.0]));
        assert!(!near([1.0, 1.0], [1.0, 1.5]));
        assert!(!near([f32::NAN, 1.0], [1.0, 1.0]));
    }
}
