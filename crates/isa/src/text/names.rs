//! Spellings that text and assembler share.

use crate::mods::{Omod, SdwaSel, SdwaUnused};
use crate::operand::{FloatConst, Special};

/// Names of the specials.
pub(crate) const SPECIALS: [(Special, &str); 9] = [
    (Special::SharedBase, "src_shared_base"),
    (Special::SharedLimit, "src_shared_limit"),
    (Special::PrivateBase, "src_private_base"),
    (Special::PrivateLimit, "src_private_limit"),
    (Special::PopsExitingWaveId, "src_pops_exiting_wave_id"),
    (Special::Vccz, "src_vccz"),
    (Special::Execz, "src_execz"),
    (Special::Scc, "src_scc"),
    (Special::LdsDirect, "src_lds_direct"),
];

/// Names of the inline floats; 1/(2*pi) has more digits at 64 bits.
pub(crate) const FLOATS: [(FloatConst, &str); 9] = [
    (FloatConst::Half, "0.5"),
    (FloatConst::MinusHalf, "-0.5"),
    (FloatConst::One, "1.0"),
    (FloatConst::MinusOne, "-1.0"),
    (FloatConst::Two, "2.0"),
    (FloatConst::MinusTwo, "-2.0"),
    (FloatConst::Four, "4.0"),
    (FloatConst::MinusFour, "-4.0"),
    (FloatConst::InvTwoPi, "0.15915494"),
];

/// 1/(2*pi) at 64 bits.
pub(crate) const INV_TWO_PI_F64: &str = "0.15915494309189532";

/// SDWA selects.
pub(crate) const SDWA_SELS: [(SdwaSel, &str); 7] = [
    (SdwaSel::Byte0, "BYTE_0"),
    (SdwaSel::Byte1, "BYTE_1"),
    (SdwaSel::Byte2, "BYTE_2"),
    (SdwaSel::Byte3, "BYTE_3"),
    (SdwaSel::Word0, "WORD_0"),
    (SdwaSel::Word1, "WORD_1"),
    (SdwaSel::Dword, "DWORD"),
];

/// What SDWA does with the rest of the destination.
pub(crate) const SDWA_UNUSED: [(SdwaUnused, &str); 3] = [
    (SdwaUnused::Pad, "UNUSED_PAD"),
    (SdwaUnused::Sext, "UNUSED_SEXT"),
    (SdwaUnused::Preserve, "UNUSED_PRESERVE"),
];

/// Output modifiers.
pub(crate) const OMODS: [(Omod, &str); 3] = [
    (Omod::Mul2, "mul:2"),
    (Omod::Mul4, "mul:4"),
    (Omod::Div2, "div:2"),
];

/// DPP16 controls with a lane count: name, first code, smallest and largest count.
pub(crate) const DPP_COUNTED: [(&str, u16, u16, u16); 5] = [
    ("row_shl", 0x100, 1, 15),
    ("row_shr", 0x110, 1, 15),
    ("row_ror", 0x120, 1, 15),
    ("row_share", 0x150, 0, 15),
    ("row_xmask", 0x160, 0, 15),
];

/// DPP16 controls without one.
pub(crate) const DPP_PLAIN: [(&str, u16); 2] = [("row_mirror", 0x140), ("row_half_mirror", 0x141)];

/// Whether a DPP16 control has a meaning.
pub(crate) fn dpp_ctrl_is_valid(ctrl: u16) -> bool {
    ctrl < 0x100
        || DPP_PLAIN.iter().any(|&(_, c)| c == ctrl)
        || DPP_COUNTED
            .iter()
            .any(|&(_, base, lo, hi)| (base + lo..=base + hi).contains(&ctrl))
}

/// MIMG dimensions by their code.
pub(crate) const DIMS: [&str; 8] = [
    "SQ_RSRC_IMG_1D",
    "SQ_RSRC_IMG_2D",
    "SQ_RSRC_IMG_3D",
    "SQ_RSRC_IMG_CUBE",
    "SQ_RSRC_IMG_1D_ARRAY",
    "SQ_RSRC_IMG_2D_ARRAY",
    "SQ_RSRC_IMG_2D_MSAA",
    "SQ_RSRC_IMG_2D_MSAA_ARRAY",
];
