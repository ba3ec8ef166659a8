//! Every opcode number of every encoding on every target is a row or refused, as the list read from
//! LLVM says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod support;

use std::collections::BTreeMap;

use spirdna_isa::{
    DecodeError, DecodeOptions, Encoding, ImageMods, Opcode, Reserved, RowFlags, Slot, Target,
    TextOptions, WaveSize, assemble, decode, decode_with, image, inst_to_string, opcode_at,
};

fn encoding_of(name: &str) -> Encoding {
    let mut all = Encoding::ALL.into_iter();
    all.find(|e| e.name() == name).expect("a known encoding")
}

#[test]
fn every_slot_is_a_row_or_refused_as_in_llvm() {
    let Some(list) = support::opcode_list("every_slot_is_a_row_or_refused_as_in_llvm") else {
        return;
    };
    let mut expected = BTreeMap::new();
    for (target, encoding, number, mnemonic) in list {
        // The list names a row once; text may carry the encoding's suffix.
        let base = mnemonic
            .strip_suffix("_e32")
            .or(mnemonic.strip_suffix("_e64"))
            .unwrap_or(&mnemonic);
        let key = (target, encoding_of(&encoding), number);
        expected.insert(key, base.to_ascii_uppercase());
    }
    let mut rows = 0;
    let mut overlay = 0;
    let mut extra = 0;
    for target in Target::ALL {
        for encoding in Encoding::ALL {
            for number in 0..encoding.slots() {
                let row = opcode_at(target, encoding, number);
                let want = expected.get(&(target, encoding, number));
                match (row, want) {
                    (Some(op), Some(name)) => {
                        assert_eq!(op.name(), name, "{target:?} {encoding:?} {number:#x}");
                        rows += 1;
                    }
                    (Some(op), None) if op.row().flags.contains(RowFlags::OVERLAY) => overlay += 1,
                    // LLVM has these too; the list was read with one word a number, which they refuse.
                    (Some(op), None) if encoding == Encoding::Vop3 => {
                        let unlisted = [
                            (0x180, Opcode::V_NOP),
                            (0x19b, Opcode::V_PIPEFLUSH),
                            (0x1c1, Opcode::V_CLREXCP),
                            (0x200, Opcode::V_INTERP_P1_F32),
                            (0x201, Opcode::V_INTERP_P2_F32),
                            (0x202, Opcode::V_INTERP_MOV_F32),
                        ];
                        assert!(unlisted.contains(&(number, op)), "{op:?}");
                        extra += 1;
                    }
                    (None, None) => {}
                    other => panic!("{target:?} {encoding:?} {number:#x}: {other:?}"),
                }
            }
            assert_eq!(opcode_at(target, encoding, encoding.slots()), None);
        }
    }
    assert_eq!(rows, expected.len());
    assert_eq!(extra, 3 * 6);
    // Sixteen of console code and eighteen of AMD's tables, on each target.
    assert_eq!(overlay, 3 * (16 + 18));
}

#[test]
fn a_free_slot_is_refused_by_number() {
    // SOP2 0x0c, VOP3 0x182 and MIMG 0xa0 have no row outside the overlay.
    let cases: [(&[u32], Encoding, u16); 3] = [
        (&[0x8600_0000], Encoding::Sop2, 0x0c),
        (&[0xd582_0000, 0], Encoding::Vop3, 0x182),
        (&[0xf080_0101, 0x0062_0504], Encoding::Mimg, 0xa0),
    ];
    for (words, encoding, number) in cases {
        match decode(Target::Gfx1030, words, 0) {
            Err(DecodeError::Reserved { reason, .. }) => {
                assert_eq!(reason, Reserved::Opcode { encoding, number });
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Numbers of the console's samples: each is a plain sample's with the top bit set.
const CONSOLE: [u16; 16] = [
    0xa0, 0xa1, 0xa5, 0xa6, 0xa8, 0xa9, 0xad, 0xae, 0xb0, 0xb1, 0xb5, 0xb6, 0xb8, 0xb9, 0xbd, 0xbe,
];

/// What AMD's own tables have and LLVM lacks.
const AMD: [(u16, &str); 18] = [
    (0x42, "IMAGE_LOAD_BY2"),
    (0x43, "IMAGE_LOAD_BY4"),
    (0x4a, "IMAGE_LOAD_MIP_BY2"),
    (0x4b, "IMAGE_LOAD_MIP_BY4"),
    (0x52, "IMAGE_STORE_BY2"),
    (0x53, "IMAGE_STORE_BY4"),
    (0x5a, "IMAGE_STORE_MIP_BY2"),
    (0x5b, "IMAGE_STORE_MIP_BY4"),
    (0x62, "IMAGE_GATHER4H_PCK"),
    (0x63, "IMAGE_GATHER8H_PCK"),
    (0x70, "IMAGE_LOAD_PCK2"),
    (0x71, "IMAGE_LOAD_PCK4"),
    (0x73, "IMAGE_LOAD_MIP_PCK2"),
    (0x74, "IMAGE_LOAD_MIP_PCK4"),
    (0x76, "IMAGE_STORE_PCK2"),
    (0x77, "IMAGE_STORE_PCK4"),
    (0x79, "IMAGE_STORE_MIP_PCK2"),
    (0x7a, "IMAGE_STORE_MIP_PCK4"),
];

#[test]
fn the_overlay_is_a_switch() {
    let on = DecodeOptions { overlay: true };
    for target in Target::ALL {
        let mut names = BTreeMap::new();
        for number in CONSOLE {
            let plain = opcode_at(target, Encoding::Mimg, number & 0x7f).unwrap();
            names.insert(number, format!("{}_A", plain.name()));
            // The plain one's operands and address registers.
            let ours = opcode_at(target, Encoding::Mimg, number).unwrap();
            let slots = |op: Opcode| op.row().operands.iter().map(|s| s.slot).collect::<Vec<_>>();
            assert_eq!(slots(ours), slots(plain));
            for dim in 0..6 {
                let mods = ImageMods {
                    dim,
                    ..ImageMods::default()
                };
                let words = |op: Opcode| image::address_words(op.row().sem, mods);
                assert_eq!(words(ours), words(plain), "{ours:?} {dim}");
            }
        }
        for (number, name) in AMD {
            names.insert(number, name.to_owned());
        }
        for number in 0..Encoding::Mimg.slots() {
            // v5, v[4:9], s[8:15], s[12:15], one component, 2D.
            let (low, high) = (u32::from(number & 0x7f), u32::from(number >> 7));
            let sampler = opcode_at(target, Encoding::Mimg, number)
                .is_some_and(|op| op.row().operands.iter().any(|s| s.slot == Slot::Ssamp));
            let words = [
                0xf000_0108 | low << 18 | high,
                0x0002_0504 | u32::from(sampler) * 0x0060_0000,
            ];
            let with = decode_with(on, target, &words, 0).map(|i| i.opcode());
            let without = decode(target, &words, 0).map(|i| i.opcode());
            let Some(name) = names.get(&number) else {
                assert_eq!(with, without, "{number:#x}");
                continue;
            };
            assert_eq!(with.unwrap().name(), name);
            let reason = Reserved::Opcode {
                encoding: Encoding::Mimg,
                number,
            };
            match without {
                Err(DecodeError::Reserved { reason: r, .. }) => assert_eq!(r, reason),
                other => panic!("{other:?}"),
            }
            // Text and back.
            let inst = decode_with(on, target, &words, 0).unwrap();
            let text = inst_to_string(&inst, TextOptions::exact(WaveSize::W32));
            let back = assemble(target, WaveSize::W32, &text).unwrap();
            assert_eq!(back, words, "{text}");
        }
    }
}
