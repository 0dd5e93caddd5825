//! Writes files whole or not at all, even if the power fails.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Prefix of the names of temporary files. A killed process may leave a temporary file behind.
pub const TEMPORARY: &str = ".assay-";

/// Writes a file: creates a temporary file in the same folder, and renames it to the path. Readers
/// see the old file or the whole new one. When this returns, the content and the name are on the
/// disk.
///
/// # Errors
///
/// Errors of the file system. On an error the old file is unchanged, unless the error is that of
/// the last step: syncing the folder after the rename.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Staged::new(path, bytes)?.put()
}

/// A temporary file, not yet renamed to its final path.
pub struct Staged {
    path: PathBuf,
    file: NamedTempFile,
}

impl Staged {
    /// Creates the temporary file beside its final path.
    ///
    /// # Errors
    ///
    /// Errors of the file system.
    pub fn create(path: &Path) -> io::Result<Staged> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY);
        // Temporary files are private by default. This file gets the permissions that the umask
        // allows.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(Staged { path: path.to_owned(), file: builder.tempfile_in(folder_of(path))? })
    }

    /// Creates the temporary file with its content, and syncs it.
    ///
    /// # Errors
    ///
    /// Errors of the file system.
    pub fn new(path: &Path, bytes: &[u8]) -> io::Result<Staged> {
        let mut staged = Staged::create(path)?;
        staged.write_all(bytes)?;
        staged.sync()?;
        Ok(staged)
    }

    /// Syncs the content.
    ///
    /// # Errors
    ///
    /// Errors of the file system.
    pub fn sync(&self) -> io::Result<()> {
        self.file.as_file().sync_all()
    }

    /// The final path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the temporary file the permissions of the regular file at the final path, if there is
    /// one.
    ///
    /// # Errors
    ///
    /// Errors of the file system.
    pub fn keep_mode(&self) -> io::Result<()> {
        match std::fs::symlink_metadata(&self.path) {
            Ok(old) if old.is_file() => self.file.as_file().set_permissions(old.permissions()),
            _ => Ok(()),
        }
    }

    /// Renames the temporary file to its final path, and syncs the folder.
    ///
    /// # Errors
    ///
    /// Errors of the file system.
    pub fn put(self) -> io::Result<()> {
        self.file.persist(&self.path).map_err(|error| error.error)?;
        sync_folder(folder_of(&self.path))
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Syncs a folder, so that the names in it survive a power cut. Does nothing on systems other than
/// Unix.
///
/// # Errors
///
/// Errors of the file system.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
