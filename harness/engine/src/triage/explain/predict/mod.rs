//! Predicts the results of a faulty subject under a supposition, in the cases on which the
//! supposition is tried.

mod nan;
mod operands;

use assay_isa::format::F32;
use assay_isa::readings::{SWITCHES, Switch};
use assay_isa::truth::{Real, TruthValues};
use assay_isa::{
    Answer, BackendError, Batch, EncodingTable, Erratum, Instruction, Location, Oracle, Truths, Unrounded,
};

use crate::compare::comparator::{PRECISION, Setup};
use crate::compare::judge::{Verdict, Verdicts, judge, rules};
use crate::operands::operand_kinds::OperandKind;
use crate::triage::explain::evidence::Evidence;
use crate::triage::explain::misread::Change;
use crate::triage::explain::supposition::{Flushed, FlushedResult, RoundedResults, Supposition};
use crate::triage::explain::value_slip::{ValueSlip, flush, flush_to_plus};
use crate::triage::probe::{self, Probe};
use crate::triage::readings::{Oracles, judge_as, with_reading};
use operands::{read_as, upper_word};

/// The prediction of a supposition for a probe.
enum Predicted {
    /// The right result.
    Right,
    /// Another result. The field has the verdicts on the subject's effects if that result were the
    /// right one.
    Instead(Verdicts),
    /// No prediction.
    Unknown,
}

/// The lanes of a probe in which the subject is wrong or a supposition predicts an error. The lanes
/// are sorted by these two criteria.
#[derive(Default)]
pub(in crate::triage) struct PredictedLanes {
    /// Lanes in which the subject is wrong as predicted.
    pub explained: Vec<usize>,
    /// Lanes in which the subject is wrong in another way.
    pub otherwise: Vec<usize>,
    /// Lanes in which the subject is wrong, and the supposition predicts no error.
    pub elsewhere: Vec<usize>,
    /// Lanes in which the subject is right, and the supposition predicts an error.
    pub refuting: Vec<usize>,
}

impl PredictedLanes {
    /// Returns the lanes for a supposition that predicts no error in any lane.
    pub(in crate::triage) fn unchanged(probe: &Probe) -> PredictedLanes {
        let diverged =
            |(lane, verdict): (usize, &Verdict)| matches!(verdict, Verdict::Diverged(_)).then_some(lane);
        let elsewhere = probe.verdicts.iter().enumerate().filter_map(diverged).collect();
        PredictedLanes { elsewhere, ..PredictedLanes::default() }
    }

    /// Returns the lanes, sorted by the verdicts of the probe and the verdicts for the predicted
    /// result. A lane is left out if either verdict is missing.
    fn of(probe: &Probe, supposed: &Verdicts) -> PredictedLanes {
        let mut lanes = PredictedLanes::default();
        for (lane, verdict) in probe.verdicts.iter().enumerate() {
            match (verdict, supposed.of(lane)) {
                (Verdict::Diverged(_), other) if other.holds() => lanes.explained.push(lane),
                (Verdict::Diverged(_), Verdict::Diverged(_)) => lanes.otherwise.push(lane),
                (verdict, Verdict::Diverged(_)) if verdict.holds() => lanes.refuting.push(lane),
                _ => {}
            }
        }
        lanes
    }

    /// Returns the number of lanes of each kind.
    pub(in crate::triage) fn evidence(&self) -> Evidence {
        Evidence {
            explained: self.explained.len(),
            unexplained: self.otherwise.len(),
            refuted: self.refuting.len(),
            elsewhere: self.elsewhere.len(),
        }
    }
}

/// Compares suppositions with probes.
pub(in crate::triage) struct PredictionTrial<'a> {
    setup: &'a Setup<'a>,
    oracles: Oracles<'a>,
    /// The oracle for the current readings.
    oracle: Box<dyn Oracle>,
}

impl<'a> PredictionTrial<'a> {
    pub(in crate::triage) fn new(setup: &'a Setup<'a>, oracles: Oracles<'a>) -> PredictionTrial<'a> {
        PredictionTrial { setup, oracles, oracle: oracles(setup.profile.readings) }
    }

    /// Returns the evidence of a probe's lanes about a supposition.
    pub(in crate::triage) fn evidence(
        &mut self,
        probe: &Probe,
        instead: &Supposition,
    ) -> Result<Evidence, BackendError> {
        Ok(self.told(probe, instead)?.evidence())
    }

    /// Returns the lanes of a probe, sorted by a supposition's prediction. Wrong lanes without a
    /// predicted error are in `elsewhere`, not in `otherwise`.
    pub(in crate::triage) fn lanes(
        &mut self,
        probe: &Probe,
        instead: &Supposition,
    ) -> Result<PredictedLanes, BackendError> {
        let mut lanes = self.told(probe, instead)?;
        if !lanes.otherwise.is_empty()
            && let Predicted::Instead(of_right) = self.predict(&probe.with_right_effects(), instead)?
        {
            let (unchanged, changed) =
                lanes.otherwise.into_iter().partition(|lane| of_right.of(*lane).holds());
            lanes.otherwise = changed;
            lanes.elsewhere = unchanged;
        }
        Ok(lanes)
    }

    /// Sorts the lanes like [`PredictionTrial::lanes`]. But `otherwise` may also have lanes that
    /// belong in `elsewhere`.
    fn told(&mut self, probe: &Probe, instead: &Supposition) -> Result<PredictedLanes, BackendError> {
        Ok(match self.predict(probe, instead)? {
            Predicted::Unknown => PredictedLanes::default(),
            Predicted::Right => PredictedLanes::unchanged(probe),
            Predicted::Instead(supposed) => PredictedLanes::of(probe, &supposed),
        })
    }

    fn predict(&mut self, probe: &Probe, instead: &Supposition) -> Result<Predicted, BackendError> {
        match instead {
            Supposition::Change(change) => match change.apply(&probe.instruction, self.setup.numbers) {
                None => Ok(Predicted::Unknown),
                Some(other) if other == probe.instruction => Ok(Predicted::Right),
                Some(other) => {
                    self.executed(probe, &other, probe::instead(&probe.batch, &other, self.setup.numbers))
                }
            },
            Supposition::Reading(erratum, setting) => {
                let Some(own) = setting_of(probe.instruction.optype(), (*erratum, *setting)) else {
                    return Ok(Predicted::Right);
                };
                let under = with_reading(self.setup.profile, own.0, own.1);
                let mut oracle = (self.oracles)(under.readings);
                let judged =
                    judge_as(oracle.as_mut(), &under, &probe.instruction, &probe.batch, &probe.effects)?;
                Ok(judged.map_or(Predicted::Unknown, Predicted::Instead))
            }
            Supposition::Input(name, slip) => self.misread(probe, *slip, |input| input == *name),
            Supposition::EveryInput(slip) => self.misread(probe, *slip, |_| true),
            Supposition::UpperWord(name, word) => match upper_word(probe, name, *word) {
                None => Ok(Predicted::Unknown),
                Some(batch) => self.executed(probe, &probe.instruction, Some(batch)),
            },
            // If a device miswrites only one output, it is right on an instruction without this
            // output.
            Supposition::Result(name, _) if !has_output(probe, name) => Ok(Predicted::Right),
            Supposition::Result(name, slip) => {
                let kind = OperandKind::of(&probe.instruction, name);
                let own: Vec<Location> = probe.instruction.operand(name).locations().collect();
                let rewritten = |location, _, value| {
                    if own.contains(&location) { slip.apply(kind, value) } else { value }
                };
                Ok(Predicted::Instead(self.miswritten(probe, rewritten)))
            }
            Supposition::Rounds(at, mode) => self.rounded(probe, *at, mode),
            Supposition::Nan(written) => self.nan(probe, *written, false),
            Supposition::Invalid(written) => self.nan(probe, *written, true),
            Supposition::Unsaturated(results) => self.left_alone(probe, *results),
            Supposition::BesideNan { operand, is_raw } => Ok(self.beside_nan(probe, *operand, *is_raw)),
            Supposition::Follows { output, other, negated } => {
                Ok(self.follows(probe, output, other, *negated))
            }
            Supposition::Flushes { inputs, result } => self.flushed(probe, *inputs, *result),
        }
    }

    /// Predicts the result if some operands are read with a mistake.
    fn misread(
        &mut self,
        probe: &Probe,
        slip: ValueSlip,
        is_misread: impl Fn(&str) -> bool,
    ) -> Result<Predicted, BackendError> {
        let Probe { instruction, batch, .. } = probe;
        let is_misread =
            |name: &str| instruction.form().inputs().any(|input| input == name) && is_misread(name);
        if !instruction.form().inputs().any(is_misread) {
            return Ok(Predicted::Right);
        }
        match read_as(instruction, batch, self.setup.numbers, is_misread, |kind, bits| slip.apply(kind, bits))
        {
            None => Ok(Predicted::Unknown),
            Some((other, batch)) => self.executed(probe, &other, Some(batch)),
        }
    }

    fn executed(
        &mut self,
        probe: &Probe,
        other: &Instruction,
        batch: Option<Batch>,
    ) -> Result<Predicted, BackendError> {
        let Some(batch) = batch else { return Ok(Predicted::Unknown) };
        let judged = judge_as(self.oracle.as_mut(), self.setup.profile, other, &batch, &probe.effects)?;
        Ok(judged.map_or(Predicted::Unknown, Predicted::Instead))
    }

    /// Predicts the result of another rounding mode, but only if the right result is a zero or an
    /// overflow. A result is an overflow if rounding to nearest makes it infinite. If a zero is
    /// nonzero in the other mode, it comes from underflow and keeps its sign.
    fn rounded(
        &mut self,
        probe: &Probe,
        at: RoundedResults,
        mode: &'static str,
    ) -> Result<Predicted, BackendError> {
        let mut truths = |done| self.truths_of(probe, &Change::Always { field: "rnd", done });
        let (Some(other), Some(nearest)) = (truths(mode)?, truths("RN")?) else {
            return Ok(Predicted::Unknown);
        };
        let mut exact = Vec::new();
        if at == RoundedResults::Beyond
            && !self.oracle.unrounded(&probe.instruction, &probe.batch, PRECISION, &mut exact)?
        {
            return Ok(Predicted::Unknown);
        }
        let rewritten = |location, lane: usize, value: u32| {
            let magnitude = |bits: u32| bits & 0x7fff_ffff;
            let rounded = bits_of(&other, location, lane).unwrap_or(value);
            let is_there = match at {
                RoundedResults::Zero => magnitude(value) == 0 && magnitude(rounded) == 0,
                RoundedResults::Beyond => exact.get(lane).is_some_and(|it| {
                    let Unrounded::Number(number) = it else { return false };
                    number.exponent + number.significand.ilog2() as i32 > F32.bias()
                }),
                RoundedResults::Overflow => {
                    bits_of(&nearest, location, lane).is_some_and(|bits| magnitude(bits) == F32.infinity())
                }
            };
            if is_there { rounded } else { value }
        };
        Ok(Predicted::Instead(self.miswritten(probe, rewritten)))
    }

    /// Predicts the result under .FTZ: computed without .FTZ from the flushed `inputs`, and then
    /// flushed as `result` says.
    fn flushed(
        &mut self,
        probe: &Probe,
        inputs: Flushed,
        result: FlushedResult,
    ) -> Result<Predicted, BackendError> {
        if !probe.instruction.flag("ftz") {
            return Ok(Predicted::Right);
        }
        let Some((other, batch)) = with_flushed(probe, inputs, self.setup.numbers) else {
            return Ok(Predicted::Unknown);
        };
        let mut truths = Truths::default();
        match self.oracle.truth(&other, &batch, PRECISION, &mut truths) {
            Ok(Answer::Known) => {}
            Ok(Answer::Unsupported) | Err(BackendError::MissingLocation(_)) => return Ok(Predicted::Unknown),
            Err(error) => return Err(error),
        }
        let kind = other.form().optype.outs.first().map(|name| OperandKind::of(&other, name));
        if (inputs, result) == (Flushed::All, FlushedResult::PlusZero) {
            // The reading decides which results are flushed, so this looks at the right result.
            let was_zero =
                |location, lane| bits_of(&truths, location, lane).is_none_or(|bits| bits << 1 == 0);
            let rewritten = |location, lane, value: u32| {
                if value == F32.sign_mask() && !was_zero(location, lane) { 0 } else { value }
            };
            return Ok(Predicted::Instead(self.miswritten(probe, rewritten)));
        }
        let rewritten = |_, _, value| match (kind, result) {
            (Some(kind), FlushedResult::Zero) => flush(kind, value),
            (Some(kind), FlushedResult::PlusZero) => flush_to_plus(kind, value),
            _ => value,
        };
        Ok(Predicted::Instead(self.rewritten(probe, &truths, rewritten)))
    }

    /// Predicts that one output bit equals another, or its negation. If an output is missing or has
    /// no location, the prediction is unknown.
    fn follows(&self, probe: &Probe, output: &str, other: &str, negated: bool) -> Predicted {
        if !has_output(probe, output) || !has_output(probe, other) {
            return Predicted::Unknown;
        }
        let place = |name: &str| probe.instruction.operand(name).locations().next();
        let is_bit = |name: &str| OperandKind::of(&probe.instruction, name) == OperandKind::Predicate;
        let (Some(own), Some(others)) = (place(output), place(other)) else { return Predicted::Unknown };
        if own == others || !is_bit(output) || !is_bit(other) {
            return Predicted::Unknown;
        }
        let rewritten = |location, lane: usize, value: u32| match bits_of(&probe.truths, others, lane) {
            Some(bit) if location == own => bit ^ u32::from(negated),
            _ => value,
        };
        Predicted::Instead(self.miswritten(probe, rewritten))
    }

    /// Returns the truth of a probe's instruction with a change, on the values of the probe.
    fn truths_of(&mut self, probe: &Probe, change: &Change) -> Result<Option<Truths>, BackendError> {
        let numbers = self.setup.numbers;
        let Some(other) = change.apply(&probe.instruction, numbers) else { return Ok(None) };
        let Some(batch) = probe::instead(&probe.batch, &other, numbers) else { return Ok(None) };
        let mut truths = Truths::default();
        match self.oracle.truth(&other, &batch, PRECISION, &mut truths) {
            Ok(Answer::Known) => Ok(Some(truths)),
            Ok(Answer::Unsupported) | Err(BackendError::MissingLocation(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the verdicts for a subject that writes right results as other values. `rewritten`
    /// takes the location, the lane and the right value, and returns the written value.
    fn miswritten(&self, probe: &Probe, rewritten: impl Fn(Location, usize, u32) -> u32) -> Verdicts {
        self.rewritten(probe, &probe.truths, rewritten)
    }

    /// Like [`PredictionTrial::miswritten`], for truths that may differ from those of the probe.
    fn rewritten(
        &self,
        probe: &Probe,
        of: &Truths,
        rewritten: impl Fn(Location, usize, u32) -> u32,
    ) -> Verdicts {
        let mut truths = Truths::default();
        truths.reset(of.len());
        for truth in of.columns() {
            let (nearest, at) = (rules::nearest(truth), truth.location);
            let mut truth = truth.clone();
            match &mut truth.values {
                TruthValues::Bits(values) => {
                    values
                        .iter_mut()
                        .enumerate()
                        .for_each(|(lane, value)| *value = rewritten(at, lane, *value));
                }
                TruthValues::Reals { packed: 1, values, .. } => {
                    for ((lane, value), nearest) in values.iter_mut().enumerate().zip(nearest) {
                        let written = rewritten(at, lane, nearest);
                        // If a result is not rewritten, any value within the bound is allowed.
                        if written != nearest {
                            *value = Real::Bits(written);
                        }
                    }
                }
                TruthValues::Reals { .. } => {}
            }
            truths.push(truth);
        }
        of.events().iter().for_each(|(lane, event)| truths.event(*lane, *event));
        of.undefined().iter().for_each(|(lane, erratum)| truths.undefine(*lane, *erratum));
        let contract = self.setup.profile.contract_for(&probe.instruction);
        let mut verdicts = Verdicts::default();
        judge(&contract, &probe.instruction, &truths, &probe.effects, &mut verdicts);
        verdicts
    }
}

/// Returns the bits of a truth for a location in a lane, if it gives bits there.
fn bits_of(truths: &Truths, location: Location, lane: usize) -> Option<u32> {
    match &truths.columns().iter().find(|truth| truth.location == location)?.values {
        TruthValues::Bits(values) => values.get(lane).copied(),
        TruthValues::Reals { packed: 1, values, .. } => match values.get(lane) {
            Some(Real::Bits(bits)) => Some(*bits),
            _ => None,
        },
        TruthValues::Reals { .. } => None,
    }
}

/// Returns a probe's instruction without .FTZ, and its values with some operands flushed after
/// their prefixes are applied.
fn with_flushed(probe: &Probe, inputs: Flushed, numbers: &EncodingTable) -> Option<(Instruction, Batch)> {
    let other = Change::Always { field: "ftz", done: "NoFTZ" }.apply(&probe.instruction, numbers)?;
    let zeroed = if inputs == Flushed::ToPlus { flush_to_plus } else { flush };
    read_as(&other, &probe.batch, numbers, |name| inputs.has(name), zeroed)
}

/// Whether the instruction of a probe has an output of that name.
fn has_output(probe: &Probe, name: &str) -> bool {
    probe.instruction.form().optype.outs.contains(&name)
}

/// Returns the setting with the same meaning for an optype. If the given switch affects the optype,
/// returns the given setting. Otherwise, returns the setting of a switch that affects it.
fn setting_of(optype: &str, (erratum, setting): (Erratum, u8)) -> Option<(Erratum, u8)> {
    let switch = Switch::of(erratum).filter(|switch| !switch.optypes.contains(&optype));
    let Some(switch) = switch else { return Some((erratum, setting)) };
    let meaning = switch.meaning(setting);
    let touching = SWITCHES.iter().filter(|other| other.optypes.contains(&optype));
    let mut same = touching.flat_map(|other| {
        (1..)
            .zip(other.settings)
            .filter(|(_, its)| **its == meaning)
            .map(|(setting, _)| (other.erratum, setting))
    });
    same.next()
}
