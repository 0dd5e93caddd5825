//! The statistics of a sweep over every input other than accuracy, as tables and chart columns.

use assay_engine::compare::judge::ONE_ULP;
use assay_engine::stats::accuracy::Extreme;
use assay_engine::stats::exhaustive::{Conformance, ExhaustiveStats, Pair, Pairs, Range, ResultRelation};
use assay_engine::stats::tally::Tally;
use assay_isa::format::Format;

use crate::number::{NONE, count, hex, magnitude, share, ulp_units};
use crate::value::{bits, decimal, hex_float};
use assay_pages::{Cell, Table, code, judged, number, row};

/// Returns what a relation demands.
pub fn meaning(relation: ResultRelation) -> &'static str {
    match relation {
        ResultRelation::Monotonic => "of neighbouring inputs the results do not move against the truth",
        ResultRelation::Odd => "f(−x) = −f(x), to the bit",
        ResultRelation::Even => "f(−x) = f(x), to the bit",
        ResultRelation::ExponentInvariant => "the fraction is that of the same argument in the binade from 1",
        ResultRelation::BorderJump => {
            "how much the error changes from one segment to the next; a measure, never broken"
        }
        ResultRelation::UnitCircle => "|sin² x + cos² x − 1| of positive arguments; a measure, never broken",
    }
}

/// Whether a relation can be broken. The other relations only measure.
pub fn is_asked(relation: ResultRelation) -> bool {
    !matches!(relation, ResultRelation::BorderJump | ResultRelation::UnitCircle)
}

/// Returns the unit in which distances from a relation are counted.
pub fn unit(relation: ResultRelation) -> &'static str {
    match relation {
        ResultRelation::BorderJump => "2^-32 ulp",
        ResultRelation::UnitCircle => "2^-52",
        _ => "steps",
    }
}

/// Returns the distance of a pair from a relation, with its unit.
fn distance(relation: ResultRelation, by: u64) -> String {
    match relation {
        ResultRelation::BorderJump => format!("{} ulp", magnitude(by as f64 / 2f64.powi(32))),
        ResultRelation::UnitCircle if by == 0 => "below 2^-52".to_owned(),
        ResultRelation::UnitCircle => format!("2^{:.2}", (by as f64).log2() - 52.0),
        _ if by == 1 => "1 step".to_owned(),
        _ => format!("{} steps", count(by)),
    }
}

/// Returns the number of pairs that break a relation, or a dash for a relation that is only
/// measured.
pub fn broken(relation: ResultRelation, pairs: &Pairs) -> String {
    if is_asked(relation) { count(pairs.broken) } else { NONE.to_owned() }
}

/// Returns the distance of the farthest pair from a relation.
pub fn farthest(relation: ResultRelation, pairs: &Pairs) -> String {
    pairs.farthest.map_or(NONE.to_owned(), |pair| distance(relation, pair.by))
}

/// Returns a sentence for each relation that failed the run.
pub fn refusals(tally: &Tally) -> impl Iterator<Item = String> {
    tally.refused_relations().map(|(function, relation, pairs)| {
        let at = pairs.farthest.map_or(String::new(), |pair| {
            let by = distance(relation, pair.by);
            format!(", farthest at {} and {} by {by}", hex(pair.input), hex(pair.partner))
        });
        // A pair that falls by at most the allowed number of steps counts as broken, but is
        // allowed.
        let is_monotonic = relation == ResultRelation::Monotonic;
        let beyond = if is_monotonic { ", by more steps than the profile allows" } else { "" };
        format!(
            "{function} must be {}: {} of {} pairs are not{beyond}{at}",
            relation.name(),
            count(pairs.refused),
            count(pairs.seen)
        )
    })
}

/// Returns the compared relations of all functions.
pub fn relation_table(tally: &Tally) -> Table {
    let rows = tally.relations().map(|(function, relation, pairs)| {
        let at = |of: fn(Pair) -> u32| code(pairs.farthest.map_or(String::new(), |pair| hex(of(pair))));
        let (broken, farthest) = (number(broken(relation, pairs)), number(farthest(relation, pairs)));
        let (input, partner) = (at(|pair| pair.input), at(|pair| pair.partner));
        row![code(function), relation.name(), pairs.seen, broken, farthest, input, partner]
    });
    let head = "Function | Relation | Pairs | Broken | Farthest | at input | and";
    Table::new("How results stand to each other", head, rows)
}

/// Returns, for each fully swept function, how many inputs whose result the specification gives
/// have that result.
pub fn row_table(tally: &Tally) -> Table {
    let all = exhaustive_stats(tally).flat_map(|(name, stats)| stats.rows.iter().map(move |it| (name, it)));
    let rows = all.map(|(function, (class, rows))| {
        row![code(function), class.as_str(), rows.inputs, rows.held, judged(conforming(rows))]
    });
    let head = "Function | Class of input | Inputs | Held | Verdict";
    Table::new("Inputs whose result the specification gives", head, rows)
}

/// Returns whether all inputs of a class have the specified result, as text.
pub fn conforming(rows: &Conformance) -> String {
    match rows.inputs.saturating_sub(rows.held) {
        0 => "held".to_owned(),
        missed => format!("missed by {}", count(missed)),
    }
}

fn exhaustive_stats(tally: &Tally) -> impl Iterator<Item = (&str, &ExhaustiveStats)> {
    tally.accuracy.iter().filter_map(|(name, accuracy)| Some((name.as_str(), accuracy.exhaustive.as_ref()?)))
}

/// Returns the relations of one function, with the farthest pair of each.
pub fn relations(stats: &ExhaustiveStats, format: Format) -> Table {
    let row = |(relation, pairs): (&ResultRelation, &Pairs)| {
        let patterns = pairs.farthest.map(|pair| patterns(pair, format));
        let [input, result, partner, its_result] = patterns.unwrap_or([const { String::new() }; 4].map(code));
        let (broken, farthest) = (number(broken(*relation, pairs)), number(farthest(*relation, pairs)));
        let (name, meaning) = (relation.name(), meaning(*relation));
        row![name, meaning, pairs.seen, broken, farthest, input, result, partner, its_result]
    };
    let head = "Relation | What it asks | Pairs | Broken | Farthest | Input | Result | Partner | Its result";
    let caption = "How results stand to each other, with the farthest pair";
    Table::new(caption, head, stats.relations.iter().map(row))
}

/// Returns the first pairs that break each relation of one function.
pub fn first_broken(stats: &ExhaustiveStats, format: Format) -> Table {
    let all = stats.relations.iter();
    let all = all.flat_map(|(relation, pairs)| pairs.first.iter().map(move |pair| (*relation, *pair)));
    let rows = all.map(|(relation, pair)| {
        let [input, result, partner, partner_result] = patterns(pair, format);
        let (argument, by) = (number(decimal(format, pair.input)), number(distance(relation, pair.by)));
        row![relation.name(), input, argument, result, partner, partner_result, by]
    });
    let head = "Relation | Input | as decimal | Result | Partner | Its result | Off by";
    Table::new("The first pairs that break a relation", head, rows)
}

fn patterns(pair: Pair, format: Format) -> [Cell; 4] {
    [pair.input, pair.result, pair.partner, pair.partner_result].map(|pattern| code(bits(format, pattern)))
}

/// Returns the inputs with the largest errors, as bits, decimals and hexadecimal floats.
pub fn worst(list: &[Extreme], format: Format) -> Table {
    let head = "Error in ulp | Input | as decimal | as hex float | Result | as decimal | as hex float";
    let spelt = |pattern: u32| {
        (code(bits(format, pattern)), number(decimal(format, pattern)), code(hex_float(format, pattern)))
    };
    let row = |extreme: &Extreme| {
        let (input, result) = (spelt(extreme.input), spelt(extreme.result));
        row![number(ulp_units(extreme.error)), input.0, input.1, input.2, result.0, result.1, result.2]
    };
    Table::new("The inputs farthest off", head, list.iter().map(row))
}

/// A group of neighbouring binades, which a chart or a table shows as one.
pub struct Binades {
    /// The exponent field of the first binade.
    pub first: u32,
    /// The exponent field of the last binade.
    pub last: u32,
    /// The errors of the group.
    pub range: Range,
}

impl Binades {
    /// Returns the magnitudes in the group, such as `[2^-3, 2^-2)`.
    pub fn magnitudes(&self, format: Format) -> String {
        let low = match self.first {
            0 => "(0".to_owned(),
            field => format!("[2^{}", field as i32 - format.bias()),
        };
        format!("{low}, 2^{})", self.last as i32 + 1 - format.bias())
    }
}

/// Returns the measured binades of one sign, from the first to the last, in at most `most` groups
/// of equal size. The last group may be smaller.
pub fn binades(stats: &ExhaustiveStats, format: Format, negative: bool, most: u32) -> Vec<Binades> {
    let Some((first, last)) = occupied(&[stats], format, negative) else { return Vec::new() };
    grouped(stats, format, negative, (first, last), most)
}

/// Returns the first and last exponent field for which some full sweep measured arguments of a
/// sign.
pub fn occupied(list: &[&ExhaustiveStats], format: Format, negative: bool) -> Option<(u32, u32)> {
    let fields = || {
        let keys = list.iter().flat_map(|stats| stats.binades.iter());
        let measured = keys.filter(|(_, range)| range.measured > 0).map(|(key, _)| field(*key, format));
        measured.filter(|(sign, _)| *sign == negative).map(|(_, field)| field)
    };
    Some((fields().min()?, fields().max()?))
}

/// Returns the binades from `first` to `last`, in at most `most` groups of equal size.
pub fn grouped(
    stats: &ExhaustiveStats,
    format: Format,
    negative: bool,
    (first, last): (u32, u32),
    most: u32,
) -> Vec<Binades> {
    let size = (last - first + 1).div_ceil(most.max(1));
    let group = |first: u32| Binades { first, last: (first + size - 1).min(last), range: Range::default() };
    let mut groups: Vec<Binades> = (first..=last).step_by(size as usize).map(group).collect();
    for (key, range) in &stats.binades {
        let (sign, field) = field(*key, format);
        if sign == negative && (first..=last).contains(&field) {
            groups[((field - first) / size) as usize].range.merge(range);
        }
    }
    groups
}

/// Returns the number of correctly rounded results and of all measured results, in binades with an
/// error of at least 0.01 ulp. In the other binades a result is a limit of the function or the
/// argument itself. `None` if no measured binade has such an error, or all have.
pub fn computed(stats: &ExhaustiveStats) -> Option<(u64, u64)> {
    const LEAST: u64 = (ONE_ULP / 100) as u64;
    let reaches = |extreme: Option<Extreme>| extreme.is_some_and(|e| e.error.unsigned_abs() >= LEAST);
    let is_computed = |range: &&Range| reaches(range.least) || reaches(range.greatest);
    let (some, all) =
        stats.binades.values().filter(is_computed).fold((0, 0), |(rounded, measured), range| {
            (rounded + range.correctly_rounded, measured + range.measured)
        });
    let measured: u64 = stats.binades.values().map(|range| range.measured).sum();
    (0 < all && all < measured).then_some((some, all))
}

/// Splits the key of a binade into its sign (true for negative) and its exponent field.
pub fn field(key: u32, format: Format) -> (bool, u32) {
    let fields = 1 << format.exponent_bits;
    (key & fields != 0, key & (fields - 1))
}

/// Returns the errors by binade, negative arguments first.
pub fn binade_table(stats: &ExhaustiveStats, format: Format, most: u32) -> Table {
    let mut negative = binades(stats, format, true, most);
    negative.reverse();
    let signed = [("-", negative), ("+", binades(stats, format, false, most))];
    let all = signed.iter().flat_map(|(sign, list)| list.iter().map(move |group| (sign, group)));
    let rows = all.filter(|(_, group)| group.range.measured > 0).map(|(sign, group)| {
        let Range { measured, correctly_rounded, least, greatest } = &group.range;
        let [least, greatest] = [least, greatest].map(|extreme| {
            let text = |e: Extreme| (number(ulp_units(e.error)), code(bits(format, e.input)));
            extreme.map_or((number(NONE), code("")), text)
        });
        let (magnitudes, rounded) = (group.magnitudes(format), number(share(*correctly_rounded, *measured)));
        row![
            code(format!("{sign}{magnitudes}")),
            *measured,
            rounded,
            least.0,
            least.1,
            greatest.0,
            greatest.1
        ]
    });
    let head = "Arguments | Measured | Correctly rounded | Least ulp | at input | Greatest ulp | at input";
    Table::new("Extreme errors by binade", head, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binades_in_which_nothing_is_computed_are_left_out() {
        let range = |error: i64, correctly_rounded| Range {
            measured: 100,
            correctly_rounded,
            least: Some(Extreme { error: -error, input: 1, result: 1 }),
            greatest: Some(Extreme { error: 0, input: 2, result: 2 }),
        };
        let stats = |ranges: &[Range]| ExhaustiveStats {
            binades: (1..).zip(ranges.iter().cloned()).collect(),
            ..ExhaustiveStats::default()
        };
        let tanh = stats(&[range(ONE_ULP / 1000, 100), range(ONE_ULP, 60), range(ONE_ULP / 99, 90)]);
        assert_eq!(computed(&tanh), Some((150, 200)));
        assert_eq!(computed(&stats(&[range(ONE_ULP, 60)])), None, "all of it is computed");
        assert_eq!(computed(&stats(&[range(0, 100)])), None);
    }
}
