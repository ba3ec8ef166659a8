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
