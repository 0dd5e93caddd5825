//! A sweep over every input of a unary function. A unit contains all inputs whose results are
//! compared with each other.
//!
//! A unit is one slice of 16,384 neighbouring fractions in every binade of both signs. So a unit
//! contains the mirror image of each input, and the inputs with the same fraction in other binades.
//! The input after each slice is executed, too, so that the last pair of neighbours of a slice is
//! compared. Workers can take units in any order.

use assay_isa::format::F32;
use assay_isa::tables::types::MUFUOp;
use assay_isa::truth::Symmetry;
use assay_isa::{BackendError, Batch, EncodingTable, Instruction, asm, codec};
use assay_vectors::{Contract, Relation};

use crate::compare::canary::Pieces;
use crate::compare::comparator::Comparator;
use crate::compare::judge::DivergenceKind;
use crate::compare::judge::quick::{StandingRecord, StandingRecords, is_sampled};
use crate::generate::splitmix::mix;
use crate::operands::operand_kinds::OperandKind;
use crate::run::batch_at::{BatchAt, SelfCheck};
use crate::run::enclosed::EnclosedBatch;
use crate::run::exhaustive::examine::{BatchExaminer, BatchToExamine, ExaminedBatch};
use crate::run::path::{GivenBatch, Work};
use crate::stats::accuracy::{Accuracy, Extreme};
use crate::stats::exhaustive::map::{ErrorMap, ReducedArgument};
use crate::stats::exhaustive::relate::{self, Neighbours, inversion_if_required, is_required};
use crate::stats::exhaustive::{self, ExhaustiveStats, Range, ResultRelation, keys};
use crate::stats::extreme::keep_worst;
use crate::stats::tally::Tally;

/// Number of inputs of a slice.
pub const SLICE: u32 = 1 << 14;
/// Number of units of a function.
pub const UNITS: u64 = (1 << F32.fraction_bits) / SLICE as u64;
/// Number of inputs of a unit.
pub const UNIT: u64 = (1 << 32) / UNITS;

/// A worker that runs units.
pub struct ExhaustiveWorker<'a> {
    instruction: &'a Instruction,
    /// Its mnemonic.
    function: String,
    contract: Contract,
    known: Option<&'a Accuracy>,
    word: u128,
    /// The cosine with its word, if the function is the sine.
    partner: Option<(Instruction, u128)>,
    comparator: Comparator,
    examiner: BatchExaminer,
    enclosed: EnclosedBatch,
    batch: Batch,
    other: Batch,
    /// Results of the slice in the binades from 1 and from 2, for positive arguments.
    reference: [Vec<u32>; 2],
    /// Results of the slice for the positive arguments of the current binade.
    positive: Vec<u32>,
    /// The index of the unit, while its checked slice is run.
    checked: Option<u64>,
}

impl<'a> ExhaustiveWorker<'a> {
    /// Returns a worker with its own comparator. `known` is the accuracy of the function that was
    /// counted in earlier epochs.
    pub fn new(
        instruction: &'a Instruction,
        contract: Contract,
        numbers: &EncodingTable,
        comparator: Comparator,
        known: Option<&'a Accuracy>,
    ) -> ExhaustiveWorker<'a> {
        let is_sine = instruction.modifier("mufuop") == Some(MUFUOp::SIN);
        let cosine = |position| {
            let mut cosine = instruction.clone();
            cosine.set_at(position, MUFUOp::COS as u32);
            let word = codec::encode(&cosine, numbers);
            (cosine, word)
        };
        let position = instruction.form().position("mufuop").filter(|_| is_sine);
        ExhaustiveWorker {
            instruction,
            function: asm::mnemonic(instruction),
            contract,
            known,
            word: codec::encode(instruction, numbers),
            partner: position.map(cosine),
            comparator,
            examiner: BatchExaminer::default(),
            enclosed: EnclosedBatch::default(),
            batch: Batch::default(),
            other: Batch::default(),
            reference: [Vec::new(), Vec::new()],
            positive: Vec::new(),
            checked: None,
        }
    }

    /// Runs a unit and adds its counts to a tally. `next` is the worker's next unit, if it is
    /// known: the subject may execute it while this unit is judged.
    pub fn unit(&mut self, unit: u64, next: Option<u64>, tally: &mut Tally) -> Result<(), BackendError> {
        self.reference.iter_mut().for_each(Vec::clear);
        for ahead in [Some(unit), next].into_iter().flatten() {
            self.announce(ahead)?;
        }
        let checked = mix(unit) % (UNIT / u64::from(SLICE));
        for (place, first) in (0..).zip(slices(unit)) {
            self.checked = (place == checked && Pieces::Units.is_checked(unit)).then_some(unit);
            self.slice(first, tally)?;
        }
        Ok(())
    }

    /// Announces the batches of a unit to the subject.
    fn announce(&mut self, unit: u64) -> Result<(), BackendError> {
        let firsts: Vec<u32> = slices(unit).collect();
        self.comparator.announce(self.word, &firsts, SLICE + 1)?;
        let Some((_, partner)) = self.partner else { return Ok(()) };
        let positive: Vec<u32> = firsts.into_iter().filter(|first| !F32.is_negative(*first)).collect();
        self.comparator.announce(partner, &positive, SLICE + 1)
    }

    /// Runs the slice that begins at input `first`.
    pub fn slice(&mut self, first: u32, tally: &mut Tally) -> Result<(), BackendError> {
        if !F32.is_negative(first) {
            self.positive.clear();
        }
        // The slice also has the input beyond, unless that has another sign.
        let beyond = u32::from((first | F32.sign_mask()) < u32::MAX - (SLICE - 1));
        self.fill(first, SLICE + beyond);
        let ExhaustiveWorker {
            comparator,
            examiner,
            batch,
            instruction,
            function,
            contract,
            known,
            checked,
            ..
        } = self;
        let swept = (&*batch, SLICE as usize);
        let left = examiner.execute_swept(comparator, (contract, instruction), swept, first.into(), tally)?;
        if let Some(left) = left {
            return self.without_estimate(first, left, tally);
        }
        let index = |lane: usize| u64::from(first) + lane as u64;
        let (known, checked, lanes) = (*known, *checked, 0..SLICE as usize);
        let asked =
            BatchToExamine { contract, instruction, function, batch, lanes, known, index: &index, checked };
        let cells = |accuracy: &Accuracy| standing_records([Some(accuracy), known], first);
        let Some(examined) = examiner.examine(comparator, &asked, cells, tally)? else {
            return self.without_estimate(first, Work::Executed(Some(Vec::new())), tally);
        };
        tally.canaries.merge(&examined.checks);
        let stats = tally.exhaustive_of(function);
        stats.count(first, &examined);
        examiner.add_to(stats.map_of(instruction), &examined);
        let has_truths = self.rows(first, stats) < u64::from(SLICE);
        let failures = self.relate(first, has_truths, stats)?;
        tally.count_failures(self.instruction, failures);
        Ok(())
    }

    /// Fills the batch with neighbouring inputs.
    fn fill(&mut self, first: u32, lanes: u32) {
        let inputs = (0..lanes as usize).map(|lane| first + lane as u32);
        self.batch.reset_to(self.word, &self.instruction.reads(), inputs);
    }

    /// Runs a slice that cannot be judged by columns: the subject did not write exactly one column,
    /// or the oracle has no estimate. Executes what is left of it, judges it lane by lane, and does
    /// not compare neighbours.
    fn without_estimate(&mut self, first: u32, work: Work, tally: &mut Tally) -> Result<(), BackendError> {
        self.fill(first, SLICE);
        self.comparator.keep_first(SLICE as usize);
        let ExhaustiveWorker {
            comparator, enclosed, batch, instruction, contract, checked, function, ..
        } = self;
        let check = if checked.is_some() { SelfCheck::Counted } else { SelfCheck::None };
        let (index, first_case) = (checked.unwrap_or_default(), u64::from(first));
        let at = BatchAt { instruction, contract, index, check, first: first_case, before: None };
        let given = GivenBatch { batch, work };
        let Some(judged) = enclosed.run(comparator, at, given, tally)? else { return Ok(()) };
        let (measured, diverged) = (&judged.verdicts.measured, &judged.verdicts.diverged);
        let Some(accuracy) = tally.accuracy.get_mut(function) else { return Ok(()) };
        let stats = accuracy.exhaustive.get_or_insert_default();
        let map = stats.map_of(instruction);
        for one in measured {
            map.add(one.argument, one.error.floor as f64, is_sampled((one.argument - first) as usize));
        }
        diverged.iter().for_each(|(lane, _)| map.add_failing(first + *lane as u32));
        stats.undecided += u64::from(SLICE);
        for one in measured {
            stats.note(first, Extreme::of(one));
        }
        let rounded = measured.iter().filter(|m| m.error.correctly_rounded).count();
        stats.add(first, measured.len() as u64, rounded as u64);
        Ok(())
    }

    /// Counts, for each class of inputs, how many results conform to the rows of the specification.
    /// Returns the number of inputs that have a row.
    fn rows(&self, first: u32, stats: &mut ExhaustiveStats) -> u64 {
        let estimates = &self.examiner.estimates;
        let Some((_, results)) = self.comparator.column().filter(|_| estimates.has_rows) else { return 0 };
        let mut all = 0;
        let class = |lane: usize| OperandKind::Float(F32).class_name(first + lane as u32);
        let mut start = 0;
        while start < SLICE as usize {
            // Zero and infinity can only be the first input of a slice. All other inputs of a slice
            // have one class.
            let last = SLICE as usize - 1;
            let end = if class(start) == class(last) { last } else { start };
            let fared = relate::rows(estimates, results, start..end + 1);
            if fared.inputs > 0 {
                stats.rows.entry(class(start).into_owned()).or_default().merge(fared);
            }
            all += fared.inputs;
            start = end + 1;
        }
        all
    }

    /// Compares the results with those of other inputs, and with the cosines. Returns the failures
    /// and the wrong effects of the execution of the cosine.
    fn relate(
        &mut self,
        first: u32,
        has_truths: bool,
        stats: &mut ExhaustiveStats,
    ) -> Result<Vec<DivergenceKind>, BackendError> {
        let estimates = &self.examiner.estimates;
        let (traits, saturate) = (estimates.traits, estimates.saturate);
        let Some((location, results)) = self.comparator.column() else { return Ok(Vec::new()) };
        let field = (first >> F32.fraction_bits & 0xff) as i32 - F32.bias();
        let negative = F32.is_negative(first);
        let neighbours = Neighbours { first, step: 1, results, estimates, counted: SLICE as usize };
        let monotonic = stats.relations.entry(ResultRelation::Monotonic).or_default();
        if has_truths {
            neighbours.monotonic(inversion_if_required(&self.contract), monotonic);
        }
        if (first / SLICE + 1).is_multiple_of(1 << (exhaustive::PLACE_BITS - SLICE.trailing_zeros())) {
            neighbours.border(stats.relations.entry(ResultRelation::BorderJump).or_default());
        }
        if let Some(symmetry) = traits.symmetry.filter(|_| negative && !saturate) {
            let (relation, asked) = match symmetry {
                Symmetry::Even => (ResultRelation::Even, Relation::Even),
                Symmetry::Odd => (ResultRelation::Odd, Relation::Odd),
            };
            let pairs = stats.relations.entry(relation).or_default();
            let before = pairs.broken;
            neighbours.mirror(symmetry, &self.positive, pairs);
            if is_required(&self.contract, asked) {
                pairs.refused += pairs.broken - before;
            }
        }
        // For subnormal numbers, the fraction does not give the place in a binade.
        let is_normal = F32.exponent_field(first) > 0;
        if let Some(period) = traits.period.filter(|_| is_normal && !saturate) {
            let place = field.rem_euclid(period as i32);
            if field == place && !negative {
                self.reference[place as usize] = results.to_vec();
            } else {
                let binade = ((place + F32.bias()) as u32) << F32.fraction_bits;
                let start = first & F32.fraction_mask() | binade;
                let pairs = stats.relations.entry(ResultRelation::ExponentInvariant).or_default();
                neighbours.binade(start, &self.reference[place as usize], pairs);
            }
        }
        if !negative && traits.symmetry.is_some() {
            self.positive.extend_from_slice(results);
        }
        if let Some((cosine, word)) = self.partner.as_ref().filter(|_| !saturate && !negative) {
            let sines: Vec<u32> = results.to_vec();
            let arguments = self.examiner.estimates.arguments.iter().copied();
            self.other.reset_to(*word, &self.instruction.reads(), arguments);
            if self.comparator.answer(&self.other)?.is_none() {
                return Ok(Vec::new());
            }
            let Some((_, cosines)) = self.comparator.column().filter(|(written, _)| *written == location)
            else {
                return self.comparator.failures(&self.contract, cosine, &self.other, location);
            };
            relate::circle(
                first,
                &sines[..SLICE as usize],
                cosines,
                stats.relations.entry(ResultRelation::UnitCircle).or_default(),
            );
        }
        Ok(Vec::new())
    }
}

/// The first inputs of a unit's slices.
fn slices(unit: u64) -> impl Iterator<Item = u32> {
    let bias = F32.bias() as u32;
    // The binades from 1 upwards come first. The results of other binades are compared with those
    // of the binades from 1 and 2. This order also finds great errors early.
    let fields = (bias..=255).chain(0..bias);
    let fraction = unit as u32 * SLICE;
    fields.flat_map(move |field| [0, 1].map(|sign| sign << 31 | field << F32.fraction_bits | fraction))
}

/// Returns the records that the inputs of one place may beat. These are the lower of the records of
/// the place's binade and segment, and the last of the worst inputs. `first` is an input of the
/// place. If both statistics have a record, the higher one counts.
pub(super) fn standing_records(sides: [Option<&Accuracy>; 2], first: u32) -> StandingRecords {
    let sides = sides.map(|accuracy| accuracy.and_then(|accuracy| accuracy.exhaustive.as_ref()));
    let (binade, segment) = keys(F32, first);
    let highest = |get: &dyn Fn(&ExhaustiveStats) -> StandingRecord| {
        sides.iter().flatten().map(|stats| get(stats)).fold(StandingRecord::NONE, StandingRecord::max)
    };
    let lower = |get: fn(&Range) -> Option<Extreme>, negated: bool| {
        let standing = |range: Option<&Range>| Extreme::standing_record(range.and_then(get), negated);
        let of_binade = highest(&|stats| standing(stats.binades.get(&binade)));
        of_binade.min(highest(&|stats| standing(stats.segments.get(&segment))))
    };
    let last = |stats: &ExhaustiveStats| match stats.worst.get(exhaustive::WORST - 1) {
        Some(worst) => StandingRecord { units: worst.error.unsigned_abs() as f64, input: worst.input },
        None => StandingRecord::NONE,
    };
    StandingRecords {
        greatest: lower(|range| range.greatest, false),
        least: lower(|range| range.least, true),
        worst: highest(&last),
        distance: StandingRecord::NONE,
    }
}

impl ExhaustiveStats {
    /// Returns the map of the errors of a function.
    fn map_of(&mut self, instruction: &Instruction) -> &mut ErrorMap {
        self.map.get_or_insert_with(|| ErrorMap::new(ReducedArgument::of(instruction)))
    }

    /// Counts the results of a batch. All inputs must lie in one place, and `input` is one of them.
    pub(super) fn count(&mut self, input: u32, examined: &ExaminedBatch) {
        self.undecided += examined.undecided;
        for measured in examined.records.iter().chain(&examined.decided) {
            self.note(input, Extreme::of(measured));
        }
        let rounded = examined.decided.iter().filter(|m| m.error.correctly_rounded).count() as u64;
        let measured = examined.measured + examined.decided.len() as u64;
        self.add(input, measured, examined.correctly_rounded + rounded);
    }

    /// Counts results of a slice.
    fn add(&mut self, first: u32, measured: u64, correctly_rounded: u64) {
        if measured == 0 {
            return;
        }
        let (binade, segment) = keys(F32, first);
        let added = Range { measured, correctly_rounded, ..Range::default() };
        self.binades.entry(binade).or_default().merge(&added);
        self.segments.entry(segment).or_default().merge(&added);
    }

    /// Stores an error of a slice, if it is a record.
    fn note(&mut self, first: u32, extreme: Extreme) {
        let (binade, segment) = keys(F32, first);
        let noted = Range { least: Some(extreme), greatest: Some(extreme), ..Range::default() };
        self.binades.entry(binade).or_default().merge(&noted);
        self.segments.entry(segment).or_default().merge(&noted);
        self.worst.push(extreme);
        keep_worst(&mut self.worst);
    }
}
