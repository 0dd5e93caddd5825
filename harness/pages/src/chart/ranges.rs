//! The least and greatest value of each of many columns side by side, with limits as dashed lines.

use maud::{Markup, Render, html};

use super::axis::{At, Caption, Marks, figure, x, y};
use super::scale::Scale;

/// A bar from one value to another; none where nothing was measured.
pub type Span = Option<(f64, f64)>;

/// Height of a bar whose ends are equal: it must stay visible.
const THIN: f64 = 1.5;

/// Columns of equal width.
pub struct Ranges {
    /// A bar each.
    pub spans: Vec<Span>,
    /// The scale at the side.
    pub side: Scale,
    /// Where dashed lines stand.
    pub limits: Vec<f64>,
}

impl Ranges {
    /// The chart as SVG.
    pub(super) fn svg(&self, caption: &Caption, below: &Marks) -> Markup {
        let path = path(&self.spans, &self.side);
        let line = |class: &str, value: f64| {
            let height = At(y(self.side.at(value)));
            html! { line class=(class) x1=(At(x(0.0))) x2=(At(x(1.0))) y1=(height) y2=(height) {} }
        };
        let body = html! {
            (line("zero", 0.0))
            @if !path.is_empty() { path class="span" d=(path) {} }
            @for limit in &self.limits { (line("limit", *limit)) }
        };
        figure(caption, below, &self.side, body)
    }
}

/// All bars as one path: a page has many thousands of them.
fn path(spans: &[Span], side: &Scale) -> String {
    let width = 1.0 / spans.len().max(1) as f64;
    let mut path = String::new();
    for (column, span) in spans.iter().enumerate() {
        let Some((low, high)) = span else { continue };
        let (mut top, mut bottom) = (y(side.at(*high)), y(side.at(*low)));
        if bottom - top < THIN {
            (top, bottom) = ((top + bottom - THIN) / 2.0, (top + bottom + THIN) / 2.0);
        }
        rectangle(&mut path, [x(column as f64 * width), x((column + 1) as f64 * width)], [top, bottom]);
    }
    path
}

/// Adds a rectangle to a path.
pub(super) fn rectangle(path: &mut String, [left, right]: [f64; 2], [top, bottom]: [f64; 2]) {
    for (letter, value) in [('M', left), (' ', top), ('H', right), ('V', bottom), ('H', left)] {
        path.push(letter);
        At(value).render_to(path);
    }
    path.push('Z');
}
