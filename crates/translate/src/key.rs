//! Which shader a translation is of: a hash of the code that control reaches, and the key of a cache of
//! translations, which adds everything else that the words depend on.
//!
//! Owns what is hashed and in which order; both are fixed, so a key is the same on every host and in
//! every version of this crate. Knows nothing of how a translation is made or stored. The hash is XXH3:
//! it tells shaders apart that nobody made to be alike, and is no protection against somebody who does.

use std::fmt;
use std::str::FromStr;

use rustc_hash::FxHashMap;
use spirdna_isa::Target;
use spirdna_isa::descriptor::DstSel;
use spirdna_isa::launch::{CODE_BASE, InitialVgpr, Launch, Mode, Stage, SystemSgpr};
use spirdna_isa::stage::{
    Barycentric, ColorClass, FixedSgpr, PixelEnv, PixelInput, Place, PointSprite, PrimitiveNumber,
    StageVgpr, VertexEnv,
};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::bindings::{ImageFact, Mapped, Place as Binding, ResourceKind, ResourceMap};
use crate::error::Unsupported;
use crate::options::{Barriers, Divergence, Fidelity, Grid, MemoryModel, Nans, Options};
use crate::profile::{FloatHost, HostProfile};
use crate::program::Program;
use crate::resources::{BufferFact, DescriptorFacts, DescriptorPlace};

/// Says which fields a key is made of. One more where they or their order change.
const SCHEMA: u32 = 13;

/// A hash of the code that control reaches from the entry: each instruction's place and words, and the
/// target. What stands behind the code, between its parts or nowhere reached does not count, unless the
/// program takes addresses of its code: then all of the code counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CodeHash {
    hash: u128,
    /// The code's address is in the words.
    address: bool,
}

impl CodeHash {
    /// The hash of a decoded program.
    pub(crate) fn of(program: &Program) -> CodeHash {
        let mut bytes = Vec::new();
        put(&mut bytes, target_number(program.target()));
        if let Some(whole) = program.whole() {
            bytes.extend(whole.to_le_bytes());
            put(&mut bytes, program.blocks().first().map_or(0, |b| b.pc));
            let hash = xxh3_128(&bytes);
            return CodeHash {
                hash,
                address: true,
            };
        }
        for range in program.blocks() {
            put(&mut bytes, range.pc);
            let length = bytes.len();
            put(&mut bytes, 0);
            let begin = bytes.len();
            for inst in program.range(range) {
                for &word in inst.words() {
                    put(&mut bytes, word);
                }
            }
            // The length says where the next block's place stands.
            let size = ((bytes.len() - begin) as u32).to_le_bytes();
            if let Some(place) = bytes.get_mut(length..begin) {
                place.copy_from_slice(&size);
            }
        }
        CodeHash {
            hash: xxh3_128(&bytes),
            address: false,
        }
    }
}

impl fmt::Display for CodeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.hash)
    }
}

/// The key of a cache of translations: equal keys mean equal words and reflection, of one translator.
///
/// It is made of the code that control reaches, the launch state, the options, the host's profile and
/// what is promised of descriptors. It does not depend on where any buffer lies, nor the code, unless the
/// program takes addresses of its code; nor on the
/// values of user SGPRs or of [`InitialVgpr::PerLane`], which are data of a dispatch. A buffer's size
/// counts only where a [`BufferFact`] promises it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CacheKey(u128);

impl CacheKey {
    /// The key of what [`crate::pipeline::translate_program`] makes of the same arguments.
    pub fn new(
        code: CodeHash,
        launch: &Launch,
        profile: &HostProfile,
        options: &Options,
        facts: &DescriptorFacts,
    ) -> CacheKey {
        let mut bytes = Vec::with_capacity(512);
        put(&mut bytes, SCHEMA);
        bytes.extend(code.hash.to_le_bytes());
        put_launch(&mut bytes, launch);
        put_profile(&mut bytes, profile);
        put_options(&mut bytes, options);
        put_facts(&mut bytes, facts);
        put_optional(&mut bytes, code.address.then_some(launch.code_address));
        CacheKey(xxh3_128(&bytes))
    }

    /// The key as a number.
    pub const fn value(self) -> u128 {
        self.0
    }

    /// The key of a number.
    pub const fn from_value(value: u128) -> CacheKey {
        CacheKey(value)
    }
}

/// 32 hexadecimal digits: fit for a file name.
impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A text that is no [`CacheKey`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key has 32 hexadecimal digits")]
pub struct NoKey;

impl FromStr for CacheKey {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<CacheKey, NoKey> {
        if text.len() != 32 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(NoKey);
        }
        u128::from_str_radix(text, 16)
            .map(CacheKey)
            .map_err(|_| NoKey)
    }
}

/// Shaders met before, by the whole of the memory that they were given in: tells the hash of their code
/// without decoding it.
///
/// A span may hold more than the shader. The same shader in two spans is two entries of one hash.
#[derive(Clone, Debug)]
pub struct KnownCode {
    spans: FxHashMap<(Target, u128, u32), CodeHash>,
    limit: usize,
}

impl KnownCode {
    /// None known. `limit`: how many are kept; one more forgets all.
    pub fn new(limit: usize) -> KnownCode {
        KnownCode {
            spans: FxHashMap::default(),
            limit,
        }
    }

    /// Spans known.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The hash of the code in a span, if it is known.
    pub fn look_up(&self, target: Target, span: &[u32]) -> Option<CodeHash> {
        self.spans.get(&(target, words_hash(span), 0)).copied()
    }

    /// The hash of the code in a span, which is decoded where it is not known.
    ///
    /// # Errors
    /// As [`Program::decode`]; nothing is remembered of such a span.
    pub fn code_hash(
        &mut self,
        target: Target,
        span: &[u32],
    ) -> Result<CodeHash, Vec<Unsupported>> {
        self.code_hash_at(target, span, CODE_BASE, 0)
    }

    /// As [`KnownCode::code_hash`], of code at a guest address, entered at a byte offset: tables of addresses
    /// in it are of that address.
    ///
    /// # Errors
    /// As [`Program::decode_at`].
    pub fn code_hash_at(
        &mut self,
        target: Target,
        span: &[u32],
        address: u64,
        entry: u32,
    ) -> Result<CodeHash, Vec<Unsupported>> {
        let key = (target, words_hash(span), entry);
        if let Some(&known) = self.spans.get(&key) {
            return Ok(known);
        }
        let hash = Program::decode_at(target, span, address, entry)?.code_hash();
        if self.spans.len() >= self.limit {
            self.spans.clear();
        }
        self.spans.insert(key, hash);
        Ok(hash)
    }
}

/// A hash of the words as little-endian bytes.
pub(crate) fn words_hash(words: &[u32]) -> u128 {
    let mut hash = Xxh3::new();
    let mut bytes = [0u8; 1024];
    for chunk in words.chunks(bytes.len() / 4) {
        for (to, word) in bytes.chunks_exact_mut(4).zip(chunk) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        hash.update(bytes.get(..chunk.len() * 4).unwrap_or_default());
    }
    hash.digest128()
}

fn put(bytes: &mut Vec<u8>, word: u32) {
    bytes.extend(word.to_le_bytes());
}

fn put_all(bytes: &mut Vec<u8>, words: impl IntoIterator<Item = u32>) {
    for word in words {
        put(bytes, word);
    }
}

fn put_flags(bytes: &mut Vec<u8>, flags: impl IntoIterator<Item = bool>) {
    bytes.extend(flags.into_iter().map(u8::from));
}

fn put_u64(bytes: &mut Vec<u8>, x: u64) {
    bytes.extend(x.to_le_bytes());
}

/// A value that may be absent: whether it is there, and the value or 0.
fn put_optional(bytes: &mut Vec<u8>, x: Option<u64>) {
    bytes.push(x.is_some().into());
    put_u64(bytes, x.unwrap_or(0));
}

// Each destructures without `..`: a new field does not compile until it is hashed or left out in words. What stands
// behind something of any length is found by its length alone, so that no two requests are the same bytes.

const fn target_number(target: Target) -> u32 {
    match target {
        Target::Gfx1010 => 1010,
        Target::Gfx1013 => 1013,
        Target::Gfx1030 => 1030,
    }
}

fn put_launch(bytes: &mut Vec<u8>, launch: &Launch) {
    let Launch {
        target,
        stage,
        wave,
        local,
        partial_groups,
        lds_bytes,
        scratch_bytes,
        scratch_vsharp,
        user_sgprs,
        first_user_sgpr,
        fixed_sgprs,
        system_sgprs,
        vgprs,
        mode,
        exec,
        vcc,
        m0,
        vgpr_count,
        // In the key itself, where it counts.
        code_address: _,
        // In the code's hash, as the place of the first block.
        entry: _,
    } = launch;
    put(bytes, target_number(*target));
    bytes.push(match stage {
        Stage::Compute => 0,
        Stage::Vertex(_) => 1,
        Stage::Pixel(_) => 2,
    });
    put(bytes, wave.lanes());
    put_all(bytes, *local);
    put_flags(bytes, [*partial_groups]);
    put_all(bytes, [*lds_bytes, *scratch_bytes, *user_sgprs]);
    put_optional(bytes, scratch_vsharp.map(u64::from));
    put(bytes, system_sgprs.len() as u32);
    for system in system_sgprs {
        bytes.extend(match system {
            SystemSgpr::GroupId(axis) => [0, *axis],
            SystemSgpr::TgSize => [1, 0],
            SystemSgpr::ScratchOffset => [2, 0],
        });
    }
    put(bytes, vgprs.len() as u32);
    for (register, content) in vgprs {
        bytes.push(*register);
        bytes.extend(match content {
            InitialVgpr::LocalId(axis) => [0, *axis],
            // The values are data of the dispatch.
            InitialVgpr::PerLane(_) => [1, 0],
            InitialVgpr::Stage(what) => [2, stage_vgpr_number(*what)],
        });
    }
    put_mode(bytes, mode);
    put_optional(bytes, *exec);
    put_optional(bytes, *vcc);
    put_optional(bytes, m0.map(u64::from));
    put(bytes, u32::from(*vgpr_count));
    put_stage(bytes, stage, *first_user_sgpr, fixed_sgprs);
}

/// What graphics stages have above all.
fn put_stage(
    bytes: &mut Vec<u8>,
    stage: &Stage,
    first_user_sgpr: u8,
    fixed_sgprs: &[(u8, FixedSgpr)],
) {
    bytes.push(first_user_sgpr);
    put(bytes, fixed_sgprs.len() as u32);
    for (register, content) in fixed_sgprs {
        bytes.push(*register);
        match content {
            FixedSgpr::Value(value) => {
                bytes.push(0);
                put(bytes, *value);
            }
            // What it would be does not count.
            FixedSgpr::Unavailable(_) => bytes.push(1),
        }
    }
    match stage {
        Stage::Compute => {}
        Stage::Vertex(env) => {
            let VertexEnv {
                merged,
                out_cntl,
                primitive_number,
            } = **env;
            put_flags(bytes, [merged]);
            put(bytes, out_cntl);
            put_primitive_number(bytes, primitive_number);
        }
        Stage::Pixel(env) => {
            let PixelEnv {
                inputs,
                col_format,
                z_format,
                front_face_float,
                colors,
                primitive_number,
                db_shader_control,
            } = &**env;
            put_primitive_number(bytes, *primitive_number);
            put_all(bytes, [*col_format, *z_format, *db_shader_control]);
            put_flags(bytes, [*front_face_float]);
            bytes.extend(colors.map(class_number));
            put(bytes, inputs.len() as u32);
            for input in inputs {
                match input {
                    PixelInput::Param { index, flat } => {
                        bytes.extend([0, *index, u8::from(*flat)]);
                    }
                    PixelInput::Default(bits) => {
                        bytes.push(1);
                        put_all(bytes, *bits);
                    }
                    PixelInput::Unsupported(_) => bytes.push(2),
                    PixelInput::PointSprite(selects) => {
                        bytes.push(3);
                        bytes.extend(selects.map(|s| match s {
                            PointSprite::Zero => 0,
                            PointSprite::One => 1,
                            PointSprite::S => 2,
                            PointSprite::T => 3,
                        }));
                    }
                }
            }
        }
    }
}

fn put_primitive_number(bytes: &mut Vec<u8>, number: Option<PrimitiveNumber>) {
    match number {
        Some(PrimitiveNumber { param, component }) => bytes.extend([1, param, component]),
        None => bytes.push(0),
    }
}

fn stage_vgpr_number(what: StageVgpr) -> u8 {
    match what {
        StageVgpr::VertexIndex => 0,
        StageVgpr::InstanceIndex => 1,
        StageVgpr::FragCoord(n) => 2 + (n & 3),
        StageVgpr::FrontFace => 6,
        StageVgpr::Ancillary => 7,
        StageVgpr::SampleCoverage => 8,
        StageVgpr::FixedPosition => 9,
        StageVgpr::Unavailable(_) => 10,
        StageVgpr::Barycentric(Barycentric { perspective, place }, j) => {
            let place = match place {
                Place::Sample => 0,
                Place::Center => 2,
                Place::Centroid => 4,
            };
            16 + place + u8::from(j) + 8 * u8::from(perspective)
        }
    }
}

fn put_mode(bytes: &mut Vec<u8>, mode: &Mode) {
    let Mode {
        round32,
        round16_64,
        denorm32,
        denorm16_64,
        ieee,
        dx10_clamp,
        fp16_ovfl,
    } = *mode;
    // The numbers are the hardware's.
    bytes.extend([round32 as u8, round16_64 as u8]);
    bytes.extend([denorm32 as u8, denorm16_64 as u8]);
    put_flags(bytes, [ieee, dx10_clamp, fp16_ovfl]);
}

fn put_profile(bytes: &mut Vec<u8>, profile: &HostProfile) {
    let HostProfile {
        subgroup_size,
        spirv: (major, minor),
        int16,
        float16,
        int64,
        float64,
        f16,
        f32,
        f64,
        subgroup_uniform_control_flow,
        maximal_reconvergence,
        vulkan_memory_model,
        buffer_atomic64,
        shared_atomic64,
        memory_barriers_meet,
        max_push_constants,
        max_workgroup_memory,
        max_workgroup_invocations,
        buffer_device_address,
        folds_zeros,
        fragment_barycentrics,
    } = profile;
    put(bytes, *subgroup_size);
    bytes.extend([*major, *minor]);
    put_flags(bytes, [*int16, *float16, *int64, *float64]);
    for float in [f16, f32, f64] {
        put_float(bytes, float);
    }
    put_flags(
        bytes,
        [
            *subgroup_uniform_control_flow,
            *maximal_reconvergence,
            *vulkan_memory_model,
            *buffer_atomic64,
            *shared_atomic64,
            *memory_barriers_meet,
        ],
    );
    put_all(
        bytes,
        [
            *max_push_constants,
            *max_workgroup_memory,
            *max_workgroup_invocations,
        ],
    );
    put_flags(
        bytes,
        [*buffer_device_address, *folds_zeros, *fragment_barycentrics],
    );
}

fn put_float(bytes: &mut Vec<u8>, float: &FloatHost) {
    let FloatHost {
        keeps_denorms,
        flushes_denorms,
        denorm_preserve,
        denorm_flush,
        rte,
        signed_zero_inf_nan,
        fused_fma,
        keeps_nan_payload,
    } = *float;
    put_flags(
        bytes,
        [
            keeps_denorms,
            flushes_denorms,
            denorm_preserve,
            denorm_flush,
            rte,
            signed_zero_inf_nan,
            fused_fma,
            keeps_nan_payload,
        ],
    );
}

fn put_options(bytes: &mut Vec<u8>, options: &Options) {
    let Options {
        fidelity,
        nans,
        memory,
        barriers,
        max_windows,
        loop_budget,
        descriptor_set,
        divergence,
        grid,
    } = options;
    bytes.push(match fidelity {
        Fidelity::Exact => 0,
        Fidelity::Fast => 1,
    });
    bytes.push(match memory {
        MemoryModel::Windows => 0,
        MemoryModel::Offset => 1,
        MemoryModel::Pages => 2,
    });
    bytes.push(match barriers {
        Barriers::Exact => 0,
        Barriers::AssumeUniform => 1,
    });
    put(bytes, *max_windows);
    bytes.push(match nans {
        Nans::Payload => 0,
        Nans::Any => 1,
    });
    put_optional(bytes, loop_budget.map(u64::from));
    put(bytes, *descriptor_set);
    bytes.push(match divergence {
        Divergence::Uniform => 0,
        Divergence::Branches => 1,
    });
    bytes.push(match grid {
        Grid::Whole => 0,
        Grid::Parts => 1,
    });
}

fn place_words(place: DescriptorPlace) -> [u32; 3] {
    match place {
        DescriptorPlace::UserSgprs(first) => [0, first, 0],
        DescriptorPlace::Memory { pointer, offset } => [1, pointer, offset],
    }
}

const fn class_number(class: ColorClass) -> u8 {
    match class {
        ColorClass::Float => 0,
        ColorClass::Uint => 1,
        ColorClass::Sint => 2,
    }
}

fn kind_bytes(kind: ResourceKind) -> [u8; 2] {
    match kind {
        ResourceKind::Buffer => [0, 0],
        ResourceKind::Sampled { dim } => [1, dim.number()],
        ResourceKind::Storage { dim } => [2, dim.number()],
        ResourceKind::Sampler {
            compare,
            unnormalized,
        } => [3, u8::from(compare) | u8::from(unnormalized) << 1],
    }
}

fn put_facts(bytes: &mut Vec<u8>, facts: &DescriptorFacts) {
    let DescriptorFacts {
        buffers,
        bound,
        map: ResourceMap { entries },
    } = facts;
    put(bytes, buffers.len() as u32);
    for (place, BufferFact { known, value }) in buffers {
        put_all(bytes, place_words(*place));
        put_all(bytes, *known);
        // What is not known says nothing.
        put_all(bytes, known.iter().zip(value).map(|(k, v)| k & v));
    }
    put(bytes, bound.len() as u32);
    for place in bound {
        put_all(bytes, place_words(*place));
    }
    put(bytes, entries.len() as u32);
    for Mapped {
        recipe,
        kind,
        place: Binding {
            set,
            binding,
            count,
        },
        fact: ImageFact {
            class,
            dst_sel,
            format,
        },
    } in entries
    {
        put_all(bytes, recipe.to_numbers());
        bytes.extend(kind_bytes(*kind));
        put_all(bytes, [*set, *binding, *count, *format]);
        bytes.push(class_number(*class));
        bytes.extend(dst_sel.map(|sel| match sel {
            DstSel::Zero => 0,
            DstSel::One => 1,
            DstSel::NBc1 => 2,
            DstSel::Reserved => 3,
            DstSel::Component(n) => 4 + n,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_xxh3() {
        // XXH3_128bits of nothing with seed 0, as its reference implementation prints it.
        let nothing = 0x99aa_06d3_0147_98d8_6001_c324_468d_497f;
        assert_eq!(words_hash(&[]), nothing);
    }

    #[test]
    fn a_span_is_hashed_as_its_bytes_in_pieces_or_whole() {
        for length in [1, 3, 255, 256, 257, 1000] {
            let words: Vec<u32> = (0..length)
                .map(|i: u32| i.wrapping_mul(0x9e37_79b9))
                .collect();
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            assert_eq!(words_hash(&words), xxh3_128(&bytes), "{length}");
        }
    }
}
