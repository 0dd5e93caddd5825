//! The demands of a contract besides its bounds: the range, the signs of small values, and
//! relations between results.

use std::fmt;

use assay_isa::Instruction;
use assay_isa::tables::types::MUFUOp;
use serde::Deserialize;

/// The demands of a contract besides its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clauses {
    /// Whether a result with the wrong sign diverges where the bound alone would allow either sign.
    pub signs: Signs,
    /// The relations that results must keep. A relation counts only if it is true of the
    /// mathematical function.
    pub relations: Relations,
    /// How far results of a monotonic function may move in the wrong direction, in steps of the
    /// format. One step is the distance of two neighbouring numbers.
    pub inversion: u32,
    /// The mathematical facts of the function.
    pub facts: Facts,
}

/// The default of [`Clauses::inversion`], for a profile that states none.
pub const INVERSION: u32 = 1;

impl Default for Clauses {
    fn default() -> Clauses {
        Clauses {
            signs: Signs::default(),
            relations: Relations::default(),
            inversion: INVERSION,
            facts: Facts::default(),
        }
    }
}

impl Clauses {
    /// Returns the demanded relations that are true of the function.
    pub fn required(&self) -> Relations {
        self.relations.and(self.facts.relations)
    }

    /// Whether a result with the wrong sign diverges if the true value is within an absolute bound
    /// of zero.
    pub fn judges_signs(&self) -> bool {
        self.signs == Signs::Judged
    }
}

/// How results with the wrong sign are judged if the true value is within an absolute bound of
/// zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signs {
    /// A wrong sign diverges, unless the true value is exactly zero.
    #[default]
    Judged,
    /// A wrong sign is allowed. Only the distance counts.
    Free,
}

/// A relation between the results at two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// f(-x) = -f(x), bit for bit.
    Odd,
    /// f(-x) = f(x), bit for bit.
    Even,
    /// The results rise or fall as the function does. They may move in the wrong direction by at
    /// most [`Clauses::inversion`] steps of the format.
    Monotonic,
}

/// A set of relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relations(u8);

impl Relations {
    /// No relation.
    pub const NONE: Relations = Relations(0);
    /// Every relation.
    pub const ALL: Relations = Relations::of(&[Relation::Odd, Relation::Even, Relation::Monotonic]);

    /// Returns the set of the listed relations.
    pub const fn of(list: &[Relation]) -> Relations {
        let (mut set, mut place) = (0, 0);
        while place < list.len() {
            set |= 1 << list[place] as u8;
            place += 1;
        }
        Relations(set)
    }

    /// Whether a relation is in the set.
    pub fn has(self, relation: Relation) -> bool {
        self.0 >> relation as u8 & 1 == 1
    }

    /// Returns the relations that are in both sets.
    pub fn and(self, other: Relations) -> Relations {
        Relations(self.0 & other.0)
    }
}

/// The default is all relations, so a profile without `relations` demands all that are true of the
/// function.
impl Default for Relations {
    fn default() -> Relations {
        Relations::ALL
    }
}

impl fmt::Display for Relations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [(Relation::Odd, "odd"), (Relation::Even, "even"), (Relation::Monotonic, "monotonic")];
        let names: Vec<_> = all.into_iter().filter(|(one, _)| self.has(*one)).map(|(_, name)| name).collect();
        f.write_str(if names.is_empty() { "none".to_owned() } else { names.join(", ") }.as_str())
    }
}

/// The mathematical facts of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The values that the function takes.
    pub range: Range,
    /// The relations between its values.
    pub relations: Relations,
}

/// The real values that a function can take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Range {
    /// Any.
    #[default]
    Any,
    /// From -1 to 1.
    Unit,
    /// 0 and above.
    NotNegative,
}

impl Default for Facts {
    fn default() -> Facts {
        Facts { range: Range::Any, relations: Relations::NONE }
    }
}

impl Facts {
    /// Returns the facts of an instruction's function. Instructions other than MUFU have no facts.
    pub fn of(instruction: &Instruction) -> Facts {
        use Relation::{Even, Monotonic, Odd};
        let facts = |range, list: &[Relation]| Facts { range, relations: Relations::of(list) };
        match instruction.modifier("mufuop") {
            Some(MUFUOp::SIN) => facts(Range::Unit, &[Odd]),
            Some(MUFUOp::COS) => facts(Range::Unit, &[Even]),
            Some(MUFUOp::TANH) => facts(Range::Unit, &[Odd, Monotonic]),
            Some(MUFUOp::EX2 | MUFUOp::SQRT | MUFUOp::RSQ) => facts(Range::NotNegative, &[Monotonic]),
            Some(MUFUOp::LG2) => facts(Range::Any, &[Monotonic]),
            Some(MUFUOp::RCP) => facts(Range::Any, &[Odd, Monotonic]),
            None => Facts::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the facts with the mathematical functions, at a sample of arguments.
    #[test]
    fn the_facts_are_true() {
        type Function = fn(f64) -> f64;
        let functions: [(&str, Function); 8] = [
            ("SIN", f64::sin),
            ("COS", f64::cos),
            ("TANH", f64::tanh),
            ("EX2", f64::exp2),
            ("SQRT", f64::sqrt),
            ("RSQ", |x| 1.0 / x.sqrt()),
            ("LG2", f64::log2),
            ("RCP", |x| 1.0 / x),
        ];
        for (name, function) in functions {
            let instruction = assay_isa::asm::parse(&format!("MUFU.{name}.F32 R0, R1")).unwrap();
            let Facts { range, relations } = Facts::of(&instruction);
            let arguments: Vec<f64> = (1..400).map(|n| f64::from(n) / 32.0).collect();
            let values: Vec<f64> = arguments.iter().map(|x| function(*x)).collect();
            let mirrored: Vec<f64> = arguments.iter().map(|x| function(-x)).collect();
            let most = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            let least = values.iter().chain(&mirrored).fold(0.0_f64, |least, value| least.min(*value));
            let expected = match (most <= 1.0, least >= 0.0) {
                (true, _) => Range::Unit,
                (false, true) => Range::NotNegative,
                (false, false) => Range::Any,
            };
            assert_eq!(range, expected, "{name}");
            let pairs = || values.iter().zip(&mirrored);
            assert_eq!(relations.has(Relation::Odd), pairs().all(|(a, b)| *a == -b), "{name}");
            assert_eq!(relations.has(Relation::Even), pairs().all(|(a, b)| a == b), "{name}");
            assert_eq!(
                relations.has(Relation::Monotonic),
                values.is_sorted() || values.iter().rev().is_sorted(),
                "{name}"
            );
        }
    }
}
