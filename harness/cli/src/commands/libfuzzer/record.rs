//! `libfuzzer.json`, and the page.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use assay_fuzzing::Target;
use assay_records::read_json;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::corpus::Size;
use super::crash::Finding;
use super::process::Coverage;
use super::toolchain::Sanitizer;
use crate::commands::run_record::rounded;
use crate::failure::{Failure, Status};

/// Version of the record.
const VERSION: u32 = 1;

/// What came of a campaign.
pub struct Record {
    sanitizer: Sanitizer,
    /// The voice under test in `differential`.
    subject: String,
    /// Seconds for each target.
    time: u64,
    /// Whether the user ended it.
    pub interrupted: bool,
    /// What it is to run: a target without a row was not.
    pub planned: Vec<Target>,
    /// What came of each target.
    pub targets: BTreeMap<Target, Row>,
}

/// What came of a target.
#[derive(Clone, Default, Deserialize)]
pub struct Row {
    /// Whether it had all of its time, and all of its work could be done.
    pub finished: bool,
    /// Why it could not; of a finished one, why it fails all the same.
    #[serde(default)]
    pub problem: Option<String>,
    /// The digest of its program; records of earlier builds have none.
    #[serde(default)]
    pub build: String,
    /// Seconds that were left when too many inputs had ended it.
    #[serde(default)]
    pub unused: f64,
    /// Inputs that were executed.
    pub executions: u64,
    /// Those that reached the judge.
    pub judged: u64,
    /// Seconds of all processes together.
    pub seconds: f64,
    /// Megabytes of memory of a process at most.
    pub peak_rss_mb: u64,
    /// Coverage of the corpus.
    pub coverage: Covered,
    /// Inputs that reached something new.
    pub new_units: u64,
    /// The corpus after minimising.
    pub corpus: Size,
    /// Inputs that ended a process.
    pub crashes: usize,
    /// What they are.
    pub findings: Vec<Finding>,
}

/// Coverage of a corpus.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub struct Covered {
    /// At the beginning.
    pub before: Option<Coverage>,
    /// At the end.
    pub after: Option<Coverage>,
}

impl Record {
    /// Nothing yet.
    pub fn new(sanitizer: Sanitizer, subject: &str, time: Duration) -> Record {
        let (subject, time) = (subject.to_owned(), time.as_secs());
        Record { sanitizer, subject, time, interrupted: false, planned: Vec::new(), targets: BTreeMap::new() }
    }

    /// Takes over what an earlier session of the same run has done, if there is one.
    pub fn go_on(&mut self, path: &Path) -> Result<(), Failure> {
        /// The part of a record that counts here.
        #[derive(Deserialize)]
        struct Earlier {
            version: u32,
            sanitizer: Sanitizer,
            subject: String,
            time: u64,
            targets: BTreeMap<Target, Row>,
        }
        if !path.exists() {
            return Ok(());
        }
        let earlier: Earlier = read_json(path)?;
        let same = (earlier.version, earlier.sanitizer, &earlier.subject, earlier.time)
            == (VERSION, self.sanitizer, &self.subject, self.time);
        if !same {
            return Err(Failure::input(format!(
                "{}: that run has another version, --sanitizer, --subject or --time; choose another --out",
                path.display()
            )));
        }
        self.targets = earlier.targets;
        Ok(())
    }

    /// How the run ends: a part of the work that could not be done outweighs what was found, for it could have found more.
    pub fn status(&self) -> Status {
        match self.targets.values().any(|row| !row.finished && row.problem.is_some()) {
            true => Status::Broke,
            false => Status::of(self.targets.values().all(|row| row.crashes == 0 && row.judged > 0)),
        }
    }

    /// As it is written.
    pub fn json(&self) -> Value {
        let targets = self.targets.iter().map(|(target, row)| (target.name().to_owned(), row.json()));
        json!({
            "version": VERSION,
            "assay": env!("CARGO_PKG_VERSION"),
            "sanitizer": self.sanitizer,
            "subject": self.subject,
            "time": self.time,
            "jobs": rayon::current_num_threads(),
            "interrupted": self.interrupted,
            "planned": self.planned,
            "targets": targets.collect::<serde_json::Map<_, _>>(),
        })
    }
}

impl Row {
    /// Notes that a part of the work could not be done; the rest is done all the same.
    pub fn note<T>(&mut self, outcome: Result<T, Failure>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(failure) => {
                let earlier = self.problem.take().map_or(String::new(), |earlier| earlier + "; ");
                self.problem = Some(earlier + &failure.message());
                None
            }
        }
    }

    /// Whether this build of the target has nothing left to do.
    pub fn is_over(&self, build: &str) -> bool {
        self.finished && self.build == build
    }

    /// Why it fails, other than by what it found.
    pub fn problem(&self) -> Option<&str> {
        let is_blind = self.finished && self.judged == 0;
        let is_cut = self.finished && self.unused > 0.0;
        let blind = is_blind.then_some("none of its inputs reached the judge");
        let cut = is_cut
            .then_some("so many inputs ended it that most of its time was not used; mend what they show");
        self.problem.as_deref().or(blind).or(cut)
    }

    /// Executions a second of one process.
    fn rate(&self) -> f64 {
        self.executions as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }

    /// Share of the inputs that did not reach the judge.
    fn wasted(&self) -> f64 {
        1.0 - self.judged as f64 / self.executions.max(1) as f64
    }

    /// Whether the target neither stopped nor came anywhere new.
    fn nothing_new(&self) -> bool {
        self.crashes == 0 && self.new_units == 0
    }

    fn json(&self) -> Value {
        json!({
            "finished": self.finished,
            "problem": self.problem(),
            "unused": rounded(self.unused, 3),
            "build": self.build,
            "executions": self.executions,
            "executions_per_second": self.rate().round(),
            "judged": self.judged,
            "wasted": rounded(self.wasted(), 6),
            "seconds": rounded(self.seconds, 3),
            "peak_rss_mb": self.peak_rss_mb,
            "coverage": self.coverage,
            "new_units": self.new_units,
            "nothing_new": self.nothing_new(),
            "corpus": self.corpus,
            "crashes": self.crashes,
            "findings": self.findings,
        })
    }

    /// As people read it.
    pub fn text(&self, target: Target) -> String {
        let Row { executions, judged, corpus: Size { inputs, bytes, left_out }, .. } = self;
        let (rate, wasted) = (self.rate(), 100.0 * self.wasted());
        let coverage = |coverage: Option<Coverage>| match coverage {
            Some(Coverage { edges, features }) => format!("{edges} edges, {features} features"),
            None => "unknown".into(),
        };
        let Covered { before, after } = self.coverage;
        let mut text = format!(
            "{}: {executions} inputs, {rate:.0} a second in a process; {judged} of them reached the judge, {wasted:.2} % \
             are wasted\n  coverage {}, before {}; corpus of {inputs} inputs, {bytes} bytes\n",
            target.name(),
            coverage(after),
            coverage(before),
        );
        if *left_out > 0 {
            text += &format!("  {left_out} inputs that add to the coverage do not fit into the corpus\n");
        }
        if let Some(problem) = self.problem() {
            text += &format!("  {problem}\n");
        }
        if self.nothing_new() {
            text += "  nothing new\n";
        }
        for finding in &self.findings {
            text += &finding.text();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        let coverage = |edges| Some(Coverage { edges, features: 3 * edges });
        Row {
            unused: 0.0,
            finished: true,
            problem: None,
            build: "abc".into(),
            executions: 1000,
            judged: 990,
            seconds: 0.5,
            peak_rss_mb: 60,
            coverage: Covered { before: coverage(100), after: coverage(120) },
            new_units: 7,
            corpus: Size { inputs: 20, bytes: 400, left_out: 0 },
            crashes: 0,
            findings: Vec::new(),
        }
    }

    #[test]
    fn a_campaign_holds_if_every_target_reached_its_judge_and_none_crashed() {
        let with = |change: fn(&mut Row)| {
            let mut record = Record::new(Sanitizer::None, "model", Duration::from_secs(1));
            let mut changed = row();
            change(&mut changed);
            record.targets = [(Target::Decode, row()), (Target::Document, changed)].into();
            (
                record.status(),
                record.json()["targets"]["document"].clone(),
                record.targets[&Target::Document].text(Target::Document),
            )
        };
        let (holds, json, text) = with(|_| {});
        assert_eq!((holds, &json["problem"]), (Status::Held, &Value::Null));
        assert_eq!((&json["wasted"], &json["executions_per_second"]), (&json!(0.01), &json!(2000.0)));
        assert_eq!(json["nothing_new"], json!(false));
        assert!(text.contains("coverage 120 edges, 360 features, before 100 edges"), "{text}");
        let (holds, json, text) = with(|row| row.new_units = 0);
        assert!(
            holds == Status::Held && json["nothing_new"] == json!(true) && text.contains("nothing new"),
            "{text}"
        );
        let (holds, json, _) = with(|row| row.crashes = 1);
        assert!(holds == Status::Failed && json["nothing_new"] == json!(false));
        let (holds, json, text) = with(|row| row.judged = 0);
        assert!(holds == Status::Failed && text.contains("none of its inputs reached the judge"), "{text}");
        assert_eq!(json["problem"], json!("none of its inputs reached the judge"));
        let read: Row = serde_json::from_value(json).unwrap();
        assert!(read.finished && read.judged == 0, "to run it again would not help");
        let (holds, json, text) = with(|row| {
            (row.finished, row.crashes) = (false, 1);
            row.note::<()>(Err(Failure::harness("no room")));
            row.note(Ok(0));
            row.note::<()>(Err(Failure::harness("no memory")));
        });
        assert_eq!((holds, &json["problem"]), (Status::Broke, &json!("no room; no memory")));
        assert!(text.contains("no room; no memory"), "{text}");
        assert!(
            row().is_over("abc") && !row().is_over("abd") && !Row { finished: false, ..row() }.is_over("abc")
        );
        let (holds, _, _) = with(|row| row.finished = false);
        assert_eq!(holds, Status::Held, "one that was interrupted");
    }
}
