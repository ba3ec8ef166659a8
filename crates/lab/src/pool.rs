//! Running many prepared cases in child processes, because drivers hang and crash: each child takes one
//! sheet at a time from its standard input and answers with a row; one that dies or does not answer in
//! time costs that sheet, and a new child goes on. Knows rows, and not how they come about.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::measure::row;
use crate::prepared::Sheet;
use crate::row::{Row, Verdict};

/// How long a child may take to open its device before its first answer.
const START: Duration = Duration::from_secs(120);

/// How the cases are run.
pub struct Pool<'a> {
    /// Children at a time.
    pub processes: usize,
    /// How long a case may take.
    pub patience: Duration,
    /// Makes a child, which calls [`serve`].
    pub command: &'a (dyn Fn() -> Command + Sync),
    /// Told of each row as it comes.
    pub progress: &'a (dyn Fn(&Row) + Sync),
}

impl Pool<'_> {
    /// Runs all sheets, and gives their rows in the sheets' order.
    pub fn run(&self, sheets: &[PathBuf]) -> Vec<Row> {
        let next = AtomicUsize::new(0);
        let rows: Mutex<Vec<(usize, Row)>> = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..self.processes.max(1).min(sheets.len()) {
                scope.spawn(|| {
                    let mut worker: Option<Worker> = None;
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(sheet) = sheets.get(index) else {
                            break;
                        };
                        let row = self.one(&mut worker, sheet);
                        (self.progress)(&row);
                        if let Ok(mut rows) = rows.lock() {
                            rows.push((index, row));
                        }
                    }
                });
            }
        });
        let mut rows = rows.into_inner().unwrap_or_default();
        rows.sort_by_key(|&(index, _)| index);
        rows.into_iter().map(|(_, row)| row).collect()
    }

    fn one(&self, worker: &mut Option<Worker>, path: &Path) -> Row {
        let fresh = worker.is_none();
        let failed = |text: String| {
            let sheet = Sheet::read(path).unwrap_or_else(|_| Sheet::new("?", "", "", "", 0));
            Row {
                verdict: Verdict::Failed(text),
                ..row(&sheet, path)
            }
        };
        let child = match worker {
            Some(worker) => worker,
            None => match Worker::start((self.command)()) {
                Ok(started) => worker.insert(started),
                Err(error) => return failed(format!("no child process: {error}")),
            },
        };
        let limit = self.patience + if fresh { START } else { Duration::ZERO };
        match child.ask(path, limit) {
            Ok(row) => row,
            Err(text) => {
                // Dropping it ends it.
                *worker = None;
                failed(text)
            }
        }
    }
}

struct Worker {
    child: Child,
    lines: Receiver<String>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Either fails only if the child is gone already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Worker {
    fn start(mut command: Command) -> std::io::Result<Worker> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (sender, lines) = mpsc::channel();
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Worker { child, lines })
    }

    fn ask(&mut self, path: &Path, limit: Duration) -> Result<Row, String> {
        let stdin = self.child.stdin.as_mut();
        let told = stdin.and_then(|s| writeln!(s, "{}", path.display()).and(s.flush()).ok());
        let answer = match told {
            None => Err(mpsc::RecvTimeoutError::Disconnected),
            Some(()) => self.lines.recv_timeout(limit),
        };
        match answer {
            Ok(line) => serde_json::from_str(&line).map_err(|_| line),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                Err(format!("no result within {} s", limit.as_secs()))
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let status = self.child.wait();
                let status = status.map_or_else(|e| e.to_string(), |s| s.to_string());
                Err(format!("the device process ended with {status}"))
            }
        }
    }
}

/// A child's side: a row for each sheet named on `input`, until it ends.
///
/// # Errors
/// The streams fail.
pub fn serve(
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    measure: &mut dyn FnMut(&Path) -> Row,
) -> std::io::Result<()> {
    for line in input.lines() {
        let row = measure(Path::new(&line?));
        let text = serde_json::to_string(&row).map_err(std::io::Error::other)?;
        writeln!(out, "{text}")?;
        out.flush()?;
    }
    Ok(())
}
