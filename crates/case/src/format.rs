//! The case file as it is written: a serde model of the text, one field a key. It knows no file
//! but the one it was read from and resolves nothing; `load` does.
//!
//! Unknown keys are refused everywhere. Addresses and 64-bit integers are strings (decimal, or
//! hexadecimal after `0x`), because TOML's integers have 63 bits.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor};

/// A whole case file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// The shader; also what a `[[dispatch]]` without one takes.
    pub shader: Option<ShaderSpec>,
    /// The launch; also what a `[[dispatch]]` without one takes.
    pub launch: Option<LaunchSpec>,
    /// Memory regions.
    #[serde(default)]
    pub memory: Vec<MemorySpec>,
    /// What memory holds after the last dispatch.
    #[serde(default)]
    pub expect: Vec<ExpectSpec>,
    /// Further dispatches over the same memory, in order, after the one that `[shader]` and
    /// `[launch]` make when both are there.
    #[serde(default)]
    pub dispatch: Vec<DispatchSpec>,
    /// The shader may read registers that nothing has written: a function that saves its caller's does.
    #[serde(default)]
    pub undefined_reads: bool,
    /// A fault that must happen.
    pub expect_fault: Option<ExpectFaultSpec>,
    /// The SPIR-V module that the shader was compiled from.
    pub original: Option<OriginalSpec>,
}

/// `[[dispatch]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DispatchSpec {
    /// The shader; the top level's when absent.
    pub shader: Option<ShaderSpec>,
    /// The launch; the top level's when absent.
    pub launch: Option<LaunchSpec>,
}

/// `[shader]`: exactly one of `code`, `asm` and `elf`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShaderSpec {
    /// `gfx1010`, `gfx1013` or `gfx1030`. With `elf` it may be left out; if given it must agree.
    pub target: Option<String>,
    /// `compute`.
    #[serde(default)]
    pub stage: StageSpec,
    /// 32 or 64. With `elf` it may be left out; if given it must agree.
    pub wave: Option<u32>,
    /// A file of raw little-endian words, beside the case file.
    pub code: Option<String>,
    /// Assembly text: labels, and `.long` for raw words.
    pub asm: Option<String>,
    /// An AMDGPU code object, beside the case file.
    pub elf: Option<String>,
    /// The kernel in it; may be left out when there is one.
    pub kernel: Option<String>,
}

/// The stage of a shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageSpec {
    /// A compute shader or kernel.
    #[default]
    Compute,
}

/// `[launch]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchSpec {
    /// Workgroups in the grid.
    pub groups: Option<[u32; 3]>,
    /// Threads in the grid, instead of `groups`: the last workgroups may be partial.
    pub threads: Option<[u32; 3]>,
    /// Threads in a workgroup.
    pub local: [u32; 3],
    /// LDS bytes; with `elf` the dynamic part, behind the kernel's own.
    #[serde(default)]
    pub lds: u32,
    /// Scratch.
    #[serde(default)]
    pub scratch: ScratchSpec,
    /// User SGPRs from s0 on.
    #[serde(default)]
    pub sgprs: Vec<SgprSpec>,
    /// SGPRs that the dispatcher writes after them.
    #[serde(default)]
    pub system_sgprs: Vec<SystemSgprSpec>,
    /// VGPRs; `local_id_x`, `local_id_y`, `local_id_z` in v0 to v2 when absent.
    pub vgprs: Option<Vec<VgprSpec>>,
    /// VGPRs that a wave has, 256 when absent: where a register that M0 indexes is out of range.
    pub vgpr_count: Option<u16>,
    /// Registers that the launch would leave undefined, and EXEC.
    #[serde(default)]
    pub init: InitSpec,
    /// The MODE register.
    pub mode: Option<ModeSpec>,
    /// Kernel arguments, `elf` only.
    pub kernarg: Option<Vec<KernargSpec>>,
}

/// `scratch`: bytes a lane, and how the shader reaches it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScratchSpec {
    /// Bytes a lane.
    pub bytes: u32,
    /// How it is reached.
    pub via: ScratchVia,
}

/// How a shader reaches its scratch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScratchVia {
    /// SCRATCH and FLAT instructions, through the FLAT_SCRATCH register.
    #[default]
    FlatScratch,
    /// A V# at the begin of the ring table that s[0:1] points to; `sgprs` follow from s2 on.
    Rings,
    /// A V# in s[0:3]; `sgprs` follow from s4 on.
    Vsharp,
}

/// An entry of `sgprs`.
#[derive(Clone, Debug, PartialEq)]
pub enum SgprSpec {
    /// A value, -2^31 to 2^32 - 1.
    Value(u32),
    /// The low dword of a region's address plus `add`.
    Lo {
        /// The region's name.
        memory: String,
        /// Added to the 64-bit address.
        add: u64,
    },
    /// The high dword of a region's address plus `add`.
    Hi {
        /// The region's name.
        memory: String,
        /// Added to the 64-bit address.
        add: u64,
    },
    /// The four words of a V#.
    Vsharp(VsharpSpec),
}

/// The fields of a V# (gfx10 and gfx10.3).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VsharpSpec {
    /// The region that it points to.
    pub memory: String,
    /// Byte offset in the region.
    #[serde(default)]
    pub offset: u64,
    /// Bytes of a record.
    #[serde(default)]
    pub stride: u32,
    /// Records (bytes when `stride` is 0); as many as fit into the rest of the region when absent.
    pub num_records: Option<u32>,
    /// Unified format: its code, or its name (`BUF_FMT_8_8_8_8_UNORM`).
    #[serde(default)]
    pub format: FormatSpec,
    /// Destination selects: four codes, or four characters of `01xyzw`.
    #[serde(default)]
    pub dst_sel: DstSelSpec,
    /// Swizzled addressing.
    #[serde(default)]
    pub swizzle: bool,
    /// Records in a swizzle block: 8, 16, 32 or 64.
    pub index_stride: Option<u32>,
    /// Add the lane's id to the index.
    #[serde(default)]
    pub add_tid: bool,
    /// The bounds rule, 0 to 3; 3 (raw) when absent and `stride` is 0, otherwise 0 (structured).
    pub oob_select: Option<u32>,
}

/// A buffer format's code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormatSpec(pub u8);

/// Destination selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DstSelSpec(pub [u8; 4]);

impl Default for DstSelSpec {
    fn default() -> Self {
        DstSelSpec([4, 5, 6, 7])
    }
}

/// An entry of `system_sgprs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemSgprSpec {
    /// Workgroup id.
    GroupIdX,
    /// Workgroup id.
    GroupIdY,
    /// Workgroup id.
    GroupIdZ,
    /// Waves in the group, wave id, first-wave flag.
    TgSize,
    /// Byte offset of the wave's scratch.
    ScratchOffset,
}

/// An entry of `vgprs`. Names fill v0, v1, … in their order; a table names its register.
#[derive(Clone, Debug, PartialEq)]
pub enum VgprSpec {
    /// The thread's id in the workgroup along an axis, 0 to 2.
    LocalId(u8),
    /// Values, one a lane of every wave.
    PerLane {
        /// The register.
        reg: u8,
        /// One a lane.
        values: Vec<u32>,
    },
}

/// `init`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitSpec {
    /// EXEC at entry (still limited by the live threads).
    pub exec: Option<Int64>,
    /// VCC at entry.
    pub vcc: Option<Int64>,
    /// M0 at entry.
    pub m0: Option<u32>,
    /// Guest address of the code's first byte, a multiple of 4.
    pub code: Option<Int64>,
    /// Byte offset of the first instruction in the code, a multiple of 4; 0 when absent (an object's kernel
    /// begins where its symbol is).
    pub entry: Option<u32>,
}

/// `mode`: keys that are absent keep the default of the launch.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModeSpec {
    /// Rounding of f32.
    pub round32: Option<RoundSpec>,
    /// Rounding of f16 and f64.
    pub round16_64: Option<RoundSpec>,
    /// Denormals of f32.
    pub denorm32: Option<DenormSpec>,
    /// Denormals of f16 and f64.
    pub denorm16_64: Option<DenormSpec>,
    /// IEEE.
    pub ieee: Option<bool>,
    /// DX10_CLAMP.
    pub dx10_clamp: Option<bool>,
    /// FP16_OVFL.
    pub fp16_ovfl: Option<bool>,
}

/// A rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundSpec {
    /// To nearest, ties to even.
    Rne,
    /// Toward +infinity.
    Pinf,
    /// Toward -infinity.
    Ninf,
    /// Toward zero.
    Rtz,
}

/// A denormal mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DenormSpec {
    /// Inputs and results are flushed.
    Flush,
    /// Inputs are flushed.
    FlushIn,
    /// Results are flushed.
    FlushOut,
    /// Kept.
    Allow,
}

/// An entry of `kernarg`, in the order of the kernel's own arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum KernargSpec {
    /// An integer of the argument's size.
    Int(i64),
    /// A float: f32 for an argument of 4 bytes, f64 for one of 8.
    Float(f64),
    /// A half.
    F16(f64),
    /// A 64-bit integer.
    U64(u64),
    /// Dwords of an argument passed by value (a vector, a struct).
    U32(Vec<u32>),
    /// Floats of an argument passed by value.
    F32(Vec<f32>),
    /// A region's address plus `add`.
    Memory {
        /// The region's name.
        memory: String,
        /// Added to the address.
        add: u64,
    },
}

/// `[[memory]]`: a name and exactly one form of content.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemorySpec {
    /// The region's name, unique in the file.
    pub name: String,
    /// Guest address, a multiple of 4; the harness places the region when it is absent.
    pub address: Option<Int64>,
    /// Bytes.
    pub u8: Option<Vec<u8>>,
    /// 16-bit integers, or the bits of halves.
    pub u16: Option<Vec<u16>>,
    /// 32-bit integers.
    pub u32: Option<Vec<u32>>,
    /// 64-bit integers.
    pub u64: Option<Vec<Int64>>,
    /// Signed 32-bit integers.
    pub i32: Option<Vec<i32>>,
    /// Floats.
    pub f32: Option<Vec<f32>>,
    /// Doubles.
    pub f64: Option<Vec<f64>>,
    /// A file, beside the case file.
    pub file: Option<String>,
    /// Pseudo-random elements.
    pub random: Option<RandomSpec>,
    /// A number of bytes, all of them `fill`.
    pub size: Option<u64>,
    /// A dword that is repeated. Without it the content is undefined: the harness puts there what
    /// no expectation holds.
    pub fill: Option<u32>,
}

/// `random`: see [`crate::random`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomSpec {
    /// The seed.
    pub seed: Int64,
    /// `u8`, `u16`, `u32`, `u64`, `i32`, `f32` or `f64`.
    #[serde(rename = "type")]
    pub ty: ElementType,
    /// The least value; without `min` and `max` every bit pattern is as likely.
    pub min: Option<Number>,
    /// The greatest value (for floats: the bound that is not reached).
    pub max: Option<Number>,
    /// Elements.
    pub count: u64,
}

/// The type of the elements of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum ElementType {
    U8,
    U16,
    U32,
    U64,
    I32,
    F32,
    F64,
}

impl ElementType {
    /// Bytes of an element.
    pub const fn bytes(self) -> usize {
        match self {
            ElementType::U8 => 1,
            ElementType::U16 => 2,
            ElementType::U32 | ElementType::I32 | ElementType::F32 => 4,
            ElementType::U64 | ElementType::F64 => 8,
        }
    }

    /// Whether elements are written as floats.
    pub const fn is_float(self) -> bool {
        matches!(self, ElementType::F32 | ElementType::F64)
    }
}

/// `[[expect]]`: a place and exactly one form of content.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectSpec {
    /// The region.
    pub memory: String,
    /// Byte offset in it.
    #[serde(default)]
    pub offset: u64,
    /// Bytes.
    pub u8: Option<Vec<u8>>,
    /// 16-bit integers, or the bits of halves.
    pub u16: Option<Vec<u16>>,
    /// 32-bit integers.
    pub u32: Option<Vec<u32>>,
    /// 64-bit integers.
    pub u64: Option<Vec<Int64>>,
    /// Signed 32-bit integers.
    pub i32: Option<Vec<i32>>,
    /// Floats.
    pub f32: Option<Vec<f32>>,
    /// Doubles.
    pub f64: Option<Vec<f64>>,
    /// A file of bytes, beside the case file.
    pub file: Option<String>,
    /// How to compare.
    #[serde(default)]
    pub compare: CompareSpec,
}

/// `compare`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum CompareSpec {
    /// Every bit.
    #[default]
    Bits,
    /// Units in the last place; floats only.
    Ulp(u64),
    /// Absolute difference; floats only.
    Absolute(f64),
    /// Every bit, but any NaN stands for any NaN. Elements of 2, 4 and 8 bytes are read as floats.
    NanClass,
    /// The same elements in any order.
    Multiset,
}

/// `[expect_fault]`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectFaultSpec {
    /// The kind of fault.
    pub kind: FaultKindSpec,
}

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKindSpec {
    /// An access outside every region.
    Unmapped,
}

/// `[original]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OriginalSpec {
    /// The module, beside the case file.
    pub spirv: String,
    /// Its entry point.
    #[serde(default = "main_entry")]
    pub entry: String,
    /// The push constants, in dwords.
    #[serde(default)]
    pub push: Vec<u32>,
    /// Its buffers.
    #[serde(default)]
    pub bindings: Vec<BindingSpec>,
    /// Addresses of its buffers that lie in its buffers: the case's memory holds the guest's there, and
    /// the module is given its device's.
    #[serde(default)]
    pub addresses: Vec<AddressSpec>,
    /// How its result and the translation's are compared, instead of the expectations' own way.
    pub compare: Option<CompareSpec>,
    /// Whether its result depends on the subgroup size, so that it is comparable only where the
    /// host's subgroups are as wide as the wave.
    #[serde(default)]
    pub subgroup_dependent: bool,
}

fn main_entry() -> String {
    "main".to_owned()
}

/// The address of one of the original's buffers in another of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddressSpec {
    /// The region that holds it.
    pub memory: String,
    /// Byte offset in it.
    pub offset: u64,
    /// The region whose address it is.
    pub to: String,
}

/// A buffer of the original module.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BindingSpec {
    /// Descriptor set.
    #[serde(default)]
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// The region.
    pub memory: String,
    /// Whether it is a uniform buffer.
    #[serde(default)]
    pub uniform: bool,
}

/// A 64-bit integer: a string, or an integer where that is enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Int64(pub u64);

/// An integer, a 64-bit integer in a string, or a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
}

/// The integer that a string holds: decimal or, after `0x`, hexadecimal; underscores are skipped;
/// negative ones are two's complement.
pub fn parse_u64(text: &str) -> Option<u64> {
    let clean: String = text.chars().filter(|&c| c != '_').collect();
    let (negative, digits) = match clean.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, clean.as_str()),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) if !hex.starts_with(['+', '-']) => u64::from_str_radix(hex, 16).ok()?,
        Some(_) => return None,
        None => digits.parse().ok()?,
    };
    match negative {
        false => Some(value),
        true if value <= 1 << 63 => Some(value.wrapping_neg()),
        true => None,
    }
}

/// A dword from a TOML integer: -2^31 to 2^32 - 1.
fn dword<E: serde::de::Error>(value: i64) -> Result<u32, E> {
    u32::try_from(value)
        .or_else(|_| i32::try_from(value).map(i32::cast_unsigned))
        .map_err(|_| E::invalid_value(Unexpected::Signed(value), &"a 32-bit integer"))
}

impl<'de> Deserialize<'de> for Int64 {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = Int64;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a 64-bit integer, in a string such as \"0x100000000\"")
            }
            fn visit_i64<E: serde::de::Error>(self, v: i64) -> Result<Int64, E> {
                Ok(Int64(v.cast_unsigned()))
            }
            fn visit_u64<E: serde::de::Error>(self, v: u64) -> Result<Int64, E> {
                Ok(Int64(v))
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<Int64, E> {
                parse_u64(v)
                    .map(Int64)
                    .ok_or_else(|| E::invalid_value(Unexpected::Str(v), &self))
            }
        }
        d.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a 64-bit integer in a string")
            }
            fn visit_i64<E: serde::de::Error>(self, v: i64) -> Result<Number, E> {
                Ok(Number::Int(v.into()))
            }
            fn visit_u64<E: serde::de::Error>(self, v: u64) -> Result<Number, E> {
                Ok(Number::Int(v.into()))
            }
            fn visit_f64<E: serde::de::Error>(self, v: f64) -> Result<Number, E> {
                Ok(Number::Float(v))
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<Number, E> {
                parse_u64(v)
                    .map(|n| Number::Int(n.into()))
                    .ok_or_else(|| E::invalid_value(Unexpected::Str(v), &self))
            }
        }
        d.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for ScratchSpec {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            bytes: u32,
            #[serde(default)]
            via: ScratchVia,
        }
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = ScratchSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of bytes, or { bytes, via }")
            }
            fn visit_i64<E: serde::de::Error>(self, v: i64) -> Result<ScratchSpec, E> {
                let bytes =
                    u32::try_from(v).map_err(|_| E::invalid_value(Unexpected::Signed(v), &self))?;
                let via = ScratchVia::default();
                Ok(ScratchSpec { bytes, via })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ScratchSpec, A::Error> {
                let Table { bytes, via } = Table::deserialize(MapAccessDeserializer::new(map))?;
                Ok(ScratchSpec { bytes, via })
            }
        }
        d.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for SgprSpec {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            lo: Option<String>,
            hi: Option<String>,
            add: Option<Int64>,
            vsharp: Option<VsharpSpec>,
        }
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = SgprSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a 32-bit integer, { lo }, { hi } or { vsharp }")
            }
            fn visit_i64<E: serde::de::Error>(self, v: i64) -> Result<SgprSpec, E> {
                dword(v).map(SgprSpec::Value)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SgprSpec, A::Error> {
                let table = Table::deserialize(MapAccessDeserializer::new(map))?;
                let add = table.add.map_or(0, |a| a.0);
                match (table.lo, table.hi, table.vsharp) {
                    (Some(memory), None, None) => Ok(SgprSpec::Lo { memory, add }),
                    (None, Some(memory), None) => Ok(SgprSpec::Hi { memory, add }),
                    (None, None, Some(vsharp)) if table.add.is_none() => {
                        Ok(SgprSpec::Vsharp(vsharp))
                    }
                    _ => Err(A::Error::custom(
                        "an SGPR table holds one of `lo`, `hi` (with `add`) and `vsharp`",
                    )),
                }
            }
        }
        d.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for FormatSpec {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = FormatSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a format code from 0 to 127, or a name such as BUF_FMT_32_FLOAT")
            }
            fn visit_i64<E: serde::de::Error>(self, v: i64) -> Result<FormatSpec, E> {
                match u8::try_from(v) {
                    Ok(code) if code < 128 => Ok(FormatSpec(code)),
                    _ => Err(E::invalid_value(Unexpected::Signed(v), &self)),
                }
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<FormatSpec, E> {
                spirdna_isa::format::code_from_name(v)
                    .map(FormatSpec)
                    .ok_or_else(|| E::invalid_value(Unexpected::Str(v), &self))
            }
        }
        d.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for DstSelSpec {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = DstSelSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("four codes from 0 to 7, or four characters of `01xyzw`")
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<DstSelSpec, E> {
                let codes: Option<Vec<u8>> = v
                    .bytes()
                    .map(|c| match c {
                        b'0' => Some(0),
                        b'1' => Some(1),
                        b'x' => Some(4),
                        b'y' => Some(5),
                        b'z' => Some(6),
                        b'w' => Some(7),
                        _ => None,
                    })
                    .collect();
                codes
                    .and_then(|c| <[u8; 4]>::try_from(c).ok())
                    .map(DstSelSpec)
                    .ok_or_else(|| E::invalid_value(Unexpected::Str(v), &self))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<DstSelSpec, A::Error> {
                let mut codes = [0; 4];
                for (i, code) in codes.iter_mut().enumerate() {
                    *code = seq
                        .next_element()?
                        .filter(|&c: &u8| c < 8)
                        .ok_or_else(|| A::Error::invalid_length(i, &self))?;
                }
                match seq.next_element::<u8>()? {
                    None => Ok(DstSelSpec(codes)),
                    Some(_) => Err(A::Error::invalid_length(5, &self)),
                }
            }
        }
        d.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for VgprSpec {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            reg: u8,
            u32: Vec<u32>,
        }
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = VgprSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("local_id_x, local_id_y, local_id_z or { reg, u32 = [one a lane] }")
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<VgprSpec, E> {
                match v {
                    "local_id_x" => Ok(VgprSpec::LocalId(0)),
                    "local_id_y" => Ok(VgprSpec::LocalId(1)),
                    "local_id_z" => Ok(VgprSpec::LocalId(2)),
                    _ => Err(E::invalid_value(Unexpected::Str(v), &self)),
                }
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<VgprSpec, A::Error> {
                let table = Table::deserialize(MapAccessDeserializer::new(map))?;
                Ok(VgprSpec::PerLane {
                    reg: table.reg,
                    values: table.u32,
                })
            }
        }
        d.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for KernargSpec {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            f16: Option<f64>,
            u64: Option<Int64>,
            u32: Option<Vec<u32>>,
            f32: Option<Vec<f32>>,
            memory: Option<String>,
            add: Option<Int64>,
        }
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = KernargSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, { f16 }, { u64 }, { u32 }, { f32 } or { memory }")
            }
            fn visit_i64<E: serde::de::Error>(self, v: i64) -> Result<KernargSpec, E> {
                Ok(KernargSpec::Int(v))
            }
            fn visit_f64<E: serde::de::Error>(self, v: f64) -> Result<KernargSpec, E> {
                Ok(KernargSpec::Float(v))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<KernargSpec, A::Error> {
                let t = Table::deserialize(MapAccessDeserializer::new(map))?;
                let add = t.add.map_or(0, |a| a.0);
                let adds = t.add.is_some();
                match (t.f16, t.u64, t.u32, t.f32, t.memory) {
                    (Some(x), None, None, None, None) if !adds => Ok(KernargSpec::F16(x)),
                    (None, Some(x), None, None, None) if !adds => Ok(KernargSpec::U64(x.0)),
                    (None, None, Some(x), None, None) if !adds => Ok(KernargSpec::U32(x)),
                    (None, None, None, Some(x), None) if !adds => Ok(KernargSpec::F32(x)),
                    (None, None, None, None, Some(memory)) => {
                        Ok(KernargSpec::Memory { memory, add })
                    }
                    _ => Err(A::Error::custom(
                        "a kernarg table holds one of `f16`, `u64`, `u32`, `f32` and `memory` \
                         (with `add`)",
                    )),
                }
            }
        }
        d.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for CompareSpec {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            ulp: Option<u64>,
            absolute: Option<f64>,
        }
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = CompareSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"bits\", \"nan-class\", \"multiset\", { ulp } or { absolute }")
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<CompareSpec, E> {
                match v {
                    "bits" => Ok(CompareSpec::Bits),
                    "nan-class" => Ok(CompareSpec::NanClass),
                    "multiset" => Ok(CompareSpec::Multiset),
                    _ => Err(E::invalid_value(Unexpected::Str(v), &self)),
                }
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<CompareSpec, A::Error> {
                let table = Table::deserialize(MapAccessDeserializer::new(map))?;
                match (table.ulp, table.absolute) {
                    (Some(ulp), None) => Ok(CompareSpec::Ulp(ulp)),
                    (None, Some(bound)) if bound >= 0.0 => Ok(CompareSpec::Absolute(bound)),
                    _ => Err(A::Error::custom(
                        "`compare` holds one of `ulp` and `absolute` (0 or more)",
                    )),
                }
            }
        }
        d.deserialize_any(V)
    }
}
