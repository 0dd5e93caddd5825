//! Generates small suites from the rows of the instruction tables. The oracle gives the
//! expectations.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::compare::judge::allowed::Expectation;
use assay_engine::coverage::minimal_suite::{MinimalSuite, minimal_suite};
use assay_engine::coverage::{Bin, Bins, Coverage, Topic};
use assay_engine::operands::operand_words::{OperandWord, operand_words};
use assay_isa::{Batch, Instruction, asm, catalog};
use assay_records::commands::vectors::GeneratedSuite;
use assay_vectors::{Case, Expected, Origin, Provenance, Suite, write_suite};

use super::check::{CheckResult, hold};
use super::suites::SuiteFile;
use crate::context::Context;
use crate::error::RunError;
use crate::folder::make_folder;
use crate::selection::{select, unknown_optype};
use crate::subjects::{ORACLE, SubjectName};

/// Which cases are known. No case is generated for a coverage bin that a known case hits.
#[derive(Clone, Debug)]
pub enum KnownCases {
    /// No known cases: a case is generated for every bin.
    None,
    /// The cases that the program carries.
    Carried,
    /// The cases in a folder.
    Folder(PathBuf),
}

/// Suites to generate.
#[derive(Clone, Debug)]
pub struct GenerateRequest {
    /// Optypes. Empty selects all.
    pub optypes: Vec<String>,
    /// Folder for the suites, with one file for each optype.
    pub out: PathBuf,
    /// The known cases.
    pub known: KnownCases,
    /// Greatest number of cases in a suite.
    pub limit: usize,
    /// The topic of the bins to cover. `None` selects all topics of a suite.
    pub topic: Option<Topic>,
    /// Whether existing suites are replaced.
    pub overwrite: bool,
}

impl GenerateRequest {
    /// Writes a suite for each optype: a case for every coverage bin that no known case hits.
    pub fn generate(&self, context: &Context) -> Result<Vec<GeneratedSuite>, RunError> {
        let setup = context.setup_of_truth();
        let known = self.known.suites(context)?;
        make_folder(&self.out)?;
        let optypes = self.optypes()?.into_iter();
        optypes.map(|optype| self.suite(context, &setup.compared(), optype, &known)).collect()
    }

    fn optypes(&self) -> Result<Vec<&'static str>, RunError> {
        let all: Vec<&'static str> = catalog().optypes().iter().map(|o| o.name).collect();
        if self.optypes.is_empty() {
            return Ok(all);
        }
        let find = |name: &String| {
            let known = all.iter().copied().find(|optype| optype.eq_ignore_ascii_case(name));
            known.ok_or_else(|| unknown_optype(name))
        };
        self.optypes.iter().map(find).collect()
    }

    fn suite(
        &self,
        context: &Context,
        compared: &Setup<'_>,
        optype: &'static str,
        known: &[SuiteFile],
    ) -> Result<GeneratedSuite, RunError> {
        let kind = self.topic.map_or("generated", Topic::name);
        let path = self.out.join(match self.topic {
            None => format!("{}.yaml", optype.to_lowercase()),
            Some(_) => format!("{}-{kind}.yaml", optype.to_lowercase()),
        });
        if path.exists() && !self.overwrite {
            return Err(RunError::input(format!("{} is there already; use --overwrite", path.display())));
        }
        let scope = select(compared, &[optype.to_owned()])?.scope;
        let bins = Bins::of_suite(&scope, &context.profile.readings);
        let (by_source, before) = cover(context, compared, &bins, optype, known)?;
        let mut settled = before.clone();
        let is_other = |bin: &Bin| self.topic.is_some_and(|topic| topic != bin.topic);
        bins.iter().filter(is_other).for_each(|bin| settled.hit(bin.place));
        let MinimalSuite { cases, diverged, .. } =
            minimal_suite(compared, &scope, &bins, &settled, self.limit)?;
        let mut suite = Suite {
            version: assay_vectors::VERSION,
            suite: format!("{}-{kind}", optype.to_lowercase()),
            about: match self.topic {
                None => format!(
                    "{optype}: a case for every bin of form, modifier and class, derived from the tables"
                ),
                Some(topic) => {
                    format!("{optype}: a case for every bin of the topic {kind}: {}", topic.about())
                }
            },
            profile: Some(context.profile_name.clone()),
            cases: Vec::new(),
        };
        let (mut comparator, mut coverage) = (Comparator::new(compared), before.clone());
        for (instruction, batch) in &cases {
            // A case whose expectation cannot be listed is left out, so its bins are not marked as
            // covered.
            if let Some(case) =
                case(context, compared, &mut comparator, instruction, batch, suite.cases.len())?
            {
                bins.mark(instruction, batch, comparator.last_judged().truths, &mut coverage);
                suite.cases.push(case);
            }
        }
        if !suite.cases.is_empty() {
            write_suite(&path, &suite)?;
        }
        let hit = |coverage: &Coverage| bins.len() - bins.number_missed(coverage);
        Ok(GeneratedSuite {
            optype: optype.to_owned(),
            known: by_source,
            bins: bins.len(),
            covered_by_known: hit(&before),
            covered: hit(&coverage),
            left: bins.missed(&coverage).collect(),
            generated: suite.cases.len(),
            diverged: diverged.iter().map(|(instruction, _)| asm::print(instruction)).collect(),
            too_wide: cases.len() - suite.cases.len(),
            path: (!suite.cases.is_empty()).then_some(path),
        })
    }
}

impl KnownCases {
    /// Returns the suites of known cases whose profile is the current profile.
    fn suites(&self, context: &Context) -> Result<Vec<SuiteFile>, RunError> {
        let mut suites = match self {
            KnownCases::None => Vec::new(),
            KnownCases::Carried => SuiteFile::carried()?,
            KnownCases::Folder(folder) if folder.is_dir() => SuiteFile::discover(folder)?,
            KnownCases::Folder(folder) => {
                let message =
                    "no such folder; name the folder of the known cases with --known, or use --alone";
                return Err(RunError::input(format!("{}: {message}", folder.display())));
            }
        };
        suites.retain(|file| file.suite.profile.as_deref().unwrap_or("intended") == context.profile_name);
        Ok(suites)
    }
}

/// Returns the number of known cases of an optype by their source, and the bins that these cases
/// cover. Leaves out skipped cases, failing cases, cases that set readings, and cases without an
/// expectation.
fn cover(
    context: &Context,
    compared: &Setup<'_>,
    bins: &Bins,
    optype: &str,
    known: &[SuiteFile],
) -> Result<(BTreeMap<String, u64>, Coverage), RunError> {
    let (mut by_source, mut coverage) = (BTreeMap::new(), Coverage::default());
    let mut comparator = Comparator::new(compared);
    for file in known {
        let profile = file.profile(context)?;
        for case in file.suite.cases.iter().filter(|case| case.skip.is_none() && case.readings.is_empty()) {
            let (instruction, batch) = case.batch(&context.numbers)?;
            if instruction.optype() != optype
                || !matches!(
                    hold(context, &profile, case, SubjectName::MODEL)?.held,
                    CheckResult::Yes | CheckResult::Unjudged
                )
            {
                continue;
            }
            let contract = compared.profile.contract_for(&instruction);
            let Some(judged) = comparator.run(&contract, &instruction, &batch)?.judged() else { continue };
            bins.mark(&instruction, &batch, judged.truths, &mut coverage);
            let source =
                case.provenance.as_ref().map_or("none".into(), |p| format!("{:?}", p.source).to_lowercase());
            *by_source.entry(source).or_default() += 1;
        }
    }
    Ok((by_source, coverage))
}

/// Returns a case with the oracle's expectation. `None` if an implementation does not support the
/// instruction, or if the expectation cannot be listed, because a bound allows too many values.
pub fn case(
    context: &Context,
    compared: &Setup<'_>,
    comparator: &mut Comparator,
    instruction: &Instruction,
    batch: &Batch,
    nth: usize,
) -> Result<Option<Case>, RunError> {
    let contract = compared.profile.contract_for(instruction);
    let Some(judged) = comparator.run(&contract, instruction, batch)?.judged() else { return Ok(None) };
    let (expect, event, undefined) = match Expectation::of(&contract, judged.truths, 0) {
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

/// Returns the name of a case from form, modifiers and number, such as `fset_rr.ftz.lt.and-0012`.
fn name(instruction: &Instruction, expect: &Option<Expected>, nth: usize) -> String {
    let mnemonic = asm::mnemonic(instruction);
    let modifiers = mnemonic.split_once('.').map_or(String::new(), |(_, list)| format!(".{list}"));
    let silent = expect.as_ref().is_some_and(|expected| expected.is_empty());
    let suffix = if silent { "-writes-nothing" } else { "" };
    format!("{}{modifiers}-{:04}{suffix}", instruction.form().name, nth + 1).to_lowercase()
}

/// Describes each input by the class of its value.
fn classes(instruction: &Instruction, batch: &Batch) -> Vec<String> {
    let class = |cell: OperandWord| match cell.place.value(batch, 0) {
        Some(bits) => format!("{} is {}", cell.operand, cell.kind.class_name(bits)),
        None => format!("{} without storage", cell.operand),
    };
    operand_words(instruction).map(class).collect()
}
