//! Many batches in child processes, because a driver may hang or crash. A child makes the plan of its
//! shard, runs the batches one after the other and writes lines to a file; the parent watches the file,
//! kills a child that gives no line in time, and goes on behind the batch that it was at. Owns the lines;
//! how a child is started is the caller's.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use spirdna_case::exec::VulkanExecutor;
use spirdna_isa::{Encoding, Opcode, TargetSet, WaveSize};

use crate::batch::{Batch, Key};
use crate::plan::{Plan, Selection};
use crate::record::{ProofFile, Row, device_name};
use crate::runner::{Verdict, prove};

/// Before the name of a batch that a child takes in two halves, in the file of what it leaves out.
const HALVE: &str = "halve:";

/// What a child is told beside the selection.
#[derive(Clone, Debug)]
pub struct Errand {
    /// Its shard.
    pub shard: (usize, usize),
    /// The file that it appends lines to.
    pub results: PathBuf,
    /// The file with the names of batches that it leaves out.
    pub skip: PathBuf,
}

/// What came of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Result {
    /// Instances that run, and that are refused.
    pub instances: usize,
    /// See `instances`.
    pub refused: usize,
    /// The hash.
    pub hash: Option<u64>,
    /// Instances that gave what the reference gives.
    pub held: usize,
    /// Their operand tuples.
    pub tuples: u64,
}

/// What came of all.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The device's name.
    pub device: String,
    /// By key.
    pub keys: BTreeMap<(Encoding, &'static str, u8, WaveSize), (Key, Result)>,
    /// Differences and batches that did not run, in words.
    pub wrong: Vec<String>,
    /// Refused instances: the instruction and the reason.
    pub refused: Vec<(String, String)>,
    /// Batches that were halved because they ended their process.
    pub notes: Vec<String>,
    /// Why nothing could run.
    pub unusable: Option<String>,
    /// Batches that ran, and the seconds of each with its name.
    pub batches: Vec<(String, f64)>,
}

impl Tally {
    /// The rows of what is proven: keys all of whose instances hold.
    pub fn rows(&self, subgroup_size: u32) -> ProofFile {
        let proven = self.keys.values().filter_map(|(key, result)| {
            let all = result.instances > 0 && result.held == result.instances;
            Some(Row {
                key: *key,
                subgroup_size,
                device: device_name(&self.device),
                instances: result.instances,
                refused: result.refused,
                tuples: result.tuples,
                hash: result.hash.filter(|_| all)?,
            })
        });
        ProofFile::new(proven.collect())
    }

    fn entry(&mut self, key: Key) -> &mut Result {
        let entry = self.keys.entry(key.order());
        &mut entry.or_insert_with(|| (key, Result::default())).1
    }

    fn line(&mut self, line: &str) {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |i: usize| fields.get(i).and_then(|f| f.parse().ok()).unwrap_or(0u64);
        let text = |i: usize| fields.get(i).copied().unwrap_or_default().to_owned();
        let key = key_of(fields.get(1..5).unwrap_or_default());
        match (fields.first().copied(), key) {
            (Some("device"), _) => self.device = text(1),
            (Some("unusable"), _) => self.unusable = Some(text(1)),
            (Some("key"), Some(key)) => {
                let hash = fields.get(7).and_then(|h| u64::from_str_radix(h, 16).ok());
                let (instances, refused) = (number(5) as usize, number(6) as usize);
                let entry = self.entry(key);
                (entry.instances, entry.refused, entry.hash) = (instances, refused, hash);
            }
            (Some("held"), Some(key)) => {
                let entry = self.entry(key);
                entry.held += 1;
                entry.tuples += number(5);
            }
            (Some("refused"), Some(_)) => {
                let one = (text(5), text(6));
                if !self.refused.contains(&one) {
                    self.refused.push(one);
                }
            }
            (Some("wrong"), _) => self.wrong.push(text(1)),
            (Some("done"), _) => self.batches.push((text(1), number(2) as f64 / 1000.0)),
            _ => {}
        }
    }
}

fn key_text(key: &Key) -> String {
    format!(
        "{}\t{}\t{}\t{}",
        key.opcode.name(),
        key.encoding.name(),
        key.targets.bits(),
        key.wave.lanes()
    )
}

fn key_of(fields: &[&str]) -> Option<Key> {
    let [opcode, encoding, targets, wave] = *fields else {
        return None;
    };
    Some(Key {
        opcode: Opcode::ALL.iter().copied().find(|o| o.name() == opcode)?,
        encoding: Encoding::ALL.into_iter().find(|e| e.name() == encoding)?,
        targets: TargetSet::from_bits(targets.parse().ok()?)?,
        wave: WaveSize::from_lanes(wave.parse().ok()?)?,
    })
}

/// The child's side: runs the batches of a selection's shard and writes what came of them. `open` gives
/// the device, or why there is none.
///
/// # Errors
/// The results cannot be written.
pub fn child(
    selection: &Selection,
    errand: &Errand,
    open: &mut dyn FnMut() -> std::result::Result<VulkanExecutor, String>,
) -> io::Result<()> {
    let skip = fs::read_to_string(&errand.skip)?;
    let skip: Vec<&str> = skip.lines().collect();
    let mut out = fs::OpenOptions::new().append(true).open(&errand.results)?;
    let mut say = |line: String| -> io::Result<()> {
        let line = line.replace(['\n', '\r'], " ");
        writeln!(out, "{line}")?;
        out.flush()
    };
    let mut device = match open() {
        Ok(device) => device,
        Err(e) => return say(format!("unusable\t{e}")),
    };
    say(format!("device\t{}", device.device().info().name))?;
    let selection = Selection {
        shard: errand.shard,
        ..selection.clone()
    };
    let plan = Plan::new(&selection);
    for k in &plan.keys {
        let hash = k
            .hash
            .as_ref()
            .map_or(String::new(), |h| format!("{h:016x}"));
        let (key, instances, refused) = (key_text(&k.key), k.instances, k.refused);
        say(format!("key\t{key}\t{instances}\t{refused}\t{hash}"))?;
    }
    for r in &plan.refused {
        say(format!(
            "refused\t{}\t{}\t{}",
            key_text(&r.key),
            r.text,
            r.reason
        ))?;
    }
    // The last is the next.
    let mut left: Vec<Batch> = plan.batches.into_iter().rev().collect();
    while let Some(batch) = left.pop() {
        let halve = |left: &mut Vec<Batch>| match batch.halves() {
            Some([first, second]) => {
                left.extend([second, first]);
                true
            }
            None => false,
        };
        let named = |prefix: &str| skip.contains(&format!("{prefix}{}", batch.name).as_str());
        if named("") || named(HALVE) && halve(&mut left) {
            continue;
        }
        say(format!("start\t{}", batch.name))?;
        let start = Instant::now();
        let mut lost = false;
        match prove(&batch, &mut device) {
            Verdict::Ran(found) => {
                for (claim, difference) in batch.claims.iter().zip(found) {
                    match difference {
                        None => say(format!("held\t{}\t{}", key_text(&claim.key), claim.tuples))?,
                        Some(text) => say(format!("wrong\t{text} ({})", batch.name))?,
                    }
                }
            }
            Verdict::Failed(text) => {
                lost = text.starts_with("device:");
                // What is too much for the driver in one module may do in two.
                if halve(&mut left) {
                    say(format!("halve\t{}\t{text}", batch.name))?;
                    if lost {
                        return Ok(());
                    }
                    continue;
                }
                say(format!("wrong\t{}: {text}", batch.name))?;
            }
        }
        let time = start.elapsed().as_millis();
        say(format!("done\t{}\t{time}", batch.name))?;
        if lost {
            // A lost device is of no further use: the parent starts the rest anew.
            return Ok(());
        }
    }
    say("end".to_owned())
}

/// Runs a selection in `shards` child processes at once. `command` makes the command of a child, without
/// its streams; a batch that takes longer than `patience` fails, and the rest goes on.
///
/// # Errors
/// A child cannot be started or watched.
pub fn run(
    shards: usize,
    patience: Duration,
    command: &(dyn Fn(&Errand) -> Command + Sync),
) -> io::Result<Tally> {
    let tally = Mutex::new(Tally::default());
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for shard in 0..shards {
            let (tally, failed) = (&tally, &failed);
            scope.spawn(move || {
                if let Err(e) = run_shard((shard, shards), patience, command, tally)
                    && let Ok(mut failed) = failed.lock()
                {
                    *failed = Some(e);
                }
            });
        }
    });
    if let Ok(Some(e)) = failed.into_inner() {
        return Err(e);
    }
    Ok(tally.into_inner().unwrap_or_else(|e| e.into_inner()))
}

fn run_shard(
    shard: (usize, usize),
    patience: Duration,
    command: &(dyn Fn(&Errand) -> Command + Sync),
    tally: &Mutex<Tally>,
) -> io::Result<()> {
    let mut finished: Vec<String> = Vec::new();
    loop {
        let dir = tempfile::tempdir()?;
        let errand = Errand {
            shard,
            results: dir.path().join("results"),
            skip: dir.path().join("skip"),
        };
        fs::write(&errand.results, "")?;
        fs::write(&errand.skip, finished.join("\n"))?;
        let ended = watch(command(&errand), &errand.results, dir.path(), patience)?;
        let lines = fs::read_to_string(&errand.results)?;
        let mut at = None;
        let mut complete = false;
        let mut tally = tally.lock().unwrap_or_else(|e| e.into_inner());
        // A batch counts where it was done: what a child wrote of one that it did not finish is dropped.
        let mut pending: Vec<&str> = Vec::new();
        let mut news = 0;
        for line in lines.lines() {
            match line.split_once('\t') {
                Some(("start", name)) => {
                    at = Some(name.to_owned());
                    pending.clear();
                }
                Some(("done", rest)) => {
                    for line in pending.drain(..) {
                        tally.line(line);
                    }
                    tally.line(line);
                    let name = rest.split('\t').next().unwrap_or_default();
                    finished.push(name.to_owned());
                    news += 1;
                    at = None;
                }
                Some(("halve", rest)) => {
                    pending.clear();
                    tally.notes.push(format!("in halves: {rest}"));
                    let name = rest.split('\t').next().unwrap_or_default();
                    finished.push(format!("{HALVE}{name}"));
                    news += 1;
                    at = None;
                }
                Some(("held" | "wrong", _)) => pending.push(line),
                Some(("unusable", _)) => {
                    tally.line(line);
                    complete = true;
                }
                None if line == "end" => complete = true,
                _ => tally.line(line),
            }
        }
        if complete {
            return Ok(());
        }
        match at {
            // The first time it is tried in two halves.
            Some(name) if !finished.contains(&format!("{HALVE}{name}")) => {
                tally.notes.push(format!("{name}, in halves: {ended}"));
                finished.push(format!("{HALVE}{name}"));
            }
            Some(name) => {
                tally.wrong.push(format!("{name}: {ended}"));
                finished.push(name);
            }
            None if news == 0 => {
                let (n, of) = shard;
                tally.wrong.push(format!("shard {n} of {of}: {ended}"));
                return Ok(());
            }
            None => {}
        }
    }
}

/// Runs a child as long as lines keep coming; how it ended, with the end of what it printed.
fn watch(
    mut command: Command,
    results: &Path,
    dir: &Path,
    patience: Duration,
) -> io::Result<String> {
    let log = fs::File::create(dir.join("log"))?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()?;
    let (mut size, mut since) = (0, Instant::now());
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break format!("the device process ended with {status}");
        }
        let now = fs::metadata(results).map_or(size, |m| m.len());
        if now != size {
            (size, since) = (now, Instant::now());
        }
        if since.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            let seconds = patience.as_secs();
            break format!("no result within {seconds} s: the device process was killed");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let log = fs::read(dir.join("log"))?;
    let log = String::from_utf8_lossy(&log);
    let tail: Vec<&str> = log.lines().rev().take(8).collect();
    let tail: Vec<&str> = tail.into_iter().rev().collect();
    Ok(format!("{ended} {}", tail.join(" | ")))
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    /// A child that stands for three batches, of which the second does `second`.
    fn tally(second: &str, patience: Duration) -> Tally {
        let script = format!(
            r#"for n in a b c; do
                 if grep -qx $n "$SKIP"; then continue; fi
                 printf 'start\t%s\n' $n >> "$RESULTS"
                 printf 'held\tV_ADD_F32\tVOP2\t7\t32\t10\n' >> "$RESULTS"
                 if [ $n = b ]; then {second}; fi
                 printf 'done\t%s\t5\n' $n >> "$RESULTS"
               done
               echo end >> "$RESULTS""#
        );
        let command = |errand: &Errand| {
            let mut command = Command::new("sh");
            command
                .args(["-c", &script])
                .env("RESULTS", &errand.results)
                .env("SKIP", &errand.skip);
            command
        };
        run(1, patience, &command).unwrap()
    }

    #[test]
    fn a_batch_that_crashes_or_hangs_fails_alone() {
        let crash = tally("echo gone; exit 3", Duration::from_secs(60));
        let hang = tally("exec sleep 600", Duration::from_millis(500));
        for (tally, how) in [(crash, "exit status: 3 gone"), (hang, "was killed")] {
            let names: Vec<&str> = tally.batches.iter().map(|(n, _)| n.as_str()).collect();
            assert_eq!(names, ["a", "c"]);
            // Tried again in halves, and then given up; what it had written does not count.
            assert_eq!((tally.notes.len(), tally.wrong.len()), (1, 1));
            assert!(tally.wrong[0].starts_with("b: "), "{:?}", tally.wrong);
            assert!(tally.wrong[0].contains(how), "{:?}", tally.wrong);
            let (_, result) = tally.keys.values().next().unwrap();
            assert_eq!((result.held, result.tuples), (2, 20));
        }
    }

    #[test]
    fn a_key_is_proven_where_all_its_instances_hold() {
        let mut tally = Tally::default();
        tally.line("device\tx");
        tally.line("key\tV_ADD_F32\tVOP2\t7\t32\t2\t1\t00000000000000ff");
        tally.line("held\tV_ADD_F32\tVOP2\t7\t32\t10");
        assert_eq!(tally.rows(8).rows, []);
        tally.line("held\tV_ADD_F32\tVOP2\t7\t32\t10");
        let rows = tally.rows(8).rows;
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].tuples, rows[0].hash), (20, 255));
        assert_eq!((rows[0].instances, rows[0].refused), (2, 1));
    }
}
