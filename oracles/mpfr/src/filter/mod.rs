//! The filter: the functions in double precision, with a bound on the error. MPFR computes only the
//! results that the bound leaves undecided.
//!
//! | module | contents |
//! |---|---|
//! | `series` | the coefficients, and Horner's rule |
//! | `elementary`, `trigonometric` | the functions, one argument at a time |
//! | `arith`, `odd` | FADD, FMUL and FFMA to the bit: sums rounded to odd, safe to round again |
//! | `columns` | the functions over columns, compiled for each instruction set |
//! | [`certify`], [`certificate`] | the comparison of every argument with MPFR, and its record |
//!
//! Each [`Kernel`] returns base and delta for an argument, with |value - (base + delta)| <=
//! slack·|delta|. Some values nearly equal a number of 24 bits: sin x of a small x, 2^x near 1, and
//! tanh x near 1. For such a value, the number of 24 bits is the base, and delta is the small rest.
//! So the sign and size of the rest are known with the same relative accuracy as other values.
//! `docs/certified-filter.md` has the full argument.

pub mod arith;
pub mod certificate;
pub mod certify;
mod columns;
mod elementary;
mod odd;
mod series;
mod trigonometric;

use assay_isa::format::F32;

use crate::function::{Angle, Function};
use crate::reach::{CHUNK, Reach};
pub use columns::{run, run_on_baseline};

/// A way to evaluate a function on a range of magnitudes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The functions of the modules `elementary` and `trigonometric`.
pub enum Kernel {
    Reciprocal,
    Root,
    ReciprocalRoot,
    Power,
    PowerNearOne,
    Logarithm,
    Tangent,
    TangentNearArgument,
    TangentNearOne,
    Sine,
    SineNearArgument,
    SineOfTurns,
    Cosine,
    CosineNearOne,
    CosineOfTurns,
    CosineOfTurnsNearOne,
}

/// The least magnitude of a range, as a pattern, and the kernel for this range.
pub type Piece = (u32, Kernel);

/// 2⁻⁷
const TWO_TO_MINUS_7: u32 = 0x3c00_0000;
/// 2⁻⁴
const TWO_TO_MINUS_4: u32 = 0x3d80_0000;
/// 8
const EIGHT: u32 = 0x4100_0000;

impl Kernel {
    /// Returns the kernels of a function of binary32 numbers, by ascending magnitude. The range of
    /// the first kernel begins at zero.
    pub fn pieces(function: Function) -> &'static [Piece] {
        match function {
            Function::Reciprocal => &[(0, Kernel::Reciprocal)],
            Function::Root => &[(0, Kernel::Root)],
            Function::ReciprocalRoot => &[(0, Kernel::ReciprocalRoot)],
            Function::PowerOfTwo => &[(0, Kernel::PowerNearOne), (TWO_TO_MINUS_4, Kernel::Power)],
            Function::Logarithm => &[(0, Kernel::Logarithm)],
            Function::Tangent => &[
                (0, Kernel::TangentNearArgument),
                (TWO_TO_MINUS_4, Kernel::Tangent),
                (EIGHT, Kernel::TangentNearOne),
            ],
            Function::Sine(Angle::Radians) => {
                &[(0, Kernel::SineNearArgument), (TWO_TO_MINUS_4, Kernel::Sine)]
            }
            Function::Sine(Angle::Turns) => &[(0, Kernel::SineOfTurns)],
            Function::Cosine(Angle::Radians) => {
                &[(0, Kernel::CosineNearOne), (TWO_TO_MINUS_4, Kernel::Cosine)]
            }
            Function::Cosine(Angle::Turns) => {
                &[(0, Kernel::CosineOfTurnsNearOne), (TWO_TO_MINUS_7, Kernel::CosineOfTurns)]
            }
        }
    }

    /// Returns the bound on |value - (base + delta)| / |delta|. The bound is a power of two, and at
    /// least the sum of the rounding errors.
    pub fn slack(self) -> f64 {
        const U: f64 = f64::EPSILON / 2.0;
        match self {
            Kernel::Reciprocal | Kernel::Root => U,
            Kernel::ReciprocalRoot => 4.0 * U,
            _ => 16.0 * U,
        }
    }

    /// Returns whether the results of the kernel, base and delta, are the same for all arguments
    /// with the given reach.
    fn is_constant(self, reach: &Reach) -> bool {
        let from = match self {
            Kernel::Power => elementary::FAR,
            Kernel::TangentNearOne => elementary::FAR_FROM_ONE,
            _ => return false,
        };
        let has_one_sign = reach.is_positive() || reach.is_negative();
        has_one_sign && reach.only_numbers(F32) && f64::from(f32::from_bits(reach.least)) >= from
    }
}

/// Returns the largest bound of a function's kernels.
pub fn slack(function: Function) -> f64 {
    Kernel::pieces(function).iter().map(|(_, kernel)| kernel.slack()).fold(0.0, f64::max)
}

/// Returns the kernel whose range contains a magnitude.
fn piece(pieces: &[Piece], magnitude: u32) -> Kernel {
    pieces[pieces.partition_point(|(least, _)| *least <= magnitude) - 1].1
}

/// Computes base and delta of each argument. For arguments outside of the function's domain, base
/// and delta are arbitrary.
pub fn estimate(function: Function, arguments: &[u32], bases: &mut [f64], deltas: &mut [f64]) {
    let columns = arguments.chunks(CHUNK).zip(bases.chunks_mut(CHUNK)).zip(deltas.chunks_mut(CHUNK));
    for ((arguments, bases), deltas) in columns {
        estimate_chunk(function, &Reach::of(arguments, F32), arguments, bases, deltas);
    }
}

/// Computes base and delta of a chunk of arguments with the given reach.
pub fn estimate_chunk(
    function: Function,
    reach: &Reach,
    arguments: &[u32],
    bases: &mut [f64],
    deltas: &mut [f64],
) {
    let pieces = Kernel::pieces(function);
    let (first, last) = (piece(pieces, reach.least), piece(pieces, reach.most));
    if first != last {
        for (_, kernel) in pieces {
            run_where(*kernel, pieces, arguments, (&mut *bases, &mut *deltas));
        }
    } else if first.is_constant(reach) {
        let (mut base, mut delta) = ([0.0], [0.0]);
        run(first, &arguments[..1], &mut base, &mut delta);
        bases.fill(base[0]);
        deltas.fill(delta[0]);
    } else {
        run(first, arguments, bases, deltas);
    }
}

/// Runs a kernel on those arguments of a chunk that lie in its range. First gathers these arguments
/// into one column.
fn run_where(kernel: Kernel, pieces: &[Piece], arguments: &[u32], (bases, deltas): (&mut [f64], &mut [f64])) {
    let mut lanes = [0; CHUNK];
    let mut count = 0;
    for (lane, argument) in arguments.iter().enumerate() {
        lanes[count] = lane;
        count += usize::from(piece(pieces, argument & !F32.sign_mask()) == kernel);
    }
    let lanes = &lanes[..count];
    let (mut chosen, mut base, mut delta) = ([0; CHUNK], [0.0; CHUNK], [0.0; CHUNK]);
    chosen.iter_mut().zip(lanes).for_each(|(chosen, lane)| *chosen = arguments[*lane]);
    run(kernel, &chosen[..count], &mut base[..count], &mut delta[..count]);
    for ((lane, base), delta) in lanes.iter().zip(base).zip(delta) {
        (bases[*lane], deltas[*lane]) = (base, delta);
    }
}
