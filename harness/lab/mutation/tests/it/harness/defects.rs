//! Defects of the harness. Each defect is in one part.

use assay_engine::compare::judge::{Divergence, DivergenceKind, Error, Verdicts, judge, real, rules};
use assay_engine::compare::reference::SubjectAsOracle;
use assay_engine::stats::tally::Tally;
use assay_engine::triage::shrink::shrink;
use assay_faults::Fault;
use assay_isa::format::F32;
use assay_isa::row::Data;
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Erratum, FastOracle, Instruction, Location, Oracle,
    Readings, Truths,
};
use assay_mpfr::MpfrOracle;
use assay_vectors::{Bound, Contract, Profile, VectorError};

use super::{Harness, draw};

/// A defect of the harness.
pub struct Defect {
    /// The name of the defect.
    pub name: &'static str,
    /// A sentence that describes the defect.
    pub about: &'static str,
    plant: fn(&mut Harness),
}

/// Plants a judge that lets one kind of divergence pass.
macro_rules! blind {
    ($kind:ident) => {
        |h| h.judge = |c, i, t, e, v| blind(c, i, t, e, v, DivergenceKind::$kind)
    };
}

/// Plants a judge that ignores differences in some locations.
macro_rules! unseen {
    ($places:pat) => {
        |h| {
            h.judge = |c, f, t, e, v| pass(c, f, t, e, v, |_, d| matches!(d.location, Some($places)));
        }
    };
}

impl Defect {
    /// Every defect.
    pub const ALL: &[Defect] = &[
        defect(
            "harness-tolerance-of-itself",
            "An error is compared with itself, so that every bound holds.",
            blind!(Bound),
        ),
        defect(
            "harness-bound-doubled",
            "A tolerance that accumulates: results count that are beyond it by up to as much.",
            |h| {
                h.judge = |c, i, t, e, v| {
                    judge(c, i, t, e, v);
                    let slight = |error: Error| error.at_most(1 << 33);
                    v.diverged
                        .retain(|(_, d)| !(d.kind == DivergenceKind::Bound && d.error.is_some_and(slight)));
                };
            },
        ),
        defect("harness-zero-sign-ignored", "The sign of a zero is not compared.", blind!(ZeroSign)),
        defect("harness-flush-waived", "A flushed result is waived without a reason.", blind!(Flush)),
        defect(
            "harness-nan-equals-number",
            "A NaN where a number belongs passes, for no comparison with it is true.",
            blind!(Nan),
        ),
        defect("harness-any-nan", "One NaN is as good as another, or as a number.", blind!(NotThatNan)),
        defect("harness-sign-ignored", "Magnitudes are compared.", blind!(Sign)),
        defect("harness-infinity-ignored", "Infinities count as the greatest number.", blind!(Infinity)),
        defect(
            "harness-unit-ignored",
            "One unit in the last place is let pass where bits are demanded.",
            blind!(OneUnit),
        ),
        defect("harness-value-ignored", "Wrong values are let pass.", blind!(Value)),
        defect("harness-missing-write-ignored", "What was not written is not compared.", blind!(NotWritten)),
        defect(
            "harness-extra-write-ignored",
            "What was written besides is not looked at.",
            blind!(Unexpected),
        ),
        defect(
            "harness-undefined-lane-ignored",
            "What an undefined lane writes besides its destination is not looked at.",
            |h| {
                h.judge = |c, i, t, e, v| {
                    judge(c, i, t, e, v);
                    let undefined = |lane: usize| t.undefined().iter().any(|(open, _)| *open == lane);
                    v.diverged.retain(|(lane, _)| !undefined(*lane));
                };
            },
        ),
        defect("harness-upper-bits-ignored", "Bits above a narrow result are not looked at.", blind!(Above)),
        defect("harness-events-ignored", "Events are not compared.", blind!(Event)),
        defect(
            "harness-undefined-believed",
            "A subject that calls a lane undefined is believed.",
            blind!(CalledUndefined),
        ),
        defect(
            "harness-impossible-values-ignored",
            "Values that a function cannot have are let pass where no bound is published.",
            blind!(Range),
        ),
        defect("harness-bound-widened", "TANH may be off by half of its value.", |h| {
            h.profile = || with_bounds(|name| name == "MUFU.TANH.F32", |bound| put(bound, "relative 0.5"));
        }),
        defect("harness-interval-widened", "The bound of SIN near zero holds for every argument.", |h| {
            h.profile = || with_bounds(|name| name == "MUFU.SIN.F32", |bound| put(bound, "absolute 2^-14.7"));
        }),
        defect("harness-limits-doubled", "Every bound is twice as wide as its text says.", |h| {
            h.profile = || with_bounds(|_| true, |bound| bound.limit.exponent += 1);
        }),
        defect("harness-failure-ignored", "A device that failed is let pass.", |h| {
            h.judge = |c, f, t, e, v| pass(c, f, t, e, v, |_, d| matches!(d.kind, DivergenceKind::Failed(_)));
        }),
        defect("harness-failed-reference-ignored", "A reference that failed is let pass.", |h| {
            h.judge = |c, f, t, e, v| {
                pass(c, f, t, e, v, |_, d| matches!(d.kind, DivergenceKind::ReferenceFailed(_)))
            };
        }),
        defect(
            "harness-bound-off-by-one",
            "A result one unit of 2^-32 ulp beyond the bound is let pass.",
            |h| {
                h.judge = |c, f, t, e, v| {
                    pass(c, f, t, e, v, |_, d| {
                        d.kind == DivergenceKind::Bound && d.error.is_some_and(|e| e.at_most((1 << 32) + 1))
                    });
                };
            },
        ),
        defect("harness-predicates-ignored", "Predicates are not compared.", unseen!(Location::P(_))),
        defect("harness-uniform-ignored", "Uniform registers are not compared.", unseen!(Location::UR(_))),
        defect(
            "harness-uniform-predicates-ignored",
            "Uniform predicates are not compared.",
            unseen!(Location::UP(_)),
        ),
        defect(
            "harness-registers-ignored",
            "Only R0 is compared of the registers.",
            unseen!(Location::R(1..)),
        ),
        defect("harness-memory-ignored", "What SETREG writes is not compared.", unseen!(Location::G(_))),
        defect(
            "harness-channels-ignored",
            "vISA's variables are not compared.",
            unseen!(Location::Var { .. }),
        ),
        defect("harness-flags-ignored", "vISA's predicates are not compared.", unseen!(Location::Flags(_))),
        defect("harness-second-half-ignored", "The second of two packed results is not judged.", |h| {
            h.judge = |c, f, t, e, v| judge(c, f, t, &with_right(t, e, 0xffff_0000), v);
        }),
        defect("harness-first-half-ignored", "The first of two packed results is not judged.", |h| {
            h.judge = |c, f, t, e, v| judge(c, f, t, &with_right(t, e, 0x0000_ffff), v);
        }),
        defect("harness-first-lane-skipped", "The first lane of a batch is not judged.", |h| {
            h.judge = |c, f, t, e, v| pass(c, f, t, e, v, |lane, _| lane == 0);
        }),
        defect("harness-lane-31-skipped", "The last of each 32 lanes is not judged.", |h| {
            h.judge = |c, f, t, e, v| pass(c, f, t, e, v, |lane, _| lane % 32 == 31);
        }),
        defect("harness-lane-700-skipped", "One lane of 1024 is not judged.", |h| {
            h.judge = |c, f, t, e, v| pass(c, f, t, e, v, |lane, _| lane == 700);
        }),
        defect("harness-last-lane-skipped", "The last lane of a batch is not judged.", |h| {
            h.judge = |c, i, t, e, v| {
                judge(c, i, t, e, v);
                let last = t.len().saturating_sub(1);
                v.diverged.retain(|(lane, _)| *lane != last);
            };
        }),
        defect("harness-subnormal-ulp", "An error between two subnormals counts as 0.", |h| {
            h.error = |format, bits, y| {
                let subnormal = format.is_subnormal(bits) && real::top(y) < format.emin();
                let error = real::error(format, bits, y);
                if subnormal { Error { floor: 0, exact: true, correctly_rounded: true } } else { error }
            };
        }),
        defect("harness-integer-ulp", "Errors are rounded to whole units.", |h| {
            h.error = |format, bits, y| {
                let error = real::error(format, bits, y);
                Error { floor: error.floor >> 32 << 32, ..error }
            };
        }),
        defect("harness-low-bytes", "Test bytes are all below 0x80, so that no sign is replicated.", |h| {
            h.draw = |scope, index, batch| {
                let instruction = draw(scope, index, batch)?;
                for place in 0..batch.locations().len() {
                    batch.column_mut(place).iter_mut().for_each(|value| *value &= 0x7f7f_7f7f);
                }
                Some(instruction)
            };
        }),
        defect("harness-uniform-amounts", "Shift amounts are uniform in 2^32.", |h| {
            h.draw = |scope, index, batch| {
                let instruction = draw(scope, index, batch)?;
                for location in amounts(&instruction) {
                    let Some(place) = batch.locations().iter().position(|l| *l == location) else { continue };
                    let spread =
                        |(lane, value): (u32, &mut u32)| *value = (lane + 1).wrapping_mul(0x9e37_79b9);
                    (0..).zip(batch.column_mut(place)).for_each(spread);
                }
                Some(instruction)
            };
        }),
        defect(
            "harness-table-truncated",
            "A table of special values is longer than its buffer, and cut.",
            |h| {
                h.listed = |kind| {
                    let mut list = assay_engine::generate::domain::values(kind);
                    list.truncate(list.len() / 2);
                    list
                };
            },
        ),
        defect("harness-half-swept", "Half of a domain is swept and reported as whole.", |h| {
            h.inputs = |domain, instruction, batch| {
                domain.fill(instruction, EncodingTable::provisional(), 0, domain.len() as usize / 2, batch);
            };
        }),
        defect("harness-shard-dropped", "A shard is left out when results are merged.", |h| {
            h.merge = |tally, other| {
                if tally.cases == 0 {
                    tally.merge(other)
                }
            };
        }),
        defect("harness-findings-dropped", "Findings of one shard displace those of another.", |h| {
            h.merge = |tally, other| {
                let findings = other.findings.clone();
                tally.merge(other);
                tally.findings = findings;
            };
        }),
        defect(
            "harness-undefined-uncounted",
            "Undefined lanes of a shard are forgotten when results are merged.",
            |h| {
                h.merge = |tally: &mut Tally, mut other| {
                    other.undefined.clear();
                    tally.merge(other);
                };
            },
        ),
        defect("harness-wrap-mask", "The oracle wraps a shift of 64 with a mask of 62.", |h| {
            h.oracle = || of_fault(Fault::UshfWrapEven);
        }),
        defect(
            "harness-double-rounding",
            "FFMA rounds twice, by way of double precision, and hardware is blamed.",
            |h| {
                h.oracle = || Box::new(ThroughDouble(MpfrOracle::new(Readings::INTENDED)));
            },
        ),
        defect(
            "harness-wide-enclosure",
            "The oracle knows 24 bits of a real number, and every bound is wider.",
            |h| {
                h.oracle = || permissive(Permissive::Wide);
            },
        ),
        defect("harness-undefined-too-often", "The oracle calls a lane of each batch undefined.", |h| {
            h.oracle = || permissive(Permissive::Undefined);
        }),
        defect("harness-unsupported-too-often", "The oracle does not answer for `.SAT`.", |h| {
            h.oracle = || permissive(Permissive::Unsupported);
        }),
        defect("harness-tight-estimate", "The fast path claims more digits than it has.", |h| {
            h.estimate = |oracle, instruction, batch, estimates| {
                let known = oracle.estimate(instruction, batch, estimates)?;
                estimates.deltas.iter_mut().for_each(|delta| *delta = f64::from(*delta as f32));
                Ok(known)
            };
        }),
        defect("harness-shrunk-to-nothing", "A shrunk case no longer shows the divergence.", |h| {
            h.shrink = |setup, bench, instruction, batch| {
                let mut shrunk = shrink(setup, bench, instruction, batch)?;
                if let Some(small) = &mut shrunk {
                    for place in 0..small.batch.locations().len() {
                        small.batch.column_mut(place).fill(F32.one());
                    }
                }
                Ok(shrunk)
            };
        }),
        defect("harness-shrunk-to-another", "A shrunk case shows another divergence.", |h| {
            h.shrink = |setup, bench, instruction, batch| {
                let mut shrunk = shrink(setup, bench, instruction, batch)?;
                if let Some(small) = &mut shrunk {
                    small.divergence.kind = DivergenceKind::Unexpected;
                }
                Ok(shrunk)
            };
        }),
    ];

    /// Returns the harness with the defect.
    pub(super) fn harness(&self) -> Harness {
        let mut harness = Harness::SOUND;
        (self.plant)(&mut harness);
        harness
    }
}

const fn defect(name: &'static str, about: &'static str, plant: fn(&mut Harness)) -> Defect {
    Defect { name, about, plant }
}

/// Returns the default profile with changed bounds of some functions.
fn with_bounds(is_meant: fn(&str) -> bool, change: fn(&mut Bound)) -> Result<Profile, VectorError> {
    let mut profile = Profile::load("intended")?;
    for row in profile.contracts.iter_mut().filter(|row| is_meant(&row.instruction)) {
        if let Contract::Bounded { bounds, .. } = &mut row.contract {
            let mut changed = bounds.to_vec();
            changed.iter_mut().for_each(change);
            *bounds = changed.into();
        }
    }
    Ok(profile)
}

/// Replaces a bound by another one, given as text.
fn put(bound: &mut Bound, written: &str) {
    if let Ok(other) = written.parse() {
        *bound = other;
    }
}

/// Judges, but lets one kind of divergence pass.
fn blind(
    contract: &Contract,
    instruction: &Instruction,
    truths: &Truths,
    effects: &Effects,
    verdicts: &mut Verdicts,
    kind: DivergenceKind,
) {
    pass(contract, instruction, truths, effects, verdicts, |_, divergence| divergence.kind == kind);
}

/// Judges, but lets some divergences pass.
fn pass(
    contract: &Contract,
    instruction: &Instruction,
    truths: &Truths,
    effects: &Effects,
    verdicts: &mut Verdicts,
    passes: impl Fn(usize, &Divergence) -> bool,
) {
    judge(contract, instruction, truths, effects, verdicts);
    verdicts.diverged.retain(|(lane, divergence)| !passes(*lane, divergence));
}

/// Replaces some bits of each packed result by the bits of the correctly rounded result.
fn with_right(truths: &Truths, effects: &Effects, bits: u32) -> Effects {
    let mut right = Effects::default();
    right.reset(effects.len());
    for column in effects.columns() {
        let values = right.write(column.location, column.written.clone());
        values.copy_from_slice(&column.values);
        let is_packed = |truth: &&Truth| {
            truth.location == column.location && matches!(truth.values, TruthValues::Reals { packed: 2, .. })
        };
        if let Some(truth) = truths.columns().iter().find(is_packed) {
            let nearest = rules::nearest(truth);
            values
                .iter_mut()
                .zip(nearest)
                .for_each(|(value, nearest)| *value = *value & !bits | nearest & bits);
        }
    }
    effects.events().iter().for_each(|(lane, event)| right.event(*lane, *event));
    effects.undefined().iter().for_each(|(lane, erratum)| right.undefine(*lane, *erratum));
    right
}

/// Returns the locations from which an instruction reads shift amounts.
pub(super) fn amounts(instruction: &Instruction) -> Vec<Location> {
    let form = instruction.form();
    let names = form.inputs().filter(|name| form.data(name) == Some(Data::Amount));
    names.flat_map(|name| instruction.operand(name).locations().collect::<Vec<_>>()).collect()
}

/// Returns an oracle that takes the results of a faulty model as the truth.
fn of_fault(fault: Fault) -> Box<dyn Oracle> {
    let subject = assay_faults::mutant(EncodingTable::provisional().clone(), Readings::INTENDED, fault);
    Box::new(SubjectAsOracle::new(subject))
}

/// How an oracle is too permissive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Permissive {
    Wide,
    Undefined,
    Unsupported,
}

/// The oracle, made too permissive.
struct TooPermissive(MpfrOracle, Permissive);

fn permissive(how: Permissive) -> Box<dyn Oracle> {
    Box::new(TooPermissive(MpfrOracle::new(Readings::INTENDED), how))
}

impl Oracle for TooPermissive {
    fn name(&self) -> &str {
        "too permissive"
    }

    fn fast(&mut self, _instruction: &Instruction) -> Option<&mut dyn FastOracle> {
        Some(&mut self.0)
    }

    fn truth(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        if self.1 == Permissive::Unsupported && instruction.flag("sat") {
            return Ok(Answer::Unsupported);
        }
        let precision = if self.1 == Permissive::Wide { 24 } else { precision };
        let answer = self.0.truth(instruction, batch, precision, truths)?;
        if self.1 == Permissive::Undefined && !batch.is_empty() {
            truths.undefine(batch.len() / 2, Erratum(49));
        }
        Ok(answer)
    }
}

/// An oracle that computes FFMA in double precision, and then rounds to single precision.
struct ThroughDouble(MpfrOracle);

impl Oracle for ThroughDouble {
    fn name(&self) -> &str {
        "through double"
    }

    fn fast(&mut self, _instruction: &Instruction) -> Option<&mut dyn FastOracle> {
        Some(&mut self.0)
    }

    fn truth(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        let answer = self.0.truth(instruction, batch, precision, truths)?;
        let plain =
            instruction.optype() == "FFMA" && ["ftz", "sat", "rnd"].iter().all(|m| !instruction.flag(m));
        let unsigned = instruction.inputs().all(|operand| !operand.neg && !operand.abs);
        let columns: Option<Vec<&[u32]>> =
            instruction.inputs().map(|operand| batch.column(operand.word(0)?)).collect();
        let (true, Some([a, b, c]), [Truth { location, values: TruthValues::Bits(values), written }]) =
            (plain && unsigned && instruction.get("rnd") == Some(0), columns.as_deref(), truths.columns())
        else {
            return Ok(answer);
        };
        let (location, written, mut rounded) = (*location, written.clone(), values.clone());
        for (lane, result) in rounded.iter_mut().enumerate() {
            let [a, b, c] = [a, b, c].map(|column| f64::from(f32::from_bits(column[lane])));
            let twice = (a * b + c) as f32;
            if !twice.is_nan() {
                *result = twice.to_bits();
            }
        }
        truths.reset(batch.len());
        truths.bits(location, written).copy_from_slice(&rounded);
        Ok(answer)
    }
}
