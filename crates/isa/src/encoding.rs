//! The encodings and how a word names its own. Knows no opcode.

use crate::fields::FieldId;

/// An instruction format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Encoding {
    Sop2,
    Sopk,
    Sop1,
    Sopc,
    Sopp,
    Smem,
    Vop2,
    Vop1,
    Vopc,
    Vop3,
    Vop3p,
    Vintrp,
    Ds,
    Mubuf,
    Mtbuf,
    Mimg,
    Flat,
    Global,
    Scratch,
    Exp,
}

impl Encoding {
    /// Every encoding, in the order of the discriminants.
    pub const ALL: [Encoding; 20] = [
        Encoding::Sop2,
        Encoding::Sopk,
        Encoding::Sop1,
        Encoding::Sopc,
        Encoding::Sopp,
        Encoding::Smem,
        Encoding::Vop2,
        Encoding::Vop1,
        Encoding::Vopc,
        Encoding::Vop3,
        Encoding::Vop3p,
        Encoding::Vintrp,
        Encoding::Ds,
        Encoding::Mubuf,
        Encoding::Mtbuf,
        Encoding::Mimg,
        Encoding::Flat,
        Encoding::Global,
        Encoding::Scratch,
        Encoding::Exp,
    ];

    /// The manual's name.
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Sop2 => "SOP2",
            Encoding::Sopk => "SOPK",
            Encoding::Sop1 => "SOP1",
            Encoding::Sopc => "SOPC",
            Encoding::Sopp => "SOPP",
            Encoding::Smem => "SMEM",
            Encoding::Vop2 => "VOP2",
            Encoding::Vop1 => "VOP1",
            Encoding::Vopc => "VOPC",
            Encoding::Vop3 => "VOP3",
            Encoding::Vop3p => "VOP3P",
            Encoding::Vintrp => "VINTRP",
            Encoding::Ds => "DS",
            Encoding::Mubuf => "MUBUF",
            Encoding::Mtbuf => "MTBUF",
            Encoding::Mimg => "MIMG",
            Encoding::Flat => "FLAT",
            Encoding::Global => "GLOBAL",
            Encoding::Scratch => "SCRATCH",
            Encoding::Exp => "EXP",
        }
    }

    /// Opcode numbers that the encoding has room for.
    pub const fn slots(self) -> u16 {
        match self {
            Encoding::Vintrp => 4,
            Encoding::Mtbuf => 16,
            Encoding::Sopk => 32,
            Encoding::Vop2 => 64,
            Encoding::Sop2 | Encoding::Sopc | Encoding::Sopp | Encoding::Vop3p => 128,
            Encoding::Flat | Encoding::Global | Encoding::Scratch => 128,
            Encoding::Sop1
            | Encoding::Smem
            | Encoding::Vop1
            | Encoding::Vopc
            | Encoding::Ds
            | Encoding::Mubuf
            | Encoding::Mimg => 256,
            Encoding::Vop3 => 1024,
            Encoding::Exp => 1,
        }
    }

    /// The fixed bits of the first word (opcode and other fields zero).
    pub const fn prefix(self) -> u32 {
        match self {
            Encoding::Vop2 => 0,
            Encoding::Vop1 => 0x7e00_0000,
            Encoding::Vopc => 0x7c00_0000,
            Encoding::Sop2 => 0x8000_0000,
            Encoding::Sopk => 0xb000_0000,
            Encoding::Sop1 => 0xbe80_0000,
            Encoding::Sopc => 0xbf00_0000,
            Encoding::Sopp => 0xbf80_0000,
            Encoding::Vintrp => 0xc800_0000,
            Encoding::Vop3p => 0xcc00_0000,
            Encoding::Vop3 => 0xd400_0000,
            Encoding::Ds => 0xd800_0000,
            Encoding::Flat => 0xdc00_0000,
            Encoding::Scratch => 0xdc00_4000,
            Encoding::Global => 0xdc00_8000,
            Encoding::Mubuf => 0xe000_0000,
            Encoding::Mtbuf => 0xe800_0000,
            Encoding::Mimg => 0xf000_0000,
            Encoding::Smem => 0xf400_0000,
            Encoding::Exp => 0xf800_0000,
        }
    }

    /// The encoding that a first word names; `None` where the ISA reserves the prefix.
    pub const fn of_word(word: u32) -> Option<Encoding> {
        Some(match word >> 26 {
            0x00..=0x1e => Encoding::Vop2,
            0x1f => {
                if word & 0x0200_0000 == 0 {
                    Encoding::Vopc
                } else {
                    Encoding::Vop1
                }
            }
            0x20..=0x2b => Encoding::Sop2,
            0x2c..=0x2f => match word >> 23 {
                0x17d => Encoding::Sop1,
                0x17e => Encoding::Sopc,
                0x17f => Encoding::Sopp,
                _ => Encoding::Sopk,
            },
            0x32 => Encoding::Vintrp,
            // Nine fixed bits; the others are VOP3's in later generations.
            0x33 if word >> 23 == 0x198 => Encoding::Vop3p,
            0x35 => Encoding::Vop3,
            0x36 => Encoding::Ds,
            0x37 => match (word >> 14) & 3 {
                0 => Encoding::Flat,
                1 => Encoding::Scratch,
                2 => Encoding::Global,
                _ => return None,
            },
            0x38 => Encoding::Mubuf,
            0x3a => Encoding::Mtbuf,
            0x3c => Encoding::Mimg,
            0x3d => Encoding::Smem,
            0x3e => Encoding::Exp,
            _ => return None,
        })
    }

    /// The opcode number in the first two words.
    pub const fn number(self, bits: u64) -> u16 {
        let Some(op) = self.field(FieldId::Op) else {
            return 0;
        };
        let high = match self.field(FieldId::OpHi) {
            Some(hi) => hi.get(bits) << op.width,
            None => 0,
        };
        (op.get(bits) | high) as u16
    }

    /// Words without literals, extension words and NSA words.
    pub const fn base_words(self) -> u8 {
        match self {
            Encoding::Sop2
            | Encoding::Sopk
            | Encoding::Sop1
            | Encoding::Sopc
            | Encoding::Sopp
            | Encoding::Vop2
            | Encoding::Vop1
            | Encoding::Vopc
            | Encoding::Vintrp => 1,
            Encoding::Smem
            | Encoding::Vop3
            | Encoding::Vop3p
            | Encoding::Ds
            | Encoding::Mubuf
            | Encoding::Mtbuf
            | Encoding::Mimg
            | Encoding::Flat
            | Encoding::Global
            | Encoding::Scratch
            | Encoding::Exp => 2,
        }
    }
}

/// The second word of a VOP1, VOP2 or VOPC instruction, where source 0 says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Ext {
    /// None, or a literal.
    None,
    /// Sub-dword addressing, source 0 code 249.
    Sdwa,
    /// The same for compares.
    Sdwab,
    /// DPP in rows of 16, source 0 code 250.
    Dpp16,
    /// DPP in groups of 8, source 0 code 233 (234: reads disabled lanes).
    Dpp8,
}
