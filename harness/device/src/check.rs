//! Whether a device keeps to the protocol: a conformance test of the plug, which knows nothing of right results.

use std::sync::Arc;
use std::time::{Duration, Instant};

use assay_fpenv::Foreign;
use assay_isa::{Answer, Batch, Effects, asm, catalog};
use serde::Serialize;

use crate::coupling::Coupling;
use crate::declaration::Declaration;
use crate::frame::{reports, written};
use crate::health::Limits;
use crate::plug::Kind;
use crate::protocol::{Framing, Hello, Welcome};
use crate::trouble::Trouble;

/// An instruction as text, and a batch of it.
pub type Sample = (String, Batch);

/// What the batches are made of.
pub trait Samples {
    /// Batches of the modes of an optype, one each.
    fn modes(&self, optype: &str, lanes: usize) -> Vec<Sample>;

    /// A batch whose guard is false in every lane, if the optype has a guard.
    fn unguarded(&self, optype: &str, lanes: usize) -> Option<Sample>;
}

/// A check and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// What was checked.
    pub check: &'static str,
    /// What came of it.
    pub outcome: Outcome,
    /// The reason, or what was seen.
    pub detail: String,
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It held.
    Ok,
    /// It did not.
    Failed,
    /// It could not be checked.
    Skipped,
}

type Found = Result<String, Trouble>;

/// Lanes of a large batch.
const LARGE: usize = 1 << 16;
/// How long the throughput is measured.
const MEASURED: Duration = Duration::from_millis(500);

/// Checks a device. `hello` offers both framings.
pub fn check(kind: &Kind, hello: &Hello, limits: &Limits, samples: &dyn Samples) -> Vec<Checked> {
    let mut list = Vec::new();
    let mut bench = match Bench::new(kind, hello, limits, samples) {
        Ok(bench) => bench,
        Err(trouble) => {
            list.push(Checked { check: "handshake", outcome: Outcome::Failed, detail: trouble.words });
            return list;
        }
    };
    let Welcome { name, version, framing, .. } = &bench.welcome;
    let said = format!("{name} {version}, framing {}", format!("{framing:?}").to_lowercase());
    list.push(Checked { check: "handshake", outcome: Outcome::Ok, detail: said });
    for (check, run) in CHECKS {
        let found = run(&mut bench);
        let (outcome, detail) = match found {
            Ok(Some(detail)) => (Outcome::Ok, detail),
            Ok(None) => (Outcome::Skipped, "does not apply to this device".to_owned()),
            Err(trouble) => (Outcome::Failed, trouble.words),
        };
        list.push(Checked { check, outcome, detail });
    }
    // Closing and unloading are calls too.
    let calls = bench.coupling.calls().cloned();
    drop(bench);
    list.push(environment(calls.as_deref()));
    list
}

/// Whether the calls left the floating-point environment as they found it.
fn environment(calls: Option<&Foreign>) -> Checked {
    let (outcome, detail) = match calls.map(Foreign::changes) {
        None => (Outcome::Skipped, "a process has an environment of its own".to_owned()),
        Some(changes) if changes.is_empty() => (Outcome::Ok, "every call left it as it was".to_owned()),
        Some(changes) => {
            let list: Vec<String> = changes.iter().map(ToString::to_string).collect();
            let remedy = "restore it before a call returns: assay does so too, but other programs do not";
            (Outcome::Failed, format!("{}; {remedy}", list.join("; ")))
        }
    };
    Checked { check: "floating-point environment", outcome, detail }
}

type Check = fn(&mut Bench<'_>) -> Result<Option<String>, Trouble>;

const CHECKS: [(&str, Check); 12] = [
    ("capabilities are known", |bench| bench.known().map(Some)),
    ("capabilities are true", |bench| bench.capable().map(Some)),
    ("other optypes are unsupported", |bench| bench.incapable()),
    ("empty batch", |bench| bench.lanes(0).map(Some)),
    ("one lane", |bench| bench.lanes(1).map(Some)),
    ("1024 lanes", |bench| bench.lanes(1024).map(Some)),
    ("large batch", |bench| bench.lanes(LARGE).map(Some)),
    ("same batch, same answer", |bench| bench.repeats().map(Some)),
    ("lanes are independent", |bench| bench.independent().map(Some)),
    ("a false guard writes nothing", |bench| bench.guarded()),
    ("both framings agree", |bench| bench.framings()),
    ("throughput", |bench| bench.throughput().map(Some)),
];

/// A batch of an optype, executed.
struct Done {
    optype: String,
    sample: Sample,
    effects: Effects,
}

/// A device on the bench.
struct Bench<'a> {
    kind: &'a Kind,
    hello: &'a Hello,
    limits: &'a Limits,
    samples: &'a dyn Samples,
    coupling: Box<dyn Coupling>,
    welcome: Welcome,
    declaration: Declaration,
}

impl<'a> Bench<'a> {
    fn new(
        kind: &'a Kind,
        hello: &'a Hello,
        limits: &'a Limits,
        samples: &'a dyn Samples,
    ) -> Result<Bench<'a>, Trouble> {
        let (coupling, welcome) = open(kind, hello.clone(), limits)?;
        let declaration = Declaration::new(&welcome).map_err(Trouble::unfit)?;
        Ok(Bench { kind, hello, limits, samples, coupling, welcome, declaration })
    }

    fn ask(&mut self, (text, batch): &Sample) -> Result<(Answer, Effects), Trouble> {
        let mut effects = Effects::default();
        let answer =
            self.coupling.attempt(text, batch, self.limits.deadline, &mut effects).map_err(|trouble| {
                Trouble { words: format!("{text}, {} lanes: {trouble}", batch.len()), ..trouble }
            })?;
        Ok((answer, effects))
    }

    /// Batches of the modes of an optype that the device declared.
    fn declared(&self, optype: &str, lanes: usize) -> Vec<Sample> {
        self.samples.modes(optype, lanes).into_iter().filter(|sample| self.declares(sample)).collect()
    }

    fn declares(&self, (text, _): &Sample) -> bool {
        asm::parse(text).is_ok_and(|instruction| self.declaration.covers(&instruction))
    }

    /// A batch of each optype, in the first mode that is supported.
    fn supported(&mut self, lanes: usize) -> Result<Vec<Done>, Trouble> {
        let mut list = Vec::new();
        for optype in self.declaration.optypes() {
            for sample in self.declared(optype, lanes) {
                let (answer, effects) = self.ask(&sample)?;
                if answer == Answer::Known {
                    list.push(Done { optype: optype.to_owned(), sample, effects });
                    break;
                }
            }
        }
        Ok(list)
    }

    fn known(&mut self) -> Found {
        let optypes = self.declaration.optypes();
        match &optypes[..] {
            [] => Err(Trouble::unfit("it supports no mode: its last patterns take all of them away")),
            optypes => Ok(format!("{} optypes: {}", optypes.len(), optypes.join(" "))),
        }
    }

    fn capable(&mut self) -> Found {
        if self.declaration.is_binding() {
            return self.answers_all();
        }
        let executed: Vec<String> = self.supported(4)?.into_iter().map(|done| done.optype).collect();
        let optypes = self.declaration.optypes().into_iter();
        let idle: Vec<&str> = optypes.filter(|name| !executed.iter().any(|one| one == name)).collect();
        match &idle[..] {
            [] => Ok("it executes something of each optype".to_owned()),
            idle => {
                Err(Trouble::unfit(format!("it says that it implements {}, and does not", idle.join(", "))))
            }
        }
    }

    /// Whether it answers in every mode that it declared, whatever the operands.
    fn answers_all(&mut self) -> Found {
        let mut count = 0;
        for optype in self.declaration.optypes() {
            for sample in self.declared(optype, 4) {
                if self.ask(&sample)?.0 == Answer::Unsupported {
                    let text = sample.0;
                    return Err(Trouble::unfit(format!(
                        "it declares the mode of `{text}`, and does not execute it"
                    )));
                }
                count += 1;
            }
        }
        Ok(format!("it executes all of {count} instructions of the modes that it declares"))
    }

    fn incapable(&mut self) -> Result<Option<String>, Trouble> {
        if self.declaration.is_binding() {
            // A batch of another mode is never sent.
            return Ok(None);
        }
        let claimed = self.declaration.optypes();
        let all = catalog().optypes().into_iter().map(|optype| optype.name);
        let others: Vec<&str> = all.filter(|name| !claimed.contains(name)).collect();
        for optype in &others {
            let Some(sample) = self.samples.modes(optype, 2).into_iter().next() else { continue };
            if self.ask(&sample)?.0 != Answer::Unsupported {
                return Err(Trouble::unfit(format!("it answers for {}, which it does not claim", sample.0)));
            }
        }
        Ok((!others.is_empty()).then(|| format!("{} optypes", others.len())))
    }

    fn lanes(&mut self, lanes: usize) -> Found {
        let count = self.supported(lanes)?.len();
        Ok(format!("{count} optypes"))
    }

    fn repeats(&mut self) -> Found {
        let first = self.supported(64)?;
        // Not one right after the other: what is left over from another instruction shall show.
        for Done { sample, effects, .. } in &first {
            same(&sample.0, "the same batch twice", effects, &self.ask(sample)?.1)?;
        }
        Ok(format!("{} optypes", first.len()))
    }

    fn independent(&mut self) -> Found {
        let whole = self.supported(33)?;
        for Done { sample: (text, batch), effects, .. } in &whole {
            for lane in [0, 16, 32] {
                let (_, alone) = self.ask(&(text.clone(), batch.single(lane)))?;
                let of_lane = |effects: &Effects, lane: usize| {
                    let values =
                        written(effects).into_iter().map(|(location, values)| (location, values[lane]));
                    values.filter(|(_, value)| value.is_some()).collect::<Vec<_>>()
                };
                let (together, alone) = (of_lane(effects, lane), of_lane(&alone, 0));
                if sorted(together) != sorted(alone) {
                    return Err(Trouble::unfit(format!(
                        "{text}: lane {lane} of a batch differs from the same case alone"
                    )));
                }
            }
        }
        Ok(format!("{} optypes", whole.len()))
    }

    fn guarded(&mut self) -> Result<Option<String>, Trouble> {
        let mut count = 0;
        for optype in self.declaration.optypes() {
            let sample = self.samples.unguarded(optype, 8).filter(|sample| self.declares(sample));
            let Some(sample) = sample else { continue };
            let (answer, effects) = self.ask(&sample)?;
            if answer == Answer::Known {
                count += 1;
                let wrote =
                    written(&effects).into_iter().any(|(_, values)| values.iter().any(Option::is_some));
                if wrote || reports(&effects).next().is_some() {
                    return Err(Trouble::unfit(format!(
                        "{} does something though its guard is false",
                        sample.0
                    )));
                }
            }
        }
        Ok((count > 0).then(|| format!("{count} optypes")))
    }

    fn framings(&mut self) -> Result<Option<String>, Trouble> {
        if matches!(self.kind, Kind::Lib(_)) || self.welcome.framing == Framing::Json {
            return Ok(None);
        }
        let binary = self.supported(100)?;
        let (mut json, _) = open(self.kind, only(self.hello, Framing::Json), self.limits)?;
        std::mem::swap(&mut self.coupling, &mut json);
        let agreed = binary.iter().try_for_each(|Done { sample, effects, .. }| {
            same(&sample.0, "JSON and binary", effects, &self.ask(sample)?.1)
        });
        std::mem::swap(&mut self.coupling, &mut json);
        agreed.map(|()| Some(format!("{} optypes", binary.len())))
    }

    fn throughput(&mut self) -> Found {
        let mut lines = vec![self.measure(self.hello.clone())?];
        if self.welcome.framing == Framing::Binary && matches!(self.kind, Kind::Exec(_)) {
            lines.push(self.measure(only(self.hello, Framing::Json))?);
        }
        Ok(lines.join(", "))
    }

    /// Cases a second of the first optype, in batches of 1024.
    fn measure(&mut self, hello: Hello) -> Found {
        let (coupling, welcome) = open(self.kind, hello, self.limits)?;
        self.coupling = coupling;
        let batches = self.supported(1024)?;
        let Some(Done { sample, .. }) = batches.first() else { return Ok("nothing to measure".into()) };
        let (began, mut cases) = (Instant::now(), 0);
        while began.elapsed() < MEASURED {
            self.ask(sample)?;
            cases += sample.1.len();
        }
        let rate = cases as f64 / began.elapsed().as_secs_f64() / 1e6;
        let framing = match self.kind {
            Kind::Lib(_) => "as a library".to_owned(),
            Kind::Exec(_) => format!("in {}", format!("{:?}", welcome.framing).to_lowercase()),
        };
        Ok(format!("{rate:.3} million cases a second {framing}"))
    }
}

fn open(kind: &Kind, hello: Hello, limits: &Limits) -> Result<(Box<dyn Coupling>, Welcome), Trouble> {
    let mut coupling =
        kind.couple(&Arc::new(hello), limits).map_err(|words| Trouble::unfit(words).at_start())?;
    let welcome = coupling.connect()?.clone();
    Ok((coupling, welcome))
}

fn only(hello: &Hello, framing: Framing) -> Hello {
    Hello { framings: vec![framing], ..hello.clone() }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}

/// Holds two effects of one batch against each other.
fn same(text: &str, what: &str, one: &Effects, other: &Effects) -> Result<(), Trouble> {
    let all = |effects: &Effects| {
        let columns = written(effects).into_iter().filter(|(_, values)| values.iter().any(Option::is_some));
        (sorted(columns.collect()), sorted(reports(effects).collect::<Vec<_>>()))
    };
    match all(one) == all(other) {
        true => Ok(()),
        false => Err(Trouble::unfit(format!("{text}: {what} have different answers"))),
    }
}
