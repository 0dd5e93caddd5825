//! Checkpoints: damage is reported, damaged files are never used, files of another run are refused,
//! and a failed write does not end a run.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_records::checkpoint::{CheckpointError, Checkpoints, Identity, Keeper, Resume, previous, remove};
use serde::{Deserialize, Serialize};

/// Identifies the run of a checkpoint in these tests.
#[derive(Serialize, Deserialize)]
struct Of(u32);

impl Identity for Of {
    fn difference(&self, other: &Of) -> Option<String> {
        (self.0 != other.0).then(|| "the number".to_owned())
    }
}

/// A folder for checkpoints, and the messages about them.
struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
    said: RefCell<Vec<String>>,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run/checkpoint.json");
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        Place { _folder: folder, path, said: RefCell::default() }
    }

    /// Returns a folder in which these progress values were saved in turn.
    fn after(saves: &[u64]) -> Place {
        let place = Place::new();
        place.with(Resume::No, "1", |keeper, _| saves.iter().for_each(|progress| keeper.save(progress)));
        place
    }

    fn with<T>(&self, resume: Resume, build: &str, then: impl FnOnce(&mut Keeper<'_, Of>, u64) -> T) -> T {
        let say = |text: &str| self.said.borrow_mut().push(text.to_owned());
        let place = Checkpoints {
            path: &self.path,
            every: Duration::ZERO,
            build,
            resume,
            same_device: false,
            say: &say,
        };
        let (mut keeper, progress) = Keeper::open(Some(place), Of(7)).unwrap();
        then(&mut keeper, progress)
    }

    /// Returns the progress from which a run of the same build continues.
    fn resume(&self) -> Result<u64, CheckpointError> {
        self.resume_as(Of(7), "1", Resume::SameBuild)
    }

    fn resume_as(&self, of: Of, build: &str, resume: Resume) -> Result<u64, CheckpointError> {
        let say = |text: &str| self.said.borrow_mut().push(text.to_owned());
        let place = Checkpoints {
            path: &self.path,
            every: Duration::ZERO,
            build,
            resume,
            same_device: false,
            say: &say,
        };
        Keeper::open(Some(place), of).map(|(_, progress)| progress)
    }

    fn said(&self) -> Vec<String> {
        self.said.take()
    }
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[test]
fn every_flipped_bit_and_every_cut_is_seen() {
    let place = Place::after(&[1, 2]);
    assert_eq!((place.resume().unwrap(), place.said().len()), (2, 0));
    let (sound, before) = (read(&place.path), previous(&place.path));
    let flipped = (0..8 * sound.len()).map(|bit| {
        let mut text = sound.clone();
        text[bit / 8] ^= 1 << (bit % 8);
        text
    });
    let cut = (0..sound.len()).map(|length| sound[..length].to_vec());
    for text in flipped.chain(cut).chain([[&sound[..], b"\n"].concat()]) {
        std::fs::write(&place.path, &text).unwrap();
        let shown = String::from_utf8_lossy(&text).into_owned();
        assert_eq!(place.resume().unwrap(), 1, "{shown}");
        let said = place.said().concat();
        assert!(said.contains("checkpoint.json: ") && said.contains(&before.display().to_string()), "{said}");
    }
    std::fs::remove_file(&before).unwrap();
    assert!(matches!(place.resume(), Err(CheckpointError::Unusable { .. })));
}

#[test]
fn what_is_wrong_is_said() {
    let head = r#"{"format":"assay checkpoint","version":3,"bytes":0,"sha256":""}"#;
    let old = "{\n  \"plan\": {}\n}\n";
    let table: [(&str, &str); 5] = [
        ("", "is empty"),
        (old, "its first line is not"),
        ("no checkpoint\n", "its first line is not"),
        (&format!("{head}\n"), "version 3 of the format, and this assay reads 2"),
        (&format!("{}\n{{}}", head.replace("3", "2")), "2 bytes follow its first line, which has 0"),
    ];
    for (text, wrong) in table {
        let place = Place::new();
        std::fs::write(&place.path, text).unwrap();
        let refused = place.resume().unwrap_err().to_string();
        for part in [wrong, "checkpoint.json", "start anew"] {
            assert!(refused.contains(part), "{text:?} is refused without `{part}`: {refused}");
        }
    }
}

/// The damaged checkpoint must not replace the undamaged checkpoint before it.
#[test]
fn a_run_that_went_on_from_the_one_before_keeps_it_until_there_is_a_newer_one() {
    let place = Place::after(&[1, 2]);
    std::fs::write(&place.path, "damaged").unwrap();
    place.with(Resume::SameBuild, "1", |keeper, progress| {
        assert_eq!(progress, 1);
        keeper.save(&3u64);
    });
    assert_eq!(place.resume().unwrap(), 3);
    std::fs::remove_file(&place.path).unwrap();
    assert_eq!(place.resume().unwrap(), 1);
    assert!(place.said().concat().contains("checkpoint.json: is missing; going on from the one before"));
}

#[test]
fn another_run_and_another_build_are_refused() {
    let place = Place::after(&[1]);
    let foreign = place.resume_as(Of(8), "1", Resume::SameBuild).unwrap_err().to_string();
    assert!(foreign.contains("checkpoint.json") && foreign.contains("the number differs"), "{foreign}");
    let refused = place.resume_as(Of(7), "2", Resume::SameBuild).unwrap_err().to_string();
    assert!(refused.contains("assay 1") && refused.contains("here is 2"), "{refused}");
    assert!(refused.contains("--other-build"), "{refused}");
    // The checkpoint keeps the names of all builds. The last build may continue without a new
    // permission.
    place.with(Resume::AnyBuild, "2", |keeper, _| keeper.save(&2u64));
    assert_eq!(place.resume_as(Of(7), "2", Resume::SameBuild).unwrap(), 2);
    let text = String::from_utf8(read(&place.path)).unwrap();
    assert!(text.contains(r#""builds":["1","2"]"#), "{text}");
}

#[test]
fn what_cannot_be_written_is_said_once_and_tried_again() {
    let place = Place::after(&[1]);
    let folder = place.path.parent().unwrap();
    let away = folder.with_file_name("away");
    place.with(Resume::SameBuild, "1", |keeper, _| {
        std::fs::rename(folder, &away).unwrap();
        keeper.keep(&2u64);
        keeper.keep(&3u64);
        std::fs::rename(&away, folder).unwrap();
        assert_eq!(place.resume().unwrap(), 1);
        keeper.keep(&4u64);
        keeper.keep(&5u64);
    });
    let said = place.said();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("progress cannot be saved") && said[0].contains("checkpoint.json"), "{said:?}");
    assert_eq!(said[1], "progress is saved again");
    assert_eq!(place.resume().unwrap(), 5);
}

#[test]
fn nothing_else_lies_about_and_nothing_stays() {
    let place = Place::after(&[1, 2, 3]);
    let files = || std::fs::read_dir(place.path.parent().unwrap()).unwrap().count();
    assert_eq!(files(), 2);
    remove(&place.path).unwrap();
    remove(&place.path).unwrap();
    assert_eq!((files(), place.resume().unwrap()), (0, 0));
}

/// A run that continued from the previous checkpoint may end before it replaces the damaged newest
/// checkpoint. If the run is killed while it removes both files, the damaged checkpoint is not left
/// alone.
#[test]
fn the_newest_checkpoint_is_removed_first() {
    let place = Place::after(&[1, 2]);
    let before = previous(&place.path);
    std::fs::remove_file(&before).unwrap();
    // Here a folder takes the place of a file and cannot be removed as one, so the removal stops.
    std::fs::create_dir(&before).unwrap();
    remove(&place.path).unwrap_err();
    assert!(!place.path.exists());
}
