//! Judges answers in batches, and adds up the outcomes.

use std::collections::BTreeSet;

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::compare::judge::allowed::Expectation;
use assay_engine::compare::judge::{Divergence, Verdict};
use assay_engine::generate::LANES;
use assay_engine::stats::judged::{Demands, JudgedShare};
use assay_engine::stats::tally::{Counts, Tally};
use assay_engine::triage::explain::settings::{SettingsThatExplain, settings_that_explain_recorded};
use assay_engine::triage::probe::Probe;
use assay_engine::triage::readings::Oracles;
use assay_isa::{BackendError, Batch, Effects, Location, asm};
use assay_records::Setting;
use assay_runner::RunError;
use assay_vectors::{Actual, Contract, Profile, gather};
use rayon::prelude::*;

use crate::dialect::{Answer, Dialect, Line};
use crate::digest::CasesDigest;
use crate::head::Head;
use crate::lines::{Block, text};

/// The outcome of a stream.
pub struct JudgedStream {
    /// The unit in which answers are counted: `line` or `case`.
    pub unit: &'static str,
    limit: usize,
    /// The counts of verdicts.
    pub tally: Tally,
    /// Number of promised cases: from the command line, or else the sum over all heads.
    pub promised: Option<u64>,
    is_fixed: bool,
    /// The digest of the answered cases.
    pub digest: CasesDigest,
    /// The expected digest: from the command line, or else the sum over all heads. `None` if it is
    /// unknown.
    pub expected_digest: Option<CasesDigest>,
    is_digest_fixed: bool,
    /// The heads, in order.
    heads: Vec<Head>,
    /// The minimum shares of lanes that must be judged.
    pub demands: Option<Demands>,
    /// Number of lines that could not be read.
    pub unreadable: u64,
    /// The first unreadable lines, grouped by error.
    pub problems: Vec<UnreadableLines>,
    /// The first divergences.
    pub wrong: Vec<DivergedAnswer>,
    /// The first divergences of each function, each with other answers to the same instruction. The
    /// number counts the divergences that the probe represents.
    probes: Vec<(Probe, u64)>,
    /// The settings of readings under which at least three quarters of the tested divergences
    /// vanish, if there are such settings.
    pub otherwise: Option<SettingsThatExplain>,
    /// The profile by which the answers are judged, and how it demands less than the built-in one.
    /// A suite can name its own profile.
    pub setting: Setting,
    /// Duration of the judgement in seconds.
    pub seconds: f64,
    /// Whether the user stopped the command.
    pub interrupted: bool,
    /// Whether the command line allows an unknown digest.
    pub allows_incomplete: bool,
}

/// Lines that could not be read because of one error.
#[derive(Debug, PartialEq, Eq)]
pub struct UnreadableLines {
    /// The error.
    pub error: String,
    /// Number of these lines.
    pub count: u64,
    /// The numbers of the first of these lines.
    pub first: Vec<u64>,
}

/// An answer that diverged.
pub struct DivergedAnswer {
    /// The number of the answer's line or case.
    pub number: u64,
    /// The instruction.
    pub asm: String,
    /// The inputs of the case.
    pub inputs: Vec<(Location, u32)>,
    /// The answer of the device.
    pub actual: Actual,
    /// The expectation of the case.
    pub expected: Expectation,
    /// The kind of divergence.
    pub divergence: Divergence,
}

impl JudgedStream {
    /// Returns an empty result. `promised` and `digest` are the number of cases and their digest
    /// from the command line, if given.
    pub fn new(
        unit: &'static str,
        limit: usize,
        (promised, digest): (Option<u64>, Option<CasesDigest>),
        setting: Setting,
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
            heads: Vec::new(),
            demands: None,
            unreadable: 0,
            problems: Vec::new(),
            wrong: Vec::new(),
            probes: Vec::new(),
            otherwise: None,
            setting,
            seconds: 0.0,
            interrupted: false,
            allows_incomplete: false,
        }
    }

    /// Adds the number and the digest of the cases that a head promises. Heads of several streams
    /// add up. If one head has no digest, the expected digest is unknown.
    pub fn promise(&mut self, head: &Head) {
        if !self.is_fixed {
            self.promised = Some(self.promised.unwrap_or(0).saturating_add(head.cases));
        }
        if !self.is_digest_fixed {
            let before =
                if self.heads.is_empty() { Some(CasesDigest::default()) } else { self.expected_digest };
            self.expected_digest = before.zip(head.digest).map(|(mut sum, digest)| {
                sum.merge(digest);
                sum
            });
        }
        self.heads.push(head.clone());
    }

    /// Whether two of the streams have the same cases. A comparison of the sums of digests does not
    /// show this, because both sums count these cases twice.
    pub(crate) fn has_a_stream_twice(&self) -> bool {
        let digests: Vec<CasesDigest> = self.heads.iter().filter_map(|head| head.digest).collect();
        digests.iter().enumerate().any(|(nth, digest)| digests[..nth].contains(digest))
    }

    /// Returns the shards whose streams were read. `None` if they are all shards of the plan.
    pub(crate) fn partial_shards(&self) -> Option<String> {
        let mut names: Vec<&str> = self.heads.iter().filter_map(|head| head.shard.as_deref()).collect();
        names.sort_unstable();
        let of = names.first()?.split_once('/')?.1;
        let distinct: BTreeSet<&str> = names.iter().copied().collect();
        let is_whole = of.parse() == Ok(distinct.len())
            && names.len() == distinct.len()
            && names.iter().all(|name| name.ends_with(&format!("/{of}")));
        (!is_whole).then(|| names.join(", "))
    }

    /// Returns the judged share of each form with its minimum.
    pub fn shares(&self) -> Vec<JudgedShare> {
        self.demands.iter().flat_map(|demands| demands.check(&self.tally)).collect()
    }

    /// Whether the answered cases differ from the generated cases.
    pub fn has_other_cases(&self) -> bool {
        self.expected_digest.is_some_and(|expected| expected != self.digest)
    }

    /// Stores a probe, unless the function has enough probes.
    fn keep(&mut self, probe: (Probe, u64)) {
        let function = probe.0.instruction.function();
        let known = self.probes.iter().filter(|(other, _)| other.instruction.function() == function).count();
        if known < PROBES_OF_FUNCTION && self.probes.len() < PROBES {
            self.probes.push(probe);
        }
    }

    /// Finds settings of readings under which most of the divergences vanish.
    pub(crate) fn explain(&mut self, profile: &Profile, oracles: Oracles<'_>) -> Result<(), RunError> {
        let probes = std::mem::take(&mut self.probes);
        if !probes.is_empty() {
            self.otherwise = settings_that_explain_recorded(profile, oracles, probes)?;
        }
        Ok(())
    }

    /// Adds the results of the next batch in order.
    fn add(&mut self, part: BatchAnswers) {
        self.tally.merge(part.tally);
        self.digest.merge(part.digest);
        part.problems.into_iter().for_each(|(number, problem)| self.unreadable(number, problem));
        part.probes.into_iter().for_each(|probe| self.keep(probe));
        let room = self.limit - self.wrong.len();
        self.wrong.extend(part.wrong.into_iter().take(room));
    }

    /// Counts a line that could not be read, and stores it if there is space.
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

/// Maximum number of probes for one function. [`PROBES`] is the maximum for all functions together.
const PROBES_OF_FUNCTION: usize = 8;
const PROBES: usize = 200;
/// Maximum number of diverging lanes in a probe, and maximum number of passing lanes.
const PROBE_LANES: [usize; 2] = [16, 32];

/// The data that a thread reuses for each batch.
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

/// Judges answers on all threads, and adds the results in the order of the answers.
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

/// Judges lines on all threads, for a dialect with one instruction. Adds the results in the order
/// of the lines.
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

/// Judges answers with a comparator that computes the oracle's results.
struct AnswerJudge<'a> {
    setup: &'a Setup<'a>,
    comparator: &'a mut Comparator,
    batch: &'a mut Batch,
    effects: &'a mut Effects,
    limit: usize,
}

impl AnswerJudge<'_> {
    /// Reads and judges many lines at once. Returns `false`, and counts nothing, if a line has an
    /// unusual layout or an answer diverges.
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
        let judged = comparator.judge_recorded(&contract, instruction, batch, effects)?.judged();
        let Some(sound) = judged.filter(|judged| judged.verdicts.diverged.is_empty()) else {
            return Ok(false);
        };
        // No lane is stored as an example, so the lanes' numbers do not matter.
        part.tally.count_judged(instruction, &contract, (batch, sound), |lane| lane as u64);
        part.digest.add(instruction, batch);
        Ok(true)
    }

    /// Reads lines one by one and judges their answers. `first` is the number of the first line.
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
                // A form that is read by columns has no heads between its cases.
                Ok(Line::Nothing | Line::Head(_)) => {}
                Ok(Line::Answer(answer)) => answers.push((number, *answer)),
                Err(problem) => part.problems.push((number, problem)),
            }
        }
        answers.chunk_by(is_alike).try_for_each(|alike| self.judge(alike, part))
    }

    /// Judges answers that share an instruction and input locations.
    fn judge(&mut self, answers: &[(u64, Answer)], part: &mut BatchAnswers) -> Result<(), BackendError> {
        let Some((_, first)) = answers.first() else { return Ok(()) };
        let lanes = answers.len();
        if first.actual == Actual::Unsupported {
            // No stream declares which modes its device supports.
            let counts = Counts { undeclared: lanes as u64, ..Counts::default() };
            part.tally.count(&first.instruction, counts);
            answers.iter().for_each(|(_, answer)| part.digest.add(&answer.instruction, &answer.batch));
            return Ok(());
        }
        self.fill(&answers.iter().map(|(_, answer)| answer).collect::<Vec<_>>());
        let contract = self.setup.profile.contract_for(&first.instruction);
        let outcome =
            match self.comparator.judge_recorded(&contract, &first.instruction, self.batch, self.effects) {
                Ok(outcome) => outcome,
                // In some case a value selects a location for which the case has no input. Halving
                // the batch finds that case.
                Err(BackendError::MissingLocation(place)) if lanes == 1 => {
                    let problem = format!("`inputs` lacks {place}, which one of its values leads to");
                    part.problems.push((answers[0].0, problem));
                    return Ok(());
                }
                Err(BackendError::MissingLocation(_)) => {
                    return answers.chunks(lanes.div_ceil(2)).try_for_each(|half| self.judge(half, part));
                }
                Err(error) => return Err(error),
            };
        part.digest.add(&first.instruction, self.batch);
        let Some(judged) = outcome.judged() else {
            part.tally.count(&first.instruction, outcome.unjudged(lanes as u64).unwrap_or_default());
            return Ok(());
        };
        let number = |lane: usize| answers[lane].0;
        part.tally.count_judged(&first.instruction, &contract, (self.batch, judged), number);
        let room = self.limit.saturating_sub(part.wrong.len());
        for (lane, _) in judged.verdicts.diverged.iter().take(room) {
            let (number, answer) = &answers[*lane];
            let Verdict::Diverged(divergence) = judged.verdicts.of(*lane) else { continue };
            part.wrong.push(DivergedAnswer {
                number: *number,
                asm: asm::print(&answer.instruction),
                inputs: self.batch.lane(*lane).collect(),
                actual: answer.actual.clone(),
                expected: Expectation::of(&contract, judged.truths, *lane),
                divergence,
            });
        }
        let diverged: Vec<usize> = judged.verdicts.diverged.iter().map(|(lane, _)| *lane).collect();
        if !diverged.is_empty() && part.probes.len() < PROBES_OF_FUNCTION {
            part.probes.extend(self.probe(&contract, answers, &diverged)?);
        }
        Ok(())
    }

    /// Makes a probe of some diverging and some passing answers. Returns the probe, and the
    /// number of all divergences.
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
        let outcome = self.comparator.judge_recorded(contract, &instruction, self.batch, self.effects)?;
        let Some(judged) = outcome.judged() else { return Ok(None) };
        let verdicts = (0..some.len()).map(|lane| judged.verdicts.of(lane)).collect();
        let (batch, effects, truths) = (self.batch.clone(), self.effects.clone(), judged.truths.clone());
        Ok(Some((Probe { instruction, batch, effects, truths, verdicts }, diverged.len() as u64)))
    }

    /// Fills the batch and the effects with the given answers.
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

    /// A dialect that cannot read many lines at once.
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

    /// Returns answers, most of them wrong.
    fn lines(columns: usize) -> String {
        let line = |n: u32| {
            let cell =
                |place: usize| format!("{:08X}", n.wrapping_mul(0x9e37_79b1).rotate_left(7 * place as u32));
            (0..columns).map(cell).collect::<Vec<_>>().join(" ") + " 00\n"
        };
        (0..20_000).map(line).collect()
    }

    /// Changes that a device may make to a line. Without a check of digits, a G would be read like
    /// another digit.
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
                let setting = context.setting(&SubjectName::MODEL, None).expect("a setting");
                let mut judged = JudgedStream::new("line", 1_000_000, (None, None), setting);
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
            // Lines with the inputs of the divergences, and the expected results.
            let sound = wrong.iter().map(|wrong| {
                let Expectation::Effect(expected, _) = &wrong.expected else { panic!("bits are demanded") };
                let results = expected.values().map(|allowed| allowed.ends()[0]);
                let cells = wrong.inputs.iter().map(|(_, bits)| *bits).chain(results);
                cells.map(|bits| format!("{bits:08X} ")).collect::<String>() + "00"
            });
            let sound: Vec<String> = sound.collect();
            let sound: Vec<&str> = sound.iter().map(String::as_str).collect();
            assert_eq!(of(&*dialect, &sound.join("\n")).tally.verdicts.exact, sound.len() as u64);
            // Changes some lines of a batch. The other lines are all right, or all wrong.
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
