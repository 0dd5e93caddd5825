//! SHA-256, as hexadecimal digits. All digests of files, results, checkpoints, traces and programs
//! are computed here.

use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// A SHA-256 computation over bytes that arrive in pieces.
#[derive(Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Adds bytes.
    pub fn add(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// Returns the digest of all bytes that were added: 64 digits in lower case.
    pub fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl io::Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the digest of some bytes.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    let mut digest = Digest::default();
    digest.add(bytes);
    digest.finish()
}

/// Returns the digest of the content of a file of any size.
///
/// # Errors
///
/// Errors of the file system.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    let mut digest = Digest::default();
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(digest.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second example of FIPS 180-2.
    const TEXT: &str = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    const DIGEST: &str = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";

    #[test]
    fn bytes_pieces_and_files_have_the_digest_of_the_standard() {
        assert_eq!(sha256(TEXT), DIGEST);
        let mut digest = Digest::default();
        TEXT.split_inclusive('h').for_each(|piece| digest.add(piece));
        assert_eq!(digest.finish(), DIGEST);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), TEXT).unwrap();
        assert_eq!(sha256_of_file(file.path()).unwrap(), DIGEST);
    }

    #[test]
    fn the_digest_of_a_file_is_that_of_all_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), vec![b'a'; 1_000_000]).unwrap();
        let known = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(sha256_of_file(file.path()).unwrap(), known);
    }
}
