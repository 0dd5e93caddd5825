//! Charts: their data, and their SVG inside a page. A chart has no script and no style of its own (the page's classes
//! colour it), and text beside it for readers who do not see it.
//!
//! A chart is drawn about as wide as a phone and stands beside others on a wide screen, so that its
//! letters are readable on both. Whatever the numbers, every coordinate is finite: [`scale`] sees to it.
//!
//! | module | what it draws |
//! |---|---|
//! | [`scale`] | places and marks on an axis |
//! | [`axis`] | the frame around a plot |
//! | [`ranges`] | the least and greatest of each of many columns, and limits |
//! | [`bars`] | counts of bins |
//! | [`grid`] | counts by column and row |

pub mod axis;
pub mod bars;
pub mod grid;
pub mod ranges;
pub mod scale;

use maud::{Markup, html};

use axis::{Caption, Marks};

/// A chart, or the text in its place.
pub enum Figure {
    /// Counts of bins, the only chart that has a form as text.
    Bars(bars::Bars),
    /// The least and greatest of each column.
    Ranges(Caption, Marks, ranges::Ranges),
    /// Counts by column and row, with marks at the side.
    Grid(Caption, [Marks; 2], grid::Grid),
    /// A title, and why there is nothing to draw.
    Nothing(String, String),
}

impl Figure {
    /// The chart as SVG; bars of several series beside each other.
    pub fn svg(&self) -> Markup {
        match self {
            Figure::Bars(bars) => bars.svg(),
            Figure::Ranges(caption, below, ranges) => ranges.svg(caption, below),
            Figure::Grid(caption, marks, grid) => grid.svg(caption, marks),
            Figure::Nothing(title, text) => html! { figure.note { figcaption { (title) } p { (text) } } },
        }
    }
}
