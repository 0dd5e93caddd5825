//! Cells by column and row, in shades, with some cells marked.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, Render, html};

use super::axis::{At, Caption, Columns, Marks, PLOT, PlotData, framed, x, y};

/// Greatest number of shades of a chart, which is the number of shades in the style of a page.
pub const SHADES: usize = 6;
/// Least size of a cell in both directions, so that it stays visible among hundreds.
const LEAST: f64 = 2.0;
/// Least width of a marked cell.
const MARKED: f64 = 4.0;

/// A chart of cells.
pub struct Grid {
    /// Number of columns.
    pub columns: u32,
    /// Number of rows. The first row is at the bottom.
    pub rows: u32,
    /// The names of the columns.
    pub names: Option<Columns>,
    /// What the shades stand for, before their names.
    pub title: &'static str,
    /// The names of the shades, the lightest first; at most [`SHADES`].
    pub shades: Vec<String>,
    /// The shades of cells, by column and row.
    pub cells: BTreeMap<(u32, u32), usize>,
    /// The cells that are marked.
    pub marked: BTreeSet<(u32, u32)>,
    /// What a mark says.
    pub mark: &'static str,
}

impl Grid {
    /// Returns the class of a shade. The darkest shades are used first.
    fn class(&self, shade: usize) -> String {
        format!("shade{}", SHADES - self.shades.len() + shade + 1)
    }

    /// Returns the chart as SVG, with a legend of its shades.
    pub(super) fn svg(&self, caption: &Caption, [below, side]: &[Marks; 2]) -> Markup {
        let of_shade = |shade: usize| {
            let cells = self.cells.iter().filter(|(_, of)| **of == shade);
            self.lines(cells.map(|(cell, _)| *cell).collect(), LEAST)
        };
        let paths: Vec<Lines> = (0..self.shades.len()).map(of_shade).collect();
        let marked = self.lines(self.marked.iter().copied().collect(), MARKED);
        let body = html! {
            @for (shade, lines) in paths.iter().enumerate().filter(|(_, lines)| !lines.path.is_empty()) {
                path class=(self.class(shade)) d=(lines.path) stroke-width=(lines.width) data-label=(self.shades[shade]) {}
            }
            @if !marked.path.is_empty() { path.failing d=(marked.path) stroke-width=(marked.width) data-label=(self.mark) {} }
        };
        let data =
            PlotData { kind: "grid", columns: self.names, rows: Some(self.rows), ..PlotData::default() };
        html! { div { (framed(caption, below, side, &data, body)) (self.legend(&caption.about)) } }
    }

    fn legend(&self, about: &str) -> Markup {
        html! {
            p.legend {
                (about) " " (self.title)
                @for (shade, name) in self.shades.iter().enumerate() { " " span.key { i class=(self.class(shade)) {} " " (name) } }
                @if !self.marked.is_empty() { " " span.key { i.failing {} " " (self.mark) } }
            }
        }
    }

    /// Returns the cells as lines along columns or along rows, whichever are fewer. A cell has a
    /// least size.
    fn lines(&self, mut cells: Vec<(u32, u32)>, least: f64) -> Lines {
        let [width, height] = [PLOT.0, PLOT.1];
        let [one_wide, one_high] =
            [(width, self.columns), (height, self.rows)].map(|(size, count)| size / f64::from(count.max(1)));
        let upward = runs(&cells);
        cells.iter_mut().for_each(|(column, row)| (*column, *row) = (*row, *column));
        cells.sort_unstable();
        let along = runs(&cells);
        if upward.len() <= along.len() {
            let line = |(column, first, end): &(u32, u32, u32)| {
                let (top, bottom) =
                    (y(f64::from(*end) * one_high / height), y(f64::from(*first) * one_high / height));
                (x((f64::from(*column) + 0.5) * one_wide / width), bottom - (bottom - top).max(least), bottom)
            };
            return Lines { path: strokes(upward.iter().map(line)), width: At(one_wide.max(least) + 0.1) };
        }
        let mut path = String::new();
        for (row, first, end) in along {
            let (left, right) =
                (x(f64::from(first) * one_wide / width), x(f64::from(end) * one_wide / width));
            let middle = y((f64::from(row) + 0.5) * one_high / height);
            for (letter, value) in [("M", left), (" ", middle), ("H", right.max(left + least))] {
                path.push_str(letter);
                At(value).render_to(&mut path);
            }
        }
        Lines { path, width: At(one_high.max(least) + 0.1) }
    }
}

/// Lines of one width, as a path.
struct Lines {
    path: String,
    width: At,
}

/// Returns the runs of neighbouring cells, which are in order: the column of each, its first row,
/// and the row after its last.
fn runs(cells: &[(u32, u32)]) -> Vec<(u32, u32, u32)> {
    let mut runs: Vec<(u32, u32, u32)> = Vec::new();
    for (column, row) in cells.iter().copied() {
        match runs.last_mut() {
            Some((same, _, end)) if *same == column && *end == row => *end += 1,
            _ => runs.push((column, row, row + 1)),
        }
    }
    runs
}

/// Returns vertical lines as one path, because a page has many thousands of them: the place of
/// each, its top and its bottom.
pub(super) fn strokes(lines: impl Iterator<Item = (f64, f64, f64)>) -> String {
    let mut path = String::new();
    for (place, top, bottom) in lines {
        for (letter, value) in [("M", place), (" ", top), ("V", bottom)] {
            path.push_str(letter);
            At(value).render_to(&mut path);
        }
    }
    path
}
