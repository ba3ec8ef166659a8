//! Modifiers of an instruction as plain data. Knows nothing of bit positions.

/// Output modifier of float results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Omod {
    /// None.
    #[default]
    None,
    /// Times 2.
    Mul2,
    /// Times 4.
    Mul4,
    /// Divided by 2.
    Div2,
}

/// Cross-lane source of a VALU instruction's source 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dpp {
    /// Within rows of 16.
    Dpp16 {
        /// `DPP_CTRL`, 9 bits.
        ctrl: u16,
        /// Rows that are written.
        row_mask: u8,
        /// Banks of four lanes in a row that are written.
        bank_mask: u8,
        /// Sources outside the row, or disabled, give 0.
        bound_ctrl: bool,
        /// Disabled lanes are read.
        fetch_inactive: bool,
    },
    /// Within groups of 8.
    Dpp8 {
        /// The source lane of each of eight.
        lanes: [u8; 8],
        /// Disabled lanes are read.
        fetch_inactive: bool,
    },
}

/// Part of a register that SDWA selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SdwaSel {
    Byte0,
    Byte1,
    Byte2,
    Byte3,
    Word0,
    Word1,
    Dword,
}

/// What SDWA does with the rest of the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SdwaUnused {
    Pad,
    Sext,
    Preserve,
}

/// Sub-dword addressing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sdwa {
    /// Destination part (absent for compares: SDWAB).
    pub dst: Option<(SdwaSel, SdwaUnused)>,
    /// Source 0 part.
    pub src0: SdwaSel,
    /// Source 0 is sign-extended.
    pub src0_sext: bool,
    /// Source 1 part.
    pub src1: SdwaSel,
    /// Source 1 is sign-extended.
    pub src1_sext: bool,
}

/// Modifiers of a VALU instruction; bit i of a set belongs to source i.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ValuMods {
    /// Negate (for packed: the low half).
    pub neg: u8,
    /// Absolute value.
    pub abs: u8,
    /// Negate the high half (packed).
    pub neg_hi: u8,
    /// Take the high half; bit 3 is the destination. For packed: the source of the low result.
    pub op_sel: u8,
    /// Packed: the source of the high result; mix: source is a half.
    pub op_sel_hi: u8,
    /// Clamp.
    pub clamp: bool,
    /// Output modifier.
    pub omod: Omod,
    /// Cross-lane source.
    pub dpp: Option<Dpp>,
    /// Sub-dword selects.
    pub sdwa: Option<Sdwa>,
}

/// Modifiers of a memory instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct MemMods {
    /// Byte offset (DS: offset 0; two-offset forms count elements).
    pub offset: i32,
    /// Second offset of two-address DS forms.
    pub offset1: u8,
    /// Globally coherent; for atomics: return the old value.
    pub glc: bool,
    /// System coherent.
    pub slc: bool,
    /// Device coherent.
    pub dlc: bool,
    /// Buffer: offset VGPR.
    pub offen: bool,
    /// Buffer: index VGPR.
    pub idxen: bool,
    /// Buffer, FLAT: data goes to LDS.
    pub lds: bool,
    /// Texture fail enable.
    pub tfe: bool,
    /// DS: GDS.
    pub gds: bool,
    /// MTBUF: unified format code.
    pub format: u8,
}

/// Modifiers of an image instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ImageMods {
    /// Components that are loaded or stored.
    pub dmask: u8,
    /// Dimension: 1D, 2D, 3D, CUBE, 1D_ARRAY, 2D_ARRAY, 2D_MSAA, 2D_MSAA_ARRAY.
    pub dim: u8,
    /// Unnormalised coordinates.
    pub unorm: bool,
    /// The descriptor has 128 bits.
    pub r128: bool,
    /// 16-bit addresses (coordinates).
    pub a16: bool,
    /// 16-bit data.
    pub d16: bool,
    /// Level-of-detail warning enable.
    pub lwe: bool,
    /// Words of further address registers (non-sequential addresses), 0 to 3.
    pub nsa: u8,
}

/// Modifiers of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ExportMods {
    /// Enabled components.
    pub en: u8,
    /// Halves packed in the first two registers.
    pub compr: bool,
    /// The last export of its kind.
    pub done: bool,
    /// EXEC is the mask of valid pixels.
    pub vm: bool,
}
