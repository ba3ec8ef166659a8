//! The founding test as case files: nine D16 format loads, every unified format, exact results. Writes
//! `seeds/vectors/d16/`. Owns elements, shaders and files; what a load gives is the model's.

mod elements;
mod extras;
pub mod model;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;

use elements::elements;
use model::{LAYOUTS, Layout, Number};

/// Lanes of a wave, which is a workgroup.
const LANES: usize = 32;
/// Workgroups; the last one lies behind the records.
const GROUPS: usize = 33;
/// Threads, each with an element of its own.
const THREADS: usize = LANES * GROUPS;
/// Elements in the buffer.
const RECORDS: usize = LANES * (GROUPS - 1);
/// What registers hold before a load.
const BEFORE: u32 = 0xbeef_dead;
/// Words of the packed results of a thread: x, xy, xyz (2), xyzw (2).
const PACKED: usize = 6;

const INPUT: u64 = 0x1_0000_0000;
const OUT: u64 = 0x2_0000_0000;
const HIGH: u64 = 0x3_0000_0000;
const TABLE: u64 = 0x4_0000_0000;

/// Writes every file.
pub fn run(root: &Path) -> anyhow::Result<()> {
    let folder = root.join("seeds/vectors/d16");
    fs::create_dir_all(&folder)?;
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).with_context(|| path.display().to_string())
    };
    for layout in LAYOUTS {
        let elements = elements(&layout, RECORDS);
        let input: Vec<u8> = elements.iter().flat_map(|e| layout.pack(e)).collect();
        let (packed, high) = results(&layout, &elements);
        let name = format!("d16_{}", layout.name);
        write(&format!("{name}.in.bin"), &input)?;
        write(&format!("{name}.packed.bin"), &bytes(&packed))?;
        write(&format!("{name}.high.bin"), &bytes(&high))?;
        write(
            &format!("{name}.tbuffer.case.toml"),
            tbuffer_case(&layout, &name)?.as_bytes(),
        )?;
        write(
            &format!("{name}.buffer.case.toml"),
            buffer_case(&layout, &name)?.as_bytes(),
        )?;
    }
    for (name, text) in extras::cases()? {
        write(&format!("{name}.case.toml"), text.as_bytes())?;
    }
    Ok(())
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// The registers that the loads leave, format by format: (x, xy, xyz, xyzw; six words a thread) and
/// (hi_x; one).
fn results(layout: &Layout, elements: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let (mut packed, mut high) = (Vec::new(), Vec::new());
    for (_, number) in layout.formats() {
        for thread in 0..THREADS {
            // Behind the records everything is 0.
            let [x, y, z, w] = match elements.get(thread) {
                Some(element) => halves(layout, number, element),
                None => [0; 4],
            };
            packed.extend([
                pair(x, (BEFORE >> 16) as u16),
                pair(x, y),
                pair(x, y),
                pair(z, (BEFORE >> 16) as u16),
                pair(x, y),
                pair(z, w),
            ]);
            high.push(pair(BEFORE as u16, x));
        }
    }
    (packed, high)
}

fn pair(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

/// The halves of an element; 0 for the components that the layout lacks.
fn halves(layout: &Layout, number: Number, element: &[u32]) -> [u16; 4] {
    let mut out = [0; 4];
    for ((o, &width), &bits) in out.iter_mut().zip(layout.widths).zip(element) {
        *o = model::half(number, width, bits);
    }
    out
}

/// Word 3 of a V#.
fn word3(select: [u32; 4], format: u32, oob_select: u32) -> u32 {
    let [x, y, z, w] = select;
    x | y << 3 | z << 6 | w << 9 | format << 12 | 1 << 24 | oob_select << 28
}

const XYZW: [u32; 4] = [4, 5, 6, 7];

/// A V# over bytes, raw bounds.
fn raw(address: u64, bytes: usize) -> [u32; 4] {
    [
        address as u32,
        (address >> 32) as u32,
        bytes as u32,
        word3(XYZW, 22, 3),
    ]
}

fn list(words: &[u32]) -> String {
    let words: Vec<String> = words.iter().map(|w| format!("{w:#010x}")).collect();
    words.join(", ")
}

/// Everything before the memory. `lds`: bytes, of programs that also get the workgroup's id.
fn head(
    asm: &str,
    groups: usize,
    sgprs: &[u32],
    lds: Option<usize>,
) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    writeln!(out, "# Written by `cargo xtask d16-cases`.")?;
    writeln!(
        out,
        "[shader]\ntarget = \"gfx1030\"\nstage = \"compute\"\nwave = 32"
    )?;
    writeln!(out, "asm = \"\"\"\n{asm}\"\"\"\n")?;
    writeln!(
        out,
        "[launch]\ngroups = [{groups}, 1, 1]\nlocal = [{LANES}, 1, 1]"
    )?;
    writeln!(out, "sgprs = [{}]", list(sgprs))?;
    if let Some(lds) = lds {
        writeln!(out, "lds = {lds}\nsystem_sgprs = [\"group_id_x\"]")?;
    }
    Ok(out)
}

fn memory_file(out: &mut String, name: &str, address: u64, file: &str) -> std::fmt::Result {
    writeln!(
        out,
        "\n[[memory]]\nname = \"{name}\"\naddress = \"{address:#x}\"\nfile = \"{file}\""
    )
}

fn memory_fill(out: &mut String, name: &str, address: u64, bytes: usize) -> std::fmt::Result {
    writeln!(
        out,
        "\n[[memory]]\nname = \"{name}\"\naddress = \"{address:#x}\"\nsize = {bytes}\nfill = 0xabababab"
    )
}

fn memory_words(out: &mut String, name: &str, address: u64, words: &[u32]) -> std::fmt::Result {
    writeln!(
        out,
        "\n[[memory]]\nname = \"{name}\"\naddress = \"{address:#x}\""
    )?;
    words_rows(out, words)
}

fn expect_file(out: &mut String, memory: &str, file: &str) -> std::fmt::Result {
    writeln!(
        out,
        "\n[[expect]]\nmemory = \"{memory}\"\nfile = \"{file}\""
    )
}

fn expect_words(out: &mut String, memory: &str, words: &[u32]) -> std::fmt::Result {
    writeln!(out, "\n[[expect]]\nmemory = \"{memory}\"")?;
    words_rows(out, words)
}

fn words_rows(out: &mut String, words: &[u32]) -> std::fmt::Result {
    writeln!(out, "u32 = [")?;
    for row in words.chunks(8) {
        writeln!(out, "    {},", list(row))?;
    }
    writeln!(out, "]")
}

/// Copies `count` words of each lane from the LDS at v3 on to v4 on: one store in a loop.
fn copy_out(asm: &mut String, label: &str, count: usize) -> std::fmt::Result {
    writeln!(
        asm,
        "s_movk_i32 s21, {count}\n\
         {label}:\n\
         ds_read_b32 v5, v3\n\
         s_waitcnt lgkmcnt(0)\n\
         buffer_store_dword v5, v4, s[4:7], 0 offen\n\
         v_add_nc_u32_e32 v3, 4, v3\n\
         v_add_nc_u32_e32 v4, 4, v4\n\
         s_sub_u32 s21, s21, 1\n\
         s_cmp_lg_u32 s21, 0\n\
         s_cbranch_scc1 {label}"
    )
}

/// `tbuffer_load_format_d16_{x,xy,xyz,xyzw}`: the instruction names the format. Results gather in the
/// LDS, so that few stores make the program small.
fn tbuffer_case(layout: &Layout, name: &str) -> Result<String, std::fmt::Error> {
    let (size, formats) = (layout.bytes(), layout.numbers.len());
    let mut asm = String::new();
    writeln!(
        asm,
        "// s[0:3] input, s[4:7] output, s8 workgroup; v1 element, v2 its offset, v3 LDS, v4 output offset\n\
         s_lshl_b32 s9, s8, 5\n\
         v_add_nc_u32_e32 v1, s9, v0\n\
         v_mul_u32_u24_e32 v2, {size}, v1\n\
         v_mul_u32_u24_e32 v3, {:#x}, v0\n\
         v_mul_u32_u24_e32 v4, {}, v1",
        PACKED * 4 * formats,
        PACKED * 4
    )?;
    for (i, (_, number)) in layout.formats().enumerate() {
        let format = format!("format:[BUF_FMT_{}_{}]", layout.name, number.name());
        let v = 10 + PACKED * i;
        writeln!(
            asm,
            "v_mov_b32_e32 v{v}, {BEFORE:#x}\n\
             v_mov_b32_e32 v{c}, {BEFORE:#x}\n\
             tbuffer_load_format_d16_x v{v}, v2, s[0:3], 0 {format} offen\n\
             tbuffer_load_format_d16_xy v{a}, v2, s[0:3], 0 {format} offen\n\
             tbuffer_load_format_d16_xyz v[{b}:{c}], v2, s[0:3], 0 {format} offen\n\
             tbuffer_load_format_d16_xyzw v[{d}:{e}], v2, s[0:3], 0 {format} offen",
            a = v + 1,
            b = v + 2,
            c = v + 3,
            d = v + 4,
            e = v + 5
        )?;
    }
    writeln!(asm, "s_waitcnt vmcnt(0)")?;
    for first in (0..PACKED * formats).step_by(4) {
        let (v, n) = (10 + first, (PACKED * formats - first).min(4));
        writeln!(
            asm,
            "ds_write_b{} v3, v[{v}:{}] offset:{}",
            32 * n,
            v + n - 1,
            4 * first
        )?;
    }
    writeln!(
        asm,
        "s_waitcnt lgkmcnt(0)\ns_movk_i32 s10, {formats}\nformat:"
    )?;
    copy_out(&mut asm, "word", PACKED)?;
    writeln!(
        asm,
        "v_add_nc_u32_e32 v4, {:#x}, v4\n\
         s_sub_u32 s10, s10, 1\n\
         s_cmp_lg_u32 s10, 0\n\
         s_cbranch_scc1 format\n\
         s_endpgm",
        PACKED * 4 * (THREADS - 1)
    )?;
    let out_bytes = PACKED * 4 * THREADS * formats;
    let mut sgprs = raw(INPUT, RECORDS * size).to_vec();
    sgprs.extend(raw(OUT, out_bytes));
    let mut out = head(&asm, GROUPS, &sgprs, Some(PACKED * 4 * formats * LANES))?;
    memory_file(&mut out, "in", INPUT, &format!("{name}.in.bin"))?;
    memory_fill(&mut out, "out", OUT, out_bytes)?;
    expect_file(&mut out, "out", &format!("{name}.packed.bin"))?;
    Ok(out)
}

/// `buffer_load_format_d16_{x,xy,xyz,xyzw}` and `_hi_x`: the format comes from a V# that the shader
/// loads, one a trip of a loop, and so is known at run time only.
fn buffer_case(layout: &Layout, name: &str) -> Result<String, std::fmt::Error> {
    let size = layout.bytes();
    let mut asm = String::new();
    writeln!(
        asm,
        "// s[0:1] table of V#s, s2 how many, s[4:7] output, s12 workgroup; v1 element, v2 LDS,\n\
         // v4 output offset, v6 output offset of the high half\n\
         s_lshl_b32 s13, s12, 5\n\
         v_add_nc_u32_e32 v1, s13, v0\n\
         v_mul_u32_u24_e32 v2, {}, v0\n\
         v_mul_u32_u24_e32 v4, {}, v1\n\
         v_lshlrev_b32_e32 v6, 2, v1\n\
         s_mov_b32 s14, 0\n\
         format:\n\
         s_load_dwordx4 s[16:19], s[0:1], s14\n\
         v_mov_b32_e32 v10, {BEFORE:#x}\n\
         v_mov_b32_e32 v13, {BEFORE:#x}\n\
         v_mov_b32_e32 v16, {BEFORE:#x}\n\
         s_waitcnt lgkmcnt(0)\n\
         buffer_load_format_d16_x v10, v1, s[16:19], 0 idxen\n\
         buffer_load_format_d16_xy v11, v1, s[16:19], 0 idxen\n\
         buffer_load_format_d16_xyz v[12:13], v1, s[16:19], 0 idxen\n\
         buffer_load_format_d16_xyzw v[14:15], v1, s[16:19], 0 idxen\n\
         buffer_load_format_d16_hi_x v16, v1, s[16:19], 0 idxen\n\
         s_waitcnt vmcnt(0)\n\
         ds_write_b128 v2, v[10:13]\n\
         ds_write_b64 v2, v[14:15] offset:16\n\
         buffer_store_dword v16, v6, s[8:11], 0 offen\n\
         s_waitcnt lgkmcnt(0)\n\
         v_mov_b32_e32 v3, v2",
        PACKED * 4,
        PACKED * 4
    )?;
    copy_out(&mut asm, "word", PACKED)?;
    writeln!(
        asm,
        "v_add_nc_u32_e32 v4, {:#x}, v4\n\
         v_add_nc_u32_e32 v6, {:#x}, v6\n\
         s_add_u32 s14, s14, 16\n\
         s_sub_u32 s2, s2, 1\n\
         s_cmp_lg_u32 s2, 0\n\
         s_cbranch_scc1 format\n\
         s_endpgm",
        PACKED * 4 * (THREADS - 1),
        4 * THREADS
    )?;
    let formats = layout.numbers.len();
    let table: Vec<u32> = layout
        .formats()
        .flat_map(|(code, _)| {
            [
                INPUT as u32,
                (INPUT >> 32) as u32 | (size as u32) << 16,
                RECORDS as u32,
                // Structured bounds, and by index: the same here.
                word3(XYZW, code, code & 1),
            ]
        })
        .collect();
    let (packed, high) = (PACKED * 4 * THREADS * formats, 4 * THREADS * formats);
    let mut sgprs = vec![TABLE as u32, (TABLE >> 32) as u32, formats as u32, 0];
    sgprs.extend(raw(OUT, packed));
    sgprs.extend(raw(HIGH, high));
    let mut out = head(&asm, GROUPS, &sgprs, Some(PACKED * 4 * LANES))?;
    memory_words(&mut out, "table", TABLE, &table)?;
    memory_file(&mut out, "in", INPUT, &format!("{name}.in.bin"))?;
    memory_fill(&mut out, "out", OUT, packed)?;
    memory_fill(&mut out, "high", HIGH, high)?;
    expect_file(&mut out, "out", &format!("{name}.packed.bin"))?;
    expect_file(&mut out, "high", &format!("{name}.high.bin"))?;
    Ok(out)
}
