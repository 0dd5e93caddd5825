//! Shared parts of these tests: running `assay`, and reading its output.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The path of the program under test.
pub const ASSAY: &str = crate::PROGRAM;

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above.into_iter().find(|folder| folder.join("Cargo.lock").exists()).expect("the workspace").to_owned()
}

/// Returns a command that runs `assay` in a folder.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(ASSAY);
    command.args(arguments).current_dir(folder);
    command
}

/// Runs `assay` in the root of the repository.
pub fn assay(arguments: &[&str]) -> Output {
    assay_in(&root(), arguments)
}

/// Runs `assay` in a folder.
pub fn assay_in(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("assay starts")
}

/// Runs `assay` in the root of the repository, with a text on its standard input.
pub fn assay_with_input(arguments: &[&str], input: impl AsRef<[u8]> + Send) -> Output {
    let mut command = command(&root(), arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("assay starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    std::thread::scope(|scope| {
        // Ignores the error of a command that ends before it has read the whole input.
        scope.spawn(move || drop(stdin.write_all(input.as_ref())));
        child.wait_with_output().expect("assay ends")
    })
}

/// Returns a path as a word of a command line, quoted for the shell if necessary.
pub fn word(path: impl AsRef<Path>) -> String {
    shell_words::quote(path.as_ref().to_str().expect("the path is UTF-8")).into_owned()
}

/// Returns a subject that runs one of assay's implementations in its own process, with `dut serve`.
pub fn served(name: &str) -> String {
    format!("exec:{} dut serve {name}", word(ASSAY))
}

/// Compiles sources in C with the header of the device interface. Panics if the compilation fails.
pub fn compile(flags: &[&str], sources: &[PathBuf], out: &Path) {
    let mut cc = Command::new("cc");
    cc.args(flags).arg("-I").arg(root().join("harness/device/include")).args(sources);
    let done = cc.args(["-lm", "-o"]).arg(out).output().expect("cc runs");
    assert!(done.status.success(), "{flags:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Returns whether a program is installed, by a call with `--version`.
pub fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Returns the exit status of a program that no signal ended.
pub fn status(output: &Output) -> i32 {
    output.status.code().expect("assay is not killed")
}

/// Returns the stdout of a program.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("results are UTF-8")
}

/// Returns the stderr of a program, with folded lines joined.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).replace("\n  │ ", " ")
}

/// Returns the JSON Schema that `assay schema` prints for a name.
pub fn schema(name: &str) -> Value {
    json(&assay(&[&["schema"], &name.split(' ').collect::<Vec<_>>()[..]].concat()))
}

/// Checks that a value satisfies the JSON Schema of a name.
pub fn check_schema(name: &str, value: &Value) {
    let validator = jsonschema::validator_for(&schema(name)).expect("a schema");
    let errors: Vec<String> =
        validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new(), "{name}");
}

/// Returns the stderr of a program as words, without line breaks and the bars of folded messages.
pub fn words(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).replace('│', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the JSON that a program wrote to stdout.
pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}
