//! The charts of a sweep over all inputs: errors by the argument as the function reduces it, and
//! the largest error of each place among all inputs.

use std::collections::{BTreeMap, BTreeSet};

use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::exhaustive::PLACE_BITS;
use assay_engine::stats::exhaustive::map::{
    COLUMNS, ColumnErrors, ErrorMap, LAST_ANGLE, LAST_FRACTION, LEVELS, ReducedArgument, least_of,
};
use assay_isa::format::Format;

use crate::exhaustive::field;
use crate::number::{count, hex, in_ulp, magnitude};
use assay_pages::chart::axis::{Columns, Marks};
use assay_pages::chart::grid::{Grid, SHADES};
use assay_pages::chart::quantiles::{Quantile, Quantiles};
use assay_pages::chart::scale::Scale;

/// What a mark of failing inputs says.
const FAILING: &str = "with failing inputs";
/// Share of the places whose errors the shades tell apart. The few largest have the last shade.
const TOLD_APART: f64 = 0.99;
/// Number of places in a row of the map. Rows of one place each would be thinner than the least line.
const PLACES_OF_ROW: u32 = 2;
/// Number of neighbouring inputs in a cell of the map.
pub const INPUTS_OF_CELL: u64 = (PLACES_OF_ROW as u64) << PLACE_BITS;
/// Greatest number of columns for which a sentence gives their range.
const FEW: usize = 8;

/// Returns the name of a reduced argument, as the label of an axis.
pub fn axis(argument: ReducedArgument) -> &'static str {
    match argument {
        ReducedArgument::Significand => "significand of the argument",
        ReducedArgument::SignificandAndParity => "significand of the argument, even exponents, then odd ones",
        ReducedArgument::Fraction => "fraction of the argument, above the next lower integer",
        ReducedArgument::Turn => "angle, in turns of 2π",
        ReducedArgument::Exponent => "exponent of the argument",
    }
}

/// Returns the lowest value of the reduced argument in a column.
fn value(argument: ReducedArgument, column: u32) -> f64 {
    let place = f64::from(column) / f64::from(COLUMNS);
    match argument {
        ReducedArgument::Significand => 1.0 + place,
        ReducedArgument::SignificandAndParity if place < 0.5 => 1.0 + 2.0 * place,
        ReducedArgument::SignificandAndParity => 2.0 * (1.0 + 2.0 * (place - 0.5)),
        ReducedArgument::Fraction | ReducedArgument::Turn => place,
        ReducedArgument::Exponent => f64::from(column) - 127.0,
    }
}

/// Returns the names of the columns, if their values are evenly spaced.
fn names(argument: ReducedArgument) -> Option<Columns> {
    let [first, second] = [0, 1].map(|column| value(argument, column));
    let word = match argument {
        ReducedArgument::Significand => "significand ",
        ReducedArgument::SignificandAndParity => return None,
        ReducedArgument::Fraction => "fraction ",
        ReducedArgument::Turn => "turn ",
        ReducedArgument::Exponent => "2^",
    };
    Some(Columns { word, first, step: second - first })
}

/// Returns marks below the columns: eight, at equal distances.
fn marks(argument: ReducedArgument) -> Marks {
    let text = |column: u32| format!("{}", value(argument, column)).replace('-', "−");
    (0..COLUMNS).step_by(COLUMNS as usize / 8).map(|i| (f64::from(i) / f64::from(COLUMNS), text(i))).collect()
}

/// Returns the quantiles of a column. The last level has no upper end but the greatest error.
fn quantiles(column: &ColumnErrors) -> Quantile {
    let most = in_ulp(column.greatest.max(column.least.saturating_neg()));
    let within = |ulps: f64| if ulps >= least_of(LEVELS - 1) { most } else { ulps.min(most) };
    let [half, nearly_all] = [0.5, 0.99].map(|share| column.quantile(share).map(within));
    Some([half?, nearly_all?, most])
}

/// Returns the map of the errors of a function that was swept whole.
pub fn of(accuracy: &Accuracy) -> Option<&ErrorMap> {
    accuracy.exhaustive.as_ref()?.map.as_ref()
}

/// Returns the chart of errors by reduced argument.
pub fn by_argument(map: &ErrorMap, limits: &[f64]) -> (Quantiles, Marks) {
    let columns: Vec<Quantile> = map.columns.iter().map(quantiles).collect();
    let limits: Vec<f64> = limits.iter().copied().filter(|limit| *limit > 0.0).collect();
    let side = Scale::errors(columns.iter().flatten().map(|[.., most]| *most).chain(limits.iter().copied()));
    let is_failing = |(_, column): &(usize, &ColumnErrors)| column.failing > 0;
    let marked = map.columns.iter().enumerate().filter(is_failing).map(|(column, _)| column).collect();
    let (names, mark) = (names(map.argument), FAILING);
    (Quantiles { columns, side, limits, marked, mark, names }, marks(map.argument))
}

/// Returns what the chart of errors by reduced argument shows.
pub fn about(map: &ErrorMap, format: Format) -> String {
    let most = map.columns.iter().filter_map(quantiles).map(|[.., most]| most).fold(0.0, f64::max);
    let failing = failing(map, format).map_or(String::new(), |sentence| format!(" {sentence}"));
    let which = match map.argument {
        ReducedArgument::Turn => format!("inputs below {}", count(LAST_ANGLE as u64)),
        ReducedArgument::Fraction => format!("inputs below {}", count(LAST_FRACTION as u64)),
        ReducedArgument::Significand | ReducedArgument::SignificandAndParity => {
            "inputs but the least subnormal".to_owned()
        }
        ReducedArgument::Exponent => "inputs".to_owned(),
    };
    format!(
        "The errors that half, 99 % and all {which} do not exceed in a column, the first two by a sample of one \
         input in 128. The largest of these is {} ulp.{failing}",
        magnitude(most)
    )
}

/// Returns a sentence about the inputs that fail: what all of them share. `None` if none fails.
pub fn failing(map: &ErrorMap, format: Format) -> Option<String> {
    let total: u64 = map.failing.values().sum();
    let (first, _) = map.failing.first_key_value().filter(|_| total > 0)?;
    let who = if total == 1 {
        "The failing input".to_owned()
    } else {
        format!("All {} failing inputs", count(total))
    };
    if map.failing.len() == 1 {
        let begin = if total == 1 { "begins" } else { "begin" };
        return Some(format!("{who} {begin} with {}.", &hex(first << PLACE_BITS)[..6]));
    }
    let columns: Vec<u32> =
        (0..).zip(&map.columns).filter(|(_, it)| it.failing > 0).map(|(at, _)| at).collect();
    let with_column: u64 = map.columns.iter().map(|column| column.failing).sum();
    let binades: BTreeSet<u32> =
        map.failing.keys().map(|place| place >> (format.fraction_bits - PLACE_BITS)).collect();
    let ends = columns.first().zip(columns.last());
    let signs: BTreeSet<bool> = binades.iter().map(|binade| field(*binade, format).0).collect();
    let have = match (signs.len(), signs.first()) {
        (1, Some(false)) => "are positive and have",
        (1, _) => "are negative and have",
        _ => "have",
    };
    if let Some((low, high)) = ends.filter(|_| columns.len() <= FEW && with_column == total)
        && (high - low) as usize + 1 == columns.len()
        && map.argument != ReducedArgument::Exponent
    {
        let [from, to] = [*low, high + 1].map(|column| value(map.argument, column));
        return Some(format!("{who} {have} a {} from {from} to {to}.", word(map.argument)));
    }
    let exponents: BTreeSet<u32> = binades.iter().map(|binade| field(*binade, format).1).collect();
    // Fields of subnormal numbers, infinities and NaN are no binade.
    let is_binade = |field: &u32| (1..(1 << format.exponent_bits) - 1).contains(field);
    if let (1, Some(only)) = (exponents.len(), exponents.first().filter(|only| is_binade(only))) {
        let exponent = *only as i32 - format.bias();
        let whole = if total == (binades.len() as u64) << format.fraction_bits {
            ", and no input there passes"
        } else {
            ""
        };
        return Some(format!("{who} {have} a magnitude from 2^{exponent} to 2^{}{whole}.", exponent + 1));
    }
    let (columns, binades) = (columns.len(), binades.len());
    Some(format!(
        "{} failing inputs, in {columns} of {COLUMNS} columns and in {binades} binades.",
        count(total)
    ))
}

fn word(argument: ReducedArgument) -> &'static str {
    match argument {
        ReducedArgument::Significand | ReducedArgument::SignificandAndParity => "significand",
        ReducedArgument::Fraction => "fraction",
        ReducedArgument::Turn => "part of a turn",
        ReducedArgument::Exponent => "exponent",
    }
}

/// Returns the map of the arguments of one sign: a column for each of the binades from `first` to
/// `last`, and a row for each two of their places, with the larger error. `None` if nothing was
/// measured there.
pub fn by_place(
    map: &ErrorMap,
    format: Format,
    negative: bool,
    (first, last): (u32, u32),
    names: Option<Columns>,
) -> Option<Grid> {
    let sign = u32::from(negative) << format.exponent_bits;
    let places = 1 << (format.fraction_bits - PLACE_BITS);
    let binades =
        || (first..=last).filter_map(|field| Some((field - first, map.binades.get(&(sign | field))?)));
    let mut largest: BTreeMap<(u32, u32), u8> = BTreeMap::new();
    for (column, levels) in binades() {
        for (row, levels) in (0..).zip(levels.0.chunks(PLACES_OF_ROW as usize)) {
            largest
                .extend(levels.iter().max().filter(|level| **level > 0).map(|level| ((column, row), *level)));
        }
    }
    let mut levels: Vec<u8> = largest.values().copied().collect();
    levels.sort_unstable();
    let (low, most) = (*levels.first()?, *levels.last()?);
    let high = levels[((levels.len() - 1) as f64 * TOLD_APART) as usize];
    // Shades of equal numbers of levels from `low` to `high`, and one for what is beyond.
    let told_apart = usize::from(high - low) + 1;
    let steps = told_apart.min(SHADES - 1);
    let shade = |level: u8| {
        if level > high { steps } else { usize::from(level - low) * steps / told_apart }
    };
    let last_of = |of: usize| (low..=high).rev().find(|level| shade(*level) == of);
    let name = |of: usize| {
        last_of(of).map(|level| match level + 1 {
            LEVELS => format!("{} or more", magnitude(least_of(level))),
            next => format!("up to {}", magnitude(least_of(next))),
        })
    };
    let mut shades: Vec<String> = (0..steps).filter_map(name).collect();
    if most > high {
        shades.push("more".to_owned());
    }
    let cells = largest.into_iter().map(|(cell, level)| (cell, shade(level))).collect();
    let place_of = |place: &u32| {
        let (is_negative, field) = field(place / places, format);
        let is_here = is_negative == negative && (first..=last).contains(&field);
        is_here.then(|| (field - first, place % places / PLACES_OF_ROW))
    };
    let marked = map.failing.keys().filter_map(place_of).collect();
    Some(Grid {
        columns: last - first + 1,
        rows: places / PLACES_OF_ROW,
        names,
        title: "Largest error in ulp:",
        shades,
        cells,
        marked,
        mark: FAILING,
    })
}

#[cfg(test)]
mod tests {
    use assay_isa::format::F32;

    use super::*;

    /// Returns what is said of failing inputs.
    fn said(argument: ReducedArgument, inputs: impl IntoIterator<Item = f32>) -> String {
        let mut map = ErrorMap::new(argument);
        inputs.into_iter().for_each(|input| map.add_failing(input.to_bits()));
        failing(&map, F32).unwrap_or_default()
    }

    #[test]
    fn a_bad_segment_a_bad_binade_and_a_bad_input_are_told_apart() {
        let segment = (-3..3).flat_map(|n| (0..8).map(move |i| n as f32 + 0.34375 + i as f32 / 512.0));
        assert_eq!(
            said(ReducedArgument::Fraction, segment),
            "All 48 failing inputs have a fraction from 0.34375 to 0.359375."
        );
        let binade = (0..100).map(|i| -(4.0 + i as f32 / 25.0));
        assert_eq!(
            said(ReducedArgument::Significand, binade),
            "All 100 failing inputs are negative and have a magnitude from 2^2 to 2^3."
        );
        let mut map = ErrorMap::new(ReducedArgument::Significand);
        map.failing = (0x3f80..0x4000).map(|place| (place, 1 << PLACE_BITS)).collect();
        assert_eq!(
            failing(&map, F32).unwrap_or_default(),
            "All 8,388,608 failing inputs are positive and have a magnitude from 2^0 to 2^1, and no input \
             there passes."
        );
        assert_eq!(said(ReducedArgument::Turn, [1.0]), "The failing input begins with 0x3f80.");
        assert_eq!(said(ReducedArgument::Turn, [1.0; 9]), "All 9 failing inputs begin with 0x3f80.");
        let all = (1..400).map(|i| i as f32);
        let scattered = said(ReducedArgument::Exponent, all);
        assert_eq!(scattered, "399 failing inputs, in 9 of 256 columns and in 9 binades.");
        assert_eq!(said(ReducedArgument::Turn, []), "");
        let infinities = said(ReducedArgument::Significand, [f32::INFINITY, -f32::INFINITY]);
        assert_eq!(infinities, "2 failing inputs, in 0 of 256 columns and in 2 binades.");
    }

    #[test]
    fn shades_tell_places_apart_and_the_largest_few_are_beyond() {
        let mut map = ErrorMap::new(ReducedArgument::Significand);
        for place in 0..256 {
            let units = 2f64.powi(30 + place % 4);
            map.add(0x3f80_0000 + (place as u32) * 0x1_0000, units, true);
        }
        map.add(0x3fc0_0000, 2f64.powi(45), false);
        map.add_failing(0x3fc0_0001);
        let grid = by_place(&map, F32, false, (127, 128), None).expect("measured");
        assert_eq!(grid.cells.len(), 128);
        assert_eq!(grid.shades.last().map(String::as_str), Some("more"));
        assert_eq!(grid.cells.values().filter(|shade| **shade == grid.shades.len() - 1).count(), 1);
        assert_eq!(grid.marked, [(0, 32)].into());
        assert!(by_place(&map, F32, true, (127, 128), None).is_none());
        let mut wild = ErrorMap::new(ReducedArgument::Significand);
        wild.add(0x3f80_0000, 2f64.powi(55), true);
        let grid = by_place(&wild, F32, false, (127, 128), None).expect("measured");
        assert_eq!(grid.shades, ["65536.0 or more"]);
        assert_eq!(by_argument(&wild, &[]).0.columns[0], Some([2f64.powi(23); 3]));
    }
}
