//! The checker.

use std::collections::HashMap;

use super::error::{LratError, LratProblem};
use super::tokens::{Step, Tokens, clause_number};
use crate::cnf::Cnf;
use crate::hash::NumberHash;

/// What was checked until the empty clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Steps: additions and deletions.
    pub steps: u64,
    /// Clauses that were added.
    pub added: u64,
    /// Clauses that were deleted.
    pub deleted: u64,
    /// Hints that were followed.
    pub hints: u64,
    /// The largest number of clauses that existed at one time.
    pub largest: usize,
}

/// What a clause is under the current assignment.
enum Propagation {
    /// A literal is true: the clause says nothing.
    Satisfied,
    /// All literals are false.
    Conflict,
    /// All literals but this one are false.
    Unit(i32),
    /// Several literals have no value.
    Open(usize),
}

/// The state of a check: the clauses that exist, and the assignment of the current step.
pub struct Checker {
    clauses: HashMap<u64, Box<[i32]>, NumberHash>,
    variables: u32,
    /// The value of each variable: 1, −1, or 0 for none. Entry 0 is unused.
    values: Vec<i8>,
    /// The literals that are true in the current step.
    trail: Vec<i32>,
    checked: Checked,
    refuted: bool,
}

impl Checker {
    /// Prepares for proofs about a formula. Its clauses have the numbers 1, 2 and so on.
    pub fn new(cnf: &Cnf) -> Checker {
        let clauses: HashMap<u64, Box<[i32]>, NumberHash> = (1..).zip(cnf.clauses().map(Box::from)).collect();
        Checker {
            checked: Checked { largest: clauses.len(), ..Checked::default() },
            refuted: cnf.clauses().any(<[i32]>::is_empty),
            clauses,
            variables: cnf.variables(),
            values: vec![0; cnf.variables() as usize + 1],
            trail: Vec::new(),
        }
    }

    /// Checks a proof up to the empty clause. What follows is not read.
    pub fn run(mut self, mut proof: impl Tokens) -> Result<Checked, LratError> {
        while !self.refuted {
            let taken = self.take_step(&mut proof);
            taken.map_err(|problem| LratError { step: self.checked.steps.max(1), problem })?;
        }
        Ok(self.checked)
    }

    fn take_step(&mut self, proof: &mut impl Tokens) -> Result<(), LratProblem> {
        let step = proof.step();
        self.checked.steps += 1;
        match step? {
            None => Err(LratProblem::NoEmptyClause),
            Some(Step::Delete) => self.delete(proof),
            Some(Step::Add(id)) => self.add(id, proof),
        }
    }

    fn delete(&mut self, proof: &mut impl Tokens) -> Result<(), LratProblem> {
        while let Some(number) = proof.number()? {
            let id = clause_number(number)?;
            self.clauses.remove(&id).ok_or(LratProblem::NoSuchClause(id))?;
            self.checked.deleted += 1;
        }
        Ok(())
    }

    fn add(&mut self, id: u64, proof: &mut impl Tokens) -> Result<(), LratProblem> {
        if self.clauses.contains_key(&id) {
            return Err(LratProblem::ClauseExists(id));
        }
        // The complement of the clause is assumed: its literals are false.
        let mut clause = Vec::new();
        while let Some(number) = proof.number()? {
            let literal = self.literal(number)?;
            if self.values[literal.unsigned_abs() as usize] != 0 {
                return Err(LratProblem::RepeatedVariable(literal.unsigned_abs()));
            }
            self.assign(-literal);
            clause.push(literal);
        }
        let conflict = self.follow_hints(proof)?;
        for literal in self.trail.drain(..) {
            self.values[literal.unsigned_abs() as usize] = 0;
        }
        if !conflict {
            return Err(LratProblem::NoConflict(id));
        }
        self.refuted = clause.is_empty();
        self.clauses.insert(id, clause.into());
        self.checked.added += 1;
        self.checked.largest = self.checked.largest.max(self.clauses.len());
        Ok(())
    }

    /// Propagates by the hints in their order. Returns whether they lead to a conflict. All hints
    /// are read, those after the conflict without effect.
    fn follow_hints(&mut self, proof: &mut impl Tokens) -> Result<bool, LratProblem> {
        let mut conflict = false;
        while let Some(number) = proof.number()? {
            if number < 0 {
                return Err(LratProblem::Rat(number));
            }
            if conflict {
                continue;
            }
            let hint = clause_number(number)?;
            self.checked.hints += 1;
            match self.propagate(hint)? {
                Propagation::Satisfied => {}
                Propagation::Conflict => conflict = true,
                Propagation::Unit(literal) => self.assign(literal),
                Propagation::Open(open) => return Err(LratProblem::NotUnit { hint, open }),
            }
        }
        Ok(conflict)
    }

    fn propagate(&self, hint: u64) -> Result<Propagation, LratProblem> {
        let clause = self.clauses.get(&hint).ok_or(LratProblem::NoSuchClause(hint))?;
        let mut open = 0;
        let mut unit = 0;
        for literal in clause {
            match self.values[literal.unsigned_abs() as usize] * literal.signum() as i8 {
                1 => return Ok(Propagation::Satisfied),
                0 => (open, unit) = (open + 1, *literal),
                _ => {}
            }
        }
        Ok(match open {
            0 => Propagation::Conflict,
            1 => Propagation::Unit(unit),
            _ => Propagation::Open(open),
        })
    }

    fn assign(&mut self, literal: i32) {
        self.values[literal.unsigned_abs() as usize] = literal.signum() as i8;
        self.trail.push(literal);
    }

    fn literal(&self, number: i64) -> Result<i32, LratProblem> {
        let known = (1..=u64::from(self.variables)).contains(&number.unsigned_abs());
        let literal = i32::try_from(number).ok().filter(|_| known);
        literal.ok_or(LratProblem::UnknownVariable { literal: number, variables: self.variables })
    }
}
