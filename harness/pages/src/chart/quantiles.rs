//! The middle, the 99th percentile and the greatest magnitude of each of many columns, with limits,
//! and with marks at the top of some columns.

use maud::{Markup, html};

use super::axis::{At, Caption, Columns, Marks, PLOT, PlotData, figure, x, y};
use super::grid::strokes;
use super::scale::Scale;

/// The quantiles of a column: half, 99 % and all of the magnitudes do not exceed them. `None` if
/// nothing was measured.
pub type Quantile = Option<[f64; 3]>;

/// The names of the quantiles.
const NAMES: [&str; 3] = ["half", "99 %", "all"];
/// Height of a mark at the top of a column.
const MARK: f64 = 7.0;
/// Least width of a mark.
const WIDE: f64 = 3.0;

/// A chart with columns of equal width.
pub struct Quantiles {
    /// The quantiles of each column.
    pub columns: Vec<Quantile>,
    /// The scale of the vertical axis.
    pub side: Scale,
    /// The values of the dashed lines.
    pub limits: Vec<f64>,
    /// The columns that are marked, ascending.
    pub marked: Vec<usize>,
    /// What a mark says.
    pub mark: &'static str,
    /// The names of the columns.
    pub names: Option<Columns>,
}

impl Quantiles {
    /// Returns the chart as SVG, with a legend.
    pub(super) fn svg(&self, caption: &Caption, below: &Marks) -> Markup {
        let count = self.columns.len().max(1);
        let width = PLOT.0 / count as f64;
        let middle = |column: usize| x((column as f64 + 0.5) / count as f64);
        // The greatest first: the others lie on it.
        let bands = [2, 1, 0].map(|which| {
            let columns = self.columns.iter().enumerate();
            let spans = columns.filter_map(|(column, quantile)| Some((column, quantile.as_ref()?[which])));
            strokes(spans.map(|(column, value)| (middle(column), y(self.side.at(value)), y(0.0))))
        });
        let body = html! {
            @for (band, path) in bands.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
                path class=(format!("band{}", band + 1)) d=(path) stroke-width=(At(width + 0.1)) {}
            }
            @for limit in &self.limits {
                @let height = At(y(self.side.at(*limit)));
                line class="limit" x1=(At(x(0.0))) x2=(At(x(1.0))) y1=(height) y2=(height) {}
            }
            @if !self.marked.is_empty() {
                path class="failing" d=(strokes(self.marked.iter().map(|column| (middle(*column), y(1.0), y(1.0) + MARK)))) stroke-width=(At(width.max(WIDE))) {}
            }
        };
        let data = PlotData {
            kind: "quantiles",
            columns: self.names,
            values: Some(self.columns.iter().map(short).collect::<Vec<_>>().join(";")),
            cells: None,
        };
        html! {
            div {
                (figure(caption, below, &self.side, &data, body))
                p.legend {
                    (caption.about)
                    @for (band, name) in NAMES.iter().rev().enumerate() { " " span.key { i class=(format!("band{}", band + 1)) {} " " (name) } }
                    @if !self.marked.is_empty() { " " span.key { i.failing {} " " (self.mark) } }
                }
            }
        }
    }
}

/// Returns the quantiles as short text. Empty if nothing was measured.
fn short(quantile: &Quantile) -> String {
    let number = |value: &f64| if *value < 1e5 { format!("{value:.3}") } else { format!("{value:.1e}") };
    quantile.as_ref().map_or(String::new(), |values| values.iter().map(number).collect::<Vec<_>>().join(" "))
}
