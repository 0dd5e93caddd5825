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
                (lines.drawn(&self.class(shade), &self.shades[shade]))
            }
            @if !marked.path.is_empty() { (marked.drawn("failing", self.mark)) }
        };
        let data = PlotData {
            kind: "grid",
            columns: self.names,
            cells: Some((self.columns, self.rows)),
            ..PlotData::default()
        };
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
        let [one_wide, one_high] =
            [(PLOT.0, self.columns), (PLOT.1, self.rows)].map(|(size, count)| size / f64::from(count.max(1)));
        // Rows are counted from the top here, as SVG does.
        cells.iter_mut().for_each(|(_, row)| *row = self.rows - 1 - *row);
        cells.sort_unstable();
        let down = runs(&cells);
        cells.iter_mut().for_each(|(column, row)| (*column, *row) = (*row, *column));
        cells.sort_unstable();
        let across = runs(&cells);
        let is_down = down.len() <= across.len();
        let (lines, (wide, long)) =
            if is_down { (down, (one_wide, one_high)) } else { (across, (one_high, one_wide)) };
        let [left, top] = if is_down { [0.5, 0.0] } else { [0.0, 0.5] };
        let (left, top) = (x(0.0) + left * one_wide, y(1.0) + top * one_high);
        Lines {
            path: relative(&lines, is_down, (least / long).ceil() as u32),
            transform: format!("translate({left:.2} {top:.2}) scale({one_wide:.4} {one_high:.4})"),
            width: (wide.max(least) + 0.1) / wide,
        }
    }
}

/// Lines of one width, as a path whose unit is a cell.
struct Lines {
    path: String,
    transform: String,
    width: f64,
}

impl Lines {
    fn drawn(&self, class: &str, label: &str) -> Markup {
        html! {
            path class=(class) d=(self.path) transform=(self.transform) stroke-width=(format!("{:.2}", self.width)) data-label=(label) {}
        }
    }
}

/// Returns lines as one path, each from the end of the one before. A page has many thousands of them,
/// and so a line takes six characters. Each is given by its column, its first row and the row after
/// its last, or with rows in place of columns, and has a least length.
fn relative(lines: &[(u32, u32, u32)], is_down: bool, least: u32) -> String {
    let (mut path, mut at) = (String::new(), (0, 0));
    for (place, first, end) in lines.iter().map(|(place, first, end)| (i64::from(*place), *first, *end)) {
        let (first, length) = (i64::from(first), (end - first).max(least));
        let (aside, along) = (place - at.0, first - at.1);
        let (across, down) = if is_down { (aside, along) } else { (along, aside) };
        let space = if down < 0 { "" } else { " " };
        path += &format!("m{across}{space}{down}{}{length}", if is_down { 'v' } else { 'h' });
        at = (place, first + i64::from(length));
    }
    path
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the cells that a path of relative lines covers.
    fn covered(path: &str, is_down: bool) -> BTreeSet<(u32, u32)> {
        let mut cells = BTreeSet::new();
        let (mut column, mut row) = (0, 0);
        for line in path.split('m').skip(1) {
            let (start, length) = line.split_once(['v', 'h']).expect("a line");
            let start = start.replace('-', " -");
            let by: Vec<i64> =
                start.split_whitespace().map(|number| number.parse().expect("a number")).collect();
            (column, row) = (column + by[0], row + by[1]);
            for _ in 0..length.parse().expect("a length") {
                cells.insert((column as u32, row as u32));
                if is_down { row += 1 } else { column += 1 }
            }
        }
        cells
    }

    proptest! {
        #[test]
        fn a_path_covers_its_cells_and_no_other(cells in prop::collection::btree_set((0u32..40, 0u32..40), 1..200)) {
            let down: Vec<(u32, u32)> = cells.iter().copied().collect();
            prop_assert_eq!(&covered(&relative(&runs(&down), true, 1), true), &cells);
            let mut across: Vec<(u32, u32)> = cells.iter().map(|(column, row)| (*row, *column)).collect();
            across.sort_unstable();
            prop_assert_eq!(&covered(&relative(&runs(&across), false, 1), false), &cells);
        }
    }
}
