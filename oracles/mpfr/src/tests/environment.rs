//! Checks that the oracle answers only in the default floating-point environment.

use assay_fpenv::Environment;
use assay_isa::{BackendError, Estimates, FastOracle, Location, Oracle, Readings, Truths};

use super::{batch, instruction};
use crate::MpfrOracle;

/// A call of an oracle for the instruction `text`.
type Question = fn(&mut MpfrOracle, text: &str) -> Result<(), BackendError>;

fn asked_in(environment: Environment, question: Question, text: &str) -> Result<(), BackendError> {
    let ask = || {
        let mut oracle = MpfrOracle::new(Readings::INTENDED);
        question(&mut oracle, text)?;
        // SAFETY: the oracle's check sets the default again, and nothing else runs before that.
        unsafe { environment.set() };
        let answer = question(&mut oracle, text);
        assert!(Environment::current().is_default() || answer.is_ok(), "{text}");
        assay_fpenv::set_default();
        answer
    };
    std::thread::scope(|scope| scope.spawn(ask).join().expect("it does not panic"))
}

const COLUMNS: [(Location, &[u32]); 3] =
    [(Location::R(1), &[0x0080_0000]), (Location::R(2), &[0x3f00_0000]), (Location::R(3), &[1])];

fn truth(oracle: &mut MpfrOracle, text: &str) -> Result<(), BackendError> {
    oracle.truth(&instruction(text), &batch(&COLUMNS), 96, &mut Truths::default()).map(|_| ())
}

fn estimate(oracle: &mut MpfrOracle, text: &str) -> Result<(), BackendError> {
    let known = oracle.estimate(&instruction(text), &batch(&COLUMNS), &mut Estimates::default())?;
    assert!(known, "{text}");
    Ok(())
}

fn unrounded(oracle: &mut MpfrOracle, text: &str) -> Result<(), BackendError> {
    let known = oracle.unrounded(&instruction(text), &batch(&COLUMNS), 96, &mut Vec::new())?;
    assert!(known, "{text}");
    Ok(())
}

#[test]
fn each_question_is_refused_in_each_wrong_environment() {
    let questions: [(Question, &[&str]); 3] = [
        (truth, &["FADD_RR", "FMUL_RR", "FFMA_RRR", "BREV_R", "POPC_R", "MUFU_R.RCP.F32", "MUFU_R.SIN.F32"]),
        (estimate, &["MUFU_R.RCP.F32", "MUFU_R.SIN.F32", "MUFU_R.EX2.F32"]),
        (unrounded, &["FADD_RR", "FMUL_RR", "FFMA_RRR"]),
    ];
    for (question, texts) in questions {
        for text in texts {
            asked_in(Environment::DEFAULT, question, text).unwrap();
            for (name, environment) in Environment::others() {
                let refused = asked_in(environment, question, text).map_err(|error| error.to_string());
                let refused = refused.expect_err(name);
                assert!(
                    refused.contains("floating-point environment of this thread was changed"),
                    "{refused}"
                );
                assert!(refused.contains(&environment.to_string()), "{refused}");
            }
        }
    }
}
