//! The property of checkpoints: a run resumes only from progress that its plan can reach, and
//! rewrites it unchanged.

use std::sync::LazyLock;

use assay_isa::asm;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Reached, Violation, equal, furthest, refused, safe};
use assay_engine::generate::domain::Domain;
use assay_engine::run::RunProgress;
use assay_engine::run::campaign::Limit;
use assay_engine::run::sweep::Function;
use assay_engine::stats::tally::Tally;
use assay_records::Plan;
use assay_records::checkpoint::{Body, parse, seal};
use assay_records::progress::{CampaignProgress, Share, SweepProgress, check_campaign, check_sweep};

/// Checkpoints with which a mutator starts. They lack the first line, which [`checkpoint`] adds.
pub const BASES: [&str; 2] = [
    include_str!("../../../../vectors/data/fuzz/checkpoint/campaign"),
    include_str!("../../../../vectors/data/fuzz/checkpoint/sweep"),
];

/// The functions of the sweep that resumes from a checkpoint.
static SWEPT: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let function = |text| {
        let instruction = asm::parse(text).expect("it is an instruction");
        let domain = Domain::of(&instruction, 1, 1);
        Function { instruction, domain }
    };
    ["MUFU.TANH.F16 R0, R1.H0", "MUFU.TANH.F16 R0, R1.H1", "POPC R0, R1"].map(function).into()
});

/// Checks two checkpoints: the bytes as they are, and the bytes with the right first line above
/// them. From each checkpoint, tries to resume a campaign with the checkpoint's plan, and a sweep.
///
/// # Errors
///
/// The first violation.
pub fn checkpoint(data: &[u8]) -> Result<Reached, Violation> {
    furthest([Some(data.to_vec()), seal(data).ok()].into_iter().flatten(), |text| {
        let campaign = hold::<CampaignProgress<'static>>(text, of_campaign)?;
        Ok(campaign.max(hold::<SweepProgress<'static>>(text, of_sweep)?))
    })
}

/// The answer of a run to progress: `Ok` if it can resume from there, otherwise the reason why not.
type Accepted = Result<(), String>;

/// Reads a checkpoint, and checks whether its run accepts the progress. If so, the checkpoint must
/// stay unchanged when it is written and read again.
fn hold<P: Clone + Serialize + DeserializeOwned + Into<RunProgress>>(
    text: &[u8],
    accept: fn(&Share, &mut RunProgress) -> Result<Accepted, Violation>,
) -> Result<Reached, Violation> {
    let way = "reading, writing and reading a checkpoint";
    let body: Body<Vec<String>, Share, P> = match parse(text) {
        Ok(body) => body,
        Err(error) => return safe(&error, text),
    };
    if let Err(error) = accept(&body.run, &mut body.progress.clone().into())? {
        return safe(&error, text);
    }
    let write = |body: &Body<Vec<String>, Share, P>| serde_json::to_vec(body).and_then(|body| seal(&body));
    let written = write(&body).map_err(refused(way, text))?;
    let again = parse(&written).map_err(refused(way, &written))?;
    let again = write(&again).map_err(refused(way, &written))?;
    equal(way, &written, &again)?;
    Ok(Reached::Judged)
}

/// Whether a campaign accepts progress. Accepted progress must not exceed the share.
fn of_campaign(run: &Share, progress: &mut RunProgress) -> Result<Accepted, Violation> {
    let Plan::Fuzz { cases, until_covered, .. } = &run.plan else { return Ok(Err("no campaign".into())) };
    if !run.shard.is_valid() {
        return Ok(Err("no share".into()));
    }
    let limit = match (*cases, until_covered) {
        (Some(cases), true) => Limit::Covered(cases),
        (Some(cases), false) => Limit::Cases(cases),
        (None, _) => Limit::Until(&|| false),
    };
    let accepted = check_campaign(progress, &run.plan, limit, run.shard);
    if accepted.is_ok() {
        beyond(limit, progress)?;
    }
    Ok(accepted)
}

/// Checks that the progress has no more batches than the limit allows.
fn beyond(limit: Limit<'_>, progress: &RunProgress) -> Result<(), Violation> {
    let planned = limit.batches().batches();
    if progress.units > planned { Err(Violation::Progress { done: progress.units, planned }) } else { Ok(()) }
}

/// Whether a sweep accepts progress. The counts of accepted progress must add up without overflow.
fn of_sweep(run: &Share, progress: &mut RunProgress) -> Result<Accepted, Violation> {
    let accepted = check_sweep(progress, &run.plan, &SWEPT);
    if accepted.is_ok() {
        let mut sum: Tally = progress.finished.clone();
        sum.merge(progress.tally.clone());
    }
    Ok(accepted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bases_hold() {
        for base in BASES {
            assert_eq!(checkpoint(base.as_bytes()).expect(base), Reached::Judged);
        }
    }

    /// Impossible progress is refused. If it were accepted, a campaign would run for years, or a
    /// sum would overflow.
    #[test]
    fn progress_that_no_run_can_have_is_refused() {
        let [campaign, sweep] = BASES;
        let part = r#""part":{"#;
        let functions = r#""part":{"functions":{"X":{"exact":18446744073709551615,"within":0,"diverged":0,"undefined":0,"unjudged":0,"unsupported":0,"waived":0}},"#;
        for (base, text, other) in [
            (campaign, r#""done":750"#, r#""done":749"#),
            (campaign, r#""done":750"#, r#""done":751"#),
            (campaign, r#""done":750"#, r#""done":1152921504606846976"#),
            (campaign, r#""done":750"#, r#""done":18446744073709550592"#),
            (campaign, r#""of":1"#, r#""of":0"#),
            (sweep, r#""functions":0"#, r#""functions":4"#),
            (sweep, r#""pieces":16"#, r#""pieces":0"#),
            (sweep, r#""sum":""#, r#""sum":"170141183460469231731687303715884105727"#),
            (sweep, part, functions),
        ] {
            let text = base.replacen(text, other, 1);
            assert_ne!(text, base, "{other}");
            assert_eq!(checkpoint(text.as_bytes()).expect(other), Reached::Refused, "{other}");
        }
    }

    #[test]
    fn progress_beyond_the_plan_is_caught() {
        let accept =
            |done| beyond(Limit::Cases(6000), &RunProgress { units: done, ..RunProgress::default() });
        assert!(accept(750).is_ok());
        let violation = accept(751).expect_err("6000 cases are 750 batches").to_string();
        assert!(violation.contains("goes on after 751"), "{violation}");
    }
}
