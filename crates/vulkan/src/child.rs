//! Runs a command with a time limit and bounded output, for whatever may hang or crash: a device
//! test in its own process. Knows nothing of Vulkan.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// What is kept of each output stream, in bytes; the rest is read and dropped.
pub const OUTPUT_LIMIT: usize = 64 << 20;

/// How long the streams are read on after the child ended: a grandchild may hold them open.
const DRAIN: Duration = Duration::from_secs(5);

/// Why a child gave no exit status.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChildError {
    /// The command could not be started.
    #[error("cannot start the child process: {0}")]
    Spawn(#[source] io::Error),
    /// The command could not be waited for.
    #[error("cannot wait for the child process: {0}")]
    Wait(#[source] io::Error),
    /// The command did not end in time and was killed.
    #[error("the child process did not end within {} s and was killed", limit.as_secs_f64())]
    Timeout {
        /// The limit.
        limit: Duration,
        /// What it had written to its standard output.
        stdout: Vec<u8>,
        /// What it had written to its standard error.
        stderr: Vec<u8>,
    },
}

/// Starts `command` with empty input, collects both output streams, and kills it after `timeout`.
/// A child that fails or dies by a signal is an `Ok`: its status says so.
///
/// # Errors
/// The child cannot be started or waited for, or ran into the limit.
pub fn run_in_child(mut command: Command, timeout: Duration) -> Result<Output, ChildError> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(ChildError::Spawn)?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait(&mut child, timeout);
    if !matches!(status, Ok(Some(_))) {
        // Either call fails only if the child is gone already, which is what is wanted.
        let _ = child.kill();
        let _ = child.wait();
    }
    let end = Instant::now() + DRAIN;
    let stdout = collect(&stdout, end);
    let stderr = collect(&stderr, end);
    match status {
        Ok(Some(status)) => Ok(Output {
            status,
            stdout,
            stderr,
        }),
        Ok(None) => Err(ChildError::Timeout {
            limit: timeout,
            stdout,
            stderr,
        }),
        Err(error) => Err(ChildError::Wait(error)),
    }
}

/// Tells lavapipe to leave LLVM's optimiser out, unless the environment says what it shall do: of a large module
/// that takes minutes, of which its results know nothing. Not for who measures run times; other drivers do not look.
pub fn lavapipe_unoptimised(command: &mut Command) {
    if std::env::var_os("GALLIVM_PERF").is_none() {
        command.env("GALLIVM_PERF", "nopt");
    }
}

/// Tells lavapipe its subgroup size where nobody else does; other drivers do not look. Without subgroup
/// operations any does, and the narrowest compiles fastest.
pub fn lavapipe_width(command: &mut Command, size: u32) {
    if matches!(size, 1 | 4 | 8 | 16) && std::env::var_os("LP_NATIVE_VECTOR_WIDTH").is_none() {
        command.env("LP_NATIVE_VECTOR_WIDTH", (size.max(4) * 32).to_string());
    }
}

fn wait(child: &mut Child, timeout: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = timeout.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Reads a stream to its end on a thread of its own; pieces arrive as they are read, so that they
/// are at hand even if the end never comes.
fn drain(stream: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(mut stream) = stream {
        thread::spawn(move || {
            let mut kept = 0;
            let mut piece = vec![0; 64 << 10];
            loop {
                match stream.read(&mut piece) {
                    Ok(0) => break,
                    Ok(count) => {
                        let take = count.min(OUTPUT_LIMIT - kept);
                        kept += take;
                        let bytes = piece.get(..take).unwrap_or_default();
                        if take > 0 && sender.send(bytes.to_vec()).is_err() {
                            break;
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
        });
    }
    receiver
}

fn collect(pieces: &Receiver<Vec<u8>>, end: Instant) -> Vec<u8> {
    let mut all = Vec::new();
    while let Ok(piece) = pieces.recv_timeout(end.saturating_duration_since(Instant::now())) {
        all.extend_from_slice(&piece);
    }
    all
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn status_and_both_streams_come_back() {
        let output = run_in_child(shell("echo out; echo err >&2; exit 3"), DRAIN).unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(output.stdout, b"out\n");
        assert_eq!(output.stderr, b"err\n");
    }

    #[test]
    fn more_output_than_a_pipe_holds_does_not_block() {
        let output = run_in_child(
            shell("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2"),
            Duration::from_secs(60),
        )
        .unwrap();
        assert_eq!(
            (output.stdout.len(), output.stderr.len()),
            (1_000_000, 1_000_000)
        );
    }

    #[test]
    fn a_hanging_child_is_killed_and_what_it_wrote_is_kept() {
        let start = Instant::now();
        let error = run_in_child(
            shell("echo before; exec sleep 600"),
            Duration::from_millis(300),
        )
        .unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(60));
        assert!(
            matches!(&error, ChildError::Timeout { stdout, .. } if stdout == b"before\n"),
            "{error:?}"
        );
    }

    #[test]
    fn a_missing_command_is_an_error() {
        let error = run_in_child(Command::new("no-such-command-here"), DRAIN).unwrap_err();
        assert!(matches!(error, ChildError::Spawn(_)));
    }
}
