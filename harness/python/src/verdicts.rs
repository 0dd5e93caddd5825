//! Verdicts as columns.

use assay_engine::compare::judge::real::error;
use assay_engine::compare::judge::{Divergence, Verdicts};
use assay_isa::format::Format;
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{Effects, Unrounded};
use assay_session::Session;

use crate::failure::Failure;

/// The codes of verdicts, as in libassay.
pub mod verdict {
    /// Every bit is right.
    pub const EXACT: u8 = 0;
    /// The error is within the bound.
    pub const WITHIN: u8 = 1;
    /// The result is wrong.
    pub const DIVERGED: u8 = 2;
    /// The specification leaves the result undefined.
    pub const UNDEFINED: u8 = 3;
    /// The profile gives no bound.
    pub const UNJUDGED: u8 = 4;
}

/// The verdicts of all lanes.
pub struct VerdictColumns {
    /// The codes of the verdicts.
    pub codes: Vec<u8>,
    /// The errors in ulp. NaN if no error was measured.
    pub ulps: Vec<f64>,
    /// The index of each lane's reason in `reason_names`.
    pub reasons: Vec<u32>,
    /// The reasons. The first is empty.
    pub reason_names: Vec<String>,
}

impl VerdictColumns {
    /// Creates columns for `lanes` lanes. Every lane has the verdict "exact" at first.
    pub fn new(lanes: usize) -> VerdictColumns {
        VerdictColumns {
            codes: vec![verdict::EXACT; lanes],
            ulps: vec![f64::NAN; lanes],
            reasons: vec![0; lanes],
            reason_names: vec![String::new()],
        }
    }

    /// Adds the verdicts of a piece whose first lane is `first`.
    pub fn add(&mut self, first: usize, verdicts: &Verdicts) {
        let measured = [(verdict::WITHIN, &verdicts.within), (verdict::UNJUDGED, &verdicts.unjudged)];
        for (code, list) in measured {
            for (lane, error) in list {
                (self.codes[first + lane], self.ulps[first + lane]) = (code, error.ulp());
            }
        }
        for (lane, erratum) in &verdicts.undefined {
            self.codes[first + lane] = verdict::UNDEFINED;
            self.reasons[first + lane] = self.reason(format!("undefined ({erratum})"));
        }
        for (lane, divergence) in &verdicts.diverged {
            self.codes[first + lane] = verdict::DIVERGED;
            self.ulps[first + lane] = divergence.error.map_or(f64::NAN, |error| error.ulp());
            self.reasons[first + lane] = self.reason(in_words(divergence));
        }
    }

    /// Measures the errors of results that diverged, if the instruction rounds one real number, as
    /// FADD does. Leaves out lanes in which flush or saturation changed the required result.
    pub fn measure(
        &mut self,
        first: usize,
        session: &mut Session,
        format: Option<Format>,
        did: &Effects,
    ) -> Result<(), Failure> {
        let diverged = session.last_judged().verdicts.diverged.iter();
        let open = diverged.filter(|(_, divergence)| divergence.error.is_none()).map(|(lane, _)| *lane);
        let (open, Some(format)) = (open.collect::<Vec<_>>(), format) else { return Ok(()) };
        let numbers = if open.is_empty() { None } else { session.unrounded(&open)? };
        let truths = session.last_judged().truths;
        let [Truth { location, values: TruthValues::Bits(demanded), written }] = truths.columns() else {
            return Ok(());
        };
        for (lane, number) in open.into_iter().zip(numbers.unwrap_or_default()) {
            let (Unrounded::Number(y), Some(result)) = (number, did.value(*location, lane)) else { continue };
            let is_number = written.contains(lane) && !format.is_nan(result);
            if is_number && error(format, demanded[lane], &y).is_faithful() {
                self.ulps[first + lane] = error(format, result, &y).ulp();
            }
        }
        Ok(())
    }

    /// Returns the index of a reason.
    fn reason(&mut self, text: String) -> u32 {
        let known = self.reason_names.iter().position(|known| *known == text);
        let number = known.unwrap_or_else(|| {
            self.reason_names.push(text);
            self.reason_names.len() - 1
        });
        number as u32
    }
}

/// Returns a divergence in words, without its error.
pub fn in_words(Divergence { kind, location, .. }: &Divergence) -> String {
    match location {
        Some(location) => format!("{} in {location}", kind.name()),
        None => kind.name().to_owned(),
    }
}
