//! The statistics of a sweep over every input other than accuracy, as JSON.

use std::collections::BTreeMap;

use assay_engine::stats::exhaustive::{Conformance, ExhaustiveStats, Pair, Pairs, Range, ResultRelation};
use assay_records::commands::function::{ErrorRange, FunctionSurvey, RelationCounts, ResultPair, RowCounts};

use super::extreme::extreme;
use super::ratio;
use crate::exhaustive::{is_asked, meaning, unit};
use crate::number::hex;

/// Converts the statistics of a full sweep into their JSON form.
pub fn of(stats: &ExhaustiveStats) -> FunctionSurvey {
    let ranges = |map: &BTreeMap<u32, Range>| map.iter().map(|(key, errors)| (*key, range(errors))).collect();
    let rows = stats.rows.iter().map(|(class, rows)| {
        let Conformance { inputs, held } = *rows;
        (class.clone(), RowCounts { inputs, held })
    });
    let relations = stats.relations.iter();
    FunctionSurvey {
        undecided: stats.undecided,
        worst: stats.worst.iter().copied().map(extreme).collect(),
        binades: ranges(&stats.binades),
        segments: ranges(&stats.segments),
        rows: rows.collect(),
        relations: relations.map(|(of, pairs)| (of.name().to_owned(), relation(*of, pairs))).collect(),
    }
}

fn range(range: &Range) -> ErrorRange {
    ErrorRange {
        measured: range.measured,
        correctly_rounded: ratio(range.correctly_rounded, range.measured),
        least: range.least.map(extreme),
        greatest: range.greatest.map(extreme),
    }
}

fn relation(relation: ResultRelation, pairs: &Pairs) -> RelationCounts {
    RelationCounts {
        asks: meaning(relation).to_owned(),
        unit: unit(relation).to_owned(),
        seen: pairs.seen,
        broken: is_asked(relation).then_some(pairs.broken),
        refused: pairs.refused,
        farthest: pairs.farthest.map(pair),
        first: pairs.first.iter().copied().map(pair).collect(),
        places: pairs.places.clone(),
    }
}

fn pair(pair: Pair) -> ResultPair {
    let [input, result, partner, partner_result] =
        [pair.input, pair.result, pair.partner, pair.partner_result].map(hex);
    ResultPair { input, result, partner, partner_result, by: pair.by }
}
