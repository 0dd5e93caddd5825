//! The folder of a run: `result.json`, which depends on the plan alone, and `run.json`, which does not.

use std::path::{Path, PathBuf};

use assay_engine::result::{Outcome, Shard, write_json};
use serde_json::{Value, json};

use crate::failure::Failure;

/// Makes sure that a run can write its folder before it computes anything. Without `--out` it is the
/// first free `runs/NAME-N`; a folder with a result is only used again when the user says so.
pub fn prepare(out: Option<&Path>, name: &str, reuse: bool) -> Result<PathBuf, Failure> {
    let folder = out.map_or_else(|| first_free(name), Path::to_owned);
    let refused = |problem: String| Failure::input(format!("{}: {problem}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(|e| refused(format!("{e}; choose a folder with --out")))?;
    tempfile::NamedTempFile::new_in(&folder).map_err(|e| refused(format!("cannot be written: {e}")))?;
    if !reuse && folder.join("result.json").exists() {
        return Err(refused("holds a result already; choose another --out, or add --overwrite".into()));
    }
    Ok(folder)
}

fn first_free(name: &str) -> PathBuf {
    let numbered = (1u32..).map(|n| PathBuf::from(format!("runs/{name}-{n}")));
    numbered.into_iter().find(|path| !path.exists()).expect("there is always a next number")
}

/// Writes both files of a run.
pub fn write(folder: &Path, outcome: &Outcome, seconds: f64) -> Result<(), Failure> {
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
        Some((index, of)) if index < of => Ok(Shard { index, of }),
        _ => Err("write i/n with i from 0 to n-1, such as 0/4".into()),
    }
}

/// Seconds rounded to what a reader wants to see.
pub fn rounded(value: f64, digits: i32) -> Value {
    let scale = 10f64.powi(digits);
    json!((value * scale).round() / scale)
}
