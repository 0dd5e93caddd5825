//! The hunt for planted faults: which check catches each mutant of a subject, and how soon.
//!
//! Mutants that can show in the same instructions are hunted together. They execute the batches that a campaign would
//! send, and share the work on each: it is drawn once, executed by the sound subject once, and the oracle is asked once,
//! when the first mutant does something else than the sound subject. What becomes of a mutant depends on the seed alone,
//! not on who is hunted beside it or on how many threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arbitrary::Unstructured;
use assay_isa::{Answer, Batch, Effects, Instruction, Oracle, Subject, Truths, VoiceError, asm, catalog};
use assay_vectors::Contract;

use crate::compare::judge::{Kind, Verdicts, judge};
use crate::compare::versus::{PRECISION, Parties, SubjectAsOracle, check_shape};
use crate::generate::{self, LANES, Scope};

/// Batches at the beginning that are small, for most mutants show at once; and how many lanes they have.
const SMALL: (u64, usize) = (512, 32);

/// What is hunted, and where.
pub struct Hunt<'a> {
    /// The sound subject, and the oracle that holds it to the profile.
    pub parties: Parties<'a>,
    /// What is generated.
    pub scope: &'a Scope,
    /// Seed of the generator.
    pub seed: u64,
    /// Cases spent at most.
    pub cases: u64,
    /// Set from elsewhere to end after the batch at hand.
    pub stop: &'a AtomicBool,
}

/// What caught a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// The judge, for this.
    Judged(Kind),
    /// It called a legal word illegal.
    Refused,
    /// It failed, or answered for other lanes than it was asked about.
    Failed,
    /// It said that it does not implement what the sound subject does.
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

/// How a mutant was caught.
#[derive(Clone, Copy, Debug)]
pub struct Kill {
    /// By what.
    pub check: Check,
    /// The first case that shows it.
    pub case: u64,
    /// Seconds until then, as if it had been hunted alone: the work that is shared and its own.
    pub seconds: f64,
}

/// What is known of a mutant at the end of a hunt.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trail {
    /// Caught by the oracle and the contracts of the profile.
    pub contract: Option<Kill>,
    /// Caught as different from the sound subject, in any bit.
    pub bits: Option<Kill>,
    /// Cases that it executed.
    pub cases: u64,
    /// Seconds that were spent on it.
    pub seconds: f64,
}

/// Why a hunt could not go on.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// A voice that has no fault failed.
    #[error("a voice failed: {0}")]
    Voice(#[from] VoiceError),
    /// There is nothing to generate.
    #[error("no instruction of the selection is implemented by both voices")]
    EmptyScope,
    /// The sound subject diverges, so that divergences tell nothing of faults.
    #[error("the subject without a fault diverges as well, as in `{0}`")]
    Unsound(String),
}

/// A mutant that is still at large.
struct Suspect {
    place: usize,
    subject: Box<dyn Subject>,
    own: Duration,
}

impl Hunt<'_> {
    /// Hunts mutants until all are caught, the cases are spent or the user stops.
    pub fn run(&self, mutants: Vec<Box<dyn Subject>>) -> Result<Vec<Trail>, HuntError> {
        if self.scope.is_empty() {
            return Err(HuntError::EmptyScope);
        }
        let mut trails = vec![Trail::default(); mutants.len()];
        let suspect = |(place, subject)| Suspect { place, subject, own: Duration::ZERO };
        let mut suspects: Vec<Suspect> = mutants.into_iter().enumerate().map(suspect).collect();
        let mut ground = Ground::new(&self.parties);
        let (mut index, mut first) = (0, 0);
        while first < self.cases && !suspects.is_empty() && !self.stop.load(Ordering::Relaxed) {
            let lanes = if index < SMALL.0 { SMALL.1 } else { LANES };
            self.draw(&mut ground, index, lanes)?;
            for suspect in &mut suspects {
                let trail = &mut trails[suspect.place];
                ground.meet(suspect, first, trail)?;
                trail.cases = first + lanes as u64;
                trail.seconds = (ground.shared + suspect.own).as_secs_f64();
            }
            suspects.retain(|suspect| trails[suspect.place].contract.is_none());
            index += 1;
            first += lanes as u64;
        }
        Ok(trails)
    }

    fn draw(&self, ground: &mut Ground<'_>, index: u64, lanes: usize) -> Result<(), HuntError> {
        let started = Instant::now();
        let (bytes, batch, numbers) = (&mut ground.bytes, &mut ground.batch, self.parties.numbers);
        let pick = |u: &mut Unstructured<'_>| self.scope.instruction(u);
        let drawn = generate::from_stream((self.seed, index), numbers, lanes, bytes, batch, pick);
        let instruction = drawn.map_err(|error| generate::undrawn(index, error))?;
        ground.begin(instruction)?;
        ground.shared += started.elapsed();
        Ok(())
    }
}

/// What mutants share: the batch at hand, what the sound subject does with it, and what is known about it.
struct Ground<'a> {
    parties: &'a Parties<'a>,
    sound: Box<dyn Subject>,
    oracle: Box<dyn Oracle>,
    reference: SubjectAsOracle,
    bytes: Vec<u8>,
    batch: Batch,
    instruction: Instruction,
    contract: Contract,
    /// What the sound subject does.
    expected: Effects,
    /// The same as a truth, once that was asked for.
    bits: Option<Truths>,
    /// Whether the oracle knows the truth, once it was asked, and what it is.
    answer: Option<Answer>,
    truths: Truths,
    effects: Effects,
    verdicts: Verdicts,
    shared: Duration,
}

impl<'a> Ground<'a> {
    fn new(parties: &'a Parties<'a>) -> Ground<'a> {
        Ground {
            parties,
            sound: (parties.subject)(),
            oracle: (parties.oracle)(),
            reference: SubjectAsOracle::new((parties.subject)()),
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
            shared: Duration::ZERO,
        }
    }

    /// Begins with a batch that was just drawn.
    fn begin(&mut self, instruction: Instruction) -> Result<(), VoiceError> {
        self.contract = self.parties.profile.contract_for(&instruction);
        self.instruction = instruction;
        (self.bits, self.answer) = (None, None);
        self.sound.execute(&self.batch, &mut self.expected)?;
        Ok(())
    }

    /// Has a mutant execute the batch, and writes down what catches it. `first` is the case of the first lane.
    fn meet(&mut self, suspect: &mut Suspect, first: u64, trail: &mut Trail) -> Result<(), HuntError> {
        let started = Instant::now();
        let shared = self.shared;
        let (contract, bits) = match self.outcome(suspect) {
            Met::Same => (None, None),
            Met::Caught(check) => (Some((0, check)), Some((0, check))),
            Met::Other => (self.by_contract()?, self.by_bits()?),
        };
        // What was asked of the oracle meanwhile is shared.
        suspect.own += started.elapsed() - (self.shared - shared);
        let seconds = (self.shared + suspect.own).as_secs_f64();
        let kill = |(lane, check)| Kill { check, case: first + lane as u64, seconds };
        trail.contract = trail.contract.or(contract.map(kill));
        trail.bits = trail.bits.or(bits.map(kill));
        Ok(())
    }

    fn outcome(&mut self, suspect: &mut Suspect) -> Met {
        let executed = assay_fpenv::checked(|| suspect.subject.execute(&self.batch, &mut self.effects));
        let Ok(answer) = executed else { return Met::Caught(Check::Environment) };
        let shaped = || check_shape(suspect.subject.name(), &self.effects, &self.batch).is_ok();
        match answer {
            Err(VoiceError::Decode(_)) => Met::Caught(Check::Refused),
            Ok(Answer::Unsupported) => Met::Caught(Check::Unanswered),
            Ok(Answer::Known) if same(&self.effects, &self.expected) => Met::Same,
            Ok(Answer::Known) if shaped() => Met::Other,
            Err(_) | Ok(Answer::Known) => Met::Caught(Check::Failed),
        }
    }

    /// What the oracle and the contract say to the effects at hand.
    fn by_contract(&mut self) -> Result<Option<Caught>, HuntError> {
        let Ground { instruction, batch, contract, verdicts, truths, .. } = self;
        if self.answer.is_none() {
            let started = Instant::now();
            let answer = self.oracle.truth(instruction, batch, PRECISION, truths)?;
            let known = answer == Answer::Known;
            if known && diverged(contract, instruction, truths, &self.expected, verdicts).is_some() {
                return Err(HuntError::Unsound(asm::print(instruction)));
            }
            self.answer = Some(answer);
            self.shared += started.elapsed();
        }
        Ok(match self.answer {
            Some(Answer::Known) => diverged(contract, instruction, truths, &self.effects, verdicts),
            _ => None,
        })
    }

    /// What the sound subject says to them.
    fn by_bits(&mut self) -> Result<Option<Caught>, HuntError> {
        let Ground { instruction, batch, verdicts, .. } = self;
        let truths = match &mut self.bits {
            Some(truths) => truths,
            none => {
                let started = Instant::now();
                let truths = none.insert(Truths::default());
                self.reference.truth(instruction, batch, PRECISION, truths)?;
                self.shared += started.elapsed();
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

/// What a mutant did with a batch.
enum Met {
    /// The same as the sound subject.
    Same,
    /// Something else, which has to be judged.
    Other,
    /// Nothing that could be judged.
    Caught(Check),
}

/// Whether two effects are recorded alike. Those that are not may still mean the same.
fn same(one: &Effects, other: &Effects) -> bool {
    one.columns() == other.columns() && one.events() == other.events() && one.undefined() == other.undefined()
}
