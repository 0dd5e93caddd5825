//! Counts of bins as bars. A tooltip shows the count of each bin.

use maud::{Markup, html};

use super::axis::{At, Caption, Marks, PlotData, figure, x, y};
use super::scale::Scale;
use crate::number::{count, share};

/// Charts with shared bins and a shared scale.
pub struct Bars {
    /// The id, unique on the page.
    pub id: String,
    /// The title above the charts.
    pub title: String,
    /// The label of the horizontal axis.
    pub x: &'static str,
    /// The label of the vertical axis.
    pub y: &'static str,
    /// Names of the bins.
    pub bins: Vec<String>,
    /// The unit after the name of a bin in a tooltip; may be empty.
    pub unit: &'static str,
    /// The data of each chart.
    pub series: Vec<Series>,
    /// Marks below the bins.
    pub below: Marks,
    /// The scale of the vertical axis.
    pub side: Scale,
}

/// The data of one chart.
pub struct Series {
    /// The name that distinguishes the chart from the others; may be empty.
    pub name: String,
    /// A description for readers who cannot see the chart.
    pub about: String,
    /// A bar for each bin.
    pub bars: Vec<Bar>,
}

/// The contents of a bin.
pub struct Bar {
    /// The count.
    pub number: u64,
    /// The total of which `number` is a share. 0 if `number` is no share.
    pub of: u64,
    /// The height of the bar, as a value on the vertical scale.
    pub height: f64,
    /// Whether the bin has no bound on one side, and contains all values beyond the other.
    pub is_open: bool,
}

impl Bar {
    /// Returns the contents of a bin with two bounds.
    pub fn new(number: u64, of: u64, height: f64) -> Bar {
        Bar { number, of, height, is_open: false }
    }
}

/// Least drawn height of a bar that is not zero, in SVG units.
const LEAST: f64 = 1.5;

impl Bars {
    /// Returns the charts as SVG.
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
