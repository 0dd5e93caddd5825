//! Tests that commands never write through a link, and never overwrite an input or a file that
//! assay did not write. Two commands that write to the same file lose no output.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::{assay_in, command, status, stdout, words};

const PRECIOUS: &str = "of another owner\n";

/// A folder with a run, a foreign file, and entries that are not files.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().expect("a folder") };
        let fuzz = ["fuzz", "--only", "POPC", "--cases", "1000", "--out", "run"];
        assert_eq!(status(&assay_in(place.root(), &fuzz)), 0);
        fs::write(place.path("precious"), PRECIOUS).expect("a file");
        symlink("precious", place.path("link")).expect("a link");
        symlink("nothing", place.path("dangling")).expect("a link");
        fs::hard_link(place.path("run/result.json"), place.path("same.json")).expect("a second name");
        let made = Command::new("mkfifo").arg(place.path("fifo")).status();
        assert!(made.is_ok_and(|status| status.success()));
        place
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Returns the contents of the folder: each path with its kind and content.
    fn listing(&self) -> Vec<(PathBuf, String)> {
        let mut open = vec![self.root().to_owned()];
        let mut all = Vec::new();
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).expect("a folder").flatten() {
                let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
                let what = match kind {
                    kind if kind.is_file() => format!("{:?}", fs::read(&path).expect("a file")),
                    kind if kind.is_symlink() => format!("{:?}", fs::read_link(&path).expect("a link")),
                    kind => format!("{kind:?}"),
                };
                if kind.is_dir() {
                    open.push(path.clone());
                }
                all.push((path, what));
            }
        }
        all.sort();
        all
    }

    /// Checks that a command is refused for a reason, and changes nothing.
    fn refuses(&self, arguments: &[&str], reason: &str) {
        let before = self.listing();
        let output = assay_in(self.root(), arguments);
        assert_eq!(status(&output), 2, "{arguments:?}: {}", words(&output));
        assert!(words(&output).contains(reason), "{arguments:?}: {}", words(&output));
        assert!(self.listing() == before, "{arguments:?} touched something");
    }
}

#[test]
fn no_result_goes_through_a_link_or_over_an_input() {
    let place = Place::new();
    let cases = [
        ("link", "is a symbolic link"),
        ("dangling", "is a symbolic link"),
        ("fifo", "is no regular file"),
        ("run", "is no regular file"),
    ];
    for (out, reason) in cases {
        for extra in [&[][..], &["--overwrite"]] {
            place.refuses(&[&["merge", "run", "--out", out], extra].concat(), reason);
            place.refuses(
                &[&["gen", "--as", "jsonl", "--only", "POPC", "--cases", "10", "--out", out], extra].concat(),
                reason,
            );
        }
    }
    for out in ["run/result.json", "same.json"] {
        for extra in [&[][..], &["--overwrite"]] {
            place.refuses(&[&["merge", "run", "--out", out], extra].concat(), "is one of the files to read");
        }
    }
    place.refuses(&["merge", "run", "--out", "precious"], "holds no result");
    place
        .refuses(&["gen", "--as", "jsonl", "--only", "POPC", "--cases", "10", "--out", "precious"], "exists");
    // The same commands succeed if there is no reason to refuse them.
    assert_eq!(status(&assay_in(place.root(), &["merge", "run", "--out", "merged.json"])), 0);
    assert_eq!(
        status(&assay_in(place.root(), &["merge", "run", "--out", "merged.json"])),
        0,
        "a result is replaced"
    );
    assert_eq!(status(&assay_in(place.root(), &["merge", "run", "--out", "precious", "--overwrite"])), 0);
    assert_eq!(
        fs::read(place.path("precious")).expect("a file"),
        fs::read(place.path("run/result.json")).expect("a file")
    );
}

#[test]
fn overwrite_replaces_a_run_and_nothing_else() {
    let place = Place::new();
    fs::create_dir_all(place.path("mine/findings")).expect("a folder");
    fs::write(place.path("mine/findings/notes.yaml"), PRECIOUS).expect("a file");
    fs::create_dir_all(place.path("other")).expect("a folder");
    fs::write(place.path("other/notes.yaml"), PRECIOUS).expect("a file");
    let fuzz = ["fuzz", "--only", "POPC", "--cases", "1000", "--out"];
    place.refuses(&[&fuzz[..], &["mine", "--overwrite"]].concat(), "never held a run, and holds findings");
    fs::create_dir_all(place.path("linked")).expect("a folder");
    symlink("../other", place.path("linked/findings")).expect("a link");
    for extra in [&[][..], &["--overwrite"], &["--resume"]] {
        place.refuses(&[&fuzz[..], &["linked"], extra].concat(), "is a symbolic link");
    }
    // Now the folder of findings of a run is a link.
    symlink("../other", place.path("run/findings")).expect("a link");
    place.refuses(&[&fuzz[..], &["run", "--overwrite"]].concat(), "is a symbolic link");
    fs::remove_file(place.path("run/findings")).expect("a link");
    for folder in ["run", "new"] {
        assert_eq!(
            status(&assay_in(place.root(), &[&fuzz[..], &[folder, "--overwrite"]].concat())),
            0,
            "{folder}"
        );
    }
    fs::create_dir_all(place.path("empty")).expect("a folder");
    fs::write(place.path("empty/.assay-left"), "half a file").expect("a file");
    assert_eq!(status(&assay_in(place.root(), &[&fuzz[..], &["empty", "--overwrite"]].concat())), 0);
}

#[test]
fn who_reads_how_far_a_night_is_writes_nothing() {
    let place = Place::new();
    let plan = "{version: 1, name: n, subject: model, jobs: 1, stages: [{name: a, run: fuzz --only BREV --cases 1000, time: 1m}]}\n";
    fs::write(place.path("plan.yaml"), plan).expect("a plan");
    assert_eq!(status(&assay_in(place.root(), &["nightly", "--config", "plan.yaml", "--out", "dut"])), 0);
    fs::write(place.path("dut/lock"), PRECIOUS).expect("a file");
    let before = place.listing();
    assert_eq!(status(&assay_in(place.root(), &["status", "dut"])), 0);
    assert!(place.listing() == before);
    for (target, reason) in [("../precious", "is a symbolic link"), ("", "is no regular file")] {
        fs::remove_file(place.path("dut/lock")).expect("a lock");
        match target {
            "" => fs::rename(place.path("fifo"), place.path("dut/lock")).expect("a pipe"),
            target => symlink(target, place.path("dut/lock")).expect("a link"),
        }
        place.refuses(&["status", "dut"], reason);
        place.refuses(&["nightly", "--config", "plan.yaml", "--out", "dut"], reason);
    }
    fs::remove_file(place.path("dut/lock")).expect("a lock");
    let before = place.listing();
    assert_eq!(status(&assay_in(place.root(), &["status", "dut"])), 0);
    assert!(place.listing() == before, "a reader makes no lock");
}

/// Returns a finding that `mutant:fadd-tie-to-odd` fails and the model passes.
fn finding(name: &str, value: u32) -> String {
    format!(
        "version: 1\nsuite: {name}\nabout: x\nprofile: intended\ncases:\n- name: {name}\n  asm: FADD R0, R1, R2\n  \
         inputs: {{R1: '{value:#010x}', R2: '{:#010x}'}}\n  expect: {{R0: '{:#010x}'}}\n  provenance: {{source: finding}}\n  \
         finding: {{subject: 'mutant:fadd-tie-to-odd', oracle: mpfr, profile: intended, signature: s, verdict: v}}\n",
        value + 1,
        // Both inputs lie in one binade. Their sum is halfway between two floats, and must be
        // rounded to the even one.
        (value + 0x0080_0000) & !1,
    )
}

#[test]
fn two_promotions_at_once_lose_nothing() {
    let place = Place::new();
    const ROUNDS: u32 = 12;
    for round in 0..ROUNDS {
        let into = format!("into-{round}.yaml");
        let text = "# What we know of FADD.\nversion: 1\nsuite: known\nabout: x  # in a line\nprofile: intended\ncases:\n  \
                    # The first of all.\n  - {name: first, asm: 'FADD R0, R1, R2', inputs: {R1: 0x0, R2: 0x0}, expect: {R0: 0x0}, \
                    provenance: {source: hand}}\n";
        fs::write(place.path(&into), text).expect("a suite");
        fs::set_permissions(place.path(&into), fs::Permissions::from_mode(0o640)).expect("a mode");
        let start = |nth: u32| {
            let name = format!("f{nth}");
            fs::write(place.path(&format!("{name}.yaml")), finding(&name, 0x3f80_0000 + 4 * nth))
                .expect("a finding");
            command(place.root(), &["vectors", "promote", &format!("{name}.yaml"), "--into", &into])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("assay")
        };
        let children: Vec<_> = (0..3).map(start).collect();
        for child in children {
            let output = child.wait_with_output().expect("assay ends");
            assert_eq!(status(&output), 0, "{}", words(&output));
        }
        let after = fs::read_to_string(place.path(&into)).expect("a suite");
        assert!(after.starts_with(text), "what was there stays as it was: {after}");
        assert!((0..3).all(|nth| after.contains(&format!("name: f{nth}\n"))), "{after}");
        let mode = fs::metadata(place.path(&into)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        let check = assay_in(place.root(), &["vectors", "check", &into]);
        assert_eq!(status(&check), 0, "{}", words(&check));
    }
    // The command does not rewrite a suite if it would lose the suite's comments.
    let text = "# Kept.\n{version: 1, suite: known, about: x, profile: intended, cases: [{name: first, asm: 'FADD R0, R1, R2', \
                inputs: {R1: 0x0, R2: 0x0}, expect: {R0: 0x0}, provenance: {source: hand}}]}\n";
    fs::write(place.path("flow.yaml"), text).expect("a suite");
    place.refuses(&["vectors", "promote", "f0.yaml", "--into", "flow.yaml"], "its comments be kept");
    symlink("flow.yaml", place.path("suite")).expect("a link");
    place.refuses(&["vectors", "promote", "f0.yaml", "--into", "suite"], "is a symbolic link");
    place.refuses(&["vectors", "promote", "f0.yaml", "--into", "f0.yaml"], "is one of the files to read");
}

#[test]
fn completions_and_pages_are_printed_and_a_closed_pipe_is_no_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = assay_in(folder.path(), &["completions", shell]);
        assert_eq!(status(&output), 0, "{shell}");
        assert!(stdout(&output).contains("until-covered"), "{shell}");
        let mut child = command(folder.path(), &["completions", shell])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("assay runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(status(&output), 0, "{shell}: {}", words(&output));
    }
    assert_eq!(status(&assay_in(folder.path(), &["completions", "--man", "man"])), 0);
    assert!(folder.path().join("man/assay-vectors-check.1").exists());
}
