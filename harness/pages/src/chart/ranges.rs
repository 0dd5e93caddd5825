//! The least and greatest value of each of many columns, with limits as dashed lines.

use maud::{Markup, html};

use super::axis::{At, Caption, Columns, Marks, PLOT, PlotData, figure, x, y};
use super::grid::strokes;
use super::scale::Scale;

/// A bar from one value to another. `None` if nothing was measured.
pub type Span = Option<(f64, f64)>;

/// Height of a bar whose ends are equal, so that it stays visible.
const THIN: f64 = 1.5;

/// A chart with columns of equal width.
pub struct Ranges {
    /// The bar of each column.
    pub spans: Vec<Span>,
    /// The scale of the vertical axis.
    pub side: Scale,
    /// The values of the dashed lines.
    pub limits: Vec<f64>,
    /// The names of the columns.
    pub names: Option<Columns>,
}

impl Ranges {
    /// Returns the chart as SVG.
    pub(super) fn svg(&self, caption: &Caption, below: &Marks) -> Markup {
        let path = path(&self.spans, &self.side);
        let line = |class: &str, value: f64| {
            let height = At(y(self.side.at(value)));
            html! { line class=(class) x1=(At(x(0.0))) x2=(At(x(1.0))) y1=(height) y2=(height) {} }
        };
        let body = html! {
            (line("zero", 0.0))
            @if !path.is_empty() { path class="span" d=(path) stroke-width=(At(PLOT.0 / self.spans.len().max(1) as f64 + 0.1)) {} }
            @for limit in &self.limits { (line("limit", *limit)) }
        };
        let data = PlotData {
            kind: "ranges",
            columns: self.names,
            values: Some(self.spans.iter().map(short).collect::<Vec<_>>().join(";")),
            cells: None,
        };
        figure(caption, below, &self.side, &data, body)
    }
}

/// Returns the ends of a bar as short text with at most four decimals, such as `-.9305 .88`. Empty
/// if nothing was measured.
fn short(span: &Span) -> String {
    let number = |value: f64| {
        let text = if value != 0.0 && value.abs() < 0.001 || value.abs() >= 1e5 {
            format!("{value:.1e}")
        } else {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').replacen("0.", ".", 1)
        };
        if ["-0", "", "-"].contains(&text.as_str()) { "0".to_owned() } else { text }
    };
    span.map_or(String::new(), |(low, high)| format!("{} {}", number(low), number(high)))
}

/// Returns all bars as the lines of one path.
fn path(spans: &[Span], side: &Scale) -> String {
    let width = 1.0 / spans.len().max(1) as f64;
    let measured = spans.iter().enumerate().filter_map(|(column, span)| Some((column, (*span)?)));
    strokes(measured.map(|(column, (low, high))| {
        let (mut top, mut bottom) = (y(side.at(high)), y(side.at(low)));
        if bottom - top < THIN {
            (top, bottom) = ((top + bottom - THIN) / 2.0, (top + bottom + THIN) / 2.0);
        }
        (x((column as f64 + 0.5) * width), top, bottom)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_as_short_as_they_go() {
        let texts = [Some((-0.93054, 0.5)), None, Some((0.0, 10.0)), Some((-0.00001, 2e9))];
        let texts = texts.iter().map(short).collect::<Vec<_>>();
        assert_eq!(texts, ["-.9305 .5", "", "0 10", "-1.0e-5 2.0e9"]);
    }
}
