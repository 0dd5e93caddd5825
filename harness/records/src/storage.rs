//! Reads and writes the files of a run.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use assay_files::Staged;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::VERSION;

/// Maximum size of a result in bytes: a hundred times the size of the largest known result.
pub const MOST_BYTES: u64 = 256 * assay_files::MIB;

/// Size of the buffer for writing JSON, in bytes.
const BUFFER: usize = 1 << 17;

/// An error of reading or writing a result.
#[derive(Debug, thiserror::Error)]
pub enum ResultError {
    /// A file could not be read.
    #[error("{}: {source}; give a result.json or the folder that holds it", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error("{}: {source}; check that there is room and that the folder can be written", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file is not a result.
    #[error("{}: not a result of this version of assay: {}", path.display(), assay_isa::shown::message(&source.to_string()))]
    Format {
        /// The path.
        path: PathBuf,
        /// The error of the JSON parser.
        source: serde_json::Error,
    },
    /// The format has an unsupported version.
    #[error("{}: result format {found}, this assay reads {VERSION} and older", path.display())]
    Version {
        /// The path.
        path: PathBuf,
        /// Version of the format of the file.
        found: u32,
    },
    /// The digest in the result does not match its bytes.
    #[error(
        "{}: its content does not have the digest of its third line; it was edited, reformatted or damaged: copy it \
         again, or run again",
        path.display()
    )]
    Digest {
        /// The path.
        path: PathBuf,
    },
    /// The counts of the result contradict each other.
    #[error("{}: contradicts itself: {what}; it was edited or damaged: copy it again, or run again", path.display())]
    Contradiction {
        /// The path.
        path: PathBuf,
        /// The contradiction.
        what: String,
    },
    /// The digest of the result file differs from the one in the `run.json` beside it.
    #[error(
        "{}: not the bytes that the run.json beside it records; copy the folder again, or run --resume in it if it \
         holds a checkpoint; without run.json the file is taken as it is",
        path.display()
    )]
    Altered {
        /// The path.
        path: PathBuf,
    },
}

/// Reads JSON.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ResultError> {
    serde_json::from_slice(&read_bytes(path)?)
        .map_err(|source| ResultError::Format { path: path.to_owned(), source })
}

pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, ResultError> {
    assay_files::read_regular(path, MOST_BYTES)
        .map_err(|source| ResultError::Read { path: path.to_owned(), source })
}

/// Writes JSON as safely as [`write_bytes`]. It writes through a buffer, because the text may have
/// many megabytes.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), ResultError> {
    let failed = |source| ResultError::Write { path: path.to_owned(), source };
    let mut file = BufWriter::with_capacity(BUFFER, Staged::create(path).map_err(failed)?);
    serde_json::to_writer_pretty(&mut file, value).map_err(|source| {
        if source.is_io() {
            failed(source.into())
        } else {
            ResultError::Format { path: path.to_owned(), source }
        }
    })?;
    let end = || -> io::Result<()> {
        file.write_all(b"\n")?;
        let staged = file.into_inner()?;
        staged.sync()?;
        staged.put()
    };
    end().map_err(failed)
}

/// Writes a file as [`assay_files::write_whole`] does: readers see either the whole new file or no
/// change, even after a power failure.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), ResultError> {
    assay_files::write_whole(path, bytes)
        .map_err(|source| ResultError::Write { path: path.to_owned(), source })
}
