//! Reads regular files up to a size limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file for reading. Links are followed.
///
/// # Errors
///
/// Refuses folders, pipes, sockets and device nodes before opening them. A pipe without a writer
/// would block, and a device node may have no end. Other errors are those of the file system.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_file() {
        return File::open(path);
    }
    let what = match () {
        () if kind.is_dir() => "a folder",
        () => special(kind),
    };
    Err(io::Error::other(format!("is {what}, and not a regular file")))
}

#[cfg(unix)]
fn special(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () if kind.is_char_device() || kind.is_block_device() => "a device node",
        () => "something else",
    }
}

#[cfg(not(unix))]
fn special(_: std::fs::FileType) -> &'static str {
    "something else"
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
///
/// As [`open_regular`]. Also fails if the file is longer than the limit, or grows beyond the limit
/// while it is read.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length <= limit {
        bytes.reserve_exact(length as usize);
        file.take(limit + 1).read_to_end(&mut bytes)?;
    }
    let length = length.max(bytes.len() as u64);
    if length > limit {
        Err(io::Error::other(format!("has {length} bytes, and the limit is {limit}")))
    } else {
        Ok(bytes)
    }
}

/// Reads a regular file of at most `limit` bytes of UTF-8.
///
/// # Errors
///
/// As [`read_regular`]. Also fails if the bytes are not UTF-8. The error gives the position of the
/// first invalid byte, counted from 0.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read_regular(path, limit)?).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("is not UTF-8 text at byte {place}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &Path, limit: u64, words: &str) {
        let error = read_text(path, limit).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    }

    #[test]
    fn only_regular_files_within_the_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "four").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "four");
        refused(&path, 3, "has 4 bytes, and the limit is 3");
        refused(folder.path(), 9, "is a folder");
        std::fs::write(&path, b"ab\xff").unwrap();
        refused(&path, 9, "not UTF-8 text at byte 2");
        let missing = read_regular(&folder.path().join("none"), 9).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_sockets_and_devices_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        refused(&socket, 9, "is a socket");
        refused(Path::new("/dev/zero"), 9, "is a device node");
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        refused(&pipe, 9, "is a pipe");
    }

    /// Files below `/proc` report a length of 0.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_states_no_length_is_held_to_the_limit() {
        let path = Path::new("/proc/self/maps");
        assert!(read_regular(path, 1 << 20).unwrap().len() > 64);
        refused(path, 64, "the limit is 64");
    }
}
