//! Results that are wrong by construction, at least one for each kind of divergence.

use assay_engine::compare::judge::DivergenceKind;
use assay_isa::effect::{Action, Failure, Fault, Lanes};
use assay_isa::format::{F16, F32};
use assay_isa::truth::{Enclosure, Real, Truth, TruthValues};
use assay_isa::{Effects, Erratum, Event, Location, Truths};
use assay_vectors::Contract;

const R0: Location = Location::R(0);
const ONE: u32 = F32.one();
/// Number of lanes of a batch. The last lane is wrong.
const LANES: usize = 3;
const LAST: usize = LANES - 1;

/// A wrong result.
pub struct Wrong {
    /// The kind of the divergence.
    pub kind: DivergenceKind,
    /// The required effects.
    pub truths: Truths,
    /// The wrong effects.
    pub effects: Effects,
    /// The contract under which the effects are judged.
    pub contract: Contract,
}

/// Returns wrong results of every kind. `bounded` is a contract of 1 ulp. `sine` is the contract of
/// a sine, without a bound for great arguments.
pub fn wrong(bounded: &Contract, sine: &Contract) -> Vec<Wrong> {
    let bits = |kind, truth, written: Option<u32>| {
        let (truths, effects) = (truths(truth), effects(truth, written));
        Wrong { kind, truths, effects, contract: Contract::BitExact }
    };
    let (zero, least) = (F32.sign_mask(), 1);
    let mut list = vec![
        bits(DivergenceKind::NotWritten, ONE, None),
        bits(DivergenceKind::Nan, ONE, Some(F32.infinity() + 1)),
        bits(DivergenceKind::NotThatNan, 0x7fff_ffff, Some(ONE)),
        bits(DivergenceKind::NotThatNan, 0x7fff_ffff, Some(0x7fc0_0000)),
        bits(DivergenceKind::ZeroSign, 0, Some(zero)),
        bits(DivergenceKind::ZeroSign, zero, Some(0)),
        bits(DivergenceKind::Sign, ONE, Some(ONE | zero)),
        bits(DivergenceKind::Infinity, F32.infinity(), Some(F32.infinity() - 1)),
        bits(DivergenceKind::Infinity, F32.infinity() - 1, Some(F32.infinity())),
        bits(DivergenceKind::Flush, 0, Some(least + 4)),
        bits(DivergenceKind::Flush, least + 4, Some(0)),
        bits(DivergenceKind::OneUnit, ONE, Some(ONE + 1)),
        bits(DivergenceKind::Value, ONE, Some(2 * ONE / 2 + 0x100)),
        bits(DivergenceKind::Unexpected, ONE, Some(ONE)),
        bits(DivergenceKind::Event, ONE, Some(ONE)),
        bits(DivergenceKind::Event, ONE, Some(ONE)),
        bits(DivergenceKind::CalledUndefined, ONE, Some(ONE)),
    ];
    for wrong in &mut list {
        match wrong.kind {
            DivergenceKind::Unexpected => {
                let lanes = Lanes::Some((0..LANES).map(|lane| lane == LAST).collect());
                wrong.effects.write(Location::R(1), lanes).fill(0);
            }
            DivergenceKind::CalledUndefined => wrong.effects.undefine(LAST, Erratum(49)),
            _ => {}
        }
    }
    let mut events = list.iter_mut().filter(|wrong| wrong.kind == DivergenceKind::Event);
    if let (Some(one), Some(other)) = (events.next(), events.next()) {
        one.effects.event(LAST, Event::Fault(Fault::Misaligned));
        other.truths.event(LAST, Event::Executed(Action::Trigger(1)));
        other.effects.event(LAST, Event::Executed(Action::Trigger(2)));
    }
    list.push(stray());
    list.extend(PLACES.map(elsewhere));
    list.push(failed());
    list.push(failed_reference());
    // The contract allows 1 ulp. Errors of 1.5, 3 and 2^20 ulp are too great. So is an error of 1
    // ulp plus the least unit.
    list.extend([2, 3, 1 << 20].map(|units| near(bounded, ONE, HALF, ONE + units, DivergenceKind::Bound)));
    list.push(near(bounded, ONE, (1 << 72) - (1 << 40), ONE + 2, DivergenceKind::Bound));
    list.push(near(bounded, ONE, HALF, ONE | 1 << 31, DivergenceKind::Sign));
    // The sine of 2^30 has no error bound. But results of more than 1, infinities and results with
    // the wrong sign are wrong.
    let great = ONE + (30 << F32.fraction_bits);
    list.push(near(sine, great, HALF, ONE + (1 << F32.fraction_bits), DivergenceKind::Range));
    list.push(near(sine, great, HALF, F32.infinity(), DivergenceKind::Infinity));
    list.push(near(sine, great, HALF, ONE | 1 << 31, DivergenceKind::Sign));
    list.push(above(bounded));
    list.extend([0, 16].map(|shift| packed(bounded, shift)));
    list
}

/// A location of each kind that an instruction can write.
const PLACES: [Location; 7] = [
    Location::R(3),
    Location::UR(3),
    Location::P(3),
    Location::UP(3),
    Location::G(16),
    Location::Var { variable: 3, channel: 5 },
    Location::Flags(3),
];

/// Returns a wrong value in a location, besides a right result in R0.
fn elsewhere(place: Location) -> Wrong {
    let (mut truths, mut effects) = (truths(ONE), effects(ONE, Some(ONE)));
    truths.bits(place, Lanes::All).fill(1);
    let values = effects.write(place, Lanes::All);
    values.fill(1);
    values[LAST] = 0;
    Wrong { kind: DivergenceKind::Flush, truths, effects, contract: Contract::BitExact }
}

/// Returns a failure of the device in the last lane.
fn failed() -> Wrong {
    let mut effects = effects(ONE, Some(ONE));
    effects.event(LAST, Event::Failed(Failure::Hung));
    Wrong {
        kind: DivergenceKind::Failed(Failure::Hung),
        truths: truths(ONE),
        effects,
        contract: Contract::BitExact,
    }
}

/// Returns a case in which the device in place of the oracle failed, and the subject did not.
fn failed_reference() -> Wrong {
    let mut truths = truths(ONE);
    truths.event(LAST, Event::Failed(Failure::Hung));
    Wrong {
        kind: DivergenceKind::ReferenceFailed(Failure::Hung),
        truths,
        effects: effects(ONE, Some(ONE)),
        contract: Contract::BitExact,
    }
}

/// Returns a batch of `lanes` lanes in which only `lane` is wrong.
pub fn wrong_lane(lanes: usize, lane: usize) -> Wrong {
    let mut truths = Truths::default();
    truths.reset(lanes);
    truths.bits(R0, Lanes::All).fill(ONE);
    let mut effects = Effects::default();
    effects.reset(lanes);
    let values = effects.write(R0, Lanes::All);
    values.fill(ONE);
    values[lane] = ONE + 1;
    Wrong { kind: DivergenceKind::OneUnit, truths, effects, contract: Contract::BitExact }
}

fn truths(value: u32) -> Truths {
    let mut truths = Truths::default();
    truths.reset(LANES);
    truths.bits(R0, Lanes::All).fill(value);
    truths
}

/// Returns effects with the true value in every lane but the last.
fn effects(value: u32, last: Option<u32>) -> Effects {
    let mut effects = Effects::default();
    effects.reset(LANES);
    let written = match last {
        Some(_) => Lanes::All,
        None => Lanes::Some((0..LANES).map(|lane| lane != LAST).collect()),
    };
    let values = effects.write(R0, written);
    values.fill(value);
    values[LAST] = last.unwrap_or(value);
    effects
}

/// Returns a write to a location other than the destination, in a lane that is undefined.
fn stray() -> Wrong {
    let (mut truths, mut effects) = (truths(ONE), effects(ONE, Some(ONE)));
    truths.undefine(LAST, Erratum(49));
    let lanes = Lanes::Some((0..LANES).map(|lane| lane == LAST).collect());
    effects.write(Location::P(6), lanes).fill(1);
    Wrong { kind: DivergenceKind::Unexpected, truths, effects, contract: Contract::BitExact }
}

/// Half an ulp of 1, in units of 2^-95.
const HALF: u128 = 1 << 71;

/// Returns a wrong result for a real number slightly above 1. `above` is in units of 2^-95.
/// `result` is the result of the last lane.
fn near(bounded: &Contract, argument: u32, above: u128, result: u32, kind: DivergenceKind) -> Wrong {
    let value = Enclosure { negative: false, significand: (1 << 95) + above, exponent: -95, exact: true };
    let mut truths = Truths::default();
    truths.reset(LANES);
    let values = TruthValues::Reals {
        format: F32,
        packed: 1,
        flush: false,
        saturate: false,
        arguments: vec![argument; LANES],
        values: vec![Real::Near(value); LANES],
    };
    truths.push(Truth { location: R0, values, written: Lanes::All });
    Wrong { kind, truths, effects: effects(ONE, Some(result)), contract: bounded.clone() }
}

/// Returns a 16-bit result with a bit set above it.
fn above(bounded: &Contract) -> Wrong {
    let one = F16.one();
    let effects = effects(one, Some(one | 1 << 16));
    Wrong { kind: DivergenceKind::Above, truths: ones(1), effects, contract: bounded.clone() }
}

/// Returns two packed 16-bit results. The result at bit `shift` is wrong.
fn packed(bounded: &Contract, shift: u32) -> Wrong {
    let both = F16.one() << 16 | F16.one();
    let effects = effects(both, Some(both + (64 << shift)));
    Wrong { kind: DivergenceKind::Bound, truths: ones(2), effects, contract: bounded.clone() }
}

/// Returns the truth of `packed` 16-bit results, each the real number 1.
fn ones(packed: usize) -> Truths {
    let value = Enclosure { negative: false, significand: 1 << 95, exponent: -95, exact: true };
    let mut truths = Truths::default();
    truths.reset(LANES);
    let values = TruthValues::Reals {
        format: F16,
        packed,
        flush: false,
        saturate: false,
        arguments: vec![F16.one(); LANES * packed],
        values: vec![Real::Near(value); LANES * packed],
    };
    truths.push(Truth { location: R0, values, written: Lanes::All });
    truths
}
