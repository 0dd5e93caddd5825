//! Tests files that could hang a reader or fill its memory. A command that reads such a file must
//! end within `TIME` and `MEMORY`.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{ASSAY, command, word};

/// Address space of a run, in KiB.
const MEMORY: u64 = 1 << 20;
/// Time limit of a command: 10 seconds, or 30 seconds in a build with debug assertions, which is
/// slower.
const TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 30 } else { 10 });

/// A kind of hostile file: a function that writes it, the command lines that read it as `FILE`,
/// their exit status, and words of their message.
struct Hostile {
    what: &'static str,
    make: fn(&Path),
    commands: &'static [&'static str],
    status: i32,
    words: &'static str,
}

const READERS: &[&str] = &[
    "report FILE",
    "merge FILE --out merged.json",
    "merge --from FILE --out merged.json",
    "vectors check FILE",
    "replay FILE",
    "nightly --config FILE --out night",
    "known-issues show campaign",
    "fuzz --only POPC --cases 1 --numbers FILE --out run",
    "trace info FILE",
    "isa lint FILE",
];
/// Commands that read `FILE`, and that must refuse a folder of this name.
const FOLDER_READERS: &[&str] = &[
    "merge --from FILE --out merged.json",
    "replay FILE",
    "nightly --config FILE --out night",
    "known-issues show campaign",
    "fuzz --only POPC --cases 1 --numbers FILE --out run",
    "fuzz --only POPC --cases 1 --profile FILE --out run",
    "trace info FILE",
    "isa lint FILE",
];
const YAML: &[&str] = &[
    "vectors check FILE",
    "replay FILE",
    "fuzz --only POPC --cases 1 --profile FILE --out run",
    "nightly --config FILE --out night",
    "known-issues show campaign",
    "ver FILE --as yaml",
];

fn write(path: &Path, text: impl AsRef<[u8]>) {
    std::fs::write(path, text).unwrap();
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn link(path: &Path, to: &str) {
    std::os::unix::fs::symlink(to, path).unwrap();
}

/// Writes a result in an old format, which has no digest. Replaces `part` of the result by `with`.
fn result(path: &Path, part: &str, with: &str) {
    const RESULT: &str = r#"{"version": 1, "plan": {"kind": "fuzz", "seed": 1, "cases": 10, "until_covered": false,
        "only": [], "subject": "model", "against": "mpfr", "profile": "intended", "readings": {}, "contracts": {},
        "numbers": "", "generator": 1}, "shards": [{"index": 0, "of": 1}], BINS
        "tally": {"cases": 10, "verdicts": COUNTS, "forms": {"FORM": COUNTS}, "undefined": {}, "accuracy": {},
        "coverage": "", "findings": {}}}"#;
    const COUNTS: &str = r#"{"exact": 10, "within": 0, "diverged": 0, "undefined": 0, "unjudged": 0, "unsupported": 0,
        "waived": 0}"#;
    let text = RESULT.replace(part, with).replace("BINS", "").replace("COUNTS", COUNTS);
    write(path, text);
}

/// Writes the document of the linter's tests. Replaces `part` of the document by `with`.
fn document(path: &Path, part: &str, with: &str) {
    let base = include_str!("../../../documents/tests/it/snippets/base.txt");
    assert!(base.contains(part), "{part}");
    write(path, base.replacen(part, with, 1));
}

fn bins(extent: &str) -> String {
    format!(
        r#""bins": {{"digest": "", "crossed": true, "forms": {{"FADD_RR": {{"class": {{{extent}}}}}}}}},"#
    )
}

const HOSTILE: &[Hostile] = &[
    Hostile { what: "a pipe", make: fifo, commands: READERS, status: 2, words: "pipe" },
    Hostile {
        what: "a folder",
        make: |path| std::fs::create_dir(path).unwrap(),
        commands: FOLDER_READERS,
        status: 2,
        words: "",
    },
    Hostile {
        what: "an endless device",
        make: |path| link(path, "/dev/zero"),
        commands: READERS,
        status: 2,
        words: "device",
    },
    Hostile {
        what: "an endless line",
        make: |path| link(path, "/dev/zero"),
        commands: &["ver FILE --as jsonl"],
        status: 2,
        words: "line",
    },
    Hostile {
        what: "a flow of 60 MB",
        make: |path| write(path, "[".to_owned() + &"a,".repeat(30_000_000) + "]"),
        commands: YAML,
        status: 2,
        words: "16777216",
    },
    Hostile {
        what: "a flow of many items",
        make: |path| write(path, "[".to_owned() + &"a,".repeat(8_000_000) + "]"),
        commands: YAML,
        status: 2,
        words: "items",
    },
    Hostile {
        what: "maps in each other",
        make: |path| write(path, "{a: ".repeat(100_000)),
        commands: YAML,
        status: 2,
        words: "",
    },
    Hostile {
        what: "aliases of aliases",
        make: |path| {
            let list = |n: usize| format!("- &a{n} [{}]\n", format!("*a{}, ", n - 1).repeat(10));
            write(path, "- &a0 x\n".to_owned() + &(1..12).map(list).collect::<String>());
        },
        commands: YAML,
        status: 2,
        words: "aliases",
    },
    Hostile {
        what: "a long text that is repeated",
        make: |path| write(path, format!("- &a {}\n{}", "x".repeat(4 << 20), "- *a\n".repeat(100_000))),
        commands: YAML,
        status: 2,
        words: "aliases",
    },
    Hostile {
        what: "JSON in itself",
        make: |path| write(path, r#"{"version":"#.repeat(100_000)),
        commands: &["report FILE", "merge FILE --out merged.json"],
        status: 2,
        words: "not a result",
    },
    Hostile {
        what: "a result that is too long",
        make: |path| std::fs::File::create(path).unwrap().set_len(1 << 40).unwrap(),
        commands: &["report FILE", "merge FILE --out merged.json", "vectors check FILE", "isa lint FILE"],
        status: 2,
        words: "limit",
    },
    Hostile {
        what: "bins in huge places",
        make: |path| {
            let extent = r#""first": 0, "places": 18446744073709551615, "reachable": 1, "impossible": 0"#;
            result(path, "BINS", &bins(extent));
        },
        commands: &["report FILE", "merge FILE --out merged.json"],
        status: 2,
        words: "`bins` of `FADD_RR`",
    },
    Hostile {
        what: "bins far away",
        make: |path| {
            let extent = r#""first": 18446744073709551615, "places": 1, "reachable": 1, "impossible": 0"#;
            result(path, "BINS", &bins(extent));
        },
        commands: &["report FILE", "merge FILE --out merged.json"],
        status: 2,
        words: "`bins` of `FADD_RR`",
    },
    Hostile {
        what: "a name of 70,000 letters",
        make: |path| result(path, "FORM", &"F".repeat(70_000)),
        commands: &["report FILE", "report FILE --out pages", "merge FILE --out merged.json"],
        // The file has an old format, in which results had no verdict.
        status: 1,
        words: "the result has no verdict",
    },
    Hostile {
        what: "an identifier of 7 MB",
        make: |path| document(path, "UINT32 n =", &format!("UINT32 {} =", "n".repeat(7_000_000))),
        commands: &["isa lint FILE", "isa diff FILE"],
        status: 2,
        words: "has 7000026 bytes, and the limit is 16384",
    },
    Hostile {
        what: "a chain of else and if",
        make: |path| {
            let arm = |n: usize| format!("    }} else if (u == {n}) {{\n        u = u + {n};\n");
            let chain: String = (0..100_000).map(arm).collect();
            document(path, "    } else if ((u & 0x1) == 1) {\n        u = u + 2;\n", &chain);
        },
        commands: &["isa lint FILE"],
        status: 1,
        words: "",
    },
    Hostile {
        what: "an example of 1 MB",
        make: |path| {
            let example = format!(
                "  __Examples\n```asm\nMIX R1, {}R2 ;\n```\n\n  __Description\n",
                "R1, ".repeat(250_000)
            );
            document(path, "  __Description\n", &example);
        },
        commands: &["isa lint FILE"],
        status: 2,
        words: "bytes, and the limit is",
    },
    Hostile {
        what: "a table of 2^20 alternatives in each row",
        make: |path| {
            let cell =
                |letter: char| (0..1024).map(|n| format!(".{letter}{n}")).collect::<Vec<_>>().join("/");
            let row = format!("| {} | {} |\n", cell('A'), cell('B'));
            document(path, "| .DARK | .DIM |\n", &row.repeat(60));
        },
        commands: &["isa lint FILE"],
        status: 1,
        words: "",
    },
    Hostile {
        what: "links in each other",
        make: |path| document(path, "see [[POUR]]", &format!("see {}", "[[a".repeat(5_000))),
        commands: &["isa lint FILE"],
        status: 1,
        words: "",
    },
];

/// Runs a command within the limits. Returns its exit status, its duration and its stderr.
fn run(folder: &Path, arguments: &str) -> (Option<i32>, Duration, String) {
    let script = format!("ulimit -v {MEMORY}; exec {} {arguments}", word(ASSAY));
    let stderr = folder.join("stderr");
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("RAYON_NUM_THREADS", "2")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&stderr).unwrap())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status.code(),
            // Waits beyond the limit, so that the message shows the real duration.
            None if started.elapsed() > 2 * TIME => {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    (status, started.elapsed(), std::fs::read_to_string(stderr).unwrap())
}

#[test]
fn every_reader_ends_in_time_and_says_why() {
    let mut wrong = Vec::new();
    for Hostile { what, make, commands, status, words } in HOSTILE {
        let folder = tempfile::tempdir().unwrap();
        make(&folder.path().join("FILE"));
        // The known-issues list must be in the folder of a campaign.
        std::fs::create_dir_all(folder.path().join("campaign/nights")).unwrap();
        link(&folder.path().join("campaign/known-issues.yaml"), "../FILE");
        for command in *commands {
            let (ended, took, said) = run(folder.path(), command);
            let text: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_right =
                ended == Some(*status) && took < TIME && text.contains(words) && !text.contains("panicked");
            if !is_right || (*status == 2 && text.is_empty()) {
                let start: String = text.chars().take(300).collect();
                wrong.push(format!("{what}, `{command}`: {ended:?} after {took:.1?}: {start}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A checkpoint with impossible progress is refused, although its digest is right.
#[test]
fn a_checkpoint_that_claims_too_much_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let fuzz = "fuzz --only POPC --cases 1000000000 --checkpoint-every 0.1 --out run";
    let mut child = command(folder.path(), &fuzz.split(' ').collect::<Vec<_>>())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let path = folder.path().join("run/checkpoint.json");
    let started = Instant::now();
    while !path.exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let (_, body) = text.split_once('\n').unwrap();
    let done = body.find(r#""done":"#).unwrap() + r#""done":"#.len();
    let end = done + body[done..].find(',').unwrap();
    let body = format!("{}18446744073709551615{}", &body[..done], &body[end..]);
    let digest = assay_files::digest::sha256(&body);
    let head =
        format!(r#"{{"format":"assay checkpoint","version":2,"bytes":{},"sha256":"{digest}"}}"#, body.len());
    write(&path, format!("{head}\n{body}"));
    let (status, took, said) = run(folder.path(), &format!("{fuzz} --resume"));
    assert!(
        status == Some(2) && took < TIME && said.contains("contradicts itself"),
        "{status:?} {took:?} {said}"
    );
    // A named pipe in place of the checkpoint is refused, too.
    std::fs::remove_file(&path).unwrap();
    let _ = std::fs::remove_file(path.with_extension("json.previous"));
    fifo(&path);
    let (status, took, said) = run(folder.path(), &format!("{fuzz} --resume"));
    assert!(status == Some(2) && took < TIME && said.contains("pipe"), "{status:?} {took:?} {said}");
}
