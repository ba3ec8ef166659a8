//! The memory that a driver makes for a draw: its descriptor set, its table of vertex buffers and its push
//! constants, as RADV lays them out. Knows the draw file; not what a shader reads of it.
//!
//! Source: Mesa's public `radv_descriptor_set.c` (sizes and alignments of descriptors) and
//! `radv_cmd_buffer.c` (V# words of buffers and vertex buffers).

use super::format::DrawFile;
use super::textures;
use crate::error::{CaseError, Problem};
use crate::load::Loader;
use crate::memory::Region;

/// High half of the addresses that the code extends from 32 bits.
const HIGH: u64 = 0xffff_8000 << 32;

/// Regions that are made where the file has none of these names, and their addresses.
const SET: (&str, u64) = ("set", HIGH | 0x0002_0000);
const BUFFERS: (&str, u64) = ("buffers", HIGH | 0x0003_0000);
const PUSH: (&str, u64) = ("push", HIGH | 0x0004_0000);

/// Bytes and alignment of descriptors. Behind a sampled image there is room for the one of its sample masks; where
/// image and sampler have one binding, the sampler's is the last 16 bytes.
const BUFFER: (usize, usize) = (16, 16);
const IMAGE: (usize, usize) = (64, 32);
const STORAGE: (usize, usize) = (32, 32);
const COMBINED: (usize, usize) = (96, 32);
const SAMPLER: (usize, usize) = (16, 16);

/// Places the regions.
pub(super) fn place(loader: &mut Loader, file: &DrawFile) -> Result<(), CaseError> {
    let Some(original) = &file.original else {
        return Ok(());
    };
    let push: Vec<u8> = original.push.iter().flat_map(|w| w.to_le_bytes()).collect();
    let all = [
        (SET, set(loader, file)?),
        (BUFFERS, vertex_buffers(loader, file)?),
        (PUSH, push),
    ];
    for ((name, address), bytes) in all {
        if loader.memory.find(name).is_none() {
            loader.budget(bytes.len() as u64, name)?;
            loader.place(name, Some(address), bytes, name)?;
        }
    }
    Ok(())
}

/// Where each descriptor of a set lies: bindings in order, each aligned.
fn layout(mut bindings: Vec<(u32, (usize, usize), Vec<u32>)>) -> Vec<u8> {
    bindings.sort_by_key(|&(binding, ..)| binding);
    let mut bytes: Vec<u8> = Vec::new();
    for (_, (size, alignment), words) in bindings {
        let start = bytes.len().next_multiple_of(alignment);
        bytes.resize(start, 0);
        bytes.extend(words.iter().flat_map(|w| w.to_le_bytes()));
        bytes.resize(start + size, 0);
    }
    bytes
}

fn set(loader: &Loader, file: &DrawFile) -> Result<Vec<u8>, CaseError> {
    let mut bindings = Vec::new();
    for (i, spec) in file.original.iter().flat_map(|o| &o.bindings).enumerate() {
        let key = format!("original.bindings[{i}]");
        if spec.set != 0 {
            let (value, limit) = (spec.set.into(), 0);
            return Err(loader.error(format!("{key}.set"), Problem::Limit { value, limit }));
        }
        let (_, region) = loader.region(&spec.memory, &format!("{key}.memory"))?;
        bindings.push((spec.binding, BUFFER, buffer(region)));
    }
    for (i, spec) in file.texture.iter().enumerate() {
        let key = format!("texture[{i}]");
        let (_, region) = loader.region(&spec.memory, &format!("{key}.memory"))?;
        let mut words = textures::image_words(loader, spec, region, &key)?;
        let mut size = if spec.storage { STORAGE } else { IMAGE };
        if let Some(sampler) = &spec.sampler {
            words.resize((COMBINED.0 - SAMPLER.0) / 4, 0);
            words.extend(textures::sampler_words(sampler));
            size = COMBINED;
        }
        bindings.push((spec.binding, size, words));
    }
    for spec in &file.sampler {
        let words = textures::sampler_words(&spec.sampler);
        bindings.push((spec.binding, SAMPLER, words));
    }
    Ok(layout(bindings))
}

/// A V# of raw bytes: format 32_FLOAT, bounds by bytes.
fn buffer(region: &Region) -> Vec<u32> {
    vec![
        region.address as u32,
        (region.base() >> 32) as u32,
        region.bytes.len() as u32,
        0x3101_6fac,
    ]
}

/// One V# for each binding of vertex buffers, by ascending binding: format 32_UINT, bounds by records.
fn vertex_buffers(loader: &Loader, file: &DrawFile) -> Result<Vec<u8>, CaseError> {
    let mut bindings = Vec::new();
    let buffers = file.original.iter().flat_map(|o| &o.vertex_buffers);
    for (i, spec) in buffers.enumerate() {
        let key = format!("original.vertex_buffers[{i}].memory");
        let (_, region) = loader.region(&spec.memory, &key)?;
        let words = vec![
            region.address as u32,
            (region.base() >> 32) as u32 | (spec.stride & 0x3fff) << 16,
            region.bytes.len() as u32 / spec.stride.max(1),
            0x1101_4fac,
        ];
        bindings.push((spec.binding, BUFFER, words));
    }
    Ok(layout(bindings))
}
