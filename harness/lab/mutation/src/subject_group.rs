//! Tests mutants that show in the same instructions: which check catches each mutant, and when.
//!
//! The mutants of a group execute batches that are drawn as in a campaign, and share the work on
//! each batch. A batch is drawn once, and the sound subject executes it once. The oracle computes
//! the truth of a batch once, when a mutant first differs from the sound subject. Apart from times,
//! the outcome of a mutant does not depend on its group or on the number of threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arbitrary::Unstructured;
use assay_engine::compare::comparator::{PRECISION, Setup, check_shape};
use assay_engine::compare::judge::{DivergenceKind, Verdicts, judge};
use assay_engine::compare::reference::SubjectAsOracle;
use assay_engine::generate::{self, LANES, Scope};
use assay_isa::{Answer, BackendError, Batch, Effects, Instruction, Oracle, Subject, Truths, asm, catalog};
use assay_vectors::Contract;

use crate::outcome::{Detection, MutantOutcome};

/// Number of small batches at the beginning, and their lanes. Small batches save time, because most
/// mutants show at once.
const SMALL: (u64, usize) = (512, 32);

/// A group of mutants and the settings of their test.
pub struct SubjectGroup<'a> {
    /// The sound subject, the oracle and the profile.
    pub setup: Setup<'a>,
    /// The generated instructions and operands.
    pub scope: &'a Scope,
    /// Seed of the generator.
    pub seed: u64,
    /// Maximum number of cases.
    pub cases: u64,
    /// Another thread sets this to end after the current batch.
    pub stop: &'a AtomicBool,
}

/// The check that caught a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// The judge found this kind of divergence.
    Judged(DivergenceKind),
    /// The mutant refused a legal word as illegal.
    Refused,
    /// The mutant failed, or returned results for other lanes than requested.
    Failed,
    /// The mutant does not implement a case that the sound subject implements.
    Unanswered,
    /// The floating-point environment after the mutant's call is not the default.
    Environment,
}

impl Check {
    /// Returns the name of the check in reports.
    pub fn name(self) -> &'static str {
        match self {
            Check::Judged(kind) => kind.name(),
            Check::Refused => "legal word refused",
            Check::Failed => "failure",
            Check::Unanswered => "no answer",
            Check::Environment => "environment changed",
        }
    }
}

/// Why a group could not be tested.
#[derive(Debug, thiserror::Error)]
pub enum GroupError {
    /// An implementation without a fault failed.
    #[error("an implementation failed: {0}")]
    Backend(#[from] BackendError),
    /// The scope is empty.
    #[error("no instruction of the selection is implemented by both implementations")]
    EmptyScope,
    /// The sound subject diverges, so divergences of mutants prove nothing.
    #[error("the subject without a fault diverges as well, as in `{0}`")]
    Unsound(String),
}

/// A mutant that no check has caught yet.
struct LiveMutant {
    place: usize,
    subject: Box<dyn Subject>,
    own: Duration,
}

impl SubjectGroup<'_> {
    /// Tests mutants until the contracts have caught all of them, the cases are used up or `stop`
    /// is set.
    ///
    /// # Errors
    ///
    /// [`GroupError`] if the scope is empty, the sound subject or the oracle fails, or the sound
    /// subject diverges.
    pub fn run(&self, mutants: Vec<Box<dyn Subject>>) -> Result<Vec<MutantOutcome>, GroupError> {
        if self.scope.is_empty() {
            return Err(GroupError::EmptyScope);
        }
        let mut outcomes = vec![MutantOutcome::default(); mutants.len()];
        let mutant = |(place, subject)| LiveMutant { place, subject, own: Duration::ZERO };
        let mut live: Vec<LiveMutant> = mutants.into_iter().enumerate().map(mutant).collect();
        let mut batch = SharedBatch::new(&self.setup);
        let (mut index, mut first) = (0, 0);
        while first < self.cases && !live.is_empty() && !self.stop.load(Ordering::Relaxed) {
            let lanes = if index < SMALL.0 { SMALL.1 } else { LANES };
            self.draw(&mut batch, index, lanes)?;
            for mutant in &mut live {
                let outcome = &mut outcomes[mutant.place];
                batch.test(mutant, first, outcome)?;
                outcome.cases = first + lanes as u64;
            }
            live.retain(|mutant| outcomes[mutant.place].contract.is_none());
            index += 1;
            first += lanes as u64;
        }
        Ok(outcomes)
    }

    fn draw(&self, shared: &mut SharedBatch<'_>, index: u64, lanes: usize) -> Result<(), GroupError> {
        let started = Instant::now();
        let (bytes, batch, numbers) = (&mut shared.bytes, &mut shared.batch, self.setup.numbers);
        let pick = |u: &mut Unstructured<'_>| self.scope.instruction(u);
        let drawn = generate::from_stream((self.seed, index), numbers, lanes, bytes, batch, pick);
        let instruction = drawn.map_err(|error| generate::undrawn(index, error))?;
        shared.begin(instruction)?;
        shared.shared_time += started.elapsed();
        Ok(())
    }
}

/// The state that the mutants share: the current batch, the sound subject's effects, and the truth
/// if it is known.
struct SharedBatch<'a> {
    setup: &'a Setup<'a>,
    sound: Box<dyn Subject>,
    oracle: Box<dyn Oracle>,
    reference: SubjectAsOracle,
    bytes: Vec<u8>,
    batch: Batch,
    instruction: Instruction,
    contract: Contract,
    /// The effects of the sound subject.
    expected: Effects,
    /// The effects of the sound subject in the form of a truth. `None` until this form is needed.
    bits: Option<Truths>,
    /// Whether the oracle implements the instruction. `None` until the oracle has run. `truths` has
    /// the oracle's results.
    answer: Option<Answer>,
    truths: Truths,
    effects: Effects,
    verdicts: Verdicts,
    /// Time spent on work that all mutants share.
    shared_time: Duration,
}

impl<'a> SharedBatch<'a> {
    fn new(setup: &'a Setup<'a>) -> SharedBatch<'a> {
        SharedBatch {
            setup,
            sound: (setup.subject)(),
            oracle: (setup.oracle)(),
            reference: SubjectAsOracle::new((setup.subject)()),
            bytes: Vec::new(),
            batch: Batch::default(),
            instruction: Instruction::new(&catalog().forms[0]),
            contract: Contract::BitExact,
            expected: Effects::default(),
            bits: None,
            answer: None,
            truths: Truths::default(),
            effects: Effects::default(),
            verdicts: Verdicts::default(),
            shared_time: Duration::ZERO,
        }
    }

    /// Starts the test of a batch that was just drawn.
    fn begin(&mut self, instruction: Instruction) -> Result<(), BackendError> {
        self.contract = self.setup.profile.contract_for(&instruction);
        self.instruction = instruction;
        (self.bits, self.answer) = (None, None);
        self.sound.execute(&self.batch, &mut self.expected)?;
        Ok(())
    }

    /// Runs a mutant on the batch, and records what catches it. `first` is the number of the first
    /// lane's case.
    fn test(
        &mut self,
        mutant: &mut LiveMutant,
        first: u64,
        outcome: &mut MutantOutcome,
    ) -> Result<(), GroupError> {
        let started = Instant::now();
        let shared_before = self.shared_time;
        let (contract, bits) = match self.compare(mutant) {
            Comparison::Same => (None, None),
            Comparison::Caught(check) => (Some((0, check)), Some((0, check))),
            Comparison::Other => (self.by_contract()?, self.by_bits()?),
        };
        // The oracle's time counts as shared time.
        mutant.own += started.elapsed() - (self.shared_time - shared_before);
        let seconds = (self.shared_time + mutant.own).as_secs_f64();
        let detection =
            |(lane, check): Caught| Detection { check: check.name(), case: first + lane as u64, seconds };
        outcome.contract = outcome.contract.or(contract.map(detection));
        outcome.bits = outcome.bits.or(bits.map(detection));
        Ok(())
    }

    fn compare(&mut self, mutant: &mut LiveMutant) -> Comparison {
        let executed = assay_fpenv::checked(|| mutant.subject.execute(&self.batch, &mut self.effects));
        let Ok(answer) = executed else { return Comparison::Caught(Check::Environment) };
        let shaped = || check_shape(mutant.subject.name(), &self.effects, &self.batch).is_ok();
        match answer {
            Err(BackendError::Decode(_)) => Comparison::Caught(Check::Refused),
            Ok(Answer::Unsupported) => Comparison::Caught(Check::Unanswered),
            Ok(Answer::Known) if same(&self.effects, &self.expected) => Comparison::Same,
            Ok(Answer::Known) if shaped() => Comparison::Other,
            Err(_) | Ok(Answer::Known) => Comparison::Caught(Check::Failed),
        }
    }

    /// Judges the current effects by the oracle and the contract.
    fn by_contract(&mut self) -> Result<Option<Caught>, GroupError> {
        let SharedBatch { instruction, batch, contract, verdicts, truths, .. } = self;
        if self.answer.is_none() {
            let started = Instant::now();
            let answer = self.oracle.truth(instruction, batch, PRECISION, truths)?;
            let known = answer == Answer::Known;
            if known && diverged(contract, instruction, truths, &self.expected, verdicts).is_some() {
                return Err(GroupError::Unsound(asm::print(instruction)));
            }
            self.answer = Some(answer);
            self.shared_time += started.elapsed();
        }
        Ok(match self.answer {
            Some(Answer::Known) => diverged(contract, instruction, truths, &self.effects, verdicts),
            _ => None,
        })
    }

    /// Judges the current effects by the bits of the sound subject.
    fn by_bits(&mut self) -> Result<Option<Caught>, GroupError> {
        let SharedBatch { instruction, batch, verdicts, .. } = self;
        let truths = match &mut self.bits {
            Some(truths) => truths,
            none => {
                let started = Instant::now();
                let truths = none.insert(Truths::default());
                self.reference.truth(instruction, batch, PRECISION, truths)?;
                self.shared_time += started.elapsed();
                truths
            }
        };
        Ok(diverged(&Contract::BitExact, instruction, truths, &self.effects, verdicts))
    }
}

/// The lane that caught a mutant, and the check.
type Caught = (usize, Check);

/// Returns the first lane that diverges, and the check.
fn diverged(
    contract: &Contract,
    instruction: &Instruction,
    truths: &Truths,
    effects: &Effects,
    verdicts: &mut Verdicts,
) -> Option<Caught> {
    judge(contract, instruction, truths, effects, verdicts);
    verdicts.diverged.first().map(|(lane, divergence)| (*lane, Check::Judged(divergence.kind)))
}

/// The result of comparing a mutant's effects with the sound subject's.
enum Comparison {
    /// The effects equal the sound subject's.
    Same,
    /// The effects differ, and must be judged.
    Other,
    /// The mutant was caught before its effects could be judged.
    Caught(Check),
}

/// Whether the records of two effects are equal. Two records that differ may still describe the
/// same effects.
fn same(one: &Effects, other: &Effects) -> bool {
    one.columns() == other.columns() && one.events() == other.events() && one.undefined() == other.undefined()
}
