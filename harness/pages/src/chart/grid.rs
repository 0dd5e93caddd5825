//! Counts by column and row. A greater count has a darker cell.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::axis::{Caption, Columns, Marks, PlotData, framed, x, y};
use super::ranges::rectangle;
use crate::number::count;

/// Number of shades of a cell.
const SHADES: usize = 4;

/// A chart of cells.
pub struct Grid {
    /// Number of columns.
    pub columns: u32,
    /// Number of rows. The first row is at the bottom.
    pub rows: u32,
    /// The names of the columns.
    pub names: Option<Columns>,
    /// Counts by column and row.
    pub cells: BTreeMap<(u32, u32), u64>,
}

impl Grid {
    /// Returns the largest count of each shade, the lightest shade first. On a logarithmic scale,
    /// the shades have equal widths.
    fn shades(&self) -> [u64; SHADES] {
        let most = self.cells.values().copied().max().unwrap_or(1).max(1) as f64;
        std::array::from_fn(|i| most.powf((i + 1) as f64 / SHADES as f64).round() as u64)
    }

    /// Returns the chart as SVG, with a legend of its shades.
    pub(super) fn svg(&self, caption: &Caption, [below, side]: &[Marks; 2]) -> Markup {
        let (shades, mut paths) = (self.shades(), [const { String::new() }; SHADES]);
        for (cell, count) in &self.cells {
            let shade = shades.iter().position(|most| count <= most).unwrap_or(SHADES - 1);
            self.add(&mut paths[shade], *cell);
        }
        let body = html! {
            @for (shade, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
                path class=(format!("shade{}", shade + 1)) d=(path) data-most=(shades[shade]) {}
            }
        };
        let data =
            PlotData { kind: "grid", columns: self.names, rows: Some(self.rows), ..PlotData::default() };
        html! { div { (framed(caption, below, side, &data, body)) (self.legend(&caption.about)) } }
    }

    fn legend(&self, about: &str) -> Markup {
        let mut shades: Vec<(usize, u64)> = self.shades().into_iter().enumerate().collect();
        shades.dedup_by_key(|(_, most)| *most);
        html! {
            p.legend {
                (about) " Pairs in a cell:"
                @for (shade, most) in shades { " " span.key { i class=(format!("shade{}", shade + 1)) {} " up to " (count(most)) } }
            }
        }
    }

    /// Adds a cell to a path. A cell has a least size, so that it stays visible among hundreds of
    /// columns.
    fn add(&self, path: &mut String, (column, row): (u32, u32)) {
        const LEAST: f64 = 2.0;
        let across = |i: u32| x(f64::from(i) / f64::from(self.columns.max(1)));
        let up = |i: u32| y(f64::from(i) / f64::from(self.rows.max(1)));
        let (left, right) = (across(column), across(column + 1));
        let (top, bottom) = (up(row + 1), up(row));
        rectangle(path, [left, right.max(left + LEAST)], [bottom - (bottom - top).max(LEAST), bottom]);
    }
}
