//! Reads files within size limits. Writes files whole or not at all.
//!
//! | module | what it does |
//! |---|---|
//! | [`digest`] | computes SHA-256 of bytes and files |
//! | [`lock`] | locks a file or a folder |
//! | [`read`] | reads regular files up to a stated size |
//! | [`mod@write`] | writes a temporary file, syncs it, renames it, syncs the folder |
//! | [`yaml`] | refuses YAML text whose parsing could take too much time or memory |
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("notes.txt");
//! assay_files::write_whole(&path, b"three words here")?;
//! assert_eq!(assay_files::read_text(&path, 1 << 10)?, "three words here");
//! assert!(assay_files::read_regular(folder.path(), 1 << 10).is_err());
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod digest;
pub mod lock;
pub mod read;
pub mod write;
pub mod yaml;

pub use lock::Lock;
pub use read::{open_regular, read_regular, read_text};
pub use write::{Staged, TEMPORARY, sync_folder, write_whole};

/// One mebibyte, the unit of the size limits.
pub const MIB: u64 = 1 << 20;
