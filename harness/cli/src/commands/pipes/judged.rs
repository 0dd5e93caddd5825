//! Answers judged in batches, and what came of all of them.

use assay_engine::compare::judge::allowed::Expectation;
use assay_engine::compare::judge::{Divergence, Verdict};
use assay_engine::compare::versus::{Bench, Parties};
use assay_engine::generate::LANES;
use assay_engine::stats::tally::{Counts, Tally};
use assay_isa::{Batch, Effects, VoiceError, asm};
use assay_vectors::{Actual, gather};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::dialect::Answer;
use crate::commands::run_record::{rounded, status};
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;
use assay_runner::inspect::values::written;

/// What came of a stream.
pub struct Judged {
    unit: &'static str,
    limit: usize,
    tally: Tally,
    /// Cases that were promised: by the command line, or by all heads together.
    promised: Option<u64>,
    is_fixed: bool,
    unreadable: u64,
    /// The first lines that could not be read, and why.
    problems: Vec<(u64, String)>,
    /// The first divergences.
    wrong: Vec<Wrong>,
    /// How long it took.
    pub seconds: f64,
}

/// An answer that diverged.
struct Wrong {
    number: u64,
    asm: String,
    inputs: Vec<(String, Value)>,
    actual: Actual,
    expected: Expectation,
    divergence: Divergence,
}

impl Judged {
    /// Nothing yet; `promised` is what the command line says.
    pub fn new(unit: &'static str, limit: usize, promised: Option<u64>) -> Judged {
        Judged {
            unit,
            limit,
            tally: Tally::default(),
            promised,
            is_fixed: promised.is_some(),
            unreadable: 0,
            problems: Vec::new(),
            wrong: Vec::new(),
            seconds: 0.0,
        }
    }

    /// A head promises so many cases; those of several streams add up.
    pub fn promise(&mut self, cases: u64) {
        if !self.is_fixed {
            self.promised = Some(self.promised.unwrap_or(0).saturating_add(cases));
        }
    }

    /// A line that could not be read.
    pub fn unreadable(&mut self, number: u64, problem: String) {
        self.unreadable += 1;
        if self.problems.len() < self.limit {
            self.problems.push((number, problem));
        }
    }

    /// How the command ends.
    pub fn status(&self) -> Result<Status, Failure> {
        let (unit, read) = (self.unit, self.tally.cases + self.unreadable);
        if read == 0 {
            return Err(Failure::input("no case was read; is this the output of the device?"));
        }
        if let Some(promised) = self.promised.filter(|promised| *promised != read) {
            let message = format!("{promised} cases were promised, and there are {read}");
            return Err(Failure::input(format!(
                "{message}: the stream is cut off, or not whole in another way"
            )));
        }
        if self.promised.is_none() {
            output::say(
                "nothing said how many cases there had to be, so a generator that died is not noticed; --cases N promises",
            );
        }
        if self.unreadable > 0 {
            output::say(format_args!("{} {unit}s could not be read", self.unreadable));
            return Ok(Status::BadInput);
        }
        Ok(status(&self.tally))
    }

    /// Prints it.
    pub fn print(&self, context: &Context) -> Result<(), Failure> {
        let Judged { unit, tally, .. } = self;
        let rate = tally.cases as f64 / self.seconds;
        if context.json {
            let problems = self.problems.iter().map(|(n, error)| json!({ *unit: n, "error": error }));
            return output::print_json(&json!({
                "cases": tally.cases,
                "promised": self.promised,
                "verdicts": tally.verdicts,
                "divergences": tally.verdicts.diverged,
                "undefined": tally.undefined,
                "forms": tally.forms,
                "unreadable": self.unreadable,
                "problems": problems.collect::<Vec<_>>(),
                "wrong": self.wrong.iter().map(|wrong| wrong.json(unit)).collect::<Vec<_>>(),
                "profile": context.profile.name,
                "seconds": rounded(self.seconds, 3),
                "cases_per_second": rate.round(),
            }));
        }
        let mut page: String =
            self.problems.iter().map(|(n, error)| format!("{unit} {n}: {error}\n")).collect();
        page.extend(self.wrong.iter().map(|wrong| wrong.text(unit)));
        let Counts { exact, within, diverged, undefined, unjudged, unsupported, .. } = tally.verdicts;
        if diverged > self.wrong.len() as u64 {
            page += &format!("and {} divergences more\n", diverged - self.wrong.len() as u64);
        }
        page += &format!(
            "{} cases: {exact} exact, {within} within, {diverged} diverged, {undefined} undefined, \
             {unjudged} unjudged, {unsupported} unsupported; {} unreadable; {:.1} s, {:.2} million a second\n",
            tally.cases,
            self.unreadable,
            self.seconds,
            rate / 1e6
        );
        output::print(&page)
    }
}

impl Wrong {
    fn verdict(&self) -> String {
        let ulp = self.divergence.error.map_or(String::new(), |error| format!(", {:+.6} ulp", error.ulp()));
        format!("diverged: {}{ulp}", self.divergence.kind.name())
    }

    fn json(&self, unit: &str) -> Value {
        let expected = match &self.expected {
            Expectation::Effect(expected, event) => {
                let case = assay_vectors::Case {
                    expect: Some(expected.clone()),
                    event: *event,
                    ..Default::default()
                };
                let case = serde_json::to_value(case).unwrap_or_default();
                json!({ "expect": case["expect"], "event": case["event"] })
            }
            Expectation::Undefined(erratum) => json!({ "undefined": erratum.to_string() }),
            Expectation::Unlisted => Value::Null,
        };
        json!({
            unit: self.number,
            "asm": self.asm,
            "inputs": self.inputs.iter().cloned().collect::<serde_json::Map<_, _>>(),
            "actual": self.actual,
            "expected": expected,
            "verdict": self.verdict(),
        })
    }

    fn text(&self, unit: &str) -> String {
        let inputs = self.inputs.iter().map(|(location, value)| match value {
            Value::String(text) => format!(" '{location}={text}'"),
            other => format!(" {location}={other}"),
        });
        let expected = match &self.expected {
            Expectation::Effect(expected, event) => {
                let writes = expected.iter().map(|(location, allowed)| format!("{location} = {allowed}"));
                let parts: Vec<_> = writes.chain(event.iter().map(|event| format!("{event:?}"))).collect();
                if parts.is_empty() { "nothing is written".into() } else { parts.join("; ") }
            }
            Expectation::Undefined(erratum) => format!("undefined by {erratum}"),
            Expectation::Unlisted => "more values than can be listed".into(),
        };
        format!(
            "{unit} {}: {}\n  answer    {}\n  expected  {expected}\n  explain   assay eval '{}'{}\n",
            self.number,
            self.verdict(),
            serde_json::to_string(&self.actual).unwrap_or_default(),
            self.asm,
            inputs.collect::<String>()
        )
    }
}

/// What a batch of answers came to.
#[derive(Default)]
struct Part {
    tally: Tally,
    wrong: Vec<Wrong>,
    problems: Vec<(u64, String)>,
}

/// Judges answers on all threads and adds them up in their order.
pub fn judge(parties: &Parties<'_>, answers: Vec<(u64, Answer)>, judged: &mut Judged) -> Result<(), Failure> {
    let alike = |a: &(u64, Answer), b: &(u64, Answer)| {
        let unsupported = |answer: &Answer| answer.actual == Actual::Unsupported;
        let (a, b) = (&a.1, &b.1);
        a.batch.word() == b.batch.word()
            && a.batch.locations() == b.batch.locations()
            && unsupported(a) == unsupported(b)
    };
    let batches: Vec<&[(u64, Answer)]> =
        answers.chunk_by(alike).flat_map(|alike| alike.chunks(LANES)).collect();
    let limit = judged.limit;
    let worker = || (Bench::new(parties), Batch::default(), Effects::default());
    let part = |(bench, batch, effects): &mut (Bench, Batch, Effects), answers: &&[(u64, Answer)]| {
        let mut part = Part::default();
        Hearing { parties, bench, batch, effects, limit }.hear(answers, &mut part)?;
        Ok::<_, VoiceError>(part)
    };
    for part in batches.par_iter().map_init(worker, part).collect::<Result<Vec<_>, _>>()? {
        judged.tally.merge(part.tally);
        part.problems.into_iter().for_each(|(number, problem)| judged.unreadable(number, problem));
        let room = limit - judged.wrong.len();
        judged.wrong.extend(part.wrong.into_iter().take(room));
    }
    Ok(())
}

/// A bench on which answers meet the oracle.
struct Hearing<'a> {
    parties: &'a Parties<'a>,
    bench: &'a mut Bench,
    batch: &'a mut Batch,
    effects: &'a mut Effects,
    limit: usize,
}

impl Hearing<'_> {
    /// Judges answers of one instruction that give values to the same places.
    fn hear(&mut self, answers: &[(u64, Answer)], part: &mut Part) -> Result<(), VoiceError> {
        let Some((_, first)) = answers.first() else { return Ok(()) };
        let lanes = answers.len();
        if first.actual == Actual::Unsupported {
            let counts = Counts { unsupported: lanes as u64, ..Counts::default() };
            part.tally.count(&first.instruction, counts);
            return Ok(());
        }
        self.fill(answers);
        let contract = self.parties.profile.contract_for(&first.instruction);
        match self.bench.judge_recorded(&contract, &first.instruction, self.batch, self.effects) {
            Ok(outcome) => {
                if let Some(counts) = outcome.unjudged(lanes as u64) {
                    part.tally.count(&first.instruction, counts);
                    return Ok(());
                }
            }
            // A value leads to a place that the case does not give: find out which case that is.
            Err(VoiceError::MissingLocation(place)) if lanes == 1 => {
                let problem = format!("`inputs` lacks {place}, which one of its values leads to");
                part.problems.push((answers[0].0, problem));
                return Ok(());
            }
            Err(VoiceError::MissingLocation(_)) => {
                return answers.chunks(lanes.div_ceil(2)).try_for_each(|half| self.hear(half, part));
            }
            Err(error) => return Err(error),
        }
        let number = |lane: usize| answers[lane].0;
        part.tally.count_judged(
            &first.instruction,
            &contract,
            self.bench,
            (self.batch, self.effects),
            number,
        );
        let room = self.limit.saturating_sub(part.wrong.len());
        for (lane, _) in self.bench.verdicts.diverged.iter().take(room) {
            let (number, answer) = &answers[*lane];
            let Verdict::Diverged(divergence) = self.bench.verdicts.of(*lane) else { continue };
            let inputs = self.batch.lane(*lane).map(|(l, v)| (l.to_string(), written(l, v)));
            part.wrong.push(Wrong {
                number: *number,
                asm: asm::print(&answer.instruction),
                inputs: inputs.collect(),
                actual: answer.actual.clone(),
                expected: Expectation::of(&contract, self.bench.truths(), *lane),
                divergence,
            });
        }
        Ok(())
    }

    /// Makes one batch and one effect of answers.
    fn fill(&mut self, answers: &[(u64, Answer)]) {
        let first = &answers[0].1.batch;
        self.batch.reset(first.word(), first.locations(), answers.len());
        for place in 0..first.locations().len() {
            let values = answers.iter().map(|(_, answer)| answer.batch.column(first.locations()[place]));
            for (value, column) in self.batch.column_mut(place).iter_mut().zip(values) {
                *value = column.map_or(0, |column| column[0]);
            }
        }
        gather(answers.iter().map(|(_, answer)| &answer.actual), self.effects);
    }
}
