//! SDWA: parts of registers as sources and as destination. Knows no lanes.

use spirdna_isa::{SdwaSel, SdwaUnused};

/// First bit and width of a part.
const fn part(sel: SdwaSel) -> (u32, u32) {
    match sel {
        SdwaSel::Byte0 => (0, 8),
        SdwaSel::Byte1 => (8, 8),
        SdwaSel::Byte2 => (16, 8),
        SdwaSel::Byte3 => (24, 8),
        SdwaSel::Word0 => (0, 16),
        SdwaSel::Word1 => (16, 16),
        SdwaSel::Dword => (0, 32),
    }
}

/// The selected part of a source, extended to 32 bits.
pub(super) const fn select(bits: u32, sel: SdwaSel, sext: bool) -> u32 {
    let (lo, width) = part(sel);
    let top = bits << (32 - lo - width);
    if sext {
        (top as i32 >> (32 - width)) as u32
    } else {
        top >> (32 - width)
    }
}

/// The destination register: the result's low bits in the selected part, the rest by `unused`.
pub(super) const fn insert(old: u32, result: u32, sel: SdwaSel, unused: SdwaUnused) -> u32 {
    let (lo, width) = part(sel);
    let mask = (u32::MAX >> (32 - width)) << lo;
    let placed = result << lo & mask;
    match unused {
        SdwaUnused::Pad => placed,
        SdwaUnused::Preserve => old & !mask | placed,
        SdwaUnused::Sext => {
            let up = 32 - lo - width;
            ((placed << up) as i32 >> up) as u32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_as_the_manual_draws_them() {
        assert_eq!(select(0x80ff_7f12, SdwaSel::Byte1, true), 0x7f);
        assert_eq!(select(0x80ff_7f12, SdwaSel::Byte2, true), 0xffff_ffff);
        assert_eq!(select(0x80ff_7f12, SdwaSel::Byte3, false), 0x80);
        assert_eq!(select(0x80ff_7f12, SdwaSel::Word1, true), 0xffff_80ff);
        assert_eq!(select(0x80ff_7f12, SdwaSel::Dword, true), 0x80ff_7f12);
        let old = 0x1122_3344;
        assert_eq!(insert(old, 0xabcd, SdwaSel::Byte1, SdwaUnused::Pad), 0xcd00);
        assert_eq!(
            insert(old, 0xabcd, SdwaSel::Byte1, SdwaUnused::Sext),
            0xffff_cd00
        );
        assert_eq!(
            insert(old, 0xabcd, SdwaSel::Word1, SdwaUnused::Preserve),
            0xabcd_3344
        );
        assert_eq!(insert(old, 7, SdwaSel::Dword, SdwaUnused::Preserve), 7);
    }
}
