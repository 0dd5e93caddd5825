//! `assay-lab mutants`: plants known faults and shows that the harness catches them.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use assay_isa::shown::plural;
use assay_mutation::{Layer, Mutant, MutationRun, Plant, sum_up};
use assay_records::commands::mutants::{
    FamilyScore, MissedFault, MutantStatus, MutationReport, ShownFamily, ShownFaultsOutput,
};
use assay_runner::cases::planted::shown_faults;
use assay_runner::selection::select;
use clap::{Args, Subcommand};

use crate::schema::print_output;
use assay_cli::context::Context;
use assay_cli::count::{parse_count, parse_seed};
use assay_cli::failure::{ExitStatus, Failure};
use assay_cli::implementations::SubjectName;
use assay_cli::interrupt::STOP;
use assay_cli::output;
use assay_cli::program::RunCommand;
use assay_cli::progress::Progress;

/// List planted faults, or check that each is caught.
#[derive(Subcommand)]
pub enum Mutants {
    /// List the faults.
    List(Selection),
    /// Plant each fault and show which check catches it.
    Run(MutantsRun),
    /// Plant each fault of the model and show which faults the recorded cases miss.
    Vectors(MutantsVectors),
}

/// Selects faults.
#[derive(Args)]
pub struct Selection {
    /// Names of faults, or patterns such as 'ffma-*'. The default is all faults.
    names: Vec<String>,
    /// Only these families, such as rounding. The report of `mutants run` names all families.
    #[arg(long, value_name = "FAMILY", num_args = 1..)]
    family: Vec<String>,
    /// Only these optypes, such as FFMA or 'U*'.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
}

/// Plant each fault, and report which check catches it.
///
/// A fault is caught if a case fails with the fault, and passes without it. If no contract catches
/// a fault, the results of the faulty model are compared with the results of the sound model bit by
/// bit. A fault that only this comparison shows counts as within the contract. Some faults of MUFU
/// are of this kind.
///
/// Exit status 1 means that no check caught some fault that is not proved equivalent, or that a
/// check caught a fault that is listed as equivalent. Exit status 2 means that the sound model
/// diverged.
#[derive(Args)]
pub struct MutantsRun {
    #[command(flatten)]
    selection: Selection,
    /// Maximum number of cases for each fault.
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = parse_count)]
    cases: u64,
    /// Seed of the generator.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
}

/// Plant each fault of the model, and list the faults that make no recorded case fail.
///
/// A campaign finds each fault, but continuous integration often runs only the recorded cases. The
/// command leaves out faults that are proved equivalent. It also leaves out faults of the encoder,
/// printer, parser and lanes, because single cases cannot show them.
///
/// Exit status 1 means that the recorded cases miss a fault.
#[derive(Args)]
pub struct MutantsVectors {
    #[command(flatten)]
    selection: Selection,
    /// Files or folders of recorded cases. The default is the cases that this program contains.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    vectors: Vec<PathBuf>,
}

impl RunCommand for Mutants {
    const SAVES: bool = true;

    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            Mutants::List(selection) => list(context, selection.mutants()?),
            Mutants::Run(run) => run.run(context),
            Mutants::Vectors(vectors) => vectors.run(context),
        }
    }
}

fn list(context: &Context, mutants: Vec<Mutant>) -> Result<ExitStatus, Failure> {
    if context.json {
        print_output(&mutants)?;
    } else {
        let line = |m: &Mutant| format!("{:<44} {:<16} {}\n", m.name, m.family, m.about);
        let number = plural(mutants.len(), "fault", "faults");
        output::print(&(mutants.iter().map(line).collect::<String>() + &format!("{number}\n")))?;
    }
    Ok(ExitStatus::Held)
}

impl Selection {
    fn mutants(&self) -> Result<Vec<Mutant>, Failure> {
        let Selection { names, family, only } = self;
        let selection = assay_mutation::Selection { names, families: family, optypes: only };
        selection.mutants().map_err(|error| Failure::input(error.to_string()))
    }
}

impl MutantsRun {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let started = Instant::now();
        let mutants = self.selection.mutants()?;
        let setup = context.setup(&SubjectName::MODEL, None);
        let compared = setup.compared();
        let scope = select(&compared, &[])?.scope;
        let shown = Mutex::new(Progress::new("faults", Some(mutants.len() as u64)));
        let progress = |done| {
            if let Ok(mut shown) = shown.lock() {
                shown.at(done, 0);
            }
        };
        let (seed, cases) = (self.seed, self.cases);
        let run =
            MutationRun { setup: compared, scope: &scope, seed, cases, stop: &STOP, progress: &progress };
        let outcomes = run.run(&mutants).map_err(|error| Failure::input(error.to_string()))?;
        if let Ok(shown) = shown.into_inner() {
            shown.finish();
        }
        let Some(outcomes) = outcomes else { return Ok(ExitStatus::Interrupted) };
        let report = sum_up(&mutants, &outcomes, started.elapsed().as_secs_f64());
        if context.json {
            print_output(&report)?
        } else {
            output::print(&text(&report, &mutants))?
        }
        Ok(ExitStatus::of(report.holds()))
    }
}

impl MutantsVectors {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let mutants = self.selection.mutants()?;
        let of_model = mutants.iter().filter_map(|mutant| match mutant.plant {
            Plant::Model(fault) if mutant.equivalent.is_none() => Some((mutant, fault)),
            _ => None,
        });
        let (mutants, faults): (Vec<&Mutant>, Vec<_>) = of_model.unzip();
        if faults.is_empty() {
            return Err(Failure::input("the selection leaves no fault that recorded cases can show"));
        }
        let shown = shown_faults(context, &self.vectors, &faults)?;
        let mut families: Vec<ShownFamily> = Vec::new();
        let mut missed = Vec::new();
        for (mutant, shown) in mutants.iter().zip(&shown) {
            let (layer, family) = (mutant.layer.name(), mutant.family);
            let known = families.iter().position(|one| one.layer == layer && one.family == family);
            let place = known.unwrap_or_else(|| {
                let (layer, family) = (layer.to_owned(), family.to_owned());
                families.push(ShownFamily { layer, family, faults: 0, shown: 0 });
                families.len() - 1
            });
            families[place].faults += 1;
            families[place].shown += u64::from(shown.failed > 0);
            if shown.failed == 0 {
                missed.push(MissedFault {
                    name: mutant.name.clone(),
                    optype: mutant.optype.to_owned(),
                    layer: layer.to_owned(),
                    family: family.to_owned(),
                    about: mutant.about.clone(),
                    cases: shown.cases,
                });
            }
        }
        families.sort_by(|a, b| b.layer.cmp(&a.layer));
        let faults = faults.len() as u64;
        let output = ShownFaultsOutput { faults, shown: faults - missed.len() as u64, families, missed };
        if context.json {
            print_output(&output)?
        } else {
            output::print(&missed_text(&output))?
        }
        Ok(ExitStatus::of(output.missed.is_empty()))
    }
}

/// Returns a table of the families, and of the missed faults of the layer `semantics`. Only JSON
/// lists the missed faults of decoders, because there are many.
fn missed_text(output: &ShownFaultsOutput) -> String {
    let mut page = format!("{:<28} {:>7} {:>7}\n", "family", "faults", "shown");
    for ShownFamily { layer, family, faults, shown } in &output.families {
        page += &format!("{:<28} {faults:>7} {shown:>7}\n", format!("{layer} {family}"));
    }
    for fault in output.missed.iter().filter(|fault| fault.layer == Layer::Semantics.name()) {
        let cases = plural(fault.cases, "case", "cases");
        page += &format!("MISSED {} ({cases} of {}): {}\n", fault.name, fault.optype, fault.about);
    }
    page + &format!(
        "recorded cases show {} of {}; --format json lists all that they miss\n",
        output.shown,
        plural(output.faults, "fault", "faults")
    )
}

/// Returns the report as text for people.
fn text(report: &MutationReport, mutants: &[Mutant]) -> String {
    let head = ["faults", "by contract", "bit for bit", "within", "equivalent", "left"];
    let mut page = String::new();
    let mut above = None;
    for family in &report.families {
        if above.replace(&family.layer) != Some(&family.layer) {
            page += &format!("{:<18}", family.layer);
            head.iter().for_each(|name| page += &format!(" {name:>11}"));
            page += &format!(" {:>10} {:>10}   checks\n", "median", "slowest");
        }
        page += &row(family);
    }
    for (score, mutant) in report.mutants.iter().zip(mutants) {
        match score.status {
            MutantStatus::Survived => page += &format!("SURVIVED {}: {}\n", mutant.name, mutant.about),
            MutantStatus::Disproved => {
                page +=
                    &format!("CAUGHT, although listed as equivalent: {}: {}\n", mutant.name, mutant.about);
            }
            _ => {}
        }
    }
    let left = match report.survivors.len() {
        0 => "no fault is left".to_owned(),
        left => plural(left, "fault is left", "faults are left"),
    };
    page + &format!("{left}; {:.1} s\n", report.seconds)
}

fn row(family: &FamilyScore) -> String {
    let FamilyScore { faults, killed, killed_bit_exact, within_contract, equivalent, survivors, .. } = family;
    let mut line = format!("{:<18}", format!("  {}", family.family));
    for number in [faults, killed, killed_bit_exact, within_contract, equivalent, survivors] {
        line += &format!(" {number:>11}");
    }
    let mut checks: Vec<(usize, &str)> =
        family.checks.iter().map(|(check, count)| (*count, check.as_str())).collect();
    checks.sort_by_key(|(count, check)| (std::cmp::Reverse(*count), *check));
    let checks: Vec<String> = checks.iter().map(|(count, check)| format!("{check} {count}")).collect();
    let (median, most) = (family.seconds_to_kill.median * 1e3, family.seconds_to_kill.max * 1e3);
    line + &format!(" {median:>7.2} ms {most:>7.0} ms   {}\n", checks.join(", "))
}
