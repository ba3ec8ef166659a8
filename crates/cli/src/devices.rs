//! `spirdna devices`: what the Vulkan loader offers, as far as translations depend on it.

use std::io::Write;

use spirdna_vulkan::{DeviceInfo, VulkanError, devices};

use crate::Streams;
use crate::error::{CliError, Exit};

/// Runs the command.
pub(crate) fn run(streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let list = devices()?;
    if list.is_empty() {
        return Err(VulkanError::NoDevice.into());
    }
    for device in &list {
        print(device, streams.out)?;
    }
    Ok(Exit::Success)
}

fn print(d: &DeviceInfo, out: &mut dyn Write) -> Result<(), CliError> {
    let (major, minor, patch) = d.api_version;
    let state = if d.null_device {
        "  (null device: executes nothing)"
    } else if !d.is_usable() {
        "  (not usable)"
    } else {
        ""
    };
    writeln!(out, "{}: {}{state}", d.index, d.name)?;
    writeln!(
        out,
        "   Vulkan {major}.{minor}.{patch}, {:?}, {}",
        d.device_type, d.driver
    )?;
    let required = if d.features.required_subgroup_compute {
        format!(
            "{} to {} can be required",
            d.min_subgroup_size, d.max_subgroup_size
        )
    } else {
        "fixed".to_owned()
    };
    writeln!(out, "   subgroups of {} ({required})", d.subgroup_size)?;
    let limits = &d.limits;
    writeln!(
        out,
        "   {} invocations and {} bytes of shared memory a workgroup, {} bytes a storage buffer",
        limits.max_workgroup_invocations, limits.max_shared_memory, limits.max_storage_buffer_range
    )?;
    let have: Vec<&str> = d
        .features
        .entries()
        .into_iter()
        .filter_map(|(name, on)| on.then_some(name))
        .collect();
    for line in wrap(&have, 96) {
        writeln!(out, "   {line}")?;
    }
    Ok(())
}

/// Words in lines of at most `width` characters.
fn wrap(words: &[&str], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push((*word).to_owned()),
        }
    }
    lines
}
