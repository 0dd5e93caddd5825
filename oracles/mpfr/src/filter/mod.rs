//! The filter: the functions in double precision with a bound on the error. MPFR computes only
//! where that bound does not decide.
//!
//! | module | contents |
//! |---|---|
//! | `series` | the coefficients, and Horner's rule |
//! | `elementary`, `trigonometric` | the functions, one argument at a time |
//! | `arith`, `odd` | FADD, FMUL and FFMA to the bit: sums rounded to odd, safe to round again |
//! | `columns` | the same over columns, compiled for each instruction set |
//! | [`certify`], [`certificate`] | the comparison of every argument with MPFR, and its record |
//!
//! Each [`Kernel`] returns an argument's value as base + delta with |value - (base + delta)| <=
//! slack·|delta|. Where a value nearly equals a number of 24 bits (sin x of a small x, 2^x near 1,
//! tanh x near 1), that number is the base. So sign and size of the rest are as certain as
//! elsewhere. `docs/certified-filter.md` has the argument in full.

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

/// An evaluation that is valid on a range of magnitudes.
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

/// A kernel, and the least magnitude of its range, as a pattern.
pub type Piece = (u32, Kernel);

/// 2⁻⁷
const TWO_TO_MINUS_7: u32 = 0x3c00_0000;
/// 2⁻⁴
const TWO_TO_MINUS_4: u32 = 0x3d80_0000;
/// 8
const EIGHT: u32 = 0x4100_0000;

impl Kernel {
    /// Returns the kernels of a function of binary32 numbers, by ascending magnitude. The first begins at
    /// zero.
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

    /// Returns the bound on |value - (base + delta)| / |delta|: a power of two not below the sum of the
    /// roundings.
    pub fn slack(self) -> f64 {
        const U: f64 = f64::EPSILON / 2.0;
        match self {
            Kernel::Reciprocal | Kernel::Root => U,
            Kernel::ReciprocalRoot => 4.0 * U,
            _ => 16.0 * U,
        }
    }

    /// Returns whether all finite arguments of the given reach have the same base and the same delta.
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

/// Returns the bound that is valid for every kernel of a function.
pub fn slack(function: Function) -> f64 {
    Kernel::pieces(function).iter().map(|(_, kernel)| kernel.slack()).fold(0.0, f64::max)
}

/// Returns the kernel for a magnitude.
fn piece(pieces: &[Piece], magnitude: u32) -> Kernel {
    pieces[pieces.partition_point(|(least, _)| *least <= magnitude) - 1].1
}

/// Computes base and delta of each argument in the function's domain. Other arguments give arbitrary results.
pub fn estimate(function: Function, arguments: &[u32], bases: &mut [f64], deltas: &mut [f64]) {
    let columns = arguments.chunks(CHUNK).zip(bases.chunks_mut(CHUNK)).zip(deltas.chunks_mut(CHUNK));
    for ((arguments, bases), deltas) in columns {
        estimate_chunk(function, &Reach::of(arguments, F32), arguments, bases, deltas);
    }
}

/// Computes a chunk of arguments with the given reach.
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

/// Runs a kernel on those arguments of a chunk that it is for, side by side.
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
