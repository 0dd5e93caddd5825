//! The data of a page: a result, its `run.json`, its findings, and answers of built-in
//! implementations.

use std::collections::BTreeMap;

use assay_isa::{Erratum, Location};
use assay_records::RunResult;
use assay_records::run_info::RunInfo;
use assay_vectors::Case;

/// A run as a report shows it.
#[derive(Clone, Debug)]
pub struct ReportedRun {
    /// Path of the result, as it is shown to the reader.
    pub path: String,
    /// The result.
    pub outcome: RunResult,
    /// The contents of `run.json`; empty if the result has none.
    pub info: RunInfo,
    /// The findings of the run.
    pub findings: FindingFiles,
    /// The first divergence of each form or function that diverged. These are kept because several
    /// forms can share one finding, whose smallest case belongs to only one form.
    pub firsts: BTreeMap<String, ReportedFinding>,
}

/// The files of the findings of a run.
#[derive(Clone, Debug)]
pub enum FindingFiles {
    /// The folder was read. The value has its findings.
    Read(Vec<ReportedFinding>),
    /// There is no folder of findings. The value is the expected path.
    Missing(String),
    /// The folder cannot be read. The value is the reason.
    Unreadable(String),
}

/// A finding of a run, with the answers of the built-in implementations to its case.
#[derive(Clone, Debug)]
pub struct ReportedFinding {
    /// The smallest case of the finding.
    pub case: Case,
    /// Path of the finding's file, as it is shown to the reader.
    pub file: String,
    /// Path of the finding's file, relative to the page. `None` if the page is not stored as a
    /// file.
    pub link: Option<String>,
    /// The command that replays the case.
    pub replay: String,
    /// The answers of the implementations. Empty if none was executed.
    pub answers: Vec<ReportedAnswer>,
    /// Settings of errata. Under each setting alone, the subject's result is right.
    pub right_under: Vec<(Erratum, u8)>,
}

/// The answer of an implementation to the case of a finding.
#[derive(Clone, Debug)]
pub struct ReportedAnswer {
    /// Name of the implementation.
    pub implementation: String,
    /// The values that the implementation writes.
    pub writes: Vec<(Location, u32)>,
    /// The result with which the implementation agrees.
    pub side: Side,
}

/// The result with which an implementation agrees in a divergence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The implementation is the oracle, which defines the expected result.
    Oracle,
    /// The implementation's result is right.
    Expected,
    /// The implementation's result equals the subject's result.
    Subject,
    /// The implementation's result is wrong, and differs from the subject's result.
    Neither,
    /// The implementation does not support the instruction, or the specification leaves the result
    /// open.
    Silent,
}

impl ReportedRun {
    /// Returns a run that has only a result, without `run.json` and findings.
    pub fn bare(path: impl Into<String>, outcome: RunResult) -> ReportedRun {
        let path = path.into();
        let findings = FindingFiles::Missing(path.clone());
        ReportedRun { path, outcome, info: RunInfo::default(), findings, firsts: BTreeMap::new() }
    }

    /// Returns the findings, if they were read.
    pub fn found(&self) -> &[ReportedFinding] {
        match &self.findings {
            FindingFiles::Read(list) => list,
            FindingFiles::Missing(_) | FindingFiles::Unreadable(_) => &[],
        }
    }
}

impl ReportedFinding {
    /// Returns a finding without answers of implementations.
    pub fn bare(case: Case, file: String, replay: String) -> ReportedFinding {
        ReportedFinding { case, file, link: None, replay, answers: Vec::new(), right_under: Vec::new() }
    }

    /// Returns the number of divergences that belong to the finding; 0 if they were not counted.
    pub fn cases(&self) -> u64 {
        self.case.finding.as_ref().and_then(|finding| finding.cases).unwrap_or(0)
    }
}
