//! The device under test as a subject, with limits on its failures.

use std::sync::OnceLock;
use std::time::Duration;

use assay_device::protocol::{OLDEST, PROTOCOL};
use assay_device::{Framing, Hello, Limits};
use assay_isa::{EncodingTable, Erratum};
use assay_vectors::Profile;

/// The rules for devices. A program sets them once, before it makes a subject.
#[derive(Clone, Copy)]
pub struct DeviceRules {
    /// Deadline of an answer, and failures after which a device is declared dead.
    pub limits: Limits,
    /// Called when a device becomes a subject, with the time that a run has for its own end after a signal: a device that
    /// hangs delays the end by its deadline, and not by one for each case.
    pub opened: fn(Duration),
}

static RULES: OnceLock<DeviceRules> = OnceLock::new();

/// Time that a run has for its own end after a signal, beyond the deadline of its device.
const GRACE: Duration = Duration::from_millis(1500);

/// Sets the rules for devices. Only the first call counts.
pub fn set_rules(rules: DeviceRules) {
    RULES.get_or_init(|| rules);
}

/// Returns the limits of a device.
pub fn limits() -> Limits {
    RULES.get().map(|rules| rules.limits).unwrap_or_default()
}

/// Marks that a device becomes a subject.
pub(super) fn say_opened() {
    if let Some(DeviceRules { limits, opened }) = RULES.get() {
        opened(limits.deadline + GRACE);
    }
}

/// The hello that a device receives.
pub fn hello(numbers: &EncodingTable, profile: &Profile) -> Hello {
    // A convention that is as the documents have it is left out: older devices know none.
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
