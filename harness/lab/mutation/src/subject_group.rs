//! Mutants of a subject that show in the same instructions: which check catches each, and how soon.
//!
//! The mutants of a group execute the batches that a campaign would send, and share the work on each. A batch is drawn once,
//! and the sound subject executes it once. The oracle is asked once, when the first mutant differs from the sound subject.
//! What becomes of a mutant depends on the seed alone, not on its group or on the number of threads.

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

/// Batches at the beginning that are small, because most mutants show at once; and how many lanes they have.
const SMALL: (u64, usize) = (512, 32);

/// What the mutants of a group are tested with.
pub struct SubjectGroup<'a> {
    /// The sound subject, and the oracle that holds it to the profile.
    pub setup: Setup<'a>,
    /// The generated instructions and operands.
    pub scope: &'a Scope,
    /// Seed of the generator.
    pub seed: u64,
    /// Cases spent at most.
    pub cases: u64,
    /// Set from elsewhere to end after the current batch.
    pub stop: &'a AtomicBool,
}

/// What caught a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// The judge, for this.
    Judged(DivergenceKind),
    /// It called a legal word illegal.
    Refused,
    /// It failed, or answered for other lanes than it was asked about.
    Failed,
    /// It answered "not implemented" for a case that the sound subject implements.
    Unanswered,
    /// It left another floating-point environment behind.
    Environment,
}

impl Check {
    /// Its name in reports.
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
    /// An implementation that has no fault failed.
    #[error("an implementation failed: {0}")]
    Backend(#[from] BackendError),
    /// There is nothing to generate.
    #[error("no instruction of the selection is implemented by both implementations")]
    EmptyScope,
    /// The sound subject diverges, so that divergences tell nothing of faults.
    #[error("the subject without a fault diverges as well, as in `{0}`")]
    Unsound(String),
}

/// A mutant that nothing has caught yet.
struct LiveMutant {
    place: usize,
    subject: Box<dyn Subject>,
    own: Duration,
}

impl SubjectGroup<'_> {
    /// Tests mutants until all are caught, the cases are spent or `stop` is set.
    ///
    /// # Errors
    ///
    /// [`GroupError`] if the sound subject or the oracle fails, or diverges.
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

/// The shared state of mutants: the current batch, the sound subject's effects, and the truth as far as it is known.
struct SharedBatch<'a> {
    setup: &'a Setup<'a>,
    sound: Box<dyn Subject>,
    oracle: Box<dyn Oracle>,
    reference: SubjectAsOracle,
    bytes: Vec<u8>,
    batch: Batch,
    instruction: Instruction,
    contract: Contract,
    /// What the sound subject does.
    expected: Effects,
    /// The same as a truth, after it was needed once.
    bits: Option<Truths>,
    /// Whether the oracle knows the truth, after it was asked, and the truth.
    answer: Option<Answer>,
    truths: Truths,
    effects: Effects,
    verdicts: Verdicts,
    /// Time spent on what all mutants share.
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

    /// Begins with a batch that was just drawn.
    fn begin(&mut self, instruction: Instruction) -> Result<(), BackendError> {
        self.contract = self.setup.profile.contract_for(&instruction);
        self.instruction = instruction;
        (self.bits, self.answer) = (None, None);
        self.sound.execute(&self.batch, &mut self.expected)?;
        Ok(())
    }

    /// Has a mutant execute the batch, and notes what catches it. `first` is the case of the first lane.
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
        // The oracle's time in between is shared.
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

    /// The verdict of the oracle and the contract on the current effects.
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

    /// The verdict of the sound subject on them.
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

/// The lane that caught a mutant, and why.
type Caught = (usize, Check);

/// The first lane that diverges.
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

/// The effects of a mutant compared with the sound ones.
enum Comparison {
    /// The same as the sound subject.
    Same,
    /// Others, which have to be judged.
    Other,
    /// Nothing that could be judged.
    Caught(Check),
}

/// Whether two effects are recorded alike. Those that are not may still mean the same.
fn same(one: &Effects, other: &Effects) -> bool {
    one.columns() == other.columns() && one.events() == other.events() && one.undefined() == other.undefined()
}
