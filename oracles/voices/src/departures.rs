//! Which settings of the readings depart from `intended` and touch an optype.
//!
//! A voice starts from this list and strikes off what cannot change its result or what it follows. An
//! erratum that it has never heard of stays on the list, so a switch added later silences the voice
//! instead of being ignored by it.

use assay_isa::readings::SWITCHES;
use assay_isa::{Erratum, Readings};

/// The errata that touch an optype and are not set as `intended` sets them.
pub(crate) fn departures<'a>(readings: &'a Readings, optype: &'a str) -> impl Iterator<Item = Erratum> + 'a {
    let touched = SWITCHES.iter().filter(move |s| s.optypes.contains(&optype));
    touched.filter(|s| setting(readings, s.erratum) != s.intended).map(|s| s.erratum)
}

/// The setting of an erratum, 0 where it has no switch.
fn setting(readings: &Readings, erratum: Erratum) -> u8 {
    readings.iter().find(|(e, _)| *e == erratum).map_or(0, |(_, setting)| setting)
}
