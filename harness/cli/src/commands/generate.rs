//! `assay vectors generate`: small suites derived from the rows, their expectations from the oracle.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assay_engine::compare::judge::allowed::Expectation;
use assay_engine::compare::versus::{Bench, Parties};
use assay_engine::coverage::derive::{Derived, derive};
use assay_engine::coverage::{Bins, Coverage};
use assay_engine::operands::cells::{Cell, cells};
use assay_isa::{Batch, Instruction, asm, catalog};
use assay_vectors::{Case, Expected, Origin, Provenance, Suite, write_suite};
use clap::Args;
use serde_json::{Value, json};

use super::held::{Held, hold};
use super::run_record;
use super::selection::{parties, select};
use super::suites::SuiteFile;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;
use crate::voices::{ORACLE, Voice};

/// Derive a small suite for each optype: a case for every coverage bin that no known case hits.
///
/// Expectations are the oracle's, and a case is written only if the subject agrees: a model's answer alone is
/// never taken for the truth. Cases that are known already, by hand or from the documents, come first: they
/// are not written again, and the summary says what they cover. Under a bound every allowed value is listed.
#[derive(Args)]
pub struct Generate {
    /// Optypes, such as FSET or POPC; all by default.
    optypes: Vec<String>,
    /// Folder for the suites, a file an optype.
    #[arg(long, value_name = "DIR", default_value = "vectors/generated")]
    out: PathBuf,
    /// Folder of the known cases.
    #[arg(long, value_name = "DIR", default_value = "vectors/data")]
    known: PathBuf,
    /// Take no case for known: the suites then cover everything by themselves.
    #[arg(long)]
    alone: bool,
    /// Cases of a suite at most.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Replace suites that are there.
    #[arg(long)]
    overwrite: bool,
}

/// What was done for an optype.
struct Summary {
    optype: &'static str,
    /// Known cases by the kind of their source.
    known: BTreeMap<String, u64>,
    bins: usize,
    covered_before: usize,
    covered: usize,
    /// Names of the bins that no case of either kind hits.
    left: Vec<String>,
    generated: usize,
    /// Instructions on which subject and oracle disagree.
    diverged: Vec<String>,
    /// Cases left out because the bound allows too many values to list.
    too_wide: usize,
    path: PathBuf,
}

impl Generate {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let (subject, oracle) = (|| context.subject(&Voice::Model), || context.truth());
        let parties = parties(context, &subject, &oracle);
        let known = if self.alone { Vec::new() } else { self.known_suites(context)? };
        run_record::make_folder(&self.out)?;
        let mut summaries = Vec::new();
        for optype in self.optypes()? {
            summaries.push(self.generate(context, &parties, optype, &known)?);
        }
        print(context, &summaries)?;
        Ok(Status::of(summaries.iter().all(|s| s.diverged.is_empty())))
    }

    fn optypes(&self) -> Result<Vec<&'static str>, Failure> {
        let all: Vec<&'static str> = catalog().optypes().iter().map(|o| o.name).collect();
        if self.optypes.is_empty() {
            return Ok(all);
        }
        let find = |name: &String| {
            let known = all.iter().copied().find(|optype| optype.eq_ignore_ascii_case(name));
            known.ok_or_else(|| {
                Failure::input(format!("no optype is called {name}; known are {}", all.join(" ")))
            })
        };
        self.optypes.iter().map(find).collect()
    }

    /// The suites of known cases that are for the profile of the run.
    fn known_suites(&self, context: &Context) -> Result<Vec<SuiteFile>, Failure> {
        if !self.known.is_dir() {
            let message = "no such folder; name the folder of the known cases with --known, or use --alone";
            return Err(Failure::input(format!("{}: {message}", self.known.display())));
        }
        let applies =
            |file: &SuiteFile| file.suite.profile.as_deref().unwrap_or("intended") == context.profile_name;
        Ok(SuiteFile::discover(&self.known)?.into_iter().filter(applies).collect())
    }

    fn generate(
        &self,
        context: &Context,
        parties: &Parties<'_>,
        optype: &'static str,
        known: &[SuiteFile],
    ) -> Result<Summary, Failure> {
        let path = self.out.join(format!("{}.yaml", optype.to_lowercase()));
        if path.exists() && !self.overwrite {
            return Err(Failure::input(format!("{} is there already; use --overwrite", path.display())));
        }
        let scope = select(parties, &[optype.to_owned()])?.scope;
        let bins = Bins::of(&scope, &context.profile.readings);
        let (by_source, before) = cover(context, parties, &bins, optype, known)?;
        let Derived { cases, diverged, .. } = derive(parties, &scope, &bins, &before, self.limit as usize)?;
        let mut suite = Suite {
            version: assay_vectors::VERSION,
            suite: format!("{}-generated", optype.to_lowercase()),
            about: format!(
                "{optype}: a case for every bin of form, modifier and class, derived from the tables"
            ),
            profile: Some(context.profile_name.clone()),
            cases: Vec::new(),
        };
        let (mut bench, mut coverage) = (Bench::new(parties), before.clone());
        for (instruction, batch) in &cases {
            // A case that cannot be written down covers nothing.
            if let Some(case) = case(context, parties, &mut bench, instruction, batch, suite.cases.len())? {
                bins.mark(instruction, batch, bench.truths(), &mut coverage);
                suite.cases.push(case);
            }
        }
        if !suite.cases.is_empty() {
            write_suite(&path, &suite)?;
        }
        let hit = |coverage: &Coverage| bins.len() - bins.missed(coverage).count();
        Ok(Summary {
            optype,
            known: by_source,
            bins: bins.len(),
            covered_before: hit(&before),
            covered: hit(&coverage),
            left: bins.missed(&coverage).collect(),
            generated: suite.cases.len(),
            diverged: diverged.iter().map(|(instruction, _)| asm::print(instruction)).collect(),
            too_wide: cases.len() - suite.cases.len(),
            path,
        })
    }
}

/// What the known cases of an optype cover that hold and set no readings of their own, and their number by
/// source. A case that holds nobody to anything, or does not hold itself, covers nothing.
fn cover(
    context: &Context,
    parties: &Parties<'_>,
    bins: &Bins,
    optype: &str,
    known: &[SuiteFile],
) -> Result<(BTreeMap<String, u64>, Coverage), Failure> {
    let (mut by_source, mut coverage) = (BTreeMap::new(), Coverage::default());
    let mut bench = Bench::new(parties);
    for file in known {
        let profile = file.profile(context)?;
        for case in file.suite.cases.iter().filter(|case| case.skip.is_none() && case.readings.is_empty()) {
            let (instruction, batch) = case.batch(&context.numbers)?;
            if instruction.optype() != optype
                || !matches!(hold(context, &profile, case, Voice::Model)?.held, Held::Yes | Held::Unjudged)
            {
                continue;
            }
            bench.run(&parties.profile.contract_for(&instruction), &instruction, &batch)?;
            bins.mark(&instruction, &batch, bench.truths(), &mut coverage);
            let source =
                case.provenance.as_ref().map_or("none".into(), |p| format!("{:?}", p.source).to_lowercase());
            *by_source.entry(source).or_default() += 1;
        }
    }
    Ok((by_source, coverage))
}

/// A derived case with the oracle's expectation; nothing if a bound allows too many values.
fn case(
    context: &Context,
    parties: &Parties<'_>,
    bench: &mut Bench,
    instruction: &Instruction,
    batch: &Batch,
    nth: usize,
) -> Result<Option<Case>, Failure> {
    let contract = parties.profile.contract_for(instruction);
    bench.run(&contract, instruction, batch)?;
    let (expect, event, undefined) = match Expectation::of(&contract, bench.truths(), 0) {
        Expectation::Effect(expected, event) => (Some(expected), event, None),
        Expectation::Undefined(erratum) => (None, None, Some(erratum)),
        Expectation::Unlisted => return Ok(None),
    };
    let detail = classes(instruction, batch).join(", ");
    let provenance = Provenance {
        reference: Some(format!("{ORACLE}, profile {}", context.profile_name)),
        detail: Some(detail),
        ..Provenance::new(Origin::Oracle)
    };
    Ok(Some(Case {
        name: name(instruction, &expect, nth),
        readings: context.overrides.clone(),
        event,
        expect,
        undefined,
        provenance: Some(provenance),
        ..Case::from_lane(instruction, batch, 0)
    }))
}

/// The form with its modifiers and a number: `fset_rr.ftz.lt.and-0012`.
fn name(instruction: &Instruction, expect: &Option<Expected>, nth: usize) -> String {
    let mnemonic = asm::mnemonic(instruction);
    let modifiers = mnemonic.split_once('.').map_or(String::new(), |(_, list)| format!(".{list}"));
    let silent = expect.as_ref().is_some_and(|expected| expected.is_empty());
    let suffix = if silent { "-writes-nothing" } else { "" };
    format!("{}{modifiers}-{:04}{suffix}", instruction.form().name, nth + 1).to_lowercase()
}

/// Each input with the class of its value.
fn classes(instruction: &Instruction, batch: &Batch) -> Vec<String> {
    let class = |cell: Cell| match cell.place.value(batch, 0) {
        Some(bits) => format!("{} is {}", cell.operand, cell.kind.class_name(bits)),
        None => format!("{} without storage", cell.operand),
    };
    cells(instruction).map(class).collect()
}

fn print(context: &Context, summaries: &[Summary]) -> Result<(), Failure> {
    if context.json {
        let rows: Vec<Value> = summaries.iter().map(json).collect();
        return output::print_json(&json!({ "suites": rows }));
    }
    let mut page = String::new();
    for s in summaries {
        let known: u64 = s.known.values().sum();
        let sources: Vec<String> = s.known.iter().map(|(source, n)| format!("{n} {source}")).collect();
        page += &format!(
            "{:<5} {known} known cases ({}) cover {} of {} bins; {} generated cover {} more, {} are left; {}\n",
            s.optype,
            if sources.is_empty() { "-".into() } else { sources.join(", ") },
            s.covered_before,
            s.bins,
            s.generated,
            s.covered - s.covered_before,
            s.left.len(),
            if s.generated > 0 { s.path.display().to_string() } else { "no file".into() },
        );
        if s.too_wide > 0 {
            page += &format!("      {} left out: the bound allows too many values to list\n", s.too_wide);
        }
        for instruction in &s.diverged {
            page += &format!("      NOT WRITTEN, the model and the oracle disagree: {instruction}\n");
        }
    }
    output::print(&page)
}

fn json(s: &Summary) -> Value {
    json!({
        "optype": s.optype,
        "known": s.known,
        "bins": s.bins,
        "covered_by_known": s.covered_before,
        "covered": s.covered,
        "left": s.left,
        "generated": s.generated,
        "too_wide": s.too_wide,
        "diverged": s.diverged,
        "path": if s.generated > 0 { json!(display(&s.path)) } else { Value::Null },
    })
}

fn display(path: &Path) -> String {
    path.display().to_string()
}
