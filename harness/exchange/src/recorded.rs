//! Recorded cases as the source of a stream.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_isa::similar::did_you_mean;
use assay_isa::{Batch, Instruction, asm};
use assay_runner::cases::suites::{SuiteFile, suites};
use assay_runner::selection::selector;
use assay_runner::{Context, RunError};
use assay_vectors::Case;

/// Greatest number of instructions that an error names.
const SHOWN: usize = 8;

/// Cases of suites, each as a batch of one lane.
pub struct Recorded {
    /// The cases.
    pub cases: Vec<(Instruction, Batch)>,
    /// Number of cases that were left out: they need other readings, are skipped, or belong to a
    /// batch.
    pub left_out: u64,
}

impl Recorded {
    /// Reads suites, given by the name of a built-in suite, by file or by folder. `only` selects
    /// cases by patterns, and `one` by instruction.
    ///
    /// # Errors
    ///
    /// There is no such suite, or no case is left after the selection.
    pub fn read(
        context: &Context,
        names: &[String],
        only: &[String],
        one: Option<&Instruction>,
    ) -> Result<Recorded, RunError> {
        let is_selected = selector(only)?;
        let mut recorded = Recorded { cases: Vec::new(), left_out: 0 };
        let mut others: BTreeMap<String, u64> = BTreeMap::new();
        for name in names {
            for file in named(name)? {
                let is_of_profile = is_in_force(context, &file);
                for case in &file.suite.cases {
                    let (instruction, batch) = case.batch(&context.numbers)?;
                    if !is_selected(&instruction) {
                        continue;
                    }
                    if one.is_some_and(|one| *one != instruction) {
                        *others.entry(asm::print(&instruction)).or_default() += 1;
                        continue;
                    }
                    if is_of_profile && is_plain(context, case) {
                        recorded.cases.push((instruction, batch))
                    } else {
                        recorded.left_out += 1
                    }
                }
            }
        }
        if recorded.cases.is_empty() {
            let some = most_frequent(&others);
            let remedy = if some.is_empty() {
                "each is of other readings, skipped, or not selected".to_owned()
            } else {
                format!("there are {some}")
            };
            return Err(RunError::input(format!("--suite {}: no case is left; {remedy}", names.join(" "))));
        }
        Ok(recorded)
    }

    /// Returns the single instruction of all cases, for a form that has one instruction per file.
    ///
    /// # Errors
    ///
    /// The cases have several instructions.
    pub fn instruction(&self, form: &str) -> Result<&Instruction, RunError> {
        let mut texts: BTreeMap<String, u64> = BTreeMap::new();
        self.cases
            .iter()
            .for_each(|(instruction, _)| *texts.entry(asm::print(instruction)).or_default() += 1);
        match (self.cases.first(), texts.len()) {
            (Some((instruction, _)), 1) => Ok(instruction),
            _ => Err(RunError::input(format!(
                "--as {form} has one instruction a file; choose one with --instruction: {}",
                most_frequent(&texts)
            ))),
        }
    }
}

/// Returns the suites of a file, of a folder, or of a built-in name.
fn named(name: &str) -> Result<Vec<SuiteFile>, RunError> {
    let path = PathBuf::from(name);
    if path.exists() {
        return suites(&[path]);
    }
    let carried = SuiteFile::carried()?;
    let known: Vec<String> = carried.iter().map(|file| file.suite.suite.clone()).collect();
    let found: Vec<SuiteFile> =
        carried.into_iter().filter(|file| file.suite.suite.eq_ignore_ascii_case(name)).collect();
    if found.is_empty() {
        let all = format!("name a file, a folder or one of: {}", known.join(" "));
        let remedy = did_you_mean(name, known.iter().map(String::as_str), &all);
        return Err(RunError::input(format!("--suite {name}: there is no such suite; {remedy}")));
    }
    Ok(found)
}

/// Whether the profile of a suite is the current one.
fn is_in_force(context: &Context, file: &SuiteFile) -> bool {
    file.suite.profile.as_deref().unwrap_or("intended") == context.profile_name
}

/// Whether a case can be used: it needs no other readings, is not skipped, and does not belong to a
/// batch.
fn is_plain(context: &Context, case: &Case) -> bool {
    let in_force: BTreeMap<_, _> = context.profile.readings.iter().collect();
    let is_of_readings =
        case.readings.iter().all(|(erratum, setting)| in_force.get(erratum) == Some(setting));
    case.skip.is_none() && case.batch.is_none() && is_of_readings
}

/// Returns a text with the [`SHOWN`] most frequent instructions and their numbers of cases, and
/// with the number of further instructions.
fn most_frequent(texts: &BTreeMap<String, u64>) -> String {
    let mut list: Vec<(&String, &u64)> = texts.iter().collect();
    list.sort_by_key(|(text, cases)| (std::cmp::Reverse(**cases), text.as_str()));
    let more = list.len().saturating_sub(SHOWN);
    let shown: Vec<String> =
        list.iter().take(SHOWN).map(|(text, cases)| format!("'{text}' ({cases} cases)")).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &more
}
