//! The property of results: a result that is read can be written, reads back unchanged, adds up
//! without overflow, and has sound reports.

use std::path::Path;

use crate::{Reached, Violation, equal, furthest, refused, safe};
use assay_records::RunResult;
use assay_records::file::{HEAD, seal};

/// Results with which a mutator starts. They are compact JSON without a digest, which [`result`]
/// adds.
pub const BASES: [&str; 5] = [
    include_str!("../../../../vectors/data/fuzz/result/campaign"),
    include_str!("../../../../vectors/data/fuzz/result/share"),
    include_str!("../../../../vectors/data/fuzz/result/survey"),
    include_str!("../../../../vectors/data/fuzz/result/sweep"),
    include_str!("../../../../vectors/data/fuzz/result/trace"),
];

/// Checks two results: the bytes as they are, and the bytes with the right digest.
///
/// # Errors
///
/// The first violation.
pub fn result(data: &[u8]) -> Result<Reached, Violation> {
    rendered_by(data, &assay_reports::fuzzing::render)
}

/// Checks results like [`result`]. `render` makes the reports of a result, and returns an error if
/// a report is not sound.
fn rendered_by(data: &[u8], render: &dyn Fn(&RunResult) -> Result<(), String>) -> Result<Reached, Violation> {
    furthest([Some(data.to_vec()), sealed(data)].into_iter().flatten(), |text| hold_result(text, render))
}

/// Inserts the digest into a compact result that has none.
fn sealed(content: &[u8]) -> Option<Vec<u8>> {
    let rest = content.strip_prefix(b"{\"version\":2,")?;
    Some(seal(&[HEAD.as_bytes(), rest].concat()))
}

/// Checks one result file.
fn hold_result(text: &[u8], render: &dyn Fn(&RunResult) -> Result<(), String>) -> Result<Reached, Violation> {
    let way = "reading, writing and reading a result";
    let path = Path::new("result.json");
    let outcome = match RunResult::parse(path, text.to_vec()) {
        Ok(outcome) => outcome,
        Err(error) => return safe(&error, text),
    };
    let written = outcome.to_bytes().map_err(refused(way, text))?;
    let again = RunResult::parse(path, written.clone()).map_err(refused(way, &written))?;
    equal(way, &outcome, &again)?;
    // The reader accepts only counts that are small enough to add. An overflow would panic here.
    let mut sum = again.tally;
    sum.merge(outcome.tally.clone());
    render(&outcome).map_err(Violation::Report)?;
    Ok(Reached::Judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(data: &[u8]) -> Result<Reached, Violation> {
        rendered_by(data, &|_| Ok(()))
    }

    #[test]
    fn the_bases_hold_and_others_are_refused() {
        for base in BASES {
            assert_eq!(holds(base.as_bytes()).expect(base), Reached::Judged);
        }
        let [campaign, ..] = BASES;
        let digest = r#"{"version":2,"digest":"0","#;
        for other in
            ["", "{", campaign.trim_end_matches('}'), &campaign.replacen("{\"version\":2,", digest, 1)]
        {
            assert_eq!(holds(other.as_bytes()).expect(other), Reached::Refused);
        }
    }

    #[test]
    fn names_that_are_long_or_hostile_are_quoted_in_errors() {
        let [campaign, _, _, sweep, trace] = BASES;
        let long = "x".repeat(500);
        for (base, name) in [
            (campaign, "FMUL_RR"),
            (campaign, "FMUL"),
            (campaign, "FMUL.FTZ"),
            (sweep, "MUFU.TANH.F16"),
            (sweep, "absolute 2^-10.987"),
            (trace, "FADD value"),
            (trace, "sum"),
        ] {
            for other in [long.as_str(), "\\u001b[2K"] {
                let text = base.replace(&format!("\"{name}"), &format!("\"{other}"));
                let once = base.replacen(&format!("\"{name}"), &format!("\"{other}"), 1);
                for text in [text, once] {
                    holds(text.as_bytes()).unwrap_or_else(|violation| panic!("{name}: {violation}"));
                }
            }
        }
    }

    /// A count above 2^56 is refused, because sums of such counts could overflow.
    #[test]
    fn counts_that_no_run_can_have_are_refused() {
        let [campaign, ..] = BASES;
        let (start, _) = campaign.split_once("\"fast\":").expect("the campaign has canaries");
        for (count, reached) in [("0", Reached::Judged), ("18446744073709551615", Reached::Refused)] {
            let rest = campaign[start.len()..].trim_start_matches(|c: char| c != ',');
            let text = format!("{start}\"fast\":{count}{rest}");
            assert_eq!(holds(text.as_bytes()).expect(count), reached, "{count}");
        }
    }

    #[test]
    fn a_report_that_is_not_sound_is_caught() {
        let violation = rendered_by(BASES[0].as_bytes(), &|_| Err("no end".into())).expect_err("it is not");
        assert!(violation.to_string().contains("no end"), "{violation}");
    }
}
