//! The distribution of a function's errors as a bar chart of text, for one result or two side by side.
//!
//! Bars are linear and, for two results, on one scale of shares, so that samples of different size
//! compare. A count too small for a mark still gets a dot: an empty bin and a rare error are not the same.

use assay_engine::stats::accuracy::{Accuracy, BINS_PER_ULP, HISTOGRAM_ULPS};

use crate::number::{count, share};
use crate::table::{Set, Table};

/// Marks of the longest bar of one result.
const WIDTH: usize = 40;
/// Marks of the longest bar where two stand side by side.
const NARROW: usize = 20;

/// Lower edges of the bins in ulp, and the upper edge of the last one. The outermost bins are open.
pub fn edges(bins: usize) -> Vec<f64> {
    let edge = |i: usize| i as f64 / BINS_PER_ULP as f64 - HISTOGRAM_ULPS as f64;
    (0..=bins).map(edge).collect()
}

/// The chart of one result, a line each; nothing where no error was measured.
pub fn chart(accuracy: &Accuracy) -> Vec<String> {
    let Some(range) = occupied(&[accuracy]) else { return Vec::new() };
    let scale = tallest(accuracy);
    let mut table = Table::new([
        ("error in ulp", Set::Number),
        ("count", Set::Number),
        ("share", Set::Number),
        ("", Set::Words),
    ]);
    for bin in range {
        let number = accuracy.histogram[bin];
        let bar = bar(number as f64 / accuracy.measured as f64 / scale, WIDTH);
        table.row([
            label(bin, accuracy.histogram.len()),
            count(number),
            share(number, accuracy.measured),
            bar,
        ]);
    }
    noted(table.text())
}

/// The chart of two results side by side; nothing where neither measured an error.
pub fn pair_chart(before: &Accuracy, after: &Accuracy) -> Vec<String> {
    let Some(range) = occupied(&[before, after]) else { return Vec::new() };
    let scale = tallest(before).max(tallest(after));
    let mut table = Table::new([
        ("error in ulp", Set::Number),
        ("before", Set::Number),
        ("share", Set::Number),
        ("", Set::Words),
        ("after", Set::Number),
        ("share", Set::Number),
        ("", Set::Words),
    ]);
    let bins = before.histogram.len().max(after.histogram.len());
    for bin in range {
        let [(count1, share1, bar1), (count2, share2, bar2)] = [before, after].map(|accuracy| {
            let number = accuracy.histogram.get(bin).copied().unwrap_or(0);
            let height = number as f64 / accuracy.measured.max(1) as f64 / scale;
            (count(number), share(number, accuracy.measured), format!("{:<NARROW$}", bar(height, NARROW)))
        });
        table.row([label(bin, bins), count1, share1, bar1, count2, share2, bar2]);
    }
    noted(table.text())
}

/// Adds what a dot stands for, where there is one.
pub fn noted(mut lines: Vec<String>) -> Vec<String> {
    if lines.iter().any(|line| line.contains('·')) {
        lines.push("· stands for a count too small for a bar".to_owned());
    }
    lines
}

/// The bins from the first to the last one that some histogram fills.
pub fn occupied(list: &[&Accuracy]) -> Option<std::ops::RangeInclusive<usize>> {
    let filled =
        |a: &Accuracy| (a.histogram.iter().position(|n| *n > 0), a.histogram.iter().rposition(|n| *n > 0));
    let ends: Vec<_> = list.iter().map(|accuracy| filled(accuracy)).collect();
    let first = ends.iter().filter_map(|(first, _)| *first).min()?;
    let last = ends.iter().filter_map(|(_, last)| *last).max()?;
    Some(first..=last)
}

/// The share of the fullest bin.
fn tallest(accuracy: &Accuracy) -> f64 {
    accuracy.histogram.iter().max().map_or(0.0, |most| *most as f64 / accuracy.measured.max(1) as f64)
}

/// A bar of a height from 0 to 1.
pub fn bar(height: f64, width: usize) -> String {
    match (height * width as f64).round() as usize {
        0 if height > 0.0 => "·".to_owned(),
        marks => "█".repeat(marks.min(width)),
    }
}

/// The half-open interval of a bin.
pub fn label(bin: usize, bins: usize) -> String {
    let edges = edges(bins);
    let edge = |i: usize| match edges[i] {
        0.0 => "0.000".to_owned(),
        edge => format!("{edge:+.3}"),
    };
    match bin {
        0 => format!("below {}", edge(1)),
        _ if bin + 1 == bins => format!("{} and up", edge(bin)),
        _ => format!("{} to {}", edge(bin), edge(bin + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accuracy(bins: &[(usize, u64)]) -> Accuracy {
        let mut accuracy = Accuracy::default();
        for (bin, number) in bins {
            accuracy.histogram[*bin] = *number;
            accuracy.measured += number;
        }
        accuracy
    }

    #[test]
    fn tails_are_trimmed_and_rare_errors_stay_visible() {
        insta::assert_snapshot!(chart(&accuracy(&[(14, 1), (15, 2_000_000), (16, 1_000_000)])).join("\n"));
        assert!(chart(&Accuracy::default()).is_empty());
    }

    #[test]
    fn open_ends_are_named() {
        let lines = chart(&accuracy(&[(0, 1), (31, 1)]));
        assert!(lines[1].contains("below -1.875") && lines[32].contains("+1.875 and up"), "{lines:?}");
        assert_eq!(lines.len(), 33);
    }

    #[test]
    fn two_charts_share_a_scale() {
        let (before, after) = (accuracy(&[(15, 100), (16, 100)]), accuracy(&[(16, 10)]));
        insta::assert_snapshot!(pair_chart(&before, &after).join("\n"));
        assert!(!pair_chart(&before, &Accuracy::default()).is_empty());
    }
}
