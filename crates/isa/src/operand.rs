//! Operand values and their types. Knows nothing of encodings' bit positions.

/// A scalar register by its code: 0–105 SGPRs, 106/107 VCC, 108–123 TTMP, 124 M0, 125 NULL, 126/127
/// EXEC. The code is also the index of the register in the scalar register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SReg(u8);

impl SReg {
    /// Low half of VCC.
    pub const VCC_LO: SReg = SReg(106);
    /// High half of VCC.
    pub const VCC_HI: SReg = SReg(107);
    /// First trap temporary.
    pub const TTMP0: SReg = SReg(108);
    /// M0.
    pub const M0: SReg = SReg(124);
    /// Reads as zero, writes are dropped.
    pub const NULL: SReg = SReg(125);
    /// Low half of EXEC.
    pub const EXEC_LO: SReg = SReg(126);
    /// High half of EXEC.
    pub const EXEC_HI: SReg = SReg(127);
    /// SGPRs that a program can name.
    pub const SGPRS: u8 = 106;

    /// The register of a 7-bit code.
    pub const fn from_code(code: u8) -> SReg {
        SReg(code & 0x7f)
    }

    /// The code, 0 to 127.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The code as an index into the register file.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is one of s0 to s105.
    pub const fn is_sgpr(self) -> bool {
        self.0 < Self::SGPRS
    }

    /// The register `n` codes on; `None` past the register file.
    pub const fn offset(self, n: u8) -> Option<SReg> {
        let code = self.0 as u16 + n as u16;
        if code < 128 {
            Some(SReg(code as u8))
        } else {
            None
        }
    }
}

/// Source codes that are neither registers nor plain constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Special {
    /// 235: base of the LDS aperture.
    SharedBase,
    /// 236.
    SharedLimit,
    /// 237.
    PrivateBase,
    /// 238.
    PrivateLimit,
    /// 239.
    PopsExitingWaveId,
    /// 251: VCC == 0.
    Vccz,
    /// 252: EXEC == 0.
    Execz,
    /// 253.
    Scc,
    /// 254: a dword of LDS at M0.
    LdsDirect,
}

/// Inline float constants (codes 240 to 248).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatConst {
    /// 0.5
    Half,
    /// -0.5
    MinusHalf,
    /// 1.0
    One,
    /// -1.0
    MinusOne,
    /// 2.0
    Two,
    /// -2.0
    MinusTwo,
    /// 4.0
    Four,
    /// -4.0
    MinusFour,
    /// 1/(2*pi), as the hardware rounds it at each width.
    InvTwoPi,
}

impl FloatConst {
    /// Bits at 16, 32 and 64 bits.
    pub const fn bits(self) -> (u16, u32, u64) {
        match self {
            FloatConst::Half => (0x3800, 0x3f00_0000, 0x3fe0_0000_0000_0000),
            FloatConst::MinusHalf => (0xb800, 0xbf00_0000, 0xbfe0_0000_0000_0000),
            FloatConst::One => (0x3c00, 0x3f80_0000, 0x3ff0_0000_0000_0000),
            FloatConst::MinusOne => (0xbc00, 0xbf80_0000, 0xbff0_0000_0000_0000),
            FloatConst::Two => (0x4000, 0x4000_0000, 0x4000_0000_0000_0000),
            FloatConst::MinusTwo => (0xc000, 0xc000_0000, 0xc000_0000_0000_0000),
            FloatConst::Four => (0x4400, 0x4080_0000, 0x4010_0000_0000_0000),
            FloatConst::MinusFour => (0xc400, 0xc080_0000, 0xc010_0000_0000_0000),
            FloatConst::InvTwoPi => (0x3118, 0x3e22_f983, 0x3fc4_5f30_6dc9_c882),
        }
    }
}

/// The value an operand field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A scalar register, the first of as many as the type is wide.
    S(SReg),
    /// A vector register, the first of as many as the type is wide.
    V(u8),
    /// An inline integer, -16 to 64.
    Int(i8),
    /// An inline float.
    Float(FloatConst),
    /// A literal dword (also the K of FMAMK and S_SETREG_IMM32).
    Literal(u32),
    /// A special source.
    Special(Special),
    /// An immediate field: SIMM16 of SOPK and SOPP (sign-extended where the row's type is signed, else
    /// zero-extended), the offset of SMEM.
    Imm(i32),
    /// An operand that the encoding switches off (FLAT's SADDR, MUBUF's VADDR).
    Off,
}

/// Type and width of an operand as the row declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Ty {
    B16,
    U16,
    I16,
    F16,
    /// Two 16-bit halves.
    PkB16,
    PkU16,
    PkI16,
    PkF16,
    B32,
    U32,
    I32,
    F32,
    B64,
    U64,
    I64,
    F64,
    B96,
    B128,
    B256,
    B512,
    /// A lane mask: one SGPR in wave32, a pair in wave64.
    Mask,
    /// The address VGPRs of an image instruction: number and width follow from the instruction.
    ImageAddr,
    /// Image or buffer data whose size follows from DMASK, D16, TFE or the format.
    Data,
}

impl Ty {
    /// Bits, where the type alone says so (a mask does with the wave size).
    pub const fn bits(self) -> Option<u32> {
        match self {
            Ty::B16 | Ty::U16 | Ty::I16 | Ty::F16 => Some(16),
            Ty::PkB16 | Ty::PkU16 | Ty::PkI16 | Ty::PkF16 => Some(32),
            Ty::B32 | Ty::U32 | Ty::I32 | Ty::F32 => Some(32),
            Ty::B64 | Ty::U64 | Ty::I64 | Ty::F64 => Some(64),
            Ty::B96 => Some(96),
            Ty::B128 => Some(128),
            Ty::B256 => Some(256),
            Ty::B512 => Some(512),
            Ty::Mask | Ty::ImageAddr | Ty::Data => None,
        }
    }
}

impl Operand {
    /// The operand of a 9-bit source code; `None` for reserved codes, for literals (255, whose value
    /// stands elsewhere) and for the codes that announce an extension word.
    pub const fn from_source_code(code: u16) -> Option<Operand> {
        Some(match code {
            0..=127 => Operand::S(SReg(code as u8)),
            128..=192 => Operand::Int((code - 128) as i8),
            193..=208 => Operand::Int(-((code - 192) as i8)),
            235 => Operand::Special(Special::SharedBase),
            236 => Operand::Special(Special::SharedLimit),
            237 => Operand::Special(Special::PrivateBase),
            238 => Operand::Special(Special::PrivateLimit),
            239 => Operand::Special(Special::PopsExitingWaveId),
            240 => Operand::Float(FloatConst::Half),
            241 => Operand::Float(FloatConst::MinusHalf),
            242 => Operand::Float(FloatConst::One),
            243 => Operand::Float(FloatConst::MinusOne),
            244 => Operand::Float(FloatConst::Two),
            245 => Operand::Float(FloatConst::MinusTwo),
            246 => Operand::Float(FloatConst::Four),
            247 => Operand::Float(FloatConst::MinusFour),
            248 => Operand::Float(FloatConst::InvTwoPi),
            251 => Operand::Special(Special::Vccz),
            252 => Operand::Special(Special::Execz),
            253 => Operand::Special(Special::Scc),
            254 => Operand::Special(Special::LdsDirect),
            256..=511 => Operand::V((code - 256) as u8),
            _ => return None,
        })
    }

    /// The 9-bit source code; `None` for operands that no code names (immediates, `Off`). A literal
    /// is 255.
    pub const fn source_code(self) -> Option<u16> {
        Some(match self {
            Operand::S(r) => r.0 as u16,
            Operand::V(v) => 256 + v as u16,
            Operand::Int(i) if i >= 0 && i <= 64 => 128 + i as u16,
            Operand::Int(i) if i < 0 && i >= -16 => (192 - i as i16) as u16,
            Operand::Int(_) => return None,
            Operand::Float(f) => match f {
                FloatConst::Half => 240,
                FloatConst::MinusHalf => 241,
                FloatConst::One => 242,
                FloatConst::MinusOne => 243,
                FloatConst::Two => 244,
                FloatConst::MinusTwo => 245,
                FloatConst::Four => 246,
                FloatConst::MinusFour => 247,
                FloatConst::InvTwoPi => 248,
            },
            Operand::Literal(_) => 255,
            Operand::Special(s) => match s {
                Special::SharedBase => 235,
                Special::SharedLimit => 236,
                Special::PrivateBase => 237,
                Special::PrivateLimit => 238,
                Special::PopsExitingWaveId => 239,
                Special::Vccz => 251,
                Special::Execz => 252,
                Special::Scc => 253,
                Special::LdsDirect => 254,
            },
            Operand::Imm(_) | Operand::Off => return None,
        })
    }

    /// The bits that a constant operand has at a type, in the low bits of the result; `None` for
    /// registers, specials and `Off`.
    ///
    /// Inline integers are two's complement at the width (packed halves: one 32-bit integer, not two
    /// halves). Inline floats have the width's bits: f16 for every 16-bit type; packed halves have
    /// the f16 in the low half and 0 in the high one, packed integers the f32. A literal is the low
    /// half at 16 bits, the high dword of an f64, sign-extended to I64 and zero-extended to the other
    /// 64-bit types. A mask takes 64 bits. An immediate is extended already, to all 64 bits.
    pub const fn constant_bits(self, ty: Ty) -> Option<u64> {
        let bits = match ty.bits() {
            Some(bits) => bits,
            None => match ty {
                Ty::Mask => 64,
                _ => 32,
            },
        };
        let width_mask = if bits >= 64 {
            u64::MAX
        } else {
            (1 << bits) - 1
        };
        Some(match self {
            Operand::Int(i) => i as i64 as u64 & width_mask,
            Operand::Imm(i) => i as i64 as u64,
            Operand::Float(f) => {
                let (half, single, double) = f.bits();
                match ty {
                    Ty::PkF16 => half as u64,
                    Ty::PkB16 | Ty::PkU16 | Ty::PkI16 => single as u64,
                    _ if bits == 16 => half as u64,
                    _ if bits >= 64 => double,
                    _ => single as u64,
                }
            }
            Operand::Literal(l) => match ty {
                Ty::F64 => (l as u64) << 32,
                Ty::I64 => l as i32 as i64 as u64,
                _ => l as u64 & width_mask,
            },
            Operand::S(_) | Operand::V(_) | Operand::Special(_) | Operand::Off => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        let mut known = 0;
        for code in 0..512 {
            if let Some(op) = Operand::from_source_code(code) {
                assert_eq!(op.source_code(), Some(code));
                known += 1;
            }
        }
        // 128 registers, 81 integers, 5 apertures, 9 floats, 4 more specials, 256 VGPRs.
        assert_eq!(known, 128 + 81 + 5 + 9 + 4 + 256);
    }

    #[test]
    fn constants_at_widths() {
        assert_eq!(Operand::Int(-1).constant_bits(Ty::B64), Some(u64::MAX));
        assert_eq!(Operand::Int(1).constant_bits(Ty::B64), Some(1));
        assert_eq!(Operand::from_source_code(193), Some(Operand::Int(-1)));
        assert_eq!(Operand::from_source_code(208), Some(Operand::Int(-16)));
        assert_eq!(Operand::Int(-2).constant_bits(Ty::I16), Some(0xfffe));
        assert_eq!(Operand::Int(-2).constant_bits(Ty::PkI16), Some(0xffff_fffe));
        let half = Operand::Float(FloatConst::Half);
        assert_eq!(half.constant_bits(Ty::F16), Some(0x3800));
        assert_eq!(half.constant_bits(Ty::I16), Some(0x3800));
        assert_eq!(half.constant_bits(Ty::PkF16), Some(0x3800));
        assert_eq!(half.constant_bits(Ty::PkU16), Some(0x3f00_0000));
        assert_eq!(half.constant_bits(Ty::B64), Some(0x3fe0_0000_0000_0000));
        let literal = Operand::Literal(0x8000_0001);
        assert_eq!(literal.constant_bits(Ty::F64), Some(0x8000_0001_0000_0000));
        assert_eq!(literal.constant_bits(Ty::I64), Some(0xffff_ffff_8000_0001));
        assert_eq!(literal.constant_bits(Ty::B64), Some(0x8000_0001));
        assert_eq!(literal.constant_bits(Ty::F16), Some(1));
        assert_eq!(Operand::Imm(-2).constant_bits(Ty::I16), Some(u64::MAX - 1));
        assert_eq!(Operand::S(SReg::M0).constant_bits(Ty::B32), None);
    }
}
