//! Counts of bins as bars; a tooltip shows the number of each.

use maud::{Markup, html};

use super::axis::{At, Caption, Marks, PlotData, figure, x, y};
use super::scale::Scale;
use crate::number::{count, share};

/// Charts of the same bins on one scale.
pub struct Bars {
    /// Unique on the page.
    pub id: String,
    /// The title over them.
    pub title: String,
    /// What the axis below is of.
    pub x: &'static str,
    /// What the axis at the side is of.
    pub y: &'static str,
    /// Names of the bins.
    pub bins: Vec<String>,
    /// The unit after a name that is read alone; can be empty.
    pub unit: &'static str,
    /// A chart each.
    pub series: Vec<Series>,
    /// Marks below the bins.
    pub below: Marks,
    /// The scale at the side.
    pub side: Scale,
}

/// One chart.
pub struct Series {
    /// The name that distinguishes it from the others; can be empty.
    pub name: String,
    /// A description for readers who do not see it.
    pub about: String,
    /// A bar for each bin.
    pub bars: Vec<Bar>,
}

/// The contents of a bin.
pub struct Bar {
    /// How many.
    pub number: u64,
    /// Of how many; 0 where the number is no share of anything.
    pub of: u64,
    /// Its height, on the scale at the side.
    pub height: f64,
    /// Whether the bin has one end only, and holds whatever lies beyond.
    pub is_open: bool,
}

impl Bar {
    /// The contents of a bin with two ends.
    pub fn new(number: u64, of: u64, height: f64) -> Bar {
        Bar { number, of, height, is_open: false }
    }
}

/// Height of the lowest bar that is not empty.
const LEAST: f64 = 1.5;

impl Bars {
    /// The charts as SVG.
    pub(super) fn svg(&self) -> Markup {
        html! { @for (place, series) in self.series.iter().enumerate() { (self.one(place, series)) } }
    }

    fn one(&self, place: usize, Series { name, about, bars }: &Series) -> Markup {
        let alone = self.series.len() == 1;
        let title = if alone { self.title.clone() } else { format!("{name}: {}", self.title) };
        let id = format!("{}-{place}", self.id);
        let width = 1.0 / bars.len().max(1) as f64;
        let floor = y(0.0);
        let body = html! {
            g class="bars" {
                @for (position, bar) in bars.iter().enumerate().filter(|(_, bar)| bar.height > 0.0) {
                    @let (left, right) = (x(position as f64 * width), x((position + 1) as f64 * width));
                    @let tall = (floor - y(self.side.at(bar.height))).max(LEAST);
                    rect.open[bar.is_open] x=(At(left)) width=(At(right - left)) y=(At(floor - tall)) height=(At(tall)) {
                        title {
                            (self.bins[position]) (self.unit) ": " (count(bar.number))
                            @if bar.of > 0 { " (" (share(bar.number, bar.of)) ")" } @else { " " (name.to_lowercase()) }
                        }
                    }
                }
            }
        };
        let caption = Caption { id, title, about: about.clone(), x: self.x, y: self.y };
        let data = PlotData { kind: "bars", ..PlotData::default() };
        figure(&caption, &self.below, &self.side, &data, body)
    }
}
