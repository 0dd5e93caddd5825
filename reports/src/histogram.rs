//! The distribution of a function's errors as bars, for one result or for several side by side.

use std::ops::RangeInclusive;

use assay_engine::stats::accuracy::{Accuracy, BINS_PER_ULP, FAR, HISTOGRAM_ULPS};
use assay_isa::shown::plural;

use crate::number::count;
use assay_pages::chart::axis::Marks;
use assay_pages::chart::bars::{Bar, Bars, Series};
use assay_pages::chart::scale::{Scale, signed};

/// Approximate number of marks below a chart.
pub const MARKS: u32 = 9;
/// Greatest number of marks at edges of bins. Their labels are longer.
const EDGES: usize = 6;

/// Returns the lower edges of the bins in ulp, and the upper edge of the last bin. The outermost
/// bins are open.
pub fn edges(bins: usize) -> Vec<f64> {
    let edge = |i: usize| i as f64 / BINS_PER_ULP as f64 - HISTOGRAM_ULPS as f64;
    (0..=bins).map(edge).collect()
}

/// If more than this share of the errors lies beyond the bins of an eighth of an ulp, the edges of
/// the bins are powers of two.
const MANY: f64 = 0.01;

/// Bins of errors: their edges in ulp, and the counts of each result. The outermost bins are open.
struct Bins {
    edges: Vec<f64>,
    counts: Vec<Vec<u64>>,
    width: &'static str,
}

impl Bins {
    /// Returns bins of an eighth of an ulp, or bins between powers of two if many errors lie beyond
    /// the former.
    fn of(list: &[&Accuracy]) -> Option<Bins> {
        let (beyond, all) = list.iter().fold((0, 0), |(beyond, all), accuracy| {
            (beyond + accuracy.far.values().sum::<u64>(), all + accuracy.measured)
        });
        if beyond as f64 > MANY * all as f64 {
            return Some(Bins::by_power(list));
        }
        let bins = list.iter().map(|accuracy| accuracy.histogram.len()).max()?;
        let of = |a: &&Accuracy| (0..bins).map(|bin| a.histogram.get(bin).copied().unwrap_or(0)).collect();
        let counts = list.iter().map(of).collect();
        Some(Bins { edges: edges(bins), counts, width: "of an eighth of an ulp" })
    }

    /// Returns bins between powers of two. The innermost ones are half an ulp wide.
    fn by_power(list: &[&Accuracy]) -> Bins {
        let powers: Vec<f64> = (-1..=FAR as i32 + 1).map(|power| 2f64.powi(power)).collect();
        let edges: Vec<f64> =
            powers.iter().rev().map(|power| -power).chain([0.0]).chain(powers.clone()).collect();
        let of = |accuracy: &&Accuracy| {
            let near = |low: f64, high: f64| -> u64 {
                let bins = self::edges(accuracy.histogram.len());
                let lies = |bin: &usize| bins[*bin] >= low && bins[*bin + 1] <= high;
                (0..accuracy.histogram.len()).filter(lies).map(|bin| accuracy.histogram[bin]).sum()
            };
            let far = |key: i32| accuracy.far.get(&key).copied().unwrap_or(0);
            let sides = |is_above: bool| accuracy.far.iter().filter(move |(key, _)| (**key > 0) == is_above);
            let beyond = |is_above: bool| sides(is_above).map(|(_, count)| count).sum::<u64>();
            let bin = |ends: &[f64]| match ends {
                // The outermost bins of the recorded histogram also count the far errors, so these
                // are subtracted.
                [low, high] if *high <= 2.0 && *low >= -2.0 => {
                    let far =
                        u64::from(*low == -2.0) * beyond(false) + u64::from(*high == 2.0) * beyond(true);
                    near(*low, *high).saturating_sub(far)
                }
                [low, high] => far(if *high < 0.0 { -high.abs().log2() as i32 } else { low.log2() as i32 }),
                _ => 0,
            };
            edges.windows(2).map(bin).collect()
        };
        let counts = list.iter().map(of).collect();
        Bins { edges, counts, width: "between powers of two" }
    }

    /// Returns the range from the first to the last bin that has errors in at least one result.
    /// `None` if there is no such bin.
    fn occupied(&self) -> Option<RangeInclusive<usize>> {
        let is_filled = |bin: &usize| self.counts.iter().any(|side| side[*bin] > 0);
        let bins = self.edges.len() - 1;
        Some((0..bins).find(is_filled)?..=(0..bins).rfind(is_filled)?)
    }

    fn is_open(&self, bin: usize) -> bool {
        bin == 0 || bin + 2 == self.edges.len()
    }

    /// Returns the half-open interval of a bin as text.
    fn label(&self, bin: usize) -> String {
        let edge = |i: usize| match self.edges[i] {
            0.0 => "0.000".to_owned(),
            edge if edge.abs() < 2.0 => format!("{edge:+.3}"),
            edge if edge.abs() < 1e6 => format!("{edge:+}"),
            edge => format!("{edge:+.1e}"),
        };
        match bin {
            0 => format!("below {}", edge(1)),
            _ if self.is_open(bin) => format!("{} and up", edge(bin)),
            _ => format!("{} to {}", edge(bin), edge(bin + 1)),
        }
    }

    /// Returns marks below the bins: edges, and the interval of each open bin.
    fn marks(&self, range: &RangeInclusive<usize>) -> Marks {
        let mut marks = edge_marks(&self.edges, range);
        let bins = (range.end() - range.start() + 1) as f64;
        let ends = [(*range.start(), 0.5 / bins, "< ", 1), (*range.end(), 1.0 - 0.5 / bins, "≥ ", 0)];
        for (bin, place, sign, edge) in ends.into_iter().filter(|(bin, ..)| self.is_open(*bin)) {
            marks.retain(|(other, _)| (other - place).abs() > 0.12);
            marks.push((place, format!("{sign}{}", signed(&short(self.edges[bin + edge])))));
        }
        marks
    }
}

/// Returns an edge as a short text.
fn short(edge: f64) -> String {
    if edge.abs() < 1e4 { edge.to_string() } else { format!("{edge:.0e}") }
}

/// Returns the chart of results, each under its own name. `None` if no error was measured.
pub fn bars(id: &str, title: String, sides: &[(&str, &Accuracy)]) -> Option<Bars> {
    let lists: Vec<&Accuracy> = sides.iter().map(|(_, accuracy)| *accuracy).collect();
    let bins = Bins::of(&lists)?;
    let range = bins.occupied()?;
    let most = bins.counts.iter().flatten().copied().max()?;
    let series = sides.iter().zip(&bins.counts).map(|((name, accuracy), counts)| {
        let bar = |bin: usize| Bar {
            is_open: bins.is_open(bin),
            ..Bar::new(counts[bin], accuracy.measured, counts[bin] as f64)
        };
        Series {
            name: (*name).to_owned(),
            about: format!("{} in bins {}.", plural(count(accuracy.measured), "error", "errors"), bins.width),
            bars: range.clone().map(bar).collect(),
        }
    });
    Some(Bars {
        id: format!("{id}-hist"),
        title,
        x: "error in ulp",
        y: "results, in decades",
        bins: range.clone().map(|bin| bins.label(bin)).collect(),
        unit: " ulp",
        series: series.collect(),
        below: bins.marks(&range),
        side: Scale::counts(most),
    })
}

/// Returns marks below the bins, at some of their edges.
pub fn edge_marks(edges: &[f64], bins: &RangeInclusive<usize>) -> Marks {
    let number = bins.end() - bins.start() + 1;
    let every = number.div_ceil(EDGES).next_power_of_two();
    let picked = (*bins.start()..=bins.end() + 1).filter(|edge| edge % every == 0);
    let place = |edge: usize| (edge - bins.start()) as f64 / number as f64;
    picked.map(|edge| (place(edge), signed(&short(edges[edge])))).collect()
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
    fn a_chart_reaches_as_far_as_the_errors() {
        let mut accuracy = accuracy(&[(0, 500), (15, 10), (31, 400)]);
        accuracy.far = [(-12, 490), (11, 300), (12, 100)].into();
        insta::assert_snapshot!(lines(&[("", &accuracy)]).join("\n"));
        let chart = bars("f", String::new(), &[("", &accuracy)]).unwrap();
        let total: u64 = chart.series[0].bars.iter().map(|bar| bar.number).sum();
        assert_eq!(total, 910, "no error is lost and none counted twice");
    }

    #[test]
    fn open_ends_have_marks_of_their_own() {
        let chart = bars("f", String::new(), &[("", &accuracy(&[(0, 1), (31, 1)]))]).unwrap();
        let labels: Vec<&str> = chart.below.iter().map(|(_, label)| label.as_str()).collect();
        assert!(labels.contains(&"< −1.875") && labels.contains(&"≥ 1.875"), "{labels:?}");
        assert!(chart.series[0].bars[0].is_open && !chart.series[0].bars[1].is_open);
    }

    #[test]
    fn two_charts_share_a_scale() {
        let (before, after) = (accuracy(&[(15, 100), (16, 100)]), accuracy(&[(16, 10)]));
        insta::assert_snapshot!(lines(&[("Before", &before), ("After", &after)]).join("\n"));
        assert!(!lines(&[("Before", &before), ("After", &Accuracy::default())]).is_empty());
    }
}
