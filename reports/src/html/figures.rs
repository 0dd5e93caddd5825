//! The charts of a function: of one result, or of two beside each other on one scale.

use std::collections::BTreeMap;

use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::survey::{PLACE_BITS, Pairs, Range, Relation, Survey};
use assay_isa::format::Format;
use assay_vectors::{Bound, Metric};
use maud::{Markup, html};

use crate::chart::axis::{Caption, Marks};
use crate::chart::bars::{Bar, bars};
use crate::chart::grid::Grid;
use crate::chart::ranges::{Span, ranges};
use crate::chart::scale::{Scale, signed};
use crate::histogram;
use crate::number::{count, in_ulp, magnitude, share, ulp};
use crate::survey::{self, Binades};

/// Columns of a chart at most: more would be thinner than a dot.
const COLUMNS: u32 = 346;
/// Segments of a binade: what the leading seven bits of a fraction tell apart.
const SEGMENTS: u32 = 128;
/// Marks below a chart, about.
const MARKS: u32 = 9;

/// A result of a function; its label is empty where there is no other.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Which of two.
    pub label: &'static str,
    /// What was measured.
    pub accuracy: &'a Accuracy,
}

/// What the charts of a function have in common.
struct Charts<'a> {
    id: &'a str,
    format: Format,
    sides: &'a [Side<'a>],
    errors: Scale,
    limits: Vec<f64>,
}

/// The charts of a function, under names that begin with `id`.
pub fn figures(id: &str, format: Format, sides: &[Side]) -> Markup {
    let limits: Vec<f64> = sides.iter().flat_map(|side| limits(side.accuracy)).collect();
    let extremes = sides.iter().flat_map(|side| [side.accuracy.least, side.accuracy.greatest]).flatten();
    let errors = Scale::errors(extremes.map(|e| in_ulp(e.error)).chain(limits.iter().copied()));
    let charts = Charts { id, format, sides, errors, limits };
    html! {
        div.figures {
            @for negative in [true, false] { (charts.binades(negative)) }
            (charts.segments())
            (charts.histograms())
            @for negative in [true, false] { (charts.inversions(negative)) }
        }
    }
}

/// The limits of the bounds that are in ulp, above and below; others cannot be drawn among errors in ulp.
fn limits(accuracy: &Accuracy) -> impl Iterator<Item = f64> {
    let bounds = accuracy.bounds.keys().filter_map(|bound| bound.parse::<Bound>().ok());
    let in_ulp = bounds.filter(|bound| bound.metric == Metric::Ulp).map(|bound| bound.limit.value());
    in_ulp.flat_map(|limit| [limit, -limit])
}

impl Charts<'_> {
    fn surveys(&self) -> Vec<&Survey> {
        self.sides.iter().filter_map(|side| side.accuracy.survey.as_ref()).collect()
    }

    /// The exponent fields that some side measured arguments of a sign in.
    fn extent(&self, negative: bool) -> Option<(u32, u32)> {
        survey::occupied(&self.surveys(), self.format, negative)
    }

    /// One chart for each side, or what stands in its place.
    fn each(
        &self,
        name: &str,
        title: &str,
        draw: impl Fn(&str, &str, &Accuracy) -> Result<Markup, String>,
    ) -> Markup {
        html! {
            @for (position, side) in self.sides.iter().enumerate() {
                @let id = format!("{}-{name}{position}", self.id);
                @let title = if side.label.is_empty() { title.to_owned() } else { format!("{}: {title}", side.label) };
                @match draw(&id, &title, side.accuracy) {
                    Ok(figure) => (figure),
                    Err(note) => figure.note { figcaption { (title) } p { (note) } },
                }
            }
        }
    }

    fn binades(&self, negative: bool) -> Markup {
        let Some(extent) = self.extent(negative) else { return Markup::default() };
        let title = format!("Error by binade, {} arguments", sign(negative));
        self.each(if negative { "bn" } else { "bp" }, &title, |id, title, accuracy| {
            let survey = accuracy.survey.as_ref().ok_or("not surveyed")?;
            let groups = survey::grouped(survey, self.format, negative, extent, COLUMNS);
            let mut spans: Vec<Span> = groups.iter().map(|group| span(&group.range)).collect();
            if negative {
                spans.reverse();
            }
            let x = if negative { "exponent of the argument, mirrored" } else { "exponent of the argument" };
            Ok(self.errors_by(id, title, x, &spans, &self.exponents(negative, &groups)))
        })
    }

    fn segments(&self) -> Markup {
        if self.surveys().iter().all(|survey| survey.segments.is_empty()) {
            return Markup::default();
        }
        self.each("seg", "Error by segment of the fraction, over all binades", |id, title, accuracy| {
            let survey = accuracy.survey.as_ref().ok_or("not surveyed")?;
            let spans: Vec<Span> =
                (0..SEGMENTS).map(|segment| survey.segments.get(&segment).and_then(span)).collect();
            let marks = ["1", "1.25", "1.5", "1.75", "2"].into_iter().enumerate();
            let below = marks.map(|(i, label)| (i as f64 / 4.0, label.to_owned())).collect();
            Ok(self.errors_by(id, title, "significand of the argument", &spans, &below))
        })
    }

    /// A chart of errors on the scale that all of the function have.
    fn errors_by(&self, id: &str, title: &str, x: &str, spans: &[Span], below: &Marks) -> Markup {
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
        let y = if self.errors.is_logarithmic() { "error in ulp, decades beyond 1" } else { "error in ulp" };
        let caption = Caption { id, title, about, x, y };
        ranges(&caption, spans, below, &self.errors, &self.limits)
    }

    /// Marks at round exponents below groups of binades.
    fn exponents(&self, negative: bool, groups: &[Binades]) -> Marks {
        let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return Vec::new() };
        let size = first.last - first.first + 1;
        let columns = f64::from(size * groups.len() as u32);
        let step = ((last.last - first.first) / MARKS).max(1).next_power_of_two() as i32;
        let place = |field: u32| (f64::from(field - first.first) + 0.5) / columns;
        let fields = (first.first..=last.last).map(|field| (field, field as i32 - self.format.bias()));
        let round = fields.filter(|(_, exponent)| exponent % step == 0);
        let mirror = |place: f64| if negative { 1.0 - place } else { place };
        round.map(|(field, exponent)| (mirror(place(field)), signed(&exponent.to_string()))).collect()
    }

    fn histograms(&self) -> Markup {
        let lists: Vec<&Accuracy> = self.sides.iter().map(|side| side.accuracy).collect();
        let Some(bins) = histogram::occupied(&lists) else { return Markup::default() };
        let most = lists.iter().flat_map(|accuracy| &accuracy.histogram).copied().max().unwrap_or(0);
        self.each("hist", "How often errors occur", |id, title, accuracy| {
            let all = accuracy.histogram.len();
            let number = |bin: usize| accuracy.histogram.get(bin).copied().unwrap_or(0);
            let bar = |bin: usize| {
                let (number, label) = (number(bin), histogram::label(bin, all));
                let about = format!("{label} ulp: {} ({})", count(number), share(number, accuracy.measured));
                Bar { about, height: number as f64 }
            };
            let list: Vec<Bar> = bins.clone().map(bar).collect();
            let about = format!("{} errors in bins of an eighth of an ulp.", count(accuracy.measured));
            let caption = Caption { id, title, about, x: "error in ulp", y: "results, in decades" };
            Ok(bars(&caption, &list, &edge_marks(&histogram::edges(all), &bins), &Scale::counts(most)))
        })
    }

    /// Where neighbouring results move against the truth.
    fn inversions(&self, negative: bool) -> Markup {
        let monotonic = |accuracy: &Accuracy| {
            accuracy.survey.as_ref().and_then(|survey| survey.relations.get(&Relation::Monotonic)).cloned()
        };
        let seen = self.sides.iter().filter_map(|side| monotonic(side.accuracy)).any(|pairs| pairs.seen > 0);
        let Some(extent) = self.extent(negative).filter(|_| seen) else { return Markup::default() };
        let title = format!("Inversions, {} arguments", sign(negative));
        self.each(if negative { "in" } else { "ip" }, &title, |id, title, accuracy| {
            let pairs = monotonic(accuracy).ok_or("not surveyed")?;
            if pairs.broken == 0 {
                return Err(format!(
                    "No inversion in {} pairs of neighbouring inputs of either sign.",
                    count(pairs.seen)
                ));
            }
            self.map(id, title, negative, extent, &pairs)
        })
    }

    /// Broken pairs by binade and segment.
    fn map(
        &self,
        id: &str,
        title: &str,
        negative: bool,
        extent: (u32, u32),
        pairs: &Pairs,
    ) -> Result<Markup, String> {
        let Some(row_bits) = (self.format.width() - 1 - self.format.exponent_bits).checked_sub(PLACE_BITS)
        else {
            return Err(format!("{} of {} pairs are inverted.", count(pairs.broken), count(pairs.seen)));
        };
        let groups = survey::grouped(&Survey::default(), self.format, negative, extent, COLUMNS);
        let mut cells = BTreeMap::new();
        for (place, number) in &pairs.places {
            let (sign, field) = survey::field(place >> row_bits, self.format);
            let column = groups.iter().position(|group| (group.first..=group.last).contains(&field));
            if let Some(column) = column.filter(|_| sign == negative) {
                let column = if negative { groups.len() - 1 - column } else { column };
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
        let grid = Grid { columns: groups.len() as u32, rows: 1 << row_bits, cells };
        let about = format!(
            "{} of {} pairs of neighbouring inputs of either sign are inverted, {} of them here.",
            count(pairs.broken),
            count(pairs.seen),
            count(here)
        );
        let x = if negative { "exponent of the argument, mirrored" } else { "exponent of the argument" };
        let side = [(0.0, "1"), (0.5, "1.5"), (1.0, "2")].map(|(place, label)| (place, label.to_owned()));
        let caption = Caption { id, title, about: about.clone(), x, y: "significand" };
        let figure = grid.figure(&caption, &self.exponents(negative, &groups), &side.to_vec());
        Ok(html! { div { (figure) (legend(&grid, &about)) } })
    }
}

/// What the shades of a grid stand for.
fn legend(grid: &Grid, about: &str) -> Markup {
    let mut shades: Vec<(usize, u64)> = grid.shades().into_iter().enumerate().collect();
    shades.dedup_by_key(|(_, most)| *most);
    html! {
        p.legend {
            (about) " Pairs in a cell:"
            @for (shade, most) in shades { " " span.key { i class=(format!("shade{}", shade + 1)) {} " up to " (count(most)) } }
        }
    }
}

fn sign(negative: bool) -> &'static str {
    if negative { "negative" } else { "positive" }
}

fn span(range: &Range) -> Span {
    Some((in_ulp(range.least?.error), in_ulp(range.greatest?.error)))
}

/// Marks below bins, at some of their edges.
pub fn edge_marks(edges: &[f64], bins: &std::ops::RangeInclusive<usize>) -> Marks {
    let number = bins.end() - bins.start() + 1;
    let every = number.div_ceil(MARKS as usize).next_power_of_two();
    let picked = (*bins.start()..=bins.end() + 1).filter(|edge| edge % every == 0);
    picked
        .map(|edge| ((edge - bins.start()) as f64 / number as f64, signed(&edges[edge].to_string())))
        .collect()
}
