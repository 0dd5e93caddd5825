//! `assay-lab errata discover`: finds cases that distinguish the settings of a switch, without use
//! of the known witnesses.

use assay_engine::triage::shrink::Shrunk;
use assay_isa::asm;
use assay_records::commands::ByName;
use assay_records::commands::errata::{DiscoverOutput, DiscoveredCase, PairOutput};
use assay_runner::errata::discover::{Pair, TellingCase, discover};
use clap::Args;

use crate::schema::print_output;
use assay_cli::commands::errata::Source;
use assay_cli::context::Context;
use assay_cli::failure::{ExitStatus, Failure};
use assay_cli::output;

/// Find cases in which the model gives different results under two settings of a reading.
///
/// The command draws cases as `assay fuzz` does. For each pair of settings, it shrinks and prints
/// the first case whose results differ. Beside this case, it prints the name of the first recorded
/// witness of the erratum, and the number of other witnesses. All other readings are those of
/// --profile. If no case differs under them, the command searches again under the readings of
/// `literal`.
///
/// Exit status 1 means that for some pair of settings, the command found no such case.
#[derive(Args)]
pub struct Discover {
    /// Errata such as E053, and conventions such as C001. The default is all that have a switch.
    errata: Vec<String>,
    /// Maximum number of cases for one comparison of two settings. The command makes up to four
    /// such comparisons for each pair of settings.
    #[arg(long, value_name = "N", default_value_t = 4_000_000)]
    cases: u64,
    #[command(flatten)]
    source: Source,
}

impl Discover {
    /// Runs the command.
    pub(crate) fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let known = self.source.witnesses(context)?;
        let (pairs, silent) = discover(context, &self.errata, self.cases, &known)?;
        if context.json {
            print_output(&DiscoverOutput {
                pairs: pairs.iter().map(pair_output).collect(),
                no_executable_literal_reading: silent,
            })?;
        } else {
            output::print(&page(&pairs, &silent))?;
        }
        Ok(ExitStatus::of(pairs.iter().all(|pair| pair.found.is_some())))
    }
}

fn inputs(small: &Shrunk) -> String {
    let inputs = small.batch.lane(0).map(|(location, value)| {
        if location.is_predicate() {
            format!("{location}={}", value != 0)
        } else {
            format!("{location}={value:#x}")
        }
    });
    inputs.collect::<Vec<_>>().join(" ")
}

fn pair_output(pair: &Pair) -> PairOutput {
    let found = pair.found.as_ref().map(|TellingCase { case: small, undefined, profile }| DiscoveredCase {
        asm: asm::print(&small.instruction),
        inputs: ByName::bits(&small.batch),
        undefined_under: *undefined,
        profile: profile.clone(),
    });
    let (low, high) = pair.settings;
    let erratum = pair.switch.erratum.to_string();
    PairOutput { erratum, settings: [low, high], found, known: pair.known.clone() }
}

fn line(pair: &Pair) -> String {
    let (low, high) = pair.settings;
    let found = match &pair.found {
        None => "NOT FOUND".to_owned(),
        Some(TellingCase { case: small, undefined, profile }) => {
            let base = if profile == "literal" { "  (other readings: literal)" } else { "" };
            let open = undefined.map_or(String::new(), |setting| format!("  (undefined under {setting})"));
            format!("{}  {}{open}{base}", asm::print(&small.instruction), inputs(small))
        }
    };
    let known =
        pair.known.first().map_or("none".into(), |name| format!("{name} and {} more", pair.known.len() - 1));
    format!("{}  {low} / {high}  {found}\n             known: {known}\n", pair.switch.erratum)
}

fn page(pairs: &[Pair], silent: &[String]) -> String {
    let found = pairs.iter().filter(|pair| pair.found.is_some()).count();
    let lines: String = pairs.iter().map(line).collect();
    format!(
        "{lines}{} pairs of settings: {found} distinguished\nno executable literal reading where one is needed: {}\n",
        pairs.len(),
        if silent.is_empty() { "none".into() } else { silent.join(" ") }
    )
}
