//! Writes cases of a trace as YAML vectors, to keep a small set of them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_engine::compare::comparator::Comparator;
use assay_engine::compare::judge::{Verdict, Verdicts, judge};
use assay_hardware::trace::{Header, Reader, Run};
use assay_isa::asm;
use assay_records::commands::traces::TraceVectorsOutput;
use assay_vectors::{Allowed, Case, Expected, Origin, Provenance, Suite, discover, write_suite};

use crate::cases::check::{CheckResult, hold};
use crate::context::Context;
use crate::error::RunError;
use crate::folder::make_folder;
use crate::selection::selector;
use crate::subjects::trace_file::device;
use crate::subjects::{SubjectName, own_implementation};

/// A trace to make vectors of.
#[derive(Clone, Debug)]
pub struct TraceVectorsRequest {
    /// The trace.
    pub trace: PathBuf,
    /// Folder for the suites, with one file for each optype.
    pub out: PathBuf,
    /// Patterns of optypes, forms or functions. Empty selects everything.
    pub only: Vec<String>,
    /// Greatest number of cases of a function. The first cases in the trace are taken.
    pub limit: u32,
    /// Whether existing suites are replaced.
    pub overwrite: bool,
}

impl TraceVectorsRequest {
    /// Judges every row, and writes the rows that pass as cases. The profile is sm90 unless the
    /// user named another.
    pub fn make(&self, context: &Context) -> Result<TraceVectorsOutput, RunError> {
        let context = &context.under("sm90")?;
        let reader = Reader::open(&self.trace)?;
        if let Some(implementation) = own_implementation(reader.header()) {
            return Err(RunError::input(format!(
                "{}: {implementation}; no vector of it is hardware's",
                self.trace.display()
            )));
        }
        self.refuse_other_traces(reader.header())?;
        let is_wanted = selector(&self.only)?;
        let setup = context.setup(&SubjectName::MODEL, None);
        let mut making = SuitesInProgress {
            context,
            header: reader.header(),
            comparator: Comparator::new(&setup.compared()),
            suites: BTreeMap::new(),
            taken: BTreeMap::new(),
            output: TraceVectorsOutput::default(),
        };
        // All rows are read before a suite is written, because the hash of the trace is checked
        // last.
        reader.read(&context.numbers, |runs| -> Result<(), RunError> {
            let mut wanted = runs.iter().filter(|run| is_wanted(&run.instruction));
            wanted.try_for_each(|run| making.take(run, self.limit))
        })?;
        let paths = self.write(making.suites)?;
        let profile = context.profile_name.clone();
        Ok(TraceVectorsOutput { suites: paths, profile, ..making.output })
    }

    /// Refuses a folder that has cases of another origin than this trace.
    fn refuse_other_traces(&self, header: &Header) -> Result<(), RunError> {
        if !self.out.is_dir() {
            return Ok(());
        }
        let ours = Some(reference(header));
        let is_other = |suite: &Suite| {
            suite.cases.iter().any(|case| case.provenance.as_ref().and_then(|p| p.reference.clone()) != ours)
        };
        match discover(&self.out)?.into_iter().find(|(_, suite)| is_other(suite)) {
            Some((path, _)) => Err(RunError::input(format!(
                "{} has cases that are not of this trace; choose another --out, or remove them",
                path.display()
            ))),
            None => Ok(()),
        }
    }

    /// Writes the suites. Writes none if one of the files exists and must not be replaced.
    fn write(&self, suites: BTreeMap<&'static str, Suite>) -> Result<Vec<PathBuf>, RunError> {
        let path = |optype: &str| self.out.join(format!("{}.yaml", optype.to_lowercase()));
        let there = suites.keys().map(|optype| path(optype)).find(|path| path.exists() && !self.overwrite);
        if let Some(there) = there {
            return Err(RunError::input(format!("{} is there already; use --overwrite", there.display())));
        }
        make_folder(&self.out)?;
        let mut paths = Vec::new();
        for (optype, suite) in suites {
            write_suite(&path(optype), &suite)?;
            paths.push(path(optype));
        }
        Ok(paths)
    }
}

/// Returns the reference in the provenance of the trace's cases.
fn reference(header: &Header) -> String {
    format!("trace {}", header.hash)
}

/// The suites that are being made from a trace.
struct SuitesInProgress<'a> {
    context: &'a Context,
    header: &'a Header,
    /// Compares the model with the oracle.
    comparator: Comparator,
    suites: BTreeMap<&'static str, Suite>,
    /// Number of cases made for each function.
    taken: BTreeMap<String, u32>,
    output: TraceVectorsOutput,
}

impl SuitesInProgress<'_> {
    /// Judges rows of one instruction, and makes cases of the rows that pass.
    fn take(&mut self, run: &Run, limit: u32) -> Result<(), RunError> {
        let Run { instruction, batch, effects, .. } = run;
        let contract = self.context.profile.contract_for(instruction);
        let outcome = self.comparator.judge_recorded(&contract, instruction, batch, effects)?;
        let Some(judged) = outcome.judged() else {
            self.output.unsupported += batch.len() as u64;
            return Ok(());
        };
        let recorded: Vec<Verdict> = (0..batch.len()).map(|lane| judged.verdicts.of(lane)).collect();
        let mut model = Verdicts::default();
        let model_knows = self.comparator.answer(batch)?.is_some();
        if model_knows {
            // The truth for the recorded effects is judged again, now with the effects of the
            // model.
            let last = self.comparator.last_judged();
            judge(&contract, instruction, last.truths, last.effects, &mut model);
        }
        for (lane, verdict) in recorded.into_iter().enumerate() {
            let row = || format!("row {}, {}", run.first + lane as u64, asm::print(instruction));
            match verdict {
                Verdict::Undefined(_) => self.output.undefined += 1,
                Verdict::Unjudged(_) => self.output.unjudged += 1,
                Verdict::Unsupported => self.output.unsupported += 1,
                Verdict::Diverged(divergence) => {
                    self.output.refused.push(format!("{}: {}", row(), divergence.kind.name()));
                }
                Verdict::Exact | Verdict::Within(_) if self.is_full(run, limit) => {
                    self.output.beyond_limit += 1
                }
                Verdict::Exact | Verdict::Within(_) => {
                    let other = model_knows && model.of(lane).holds();
                    let case = self.case(run, lane, other);
                    match hold(self.context, &self.context.profile, &case, SubjectName::MODEL)?.held {
                        CheckResult::Yes => self.keep(run, case),
                        CheckResult::No(problem) => self.output.model.push(format!("{}: {problem}", row())),
                        // The recorded value has a bound, but another allowed value of the case has
                        // none.
                        CheckResult::Unjudged => self.output.unjudged += 1,
                        CheckResult::Unsupported | CheckResult::NothingExpected => {
                            self.output.unsupported += 1
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn is_full(&self, run: &Run, limit: u32) -> bool {
        self.taken.get(&run.instruction.function()) == Some(&limit)
    }

    /// Makes a case that expects the effect of the device. If `holds`, the case also allows the
    /// effect of the model.
    fn case(&self, run: &Run, lane: usize, holds: bool) -> Case {
        let Run { instruction, batch, effects, .. } = run;
        let model = |location| self.comparator.last_judged().effects.value(location, lane).filter(|_| holds);
        let mut expected = BTreeMap::new();
        let mut departs = Vec::new();
        for (location, value) in effects.lane(lane) {
            let other = model(location).filter(|other| *other != value);
            departs.extend(other.map(|_| format!("the device wrote {value:#010x} to {location}")));
            expected
                .extend(Allowed::any(other.into_iter().chain([value])).map(|allowed| (location, allowed)));
        }
        let nth = self.taken.get(&instruction.function()).copied().unwrap_or_default() + 1;
        let provenance = Provenance {
            reference: Some(reference(self.header)),
            detail: (!departs.is_empty()).then(|| departs.join(", ")),
            ..Provenance::new(Origin::Hardware)
        };
        Case {
            name: format!("{}-{nth:04}", instruction.function()).to_lowercase(),
            readings: self.context.overrides.clone(),
            event: effects.event_of(lane).copied(),
            expect: Some(Expected(expected)),
            provenance: Some(provenance),
            ..Case::from_lane(instruction, batch, lane)
        }
    }

    fn keep(&mut self, run: &Run, case: Case) {
        self.output.written += 1;
        *self.taken.entry(run.instruction.function()).or_default() += 1;
        let optype = run.instruction.optype();
        let device = device(self.header);
        let suite = self.suites.entry(optype).or_insert_with(|| Suite {
            version: assay_vectors::VERSION,
            suite: format!("{}-hardware", optype.to_lowercase()),
            about: format!("{optype} as {device} did it"),
            profile: Some(self.context.profile_name.clone()),
            cases: Vec::new(),
        });
        suite.cases.push(case);
    }
}
