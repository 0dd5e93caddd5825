//! Formats the coverage of a campaign as a few lines of text.

pub use assay_runner::covered::Covered;
use assay_runner::covered::SHOWN;

/// Returns a line with the share of bins that were hit. If `is_verbose`, the first bins that were
/// not hit follow. Bins that were hit although a rule lists them as impossible are always named.
pub fn text(covered: &Covered, is_verbose: bool) -> String {
    let excluded: usize = covered.excluded.iter().map(|(_, n)| n).sum();
    let mut text = format!(
        "\ncoverage {:.2} % of {} bins; {excluded} more cannot be hit\n",
        100.0 * covered.share,
        covered.bins
    );
    for (title, list, number, is_shown) in [
        ("not hit", &covered.first_missed, covered.missed, is_verbose),
        ("HIT, but listed as impossible", &covered.impossible, covered.impossible.len(), true),
    ] {
        if is_shown && number > 0 {
            let more = number.saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more, in coverage.json") } else { String::new() };
            text += &format!("  {title}: {}{more}\n", list[..list.len().min(SHOWN)].join("; "));
        }
    }
    text
}
