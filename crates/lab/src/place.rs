//! Where prepared cases run, as both command lines say it, and the run of many of them there in child
//! processes. Owns the flags; who calls says how a child is started.

use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use spirdna_case::exec::{MachineExecutor, MachineSetup, VulkanExecutor, VulkanOptions};
use spirdna_translate::options::{Divergence, Options};
use spirdna_vulkan::child::lavapipe_width;
use spirdna_vulkan::{Device, DeviceChoice, Options as DeviceOptions};

use crate::error::LabError;
use crate::measure::{self, Clock, measure};
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
    /// Measure run times over this many repetitions.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub repeat: u32,
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
        };
        let translate = Options {
            divergence: if self.lanes_part {
                Divergence::Branches
            } else {
                Divergence::default()
            },
            ..Options::default()
        };
        if self.device.as_deref() == Some("machine") {
            let mut machine = MachineExecutor::new(MachineSetup {
                subgroup_size: self.subgroup_size,
                translate,
                ..MachineSetup::default()
            });
            return rows(&mut machine, options, input, out);
        }
        let choice = match &self.device {
            None => DeviceChoice::Default,
            Some(text) => match text.parse() {
                Ok(index) => DeviceChoice::Index(index),
                Err(_) => DeviceChoice::Name(text.clone()),
            },
        };
        let device = Device::open(
            choice,
            DeviceOptions {
                timeout: Duration::from_secs(self.timeout),
                ..DeviceOptions::default()
            },
        )
        .map_err(|e| LabError::Unclear(e.to_string()))?;
        let setup = VulkanOptions {
            subgroup_size: self.subgroup_size,
            translate,
            ..VulkanOptions::default()
        };
        rows(&mut VulkanExecutor::new(device, setup), options, input, out)
    }
}

fn rows<H: Clock>(
    host: &mut H,
    options: measure::Options,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    serve(input, out, &mut |path| {
        let row = measure(path, host, &options);
        row.unwrap_or_else(|error| Row {
            verdict: Verdict::Failed(error.to_string()),
            ..measure::row(&Sheet::new("?", "", "", "", 0), path)
        })
    })
    .map_err(LabError::file(Path::new("standard streams")))
}
