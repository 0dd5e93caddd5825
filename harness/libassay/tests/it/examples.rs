//! The examples in `examples/libassay` run as described. If a tool is missing, the test is skipped
//! with a message.

use assay_testing::skip;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the folder with the library that was built for this test.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let folder = test.parent().expect("it lies in a folder").to_owned();
    assert!(folder.join("libassay.so").exists(), "{} has no libassay.so", folder.display());
    folder
}

/// Runs a command. Returns `None` if its program is absent.
fn run(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let program = command.get_program().to_string_lossy();
            let need = if program == "cc" { "c-compiler" } else { "python" };
            skip(need, &format!("1 example of libassay: {program} is absent"));
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{out}{err}", output.status);
    out.into_owned()
}

#[test]
fn python_calls_the_library() {
    let script = root().join("examples/libassay/python/check.py");
    let Some(output) = run(Command::new("python3").arg("-B").arg(script).arg(built().join("libassay.so")))
    else {
        return;
    };
    let out = succeeds(&output);
    assert!(out.contains("all as it should be") && out.contains("one unit off"), "{out}");
}

#[test]
fn c_calls_the_library() {
    let folder = tempfile::tempdir().expect("a folder for the program");
    let program = folder.path().join("check");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
    compiler.arg(root().join("harness/libassay/include")).arg(root().join("examples/libassay/c/check.c"));
    compiler.arg("-L").arg(built()).args(["-lassay", "-o"]).arg(&program);
    let Some(output) = run(&mut compiler) else { return };
    succeeds(&output);
    let output = Command::new(&program).env("LD_LIBRARY_PATH", built()).output().expect("the program starts");
    let out = succeeds(&output);
    assert!(
        out.contains("all as it should be") && out.contains("UIADD UR0, UR1, UR2: 1000 cases, 0 diverged"),
        "{out}"
    );
}

#[test]
fn systemverilog_is_sound() {
    let output =
        Command::new(root().join("scripts/check-systemverilog.sh")).output().expect("the script starts");
    match output.status.code() {
        // The script itself has recorded the skipped test.
        Some(77) => {}
        _ => assert!(succeeds(&output).contains("linted 3 files")),
    }
}
