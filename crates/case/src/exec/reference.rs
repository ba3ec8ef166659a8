//! The reference interpreter as an executor.

use spirdna_isa::DecodeError;
use spirdna_reference::{
    AddressSpace, ExecError, FaultKind, Grid, Memory, Observer, Options, Report, Unmapped,
    run_dispatch, run_dispatch_with,
};

use super::{Executor, GuestFault, Outcome, RunError};
use crate::case::{Case, Dispatch};
use crate::memory::{self, GuestMemory};

impl Memory for GuestMemory {
    fn load(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        self.read(address, bytes).map_err(unmapped)
    }

    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        self.write(address, bytes).map_err(unmapped)
    }
}

fn unmapped(e: memory::Unmapped) -> Unmapped {
    Unmapped { address: e.address }
}

/// Runs cases on the reference interpreter. It stops at the first fault.
#[derive(Debug, Default)]
pub struct ReferenceExecutor {
    /// The interpreter's options; a shader that never ends runs into their step limit.
    pub options: Options,
}

impl ReferenceExecutor {
    /// Runs a case and shows each instruction to an observer, with the number of its dispatch.
    ///
    /// # Errors
    /// As [`Executor::run`].
    pub fn run_observed<O: Observer>(
        &mut self,
        case: &Case,
        observer: &mut O,
    ) -> Result<Outcome, RunError> {
        let options = self.options;
        run(case, |d, memory| {
            run_dispatch_with(
                &d.code,
                &d.launch,
                &d.user_sgprs,
                grid(d),
                memory,
                &options,
                observer,
            )
        })
    }
}

impl Executor for ReferenceExecutor {
    fn name(&self) -> String {
        "reference".to_owned()
    }

    fn run(&mut self, case: &Case) -> Result<Outcome, RunError> {
        let options = self.options;
        run(case, |d, memory| {
            run_dispatch(&d.code, &d.launch, &d.user_sgprs, grid(d), memory, &options)
        })
    }
}

fn grid(d: &Dispatch) -> Grid {
    if d.launch.partial_groups {
        Grid::threads(d.threads, d.launch.local)
    } else {
        Grid::groups(d.groups)
    }
}

fn run(
    case: &Case,
    mut dispatch: impl FnMut(&Dispatch, &mut GuestMemory) -> Result<Report, ExecError>,
) -> Result<Outcome, RunError> {
    let mut outcome = Outcome {
        memory: case.memory.clone(),
        ..Outcome::default()
    };
    // A grid without a workgroup runs nothing, however long its other axes are.
    let dispatches = case.dispatches.iter().filter(|d| !d.groups.contains(&0));
    for d in dispatches {
        match dispatch(d, &mut outcome.memory) {
            Ok(report) => {
                for f in report.findings {
                    let lane = f.lane.map_or_else(String::new, |l| format!(", lane {l}"));
                    outcome.undefined.push(format!(
                        "pc {:#x}: wave {}{lane} reads {:?}, which nothing has written",
                        f.pc, f.wave, f.register
                    ));
                }
            }
            Err(ExecError::Fault(f))
                if f.space == AddressSpace::Global && f.kind != FaultKind::Misaligned =>
            {
                outcome.fault_count += 1;
                outcome.faults.push(GuestFault {
                    pc: f.pc,
                    lane: f.lane,
                    address: f.address,
                    text: f.to_string(),
                });
                break;
            }
            Err(ExecError::Decode(e @ DecodeError::Unsupported { .. })) => {
                return Err(RunError::Unsupported(e.to_string()));
            }
            Err(ExecError::Unsupported(u)) => return Err(RunError::Unsupported(u.to_string())),
            Err(e @ ExecError::TimeLimit { .. }) => return Err(RunError::Time(e.to_string())),
            Err(e) => return Err(RunError::BadShader(e.to_string())),
        }
    }
    Ok(outcome)
}
