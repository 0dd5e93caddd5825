//! The device under test as a subject, with limits on its failures, and the files that belong to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use assay_device::protocol::{OLDEST, PROTOCOL};
use assay_device::{Framing, Hello, Limits};
use assay_engine::stats::judged::glob;
use assay_isa::{EncodingTable, Erratum};
use assay_vectors::Profile;
use globset::GlobBuilder;

use crate::error::RunError;

/// The rules for devices. A program sets them once, before it makes a subject.
#[derive(Clone)]
pub struct DeviceRules {
    /// Deadline of an answer, and failures after which a device is declared dead.
    pub limits: Limits,
    /// Called when a device becomes a subject. The argument is the time that a run may take to end
    /// after a signal. It includes one deadline, so a hanging device delays the end by one
    /// deadline, not by one for each case.
    pub opened: fn(Duration),
    /// Files that belong to the subject besides those of its command, from [`find_files`].
    pub files: Vec<PathBuf>,
}

static RULES: OnceLock<DeviceRules> = OnceLock::new();

/// Time that a run may take to end after a signal, in addition to the deadline of its device.
const GRACE: Duration = Duration::from_millis(1500);

/// Sets the rules for devices. Only the first call counts.
pub fn set_rules(rules: DeviceRules) {
    RULES.get_or_init(|| rules);
}

/// Returns the limits of a device.
pub fn limits() -> Limits {
    RULES.get().map(|rules| rules.limits).unwrap_or_default()
}

/// Returns the files that belong to the subject besides those of its command.
pub(super) fn files() -> &'static [PathBuf] {
    RULES.get().map_or(&[], |rules| &rules.files)
}

/// Characters that begin a pattern in a path.
const PATTERN: [char; 4] = ['*', '?', '[', '{'];
/// Greatest number of files of a device. More files are a mistake, such as the root of a file
/// system.
const MOST_FILES: usize = 10_000;

/// Returns the files that globs name, such as `src/**/*.py`. `*` and `?` match no `/`.
///
/// # Errors
///
/// A glob is not valid or matches no file, a folder cannot be read, or there are too many files.
pub fn find_files(globs: &[String]) -> Result<Vec<PathBuf>, RunError> {
    let mut files = Vec::new();
    for text in globs {
        let refused = |problem: String| RunError::input(format!("--device-file {problem}"));
        // This call also checks the length of the glob.
        glob(text).map_err(refused)?;
        let pattern = GlobBuilder::new(text).literal_separator(true).build();
        let pattern =
            pattern.map_err(|error| refused(format!("`{text}`: {}", error.kind())))?.compile_matcher();
        let fixed = text.split('/').take_while(|part| !part.contains(PATTERN));
        let fixed = PathBuf::from_iter(text.starts_with('/').then_some("/").into_iter().chain(fixed));
        let before = files.len();
        collect(&fixed, &|path| pattern.is_match(path), &mut files)
            .map_err(|error| refused(format!("{text}: {error}")))?;
        if files.len() == before {
            return Err(refused(format!("{text} matches no file; name the files that belong to the device")));
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// Adds the wanted regular files at or below a path. Links to folders are not followed.
fn collect(path: &Path, is_wanted: &dyn Fn(&Path) -> bool, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let place = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    if place.is_file() {
        if is_wanted(path) {
            files.push(path.to_owned());
        }
        return if files.len() > MOST_FILES {
            Err(std::io::Error::other(format!("more than {MOST_FILES} files match")))
        } else {
            Ok(())
        };
    }
    if !place.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        let is_linked_folder = entry.file_type()?.is_symlink() && entry.path().is_dir();
        if !is_linked_folder {
            collect(&path.join(entry.file_name()), is_wanted, files)?;
        }
    }
    Ok(())
}

/// Calls the rules' `opened` when a device becomes a subject.
pub(super) fn say_opened() {
    if let Some(DeviceRules { limits, opened, .. }) = RULES.get() {
        opened(limits.deadline + GRACE);
    }
}

/// Returns the hello message for a device.
pub fn hello(numbers: &EncodingTable, profile: &Profile) -> Hello {
    // A convention that has the setting of the documents is left out, because older devices know no
    // conventions.
    let told = |(erratum, setting): &(Erratum, u8)| !erratum.is_convention() || *setting != 1;
    let readings = profile.readings.iter().filter(told);
    Hello {
        protocol: OLDEST,
        protocols: (OLDEST..=PROTOCOL).collect(),
        numbers: numbers.fingerprint().to_owned(),
        profile: profile.name.clone(),
        readings: readings.map(|(erratum, setting)| (erratum.to_string(), setting)).collect(),
        framings: vec![Framing::Shared, Framing::Binary, Framing::Json],
        memory: None,
    }
}
