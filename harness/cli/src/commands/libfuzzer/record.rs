//! `libfuzzer.json`, and the page.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use assay_engine::result::read_json;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::corpus::Size;
use super::crash::Finding;
use super::target::Target;
use super::toolchain::Sanitizer;
use super::worker::Coverage;
use crate::commands::run_record::rounded;
use crate::failure::Failure;

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
    /// What came of each target.
    pub targets: BTreeMap<Target, Row>,
}

/// What came of a target.
#[derive(Deserialize)]
pub struct Row {
    /// Whether it had all of its time.
    pub finished: bool,
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
#[derive(Clone, Copy, Serialize, Deserialize)]
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
        Record { sanitizer, subject, time, interrupted: false, targets: BTreeMap::new() }
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

    /// Whether no target found anything, and all reached their judges.
    pub fn holds(&self) -> bool {
        self.targets.values().all(|row| row.crashes == 0 && row.judged > 0)
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
            "targets": targets.collect::<serde_json::Map<_, _>>(),
        })
    }
}

impl Row {
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
        if *judged == 0 {
            text += "  none of its inputs reached the judge\n";
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
            finished: true,
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
                record.holds(),
                record.json()["targets"]["document"].clone(),
                record.targets[&Target::Document].text(Target::Document),
            )
        };
        let (holds, json, text) = with(|_| {});
        assert!(holds);
        assert_eq!((&json["wasted"], &json["executions_per_second"]), (&json!(0.01), &json!(2000.0)));
        assert_eq!(json["nothing_new"], json!(false));
        assert!(text.contains("coverage 120 edges, 360 features, before 100 edges"), "{text}");
        let (holds, json, text) = with(|row| row.new_units = 0);
        assert!(holds && json["nothing_new"] == json!(true) && text.contains("nothing new"), "{text}");
        let (holds, json, _) = with(|row| row.crashes = 1);
        assert!(!holds && json["nothing_new"] == json!(false));
        let (holds, _, text) = with(|row| row.judged = 0);
        assert!(!holds && text.contains("none of its inputs reached the judge"), "{text}");
    }
}
