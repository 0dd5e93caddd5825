//! The frame around a plot: caption, axes, and coordinates.

use maud::{Markup, Render, html};

use super::scale::Scale;

/// Width of every chart in SVG units. The page scales the chart.
const WIDTH: f64 = 400.0;
/// Width and height of the plot.
pub const PLOT: (f64, f64) = (346.0, 170.0);
const CORNER: (f64, f64) = (48.0, 12.0);
/// Height of the space below the plot, for the marks and the axis label.
const FOOT: f64 = 40.0;

/// The texts of a chart.
pub struct Caption {
    /// The id, unique on the page.
    pub id: String,
    /// The title above the chart.
    pub title: String,
    /// A description for readers who cannot see the chart.
    pub about: String,
    /// The label of the horizontal axis.
    pub x: &'static str,
    /// The label of the vertical axis.
    pub y: &'static str,
}

/// The data that the script needs to show the value under a pointer.
#[derive(Default)]
pub struct PlotData {
    /// The kind of chart: `bars`, `ranges`, `quantiles` or `grid`.
    pub kind: &'static str,
    /// The names of the columns.
    pub columns: Option<Columns>,
    /// The values of the columns, as text.
    pub values: Option<String>,
    /// Numbers of columns and rows of a grid.
    pub cells: Option<(u32, u32)>,
}

/// The names of columns of equal width: a word, and a number that grows by a step.
#[derive(Clone, Copy)]
pub struct Columns {
    /// The word before the number.
    pub word: &'static str,
    /// The number of the first column.
    pub first: f64,
    /// The step from one column to the next.
    pub step: f64,
}

impl Render for Columns {
    fn render_to(&self, buffer: &mut String) {
        buffer.push_str(&format!("{}|{}|{}", self.word, self.first, self.step));
    }
}

/// Marks on an axis. Each has a place from 0 to 1, and a label.
pub type Marks = Vec<(f64, String)>;

/// A coordinate, written to a tenth of a unit without a trailing `.0`.
pub struct At(pub f64);

impl Render for At {
    fn render_to(&self, buffer: &mut String) {
        let text = format!("{:.1}", self.0);
        let text = text.strip_suffix(".0").unwrap_or(&text);
        buffer.push_str(if text == "-0" { "0" } else { text });
    }
}

/// Returns the horizontal coordinate, in SVG units, of a place from 0 (left) to 1 (right).
pub fn x(place: f64) -> f64 {
    CORNER.0 + place * PLOT.0
}

/// Returns the vertical coordinate, in SVG units, of a place from 0 (bottom) to 1 (top).
pub fn y(place: f64) -> f64 {
    CORNER.1 + (1.0 - place) * PLOT.1
}

/// Returns a figure: the frame with a body in it. The scale gives the marks of the vertical axis.
pub fn figure(caption: &Caption, below: &Marks, side: &Scale, data: &PlotData, body: Markup) -> Markup {
    let marks = side.marks().into_iter().map(|(value, label)| (side.at(value), label)).collect();
    framed(caption, below, &marks, data, body)
}

/// Returns a figure with the given marks on both axes.
pub fn framed(caption: &Caption, below: &Marks, side: &Marks, data: &PlotData, body: Markup) -> Markup {
    let Caption { id, title, about, x: x_label, y: y_label } = caption;
    let height = CORNER.1 + PLOT.1 + FOOT;
    let PlotData { kind, columns, values, cells } = data;
    html! {
        figure.chart data-kind=(kind) data-columns=[columns.as_ref().map(|c| c.render().into_string())] data-values=[values.as_ref()] data-count=[cells.map(|(columns, _)| columns)] data-rows=[cells.map(|(_, rows)| rows)] {
            figcaption { (title) }
            svg role="img" viewBox=(format!("0 0 {WIDTH} {height}")) aria-labelledby=(format!("{id}-t {id}-d")) {
                title id=(format!("{id}-t")) { (title) }
                desc id=(format!("{id}-d")) { (about) }
                g class="axis" { (side_marks(side)) (below_marks(below)) }
                // When a reader zooms, only this part is enlarged.
                svg class="plot" x=(At(CORNER.0)) y=(At(CORNER.1)) width=(At(PLOT.0)) height=(At(PLOT.1)) viewBox=(format!("{} {} {} {}", CORNER.0, CORNER.1, PLOT.0, PLOT.1)) preserveAspectRatio="none" {
                    rect class="ground" x=(At(CORNER.0)) y=(At(CORNER.1)) width=(At(PLOT.0)) height=(At(PLOT.1)) {}
                    (body)
                }
                text class="label" x=(At(x(0.5))) y=(At(height - 5.0)) text-anchor="middle" { (x_label) }
                text class="label" transform=(format!("translate(11 {}) rotate(-90)", y(0.5))) text-anchor="middle" { (y_label) }
            }
        }
    }
}

fn side_marks(marks: &Marks) -> Markup {
    html! {
        @for (place, label) in marks {
            line x1=(At(x(0.0))) x2=(At(x(1.0))) y1=(At(y(*place))) y2=(At(y(*place))) {}
            text x=(At(x(0.0) - 4.0)) y=(At(y(*place) + 4.0)) text-anchor="end" { (label) }
        }
    }
}

fn below_marks(marks: &Marks) -> Markup {
    html! {
        @for (place, label) in marks {
            // The edge of the picture would cut off a centred label near the right end.
            @let (end, anchor) = if *place > 0.98 { (WIDTH, "end") } else { (x(*place), "middle") };
            g class="tick" {
                line x1=(At(x(*place))) x2=(At(x(*place))) y1=(At(y(0.0))) y2=(At(y(0.0) + 4.0)) {}
                text x=(At(end)) y=(At(y(0.0) + 16.0)) text-anchor=(anchor) { (label) }
            }
        }
    }
}
