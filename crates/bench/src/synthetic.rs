//! Programs of any length that look like compiled shaders: runs of vector and scalar arithmetic, buffer
//! accesses, regions under EXEC and counted loops, the same for the same length.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use spirdna_isa::launch::{Launch, SystemSgpr};
use spirdna_isa::{Target, WaveSize, assemble};
use spirdna_translate::options::Options;
use spirdna_translate::resources::{BufferFact, DescriptorFacts, DescriptorPlace};

use crate::Shader;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    /// A vector register of the 48 that hold values.
    fn v(&mut self) -> u64 {
        self.below(48)
    }
}

/// A program of about `length` instructions.
///
/// # Errors
/// It does not assemble, which is a fault of this file.
pub fn synthetic(length: usize) -> Result<Shader> {
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    // A register is written before it is read, as a compiler does it.
    let mut text = String::new();
    for n in 1..48 {
        writeln!(text, "v_add_nc_u32_e32 v{n}, {n}, v0")?;
    }
    let mut count = 47;
    let mut part = 0;
    while count < length {
        part += 1;
        let kind = r.below(4);
        if kind == 0 {
            writeln!(text, "s_movk_i32 s20, 0x3\nloop{part}:")?;
            count += 1;
        }
        for _ in 0..12 {
            let (d, a, b, c) = (r.v(), r.v(), r.v(), r.v());
            match r.below(6) {
                0 => writeln!(text, "v_add_nc_u32_e32 v{d}, v{a}, v{b}")?,
                1 => writeln!(text, "v_mul_f32_e32 v{d}, v{a}, v{b}")?,
                2 => writeln!(text, "v_fma_f32 v{d}, v{a}, v{b}, v{c}")?,
                3 => writeln!(text, "v_lshl_add_u32 v{d}, v{a}, 3, v{b}")?,
                4 => writeln!(text, "v_and_b32_e32 v{d}, 0xff{:02x}, v{a}", r.below(256))?,
                _ => writeln!(text, "v_xor_b32_e32 v{d}, v{a}, v{b}")?,
            }
            count += 1;
        }
        let (d, a, b) = (r.v(), r.v(), r.v());
        writeln!(
            text,
            "buffer_load_dword v{d}, v{a}, s[4:7], 0 idxen offset:{}\ns_waitcnt vmcnt(0)",
            4 * r.below(64)
        )?;
        writeln!(
            text,
            "s_lshl_b32 s{}, s{}, 1",
            22 + r.below(8),
            22 + r.below(8)
        )?;
        count += 3;
        match kind {
            0 => {
                writeln!(
                    text,
                    "s_sub_u32 s20, s20, 1\ns_cmp_lg_u32 s20, 0\ns_cbranch_scc1 loop{part}"
                )?;
                count += 3;
            }
            1 => {
                writeln!(
                    text,
                    "v_cmp_gt_u32_e32 vcc_lo, v{a}, v{b}\ns_and_saveexec_b32 s21, vcc_lo\n\
                     s_cbranch_execz skip{part}\nv_add_nc_u32_e32 v{d}, v{a}, v{d}\n\
                     v_mul_f32_e32 v{b}, v{a}, v{d}\nskip{part}:\ns_or_b32 exec_lo, exec_lo, s21"
                )?;
                count += 6;
            }
            _ => {
                writeln!(
                    text,
                    "buffer_store_dword v{d}, v{b}, s[4:7], 0 idxen offset:{}",
                    4 * r.below(64)
                )?;
                count += 1;
            }
        }
    }
    text.push_str("s_endpgm\n");
    shader(format!("{length} instructions"), &text)
}

/// A program that ends at once: what every translation costs.
///
/// # Errors
/// As [`synthetic`].
pub fn empty() -> Result<Shader> {
    shader("empty".to_owned(), "s_endpgm\n")
}

fn shader(name: String, text: &str) -> Result<Shader> {
    let (target, wave) = (Target::Gfx1030, WaveSize::W32);
    let code = assemble(target, wave, text).map_err(|e| anyhow!("{e:?}"))?;
    let mut launch = Launch::compute(target, wave, [64, 1, 1]);
    launch.user_sgprs = 16;
    launch.system_sgprs = vec![SystemSgpr::GroupId(0)];
    // A typed buffer of 256-byte records, 1 MiB of them, at a multiple of 256 bytes.
    let fact = BufferFact {
        known: [0xff, 0xffff_0000, u32::MAX, u32::MAX],
        value: [0, 0x0100_0000, 0x1000, 0x0001_6fac],
    };
    let facts = DescriptorFacts {
        buffers: vec![(DescriptorPlace::UserSgprs(4), fact)],
        ..DescriptorFacts::default()
    };
    Ok(Shader {
        name,
        code,
        launch,
        bound: DescriptorFacts {
            bound: vec![DescriptorPlace::UserSgprs(4)],
            ..facts.clone()
        },
        facts,
        windows: Options::default().max_windows,
        original: None,
    })
}
