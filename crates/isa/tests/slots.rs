//! Every opcode number of every encoding on every target is a row or refused, as the list read from
//! LLVM says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod support;

use std::collections::BTreeMap;

use spirdna_isa::{DecodeError, Encoding, Opcode, Reserved, RowFlags, Target, decode, opcode_at};

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

#[test]
fn the_overlay_is_a_switch() {
    let words = [0xf080_0101, 0x0062_0504];
    let options = spirdna_isa::DecodeOptions { overlay: true };
    let inst = spirdna_isa::decode_with(options, Target::Gfx1030, &words, 0).unwrap();
    assert_eq!(inst.opcode(), Opcode::IMAGE_SAMPLE_A);
    assert!(decode(Target::Gfx1030, &words, 0).is_err());
}
