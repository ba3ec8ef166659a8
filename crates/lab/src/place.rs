//! Where prepared cases run, as both command lines say it, and the run of many of them there in child
//! processes. Owns the flags; who calls says how a child is started.

use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use spirdna_case::draw::DrawRunner;
use spirdna_case::exec::{Executor, MachineExecutor, MachineSetup, VulkanExecutor, VulkanOptions};
use spirdna_case::profile::profile_from_toml;
use spirdna_translate::options::{Divergence, Fidelity, Options as TranslateOptions};
use spirdna_translate::profile::HostProfile;
use spirdna_vulkan::child::{lavapipe_unoptimised, lavapipe_width};
use spirdna_vulkan::{Device, DeviceChoice, Options as DeviceOptions};

use crate::bisect::{Answer, bisect};
use crate::draws::{self, Drawer};
use crate::error::LabError;
use crate::fault::Fault;
use crate::measure::{self, measure};
use crate::pool::{Pool, serve};
use crate::prepared::Sheet;
use crate::report::Report;
use crate::row::{Row, Verdict};

/// Where and how prepared cases are run.
#[derive(Args, Clone, Debug)]
pub struct Place {
    /// A Vulkan device, by index or a part of its name; `machine`: the SPIR-V machine.
    #[arg(long)]
    pub device: Option<String>,
    /// The subgroup size to translate for; the best that the device has when absent.
    #[arg(long, value_name = "S")]
    pub subgroup_size: Option<u32>,
    /// Processes at a time; one a core when absent.
    #[arg(long)]
    pub processes: Option<usize>,
    /// Seconds that a case may take.
    #[arg(long, default_value_t = 120)]
    pub timeout: u64,
    /// Lanes part where an invocation is a lane and nothing needs the others.
    #[arg(long)]
    pub lanes_part: bool,
    /// Measure run times over this many repetitions. The machine, which has no clock, counts instructions:
    /// a nanosecond each.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub repeat: u32,
    /// Translate floats to the host's own operations.
    #[arg(long)]
    pub fast: bool,
    /// Bind the buffers that only their descriptor leads to as storage buffers of their own.
    #[arg(long)]
    pub bind: bool,
    /// A host profile, as `spirdna probe` writes it; what the device says of itself when absent.
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// Give the device another word wherever the code has a certain one: WORD=WORD.
    #[arg(long, hide = true, value_parser = Fault::parse)]
    pub fault: Option<Fault>,
}

/// Where cases run, opened.
enum Opened {
    Machine(Box<MachineExecutor>),
    Vulkan(Box<VulkanExecutor>),
}

/// Cores, and so threads and processes.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Place {
    /// Processes at a time.
    pub fn processes(&self) -> usize {
        self.processes.unwrap_or_else(cores)
    }

    /// The flags that a child needs.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut all: Vec<OsString> = Vec::new();
        if let Some(device) = &self.device {
            all.extend(["--device".into(), device.into()]);
        }
        if let Some(size) = self.subgroup_size {
            all.extend(["--subgroup-size".into(), size.to_string().into()]);
        }
        if self.lanes_part {
            all.push("--lanes-part".into());
        }
        all.extend(["--timeout".into(), self.timeout.to_string().into()]);
        all.extend(["--repeat".into(), self.repeat.to_string().into()]);
        for (flag, name) in [(self.fast, "--fast"), (self.bind, "--bind")] {
            all.extend(flag.then(|| name.into()));
        }
        if let Some(profile) = &self.profile {
            all.extend(["--profile".into(), profile.into()]);
        }
        if let Some(fault) = self.fault {
            all.extend(["--fault".into(), fault.to_string().into()]);
        }
        all
    }

    /// Runs all sheets in children that `command` makes; they are given [`Place::arguments`] and call
    /// [`Place::serve`].
    pub fn run(
        &self,
        sheets: &[PathBuf],
        command: &(dyn Fn() -> Command + Sync),
        progress: &(dyn Fn(&Row) + Sync),
    ) -> Report {
        let pool = Pool {
            processes: self.processes(),
            patience: Duration::from_secs(self.timeout),
            command: &|| {
                let mut child = command();
                child.args(self.arguments());
                if let Some(size) = self.subgroup_size {
                    lavapipe_width(&mut child, size);
                }
                if self.repeat == 0 {
                    lavapipe_unoptimised(&mut child);
                }
                child
            },
            progress,
        };
        let rows = pool.run(sheets);
        let device = rows
            .iter()
            .map(|r| r.place.as_str())
            .find(|p| !p.is_empty());
        Report {
            device: device.unwrap_or("no device").to_owned(),
            subgroup_size: self.subgroup_size,
            rows,
        }
    }

    /// A child's side: opens the device and runs the sheets that are named on `input`, a row a line.
    ///
    /// # Errors
    /// The device cannot be opened, or the streams fail.
    pub fn serve(&self, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), LabError> {
        let options = measure::Options {
            repeat: self.repeat,
            fault: self.fault,
        };
        // Each is opened for the first that needs it.
        let (mut opened, mut drawer) = (None, None);
        serve(input, out, &mut |path| {
            let row = if draws::is_form(path) {
                self.draw(&mut drawer, path)
            } else {
                self.measure(&mut opened, &options, path)
            };
            row.unwrap_or_else(|error| Row {
                verdict: Verdict::Failed(error.to_string()),
                ..measure::row(&Sheet::new("?", "", "", "", 0), path)
            })
        })
        .map_err(LabError::file(Path::new("standard streams")))
    }

    fn measure(
        &self,
        opened: &mut Option<Opened>,
        options: &measure::Options,
        path: &Path,
    ) -> Result<Row, LabError> {
        let opened = match opened {
            Some(opened) => opened,
            None => opened.insert(self.open()?),
        };
        match opened {
            Opened::Machine(machine) => measure(path, machine.as_mut(), options),
            Opened::Vulkan(device) => measure(path, device.as_mut(), options),
        }
    }

    /// The row of a form of a draw, which needs a device.
    fn draw(&self, drawer: &mut Option<Drawer>, path: &Path) -> Result<Row, LabError> {
        let drawer = match drawer {
            Some(drawer) => drawer,
            None => {
                let mut runner = DrawRunner::new(self.device()?);
                runner.options = self.translation();
                runner.profile = self.profile.as_deref().map(read_profile).transpose()?;
                drawer.insert(Drawer::new(runner))
            }
        };
        Ok(drawer.row(path))
    }

    /// Searches a case for its first difference there, in this process.
    ///
    /// # Errors
    /// The device cannot be opened, or as [`bisect`].
    pub fn bisect(
        &self,
        case: &Path,
        folder: &Path,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Answer, LabError> {
        let mut opened = self.open()?;
        let device: &mut dyn Executor = match &mut opened {
            Opened::Machine(machine) => machine.as_mut(),
            Opened::Vulkan(device) => device.as_mut(),
        };
        bisect(case, device, self.fault, folder, progress)
    }

    /// How shaders are translated.
    fn translation(&self) -> TranslateOptions {
        TranslateOptions {
            fidelity: if self.fast {
                Fidelity::Fast
            } else {
                Fidelity::Exact
            },
            divergence: if self.lanes_part {
                Divergence::Branches
            } else {
                Divergence::default()
            },
            ..TranslateOptions::default()
        }
    }

    /// The Vulkan device.
    fn device(&self) -> Result<Device, LabError> {
        let choice = match &self.device {
            None => DeviceChoice::Default,
            Some(text) => match text.parse() {
                Ok(index) => DeviceChoice::Index(index),
                Err(_) => DeviceChoice::Name(text.clone()),
            },
        };
        Device::open(
            choice,
            DeviceOptions {
                timeout: Duration::from_secs(self.timeout),
                ..DeviceOptions::default()
            },
        )
        .map_err(|e| LabError::Unclear(e.to_string()))
    }

    fn open(&self) -> Result<Opened, LabError> {
        let profile = self.profile.as_deref().map(read_profile).transpose()?;
        let translate = self.translation();
        if self.device.as_deref() == Some("machine") {
            let machine = MachineExecutor::new(MachineSetup {
                subgroup_size: self.subgroup_size,
                bind: self.bind,
                profile,
                translate,
                ..MachineSetup::default()
            });
            return Ok(Opened::Machine(Box::new(machine)));
        }
        let device = self.device()?;
        let setup = VulkanOptions {
            subgroup_size: self.subgroup_size,
            bind: self.bind,
            profile,
            translate,
            ..VulkanOptions::default()
        };
        let device = VulkanExecutor::new(device, setup);
        Ok(Opened::Vulkan(Box::new(device)))
    }
}

/// Reads a host profile's file.
///
/// # Errors
/// It cannot be read, or is none.
pub fn read_profile(path: &Path) -> Result<HostProfile, LabError> {
    let text = std::fs::read_to_string(path).map_err(LabError::file(path))?;
    profile_from_toml(&text)
        .map_err(|error| LabError::Unclear(format!("{}: {error}", path.display())))
}
