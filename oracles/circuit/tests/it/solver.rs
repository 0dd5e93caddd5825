//! The solver: answers of CaDiCaL, and programs that answer wrongly.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use assay_circuit::cnf::{Cnf, Encoding};
use assay_circuit::graph::Graph;
use assay_circuit::lrat;
use assay_circuit::solver::{Answer, Files, Solver};

use crate::support::solver;

const MINUTE: Duration = Duration::from_secs(60);

/// Writes a program that answers `--version` with a version, and otherwise runs some commands. The
/// formula is `$6`, the proof `$7`.
fn program(folder: &Path, version: &str, commands: &str) -> PathBuf {
    let (text, path) = (folder.join("text"), folder.join("solver"));
    let script =
        format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo {version}; exit 0; fi\n{commands}\n");
    fs::write(&text, script).unwrap();
    // Another process writes the program: a child of another test could keep our file open for
    // writing, and such a file cannot be executed.
    assert!(Command::new("cp").args([&text, &path]).status().unwrap().success());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A formula whose only solution is true, false.
fn formula() -> Cnf {
    let mut cnf = Cnf::new(2);
    for clause in [[1, 2], [-1, -2], [1, -2]] {
        cnf.add(&clause);
    }
    cnf
}

#[test]
fn an_old_or_missing_solver_is_refused_with_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let old = program(folder.path(), "1.5.3", "exit 0");
    let shown = old.display();
    assert_eq!(
        Solver::find(&old).unwrap_err().to_string(),
        format!(
            "the solver `{shown}` is CaDiCaL 1.5.3, which writes no LRAT proofs; install CaDiCaL 1.7.0 or later, \
             from its sources if the distribution's package is older"
        )
    );
    let other = program(folder.path(), "'a solver'", "exit 0");
    assert_eq!(
        Solver::find(other).unwrap_err().to_string(),
        format!(
            "the solver `{shown}` answers `a solver` to `--version`, which is no version of CaDiCaL; \
             install CaDiCaL 1.7.0 or later"
        )
    );
    let missing = Solver::find(folder.path().join("missing")).unwrap_err().to_string();
    assert!(missing.contains("cannot run the solver") && missing.ends_with("install CaDiCaL 1.7.0 or later"));
}

#[test]
fn wrong_answers_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(folder.path(), "wrong");
    for (commands, problem) in [
        ("echo 's SATISFIABLE'; echo 'v 1 2 0'; exit 10", "does not satisfy the formula"),
        ("echo 's SATISFIABLE'; echo 'v 1 3 0'; exit 10", "`3` is no literal of the formula"),
        ("echo 's SATISFIABLE'; echo 'v 1'; exit 10", "its last `0` is missing"),
        ("exit 20", "wrong.lrat: No such file"),
        (": > \"$7\"; exit 20", "is refused: step 1 of the proof: the proof ends without the empty clause"),
        ("printf 'a\\010\\000\\002\\004\\000' > \"$7\"; exit 20", "is refused: step 1 of the proof"),
        ("echo out of memory; exit 1", "ended with status 1: out of memory"),
        ("kill -9 $$", "ended with a signal"),
        // Its output is read up to a limit, and then the pipe is closed.
        ("exec yes", "ended with a signal"),
    ] {
        let solver = Solver::find(program(folder.path(), "2.0.0", commands)).unwrap();
        let error = solver.solve(&formula(), &files, MINUTE).unwrap_err().to_string();
        assert!(error.contains(problem), "{commands}: {error}");
    }
}

#[test]
fn a_right_answer_is_taken_from_any_program() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(folder.path(), "right");
    let solver = Solver::find(program(folder.path(), "2.0.0", "echo 'v 1 -2 0'; exit 10")).unwrap();
    assert_eq!(solver.solve(&formula(), &files, MINUTE).unwrap(), Answer::Satisfiable(vec![true, false]));
    // Clause 5 is the empty clause: 4 makes -1 true, 1 makes 2 true, 3 conflicts.
    let mut refuted = formula();
    refuted.add(&[-1]);
    let proof = "printf 'a\\012\\000\\010\\002\\006\\000' > \"$7\"; exit 20";
    let solver = Solver::find(program(folder.path(), "2.0.0", proof)).unwrap();
    let Answer::Unsatisfiable(checked) = solver.solve(&refuted, &files, MINUTE).unwrap() else {
        panic!("the proof is right")
    };
    assert_eq!((checked.steps, checked.hints), (1, 3));
    assert!(solver.solve(&formula(), &files, MINUTE).is_err(), "the proof is not one of this formula");
}

#[test]
fn a_solver_ends_at_its_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(folder.path(), "slow");
    // The second program ends at once, but its child keeps the output open.
    for commands in ["exec sleep 100", "sleep 100 & exit 10"] {
        let solver = Solver::find(program(folder.path(), "2.0.0", commands)).unwrap();
        let began = Instant::now();
        assert_eq!(solver.solve(&formula(), &files, Duration::from_millis(200)).unwrap(), Answer::Open);
        assert!(began.elapsed() < MINUTE / 2);
    }
    let solver = Solver::find(program(folder.path(), "2.0.0", "exit 0")).unwrap();
    assert_eq!(solver.solve(&formula(), &files, MINUTE).unwrap(), Answer::Open);
}

/// Returns the statement that two sums of words differ: a + (b + c), and (a + b) + c + `error`.
fn sums_differ(error: u64) -> (Graph, Encoding) {
    let mut graph = Graph::default();
    let [a, b, c] = [(); 3].map(|()| graph.input_word(12));
    let (first, second) = (graph.add(&b, &c), graph.add(&a, &b));
    let (first, second) = (graph.add(&a, &first), graph.add(&second, &c));
    let error = assay_circuit::word::Word::constant(12, error);
    let second = graph.xor_words(&second, &error);
    let same = graph.equal(&first, &second);
    let encoding = Encoding::new(&graph, &[!same]);
    (graph, encoding)
}

#[test]
fn cadical_refutes_and_its_proof_is_checked() {
    let Some(solver) = solver("a proof by CaDiCaL") else { return };
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(folder.path(), "sums");
    let (_, encoding) = sums_differ(0);
    let Answer::Unsatisfiable(checked) = solver.solve(&encoding.cnf, &files, MINUTE).unwrap() else {
        panic!("addition is associative")
    };
    assert!(checked.added > 100, "{checked:?}");
    // The same proof does not refute a formula with a solution.
    let (_, other) = sums_differ(1 << 11);
    let proof = std::io::BufReader::new(fs::File::open(&files.proof).unwrap());
    lrat::check_binary(&other.cnf, proof).expect_err("the sums differ in the top bit");
}

#[test]
fn cadical_finds_a_counterexample() {
    let Some(solver) = solver("a solution by CaDiCaL") else { return };
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(folder.path(), "products");
    let mut graph = Graph::default();
    let [a, b] = [(); 2].map(|()| graph.input_word(10));
    let product = graph.multiply(&a, &b);
    let [wanted, a_small, b_small] =
        [graph.equals(&product, 787 * 983), graph.is_below(&a, 2), graph.is_below(&b, 2)];
    let encoding = Encoding::new(&graph, &[wanted, !a_small, !b_small]);
    let Answer::Satisfiable(values) = solver.solve(&encoding.cnf, &files, MINUTE).unwrap() else {
        panic!("the product of two primes has factors")
    };
    let inputs = encoding.inputs(&graph, &values);
    let number = |bits: &[bool]| bits.iter().rev().fold(0, |number, bit| 2 * number + u32::from(*bit));
    let mut factors = [number(&inputs[..10]), number(&inputs[10..])];
    factors.sort();
    assert_eq!(factors, [787, 983]);
}
