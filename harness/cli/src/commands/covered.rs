//! The coverage of a campaign in a few lines.

pub use assay_runner::covered::Covered;

/// Bins of a list that the terminal shows.
const SHOWN: usize = 5;

/// A few lines for a terminal.
pub fn text(covered: &Covered) -> String {
    let excluded: usize = covered.excluded.iter().map(|(_, n)| n).sum();
    let mut text = format!(
        "\ncoverage {:.2} % of {} bins; {excluded} more cannot be hit\n",
        100.0 * covered.share,
        covered.bins
    );
    for (title, list) in
        [("not hit", &covered.missed), ("HIT, but listed as impossible", &covered.impossible)]
    {
        if !list.is_empty() {
            let more = list.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more, in coverage.json") } else { String::new() };
            text += &format!("  {title}: {}{more}\n", list[..list.len().min(SHOWN)].join("; "));
        }
    }
    text
}
