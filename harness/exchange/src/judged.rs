//! Answers judged in batches, and the outcome of all of them.

use assay_engine::compare::comparator::{BatchOutcome, Comparator, Setup};
use assay_engine::compare::judge::allowed::Expectation;
use assay_engine::compare::judge::{Divergence, Verdict};
use assay_engine::generate::LANES;
use assay_engine::stats::judged::{Demands, JudgedShare};
use assay_engine::stats::tally::{Counts, Tally};
use assay_engine::triage::explain::settings::{SettingsThatExplain, settings_that_explain_recorded};
use assay_engine::triage::probe::Probe;
use assay_engine::triage::readings::Oracles;
use assay_isa::{BackendError, Batch, Effects, Location, asm};
use assay_runner::RunError;
use assay_vectors::{Actual, Contract, Profile, gather};
use rayon::prelude::*;

use crate::dialect::{Answer, Dialect, Line};
use crate::digest::CasesDigest;
use crate::head::Head;
use crate::lines::{Block, text};

/// The outcome of a stream.
pub struct JudgedStream {
    /// What its answers are counted by.
    pub unit: &'static str,
    limit: usize,
    /// The counts.
    pub tally: Tally,
    /// Cases that were promised: by the command line, or by all heads together.
    pub promised: Option<u64>,
    is_fixed: bool,
    /// The digest of the cases that were answered.
    pub digest: CasesDigest,
    /// The digest that they must have: from the command line, or of all heads together. `None` if it is unknown.
    pub expected_digest: Option<CasesDigest>,
    is_digest_fixed: bool,
    heads: u64,
    /// How much of each form must be judged.
    pub demands: Option<Demands>,
    /// Lines that could not be read.
    pub unreadable: u64,
    /// The first of them, by what is wrong with them.
    pub problems: Vec<UnreadableLines>,
    /// The first divergences.
    pub wrong: Vec<DivergedAnswer>,
    /// The first divergences of each function, with others of the same instruction, and how many they stand for.
    probes: Vec<(Probe, u64)>,
    /// Settings of readings under which most divergences would vanish, if there are such.
    pub otherwise: Option<SettingsThatExplain>,
    /// Name of the profile in force.
    pub profile: String,
    /// How long it took.
    pub seconds: f64,
    /// Whether the user ended it.
    pub interrupted: bool,
    /// Whether the command line allows that the digest of the cases is unknown.
    pub allows_incomplete: bool,
}

/// Lines that could not be read for one reason.
#[derive(Debug, PartialEq, Eq)]
pub struct UnreadableLines {
    /// What is wrong with them.
    pub error: String,
    /// Number of these lines.
    pub count: u64,
    /// The numbers of the first of them.
    pub first: Vec<u64>,
}

/// An answer that diverged.
pub struct DivergedAnswer {
    /// The number of its line or case.
    pub number: u64,
    /// The instruction.
    pub asm: String,
    /// Its inputs.
    pub inputs: Vec<(Location, u32)>,
    /// What the device did.
    pub actual: Actual,
    /// Its expectation.
    pub expected: Expectation,
    /// How it differs.
    pub divergence: Divergence,
}

impl JudgedStream {
    /// An empty result; `promised` and `digest` are the number of cases and their digest on the command line.
    pub fn new(
        unit: &'static str,
        limit: usize,
        (promised, digest): (Option<u64>, Option<CasesDigest>),
        profile: &str,
    ) -> JudgedStream {
        JudgedStream {
            unit,
            limit,
            tally: Tally::default(),
            promised,
            is_fixed: promised.is_some(),
            digest: CasesDigest::default(),
            expected_digest: digest,
            is_digest_fixed: digest.is_some(),
            heads: 0,
            demands: None,
            unreadable: 0,
            problems: Vec::new(),
            wrong: Vec::new(),
            probes: Vec::new(),
            otherwise: None,
            profile: profile.to_owned(),
            seconds: 0.0,
            interrupted: false,
            allows_incomplete: false,
        }
    }

    /// Adds the cases that a head promises, and their digest; those of several streams add up. If one head has no digest,
    /// that of all is unknown.
    pub fn promise(&mut self, head: &Head) {
        if !self.is_fixed {
            self.promised = Some(self.promised.unwrap_or(0).saturating_add(head.cases));
        }
        if !self.is_digest_fixed {
            let before = if self.heads == 0 { Some(CasesDigest::default()) } else { self.expected_digest };
            self.expected_digest = before.zip(head.digest).map(|(mut sum, digest)| {
                sum.merge(digest);
                sum
            });
        }
        self.heads += 1;
    }

    /// How much of each form was judged.
    pub fn shares(&self) -> Vec<JudgedShare> {
        self.demands.iter().flat_map(|demands| demands.check(&self.tally)).collect()
    }

    /// Whether the cases that were answered are not those that were generated.
    pub fn has_other_cases(&self) -> bool {
        self.expected_digest.is_some_and(|expected| expected != self.digest)
    }

    /// Keeps a probe, unless the function has enough of them.
    fn keep(&mut self, probe: (Probe, u64)) {
        let function = probe.0.instruction.function();
        let known = self.probes.iter().filter(|(other, _)| other.instruction.function() == function).count();
        if known < PROBES_OF_FUNCTION && self.probes.len() < PROBES {
            self.probes.push(probe);
        }
    }

    /// Looks for settings of readings under which most of the divergences would vanish.
    pub(crate) fn explain(&mut self, profile: &Profile, oracles: Oracles<'_>) -> Result<(), RunError> {
        let probes = std::mem::take(&mut self.probes);
        if !probes.is_empty() {
            self.otherwise = settings_that_explain_recorded(profile, oracles, probes)?;
        }
        Ok(())
    }

    /// Adds the results of a batch, which follows all that were added before.
    fn add(&mut self, part: BatchAnswers) {
        self.tally.merge(part.tally);
        self.digest.merge(part.digest);
        part.problems.into_iter().for_each(|(number, problem)| self.unreadable(number, problem));
        part.probes.into_iter().for_each(|probe| self.keep(probe));
        let room = self.limit - self.wrong.len();
        self.wrong.extend(part.wrong.into_iter().take(room));
    }

    /// A line that could not be read.
    pub(crate) fn unreadable(&mut self, number: u64, problem: String) {
        self.unreadable += 1;
        let is_kept = self.problems.iter().map(|lines| lines.first.len()).sum::<usize>() < self.limit;
        let place = self.problems.iter().position(|lines| lines.error == problem);
        let lines = match place {
            Some(place) => &mut self.problems[place],
            None if is_kept => {
                self.problems.push(UnreadableLines { error: problem, count: 0, first: Vec::new() });
                self.problems.last_mut().expect("it was just pushed")
            }
            None => return,
        };
        lines.count += 1;
        lines.first.extend(is_kept.then_some(number));
    }
}

/// The results of a batch of answers.
#[derive(Default)]
struct BatchAnswers {
    tally: Tally,
    digest: CasesDigest,
    wrong: Vec<DivergedAnswer>,
    problems: Vec<(u64, String)>,
    probes: Vec<(Probe, u64)>,
}

/// Probes that are kept of a function, and of all.
const PROBES_OF_FUNCTION: usize = 8;
const PROBES: usize = 200;
/// Lanes of a probe that diverge, and those that hold.
const PROBE_LANES: [usize; 2] = [16, 32];

/// What a thread keeps from batch to batch.
type JudgeWorker = (Comparator, Batch, Effects);

fn worker(setup: &Setup<'_>) -> JudgeWorker {
    (Comparator::new(setup), Batch::default(), Effects::default())
}

/// Whether two answers can be lanes of one batch.
fn is_alike((_, a): &(u64, Answer), (_, b): &(u64, Answer)) -> bool {
    let unsupported = |answer: &Answer| answer.actual == Actual::Unsupported;
    a.batch.word() == b.batch.word()
        && a.batch.locations() == b.batch.locations()
        && unsupported(a) == unsupported(b)
}

/// Judges answers on all threads and adds them up in their order.
pub fn judge(
    setup: &Setup<'_>,
    answers: Vec<(u64, Answer)>,
    judged: &mut JudgedStream,
) -> Result<(), RunError> {
    let batches: Vec<&[(u64, Answer)]> =
        answers.chunk_by(is_alike).flat_map(|alike| alike.chunks(LANES)).collect();
    let limit = judged.limit;
    let part = |(comparator, batch, effects): &mut JudgeWorker, answers: &&[(u64, Answer)]| {
        let mut part = BatchAnswers::default();
        AnswerJudge { setup, comparator, batch, effects, limit }.judge(answers, &mut part)?;
        Ok::<_, BackendError>(part)
    };
    let parts = batches.par_iter().map_init(|| worker(setup), part).collect::<Result<Vec<_>, _>>()?;
    parts.into_iter().for_each(|part| judged.add(part));
    Ok(())
}

/// Judges the lines of a dialect that has one instruction, on all threads, and adds them up in their order.
pub fn judge_lines(
    setup: &Setup<'_>,
    dialect: &dyn Dialect,
    block: &Block,
    judged: &mut JudgedStream,
) -> Result<(), RunError> {
    let limit = judged.limit;
    let part = |(comparator, batch, effects): &mut JudgeWorker, (nth, lines): (usize, &[&[u8]])| {
        let mut part = BatchAnswers::default();
        let mut judge = AnswerJudge { setup, comparator, batch, effects, limit };
        if !judge.judge_columns(dialect, lines, &mut part)? {
            judge.judge_each(dialect, block.first + (nth * LANES) as u64, lines, &mut part)?;
        }
        Ok::<_, BackendError>(part)
    };
    let lines = block.lines();
    let parts = lines
        .par_chunks(LANES)
        .enumerate()
        .map_init(|| worker(setup), part)
        .collect::<Result<Vec<_>, _>>()?;
    parts.into_iter().for_each(|part| judged.add(part));
    Ok(())
}

/// A comparator on which answers meet the oracle.
struct AnswerJudge<'a> {
    setup: &'a Setup<'a>,
    comparator: &'a mut Comparator,
    batch: &'a mut Batch,
    effects: &'a mut Effects,
    limit: usize,
}

impl AnswerJudge<'_> {
    /// Reads and judges lines side by side. `false` if one has an unusual shape, or an answer diverges: then nothing is
    /// counted.
    fn judge_columns(
        &mut self,
        dialect: &dyn Dialect,
        lines: &[&[u8]],
        part: &mut BatchAnswers,
    ) -> Result<bool, BackendError> {
        let AnswerJudge { setup, comparator, batch, effects, .. } = self;
        let Some(instruction) = dialect.instruction() else { return Ok(false) };
        if !dialect.read_columns(lines, batch, effects) {
            return Ok(false);
        }
        let contract = setup.profile.contract_for(instruction);
        let outcome = comparator.judge_recorded(&contract, instruction, batch, effects)?;
        let is_sound = outcome == BatchOutcome::Judged && comparator.verdicts.diverged.is_empty();
        if is_sound {
            // No lane is kept as an example, so no number is asked for.
            part.tally.count_judged(instruction, &contract, comparator, (batch, effects), |lane| lane as u64);
            part.digest.add(instruction, batch);
        }
        Ok(is_sound)
    }

    /// Reads lines one by one from a number on, and judges their answers.
    fn judge_each(
        &mut self,
        dialect: &dyn Dialect,
        first: u64,
        lines: &[&[u8]],
        part: &mut BatchAnswers,
    ) -> Result<(), BackendError> {
        let mut answers = Vec::new();
        for (number, line) in (first..).zip(lines) {
            match text(line).and_then(|line| dialect.read(line)) {
                // A form that is read side by side has no heads.
                Ok(Line::Nothing | Line::Head(_)) => {}
                Ok(Line::Answer(answer)) => answers.push((number, *answer)),
                Err(problem) => part.problems.push((number, problem)),
            }
        }
        answers.chunk_by(is_alike).try_for_each(|alike| self.judge(alike, part))
    }

    /// Judges answers of one instruction that give values to the same places.
    fn judge(&mut self, answers: &[(u64, Answer)], part: &mut BatchAnswers) -> Result<(), BackendError> {
        let Some((_, first)) = answers.first() else { return Ok(()) };
        let lanes = answers.len();
        if first.actual == Actual::Unsupported {
            // No stream declares what its device supports.
            let counts = Counts { undeclared: lanes as u64, ..Counts::default() };
            part.tally.count(&first.instruction, counts);
            answers.iter().for_each(|(_, answer)| part.digest.add(&answer.instruction, &answer.batch));
            return Ok(());
        }
        self.fill(&answers.iter().map(|(_, answer)| answer).collect::<Vec<_>>());
        let contract = self.setup.profile.contract_for(&first.instruction);
        match self.comparator.judge_recorded(&contract, &first.instruction, self.batch, self.effects) {
            Ok(outcome) => {
                part.digest.add(&first.instruction, self.batch);
                if let Some(counts) = outcome.unjudged(lanes as u64) {
                    part.tally.count(&first.instruction, counts);
                    return Ok(());
                }
            }
            // A value leads to a place that the case does not give: find out which case that is.
            Err(BackendError::MissingLocation(place)) if lanes == 1 => {
                let problem = format!("`inputs` lacks {place}, which one of its values leads to");
                part.problems.push((answers[0].0, problem));
                return Ok(());
            }
            Err(BackendError::MissingLocation(_)) => {
                return answers.chunks(lanes.div_ceil(2)).try_for_each(|half| self.judge(half, part));
            }
            Err(error) => return Err(error),
        }
        let number = |lane: usize| answers[lane].0;
        part.tally.count_judged(
            &first.instruction,
            &contract,
            self.comparator,
            (self.batch, self.effects),
            number,
        );
        let room = self.limit.saturating_sub(part.wrong.len());
        for (lane, _) in self.comparator.verdicts.diverged.iter().take(room) {
            let (number, answer) = &answers[*lane];
            let Verdict::Diverged(divergence) = self.comparator.verdicts.of(*lane) else { continue };
            part.wrong.push(DivergedAnswer {
                number: *number,
                asm: asm::print(&answer.instruction),
                inputs: self.batch.lane(*lane).collect(),
                actual: answer.actual.clone(),
                expected: Expectation::of(&contract, self.comparator.truths(), *lane),
                divergence,
            });
        }
        let diverged: Vec<usize> = self.comparator.verdicts.diverged.iter().map(|(lane, _)| *lane).collect();
        if !diverged.is_empty() && part.probes.len() < PROBES_OF_FUNCTION {
            part.probes.extend(self.probe(&contract, answers, &diverged)?);
        }
        Ok(())
    }

    /// Some answers that diverge and some that hold, judged on their own.
    fn probe(
        &mut self,
        contract: &Contract,
        answers: &[(u64, Answer)],
        diverged: &[usize],
    ) -> Result<Option<(Probe, u64)>, BackendError> {
        let holding = (0..answers.len()).filter(|lane| diverged.binary_search(lane).is_err());
        let lanes = diverged.iter().copied().take(PROBE_LANES[0]).chain(holding.take(PROBE_LANES[1]));
        let some: Vec<&Answer> = lanes.map(|lane| &answers[lane].1).collect();
        let Some(instruction) = some.first().map(|answer| answer.instruction.clone()) else {
            return Ok(None);
        };
        self.fill(&some);
        self.comparator.judge_recorded(contract, &instruction, self.batch, self.effects)?;
        let verdicts = (0..some.len()).map(|lane| self.comparator.verdicts.of(lane)).collect();
        let (batch, effects, truths) =
            (self.batch.clone(), self.effects.clone(), self.comparator.truths().clone());
        Ok(Some((Probe { instruction, batch, effects, truths, verdicts }, diverged.len() as u64)))
    }

    /// Makes one batch and one effect of answers.
    fn fill(&mut self, answers: &[&Answer]) {
        let first = &answers[0].batch;
        self.batch.reset(first.word(), first.locations(), answers.len());
        for place in 0..first.locations().len() {
            let values = answers.iter().map(|answer| answer.batch.column(first.locations()[place]));
            for (value, column) in self.batch.column_mut(place).iter_mut().zip(values) {
                *value = column.map_or(0, |column| column[0]);
            }
        }
        gather(answers.iter().map(|answer| &answer.actual), self.effects);
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::EncodingTable;
    use assay_runner::Context;
    use assay_runner::reporter::Silent;
    use assay_runner::subjects::SubjectName;

    use super::*;
    use crate::dialect::Posed;
    use crate::forms::Form;

    /// A dialect whose lines are read one by one.
    struct OneByOne<'a>(&'a dyn Dialect);

    impl Dialect for OneByOne<'_> {
        fn head(&self, head: &Head) -> String {
            self.0.head(head)
        }

        fn write(&self, case: &Posed<'_>, text: &mut String) -> Result<(), RunError> {
            self.0.write(case, text)
        }

        fn read(&self, line: &str) -> Result<Line, String> {
            self.0.read(line)
        }
    }

    /// Answers, few of which are right.
    fn lines(columns: usize) -> String {
        let line = |n: u32| {
            let cell =
                |place: usize| format!("{:08X}", n.wrapping_mul(0x9e37_79b1).rotate_left(7 * place as u32));
            (0..columns).map(cell).collect::<Vec<_>>().join(" ") + " 00\n"
        };
        (0..20_000).map(line).collect()
    }

    /// What a device may make of a line. With an F that is a G, a reader that checks no digit would find the same number.
    const ODDITIES: [fn(&str) -> String; 12] = [
        |line| line.to_owned(),
        |line| line.replacen(' ', "  ", 1),
        |line| line[9..].to_owned(),
        |line| line.to_lowercase(),
        |line| line[..line.len() - 11].to_owned() + "- 00",
        |_| "no case".to_owned(),
        |line| line.replacen('F', "G", 1),
        |line| line[..line.len() - 2].to_owned() + "0x",
        |line| line.to_owned() + "\r",
        |_| String::new(),
        |line| line[..line.len() - 3].to_owned(),
        |line| line.replacen(' ', "0", 1),
    ];

    #[test]
    fn lines_side_by_side_and_one_by_one_are_judged_alike() {
        let numbers = EncodingTable::provisional().clone();
        let context = Context::new(None, &[], numbers, &Silent).expect("a context");
        let setup = context.setup(&SubjectName::MODEL, None);
        for (instruction, columns) in
            [("FADD R0, R1, R2", 3), ("FFMA.RZ R0, R1, R2, R3", 4), ("BREV R0, R1", 2)]
        {
            let instruction = context.assemble(instruction).expect("an instruction");
            let dialect = Form::Testfloat.dialect(&context, Some(&instruction)).expect("a dialect");
            let of = |dialect: &dyn Dialect, text: &str| {
                let mut judged = JudgedStream::new("line", 1_000_000, (None, None), "intended");
                judge_lines(
                    &setup.compared(),
                    dialect,
                    &Block::new(1, text.as_bytes().to_vec()),
                    &mut judged,
                )
                .expect("it is judged");
                judged
            };
            let text = lines(columns);
            let wrong = of(&OneByOne(&*dialect), &text).wrong;
            assert!(wrong.len() > 10_000);
            // The same inputs with the results that must come of them.
            let sound = wrong.iter().map(|wrong| {
                let Expectation::Effect(expected, _) = &wrong.expected else { panic!("bits are demanded") };
                let results = expected.values().map(|allowed| allowed.ends()[0]);
                let cells = wrong.inputs.iter().map(|(_, bits)| *bits).chain(results);
                cells.map(|bits| format!("{bits:08X} ")).collect::<String>() + "00"
            });
            let sound: Vec<String> = sound.collect();
            let sound: Vec<&str> = sound.iter().map(String::as_str).collect();
            assert_eq!(of(&*dialect, &sound.join("\n")).tally.verdicts.exact, sound.len() as u64);
            // One oddity in a batch of sound lines, and in one of wrong lines.
            let odd = |lines: &[&str], oddity: fn(&str) -> String| {
                let lines = lines.iter().cycle().take(5000).enumerate();
                let odd = lines.map(|(n, line)| if n % 97 == 5 { oddity(line) } else { line.to_string() });
                odd.map(|line| line + "\n").collect::<String>()
            };
            let all: Vec<&str> = text.lines().collect();
            let texts = ODDITIES.iter().flat_map(|oddity| [odd(&sound, *oddity), odd(&all, *oddity)]);
            for text in texts {
                let (fast, slow) = (of(&*dialect, &text), of(&OneByOne(&*dialect), &text));
                assert_eq!((&fast.tally, fast.digest), (&slow.tally, slow.digest));
                assert_eq!((fast.unreadable, &fast.problems), (slow.unreadable, &slow.problems));
                let shown = |judged: &JudgedStream| {
                    judged
                        .wrong
                        .iter()
                        .map(|w| format!("{} {:?} {:?}", w.number, w.inputs, w.actual))
                        .collect::<Vec<_>>()
                };
                assert_eq!(shown(&fast), shown(&slow));
            }
        }
    }
}
