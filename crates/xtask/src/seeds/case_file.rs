//! Writes a seed's case file (docs: the case format). Owns the text's shape and the descriptor words; it
//! knows no shader.

use std::fmt::Write;

use super::seed::{Buffer, Contents, FILL, Seed, Source};

/// Where RADV's descriptor sets live: the code extends a 32-bit pointer with `s_movk_i32 _, 0x8000`.
const SET_ADDRESS: u64 = 0xffff_8000_0002_0000;

/// Word 3 of the V# that RADV makes for a storage buffer on gfx10: dst_sel x, y, z, w; format 22
/// (32_FLOAT) at bit 12; resource_level at bit 24; oob_select 3 (raw) at bit 28.
const STORAGE_BUFFER_WORD3: u32 =
    4 | (5 << 3) | (6 << 6) | (7 << 9) | (22 << 12) | (1 << 24) | (3 << 28);

/// The whole case file.
pub fn text(seed: &Seed) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_case(&mut out, seed);
    out
}

fn write_case(out: &mut String, seed: &Seed) -> std::fmt::Result {
    let Seed {
        name,
        wave,
        groups,
        local,
        lds,
        buffers,
        ..
    } = seed;
    writeln!(out, "# Written by `cargo xtask seeds`.")?;
    writeln!(out, "[shader]")?;
    writeln!(out, "target = \"gfx1030\"")?;
    writeln!(out, "stage = \"compute\"")?;
    writeln!(out, "wave = {wave}")?;
    match &seed.source {
        Source::Glsl { .. } => writeln!(out, "code = \"{}\"", seed.code_file())?,
        Source::OpenCl { .. } => {
            writeln!(out, "elf = \"{}\"", seed.code_file())?;
            writeln!(out, "kernel = \"{name}\"")?;
        }
    }
    writeln!(out, "\n[launch]")?;
    writeln!(out, "groups = {groups:?}")?;
    writeln!(out, "local = {local:?}")?;
    match &seed.source {
        Source::Glsl {
            push,
            grid_size,
            group_ids,
            tg_size,
            local_ids,
            ..
        } => {
            writeln!(out, "lds = {lds}")?;
            let mut sgprs = vec![
                "0x0".to_owned(),
                "0x0".to_owned(),
                "{ lo = \"set\" }".to_owned(),
            ];
            sgprs.extend(push.iter().map(|word| format!("{word:#x}")));
            if *grid_size {
                sgprs.extend(groups.iter().map(|count| format!("{count:#x}")));
            }
            writeln!(
                out,
                "# s[0:1]: ring offsets (unused); s2: low half of the descriptor set's address; then push\n\
                 # constants; then the grid's size in workgroups: each only where the shader uses it."
            )?;
            writeln!(out, "sgprs = [{}]", sgprs.join(", "))?;
            let names = |prefix: &str, count: usize| {
                let list: Vec<String> = ["x", "y", "z"]
                    .iter()
                    .take(count)
                    .map(|axis| format!("\"{prefix}_{axis}\""))
                    .collect();
                list
            };
            let mut system = names("group_id", *group_ids);
            if *tg_size {
                system.push("\"tg_size\"".to_owned());
            }
            writeln!(out, "system_sgprs = [{}]", system.join(", "))?;
            let vgprs = names("local_id", *local_ids);
            writeln!(out, "vgprs = [{}]", vgprs.join(", "))?;
        }
        Source::OpenCl { scalars } => {
            let mut arguments: Vec<String> = buffers
                .iter()
                .map(|b| format!("{{ memory = \"{}\" }}", b.name))
                .collect();
            arguments.extend(scalars.iter().cloned());
            writeln!(out, "kernarg = [{}]", arguments.join(", "))?;
        }
    }
    if let Source::Glsl { .. } = seed.source {
        writeln!(
            out,
            "\n# One V# a storage buffer, 16 bytes each in the order of the bindings."
        )?;
        writeln!(out, "[[memory]]")?;
        writeln!(out, "name = \"set\"")?;
        writeln!(out, "address = \"{SET_ADDRESS:#x}\"")?;
        let words: Vec<u32> = buffers.iter().flat_map(descriptor).collect();
        write_list(out, "u32", words.iter().map(|w| format!("{w:#010x}")), 4)?;
    }
    for buffer in buffers {
        write_memory(out, buffer)?;
    }
    for buffer in buffers {
        if let Some(after) = &buffer.after {
            writeln!(out, "\n[[expect]]")?;
            writeln!(out, "memory = \"{}\"", buffer.name)?;
            writeln!(out, "offset = 0")?;
            write_list(out, "u32", after.iter().map(|w| format!("{w:#010x}")), 8)?;
            writeln!(out, "compare = \"bits\"")?;
        }
    }
    if let Source::Glsl {
        push,
        wave_dependent,
        ..
    } = &seed.source
    {
        writeln!(out)?;
        writeln!(out, "[original]")?;
        writeln!(out, "spirv = \"{name}.spv\"")?;
        if *wave_dependent {
            writeln!(out, "subgroup_dependent = true")?;
        }
        if !push.is_empty() {
            let words: Vec<String> = push.iter().map(|word| format!("{word:#x}")).collect();
            writeln!(out, "push = [{}]", words.join(", "))?;
        }
        writeln!(out, "bindings = [")?;
        for (binding, buffer) in buffers.iter().enumerate() {
            writeln!(
                out,
                "    {{ set = 0, binding = {binding}, memory = \"{}\" }},",
                buffer.name
            )?;
        }
        writeln!(out, "]")?;
    }
    Ok(())
}

/// The V# of a storage buffer: stride 0, so that num_records counts bytes.
fn descriptor(buffer: &Buffer) -> [u32; 4] {
    let low = |value: u64| u32::try_from(value & 0xffff_ffff).unwrap_or_default();
    [
        low(buffer.address),
        low(buffer.address >> 32) & 0xffff,
        u32::try_from(buffer.before.bytes()).unwrap_or_default(),
        STORAGE_BUFFER_WORD3,
    ]
}

fn write_memory(out: &mut String, buffer: &Buffer) -> std::fmt::Result {
    writeln!(out, "\n[[memory]]")?;
    writeln!(out, "name = \"{}\"", buffer.name)?;
    writeln!(out, "address = \"{:#x}\"", buffer.address)?;
    match &buffer.before {
        Contents::U32(values) => {
            write_list(out, "u32", values.iter().map(|v| format!("{v:#010x}")), 8)
        }
        Contents::U16(values) => {
            write_list(out, "u16", values.iter().map(|v| format!("{v:#06x}")), 12)
        }
        Contents::F32(values) => {
            // All the digits of the double of the same value: no reader rounds twice.
            let exact = values.iter().map(|&v| format!("{:?}", f64::from(v)));
            write_list(out, "f32", exact, 8)
        }
        Contents::Fill(dwords) => {
            writeln!(out, "size = {}", 4 * dwords)?;
            writeln!(out, "fill = {FILL:#x}")
        }
    }
}

fn write_list(
    out: &mut String,
    key: &str,
    items: impl Iterator<Item = String>,
    columns: usize,
) -> std::fmt::Result {
    let items: Vec<String> = items.collect();
    if items.len() <= columns {
        return writeln!(out, "{key} = [{}]", items.join(", "));
    }
    writeln!(out, "{key} = [")?;
    for row in items.chunks(columns) {
        writeln!(out, "    {},", row.join(", "))?;
    }
    writeln!(out, "]")
}
