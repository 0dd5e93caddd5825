//! The functions that the documents call and never define, as a table (E014).

use std::cmp::Ordering;

use super::integer::Int;
use super::real::{Rounding, SIGN, is_nan, is_subnormal};
use super::rules::Rules;
use super::stop::Reason;
use super::tables::Tables;
use super::value::Value;

/// What a function may consult besides its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The tables beside the code.
    pub tables: &'a Tables,
}

/// A function of the evaluator.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Number of arguments. `None` for any number.
    pub arguments: Option<usize>,
    /// The erratum whose first setting leaves the function undefined.
    pub erratum: Option<u16>,
    run: fn(Context<'_>, &[Value]) -> Result<Value, Reason>,
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

const fn function(
    name: &'static str,
    arguments: usize,
    run: fn(Context<'_>, &[Value]) -> Result<Value, Reason>,
) -> Function {
    Function { name, arguments: Some(arguments), erratum: None, run }
}

/// The functions. The missing pages of the documents define three of them (E013).
pub static FUNCTIONS: &[Function] = &[
    function("UINT8", 1, |_, args| unsigned(args, 8)),
    function("UINT16", 1, |_, args| unsigned(args, 16)),
    function("UINT32", 1, |_, args| unsigned(args, 32)),
    function("UINT64", 1, |_, args| unsigned(args, 64)),
    function("INT8", 1, |_, args| signed(args, 8)),
    function("INT16", 1, |_, args| signed(args, 16)),
    function("INT32", 1, |_, args| signed(args, 32)),
    function("INT64", 1, |_, args| signed(args, 64)),
    function("mod", 2, |_, args| {
        let (a, b) = (args[0].integer()?, args[1].integer()?);
        a.divide(&b).map(|(_, rest)| Value::Int(rest)).ok_or(Reason::DivisionByZero)
    }),
    function("min", 2, |context, args| extreme(context, args, Ordering::Less)),
    function("max", 2, |context, args| extreme(context, args, Ordering::Greater)),
    function("isNAN", 1, |_, args| Ok(Value::from(is_nan(args[0].pattern()?)))),
    function("isSubnormal", 1, |_, args| Ok(Value::from(is_subnormal(args[0].pattern()?)))),
    function("signZero", 1, |_, args| Ok(Value::F32(args[0].pattern()? & SIGN))),
    function("scale", 2, |context, args| {
        let by = context.tables.scale(args[1].word()?)?;
        Ok(Value::Real(args[0].real()?.scaled(by)))
    }),
    function("roundToF32", 2, |context, args| {
        let rounding = context.tables.rounding(args[1].word()?, context.rules)?;
        Ok(Value::F32(round(context.rules, &args[0], rounding)?))
    }),
    function("sizeInBitsOf", 1, |_, args| {
        let ty = context_type(args[0].word()?)?;
        Ok(Value::Int(Int::Small(ty.0.into())))
    }),
    function("signOrZeroExtendTo32bit", 2, |_, args| {
        let (bits, is_signed) = context_type(args[1].word()?)?;
        if is_signed { signed(args, bits) } else { unsigned(args, bits) }
    }),
    function("signExtendTo64bit", 1, |_, args| signed(args, 32)),
    function("signOrZeroExtendShiftRight", 3, shift_right),
    function("packPred2Byte", 8, |_, args| {
        let bit = |(byte, value): (u32, &Value)| Ok(byte | u32::from(value.truth()?));
        let packed = args.iter().rev().try_fold(0, |byte, value| bit((byte << 1, value)));
        packed.map(Value::from)
    }),
    function("unpackByte2Bits", 1, |_, args| {
        let byte = args[0].integer()?;
        Ok(Value::List((0..8).map(|index| Value::from(byte.bit(index))).collect()))
    }),
    Function {
        erratum: Some(13),
        ..function("getFunctionFromTable", 1, |_, args| {
            Ok(Value::Function(args[0].integer()?.word(0) & 0xff))
        })
    },
    Function { erratum: Some(13), arguments: None, ..function("ReadByte", 0, read_byte) },
];

/// Minimum and maximum of operands without a type: defined only where the signed and the unsigned
/// order agree (E134).
pub static UNTYPED: &[Function] = &[
    Function {
        erratum: Some(134),
        ..function("min", 2, |context, args| {
            untyped(args).and_then(|()| extreme(context, args, Ordering::Less))
        })
    },
    Function {
        erratum: Some(134),
        ..function("max", 2, |context, args| {
            untyped(args).and_then(|()| extreme(context, args, Ordering::Greater))
        })
    },
];

fn untyped(args: &[Value]) -> Result<(), Reason> {
    let (a, b) = (args[0].integer()?, args[1].integer()?);
    let unsigned = a.low_bits(32).cmp(&b.low_bits(32));
    if unsigned == a.low_signed(32).cmp(&b.low_signed(32)) { Ok(()) } else { Err(Reason::NoOrder) }
}

impl Function {
    /// Returns the function with a name.
    pub fn of(name: &str) -> Option<Function> {
        FUNCTIONS.iter().find(|function| function.name == name).copied()
    }

    /// Calls the function.
    ///
    /// # Errors
    ///
    /// A wrong number of arguments, and whatever is wrong with them.
    pub fn call(&self, context: Context<'_>, args: &[Value]) -> Result<Value, Reason> {
        if let Some(expected) = self.arguments.filter(|expected| *expected != args.len()) {
            return Err(Reason::Arguments { name: self.name.to_owned(), expected, found: args.len() });
        }
        (self.run)(context, args)
    }
}

fn unsigned(args: &[Value], width: u64) -> Result<Value, Reason> {
    Ok(Value::Int(args[0].integer()?.low_bits(width)))
}

fn signed(args: &[Value], width: u64) -> Result<Value, Reason> {
    Ok(Value::Int(args[0].integer()?.low_signed(width)))
}

/// Returns the minimum or the maximum. It has the operands' type: binary32 numbers are ordered as
/// reals, and integers as they are.
fn extreme(context: Context<'_>, args: &[Value], wanted: Ordering) -> Result<Value, Reason> {
    let (a, b) = (&args[0], &args[1]);
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Ok(Value::Int(if a.cmp(b) == wanted { a.clone() } else { b.clone() }));
    }
    let order = a.real()?.compare(&b.real()?);
    let order = match order {
        // E184: the note ranks the zeros by their signs.
        Some(Ordering::Equal) if context.rules.of(184) == 2 => {
            b.real()?.is_negative().cmp(&a.real()?.is_negative())
        }
        order => order.unwrap_or(Ordering::Equal),
    };
    Ok(if order == wanted { a.clone() } else { b.clone() })
}

/// Rounds a value to binary32. E172 = 1: an exact sum of zero is positive.
pub fn round(rules: &Rules, value: &Value, rounding: Rounding) -> Result<u32, Reason> {
    if let Value::F32(bits) = value {
        return Ok(*bits);
    }
    Ok(value.real()?.round(rounding) & rules.kept_bits(value))
}

/// Returns the size in bits and the sign of a type such as `S8`, `U16` or `64`.
pub fn context_type(word: &str) -> Result<(u64, bool), Reason> {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let bits = digits.parse().ok().filter(|bits| (1..=128).contains(bits));
    Ok((bits.ok_or(Reason::Mismatch("the modifier names no type"))?, word.starts_with('S')))
}

/// E152: `.S32` shifts in bit 63 of the pair.
fn shift_right(_: Context<'_>, args: &[Value]) -> Result<Value, Reason> {
    let by = args[1].integer()?.index(u64::MAX).ok_or(Reason::TooLarge)?;
    let (_, is_signed) = context_type(args[2].word()?)?;
    let value = args[0].integer()?;
    let value = if is_signed { value.low_signed(64) } else { value.low_bits(64) };
    Ok(Value::Int(value.shift_right(by).low_bits(64)))
}

/// Returns a byte of the eight bytes of the third argument, as `prmt` of the PTX ISA does (E013).
/// The second argument is the selector. The fourth is the number of the result's byte (E158):
/// without it, the byte of the selector is returned in every mode.
fn read_byte(context: Context<'_>, args: &[Value]) -> Result<Value, Reason> {
    let (3 | 4, Some(pair)) = (args.len(), args.get(2)) else {
        return Err(Reason::Arguments { name: "ReadByte".to_owned(), expected: 4, found: args.len() });
    };
    let (mode, pair) = (args[0].word()?, pair.integer()?);
    let selector = i128::from(args[1].integer()?.word(0));
    let i = args.get(3).map_or(Ok(0), |i| i.integer().map(|i| i128::from(i.word(0))))?;
    let byte = match mode {
        "IDX" => selector & 7,
        _ if args.len() == 3 => selector,
        "F4E" => selector + i,
        "B4E" => (selector - i).rem_euclid(8),
        "RC8" => selector,
        "ECL" => selector.max(i),
        "ECR" => selector.min(i),
        "RC16" => 2 * (selector & 1) + (i & 1),
        _ => return Err(Reason::Mismatch("the mode of `ReadByte` is not known")),
    };
    let byte = pair.shift_right(8 * byte.unsigned_abs() as u64).low_bits(8);
    // E157: bit 3 of a selector replicates the byte's sign.
    if mode == "IDX" && selector & 8 != 0 && context.rules.of(157) == 2 {
        return Ok(Value::from(if byte.bit(7) { 0xff_u32 } else { 0 }));
    }
    Ok(Value::Int(byte))
}
