//! Other subjects and weaker demands in the stages of a nightly run, compared with its plan.

use assay_isa::shown::plural;
use assay_nightly::facts::StageFacts;
use assay_nightly::nightly_report::NightlyReport;
use assay_nightly::setting::StageSetting;

use assay_pages::{Table, code, row};

/// Greatest number of differences that a sentence names.
const NAMED: usize = 4;

/// A difference between a stage and a stage that tests the plan's subject without further options.
#[derive(PartialEq, Eq)]
struct Difference {
    label: &'static str,
    name: String,
    detail: String,
}

impl Difference {
    fn new(label: &'static str, name: &str) -> Difference {
        Difference { label, name: name.to_owned(), detail: String::new() }
    }
}

/// Returns each difference with the names of all stages that have it, in the order of the stages.
fn differences(nightly: &NightlyReport) -> Vec<(Difference, Vec<&str>)> {
    let mut list: Vec<(Difference, Vec<&str>)> = Vec::new();
    for stage in &nightly.stages {
        for difference in of_stage(stage, &nightly.profile) {
            match list.iter_mut().find(|(known, _)| *known == difference) {
                Some((_, stages)) => stages.push(&stage.name),
                None => list.push((difference, vec![&stage.name])),
            }
        }
    }
    list
}

fn of_stage(stage: &StageFacts, profile_of_plan: &str) -> Vec<Difference> {
    // `rules` is not used: it only repeats the profile, the readings, and the subject that replaces
    // the oracle.
    let StageSetting {
        subject,
        against,
        profile,
        looser,
        shard,
        rules: _,
        readings,
        allow_unjudged,
        allow_undeclared,
    } = &stage.setting;
    let profile = profile.as_deref().filter(|profile| *profile != profile_of_plan);
    let named = [
        ("other subject", subject.as_deref()),
        ("in the oracle's place", against.as_deref()),
        ("profile", profile),
        ("only a part", shard.as_deref()),
    ];
    let named = named.into_iter().filter_map(|(label, name)| Some(Difference::new(label, name?)));
    let looser = looser.iter().flat_map(|looser| {
        looser.demands.iter().map(|one| Difference {
            detail: format!("{}; {}, and in {} {}", one.parts, one.here, looser.than, one.there),
            ..Difference::new("looser than built in", &one.name)
        })
    });
    let unjudged = allow_unjudged.iter().map(|glob| Difference::new("allowed to be unjudged", glob));
    let undeclared = allow_undeclared.iter().map(|glob| Difference::new("allowed to be undeclared", glob));
    let readings = readings.iter().map(|(erratum, setting)| {
        Difference::new("reading not as intended", &format!("{erratum}={setting}"))
    });
    named.chain(looser).chain(unjudged).chain(undeclared).chain(readings).collect()
}

fn stages_text(stages: &[&str]) -> String {
    let word = if stages.len() == 1 { "stage" } else { "stages" };
    format!("{word} {}", stages.join(", "))
}

/// Returns a sentence that names up to four differences from the default settings. It starts with a
/// space, to follow another sentence. Empty without differences.
pub fn sentence(nightly: &NightlyReport) -> String {
    let list = differences(nightly);
    if list.is_empty() {
        return String::new();
    }
    let one = |(difference, stages): &(Difference, Vec<&str>)| {
        format!("{} {} ({})", difference.label, difference.name, stages_text(stages))
    };
    let shown: Vec<String> = list.iter().take(NAMED).map(one).collect();
    let more = match list.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {}", plural(more, "more difference", "more differences")),
    };
    format!(" Other than by default: {}{more}.", shown.join(", "))
}

/// Returns a table with a row for each difference.
pub fn table(nightly: &NightlyReport) -> Table {
    let rows = differences(nightly).into_iter().map(|(difference, stages)| {
        let Difference { label, name, detail } = difference;
        row![stages.join(", "), label, code(name), detail]
    });
    Table::new("", "Stage | Difference | Value | Detail", rows)
}

/// Returns the differences for CI systems, as pairs of name and value.
pub fn properties(nightly: &NightlyReport) -> Vec<(&'static str, String)> {
    let one = |(difference, stages): (Difference, Vec<&str>)| {
        let Difference { label, name, detail } = difference;
        let detail = if detail.is_empty() { detail } else { format!(": {detail}") };
        (label, format!("{}: {name}{detail}", stages_text(&stages)))
    };
    differences(nightly).into_iter().map(one).collect()
}
