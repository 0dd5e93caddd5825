//! Formulas in conjunctive normal form, and the formula of a circuit.
//!
//! A literal is a variable, or the negative number of a variable for its complement. Variables are
//! numbered from 1, as in the DIMACS format.

mod tseitin;

use std::io::{self, Write};

pub use tseitin::Encoding;

/// A formula in conjunctive normal form: each clause needs a true literal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    variables: u32,
    literals: Vec<i32>,
    ends: Vec<usize>,
}

impl Cnf {
    /// Returns a formula without clauses.
    ///
    /// # Panics
    /// If there are more than 2^31 − 1 variables.
    pub fn new(variables: u32) -> Cnf {
        assert!(variables <= i32::MAX as u32, "a literal has 32 bits");
        Cnf { variables, ..Cnf::default() }
    }

    /// Number of variables.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no clauses.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a clause. The empty clause makes the formula unsatisfiable.
    ///
    /// # Panics
    /// If a literal is 0, or its variable is not in the formula.
    pub fn add(&mut self, clause: &[i32]) {
        for literal in clause {
            let known = (1..=self.variables).contains(&literal.unsigned_abs());
            assert!(known, "{literal} is no literal of {} variables", self.variables);
        }
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }

    /// The clauses, in the order in which they were added.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[i32]> {
        let start = |index: usize| index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (0..self.len()).map(move |index| &self.literals[start(index)..self.ends[index]])
    }

    /// Whether an assignment satisfies all clauses. Entry i is the value of variable i + 1.
    pub fn is_satisfied_by(&self, values: &[bool]) -> bool {
        let holds = |literal: &i32| {
            let value = values.get(literal.unsigned_abs() as usize - 1);
            value.is_some_and(|value| *value == (*literal > 0))
        };
        self.clauses().all(|clause| clause.iter().any(holds))
    }

    /// Writes the formula in the DIMACS format.
    pub fn write_dimacs(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "p cnf {} {}", self.variables, self.len())?;
        for clause in self.clauses() {
            for literal in clause {
                write!(out, "{literal} ")?;
            }
            writeln!(out, "0")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_written_as_dimacs() {
        let mut cnf = Cnf::new(3);
        for clause in [&[1, -2][..], &[3], &[]] {
            cnf.add(clause);
        }
        let mut text = Vec::new();
        cnf.write_dimacs(&mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "p cnf 3 3\n1 -2 0\n3 0\n0\n");
        assert_eq!(cnf.clauses().collect::<Vec<_>>(), [&[1, -2][..], &[3], &[]]);
    }

    #[test]
    fn an_assignment_is_checked() {
        let mut cnf = Cnf::new(2);
        cnf.add(&[1, 2]);
        cnf.add(&[-1, 2]);
        let satisfied = [[false, false], [true, false], [false, true], [true, true]];
        assert_eq!(satisfied.map(|values| cnf.is_satisfied_by(&values)), [false, false, true, true]);
        assert!(!cnf.is_satisfied_by(&[]), "a variable without a value satisfies nothing");
    }

    #[test]
    #[should_panic(expected = "-4 is no literal of 3 variables")]
    fn an_unknown_variable_is_refused() {
        Cnf::new(3).add(&[-4]);
    }
}
