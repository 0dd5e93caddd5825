//! What a sweep over every input tells of a function beyond its accuracy, as tables and as columns of charts.

use assay_engine::stats::accuracy::Extreme;
use assay_engine::stats::survey::{Conformance, Pair, Pairs, Range, Relation, Survey};
use assay_engine::stats::tally::Tally;
use assay_isa::format::Format;

use crate::number::{NONE, count, hex, magnitude, share, ulp_units};
use crate::table::{Set, Table};
use crate::value::{bits, decimal, hex_float};

/// The name of a relation.
pub fn name(relation: Relation) -> &'static str {
    match relation {
        Relation::Monotonic => "monotonic",
        Relation::Odd => "odd",
        Relation::Even => "even",
        Relation::ExponentInvariant => "exponent invariant",
        Relation::BorderJump => "border jump",
        Relation::UnitCircle => "unit circle",
    }
}

/// What a relation asks.
pub fn meaning(relation: Relation) -> &'static str {
    match relation {
        Relation::Monotonic => "of neighbouring inputs the results do not move against the truth",
        Relation::Odd => "f(−x) = −f(x), to the bit",
        Relation::Even => "f(−x) = f(x), to the bit",
        Relation::ExponentInvariant => "the fraction is that of the same argument in the binade from 1",
        Relation::BorderJump => {
            "how much the error changes from one segment to the next; a measure, never broken"
        }
        Relation::UnitCircle => "|sin² x + cos² x − 1| of positive arguments; a measure, never broken",
    }
}

/// Whether a relation can be broken, or only measures.
pub fn is_asked(relation: Relation) -> bool {
    !matches!(relation, Relation::BorderJump | Relation::UnitCircle)
}

/// What distances from a relation are counted in.
pub fn unit(relation: Relation) -> &'static str {
    match relation {
        Relation::BorderJump => "2^-32 ulp",
        Relation::UnitCircle => "2^-52",
        _ => "steps",
    }
}

/// How far a pair is from a relation, in the unit of that.
fn distance(relation: Relation, by: u64) -> String {
    match relation {
        Relation::BorderJump => format!("{} ulp", magnitude(by as f64 / 2f64.powi(32))),
        Relation::UnitCircle if by == 0 => "below 2^-52".to_owned(),
        Relation::UnitCircle => format!("2^{:.2}", (by as f64).log2() - 52.0),
        _ if by == 1 => "1 step".to_owned(),
        _ => format!("{} steps", count(by)),
    }
}

/// How many pairs break a relation; a measure has none.
pub fn broken(relation: Relation, pairs: &Pairs) -> String {
    if is_asked(relation) { count(pairs.broken) } else { NONE.to_owned() }
}

/// How far the farthest pair is from a relation.
pub fn farthest(relation: Relation, pairs: &Pairs) -> String {
    pairs.farthest.map_or(NONE.to_owned(), |pair| distance(relation, pair.by))
}

/// Each relation that failed the run, in a sentence.
pub fn refusals(tally: &Tally) -> impl Iterator<Item = String> {
    tally.refused_relations().map(|(function, relation, pairs)| {
        let at = pairs.farthest.map_or(String::new(), |pair| {
            let by = distance(relation, pair.by);
            format!(", farthest at {} and {} by {by}", hex(pair.input), hex(pair.partner))
        });
        format!(
            "{function} must be {}: {} of {} pairs are not{at}",
            name(relation),
            count(pairs.refused),
            count(pairs.seen)
        )
    })
}

/// The relations of every function that was surveyed.
pub fn relation_table(tally: &Tally) -> Table<7> {
    let mut table = Table::new([
        ("Function", Set::Code),
        ("Relation", Set::Words),
        ("Pairs", Set::Number),
        ("Broken", Set::Number),
        ("Farthest", Set::Number),
        ("at input", Set::Code),
        ("and", Set::Code),
    ]);
    for (function, survey) in surveys(tally) {
        for (relation, pairs) in &survey.relations {
            let at = |of: fn(Pair) -> u32| pairs.farthest.map_or(String::new(), |pair| hex(of(pair)));
            table.row([
                function.to_owned(),
                name(*relation).to_owned(),
                count(pairs.seen),
                broken(*relation, pairs),
                farthest(*relation, pairs),
                at(|pair| pair.input),
                at(|pair| pair.partner),
            ]);
        }
    }
    table
}

/// How inputs fared for which the specification gives the bits, of every function that was surveyed.
pub fn row_table(tally: &Tally) -> Table<5> {
    let mut table = Table::new([
        ("Function", Set::Code),
        ("Class of input", Set::Words),
        ("Inputs", Set::Number),
        ("Held", Set::Number),
        ("Verdict", Set::Words),
    ]);
    for (function, survey) in surveys(tally) {
        for (class, rows) in &survey.rows {
            let [inputs, held, verdict] = conforming(rows);
            table.row([function.to_owned(), class.clone(), inputs, held, verdict]);
        }
    }
    table
}

/// The same of one function.
pub fn conformance(survey: &Survey) -> Table<4> {
    let head = [
        ("Class of input", Set::Words),
        ("Inputs", Set::Number),
        ("Held", Set::Number),
        ("Verdict", Set::Words),
    ];
    let mut table = Table::new(head);
    for (class, rows) in &survey.rows {
        let [inputs, held, verdict] = conforming(rows);
        table.row([class.clone(), inputs, held, verdict]);
    }
    table
}

/// How many there are, how many held, and whether all did.
pub fn conforming(rows: &Conformance) -> [String; 3] {
    let missed = rows.inputs.saturating_sub(rows.held);
    let verdict = if missed == 0 { "held".to_owned() } else { format!("missed by {}", count(missed)) };
    [count(rows.inputs), count(rows.held), verdict]
}

fn surveys(tally: &Tally) -> impl Iterator<Item = (&str, &Survey)> {
    tally.accuracy.iter().filter_map(|(name, accuracy)| Some((name.as_str(), accuracy.survey.as_ref()?)))
}

/// The relations of one function, with the farthest pair of each.
pub fn relations(survey: &Survey, format: Format) -> Table<9> {
    let mut table = Table::new([
        ("Relation", Set::Words),
        ("What it asks", Set::Words),
        ("Pairs", Set::Number),
        ("Broken", Set::Number),
        ("Farthest", Set::Number),
        ("Input", Set::Code),
        ("Result", Set::Code),
        ("Partner", Set::Code),
        ("Its result", Set::Code),
    ]);
    for (relation, pairs) in &survey.relations {
        let [input, result, partner, partner_result] = match pairs.farthest {
            Some(pair) => patterns(pair, format),
            None => Default::default(),
        };
        table.row([
            name(*relation).to_owned(),
            meaning(*relation).to_owned(),
            count(pairs.seen),
            broken(*relation, pairs),
            farthest(*relation, pairs),
            input,
            result,
            partner,
            partner_result,
        ]);
    }
    table
}

/// The first pairs that break each relation of one function.
pub fn first_broken(survey: &Survey, format: Format) -> Table<7> {
    let mut table = Table::new([
        ("Relation", Set::Words),
        ("Input", Set::Code),
        ("as decimal", Set::Number),
        ("Result", Set::Code),
        ("Partner", Set::Code),
        ("Its result", Set::Code),
        ("Off by", Set::Number),
    ]);
    for (relation, pairs) in &survey.relations {
        for pair in &pairs.first {
            let [input, result, partner, partner_result] = patterns(*pair, format);
            let (argument, by) = (decimal(format, pair.input), distance(*relation, pair.by));
            table.row([name(*relation).to_owned(), input, argument, result, partner, partner_result, by]);
        }
    }
    table
}

fn patterns(pair: Pair, format: Format) -> [String; 4] {
    [pair.input, pair.result, pair.partner, pair.partner_result].map(|pattern| bits(format, pattern))
}

/// The inputs farthest off, as bits, decimals and hexadecimal floats.
pub fn worst(list: &[Extreme], format: Format) -> Table<7> {
    let mut table = Table::new([
        ("Error in ulp", Set::Number),
        ("Input", Set::Code),
        ("as decimal", Set::Number),
        ("as hex float", Set::Code),
        ("Result", Set::Code),
        ("as decimal", Set::Number),
        ("as hex float", Set::Code),
    ]);
    for extreme in list {
        let [input, result] = [extreme.input, extreme.result]
            .map(|pattern| (bits(format, pattern), decimal(format, pattern), hex_float(format, pattern)));
        table.row([ulp_units(extreme.error), input.0, input.1, input.2, result.0, result.1, result.2]);
    }
    table
}

/// Neighbouring binades put together: as many as a chart or a table has room for.
pub struct Binades {
    /// The exponent field of the first.
    pub first: u32,
    /// The exponent field of the last.
    pub last: u32,
    /// Their errors.
    pub range: Range,
}

impl Binades {
    /// The magnitudes that they hold: `[2^-3, 2^-2)`.
    pub fn magnitudes(&self, format: Format) -> String {
        let low = match self.first {
            0 => "(0".to_owned(),
            field => format!("[2^{}", field as i32 - format.bias()),
        };
        format!("{low}, 2^{})", self.last as i32 + 1 - format.bias())
    }
}

/// The binades of the arguments of one sign, from the first to the last that was measured, in at most `most`
/// groups of equal size.
pub fn binades(survey: &Survey, format: Format, negative: bool, most: u32) -> Vec<Binades> {
    let Some((first, last)) = occupied(&[survey], format, negative) else { return Vec::new() };
    grouped(survey, format, negative, (first, last), most)
}

/// The first and last exponent field that some survey measured arguments of a sign in.
pub fn occupied(list: &[&Survey], format: Format, negative: bool) -> Option<(u32, u32)> {
    let fields = || {
        let keys = list.iter().flat_map(|survey| survey.binades.iter());
        let measured = keys.filter(|(_, range)| range.measured > 0).map(|(key, _)| field(*key, format));
        measured.filter(|(sign, _)| *sign == negative).map(|(_, field)| field)
    };
    Some((fields().min()?, fields().max()?))
}

/// The binades from one exponent field to another in at most `most` groups of equal size.
pub fn grouped(
    survey: &Survey,
    format: Format,
    negative: bool,
    (first, last): (u32, u32),
    most: u32,
) -> Vec<Binades> {
    let size = (last - first + 1).div_ceil(most.max(1));
    let group = |first: u32| Binades { first, last: (first + size - 1).min(last), range: Range::default() };
    let mut groups: Vec<Binades> = (first..=last).step_by(size as usize).map(group).collect();
    for (key, range) in &survey.binades {
        let (sign, field) = field(*key, format);
        if sign == negative && (first..=last).contains(&field) {
            groups[((field - first) / size) as usize].range.merge(range);
        }
    }
    groups
}

/// Sign and exponent field of the key of a binade.
pub fn field(key: u32, format: Format) -> (bool, u32) {
    let fields = 1 << format.exponent_bits;
    (key & fields != 0, key & (fields - 1))
}

/// The errors by binade, negative arguments first.
pub fn binade_table(survey: &Survey, format: Format, most: u32) -> Table<7> {
    let mut table = Table::new([
        ("Arguments", Set::Code),
        ("Measured", Set::Number),
        ("Correctly rounded", Set::Number),
        ("Least ulp", Set::Number),
        ("at input", Set::Code),
        ("Greatest ulp", Set::Number),
        ("at input", Set::Code),
    ]);
    for negative in [true, false] {
        let mut list = binades(survey, format, negative, most);
        if negative {
            list.reverse();
        }
        for group in list.iter().filter(|group| group.range.measured > 0) {
            let range = &group.range;
            let [(least, at_least), (greatest, at_greatest)] = [range.least, range.greatest].map(|extreme| {
                let text = |e: Extreme| (ulp_units(e.error), bits(format, e.input));
                extreme.map_or((NONE.to_owned(), String::new()), text)
            });
            table.row([
                format!("{}{}", if negative { "-" } else { "+" }, group.magnitudes(format)),
                count(range.measured),
                share(range.correctly_rounded, range.measured),
                least,
                at_least,
                greatest,
                at_greatest,
            ]);
        }
    }
    table
}
