//! Identifies the build of assay, the machine and the date, for the record of a run. Counts of
//! different builds are added only if the user allows it.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

use assay_records::run_info::Machine;
use chrono::{DateTime, SecondsFormat, Utc};
use twox_hash::XxHash3_64;

use crate::error::RunError;

/// Path of the running executable. It stays valid if the file of the executable is replaced.
const RUNNING: &str = "/proc/self/exe";

/// The digest of the running executable, once it is known.
static DIGEST: OnceLock<Result<u64, String>> = OnceLock::new();

/// Returns the version of assay and a digest of the executable. A change of code, tables, compiler
/// or libraries changes the digest.
pub fn identity() -> Result<String, RunError> {
    let digest = DIGEST.get_or_init(|| digest().map_err(|error| error.to_string()));
    let failed = |error| RunError::harness(format!("assay cannot read its own executable: {error}"));
    Ok(format!("{} {:016x}", env!("CARGO_PKG_VERSION"), digest.as_ref().map_err(failed)?))
}

/// Starts a thread that computes the identity, because the digest takes as long as all other
/// preparations of a run. If the thread cannot be started, the identity is computed when it is
/// needed.
pub fn begin_identity() {
    let _found_later = std::thread::Builder::new().spawn(identity);
}

/// The commit of the source, from the environment variable `ASSAY_COMMIT` at compile time.
pub const COMMIT: Option<&str> = option_env!("ASSAY_COMMIT");

/// Returns the current time of the machine's clock as RFC 3339 text, in UTC.
pub fn now() -> String {
    DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Describes the machine that executes this program.
pub fn machine() -> Machine {
    let facts = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = facts.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    Machine {
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        processor: name.map_or("unknown processor", |(_, name)| name.trim()).to_owned(),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
    }
}

fn digest() -> io::Result<u64> {
    let mut file = if Path::new(RUNNING).exists() {
        File::open(RUNNING)?
    } else {
        File::open(std::env::current_exe()?)?
    };
    let (mut hash, mut buffer) = (XxHash3_64::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.finish()),
            count => hash.write(&buffer[..count]),
        }
    }
}
