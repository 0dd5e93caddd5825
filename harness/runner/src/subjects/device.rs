//! The device under test as a subject, with limits on its failures, and the files that belong to it.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use assay_device::protocol::{OLDEST, PROTOCOL};
use assay_device::{Framing, Hello, Limits};
use assay_isa::{EncodingTable, Erratum};
use assay_records::device_files;
use assay_vectors::Profile;

use crate::error::RunError;

/// The rules for devices. A program sets them once, before it makes a subject.
#[derive(Clone)]
pub struct DeviceRules {
    /// Deadline of an answer, and number of failures after which a device is declared dead.
    pub limits: Limits,
    /// Called whenever a device is made a subject, also in the oracle's place. The argument is the
    /// time that a run may take to end after a signal. It includes one deadline, because a hanging
    /// device can delay the end by one deadline.
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

/// Returns the files that globs name: see [`device_files::find`].
///
/// # Errors
///
/// A glob is not valid or matches no file, a folder cannot be read, or there are too many files.
pub fn find_files(globs: &[String]) -> Result<Vec<PathBuf>, RunError> {
    device_files::find(globs).map_err(|problem| RunError::input(format!("--device-file {problem}")))
}

/// Calls the rules' `opened` when a device becomes a subject.
pub(super) fn say_opened() {
    if let Some(DeviceRules { limits, opened, .. }) = RULES.get() {
        opened(limits.deadline + GRACE);
    }
}

/// Returns the hello message for a device.
pub fn hello(numbers: &EncodingTable, profile: &Profile) -> Hello {
    // A convention with the setting of the documents is left out, because older devices do not know
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
