//! Why libFuzzer stopped at an input, by the name of the file that it wrote.

use std::path::Path;

use crate::target::{LIMIT_OF_MEMORY, LIMIT_OF_TIME, NO_LEAK};

/// The start of an artifact's name, and the violated property if the name gives one.
const KINDS: [(&str, Option<&str>); 4] = [
    ("crash-", None),
    ("leak-", Some(NO_LEAK)),
    ("oom-", Some(LIMIT_OF_MEMORY)),
    ("timeout-", Some(LIMIT_OF_TIME)),
];

/// Whether a file is an input that libFuzzer ended at, by its name.
pub fn is_crash(path: &Path) -> bool {
    kind(path).is_some()
}

/// The violation in the name of an artifact; `None` if libFuzzer did not end at it.
pub fn kind(path: &Path) -> Option<Option<&'static str>> {
    let name = path.file_name()?.to_str()?;
    KINDS.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, property)| *property)
}

/// Whether the name of an artifact gives the property: a limit, or no leak.
pub fn is_told_by_name(property: &str) -> bool {
    KINDS.iter().any(|(_, limit)| *limit == Some(property))
}
