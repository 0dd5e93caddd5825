//! Functions for the tests of all crates. A check that cannot run is recorded, and counts as
//! skipped.
//!
//! ```no_run
//! fn needs_a_compiler() {
//!     if std::process::Command::new("no-such-compiler").output().is_err() {
//!         return assay_testing::skip("c-compiler", "the example in C: there is no cc");
//!     }
//! }
//! # needs_a_compiler();
//! ```

use std::fs::OpenOptions;
use std::io::Write;

/// The environment variable that names the file of skipped checks. `scripts/test.sh` sets it, and
/// counts the lines.
pub const VARIABLE: &str = "ASSAY_SKIPS";

/// Records a skipped check. `need` is the missing requirement, by its name in `scripts/skips.txt`.
/// `what` is the omitted check.
///
/// # Panics
///
/// If the file of skipped checks cannot be written. A lost record would make the check count as
/// passed.
pub fn skip(need: &str, what: &str) {
    let thread = std::thread::current();
    // The test harness names the thread after the test.
    let test = thread.name().unwrap_or("a test");
    let line = format!("{need}: {test}: {}\n", what.split_whitespace().collect::<Vec<_>>().join(" "));
    // Written directly to stderr, because the test harness captures the output of a passing test.
    let _ = std::io::stderr().write_all(format!("SKIPPED {line}").as_bytes());
    let Some(path) = std::env::var_os(VARIABLE) else { return };
    // A single write, because several test binaries append at once.
    let written = OpenOptions::new().create(true).append(true).open(&path);
    if let Err(error) = written.and_then(|mut file| file.write_all(line.as_bytes())) {
        panic!("{VARIABLE} names {}, which cannot be written: {error}", path.display());
    }
}
