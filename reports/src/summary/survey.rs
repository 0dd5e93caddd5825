//! What a sweep over every input tells of a function beyond its accuracy, as JSON.

use std::collections::BTreeMap;

use assay_engine::stats::survey;
use schemars::JsonSchema;
use serde::Serialize;

use super::extreme::Extreme;
use super::ratio;
use crate::number::hex;
use crate::survey::{is_asked, meaning, name, unit};

/// Where the errors are, and how the results of neighbours, mirror images and other binades stand to each other.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Survey {
    /// Results that double precision could not decide about.
    undecided: u64,
    /// The inputs farthest off, the farthest first.
    worst: Vec<Extreme>,
    /// Errors by binade; the key is the decimal number of the argument's sign and exponent field.
    binades: BTreeMap<u32, Range>,
    /// Errors by segment over all binades; the key is the leading seven bits of the argument's fraction.
    segments: BTreeMap<u32, Range>,
    /// How inputs fared for which the specification gives the bits, by their class.
    rows: BTreeMap<String, Rows>,
    /// How results stand to each other, by relation.
    relations: BTreeMap<&'static str, Relation>,
}

/// The errors of a range of arguments.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Range {
    /// Results measured.
    measured: u64,
    /// Share of them, 0 to 1; null of none.
    correctly_rounded: Option<f64>,
    /// The most negative error.
    least: Option<Extreme>,
    /// The most positive error.
    greatest: Option<Extreme>,
}

/// Inputs for which the specification gives the bits.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Rows {
    /// How many.
    inputs: u64,
    /// Those that gave these bits.
    held: u64,
}

/// The pairs of results that were held against a relation.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Relation {
    /// What it asks, in words.
    asks: &'static str,
    /// What distances are counted in.
    unit: &'static str,
    /// How many pairs.
    seen: u64,
    /// Those that break it; null for a relation that only measures.
    broken: Option<u64>,
    /// Those of them that fail the run.
    refused: u64,
    /// The pair farthest from it.
    farthest: Option<Pair>,
    /// The first pairs that break it.
    first: Vec<Pair>,
    /// How many break it, by the leading sixteen of 32 bits of the input, as a decimal number.
    places: BTreeMap<u32, u64>,
}

/// Two inputs and their results, as bits.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Pair {
    /// An input.
    input: String,
    /// Its result.
    result: String,
    /// What it is held against.
    partner: String,
    /// The result there.
    partner_result: String,
    /// How far they are from the relation, in its unit.
    by: u64,
}

impl Survey {
    /// A survey as JSON has it.
    pub fn of(survey: &survey::Survey) -> Survey {
        let ranges = |map: &BTreeMap<u32, survey::Range>| {
            map.iter().map(|(key, range)| (*key, Range::of(range))).collect()
        };
        let rows = survey.rows.iter().map(|(class, rows)| {
            let survey::Conformance { inputs, held } = *rows;
            (class.clone(), Rows { inputs, held })
        });
        let relations = survey.relations.iter();
        Survey {
            undecided: survey.undecided,
            worst: survey.worst.iter().copied().map(Extreme::from).collect(),
            binades: ranges(&survey.binades),
            segments: ranges(&survey.segments),
            rows: rows.collect(),
            relations: relations.map(|(of, pairs)| (name(*of), Relation::of(*of, pairs))).collect(),
        }
    }
}

impl Range {
    fn of(range: &survey::Range) -> Range {
        Range {
            measured: range.measured,
            correctly_rounded: ratio(range.correctly_rounded, range.measured),
            least: range.least.map(Extreme::from),
            greatest: range.greatest.map(Extreme::from),
        }
    }
}

impl Relation {
    fn of(relation: survey::Relation, pairs: &survey::Pairs) -> Relation {
        Relation {
            asks: meaning(relation),
            unit: unit(relation),
            seen: pairs.seen,
            broken: is_asked(relation).then_some(pairs.broken),
            refused: pairs.refused,
            farthest: pairs.farthest.map(Pair::of),
            first: pairs.first.iter().copied().map(Pair::of).collect(),
            places: pairs.places.clone(),
        }
    }
}

impl Pair {
    fn of(pair: survey::Pair) -> Pair {
        let [input, result, partner, partner_result] =
            [pair.input, pair.result, pair.partner, pair.partner_result].map(hex);
        Pair { input, result, partner, partner_result, by: pair.by }
    }
}
