//! The device process: the parent's side, which starts it, watches it and reads its results, and the
//! child's side, which runs the cases.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{Config, Result, on_device, open, selected};

/// How long a case may take, compilation included, before the child is killed.
pub const PATIENCE: Duration = Duration::from_secs(600);

const CONFIG: &str = "SPIRDNA_TEST_CONFIG";
const LIST: &str = "SPIRDNA_TEST_LIST";
const RESULTS: &str = "SPIRDNA_TEST_RESULTS";

/// A line of the results file.
#[derive(Serialize, Deserialize)]
struct Line {
    case: String,
    verdict: String,
    message: String,
}

impl Line {
    fn new(case: &str, result: &Result) -> Line {
        let (verdict, message) = match result {
            Result::Pass => ("pass", ""),
            Result::Fail(message) => ("fail", message.as_str()),
            Result::Skip(message) => ("skip", message.as_str()),
        };
        Line {
            case: case.to_owned(),
            verdict: verdict.to_owned(),
            message: message.to_owned(),
        }
    }

    fn result(self) -> Result {
        match self.verdict.as_str() {
            "pass" => Result::Pass,
            "skip" => Result::Skip(self.message),
            _ => Result::Fail(self.message),
        }
    }
}

/// The cases that this run of the test binary can ask for: those that a filter of its command line
/// may mean, or all.
fn asked_for() -> Vec<&'static str> {
    let filters: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .map(|a| a.split("::").next().unwrap_or_default().to_owned())
        .collect();
    let test_name = |case: &str| -> String {
        let clean = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        case.chars()
            .map(clean)
            .collect::<String>()
            .to_ascii_lowercase()
    };
    let all = crate::ALL.iter().map(|(name, _)| *name);
    let some: Vec<&str> = all
        .clone()
        .filter(|name| filters.iter().any(|f| test_name(name).contains(f.as_str())))
        .collect();
    if some.is_empty() { all.collect() } else { some }
}

/// Runs all selected cases in child processes.
pub fn run_all(config: Config) -> BTreeMap<String, Result> {
    let mut results = BTreeMap::new();
    let mut left = asked_for();
    left.retain(|name| selected(name, config));
    while !left.is_empty() {
        let lines = run_some(config, &left);
        let ended = match lines {
            Ok((lines, ended)) => {
                for line in lines {
                    results.insert(line.case.clone(), line.result());
                }
                ended
            }
            Err(e) => format!("the device process cannot run: {e}"),
        };
        let before = left.len();
        left.retain(|name| !results.contains_key(*name));
        if left.is_empty() {
            break;
        }
        // The first case without a result is what the child was at when it ended.
        let culprit = left.remove(0);
        results.insert(culprit.to_owned(), Result::Fail(ended.clone()));
        if before == left.len() + 1 {
            // Nothing ran at all before it; a child that cannot start is not started again for each.
            let again = format!("not run: {ended}");
            if ended.starts_with("the device process cannot run") {
                for name in left.drain(..) {
                    results.insert(name.to_owned(), Result::Fail(again.clone()));
                }
            }
        }
    }
    results
}

/// One child process over a list; its results and how it ended.
fn run_some(config: Config, cases: &[&str]) -> std::io::Result<(Vec<Line>, String)> {
    let dir = tempfile::tempdir()?;
    let (list, results) = (dir.path().join("list"), dir.path().join("results"));
    fs::write(&list, cases.join("\n"))?;
    fs::write(&results, "")?;
    let log = fs::File::create(dir.path().join("log"))?;
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args([
            "--exact",
            "device_child",
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(CONFIG, config.name())
        .env(LIST, &list)
        .env(RESULTS, &results)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    if let Some(width) = config.vector_width() {
        command.env("LP_NATIVE_VECTOR_WIDTH", width);
    }
    let mut child = command.spawn()?;
    let ended = watch(&mut child, &results)?;
    let text = fs::read_to_string(&results)?;
    let lines = text.lines().filter_map(|l| serde_json::from_str(l).ok());
    let log = fs::read(dir.path().join("log"))?;
    let log = String::from_utf8_lossy(&log);
    let tail: Vec<&str> = log.lines().rev().take(20).collect();
    let tail: Vec<&str> = tail.into_iter().rev().collect();
    Ok((lines.collect(), format!("{ended}\n{}", tail.join("\n"))))
}

/// Waits for the child as long as results keep coming.
fn watch(child: &mut Child, results: &Path) -> std::io::Result<String> {
    let mut size = 0;
    let mut since = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(format!("the device process ended with {status}"));
        }
        let now = fs::metadata(results).map_or(size, |m| m.len());
        if now != size {
            size = now;
            since = Instant::now();
        }
        if since.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            let seconds = PATIENCE.as_secs();
            return Ok(format!(
                "no result within {seconds} s: the device process was killed"
            ));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The child's side.
pub fn child() {
    let variable = |name| std::env::var(name).ok();
    let (Some(config), Some(list), Some(results)) =
        (variable(CONFIG), variable(LIST), variable(RESULTS))
    else {
        return; // started by hand with --ignored: there is nothing to do
    };
    let config = Config::ALL
        .into_iter()
        .find(|c| c.name() == config)
        .unwrap();
    let mut out = fs::OpenOptions::new().append(true).open(results).unwrap();
    let mut executor = open(config);
    for name in fs::read_to_string(list).unwrap().lines() {
        let path = crate::ALL.iter().find(|(n, _)| *n == name).map(|(_, p)| *p);
        let result = match (&mut executor, path) {
            (Ok(executor), Some(path)) => on_device(executor, config, path),
            (Err(result), _) => result.clone(),
            (_, None) => Result::Fail("the device process does not know it".to_owned()),
        };
        let line = serde_json::to_string(&Line::new(name, &result)).unwrap();
        writeln!(out, "{line}").unwrap();
        out.flush().unwrap();
        if let Result::Fail(message) = &result {
            // A lost device is of no further use: the parent starts the rest anew.
            if message.starts_with("device:") {
                return;
            }
        }
    }
}
