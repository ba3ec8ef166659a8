//! A resolved case as files: the case file, and beside it the code, each region, and what each region must
//! hold afterwards. What `load` reads of them is the same case again, without its original module. Knows
//! the format and no executor.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use spirdna_isa::launch::{Denorm, InitialVgpr, Launch, Round, SystemSgpr};

use crate::case::{Case, Dispatch};
use crate::format::CompareSpec;

/// Why a case cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The case holds what is not written.
    #[error("a case with {0} is not written")]
    Unsupported(String),
}

/// Writes a case as `STEM.case.toml` and its files into a folder, which must exist; `about` goes into its
/// first lines as a comment. The path of the case file comes back.
///
/// # Errors
/// See [`WriteError`].
pub fn write(case: &Case, folder: &Path, stem: &str, about: &str) -> Result<PathBuf, WriteError> {
    let save = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        match std::fs::write(&path, bytes) {
            Ok(()) => Ok(path),
            Err(error) => Err(WriteError::File { path, error }),
        }
    };
    let unsupported = |what: &str| WriteError::Unsupported(what.to_owned());
    let [dispatch] = case.dispatches.as_slice() else {
        return Err(unsupported("more than one dispatch"));
    };
    let mut text = String::new();
    for line in about.lines() {
        line_of(&mut text, format_args!("# {line}"));
    }
    if case.undefined_reads {
        line_of(&mut text, format_args!("undefined_reads = true"));
    }
    let code = format!("{stem}.bin");
    let bytes: Vec<u8> = dispatch.code.iter().flat_map(|w| w.to_le_bytes()).collect();
    save(&code, &bytes)?;
    shader(&mut text, dispatch, &code)?;
    for (index, region) in case.memory.regions().iter().enumerate() {
        let file = format!("{stem}.{index}.bin");
        save(&file, &region.bytes)?;
        line_of(
            &mut text,
            format_args!(
                "\n[[memory]]\nname = {:?}\naddress = \"{:#x}\"\nfile = {file:?}",
                region.name, region.address
            ),
        );
    }
    for (index, expect) in case.expects.iter().enumerate() {
        let region = case.memory.get(expect.region);
        let region = region.ok_or_else(|| unsupported("an expectation of no region"))?;
        if expect.compare != CompareSpec::Bits {
            return Err(unsupported("an expectation that is not of bits"));
        }
        let file = format!("{stem}.{index}.expect.bin");
        save(&file, &expect.bytes)?;
        line_of(
            &mut text,
            format_args!(
                "\n[[expect]]\nmemory = {:?}\noffset = {}\nfile = {file:?}",
                region.name, expect.offset
            ),
        );
    }
    save(&format!("{stem}.case.toml"), text.as_bytes())
}

/// Adds a line.
fn line_of(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = text.write_fmt(line);
    text.push('\n');
}

fn shader(text: &mut String, dispatch: &Dispatch, code: &str) -> Result<(), WriteError> {
    let launch = &dispatch.launch;
    if launch.stage.is_graphics() {
        return Err(WriteError::Unsupported("a graphics stage".to_owned()));
    }
    line_of(
        text,
        format_args!(
            "\n[shader]\ntarget = \"{}\"\nwave = {}\ncode = {code:?}\n\n[launch]",
            launch.target.name(),
            launch.wave.lanes()
        ),
    );
    if launch.partial_groups {
        line_of(text, format_args!("threads = {:?}", dispatch.threads));
    } else {
        line_of(text, format_args!("groups = {:?}", dispatch.groups));
    }
    line_of(
        text,
        format_args!(
            "local = {:?}\nlds = {}\nscratch = {}",
            launch.local, launch.lds_bytes, launch.scratch_bytes
        ),
    );
    let sgprs: Vec<String> = dispatch
        .user_sgprs
        .iter()
        .map(|v| format!("{v:#x}"))
        .collect();
    line_of(text, format_args!("sgprs = [{}]", sgprs.join(", ")));
    let system = launch.system_sgprs.iter().map(|s| match s {
        SystemSgpr::GroupId(0) => "\"group_id_x\"",
        SystemSgpr::GroupId(1) => "\"group_id_y\"",
        SystemSgpr::GroupId(_) => "\"group_id_z\"",
        SystemSgpr::TgSize => "\"tg_size\"",
        SystemSgpr::ScratchOffset => "\"scratch_offset\"",
    });
    let system: Vec<&str> = system.collect();
    line_of(text, format_args!("system_sgprs = [{}]", system.join(", ")));
    vgprs(text, launch)?;
    line_of(text, format_args!("vgpr_count = {}", launch.vgpr_count));
    init(text, launch);
    mode(text, launch);
    Ok(())
}

/// Ids fill v0, v1, … in their order; other registers are named.
fn vgprs(text: &mut String, launch: &Launch) -> Result<(), WriteError> {
    let mut entries = Vec::new();
    let mut named = 0;
    for (reg, content) in &launch.vgprs {
        match content {
            InitialVgpr::LocalId(axis) => {
                if *reg != named {
                    let text = "ids of threads elsewhere than in v0 and behind it";
                    return Err(WriteError::Unsupported(text.to_owned()));
                }
                named += 1;
                let axis = ["x", "y", "z"].get(usize::from(*axis)).unwrap_or(&"z");
                entries.push(format!("\"local_id_{axis}\""));
            }
            InitialVgpr::PerLane(values) => {
                let values: Vec<String> = values.iter().map(|v| format!("{v:#x}")).collect();
                let values = values.join(", ");
                entries.push(format!("{{ reg = {reg}, u32 = [{values}] }}"));
            }
            InitialVgpr::Stage(_) => {
                return Err(WriteError::Unsupported("a graphics stage".to_owned()));
            }
        }
    }
    line_of(text, format_args!("vgprs = [{}]", entries.join(", ")));
    Ok(())
}

fn init(text: &mut String, launch: &Launch) {
    let mut keys = vec![
        format!("code = \"{:#x}\"", launch.code_address),
        format!("entry = {}", launch.entry),
    ];
    keys.extend(launch.exec.map(|v| format!("exec = \"{v:#x}\"")));
    keys.extend(launch.vcc.map(|v| format!("vcc = \"{v:#x}\"")));
    keys.extend(launch.m0.map(|v| format!("m0 = {v:#x}")));
    line_of(text, format_args!("init = {{ {} }}", keys.join(", ")));
}

fn mode(text: &mut String, launch: &Launch) {
    let mode = &launch.mode;
    let round = |round| match round {
        Round::NearestEven => "rne",
        Round::PlusInfinity => "pinf",
        Round::MinusInfinity => "ninf",
        Round::TowardZero => "rtz",
    };
    let denorm = |denorm| match denorm {
        Denorm::FlushInOut => "flush",
        Denorm::FlushOut => "flush_out",
        Denorm::FlushIn => "flush_in",
        Denorm::Allow => "allow",
    };
    line_of(
        text,
        format_args!(
            "mode = {{ round32 = \"{}\", round16_64 = \"{}\", denorm32 = \"{}\", denorm16_64 = \"{}\", \
             ieee = {}, dx10_clamp = {}, fp16_ovfl = {} }}",
            round(mode.round32),
            round(mode.round16_64),
            denorm(mode.denorm32),
            denorm(mode.denorm16_64),
            mode.ieee,
            mode.dx10_clamp,
            mode.fp16_ovfl
        ),
    );
}
