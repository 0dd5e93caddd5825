//! The charts of a function: of one result, or of two results side by side on one scale.

use std::collections::{BTreeMap, BTreeSet};

use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::exhaustive::{ExhaustiveStats, PLACE_BITS, Pairs, Range, ResultRelation};
use assay_isa::format::{F32, Format};
use assay_vectors::{Bound, Metric};

use crate::error_map;
use crate::exhaustive::{self, Binades};
use crate::histogram::{MARKS, bars};
use crate::number::{count, in_ulp, magnitude, ulp};
use assay_pages::chart::Figure;
use assay_pages::chart::axis::{Caption, Columns, Marks};
use assay_pages::chart::grid::Grid;
use assay_pages::chart::ranges::{Ranges, Span};
use assay_pages::chart::scale::{Scale, signed};

/// Greatest number of columns of a chart. More columns would be narrower than a dot.
const COLUMNS: u32 = 346;
/// Number of segments of a binade, given by the leading seven bits of the fraction.
const SEGMENTS: u32 = 128;
/// Number of shades of a chart of inversions.
const SHADES: u32 = 4;

/// What stands in place of a chart of a result of before there were maps.
const NO_MAP: &str = "an earlier version of assay wrote this result, without a map of errors";

/// The settings that all charts of a function share.
struct Charts<'a> {
    id: &'a str,
    format: Format,
    sides: &'a [(&'a str, &'a Accuracy)],
    errors: Scale,
    limits: Vec<f64>,
}

/// Returns the charts of a function. Their ids begin with `id`. Each result has a label, which is
/// empty if there is only one result.
pub fn figures(id: &str, function: &str, sides: &[(&str, &Accuracy)]) -> Vec<Figure> {
    let charts = Charts::of(id, function, sides);
    let mut list = charts.by_argument();
    list.extend([true, false].into_iter().flat_map(|negative| charts.by_place(negative)));
    list.extend([true, false].into_iter().flat_map(|negative| charts.binades(negative)));
    list.extend(bars(id, format!("Errors of {function}"), sides).map(Figure::Bars));
    list.extend([true, false].into_iter().flat_map(|negative| charts.inversions(negative)));
    list
}

/// Returns the chart that shows a function beside others: its errors by reduced argument, or the
/// histogram of its errors if it was not swept whole. `None` without an error.
pub fn overview(id: &str, function: &str, accuracy: &Accuracy) -> Option<Figure> {
    let (id, sides) = (format!("{id}-overview"), [("", accuracy)]);
    if error_map::of(accuracy).is_none() {
        return bars(&id, function.to_owned(), &sides).map(Figure::Bars);
    }
    let mut chart = Charts::of(&id, function, &sides).by_argument().pop()?;
    if let Figure::Quantiles(caption, ..) = &mut chart {
        caption.title = function.to_owned();
    }
    Some(chart)
}

/// Returns the limits of all bounds in ulp, positive and negative. Absolute and relative bounds
/// cannot be drawn in a chart of errors in ulp.
fn limits(accuracy: &Accuracy) -> impl Iterator<Item = f64> {
    let bounds = accuracy.bounds.keys().filter_map(|bound| bound.parse::<Bound>().ok());
    let in_ulp = bounds.filter(|bound| bound.metric == Metric::Ulp).map(|bound| bound.limit.value());
    in_ulp.flat_map(|limit| [limit, -limit])
}

impl<'a> Charts<'a> {
    fn of(id: &'a str, function: &str, sides: &'a [(&'a str, &'a Accuracy)]) -> Charts<'a> {
        let limits: Vec<f64> = sides.iter().flat_map(|(_, accuracy)| limits(accuracy)).collect();
        let extremes = sides.iter().flat_map(|(_, accuracy)| [accuracy.least, accuracy.greatest]).flatten();
        let errors = Scale::errors(extremes.map(|e| in_ulp(e.error)).chain(limits.iter().copied()));
        Charts { id, format: Format::of_function(function), sides, errors, limits }
    }

    fn has_map(&self) -> bool {
        self.format == F32 && self.sides.iter().any(|(_, accuracy)| error_map::of(accuracy).is_some())
    }

    fn exhaustive_stats(&self) -> Vec<&ExhaustiveStats> {
        self.sides.iter().filter_map(|(_, accuracy)| accuracy.exhaustive.as_ref()).collect()
    }

    /// Returns the first and last exponent field with measured arguments of a sign, in any of the
    /// results.
    fn extent(&self, negative: bool) -> Option<(u32, u32)> {
        exhaustive::occupied(&self.exhaustive_stats(), self.format, negative)
    }

    /// Returns a chart for each side, or the text that replaces the chart.
    fn each(
        &self,
        name: &str,
        title: &str,
        draw: impl Fn(Caption, &Accuracy) -> Result<Figure, String>,
    ) -> Vec<Figure> {
        let one = |(position, (label, accuracy)): (usize, &(&str, &Accuracy))| {
            let title = if label.is_empty() { title.to_owned() } else { format!("{label}: {title}") };
            let id = format!("{}-{name}{position}", self.id);
            let caption = Caption { id, title: title.clone(), about: String::new(), x: "", y: "" };
            draw(caption, accuracy).unwrap_or_else(|note| Figure::Nothing(title, note))
        };
        self.sides.iter().enumerate().map(one).collect()
    }

    /// Returns charts of errors by the argument as the function reduces it. A result without a map
    /// has a chart by segment.
    fn by_argument(&self) -> Vec<Figure> {
        if !self.has_map() {
            return self.segments();
        }
        self.each("arg", "Error by reduced argument", |caption, accuracy| {
            let map = error_map::of(accuracy).ok_or(NO_MAP)?;
            let (quantiles, below) = error_map::by_argument(map, &self.limits);
            let about = error_map::about(map, self.format);
            let y = unit(&quantiles.side);
            let caption = Caption { about, x: error_map::axis(map.argument), y, ..caption };
            Ok(Figure::Quantiles(caption, below, quantiles))
        })
    }

    /// Returns charts of the largest error of each place.
    fn by_place(&self, negative: bool) -> Vec<Figure> {
        let Some(extent) = self.extent(negative).filter(|_| self.has_map()) else { return Vec::new() };
        let title = format!("Largest errors, {} arguments", sign(negative));
        self.each(if negative { "mn" } else { "mp" }, &title, |caption, accuracy| {
            let stats = accuracy.exhaustive.as_ref().ok_or("not swept whole")?;
            let map = error_map::of(accuracy).ok_or(NO_MAP)?;
            let groups = exhaustive::grouped(stats, self.format, negative, extent, COLUMNS);
            let names = self.names(negative, &groups);
            let grid = error_map::by_place(map, self.format, negative, extent, names);
            let grid = grid.ok_or("no measured error")?;
            let about = format!(
                "The largest error of each {} neighbouring inputs, {} arguments.",
                count(error_map::INPUTS_OF_CELL),
                sign(negative)
            );
            let caption = Caption { about, x: exponent(negative), y: "significand", ..caption };
            Ok(Figure::Grid(caption, [self.exponents(&groups), significands()], grid))
        })
    }

    fn binades(&self, negative: bool) -> Vec<Figure> {
        let Some(extent) = self.extent(negative) else { return Vec::new() };
        let title = format!("Error by binade, {} arguments", sign(negative));
        self.each(if negative { "bn" } else { "bp" }, &title, |caption, accuracy| {
            let stats = accuracy.exhaustive.as_ref().ok_or("not swept whole")?;
            let groups = exhaustive::grouped(stats, self.format, negative, extent, COLUMNS);
            let spans: Vec<Span> = groups.iter().map(|group| span(&group.range)).collect();
            let (x, names) = (exponent(negative), self.names(negative, &groups));
            Ok(self.errors_by(Caption { x, ..caption }, spans, names, self.exponents(&groups)))
        })
    }

    fn segments(&self) -> Vec<Figure> {
        if self.exhaustive_stats().iter().all(|stats| stats.segments.is_empty()) {
            return Vec::new();
        }
        self.each("seg", "Error by segment of the fraction, over all binades", |caption, accuracy| {
            let stats = accuracy.exhaustive.as_ref().ok_or("not swept whole")?;
            let spans: Vec<Span> =
                (0..SEGMENTS).map(|segment| stats.segments.get(&segment).and_then(span)).collect();
            let marks = ["1", "1.25", "1.5", "1.75", "2"].into_iter().enumerate();
            let below = marks.map(|(i, label)| (i as f64 / 4.0, label.to_owned())).collect();
            let step = 1.0 / f64::from(SEGMENTS);
            let names = Columns { word: "significand ", first: 1.0, step };
            let caption = Caption { x: "significand of the argument", ..caption };
            Ok(self.errors_by(caption, spans, Some(names), below))
        })
    }

    /// Returns a chart of errors, on the scale that all charts of the function share.
    fn errors_by(&self, caption: Caption, spans: Vec<Span>, names: Option<Columns>, below: Marks) -> Figure {
        let measured = spans.iter().flatten();
        let (low, high) =
            measured.fold((0.0f64, 0.0f64), |(low, high), span| (low.min(span.0), high.max(span.1)));
        let mut about = format!(
            "The least and greatest error of each column; over all from {} to {} ulp.",
            ulp(low),
            ulp(high)
        );
        for limit in self.limits.iter().filter(|limit| **limit > 0.0) {
            about += &format!(" A dashed line on either side marks the bound of {} ulp.", magnitude(*limit));
        }
        let y = unit(&self.errors);
        let ranges = Ranges { spans, side: self.errors, limits: self.limits.clone(), names };
        Figure::Ranges(Caption { about, y, ..caption }, below, ranges)
    }

    /// Returns the names of groups of binades: the exponent of each group's first binade.
    fn names(&self, negative: bool, groups: &[Binades]) -> Option<Columns> {
        let first = groups.first()?;
        let exponent = |group: &Binades| f64::from(group.first as i32 - self.format.bias());
        let step = f64::from(first.last - first.first + 1);
        Some(Columns { word: if negative { "−2^" } else { "2^" }, first: exponent(first), step })
    }

    /// Returns marks at round exponents, to place below groups of binades.
    fn exponents(&self, groups: &[Binades]) -> Marks {
        let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return Vec::new() };
        let size = first.last - first.first + 1;
        let columns = f64::from(size * groups.len() as u32);
        let step = ((last.last - first.first) / MARKS).max(1).next_power_of_two() as i32;
        let place = |field: u32| (f64::from(field - first.first) + 0.5) / columns;
        let fields = (first.first..=last.last).map(|field| (field, field as i32 - self.format.bias()));
        let round = fields.filter(|(_, exponent)| exponent % step == 0);
        round.map(|(field, exponent)| (place(field), signed(&exponent.to_string()))).collect()
    }

    /// Returns charts of neighbouring inputs whose results move against the true function.
    fn inversions(&self, negative: bool) -> Vec<Figure> {
        let monotonic = |accuracy: &Accuracy| {
            accuracy
                .exhaustive
                .as_ref()
                .and_then(|stats| stats.relations.get(&ResultRelation::Monotonic))
                .cloned()
        };
        let seen =
            self.sides.iter().filter_map(|(_, accuracy)| monotonic(accuracy)).any(|pairs| pairs.seen > 0);
        let Some(extent) = self.extent(negative).filter(|_| seen) else { return Vec::new() };
        let title = format!("Inversions, {} arguments", sign(negative));
        self.each(if negative { "in" } else { "ip" }, &title, |caption, accuracy| {
            let pairs = monotonic(accuracy).ok_or("not swept whole")?;
            if pairs.broken == 0 {
                return Err(format!(
                    "No inversion in {} pairs of neighbouring inputs of either sign.",
                    count(pairs.seen)
                ));
            }
            self.map(caption, negative, extent, &pairs)
        })
    }

    /// Returns a chart of the broken pairs, by binade and segment.
    fn map(
        &self,
        caption: Caption,
        negative: bool,
        extent: (u32, u32),
        pairs: &Pairs,
    ) -> Result<Figure, String> {
        let Some(row_bits) = (self.format.width() - 1 - self.format.exponent_bits).checked_sub(PLACE_BITS)
        else {
            return Err(format!("{} of {} pairs are inverted.", count(pairs.broken), count(pairs.seen)));
        };
        let groups = exhaustive::grouped(&ExhaustiveStats::default(), self.format, negative, extent, COLUMNS);
        let mut cells = BTreeMap::new();
        for (place, number) in &pairs.places {
            let (sign, field) = exhaustive::field(place >> row_bits, self.format);
            let column = groups.iter().position(|group| (group.first..=group.last).contains(&field));
            if let Some(column) = column.filter(|_| sign == negative) {
                *cells.entry((column as u32, place & ((1 << row_bits) - 1))).or_default() += number;
            }
        }
        let here: u64 = cells.values().sum();
        if here == 0 {
            return Err(format!(
                "No inversion among {} arguments; all {} are of the other sign.",
                sign(negative),
                count(pairs.broken)
            ));
        }
        // The shades have equal widths on a logarithmic scale.
        let most = cells.values().copied().max().unwrap_or(1) as f64;
        let mut ends: Vec<u64> =
            (1..=SHADES).map(|i| most.powf(f64::from(i) / f64::from(SHADES)).round() as u64).collect();
        ends.dedup();
        let shade = |count: u64| ends.iter().position(|most| count <= *most).unwrap_or(ends.len() - 1);
        let grid = Grid {
            columns: groups.len() as u32,
            rows: 1 << row_bits,
            names: self.names(negative, &groups),
            title: "Pairs in a cell:",
            shades: ends.iter().map(|most| format!("up to {}", count(*most))).collect(),
            cells: cells.iter().map(|(cell, pairs)| (*cell, shade(*pairs))).collect(),
            marked: BTreeSet::new(),
            mark: "",
        };
        let about = format!(
            "{} of {} pairs of neighbouring inputs of either sign are inverted, {} of them here.",
            count(pairs.broken),
            count(pairs.seen),
            count(here)
        );
        let marks = [self.exponents(&groups), significands()];
        Ok(Figure::Grid(Caption { about, x: exponent(negative), y: "significand", ..caption }, marks, grid))
    }
}

/// Returns the label of an axis of exponents.
fn exponent(negative: bool) -> &'static str {
    if negative { "exponent of a negative argument" } else { "exponent of the argument" }
}

/// Returns the label of an axis of errors.
fn unit(errors: &Scale) -> &'static str {
    if errors.is_logarithmic() { "error in ulp, log scale beyond 1" } else { "error in ulp" }
}

/// Returns marks at the significands of a binade.
fn significands() -> Marks {
    [(0.0, "1"), (0.5, "1.5"), (1.0, "2")].map(|(place, label)| (place, label.to_owned())).into()
}

fn sign(negative: bool) -> &'static str {
    if negative { "negative" } else { "positive" }
}

fn span(range: &Range) -> Span {
    Some((in_ulp(range.least?.error), in_ulp(range.greatest?.error)))
}
