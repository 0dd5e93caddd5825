//! The persistent corpus of a target: its coverage, and its minimisation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_device::group::ProcessExit;
use assay_fuzzing::Target;
use assay_records::libfuzzer::{CorpusSize, Coverage, ProgramSetting};
use assay_runner::folder::Folder;
use assay_runner::reporter::Reporter;
use tempfile::TempDir;

use crate::LibfuzzerError;
use crate::files::{EarlierCrashes, Inputs, inputs, make, plain_path};
use crate::process::{self, Limits, ProcessEnd};
use crate::repeat;
use crate::toolchain::Toolchain;

/// Limits on an input, and on the contents of a corpus.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Megabytes of memory of a process at most.
    pub rss_limit: u64,
    /// Time limit of one input in seconds.
    pub timeout: u64,
    /// Inputs that a corpus keeps at most, the shortest first.
    pub most_inputs: usize,
    /// Bytes that they have together at most.
    pub most_bytes: u64,
}

/// One session of work on some targets, which are built: its folders, bounds and the program around.
pub struct Session {
    /// What the targets are built with.
    pub toolchain: Toolchain,
    /// Where logs go.
    pub logs: PathBuf,
    /// The folder of all corpora. Two runs would each remove what the other has found.
    corpora: Folder,
    /// Where inputs go that end a program, a folder a target.
    artifacts: PathBuf,
    bounds: Bounds,
    /// The program around.
    pub reporter: &'static dyn Reporter,
}

/// The size of a corpus after minimisation.
#[derive(Debug, Default)]
pub struct Minimised {
    /// How much.
    pub size: CorpusSize,
    /// Artifacts: inputs that ended the program meanwhile.
    pub crashes: Vec<PathBuf>,
}

/// The corpus of a target.
pub struct Corpus<'a> {
    /// What its inputs are run with.
    pub session: &'a Session,
    /// The target.
    pub target: Target,
    /// The folder of the corpus.
    pub folder: PathBuf,
    /// Where inputs go that end the program.
    pub artifacts: PathBuf,
}

impl Session {
    /// Takes the folder of the corpora for this run, makes the folders in `out`, and builds the targets. Returns none if the
    /// user interrupted the build.
    pub fn open(
        toolchain: Toolchain,
        targets: &[Target],
        corpora: &Path,
        out: &Path,
        bounds: Bounds,
        reporter: &'static dyn Reporter,
    ) -> Result<Option<Session>, LibfuzzerError> {
        make(corpora)?;
        let busy = "another run has these corpora; wait for its end, or name another --corpus";
        let corpora = Folder::lock(corpora.to_owned(), busy)?;
        let (logs, artifacts) = (out.join("logs"), out.join("artifacts"));
        make(&logs)?;
        let is_built = toolchain.build(targets, &logs, reporter.stop_flag())?;
        Ok(is_built.then_some(Session { toolchain, logs, corpora, artifacts, bounds, reporter }))
    }

    /// Returns the settings of the programs.
    pub fn setting(&self) -> ProgramSetting {
        let Bounds { rss_limit, timeout, .. } = self.bounds;
        ProgramSetting { sanitizer: self.toolchain.sanitizer, rss_limit, timeout }
    }

    /// Makes the folders of a target where they are not there.
    pub fn corpus(&self, target: Target) -> Result<Corpus<'_>, LibfuzzerError> {
        let [folder, artifacts] = [&*self.corpora, &self.artifacts].map(|folder| folder.join(target.name()));
        make(&folder)?;
        make(&artifacts)?;
        Ok(Corpus { session: self, target, folder, artifacts })
    }
}

/// Refuses folders and programs whose paths libFuzzer would pass to a shell that interprets their characters.
pub fn check_paths(
    toolchain: &Toolchain,
    targets: &[Target],
    folders: &[&Path],
) -> Result<(), LibfuzzerError> {
    targets.iter().try_for_each(|target| plain_path(&toolchain.program(*target)))?;
    folders.iter().try_for_each(|folder| plain_path(folder))
}

impl Corpus<'_> {
    /// Makes a command of cargo-fuzz for inputs of the target, with the limits on them. Other options of libFuzzer can follow.
    pub fn cargo_fuzz(&self, command: &str, inputs: &Path) -> Command {
        let mut command = self.session.toolchain.cargo_fuzz(command);
        command.arg(self.target.name()).arg(inputs).arg("--");
        command.args(repeat::options(&self.session.setting(), self.target)).arg("-print_funcs=0");
        // libFuzzer uses the value as a prefix of file names.
        command.arg(format!("-artifact_prefix={}/", self.artifacts.display()));
        command
    }

    /// Makes a folder for temporary files in that of the programs: libFuzzer passes its path to a shell, and cargo-fuzz
    /// moves the folder of a corpus to the file system of the targets.
    pub fn temporary(&self) -> Result<TempDir, LibfuzzerError> {
        let folder = self.session.toolchain.products();
        make(&folder)?;
        TempDir::new_in(&folder).map_err(LibfuzzerError::file(&folder))
    }

    /// Measures what the corpus covers; none if the user interrupted it, or an input ended the program.
    pub fn coverage(&self) -> Result<Option<Coverage>, LibfuzzerError> {
        let earlier = EarlierCrashes::list(&self.artifacts)?;
        let mut command = self.cargo_fuzz("run", &self.folder);
        command.arg("-runs=0");
        let ended = self.wait(command, "coverage")?;
        match ended.end {
            _ if ended.asked => Ok(None),
            Some(ProcessExit::Status(0)) => Ok(Some(process::coverage(&ended.text()).unwrap_or_default())),
            _ if !earlier.since()?.is_empty() => Ok(None),
            _ => Err(self.failure(&ended)),
        }
    }

    /// Keeps what adds to the coverage, the shortest inputs first, as far as the bounds allow; none if the user interrupted
    /// it, and then all is kept. An input that ends the program leaves the corpus; it is among the artifacts.
    ///
    /// `cargo fuzz cmin` replaces a corpus by another folder, whether the merge succeeded or not. So it gets a copy. An
    /// input leaves the corpus only if the merge reports success and the number of left inputs matches its report.
    pub fn minimise(&self) -> Result<Option<Minimised>, LibfuzzerError> {
        let all = inputs(&self.folder)?;
        if all.is_empty() {
            return Ok(Some(Minimised::default()));
        }
        let temporary = self.temporary()?;
        let copy = temporary.path().join("corpus");
        make(&copy)?;
        all.iter().try_for_each(|(_, path)| copy_into(path, &copy))?;
        let earlier = EarlierCrashes::list(&self.artifacts)?;
        let mut command = self.cargo_fuzz("cmin", &copy);
        command.env("TMPDIR", temporary.path());
        let ended = self.wait(command, "merge")?;
        if ended.asked {
            return Ok(None);
        }
        if ended.end != Some(ProcessExit::Status(0)) {
            return Err(self.failure(&ended));
        }
        let (merged, crashes) = (inputs(&copy)?, earlier.since()?);
        let doubt = doubt(&ended.text(), merged.len(), !crashes.is_empty());
        if let Some(problem) = doubt {
            return Err(LibfuzzerError::Merge { corpus: self.target.name(), problem });
        }
        let (kept, size) = bounded(merged, &self.session.bounds);
        kept.iter().try_for_each(|path| copy_into(path, &self.folder))?;
        // libFuzzer names an input by its content, and one that was named otherwise is there twice now.
        let names: BTreeSet<_> = kept.iter().map(|path| path.file_name()).collect();
        let is_spare = |path: &&PathBuf| !names.contains(&path.file_name());
        for path in all.iter().map(|(_, path)| path).filter(is_spare) {
            std::fs::remove_file(path).map_err(LibfuzzerError::file(path))?;
        }
        Ok(Some(Minimised { size, crashes }))
    }

    /// Counts the inputs of the corpus.
    pub fn size(&self) -> Result<CorpusSize, LibfuzzerError> {
        let inputs = inputs(&self.folder)?;
        Ok(CorpusSize {
            inputs: inputs.len(),
            bytes: inputs.iter().map(|(bytes, _)| bytes).sum(),
            left_out: 0,
        })
    }

    /// Makes the error that a process of the target did not do its work.
    pub fn failure(&self, ended: &ProcessEnd) -> LibfuzzerError {
        ended.failure(format!("the fuzz target {}", self.target.name()))
    }

    /// Runs a command to its end, or until the user interrupts it.
    fn wait(&self, command: Command, what: &str) -> Result<ProcessEnd, LibfuzzerError> {
        let name = format!("{}-{what}", self.target.name());
        let limits = Limits { stop: Some(self.session.reporter.stop_flag()), ..Limits::default() };
        process::run(command, &self.session.logs, &name, limits, &mut |_| true)
    }
}

/// Returns the reason against a merge's report: its log, the number of left inputs, and whether some ended it.
fn doubt(log: &str, left: usize, has_crashed: bool) -> Option<String> {
    let counted =
        |line: &str| line.strip_prefix("MERGE-OUTER: ")?.split_once(" new files with")?.0.parse().ok();
    let said: Option<usize> = log.lines().rev().find_map(counted);
    if !log.contains("MERGE-OUTER: successful in ") || said != Some(left) {
        let said = said.map_or("nothing".to_owned(), |said| said.to_string());
        return Some(format!("it reports {said} kept inputs, and {left} are there"));
    }
    (left == 0 && !has_crashed).then(|| "it keeps none, and none ended the program".into())
}

/// Copies an input into a folder, under its name, unless it is there.
fn copy_into(path: &Path, folder: &Path) -> Result<(), LibfuzzerError> {
    let to = folder.join(path.file_name().unwrap_or_default());
    match to.exists() {
        true => Ok(()),
        false => std::fs::copy(path, &to).map(drop).map_err(LibfuzzerError::file(path)),
    }
}

/// Returns the inputs that the bounds allow, and how much they are.
fn bounded(inputs: Inputs, bounds: &Bounds) -> (Vec<PathBuf>, CorpusSize) {
    let mut size = CorpusSize::default();
    let mut kept = Vec::new();
    for (bytes, path) in inputs {
        if size.inputs == bounds.most_inputs || size.bytes + bytes > bounds.most_bytes {
            size.left_out += 1;
            continue;
        }
        size.inputs += 1;
        size.bytes += bytes;
        kept.push(path);
    }
    (kept, size)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::os::unix::fs::PermissionsExt;

    use assay_runner::reporter::Silent;

    use super::*;

    /// Calls `then` with a corpus for whose target cargo-fuzz is replaced by a script. The script knows the folder of
    /// the given inputs as `$corpus`, and that of the artifacts as `$artifacts`.
    pub fn with_corpus<T>(script: &str, then: impl FnOnce(&Corpus<'_>) -> T) -> T {
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
        let toolchain = Toolchain::of_script(folder.path(), &path("cargo-fuzz"));
        let corpora = Folder::lock(path("corpora"), "it is taken").unwrap();
        let (logs, artifacts) = (path("logs"), path("artifacts"));
        let session = Session { toolchain, logs, corpora, artifacts, bounds, reporter: &Silent };
        then(&session.corpus(Target::Decode).unwrap())
    }

    /// The result of a minimisation, and the number of left inputs (of two).
    fn minimised(script: &str) -> (Result<Option<Minimised>, LibfuzzerError>, usize) {
        with_corpus(script, |corpus| (corpus.minimise(), inputs(&corpus.folder).unwrap().len()))
    }

    #[test]
    fn a_corpus_is_bounded_by_inputs_and_by_bytes() {
        let inputs = || [(1, "a"), (2, "b"), (4, "c"), (8, "d")].map(|(n, name)| (n, PathBuf::from(name)));
        for (most_inputs, most_bytes, kept, bytes) in
            [(9, 99, 4, 15), (3, 99, 3, 7), (9, 7, 3, 7), (9, 6, 2, 3), (0, 99, 0, 0), (9, 0, 0, 0)]
        {
            let bounds = Bounds { rss_limit: 64, timeout: 1, most_inputs, most_bytes };
            let (left, size) = bounded(inputs().to_vec(), &bounds);
            assert_eq!(size, CorpusSize { inputs: kept, bytes, left_out: 4 - kept });
            assert!(left.iter().eq(inputs()[..kept].iter().map(|(_, path)| path)));
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
        let Minimised { size, crashes } = outcome.unwrap().expect("it was not interrupted");
        assert_eq!((size, crashes.len(), left), (CorpusSize { inputs: 1, bytes: 4, left_out: 0 }, 0, 1));
    }

    #[test]
    fn inputs_that_end_a_merge_are_told_and_leave_the_corpus() {
        let script = "rm $corpus/*; printf bad > ${artifacts}crash-1; printf good > ${artifacts}oom-1\n\
            echo 'MERGE-OUTER: successful in 3 attempt(s)' >&2\n\
            echo 'MERGE-OUTER: 0 new files with 0 new features added' >&2";
        let (outcome, left) = minimised(script);
        let Minimised { size, crashes } = outcome.unwrap().expect("it was not interrupted");
        assert_eq!((size.inputs, crashes.len(), left), (0, 2, 0));
    }

    #[test]
    fn coverage_is_that_of_the_last_line_and_unknown_where_an_input_ends_the_program() {
        let of = |script: &str| with_corpus(script, |corpus| corpus.coverage());
        let known = of("echo '#3 INITED cov: 12 ft: 13 corp: 2/17b' >&2").unwrap();
        assert_eq!(known, Some(Coverage { edges: 12, features: 13 }));
        assert_eq!(of("printf bad > ${artifacts}crash-1; exit 1").unwrap(), None);
        assert!(of("exit 1").is_err());
    }
}
