//! Contracts: what an outcome must satisfy, and the exact numbers in which bounds are held.

use assay_isa::row::FieldType;
use assay_isa::{Instruction, catalog};

use crate::text::Parsed;

/// How the distance between an answer and the truth is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// In units of the last place of the true value.
    Ulp,
}

/// The largest distance allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// How it is measured.
    pub metric: Metric,
    /// The limit in units of 2^-32 ulp, itself allowed.
    pub limit: u64,
}

/// What an outcome must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contract {
    /// The bits of the truth.
    BitExact,
    /// Any value close enough to the truth.
    Bound(Bound),
}

/// Fractional bits of a limit.
const FRACTION: u32 = 32;

/// Reads a limit: a decimal such as `1` or `0.5`, or a fraction such as `3/4`. It must be a multiple of
/// 2^-32, for a bound that is rounded on the way is another bound.
fn parse_limit(text: &str) -> Result<u64, String> {
    let error = |problem: String| format!("the bound `{text}` {problem}");
    let shape = || error("is no number; write a decimal such as 0.5 or a fraction such as 3/4".into());
    let (numerator, denominator) = rational(text).ok_or_else(shape)?;
    let units = numerator.checked_mul(1 << FRACTION).ok_or_else(shape)?;
    // Errors are kept in 63 bits, so a larger bound could not be told from no bound.
    let limit = u64::try_from(units / denominator).ok().filter(|limit| *limit < 1 << 62);
    let limit = limit.ok_or_else(|| error("is too large; it must be below 2^30 ulp".into()))?;
    if units % denominator != 0 {
        return Err(error(format!(
            "is no multiple of 2^-32; {limit}/{} is the next lower one",
            1u64 << FRACTION
        )));
    }
    Ok(limit)
}

/// Numerator and denominator, not reduced; the denominator is not 0.
fn rational(text: &str) -> Option<(u128, u128)> {
    let digits = |text: &str| {
        let plain = !text.is_empty() && text.len() <= 20 && text.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| text.parse::<u128>().ok()).flatten()
    };
    if let Some((numerator, denominator)) = text.split_once('/') {
        return Some((digits(numerator)?, digits(denominator).filter(|d| *d != 0)?));
    }
    let Some((whole, fraction)) = text.split_once('.') else { return Some((digits(text)?, 1)) };
    let denominator = 10u128.pow(u32::try_from(fraction.len()).ok().filter(|n| *n <= 18)?);
    let whole = digits(whole)?.checked_mul(denominator)?;
    Some((whole.checked_add(digits(fraction)?)?, denominator))
}

/// A limit with the text it was read from.
#[derive(Clone, Debug)]
pub(crate) struct Limit {
    pub text: String,
    pub units: u64,
}

impl Parsed for Limit {
    const EXAMPLE: &'static str = "\"0.5\" or \"3/4\"";

    fn parsed(text: &str) -> Result<Limit, String> {
        Ok(Limit { text: text.to_owned(), units: parse_limit(text)? })
    }
}

/// What a contract is about: an optype and modifiers, such as `MUFU.RCP.F32`.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    text: String,
    optype: &'static str,
    /// Modifier fields with the values they must have.
    modifiers: Vec<(&'static str, u32)>,
}

impl Parsed for Key {
    const EXAMPLE: &'static str = "MUFU.RCP.F32";

    /// Reads a key and holds it against the tables.
    fn parsed(text: &str) -> Result<Key, String> {
        let error = |problem: String| format!("`{text}` is no instruction: {problem}");
        let mut parts = text.split('.');
        let name = parts.next().unwrap_or_default();
        let form = catalog().forms_of(name).next().ok_or_else(|| {
            let known = catalog().optypes().iter().map(|o| o.name).collect::<Vec<_>>().join(", ");
            error(format!("no optype is called `{name}`; known are {known}"))
        })?;
        let mut modifiers = Vec::new();
        for part in parts {
            let found = form.optype.syntax.iter().find_map(|field| match form.field(field)?.ty {
                FieldType::Enum(e) => e.index_of(part).map(|index| (*field, index)),
                _ => None,
            });
            let (field, index) = found.ok_or_else(|| error(format!("{name} has no modifier .{part}")))?;
            if modifiers.iter().any(|(other, _)| *other == field) {
                return Err(error(format!(".{part} contradicts or repeats an earlier modifier")));
            }
            modifiers.push((field, index));
        }
        Ok(Key { text: text.to_owned(), optype: form.optype.name, modifiers })
    }
}

impl Key {
    /// The key as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether both are about the same instructions.
    pub fn equals(&self, other: &Key) -> bool {
        let covers = |a: &Key, b: &Key| a.modifiers.iter().all(|m| b.modifiers.contains(m));
        self.optype == other.optype && covers(self, other) && covers(other, self)
    }

    /// Whether the instruction is of that optype and has all of these modifiers.
    pub fn matches(&self, instruction: &Instruction) -> bool {
        instruction.optype() == self.optype
            && self.modifiers.iter().all(|(field, index)| instruction.get(field) == Some(*index))
    }

    /// How much the key says: of two keys that match, the one that says more counts.
    pub fn precision(&self) -> usize {
        self.modifiers.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_exact() {
        let one = 1 << FRACTION;
        let good = [
            ("1", one),
            ("0", 0),
            ("0.5", one / 2),
            ("3/4", one / 4 * 3),
            ("1.0", one),
            ("2.25", one / 4 * 9),
        ];
        for (text, limit) in good {
            assert_eq!(parse_limit(text).unwrap(), limit, "{text}");
        }
        assert_eq!(parse_limit("1073741823").unwrap(), (1 << 62) - one);
        for text in ["", ".5", "1.", "-1", "+1", "1e0", "1/0", "1/", "0.1", "1/3", "1073741824", "a", "1.2.3"]
        {
            assert!(parse_limit(text).is_err(), "{text}");
        }
        let message = parse_limit("0.1").unwrap_err();
        assert!(message.contains("429496729/4294967296"), "{message}");
    }

    #[test]
    fn keys_match_what_they_name() {
        let parse = |text| assay_isa::asm::parse(text).unwrap();
        let key = Key::parsed("MUFU.RCP.F32").unwrap();
        assert!(key.matches(&parse("MUFU.RCP.F32 R0, R1")));
        assert!(key.matches(&parse("@!P0 MUFU.RCP.F32.SAT R0, |UR1|")));
        assert!(!key.matches(&parse("MUFU.RCP.F64 R0, R1")));
        assert!(!key.matches(&parse("FADD R0, R1, R2")));
        for text in ["", "NOPE", "MUFU.RCQ", "MUFU.RCP.RSQ", "MUFU.", "mufu.RCP"] {
            assert!(Key::parsed(text).is_err(), "{text}");
        }
    }
}
