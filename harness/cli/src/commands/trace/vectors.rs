//! `assay trace vectors`: cases of a trace as YAML vectors, for what is small and kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use assay_hardware::trace::{Header, Reader, Run};
use assay_isa::{Answer, Batch, Effects, Instruction, Location, Subject, asm};
use assay_vectors::{Allowed, Case, Expected, Origin, Provenance, Suite, write_suite};
use clap::Args;
use serde_json::json;

use crate::commands::fuzz::selector;
use crate::commands::held::{Held, hold};
use crate::commands::judgement::Spoken;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::voices::Voice;

/// Make YAML vectors of what a trace recorded, a suite for each optype.
///
/// A case expects what the device did; where the model does something else and a bound allows both, it expects either. It
/// is written only if the oracle accepts it, under the profile sm90 unless --profile names another: so the suites
/// hold for the device and for the model. Exit status 1 tells that a recorded result was refused.
#[derive(Args)]
pub struct Vectors {
    /// A file that `assay trace capture` wrote.
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// Folder for the suites, a file an optype.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Optypes, forms or functions, such as FFMA, 'FADD_R?' or 'MUFU.RCP.*'; everything by default.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Cases of a function at most: the first in the trace.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Replace suites that are there.
    #[arg(long)]
    overwrite: bool,
}

/// What became of the rows.
#[derive(Default)]
struct Counts {
    written: u64,
    beyond_limit: u64,
    /// The specification leaves open what must come of them.
    undefined: u64,
    unsupported: u64,
    /// Rows that do not hold, and why.
    refused: Vec<String>,
}

impl Vectors {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let context = &context.clone().under("sm90")?;
        let reader = Reader::open(&self.trace)?;
        let is_wanted = selector(&self.only)?;
        let mut making = Making {
            context,
            header: reader.header(),
            model: context.subject(&Voice::Model),
            suites: BTreeMap::new(),
            taken: BTreeMap::new(),
            counts: Counts::default(),
        };
        // All rows are read before a suite is written: the hash is known to be right then.
        let mut problem = None;
        reader.read(&context.numbers, |runs| {
            let wanted = runs.iter().filter(|run| is_wanted(&run.instruction));
            problem = problem.take().or(wanted.map(|run| making.take(run, self.limit)).find_map(Result::err));
        })?;
        match problem {
            Some(failure) => return Err(failure),
            None if making.counts.is_nothing() => {
                return Err(Failure::input(format!("--only selects nothing of {}", self.trace.display())));
            }
            None => {}
        }
        let paths = self.write(making.suites)?;
        making.counts.print(context, &paths)?;
        Ok(Status::of(making.counts.refused.is_empty()))
    }

    /// Writes the suites: all or, if a file is in the way, none.
    fn write(&self, suites: BTreeMap<&'static str, Suite>) -> Result<Vec<PathBuf>, Failure> {
        let path = |optype: &str| self.out.join(format!("{}.yaml", optype.to_lowercase()));
        if let Some(there) =
            suites.keys().map(|optype| path(optype)).find(|path| path.exists() && !self.overwrite)
        {
            return Err(Failure::input(format!("{} is there already; use --overwrite", there.display())));
        }
        std::fs::create_dir_all(&self.out)
            .map_err(|e| Failure::input(format!("{}: {e}; choose another --out", self.out.display())))?;
        let mut paths = Vec::new();
        for (optype, suite) in suites {
            write_suite(&path(optype), &suite)?;
            paths.push(path(optype));
        }
        Ok(paths)
    }
}

/// Suites that are being made of a trace.
struct Making<'a> {
    context: &'a Context,
    header: &'a Header,
    model: Box<dyn Subject>,
    suites: BTreeMap<&'static str, Suite>,
    /// Cases by function.
    taken: BTreeMap<String, u32>,
    counts: Counts,
}

impl Making<'_> {
    /// Takes what rows of one instruction say.
    fn take(&mut self, run: &Run, limit: u32) -> Result<(), Failure> {
        for lane in 0..run.batch.len() {
            let taken = self.taken.entry(run.instruction.function()).or_default();
            if *taken == limit {
                self.counts.beyond_limit += (run.batch.len() - lane) as u64;
                break;
            }
            *taken += 1;
            let nth = *taken;
            self.take_lane(run, lane, nth)?;
        }
        Ok(())
    }

    /// Makes a case of a row, if it holds.
    fn take_lane(&mut self, run: &Run, lane: usize, nth: u32) -> Result<(), Failure> {
        let Run { instruction, batch, effects, .. } = run;
        if effects.undefined().iter().any(|(undefined, _)| *undefined == lane) {
            self.counts.undefined += 1;
            return Ok(());
        }
        let case = self.case(instruction, &batch.single(lane), effects, lane, nth)?;
        let execution = hold(self.context, &self.context.profile, &case, Voice::Model)?;
        let oracle = execution.judgement.answers.last().map(|answer| &answer.spoken);
        match (execution.held, oracle) {
            (_, Some(Spoken::Undefined(_))) => self.counts.undefined += 1,
            (Held::Unsupported | Held::NothingExpected, _) => self.counts.unsupported += 1,
            (Held::No(problem), _) => {
                let row = run.first + lane as u64;
                self.counts.refused.push(format!("row {row}, {}: {problem}", asm::print(instruction)));
            }
            (Held::Yes, _) => {
                self.counts.written += 1;
                self.suite(instruction.optype()).cases.push(case);
            }
        }
        Ok(())
    }

    fn case(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        effects: &Effects,
        lane: usize,
        nth: u32,
    ) -> Result<Case, Failure> {
        let mut model = Effects::default();
        let known = self.model.execute(batch, &mut model)? == Answer::Known;
        let mut expected = BTreeMap::new();
        let mut departs = BTreeSet::new();
        for (location, value) in effects.lane(lane) {
            let other = model.value(location, 0).filter(|other| known && *other != value);
            departs.extend(other.map(|_| location));
            expected
                .extend(Allowed::any(other.into_iter().chain([value])).map(|allowed| (location, allowed)));
        }
        let provenance = Provenance {
            reference: Some(format!("trace {}", self.header.hash)),
            detail: detail(&departs, effects, lane),
            ..Provenance::new(Origin::Hardware)
        };
        Ok(Case {
            name: format!("{}-{nth:04}", instruction.function()).to_lowercase(),
            readings: self.context.overrides.clone(),
            event: effects.event_of(lane).copied(),
            expect: Some(Expected(expected)),
            provenance: Some(provenance),
            ..Case::from_lane(instruction, batch, 0)
        })
    }

    fn suite(&mut self, optype: &'static str) -> &mut Suite {
        let Header { device, driver, .. } = self.header;
        let driver = driver.as_ref().map_or(String::new(), |version| format!(", driver {version}"));
        self.suites.entry(optype).or_insert_with(|| Suite {
            version: assay_vectors::VERSION,
            suite: format!("{}-hardware", optype.to_lowercase()),
            about: format!("{optype} as {device}{driver} did it"),
            profile: Some(self.context.profile_name.clone()),
            cases: Vec::new(),
        })
    }
}

/// What the device wrote where the model writes something else.
fn detail(departs: &BTreeSet<Location>, effects: &Effects, lane: usize) -> Option<String> {
    let wrote = |location: &Location| {
        effects.value(*location, lane).map(|value| format!("the device wrote {value:#010x} to {location}"))
    };
    let all: Vec<String> = departs.iter().filter_map(wrote).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

impl Counts {
    fn is_nothing(&self) -> bool {
        self.written + self.beyond_limit + self.undefined + self.unsupported == 0 && self.refused.is_empty()
    }

    fn print(&self, context: &Context, paths: &[PathBuf]) -> Result<(), Failure> {
        let Counts { written, beyond_limit, undefined, unsupported, refused } = self;
        if context.json {
            return crate::print_json(&json!({
                "written": written, "beyond_limit": beyond_limit, "undefined": undefined,
                "unsupported": unsupported, "refused": refused, "suites": paths,
                "profile": context.profile_name,
            }));
        }
        let mut page: String = refused.iter().map(|row| format!("NOT WRITTEN {row}\n")).collect();
        page += &format!(
            "{written} cases in {} suites; left out: {} refused, {undefined} undefined, {unsupported} unsupported, \
             {beyond_limit} beyond --limit\n",
            paths.len(),
            refused.len(),
        );
        crate::print(&page)
    }
}
