//! What the registers of RADV's graphics shaders hold at entry, and what the driver programs for them, read
//! from the texts that it gives of a pipeline and from the code itself. Knows no file. What a text leaves
//! open is an error, never a guess.
//!
//! Source: Mesa's public `radv_shader_args.c` (the order of arguments), `radv_shader_info.c` and
//! `radv_pipeline.c` (the registers that follow from what a shader uses).

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail, ensure};
use spirdna_case::draw::format::DrawFile;

use spirdna_isa::{Inst, Interp, Operand, Sem, Target, decode};
use spirdna_lab::radv::{code_words, push_constants};
use spirdna_vulkan::draw::{Format, FormatClass};

/// What RADV programs in `SPI_INTERP_CONTROL_0`: FLAT_SHADE_ENA and PNT_SPRITE_ENA; S, T, 0, 1; from the top.
pub const INTERP_CONTROL: u32 = 1 | 1 << 1 | 2 << 2 | 3 << 5 | 1 << 11;

/// The texts of a stage.
pub struct Texts<'t> {
    pub nir: &'t str,
    pub aco: &'t str,
    pub assembly: &'t str,
}

/// A user SGPR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sgpr {
    Value(u32),
    /// Low half of the address of a region.
    Low(&'static str),
}

/// A vertex shader of a form.
pub struct Vertex {
    pub words: Vec<u32>,
    pub sgprs: Vec<Sgpr>,
    pub out_cntl: u32,
}

/// A pixel shader of a form.
pub struct Pixel {
    pub words: Vec<u32>,
    pub sgprs: Vec<Sgpr>,
    pub input: u32,
    pub input_cntl: Vec<u32>,
    pub col_format: u32,
    pub z_format: u32,
    pub baryc_cntl: u32,
    pub db_shader_control: u32,
}

/// The arguments of a shader.
#[derive(Debug, Default, PartialEq)]
struct Arguments {
    /// SGPRs in all.
    sgprs: usize,
    /// Arguments in SGPRs.
    scalars: usize,
    /// Sizes of the arguments in VGPRs, in order.
    vectors: Vec<u32>,
}

/// From `s2: %1:s[0-1],  v2: …  = p_startpgm`.
fn arguments(aco: &str) -> Result<Arguments> {
    let line = aco.lines().find(|l| l.contains("= p_startpgm"));
    let line = line.context("no p_startpgm in the ACO IR")?;
    let (list, _) = line.split_once("= p_startpgm").unwrap_or_default();
    let mut all = Arguments::default();
    for argument in list.split(',') {
        let kind = argument.trim().split(':').next().unwrap_or_default();
        if let Some(size) = kind.strip_prefix('s') {
            all.sgprs += size.parse::<usize>()?;
            all.scalars += 1;
        } else if let Some(size) = kind.strip_prefix('v') {
            all.vectors.push(size.parse()?);
        } else {
            bail!("the argument {argument:?}");
        }
    }
    Ok(all)
}

fn uses(nir: &str, intrinsic: &str) -> bool {
    let name = format!("intrinsic {intrinsic} ");
    nir.contains(&name)
}

/// The number behind a key.
fn number(text: &str, key: &str) -> Result<usize> {
    let rest = text.split(key).nth(1).unwrap_or_default();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().with_context(|| text.to_owned())
}

/// Whether the shader reads descriptor set 0: a scalar argument extended by the known high half.
fn reads_set(nir: &str) -> Result<bool> {
    let mut high = BTreeSet::new();
    let mut arguments = BTreeMap::new();
    let mut found = BTreeSet::new();
    for line in nir.lines() {
        let Some((left, right)) = line.trim().split_once(" = ") else {
            continue;
        };
        let name = left.split_whitespace().last().unwrap_or_default();
        if right.starts_with("load_const (0xffff8000") {
            high.insert(name.to_owned());
        } else if let Some(rest) = right.strip_prefix("intrinsic load_scalar_arg_amd ") {
            arguments.insert(name.to_owned(), number(rest, "base=")?);
        } else if let Some(rest) = right.strip_prefix("pack_64_2x32_split ") {
            let mut names = rest.split(", ").map(str::trim);
            let (low, upper) = (names.next(), names.next());
            if let (Some(low), Some(upper)) = (low, upper)
                && high.contains(upper)
            {
                let argument = arguments.get(low).copied();
                found.insert(argument.with_context(|| format!("{line:?}: no argument"))?);
            }
        }
    }
    ensure!(found.len() < 2, "several descriptor sets");
    Ok(!found.is_empty())
}

/// The user SGPRs behind those of the stage: the set, then the push constants.
fn global(nir: &str, file: &DrawFile, room: usize) -> Result<Vec<Sgpr>> {
    let original = file.original.as_ref().context("no [original]")?;
    let mut sgprs = Vec::new();
    if reads_set(nir)? {
        sgprs.push(Sgpr::Low("set"));
    }
    let (dwords, indirect) = push_constants(nir)?;
    let left = room.saturating_sub(sgprs.len());
    let inline = if !indirect && dwords.len() <= left {
        dwords.len()
    } else {
        sgprs.push(Sgpr::Low("push"));
        // As many as there is room for, which is none where an index is computed.
        left.saturating_sub(1).min(dwords.len())
    };
    for &dword in dwords.iter().take(inline) {
        let value = original.push.get(dword as usize);
        let value = value.with_context(|| format!("push constant {dword} has no value"))?;
        sgprs.push(Sgpr::Value(*value));
    }
    Ok(sgprs)
}

/// The vertex shader of a draw, in the merged stages (NGG) or the VS stage; with `culling`, what culls
/// follows the known arguments.
pub fn vertex(texts: &Texts<'_>, file: &DrawFile, merged: bool, culling: bool) -> Result<Vertex> {
    let nir = texts.nir;
    let count = arguments(texts.aco)?.sgprs;
    let original = file.original.as_ref().context("no [original]")?;
    let mut sgprs = Vec::new();
    if uses(nir, "load_input") {
        sgprs.push(Sgpr::Low("buffers"));
    }
    sgprs.push(Sgpr::Value(file.draw.first_vertex));
    if uses(nir, "load_draw_id") {
        sgprs.push(Sgpr::Value(0));
    }
    if uses(nir, "load_base_instance") || original.vertex_buffers.iter().any(|b| b.per_instance) {
        sgprs.push(Sgpr::Value(file.draw.first_instance));
    }
    // In front: the ring table and what starts a merged wave; behind, in the VS stage: the scratch offset.
    let user = count.checked_sub(if merged { 8 } else { 3 });
    let user = user.with_context(|| format!("{count} SGPRs"))?;
    let room = user.saturating_sub(sgprs.len());
    sgprs.extend(global(nir, file, room)?);
    if culling {
        // The settings say that nothing is culled.
        while sgprs.len() < user {
            sgprs.push(Sgpr::Value(0));
        }
    } else if !merged {
        sgprs.splice(0..0, [Sgpr::Value(0); 2]);
    }
    let expected = user + if merged { 0 } else { 2 };
    ensure!(
        sgprs.len() == expected,
        "{count} SGPR arguments are not {sgprs:?}"
    );
    let mut out_cntl = 0;
    let mut misc = false;
    for (slot, bit) in [("PSIZ", 16), ("LAYER", 18), ("VIEWPORT", 19)] {
        if output(nir, slot) {
            out_cntl |= 1 << bit;
            misc = true;
        }
    }
    if misc {
        // VS_OUT_MISC_VEC_ENA and VS_OUT_MISC_SIDE_BUS_ENA.
        out_cntl |= 1 << 21 | 1 << 24;
    }
    let [clip, cull] = original.distances;
    ensure!(clip + cull <= 8, "{clip} and {cull} distances");
    out_cntl |= (1 << clip) - 1 | ((1 << cull) - 1) << (8 + clip);
    if clip + cull > 0 {
        out_cntl |= 1 << 22;
    }
    if clip + cull > 4 {
        out_cntl |= 1 << 23;
    }
    Ok(Vertex {
        words: code_words(texts.assembly)?,
        sgprs,
        out_cntl,
    })
}

/// Whether a variable of the outputs has this slot.
fn output(nir: &str, slot: &str) -> bool {
    let slot = format!("VARYING_SLOT_{slot}");
    nir.lines().any(|line| {
        line.starts_with("decl_var shader_out")
            && line.split(['(', '.', ',', ' ']).any(|word| word == slot)
    })
}

/// The pixel shader of a draw.
pub fn pixel(
    texts: &Texts<'_>,
    file: &DrawFile,
    module: &[u32],
    target: Target,
    params: &[usize],
) -> Result<Pixel> {
    let nir = texts.nir;
    let arguments = arguments(texts.aco)?;
    let (count, sizes) = (arguments.sgprs, &arguments.vectors);
    // The ring table; behind: the primitive mask and the scratch offset.
    let user = count.checked_sub(4);
    let user = user.with_context(|| format!("{count} SGPRs"))?;
    let mut sgprs = vec![Sgpr::Value(0); 2];
    sgprs.extend(global(nir, file, user)?);
    ensure!(
        sgprs.len() == user + 2,
        "{count} SGPR arguments are not {sgprs:?}"
    );
    let input = input_mask(nir, arguments.scalars)?;
    let expected: Vec<u32> = (0..16)
        .filter(|bit| input >> bit & 1 == 1)
        .map(|bit| match bit {
            0..=2 | 4..=6 => 2,
            3 => 3,
            _ => 1,
        })
        .collect();
    ensure!(
        *sizes == expected,
        "SPI_PS_INPUT_ADDR 0x{input:x} does not give VGPR arguments of {sizes:?}"
    );
    let words = code_words(texts.assembly)?;
    let used = Used::read(&words, target)?;
    let input_cntl = used.input_cntl(&attributes(nir)?, params);
    let mut baryc_cntl = 1 << 24;
    if [
        "load_sample_id",
        "load_sample_pos",
        "load_barycentric_sample",
    ]
    .iter()
    .any(|name| uses(nir, name))
    {
        // POS_FLOAT_LOCATION: at the sample.
        baryc_cntl |= 2 << 16;
    }
    let mut col_format = 0;
    for (i, color) in (0..8).zip(&file.color) {
        let format = Format::from_name(&color.format);
        let format = format.with_context(|| format!("no format is called {}", color.format))?;
        let mut export = export_format(format)?;
        // RB+ takes a single component as a word.
        if used.words.contains(&i) && export == 4 {
            export = 1;
        }
        col_format |= export << (4 * i);
    }
    Ok(Pixel {
        words,
        sgprs,
        input,
        input_cntl: input_cntl?,
        col_format,
        z_format: used.z_format,
        baryc_cntl,
        db_shader_control: db_shader_control(nir, &execution_modes(module)),
    })
}

/// `DB_SHADER_CONTROL`, as RADV makes it of what a shader does and of its execution modes.
fn db_shader_control(nir: &str, modes: &[u32]) -> u32 {
    use modes::{DEPTH_GREATER, DEPTH_LESS, EARLY_FRAGMENT_TESTS, POST_DEPTH_COVERAGE};
    let has = |mode| u32::from(modes.contains(&mode));
    let early = has(EARLY_FRAGMENT_TESTS);
    let result = |name: &str| u32::from(nir.contains(&format!("(FRAG_RESULT_{name}.")));
    let (mut kills, mut writes) = (0, 0);
    for line in nir.lines() {
        let Some((_, call)) = line.split_once("intrinsic ") else {
            continue;
        };
        let name = call.split(' ').next().unwrap_or_default();
        if ["discard", "demote", "terminate"]
            .iter()
            .any(|kill| name.starts_with(kill))
        {
            kills = 1;
        }
        let memory = ["ssbo", "global", "image", "buffer_amd"];
        if memory.iter().any(|m| name.contains(m))
            && (name.contains("store") || name.contains("atomic"))
        {
            writes = 1;
        }
    }
    let first = early == 1 || writes == 0;
    result("DEPTH")
        | result("STENCIL") << 1
        // EARLY_Z_THEN_LATE_Z.
        | u32::from(first) << 4
        | kills << 6
        | result("SAMPLE_MASK") << 8
        // EXEC_ON_HIER_FAIL, EXEC_ON_NOOP.
        | writes << 9
        | writes << 10
        // DEPTH_BEFORE_SHADER.
        | early << 12
        | (has(DEPTH_LESS) | has(DEPTH_GREATER) << 1) << 13
        | has(POST_DEPTH_COVERAGE) << 23
}

/// SPIR-V's numbers of execution modes.
mod modes {
    pub const EARLY_FRAGMENT_TESTS: u32 = 9;
    pub const DEPTH_GREATER: u32 = 14;
    pub const DEPTH_LESS: u32 = 15;
    pub const POST_DEPTH_COVERAGE: u32 = 4446;
}

/// The execution modes of a module with one entry point.
fn execution_modes(module: &[u32]) -> Vec<u32> {
    const EXECUTION_MODE: u32 = 16;
    let mut all = Vec::new();
    let mut rest = module.get(5..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        if first & 0xffff == EXECUTION_MODE {
            all.extend(rest.get(2));
        }
        rest = rest
            .get((first >> 16).max(1) as usize..)
            .unwrap_or_default();
    }
    all
}

/// `SPI_PS_INPUT_ADDR` and `_ENA`, which RADV's ACO programs alike.
fn input_mask(nir: &str, scalars: usize) -> Result<u32> {
    let mut mask = 0;
    for line in nir.lines() {
        let Some((left, right)) = line.trim().split_once(" = intrinsic ") else {
            continue;
        };
        let name = left.split_whitespace().last().unwrap_or_default();
        let intrinsic = right.split(' ').next().unwrap_or_default();
        let linear = right.contains("interp_mode=3");
        let pair = |place: u32| 1 << (place + if linear { 4 } else { 0 });
        mask |= match intrinsic {
            "load_barycentric_sample" => pair(0),
            "load_barycentric_pixel"
            | "load_barycentric_at_offset"
            | "load_barycentric_at_sample" => pair(1),
            "load_barycentric_centroid" => pair(2),
            "load_barycentric_model" => 1 << 3,
            "load_frag_coord" => components(nir, name) << 8,
            "load_sample_pos" => 3 << 8,
            // Arguments by number: those in SGPRs, then the inputs in the order of the mask's bits.
            "load_vector_arg_amd" => {
                let bit = number(right, "base=")?.checked_sub(scalars);
                match bit.with_context(|| right.to_owned())? {
                    // Sample coverage comes with the sample's number.
                    14 => 3 << 13,
                    bit if bit < 16 => 1 << bit,
                    _ => bail!("{right}"),
                }
            }
            "load_front_face" => 1 << 12,
            "load_sample_id" => 1 << 13,
            "load_sample_mask_in" => 1 << 13 | 1 << 14,
            "load_pixel_coord" => 1 << 15,
            "load_frag_shading_rate" | "load_line_coord" => bail!("{intrinsic}"),
            _ => 0,
        };
    }
    // Position w needs a pair with perspective, and every wave some pair.
    if mask >> 11 & 1 == 1 && mask & 15 == 0 || mask & 0x7f == 0 {
        mask |= 1 << 1;
    }
    Ok(mask)
}

/// The components of a vector of four that other lines read.
fn components(nir: &str, name: &str) -> u32 {
    let mut read = 0;
    for (at, _) in nir.match_indices(name) {
        let rest = nir.get(at + name.len()..).unwrap_or_default();
        if rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with(" = ") {
            continue;
        }
        match rest.strip_prefix('.') {
            Some(swizzle) => {
                for letter in swizzle.chars().take_while(char::is_ascii_lowercase) {
                    read |= "xyzw".find(letter).map_or(0, |i| 1 << i);
                }
            }
            None => read = 15,
        }
    }
    read
}

/// What a pixel shader's code does with attributes and the depth target.
#[derive(Default)]
struct Used {
    /// Attributes, and whether they are only taken whole from a vertex.
    attributes: BTreeMap<u32, bool>,
    /// Targets that are exported as words of which only the first is enabled.
    words: BTreeSet<u32>,
    z_format: u32,
}

impl Used {
    fn read(words: &[u32], target: Target) -> Result<Used> {
        let mut used = Used::default();
        let mut at = 0;
        while at < words.len() {
            // Behind the code: padding, then constants.
            let Ok(inst) = decode(target, words, at) else {
                break;
            };
            at += inst.len() as usize;
            match inst.row().sem {
                Sem::Interp(interp) => {
                    let attribute = immediate(&inst, 1)? >> 2;
                    let whole = interp == Interp::MovF32;
                    *used.attributes.entry(attribute).or_insert(true) &= whole;
                }
                Sem::Export if immediate(&inst, 0)? < 8 => {
                    let mods = inst.export_mods();
                    if !mods.compr && mods.en == 1 {
                        used.words.insert(immediate(&inst, 0)?);
                    }
                }
                Sem::Export if immediate(&inst, 0)? == 8 => {
                    let mods = inst.export_mods();
                    used.z_format = match (mods.compr, mods.en) {
                        // UINT16_ABGR, 32_R, 32_GR, 32_ABGR.
                        (true, _) => 7,
                        (false, 1) => 1,
                        (false, 3) => 2,
                        _ => 9,
                    };
                }
                _ => {}
            }
        }
        Ok(used)
    }

    /// `SPI_PS_INPUT_CNTL_n`. `attributes` are the slots of attributes by number, `params` those of the
    /// vertex shader's parameters.
    fn input_cntl(&self, attributes: &BTreeMap<u32, usize>, params: &[usize]) -> Result<Vec<u32>> {
        let count = self.attributes.last_key_value().map_or(0, |(&n, _)| n + 1);
        (0..count)
            .map(|n| {
                let Some(whole) = self.attributes.get(&n) else {
                    return Ok(n);
                };
                let slot = attributes.get(&n);
                let slot = *slot.with_context(|| format!("attribute {n} has no slot"))?;
                if slot == slots::POINT_COORD {
                    // PT_SPRITE_TEX.
                    return Ok(1 << 17);
                }
                Ok(match (0..).zip(params).find(|&(_, &param)| param == slot) {
                    Some((param, _)) => param | if *whole { 1 << 10 } else { 0 },
                    // DEFAULT_VAL of zeros.
                    None => 0x20,
                })
            })
            .collect()
    }
}

/// Mesa's numbers of what goes from stage to stage.
mod slots {
    pub const CLIP: [usize; 2] = [17, 18];
    pub const PRIMITIVE: usize = 21;
    pub const LAYER: usize = 22;
    pub const VIEWPORT: usize = 23;
    pub const POINT_COORD: usize = 25;
    pub const FIRST: usize = 32;
}

/// The slots that the attributes of a pixel shader have, by the number that its code has for them.
fn attributes(nir: &str) -> Result<BTreeMap<u32, usize>> {
    let mut all = BTreeMap::new();
    for line in nir.lines() {
        let Some((_, call)) = line.split_once("intrinsic load_in") else {
            continue;
        };
        if !(call.starts_with("put ") || call.starts_with("terpolated_input ")) {
            continue;
        }
        let (base, slot) = (number(call, "base=")?, number(call, "io location=")?);
        for n in 0..number(call, "slots=")? {
            all.insert(u32::try_from(base + n)?, slot + n);
        }
    }
    Ok(all)
}

/// The slots of a vertex shader's parameters, in order; clip distances only where the pixel shader, whose
/// NIR the second text is, reads them.
pub fn params(vertex: &str, pixel: &str) -> Result<Vec<usize>> {
    let mut written = BTreeSet::new();
    for line in vertex.lines() {
        if let Some((_, call)) = line.split_once("intrinsic store_output ") {
            let slot = number(call, "io location=")?;
            written.extend(slot..slot + number(call, "slots=")?);
        }
    }
    let read: BTreeSet<usize> = attributes(pixel)?.into_values().collect();
    let special = [slots::PRIMITIVE, slots::LAYER, slots::VIEWPORT];
    let plain = |slot: &usize| *slot >= slots::FIRST || special.contains(slot);
    let clip = slots::CLIP.into_iter().filter(|slot| read.contains(slot));
    Ok(written.iter().copied().filter(plain).chain(clip).collect())
}

/// Which of these parameters is the primitive's number, in its first component.
pub fn primitive_number(params: &[usize]) -> Option<usize> {
    params.iter().position(|&slot| slot == slots::PRIMITIVE)
}

fn immediate(inst: &Inst, src: usize) -> Result<u32> {
    match inst.src(src) {
        Some((Operand::Imm(value), _)) => Ok(u32::try_from(value)?),
        other => bail!("an operand {other:?}"),
    }
}

/// The field of `SPI_SHADER_COL_FORMAT` that RADV gives a target without blending.
fn export_format(format: Format) -> Result<u32> {
    let name = format.name();
    let snorm = name.ends_with("Snorm");
    let float = name.ends_with("Sfloat");
    Ok(match (name, format.class()) {
        (_, FormatClass::Depth) => bail!("{name} is no colour"),
        (n, FormatClass::Uint) if n.starts_with("R8") || n.starts_with("R16") => 7,
        (n, FormatClass::Sint) if n.starts_with("R8") || n.starts_with("R16") => 8,
        (n, FormatClass::Float) if n.starts_with("R8") => 4,
        (n, FormatClass::Float) if n.starts_with("R16") => match (float, snorm) {
            (true, _) => 4,
            (false, true) => 6,
            (false, false) => 5,
        },
        (n, _) if n.starts_with("R32G32B32A32") => 9,
        (n, _) if n.starts_with("R32G32B32") => bail!("{n}"),
        (n, _) if n.starts_with("R32G32") => 2,
        _ => 1,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn pixel_inputs_follow_from_what_is_loaded() {
        let nir = "vec2 32 ssa_1 = intrinsic load_barycentric_centroid () (interp_mode=3)\n\
                   vec4 32 ssa_12 = intrinsic load_frag_coord () ()\n\
                   vec1 32 ssa_3 = fadd ssa_12.x, ssa_12.w\n";
        assert_eq!(
            input_mask(nir, 3).unwrap(),
            1 << 6 | 1 << 8 | 1 << 11 | 1 << 1
        );
        assert_eq!(input_mask("", 3).unwrap(), 2);
    }

    #[test]
    fn depth_control_follows_from_modes_and_effects() {
        let (depth, store, kill) = (
            "decl_var shader_out INTERP_MODE_NONE float d (FRAG_RESULT_DEPTH.x, 0, 0)\n",
            "intrinsic bindless_image_store (ssa_1) ()\n",
            "intrinsic discard_if (ssa_24) ()\n",
        );
        // Header, then OpExecutionMode of entry point 4.
        let early = [0, 0, 0, 0, 0, 3 << 16 | 16, 4, 9];
        assert_eq!(execution_modes(&early), [9]);
        assert_eq!(db_shader_control(depth, &[]), 0x11);
        assert_eq!(db_shader_control(kill, &[]), 0x50);
        assert_eq!(db_shader_control(store, &[]), 0x600);
        assert_eq!(db_shader_control(store, &[9]), 0x1610);
    }

    #[test]
    fn a_set_is_an_argument_with_the_known_high_half() {
        let nir = "vec1 32 ssa_138 = intrinsic load_scalar_arg_amd () (base=9, x=0)\n\
                   vec1 32 ssa_132 = load_const (0xffff8000 = -nan)\n\
                   vec1 64 ssa_133 = pack_64_2x32_split ssa_138, ssa_132\n";
        assert!(reads_set(nir).unwrap());
        assert!(!reads_set(nir.lines().next().unwrap()).unwrap());
    }

    #[test]
    fn arguments_are_counted_in_registers() {
        let line = "\t s2: %16:s[0-1],  s1: %17:s[2],  v2: %19:v[0-1],  v1: %4:v[2] = p_startpgm";
        let expected = Arguments {
            sgprs: 3,
            scalars: 2,
            vectors: vec![2, 1],
        };
        assert_eq!(arguments(line).unwrap(), expected);
    }
}
