//! Options of a translation that several commands share.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use spirdna_case::code::read_text;
use spirdna_case::profile::profile_from_toml;
use spirdna_translate::options::{Divergence, Fidelity, Grid, MemoryModel, Nans, Options};
use spirdna_translate::profile::HostProfile;

use crate::error::CliError;

#[derive(Args)]
pub(crate) struct Translation {
    /// A host profile: a TOML file, whose keys are those of the library's `HostProfile`.
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Float results: the hardware's bits, or the host's own operations.
    #[arg(long, value_enum, default_value = "exact")]
    fidelity: FidelityName,
    /// Which NaN an exact float result is that is one: the hardware's, or any.
    #[arg(long, value_enum, default_value = "payload")]
    nan: NanName,
    /// How guest addresses become places on the host.
    #[arg(long, value_enum, default_value = "window")]
    memory: MemoryName,
    /// Promise the translator nothing of the descriptors that a case file has in user SGPRs and in
    /// the regions that they point to.
    #[arg(long)]
    pub(crate) no_facts: bool,
    /// Times that a wave may go back in its loops, all together; then it ends with a recorded fault.
    #[arg(long, value_name = "N")]
    loop_budget: Option<u32>,
    /// What becomes of branches on masks where one invocation is one lane: the wave's flow, or lanes that part.
    #[arg(long, value_enum, default_value = "uniform")]
    divergence: DivergenceName,
    /// Let the caller dispatch a grid in parts: add the group base of the push constants to workgroup ids.
    #[arg(long)]
    grid_parts: bool,
    /// Bind the buffers of a case file that only their descriptor leads to as storage buffers of their own.
    #[arg(long, conflicts_with = "no_facts")]
    pub(crate) bind: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FidelityName {
    Exact,
    Fast,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NanName {
    Payload,
    Any,
}

/// A model of guest memory.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MemoryName {
    /// Windows into one storage buffer.
    Window,
    /// Device addresses by a constant.
    Offset,
    /// Device addresses by a page table.
    Pages,
}

impl From<MemoryName> for MemoryModel {
    fn from(name: MemoryName) -> MemoryModel {
        match name {
            MemoryName::Window => MemoryModel::Windows,
            MemoryName::Offset => MemoryModel::Offset,
            MemoryName::Pages => MemoryModel::Pages,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DivergenceName {
    Uniform,
    Branches,
}

impl DivergenceName {
    /// As the library names it.
    pub(crate) const fn divergence(self) -> Divergence {
        match self {
            DivergenceName::Uniform => Divergence::Uniform,
            DivergenceName::Branches => Divergence::Branches,
        }
    }
}

impl Translation {
    /// The profile file, read.
    pub(crate) fn profile(&self) -> Result<Option<HostProfile>, CliError> {
        self.profile.as_deref().map(read_profile).transpose()
    }

    /// The translator's options.
    pub(crate) fn options(&self) -> Result<Options, CliError> {
        let fidelity = match self.fidelity {
            FidelityName::Exact => Fidelity::Exact,
            FidelityName::Fast => Fidelity::Fast,
        };
        let nans = match self.nan {
            NanName::Payload => Nans::Payload,
            NanName::Any => Nans::Any,
        };
        Ok(Options {
            fidelity,
            nans,
            memory: self.memory.into(),
            loop_budget: self.loop_budget,
            divergence: self.divergence.divergence(),
            grid: if self.grid_parts {
                Grid::Parts
            } else {
                Grid::Whole
            },
            ..Options::default()
        })
    }

    /// Whether results have the hardware's bits.
    pub(crate) fn is_exact(&self) -> bool {
        self.fidelity == FidelityName::Exact && self.nan == NanName::Payload
    }

    /// The same as arguments of a child process.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let mut list: Vec<OsString> = Vec::new();
        if let Some(path) = &self.profile {
            list.extend(["--profile".into(), path.clone().into_os_string()]);
        }
        if self.no_facts {
            list.push("--no-facts".into());
        }
        if let Some(n) = self.loop_budget {
            list.extend(["--loop-budget".into(), n.to_string().into()]);
        }
        if self.bind {
            list.push("--bind".into());
        }
        if self.grid_parts {
            list.push("--grid-parts".into());
        }
        for (name, value) in [
            ("--fidelity", self.fidelity.to_possible_value()),
            ("--nan", self.nan.to_possible_value()),
            ("--memory", self.memory.to_possible_value()),
            ("--divergence", self.divergence.to_possible_value()),
        ] {
            if let Some(value) = value {
                list.extend([name.into(), value.get_name().into()]);
            }
        }
        list
    }
}

/// Reads a profile file.
pub(crate) fn read_profile(path: &Path) -> Result<HostProfile, CliError> {
    let text = read_text(path)?;
    profile_from_toml(&text).map_err(|error| CliError::Profile {
        path: path.to_owned(),
        error,
    })
}

/// The profile where none is given: nothing optional of a host but addresses of buffers, which only two
/// memory models ask for, with the limits that every desktop
/// GPU and lavapipe have.
pub(crate) fn default_profile(subgroup_size: u32) -> HostProfile {
    HostProfile {
        buffer_device_address: true,
        max_workgroup_memory: 32 << 10,
        max_workgroup_invocations: 1024,
        ..HostProfile::portable(subgroup_size)
    }
}
