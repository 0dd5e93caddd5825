//! The page of one result.

use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::exhaustive::ExhaustiveStats;
use assay_engine::stats::tally::Counts;
use assay_isa::format::Format;
use assay_isa::shown::plural;
use assay_records::commands::campaign::Remedy;
use assay_records::devices::Role;
use assay_records::{Plan, RunResult, Setting};

use crate::figures::{figures, overview};
use crate::number::{count, share};
use crate::plan::{self, ReadingDeparture};
use crate::reported::ReportedRun;
use crate::value::{bits, decimal};
use crate::{coverage, exhaustive, facts, findings, head, rounding_stats, tested, verdict};
use assay_pages::{Block, Inline, Table, Text, code, note, paragraph, row, section};

/// The text under the accuracy.
pub const ACCURACY: &str = "Errors are in ulp of the unrounded true value. Mean and RMS are of magnitudes, the bias is the signed mean. Correctly rounded and \
    faithful (less than one ulp off) are shares of the measured. A bound holds where the argument lies in its \
    interval, the first that does; the farthest result is measured as the bound is, and where no bound holds as \
    the last one is. A function is computed \
    in the binades in which an error reaches a hundredth of an ulp; elsewhere its result is a limit, or the argument.";

/// The text below the table of how results were judged.
const JUDGED: &str = "Inputs are the cases that had to write a result: measured, special (held, with nothing to \
    measure), or diverged without an error, as a NaN does. Undecided are the results that double precision could not \
    decide about, so that MPFR did.";
/// Greatest number of functions of a sweep whose charts are shown unfolded.
const FEW: usize = 3;
/// Greatest number of rows that all tables of binades of a page have together, for each sign of the
/// argument. With every binade of eight functions a page would have thousands of rows.
const ALL_ROWS: u32 = 1024;
/// Greatest number of rows in one table of binades, for each sign: one for each binade of F32.
const ROWS: u32 = 256;

/// Returns the blocks below the title of a result.
pub fn blocks(run: &ReportedRun) -> Vec<Block> {
    let outcome = &run.outcome;
    let tally = &outcome.tally;
    let functions = tally.accuracy.iter().filter(|(_, accuracy)| accuracy.inputs > 0);
    let rows = (ALL_ROWS / functions.clone().count().max(1) as u32).min(ROWS);
    let functions =
        functions.map(|(name, accuracy)| function(name, accuracy, tally.functions.get(name), rows));
    let mut page = vec![verdict::block(outcome)];
    page.extend(verdict::looser_table(outcome.plan.setting()).map(Block::from));
    page.extend(run.info.otherwise.as_ref().map(remedy));
    page.extend([
        head::cards(run),
        section("Findings", findings::blocks(run)),
        section("What was tested", tested::blocks(outcome)),
        section("What this run cannot show", tested::limits(outcome)),
        section("Coverage", coverage::blocks(run)),
        section("Accuracy", accuracy(outcome)),
        section("Functions", functions_blocks(outcome, functions.collect())),
    ]);
    page.extend([
        section("Rounding", rounding_stats::blocks(outcome)),
        section(
            "Verdicts",
            vec![
                facts::verdict_table(tally).into(),
                facts::agreement_table(tally).into(),
                facts::undefined_table(tally).into(),
            ],
        ),
        section("What was run", what_was_run(run)),
    ]);
    page
}

/// Returns the sections of the functions. They are folded if there are many, and in a campaign, which
/// measures functions besides its verdicts.
pub fn functions_blocks(outcome: &RunResult, sections: Vec<Block>) -> Vec<Block> {
    match (&outcome.plan, sections.len()) {
        (Plan::Sweep { .. }, ..=FEW) | (_, 0) => sections,
        (_, number) => {
            let summary = format!("Figures and charts of {}", plural(number, "function", "functions"));
            vec![Block::Folded(summary.into(), sections)]
        }
    }
}

/// Returns a paragraph about the settings under which most tested divergences vanish, with their
/// meanings.
fn remedy(Remedy { readings, vanishing, asked }: &Remedy) -> Block {
    let [vanishing, asked] = [vanishing, asked].map(|number| count(*number));
    let first = format!("{vanishing} of the {asked} tested divergences vanish under another setting. Try ");
    let mut parts = vec![Inline::Words(first)];
    for (place, reading) in readings.iter().enumerate() {
        let (erratum, setting) = reading.split_once('=').unwrap_or((reading, ""));
        let switch = plan::switch(erratum);
        let [question, meaning] = switch.map_or(["unknown to this program", ""], |switch| {
            [switch.question, switch.meaning(setting.parse().unwrap_or_default())]
        });
        parts.extend((place > 0).then(|| Inline::Words("; and ".to_owned())));
        parts.push(Inline::Code(format!("--reading {reading}")));
        parts.push(Inline::Words(format!(" ({question}: {meaning})")));
    }
    Block::Paragraph(Text(parts))
}

/// Returns the plan of a run, and the contents of its `run.json`.
fn what_was_run(run: &ReportedRun) -> Vec<Block> {
    let departures = departures(&plan::departures(run.outcome.plan.setting()));
    let facts = [vec![("Result", Text::codes([&run.path]))], run_facts(&run.outcome).into()].concat();
    let devices = device_table(run.outcome.plan.setting());
    [Block::Facts(facts), devices.into(), departures].into_iter().chain(head::record(run)).collect()
}

/// Returns the devices of a run with the digests of their files.
fn device_table(setting: &Setting) -> Table {
    let devices = [Role::Subject, Role::Against].into_iter().flat_map(|role| setting.devices.of(role));
    let rows = devices.flat_map(|device| {
        let role = device.role.to_string();
        let of = move |(file, digest): (&String, &String)| {
            row![role.as_str(), device.name.as_str(), device.version.as_str(), code(file), code(digest)]
        };
        device.files.iter().map(of)
    });
    Table::new("Files of the devices", "Role | Device | Version | File | SHA-256", rows)
}

/// Returns the readings that differ from `intended`: the question, and the meanings of both
/// settings.
pub fn departures(departures: &[ReadingDeparture]) -> Block {
    if departures.is_empty() {
        return paragraph("Every reading is set as in the profile `intended`.");
    }
    let row = |departure: &ReadingDeparture| {
        let question = departure.switch().map_or("unknown to this program", |switch| switch.question);
        let intended = departure.intended.map_or("", |intended| departure.meaning(intended));
        let name = format!("{}={}", departure.erratum, departure.setting);
        row![code(name), question, departure.meaning(departure.setting), intended]
    };
    let head = "Reading | Question | Here | Intended";
    Table::new("Readings that differ from the profile intended", head, departures.iter().map(row)).into()
}

/// Returns facts about a run. Every result has the same labels.
pub fn run_facts(outcome: &RunResult) -> [(&'static str, Text); 8] {
    let (plan, setting) = (&outcome.plan, outcome.plan.setting());
    let selected = match plan::subjects(outcome) {
        names if names.is_empty() => "everything".into(),
        names => Text::codes(names),
    };
    [
        ("Run", plan::kind(plan).into()),
        ("Of", selected),
        ("Inputs", plan::inputs(plan).into()),
        ("Done", plan::part(outcome).into()),
        ("Subject", Text::codes([&setting.subject])),
        ("Compared with", Text::codes([&setting.against])),
        ("Profile", Text::codes([&setting.profile])),
        ("Encoding table", Text::codes([&setting.numbers])),
    ]
}

fn accuracy(outcome: &RunResult) -> Vec<Block> {
    let tally = &outcome.tally;
    let mut body = Vec::new();
    if !tally.accuracy.is_empty() {
        let details = vec![
            facts::extreme_table(tally).into(),
            facts::bound_table(tally).into(),
            facts::judged_table(tally).into(),
            note(JUDGED),
            exhaustive::relation_table(tally).into(),
            exhaustive::row_table(tally).into(),
        ];
        body = vec![facts::accuracy_table(tally).into(), note(ACCURACY)];
        let measured = tally.accuracy.iter().filter(|(_, accuracy)| accuracy.inputs > 0);
        if matches!(outcome.plan, Plan::Sweep { .. }) && measured.clone().count() > FEW {
            let charts = measured.filter_map(|(name, accuracy)| overview(&anchor(name), name, accuracy));
            body.push(Block::Detail(vec![Block::Figures(charts.collect())]));
        }
        match outcome.plan {
            Plan::Sweep { .. } => body.extend(details),
            _ => body.push(Block::Folded("Extreme errors, bounds and relations".into(), details)),
        }
    }
    body.extend(unmeasured(outcome, "Without"));
    body
}

/// Names the swept functions without an accuracy, and the possible reasons.
pub fn unmeasured(outcome: &RunResult, without: &str) -> Option<Block> {
    let names = plan::without_accuracy(outcome);
    let why = format!("{without} a measured error, being held to exact bits, not judged or not reached: ");
    (!names.is_empty()).then(|| note(Text([vec![Inline::Words(why)], Text::codes(names).0].concat())))
}

/// Returns the id of a name, for links. Letters and digits stay, a `.` becomes `-`, and other
/// characters become numbers. So no two names share an id.
pub fn anchor(name: &str) -> String {
    let spelt = name.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() => c.to_string(),
        '.' => "-".to_owned(),
        c => format!("_{:x}", u32::from(c)),
    });
    format!("f-{}", spelt.collect::<String>())
}

/// Returns the section of a function: figures, charts, and the inputs with the largest errors.
fn function(name: &str, accuracy: &Accuracy, verdicts: Option<&Counts>, rows: u32) -> Block {
    let (format, id) = (Format::of_function(name), anchor(name));
    let body = vec![
        Block::Detail(vec![Block::Facts(figures_of_merit(format, accuracy, verdicts))]),
        Block::Figures(figures(&id, name, &[("", accuracy)])),
        Block::Detail(
            accuracy.exhaustive.as_ref().map_or(Vec::new(), |stats| exhaustive_blocks(stats, format, rows)),
        ),
    ];
    Block::Section { id: Some(id), heading: Text::codes([name]), body }
}

/// Returns the facts about a function that fit on one line each. Only a sweep counts verdicts by
/// function.
fn figures_of_merit(
    format: Format,
    accuracy: &Accuracy,
    verdicts: Option<&Counts>,
) -> Vec<(&'static str, Text)> {
    let [max, mean, bias, rms] = facts::errors(accuracy);
    let n = accuracy.measured;
    let at =
        accuracy.worst().map(|e| format!(" at {} = {}", bits(format, e.input), decimal(format, e.input)));
    let (inputs, special) = (count(accuracy.inputs), count(accuracy.special));
    let mut list = vec![
        ("Max error", format!("{max} ulp{}", at.unwrap_or_default())),
        ("Mean, RMS", format!("{mean}, {rms} ulp")),
        ("Bias", format!("{bias} ulp")),
        ("Correctly rounded", share(accuracy.correctly_rounded, n) + &computed(accuracy)),
        ("Faithful", share(accuracy.faithful, n)),
        ("Inputs", format!("{inputs}: {} measured, {special} special", count(n))),
        ("Undecided", facts::undecided(accuracy)),
    ];
    list.extend(accuracy.bounds.iter().map(|(bound, usage)| ("Bound", facts::bound_line(bound, usage))));
    list.extend(verdicts.map(|counts| ("Verdicts", facts::verdict_line(counts))));
    list.into_iter().map(|(label, text)| (label, text.into())).collect()
}

/// Returns the share of correctly rounded results in binades with an error of at least 0.01 ulp.
/// Empty if these are all binades, or none.
fn computed(accuracy: &Accuracy) -> String {
    let computed = accuracy.exhaustive.as_ref().and_then(exhaustive::computed);
    computed.map_or(String::new(), |(rounded, all)| {
        format!("; {} of the {} where it is computed", share(rounded, all), count(all))
    })
}

fn exhaustive_blocks(stats: &ExhaustiveStats, format: Format, rows: u32) -> Vec<Block> {
    vec![
        exhaustive::relations(stats, format).into(),
        exhaustive::first_broken(stats, format).into(),
        exhaustive::worst(&stats.worst, format).into(),
        exhaustive::binade_table(stats, format, rows).into(),
    ]
}
