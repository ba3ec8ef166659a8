//! What a vertex or a pixel wave finds at entry, made from the registers that a driver programs (SPI, PGM,
//! PA) or by hand. The plain description that the reference and the translator share; knows nothing of how
//! either realises it.
//!
//! Source: register layouts as in PAL's `gfx9_plus_merged_registers.h` and Mesa's `gfx103.json`; initial
//! registers as in AMDGPUUsage and Mesa's `radv_shader_args.c`; what the fields of `DB_SHADER_CONTROL` do
//! together as in the table of Mesa's `si_state_shaders.cpp`.

use crate::launch::{InitialVgpr, Launch, Mode, Stage};
use crate::{Target, WaveSize};

/// Where in a pixel barycentrics are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// At the sample.
    Sample,
    /// At the centre of the pixel.
    Center,
    /// At the centroid of the covered samples.
    Centroid,
}

/// Barycentrics: which of the six pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Barycentric {
    /// With perspective; otherwise linear in the window.
    pub perspective: bool,
    /// Where.
    pub place: Place,
}

/// What a VGPR of a graphics wave holds at entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StageVgpr {
    /// The vertex' index, without the draw's first vertex (which the shader adds).
    VertexIndex,
    /// The instance's number, without the draw's first instance.
    InstanceIndex,
    /// I (false) or J (true) of a pair of barycentrics.
    Barycentric(Barycentric, bool),
    /// The pixel's position in the window: x, y, z, w (0 to 3).
    FragCoord(u8),
    /// Front face: all ones, or a positive float where `PixelEnv::front_face_float` says so; the opposite for a back face.
    FrontFace,
    /// Primitive type in bits 1:0, sample in 11:8, array index of the target in 26:16.
    Ancillary,
    /// The covered samples as a mask.
    SampleCoverage,
    /// x in bits 15:0, y in 31:16, in whole pixels.
    FixedPosition,
    /// Something that has no counterpart on a host; what reads it is refused.
    Unavailable(Hostless),
}

/// What a stage's registers hold that has no counterpart on a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hostless {
    /// Where the user data of merged stages stand in memory.
    UserData,
    /// The base of off-chip LDS.
    OffChipLds,
    /// The scratch offset of a graphics wave.
    ScratchOffset,
    /// Where the second half of merged stages stands in memory.
    SecondHalf,
    /// Vertex numbers and LDS offsets of a merged wave's primitives.
    MergedPrimitive,
    /// The primitive's number where a vertex stage has it.
    PrimitiveNumber,
    /// Barycentrics of the pull model.
    PullModel,
    /// The line stipple.
    LineStipple,
}

impl Hostless {
    /// In words, for a refusal.
    pub const fn text(self) -> &'static str {
        match self {
            Hostless::UserData => "the address of the user data",
            Hostless::OffChipLds => "the off-chip LDS base",
            Hostless::ScratchOffset => "the scratch offset",
            Hostless::SecondHalf => "the address of the second half",
            Hostless::MergedPrimitive => "the primitive of a merged wave",
            Hostless::PrimitiveNumber => "the primitive's number",
            Hostless::PullModel => "the pull model's barycentrics",
            Hostless::LineStipple => "the line stipple",
        }
    }
}

/// What an SGPR holds at entry that is no user SGPR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FixedSgpr {
    /// A value.
    Value(u32),
    /// Something that has no counterpart on a host; what reads it is refused.
    Unavailable(Hostless),
}

/// What the two stages hand to each other as the primitive's number: a component of a parameter. A shader in
/// front of the pixel's has that number of the hardware; on a host only the pixel shader has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrimitiveNumber {
    /// `exp param<n>`.
    pub param: u8,
    /// x, y, z, w.
    pub component: u8,
}

/// State of a vertex shader beyond its registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct VertexEnv {
    /// Whether the stages are merged: NGG, in which the vertex shader also allocates and exports primitives.
    pub merged: bool,
    /// `PA_CL_VS_OUT_CNTL`.
    pub out_cntl: u32,
    /// Where it exports the primitive's number, which the pixel shader then takes from the host.
    pub primitive_number: Option<PrimitiveNumber>,
}

/// What the vectors behind the position are, from `PA_CL_VS_OUT_CNTL`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PositionVector {
    /// `pos0`: the position.
    Position,
    /// Point size, edge flag, array index of the target, viewport index.
    Misc,
    /// Distances 0 to 3 (false) or 4 to 7 (true).
    Distances(bool),
}

impl VertexEnv {
    /// Point size is used.
    pub const fn point_size(&self) -> bool {
        self.out_cntl >> 16 & 1 == 1
    }

    /// The array index of the target is used.
    pub const fn layer(&self) -> bool {
        self.out_cntl >> 18 & 1 == 1
    }

    /// The viewport index is used.
    pub const fn viewport(&self) -> bool {
        self.out_cntl >> 19 & 1 == 1
    }

    /// Which of the eight distances clip.
    pub const fn clip_mask(&self) -> u8 {
        self.out_cntl as u8
    }

    /// Which of the eight distances cull.
    pub const fn cull_mask(&self) -> u8 {
        (self.out_cntl >> 8) as u8
    }

    /// What `exp pos<n>` is.
    pub fn vector(&self, n: u8) -> Option<PositionVector> {
        let cntl = self.out_cntl;
        let present = [
            (true, PositionVector::Position),
            (cntl >> 21 & 1 == 1, PositionVector::Misc),
            (cntl >> 22 & 1 == 1, PositionVector::Distances(false)),
            (cntl >> 23 & 1 == 1, PositionVector::Distances(true)),
        ];
        present
            .iter()
            .filter(|(on, _)| *on)
            .nth(usize::from(n))
            .map(|&(_, vector)| vector)
    }
}

/// What an attribute of a pixel shader is: `SPI_PS_INPUT_CNTL_n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PixelInput {
    /// A parameter that the vertex shader exports.
    Param {
        /// Its number: `exp param<n>`.
        index: u8,
        /// Of the provoking vertex, without interpolation.
        flat: bool,
    },
    /// Constant: bits of x, y, z, w.
    Default([u32; 4]),
    /// The place in a point: what x, y, z, w are.
    PointSprite([PointSprite; 4]),
    /// Something that has no translation.
    Unsupported(&'static str),
}

/// What a component of an attribute is in points: a selector of `SPI_INTERP_CONTROL_0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointSprite {
    /// 0.
    Zero,
    /// 1.
    One,
    /// From 0 on the left to 1 on the right.
    S,
    /// From 0 at the top to 1 at the bottom.
    T,
}

impl PixelInput {
    /// From the register and `SPI_INTERP_CONTROL_0`.
    pub fn from_register(word: u32, control: u32) -> PixelInput {
        const ONE: u32 = 0x3f80_0000;
        // PT_SPRITE_TEX and PNT_SPRITE_ENA.
        if word >> 17 & 1 == 1 && control >> 1 & 1 == 1 {
            return PixelInput::point_sprite(control);
        }
        if word >> 18 & 3 != 0 {
            return PixelInput::Unsupported("attributes of two halves");
        }
        if word >> 13 & 15 != 0 {
            return PixelInput::Unsupported("cylindrical wrapping");
        }
        if word >> 5 & 1 == 1 {
            return PixelInput::Default(match word >> 8 & 3 {
                0 => [0; 4],
                1 => [0, 0, 0, ONE],
                2 => [ONE, ONE, ONE, 0],
                _ => [ONE; 4],
            });
        }
        PixelInput::Param {
            index: (word & 31) as u8,
            flat: word >> 10 & 1 == 1,
        }
    }

    fn point_sprite(control: u32) -> PixelInput {
        // PNT_SPRITE_TOP_1.
        if control >> 14 & 1 == 1 {
            return PixelInput::Unsupported("point sprite coordinates from the bottom");
        }
        let mut all = [PointSprite::Zero; 4];
        for (to, at) in all.iter_mut().zip([2, 5, 8, 11]) {
            *to = match control >> at & 7 {
                0 => PointSprite::Zero,
                1 => PointSprite::One,
                2 => PointSprite::S,
                3 => PointSprite::T,
                _ => return PixelInput::Unsupported("a parameter of a point beside its place"),
            };
        }
        PixelInput::PointSprite(all)
    }
}

/// How an export to a colour target is packed: a field of `SPI_SHADER_COL_FORMAT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the registers' own names")]
pub enum ExportFormat {
    Zero,
    R32,
    Gr32,
    Ar32,
    Fp16Abgr,
    Unorm16Abgr,
    Snorm16Abgr,
    Uint16Abgr,
    Sint16Abgr,
    Abgr32,
}

impl ExportFormat {
    /// From its number.
    pub const fn from_number(n: u32) -> Option<ExportFormat> {
        Some(match n {
            0 => ExportFormat::Zero,
            1 => ExportFormat::R32,
            2 => ExportFormat::Gr32,
            3 => ExportFormat::Ar32,
            4 => ExportFormat::Fp16Abgr,
            5 => ExportFormat::Unorm16Abgr,
            6 => ExportFormat::Snorm16Abgr,
            7 => ExportFormat::Uint16Abgr,
            8 => ExportFormat::Sint16Abgr,
            9 => ExportFormat::Abgr32,
            _ => return None,
        })
    }
}

/// What the components of a colour target are to shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum ColorClass {
    /// Floats, normalised integers among them.
    #[default]
    Float,
    /// Integers without sign.
    Uint,
    /// Integers with sign.
    Sint,
}

/// State of a pixel shader beyond its registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct PixelEnv {
    /// Attributes, by number.
    pub inputs: Vec<PixelInput>,
    /// `SPI_SHADER_COL_FORMAT`: four bits a target.
    pub col_format: u32,
    /// `SPI_SHADER_Z_FORMAT`.
    pub z_format: u32,
    /// Front face is a float (`SPI_BARYC_CNTL` bit 24 clear).
    pub front_face_float: bool,
    /// What the targets take.
    pub colors: [ColorClass; 8],
    /// Where the vertex shader would export the primitive's number.
    pub primitive_number: Option<PrimitiveNumber>,
    /// `DB_SHADER_CONTROL`.
    pub db_shader_control: u32,
}

/// Which pixels' shaders run where depth and stencil are tested: what `DB_SHADER_CONTROL` promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PixelsRun {
    /// Those that pass: the tests and their writes are done first (DEPTH_BEFORE_SHADER).
    Passing,
    /// All: the tests are done last (Z_ORDER is LATE_Z), and what a whole tile knows of itself does not
    /// keep a pixel from running (EXEC_ON_HIER_FAIL).
    All,
    /// Those that pass, or all: the hardware may choose, which no shader can tell that only exports.
    Either,
    /// As `Passing`, but only those that the draw still needs: without EXEC_ON_NOOP a pixel that changes no
    /// target may be left out.
    PassingAndNeeded,
}

impl PixelEnv {
    /// The shader exports depth (Z_EXPORT_ENABLE).
    pub const fn exports_depth(&self) -> bool {
        self.db_shader_control & 1 == 1
    }

    /// The shader exports stencil values or what is done with them.
    pub const fn exports_stencil(&self) -> bool {
        self.db_shader_control >> 1 & 3 != 0
    }

    /// The shader may discard pixels (KILL_ENABLE).
    pub const fn kills(&self) -> bool {
        self.db_shader_control >> 6 & 1 == 1
    }

    /// The shader exports a mask of samples (MASK_EXPORT_ENABLE).
    pub const fn exports_mask(&self) -> bool {
        self.db_shader_control >> 8 & 1 == 1
    }

    /// Depth and stencil are tested before the shader runs, whatever it does (DEPTH_BEFORE_SHADER).
    pub const fn tests_first(&self) -> bool {
        self.db_shader_control >> 12 & 1 == 1
    }

    /// The covered samples that a shader reads are those that pass (PRE_SHADER_DEPTH_COVERAGE_ENABLE).
    pub const fn coverage_behind_tests(&self) -> bool {
        self.db_shader_control >> 23 & 1 == 1
    }

    /// Which pixels' shaders run.
    pub const fn pixels_run(&self) -> PixelsRun {
        let control = self.db_shader_control;
        let (late, hier_fail, noop) = (
            control >> 4 & 3 == 0,
            control >> 9 & 1 == 1,
            control >> 10 & 1 == 1,
        );
        match (self.tests_first(), noop) {
            (true, true) => PixelsRun::Passing,
            (true, false) => PixelsRun::PassingAndNeeded,
            (false, _) if late && hier_fail => PixelsRun::All,
            (false, _) => PixelsRun::Either,
        }
    }

    /// What the register asks for that is neither done by a shader's translation nor without a meaning for
    /// it, in words.
    pub const fn control_without_translation(&self) -> Option<&'static str> {
        let control = self.db_shader_control;
        if control >> 7 & 1 == 1 {
            return Some("coverage as a mask (COVERAGE_TO_MASK_ENABLE)");
        }
        if control >> 13 & 3 == 3 {
            return Some("a CONSERVATIVE_Z_EXPORT of 3");
        }
        // Since gfx9 two bits, and how many samples overlap in 22:20.
        if control >> 16 & 3 != 0 {
            return Some("pixels in the order of their primitives (POPS)");
        }
        None
    }

    /// How an export to target `n` is packed.
    pub fn format(&self, n: u8) -> Option<ExportFormat> {
        ExportFormat::from_number(self.col_format.checked_shr(u32::from(n) * 4)? & 15)
    }
}

/// Registers of a vertex shader, as a driver programs them: of the VS stage, or of the GS stage where the
/// stages are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexRegisters {
    /// `SPI_SHADER_PGM_RSRC1_VS` or `_GS`.
    pub rsrc1: u32,
    /// `SPI_SHADER_PGM_RSRC2_VS` or `_GS`.
    pub rsrc2: u32,
    /// `PA_CL_VS_OUT_CNTL`.
    pub out_cntl: u32,
    /// Whether the stages are merged (`VGT_SHADER_STAGES_EN.PRIMGEN_EN`).
    pub merged: bool,
    /// No register: where it exports the primitive's number, if it does (`VGT_PRIMITIVEID_EN`).
    pub primitive_number: Option<PrimitiveNumber>,
}

/// Registers of a pixel shader, as a driver programs them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PixelRegisters {
    /// `SPI_SHADER_PGM_RSRC1_PS`.
    pub rsrc1: u32,
    /// `SPI_SHADER_PGM_RSRC2_PS`.
    pub rsrc2: u32,
    /// `SPI_PS_INPUT_ENA`.
    pub input_ena: u32,
    /// `SPI_PS_INPUT_ADDR`.
    pub input_addr: u32,
    /// `SPI_PS_INPUT_CNTL_0` on.
    pub input_cntl: Vec<u32>,
    /// `SPI_BARYC_CNTL`.
    pub baryc_cntl: u32,
    /// `SPI_SHADER_COL_FORMAT`.
    pub col_format: u32,
    /// `SPI_SHADER_Z_FORMAT`.
    pub z_format: u32,
    /// `SPI_INTERP_CONTROL_0` where primitives are points, otherwise 0: it says nothing of others.
    pub interp_control: u32,
    /// What the targets take: the driver knows it from `CB_COLOR_INFO`.
    pub colors: [ColorClass; 8],
    /// No register: as in [`VertexRegisters`].
    pub primitive_number: Option<PrimitiveNumber>,
    /// `DB_SHADER_CONTROL`.
    pub db_shader_control: u32,
}

/// Registers that describe no launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvError {
    /// Inputs are written that have no place.
    #[error("SPI_PS_INPUT_ENA 0x{ena:x} has bits that SPI_PS_INPUT_ADDR 0x{addr:x} has not")]
    InputMask {
        /// `SPI_PS_INPUT_ENA`.
        ena: u32,
        /// `SPI_PS_INPUT_ADDR`.
        addr: u32,
    },
    /// A format of `SPI_SHADER_COL_FORMAT` that does not exist.
    #[error("SPI_SHADER_COL_FORMAT 0x{0:x}")]
    ColorFormat(u32),
    /// More user SGPRs than a stage has.
    #[error("{0} user SGPRs")]
    UserSgprs(u32),
}

/// First user SGPR where stages are merged.
pub const MERGED_USER_SGPR: u8 = 8;

/// USER_SGPR from RSRC2: bits 5:1 and 27.
fn user_sgprs(rsrc2: u32) -> Result<u32, EnvError> {
    let count = (rsrc2 >> 1 & 31) | (rsrc2 >> 27 & 1) << 5;
    if count > 32 {
        return Err(EnvError::UserSgprs(count));
    }
    Ok(count)
}

impl VertexRegisters {
    /// The launch of a vertex wave.
    ///
    /// # Errors
    /// The registers contradict themselves.
    pub fn launch(&self, target: Target, wave: WaveSize) -> Result<Launch, EnvError> {
        let mut launch = Launch::compute(target, wave, [1, 1, 1]);
        launch.mode = Mode::from_rsrc1(self.rsrc1, if self.merged { 31 } else { 29 });
        launch.user_sgprs = user_sgprs(self.rsrc2)?;
        launch.vgprs = Vec::new();
        let mut put = |reg, what| launch.vgprs.push((reg, InitialVgpr::Stage(what)));
        if self.merged {
            launch.first_user_sgpr = MERGED_USER_SGPR;
            let lanes = wave.lanes();
            let missing = |what| FixedSgpr::Unavailable(what);
            launch.fixed_sgprs = vec![
                (0, missing(Hostless::UserData)),
                (1, missing(Hostless::UserData)),
                // The subgroup has as many vertices and primitives as the wave has lanes, and this is its
                // only wave.
                (2, FixedSgpr::Value(lanes << 12 | lanes << 22)),
                (3, FixedSgpr::Value(lanes | lanes << 8 | 1 << 28)),
                (4, missing(Hostless::OffChipLds)),
                (5, missing(Hostless::ScratchOffset)),
                (6, missing(Hostless::SecondHalf)),
                (7, missing(Hostless::SecondHalf)),
            ];
            for reg in [0, 1, 3, 4] {
                put(reg, StageVgpr::Unavailable(Hostless::MergedPrimitive));
            }
            put(2, StageVgpr::Unavailable(Hostless::PrimitiveNumber));
            put(5, StageVgpr::VertexIndex);
            put(8, StageVgpr::InstanceIndex);
        } else {
            put(0, StageVgpr::VertexIndex);
            put(2, StageVgpr::Unavailable(Hostless::PrimitiveNumber));
            put(3, StageVgpr::InstanceIndex);
            let next = launch.user_sgprs as u8;
            launch.fixed_sgprs = vec![(next, FixedSgpr::Unavailable(Hostless::ScratchOffset))];
        }
        launch.stage = Stage::Vertex(Box::new(VertexEnv {
            merged: self.merged,
            out_cntl: self.out_cntl,
            primitive_number: self.primitive_number,
        }));
        Ok(launch)
    }
}

impl PixelRegisters {
    /// The launch of a pixel wave.
    ///
    /// # Errors
    /// The registers contradict themselves.
    pub fn launch(&self, target: Target, wave: WaveSize) -> Result<Launch, EnvError> {
        let mut launch = Launch::compute(target, wave, [1, 1, 1]);
        launch.mode = Mode::from_rsrc1(self.rsrc1, 29);
        launch.user_sgprs = user_sgprs(self.rsrc2)?;
        launch.vgprs = self.vgprs()?;
        let next = launch.user_sgprs as u8;
        // The primitive mask says where the parameters lie, which only interpolations need to know. Its bit
        // 31 is off: the centroid pair of barycentrics is there.
        launch.fixed_sgprs = vec![(next, FixedSgpr::Value(0))];
        if (0..8).any(|n| ExportFormat::from_number(self.col_format >> (4 * n) & 15).is_none()) {
            return Err(EnvError::ColorFormat(self.col_format));
        }
        let inputs = self.input_cntl.iter();
        launch.stage = Stage::Pixel(Box::new(PixelEnv {
            inputs: inputs
                .map(|&word| PixelInput::from_register(word, self.interp_control))
                .collect(),
            col_format: self.col_format,
            z_format: self.z_format,
            front_face_float: self.baryc_cntl >> 24 & 1 == 0,
            colors: self.colors,
            primitive_number: self.primitive_number,
            db_shader_control: self.db_shader_control,
        }));
        Ok(launch)
    }

    /// VGPRs are packed in the order of the bits of ADDR; ENA says which of them are written.
    fn vgprs(&self) -> Result<Vec<(u8, InitialVgpr)>, EnvError> {
        let (ena, addr) = (self.input_ena & 0xffff, self.input_addr & 0xffff);
        if ena & !addr != 0 {
            return Err(EnvError::InputMask { ena, addr });
        }
        let pair = |perspective, place| {
            let which = Barycentric { perspective, place };
            vec![
                StageVgpr::Barycentric(which, false),
                StageVgpr::Barycentric(which, true),
            ]
        };
        let slots = [
            pair(true, Place::Sample),
            pair(true, Place::Center),
            pair(true, Place::Centroid),
            vec![StageVgpr::Unavailable(Hostless::PullModel); 3],
            pair(false, Place::Sample),
            pair(false, Place::Center),
            pair(false, Place::Centroid),
            vec![StageVgpr::Unavailable(Hostless::LineStipple)],
            vec![StageVgpr::FragCoord(0)],
            vec![StageVgpr::FragCoord(1)],
            vec![StageVgpr::FragCoord(2)],
            vec![StageVgpr::FragCoord(3)],
            vec![StageVgpr::FrontFace],
            vec![StageVgpr::Ancillary],
            vec![StageVgpr::SampleCoverage],
            vec![StageVgpr::FixedPosition],
        ];
        let mut vgprs = Vec::new();
        let mut next = 0;
        for (bit, slot) in slots.iter().enumerate() {
            if addr >> bit & 1 == 0 {
                continue;
            }
            for &what in slot {
                if ena >> bit & 1 == 1 {
                    vgprs.push((next, InitialVgpr::Stage(what)));
                }
                next += 1;
            }
        }
        Ok(vgprs)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn pixel_inputs_are_packed_by_addr_and_written_by_ena() {
        let registers = PixelRegisters {
            rsrc2: 4 << 1,
            input_ena: 1 << 1 | 1 << 9,
            // The sample pair keeps its two registers though nothing is written there.
            input_addr: 1 | 1 << 1 | 1 << 8 | 1 << 9,
            col_format: 0x94,
            ..PixelRegisters::default()
        };
        let launch = registers.launch(Target::Gfx1030, WaveSize::W64).unwrap();
        let center = Barycentric {
            perspective: true,
            place: Place::Center,
        };
        let stage = |reg, what| (reg, InitialVgpr::Stage(what));
        assert_eq!(
            launch.vgprs,
            [
                stage(2, StageVgpr::Barycentric(center, false)),
                stage(3, StageVgpr::Barycentric(center, true)),
                stage(5, StageVgpr::FragCoord(1)),
            ]
        );
        assert_eq!(launch.fixed_sgprs[0].0, 4);
        let Stage::Pixel(env) = launch.stage else {
            panic!("no pixel shader")
        };
        assert_eq!(env.format(0), Some(ExportFormat::Fp16Abgr));
        assert_eq!(env.format(1), Some(ExportFormat::Abgr32));
        let wrong = PixelRegisters {
            input_ena: 2,
            ..PixelRegisters::default()
        };
        assert!(wrong.launch(Target::Gfx1030, WaveSize::W64).is_err());
    }

    #[test]
    fn which_pixels_run_is_what_depth_control_says() {
        let env = |db_shader_control| PixelEnv {
            db_shader_control,
            ..PixelEnv::default()
        };
        // Rows 1b, 2 and 4 of Mesa's table; then 4 without EXEC_ON_NOOP, and 2 without EXEC_ON_HIER_FAIL.
        assert_eq!(env(1 << 4).pixels_run(), PixelsRun::Either);
        assert_eq!(env(1 << 9).pixels_run(), PixelsRun::All);
        let early = 1 << 12 | 1 << 4;
        assert_eq!(env(early | 1 << 10).pixels_run(), PixelsRun::Passing);
        assert_eq!(env(early).pixels_run(), PixelsRun::PassingAndNeeded);
        assert_eq!(env(0).pixels_run(), PixelsRun::Either);
        // RE_Z tests before the shader too.
        assert_eq!(env(2 << 4 | 1 << 9).pixels_run(), PixelsRun::Either);
        assert!(env(1 << 6).kills() && !env(!(1 << 6)).kills());
        assert!(env(1).exports_depth() && env(1 << 8).exports_mask());
        assert_eq!(env(0x0080_1f51).control_without_translation(), None);
        assert!(env(1 << 16).control_without_translation().is_some());
    }

    #[test]
    fn position_vectors_follow_each_other_without_gaps() {
        let env = VertexEnv {
            merged: false,
            out_cntl: 1 << 23 | 1 << 21 | 1 << 16,
            ..VertexEnv::default()
        };
        assert_eq!(env.vector(0), Some(PositionVector::Position));
        assert_eq!(env.vector(1), Some(PositionVector::Misc));
        assert_eq!(env.vector(2), Some(PositionVector::Distances(true)));
        assert_eq!(env.vector(3), None);
    }

    #[test]
    fn attributes_are_parameters_or_defaults() {
        let param = |index, flat| PixelInput::Param { index, flat };
        let from = |word| PixelInput::from_register(word, 0);
        assert_eq!(from(3), param(3, false));
        assert_eq!(from(1 << 10 | 31), param(31, true));
        let one = 0x3f80_0000;
        assert_eq!(from(0x20 | 1 << 8), PixelInput::Default([0, 0, 0, one]));
    }

    #[test]
    fn the_place_in_a_point_is_where_both_registers_say_so() {
        use PointSprite::{One, S, T, Zero};
        let from = |control| PixelInput::from_register(1 << 17 | 4, control);
        // S, T, 0, 1, as most drivers program it.
        let usual = 1 << 1 | 2 << 2 | 3 << 5 | 1 << 11;
        assert_eq!(from(usual), PixelInput::PointSprite([S, T, Zero, One]));
        let off = PixelInput::Param {
            index: 4,
            flat: false,
        };
        assert_eq!(from(usual & !2), off);
        // From the bottom; and a component that keeps the parameter.
        for control in [usual | 1 << 14, usual | 4 << 8] {
            assert!(matches!(from(control), PixelInput::Unsupported(_)));
        }
    }
}
