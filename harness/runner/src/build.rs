//! Identifies the build of assay: counts of different builds are not added silently.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;

use twox_hash::XxHash3_64;

use crate::error::RunError;

/// The running file, also where another has taken its name since.
const RUNNING: &str = "/proc/self/exe";

/// The version, and a digest of the executable: code, tables, compiler and libraries are all in it.
pub fn identity() -> Result<String, RunError> {
    let failed = |error| RunError::harness(format!("assay cannot read its own executable: {error}"));
    Ok(format!("{} {:016x}", env!("CARGO_PKG_VERSION"), digest().map_err(failed)?))
}

fn digest() -> io::Result<u64> {
    let mut file = match Path::new(RUNNING).exists() {
        true => File::open(RUNNING)?,
        false => File::open(std::env::current_exe()?)?,
    };
    let (mut hash, mut buffer) = (XxHash3_64::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.finish()),
            count => hash.write(&buffer[..count]),
        }
    }
}
