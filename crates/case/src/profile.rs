//! Host profiles: from what a Vulkan device says of itself, and as TOML files. Knows no translation.

use serde::{Deserialize, Serialize};
use spirdna_translate::profile::{FloatHost, HostProfile};
use spirdna_vulkan::{DeviceInfo, MeasuredFloat, MeasuredFloats};

/// The profile of a device at subgroup size `subgroup_size`: what it promises, and nothing that
/// only a measurement could tell.
pub fn profile_from_device(info: &DeviceInfo, subgroup_size: u32) -> HostProfile {
    let f = &info.features;
    let spirv = match info.api_version {
        (1, 0 | 1, _) => (1, 3),
        (1, 2, _) => (1, 5),
        _ => (1, 6),
    };
    let float = |denorm_preserve, denorm_flush, rte, signed_zero_inf_nan| FloatHost {
        denorm_preserve,
        denorm_flush,
        rte,
        signed_zero_inf_nan,
        ..FloatHost::UNKNOWN
    };
    HostProfile {
        subgroup_size,
        spirv,
        int16: f.shader_int16,
        float16: f.shader_float16,
        int64: f.shader_int64,
        float64: f.shader_float64,
        f16: float(
            f.denorm_preserve16,
            f.denorm_flush16,
            f.rte16,
            f.signed_zero_inf_nan16,
        ),
        f32: float(
            f.denorm_preserve32,
            f.denorm_flush32,
            f.rte32,
            f.signed_zero_inf_nan32,
        ),
        f64: float(
            f.denorm_preserve64,
            f.denorm_flush64,
            f.rte64,
            f.signed_zero_inf_nan64,
        ),
        subgroup_uniform_control_flow: f.subgroup_uniform_control_flow,
        maximal_reconvergence: f.maximal_reconvergence,
        vulkan_memory_model: f.vulkan_memory_model && f.vulkan_memory_model_device_scope,
        buffer_device_address: f.buffer_device_address,
        buffer_atomic64: f.buffer_int64_atomics,
        shared_atomic64: f.shared_int64_atomics,
        memory_barriers_meet: info.name.contains("llvmpipe"),
        folds_zeros: info.name.contains("llvmpipe"),
        fragment_barycentrics: f.fragment_barycentrics,
        max_push_constants: info.limits.max_push_constants,
        max_workgroup_memory: info.limits.max_shared_memory,
        max_workgroup_invocations: info.limits.max_workgroup_invocations,
    }
}

/// The profile of a device, with what was measured of its floats in compute shaders. Where nearest even
/// was not seen, nothing of a width is taken for granted.
pub fn profile_from_measurement(
    info: &DeviceInfo,
    subgroup_size: u32,
    floats: &MeasuredFloats,
) -> HostProfile {
    let with = |host: FloatHost, seen: Option<MeasuredFloat>| match seen {
        Some(seen) if seen.nearest_even => FloatHost {
            keeps_denorms: seen.keeps_denorms,
            flushes_denorms: seen.flushes_denorms,
            fused_fma: seen.fused_fma,
            keeps_nan_payload: seen.keeps_nan_payload,
            ..host
        },
        Some(_) => FloatHost::UNKNOWN,
        None => host,
    };
    let profile = profile_from_device(info, subgroup_size);
    HostProfile {
        f16: with(profile.f16, floats.f16),
        f32: with(profile.f32, Some(floats.f32)),
        f64: with(profile.f64, floats.f64),
        ..profile
    }
}

/// Why a profile file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// It is not TOML, a key is missing or unknown, or a value has the wrong type.
    #[error("{0}")]
    Toml(String),
    /// A value is out of range.
    #[error("{key}: `{value}` is not {needs}")]
    Value {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// What it must be.
        needs: &'static str,
    },
}

/// Declares the file's shape beside the profile's, field for field, and the way between them.
macro_rules! mirror {
    ($file:ident for $profile:ident { $($field:ident: $ty:ty),* $(,)? }) => {
        #[derive(Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $file {
            $($field: $ty,)*
        }

        impl From<$profile> for $file {
            fn from(p: $profile) -> $file {
                $file { $($field: p.$field.into(),)* }
            }
        }

        impl From<$file> for $profile {
            fn from(f: $file) -> $profile {
                $profile { $($field: f.$field.into(),)* }
            }
        }
    };
}

mirror!(FloatFile for FloatHost {
    keeps_denorms: bool,
    flushes_denorms: bool,
    denorm_preserve: bool,
    denorm_flush: bool,
    rte: bool,
    signed_zero_inf_nan: bool,
    fused_fma: bool,
    keeps_nan_payload: bool,
});

mirror!(ProfileFile for HostProfile {
    subgroup_size: u32,
    spirv: Version,
    int16: bool,
    float16: bool,
    int64: bool,
    float64: bool,
    subgroup_uniform_control_flow: bool,
    maximal_reconvergence: bool,
    vulkan_memory_model: bool,
    buffer_device_address: bool,
    buffer_atomic64: bool,
    shared_atomic64: bool,
    memory_barriers_meet: bool,
    folds_zeros: bool,
    fragment_barycentrics: bool,
    max_push_constants: u32,
    max_workgroup_memory: u32,
    max_workgroup_invocations: u32,
    f16: FloatFile,
    f32: FloatFile,
    f64: FloatFile,
});

/// A SPIR-V version: `[major, minor]`.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Version(u8, u8);

impl From<(u8, u8)> for Version {
    fn from((major, minor): (u8, u8)) -> Version {
        Version(major, minor)
    }
}

impl From<Version> for (u8, u8) {
    fn from(v: Version) -> (u8, u8) {
        (v.0, v.1)
    }
}

/// The profile of a file's text. Every key must be there.
///
/// # Errors
/// The text is no profile.
pub fn profile_from_toml(text: &str) -> Result<HostProfile, ProfileError> {
    let file: ProfileFile = toml::from_str(text)
        .map_err(|e| ProfileError::Toml(e.to_string().trim_end().to_owned()))?;
    let profile = HostProfile::from(file);
    let s = profile.subgroup_size;
    if !(s.is_power_of_two() && s <= 128) {
        return Err(ProfileError::Value {
            key: "subgroup_size",
            value: s.to_string(),
            needs: "a power of two up to 128",
        });
    }
    if !matches!(profile.spirv, (1, 3..=6)) {
        return Err(ProfileError::Value {
            key: "spirv",
            value: format!("{}.{}", profile.spirv.0, profile.spirv.1),
            needs: "a version from 1.3 to 1.6",
        });
    }
    for (key, float) in [
        ("f16", &profile.f16),
        ("f32", &profile.f32),
        ("f64", &profile.f64),
    ] {
        if float.keeps_denorms && float.flushes_denorms {
            return Err(ProfileError::Value {
                key,
                value: "keeps_denorms and flushes_denorms".to_owned(),
                needs: "at most one of them",
            });
        }
    }
    Ok(profile)
}

/// The text of a profile file.
///
/// # Errors
/// Never for a [`HostProfile`]; the TOML writer's error type is passed on.
pub fn profile_to_toml(profile: &HostProfile) -> Result<String, ProfileError> {
    toml::to_string(&ProfileFile::from(profile.clone()))
        .map_err(|e| ProfileError::Toml(e.to_string()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn files_keep_every_field() {
        let mut profile = HostProfile::portable(8);
        profile.spirv = (1, 6);
        profile.float64 = true;
        profile.f16.rte = true;
        profile.f64.keeps_nan_payload = true;
        profile.max_workgroup_memory = 32768;
        let text = profile_to_toml(&profile).unwrap();
        assert!(text.contains("spirv = [1, 6]"), "{text}");
        assert_eq!(profile_from_toml(&text).unwrap(), profile);
        let refused = |from: &str, to: &str, part: &str| {
            let error = profile_from_toml(&text.replacen(from, to, 1)).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        };
        refused("int16 = false\n", "", "missing field `int16`");
        refused("int16", "int17", "int17");
        refused("subgroup_size = 8", "subgroup_size = 12", "power of two");
        refused("[1, 6]", "[1, 7]", "1.3 to 1.6");
        let kept = text.replacen("keeps_denorms = false", "keeps_denorms = true", 1);
        let both = kept.replacen("flushes_denorms = false", "flushes_denorms = true", 1);
        let error = profile_from_toml(&both).unwrap_err();
        assert!(error.to_string().contains("at most one"), "{error}");
    }
}
