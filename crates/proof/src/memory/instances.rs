//! What is tried of a memory row: its addressing modes, the bounds rules and swizzles of a V#, formats,
//! offsets, both halves of a pair. Each is a word of its encoding's fields with the lines that prepare its
//! registers ([`super::program`]).

use std::fmt::Write as _;

use spirdna_isa::format::BufferFormat;
use spirdna_isa::{
    AtomicOp, Buffer, DecodeOptions, Ds, Encoding, Flat, Form, MemData, RowFlags, Sem, Slot, Smem,
    Target, TextOptions, WaveSize, Width, decode_with, inst_to_string,
};

use spirdna_isa::fields::FieldId;
use spirdna_isa::launch::{PRIVATE_APERTURE, SHARED_APERTURE};

use super::program::SCRATCH;
use crate::batch::Key;

/// What is stored after an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dump {
    /// The destination VGPRs.
    Vector,
    /// So many SGPRs.
    Scalar(usize),
    /// The destination and the LDS.
    Lds,
    /// The destination and the workgroup's part of the GDS.
    Gds,
    /// The destination and the lane's scratch.
    Scratch,
}

impl Dump {
    /// Four dwords a lane, so many times.
    pub fn slots(self) -> usize {
        match self {
            Dump::Vector => 1,
            Dump::Scalar(n) => n.div_ceil(4).max(1),
            Dump::Lds | Dump::Gds => 2,
            Dump::Scratch => 1 + SCRATCH as usize / 16,
        }
    }
}

/// An instance.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is an instance of.
    pub key: Key,
    /// Its text.
    pub text: String,
    /// Its words.
    pub words: Vec<u32>,
    /// Lines that prepare its registers.
    pub setup: String,
    /// What is stored after it.
    pub dump: Dump,
    /// The first SGPR of `Dump::Scalar`.
    pub scalar: usize,
}

/// How an instance is made: fields, preparation, what shows it.
pub(crate) struct Draft {
    fields: Vec<(FieldId, u32)>,
    setup: String,
    dump: Dump,
    scalar: usize,
    note: String,
}

impl Draft {
    pub(crate) fn new(dump: Dump) -> Draft {
        Draft {
            fields: Vec::new(),
            setup: String::new(),
            dump,
            scalar: 64,
            note: String::new(),
        }
    }

    pub(crate) fn with(mut self, fields: &[(FieldId, u32)], setup: &str) -> Draft {
        self.fields.extend(fields);
        self.setup.push_str(setup);
        self
    }
}

/// All instances of a key on a target, the plain one first.
pub fn items(key: &Key, target: Target) -> Vec<Item> {
    let row = key.opcode.row();
    let forms = row.forms.iter();
    let mut forms = forms.filter(|f| f.encoding == key.encoding && f.targets == key.targets);
    let Some(form) = forms.next() else {
        return Vec::new();
    };
    let drafts = match row.sem {
        Sem::Smem(sem) => scalar(sem),
        Sem::Buffer(sem) => buffer(key, sem),
        Sem::Flat(sem) => flat(key, sem),
        Sem::Ds(sem) => ds(key, sem),
        _ => Vec::new(),
    };
    let mut items: Vec<Item> = Vec::new();
    for draft in drafts {
        if let Some(item) = finish(key, target, form, draft)
            && !items
                .iter()
                .any(|i| i.words == item.words && i.setup == item.setup)
        {
            items.push(item);
        }
    }
    items
}

/// The words of a draft, if they are that instruction.
pub(crate) fn finish(key: &Key, target: Target, form: &Form, draft: Draft) -> Option<Item> {
    let mut bits = u64::from(form.encoding.prefix());
    let number = u32::from(form.number);
    let low = form.encoding.field(FieldId::Op)?;
    bits = low.set(bits, number);
    if let Some(high) = form.encoding.field(FieldId::OpHi) {
        bits = high.set(bits, number >> low.width);
    }
    for (id, value) in draft.fields {
        if !has(key, id) {
            continue;
        }
        if let Some(field) = form.encoding.field(id) {
            bits = field.set(bits, value);
        }
    }
    let words = vec![bits as u32, (bits >> 32) as u32];
    let inst = decode_with(DecodeOptions::default(), target, &words, 0).ok()?;
    if inst.opcode() != key.opcode {
        return None;
    }
    let options = TextOptions {
        wave: key.wave,
        exact: false,
    };
    let text = inst_to_string(&inst, options);
    Some(Item {
        key: *key,
        text: format!("wave{} {text}{}", key.wave.lanes(), draft.note),
        words,
        setup: draft.setup,
        dump: draft.dump,
        scalar: draft.scalar,
    })
}

/// Whether the row has what a field names: a field without an operand must be 0.
fn has(key: &Key, id: FieldId) -> bool {
    let slots: &[Slot] = match id {
        FieldId::Addr => &[Slot::DsAddr, Slot::FlatAddr],
        FieldId::Data0 => &[Slot::Data0, Slot::FlatData],
        FieldId::Data1 => &[Slot::Data1],
        FieldId::Vdst => &[Slot::Vdst],
        FieldId::Vdata => &[Slot::Vdata],
        FieldId::Sdata => &[Slot::Sdata],
        FieldId::Sbase => &[Slot::Sbase],
        FieldId::Soffset | FieldId::Offset if key.encoding == Encoding::Smem => &[Slot::SmemOffset],
        _ => return true,
    };
    let operands = key.opcode.row().operands;
    operands.iter().any(|o| slots.contains(&o.slot))
}

// ---- Scalar memory -----------------------------------------------------------------------------------

fn scalar(sem: Smem) -> Vec<Draft> {
    let (dump, data, through_v, first) = match sem {
        Smem::Load(n) => (usize::from(n), 64, false, 64),
        Smem::BufferLoad(n) => (usize::from(n), 64, true, 64),
        Smem::Store(_) => (1, 20, false, 64),
        Smem::BufferStore(_) => (1, 20, true, 64),
        Smem::Atomic(..) => (4, 20, false, 20),
        Smem::BufferAtomic(..) => (4, 20, true, 20),
        Smem::WaveIdInGroup | Smem::MemTime | Smem::MemRealtime => (2, 64, false, 64),
        Smem::Cache | Smem::AtcProbe | Smem::Discard => (1, 64, false, 64),
        Smem::ScratchLoad(_) | Smem::ScratchStore(_) => (1, 64, false, 64),
    };
    let base = if through_v { 6 } else { 4 };
    let common = [(FieldId::Sdata, data), (FieldId::Sbase, base)];
    // V#s of 64 bytes: by bytes, and by a stride, known and not.
    let v = |known: bool, stride: u32| {
        if through_v {
            vsharp(
                known,
                stride,
                64u32.checked_div(stride).unwrap_or(64),
                0,
                W3,
            )
        } else {
            String::new()
        }
    };
    let fill = "s_mov_b32 s64, s36\ns_mov_b32 s65, s37\ns_mov_b32 s66, s38\ns_mov_b32 s67, s39\n";
    let off = 0x7d;
    let mut drafts = Vec::new();
    for (imm, soffset, value, stride) in [
        (0, off, 0, 0),
        (40, off, 0, 0),
        (8, 16, 24, 16),
        (0, 16, 51, 0),
        (2, off, 0, 16),
    ] {
        for glc in [0, 1] {
            let mut draft = Draft::new(Dump::Scalar(dump)).with(&common, &v(glc == 0, stride));
            draft.scalar = first;
            let _ = writeln!(draft.setup, "{fill}s_mov_b32 s16, {value}");
            let (offset, register) = (FieldId::Offset, FieldId::Soffset);
            drafts.push(draft.with(
                &[(offset, imm), (register, soffset), (FieldId::Glc, glc)],
                "",
            ));
        }
    }
    drafts
}

// ---- Buffers -----------------------------------------------------------------------------------------

/// Word 3 of a V# without format: X Y Z W, RESOURCE_LEVEL.
const W3: u32 = 0x0100_0fac;

/// A V# of the instance's arena in s[12:15]. What is not `known` is mixed with zeros that the translator
/// does not know.
fn vsharp(known: bool, stride: u32, records: u32, w1: u32, w3: u32) -> String {
    let w1 = stride << 16 | w1;
    let mix = if known { "0" } else { "s34" };
    format!(
        "s_mov_b32 s12, s8\n\
         s_and_b32 s13, s9, 0xffff\n\
         s_or_b32 s13, s13, {w1:#x}\n\
         s_or_b32 s13, s13, {mix}\n\
         s_or_b32 s14, {mix}, {records:#x}\n\
         s_or_b32 s15, {mix}, {w3:#x}\n"
    )
}

/// Whether a format stands between memory and registers.
pub(crate) fn is_formatted(data: MemData) -> bool {
    matches!(
        data,
        MemData::Format(_) | MemData::FormatD16(_) | MemData::FormatD16Hi
    )
}

/// A way to address a buffer.
struct Mode {
    offen: u32,
    idxen: u32,
    /// First and second address register.
    address: [&'static str; 2],
    imm: u32,
    soffset: u32,
    stride: u32,
    records: u32,
    w1: u32,
    w3: u32,
}

fn modes(key: &Key, writes: bool, formatted: bool, wide: bool) -> Vec<Mode> {
    const SWIZZLE: u32 = 1 << 31;
    const ADD_TID: u32 = 1 << 23;
    let oob = |rule: u32| rule << 28;
    let lanes = key.wave.lanes();
    let bytes = 16 * lanes;
    // Lanes that write have offsets and indices of their own.
    let offset = if writes || formatted { "v12" } else { "v4" };
    let index = if writes { "v0" } else { "v5" };
    let small = if writes || formatted { "0" } else { "v6" };
    let mode = |offen, idxen, address, imm, soffset, stride, records, w1, w3| Mode {
        offen,
        idxen,
        address,
        imm,
        soffset,
        stride,
        records,
        w1,
        w3,
    };
    let plain = match (formatted, wide) {
        (true, _) => 0,
        (_, true) => 8,
        _ => 4,
    };
    vec![
        mode(1, 0, [offset, ""], 0, 0, 0, bytes - 8, 0, oob(3)),
        mode(0, 1, [index, ""], 0, 0, 16, lanes - 3, 0, oob(0)),
        mode(1, 1, [index, small], plain, 0, 16, lanes - 5, 0, oob(1)),
        mode(0, 0, ["v0", ""], 0, 16, 16, lanes, 0, oob(2) | ADD_TID),
        mode(0, 1, [index, ""], plain, 0, 16, bytes - 40, SWIZZLE, oob(3)),
        mode(
            0,
            1,
            [index, ""],
            0,
            16,
            16,
            lanes - 1,
            SWIZZLE,
            oob(0) | 1 << 21,
        ),
        mode(0, 1, [index, ""], 0, 0, 16, 0, 0, oob(2)),
        // Without a stride this rule looks at the index alone.
        mode(1, 0, ["v2", ""], plain, 16, 0, bytes, 0, oob(0)),
        mode(
            0,
            0,
            ["v0", ""],
            0,
            0,
            16,
            lanes,
            SWIZZLE,
            oob(0) | ADD_TID | 2 << 21,
        ),
    ]
}

fn buffer(key: &Key, sem: Buffer) -> Vec<Draft> {
    let (writes, data, wide) = match sem {
        Buffer::Load(data) => (false, Some(data), false),
        Buffer::Store(data) => (true, Some(data), false),
        Buffer::Atomic(_, width) => (true, None, width == Width::B64),
        Buffer::StoreLds => (true, None, false),
        Buffer::Cache => return vec![Draft::new(Dump::Vector)],
    };
    let formatted = data.is_some_and(is_formatted);
    let formats: Vec<u8> = if formatted {
        BufferFormat::all().map(|f| f.code()).collect()
    } else {
        vec![22]
    };
    let fit = if let Buffer::Atomic(op, width) = sem {
        fitting(op, width)
    } else {
        String::new()
    };
    let mut drafts = Vec::new();
    let modes = modes(key, writes, formatted, wide);
    for (i, &format) in formats.iter().enumerate() {
        for (j, mode) in modes.iter().enumerate() {
            // Every mode with one format, every format with one mode.
            if formatted && (i + j) % modes.len() != 0 && i != 0 {
                continue;
            }
            let swizzled = mode.w1 >> 31 != 0;
            if swizzled && wide {
                // Eight bytes cross an element.
                continue;
            }
            let known = (i + j) % 2 == 0;
            let code = u32::from(format);
            let select = if formatted && !writes && (i + j) % 5 == 4 {
                0x14d
            } else {
                0xfac
            };
            let w3 = W3 & !0xfff | select | mode.w3 | code << 12;
            let mut draft = Draft::new(Dump::Vector);
            draft.setup = vsharp(known, mode.stride, mode.records, mode.w1, w3);
            for (to, from) in [16, 17].into_iter().zip(mode.address) {
                if !from.is_empty() {
                    let _ = writeln!(draft.setup, "v_mov_b32_e32 v{to}, {from}");
                }
            }
            if mode.address[1] == "v6" {
                draft.setup.push_str("v_and_b32_e32 v17, 4, v17\n");
            }
            draft.setup.push_str("s_mov_b32 s16, 16\n");
            draft.setup.push_str(&fit);
            let soffset = if mode.soffset == 0 { 128 } else { 16 };
            draft.note = format!(
                " (V# {w3:#x} stride {} records {})",
                mode.stride, mode.records
            );
            for glc in [0, 1] {
                let fields = [
                    (FieldId::Offen, mode.offen),
                    (FieldId::Idxen, mode.idxen),
                    (FieldId::Vaddr, 16),
                    (FieldId::Vdata, 28),
                    (FieldId::Srsrc, 3),
                    (FieldId::Soffset, soffset),
                    (FieldId::Offset, mode.imm),
                    (FieldId::Format, code),
                    (FieldId::Glc, glc),
                ];
                // GLC shows in atomics alone.
                if glc == 0 || !matches!(sem, Buffer::Load(_) | Buffer::Store(_)) {
                    let again = Draft {
                        fields: Vec::new(),
                        setup: draft.setup.clone(),
                        note: draft.note.clone(),
                        ..Draft::new(Dump::Vector)
                    };
                    drafts.push(again.with(&fields, ""));
                }
            }
        }
    }
    if let Buffer::Load(data) = sem {
        drafts.extend(to_elsewhere(key, data));
    }
    // With the old value first: the plain instance then shows it.
    if matches!(sem, Buffer::Atomic(..)) {
        drafts.swap(0, 1);
    }
    drafts
}

/// Loads with a status behind the data, and loads whose data goes to LDS.
fn to_elsewhere(key: &Key, data: MemData) -> Vec<Draft> {
    let lanes = key.wave.lanes();
    let w3 = W3 & !0xfff | 0xfac | 22 << 12;
    let with = |known: bool, dump: Dump, to: u32, m0: u32, field: FieldId, note: &str| {
        let mut draft = Draft::new(dump);
        // Indices past the lanes are out of range.
        draft.setup = vsharp(known, 16, lanes, 0, w3);
        draft.setup.push_str("v_mov_b32_e32 v16, v5\n");
        let _ = writeln!(draft.setup, "s_mov_b32 m0, {m0:#x}");
        draft.note = format!(" (V# {w3:#x} stride 16 records {lanes}{note})");
        let fields = [
            (FieldId::Idxen, 1),
            (FieldId::Vaddr, 16),
            (FieldId::Vdata, to),
            (FieldId::Srsrc, 3),
            (FieldId::Soffset, 128),
            (FieldId::Offset, if is_formatted(data) { 0 } else { 4 }),
            (field, 1),
        ];
        draft.with(&fields, "")
    };
    let mut drafts = Vec::new();
    if key.encoding != Encoding::Mubuf {
        return drafts;
    }
    for known in [true, false] {
        drafts.push(with(known, Dump::Vector, 27, 0, FieldId::Tfe, ""));
    }
    if key.opcode.row().flags.contains(RowFlags::LDS_LOAD) {
        // Bits of M0 that do not count; the last lanes past the end of LDS.
        for (known, m0) in [(true, 0xffff_0020), (false, 12 * lanes + 64)] {
            let note = format!(", m0 {m0:#x}");
            drafts.push(with(known, Dump::Lds, 0, m0, FieldId::Lds, &note));
        }
    }
    drafts
}

/// Lines that make the memory of half of the lanes hold what a compare-and-swap compares with.
fn fitting(op: AtomicOp, width: Width) -> String {
    if !matches!(op, AtomicOp::CmpSwap | AtomicOp::FCmpSwap) {
        return String::new();
    }
    let store = match width {
        Width::B32 => "global_store_dword v2, v29, s[8:9]",
        Width::B64 => "global_store_dwordx2 v2, v[30:31], s[8:9]",
    };
    format!(
        "s_mov_b32 exec_lo, 0x5a5a5a5a\n{store}\ns_waitcnt_vscnt null, 0x0\ns_mov_b32 exec_lo, -1\n"
    )
}

// ---- FLAT, GLOBAL, SCRATCH -----------------------------------------------------------------------------

/// v[16:17] = s[8:9] + a register + an offset.
fn pointer(key: &Key, from: &str, add: u32) -> String {
    let vcc = match key.wave {
        WaveSize::W32 => "vcc_lo",
        WaveSize::W64 => "vcc",
    };
    format!(
        "v_add_nc_u32_e32 v16, {add}, {from}\n\
         v_mov_b32_e32 v17, s9\n\
         v_add_co_u32 v16, {vcc}, s8, v16\n\
         v_add_co_ci_u32_e32 v17, {vcc}, 0, v17, {vcc}\n"
    )
}

fn flat(key: &Key, sem: Flat) -> Vec<Draft> {
    let (loads, fit) = match sem {
        Flat::Load(_) | Flat::LoadAddTid => (true, String::new()),
        Flat::Store(_) | Flat::StoreAddTid => (false, String::new()),
        Flat::Atomic(op, width) => (false, fitting(op, width)),
    };
    let data = [
        (FieldId::Data0, 28),
        (FieldId::Addr, 16),
        (FieldId::Vdst, 28),
    ];
    let off = 0x7d;
    let mut drafts = Vec::new();
    if matches!(sem, Flat::LoadAddTid | Flat::StoreAddTid) {
        // SADDR and the lane: no VGPR.
        for offset in [0, 8] {
            let fields = [(FieldId::Saddr, 8), (FieldId::Offset, offset)];
            drafts.push(Draft::new(Dump::Vector).with(&data, "").with(&fields, ""));
        }
        return drafts;
    }
    let froms: &[&str] = if loads { &["v4", "v6", "v2"] } else { &["v2"] };
    for (i, &from) in froms.iter().enumerate() {
        for glc in [1, 0] {
            let glc = (FieldId::Glc, glc);
            let draft = || {
                let dump = if key.encoding == Encoding::Scratch {
                    Dump::Scratch
                } else {
                    Dump::Vector
                };
                Draft::new(dump).with(&data, &fit).with(&[glc], "")
            };
            match key.encoding {
                Encoding::Scratch => {
                    let own = format!(
                        "v_and_b32_e32 v16, {}, {from}\n",
                        if i == 1 { 31 } else { 28 }
                    );
                    drafts.push(draft().with(&[(FieldId::Saddr, off)], &own));
                    let more = format!("v_and_b32_e32 v16, 12, {from}\n");
                    let fields = [(FieldId::Saddr, off), (FieldId::Offset, 32)];
                    drafts.push(draft().with(&fields, &more));
                    let fields = [(FieldId::Saddr, 16), (FieldId::Offset, 0xff8)];
                    drafts.push(draft().with(&fields, "s_mov_b32 s16, 24\n"));
                }
                Encoding::Flat => {
                    let fields = [(FieldId::Saddr, off)];
                    drafts.push(draft().with(&fields, &pointer(key, from, 0)));
                    if i > 0 {
                        continue;
                    }
                    // Half of the lanes go to an aperture, the others to memory.
                    let memory = pointer(key, "v2", 0);
                    let half = |low: &str, high: u32| {
                        format!(
                            "{memory}s_mov_b32 exec_lo, 0x5a5a5a5a\n{low}\n\
                             v_mov_b32_e32 v17, {high:#x}\ns_mov_b32 exec_lo, -1\n"
                        )
                    };
                    let aperture = |dump: Dump, note: &str, setup: &str| {
                        let draft = Draft::new(dump).with(&data, &fit);
                        let mut draft = draft.with(&[glc], "").with(&fields, setup);
                        draft.note = format!(" ({note})");
                        draft
                    };
                    let setup = half("v_mov_b32_e32 v16, v2", SHARED_APERTURE);
                    drafts.push(aperture(Dump::Lds, "LDS aperture", &setup));
                    if !matches!(sem, Flat::Atomic(..)) {
                        let setup = half("v_and_b32_e32 v16, 28, v4", PRIVATE_APERTURE);
                        drafts.push(aperture(Dump::Scratch, "scratch aperture", &setup));
                    }
                }
                _ => {
                    drafts.push(draft().with(&[(FieldId::Saddr, off)], &pointer(key, from, 0)));
                    let fields = [(FieldId::Saddr, 8), (FieldId::Offset, 16)];
                    let setup = format!("v_mov_b32_e32 v16, {from}\n");
                    drafts.push(draft().with(&fields, &setup));
                    let fields = [(FieldId::Saddr, off), (FieldId::Offset, 0xff8)];
                    drafts.push(draft().with(&fields, &pointer(key, from, 8)));
                }
            }
        }
    }
    drafts
}

// ---- LDS and GDS ---------------------------------------------------------------------------------------

fn ds(key: &Key, sem: Ds) -> Vec<Draft> {
    let flags = key.opcode.row().flags;
    let registers = [
        (FieldId::Addr, 16),
        (FieldId::Data0, 20),
        (FieldId::Data1, 24),
        (FieldId::Vdst, 28),
    ];
    // Address, offset fields, setup.
    let mut ways: Vec<(&str, u32, u32, &str)> = Vec::new();
    let mut lanes_only = false;
    match sem {
        Ds::Read(_) => {
            ways.extend([("v4", 0, 0, ""), ("v6", 5, 0, ""), ("v4", 0, 1, "")]);
        }
        Ds::Read2(..) => {
            ways.extend([("v4", 0, 1, ""), ("v6", 3, 0, ""), ("v4", 1, 2, "")]);
        }
        Ds::Write2(_, true) | Ds::WrXchg2(_, true) => ways.extend([("v2", 0, 4, "")]),
        Ds::Write2(..) | Ds::WrXchg2(..) => ways.extend([("v12", 0, 1, ""), ("v12", 1, 0, "")]),
        Ds::Write(data) => {
            ways.push(("v12", 0, 0, ""));
            if matches!(data, MemData::Dwords(4)) {
                ways.push(("v2", 16, 0, ""));
            } else {
                ways.push(("v2", 3, 0, ""));
            }
        }
        Ds::Atomic { .. } | Ds::CondXchg32 => ways.extend([("v12", 0, 0, ""), ("v2", 8, 0, "")]),
        Ds::AtomicSrc2(..) | Ds::WriteSrc2(_) => {
            ways.extend([("v2", 2, 0, ""), ("v2", 0xfe, 0x7f, "")])
        }
        Ds::Permute | Ds::BPermute => {
            lanes_only = true;
            ways.extend([("v4", 0, 0, ""), ("v6", 20, 0, "")]);
        }
        Ds::Swizzle => {
            lanes_only = true;
            for pattern in [0x1f, 0x041f, 0x00a3, 0x801b, 0xc0a0, 0xc4e4, 0xe000, 0xe015] {
                ways.push(("v4", pattern & 0xff, pattern >> 8, ""));
            }
        }
        Ds::Append | Ds::Consume => ways.extend([("v4", 4, 0, ""), ("v4", 0, 16, "")]),
        Ds::ReadAddTid | Ds::WriteAddTid => {
            ways.extend([("v4", 0, 0, "low"), ("v4", 64, 0, "high")])
        }
        Ds::Nop | Ds::OrderedCount | Ds::Gws(_) => ways.push(("v4", 0, 0, "")),
    }
    let mut drafts = Vec::new();
    let only = flags.contains(RowFlags::GDS_ONLY);
    for gds in [false, true] {
        if only && !gds || lanes_only && gds {
            continue;
        }
        for &(from, offset0, offset1, m0) in &ways {
            let dump = if gds { Dump::Gds } else { Dump::Lds };
            let mut draft = Draft::new(dump).with(&registers, "");
            let _ = writeln!(draft.setup, "v_mov_b32_e32 v16, {from}");
            match (m0, gds) {
                // M0 says which part of the GDS: left alone.
                (_, true) | ("", false) => {}
                ("low", false) => draft.setup.push_str("s_mov_b32 m0, 16\n"),
                (_, false) => draft.setup.push_str("s_mov_b32 m0, 0x50010\n"),
            }
            if let Ds::Atomic {
                op: AtomicOp::CmpSwap | AtomicOp::FCmpSwap,
                ..
            } = sem
            {
                // The comparison value first; half of the lanes meet it.
                let gds = if gds { " gds" } else { "" };
                let _ = write!(
                    draft.setup,
                    "s_mov_b32 exec_lo, 0x5a5a5a5a\nds_write_b64 v2, v[20:21] offset:{}{gds}\n\
                     s_waitcnt lgkmcnt(0)\ns_mov_b32 exec_lo, -1\n",
                    if from == "v12" { 0 } else { 8 },
                );
            }
            let fields = [
                (FieldId::Offset, offset0),
                (FieldId::Offset1, offset1),
                (FieldId::Gds, u32::from(gds)),
            ];
            drafts.push(draft.with(&fields, ""));
        }
    }
    drafts
}
