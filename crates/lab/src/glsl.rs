//! GLSL and SPIR-V compute shaders: through glslang to a module, through RADV to machine code, and from
//! the module's interface to the memory and registers of a case. Knows RADV's launch state as
//! [`radv`](crate::radv) reads it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use spirdna_isa::descriptor::vsharp;

use crate::bounds;
use crate::data::{self, Content, Place};
use crate::directive::{DataSpec, Directives, Element, Rule};
use crate::error::LabError;
use crate::interface::{Interface, load};
use crate::prepared::{Compared, Sheet, write};
use crate::radv::{self, Code, Sgpr};
use crate::tool::tool;

/// Where regions of RADV's own lie: the code extends a 32-bit pointer with [`radv::SET_HIGH`].
const SET_ADDRESS: u64 = radv::SET_HIGH << 32 | 0x2_0000;
const PUSH_ADDRESS: u64 = radv::SET_HIGH << 32 | 0x3_0000;
/// Where buffers lie: the first, and the step from one to the next, far enough that 32-bit arithmetic on
/// addresses does not hold by luck.
const BUFFER_ADDRESS: u64 = 0x1000_8765_4300;
const BUFFER_STEP: u64 = 0x0001_8001_0000;

/// A source with its module and data.
pub struct Source {
    /// The shader's name.
    pub name: String,
    /// What its head says.
    pub directives: Directives,
    /// Its module, with every buffer in set 0.
    pub spirv: PathBuf,
    /// Words of the module.
    pub words: usize,
    /// What the module binds.
    pub interface: Interface,
    regions: Vec<Region>,
    push: Content,
    /// What rules come from that nobody stated.
    why: String,
}

struct Region {
    name: String,
    address: u64,
    uniform: bool,
    content: Content,
    file: String,
}

/// Compiles a source (`.comp`, `.glsl`, or `.spv` as it is), and makes its data in `folder`.
///
/// # Errors
/// Its compiler refuses it, its directives are wrong, or the lab cannot make what it binds.
pub fn source(name: &str, path: &Path, folder: &Path) -> Result<Source, LabError> {
    let stem = name.replace(['/', '\\'], ".");
    let module = folder.join(format!("{stem}.spv"));
    let is_module = path.extension().is_some_and(|e| e == "spv");
    let directives = if is_module {
        Directives::default()
    } else {
        let text = std::fs::read_to_string(path).map_err(LabError::file(path))?;
        Directives::read(&text)?
    };
    if is_module {
        std::fs::copy(path, &module).map_err(LabError::file(path))?;
    } else {
        tool(
            Command::new("glslangValidator")
                .args(["-V", "--target-env", "vulkan1.3", "-S", "comp", "-o"])
                .arg(&module)
                .arg(path),
        )?;
    }
    let bytes = std::fs::read(&module).map_err(LabError::file(&module))?;
    let mut words: Vec<u32> = bytes
        .chunks_exact(4)
        .filter_map(|c| c.try_into().ok().map(u32::from_le_bytes))
        .collect();
    let mut interface = Interface::read(&words)?;
    one_set(&mut words, &mut interface);
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    write(&module, &bytes)?;
    let groups = directives.grid();
    let threads = |(g, l): (u32, u32)| g as usize * l as usize;
    let invocations: usize = groups
        .into_iter()
        .zip(interface.local)
        .map(threads)
        .product();
    let count = directives.count.map_or(invocations, |n| n as usize);
    let bounds = bounds::derive(&load(&words)?, count.max(invocations) as u64);
    let mut why: Vec<String> = Vec::new();
    let mut regions: Vec<Region> = Vec::new();
    for (index, buffer) in interface.buffers.iter().enumerate() {
        // How floats are compared where nothing is said: exactly where no compiler may join operations and
        // none rounds differently from device to device, otherwise by the bound of the operations.
        let bound = bounds.get(&buffer.variable);
        let rule = match (directives.compare, bound) {
            (Some(rule), _) => rule,
            (None, Some(bound)) => Rule::Ulp(bound.ulp),
            (None, None) => Rule::Bits,
        };
        let mut content = data::fill(name, &buffer.name, &buffer.ty, &directives, count, rule)?;
        let derived = |place: &Place| place.element.is_float() && place.rule == rule;
        if let (None, Some(bound)) = (directives.compare, bound)
            && content.places.iter().any(derived)
        {
            why.push(format!("{}: {}", buffer.name, bound.why));
            let places = content.places.iter_mut();
            let mut halves: Vec<&mut Place> = places
                .filter(|place| place.element == Element::F16 && place.rule == rule)
                .collect();
            if bound.of_halves() < bound.ulp && !halves.is_empty() {
                why.push(format!("of halves {}", bound.of_halves()));
            }
            for place in &mut halves {
                place.rule = Rule::Ulp(bound.of_halves());
            }
        }
        let mut region = buffer.name.clone();
        let taken = |name: &str| regions.iter().any(|r| r.name == name);
        if ["set", "push", "grid"].contains(&region.as_str()) || taken(&region) {
            region = format!("{region}_{index}");
        }
        let file = format!("{stem}.{region}.bin");
        regions.push(Region {
            name: region,
            address: BUFFER_ADDRESS + BUFFER_STEP * index as u64,
            uniform: buffer.uniform,
            content,
            file,
        });
    }
    point(&mut regions, &interface)?;
    for region in &regions {
        write(&folder.join(&region.file), &region.content.bytes)?;
    }
    let push = push(name, &directives, &interface)?;
    Ok(Source {
        name: name.to_owned(),
        spirv: module,
        words: words.len(),
        regions,
        push,
        why: why.join("; "),
        directives,
        interface,
    })
}

/// Puts all buffers into set 0, numbered in their order: RADV passes a pointer for each set, and which
/// sets a shader keeps cannot be read from its texts.
fn one_set(words: &mut [u32], interface: &mut Interface) {
    let places: Vec<(u32, u32)> = interface
        .buffers
        .iter()
        .map(|b| (b.set, b.binding))
        .collect();
    let number = |set: u32, binding: u32| {
        let mut before: Vec<_> = places.iter().filter(|&&p| p < (set, binding)).collect();
        before.dedup();
        before.len() as u32
    };
    const DECORATE: u32 = spirv::Op::Decorate as u32;
    // The set and binding of each id, and then the new ones in their words.
    let mut found: Vec<(u32, Option<u32>, Option<u32>)> = Vec::new();
    let mut visit = |words: &mut [u32], replace: bool| {
        let mut at = 5;
        while let Some(&first) = words.get(at) {
            let length = (first >> 16).max(1) as usize;
            if let Some([head, id, decoration, value]) = words
                .get_mut(at..at + length)
                .and_then(|w| <&mut [u32; 4]>::try_from(w).ok())
                && *head & 0xffff == DECORATE
            {
                let (set, binding) = (
                    *decoration == spirv::Decoration::DescriptorSet as u32,
                    *decoration == spirv::Decoration::Binding as u32,
                );
                if set || binding {
                    let index = found.iter().position(|f| f.0 == *id);
                    let index = index.unwrap_or_else(|| {
                        found.push((*id, None, None));
                        found.len() - 1
                    });
                    if let Some((_, s, b)) = found.get_mut(index) {
                        match (replace, set) {
                            (false, true) => *s = Some(*value),
                            (false, false) => *b = Some(*value),
                            (true, true) => *value = 0,
                            (true, false) => *value = number(s.unwrap_or(0), b.unwrap_or(0)),
                        }
                    }
                }
            }
            at += length;
        }
    };
    visit(words, false);
    visit(words, true);
    for buffer in &mut interface.buffers {
        (buffer.set, buffer.binding) = (0, number(buffer.set, buffer.binding));
    }
}

/// Puts the addresses of buffers where the directives want them.
fn point(regions: &mut [Region], interface: &Interface) -> Result<(), LabError> {
    let places: Vec<(String, u64)> = regions
        .iter()
        .zip(&interface.buffers)
        .map(|(r, b)| (b.name.clone(), r.address))
        .collect();
    for region in regions {
        for (offset, to) in &region.content.pointers {
            let found = places.iter().find(|(name, _)| name == to);
            let address = found.map(|&(_, address)| address);
            let address =
                address.ok_or_else(|| LabError::Directive(format!("no buffer is called {to}")))?;
            let place = region.content.bytes.get_mut(*offset..).unwrap_or_default();
            for (to, from) in place.iter_mut().zip(address.to_le_bytes()) {
                *to = from;
            }
        }
    }
    Ok(())
}

/// The push constants.
fn push(name: &str, directives: &Directives, interface: &Interface) -> Result<Content, LabError> {
    let Some(ty) = &interface.push else {
        return Ok(Content::default());
    };
    let mut said = directives.clone();
    for (member, value) in &directives.arg {
        let spec = DataSpec {
            values: Some(vec![value.clone()]),
            ..DataSpec::default()
        };
        said.data.insert(format!("push.{member}"), spec);
    }
    let mut content = data::fill(name, "push", ty, &said, 1, Rule::Bits)?;
    if let Some(dwords) = &directives.push {
        let (places, _) = content.bytes.as_chunks_mut::<4>();
        for (place, number) in places.iter_mut().zip(dwords) {
            let element = match number {
                crate::directive::Number::Float(_) => Element::F32,
                _ => Element::U32,
            };
            *place = (data::bits(number, element)? as u32).to_le_bytes();
        }
    }
    if !content.pointers.is_empty() {
        let text = "addresses of buffers in push constants".to_owned();
        return Err(LabError::Unsupported(text));
    }
    Ok(content)
}

/// The rules that a shader's floats are compared by, in words.
fn rules(source: &Source) -> String {
    let mut all: Vec<String> = Vec::new();
    let places = source.regions.iter().filter(|r| !r.uniform);
    for place in places.flat_map(|r| &r.content.places) {
        let rule = match place.rule {
            Rule::Ulp(_) | Rule::Absolute(_) if !place.element.is_float() => Rule::Bits,
            rule => rule,
        };
        let text = rule.to_string();
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all.join(", ")
}

/// What RADV is asked for a wave size.
pub fn request(source: &Source, wave: u32) -> radv::Request {
    radv::Request {
        spirv: source.spirv.clone(),
        entry: source.interface.entry.clone(),
        buffers: source
            .interface
            .buffers
            .iter()
            .map(|b| (b.set, b.binding, b.uniform))
            .collect(),
        push_bytes: source.push.bytes.len() as u32,
        wave,
    }
}

/// Writes the case of a compiled source: its code, its case file, its sheet.
///
/// # Errors
/// A file cannot be written.
pub fn prepare(
    source: &Source,
    code: &Code,
    target: &str,
    wave: u32,
    folder: &Path,
) -> Result<Sheet, LabError> {
    let mut sheet = Sheet::new(&source.name, &source.directives.point, "glsl", target, wave);
    let stem = sheet.stem();
    let bytes: Vec<u8> = code.words.iter().flat_map(|w| w.to_le_bytes()).collect();
    write(&folder.join(format!("{stem}.bin")), &bytes)?;
    let case = format!("{stem}.case.toml");
    write(
        &folder.join(&case),
        text(source, code, target, wave).as_bytes(),
    )?;
    sheet.case = Some(case);
    sheet.instructions = code.instructions;
    sheet.compile_us = Some(code.compile_us);
    sheet.original_words = Some(source.words);
    sheet.loops = source.interface.loops;
    sheet.subgroup_dependent = dependent(source);
    sheet.rule = rules(source);
    sheet.why.clone_from(&source.why);
    sheet.regions = source
        .regions
        .iter()
        .filter(|r| !r.uniform)
        .map(|r| Compared {
            region: r.name.clone(),
            places: r.content.places.clone(),
            expected: None,
        })
        .collect();
    sheet.write(folder)?;
    Ok(sheet)
}

fn dependent(source: &Source) -> bool {
    let said = source.directives.subgroup_dependent;
    said.unwrap_or(source.interface.subgroups)
}

fn text(source: &Source, code: &Code, target: &str, wave: u32) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_case(&mut out, source, code, target, wave);
    out
}

fn write_case(
    out: &mut String,
    source: &Source,
    code: &Code,
    target: &str,
    wave: u32,
) -> std::fmt::Result {
    let groups = source.directives.grid();
    let file = source.name.replace(['/', '\\'], ".");
    writeln!(out, "# {}", source.directives.point)?;
    writeln!(out, "# Written by the lab.\n[shader]")?;
    writeln!(
        out,
        "target = \"{target}\"\nstage = \"compute\"\nwave = {wave}"
    )?;
    writeln!(out, "code = \"{file}.{target}.w{wave}.bin\"\n\n[launch]")?;
    writeln!(
        out,
        "groups = {groups:?}\nlocal = {:?}",
        source.interface.local
    )?;
    writeln!(out, "lds = {}", code.lds)?;
    let mut sgprs = Vec::new();
    if code.scratch > 0 {
        writeln!(
            out,
            "scratch = {{ bytes = {}, via = \"rings\" }}",
            code.scratch
        )?;
    } else {
        sgprs = vec!["0x0".to_owned(); 2];
    }
    let (push, _) = source.push.bytes.as_chunks::<4>();
    let push: Vec<u32> = push.iter().map(|c| u32::from_le_bytes(*c)).collect();
    for sgpr in &code.sgprs {
        sgprs.push(match sgpr {
            Sgpr::Set => "{ lo = \"set\" }".to_owned(),
            Sgpr::PushPointer => "{ lo = \"push\" }".to_owned(),
            Sgpr::Push(dword) => {
                let value = push.get(*dword as usize).copied().unwrap_or(0);
                format!("{value:#x}")
            }
            Sgpr::Grid(axis) => {
                let count = groups.get(usize::from(*axis)).copied().unwrap_or(1);
                format!("{count:#x}")
            }
            Sgpr::GridLow => "{ lo = \"grid\" }".to_owned(),
            Sgpr::GridHigh => "{ hi = \"grid\" }".to_owned(),
        });
    }
    writeln!(out, "sgprs = [{}]", sgprs.join(", "))?;
    let axes = ["x", "y", "z"];
    let mut system: Vec<String> = axes
        .iter()
        .zip(code.group_ids)
        .filter(|(_, used)| *used)
        .map(|(axis, _)| format!("\"group_id_{axis}\""))
        .collect();
    if code.tg_size {
        system.push("\"tg_size\"".to_owned());
    }
    if code.scratch > 0 {
        system.push("\"scratch_offset\"".to_owned());
    }
    writeln!(out, "system_sgprs = [{}]", system.join(", "))?;
    write_modes(out, source)?;
    if code.sgprs.contains(&Sgpr::Set) {
        writeln!(out, "\n[[memory]]\nname = \"set\"")?;
        writeln!(out, "address = \"{SET_ADDRESS:#x}\"")?;
        let words: Vec<String> = source
            .regions
            .iter()
            .flat_map(descriptor)
            .map(|w| format!("{w:#010x}"))
            .collect();
        writeln!(out, "u32 = [{}]", words.join(", "))?;
    }
    if code.sgprs.contains(&Sgpr::PushPointer) {
        writeln!(out, "\n[[memory]]\nname = \"push\"")?;
        writeln!(out, "address = \"{PUSH_ADDRESS:#x}\"\nu32 = {push:?}")?;
    }
    if code.sgprs.contains(&Sgpr::GridLow) {
        writeln!(out, "\n[[memory]]\nname = \"grid\"\nu32 = {groups:?}")?;
    }
    for region in &source.regions {
        writeln!(out, "\n[[memory]]\nname = \"{}\"", region.name)?;
        writeln!(out, "address = \"{:#x}\"", region.address)?;
        writeln!(out, "file = \"{}\"", region.file)?;
    }
    writeln!(out, "\n[original]\nspirv = \"{file}.spv\"")?;
    writeln!(out, "entry = \"{}\"", source.interface.entry)?;
    if dependent(source) {
        writeln!(out, "subgroup_dependent = true")?;
    }
    if !push.is_empty() {
        writeln!(out, "push = {push:?}")?;
    }
    writeln!(out, "bindings = [")?;
    for (buffer, region) in source.interface.buffers.iter().zip(&source.regions) {
        writeln!(
            out,
            "    {{ set = {}, binding = {}, memory = \"{}\", uniform = {} }},",
            buffer.set, buffer.binding, region.name, region.uniform
        )?;
    }
    writeln!(out, "]")?;
    let pointers: Vec<String> = source
        .regions
        .iter()
        .flat_map(|r| r.content.pointers.iter().map(move |p| (r, p)))
        .map(|(region, (offset, to))| {
            let names = source.interface.buffers.iter().zip(&source.regions);
            let to = names.clone().find(|(b, _)| b.name == *to);
            let to = to.map_or("", |(_, r)| r.name.as_str());
            format!(
                "    {{ memory = \"{}\", offset = {offset}, to = \"{to}\" }},",
                region.name
            )
        })
        .collect();
    if !pointers.is_empty() {
        writeln!(out, "addresses = [\n{}\n]", pointers.join("\n"))?;
    }
    Ok(())
}

/// MODE, where the module asks for another than RADV's own.
fn write_modes(out: &mut String, source: &Source) -> std::fmt::Result {
    use spirv::ExecutionMode::{
        DenormFlushToZero, DenormPreserve, RoundingModeRTE, RoundingModeRTZ,
    };
    let mut keys = Vec::new();
    for &(mode, width) in &source.interface.modes {
        let group = if width == 32 { "32" } else { "16_64" };
        let key = match mode {
            DenormPreserve => format!("denorm{group} = \"allow\""),
            DenormFlushToZero => format!("denorm{group} = \"flush\""),
            RoundingModeRTE => format!("round{group} = \"rne\""),
            RoundingModeRTZ => format!("round{group} = \"rtz\""),
            _ => continue,
        };
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    if keys.is_empty() {
        return Ok(());
    }
    writeln!(out, "mode = {{ {} }}", keys.join(", "))
}

/// The V# that RADV makes of a buffer on gfx10: stride 0, so that records are bytes; 32_FLOAT; raw bounds.
fn descriptor(region: &Region) -> [u32; 4] {
    const FORMAT_32_FLOAT: u32 = 22;
    const RAW: u32 = 3;
    let fields = [
        (vsharp::BASE_LO, region.address as u32),
        (vsharp::BASE_HI, (region.address >> 32) as u32 & 0xffff),
        (vsharp::NUM_RECORDS, region.content.bytes.len() as u32),
        (vsharp::FORMAT, FORMAT_32_FLOAT),
        (vsharp::RESOURCE_LEVEL, 1),
        (vsharp::OOB_SELECT, RAW),
    ];
    let words = fields
        .into_iter()
        .fold([0; 4], |words, (field, value)| field.set(words, value));
    let select = vsharp::DST_SEL.into_iter().zip([4, 5, 6, 7]);
    select.fold(words, |words, (field, code)| field.set(words, code))
}
