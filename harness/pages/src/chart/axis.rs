//! The frame around a plot: its caption, its axes, and where in it a thing lies.

use maud::{Markup, Render, html};

use super::scale::Scale;

/// Width of every chart, in its own units; the page scales it.
const WIDTH: f64 = 400.0;
/// Width and height of the plot, and its corner.
pub const PLOT: (f64, f64) = (346.0, 170.0);
const CORNER: (f64, f64) = (48.0, 12.0);
/// Below the plot: the marks, and what the axis is of.
const FOOT: f64 = 40.0;

/// The title of a chart.
pub struct Caption {
    /// Unique on the page.
    pub id: String,
    /// The title over it.
    pub title: String,
    /// A description for readers who do not see it.
    pub about: String,
    /// What the axis below is of.
    pub x: &'static str,
    /// What the axis at the side is of.
    pub y: &'static str,
}

/// Marks below a plot: a place from 0 to 1, and a label.
pub type Marks = Vec<(f64, String)>;

/// A coordinate to a tenth of a unit, as short as it goes.
pub struct At(pub f64);

impl Render for At {
    fn render_to(&self, buffer: &mut String) {
        let text = format!("{:.1}", self.0);
        let text = text.strip_suffix(".0").unwrap_or(&text);
        buffer.push_str(if text == "-0" { "0" } else { text });
    }
}

/// From the left edge, for a place from 0 to 1.
pub fn x(place: f64) -> f64 {
    CORNER.0 + place * PLOT.0
}

/// From the top, for a place from 0 (below) to 1 (above).
pub fn y(place: f64) -> f64 {
    CORNER.1 + (1.0 - place) * PLOT.1
}

/// A figure: the frame with something in it.
pub fn figure(caption: &Caption, below: &Marks, side: &Scale, body: Markup) -> Markup {
    let marks = side.marks().into_iter().map(|(value, label)| (side.at(value), label)).collect();
    framed(caption, below, &marks, body)
}

/// A figure with given marks on both axes.
pub fn framed(caption: &Caption, below: &Marks, side: &Marks, body: Markup) -> Markup {
    let Caption { id, title, about, x: x_label, y: y_label } = caption;
    let height = CORNER.1 + PLOT.1 + FOOT;
    html! {
        figure {
            figcaption { (title) }
            svg role="img" viewBox=(format!("0 0 {WIDTH} {height}")) aria-labelledby=(format!("{id}-t {id}-d")) {
                title id=(format!("{id}-t")) { (title) }
                desc id=(format!("{id}-d")) { (about) }
                g class="axis" { (side_marks(side)) (below_marks(below)) }
                (body)
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
            line x1=(At(x(*place))) x2=(At(x(*place))) y1=(At(y(0.0))) y2=(At(y(0.0) + 4.0)) {}
            // A label under the right edge would be cut off by the edge of the picture.
            @let (end, anchor) = if *place > 0.98 { (WIDTH, "end") } else { (x(*place), "middle") };
            text x=(At(end)) y=(At(y(0.0) + 16.0)) text-anchor=(anchor) { (label) }
        }
    }
}
