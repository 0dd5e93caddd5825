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
    let folder = out.map_or_else(|| first_free(name), Path::to_owned);
    let refused = |problem: String| Failure::input(format!("{}: {problem}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(|e| refused(format!("{e}; choose a folder with --out")))?;
    tempfile::NamedTempFile::new_in(&folder).map_err(|e| refused(format!("cannot be written: {e}")))?;
    let held = ["result.json", CHECKPOINT, INTERRUPTED].into_iter().find(|file| folder.join(file).exists());
    match (again, held) {
        (Again::No, Some(CHECKPOINT)) => Err(refused(
            "holds an unfinished run; add --resume to go on, or --overwrite to start anew".into(),
        )),
        (Again::No, Some(file)) => {
            Err(refused(format!("holds {file} already; choose another --out, or add --overwrite")))
        }
        (Again::Resume, _) if !folder.join(CHECKPOINT).exists() => {
            eprintln!("nothing to resume in {}: starting from the first case", folder.display());
            Ok(folder)
        }
        (Again::Overwrite, _) => clear(&folder).map(|()| folder),
        _ => Ok(folder),
    }
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

/// Progress of a run that is not finished.
pub const CHECKPOINT: &str = "checkpoint.json";
/// What an interrupted run counted.
pub const INTERRUPTED: &str = "interrupted.json";

/// Removes what an earlier run wrote, and nothing else.
fn clear(folder: &Path) -> Result<(), Failure> {
    let findings = std::fs::read_dir(folder.join("findings")).into_iter().flatten();
    let findings = findings.filter_map(|entry| Some(entry.ok()?.path()));
    let findings = findings.filter(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    let files = ["result.json", "run.json", CHECKPOINT, INTERRUPTED].map(|file| folder.join(file));
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

fn first_free(name: &str) -> PathBuf {
    let numbered = (1u32..).map(|n| PathBuf::from(format!("runs/{name}-{n}")));
    numbered.into_iter().find(|path| !path.exists()).expect("there is always a next number")
}

/// Writes both files of a run.
fn write(folder: &Path, outcome: &Outcome, seconds: f64) -> Result<(), Failure> {
    outcome.write(&folder.join("result.json"))?;
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

/// Seconds rounded to what a reader wants to see.
pub fn rounded(value: f64, digits: i32) -> Value {
    let scale = 10f64.powi(digits);
    json!((value * scale).round() / scale)
}
