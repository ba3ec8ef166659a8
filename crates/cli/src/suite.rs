//! `spirdna suite`: all that a device is asked, in one run: case files, proofs, prepared cases of the lab.
//! For a machine that has a device and this program, to which `cargo xtask pack` was carried; what comes
//! back is one JSON file. Owns the order and the time limits; each step is a command of this program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};
use spirdna_lab::place::cores;
use spirdna_vulkan::child::{ChildError, run_in_child};

use crate::Streams;
use crate::error::{CliError, Exit};
use crate::input::is_case;

/// Bytes of a step's output that are kept: its end.
const KEPT: usize = 4000;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the pack: `cases` and `lab` lie in it.
    folder: PathBuf,
    /// The file that all results go to.
    #[arg(long, value_name = "OUT.json")]
    out: PathBuf,
    /// The subgroup size to translate for.
    #[arg(long, default_value_t = 32, value_name = "S")]
    subgroup_size: u32,
    /// Processes at a time; one a core when absent.
    #[arg(long)]
    processes: Option<usize>,
    /// Measure the lab's run times over this many repetitions.
    #[arg(long, default_value_t = 0, value_name = "N")]
    repeat: u32,
    /// Only these steps: devices, cases, proofs, lab.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Seconds that a step may take.
    #[arg(long, default_value_t = 500, value_name = "S")]
    step_timeout: u64,
}

struct Suite<'a> {
    a: &'a Arguments,
    program: PathBuf,
    size: String,
}

/// Runs the command.
pub(crate) fn run(a: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, CliError> {
    let Some(program) = streams.program.clone() else {
        let text = "the suite runs its steps in child processes".to_owned();
        return Err(CliError::Unsupported(text));
    };
    let suite = Suite {
        a,
        program,
        size: a.subgroup_size.to_string(),
    };
    let scratch = a.out.with_extension("parts");
    std::fs::create_dir_all(&scratch).map_err(|error| CliError::Write {
        path: scratch.clone(),
        error,
    })?;
    let mut result = json!({ "subgroup_size": a.subgroup_size });
    let mut exit = Exit::Success;
    let steps: [(&str, &dyn Fn(&Path) -> Value); 4] = [
        ("devices", &|_| suite.step(&["devices".into()])),
        ("cases", &|_| suite.cases()),
        ("proofs", &|scratch| suite.proofs(scratch)),
        ("lab", &|scratch| suite.lab(scratch)),
    ];
    for (name, step) in steps {
        if !a.only.is_empty() && !a.only.iter().any(|n| n == name) {
            continue;
        }
        let start = Instant::now();
        let mut value = step(&scratch);
        if let Some(map) = value.as_object_mut() {
            map.insert("seconds".to_owned(), json!(start.elapsed().as_secs()));
        }
        let good = value["good"] == json!(true);
        writeln!(
            streams.out,
            "{} {name}: {}",
            if good { "pass" } else { "FAIL" },
            value["summary"].as_str().unwrap_or_default()
        )?;
        if !good {
            exit = exit.and(Exit::Failed);
        }
        if let Some(map) = result.as_object_mut() {
            map.insert(name.to_owned(), value);
        }
        // After each step, so that what is done is kept where the machine goes away.
        let text = serde_json::to_string_pretty(&result).unwrap_or_default();
        std::fs::write(&a.out, text).map_err(|error| CliError::Write {
            path: a.out.clone(),
            error,
        })?;
    }
    // The parts are in the result.
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(exit)
}

impl Suite<'_> {
    /// Runs a command of this program: whether it succeeded, its output's end, its last line.
    fn step(&self, arguments: &[std::ffi::OsString]) -> Value {
        let mut command = Command::new(&self.program);
        command.args(arguments);
        let limit = Duration::from_secs(self.a.step_timeout);
        let (good, end, bytes) = match run_in_child(command, limit) {
            Ok(output) => {
                let both = [output.stdout, output.stderr].concat();
                (output.status.success(), output.status.to_string(), both)
            }
            Err(ChildError::Timeout { stdout, stderr, .. }) => {
                let text = format!("no end within {} s", limit.as_secs());
                (false, text, [stdout, stderr].concat())
            }
            Err(error) => (false, error.to_string(), Vec::new()),
        };
        let from = bytes.len().saturating_sub(KEPT);
        let text = String::from_utf8_lossy(bytes.get(from..).unwrap_or_default()).into_owned();
        let last = text.lines().rev().find(|l| !l.trim().is_empty());
        json!({
            "good": good,
            "end": end,
            "summary": last.unwrap_or_default(),
            "output": text,
        })
    }

    fn processes(&self) -> usize {
        self.a.processes.unwrap_or_else(cores)
    }

    /// Every case file below `cases`, each in a process of its own.
    fn cases(&self) -> Value {
        let mut all = Vec::new();
        below(&self.a.folder.join("cases"), &mut all);
        let next = AtomicUsize::new(0);
        let bad: Mutex<Vec<Value>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.processes().min(all.len()) {
                scope.spawn(|| {
                    while let Some(path) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let mut arguments: Vec<std::ffi::OsString> =
                            ["run", "--device", "vulkan", "--subgroup-size"]
                                .map(Into::into)
                                .to_vec();
                        arguments.extend([self.size.clone().into(), "--".into(), path.into()]);
                        let mut value = self.step(&arguments);
                        if value["good"] != json!(true)
                            && let (Some(map), Ok(mut bad)) = (value.as_object_mut(), bad.lock())
                        {
                            map.insert("case".to_owned(), json!(path));
                            bad.push(value);
                        }
                    }
                });
            }
        });
        let bad = bad.into_inner().unwrap_or_default();
        json!({
            "good": bad.is_empty() && !all.is_empty(),
            "summary": format!("{} of {} hold", all.len() - bad.len(), all.len()),
            "bad": bad,
        })
    }

    /// The fixed small set of proofs.
    fn proofs(&self, scratch: &Path) -> Value {
        let rows = scratch.join("proofs.tsv");
        let mut arguments: Vec<std::ffi::OsString> = ["prove", "--ci", "--subgroup-size"]
            .map(Into::into)
            .to_vec();
        arguments.push(self.size.clone().into());
        arguments.extend(["--processes".into(), self.processes().to_string().into()]);
        arguments.extend(["--out".into(), rows.clone().into()]);
        let mut value = self.step(&arguments);
        let text = std::fs::read_to_string(&rows).unwrap_or_default();
        if let Some(map) = value.as_object_mut() {
            map.insert("rows".to_owned(), json!(text));
        }
        value
    }

    /// The prepared cases of the lab.
    fn lab(&self, scratch: &Path) -> Value {
        let rows = scratch.join("lab.json");
        let mut arguments: Vec<std::ffi::OsString> =
            vec!["lab".into(), self.a.folder.join("lab").into()];
        arguments.extend(["--subgroup-size".into(), self.size.clone().into()]);
        arguments.extend(["--repeat".into(), self.a.repeat.to_string().into()]);
        arguments.extend(["--processes".into(), self.processes().to_string().into()]);
        arguments.extend(["--json".into(), rows.clone().into()]);
        let mut value = self.step(&arguments);
        let text = std::fs::read_to_string(&rows).unwrap_or_default();
        let report: Value = serde_json::from_str(&text).unwrap_or_default();
        if let Some(map) = value.as_object_mut() {
            map.insert("report".to_owned(), report);
        }
        value
    }
}

/// The case files below a folder, in the order of their names; none where it is not there.
fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            below(&path, found);
        } else if is_case(&path) {
            found.push(path);
        }
    }
}
