//! Predicts the effects of a supposition in the cases on which it is tried.

mod nan;

use assay_isa::format::F32;
use assay_isa::truth::{Real, TruthValues};
use assay_isa::{
    Answer, BackendError, Batch, EncodingTable, Instruction, Location, Operand, Oracle, Truths, Unrounded,
};

use super::change::Change;
use super::evidence::Evidence;
use super::probe::{self, Probe};
use super::readings::{Oracles, judge_as, with_reading};
use super::slip::{ValueSlip, flush, flush_to_plus};
use super::suppose::{Flushed, FlushedResult, RoundedResults, Supposition, UpperWord};
use crate::compare::comparator::{PRECISION, Setup};
use crate::compare::judge::{Verdict, Verdicts, judge};
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{OperandWord, WordPlace, operand_words};

/// The prediction of a supposition for a probe.
enum Predicted {
    /// The subject is right.
    Right,
    /// Something else, with the verdicts by that.
    Instead(Verdicts),
    /// Nothing.
    Unknown,
}

/// Compares suppositions with probes.
pub(super) struct PredictionTrial<'a> {
    setup: &'a Setup<'a>,
    oracles: Oracles<'a>,
    /// The oracle for the current readings.
    oracle: Box<dyn Oracle>,
}

impl<'a> PredictionTrial<'a> {
    pub(super) fn new(setup: &'a Setup<'a>, oracles: Oracles<'a>) -> PredictionTrial<'a> {
        PredictionTrial { setup, oracles, oracle: oracles(setup.profile.readings) }
    }

    /// The evidence that the lanes of a probe give about a supposition.
    pub(super) fn evidence(
        &mut self,
        probe: &Probe,
        instead: &Supposition,
    ) -> Result<Evidence, BackendError> {
        let mut evidence = Evidence::default();
        let diverged = probe.verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Diverged(_)));
        match self.predict(probe, instead)? {
            Predicted::Unknown => {}
            Predicted::Right => evidence.elsewhere = diverged.count(),
            Predicted::Instead(supposed) => {
                for (lane, verdict) in probe.verdicts.iter().enumerate() {
                    match (verdict, supposed.of(lane)) {
                        (Verdict::Diverged(_), other) if other.holds() => evidence.explained += 1,
                        (Verdict::Diverged(_), _) => evidence.unexplained += 1,
                        (verdict, Verdict::Diverged(_)) if verdict.holds() => evidence.refuted += 1,
                        _ => {}
                    }
                }
            }
        }
        Ok(evidence)
    }

    /// The lanes of a probe in which the subject is right, and a supposition predicts something else.
    pub(super) fn refuting_lanes(
        &mut self,
        probe: &Probe,
        instead: &Supposition,
    ) -> Result<Vec<usize>, BackendError> {
        let Predicted::Instead(supposed) = self.predict(probe, instead)? else { return Ok(Vec::new()) };
        let is_refuting = |lane: &usize| {
            probe.verdicts[*lane].holds() && matches!(supposed.of(*lane), Verdict::Diverged(_))
        };
        Ok((0..probe.verdicts.len()).filter(is_refuting).collect())
    }

    /// Which diverging lanes of a probe a supposition predicts to the bit.
    pub(super) fn explained_lanes(
        &mut self,
        probe: &Probe,
        instead: &Supposition,
    ) -> Result<Vec<bool>, BackendError> {
        let Predicted::Instead(supposed) = self.predict(probe, instead)? else {
            return Ok(vec![false; probe.verdicts.len()]);
        };
        let is_explained = |(lane, verdict): (usize, &Verdict)| {
            matches!(verdict, Verdict::Diverged(_)) && supposed.of(lane).holds()
        };
        Ok(probe.verdicts.iter().enumerate().map(is_explained).collect())
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
                let under = with_reading(self.setup.profile, *erratum, *setting);
                let mut oracle = (self.oracles)(under.readings);
                let judged =
                    judge_as(oracle.as_mut(), &under, &probe.instruction, &probe.batch, &probe.effects)?;
                Ok(judged.map_or(Predicted::Unknown, Predicted::Instead))
            }
            Supposition::Input(name, slip) => {
                if !probe.instruction.form().inputs().any(|input| input == *name) {
                    return Ok(Predicted::Right);
                }
                match misread(probe, name, *slip, self.setup) {
                    None => Ok(Predicted::Unknown),
                    Some((other, batch)) => self.executed(probe, &other, Some(batch)),
                }
            }
            Supposition::UpperWord(name, word) => match upper_word(probe, name, *word) {
                None => Ok(Predicted::Unknown),
                Some(batch) => self.executed(probe, &probe.instruction, Some(batch)),
            },
            // A device that miswrites an output is right on an instruction without that output.
            Supposition::Result(name, _) if !has_output(probe, name) => Ok(Predicted::Right),
            Supposition::Result(name, slip) => {
                let kind = OperandKind::of(&probe.instruction, name);
                let own: Vec<Location> = probe.instruction.operand(name).locations().collect();
                let rewritten = |location, _, value| match own.contains(&location) {
                    true => slip.apply(kind, value),
                    false => value,
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

    /// The result of another rounding mode, where the right result is a zero or an overflow. A result is an overflow if
    /// the nearest one is infinite. A result that is not zero in the other mode has underflowed, and keeps its sign.
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

    /// Under .FTZ: the result without it, from operands that are flushed one by one, and what becomes of the result.
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
            // Which results are flushed depends on a reading: the right result tells it.
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

    /// One output bit equals another, or its negation; `None` if the other output has no place.
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

    /// The truth of an instruction with a change, on the values of a probe.
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

    /// The verdicts where right results are written as something else, by location and lane.
    fn miswritten(&self, probe: &Probe, rewritten: impl Fn(Location, usize, u32) -> u32) -> Verdicts {
        self.rewritten(probe, &probe.truths, rewritten)
    }

    /// The same of a truth that may differ from that of the probe.
    fn rewritten(
        &self,
        probe: &Probe,
        of: &Truths,
        rewritten: impl Fn(Location, usize, u32) -> u32,
    ) -> Verdicts {
        let mut truths = Truths::default();
        truths.reset(of.len());
        for truth in of.columns() {
            let mut truth = truth.clone();
            let at = truth.location;
            match &mut truth.values {
                TruthValues::Bits(values) => {
                    values
                        .iter_mut()
                        .enumerate()
                        .for_each(|(lane, value)| *value = rewritten(at, lane, *value));
                }
                TruthValues::Reals { packed: 1, values, .. } => {
                    for (lane, value) in values.iter_mut().enumerate() {
                        if let Real::Bits(bits) = value {
                            *bits = rewritten(at, lane, *bits);
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

/// The bits that a truth has for a location in a lane, if it has bits there.
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

/// A probe's instruction without .FTZ, and its values with some operands flushed. None where an operand that is flushed shares
/// its register with one that is not.
fn with_flushed(probe: &Probe, inputs: Flushed, numbers: &EncodingTable) -> Option<(Instruction, Batch)> {
    let mut other = Change::Always { field: "ftz", done: "NoFTZ" }.apply(&probe.instruction, numbers)?;
    let list: Vec<_> = operand_words(&probe.instruction).collect();
    let mut batch = probe.batch.clone();
    // To +0 behind the prefixes of the operand.
    let zeroed = |cell: &OperandWord, value: u32| match inputs {
        Flushed::ToPlus => {
            let sign = if probe.instruction.operand(cell.operand).neg { F32.sign_mask() } else { 0 };
            if flush(cell.kind, value) == value { value } else { sign }
        }
        _ => flush(cell.kind, value),
    };
    for cell in list.iter().filter(|cell| inputs.has(cell.operand)) {
        match cell.place {
            WordPlace::At(location) => {
                let mut here = list.iter().filter(|cell| cell.place == WordPlace::At(location));
                if !here.all(|cell| inputs.has(cell.operand)) {
                    return None;
                }
                let place = batch.locations().iter().position(|its| *its == location)?;
                batch.column_mut(place).iter_mut().for_each(|value| *value = zeroed(cell, *value));
            }
            WordPlace::Literal(bits) => other.set(cell.operand, zeroed(cell, bits)),
            WordPlace::Nowhere => {}
        }
    }
    let batch = probe::instead(&batch, &other, numbers)?;
    Some((other, batch))
}

/// The instruction and the values after an operand was misread. `None` if the operand cannot be distinguished from
/// another in the same place.
fn misread(
    probe: &Probe,
    name: &'static str,
    slip: ValueSlip,
    setup: &Setup<'_>,
) -> Option<(Instruction, Batch)> {
    let Probe { instruction, batch, .. } = probe;
    let operand = instruction.operand(name);
    let kind = OperandKind::of(instruction, name);
    let own: Vec<Location> = operand.locations().collect();
    if own.is_empty() {
        let place = instruction.form().position(name)?;
        let field = instruction.form().fields[place];
        let mut other = instruction.clone();
        if field.ty.is_literal() {
            let value = slip.apply(kind, instruction.values()[place]);
            (u64::from(value) < 1 << field.width).then(|| other.set_at(place, value))?;
        } else if kind == OperandKind::Predicate && slip.apply(kind, 1) == 0 {
            // PT read as false.
            let flag = format!("{name}.not");
            let not = other.get(&flag)?;
            other.set(&flag, 1 - not);
        }
        return Some((other.clone(), probe::instead(batch, &other, setup.numbers)?));
    }
    if is_shared(instruction, name, &own) {
        return None;
    }
    let mut batch = batch.clone();
    for (place, location) in batch.locations().to_vec().into_iter().enumerate() {
        if own.contains(&location) {
            batch
                .column_mut(place)
                .iter_mut()
                .for_each(|value| *value = behind(&operand, kind, *value, slip));
        }
    }
    Some((instruction.clone(), batch))
}

/// Whether the instruction of a probe has an output of that name.
fn has_output(probe: &Probe, name: &str) -> bool {
    probe.instruction.form().optype.outs.contains(&name)
}

/// Whether another operand, or the guard, is in one of the places of an operand.
fn is_shared(instruction: &Instruction, name: &str, own: &[Location]) -> bool {
    let mut others = operand_words(instruction).filter(|cell| cell.operand != name);
    others.any(|cell| cell.place.location().is_some_and(|location| own.contains(&location)))
        || instruction.guard().locations().any(|location| own.contains(&location))
}

/// The batch after the upper word of an operand was misread; `None` if the operand has no two places of its own.
fn upper_word(probe: &Probe, name: &str, word: UpperWord) -> Option<Batch> {
    let Probe { instruction, batch, .. } = probe;
    instruction.form().inputs().find(|input| *input == name)?;
    let own: Vec<Location> = instruction.operand(name).locations().collect();
    let [lower, upper] = own[..] else { return None };
    if is_shared(instruction, name, &own) {
        return None;
    }
    let mut batch = batch.clone();
    let place = batch.locations().iter().position(|location| *location == upper)?;
    match word {
        UpperWord::Zero => batch.column_mut(place).fill(0),
        UpperWord::Lower => {
            let lower = batch.column(lower)?.to_vec();
            batch.column_mut(place).copy_from_slice(&lower);
        }
    }
    Some(batch)
}

/// The value that, with the prefixes of its operand, comes to what the slip makes of it behind the prefixes.
fn behind(operand: &Operand, kind: OperandKind, value: u32, slip: ValueSlip) -> u32 {
    let sign = match kind {
        OperandKind::Float(format) => format.sign_mask(),
        OperandKind::Half { format, high } => format.sign_mask() << (16 * u32::from(high)),
        OperandKind::Pair(format) => format.sign_mask() | format.sign_mask() << 16,
        _ => 0,
    };
    let value = if operand.abs { value & !sign } else { value };
    let flip = match (operand.bitnot, operand.not) {
        (true, _) => u32::MAX,
        (_, true) => 1,
        _ if operand.neg => sign,
        _ => 0,
    };
    slip.apply(kind, value ^ flip) ^ flip
}
