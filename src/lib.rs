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
//! - [`isa`]: targets, launch state, decoding, text, the assembler.
//! - [`HostProfile`]: what the host offers or promises. [`Options`]: what the caller chooses.
//! - [`DescriptorFacts`]: what the caller promises of the descriptors that the shader uses.
//! - [`Reflection`]: bindings, push constants, workgroup and subgroup size, capabilities.

pub use spirdna_isa as isa;
pub use spirdna_translate::error::{TranslateError, Unsupported};
pub use spirdna_translate::options::{Barriers, Fidelity, MemoryModel, Options};
pub use spirdna_translate::pipeline::{Translation, translate};
pub use spirdna_translate::profile::{FloatHost, HostProfile};
pub use spirdna_translate::reflect::{
    BufferBinding, BufferUse, FAULT_SLOTS, LaneFidelity, LaunchLayout, PushLayout, Reflection,
};
pub use spirdna_translate::resources::{BufferFact, DescriptorFacts, DescriptorPlace};
