//! A persistent corpus: what it covers, and keeping it small.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Duration;

use assay_device::process::End;
use assay_files::Lock;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::files::{inputs, make, read, unless_gone};
use super::merge::{Merged, Sorted, bear_a_shell};
use super::repeat::Setting;
use super::toolchain::Sanitizer;
use super::worker::{Coverage, Ended, Worker};
use crate::failure::Failure;
use crate::interrupt::STOP;
use assay_fuzzing::Target;

/// Limits on the inputs of a target, and on what is kept of them.
#[derive(Args, Clone, Copy)]
pub struct Bounds {
    /// Megabytes of memory of a process at most.
    #[arg(long, value_name = "MB", default_value_t = Setting::USUAL.rss_limit, value_parser = clap::value_parser!(u64).range(64..))]
    pub rss_limit: u64,
    /// Seconds for one input at most.
    #[arg(long, value_name = "SECONDS", default_value_t = Setting::USUAL.timeout, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
    /// Inputs that a corpus keeps at most, the shortest first.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub most_inputs: usize,
    /// Bytes that they have together at most.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    pub most_bytes: u64,
}

impl Bounds {
    /// The limits on an input, with what watches the memory.
    pub fn setting(&self, sanitizer: Sanitizer) -> Setting {
        Setting { sanitizer, rss_limit: self.rss_limit, timeout: self.timeout }
    }
}

/// The folders that a command writes beside the corpora.
pub struct Rooms {
    /// What the build and the processes say.
    pub logs: PathBuf,
    /// The inputs that ended a process, a folder a target.
    artifacts: PathBuf,
}

impl Rooms {
    /// Makes them in a folder.
    pub fn make(out: &Path) -> Result<Rooms, Failure> {
        bear_a_shell(out)?;
        let rooms = Rooms { logs: out.join("logs"), artifacts: out.join("artifacts") };
        make(&rooms.logs)?;
        Ok(rooms)
    }

    /// The folder for the inputs of a target, which is made if it is not there.
    pub fn artifacts(&self, target: Target) -> Result<PathBuf, Failure> {
        let folder = self.artifacts.join(target.name());
        make(&folder)?;
        Ok(folder)
    }
}

/// Where a corpus is merged: beside it, so that what is kept need only be renamed.
const MERGING: &str = ".merging-";

/// Takes the folder of the corpora for one run: two would each remove what the other has found. What a killed run left
/// of a merge is removed.
pub fn lock(folder: &Path) -> Result<Option<Lock>, Failure> {
    bear_a_shell(folder)?;
    make(folder)?;
    let failed = |path: &Path, e: std::io::Error| Failure::input(format!("{}: {e}", path.display()));
    let opened = File::open(folder).map_err(|e| failed(folder, e))?;
    let lock = match Lock::exclusive(opened, Duration::ZERO) {
        Ok(lock) => Some(lock),
        Err(TryLockError::WouldBlock) => {
            let folder = folder.display();
            return Err(Failure::input(format!(
                "{folder}: another run has these corpora; wait for its end, or name another --corpus"
            )));
        }
        // Where a file system has no locks, runs are not kept apart.
        Err(TryLockError::Error(_)) => None,
    };
    for entry in std::fs::read_dir(folder).map_err(|e| failed(folder, e))? {
        let path = entry.map_err(|e| failed(folder, e))?.path();
        let is_left = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(MERGING));
        if is_left {
            std::fs::remove_dir_all(&path).map_err(|e| failed(&path, e))?;
        }
    }
    Ok(lock)
}

/// How much is in a corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Inputs.
    pub inputs: usize,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Inputs that would add to the coverage and that the bounds left out.
    pub left_out: usize,
}

/// What is left of a corpus.
#[derive(Debug, Default)]
pub struct Minimised {
    /// How much.
    pub size: Size,
    /// Artifacts: inputs that ended the program meanwhile.
    pub crashes: Vec<PathBuf>,
}

/// The corpus of a target, and the program that takes its inputs.
pub struct Corpus<'a> {
    /// The program.
    pub program: &'a Path,
    /// The target.
    pub target: Target,
    /// The folder of all corpora.
    pub folder: &'a Path,
    /// Where logs go.
    pub logs: &'a Path,
    /// Where inputs go that end the program.
    pub artifacts: &'a Path,
    /// Limits on inputs.
    pub setting: Setting,
    /// Limits on the corpus.
    pub bounds: Bounds,
}

impl Corpus<'_> {
    /// The folder of this corpus, which is made if it is not there.
    pub fn open(&self) -> Result<PathBuf, Failure> {
        let folder = self.folder.join(self.target.name());
        make(&folder)?;
        Ok(folder)
    }

    /// A command of the program with the limits on its inputs.
    pub fn command(&self) -> Command {
        let mut command = Command::new(self.program);
        command
            .args(self.setting.limits(self.target).options())
            .args(["-print_funcs=0", "-print_final_stats=1"]);
        // libFuzzer takes what it is given for the beginning of a file's name.
        command.arg(format!("-artifact_prefix={}/", self.artifacts.display()));
        command
    }

    /// What the corpus covers; none if the user interrupted it.
    pub fn coverage(&self) -> Result<Option<Coverage>, Failure> {
        let mut command = self.command();
        command.arg("-runs=0").arg(self.open()?);
        Ok(self.wait(command, "coverage")?.map(|ended| ended.stats.after.unwrap_or_default()))
    }

    /// Keeps what adds to the coverage, the shortest inputs first, as far as the bounds allow; none if the user interrupted
    /// it, and then all is kept. An input that ends the program leaves the corpus; it is among the artifacts.
    pub fn minimise(&self) -> Result<Option<Minimised>, Failure> {
        let folder = self.open()?;
        if inputs(&folder)?.is_empty() {
            return Ok(Some(Minimised::default()));
        }
        let room = tempfile::Builder::new().prefix(MERGING).tempdir_in(self.folder);
        let room = room.map_err(|e| Failure::harness(format!("{}: {e}", self.folder.display())))?;
        let [kept, control] = ["kept", "control"].map(|name| room.path().join(name));
        make(&kept)?;
        let mut command = self.command();
        command
            .arg("-merge=1")
            .arg(format!("-merge_control_file={}", control.display()))
            .arg(&kept)
            .arg(&folder);
        let Some(ended) = self.wait(command, "merge")? else { return Ok(None) };
        leave(&ended.artifacts, &folder, self.target.longest())?;
        if inputs(&folder)?.is_empty() {
            return Ok(Some(Minimised { size: Size::default(), crashes: ended.artifacts }));
        }
        let (log, longest) = (ended.text(), self.target.longest());
        let merged = Merged { corpus: &folder, kept: &kept, control: &control, log: &log, longest };
        let Sorted { kept, spare } = merged.sorted()?;
        let (left_out, size) = bounded(kept, &self.bounds);
        spare.iter().chain(&left_out).try_for_each(|path| remove(path))?;
        Ok(Some(Minimised { size, crashes: ended.artifacts }))
    }

    /// Runs a command to its end; none if the user interrupted it.
    fn wait(&self, command: Command, what: &str) -> Result<Option<Ended>, Failure> {
        let worker = Worker::start(command, self.logs, &format!("{}-{what}", self.target.name()))?;
        while !worker.has_ended() {
            if STOP.load(Ordering::Relaxed) {
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let ended = worker.finish();
        match ended.end {
            Some(End::Status(0)) => Ok(Some(ended)),
            _ => Err(ended.failure(self.target.name())),
        }
    }
}

/// How much is in the corpus of a target.
pub fn size(folder: &Path) -> Result<Size, Failure> {
    let inputs = inputs(folder)?;
    let bytes = inputs.iter().map(|(bytes, _)| bytes).sum();
    Ok(Size { inputs: inputs.len(), bytes, left_out: 0 })
}

/// The inputs that the bounds leave out, and how much the others are.
fn bounded(inputs: Vec<(u64, PathBuf)>, bounds: &Bounds) -> (Vec<PathBuf>, Size) {
    let mut size = Size::default();
    let mut left_out = Vec::new();
    for (bytes, path) in inputs {
        if size.inputs == bounds.most_inputs || size.bytes + bytes > bounds.most_bytes {
            size.left_out += 1;
            left_out.push(path);
            continue;
        }
        size.inputs += 1;
        size.bytes += bytes;
    }
    (left_out, size)
}

/// Removes inputs from a corpus that end the program, by their bytes: each would end the next process as well.
pub fn leave(artifacts: &[PathBuf], corpus: &Path, longest: usize) -> Result<(), Failure> {
    if artifacts.is_empty() {
        return Ok(());
    }
    let ending = artifacts.iter().map(|path| read(path)).collect::<Result<BTreeSet<_>, _>>()?;
    for (_, path) in inputs(corpus)? {
        let failed = |e: std::io::Error| Failure::input(format!("{}: {e}", path.display()));
        // libFuzzer reads no more of it.
        let Some(data) = unless_gone(beginning(&path, longest)).map_err(failed)? else { continue };
        if ending.contains(&data) {
            unless_gone(std::fs::remove_file(&path)).map_err(failed)?;
        }
    }
    Ok(())
}

/// The first bytes of a regular file.
fn beginning(path: &Path, most: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    assay_files::open_regular(path)?.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn remove(path: &Path) -> Result<(), Failure> {
    std::fs::remove_file(path).map_err(|e| Failure::harness(format!("{}: {e}", path.display())))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_corpus_is_bounded_by_inputs_and_by_bytes() {
        let inputs = || [(1, "a"), (2, "b"), (4, "c"), (8, "d")].map(|(n, name)| (n, PathBuf::from(name)));
        for (most_inputs, most_bytes, kept, bytes) in
            [(9, 99, 4, 15), (3, 99, 3, 7), (9, 7, 3, 7), (9, 6, 2, 3), (0, 99, 0, 0), (9, 0, 0, 0)]
        {
            let bounds = Bounds { rss_limit: 64, timeout: 1, most_inputs, most_bytes };
            let (left_out, size) = bounded(inputs().to_vec(), &bounds);
            assert_eq!(size, Size { inputs: kept, bytes, left_out: 4 - kept });
            assert!(left_out.iter().eq(inputs()[kept..].iter().map(|(_, path)| path)));
        }
    }

    /// A merge whose program does what a script says: what comes of it, and what is left of a corpus of two inputs.
    fn minimised(script: &str) -> (Result<Option<Minimised>, Failure>, usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["logs", "artifacts", "corpora", "corpora/decode"] {
            std::fs::create_dir(path(name)).unwrap();
        }
        std::fs::write(path("program"), format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(path("program"), std::fs::Permissions::from_mode(0o755)).unwrap();
        for (name, text) in [("seed", "bad"), ("other", "good")] {
            std::fs::write(path("corpora/decode").join(name), text).unwrap();
        }
        let bounds = Bounds { rss_limit: 64, timeout: 1, most_inputs: 9, most_bytes: 99 };
        let corpus = Corpus {
            program: &path("program"),
            target: Target::Decode,
            folder: &path("corpora"),
            logs: &path("logs"),
            artifacts: &path("artifacts"),
            setting: bounds.setting(Sanitizer::None),
            bounds,
        };
        let outcome = corpus.minimise();
        (outcome, inputs(&path("corpora/decode")).unwrap().len())
    }

    #[test]
    fn a_merge_that_did_nothing_takes_nothing_away() {
        for script in
            ["exit 0", "echo 'MERGE-OUTER: 0 new files with 0 new' >&2; exit 0", "exit 1", "kill -9 $$"]
        {
            let (outcome, left) = minimised(script);
            assert!(outcome.is_err() && left == 2, "{script}: {left}");
        }
    }

    #[test]
    fn inputs_come_and_go_while_others_leave() {
        let folder = tempfile::tempdir().unwrap();
        let (ending, corpus) = (folder.path().join("crash-1"), folder.path().join("corpus"));
        make(&corpus).unwrap();
        std::fs::write(&ending, "ends it").unwrap();
        let is_over = std::sync::atomic::AtomicBool::new(false);
        let paths =
            || (0..50).map(|n| (corpus.join(n.to_string()), if n % 2 == 0 { "another" } else { "ends it" }));
        std::thread::scope(|scope| {
            let other_process = || {
                while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                    paths().for_each(|(path, text)| std::fs::write(path, text).unwrap());
                    // Some of them were taken away already.
                    paths().for_each(|(path, _)| drop(std::fs::remove_file(path)));
                }
            };
            scope.spawn(other_process);
            let all: Vec<_> = (0..300).map(|_| leave(std::slice::from_ref(&ending), &corpus, 99)).collect();
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
            all.into_iter().for_each(|left| left.unwrap());
        });
        paths().for_each(|(path, text)| std::fs::write(path, text).unwrap());
        leave(&[ending], &corpus, 99).unwrap();
        assert_eq!(size(&corpus).unwrap().inputs, 25, "those that end it have left, and no others");
    }

    #[test]
    fn an_input_that_ends_a_merge_is_told_and_leaves_the_corpus() {
        let script = r#"for a; do case $a in
            -artifact_prefix=*) artifacts=${a#*=};; -merge_control_file=*) notes=${a#*=};; esac
            kept=$corpus; corpus=$a; done
            cp $corpus/other $kept; printf bad > ${artifacts}crash-1
            printf '2\n0\n%s\n%s\nSTARTED 0 3\nSTARTED 1 4\nFT 1 7\nCOV 1\n' $corpus/seed $corpus/other > $notes
            echo "x; Test unit written to ${artifacts}crash-1" >&2
            echo "MERGE-OUTER: successful in 2 attempt(s)" >&2
            echo "MERGE-OUTER: 1 new files with 1 new features added" >&2"#;
        let (outcome, left) = minimised(script);
        let Minimised { size, crashes } = outcome.unwrap().expect("nobody interrupts it");
        assert_eq!((size, crashes.len(), left), (Size { inputs: 1, bytes: 4, left_out: 0 }, 1, 1));
    }
}
