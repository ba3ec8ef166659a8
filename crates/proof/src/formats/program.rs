//! The programs that load and store elements of formats, and the cases around them. Knows registers and
//! regions; what values must come out is `mod`'s.
//!
//! s[0:1] elements or data, s[2:3] results, s[4:5] the table of what each workgroup does where the V# is not
//! known, s6 the workgroup; s[12:15] a V#, s[24:27] the same with other destination selects; v5 the element,
//! v[20:23] what is loaded or stored, v[24:25] the same in halves.

use std::fmt::Write as _;

use spirdna_case::Case;
use spirdna_isa::descriptor::vsharp;
use spirdna_isa::fields::FieldId;
use spirdna_isa::format::BufferFormat;
use spirdna_isa::launch::{InitialVgpr, Launch, SystemSgpr};
use spirdna_isa::{Buffer, Encoding, MemData, Opcode, Sem, Target, WaveSize, assemble};

use super::{Path, Way};
use crate::batch::Key;
use crate::memory::instances::{Draft, Dump, finish, is_formatted};
use crate::pack;

/// Threads of a workgroup.
pub const LOCAL: usize = 256;
/// What a register holds before a load, and a stored element's place before the store.
pub const FILL: u32 = 0xa5c3_96e0;
/// Destination selects of the other V#: W, one, zero, X.
pub const SELECTS: [u32; 4] = [7, 1, 0, 4];
/// Bytes that a lane's register dump, a stored element's place, take.
pub const SLOT: usize = 16;
/// Bytes of a stored element's source: four dwords, four halves, padding.
pub const SOURCE: usize = 32;
/// Dwords of a table entry.
const ENTRY: usize = 8;

const TARGET: Target = Target::Gfx1030;

/// A formatted instruction.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its text.
    pub text: String,
    /// What it moves.
    pub data: MemData,
    /// The V# has `SELECTS`.
    pub selects: bool,
    words: Vec<u32>,
}

/// All formatted instructions of a way in the encodings of a path.
pub fn instances(path: Path, way: Way, format: Option<BufferFormat>) -> Vec<Instance> {
    let mut out = Vec::new();
    for &opcode in Opcode::ALL {
        let data = match (opcode.row().sem, way) {
            (Sem::Buffer(Buffer::Load(data)), Way::Load) => data,
            (Sem::Buffer(Buffer::Store(data)), Way::Store) => data,
            _ => continue,
        };
        if !is_formatted(data) {
            continue;
        }
        for form in opcode.row().forms {
            if !form.targets.contains(TARGET.set())
                || path == Path::RunTime && form.encoding == Encoding::Mtbuf
            {
                continue;
            }
            let whole = matches!(data, MemData::Format(4) | MemData::FormatD16(4));
            let twice = way == Way::Load && whole && form.encoding == Encoding::Mubuf;
            let halves = !matches!(data, MemData::Format(_)) && way == Way::Store;
            for selects in [false, true] {
                if selects && !twice {
                    continue;
                }
                let fields = [
                    (FieldId::Idxen, 1),
                    (FieldId::Vaddr, 5),
                    (FieldId::Vdata, if halves { 24 } else { 20 }),
                    (FieldId::Srsrc, if selects { 6 } else { 3 }),
                    (FieldId::Soffset, 128),
                    (FieldId::Format, format.map_or(0, |f| f.code().into())),
                ];
                let key = Key::of(opcode, form, path.wave());
                let draft = Draft::new(Dump::Vector).with(&fields, "");
                if let Some(item) = finish(&key, TARGET, form, draft) {
                    out.push(Instance {
                        text: item.text,
                        data,
                        selects,
                        words: item.words,
                    });
                }
            }
        }
    }
    out
}

/// Elements of a format that go through one dispatch.
#[derive(Clone, Debug)]
pub struct Block {
    /// The format.
    pub format: BufferFormat,
    /// A multiple of `LOCAL`.
    pub elements: usize,
    /// Loads: the elements. Stores: the sources.
    pub bytes: Vec<u8>,
}

/// Where a block's things lie, in bytes of their regions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// In the elements or sources.
    pub from: usize,
    /// Of the results: loads have the slots of an element side by side, stores those of an instance.
    pub to: usize,
}

/// Places of blocks, and the bytes of both regions.
pub fn places(blocks: &[Block], instances: usize) -> (Vec<Place>, Place) {
    let mut end = Place::default();
    let list = blocks.iter().map(|block| {
        let here = end;
        end.from += block.bytes.len().next_multiple_of(LOCAL);
        end.to += block.elements * instances * SLOT;
        here
    });
    (list.collect(), end)
}

fn vsharp_words(base: u64, stride: u32, records: usize, format: BufferFormat) -> [u32; 4] {
    let mut words = [0; 4];
    for (field, value) in [
        (vsharp::BASE_LO, base as u32),
        (vsharp::BASE_HI, (base >> 32) as u32),
        (vsharp::STRIDE, stride),
        (vsharp::NUM_RECORDS, records as u32),
        (vsharp::FORMAT, format.code().into()),
        (vsharp::RESOURCE_LEVEL, 1),
    ] {
        words = field.set(words, value);
    }
    for (field, i) in vsharp::DST_SEL.into_iter().zip(4..) {
        words = field.set(words, i);
    }
    words
}

fn with_selects(mut words: [u32; 4]) -> [u32; 4] {
    for (field, select) in vsharp::DST_SEL.into_iter().zip(SELECTS) {
        words = field.set(words, select);
    }
    words
}

/// The case of blocks: one where the V# is known.
///
/// # Errors
/// It does not assemble: a reason in words.
pub fn case(
    name: String,
    path: Path,
    way: Way,
    blocks: &[Block],
    instances: &[Instance],
) -> Result<Case, String> {
    let (places, end) = places(blocks, instances.len());
    let first = pack::FIRST;
    let results = first + end.from as u64;
    let mut input = vec![0; end.from];
    for (block, place) in blocks.iter().zip(&places) {
        if let Some(to) = input.get_mut(place.from..place.from + block.bytes.len()) {
            to.copy_from_slice(&block.bytes);
        }
    }
    let mut table = Vec::new();
    let mut groups = 0;
    let mut known = None;
    for (block, place) in blocks.iter().zip(&places) {
        let words = match way {
            Way::Load => vsharp_words(
                first + place.from as u64,
                block.format.layout().bytes(),
                block.elements,
                block.format,
            ),
            Way::Store => vsharp_words(
                results + place.to as u64,
                SLOT as u32,
                block.elements,
                block.format,
            ),
        };
        known = Some((words, block.elements * SLOT));
        for group in 0..block.elements / LOCAL {
            let mut entry = [0; ENTRY];
            let rest = [
                (group * LOCAL) as u32,
                with_selects(words)[3],
                place.from as u32,
                (block.elements * SLOT) as u32,
            ];
            for (to, from) in entry.iter_mut().zip(words.into_iter().chain(rest)) {
                *to = from;
            }
            table.extend(entry);
            groups += 1;
        }
    }
    let (words, step) = known.ok_or("no block")?;
    let mut text = String::new();
    head(&mut text, path, words);
    match way {
        Way::Load => loads(&mut text, instances),
        Way::Store => stores(&mut text, path, instances, words, step),
    }
    text.push_str("s_endpgm\n");
    let code = assemble(TARGET, path.wave(), &text).map_err(|errors| {
        let error = errors.first().map_or_else(String::new, ToString::to_string);
        format!("{name} does not assemble: {error}")
    })?;
    let mut launch = Launch::compute(TARGET, path.wave(), [LOCAL as u32, 1, 1]);
    launch.user_sgprs = 6;
    launch.system_sgprs = vec![SystemSgpr::GroupId(0)];
    launch.vgprs = vec![(0, InitialVgpr::LocalId(0))];
    let output = FILL.to_le_bytes().repeat(end.to / 4);
    let table = table.iter().flat_map(|w: &u32| w.to_le_bytes()).collect();
    let regions = [("in", input), ("out", output), ("table", table)];
    Ok(pack::case(name, code, launch, regions, groups))
}

// Writing to a String does not fail, below.

/// The V# and the element of a lane.
fn head(out: &mut String, path: Path, words: [u32; 4]) {
    let _ = writeln!(
        out,
        "s_mul_i32 s7, s6, {LOCAL:#x}\nv_add_nc_u32_e32 v1, s7, v0"
    );
    match path {
        Path::Known => {
            for (i, (word, other)) in words.into_iter().zip(with_selects(words)).enumerate() {
                let _ = writeln!(
                    out,
                    "s_mov_b32 s{}, {word:#x}\ns_mov_b32 s{}, {other:#x}",
                    12 + i,
                    24 + i
                );
            }
            out.push_str("v_mov_b32_e32 v5, v1\n");
        }
        Path::RunTime => {
            let _ = writeln!(
                out,
                "s_mul_i32 s7, s6, {:#x}\n\
                 s_add_u32 s8, s4, s7\n\
                 s_addc_u32 s9, s5, 0\n\
                 s_load_dwordx8 s[12:19], s[8:9], 0x0\n\
                 s_waitcnt lgkmcnt(0)\n\
                 s_mov_b64 s[24:25], s[12:13]\n\
                 s_mov_b32 s26, s14\n\
                 s_mov_b32 s27, s17\n\
                 s_add_u32 s0, s0, s18\n\
                 s_addc_u32 s1, s1, 0\n\
                 v_add_nc_u32_e32 v5, s16, v0",
                4 * ENTRY
            );
        }
    }
}

fn loads(out: &mut String, instances: &[Instance]) {
    let _ = writeln!(
        out,
        "v_mul_u32_u24_e32 v2, {:#x}, v1",
        SLOT * instances.len()
    );
    for (j, instance) in instances.iter().enumerate() {
        for i in 0..4 {
            let _ = writeln!(out, "v_mov_b32_e32 v{}, {FILL:#x}", 20 + i);
        }
        words(out, instance);
        let _ = writeln!(
            out,
            "s_waitcnt vmcnt(0)\nglobal_store_dwordx4 v2, v[20:23], s[2:3] offset:{}",
            SLOT * j
        );
    }
}

fn stores(out: &mut String, path: Path, instances: &[Instance], base: [u32; 4], step: usize) {
    let _ = writeln!(
        out,
        "v_lshlrev_b32_e32 v2, 5, v5\n\
         global_load_dwordx4 v[20:23], v2, s[0:1]\n\
         global_load_dwordx2 v[24:25], v2, s[0:1] offset:16\n\
         s_waitcnt vmcnt(0)"
    );
    for (j, instance) in instances.iter().enumerate() {
        if path == Path::Known {
            // The results are no 4 GiB, and do not begin near such an end.
            let low = base[0].wrapping_add((j * step) as u32);
            let _ = writeln!(out, "s_mov_b32 s12, {low:#x}");
        }
        words(out, instance);
        if path == Path::RunTime {
            out.push_str("s_add_u32 s12, s12, s19\ns_addc_u32 s13, s13, 0\n");
        }
    }
}

fn words(out: &mut String, instance: &Instance) {
    for word in &instance.words {
        let _ = writeln!(out, ".long {word:#x}");
    }
}

impl Path {
    /// The wave size of its programs.
    pub fn wave(self) -> WaveSize {
        match self {
            Path::Known => WaveSize::W32,
            Path::RunTime => WaveSize::W64,
        }
    }
}
