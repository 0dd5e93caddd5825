//! Tests the early ends of a run and the problems of a resumed run that docs/durability.md lists.
//! Each is reported, and no case is lost or counted twice.

use assay_testing::skip;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::{ASSAY, root, status, stderr};

/// The command line of a campaign of several epochs.
const FUZZ: [&str; 9] =
    ["fuzz", "--only", "POPC", "BREV", "--cases", "3500000", "--checkpoint-every", "0.001", "--out"];

/// A folder with an undisturbed run. The other runs in the folder are compared with it.
struct Place {
    folder: tempfile::TempDir,
    undisturbed: Vec<u8>,
}

impl Place {
    fn new() -> Place {
        let mut place = Place { folder: tempfile::tempdir().unwrap(), undisturbed: Vec::new() };
        place.expect(0, &[], place.assay("undisturbed", &[]));
        place.undisturbed = place.result("undisturbed");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn result(&self, run: &str) -> Vec<u8> {
        std::fs::read(self.path(run).join("result.json")).expect("the run has a result")
    }

    fn assay(&self, run: &str, more: &[&str]) -> Output {
        self.assay_by(ASSAY, run, more)
    }

    fn assay_by(&self, binary: impl AsRef<OsStr>, run: &str, more: &[&str]) -> Output {
        let mut command = Command::new(binary);
        let command = command.args(FUZZ).arg(run).args(more).current_dir(self.folder.path());
        command.output().expect("the command starts")
    }

    /// Runs the campaign with a limit on the size of each file, in blocks of 1024 bytes.
    fn assay_within(&self, blocks: usize, run: &str) -> Output {
        let mut command = Command::new("bash");
        let script = format!("ulimit -f {blocks}; exec \"$@\"");
        let command = command.args(["-c", &script, "bash"]).arg(ASSAY).args(FUZZ).arg(run);
        command.current_dir(self.folder.path()).output().expect("bash starts")
    }

    /// Makes a run that has room for its checkpoints, but not for its result.
    fn without_result(&self, run: &str) {
        let output = self.assay_within((self.undisturbed.len() - 1) / 1024, run);
        self.expect(
            3,
            &["result cannot be written", "what the last checkpoint counted is kept", "--resume"],
            output,
        );
        assert!(!self.path(run).join("result.json").exists());
        for file in ["checkpoint.json", "checkpoint.json.previous"] {
            assert!(self.path(run).join(file).exists(), "no {file}");
        }
    }

    fn expect(&self, wanted: i32, parts: &[&str], output: Output) {
        let said = stderr(&output);
        assert_eq!(status(&output), wanted, "{said}");
        parts.iter().for_each(|part| assert!(said.contains(part), "`{part}` is not said: {said}"));
    }

    /// Checks that a resumed run has the same result bytes and the same files as the undisturbed
    /// run.
    fn expect_whole(&self, run: &str, parts: &[&str], output: Output) {
        self.expect(0, parts, output);
        assert!(self.result(run) == self.undisturbed, "{run} has another result");
        let files = |run: &str| -> Vec<_> {
            let entries = std::fs::read_dir(self.path(run)).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(files(run), files("undisturbed"));
    }
}

#[test]
fn a_limit_of_the_size_of_files_costs_no_case() {
    let place = Place::new();
    // A limit that leaves no room even for a checkpoint.
    let parts = ["progress cannot be saved", "File too large", "result cannot be written", "counted again"];
    place.expect(3, &parts, place.assay_within(1, "none"));
    place.expect_whole("none", &["nothing to resume"], place.assay("none", &["--resume"]));
    // A limit that leaves no room for the result, but enough for the checkpoints.
    place.without_result("some");
    place.expect(2, &["unfinished run", "--resume", "--overwrite"], place.assay("some", &[]));
    place.expect_whole("some", &[], place.assay("some", &["--resume"]));
}

/// A small temporary file system, which is unmounted on drop.
struct Small(PathBuf);

impl Small {
    fn mount(path: PathBuf, size: &str) -> Option<Small> {
        std::fs::create_dir(&path).unwrap();
        Small::run(&["-t", "tmpfs", "-o", &format!("size={size}"), "assay"], &path).then_some(Small(path))
    }

    fn resize(&self, size: &str) {
        assert!(Small::run(&["-o", &format!("remount,size={size}")], &self.0));
    }

    fn run(arguments: &[&str], path: &Path) -> bool {
        let mut mount = Command::new("mount");
        mount.args(arguments).arg(path).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        // A failure needs no report here: then the removal of the temporary folder fails, which is
        // reported.
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_costs_no_case() {
    let place = Place::new();
    let Some(disk) = Small::mount(place.path("disk"), "8k") else {
        return skip("mount", "1 test of a full disk: this user may not mount one");
    };
    let parts =
        ["progress cannot be saved", "No space left on device", "result cannot be written", "--resume"];
    place.expect(3, &parts, place.assay("disk/run", &[]));
    disk.resize("16m");
    place.expect_whole("disk/run", &[], place.assay("disk/run", &["--resume"]));
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_anything_is_computed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    File::create(&file).unwrap();
    let below = file.join("run");
    let locked = folder.path().join("locked");
    std::fs::create_dir(&locked).unwrap();
    let lock = File::open(&locked).unwrap();
    lock.try_lock().unwrap();
    let table: [(&Path, &str); 5] = [
        (Path::new("/proc/assay"), "choose a folder with --out"),
        (Path::new("/proc"), "cannot be written"),
        (&file, "choose a folder with --out"),
        (&below, "choose a folder with --out"),
        (&locked, "another run is writing there"),
    ];
    for (out, remedy) in table {
        // A campaign of an hour would exceed the time limit of a test, so the test passes only if
        // the error comes before the campaign starts.
        let fuzz = ["fuzz", "--time", "1h", "--out"];
        let output = Command::new(ASSAY).args(fuzz).arg(out).output().unwrap();
        assert_eq!(status(&output), 2, "{}", stderr(&output));
        for part in [remedy, &out.display().to_string()] {
            assert!(stderr(&output).contains(part), "{} does not say `{part}`", stderr(&output));
        }
    }
}

#[test]
fn a_result_that_nobody_can_read_from_stdout_is_in_the_folder() {
    let place = Place::new();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(ASSAY);
    let command = command.args(FUZZ).arg("run").current_dir(place.folder.path()).stdout(full);
    let output = command.output().unwrap();
    assert_eq!(status(&output), 3, "{}", stderr(&output));
    assert!(place.result("run") == place.undisturbed);
}

#[test]
fn a_damaged_checkpoint_falls_back_to_the_one_before_and_then_is_refused() {
    let place = Place::new();
    place.without_result("run");
    let path = place.path("run").join("checkpoint.json");
    let mut text = std::fs::read(&path).unwrap();
    let middle = text.len() / 2;
    text[middle] ^= 4;
    std::fs::write(&path, &text).unwrap();
    let copy = place.path("copy");
    std::fs::create_dir(&copy).unwrap();
    std::fs::write(copy.join("checkpoint.json"), &text).unwrap();
    let parts = ["checkpoint.json: is damaged", "going on from the one before", "checkpoint.json.previous"];
    place.expect_whole("run", &parts, place.assay("run", &["--resume"]));
    let parts =
        ["copy/checkpoint.json: is damaged", "no sound one before it", "start anew in another folder"];
    place.expect(2, &parts, place.assay("copy", &["--resume"]));
    place.expect_whole("copy", &[], place.assay("copy", &["--overwrite"]));
}

#[test]
fn another_plan_and_another_build_are_refused() {
    let place = Place::new();
    place.without_result("run");
    let table: [(&[&str], &str); 5] = [
        (&["--seed", "2"], "the seed differs"),
        (&["--shard", "0/2"], "the shard differs"),
        (&["--reading", "E173=2"], "the profile differs"),
        (&["--require-judged", "9%"], "--require-judged or --baseline demands differs"),
        (&["--allow-unjudged", "POPC"], "what --allow-unjudged"),
    ];
    for (other, differs) in table {
        let output = place.assay("run", &[&["--resume"], other].concat());
        place.expect(2, &["checkpoint.json", differs, "repeat the options"], output);
    }
    // A copy of the program with one more byte, which is never executed.
    let other = place.path("assay");
    std::fs::copy(ASSAY, &other).unwrap();
    File::options().append(true).open(&other).unwrap().write_all(b"\n").unwrap();
    let parts = ["checkpoint.json", "they may not do the same", "--other-build"];
    place.expect(2, &parts, place.assay_by(&other, "run", &["--resume"]));
    place.expect_whole("run", &[], place.assay_by(&other, "run", &["--resume", "--other-build"]));
    let record = std::fs::read(place.path("run").join("run.json")).unwrap();
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    assert_eq!(record["builds"].as_array().map(Vec::len), Some(2), "{record}");
}

/// A checkpoint stores the progress as a position in the list of functions. With another order of
/// the list, the position would mean another function.
#[test]
fn a_sweep_goes_on_in_the_order_in_which_it_began() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let sweep = |functions: [&str; 2], more: &[&str]| {
        let mut command = Command::new(ASSAY);
        command.arg("sweep").args(functions).args([
            "--tier",
            "standard",
            "--checkpoint-every",
            "0.01",
            "--out",
        ]);
        command.arg(&run).args(more).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let mut child = sweep(["popc", "brev"], &[]).stderr(Stdio::null()).spawn().unwrap();
    while !run.join("checkpoint.json").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it was over before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let refused = sweep(["brev", "popc"], &["--resume"]).output().unwrap();
    assert_eq!(status(&refused), 2, "{}", stderr(&refused));
    assert!(stderr(&refused).contains("the order of the functions"), "{}", stderr(&refused));
}

/// A `result.json` beside the folders of shards may be a merge of only some of them.
#[test]
fn a_result_among_the_folders_of_shards_is_not_taken_for_all_of_them() {
    let place = Place::new();
    for shard in ["0/2", "1/2"] {
        let output = place.assay(&format!("shards/{}", &shard[..1]), &["--shard", shard]);
        place.expect(0, &[], output);
    }
    let merge = |out: &str| {
        let mut command = Command::new(ASSAY);
        let command = command.args(["merge", "shards", "--out", out]).current_dir(place.folder.path());
        command.output().unwrap()
    };
    place.expect(0, &[], merge("shards/result.json"));
    place.expect(2, &["name the one that is meant"], merge("again.json"));
    std::fs::remove_file(place.path("shards/result.json")).unwrap();
    place.expect(0, &[], merge("again.json"));
    assert!(std::fs::read(place.path("again.json")).unwrap() == place.undisturbed);
}

/// The only files that may use the wall clock. That clock may jump, so durations come from the
/// monotonic clock. These files need dates: of a written file, a run, a trace, the page of a
/// nightly run, or the day on which a status in the known-issues list expires.
const READERS: [&str; 4] = [
    "harness/nightly/src/known_issues/day.rs",
    "harness/nightly/src/state.rs",
    "harness/runner/src/build.rs",
    "harness/runner/src/traces/capture.rs",
];

#[test]
fn no_duration_is_measured_by_the_wall_clock() {
    let root = root();
    let mut folders: Vec<PathBuf> =
        ["harness", "oracles", "reports", "vectors"].map(|name| root.join(name)).into();
    let mut readers = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && std::fs::read_to_string(&path).unwrap().contains(concat!("System", "Time"))
            {
                readers.push(path.strip_prefix(&root).unwrap().to_owned());
            }
        }
    }
    readers.sort();
    assert!(readers.iter().eq(READERS.iter().map(Path::new)), "{readers:?}");
}
