//! The suites that are built into the program: the files of `vectors/data` at the time of the
//! build.

use std::path::PathBuf;

use crate::case::Suite;
use crate::error::VectorError;
use crate::read::read_suite_str;

/// The text of each suite, by its path in the repository.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/carried.rs"));

/// The folder of the witnesses: cases that show the effect of a reading's setting.
const WITNESSES: &str = "vectors/data/witnesses/";

/// Reads every suite in the program. Returns each with its path in the repository.
///
/// # Errors
///
/// A suite is not valid. A test checks that every built-in suite is valid.
pub fn carried() -> Result<Vec<(PathBuf, Suite)>, VectorError> {
    read(|_| true)
}

/// Reads the suites of witnesses, as [`carried`] does.
///
/// # Errors
///
/// The errors of [`carried`].
pub fn carried_witnesses() -> Result<Vec<(PathBuf, Suite)>, VectorError> {
    read(|path| path.starts_with(WITNESSES))
}

fn read(is_wanted: impl Fn(&str) -> bool) -> Result<Vec<(PathBuf, Suite)>, VectorError> {
    let wanted = FILES.iter().filter(|(path, _)| is_wanted(path));
    wanted.map(|(path, text)| Ok((PathBuf::from(path), read_suite_str(path, text)?))).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::read::discover;

    #[test]
    fn the_program_carries_every_suite_of_the_repository() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository");
        let on_disk = discover(&root.join("vectors/data")).expect("valid suites");
        let on_disk: Vec<_> = on_disk
            .into_iter()
            .map(|(path, suite)| (path.strip_prefix(root).expect("it lies there").to_owned(), suite))
            .collect();
        assert_eq!(carried().expect("valid suites"), on_disk);
        let witnesses = carried_witnesses().expect("valid suites");
        assert!(!witnesses.is_empty() && witnesses.len() < on_disk.len());
    }
}
