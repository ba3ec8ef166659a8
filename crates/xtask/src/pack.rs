//! `cargo xtask pack`: all that a device suite needs, in one folder and one archive, for a machine that has a
//! GPU and nothing else: the release program, the case files, the lab's prepared cases, and one command that
//! runs them and leaves one JSON file. Owns what goes in; what is run is `spirdna suite`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use clap::Args;

/// `pack`.
#[derive(Args)]
pub struct Arguments {
    /// The folder to make; the archive is beside it.
    #[arg(long, default_value = "target/pack")]
    folder: PathBuf,
    /// A folder of Debian packages that the other machine lacks (the Vulkan loader, the driver's libraries):
    /// they are unpacked there over its root before the first run.
    #[arg(long, value_name = "DIR")]
    packages: Option<PathBuf>,
    /// A `spirdna` that is built already; otherwise one is built in release.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Prepared cases of the lab that are made already; otherwise they are prepared.
    #[arg(long, value_name = "DIR")]
    lab: Option<PathBuf>,
    /// Further folders of case files.
    #[arg(long, value_name = "DIR")]
    cases: Vec<PathBuf>,
}

/// The command of the pack.
const SCRIPT: &str = "#!/bin/sh
# Runs the device suite that lies beside this file: run.sh OUT.json [flags of `spirdna suite`]
here=$(cd \"$(dirname \"$0\")\" && pwd)
out=${1:-result.json}
[ $# -gt 0 ] && shift
if [ -d \"$here/packages\" ] && [ ! -e /tmp/spirdna-packages ]; then
    for package in \"$here\"/packages/*.deb; do dpkg -x \"$package\" /; done
    ldconfig
    touch /tmp/spirdna-packages
fi
chmod +x \"$here/bin/spirdna\"
exec \"$here/bin/spirdna\" suite \"$here\" --out \"$out\" \"$@\"
";

fn checked(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}

/// Runs the command.
pub fn run(root: &Path, a: &Arguments) -> Result<ExitCode> {
    let folder = std::path::absolute(root.join(&a.folder))?;
    ensure!(
        !folder.exists(),
        "{} is there already: remove it first",
        folder.display()
    );
    for sub in ["bin", "cases"] {
        std::fs::create_dir_all(folder.join(sub))?;
    }
    let program = match &a.program {
        Some(program) => program.clone(),
        None => {
            let target = std::env::var_os("CARGO_TARGET_DIR");
            let target = target.map_or_else(|| root.join("target"), PathBuf::from);
            checked(
                Command::new("cargo")
                    .args(["build", "--release", "-p", "spirdna-cli"])
                    .current_dir(root),
            )?;
            root.join(target).join("release/spirdna")
        }
    };
    std::fs::copy(&program, folder.join("bin/spirdna"))
        .with_context(|| program.display().to_string())?;
    let own = ["seeds/shaders", "seeds/vectors", "tests/cases"].map(|f| root.join(f));
    for from in own.iter().chain(&a.cases) {
        let name = from.file_name().context("a folder of cases has a name")?;
        copy(from, &folder.join("cases").join(name))?;
    }
    match &a.lab {
        Some(lab) => copy(lab, &folder.join("lab"))?,
        None => checked(
            Command::new(std::env::current_exe()?)
                .args(["lab", "--prepare"])
                .arg(folder.join("lab")),
        )?,
    }
    if let Some(packages) = &a.packages {
        copy(packages, &folder.join("packages"))?;
    }
    std::fs::write(folder.join("run.sh"), SCRIPT)?;
    let archive = folder.with_extension("tar.gz");
    let name = folder.file_name().context("the folder has a name")?;
    let parent = folder.parent().context("the folder has a parent")?;
    checked(
        Command::new("tar")
            .arg("-czf")
            .arg(&archive)
            .arg("-C")
            .arg(parent)
            .arg(name),
    )?;
    let size = std::fs::metadata(&archive)?.len();
    let mut out = std::io::stdout().lock();
    std::io::Write::write_all(
        &mut out,
        format!(
            "{} ({:.1} MB): unpack it there and run `sh {}/run.sh OUT.json`\n",
            archive.display(),
            size as f64 / 1e6,
            name.to_string_lossy()
        )
        .as_bytes(),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Copies a folder with all in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    let entries = std::fs::read_dir(from).with_context(|| from.display().to_string())?;
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target)
                .with_context(|| entry.path().display().to_string())?;
        }
    }
    Ok(())
}
