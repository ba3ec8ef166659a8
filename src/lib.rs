//! Spirdna translates AMD RDNA machine code to SPIR-V, exactly or not at all.
//!
//! [`translate`] is a pure function from code, launch state and host profile to words and a
//! [`Reflection`] that says what the caller must supply to run them. Guest input never makes it
//! panic; what it cannot translate it refuses, with every site and reason.
//!
//! ```
//! use spirdna::isa::{Target, WaveSize, launch::Launch};
//! use spirdna::{DescriptorFacts, HostProfile, Options, translate};
//!
//! # fn main() -> Result<(), spirdna::TranslateError> {
//! let code = [0x7e00_0280, 0xbf81_0000]; // v_mov_b32 v0, 0; s_endpgm
//! let launch = Launch::compute(Target::Gfx1030, WaveSize::W32, [64, 1, 1]);
//! let profile = HostProfile::portable(32);
//! let made = translate(&code, &launch, &profile, &Options::default(), &DescriptorFacts::default())?;
//! assert_eq!((made.words[0], made.reflection.subgroup_size), (0x0723_0203, Some(32)));
//! # Ok(())
//! # }
//! ```
//!
//! `examples/embed.rs` runs a translation with `ash` alone.
//!
//! # Caching
//!
//! A [`CacheKey`] says of which shader and for which host a translation is; [`KnownCode`] finds the hash
//! of code met before without decoding it; [`Translation::to_bytes`] and [`Translation::from_bytes`] are
//! for a cache on disk, whose entries of another translator are errors.
//!
//! ```
//! use spirdna::isa::{Target, WaveSize, launch::Launch};
//! use spirdna::{CacheKey, DescriptorFacts, HostProfile, KnownCode, Options, Translation, translate};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let code = [0x7e00_0280, 0xbf81_0000, 0x1234_5678]; // the third dword is never reached
//! let launch = Launch::compute(Target::Gfx1030, WaveSize::W32, [64, 1, 1]);
//! let (profile, options) = (HostProfile::portable(32), Options::default());
//! let facts = DescriptorFacts::default();
//!
//! let mut known = KnownCode::new(10_000);
//! let hash = known.code_hash(launch.target, &code).map_err(spirdna::TranslateError::Unsupported)?;
//! let key = CacheKey::new(hash, &launch, &profile, &options, &facts);
//! let made = translate(&code, &launch, &profile, &options, &facts)?;
//! let file = (format!("{key}.spirdna"), made.to_bytes());
//! assert_eq!(Translation::from_bytes(&file.1)?, made);
//!
//! // Other words behind the code are the same shader.
//! let other = known.code_hash(launch.target, &code[..2]).map_err(spirdna::TranslateError::Unsupported)?;
//! assert_eq!(other, hash);
//! # Ok(())
//! # }
//! ```
//!
//! - [`isa`]: targets, launch state, decoding, text, the assembler.
//! - [`Context`]: room that a thread keeps which translates many shaders.
//! - [`HostProfile`]: what the host offers or promises. [`Options`]: what the caller chooses.
//! - [`DescriptorFacts`]: what the caller promises of the descriptors that the shader uses.
//! - [`Reflection`]: bindings, push constants, workgroup and subgroup size, capabilities.

pub use spirdna_isa as isa;
pub use spirdna_translate::bindings::{
    ImageFact, Mapped, Place, Resource, ResourceKind, ResourceMap,
};
pub use spirdna_translate::error::{TranslateError, Unsupported};
pub use spirdna_translate::key::{CacheKey, CodeHash, KnownCode, NoKey};
pub use spirdna_translate::options::{
    Barriers, Divergence, Fidelity, Grid, MemoryModel, Nans, Options,
};
pub use spirdna_translate::pipeline::{
    Context, Translation, resources, translate, translate_program,
};
pub use spirdna_translate::profile::{FloatHost, HostProfile};
pub use spirdna_translate::program::Program;
pub use spirdna_translate::recipe::{Pointer, Recipe, RecipeError, Word};
pub use spirdna_translate::reflect::{
    BufferBinding, BufferUse, FAULT_SLOTS, LaneFidelity, LaunchLayout, PushLayout, Reflection,
};
pub use spirdna_translate::resources::{BufferFact, DescriptorFacts, DescriptorPlace};
pub use spirdna_translate::stored::{StoredError, TRANSLATOR};
