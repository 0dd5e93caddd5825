//! A persistent corpus: what it covers, and keeping it small.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Duration;

use assay_files::{Lock, digest};
use assay_fuzzing::Target;
use assay_process::End;
use clap::Args;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::files::{Crashes, Inputs, inputs, make, plain_path, read};
use super::process::{Coverage, Ended, Process};
use super::repeat::Setting;
use super::toolchain::{Sanitizer, Toolchain};
use crate::failure::Failure;
use crate::interrupt::STOP;

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
        plain_path(out)?;
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

/// Takes the folder of the corpora for one run: two would each remove what the other has found.
pub fn lock(folder: &Path) -> Result<Option<Lock>, Failure> {
    plain_path(folder)?;
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

/// The corpus of a target, and all that its inputs are run with.
pub struct Corpus<'a> {
    /// What the target is built with.
    pub toolchain: &'a Toolchain,
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

    /// A command of cargo-fuzz for inputs of the target, with the limits on them. Other options of libFuzzer can follow.
    pub fn cargo_fuzz(&self, command: &str, inputs: &Path) -> Command {
        let mut command = self.toolchain.cargo_fuzz(command, self.setting.sanitizer);
        command.arg(self.target.name()).arg(inputs).arg("--");
        command.args(self.setting.limits(self.target).options()).arg("-print_funcs=0");
        // libFuzzer takes what it is given for the beginning of a file's name.
        command.arg(format!("-artifact_prefix={}/", self.artifacts.display()));
        command
    }

    /// A folder for temporary files, in that of the programs: libFuzzer hands its path to a shell, and cargo-fuzz moves the
    /// folder of a corpus to the file system of the targets.
    pub fn temporary(&self) -> Result<TempDir, Failure> {
        let folder = self.toolchain.products(self.setting.sanitizer);
        make(&folder)?;
        TempDir::new_in(&folder).map_err(|e| Failure::harness(format!("{}: {e}", folder.display())))
    }

    /// What the corpus covers; none if the user interrupted it, or an input ended the program.
    pub fn coverage(&self) -> Result<Option<Coverage>, Failure> {
        let crashes = Crashes::known(self.artifacts)?;
        let mut command = self.cargo_fuzz("run", &self.open()?);
        command.arg("-runs=0");
        let Some(ended) = self.wait(command, "coverage")? else { return Ok(None) };
        match ended.end {
            Some(End::Status(0)) => Ok(Some(Coverage::read(&ended.text()).unwrap_or_default())),
            _ if !crashes.since()?.is_empty() => Ok(None),
            _ => Err(ended.failure(self.target.name())),
        }
    }

    /// Keeps what adds to the coverage, the shortest inputs first, as far as the bounds allow; none if the user interrupted
    /// it, and then all is kept. An input that ends the program leaves the corpus; it is among the artifacts.
    ///
    /// `cargo fuzz cmin` puts another folder in the place of a corpus, whatever became of the merge. So it gets a copy, and an
    /// input leaves the corpus only once the merge has said that it succeeded and what it kept is what the copy holds.
    pub fn minimise(&self) -> Result<Option<Minimised>, Failure> {
        let all = inputs(&self.open()?)?;
        if all.is_empty() {
            return Ok(Some(Minimised::default()));
        }
        let temporary = self.temporary()?;
        let copy = temporary.path().join("corpus");
        make(&copy)?;
        for (nth, (_, path)) in all.iter().enumerate() {
            let copied = std::fs::copy(path, copy.join(nth.to_string()));
            copied.map_err(|e| Failure::harness(format!("{}: {e}", path.display())))?;
        }
        let crashes = Crashes::known(self.artifacts)?;
        let mut command = self.cargo_fuzz("cmin", &copy);
        command.env("TMPDIR", temporary.path());
        let Some(ended) = self.wait(command, "merge")? else { return Ok(None) };
        if ended.end != Some(End::Status(0)) {
            return Err(ended.failure(self.target.name()));
        }
        let crashes = crashes.since()?;
        let (kept, spare) = self.sorted(all, &copy, &crashes, &ended.text())?;
        let (left_out, size) = bounded(kept, &self.bounds);
        spare.iter().chain(&left_out).try_for_each(|path| remove(path))?;
        Ok(Some(Minimised { size, crashes }))
    }

    /// The inputs of the corpus that a merge has kept, and the others.
    fn sorted(
        &self,
        all: Inputs,
        merged: &Path,
        crashes: &[PathBuf],
        log: &str,
    ) -> Result<(Inputs, Vec<PathBuf>), Failure> {
        let refused = |problem: String| {
            let corpus = self.target.name();
            Failure::harness(format!(
                "the merge of the corpus {corpus} is not believed, so all of it is kept: {problem}"
            ))
        };
        let digests = |paths: &[PathBuf]| {
            paths.iter().map(|path| self.digest(path)).collect::<Result<BTreeSet<_>, _>>()
        };
        let merged: Vec<PathBuf> = inputs(merged)?.into_iter().map(|(_, path)| path).collect();
        let said = log
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("MERGE-OUTER: ")?.split_once(" new files with"));
        let added = said.and_then(|(number, _)| number.parse::<usize>().ok());
        if !log.contains("MERGE-OUTER: successful in ") || added != Some(merged.len()) {
            let added = added.map_or("nothing".to_owned(), |added| added.to_string());
            return Err(refused(format!("it says to keep {added}, and {} inputs are there", merged.len())));
        }
        let (mut missing, ending) = (digests(&merged)?, digests(crashes)?);
        let (mut kept, mut spare) = (Vec::new(), Vec::new());
        let mut is_explained = !missing.is_empty();
        for (bytes, path) in all {
            let digest = self.digest(&path)?;
            match missing.remove(&digest) {
                true => kept.push((bytes, path)),
                false => spare.push(path),
            }
            is_explained |= ending.contains(&digest);
        }
        match (missing.len(), is_explained) {
            (0, true) => Ok((kept, spare)),
            (0, false) => Err(refused("it keeps none, and none ended the program".into())),
            (n, _) => Err(refused(format!("{n} of its inputs are not those of the corpus"))),
        }
    }

    /// Of as much of an input as libFuzzer reads.
    fn digest(&self, path: &Path) -> Result<String, Failure> {
        let data = read(path)?;
        Ok(digest::sha256(&data[..data.len().min(self.target.longest())]))
    }

    /// Runs a command to its end; none if the user interrupted it.
    fn wait(&self, command: Command, what: &str) -> Result<Option<Ended>, Failure> {
        let process = Process::start(command, self.logs, &format!("{}-{what}", self.target.name()))?;
        while !process.has_ended() {
            if STOP.load(Ordering::Relaxed) {
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(Some(process.finish()))
    }
}

/// How much is in the corpus of a target.
pub fn size(folder: &Path) -> Result<Size, Failure> {
    let inputs = inputs(folder)?;
    let bytes = inputs.iter().map(|(bytes, _)| bytes).sum();
    Ok(Size { inputs: inputs.len(), bytes, left_out: 0 })
}

/// The inputs that the bounds leave out, and how much the others are.
fn bounded(inputs: Inputs, bounds: &Bounds) -> (Vec<PathBuf>, Size) {
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

fn remove(path: &Path) -> Result<(), Failure> {
    std::fs::remove_file(path).map_err(|e| Failure::harness(format!("{}: {e}", path.display())))
}

#[cfg(test)]
pub mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// The folders of a test.
    pub struct Place {
        /// Of the corpus of `decode`, with two inputs.
        pub corpus: PathBuf,
        /// Of the artifacts.
        pub artifacts: PathBuf,
    }

    /// Hands over a corpus for whose target cargo-fuzz does what a script says. The script knows the folder of the inputs that
    /// it is given as `$corpus`, and that of the artifacts as `$artifacts`.
    pub fn with_corpus<T>(script: &str, then: impl FnOnce(&Corpus<'_>, &Place) -> T) -> T {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["logs", "artifacts", "corpora", "corpora/decode"] {
            std::fs::create_dir(path(name)).unwrap();
        }
        let known = "for a; do case $a in -artifact_prefix=*) artifacts=${a#*=};; --) corpus=$last;; esac; last=$a; done";
        std::fs::write(path("cargo-fuzz"), format!("#!/bin/sh\n{known}\n{script}\n")).unwrap();
        std::fs::set_permissions(path("cargo-fuzz"), std::fs::Permissions::from_mode(0o755)).unwrap();
        for (name, text) in [("seed", "bad"), ("other", "good")] {
            std::fs::write(path("corpora/decode").join(name), text).unwrap();
        }
        let bounds = Bounds { rss_limit: 64, timeout: 1, most_inputs: 9, most_bytes: 99 };
        let corpus = Corpus {
            toolchain: &Toolchain::of_script(folder.path(), &path("cargo-fuzz")),
            target: Target::Decode,
            folder: &path("corpora"),
            logs: &path("logs"),
            artifacts: &path("artifacts"),
            setting: bounds.setting(Sanitizer::None),
            bounds,
        };
        then(&corpus, &Place { corpus: path("corpora/decode"), artifacts: path("artifacts") })
    }

    /// What comes of a minimisation, and how many of the two inputs are left.
    fn minimised(script: &str) -> (Result<Option<Minimised>, Failure>, usize) {
        with_corpus(script, |corpus, place| (corpus.minimise(), inputs(&place.corpus).unwrap().len()))
    }

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

    #[test]
    fn a_merge_that_did_nothing_or_is_not_believed_takes_nothing_away() {
        let successful = "echo 'MERGE-OUTER: successful in 1 attempt(s)' >&2";
        let says = |added: u32| {
            format!("{successful}; echo 'MERGE-OUTER: {added} new files with 7 new features added' >&2")
        };
        for script in [
            "exit 0".to_owned(),
            "exit 1".into(),
            "kill -9 $$".into(),
            "echo 'MERGE-OUTER: 2 new files with 7 new' >&2".into(),
            says(1),
            format!("rm $corpus/*; {}", says(0)),
            format!("rm $corpus/*; {}", says(2)),
            format!("printf new > $corpus/0; {}", says(2)),
        ] {
            let (outcome, left) = minimised(&script);
            assert!(outcome.is_err() && left == 2, "{script}: {left}");
        }
    }

    #[test]
    fn a_merge_tells_which_inputs_stay() {
        let script = "grep -l bad $corpus/* | xargs rm; echo 'MERGE-OUTER: successful in 1 attempt(s)' >&2\n\
            echo 'MERGE-OUTER: 1 new files with 1 new features added; 1 new coverage edges' >&2";
        let (outcome, left) = minimised(script);
        let Minimised { size, crashes } = outcome.unwrap().expect("nobody interrupts it");
        assert_eq!((size, crashes.len(), left), (Size { inputs: 1, bytes: 4, left_out: 0 }, 0, 1));
    }

    #[test]
    fn inputs_that_end_a_merge_are_told_and_leave_the_corpus() {
        let script = "rm $corpus/*; printf bad > ${artifacts}crash-1; printf good > ${artifacts}oom-1\n\
            echo 'MERGE-OUTER: successful in 3 attempt(s)' >&2\n\
            echo 'MERGE-OUTER: 0 new files with 0 new features added' >&2";
        let (outcome, left) = minimised(script);
        let Minimised { size, crashes } = outcome.unwrap().expect("nobody interrupts it");
        assert_eq!((size.inputs, crashes.len(), left), (0, 2, 0));
    }

    #[test]
    fn coverage_is_that_of_the_last_line_and_unknown_where_an_input_ends_the_program() {
        let of = |script: &str| with_corpus(script, |corpus, _| corpus.coverage());
        let known = of("echo '#3 INITED cov: 12 ft: 13 corp: 2/17b' >&2").unwrap();
        assert_eq!(known, Some(Coverage { edges: 12, features: 13 }));
        assert_eq!(of("printf bad > ${artifacts}crash-1; exit 1").unwrap(), None);
        assert!(of("exit 1").is_err());
    }
}
