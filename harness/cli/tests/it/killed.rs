//! Kills (SIGKILL) a campaign and a sweep repeatedly, damages some checkpoints, and resumes. The
//! results have the same bytes as those of undisturbed runs. `scripts/killed.sh` runs a longer test
//! of this kind.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::support::{ASSAY, command};

/// Number of kills of each run. Each shard is a run of its own.
const KILLS: u32 = 2;
const SHARDS: [u64; 2] = [1, 3];
/// The commands that the test kills. They are short enough for a build without optimisation.
const COMMANDS: [(&str, &[&str]); 2] = [
    ("campaign", &["fuzz", "--only", "POPC", "BREV", "FLO", "--cases", "12000000"]),
    ("sweep", &["sweep", "popc", "brev", "--tier", "quick"]),
];

struct Place {
    folder: tempfile::TempDir,
    random: ChaCha8Rng,
    /// The bytes of the checkpoint that was damaged last.
    damaged: Vec<u8>,
    killed: u32,
    resumed: u32,
    fell_back: u32,
}

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self, run: &str, arguments: &[&str]) -> Child {
        let log = std::fs::File::create(self.path(&format!("{run}.log"))).unwrap();
        let arguments = [arguments, &["--checkpoint-every", "0.01", "--out", run]].concat();
        let mut command = command(self.folder.path(), &arguments);
        command.stdout(Stdio::null()).stderr(log).spawn().expect("the command starts")
    }

    fn log(&self, run: &str) -> String {
        std::fs::read_to_string(self.path(&format!("{run}.log"))).unwrap()
    }

    fn expect_success(&self, run: &str, ended: ExitStatus) {
        assert!(ended.success(), "{run}: {}", self.log(run));
    }

    /// Returns the option that starts or resumes a run, and whether the newest checkpoint is lost.
    /// Damages the newest checkpoint in half of the cases in which an older checkpoint exists.
    fn prepare(&mut self, run: &str) -> (&'static str, bool) {
        let newest = self.path(run).join("checkpoint.json");
        let before = newest.with_file_name("checkpoint.json.previous");
        if !newest.exists() && !before.exists() {
            return ("--overwrite", false);
        }
        self.resumed += 1;
        if newest.exists() && before.exists() && self.below(2) == 0 {
            self.damage(&newest);
        }
        // The newest checkpoint is missing if the kill came between two renames. It is still the
        // damaged one if the kill came before the run replaced it.
        let is_lost = std::fs::read(newest).map_or(true, |text| text == self.damaged);
        ("--resume", is_lost)
    }

    /// Truncates a file, or changes one bit of it.
    fn damage(&mut self, path: &Path) {
        let mut text = std::fs::read(path).unwrap();
        let place = self.below(text.len() as u32) as usize;
        match self.below(2) {
            0 => text.truncate(place),
            _ => text[place] ^= 1 << self.below(8),
        }
        std::fs::write(path, &text).unwrap();
        self.damaged = text;
    }

    fn below(&mut self, end: u32) -> u32 {
        self.random.next_u32() % end
    }

    /// Starts, kills and resumes a run until it was killed often enough. Then lets the run finish.
    fn disturb(&mut self, run: &str, arguments: &[&str], undisturbed: Duration) {
        let mut kills = 0;
        loop {
            let (again, is_lost) = self.prepare(run);
            let mut child = self.start(run, &[arguments, &[again]].concat());
            if kills < KILLS {
                // The kill comes after 20 to 79 % of the time of an undisturbed run. Then the run
                // has seldom finished, and has sometimes written a checkpoint.
                let moment = undisturbed.as_millis() as u32 * (20 + self.below(60)) / 100;
                std::thread::sleep(Duration::from_millis(u64::from(moment)));
                child.kill().unwrap();
            }
            let ended = child.wait().unwrap();
            let fell_back = self.log(run).contains("going on from the one before");
            self.fell_back += u32::from(fell_back);
            assert!(!ended.success() || fell_back == is_lost, "{run}: {}", self.log(run));
            match (ended.code(), kills < KILLS) {
                (None, _) => (kills, self.killed) = (kills + 1, self.killed + 1),
                (_, false) => return self.expect_success(run, ended),
                // The run finished before the kill. It begins anew.
                (_, true) => self.expect_success(run, ended),
            }
        }
    }
}

#[test]
fn what_is_killed_and_resumed_comes_to_the_same_bytes() {
    let seed = 20_260;
    println!("seed {seed}");
    let folder = tempfile::tempdir().unwrap();
    let random = ChaCha8Rng::seed_from_u64(seed);
    let mut place = Place { folder, random, damaged: Vec::new(), killed: 0, resumed: 0, fell_back: 0 };
    for (name, command) in COMMANDS {
        let started = Instant::now();
        let ended = place.start(name, command).wait().unwrap();
        place.expect_success(name, ended);
        let undisturbed = started.elapsed();
        for of in SHARDS {
            let runs: Vec<String> = (0..of).map(|index| format!("{name}-{index}-of-{of}")).collect();
            for (index, run) in runs.iter().enumerate() {
                let shard = format!("{index}/{of}");
                let arguments = [command, &["--shard", &shard]].concat();
                place.disturb(run, &arguments, undisturbed / of as u32);
            }
            let merged = format!("{name}-{of}.json");
            let mut merge = Command::new(ASSAY);
            let merge =
                merge.arg("merge").args(&runs).args(["--out", &merged]).current_dir(place.folder.path());
            assert!(merge.output().unwrap().status.success());
            let whole = std::fs::read(place.path(name).join("result.json")).unwrap();
            assert!(std::fs::read(place.path(&merged)).unwrap() == whole, "{name} in {of} shards differs");
        }
    }
    let Place { killed, resumed, fell_back, .. } = place;
    println!(
        "killed {killed} times, resumed {resumed} times, {fell_back} of them from the checkpoint before"
    );
    assert!(killed >= 12 && resumed > 0, "killed {killed}, resumed {resumed}");
    // Only after many kills is it certain that a run has read a damaged checkpoint. Other tests
    // cover every damaged bit of a checkpoint.
    assert!(killed < 100 || fell_back > 0, "no damaged checkpoint was come upon in {killed} kills");
}
