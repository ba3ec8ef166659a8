//! What the translator makes of a program, before emission: the text of its IR, its hash and size, or the
//! refusal. Knows no instruction.

use spirdna_isa::launch::Launch;
use spirdna_translate::error::{TranslateError, Unsupported};
use spirdna_translate::ir::print::module_text;
use spirdna_translate::options::Options;
use spirdna_translate::pipeline::optimised;
use spirdna_translate::profile::{FloatHost, HostProfile};
use spirdna_translate::program::Program;
use spirdna_translate::resources::DescriptorFacts;

use crate::batch::{Canonical, Key};

/// An instance that the translator or the reference refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What it is an instance of.
    pub key: Key,
    /// The instruction.
    pub text: String,
    /// Why.
    pub reason: String,
}

/// The lowered IR of a program for a host that offers nothing.
///
/// # Errors
/// The reason of the first refusal.
pub fn lowered(code: &[u32], launch: &Launch) -> Result<String, String> {
    on_profile(code, launch, &HostProfile::portable(32))
}

/// The hash of a key: of the row's facts and of what the canonical program becomes on a host that offers
/// nothing and on one that offers everything.
///
/// # Errors
/// The reason of the first refusal.
pub fn hash(key: &Key, canonical: &Canonical) -> Result<u64, String> {
    let mut hash = Fnv::default();
    hash.write(format!("{:?}", key.opcode.row()).as_bytes());
    for profile in [HostProfile::portable(32), generous()] {
        let text = on_profile(&canonical.code, &canonical.launch, &profile)?;
        hash.write(text.as_bytes());
    }
    Ok(hash.0)
}

/// The hash of a text.
pub fn hash_of(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.write(text.as_bytes());
    hash.0
}

fn on_profile(code: &[u32], launch: &Launch, profile: &HostProfile) -> Result<String, String> {
    let first = |sites: &[Unsupported]| {
        let reason = sites.first().map(|site| site.reason.to_string());
        reason.unwrap_or_else(|| "refused".to_owned())
    };
    let program = Program::decode(launch.target, code).map_err(|sites| first(&sites))?;
    let facts = DescriptorFacts::default();
    match optimised(&program, launch, profile, &Options::default(), &facts) {
        Ok(module) => Ok(module_text(&module)),
        Err(TranslateError::Unsupported(sites)) => Err(first(&sites)),
        Err(e) => Err(e.to_string()),
    }
}

/// A host with every type and every float promise but one that is measured.
fn generous() -> HostProfile {
    let float = FloatHost {
        denorm_preserve: true,
        denorm_flush: true,
        rte: true,
        signed_zero_inf_nan: true,
        ..FloatHost::UNKNOWN
    };
    HostProfile {
        int16: true,
        float16: true,
        int64: true,
        float64: true,
        f16: float,
        f32: float,
        f64: float,
        ..HostProfile::portable(32)
    }
}

/// FNV-1a of 64 bits: the same on every host and in every build.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        // Published test vectors.
        assert_eq!(hash_of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash_of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash_of("foobar"), 0x8594_4171_f739_67e8);
    }
}
