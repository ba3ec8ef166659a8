//! `spirdna trace`: a case on the reference, step by step, with the registers that each instruction
//! changed.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use spirdna_case::Case;
use spirdna_case::exec::ReferenceExecutor;
use spirdna_isa::{SReg, TextOptions, inst_to_string};
use spirdna_reference::{Change, Observer, Step, Wave};

use crate::Streams;
use crate::error::{CliError, Exit};

/// Lanes of a vector register that a line shows.
const LANES: usize = 8;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The case file.
    case: PathBuf,
    /// The wave to follow, counted over the whole grid in the order in which workgroups run (x
    /// fastest) and in each workgroup; every wave when absent.
    #[arg(long, value_name = "N")]
    wave_id: Option<u64>,
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let case = Case::load(&a.case)?;
    let mut printer = Printer {
        out: streams.out,
        wanted: a.wave_id,
        groups: BTreeMap::new(),
        waves: 0,
        error: None,
    };
    let ran = ReferenceExecutor::default().run_observed(&case, &mut printer);
    if let Some(error) = printer.error {
        return Err(error.into());
    }
    let outcome = ran.map_err(|error| CliError::Run {
        path: a.case.clone(),
        error,
    })?;
    for fault in &outcome.faults {
        writeln!(streams.err, "{}: fault: {fault}", a.case.display())?;
    }
    if let Some(wave) = a.wave_id.filter(|&n| n >= printer.waves) {
        let text = format!("there is no wave {wave}: {} ran", printer.waves);
        return Err(CliError::Usage(text));
    }
    Ok(match outcome.faults.as_slice() {
        [] => Exit::Success,
        _ => Exit::Unusable,
    })
}

struct Printer<'a> {
    out: &'a mut dyn Write,
    wanted: Option<u64>,
    /// The number of each group's first wave, in the order in which they began.
    groups: BTreeMap<[u32; 3], u64>,
    /// Waves of the groups so far.
    waves: u64,
    error: Option<io::Error>,
}

impl Observer for Printer<'_> {
    fn step(&mut self, step: &Step<'_>) {
        if self.error.is_none() {
            self.error = self.print(step).err();
        }
    }
}

impl Printer<'_> {
    fn print(&mut self, step: &Step<'_>) -> io::Result<()> {
        // Groups run one after the other, and every wave of one runs before the next begins.
        let index = u64::from(step.after.index());
        let first = *self.groups.entry(step.group).or_insert(self.waves);
        let number = first + index;
        self.waves = self.waves.max(number + 1);
        if self.wanted.is_some_and(|n| n != number) {
            return Ok(());
        }
        let text = inst_to_string(step.inst, TextOptions::llvm(step.after.size()));
        writeln!(self.out, "wave {number}  {:6x}: {text}", step.inst.pc())?;
        for change in step.changes() {
            match change {
                Change::Scalar(register, value) => {
                    writeln!(self.out, "    {} = {value:#010x}", scalar(register))?;
                }
                Change::Scc(value) => writeln!(self.out, "    scc = {}", u32::from(value))?,
                Change::Vector(register, lanes) => {
                    self.vector(step.after, register, lanes)?;
                }
            }
        }
        Ok(())
    }

    fn vector(&mut self, wave: &Wave, register: u8, lanes: u64) -> io::Result<()> {
        write!(self.out, "    v{register} =")?;
        let changed: Vec<usize> = (0..64).filter(|&l| lanes >> l & 1 == 1).collect();
        for &lane in changed.iter().take(LANES) {
            write!(self.out, " {lane}:{:08x}", wave.vgpr_raw(register, lane))?;
        }
        if changed.len() > LANES {
            write!(self.out, " … {} lanes", changed.len())?;
        }
        writeln!(self.out)
    }
}

fn scalar(register: SReg) -> String {
    match register {
        SReg::VCC_LO => "vcc_lo".to_owned(),
        SReg::VCC_HI => "vcc_hi".to_owned(),
        SReg::M0 => "m0".to_owned(),
        SReg::EXEC_LO => "exec_lo".to_owned(),
        SReg::EXEC_HI => "exec_hi".to_owned(),
        r if r.is_sgpr() => format!("s{}", r.code()),
        r => format!("sreg{}", r.code()),
    }
}
