//! Bit positions: each encoding's fields, declared once. Decode, operand access, encode and whoever
//! compares layouts read them from here. Knows no opcode.

use crate::encoding::{Encoding, Ext};

/// A field: `width` bits from bit `lo` of an instruction's first two words (bit 32 is bit 0 of the
/// second word).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Lowest bit, 0 to 63.
    pub lo: u8,
    /// Width in bits, 1 to 24.
    pub width: u8,
}

impl Field {
    /// A field of `width` bits from bit `lo` on.
    pub const fn new(lo: u8, width: u8) -> Field {
        Field { lo, width }
    }

    /// The bits of the field, in place.
    pub const fn mask(self) -> u64 {
        ((1u64 << self.width) - 1) << self.lo
    }

    /// The largest value.
    pub const fn max(self) -> u32 {
        ((1u64 << self.width) - 1) as u32
    }

    /// The field's value in two words put together.
    #[inline]
    pub const fn get(self, bits: u64) -> u32 {
        ((bits >> self.lo) & ((1u64 << self.width) - 1)) as u32
    }

    /// `bits` with the field set to the low bits of `value`.
    pub const fn set(self, bits: u64, value: u32) -> u64 {
        (bits & !self.mask()) | (((value as u64) << self.lo) & self.mask())
    }
}

/// Names of fields, over all encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum FieldId {
    Op,
    OpHi,
    Sdst,
    Ssrc0,
    Ssrc1,
    Simm16,
    Vdst,
    Src0,
    Src1,
    Src2,
    Abs,
    OpSel,
    Clamp,
    Omod,
    Neg,
    NegHi,
    OpSelHi,
    OpSelHi2,
    Sbase,
    Sdata,
    Soffset,
    Offset,
    Offset1,
    Glc,
    Slc,
    Dlc,
    Lds,
    Gds,
    Tfe,
    Lwe,
    Seg,
    Addr,
    Data0,
    Data1,
    Saddr,
    Offen,
    Idxen,
    Vaddr,
    Vdata,
    Srsrc,
    Ssamp,
    Format,
    Nsa,
    Dim,
    Dmask,
    Unorm,
    R128,
    A16,
    D16,
    Vsrc,
    Attr,
    Chan,
    En,
    Tgt,
    Compr,
    Done,
    Vm,
    DstSel,
    DstUnused,
    Src0Sel,
    Src0Sext,
    Src0Neg,
    Src0Abs,
    Src0Scalar,
    Src1Sel,
    Src1Sext,
    Src1Neg,
    Src1Abs,
    Src1Scalar,
    SdstUsed,
    DppCtrl,
    FetchInactive,
    BoundCtrl,
    BankMask,
    RowMask,
    Lanes,
}

/// How many names there are.
const FIELDS: usize = FieldId::Lanes as usize + 1;

/// No field: its value is 0.
const ABSENT: Field = Field { lo: 0, width: 0 };

macro_rules! layouts {
    ($key:ident $count:literal $places:ident $(#[$doc:meta])* $value:ident $table:ident : $($name:ident { $($id:ident $lo:literal $width:literal),* $(,)? })*) => {
        /// By encoding and name.
        static $places: [[Field; FIELDS]; $count] = {
            let mut places = [[ABSENT; FIELDS]; $count];
            $($(
                places[$key::$name as usize][FieldId::$id as usize] = Field::new($lo, $width);
            )*)*
            places
        };

        impl $key {
            /// The place of a field; where there is none, one of no bits.
            #[inline]
            pub(crate) const fn place(self, id: FieldId) -> Field {
                $places[self as usize][id as usize]
            }

            $(#[$doc])*
            pub const fn $value(self, id: FieldId) -> Option<Field> {
                match self {
                    $($key::$name => match id {
                        $(FieldId::$id => Some(Field::new($lo, $width)),)*
                        _ => None,
                    },)*
                }
            }

            /// Every field with its name; the encoding's own fixed bits are not fields.
            pub const fn $table(self) -> &'static [(FieldId, Field)] {
                match self {
                    $($key::$name => &[$((FieldId::$id, Field { lo: $lo, width: $width })),*],)*
                }
            }
        }
    };
}

layouts! { Encoding 20 ENCODING_PLACES
    /// The place of a field, if the encoding has it. Sources: the microcode formats of the RDNA and
    /// RDNA2 ISA documents.
    field fields:
    Sop2 { Ssrc0 0 8, Ssrc1 8 8, Sdst 16 7, Op 23 7 }
    Sopk { Simm16 0 16, Sdst 16 7, Op 23 5 }
    Sop1 { Ssrc0 0 8, Op 8 8, Sdst 16 7 }
    Sopc { Ssrc0 0 8, Ssrc1 8 8, Op 16 7 }
    Sopp { Simm16 0 16, Op 16 7 }
    Smem { Sbase 0 6, Sdata 6 7, Dlc 14 1, Glc 16 1, Op 18 8, Offset 32 21, Soffset 57 7 }
    Vop2 { Src0 0 9, Src1 9 8, Vdst 17 8, Op 25 6 }
    Vop1 { Src0 0 9, Op 9 8, Vdst 17 8 }
    Vopc { Src0 0 9, Src1 9 8, Op 17 8 }
    Vop3 { Vdst 0 8, Sdst 8 7, Abs 8 3, OpSel 11 4, Clamp 15 1, Op 16 10, Src0 32 9, Src1 41 9,
        Src2 50 9, Omod 59 2, Neg 61 3, Attr 32 6, Chan 38 2, }
    Vop3p { Vdst 0 8, NegHi 8 3, OpSel 11 3, OpSelHi2 14 1, Clamp 15 1, Op 16 7, Src0 32 9,
        Src1 41 9, Src2 50 9, OpSelHi 59 2, Neg 61 3 }
    Vintrp { Vsrc 0 8, Chan 8 2, Attr 10 6, Op 16 2, Vdst 18 8 }
    Ds { Offset 0 8, Offset1 8 8, Gds 17 1, Op 18 8, Addr 32 8, Data0 40 8, Data1 48 8, Vdst 56 8 }
    Mubuf { Offset 0 12, Offen 12 1, Idxen 13 1, Glc 14 1, Dlc 15 1, Lds 16 1, Op 18 8, Vaddr 32 8,
        Vdata 40 8, Srsrc 48 5, Slc 54 1, Tfe 55 1, Soffset 56 8 }
    Mtbuf { Offset 0 12, Offen 12 1, Idxen 13 1, Glc 14 1, Dlc 15 1, Op 16 3, Format 19 7, Vaddr 32 8,
        Vdata 40 8, Srsrc 48 5, OpHi 53 1, Slc 54 1, Tfe 55 1, Soffset 56 8 }
    Mimg { OpHi 0 1, Nsa 1 2, Dim 3 3, Dlc 7 1, Dmask 8 4, Unorm 12 1, Glc 13 1, R128 15 1, Tfe 16 1,
        Lwe 17 1, Op 18 7, Slc 25 1, Vaddr 32 8, Vdata 40 8, Srsrc 48 5, Ssamp 53 5, A16 62 1, D16 63 1 }
    Flat { Offset 0 12, Dlc 12 1, Lds 13 1, Seg 14 2, Glc 16 1, Slc 17 1, Op 18 7, Addr 32 8,
        Data0 40 8, Saddr 48 7, Vdst 56 8 }
    Global { Offset 0 12, Dlc 12 1, Lds 13 1, Seg 14 2, Glc 16 1, Slc 17 1, Op 18 7, Addr 32 8,
        Data0 40 8, Saddr 48 7, Vdst 56 8 }
    Scratch { Offset 0 12, Dlc 12 1, Lds 13 1, Seg 14 2, Glc 16 1, Slc 17 1, Op 18 7, Addr 32 8,
        Data0 40 8, Saddr 48 7, Vdst 56 8 }
    Exp { En 0 4, Tgt 4 6, Compr 10 1, Done 11 1, Vm 12 1, Src0 32 8, Src1 40 8, Src2 48 8, Data1 56 8 }
}

layouts! { Ext 5 EXT_PLACES
    /// The place of a field of the extension word (the second word of VOP1, VOP2 and VOPC).
    field fields:
    None { }
    Sdwa { Src0 32 8, DstSel 40 3, DstUnused 43 2, Clamp 45 1, Omod 46 2, Src0Sel 48 3, Src0Sext 51 1,
        Src0Neg 52 1, Src0Abs 53 1, Src0Scalar 55 1, Src1Sel 56 3, Src1Sext 59 1, Src1Neg 60 1,
        Src1Abs 61 1, Src1Scalar 63 1 }
    Sdwab { Src0 32 8, Sdst 40 7, SdstUsed 47 1, Src0Sel 48 3, Src0Sext 51 1, Src0Neg 52 1,
        Src0Abs 53 1, Src0Scalar 55 1, Src1Sel 56 3, Src1Sext 59 1, Src1Neg 60 1, Src1Abs 61 1,
        Src1Scalar 63 1 }
    Dpp16 { Src0 32 8, DppCtrl 40 9, FetchInactive 50 1, BoundCtrl 51 1, Src0Neg 52 1, Src0Abs 53 1,
        Src1Neg 54 1, Src1Abs 55 1, BankMask 56 4, RowMask 60 4 }
    Dpp8 { Src0 32 8, Lanes 40 24 }
}
