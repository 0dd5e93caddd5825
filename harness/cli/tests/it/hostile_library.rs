//! Tests libraries with arbitrary behaviour. They cannot affect `assay`, its working directory, its
//! output or its file descriptors. Each act of a library is harmless or gives a failure with a
//! name.

use std::path::{Path, PathBuf};
use std::process::Output;

use assay_testing::skip;
use rayon::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{command, compile, has, root, words};

/// The required outcome of a campaign.
#[derive(Clone, Copy)]
enum Becomes {
    /// The result equals the result of the same device without a hostile act.
    Right,
    /// A divergence of this kind, with these words on standard error.
    Failure(&'static str, &'static str),
    /// The device does not start. These words give the reason.
    NotStarted(&'static str),
}

use Becomes::{Failure, NotStarted, Right};

const CRASHED: &str = "device crashed";

/// Each row: the act of the device, the function in which it happens, the number of the call, and
/// the required outcome. 0 stands for every call.
const ACTS: &[(&str, &str, u32, Becomes)] = &[
    ("write_inputs()", "EXECUTE", 3, Failure("wrote to its inputs", "of lane 0")),
    ("write_inputs()", "EXECUTE", 5, Failure("wrote to its inputs", "of lane 0")),
    ("unprotect_inputs()", "EXECUTE", 0, Right),
    ("exit(0)", "EXECUTE", 0, Failure(CRASHED, "it ended in call ")),
    ("_exit(0)", "EXECUTE", 7, Failure(CRASHED, "with status 0")),
    ("abort()", "EXECUTE", 3, Failure(CRASHED, "with signal 6")),
    ("fault()", "EXECUTE", 3, Failure(CRASHED, "with signal 11")),
    ("trap()", "EXECUTE", 3, Failure(CRASHED, "with signal 8")),
    ("raise(SIGFPE)", "EXECUTE", 3, Failure(CRASHED, "with signal 8")),
    ("stop_itself()", "EXECUTE", 3, Failure("device hung", "no whole answer")),
    ("pthread_exit(NULL)", "EXECUTE", 3, Failure("device", "in call ")),
    ("longjmp(jump, 1)", "EXECUTE", 0, Right),
    ("alarm(1); pause()", "EXECUTE", 3, Failure(CRASHED, "with signal 14")),
    ("close_all()", "EXECUTE", 3, Failure(CRASHED, "in call ")),
    ("unload()", "EXECUTE", 3, Failure(CRASHED, "with signal 11")),
    ("write_twice()", "EXECUTE", 3, Failure("device answered something else", "is there twice")),
    ("write_behind()", "EXECUTE", 3, Failure("device reported an error", "behind the")),
    ("write_before()", "EXECUTE", 3, Failure("device reported an error", "behind the")),
    ("start_writer()", "EXECUTE", 0, Failure("", "")),
    ("print_banner()", "EXECUTE", 1, Right),
    ("flood()", "EXECUTE", 1, Right),
    ("(void)!chdir(\"/\")", "EXECUTE", 1, Right),
    ("umask(0777)", "EXECUTE", 1, Right),
    ("no_files()", "EXECUTE", 1, Right),
    ("prctl(PR_SET_PDEATHSIG, SIGKILL)", "EXECUTE", 1, Right),
    ("allocate()", "EXECUTE", 0, Right),
    ("signal(SIGINT, SIG_IGN); signal(SIGTERM, SIG_IGN)", "LOADING", 0, Right),
    ("(void)!chdir(\"/\"); umask(0777); print_banner()", "LOADING", 0, Right),
    ("exit(0)", "LOADING", 0, NotStarted("it ended")),
    ("never_return()", "LOADING", 0, NotStarted("no whole answer")),
    ("exit(0)", "OPEN", 0, NotStarted("it ended")),
    ("abort()", "CLOSE", 0, Right),
    ("never_return()", "CLOSE", 0, Right),
    ("if (fork() == 0) _exit(0)", "EXECUTE", 1, Right),
];

fn compiled(folder: &TempDir, name: &str, act: &str, when: &str, at_call: u32) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/hostile_library/device.c");
    let library = folder.path().join(format!("{name}.so"));
    let defined = [format!("-DACT={act}"), format!("-DWHEN={when}"), format!("-DAT_CALL={at_call}")];
    let flags = ["-std=gnu11", "-O1", "-shared", "-fPIC", "-pthread"];
    let flags: Vec<&str> = flags.into_iter().chain(defined.iter().map(String::as_str)).collect();
    compile(&flags, &[source], &library);
    library
}

/// Runs a campaign in the folder `out`. Returns its output, and its result if there is one.
fn campaign(library: &Path, out: &Path) -> (Output, Option<Value>) {
    let subject = format!("lib:{}", library.display());
    let mut run = command(&root(), &["fuzz", "--only", "POPC_R", "--format", "json"]);
    run.args(["--device-deadline", "5", "--device-failures", "5"]);
    run.args(["--cases", "60000", "--subject", &subject, "--overwrite", "--out"]).arg(out);
    let output = run.output().expect("assay runs");
    let read = |name: &str| std::fs::read_to_string(out.join(name)).ok();
    let text = read("result.json").or_else(|| read("interrupted.json"));
    (output, text.map(|text| serde_json::from_str(&text).expect("the result is JSON")))
}

#[test]
fn a_library_reaches_neither_the_judge_nor_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    if !has("cc") {
        skip("c-compiler", "what a hostile library does to the judge: there is no cc");
        return;
    }
    let plain = compiled(&folder, "plain", "touch_nothing()", "CLOSE", 0);
    let (output, expected) = campaign(&plain, &folder.path().join("plain"));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = expected.expect("a result")["tally"].take();
    // The rows run in parallel, because most of them only wait for deadlines.
    ACTS.par_iter().enumerate().for_each(|(nth, (act, when, at_call, becomes))| {
        let name = format!("act-{nth}");
        let library = compiled(&folder, &name, act, when, *at_call);
        let (output, result) = campaign(&library, &folder.path().join(&name));
        let stderr = words(&output);
        let told = format!("{act} while {when}, call {at_call}: {:?}\n{stderr}", output.status);
        let printed = serde_json::from_slice::<Value>(&output.stdout);
        match becomes {
            Right => {
                assert_eq!(output.status.code(), Some(0), "{told}");
                assert!(printed.is_ok(), "{told}\nstdout is no JSON");
                assert_eq!(result.expect("a result")["tally"], expected, "{told}");
            }
            Failure(kind, message) => {
                assert_eq!(output.status.code(), Some(1), "{told}");
                assert!(printed.is_ok(), "{told}\nstdout is no JSON");
                assert!(stderr.contains(message), "{told}\nwithout `{message}`");
                let result = result.expect("a result").to_string();
                assert!(result.contains(kind), "{told}\nno divergence of the kind `{kind}` in {result}");
            }
            NotStarted(message) => {
                assert_eq!(output.status.code(), Some(3), "{told}");
                assert!(stderr.contains(message), "{told}\nwithout `{message}`");
                assert!(result.is_none(), "{told}");
            }
        }
        if act.contains("print_banner") {
            assert!(stderr.contains("output: simulator 1.0, licensed"), "{told}");
        }
    });
}

/// Results that a library writes after `execute` has returned do not count, even in a batch of many
/// calls.
#[test]
fn results_that_come_after_the_call_are_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    if !has("cc") {
        skip("c-compiler", "a library whose results come late: there is no cc");
        return;
    }
    let library = compiled(&folder, "late", "answer_late()", "EXECUTE", 0);
    let (output, result) = campaign(&library, &folder.path().join("late"));
    assert_eq!(output.status.code(), Some(1), "{}", words(&output));
    let verdicts = result.expect("a result")["tally"]["verdicts"].take();
    let [exact, diverged] = ["exact", "diverged"].map(|name| verdicts[name].as_u64().expect("a number"));
    // Some lanes are still exact: with a false guard, a lane must write nothing, and these lanes do
    // so.
    assert!(diverged > exact, "{verdicts}");
}
