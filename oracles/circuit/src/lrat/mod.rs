//! A checker of LRAT proofs: it accepts a proof only if the formula has no solution.
//!
//! A proof is a list of clauses. Each clause names the clauses, its hints, by which unit
//! propagation refutes the complement of the clause. The last clause is empty. Steps that need
//! more than unit propagation (RAT) are refused, and so are new variables.
//!
//! The checker trusts nothing in the proof. Its memory is that of the formula, and of the clauses
//! that the proof has added and not deleted. On one core, a proof about FMUL with 227,000 steps and
//! 14 million hints is checked in a second; CaDiCaL needs six seconds to find it.
//!
//! * `check`: the checker;
//! * `tokens`: text proofs and binary proofs, as CaDiCaL writes them, as one stream of numbers.

mod check;
mod error;
mod tokens;

use std::io::BufRead;

pub use check::Checked;
pub use error::{LratError, LratProblem};

use crate::cnf::Cnf;
use check::Checker;
use tokens::{BinaryTokens, TextTokens};

/// Checks a proof in the text format against a formula.
pub fn check_text(cnf: &Cnf, proof: impl BufRead) -> Result<Checked, LratError> {
    Checker::new(cnf).run(TextTokens::new(proof))
}

/// Checks a proof in the binary format of CaDiCaL against a formula.
pub fn check_binary(cnf: &Cnf, proof: impl BufRead) -> Result<Checked, LratError> {
    Checker::new(cnf).run(BinaryTokens::new(proof))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All eight clauses of three variables, of which each excludes one assignment.
    fn contradiction() -> Cnf {
        let mut cnf = Cnf::new(3);
        for pattern in 0..8 {
            let literal =
                |variable: i32| if pattern >> (variable - 1) & 1 == 1 { variable } else { -variable };
            cnf.add(&[literal(1), literal(2), literal(3)]);
        }
        cnf
    }

    /// A proof for it. Clause 1 is −1 −2 −3, clause 2 is 1 −2 −3, clause 3 is −1 2 −3 and so on.
    const PROOF: &str = "9 -2 -3 0 1 2 0\n10 2 -3 0 3 4 0\n11 -3 0 9 10 0\n11 d 9 10 0\n\
        12 -2 3 0 5 6 0\n13 2 3 0 7 8 0\n14 3 0 12 13 0\n15 0 14 11 0\n";

    fn refuse(proof: &str) -> String {
        check_text(&contradiction(), proof.as_bytes()).expect_err(proof).to_string()
    }

    #[test]
    fn a_right_proof_is_accepted() {
        let checked = check_text(&contradiction(), PROOF.as_bytes()).unwrap();
        assert_eq!(checked, Checked { steps: 8, added: 7, deleted: 2, hints: 14, largest: 13 });
    }

    #[test]
    fn satisfied_hints_are_skipped() {
        // Clause 14 makes 3 true, which satisfies clauses 12, 13 and 14.
        let skipping = PROOF.replace("15 0 14 11 0", "15 0 14 12 13 14 11 0");
        let checked = check_text(&contradiction(), skipping.as_bytes()).unwrap();
        assert_eq!(checked.hints, 17);
    }

    #[test]
    fn what_follows_the_empty_clause_is_not_read() {
        let longer = PROOF.to_owned() + "nonsense";
        assert!(check_text(&contradiction(), longer.as_bytes()).is_ok());
    }

    #[test]
    fn spoiled_proofs_are_refused() {
        for (from, to, problem) in [
            ("9 -2 -3 0", "9 -2 3 0", "step 1 of the proof: the hints of clause 9 lead to no conflict"),
            (
                "9 -2 -3 0",
                "9 -3 0",
                "step 1 of the proof: the hint 1 is no unit clause: 2 of its literals are open",
            ),
            ("0 1 2 0", "0 1 0", "step 1 of the proof: the hints of clause 9 lead to no conflict"),
            ("0 1 2 0", "0 1 99 0", "step 1 of the proof: clause 99 does not exist"),
            ("10 2 -3", "9 2 -3", "step 2 of the proof: clause 9 exists already"),
            ("14 3 0 12 13", "14 3 0 9 13", "step 7 of the proof: clause 9 does not exist"),
            ("d 9 10", "d 9 9", "step 4 of the proof: clause 9 does not exist"),
            ("15 0 14 11 0", "", "step 8 of the proof: the proof ends without the empty clause"),
            (
                "0 1 2 0",
                "0 -1 2 0",
                "step 1 of the proof: the hint -1 is a RAT step, which this checker does not accept",
            ),
            (
                "9 -2 -3",
                "9 -2 -4",
                "step 1 of the proof: -4 is no literal of the formula, which has 3 variables",
            ),
            ("9 -2 -3", "9 -2 2", "step 1 of the proof: the clause names variable 2 twice"),
            ("9 -2 -3", "9 -2 x", "step 1 of the proof: malformed: `x` is no digit"),
            ("15 0 14 11 0", "15 0 14 11", "step 8 of the proof: malformed: a number is missing"),
        ] {
            let spoiled = PROOF.replacen(from, to, 1);
            assert_ne!(spoiled, PROOF, "{from}");
            assert_eq!(refuse(&spoiled), problem, "{to}");
        }
    }

    #[test]
    fn a_proof_of_another_formula_is_refused() {
        let mut other = Cnf::new(3);
        for (index, clause) in contradiction().clauses().enumerate() {
            // One clause has a flipped literal, so that the formula has a solution.
            let flipped = [clause[0], clause[1], -clause[2]];
            other.add(if index == 6 { &flipped } else { clause });
        }
        let refused = check_text(&other, PROOF.as_bytes()).expect_err("the formula has a solution");
        assert_eq!(refused.to_string(), "step 6 of the proof: the hints of clause 13 lead to no conflict");
    }

    #[test]
    fn an_empty_clause_in_the_formula_needs_no_proof() {
        let mut cnf = Cnf::new(1);
        cnf.add(&[]);
        assert_eq!(check_text(&cnf, &b""[..]).unwrap().steps, 0);
        assert!(check_text(&Cnf::new(1), &b""[..]).is_err());
    }

    /// A formula of three variables with a solution, by which the first literal of each clause is true.
    fn satisfiable() -> impl Strategy<Value = Cnf> {
        let literal =
            (1..4i32, any::<bool>()).prop_map(|(variable, sign)| if sign { variable } else { -variable });
        let clause = (1..4i32, proptest::collection::vec(literal, 0..3));
        (any::<[bool; 3]>(), proptest::collection::vec(clause, 1..6)).prop_map(|(solution, clauses)| {
            let mut cnf = Cnf::new(3);
            for (variable, mut clause) in clauses {
                clause.insert(0, if solution[variable as usize - 1] { variable } else { -variable });
                cnf.add(&clause);
            }
            cnf
        })
    }

    /// A formula with a solution, and a proof of random steps whose hints are clauses that exist.
    fn random_proof() -> impl Strategy<Value = (Cnf, String)> {
        let literals = proptest::collection::vec(-3..4i32, 0..2);
        let hints = proptest::collection::vec(0..1000usize, 1..6);
        let steps = proptest::collection::vec((literals, hints), 1..5);
        (satisfiable(), steps).prop_map(|(cnf, steps)| {
            let mut proof = String::new();
            for (index, (literals, hints)) in steps.iter().enumerate() {
                let before = cnf.len() + index;
                let mut numbers = vec![(before + 1).to_string()];
                numbers.extend(literals.iter().filter(|literal| **literal != 0).map(i32::to_string));
                numbers.push("0".into());
                numbers.extend(hints.iter().map(|hint| (hint % before + 1).to_string()));
                proof += &(numbers.join(" ") + " 0\n");
            }
            (cnf, proof)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn no_proof_refutes_a_formula_with_a_solution((cnf, proof) in random_proof()) {
            prop_assert!(check_text(&cnf, proof.as_bytes()).is_err());
        }

        #[test]
        fn no_bytes_are_a_proof_of_it(cnf in satisfiable(), proof in proptest::collection::vec(0..64u8, 0..40)) {
            prop_assert!(check_binary(&cnf, &[b"a", &proof[..]].concat()[..]).is_err());
        }
    }

    #[test]
    fn a_spoiled_byte_is_refused_or_harmless() {
        // Each change of one character of the proof, against a formula with a solution.
        let mut cnf = Cnf::new(3);
        contradiction().clauses().skip(1).for_each(|clause| cnf.add(clause));
        for place in 0..PROOF.len() {
            for with in "0123456789 -d\n".bytes() {
                let mut spoiled = PROOF.as_bytes().to_vec();
                spoiled[place] = with;
                assert!(check_text(&cnf, &spoiled[..]).is_err(), "{place} {with}");
            }
        }
    }
}
