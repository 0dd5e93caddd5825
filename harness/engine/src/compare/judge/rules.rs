//! The rules for one real result: which values flushing, saturation and the bound allow.

use assay_isa::format::{F16, F32, F64_HIGH, Format};
use assay_isa::truth::{Enclosure, Real, Truth, TruthValues};
use assay_vectors::{Bound, Clauses, Contract, Limit, Metric, Range};

use super::DivergenceKind;
use super::real::{Error, error, is_within, is_within_share, scale, top};

/// The allowed distance of a result from the truth.
#[derive(Clone, Copy, Debug)]
pub enum Allowance {
    /// The result must be the correctly rounded one.
    Nearest,
    /// At most this many units of 2^-32 ulp.
    Ulp(u64),
    /// Less than this many units of 2^-32 ulp.
    BelowUlp(u64),
    /// At most this distance.
    Absolute(Limit),
    /// At most this share of the magnitude of the truth, or half a unit of the subnormal grid.
    Relative(Limit),
    /// No bound applies. The error is measured. A result is refused only if it is a NaN, or
    /// violates the rules for signs, infinity, flushing, clamping or the function's range.
    Open,
}

impl Allowance {
    /// Returns the allowance of a bound.
    pub fn of(bound: &Bound) -> Allowance {
        match bound.metric {
            // `units` is never `None`. If a limit in ulp is not a whole number of units, reading
            // the profile fails.
            Metric::Ulp if bound.is_strict => Allowance::BelowUlp(bound.limit.units().unwrap_or(0)),
            Metric::Ulp => Allowance::Ulp(bound.limit.units().unwrap_or(0)),
            Metric::Absolute => Allowance::Absolute(bound.limit),
            Metric::Relative => Allowance::Relative(bound.limit),
        }
    }
}

/// The rules for a real result.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Format of the result.
    pub format: Format,
    /// Whether subnormal results become a zero of their sign.
    pub flush: bool,
    /// Whether results are clamped to [+0, 1].
    pub saturate: bool,
    /// The allowed distance of results from the truth.
    pub allowance: Allowance,
    /// The allowed distance under the last of the contract's bounds.
    pub last: Allowance,
    /// The demands of the contract besides its bounds.
    pub clauses: Clauses,
}

/// The outcome of one real result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RealOutcome {
    /// The result is right, and no error was measured. Exact bits or correct rounding were
    /// demanded, or flushing, clamping or overflow alone decided. An exact zero without a sign may
    /// have either sign.
    Held,
    /// It holds, with this error.
    Within(Error),
    /// No bound applies to the argument of the result. This is the measured error.
    Unjudged(Error),
    /// It does not hold.
    Diverged(DivergenceKind, Option<Error>),
}

impl RealOutcome {
    /// Whether the result did not diverge.
    pub fn holds(&self) -> bool {
        !matches!(self, RealOutcome::Diverged(..))
    }

    /// The error, where one was measured.
    pub fn error(&self) -> Option<Error> {
        match self {
            RealOutcome::Held => None,
            RealOutcome::Within(error) | RealOutcome::Unjudged(error) => Some(*error),
            RealOutcome::Diverged(_, error) => *error,
        }
    }
}

/// Zero, with an exponent below the exponents of all other numbers.
const ZERO: Enclosure = Enclosure { negative: false, significand: 0, exponent: i32::MIN / 4, exact: true };

/// The number 1.
const ONE: Enclosure = Enclosure { negative: false, significand: 1, exponent: 0, exact: true };

/// Returns the truth as a real number. `None` if the truth is bits.
pub fn number(truth: &Real) -> Option<Enclosure> {
    match truth {
        Real::Bits(_) => None,
        Real::Zero | Real::SignedZero { .. } => Some(ZERO),
        Real::Near(y) => Some(*y),
    }
}

impl Rules {
    /// Judges one result.
    pub fn judge(&self, truth: &Real, bits: u32) -> RealOutcome {
        match truth {
            Real::Bits(expected) if *expected == bits => RealOutcome::Held,
            Real::Bits(expected) => RealOutcome::Diverged(difference(self.format, *expected, bits), None),
            Real::SignedZero { negative } if self.is_zero_of_other_sign(*negative, bits) => {
                RealOutcome::Diverged(DivergenceKind::ZeroSign, None)
            }
            Real::Zero | Real::SignedZero { .. } => self.judge_number(&ZERO, bits),
            Real::Near(y) => self.judge_number(y, bits),
        }
    }

    /// The result that a correctly rounding unit would give: to nearest, ties to even.
    pub fn nearest(&self, truth: &Real) -> u32 {
        let y = &match truth {
            Real::Bits(bits) => return *bits,
            Real::SignedZero { negative: true } if !self.saturate => return self.format.sign_mask(),
            Real::Zero | Real::SignedZero { .. } => return 0,
            Real::Near(y) => *y,
        };
        let sign = if y.negative { self.format.sign_mask() } else { 0 };
        if self.saturate && (y.negative || top(y) >= 0) {
            return if y.negative { 0 } else { self.format.one() };
        }
        let magnitude = self.nearest_magnitude(y);
        if self.flush && self.format.is_subnormal(magnitude) { sign } else { magnitude | sign }
    }

    /// Whether a result is a zero with the wrong sign. `false` if the contract leaves signs free,
    /// and under saturation, which makes every zero +0.
    fn is_zero_of_other_sign(&self, negative: bool, bits: u32) -> bool {
        let is_zero = bits & !self.format.sign_mask() == 0;
        let counts = !self.saturate && self.clauses.judges_signs();
        is_zero && counts && self.format.is_negative(bits) != negative
    }

    fn judge_number(&self, y: &Enclosure, bits: u32) -> RealOutcome {
        let format = self.format;
        if format.is_nan(bits) {
            return RealOutcome::Diverged(DivergenceKind::Nan, None);
        }
        if self.saturate
            && let Some(outcome) = self.judge_clamped(y, bits)
        {
            return outcome;
        }
        let magnitude = bits & !format.sign_mask();
        let is_negated = format.is_negative(bits) != y.negative;
        let has_wrong_sign = is_negated && self.sign_counts(y, magnitude);
        if self.flush {
            if format.is_subnormal(bits) {
                return RealOutcome::Diverged(DivergenceKind::Flush, None);
            }
            if magnitude == 0 && self.may_be_flushed(y) {
                return match self.nearest_magnitude(y) >> format.fraction_bits {
                    _ if has_wrong_sign => RealOutcome::Diverged(DivergenceKind::ZeroSign, None),
                    0 if y.significand == 0 || !is_negated => RealOutcome::Held,
                    _ if matches!(self.allowance, Allowance::Open) => {
                        RealOutcome::Unjudged(error(format, bits, y))
                    }
                    _ => RealOutcome::Within(error(format, bits, y)),
                };
            }
        }
        if has_wrong_sign {
            let kind = if magnitude == 0 { DivergenceKind::ZeroSign } else { DivergenceKind::Sign };
            return RealOutcome::Diverged(kind, None);
        }
        // If the truth is beyond the largest binade, infinity is right.
        if magnitude == format.infinity() && !is_negated && top(y) > format.bias() {
            return RealOutcome::Held;
        }
        if matches!(self.allowance, Allowance::Open)
            && magnitude == format.infinity()
            && top(y) < format.bias()
        {
            return RealOutcome::Diverged(DivergenceKind::Infinity, None);
        }
        self.measure(y, bits)
    }

    /// Whether a result of this magnitude must have the sign of the truth. `false` for an exact
    /// zero here, because no source gives its sign. Under an absolute bound, and without a bound,
    /// the contract decides whether the sign of a small value counts.
    fn sign_counts(&self, y: &Enclosure, magnitude: u32) -> bool {
        if y.significand == 0 {
            return false;
        }
        let is_never_negative = self.clauses.facts.range == Range::NotNegative;
        match self.allowance {
            _ if self.clauses.judges_signs() || is_never_negative && magnitude != 0 => true,
            Allowance::Absolute(_) => false,
            Allowance::Open => !self.is_near_zero(y),
            Allowance::Nearest | Allowance::Ulp(_) | Allowance::BelowUlp(_) | Allowance::Relative(_) => true,
        }
    }

    /// Whether the truth is so near to zero that the last of the contract's bounds would allow either sign.
    fn is_near_zero(&self, y: &Enclosure) -> bool {
        matches!(self.last, Allowance::Absolute(limit) if is_within(self.format, 0, y, limit))
    }

    /// Whether a result exceeds the range of the function by more than the last of the contract's
    /// bounds allows.
    fn is_out_of_range(&self, bits: u32) -> bool {
        let format = self.format;
        let magnitude = bits & !format.sign_mask();
        self.clauses.facts.range == Range::Unit
            && magnitude > format.one()
            && !allows(format, self.last, &ONE, magnitude, error(format, magnitude, &ONE))
    }

    fn measure(&self, y: &Enclosure, bits: u32) -> RealOutcome {
        let error = error(self.format, bits, y);
        match self.allowance {
            Allowance::Open if self.is_out_of_range(bits) => {
                RealOutcome::Diverged(DivergenceKind::Range, Some(error))
            }
            Allowance::Open => RealOutcome::Unjudged(error),
            // The correctly rounded bits are demanded, and the result has them.
            Allowance::Nearest if error.correctly_rounded => RealOutcome::Held,
            allowance if allows(self.format, allowance, y, bits, error) => RealOutcome::Within(error),
            _ => RealOutcome::Diverged(DivergenceKind::Bound, Some(error)),
        }
    }

    /// Judges a result if clamping alone decides, else returns `None`. Results outside [+0, 1]
    /// diverge. It accepts +0 for a truth below 0, and 1 for a truth of at least 1.
    fn judge_clamped(&self, y: &Enclosure, bits: u32) -> Option<RealOutcome> {
        let format = self.format;
        if format.is_negative(bits) || bits > format.one() {
            let kind =
                if bits == format.sign_mask() { DivergenceKind::ZeroSign } else { DivergenceKind::Bound };
            return Some(RealOutcome::Diverged(kind, None));
        }
        let above_one = !y.negative && top(y) >= 0;
        let clamped = (y.negative && bits == 0) || (above_one && bits == format.one());
        clamped.then_some(RealOutcome::Held)
    }

    /// Whether a zero is allowed as a flushed result of the truth y. |y| must be below the least
    /// normal number. In addition, y must round to a subnormal number or zero, or a subnormal
    /// number or zero must lie within the bound. (The rounding is tested, too, because a bound
    /// below half an ulp may contain neither neighbour of y.)
    ///
    /// A y of at least the least normal number is never flushed, however near a subnormal number
    /// is: an H200 returns 2^-126 for EX2(-126).
    fn may_be_flushed(&self, y: &Enclosure) -> bool {
        if top(y) >= self.format.emin() {
            return false;
        }
        let sign = if y.negative { self.format.sign_mask() } else { 0 };
        let allowed = |bits: u32| {
            let error = error(self.format, bits | sign, y);
            error.correctly_rounded || allows(self.format, self.allowance, y, bits | sign, error)
        };
        // The nearest candidates are the greatest pattern that does not exceed |y|, and the next
        // pattern.
        let greatest = self.format.fraction_mask();
        let below = self.floor_pattern(y).min(greatest);
        allowed(below) || allowed((below + 1).min(greatest))
    }

    /// Returns the pattern of the largest magnitude that does not exceed |y|.
    fn floor_pattern(&self, y: &Enclosure) -> u32 {
        self.halves(y).0 >> 1
    }

    /// Returns the pattern of the magnitude nearest to |y|. Of two equally near patterns, returns
    /// the even one.
    fn nearest_magnitude(&self, y: &Enclosure) -> u32 {
        let (halves, exact) = self.halves(y);
        let (below, half) = (halves >> 1, halves & 1 == 1);
        let up = half && (!exact || below & 1 == 1);
        (below + u32::from(up)).min(self.format.infinity())
    }

    /// Returns the pattern of |y| in a format with one more fraction bit, rounded down, and whether
    /// it is exact. Beyond the largest binade, returns infinity.
    fn halves(&self, y: &Enclosure) -> (u32, bool) {
        let format = self.format;
        let exponent = top(y).max(format.emin());
        if exponent > format.bias() {
            return (format.infinity() << 1, true);
        }
        let (significand, cut) =
            scale(y.significand, y.exponent - exponent + format.fraction_bits as i32 + 1);
        // Adding the leading bit of a normal number increases the exponent field by one.
        let field = ((exponent - format.emin()) as u32) << (format.fraction_bits + 1);
        (field + significand as u32, y.exact && !cut)
    }
}

/// Whether a result with this error is near enough to the truth.
fn allows(format: Format, allowance: Allowance, y: &Enclosure, bits: u32, error: Error) -> bool {
    match allowance {
        Allowance::Nearest => error.correctly_rounded,
        Allowance::Ulp(limit) => error.at_most(limit),
        Allowance::BelowUlp(limit) => error.is_below(limit),
        Allowance::Absolute(limit) => is_within(format, bits, y, limit),
        Allowance::Relative(share) => is_within_share(format, bits, y, share),
        Allowance::Open => true,
    }
}

/// The bounds of a contract, by argument.
struct ContractBounds<'a> {
    list: &'a [Bound],
    allowances: Vec<Allowance>,
    /// The allowance of arguments without a bound.
    otherwise: Allowance,
    clauses: Clauses,
}

impl<'a> ContractBounds<'a> {
    fn of(contract: &'a Contract) -> ContractBounds<'a> {
        let (list, otherwise, clauses): (&[Bound], _, _) = match contract {
            Contract::BitExact | Contract::Model => (&[], Allowance::Nearest, Clauses::default()),
            Contract::Bounded { bounds, clauses } => (bounds, Allowance::Open, *clauses),
        };
        ContractBounds { list, allowances: list.iter().map(Allowance::of).collect(), otherwise, clauses }
    }

    /// Returns the index of the bound that applies to an argument, if any, and the allowance.
    fn at(&self, format: Format, argument: u32) -> (Option<usize>, Allowance) {
        let number = || value(format, argument);
        let covers = |bound: &Bound| bound.interval.as_ref().is_none_or(|one| one.contains(number()));
        let index = self.list.iter().position(covers);
        (index, index.map_or(self.otherwise, |index| self.allowances[index]))
    }

    fn metric(&self, bound: Option<usize>) -> Metric {
        bound.map(|index| &self.list[index]).or(self.list.last()).map_or(Metric::Ulp, |bound| bound.metric)
    }
}

/// Returns the number that a pattern stands for.
pub fn value(format: Format, bits: u32) -> f64 {
    match format {
        F32 => f64::from(f32::from_bits(bits)),
        F64_HIGH => f64::from_bits(u64::from(bits) << 32),
        F16 => half::f16::from_bits(bits as u16).to_f64(),
        _ => half::bf16::from_bits(bits as u16).to_f64(),
    }
}

/// The real results of a truth, with the contract's rules for them.
pub struct Reals<'a> {
    /// Format of the results.
    pub format: Format,
    /// Number of results that a lane packs into a register.
    pub packed: usize,
    arguments: &'a [u32],
    values: &'a [Real],
    bounds: ContractBounds<'a>,
    /// The rules of each result, except for the allowance.
    rules: Rules,
}

/// One of the real results that a lane packs into a register.
pub struct PackedResult<'a> {
    /// Its argument.
    pub argument: u32,
    /// Its true value.
    pub value: &'a Real,
    /// Index of the contract's bound that applies to the argument, if any.
    pub bound: Option<usize>,
    /// The rules of this result.
    pub rules: Rules,
    /// Position of its lowest bit in the register.
    pub shift: u32,
}

impl<'a> Reals<'a> {
    /// The real results of a truth; `None` if the truth is bits.
    pub fn of(contract: &'a Contract, truth: &'a Truth) -> Option<Reals<'a>> {
        let TruthValues::Reals { format, packed, flush, saturate, arguments, values } = &truth.values else {
            return None;
        };
        let (format, packed, bounds) = (*format, *packed, ContractBounds::of(contract));
        let last = bounds.allowances.last().copied().unwrap_or(bounds.otherwise);
        let rules = Rules {
            format,
            flush: *flush,
            saturate: *saturate,
            allowance: bounds.otherwise,
            last,
            clauses: bounds.clauses,
        };
        Some(Reals { format, packed, arguments, values, bounds, rules })
    }

    /// The real results of a lane, the first in the lowest bits.
    pub fn lane(&self, lane: usize) -> impl Iterator<Item = PackedResult<'a>> {
        let places =
            (lane * self.packed..(lane + 1) * self.packed).zip((0..).step_by(self.format.width() as usize));
        places.map(|(place, shift)| {
            let argument = self.arguments[place];
            let (bound, allowance) = self.bounds.at(self.format, argument);
            PackedResult {
                argument,
                value: &self.values[place],
                bound,
                rules: Rules { allowance, ..self.rules },
                shift,
            }
        })
    }

    /// Returns the metric of a bound. Without a bound, returns the metric of the contract's last
    /// bound, or ulp.
    pub fn metric(&self, bound: Option<usize>) -> Metric {
        self.bounds.metric(bound)
    }
}

/// Returns the correctly rounded results of a truth. If the truth is bits, returns these bits.
pub fn nearest(truth: &Truth) -> Vec<u32> {
    match &truth.values {
        TruthValues::Bits(values) => values.clone(),
        TruthValues::Reals { format, packed, flush, saturate, values, .. } => {
            let (flush, saturate) = (*flush, *saturate);
            let (allowance, clauses) = (Allowance::Nearest, Clauses::default());
            let rules = Rules { format: *format, flush, saturate, allowance, last: allowance, clauses };
            let pack = |lane: &[Real]| {
                let shifted = lane.iter().zip((0..).step_by(format.width() as usize));
                shifted.fold(0, |word, (value, shift)| word | rules.nearest(value) << shift)
            };
            values.chunks(*packed).map(pack).collect()
        }
    }
}

/// Returns the kind of divergence of `actual` from the demanded bits `expected`.
pub fn difference(format: Format, expected: u32, actual: u32) -> DivergenceKind {
    let magnitude = |bits: u32| bits & !format.sign_mask();
    let flushed = |a: u32, b: u32| magnitude(a) == 0 && format.is_subnormal(b);
    if format.is_nan(expected) {
        return DivergenceKind::NotThatNan;
    }
    if format.is_nan(actual) {
        return DivergenceKind::Nan;
    }
    if magnitude(expected) == magnitude(actual) {
        return if magnitude(expected) == 0 { DivergenceKind::ZeroSign } else { DivergenceKind::Sign };
    }
    if flushed(expected, actual) || flushed(actual, expected) {
        return DivergenceKind::Flush;
    }
    if format.is_finite(expected) != format.is_finite(actual) {
        return DivergenceKind::Infinity;
    }
    if expected.abs_diff(actual) == 1 { DivergenceKind::OneUnit } else { DivergenceKind::Value }
}
