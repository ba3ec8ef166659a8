//! `cargo xtask setup`: the system packages that the tests use. Owns their list; installs what is
//! missing on Debian, and elsewhere says what is needed.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

/// Debian package, and the program of it that tells whether another system has it (none: a library).
const PACKAGES: [(&str, Option<&str>); 8] = [
    ("mesa-vulkan-drivers", None),
    ("libvulkan1", None),
    ("vulkan-validationlayers", None),
    ("llvm-19", Some("llvm-mc-19")),
    ("clang-19", Some("clang-19")),
    ("lld-19", Some("ld.lld-19")),
    ("spirv-tools", Some("spirv-val")),
    ("glslang-tools", Some("glslangValidator")),
];

/// Exit status where this command cannot help: not Debian, and programs are missing.
const UNSUPPORTED: u8 = 2;

/// Installs what is missing.
pub fn run() -> Result<ExitCode> {
    if !on_path("apt-get") || !on_path("dpkg-query") {
        return Ok(elsewhere());
    }
    let missing: Vec<&str> = PACKAGES
        .iter()
        .map(|&(package, _)| package)
        .filter(|package| !installed(package))
        .collect();
    if missing.is_empty() {
        eprintln!("setup: all {} packages are installed", PACKAGES.len());
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("setup: installing {}", missing.join(" "));
    apt(&["update"])?;
    let mut install = vec!["install", "-y", "--no-install-recommends"];
    install.extend(&missing);
    apt(&install)?;
    for package in missing {
        ensure!(installed(package), "apt-get did not install {package}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Without apt: fine when every program is there, else the list.
fn elsewhere() -> ExitCode {
    let missing: Vec<&str> = PACKAGES
        .iter()
        .filter_map(|&(_, program)| program)
        .filter(|program| !on_path(program))
        .collect();
    if missing.is_empty() {
        eprintln!("setup: not Debian, but every program is on the PATH");
        return ExitCode::SUCCESS;
    }
    eprintln!(
        "setup: installs packages on Debian only. Missing here: {}.\n\
         Also needed: a Vulkan loader, a Vulkan 1.3 driver (Mesa's lavapipe will do) and the Khronos \
         validation layers.\n\
         Debian's names for all of it: {}",
        missing.join(", "),
        PACKAGES.map(|(package, _)| package).join(" ")
    );
    ExitCode::from(UNSUPPORTED)
}

/// Whether dpkg counts the package as installed.
fn installed(package: &str) -> bool {
    Command::new("dpkg-query")
        .args(["-W", "-f=${db:Status-Status}", package])
        .output()
        .is_ok_and(|output| output.status.success() && output.stdout == b"installed")
}

/// Runs apt-get as root, through sudo where this is not root.
fn apt(arguments: &[&str]) -> Result<()> {
    let user = Command::new("id").arg("-u").output().context("id -u")?;
    let mut command = if user.stdout.trim_ascii() == b"0" {
        Command::new("apt-get")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["--preserve-env=DEBIAN_FRONTEND", "apt-get"]);
        sudo
    };
    let status = command
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .context("cannot run apt-get (or sudo, which is needed when not root)")?;
    ensure!(status.success(), "apt-get {} failed", arguments.join(" "));
    Ok(())
}

fn on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
    })
}
