//! The distribution of a function's errors as bars, for one result or two side by side.

use std::ops::RangeInclusive;

use assay_engine::stats::accuracy::{Accuracy, BINS_PER_ULP, HISTOGRAM_ULPS};

use crate::number::count;
use assay_pages::chart::axis::Marks;
use assay_pages::chart::bars::{Bar, Bars, Series};
use assay_pages::chart::scale::{Scale, signed};

/// Marks below a chart, about.
pub const MARKS: u32 = 9;
/// Marks at edges of bins, at most: their labels are longer.
const EDGES: usize = 6;

/// Lower edges of the bins in ulp, and the upper edge of the last one. The outermost bins are open.
pub fn edges(bins: usize) -> Vec<f64> {
    let edge = |i: usize| i as f64 / BINS_PER_ULP as f64 - HISTOGRAM_ULPS as f64;
    (0..=bins).map(edge).collect()
}

/// The chart of results, each with a name that distinguishes it from the others; `None` where no error was measured.
pub fn bars(id: &str, title: String, sides: &[(&str, &Accuracy)]) -> Option<Bars> {
    let lists: Vec<&Accuracy> = sides.iter().map(|(_, accuracy)| *accuracy).collect();
    let range = occupied(&lists)?;
    let bins = lists.iter().map(|accuracy| accuracy.histogram.len()).max()?;
    let most = lists.iter().flat_map(|accuracy| &accuracy.histogram).copied().max()?;
    let series = sides.iter().map(|(name, accuracy)| {
        let number = |bin: usize| accuracy.histogram.get(bin).copied().unwrap_or(0);
        let bar = |bin| Bar { number: number(bin), of: accuracy.measured, height: number(bin) as f64 };
        Series {
            name: (*name).to_owned(),
            about: format!("{} errors in bins of an eighth of an ulp.", count(accuracy.measured)),
            bars: range.clone().map(bar).collect(),
        }
    });
    Some(Bars {
        id: format!("{id}-hist"),
        title,
        x: "error in ulp",
        y: "results, in decades",
        bins: range.clone().map(|bin| label(bin, bins)).collect(),
        unit: " ulp",
        series: series.collect(),
        below: edge_marks(&edges(bins), &range),
        side: Scale::counts(most),
    })
}

/// Marks below bins, at some of their edges.
pub fn edge_marks(edges: &[f64], bins: &RangeInclusive<usize>) -> Marks {
    let number = bins.end() - bins.start() + 1;
    let every = number.div_ceil(EDGES).next_power_of_two();
    let picked = (*bins.start()..=bins.end() + 1).filter(|edge| edge % every == 0);
    let place = |edge: usize| (edge - bins.start()) as f64 / number as f64;
    picked.map(|edge| (place(edge), signed(&edges[edge].to_string()))).collect()
}

/// The bins from the first to the last one that some histogram fills.
fn occupied(list: &[&Accuracy]) -> Option<RangeInclusive<usize>> {
    let filled =
        |a: &Accuracy| (a.histogram.iter().position(|n| *n > 0), a.histogram.iter().rposition(|n| *n > 0));
    let ends: Vec<_> = list.iter().map(|accuracy| filled(accuracy)).collect();
    let first = ends.iter().filter_map(|(first, _)| *first).min()?;
    let last = ends.iter().filter_map(|(_, last)| *last).max()?;
    Some(first..=last)
}

/// The half-open interval of a bin.
fn label(bin: usize, bins: usize) -> String {
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
    use assay_pages::chart::Figure;
    use assay_pages::text;
    use assay_pages::{Block, Document};

    fn accuracy(bins: &[(usize, u64)]) -> Accuracy {
        let mut accuracy = Accuracy::default();
        for (bin, number) in bins {
            accuracy.histogram[*bin] = *number;
            accuracy.measured += number;
        }
        accuracy
    }

    fn lines(sides: &[(&str, &Accuracy)]) -> Vec<String> {
        let chart = bars("f", "Errors".to_owned(), sides);
        let page =
            text(&Document::new("", vec![Block::Figures(chart.into_iter().map(Figure::Bars).collect())]));
        page.trim_end().lines().map(str::to_owned).collect()
    }

    #[test]
    fn tails_are_trimmed_and_rare_errors_stay_visible() {
        insta::assert_snapshot!(
            lines(&[("", &accuracy(&[(14, 1), (15, 2_000_000), (16, 1_000_000)]))]).join("\n")
        );
        assert!(lines(&[("", &Accuracy::default())]).is_empty());
    }

    #[test]
    fn open_ends_are_named() {
        let lines = lines(&[("", &accuracy(&[(0, 1), (31, 1)]))]);
        assert!(lines[1].contains("below -1.875") && lines[32].contains("+1.875 and up"), "{lines:?}");
        assert_eq!(lines.len(), 33);
    }

    #[test]
    fn two_charts_share_a_scale() {
        let (before, after) = (accuracy(&[(15, 100), (16, 100)]), accuracy(&[(16, 10)]));
        insta::assert_snapshot!(lines(&[("Before", &before), ("After", &after)]).join("\n"));
        assert!(!lines(&[("Before", &before), ("After", &Accuracy::default())]).is_empty());
    }
}
