//! The `spirdna` command as a library: arguments and streams in, an exit status out. One module a
//! command; what they share of reading files stands in `input`.

mod asm;
mod bisect;
mod contend;
mod coverage;
mod devices;
mod disasm;
mod draws;
mod error;
mod flow;
mod formats;
mod input;
mod lab;
mod options;
mod probe;
mod prove;
mod run;
mod suite;
mod trace;
mod translate;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use spirdna_isa::Target;

pub use error::{CliError, Exit};

/// Everything that a command writes goes here.
pub(crate) struct Streams<'a> {
    /// Results.
    pub(crate) out: &'a mut dyn Write,
    /// Everything else.
    pub(crate) err: &'a mut dyn Write,
    /// The program to start for work that may hang or crash; `None` does it in this process.
    pub(crate) program: Option<PathBuf>,
}

#[derive(Parser)]
#[command(
    name = "spirdna",
    version,
    about = "Translates AMD RDNA machine code to SPIR-V, exactly or not at all"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print machine code as text, one instruction a line.
    Disasm(disasm::Arguments),
    /// Assemble text to machine code.
    Asm(asm::Arguments),
    /// Translate shaders to SPIR-V.
    Translate(translate::Arguments),
    /// Run case files and compare what they leave in memory with what they expect.
    Run(run::Arguments),
    /// Run a case on the reference and print each instruction with the registers that it changed.
    Trace(trace::Arguments),
    /// Find the first step of a case at which a device's translation and the reference differ.
    Bisect(bisect::Arguments),
    /// Count the opcodes that are decoded, executed and translated.
    Coverage(coverage::Arguments),
    /// Run generated programs for every opcode on the reference and on a Vulkan device.
    Prove(prove::Arguments),
    /// Run atomics of many lanes on one address, and look for an order of the lanes.
    #[command(hide = true)]
    Contend(contend::Arguments),
    /// Run every buffer format through every formatted instruction, against exact arithmetic.
    #[command(hide = true)]
    Formats(formats::Arguments),
    /// Render draw files and compare the pictures with those of the modules that the shaders were compiled from.
    #[command(hide = true)]
    Draws(draws::Arguments),
    /// Run random programs of control flow on the reference and on a device or the machine.
    #[command(hide = true)]
    Flow(flow::Arguments),
    /// Run prepared cases of the round-trip lab.
    #[command(hide = true)]
    Lab(lab::Arguments),
    /// Run everything of a pack on a device, and leave one JSON file.
    #[command(hide = true)]
    Suite(suite::Arguments),
    /// List the Vulkan devices.
    Devices,
    /// Measure what a Vulkan device does with floats and write a host profile for `translate --profile`.
    Probe(probe::Arguments),
}

/// A target, by LLVM's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub(crate) enum TargetName {
    /// RDNA1.
    Gfx1010,
    /// RDNA1 with BVH instructions.
    Gfx1013,
    /// RDNA2.
    Gfx1030,
}

impl From<TargetName> for Target {
    fn from(name: TargetName) -> Target {
        match name {
            TargetName::Gfx1010 => Target::Gfx1010,
            TargetName::Gfx1013 => Target::Gfx1013,
            TargetName::Gfx1030 => Target::Gfx1030,
        }
    }
}

/// Runs a command line (the program's name first). `program` is this program's own file, started
/// again for device runs; without it they happen in this process.
pub fn main_with<I>(
    arguments: I,
    program: Option<PathBuf>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Exit
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(e) => {
            // Help and version are results; everything else is a wrong command line.
            let (stream, exit): (&mut dyn Write, Exit) = if e.use_stderr() {
                (err, Exit::Unusable)
            } else {
                (out, Exit::Success)
            };
            return match write!(stream, "{}", e.render()) {
                Ok(()) => exit,
                Err(_) => Exit::Unusable,
            };
        }
    };
    let mut streams = Streams { out, err, program };
    let result = match &arguments.command {
        Command::Disasm(a) => disasm::run(a, &mut streams),
        Command::Asm(a) => asm::run(a, &mut streams),
        Command::Translate(a) => translate::run(a, &mut streams),
        Command::Run(a) => run::run(a, &mut streams),
        Command::Trace(a) => trace::run(a, &mut streams),
        Command::Bisect(a) => bisect::run(a, &mut streams),
        Command::Coverage(a) => coverage::run(a, &mut streams),
        Command::Prove(a) => prove::run(a, &mut streams),
        Command::Contend(a) => contend::run(a, &mut streams),
        Command::Formats(a) => formats::run(a, &mut streams),
        Command::Draws(a) => draws::run(a, &mut streams),
        Command::Flow(a) => flow::run(a, &mut streams),
        Command::Lab(a) => lab::run(a, &mut streams),
        Command::Suite(a) => suite::run(a, &mut streams),
        Command::Devices => devices::run(&mut streams),
        Command::Probe(a) => probe::run(a, &mut streams),
    };
    match result {
        Ok(exit) => exit,
        // The reader of our output went away (`spirdna … | head`): nobody is left to be told. It is no
        // success either: what would have come after may have failed.
        Err(e) if e.is_broken_pipe() => e.exit(),
        Err(e) => {
            let _ = writeln!(streams.err, "error: {e}");
            e.exit()
        }
    }
}
