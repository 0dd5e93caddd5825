//! The folder of a run: `result.json`, which depends on the plan alone, and `run.json`, which does not.

use std::path::{Path, PathBuf};

use assay_engine::result::{MOST_SHARDS, Outcome, Shard, write_json};
use assay_engine::tally::{Counts, Tally};
use serde_json::{Value, json};

use crate::failure::{Failure, Status};

/// Makes sure that a run can write its folder before it computes anything. Without `--out` it is the
/// first free `runs/NAME-N`; a folder with a result or an unfinished run is only used again when the user
/// says so, and then loses what it held.
pub fn prepare(out: Option<&Path>, name: &str, again: Again) -> Result<PathBuf, Failure> {
    let folder = out.map_or_else(|| first_free(name), |out| make(out).map(|()| out.to_owned()))?;
    let refused = |problem: String| Failure::input(format!("{}: {problem}", folder.display()));
    tempfile::NamedTempFile::new_in(&folder).map_err(|e| refused(format!("cannot be written: {e}")))?;
    let has = |file: &str| folder.join(file).exists();
    let held = [RESULT, CHECKPOINT, INTERRUPTED, LIBFUZZER].into_iter().find(|file| has(file));
    match (again, held) {
        (Again::No, Some(CHECKPOINT)) => Err(refused(
            "holds an unfinished run; add --resume to go on, or --overwrite to start anew".into(),
        )),
        (Again::No, Some(file)) => {
            Err(refused(format!("holds {file} already; choose another --out, or add --overwrite")))
        }
        (Again::Resume, _) if has(CHECKPOINT) => Ok(folder),
        // It may be another run's, and nothing is left of this one that would tell.
        (Again::Resume, Some(RESULT)) => {
            Err(refused("holds a finished run; choose another --out, or add --overwrite for --resume".into()))
        }
        (Again::Resume, _) => {
            crate::say(format_args!(
                "nothing to resume in {}: starting from the first case",
                folder.display()
            ));
            Ok(folder)
        }
        (Again::Overwrite, _) => clear(&folder).map(|()| folder),
        (Again::No, None) => Ok(folder),
    }
}

fn make(folder: &Path) -> Result<(), Failure> {
    let failed = |e| Failure::input(format!("{}: {e}; choose a folder with --out", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)
}

/// Takes the first free `runs/NAME-N` by making it: another run may be looking for one at the same moment.
fn first_free(name: &str) -> Result<PathBuf, Failure> {
    make(Path::new("runs"))?;
    let numbered = (1u32..).map(|n| PathBuf::from(format!("runs/{name}-{n}")));
    let taken = |path: &PathBuf| {
        std::fs::create_dir(path).is_err_and(|e| e.kind() == std::io::ErrorKind::AlreadyExists)
    };
    let folder = numbered.into_iter().find(|path| !taken(path)).expect("there is always a next number");
    // Where it is neither taken nor made, this says why.
    make(&folder).map(|()| folder)
}

/// What to do with a folder that was used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// Refuse it.
    No,
    /// Go on from its checkpoint.
    Resume,
    /// Remove the files of the earlier run.
    Overwrite,
}

impl Again {
    /// From the two options of a command.
    pub fn of(resume: bool, overwrite: bool) -> Again {
        match (resume, overwrite) {
            (true, _) => Again::Resume,
            (_, true) => Again::Overwrite,
            _ => Again::No,
        }
    }
}

const RESULT: &str = "result.json";
/// Every bin that was not hit.
pub const COVERAGE: &str = "coverage.json";
/// Progress of a run that is not finished.
pub const CHECKPOINT: &str = "checkpoint.json";
/// What an interrupted run counted.
pub const INTERRUPTED: &str = "interrupted.json";

/// What came of the libFuzzer targets.
pub const LIBFUZZER: &str = "libfuzzer.json";

/// Removes what an earlier run wrote, and nothing else.
fn clear(folder: &Path) -> Result<(), Failure> {
    let findings = std::fs::read_dir(folder.join("findings")).into_iter().flatten();
    let findings = findings.filter_map(|entry| Some(entry.ok()?.path()));
    let is_finding = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "yaml" || kind == "json");
    let findings = findings.filter(is_finding);
    if folder.join(LIBFUZZER).exists() {
        for room in
            ["artifacts", "logs"].map(|room| folder.join(room)).into_iter().filter(|room| room.exists())
        {
            std::fs::remove_dir_all(&room).map_err(|e| Failure::input(format!("{}: {e}", room.display())))?;
        }
    }
    let files =
        [RESULT, "run.json", COVERAGE, CHECKPOINT, INTERRUPTED, LIBFUZZER].map(|file| folder.join(file));
    for path in files.into_iter().filter(|path| path.exists()).chain(findings) {
        std::fs::remove_file(&path).map_err(|e| Failure::input(format!("{}: {e}", path.display())))?;
    }
    Ok(())
}

/// Records the end of a run: the result is whole, so progress and an earlier interruption are history.
pub fn finish(folder: &Path, outcome: &Outcome, seconds: f64) -> Result<(), Failure> {
    write(folder, outcome, seconds)?;
    for file in [CHECKPOINT, INTERRUPTED].map(|file| folder.join(file)).into_iter().filter(|f| f.exists()) {
        std::fs::remove_file(&file).map_err(|e| Failure::harness(format!("{}: {e}", file.display())))?;
    }
    Ok(())
}

/// Writes both files of a run.
fn write(folder: &Path, outcome: &Outcome, seconds: f64) -> Result<(), Failure> {
    outcome.write(&folder.join(RESULT))?;
    let record = json!({
        "version": 1,
        "assay": env!("CARGO_PKG_VERSION"),
        "command": std::env::args().collect::<Vec<_>>(),
        "jobs": rayon::current_num_threads(),
        "seconds": seconds,
    });
    Ok(write_json(&folder.join("run.json"), &record)?)
}

/// `i/n` as a shard.
pub fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((index, of)) if index < of && of <= MOST_SHARDS => Ok(Shard { index, of }),
        _ => Err(format!("write i/n with i from 0 to n-1 and n up to {MOST_SHARDS}, such as 0/4")),
    }
}

/// The status of a finished run: what diverged fails it, and so does a run in which nothing was judged.
pub fn status(tally: &Tally) -> Status {
    let Counts { exact, within, diverged, waived, .. } = tally.verdicts;
    let judged = exact + within + diverged + waived;
    if judged == 0 {
        let cases = tally.cases;
        crate::say(format_args!(
            "nothing was judged: all {cases} cases are undefined, unjudged or unsupported"
        ));
    }
    Status::of(diverged == 0 && judged > 0)
}

/// Says that a device was declared dead, and what there is of the run.
pub fn say_gone(reason: &str, cases: u64, folder: &Path) {
    let folder = folder.display();
    crate::say(format_args!(
        "{reason}\n{cases} cases were checked until then; all that they showed is in {folder}"
    ));
}

/// Seconds rounded to what a reader wants to see.
pub fn rounded(value: f64, digits: i32) -> Value {
    let scale = 10f64.powi(digits);
    json!((value * scale).round() / scale)
}
