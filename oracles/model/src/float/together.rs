//! Computes columns of FADD, FMUL and FFMA. In the shipping model a lane has no branches, so the
//! compiler vectorises the loop. Other models compute lane by lane.

use assay_isa::tables::types::FPRound;

use super::Modifiers;
use super::add::fadd;
use super::fma::ffma;
use super::mul::fmul;
use crate::columns::{lanes, vectors};
use crate::knobs::Knobs;

/// An operation on the operands of a lane.
pub(super) trait Operation<const N: usize> {
    /// Computes the result of a lane.
    fn of<K: Knobs>(k: &K, modifiers: Modifiers, operands: [u32; N]) -> u32;
}

/// FADD.
pub(super) struct Sum;
/// FMUL.
pub(super) struct Product;
/// FFMA.
pub(super) struct Fused;

impl Operation<2> for Sum {
    #[inline(always)]
    fn of<K: Knobs>(k: &K, modifiers: Modifiers, [a, b]: [u32; 2]) -> u32 {
        fadd(k, modifiers, a, b)
    }
}

impl Operation<2> for Product {
    #[inline(always)]
    fn of<K: Knobs>(k: &K, modifiers: Modifiers, [a, b]: [u32; 2]) -> u32 {
        fmul(k, modifiers, a, b)
    }
}

impl Operation<3> for Fused {
    #[inline(always)]
    fn of<K: Knobs>(k: &K, modifiers: Modifiers, [a, b, c]: [u32; 3]) -> u32 {
        ffma(k, modifiers, a, b, c)
    }
}

/// A rounding mode as a type, so that a loop is compiled for each mode. On random operands rounding
/// is most of the work.
trait Mode {
    const ROUNDING: FPRound;
}

macro_rules! modes {
    ($($mode:ident),*) => {$(
        struct $mode;
        impl Mode for $mode {
            const ROUNDING: FPRound = FPRound::$mode;
        }
    )*};
}
modes!(RN, RP, RM, RZ);

/// Computes a column of results.
pub(super) fn column<K: Knobs, O: Operation<N>, const N: usize>(
    k: &K,
    modifiers: Modifiers,
    results: &mut [u32],
    columns: [&[u32]; N],
) {
    match modifiers.rounding {
        FPRound::RN => in_mode::<K, O, RN, N>(k, modifiers, results, columns),
        FPRound::RP => in_mode::<K, O, RP, N>(k, modifiers, results, columns),
        FPRound::RM => in_mode::<K, O, RM, N>(k, modifiers, results, columns),
        FPRound::RZ => in_mode::<K, O, RZ, N>(k, modifiers, results, columns),
    }
}

fn in_mode<K: Knobs, O: Operation<N>, M: Mode, const N: usize>(
    k: &K,
    modifiers: Modifiers,
    results: &mut [u32],
    columns: [&[u32]; N],
) {
    if K::FIXED {
        together::<K, O, M, N>(k, modifiers, results, columns);
    } else {
        let modifiers = Modifiers { rounding: M::ROUNDING, ..modifiers };
        lanes(results, columns, |operands| O::of(k, modifiers, operands));
    }
}

vectors! {
    /// Computes the lanes of a column for the instruction set of this processor.
    fn together<K: Knobs, O: Operation<N>, M: Mode, const N: usize>(
        k: &K,
        modifiers: Modifiers,
        results: &mut [u32],
        columns: [&[u32]; N],
    ) {
        let modifiers = Modifiers { rounding: M::ROUNDING, ..modifiers };
        let mut all = columns;
        for column in &mut all {
            *column = &column[..results.len()];
        }
        for i in 0..results.len() {
            let mut operands = [0; N];
            for n in 0..N {
                operands[n] = all[n][i];
            }
            results[i] = O::of(k, modifiers, operands);
        }
    }
}

#[cfg(test)]
mod tests;
