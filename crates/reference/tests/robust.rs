//! Random words: whatever decodes either executes or is refused; nothing panics, nothing hangs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod common;

use std::collections::BTreeMap;

use common::{END, Test};
use spirdna_isa::{Encoding, SReg, Target, WaveSize, decode};
use spirdna_reference::{Regions, run_dispatch};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn word(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    /// Small numbers, edges and anything.
    fn value(&mut self) -> u32 {
        let any = self.word();
        match any % 5 {
            0 => any >> 8 & 0xff,
            1 => any >> 8 & 0xfffc,
            2 => [
                0,
                1,
                0x7fff_ffff,
                0x8000_0000,
                u32::MAX,
                0x7f80_0000,
                0x7fc0_0000,
            ][(any >> 8) as usize % 7],
            _ => self.word(),
        }
    }
}

/// The first word's fixed bits of each encoding, from the manual's tables, as (mask, value).
const PREFIXES: [(u32, u32); 19] = [
    (0xc000_0000, 0x8000_0000), // SOP2
    (0xf000_0000, 0xb000_0000), // SOPK
    (0xff80_0000, 0xbe80_0000), // SOP1
    (0xff80_0000, 0xbf00_0000), // SOPC
    (0xff80_0000, 0xbf80_0000), // SOPP
    (0xfc00_0000, 0xf400_0000), // SMEM
    (0x8000_0000, 0x0000_0000), // VOP2
    (0xfe00_0000, 0x7e00_0000), // VOP1
    (0xfe00_0000, 0x7c00_0000), // VOPC
    (0xfc00_0000, 0xd400_0000), // VOP3
    (0xfc00_0000, 0xcc00_0000), // VOP3P
    (0xfc00_0000, 0xd800_0000), // DS
    (0xfc00_0000, 0xe000_0000), // MUBUF
    (0xfc00_0000, 0xe800_0000), // MTBUF
    (0xfc00_0000, 0xf000_0000), // MIMG
    (0xfc00_c000, 0xdc00_0000), // FLAT
    (0xfc00_c000, 0xdc00_8000), // GLOBAL
    (0xfc00_c000, 0xdc00_4000), // SCRATCH
    (0xfc00_0000, 0xf800_0000), // EXP
];

#[test]
fn random_instructions_never_panic() {
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    let mut outcomes: BTreeMap<(Encoding, bool), u32> = BTreeMap::new();
    for round in 0..40_000u32 {
        let (mask, value) = PREFIXES[round as usize % PREFIXES.len()];
        let target = Target::ALL[r.word() as usize % 3];
        let size = if r.word() & 1 == 0 {
            WaveSize::W32
        } else {
            WaveSize::W64
        };
        let mut code = [
            r.word() & !mask | value,
            r.word(),
            r.word(),
            r.word(),
            r.word(),
        ];
        if r.word() & 3 == 0 {
            // Mostly zero second words: fewer modifiers, more that decodes.
            code[1] &= 0x00ff_ffff;
        }
        let Ok(inst) = decode(target, &code, 0) else {
            continue;
        };
        let mut t = Test::new(size, inst.words()).lds(256);
        t.code.extend([END; 3]);
        t.launch.target = target;
        t.launch.scratch_bytes = 64;
        t.launch.exec = Some(if r.word() & 7 == 0 { 0 } else { r.next() });
        t.launch.vcc = Some(r.next());
        t.launch.m0 = Some(r.value());
        // Pointers and descriptors that sometimes lead to the memory.
        let mut sgprs: Vec<u32> = (0..usize::from(SReg::SGPRS)).map(|_| r.value()).collect();
        for quad in sgprs.chunks_exact_mut(4) {
            if r.word() & 1 == 0 {
                quad.copy_from_slice(&[
                    r.word() & 0xfc,
                    1,
                    r.value() & 0x3ff,
                    r.word() & 0x3fff_ffff,
                ]);
            }
        }
        t = t.sgprs(&sgprs);
        for reg in 0..=255 {
            let seed = r.next() | 1;
            let small = r.word() & 1 == 0;
            t = t.vgpr(reg, |lane| {
                let mut lane_random = Random(seed.wrapping_add(u64::from(lane)));
                if small {
                    lane_random.word() & 0xfc
                } else {
                    lane_random.value()
                }
            });
        }
        let mut memory = Regions::new();
        memory.map(1 << 32, vec![0x5a; 4096]).unwrap();
        t.options.step_limit = 2000;
        let result = run_dispatch(
            &t.code,
            &t.launch,
            &t.sgprs,
            t.grid,
            &mut memory,
            &t.options,
        );
        *outcomes
            .entry((inst.encoding(), result.is_ok()))
            .or_default() += 1;
    }
    // Most encodings were executed, not only refused.
    let executed = outcomes.keys().filter(|(_, ok)| *ok).count();
    assert!(executed >= 15, "{outcomes:?}");
}
