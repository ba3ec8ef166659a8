//! What is refused, and with which reason; faults at run time that stand for refusals.

use spirdna_isa::{Target, WaveSize};

use super::world::World;
use crate::error::Reason;
use crate::resources::{BufferFact, DescriptorFacts, DescriptorPlace};

fn world(words: &[u32], user: &[u32]) -> World {
    let mut world = World::new(WaveSize::W32, "s_endpgm", user);
    world.code = words.to_vec();
    world.code.push(0xbf81_0000);
    world
}

fn reason(words: &[u32]) -> Option<Reason> {
    let refused = world(words, &[0; 8]).module().err()?;
    Some(refused[0].reason.clone())
}

/// `s_load_dword*` (0: x1, 1: x2, 2: x4, 3: x8, 4: x16) from s[0:1].
fn s_load(op: u32, to: u32) -> [u32; 2] {
    [0xf400_0000 | op << 18 | to << 6, 0xfa00_0000]
}

#[test]
fn scalar_loads_stay_in_the_register_file() {
    let legal = [
        (0, 105),
        (1, 104),
        (2, 100),
        (3, 96),
        (4, 88),
        (0, 106),
        (1, 106),
        (2, 108),
    ];
    for (op, to) in legal {
        assert_eq!(reason(&s_load(op, to)), None, "op {op} to {to}");
    }
    // Into VCC and what lies behind it, off the alignment, past the temporaries.
    let illegal = [
        (1, 105),
        (2, 104),
        (3, 100),
        (3, 104),
        (4, 96),
        (4, 92),
        (2, 106),
        (2, 101),
        (1, 3),
        (3, 120),
        (0, 126),
        (1, 124),
    ];
    for (op, to) in illegal {
        // Most are no instruction at all.
        let refused = match reason(&s_load(op, to)) {
            Some(Reason::RegisterRange) => true,
            Some(Reason::Decode(e)) => e.to_string().contains("range") || e.pc() == 0,
            _ => false,
        };
        assert!(refused, "op {op} to {to}");
    }
}

#[test]
fn what_has_no_translation_names_its_reason() {
    let asm = |text: &str| spirdna_isa::assemble(Target::Gfx1030, WaveSize::W32, text).unwrap();
    let cases = [
        ("ds_append v0 offset:2", Reason::Operand("offset")),
        (
            "s_memtime s[0:1]",
            Reason::NoCounterpart("clocks of the guest's device"),
        ),
        (
            "ds_gws_barrier v0 gds",
            Reason::NoCounterpart("global wave sync"),
        ),
        (
            "ds_ordered_count v0, v1 gds",
            Reason::NoCounterpart("ordered counts"),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(reason(&asm(text)), Some(expected), "{text}");
    }
}

/// V# facts that no access can mean are refused; the same unknown at translate time is a fault.
#[test]
fn bad_descriptors_are_refused_or_fault() {
    let good = [0, 1, 0x100, 0x3101_6fac];
    // Type 2; format 0; format 100; select 3.
    let bad = [0x8000_0000_u32, 0, 100 << 12, 0];
    let words3 = [
        good[3] | bad[0],
        good[3] & !(0x7f << 12),
        good[3] & !(0x7f << 12) | bad[2],
        good[3] & !7 | 3,
    ];
    for w3 in words3 {
        let words = [good[0], good[1], good[2], w3];
        let text = "buffer_load_format_x v1, off, s[0:3], 0\ns_endpgm";
        let mut world = World::new(WaveSize::W32, text, &words).words(0x1_0000_0000, &[7; 64]);
        world.run();
        assert!(!world.faults.is_empty(), "{w3:#x} at run time");
        world.facts = DescriptorFacts {
            buffers: vec![(
                DescriptorPlace::UserSgprs(0),
                BufferFact {
                    known: [u32::MAX; 4],
                    value: words,
                },
            )],
            ..DescriptorFacts::default()
        };
        assert!(world.module().is_err(), "{w3:#x} known");
    }
}

/// A null V# reads 0 without a fault, whatever its format field says.
#[test]
fn a_null_descriptor_reads_zero() {
    let text = "buffer_load_format_xyzw v[1:4], off, s[0:3], 0\n\
                buffer_load_dword v5, off, s[0:3], 0\n\
                v_or3_b32 v1, v1, v2, v5\n\
                v_lshlrev_b32_e32 v6, 2, v0\n\
                buffer_store_dword v1, v6, s[4:7], 0 offen\n\
                s_endpgm";
    let user = [0, 0, 0, 0, 0, 1, 128, 0x3101_6fac];
    let mut world = World::new(WaveSize::W32, text, &user).words(0x1_0000_0000, &[7; 32]);
    world.run();
    assert!(world.faults.is_empty(), "{:x?}", world.faults);
    assert_eq!(world.dwords(0), [0; 32]);
}

/// Descriptors that scalar loads bring through a user SGPR's pointer have their facts.
#[test]
fn facts_follow_scalar_loads() {
    let text = "s_load_dwordx8 s[8:15], s[0:1], 0x20\n\
                s_waitcnt lgkmcnt(0)\n\
                buffer_load_dword v1, off, s[12:15], 0\n\
                s_endpgm";
    let mut world = World::new(WaveSize::W32, text, &[0, 1, 0, 0]);
    let full = world.module().unwrap();
    world.facts = DescriptorFacts {
        buffers: vec![(
            DescriptorPlace::Memory {
                pointer: 0,
                offset: 0x30,
            },
            BufferFact {
                known: [3, 0xffff_0000, u32::MAX, u32::MAX],
                value: [0, 0, 0x100, 0x3101_6fac],
            },
        )],
        ..DescriptorFacts::default()
    };
    let known = world.module().unwrap();
    assert_eq!((full.helpers.len(), known.helpers.len()), (1, 0));
    assert!(known.func.inst_count() + 30 < full.func.inst_count());
}
