//! Counts of bins as bars; pointing at one tells its number.

use maud::{Markup, html};

use super::axis::{At, Caption, Marks, figure, x, y};
use super::scale::Scale;

/// A bin.
pub struct Bar {
    /// What it holds, in words, with its number.
    pub about: String,
    /// Its height, on the scale at the side.
    pub height: f64,
}

/// Height of the lowest bar that is not empty.
const LEAST: f64 = 1.5;

/// A chart of bins of equal width.
pub fn bars(caption: &Caption, list: &[Bar], below: &Marks, side: &Scale) -> Markup {
    let width = 1.0 / list.len().max(1) as f64;
    let floor = y(0.0);
    let body = html! {
        g class="bars" {
            @for (position, bar) in list.iter().enumerate().filter(|(_, bar)| bar.height > 0.0) {
                @let (left, right) = (x(position as f64 * width), x((position + 1) as f64 * width));
                @let tall = (floor - y(side.at(bar.height))).max(LEAST);
                rect x=(At(left)) width=(At(right - left)) y=(At(floor - tall)) height=(At(tall)) {
                    title { (bar.about) }
                }
            }
        }
    };
    figure(caption, below, side, body)
}
