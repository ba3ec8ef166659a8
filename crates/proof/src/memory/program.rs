//! The program around memory instructions. Owns the registers that they are given: addresses, data, what
//! their destinations held; and stores what they leave. Knows no opcode.
//!
//! Registers: s[0:1] inputs, s[2:3] arenas, s[4:5] results, s6 workgroup; s[8:9] the instance's arena,
//! s[10:11] the workgroup's results, s[12:15] a V#, s16 an offset, s[32:33] EXEC, s[34:35] zeros that the
//! translator does not know, s[36:39] data. v0 lane, v2 lane * 16; v4 an offset (a multiple of 4, some out
//! of range), v5 an index (some out of range), v6 any offset in range, v7 whether to go out of range,
//! v[8:11] data, v12 lane * 16 or far away; v[16:17] the address, v[20:27] data, v[28:31] the destination.

use std::fmt::Write as _;
use std::ops::Range;

use spirdna_isa::{WaveSize, assemble};

use super::instances::{Dump, Item};

/// Dwords before the lanes' in a block of inputs.
pub const HEAD: usize = 16;
/// Bytes of scratch.
pub const SCRATCH: u32 = 64;
/// Dwords of inputs of a lane.
const LANE: usize = 8;

/// Sizes of things.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Lanes of the wave.
    pub lanes: u32,
    /// Bytes of an instance's arena in a workgroup.
    pub arena: usize,
}

impl Layout {
    /// The wave size.
    pub fn wave(&self) -> WaveSize {
        if self.lanes == 32 {
            WaveSize::W32
        } else {
            WaveSize::W64
        }
    }
}

/// A finished program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The code.
    pub code: Vec<u32>,
    /// Sizes.
    pub layout: Layout,
    /// Bytes of results of a workgroup.
    pub group_results: usize,
    /// Bytes in them that are each instance's.
    pub results: Vec<Range<usize>>,
}

/// Assembles the program of instances of one wave size.
///
/// # Errors
/// It does not assemble: a reason in words.
pub fn build(items: &[&Item], wave: WaveSize) -> Result<Program, String> {
    let first = items.first().ok_or("no instance")?;
    let lanes = wave.lanes();
    let slot = 16 * lanes as usize;
    let layout = Layout {
        lanes,
        // Twice what lanes have of their own.
        arena: 2 * slot,
    };
    let mut results = Vec::new();
    let mut end = 0;
    for item in items {
        let slots = item.dump.slots();
        results.push(end..end + slots * slot);
        end += slots * slot;
    }
    let block = 4 * (HEAD + LANE * lanes as usize);
    let mut out = String::new();
    // Writing to a String does not fail.
    for (pointer, stride, to) in [
        (0, block, 26),
        (2, items.len() * layout.arena, 8),
        (4, end, 10),
    ] {
        let _ = writeln!(
            out,
            "s_and_b32 s{pointer}, s{pointer}, -16\n\
             s_mul_i32 s7, s6, {:#x}\n\
             s_lshl_b32 s7, s7, 4\n\
             s_add_u32 s{to}, s{pointer}, s7\n\
             s_addc_u32 s{}, s{}, 0",
            stride / 16,
            to + 1,
            pointer + 1,
        );
    }
    let _ = writeln!(
        out,
        "s_load_dwordx16 s[32:47], s[26:27], 0x0\n\
         v_lshlrev_b32_e32 v1, 5, v0\n\
         v_lshlrev_b32_e32 v2, 4, v0\n\
         global_load_dwordx4 v[4:7], v1, s[26:27] offset:{}\n\
         global_load_dwordx4 v[8:11], v1, s[26:27] offset:{}\n\
         s_waitcnt vmcnt(0) lgkmcnt(0)\n\
         v_lshlrev_b32_e32 v12, 20, v7\n\
         v_add_nc_u32_e32 v12, v12, v2",
        4 * HEAD,
        4 * HEAD + 16,
    );
    for (item, place) in items.iter().zip(&results) {
        one(&mut out, item, wave, layout, place.start);
    }
    out.push_str("s_endpgm\n");
    let code = assemble(first.key.target(), wave, &out).map_err(|errors| {
        let error = errors.first().map_or_else(String::new, ToString::to_string);
        format!("the frame does not assemble: {error}")
    })?;
    Ok(Program {
        code,
        layout,
        group_results: end,
        results,
    })
}

/// One instance: registers, the instruction under EXEC, results.
fn one(out: &mut String, item: &Item, wave: WaveSize, layout: Layout, at: usize) {
    let exec = |from: &str| match wave {
        WaveSize::W32 => format!("s_mov_b32 exec_lo, {}", from.replace("s[32:33]", "s32")),
        WaveSize::W64 => format!("s_mov_b64 exec, {from}"),
    };
    for i in 0..4 {
        let _ = writeln!(
            out,
            "v_mov_b32_e32 v{}, v{}\nv_mov_b32_e32 v{}, v{}\nv_not_b32_e32 v{}, v{}\n\
             s_mov_b32 s{}, s{}",
            20 + i,
            8 + i,
            24 + i,
            8 + (i + 2) % 4,
            28 + i,
            8 + i,
            20 + i,
            36 + i,
        );
    }
    let gds = if item.dump == Dump::Gds { " gds" } else { "" };
    if item.dump == Dump::Gds {
        // Each workgroup has its own part.
        let size = 16 * layout.lanes;
        let _ = writeln!(
            out,
            "s_mul_i32 s7, s6, {:#x}\ns_or_b32 m0, s7, {size:#x}",
            size << 16
        );
    }
    if matches!(item.dump, Dump::Lds | Dump::Gds) {
        let _ = writeln!(out, "ds_write_b128 v2, v[8:11]{gds}\ns_waitcnt lgkmcnt(0)");
    }
    if item.dump == Dump::Scratch {
        for k in 0..4 {
            let (a, b) = (8 + k, 8 + (k + 1) % 4);
            let _ = writeln!(
                out,
                "v_mov_b32_e32 v40, {}\nv_mov_b32_e32 v41, v{a}\nv_mov_b32_e32 v42, v{b}\n\
                 scratch_store_dwordx2 v40, v[41:42], off\n\
                 scratch_store_dwordx2 v40, v[41:42], off offset:8",
                16 * k
            );
        }
        out.push_str("s_waitcnt_vscnt null, 0x0\n");
    }
    out.push_str(&item.setup);
    let _ = writeln!(out, "{}", exec("s[32:33]"));
    for word in &item.words {
        let _ = writeln!(out, ".long {word:#x}");
    }
    let _ = writeln!(
        out,
        "{}\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, 0x0",
        exec("-1")
    );
    let slot = 16 * layout.lanes as usize;
    let mut at = at;
    let mut store = |out: &mut String, regs: &str| {
        let _ = writeln!(
            out,
            "s_add_u32 s18, s10, {at:#x}\ns_addc_u32 s19, s11, 0\n\
             global_store_dwordx4 v2, {regs}, s[18:19]"
        );
        at += slot;
    };
    match item.dump {
        Dump::Scalar(n) => {
            for k in 0..n.div_ceil(4) {
                for i in 0..4 {
                    let _ = writeln!(
                        out,
                        "v_mov_b32_e32 v{}, s{}",
                        28 + i,
                        item.scalar + 4 * k + i
                    );
                }
                store(out, "v[28:31]");
            }
        }
        Dump::Vector => store(out, "v[28:31]"),
        Dump::Lds | Dump::Gds => {
            store(out, "v[28:31]");
            let _ = writeln!(out, "ds_read_b128 v[32:35], v2{gds}\ns_waitcnt lgkmcnt(0)");
            store(out, "v[32:35]");
        }
        Dump::Scratch => {
            store(out, "v[28:31]");
            for k in 0..4 {
                let _ = writeln!(
                    out,
                    "v_mov_b32_e32 v40, {}\nscratch_load_dwordx4 v[32:35], v40, off\n\
                     s_waitcnt vmcnt(0)",
                    16 * k
                );
                store(out, "v[32:35]");
            }
        }
    }
    let _ = writeln!(
        out,
        "s_add_u32 s8, s8, {:#x}\ns_addc_u32 s9, s9, 0",
        layout.arena
    );
}
