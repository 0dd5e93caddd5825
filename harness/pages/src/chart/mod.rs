//! Charts: their data, and their SVG inside a page. A chart has no script and no style of its own:
//! classes of the page set its colours. Each chart has a text for readers who cannot see it.
//!
//! A chart is about as wide as a phone. On a wide screen it stands beside other charts. So the text
//! of a chart is readable on both kinds of screen. [`scale`] makes every coordinate finite,
//! whatever the numbers are.
//!
//! | module | what it draws |
//! |---|---|
//! | [`scale`] | places and marks on an axis |
//! | [`axis`] | the frame around a plot |
//! | [`ranges`] | the least and greatest of each of many columns, and limits |
//! | [`bars`] | counts of bins |
//! | [`quantiles`] | the middle, the 99th percentile and the greatest of each of many columns |
//! | [`grid`] | cells by column and row, in shades |

pub mod axis;
pub mod bars;
pub mod grid;
pub mod quantiles;
pub mod ranges;
pub mod scale;

use maud::{Markup, html};

use axis::{Caption, Marks};

/// A chart, or the text that replaces it.
pub enum Figure {
    /// Counts of bins. Only this chart can also be rendered as text.
    Bars(bars::Bars),
    /// The least and greatest value of each column.
    Ranges(Caption, Marks, ranges::Ranges),
    /// Quantiles of each column.
    Quantiles(Caption, Marks, quantiles::Quantiles),
    /// Cells by column and row, with marks at the side.
    Grid(Caption, [Marks; 2], grid::Grid),
    /// A title, and the reason why there is nothing to draw.
    Nothing(String, String),
}

impl Figure {
    /// Returns the chart as SVG. Bars of several series are side by side.
    pub fn svg(&self) -> Markup {
        match self {
            Figure::Bars(bars) => bars.svg(),
            Figure::Ranges(caption, below, ranges) => ranges.svg(caption, below),
            Figure::Quantiles(caption, below, quantiles) => quantiles.svg(caption, below),
            Figure::Grid(caption, marks, grid) => grid.svg(caption, marks),
            Figure::Nothing(title, text) => html! { figure.note { figcaption { (title) } p { (text) } } },
        }
    }
}
