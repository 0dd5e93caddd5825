//! `assay errata list`: prints two lines for each erratum.

use assay_records::commands::errata::{ErratumOutput, ProfileChoice};
use assay_runner::cases::witness::Witnesses;
use assay_runner::errata::{Filter, profiles};
use assay_vectors::Profile;
use assay_vectors::errata::{Class, Defect, Language, Severity, Text};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::entry::choice;
use super::{Lang, Source};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// List the errata.
///
/// Each erratum has two lines. The lines show the class, the severity, the number of witnesses, the
/// optypes and the title. They also show the setting in each built-in profile, with its evidence.
///
/// Classes: SEM (contradiction), NUM (contradicts mathematics), PSEUDO (defect of the pseudo-code),
/// ENC (encoding), EX (example), GAP (something is missing), AMB (ambiguous), TYPO (wording).
/// Severities: H (changes results), M (affects some modes or the assembler), L (cosmetic).
#[derive(Args)]
pub struct ErrataList {
    /// Only these errata or optypes, such as E053, 'E05?' or FLO. Select an erratum of all optypes
    /// by its number. The default is all errata.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Only errata of these classes, as in --class SEM,NUM.
    #[arg(long, value_name = "CLASS", value_delimiter = ',', value_parser = names(Class::ALL, |c| c.name()))]
    class: Vec<Class>,
    /// Only errata of these severities, as in --severity H,M.
    #[arg(long, value_name = "SEVERITY", value_delimiter = ',', value_parser = names(Severity::ALL, |s| s.name()))]
    severity: Vec<Severity>,
    /// Only errata with a switch, whose readings give different results.
    #[arg(long)]
    executable: bool,
    /// Language of the titles.
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    #[command(flatten)]
    source: Source,
}

/// Returns a parser that reads a value by its name.
fn names<T: Copy + Send + Sync + 'static>(
    values: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.iter().map(|value| name(*value)))
        .map(move |text| *values.iter().find(|value| name(**value) == text).expect("the parser allows these"))
}

impl ErrataList {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let filter = Filter {
            only: &self.only,
            classes: &self.class,
            severities: &self.severity,
            executable: self.executable,
        };
        let (selected, profiles) = (filter.select()?, profiles()?);
        let witnesses = self.source.witnesses(context)?;
        if context.json {
            let rows = selected.iter().map(|defect| erratum_output(defect, &profiles, &witnesses));
            output::print_output(&rows.collect::<Vec<_>>())?;
            return Ok(ExitStatus::Held);
        }
        let mut page = format!("{:<6}{:<10}", "", "class");
        page.extend(profiles.iter().map(|p| format!("{:<13}", p.name)));
        page += "cases  optypes\n";
        let mut cases = 0;
        for defect in &selected {
            let count = witnesses.cases(defect.id).count();
            page += &row(defect, &profiles, count, self.lang.into());
            cases += count;
        }
        let switches: Vec<_> = selected.iter().filter_map(Defect::switch).collect();
        let settings: usize = switches.iter().map(|s| s.settings.len()).sum();
        let (errata, switches) = (selected.len(), switches.len());
        page += &format!("{errata} errata, {switches} switches, {settings} settings, {cases} witnesses\n");
        output::print(&page)?;
        Ok(ExitStatus::Held)
    }
}

/// Width of the column with the names of optypes, in characters.
const OPTYPES: usize = 18;

/// Returns the two lines of an erratum.
fn row(defect: &Defect, profiles: &[Profile], witnesses: usize, language: Language) -> String {
    let mut row =
        format!("{:<6}{:<10}", defect.id.to_string(), format!("{}/{}", defect.class, defect.severity));
    match defect.switch() {
        Some(switch) => {
            for profile in profiles {
                let (setting, basis) = choice(profile, switch);
                row += &format!("{:<13}", format!("{setting} {}", basis.evidence));
            }
        }
        None => {
            let reading = defect.decision().and_then(|decision| decision.reading);
            let taken = reading.map_or("-".to_owned(), |number| format!("{number} under every profile"));
            row += &format!("{taken:<width$}", width = 13 * profiles.len());
        }
    }
    format!("{row}{witnesses:>5}  {}\n{:<6}{}\n", optypes(&defect.optypes), "", defect.title.of(language))
}

/// Returns as many names of optypes as fit in [`OPTYPES`] characters, and the number of omitted
/// names.
fn optypes(names: &[String]) -> String {
    let some = |count: usize| match names.len() - count {
        0 => names.join(" "),
        more => format!("{} +{more}", names[..count].join(" ")),
    };
    let fits = |text: &String| text.len() <= OPTYPES;
    if names.is_empty() {
        "all".to_owned()
    } else {
        (1..=names.len()).rev().map(some).find(fits).unwrap_or_else(|| some(1))
    }
}

/// Returns the JSON output for an erratum. It lists the witnesses by name.
pub fn erratum_output(defect: &Defect, profiles: &[Profile], witnesses: &Witnesses) -> ErratumOutput {
    let switch = defect.switch();
    let taken = |profile: &Profile| {
        let (setting, basis) = choice(profile, switch?);
        let (evidence, note) = (basis.evidence.to_string(), basis.note.clone());
        Some((profile.name.clone(), ProfileChoice { setting, evidence, note }))
    };
    let both = [Language::English, Language::Chinese].map(|language| defect.readings(language));
    let readings = both[0].iter().zip(&both[1]);
    ErratumOutput {
        erratum: defect.id.to_string(),
        class: defect.class,
        severity: defect.severity,
        optypes: defect.optypes.clone(),
        passages: defect.passages.clone(),
        title: defect.title.clone(),
        problem: defect.problem.clone(),
        readings: readings.map(|(en, zh)| Text { en: (*en).to_owned(), zh: (*zh).to_owned() }).collect(),
        basis: defect.basis.clone(),
        consequence: defect.consequence.clone(),
        question: switch.map(|switch| switch.question),
        settings: switch.map_or(Vec::new(), |switch| switch.settings.to_vec()),
        profiles: profiles.iter().filter_map(taken).collect(),
        decision: defect.decision().cloned(),
        witness: defect.witness.clone(),
        witnesses: witnesses.cases(defect.id).map(|case| case.name.clone()).collect(),
        correction: defect.correction.clone(),
        ask: defect.ask.clone(),
    }
}
