//! What a page is made of: a result with its record, its findings, and the answers of the built-in implementations.

use std::collections::BTreeMap;

use assay_isa::{Erratum, Location};
use assay_records::RunResult;
use assay_records::run_info::RunInfo;
use assay_vectors::Case;

/// A run as a report shows it.
#[derive(Clone, Debug)]
pub struct ReportedRun {
    /// Path of the result, as the reader knows it.
    pub path: String,
    /// The result.
    pub outcome: RunResult,
    /// The record of the run; empty where the result has none.
    pub info: RunInfo,
    /// The findings of the run.
    pub findings: FindingFiles,
    /// The first divergence of each form or function that diverged: several can have one finding, whose smallest case is
    /// of one of them.
    pub firsts: BTreeMap<String, ReportedFinding>,
}

/// The files of the findings of a run.
#[derive(Clone, Debug)]
pub enum FindingFiles {
    /// The folder was read.
    Read(Vec<ReportedFinding>),
    /// There is no folder of findings; where it was looked for.
    Missing(String),
    /// The folder cannot be read; why.
    Unreadable(String),
}

/// A finding of a run, with what the built-in implementations answer to its case.
#[derive(Clone, Debug)]
pub struct ReportedFinding {
    /// The smallest case of the finding.
    pub case: Case,
    /// Path of its file, as the reader knows it.
    pub file: String,
    /// Path of its file, relative to the page. `None` where the page has no place.
    pub link: Option<String>,
    /// The command that shows it again.
    pub replay: String,
    /// The answers of the implementations; empty where the case was not put before them.
    pub answers: Vec<ReportedAnswer>,
    /// The settings of errata, each on its own, under which the subject's result is right.
    pub right_under: Vec<(Erratum, u8)>,
}

/// The answer of an implementation to the case of a finding.
#[derive(Clone, Debug)]
pub struct ReportedAnswer {
    /// Name of the implementation.
    pub implementation: String,
    /// The values that it writes.
    pub writes: Vec<(Location, u32)>,
    /// The side that it takes.
    pub side: Side,
}

/// The side of an implementation in a divergence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It is the oracle, which defines the expected result.
    Oracle,
    /// Its result is right.
    Expected,
    /// It does what the subject did.
    Subject,
    /// It does something else, which is wrong too.
    Neither,
    /// It does not implement the instruction, or the specification leaves the result open.
    Silent,
}

impl ReportedRun {
    /// A result of which nothing else is known.
    pub fn bare(path: impl Into<String>, outcome: RunResult) -> ReportedRun {
        let path = path.into();
        let findings = FindingFiles::Missing(path.clone());
        ReportedRun { path, outcome, info: RunInfo::default(), findings, firsts: BTreeMap::new() }
    }

    /// Its findings, as far as they were read.
    pub fn found(&self) -> &[ReportedFinding] {
        match &self.findings {
            FindingFiles::Read(list) => list,
            FindingFiles::Missing(_) | FindingFiles::Unreadable(_) => &[],
        }
    }
}

impl ReportedFinding {
    /// A finding whose case was not put before other implementations.
    pub fn bare(case: Case, file: String, replay: String) -> ReportedFinding {
        ReportedFinding { case, file, link: None, replay, answers: Vec::new(), right_under: Vec::new() }
    }

    /// Number of divergences that belong to it; 0 where they were not counted.
    pub fn cases(&self) -> u64 {
        self.case.finding.as_ref().and_then(|finding| finding.cases).unwrap_or(0)
    }
}
