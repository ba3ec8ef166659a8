//! Where the corpora come from: Debian packages, downloaded once with apt into a folder that git ignores
//! (`target/corpus`, or `SPIRDNA_CORPUS`, which may hold them already), and unpacked there. Knows no
//! instruction.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// Names a folder with the packages, or in which to put them.
const FOLDER: &str = "SPIRDNA_CORPUS";

/// The source package whose tests are a corpus.
const LLVM: &str = "llvm-toolchain-19";

/// The folder of downloads.
pub struct Folder(PathBuf);

impl Folder {
    /// Opens the folder, making it where missing.
    pub fn open(root: &Path) -> Result<Folder> {
        let path = match std::env::var_os(FOLDER) {
            Some(path) => root.join(path),
            None => root.join("target/corpus"),
        };
        std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(Folder(path))
    }

    /// LLVM's disassembler tests of gfx10, in the order of their names.
    pub fn disassembler_tests(&self) -> Result<Vec<PathBuf>> {
        let unpacked = self.0.join("llvm-tests");
        if !unpacked.is_dir() {
            let orig = |name: &str| name.starts_with(LLVM) && name.contains(".orig.tar.");
            if self.find(orig)?.is_none() {
                self.download_source()?;
            }
            let Some(archive) = self.find(orig)? else {
                bail!(
                    "apt-get source {LLVM} left no .orig.tar in {}",
                    self.0.display()
                );
            };
            let part = self.0.join("llvm-tests.part");
            std::fs::create_dir_all(&part)?;
            checked(
                Command::new("tar")
                    .arg("-xf")
                    .arg(&archive)
                    .arg("-C")
                    .arg(&part)
                    .args(["--strip-components=6", "--wildcards"])
                    .arg("*/llvm/test/MC/Disassembler/AMDGPU/gfx10*.txt"),
            )?;
            std::fs::rename(&part, &unpacked)?;
        }
        let mut files = list(&unpacked)?;
        files.retain(|p| p.extension().is_some_and(|e| e == "txt"));
        ensure!(!files.is_empty(), "no tests in {}", unpacked.display());
        Ok(files)
    }

    /// The shared objects of a package.
    pub fn library(&self, package: &str) -> Result<Vec<PathBuf>> {
        let unpacked = self.0.join(package);
        if !unpacked.is_dir() {
            let mine =
                |name: &str| name.split('_').next() == Some(package) && name.ends_with(".deb");
            if self.find(mine)?.is_none() {
                let mut apt = Command::new("apt-get");
                checked(apt.args(["download", package]).current_dir(&self.0))?;
            }
            let Some(archive) = self.find(mine)? else {
                bail!(
                    "apt-get download {package} left no .deb in {}",
                    self.0.display()
                );
            };
            let part = self.0.join(format!("{package}.part"));
            checked(Command::new("dpkg-deb").arg("-x").arg(&archive).arg(&part))?;
            std::fs::rename(&part, &unpacked)?;
        }
        let mut found = Vec::new();
        shared_objects(&unpacked, &mut found)?;
        ensure!(!found.is_empty(), "no library in {}", unpacked.display());
        Ok(found)
    }

    /// The file whose name fits.
    fn find(&self, fits: impl Fn(&str) -> bool) -> Result<Option<PathBuf>> {
        let name = |p: &PathBuf| p.file_name().is_some_and(|n| fits(&n.to_string_lossy()));
        Ok(list(&self.0)?.into_iter().find(name))
    }

    /// Source packages need entries of their own in apt's lists: those of the installed Debian release
    /// with the type changed, kept in this folder and not in the system's.
    fn download_source(&self) -> Result<()> {
        let (deb822, lines) = source_entries()?;
        let apt = self.0.join("apt");
        let parts = apt.join("sources");
        for sub in ["sources", "lists/partial", "cache"] {
            std::fs::create_dir_all(apt.join(sub))?;
        }
        std::fs::write(parts.join("release.sources"), deb822)?;
        std::fs::write(parts.join("release.list"), lines)?;
        let option = |key: &str, value: &Path| format!("{key}={}", value.display());
        let options = [
            option("Dir::Etc::SourceList", Path::new("/dev/null")),
            option("Dir::Etc::SourceParts", &parts),
            option("Dir::State::Lists", &apt.join("lists")),
            option("Dir::Cache", &apt.join("cache")),
        ];
        for command in [&["update"][..], &["source", "--download-only", LLVM]] {
            let mut run = Command::new("apt-get");
            for option in &options {
                run.args(["-o", option]);
            }
            checked(run.args(command).current_dir(&self.0))?;
        }
        Ok(())
    }
}

fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths = entries.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Regular files named `*.so*`; the links beside them name the same bytes.
fn shared_objects(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for path in list(folder)? {
        let kind = std::fs::symlink_metadata(&path)?.file_type();
        let named = || {
            path.file_name()
                .is_some_and(|n| n.to_string_lossy().contains(".so"))
        };
        if kind.is_dir() {
            shared_objects(&path, found)?;
        } else if kind.is_file() && named() {
            found.push(path);
        }
    }
    Ok(())
}

/// apt's entries for the installed release as entries for source packages: in the two formats that apt
/// reads.
fn source_entries() -> Result<(String, String)> {
    let release = std::fs::read_to_string("/etc/os-release").context("/etc/os-release")?;
    let codename = release
        .lines()
        .find_map(|l| l.strip_prefix("VERSION_CODENAME="))
        .context("/etc/os-release names no release")?;
    let mut files = list(Path::new("/etc/apt/sources.list.d"))?;
    files.push("/etc/apt/sources.list".into());
    let (mut deb822, mut lines) = (String::new(), String::new());
    for path in files.iter().filter(|p| p.is_file()) {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        match path.extension().and_then(|e| e.to_str()) {
            Some("sources") => {
                for stanza in text.split("\n\n").filter(|s| names_suite(s, codename)) {
                    deb822 += &stanza.replace("Types: deb\n", "Types: deb-src\n");
                    deb822 += "\n\n";
                }
            }
            _ => {
                for line in text.lines().filter(|l| names_suite(l, codename)) {
                    if let Some(rest) = line.strip_prefix("deb ") {
                        lines += &format!("deb-src {rest}\n");
                    }
                }
            }
        }
    }
    Ok((deb822, lines))
}

/// Whether an entry is for the release or its updates.
fn names_suite(entry: &str, codename: &str) -> bool {
    entry.split_whitespace().any(|word| {
        word.strip_prefix(codename)
            .is_some_and(|rest| matches!(rest, "" | "-updates" | "-security"))
    })
}

fn checked(command: &mut Command) -> Result<()> {
    let status = command
        .stdout(std::process::Stdio::null())
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}
