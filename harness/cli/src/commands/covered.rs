//! The coverage of a campaign in a few lines.

pub use assay_runner::covered::Covered;

/// Bins of a list that the terminal shows.
const SHOWN: usize = 5;

/// A line for a terminal, and the first bins that were not hit where `is_verbose`. Bins that should not have been hit
/// are always named.
pub fn text(covered: &Covered, is_verbose: bool) -> String {
    let excluded: usize = covered.excluded.iter().map(|(_, n)| n).sum();
    let mut text = format!(
        "\ncoverage {:.2} % of {} bins; {excluded} more cannot be hit\n",
        100.0 * covered.share,
        covered.bins
    );
    for (title, list, is_shown) in [
        ("not hit", &covered.missed, is_verbose),
        ("HIT, but listed as impossible", &covered.impossible, true),
    ] {
        if is_shown && !list.is_empty() {
            let more = list.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more, in coverage.json") } else { String::new() };
            text += &format!("  {title}: {}{more}\n", list[..list.len().min(SHOWN)].join("; "));
        }
    }
    text
}
