//! Statistics on how sums and products were rounded, as tables and charts. The counted functions of
//! an optype are combined by rounding mode, `.FTZ` and `.SAT`.
//!
//! A campaign measures only some of its batches. So each count here covers only the measured
//! results. The page states their number and their selection first.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use assay_engine::generate::LANES;
use assay_engine::operands::operand_kinds::OperandKind;
use assay_engine::stats::rounding_stats::{DEPTHS, ERROR_BINS, EVERY, REACH, RoundingStats};
use assay_isa::catalog::catalog;
use assay_isa::format::F32;
use assay_records::RunResult;

use crate::histogram::edge_marks;
use crate::number::{count, share};
use assay_pages::chart::Figure;
use assay_pages::chart::axis::Marks;
use assay_pages::chart::bars::{Bar, Bars, Series};
use assay_pages::chart::scale::Scale;
use assay_pages::{Block, Table, note, number, paragraph, row};

/// The rounding modes, in display order.
pub const MODES: [&str; 4] = ["RN", "RP", "RM", "RZ"];
/// Least number of instructions of a rounding mode for which its shares are shown.
const FEWEST: u64 = 50;
/// Width of a bin, in exponents, for differences of exponents.
const STEP: i32 = 8;

/// The text below the counts by rounding mode.
const ROUNDED: &str = "Special have no number to round: a NaN, an infinite operand, an exact zero. Tiny \
    are the numbers below the least normal, whatever their outcome. Overflowed are those too large for \
    the format, or with a result that is not finite. Rounded are the numbers that remain without the \
    overflowed, those that .FTZ flushed and, under .SAT, the negative ones and those of 1 or more. \
    Representable (rounded without an error) and ties are shares of the rounded.";

/// The text below the effects of `.FTZ` and `.SAT`.
const EFFECTS: &str = "Flushed inputs are counted over all results with .FTZ. The other effects are \
    counted on numbers, and not where the result is special: a NaN or an infinity that .SAT clamped is not \
    among them.";

/// The text below the errors.
const ERRORS: &str = "Result less unrounded number, in shares of the rounded of each mode, all bars on one \
    scale. A bin holds its lower edge and not its upper one: the representable are in the bin from 0, ties \
    rounded up in the one from +0.5, ties rounded down in the one from -0.5.";

/// The text below the charts of a sum.
const TERMS: &str = "Both charts are of sums whose terms and exact value are finite and not zero. Lost are the leading bits \
    of the larger term that the exact sum no longer has; a complete cancellation, whose sum is zero, is \
    special.";

/// The text that replaces the charts of a sum.
const NO_TERMS: &str = "No sum was counted whose terms and exact value are finite and not zero.";

/// The counted functions of an optype, combined.
#[derive(Default)]
pub struct ArithmeticFunctions {
    /// The optype.
    pub optype: String,
    /// Number of cases of the optype that the run executed, counted or not.
    pub executed: u64,
    /// Statistics of all functions.
    pub total: RoundingStats,
    /// Statistics of the functions by rounding mode, in the order of [`MODES`].
    pub modes: [RoundingStats; 4],
    /// Statistics of the functions with `.FTZ`.
    pub ftz: RoundingStats,
    /// Statistics of the functions with `.SAT`.
    pub sat: RoundingStats,
}

impl ArithmeticFunctions {
    /// Whether the optype computes a sum, whose terms can cancel.
    pub fn is_sum(&self) -> bool {
        self.optype != "FMUL"
    }

    /// Adds a function, given by its mnemonic. A mnemonic without a rounding mode means `RN`.
    fn add(&mut self, mnemonic: &str, stats: &RoundingStats) {
        let has = |name: &str| mnemonic.split('.').any(|part| part == name);
        let mode = MODES.iter().position(|mode| has(mode)).unwrap_or(0);
        self.total.merge(stats);
        self.modes[mode].merge(stats);
        if has("FTZ") {
            self.ftz.merge(stats);
        }
        if has("SAT") {
            self.sat.merge(stats);
        }
    }

    /// Returns the effects of `.FTZ` and `.SAT`. Each has a name, the number of affected results,
    /// and the number of results with the modifier.
    fn effects(&self) -> [(&'static str, u64, u64); 4] {
        [
            (".FTZ flushed an input", self.ftz.inputs_flushed, self.ftz.cases),
            (".FTZ flushed the result", self.ftz.results_flushed, self.ftz.cases),
            (".SAT raised to 0", self.sat.raised, self.sat.cases),
            (".SAT lowered to 1", self.sat.lowered, self.sat.cases),
        ]
    }

    /// Returns the shares that can be compared with another run. Each has a name, the number in the
    /// share, and the number of all.
    pub fn shares(&self) -> [(&'static str, u64, u64); 9] {
        let (one, rounded) = (&self.total, rounded(&self.total));
        let [inputs, results, raised, lowered] = self.effects();
        [
            ("special", one.special, one.cases),
            ("overflowed", one.overflowed, one.cases),
            ("tiny", one.tiny, one.cases),
            ("representable, of the rounded", one.representable, rounded),
            ("ties, of the rounded", one.ties, rounded),
            inputs,
            results,
            raised,
            lowered,
        ]
    }
}

/// Returns the rounding statistics of a result by optype.
pub fn by_optype(outcome: &RunResult) -> Vec<ArithmeticFunctions> {
    let mut optypes: BTreeMap<&str, ArithmeticFunctions> = BTreeMap::new();
    for (mnemonic, stats) in &outcome.tally.rounding_stats {
        let optype = mnemonic.split('.').next().unwrap_or_default();
        let entry = optypes.entry(optype).or_insert_with(|| ArithmeticFunctions {
            optype: optype.to_owned(),
            executed: executed(outcome, optype),
            ..ArithmeticFunctions::default()
        });
        entry.add(mnemonic, stats);
    }
    optypes.into_values().collect()
}

fn executed(outcome: &RunResult, optype: &str) -> u64 {
    let forms = catalog().forms_of(optype);
    forms.filter_map(|form| outcome.tally.forms.get(form.name)).map(|counts| counts.total()).sum()
}

/// Returns which batches of a run are counted, as text.
pub fn taken() -> String {
    format!("one batch in {EVERY}")
}

/// Returns the number of rounded results that did not overflow and were not flushed or clamped.
pub fn rounded(stats: &RoundingStats) -> u64 {
    stats.errors.iter().sum()
}

/// Returns the classes of results with their counts.
pub fn classes(stats: &RoundingStats) -> impl Iterator<Item = (&'static str, u64)> {
    OperandKind::Float(F32).classes().iter().copied().zip(stats.results.iter().copied())
}

/// Returns the lower edges of the bins of errors in ulp, and the upper edge of the last bin. The
/// outermost bins are open.
pub fn error_edges() -> Vec<f64> {
    let per_ulp = ERROR_BINS as f64 / 2.0;
    (0..=ERROR_BINS).map(|i| i as f64 / per_ulp - 1.0).collect()
}

/// Returns the lower edges of the bins of exponent differences, and the upper edge of the last bin.
/// The outermost bins are open.
pub fn difference_edges() -> Vec<i32> {
    (-REACH..=REACH).step_by(STEP as usize).collect()
}

/// Returns the folded statistics of each counted optype.
pub fn blocks(outcome: &RunResult) -> Vec<Block> {
    let one = |one: ArithmeticFunctions| {
        let mut body = vec![
            paragraph(sample(&one)),
            mode_table(&one).into(),
            note(hidden(&one)),
            note(ROUNDED),
            effect_table(&one).into(),
            note(EFFECTS),
            class_table(&one.total).into(),
            Block::Figures(figures(&one)),
        ];
        body.extend((rounded(&one.total) > 0).then(|| note(ERRORS)));
        body.extend(one.is_sum().then(|| note(terms(&one.total))));
        let (optype, counted) = (&one.optype, count(one.total.cases));
        Block::Folded(format!("How results of {optype} were rounded, of {counted} counted").into(), body)
    };
    by_optype(outcome).into_iter().map(one).collect()
}

fn figures(one: &ArithmeticFunctions) -> Vec<Figure> {
    let ArithmeticFunctions { optype, total, .. } = one;
    let mut list = vec![errors(one)];
    if one.is_sum() {
        let cancelled = format!("Cancellation in {optype}");
        list.push(counted("c", optype, cancelled, "leading bits lost", &total.cancelled, depth_label));
        let (title, x) = (difference_heading(one), "difference of exponents");
        list.push(counted("e", optype, title, x, &total.differences, difference_label));
    }
    list.into_iter().flatten().map(Figure::Bars).collect()
}

/// Returns a chart of the errors in each rounding mode that has shares, on one scale. `None` if
/// there is none.
fn errors(one: &ArithmeticFunctions) -> Option<Bars> {
    let range = occupied(&one.total.errors)?;
    let modes = MODES.into_iter().zip(&one.modes).filter(|(_, mode)| !is_few(mode) && rounded(mode) > 0);
    let series: Vec<Series> = modes
        .map(|(name, mode)| {
            let (of, number) = (rounded(mode), |bin: usize| mode.errors[bin]);
            let bar = |bin| Bar::new(number(bin), of, number(bin) as f64 / of as f64);
            Series {
                name: name.to_owned(),
                about: format!("{} rounded results in bins of a sixteenth of an ulp.", count(of)),
                bars: range.clone().map(bar).collect(),
            }
        })
        .collect();
    if series.is_empty() {
        return None;
    }
    let heights = series.iter().flat_map(|series| series.bars.iter().map(|bar| bar.height));
    Some(Bars {
        id: format!("d-{}", one.optype),
        title: format!("Rounding errors of {} by mode", one.optype),
        x: "error in ulp",
        y: "share of the rounded",
        bins: range.clone().map(error_label).collect(),
        unit: "",
        below: edge_marks(&error_edges(), &range),
        side: Scale::shares(heights.fold(0.0, f64::max)),
        series,
    })
}

/// Returns a chart of counts on a logarithmic scale, from the first to the last filled bin. `None`
/// if all bins are empty.
fn counted(
    id: &str,
    optype: &str,
    title: String,
    x: &'static str,
    counts: &[u64],
    label: fn(usize) -> String,
) -> Option<Bars> {
    let range = occupied(counts)?;
    let (of, most) = (counts.iter().sum(), counts.iter().copied().max()?);
    let bar = |bin: usize| Bar::new(counts[bin], of, counts[bin] as f64);
    let bars = range.clone().map(bar).collect();
    Some(Bars {
        id: format!("d-{optype}-{id}"),
        title,
        x,
        y: "results, in decades",
        bins: range.clone().map(label).collect(),
        unit: "",
        series: vec![Series { name: String::new(), about: format!("{} results.", count(of)), bars }],
        below: middles(&range, label),
        side: Scale::counts(most),
    })
}

/// Returns marks below the middle of some bins, each with the first word of the bin's label.
fn middles(bins: &RangeInclusive<usize>, label: fn(usize) -> String) -> Marks {
    let number = bins.end() - bins.start() + 1;
    let picked = bins.clone().step_by(number.div_ceil(6).max(1));
    let place = |bin: usize| ((bin - bins.start()) as f64 + 0.5) / number as f64;
    picked.map(|bin| (place(bin), label(bin).split(' ').next().unwrap_or_default().to_owned())).collect()
}

/// Returns the heading of the exponent differences, which names their terms.
fn difference_heading(arithmetic: &ArithmeticFunctions) -> String {
    let optype = &arithmetic.optype;
    let first = if optype == "FFMA" { "product" } else { "first term" };
    format!("Exponent of the {first} less that of the addend in {optype}")
}

/// Describes which sums the charts show.
fn terms(stats: &RoundingStats) -> &'static str {
    if stats.cancelled.iter().any(|n| *n > 0) { TERMS } else { NO_TERMS }
}

/// Describes how many results were counted, and how they were selected.
fn sample(arithmetic: &ArithmeticFunctions) -> String {
    let ArithmeticFunctions { optype, executed, total, .. } = arithmetic;
    format!(
        "Counted: {} results from the {} cases of {optype} that were executed ({}). The run counts {}, \
         and leaves out cases that write nothing. The numbers below are of these results alone.",
        count(total.cases),
        count(*executed),
        share(total.cases, *executed),
        taken(),
    )
}

fn mode_table(arithmetic: &ArithmeticFunctions) -> Table {
    let head =
        "Rounding | Results | Special | Overflowed | Tiny | Rounded | Representable | Share | Ties | Share";
    let modes = MODES.into_iter().zip(&arithmetic.modes).filter(|(_, mode)| !is_few(mode));
    let modes = modes.chain([("all", &arithmetic.total)]);
    let rows = modes.map(|(name, one)| {
        let n = rounded(one);
        let [exact, ties] = [one.representable, one.ties].map(|part| number(share(part, n)));
        let RoundingStats { cases, special, overflowed, tiny, .. } = *one;
        row![name, cases, special, overflowed, tiny, n, one.representable, exact, one.ties, ties]
    });
    Table::new("Results by rounding mode", head, rows)
}

/// Whether a mode has too few results for shares. All results of a batch are of one instruction, so
/// few batches have few kinds of operands.
fn is_few(mode: &RoundingStats) -> bool {
    mode.cases < FEWEST * LANES as u64
}

/// Names the modes without a row, and their numbers of results. Empty if each mode has a row.
fn hidden(arithmetic: &ArithmeticFunctions) -> String {
    let modes = MODES.into_iter().zip(&arithmetic.modes).filter(|(_, mode)| is_few(mode));
    let modes = modes.map(|(name, mode)| format!("{name} ({} results)", count(mode.cases)));
    let modes: Vec<String> = modes.collect();
    if modes.is_empty() {
        return String::new();
    }
    format!("Not shown, because the results are of fewer than {FEWEST} instructions: {}.", modes.join(", "))
}

fn effect_table(arithmetic: &ArithmeticFunctions) -> Table {
    let head = "Effect | Results | of those with the modifier | Share";
    let row = |(effect, part, whole)| row![effect, part, whole, number(share(part, whole))];
    Table::new("What .FTZ and .SAT did", head, arithmetic.effects().map(row))
}

fn class_table(stats: &RoundingStats) -> Table {
    let row = |(class, results)| row![class, results, number(share(results, stats.cases))];
    Table::new("Results by class", "Result | Count | Share", classes(stats).map(row))
}

fn occupied(counts: &[u64]) -> Option<RangeInclusive<usize>> {
    Some(counts.iter().position(|n| *n > 0)?..=counts.iter().rposition(|n| *n > 0)?)
}

fn error_label(bin: usize) -> String {
    let edges = error_edges();
    let edge = |i: usize| match edges[i] {
        0.0 => "0.0000".to_owned(),
        edge => format!("{edge:+.4}"),
    };
    match bin {
        0 => format!("below {}", edge(1)),
        _ if bin + 1 == ERROR_BINS => format!("{} and up", edge(bin)),
        _ => format!("{} to {}", edge(bin), edge(bin + 1)),
    }
}

fn depth_label(bits: usize) -> String {
    if bits + 1 == DEPTHS { format!("{bits} or more") } else { bits.to_string() }
}

fn difference_label(bin: usize) -> String {
    let edges = difference_edges();
    let (low, high) = (edges[bin], edges[bin + 1] - 1);
    match bin {
        0 => format!("{high:+} or less"),
        _ if low + STEP == REACH => format!("{low:+} or more"),
        _ => format!("{} to {high:+}", if low == 0 { "0".to_owned() } else { format!("{low:+}") }),
    }
}

/// Returns the rounding statistics in two lines: numbers of results, then ties and the most
/// cancelled bits.
pub fn brief(outcome: &RunResult) -> Vec<String> {
    let optypes = by_optype(outcome);
    if optypes.is_empty() {
        return Vec::new();
    }
    let list = |word: &dyn Fn(&ArithmeticFunctions) -> String| {
        let words = optypes.iter().map(|one| format!("{} {}", word(one), one.optype));
        words.collect::<Vec<_>>().join(", ")
    };
    let results = list(&|one| count(one.total.cases));
    let ties = list(&|one| count(one.total.ties));
    let mut facts = format!("of these, ties: {ties}");
    let deepest = |one: &ArithmeticFunctions| one.total.cancelled.iter().rposition(|n| *n > 0);
    let cancelled =
        optypes.iter().filter_map(|one| Some(format!("{} {}", depth_label(deepest(one)?), one.optype)));
    let cancelled = cancelled.collect::<Vec<_>>().join(", ");
    if !cancelled.is_empty() {
        facts += &format!("; most bits cancelled: {cancelled}");
    }
    vec![format!("results dissected, {}: {results}", taken()), facts]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::samples;

    #[test]
    fn functions_are_put_together_by_what_their_mnemonics_say() {
        let list = by_optype(&samples::arithmetic());
        assert_eq!(list.iter().map(|one| one.optype.as_str()).collect::<Vec<_>>(), ["FFMA", "FMUL"]);
        let ffma = &list[0];
        assert_eq!(ffma.modes.iter().map(|one| one.cases).sum::<u64>(), ffma.total.cases);
        assert!(ffma.modes.iter().all(|one| one.cases > 0));
        assert!(0 < ffma.sat.cases && ffma.sat.cases < ffma.ftz.cases && ffma.ftz.cases < ffma.total.cases);
        assert_eq!(ffma.executed, 1_000_000);
    }

    #[test]
    fn bins_are_named_by_their_edges() {
        assert_eq!((error_edges().len(), error_edges()[1]), (ERROR_BINS + 1, -0.9375));
        assert_eq!(difference_edges().len(), RoundingStats::default().differences.len() + 1);
        let errors = [0, 15, 16, 31].map(error_label);
        assert_eq!(errors, ["below -0.9375", "-0.0625 to 0.0000", "0.0000 to +0.0625", "+0.9375 and up"]);
        let differences = [0, 1, 8, 15].map(difference_label);
        assert_eq!(differences, ["-57 or less", "-56 to -49", "0 to +7", "+56 or more"]);
        assert_eq!([0, 49].map(depth_label), ["0", "49 or more"]);
    }

    #[test]
    fn what_has_no_dissection_has_nothing_to_show() {
        assert!(by_optype(&samples::fuzz()).is_empty() && brief(&samples::fuzz()).is_empty());
        assert!(blocks(&samples::fuzz()).is_empty());
    }
}
