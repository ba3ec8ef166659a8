//! Every buffer format through every formatted buffer instruction: all values of components of up to 16 bits,
//! edges and random ones of 32, loaded and stored in 32 and in 16 bits, compared with exact rationals.
//!
//! - [`model`]: what must come out; knows neither the reference nor the translator.
//! - `values`: what goes in. `program`: the programs and cases. [`record`]: what has been found, as files.
//!
//! Each format is gone through twice: with a V# (and the format of MTBUF) that the translator knows, so that
//! conversions fold to straight code; and with one that the program reads from memory, so that one program
//! decodes all of them at run time.

pub mod model;
mod program;
pub mod record;
mod values;

use std::collections::BTreeMap;
use std::thread;

use spirdna_case::{Case, GuestMemory, RegionId};
use spirdna_isa::MemData;
use spirdna_isa::format::{BufferFormat, NumberType};

use self::program::{Block, FILL, Instance, LOCAL, Place, SELECTS, SLOT, SOURCE, case, places};

/// Bytes of results of a dispatch at most, unless one format needs more: lavapipe's largest buffer is 128 MiB.
const MOST: usize = 64 << 20;

/// What the translator knows of the V#.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Path {
    /// All of it.
    Known,
    /// Nothing.
    RunTime,
}

/// Loads or stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// Memory to registers.
    Load,
    /// Registers to memory.
    Store,
}

impl Path {
    /// Both.
    pub const ALL: [Path; 2] = [Path::Known, Path::RunTime];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Path::Known => "known",
            Path::RunTime => "run-time",
        }
    }
}

impl Way {
    /// Both.
    pub const ALL: [Way; 2] = [Way::Load, Way::Store];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Way::Load => "load",
            Way::Store => "store",
        }
    }
}

/// A dispatch: formats through the instructions of a way.
#[derive(Debug)]
pub struct Part {
    /// The case, without expectations.
    pub case: Case,
    /// What is known of the V#.
    pub path: Path,
    /// Loads or stores.
    pub way: Way,
    instances: Vec<Instance>,
    blocks: Vec<Block>,
    places: Vec<Place>,
}

/// What a part gave for one format.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The format.
    pub format: BufferFormat,
    /// Instructions.
    pub instructions: usize,
    /// Elements that each of them moved.
    pub elements: usize,
    /// Elements, over all instructions, that are not what they must be.
    pub wrong: usize,
    /// The first of them of each instruction, in words.
    pub first: Vec<String>,
}

/// How to make the dispatches of some formats.
///
/// # Errors
/// A program does not assemble: a reason in words.
pub fn parts(path: Path, way: Way, formats: &[BufferFormat]) -> Result<Vec<Part>, String> {
    let mut groups: Vec<Vec<BufferFormat>> = Vec::new();
    let mut bytes = usize::MAX;
    for &format in formats {
        let count = program::instances(path, way, Some(format)).len();
        let more = elements(way, format) * count * SLOT;
        match groups.last_mut() {
            Some(group) if path == Path::RunTime && bytes.saturating_add(more) <= MOST => {
                group.push(format);
                bytes += more;
            }
            _ => {
                groups.push(vec![format]);
                bytes = more;
            }
        }
    }
    let groups = groups.into_iter().enumerate();
    groups.map(|(i, g)| Part::new(path, way, i, &g)).collect()
}

/// How many elements of a format are needed for all values of each component.
fn elements(way: Way, format: BufferFormat) -> usize {
    let widths = format.layout().widths().iter();
    match way {
        Way::Load => {
            let widest = widths.max().copied().unwrap_or(8);
            let all = if widest == 32 { 1 << 14 } else { 1 << widest };
            all.max(LOCAL)
        }
        Way::Store => {
            let lists = widths.map(|&w| values::stored(format.number(), w).len());
            lists.max().unwrap_or(0).next_multiple_of(1 << 16)
        }
    }
}

fn block(way: Way, format: BufferFormat) -> Block {
    let elements = elements(way, format);
    let widths = format.layout().widths();
    let mut bytes = Vec::new();
    match way {
        Way::Load => {
            let list = values::words();
            for i in 0..elements {
                let mut element = 0u128;
                let mut at = 0;
                for (c, &width) in widths.iter().enumerate() {
                    let value = component(&list, c, width, i);
                    element |= u128::from(value) << at;
                    at += width;
                }
                bytes.extend(element.to_le_bytes().into_iter().take(usize::from(at / 8)));
            }
        }
        Way::Store => {
            let lists: BTreeMap<u8, Vec<u32>> = widths
                .iter()
                .map(|&w| (w, values::stored(format.number(), w)))
                .collect();
            let any = values::words();
            for i in 0..elements {
                // Components that the format lacks get something that must not show.
                let singles = (0..4).map(|c| {
                    let list = widths.get(c).and_then(|w| lists.get(w)).unwrap_or(&any);
                    values::of_list(list, c, i)
                });
                bytes.extend(singles.flat_map(u32::to_le_bytes));
                for c in 0..4 {
                    bytes.extend((values::narrow(c, 16, i) as u16).to_le_bytes());
                }
                bytes.extend([0; SOURCE - 24]);
            }
        }
    }
    Block {
        format,
        elements,
        bytes,
    }
}

/// A component's bits in an element that is loaded.
fn component(list: &[u32], c: usize, width: u8, i: usize) -> u32 {
    if width == 32 {
        values::of_list(list, c, i)
    } else {
        values::narrow(c, width, i)
    }
}

/// `f` of each value, on all cores.
fn each(values: &[u32], f: impl Fn(u32) -> u32 + Sync) -> Vec<u32> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let chunk = values.len().div_ceil(cores).max(1);
    let f = &f;
    thread::scope(|scope| {
        let part = |part: &[u32]| part.iter().map(|&v| f(v)).collect::<Vec<u32>>();
        let threads: Vec<_> = values
            .chunks(chunk)
            .map(|values| scope.spawn(move || part(values)))
            .collect();
        threads
            .into_iter()
            .flat_map(|t| t.join().unwrap_or_default())
            .collect()
    })
}

/// What the components of a format become, in 32 and in 16 bits; made once for each kind of component.
#[derive(Default)]
pub struct Expected {
    tables: BTreeMap<(Way, &'static str, u8), [Vec<u32>; 2]>,
}

impl Expected {
    /// The tables of a component: of a load from all values (or the list), of a store from the list in 32
    /// bits, from all values in 16.
    fn tables(&mut self, way: Way, number: NumberType, width: u8) -> &[Vec<u32>; 2] {
        self.tables
            .entry((way, number.name(), width))
            .or_insert_with(|| match way {
                Way::Load => {
                    let from = match width {
                        32 => values::words(),
                        _ => (0..1 << width).collect(),
                    };
                    [
                        each(&from, |v| model::load(number, width, v)),
                        each(&from, |v| model::load_half(number, width, v)),
                    ]
                }
                Way::Store => [
                    each(&values::stored(number, width), |v| {
                        model::store(number, width, v)
                    }),
                    each(&(0..1 << 16).collect::<Vec<u32>>(), |v| {
                        model::store_half(number, width, v)
                    }),
                ],
            })
    }
}

impl Part {
    fn new(path: Path, way: Way, number: usize, formats: &[BufferFormat]) -> Result<Part, String> {
        let format = match path {
            Path::Known => formats.first().copied(),
            Path::RunTime => None,
        };
        let instances = program::instances(path, way, format);
        let blocks: Vec<Block> = formats.iter().map(|&f| block(way, f)).collect();
        let (places, _) = places(&blocks, instances.len());
        let name = match format {
            Some(format) => format!("formats {} {} {format}", path.name(), way.name()),
            None => format!("formats {} {} {number}", path.name(), way.name()),
        };
        Ok(Part {
            case: case(name, path, way, &blocks, &instances)?,
            path,
            way,
            instances,
            blocks,
            places,
        })
    }

    /// What the memory that a run left says of each format.
    pub fn judge(&self, memory: &GuestMemory, expected: &mut Expected) -> Vec<Verdict> {
        let out = memory.get(RegionId(1)).map_or(&[][..], |r| &r.bytes);
        let blocks = self.blocks.iter().zip(&self.places);
        blocks
            .map(|(block, place)| {
                let mut verdict = Verdict {
                    format: block.format,
                    instructions: self.instances.len(),
                    elements: block.elements,
                    wrong: 0,
                    first: Vec::new(),
                };
                let tables = block.format.layout().widths().iter();
                let tables: Vec<[Vec<u32>; 2]> = tables
                    .map(|&w| expected.tables(self.way, block.format.number(), w).clone())
                    .collect();
                for (j, instance) in self.instances.iter().enumerate() {
                    let mut first = None;
                    for i in 0..block.elements {
                        let at = match self.way {
                            Way::Load => i * self.instances.len() + j,
                            Way::Store => j * block.elements + i,
                        };
                        let at = place.to + SLOT * at;
                        let got = out.get(at..at + SLOT).unwrap_or_default();
                        let must = match self.way {
                            Way::Load => loaded(instance, block, &tables, i),
                            Way::Store => stored(instance, block, &tables, i),
                        };
                        if got != must {
                            verdict.wrong += 1;
                            first.get_or_insert_with(|| {
                                format!(
                                    "{} ({}), {}, element {i}: {} where {} must be",
                                    block.format,
                                    self.path.name(),
                                    instance.text,
                                    hex(got),
                                    hex(&must)
                                )
                            });
                        }
                    }
                    verdict.first.extend(first);
                }
                verdict
            })
            .collect()
    }
}

fn hex(bytes: &[u8]) -> String {
    let words = bytes.chunks(4).map(|w| {
        let digits = w.iter().rev().map(|b| format!("{b:02x}"));
        digits.collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

fn is_half(data: MemData) -> bool {
    matches!(data, MemData::FormatD16(_) | MemData::FormatD16Hi)
}

fn count(data: MemData) -> usize {
    match data {
        MemData::Format(n) | MemData::FormatD16(n) => usize::from(n),
        _ => 1,
    }
}

/// The registers that a load leaves.
fn loaded(instance: &Instance, block: &Block, tables: &[[Vec<u32>; 2]], i: usize) -> [u8; SLOT] {
    let half = is_half(instance.data);
    let widths = block.format.layout().widths();
    // Components that the format lacks are 0.
    let of = |c: usize| -> u32 {
        let Some((&width, table)) = widths.get(c).zip(tables.get(c)) else {
            return 0;
        };
        let [singles, halves] = table;
        let table = if half { halves } else { singles };
        if width == 32 {
            values::of_list(table, c, i)
        } else {
            let bits = values::narrow(c, width, i) as usize;
            table.get(bits).copied().unwrap_or_default()
        }
    };
    let one = match (block.format.number().is_integer(), half) {
        (true, _) => 1,
        (false, true) => 0x3c00,
        (false, false) => 0x3f80_0000,
    };
    let components: [u32; 4] = if instance.selects {
        SELECTS.map(|select| match select {
            0 => 0,
            1 => one,
            s => of(s as usize - 4),
        })
    } else {
        [0, 1, 2, 3].map(of)
    };
    let mut registers = [FILL; 4];
    match instance.data {
        MemData::FormatD16Hi => {
            registers[0] = components[0] << 16 | FILL & 0xffff;
        }
        data => {
            for (c, value) in components.into_iter().take(count(data)).enumerate() {
                if !half {
                    registers[c] = value;
                } else if c % 2 == 0 {
                    registers[c / 2] = registers[c / 2] & 0xffff_0000 | value;
                } else {
                    registers[c / 2] = registers[c / 2] & 0xffff | value << 16;
                }
            }
        }
    }
    bytes(registers)
}

fn bytes(words: [u32; 4]) -> [u8; SLOT] {
    let mut out = [0; SLOT];
    for (to, word) in out.chunks_mut(4).zip(words) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    out
}

/// A stored element's place after the store.
fn stored(instance: &Instance, block: &Block, tables: &[[Vec<u32>; 2]], i: usize) -> [u8; SLOT] {
    let mut element = 0u128;
    let mut at = 0;
    for (c, &width) in block.format.layout().widths().iter().enumerate() {
        let Some([singles, halves]) = tables.get(c) else {
            break;
        };
        // What is not given is 0.
        let bits = match instance.data {
            data if c >= count(data) => 0,
            MemData::FormatD16Hi => half_of(halves, 1, i),
            MemData::FormatD16(_) => half_of(halves, c, i),
            _ => values::of_list(singles, c, i),
        };
        element |= u128::from(bits) << at;
        at += width;
    }
    let mut out = bytes([FILL; 4]);
    let element = element.to_le_bytes().into_iter().take(usize::from(at / 8));
    for (to, byte) in out.iter_mut().zip(element) {
        *to = byte;
    }
    out
}

/// Of the half that is component `c` of the source.
fn half_of(table: &[u32], c: usize, i: usize) -> u32 {
    let value = values::narrow(c, 16, i) as usize;
    table.get(value).copied().unwrap_or_default()
}
