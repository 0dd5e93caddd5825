//! Results that merge in any order: N shards merged equal one run, to the byte.
//!
//! So there are only counts, integer sums, maxima with ties broken by input, histograms and the first
//! findings by case index. No float accumulates, and neither clocks nor thread counts appear.

use std::collections::BTreeMap;

use assay_isa::{Batch, Instruction, Source, VoiceError, asm};
use assay_vectors::Contract;
use serde::{Deserialize, Serialize};

use crate::campaign::found;
use crate::coverage::Coverage;
use crate::dissect::{self, Dissection};
use crate::judge::{Error, Kind, ONE_ULP, Verdicts};
use crate::versus::Bench;

/// Findings kept for each function and kind of divergence.
pub const FINDINGS_EACH: usize = 4;

/// Histogram bins an ulp.
pub const BINS_PER_ULP: i64 = 8;
/// The histogram covers errors from minus this many ulp to plus; what lies beyond goes to its ends.
pub const HISTOGRAM_ULPS: i64 = 2;
const BINS: usize = (2 * HISTOGRAM_ULPS * BINS_PER_ULP) as usize;

/// Verdict counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Every bit as it must be.
    pub exact: u64,
    /// Within the contract's bound.
    pub within: u64,
    /// Not what must be.
    pub diverged: u64,
    /// The specification does not say.
    pub undefined: u64,
    /// The contract gives no bound there.
    pub unjudged: u64,
    /// A voice does not implement it.
    pub unsupported: u64,
    /// Diverged, and waived by the user.
    pub waived: u64,
}

impl Counts {
    /// All cases.
    pub fn total(&self) -> u64 {
        self.exact
            + self.within
            + self.diverged
            + self.undefined
            + self.unjudged
            + self.unsupported
            + self.waived
    }

    fn merge(&mut self, other: &Counts) {
        self.exact += other.exact;
        self.within += other.within;
        self.diverged += other.diverged;
        self.undefined += other.undefined;
        self.unjudged += other.unjudged;
        self.unsupported += other.unsupported;
        self.waived += other.waived;
    }
}

/// An extreme error and the input that shows it: of equal errors the smallest input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extreme {
    /// Error in units of 2^-32 ulp, rounded down.
    pub error: i64,
    /// The input's bits.
    pub input: u32,
    /// The result's bits.
    pub result: u32,
}

/// Accuracy of one function over the inputs seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accuracy {
    /// Cases that had to write a result: those with a false guard are none.
    pub inputs: u64,
    /// Those whose truth is a real number and whose result was one, so that the error was measured.
    pub measured: u64,
    /// Those that held without an error to measure: the specification gives the bits, or flushing,
    /// clamping or overflow alone decides.
    pub special: u64,
    /// Sum of the errors in units of 2^-32 ulp.
    #[serde(with = "as_text")]
    pub sum: i128,
    /// Sum of their magnitudes.
    #[serde(with = "as_text")]
    pub sum_magnitude: u128,
    /// Sum of the squares of the errors in units of 2^-16 ulp.
    #[serde(with = "as_text")]
    pub sum_squares: u128,
    /// How many are correctly rounded.
    pub correctly_rounded: u64,
    /// How many are less than one ulp off.
    pub faithful: u64,
    /// The most negative error.
    pub least: Option<Extreme>,
    /// The most positive error.
    pub greatest: Option<Extreme>,
    /// Errors by eighths of an ulp from -2 to 2, the ends open.
    pub histogram: Vec<u64>,
}

impl Default for Accuracy {
    fn default() -> Self {
        Accuracy {
            inputs: 0,
            measured: 0,
            special: 0,
            sum: 0,
            sum_magnitude: 0,
            sum_squares: 0,
            correctly_rounded: 0,
            faithful: 0,
            least: None,
            greatest: None,
            histogram: vec![0; BINS],
        }
    }
}

impl Accuracy {
    /// Counts the batch that was just judged on a bench.
    fn count(&mut self, instruction: &Instruction, bench: &Bench, batch: &Batch) {
        let Verdicts { lanes, within, diverged, undefined } = &bench.verdicts;
        let is_open = |lane: &usize| undefined.iter().any(|(l, _)| l == lane);
        let must_write = |lane: &usize| {
            !is_open(lane) && bench.truths().columns().iter().any(|t| t.written.contains(*lane))
        };
        let inputs = (0..*lanes).filter(must_write).count() as u64;
        let missed = diverged.iter().filter(|(lane, _)| must_write(lane));
        self.inputs += inputs;
        self.special += inputs - within.len() as u64 - missed.clone().count() as u64;
        let measured = within.iter().map(|(lane, error)| (*lane, *error));
        let input = unary_input(instruction, batch);
        for (lane, error) in measured.chain(missed.filter_map(|(lane, d)| Some((*lane, d.error?)))) {
            let result = bench.effects.lane(lane).last().map_or(0, |(_, value)| value);
            self.record(error, input(lane), result);
        }
    }

    /// Counts one measured result.
    pub fn record(&mut self, error: Error, input: u32, result: u32) {
        let units = error.floor;
        self.measured += 1;
        self.sum += i128::from(units);
        self.sum_magnitude += u128::from(units.unsigned_abs());
        let coarse = u128::from((units >> 16).unsigned_abs());
        self.sum_squares += coarse * coarse;
        self.correctly_rounded += u64::from(error.correctly_rounded);
        self.faithful += u64::from(error.is_faithful());
        let bin = units.div_euclid(ONE_ULP / BINS_PER_ULP) + HISTOGRAM_ULPS * BINS_PER_ULP;
        self.histogram[bin.clamp(0, BINS as i64 - 1) as usize] += 1;
        let extreme = Extreme { error: units, input, result };
        self.least = lesser(self.least, Some(extreme));
        self.greatest = greater(self.greatest, Some(extreme));
    }

    /// The larger of the two extreme errors, in ulp.
    pub fn max_ulp(&self) -> f64 {
        self.worst().map_or(0.0, |e| (e.error as f64 / ONE_ULP as f64).abs())
    }

    /// The extreme of larger magnitude.
    pub fn worst(&self) -> Option<Extreme> {
        let magnitude = |e: &Extreme| e.error.unsigned_abs();
        self.least.into_iter().chain(self.greatest).max_by_key(|e| (magnitude(e), std::cmp::Reverse(e.input)))
    }

    /// Mean of the error magnitudes, in ulp.
    pub fn mean_ulp(&self) -> f64 {
        self.sum_magnitude as f64 / ONE_ULP as f64 / self.measured.max(1) as f64
    }

    /// Mean of the signed errors, in ulp.
    pub fn bias_ulp(&self) -> f64 {
        self.sum as f64 / ONE_ULP as f64 / self.measured.max(1) as f64
    }

    /// Root of the mean of the squared errors, in ulp.
    pub fn rms_ulp(&self) -> f64 {
        (self.sum_squares as f64 / self.measured.max(1) as f64).sqrt() / 65536.0
    }

    fn merge(&mut self, other: &Accuracy) {
        self.inputs += other.inputs;
        self.measured += other.measured;
        self.special += other.special;
        self.sum += other.sum;
        self.sum_magnitude += other.sum_magnitude;
        self.sum_squares += other.sum_squares;
        self.correctly_rounded += other.correctly_rounded;
        self.faithful += other.faithful;
        self.least = lesser(self.least, other.least);
        self.greatest = greater(self.greatest, other.greatest);
        for (mine, theirs) in self.histogram.iter_mut().zip(&other.histogram) {
            *mine += theirs;
        }
    }
}

fn lesser(a: Option<Extreme>, b: Option<Extreme>) -> Option<Extreme> {
    a.into_iter().chain(b).min_by_key(|e| (e.error, e.input))
}

fn greater(a: Option<Extreme>, b: Option<Extreme>) -> Option<Extreme> {
    a.into_iter().chain(b).max_by_key(|e| (e.error, std::cmp::Reverse(e.input)))
}

/// A divergence as found, materialised: it needs no generator to be replayed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Found {
    /// Case index in the campaign.
    pub index: u64,
    /// The encoded instruction.
    pub word: String,
    /// Values of the locations it reads.
    pub inputs: BTreeMap<String, u32>,
}

/// Everything that a run counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Cases executed.
    pub cases: u64,
    /// Verdicts over all of them.
    pub verdicts: Counts,
    /// Verdicts by form.
    pub forms: BTreeMap<String, Counts>,
    /// Verdicts by function, in a sweep.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub functions: BTreeMap<String, Counts>,
    /// Undefined verdicts by erratum.
    pub undefined: BTreeMap<String, u64>,
    /// Accuracy by function, for those under a bound.
    pub accuracy: BTreeMap<String, Accuracy>,
    /// What became of exact results, by function, in the batches that were dissected.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dissections: BTreeMap<String, Dissection>,
    /// Coverage bins hit.
    pub coverage: Coverage,
    /// First divergences of each function and kind, by case index.
    pub findings: BTreeMap<String, Vec<Found>>,
}

impl Tally {
    /// Adds another tally of the same plan.
    pub fn merge(&mut self, other: Tally) {
        self.cases += other.cases;
        self.verdicts.merge(&other.verdicts);
        for (form, counts) in &other.forms {
            self.forms.entry(form.clone()).or_default().merge(counts);
        }
        for (function, counts) in &other.functions {
            self.functions.entry(function.clone()).or_default().merge(counts);
        }
        for (erratum, count) in other.undefined {
            *self.undefined.entry(erratum).or_default() += count;
        }
        for (function, accuracy) in &other.accuracy {
            self.accuracy.entry(function.clone()).or_default().merge(accuracy);
        }
        for (function, dissection) in &other.dissections {
            self.dissections.entry(function.clone()).or_default().merge(dissection);
        }
        self.coverage.merge(&other.coverage);
        for (key, found) in other.findings {
            let list = self.findings.entry(key).or_default();
            list.extend(found);
            list.sort();
            list.dedup();
            list.truncate(FINDINGS_EACH);
        }
    }

    /// Counts a batch in which every lane has the same verdict.
    pub fn count(&mut self, instruction: &Instruction, counts: Counts) {
        self.cases += counts.total();
        self.verdicts.merge(&counts);
        self.forms.entry(instruction.form().name.to_owned()).or_default().merge(&counts);
    }

    /// Counts the batch that was just judged on a bench; `first` is the case index of its first lane.
    pub fn count_judged(
        &mut self,
        instruction: &Instruction,
        contract: &Contract,
        bench: &Bench,
        batch: &Batch,
        first: u64,
    ) {
        let verdicts = &bench.verdicts;
        let (within, diverged) = (verdicts.within.len() as u64, verdicts.diverged.len() as u64);
        let undefined = verdicts.undefined.len() as u64;
        let exact = verdicts.lanes as u64 - within - diverged - undefined;
        self.count(instruction, Counts { exact, within, diverged, undefined, ..Counts::default() });
        for (_, erratum) in &verdicts.undefined {
            *self.undefined.entry(erratum.to_string()).or_default() += 1;
        }
        if let Contract::Bound(_) = contract {
            self.accuracy.entry(asm::mnemonic(instruction)).or_default().count(instruction, bench, batch);
        }
        let mut keys: Vec<(Kind, String)> = Vec::new();
        for (lane, divergence) in &verdicts.diverged {
            if !keys.iter().any(|(kind, _)| *kind == divergence.kind) {
                let key = format!("{} {}", instruction.function(), divergence.kind.name());
                self.findings.entry(key.clone()).or_default();
                keys.push((divergence.kind, key));
            }
            let key = keys.iter().find(|(kind, _)| *kind == divergence.kind);
            if let Some(list) = key.and_then(|(_, key)| self.findings.get_mut(key)) {
                keep_first(list, batch, *lane, first + *lane as u64);
            }
        }
    }

    /// Dissects the batch that was just judged on a bench, if it is arithmetic.
    pub fn dissect(
        &mut self,
        instruction: &Instruction,
        bench: &mut Bench,
        batch: &Batch,
    ) -> Result<(), VoiceError> {
        if dissect::applies_to(instruction)
            && let Some(exact) = bench.unrounded(instruction, batch)?
        {
            let dissection = self.dissections.entry(asm::mnemonic(instruction)).or_default();
            dissection.count(instruction, bench, batch, &exact);
        }
        Ok(())
    }
}

/// Keeps a divergence if it is among the first by case index: most of a broken subject's are not, and are
/// not worth their text.
fn keep_first(list: &mut Vec<Found>, batch: &Batch, lane: usize, index: u64) {
    let place = list.partition_point(|earlier| earlier.index < index);
    if place < FINDINGS_EACH {
        list.insert(place, found(batch, lane, index));
        list.truncate(FINDINGS_EACH);
    }
}

/// The value that a unary function's operand holds in each lane, prefixes not applied.
fn unary_input<'a>(instruction: &Instruction, batch: &'a Batch) -> impl Fn(usize) -> u32 + 'a {
    let source = instruction.inputs().next().map(|operand| operand.source);
    let column = source.and_then(Source::location).and_then(|location| batch.column(location));
    let literal = match source {
        Some(Source::Imm(bits)) => bits,
        _ => 0,
    };
    move |lane| column.map_or(literal, |column| column[lane])
}

/// 128-bit integers as decimal text: JSON readers elsewhere would round them.
mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<T: Display, S: Serializer>(value: &T, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(value)
    }

    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(d: D) -> Result<T, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}
