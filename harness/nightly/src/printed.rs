//! Reads the standard output of a command: JSON, or the reason why it cannot be read.
//!
//! A device can end the process of a command, or print its own text. Then the output is empty or
//! not JSON. Such output proves nothing, whatever the exit status is.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;

use assay_device::check::WrongInstruction;
use assay_isa::shown::{message, quoted};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// Maximum size of a command's output in bytes.
const BYTES: u64 = 256 * assay_files::MIB;

/// Reads the one JSON value that a command printed.
///
/// # Errors
///
/// The output is empty or not such a value. The message quotes the first line of the output.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = bytes(path)?;
    serde_json::from_slice(&text).map_err(|error| unreadable(&text, &error))
}

/// Checks that a command printed at least one JSON value, and nothing else.
///
/// # Errors
///
/// As [`read`].
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let text = bytes(path)?;
    let mut values = serde_json::Deserializer::from_slice(&text).into_iter::<IgnoredAny>();
    values.find_map(Result::err).map_or(Ok(()), |error| Err(unreadable(&text, &error)))
}

/// Returns the checks in the output of `dut check`. Empty for other commands.
pub(crate) fn device_checks(path: &Path) -> Vec<DeviceCheck> {
    read(path).map_or_else(|_| Vec::new(), |CheckedDevice { checks }| checks)
}

/// The part of the output of `dut check` that a nightly run needs.
#[derive(Deserialize)]
struct CheckedDevice {
    checks: Vec<DeviceCheck>,
}

/// A check of `dut check`.
#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct DeviceCheck {
    /// Name of the check.
    pub check: String,
    /// `ok`, `failed`, `skipped` or `untried`.
    pub outcome: String,
    /// The failure, or the observation.
    pub detail: String,
    /// The instructions with a wrong result.
    #[serde(default)]
    pub wrong: Vec<WrongInstruction>,
    /// The optypes without a wrong result.
    #[serde(default)]
    pub right: BTreeSet<String>,
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    match assay_files::read_regular(path, BYTES) {
        Ok(text) if text.iter().all(u8::is_ascii_whitespace) => Err("it printed no result".into()),
        Ok(text) => Ok(text),
        Err(error) if error.kind() == ErrorKind::NotFound => Err("it printed no result".into()),
        Err(error) => Err(format!("its output cannot be read: {error}")),
    }
}

fn unreadable(text: &[u8], error: &serde_json::Error) -> String {
    let first = text.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let first = String::from_utf8_lossy(first.unwrap_or_default().trim_ascii());
    format!(
        "its output cannot be read: {}; its first line is `{}`",
        message(&error.to_string()),
        quoted(&first)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checks_of_a_device_are_read_and_other_outputs_have_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("said.json");
        let check = |check: &str, outcome: &str, detail: &str| {
            let [check, outcome, detail] = [check, outcome, detail].map(str::to_owned);
            DeviceCheck { check, outcome, detail, wrong: Vec::new(), right: BTreeSet::new() }
        };
        for (text, expected) in [
            (
                r#"{"device": "lib:x", "held": false, "checks": [{"check": "handshake", "outcome": "ok", "detail": "x 1"},
                {"check": "empty batch", "outcome": "failed", "detail": "it crashed", "mend": "do not"}]}"#,
                vec![check("handshake", "ok", "x 1"), check("empty batch", "failed", "it crashed")],
            ),
            (r#"{"errata": []}"#, vec![]),
            ("", vec![]),
        ] {
            std::fs::write(&path, text).expect("a file");
            assert_eq!(device_checks(&path), expected);
        }
    }

    #[test]
    fn an_output_is_read_or_quoted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("said.json");
        assert_eq!(read::<u32>(&path), Err("it printed no result".into()));
        let long = format!("{}\u{1b}[2J\n1", "x".repeat(10_000));
        for (text, one, many) in [
            ("7\n", Some(7), true),
            ("7\n8\n", None, true),
            ("", None, false),
            (" \n", None, false),
            ("simulator 1.2\n7\n", None, false),
            ("7\nsimulator 1.2\n", None, false),
            (&long, None, false),
        ] {
            std::fs::write(&path, text).expect("a file");
            assert_eq!((read::<u32>(&path).ok(), check(&path).is_ok()), (one, many), "{text}");
            let problem = check(&path).err().unwrap_or_default();
            assert!(problem.chars().count() < 300 && !problem.contains('\u{1b}'), "{problem}");
        }
        std::fs::write(&path, "\nsimulator 1.2\n7\n").expect("a file");
        let problem = read::<u32>(&path).expect_err("no JSON");
        assert!(problem.ends_with("its first line is `simulator 1.2`"), "{problem}");
    }
}
