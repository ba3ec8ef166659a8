//! `cargo xtask`: developer commands. Owns what a contributor runs by hand or CI runs for them; the
//! product (`spirdna`) knows nothing of it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use spirdna_lab::place::Place;
mod bench;
mod check;
mod corpus;
mod d16;
mod draws;
mod lab;
mod layouts;
mod library;
mod pack;
mod seeds;
mod setup;

#[derive(Parser)]
#[command(about = "Developer commands of Spirdna")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install the Debian packages that the tests use, where missing.
    Setup,
    /// Set up, then run the whole check: format, lints, all tests.
    Test,
    /// Derive every encoding's layout from llvm-mc's words and print it beside the ISA table.
    Layouts {
        /// Only sections whose name starts so (`smem`, `vop3b`).
        names: Vec<String>,
    },
    /// Measure decoding in release, beside llvm-mc on the same bytes.
    BenchDecode,
    /// Measure decoding and translation in release, beside llvm-mc and RADV's compiler: time, each phase's
    /// share, growth, memory, keys.
    Bench,
    /// Compare decode and text with LLVM over LLVM's own tests (`mc`) and every gfx1030 instruction of
    /// two Debian libraries (`rocrand`, `rocsparse`). Downloads some 270 MB into target/corpus, or uses
    /// what is in SPIRDNA_CORPUS.
    SweepCorpus {
        /// Only these.
        names: Vec<String>,
    },
    /// Make everything under seeds/shaders/ again from the sources.
    Seeds {
        /// Only these seeds (folder names).
        names: Vec<String>,
    },
    /// Make everything under seeds/library/ again from the gfx1030 code objects of Debian's librocrand1
    /// and librocsparse0.
    LibrarySeeds {
        /// The folder with `rand/*.co` and `sparse/*.co`.
        libraries: PathBuf,
        /// Only these seeds (folder names).
        names: Vec<String>,
    },
    /// Make the cases of D16 format loads and scalar loads under seeds/vectors/d16/ again.
    D16Cases,
    /// Make modules and code of the draws under seeds/lab/graphics/ again.
    Draws {
        /// Only these (folder names).
        names: Vec<String>,
    },
    /// Print the listing that RADV makes of a draw's modules (used by `draws`).
    #[command(hide = true)]
    RadvDraw {
        /// The draw file.
        file: PathBuf,
    },
    /// Run shaders through real AMD compilers and back, and compare with their sources.
    Lab(lab::Arguments),
    /// Make one archive that runs a device suite elsewhere.
    Pack(pack::Arguments),
    /// Run prepared cases that standard input names (used by `lab`).
    #[command(hide = true)]
    LabChild(Place),
    /// Search a case for its first difference (used by `lab --bisect`).
    #[command(hide = true)]
    LabBisect {
        #[command(flatten)]
        place: Place,
        /// The case file.
        case: PathBuf,
        /// The folder for what is found.
        #[arg(long)]
        out: PathBuf,
    },
    /// Compile modules with the driver that the environment names (used by `lab` and `seeds`).
    #[command(hide = true)]
    LabCompile {
        /// The file of requests.
        requests: PathBuf,
    },
}

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Setup => setup::run(),
        Command::Test => check::run(&root()?),
        Command::BenchDecode => bench::run(&root()?),
        Command::Bench => bench::run_all(&root()?),
        Command::SweepCorpus { names } => corpus::run(&root()?, names),
        Command::Layouts { names } => layouts::run(names),
        Command::Seeds { names } => {
            seeds::run(&root()?, names)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::LibrarySeeds { libraries, names } => {
            library::run(&root()?, libraries, names)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::D16Cases => {
            d16::run(&root()?)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Draws { names } => {
            draws::run(&root()?, names)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::RadvDraw { file } => {
            draws::radv_draw(file)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Lab(arguments) => lab::run(&root()?, arguments),
        Command::Pack(arguments) => pack::run(&root()?, arguments),
        Command::LabChild(place) => lab::child(place),
        Command::LabBisect { place, case, out } => lab::bisect_child(place, case, out),
        Command::LabCompile { requests } => lab::compile(requests),
    }
}

/// The workspace root: this crate's grandparent folder.
fn root() -> anyhow::Result<PathBuf> {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors()
        .nth(2)
        .map(PathBuf::from)
        .ok_or_else(|| anyhow::anyhow!("no workspace above {}", here.display()))
}
