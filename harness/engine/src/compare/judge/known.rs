//! Looks up results of functions of 16-bit numbers that were judged before and that satisfied the
//! contract.
//!
//! The verdict on such a result depends only on the function, the contract, the argument and the
//! result. For each argument, the first result that holds is measured and stored. If a later result
//! equals the stored one, its verdict is looked up. Every other result is judged.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use assay_isa::{Arguments, Truths};
use assay_vectors::Contract;

use super::real::Error;
use super::rules::{PackedResult, RealOutcome, Reals};
use super::{Measured, judge_real};
use crate::compare::counts::Counts;

/// Bits of an argument, and of a result.
const BITS: u32 = 16;
/// Mask of the bits of an argument or a result.
const MASK: u32 = (1 << BITS) - 1;

/// The stored results of each function of a run, under each contract. Threads share them.
#[derive(Debug, Default)]
pub struct KnownFunctions(Mutex<Vec<(String, Contract, Arc<KnownResults>)>>);

/// The first result that holds, for each argument of a function. Takes 2 MiB.
#[derive(Debug)]
pub struct KnownResults(Box<[OnceLock<KnownResult>]>);

/// A result that holds. Look-ups have no particular order, so an entry is small: with its lock it
/// takes half a cache line.
#[derive(Clone, Copy, Debug)]
struct KnownResult {
    floor: i64,
    distance: u64,
    result: u16,
    nearest: u16,
    /// Index of the bound in the contract, or [`NO_BOUND`].
    bound: u8,
    outcome: KnownOutcome,
    exact: bool,
    correctly_rounded: bool,
}

const _: () = assert!(size_of::<OnceLock<KnownResult>>() == 32);

/// Marks a result to which no bound applies.
const NO_BOUND: u8 = u8::MAX;

/// The outcomes of a result that holds. If a lane has several results, the lane gets the outcome
/// that is listed last here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum KnownOutcome {
    Held,
    Within,
    Unjudged,
}

/// The outcome of a look-up in a batch.
#[derive(Debug, Default)]
pub struct KnownLanes {
    /// Counts of the lanes whose results are all known, and of the lanes that do not execute.
    pub counts: Counts,
    /// The correctly rounded results of the lanes whose results are all known, and 0 in other
    /// lanes.
    pub nearest: Vec<u32>,
    /// The lanes with a result that is not known, in ascending order.
    pub open: Vec<usize>,
}

impl KnownFunctions {
    /// Returns the stored results of a function under a contract.
    pub fn of(&self, function: &str, contract: &Contract) -> Arc<KnownResults> {
        // A thread that panics does not leave the list inconsistent, so a poisoned lock may be
        // used.
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., known)) = list.iter().find(|(name, under, _)| name == function && under == contract)
        {
            return Arc::clone(known);
        }
        let known = Arc::new(KnownResults((0..1 << BITS).map(|_| OnceLock::new()).collect()));
        list.push((function.to_owned(), contract.clone(), Arc::clone(&known)));
        known
    }
}

impl KnownResults {
    /// Looks up the results of a batch, one word per lane. For a lane whose results are all known,
    /// calls `count` once for each result: with its error, or with `None` if none was measured.
    pub fn look_up(
        &self,
        arguments: &Arguments,
        words: &[u32],
        known: &mut KnownLanes,
        mut count: impl FnMut(Option<&Measured>),
    ) {
        known.clear(words.len());
        self.fetch(&arguments.values);
        for (lane, word) in words.iter().enumerate() {
            if !arguments.executed.contains(lane) {
                known.counts.exact += 1;
            } else if !self.look_up_lane(arguments, (lane, *word), known, &mut count) {
                known.open.push(lane);
            }
        }
    }

    /// Loads the entries of all arguments into the cache in one loop, so that the loads overlap.
    /// Otherwise, each look-up would wait for memory.
    fn fetch(&self, arguments: &[u32]) {
        let is_known =
            |argument: &u32| self.0.get(*argument as usize).is_some_and(|entry| entry.get().is_some());
        std::hint::black_box(
            arguments.iter().fold(0, |known, argument| known + u32::from(is_known(argument))),
        );
    }

    /// Looks up the results of the lanes that are still open.
    pub fn look_up_open(
        &self,
        arguments: &Arguments,
        words: &[u32],
        known: &mut KnownLanes,
        mut count: impl FnMut(Option<&Measured>),
    ) {
        let mut open = std::mem::take(&mut known.open);
        open.retain(|lane| !self.look_up_lane(arguments, (*lane, words[*lane]), known, &mut count));
        known.open = open;
    }

    /// Looks up and counts the results of a lane that executes. Returns `false`, and counts
    /// nothing, if a result is not known.
    fn look_up_lane(
        &self,
        arguments: &Arguments,
        (lane, word): (usize, u32),
        known: &mut KnownLanes,
        mut count: impl FnMut(Option<&Measured>),
    ) -> bool {
        let packed = arguments.packed;
        let arguments = &arguments.values[lane * packed..(lane + 1) * packed];
        let mut found = [None; 2];
        let (mut rest, mut nearest, mut outcome) = (word, 0, KnownOutcome::Held);
        for (place, (argument, found)) in arguments.iter().zip(&mut found).enumerate() {
            let entry = self.0.get(*argument as usize).and_then(OnceLock::get);
            let Some(entry) = entry.filter(|entry| u32::from(entry.result) == rest & MASK) else {
                return false;
            };
            nearest |= u32::from(entry.nearest) << (place as u32 * BITS);
            outcome = outcome.max(entry.outcome);
            *found = Some((*argument, entry));
            rest >>= BITS;
        }
        if rest != 0 {
            return false;
        }
        for (argument, entry) in found.into_iter().flatten() {
            count(entry.measured(argument).as_ref());
        }
        match outcome {
            KnownOutcome::Held => known.counts.exact += 1,
            KnownOutcome::Within => known.counts.within += 1,
            KnownOutcome::Unjudged => known.counts.unjudged += 1,
        }
        known.nearest[lane] = nearest;
        true
    }

    /// Stores the results of some lanes of a batch, if they hold and if their argument has no
    /// stored result yet. `words` are the lanes' results, in the order of `truths`.
    pub fn learn(&self, contract: &Contract, truths: &Truths, words: impl Iterator<Item = u32>) {
        let Some(reals) = truths.columns().first().and_then(|truth| Reals::of(contract, truth)) else {
            return;
        };
        for (lane, word) in words.enumerate() {
            for packed in reals.lane(lane) {
                let entry = self.0.get(packed.argument as usize).filter(|entry| entry.get().is_none());
                if let Some(entry) = entry
                    && let Some(result) = KnownResult::of(&reals, &packed, word)
                {
                    entry.get_or_init(|| result);
                }
            }
        }
    }
}

impl KnownResult {
    /// Judges one result of a word. `None` if the result does not hold.
    fn of(reals: &Reals, packed: &PackedResult, word: u32) -> Option<KnownResult> {
        let (outcome, measured) = judge_real(reals, packed, word);
        let outcome = match outcome {
            RealOutcome::Held => KnownOutcome::Held,
            RealOutcome::Within(_) => KnownOutcome::Within,
            RealOutcome::Unjudged(_) => KnownOutcome::Unjudged,
            RealOutcome::Diverged(..) => return None,
        };
        let nothing = Error { floor: 0, exact: true, correctly_rounded: true };
        let error = measured.map_or(nothing, |measured| measured.error);
        let bound = packed
            .bound
            .map_or(Some(NO_BOUND), |bound| u8::try_from(bound).ok().filter(|bound| *bound != NO_BOUND));
        Some(KnownResult {
            floor: error.floor,
            distance: measured.map_or(0, |measured| measured.distance),
            result: (word >> packed.shift) as u16,
            nearest: packed.rules.nearest(packed.value) as u16,
            bound: bound?,
            outcome,
            exact: error.exact,
            correctly_rounded: error.correctly_rounded,
        })
    }

    /// Returns the stored result with its error. `None` if no error was measured.
    fn measured(&self, argument: u32) -> Option<Measured> {
        let KnownResult { floor, distance, result, bound, exact, correctly_rounded, .. } = *self;
        (self.outcome != KnownOutcome::Held).then(|| Measured {
            argument,
            result: result.into(),
            error: Error { floor, exact, correctly_rounded },
            bound: (bound != NO_BOUND).then_some(bound.into()),
            distance,
            holds: true,
        })
    }
}

impl KnownLanes {
    fn clear(&mut self, lanes: usize) {
        self.counts = Counts::default();
        self.nearest.clear();
        self.nearest.resize(lanes, 0);
        self.open.clear();
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::Location;
    use assay_isa::effect::Lanes;
    use assay_isa::format::F16;
    use assay_isa::truth::{Enclosure, Real, Truth, TruthValues};
    use assay_vectors::Clauses;

    use super::*;

    fn bounded(text: &str) -> Contract {
        Contract::Bounded { bounds: [text.parse().unwrap()].into(), clauses: Clauses::default() }
    }

    #[test]
    fn each_function_under_each_contract_has_results_of_its_own() {
        let functions = KnownFunctions::default();
        let pairs =
            [("sin", "1 ulp"), ("cos", "1 ulp"), ("sin", "2 ulp"), ("cos", "2 ulp"), ("ex2", "4 ulp")];
        let look_up = |(name, bound): (&str, &str)| functions.of(name, &bounded(bound));
        let (first, second) = (pairs.map(look_up), pairs.map(look_up));
        for (a, first) in first.iter().enumerate() {
            for (b, second) in second.iter().enumerate() {
                assert_eq!(Arc::ptr_eq(first, second), a == b, "{:?} {:?}", pairs[a], pairs[b]);
            }
        }
    }

    /// Arguments. The bound of these tests covers the arguments from 1 to 2.
    const WITHIN: u32 = 0x3c00;
    const OPEN: u32 = 0x4400;
    const ROW: u32 = 0x3e00;
    const WRONG: u32 = 0x4000;
    const BEYOND: u32 = 0x1_0000;

    fn value_of(argument: u32) -> Real {
        let one = Enclosure { negative: false, significand: 1, exponent: 0, exact: true };
        if argument == ROW { Real::Bits(0x7fff) } else { Real::Near(one) }
    }

    fn truths(packed: usize, arguments: &[u32]) -> Truths {
        let mut truths = Truths::default();
        truths.reset(arguments.len() / packed);
        let (format, flush, saturate) = (F16, false, false);
        let values = arguments.iter().map(|argument| value_of(*argument)).collect();
        let arguments = arguments.to_vec();
        let values = TruthValues::Reals { format, packed, flush, saturate, arguments, values };
        truths.push(Truth { location: Location::R(0), values, written: Lanes::All });
        truths
    }

    fn arguments(packed: usize, values: &[u32], executed: Lanes) -> Arguments {
        let location = Some(Location::R(0));
        Arguments { function: "f".to_owned(), location, executed, packed, values: values.to_vec() }
    }

    fn counts(exact: u64, within: u64, unjudged: u64) -> Counts {
        Counts { exact, within, unjudged, ..Counts::default() }
    }

    #[test]
    fn what_is_known_counts_as_it_was_judged() {
        let contract = bounded("absolute 2^-8 on [1, 2]");
        let results = KnownFunctions::default().of("f", &contract);
        let list = [WITHIN, OPEN, ROW, WRONG, BEYOND];
        let words = [0x3c01, 0x3c02, 0x7fff, 0x4000, 0x3c00];
        let batch = arguments(1, &list, Lanes::All);
        let mut known = KnownLanes::default();
        let mut found = Vec::new();
        let mut count = |measured: Option<&Measured>| {
            found.push(measured.map(|one| (one.argument, one.result, one.bound, one.error.floor >> 32)));
        };
        results.look_up(&batch, &words, &mut known, &mut count);
        assert_eq!((known.counts, &*known.open), (counts(0, 0, 0), &[0, 1, 2, 3, 4][..]));
        results.learn(&contract, &truths(1, &list), words.into_iter());
        results.look_up_open(&batch, &words, &mut known, &mut count);
        assert_eq!((known.counts, &*known.open), (counts(1, 1, 1), &[3, 4][..]));
        assert_eq!(known.nearest, [0x3c00, 0x3c00, 0x7fff, 0, 0]);
        assert_eq!(found, [Some((WITHIN, 0x3c01, Some(0), 1)), Some((OPEN, 0x3c02, None, 2)), None]);

        // Only the stored result of an argument is known. A word with bits above its results is not
        // known.
        let batch = arguments(1, &[WITHIN, WITHIN, WITHIN], Lanes::Some(vec![true, true, false]));
        results.look_up(&batch, &[0x3c00, 0x1_3c01, 7], &mut known, |_| {});
        assert_eq!((known.counts, &*known.open), (counts(1, 0, 0), &[0, 1][..]));
    }

    /// A lane of two results gets the weaker outcome. `unjudged` is weaker than `within`, which is
    /// weaker than `exact`.
    #[test]
    fn a_lane_of_two_results_is_known_if_both_are() {
        let contract = bounded("absolute 2^-8 on [1, 2]");
        let results = KnownFunctions::default().of("f", &contract);
        let word = |low: u32, high: u32| low | high << BITS;
        let learned = [word(0x3c01, 0x3c02), word(0x4000, 0x7fff)];
        results.learn(&contract, &truths(2, &[WITHIN, OPEN, WRONG, ROW]), learned.into_iter());
        let list = [WITHIN, OPEN, OPEN, WITHIN, WITHIN, ROW, ROW, ROW, WRONG, ROW, ROW, WITHIN];
        let words = [
            word(0x3c01, 0x3c02),
            word(0x3c02, 0x3c01),
            word(0x3c01, 0x7fff),
            word(0x7fff, 0x7fff),
            word(0x4000, 0x7fff),
            word(0x7fff, 0x3c00),
        ];
        let mut known = KnownLanes::default();
        results.look_up(&arguments(2, &list, Lanes::All), &words, &mut known, |_| {});
        assert_eq!((known.counts, &*known.open), (counts(1, 1, 2), &[4, 5][..]));
        let nearest =
            [word(0x3c00, 0x3c00), word(0x3c00, 0x3c00), word(0x3c00, 0x7fff), word(0x7fff, 0x7fff)];
        assert_eq!(known.nearest, [&nearest[..], &[0, 0]].concat());
    }
}
