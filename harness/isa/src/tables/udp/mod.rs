//! UDP, the uniform datapath: instructions that compute one value for a whole warp (document
//! `003`).
//!
//! | file | what is in it |
//! |---|---|
//! | `arithmetic` | sums, products, addresses, extremes and comparisons of integers |
//! | `bits` | logic, shifts, permutes, counts and masks |
//! | `moves` | loads, moves, selections and conversions |

pub mod arithmetic;
pub mod bits;
pub mod moves;

use super::types::{PModi, USType};
use crate::enumeration::Modifier;
use crate::row::FieldType::{Enum, UPred, UReg};
use crate::row::{Field, Group, constant, field, field_or};

/// Optypes of the uniform datapath, guarded by a uniform predicate.
pub static UDP: Group = Group {
    name: "UDP",
    parent: None,
    fields: &[field_or(12, 3, UPred, "upg", "UPT"), field_or(15, 1, Enum(&PModi::ENUM), "upg.not", "False")],
};

/// Returns the field that distinguishes the forms of an optype.
const fn ustype(name: &'static str) -> Field {
    constant(8, 4, Enum(&USType::ENUM), "stype", name)
}

/// The destination.
const URD: Field = field(16, 6, UReg, "urd");

/// The first source.
const URA: Field = field(24, 6, UReg, "ura");

/// The input predicate. The text must have this operand.
const UPP: Field = field(98, 3, UPred, "upp");

/// The negation of the input predicate.
const UPP_NOT: Field = field_or(101, 1, Enum(&PModi::ENUM), "upp.not", "False");

/// The carry in, a predicate. The default `!UPT` means no carry.
const CARRY_IN: [Field; 2] =
    [field_or(98, 3, UPred, "upp", "UPT"), field_or(101, 1, Enum(&PModi::ENUM), "upp.not", "True")];

/// The carry out, a predicate.
const CARRY_OUT: Field = field_or(106, 3, UPred, "upu", "UPT");

/// The three forms of an optype with one source.
macro_rules! one_source {
    ($optype:literal, [$($register:expr)?], [$($constant:expr)?], [$($more:expr)?]) => {
        &[
            form(concat!($optype, "_U"), "U", &[ustype("U"), field(32, 6, UReg, "urb"), $($register,)? $($more)?], &["urd", "urb"]),
            form(concat!($optype, "_I"), "I", &[ustype("I"), field(32, 32, SImm32, "vb"), $($more)?], &["urd", "vb"]),
            form(concat!($optype, "_C"), "C", &[ustype("C"), field(32, 22, CMem, "vb"), $($constant,)? $($more)?], &["urd", "vb"]),
        ]
    };
}
use one_source;

/// The three forms of an optype with two sources. The last two lists are the operands before and
/// after the second source.
macro_rules! two_sources {
    ($optype:literal, [$($register:expr)?], [$($constant:expr)?], [$($before:literal),*], [$($behind:literal),*]) => {
        &[
            form(concat!($optype, "_UU"), "UU", &[ustype("UU"), field(32, 6, UReg, "urb"), $($register)?], &[$($before,)* "urb", $($behind),*]),
            form(concat!($optype, "_UI"), "UI", &[ustype("UI"), field(32, 32, SImm32, "vb")], &[$($before,)* "vb", $($behind),*]),
            form(concat!($optype, "_UC"), "UC", &[ustype("UC"), field(32, 22, CMem, "vb"), $($constant)?], &[$($before,)* "vb", $($behind),*]),
        ]
    };
}
use two_sources;

/// A form of an optype with three sources. If SrcB or SrcC is not a register, that source starts at
/// bit 32, and the other source at bit 64.
macro_rules! three_source_form {
    ($optype:literal, UUU, [$($before:literal),*], [$($behind:literal),*] $(, $more:expr)*) => {
        form(concat!($optype, "_UUU"), "UUU", &[ustype("UUU"), field(32, 6, UReg, "urb"), field(64, 6, UReg, "urc"), $($more),*], &[$($before,)* "urb", "urc", $($behind),*])
    };
    ($optype:literal, UUI, [$($before:literal),*], [$($behind:literal),*] $(, $more:expr)*) => {
        form(concat!($optype, "_UUI"), "UUI", &[ustype("UUI"), field(32, 32, SImm32, "vc"), field(64, 6, UReg, "urb"), $($more),*], &[$($before,)* "urb", "vc", $($behind),*])
    };
    ($optype:literal, UIU, [$($before:literal),*], [$($behind:literal),*] $(, $more:expr)*) => {
        form(concat!($optype, "_UIU"), "UIU", &[ustype("UIU"), field(32, 32, SImm32, "vb"), field(64, 6, UReg, "urc"), $($more),*], &[$($before,)* "vb", "urc", $($behind),*])
    };
    ($optype:literal, UUC, [$($before:literal),*], [$($behind:literal),*] $(, $more:expr)*) => {
        form(concat!($optype, "_UUC"), "UUC", &[ustype("UUC"), field(32, 22, CMem, "vc"), field(64, 6, UReg, "urb"), $($more),*], &[$($before,)* "urb", "vc", $($behind),*])
    };
    ($optype:literal, UCU, [$($before:literal),*], [$($behind:literal),*] $(, $more:expr)*) => {
        form(concat!($optype, "_UCU"), "UCU", &[ustype("UCU"), field(32, 22, CMem, "vb"), field(64, 6, UReg, "urc"), $($more),*], &[$($before,)* "vb", "urc", $($behind),*])
    };
}
use three_source_form;
