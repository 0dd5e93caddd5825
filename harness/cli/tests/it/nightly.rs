//! Tests nightly runs on the command line. Known and new findings are distinguished, a killed run
//! continues, and bad input gives a clear message.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{ASSAY, assay, command, root, word};

/// A campaign's folder with a plan.
struct Campaign {
    folder: TempDir,
}

impl Campaign {
    fn new(subject: &str, stages: &str) -> Campaign {
        Campaign::with_policy(subject, stages, "{}")
    }

    fn with_policy(subject: &str, stages: &str, policy: &str) -> Campaign {
        let folder = tempfile::tempdir().expect("a folder");
        let plan = format!(
            "{{version: 1, name: test, subject: {subject:?}, seed: 5, jobs: 1, policy: {policy}, stages: [{stages}]}}\n"
        );
        fs::write(folder.path().join("plan.yaml"), plan).expect("a plan");
        Campaign { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn command(&self, extra: &[&str]) -> Command {
        let (plan, out) = (self.path("plan.yaml"), self.path("out"));
        let mut command =
            command(&root(), &["nightly", "--config", &plan, "--out", &out, "--format", "json"]);
        command.args(extra);
        command
    }

    /// Runs the nightly plan, checks its status, and returns its report.
    fn night(&self, status: i32, extra: &[&str]) -> Value {
        self.ended(status, &mut self.command(extra))
    }

    /// Runs a command that is a nightly run, checks its status, and returns its report.
    fn ended(&self, status: i32, command: &mut Command) -> Value {
        let output = command.output().expect("assay runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {said}"));
        let nightly = &printed["nightly"];
        assert_eq!(output.status.code(), Some(status), "{:#}\n{said}", nightly["verdict"]);
        nightly.clone()
    }
}

fn changes(nightly: &Value) -> Vec<&str> {
    let lines = nightly["signatures"].as_array().expect("a list");
    lines.iter().map(|line| line["change"].as_str().expect("a change")).collect()
}

/// A run with another subject or profile is refused. Otherwise the known issues of the first
/// subject would no longer be replayed, without any message.
#[test]
fn a_folder_is_of_one_subject_and_one_profile() {
    let campaign =
        Campaign::new("model", "{name: lint, run: vectors check vectors/data/fmul.yaml, time: 1m}");
    campaign.night(0, &[]);
    let plan = fs::read_to_string(campaign.path("plan.yaml")).expect("the plan");
    for (old, new, named) in [
        ("\"model\"", "\"apfloat\"", "`apfloat` under profile intended"),
        ("name: test", "profile: faithful, name: test", "`model` under profile faithful"),
    ] {
        fs::write(campaign.path("plan.yaml"), plan.replace(old, new)).expect("a plan");
        let output = campaign.command(&[]).output().expect("assay runs");
        // Removes the line breaks of the message.
        let said = String::from_utf8_lossy(&output.stderr).replace('│', " ");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(named) && said.contains("`model` under profile intended"), "{said}");
    }
    fs::write(campaign.path("plan.yaml"), &plan).expect("a plan");
    campaign.night(0, &[]);
    // A run that was killed also records its subject, so a run with another subject is refused
    // after it too.
    fs::write(campaign.path("plan.yaml"), plan.replace("\"model\"", "\"apfloat\"")).expect("a plan");
    fs::remove_file(campaign.path("out/nights/0001/report/nightly.json")).expect("the report is removed");
    fs::remove_file(campaign.path("out/nights/0002/report/nightly.json")).expect("the report is removed");
    let output = campaign.command(&[]).output().expect("assay runs");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_bug_is_new_then_known_then_fixed_then_back_again() {
    let buggy = Buggy::new();
    let campaign = buggy.campaign();
    let list = |words: &[&str]| {
        let out = campaign.path("out");
        let output = assay(&[&["known-issues", "set", "FADD", "--in", &out][..], words].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let first = campaign.night(1, &[]);
    assert_eq!(changes(&first), ["new"]);
    let case = campaign.path("out") + "/" + first["signatures"][0]["case"].as_str().expect("a case");
    assert_eq!(changes(&campaign.night(1, &[])), ["still-failing"]);
    list(&["--is", "known", "--because", "ticket 7"]);
    assert_eq!(changes(&campaign.night(0, &[])), ["known"]);
    list(&["--is", "known", "--because", "ticket 7", "--expires", "2999-01-01"]);
    let issues = campaign.path("out/known-issues.yaml");
    let text = fs::read_to_string(&issues).expect("a known-issues list");
    fs::write(&issues, text.replace("2999-01-01", "2020-01-01")).expect("a known-issues list");
    assert_eq!(changes(&campaign.night(1, &[])), ["expired"]);
    promotes(&campaign, &case, &buggy.subject());
    buggy.serves("model");
    assert_eq!(changes(&campaign.night(0, &[])), ["fixed"]);
    let other = campaign.path("other.yaml");
    let refused = assay(&["vectors", "promote", &case, "--into", &other, "--faulty", &buggy.subject()]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("passes it as well"));
    assert!(!Path::new(&other).exists(), "a vector that guards nothing is not written");
    assert!(changes(&campaign.night(0, &[])).is_empty(), "what stays fixed is no news");
    buggy.serves(FAULTY);
    assert_eq!(changes(&campaign.night(1, &[])), ["regressed"]);
    list(&["--is", "expected", "--because", "E035"]);
    assert_eq!(changes(&campaign.night(0, &[])), ["expected"]);
    buggy.serves("model");
    let last = campaign.night(1, &["--baseline", "1"]);
    assert_eq!(changes(&last), ["expected-holds"]);
    assert_eq!((&last["last"]["night"], &last["baseline"]["night"]), (&Value::from(8), &Value::from(1)));
    for page in ["nightly.html", "nightly.md", "nightly.junit.xml", "nightly.json"] {
        let path = campaign.path("out/nights/0009/report");
        assert!(fs::metadata(Path::new(&path).join(page)).is_ok_and(|page| page.len() > 100), "{page}");
    }
}

/// A fault whose divergences give one finding.
const FAULTY: &str = "mutant:fadd-output-flushed";

/// A device whose bug a test can switch on and off.
struct Buggy {
    folder: tempfile::TempDir,
}

impl Buggy {
    fn new() -> Buggy {
        let buggy = Buggy { folder: tempfile::tempdir().expect("a folder") };
        buggy.serves(FAULTY);
        buggy
    }

    fn script(&self) -> String {
        self.folder.path().join("device.sh").display().to_string()
    }

    fn serves(&self, served: &str) {
        let text = format!("exec {} dut serve {served}\n", word(ASSAY));
        fs::write(self.script(), text).expect("a script");
    }

    fn subject(&self) -> String {
        format!("exec:sh {}", self.script())
    }

    fn campaign(&self) -> Campaign {
        Campaign::new(&self.subject(), "{name: fadd, run: fuzz --only FADD --cases 65536, time: 5m}")
    }
}

/// A rule gives a status to all signatures of a bug, including those that are found later, until
/// the bug is fixed.
#[test]
fn a_rule_speaks_of_what_later_nights_find_until_it_is_fixed() {
    let buggy = Buggy::new();
    let campaign = buggy.campaign();
    let say = |words: &[&str]| {
        assay(&[&["known-issues", "set", "--all", "--in", &campaign.path("out")][..], words].concat())
    };
    assert_eq!(changes(&campaign.night(1, &[])), ["new"]);
    let known = ["FADD | *", "--is", "known", "--because", "ticket 7"];
    let refused = say(&known);
    assert_eq!(refused.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(stderr.contains("every finding of FADD") && stderr.contains("--yes-all"), "{stderr}");
    let say = |words: &[&str]| say(&[words, &["--yes-all"]].concat());
    assert_eq!(say(&known).status.code(), Some(0));
    let second = campaign.night(0, &[]);
    assert_eq!(changes(&second), ["known"]);
    let page = fs::read_to_string(campaign.path("out/nights/0002/report/nightly.md")).expect("a page");
    assert!(page.contains("excuses every finding of FADD, because ticket 7"), "{page}");
    let path = campaign.path("out/known-issues.yaml");
    let list = fs::read_to_string(&path).expect("a known-issues list");
    let (rules, _) = list.split_once("entries:").expect("entries");
    fs::write(&path, format!("{rules}entries: []\n")).expect("a known-issues list");
    let found_later = campaign.night(0, &[]);
    assert_eq!(changes(&found_later), ["known"]);
    assert_eq!(found_later["signatures"][0]["first"], found_later["night"]);
    assert_eq!(found_later["signatures"][0]["because"], "ticket 7");
    assert_eq!(
        say(&["FADD | *", "--is", "known", "--because", "x", "--expires", "2020-01-01"]).status.code(),
        Some(2),
        "the day is over"
    );
    assert_eq!(
        say(&["FADD | *", "--is", "known", "--because", "x", "--expires", "2999-01-01"]).status.code(),
        Some(0)
    );
    let list = fs::read_to_string(&path).expect("a known-issues list");
    fs::write(&path, list.replace("2999-01-01", "2020-01-01")).expect("a known-issues list");
    let shown = assay(&["known-issues", "show", &campaign.path("out")]).stdout;
    let shown = String::from_utf8_lossy(&shown);
    for words in ["known by the rule `FADD | *`", "expired on 2020-01-01"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert_eq!(changes(&campaign.night(1, &[])), ["expired"]);
    assert_eq!(say(&["FADD | *", "--is", "expected", "--because", "E035"]).status.code(), Some(0));
    assert_eq!(changes(&campaign.night(0, &[])), ["expected"]);
    buggy.serves("model");
    assert_eq!(changes(&campaign.night(1, &[])), ["expected-holds"]);
    assert_eq!(say(&["FADD | *", "--is", "known", "--because", "ticket 7"]).status.code(), Some(0));
    assert_eq!(changes(&campaign.night(0, &[])), ["fixed"]);
    buggy.serves(FAULTY);
    assert_eq!(changes(&campaign.night(1, &[])), ["regressed"]);
    // A rule counts as fixed when the last of its signatures is fixed. If the bug returns, each run
    // fails until a status is set again.
    assert_eq!(changes(&campaign.night(1, &[])), ["regressed"]);
    assert_eq!(say(&["FADD | *", "--is", "known", "--because", "ticket 7"]).status.code(), Some(0));
    assert_eq!(changes(&campaign.night(0, &[])), ["known"]);
}

/// Checks that a finding can be promoted to a vector that fails on the subject and passes on the
/// model. Checks that a second promotion is refused.
fn promotes(campaign: &Campaign, case: &str, subject: &str) {
    let into = campaign.path("regressions.yaml");
    let promote = || {
        assay(&["vectors", "promote", case, "--into", &into, "--faulty", subject, "--because", "ticket 7"])
    };
    let output = promote();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let check = |subject: &str| assay(&["vectors", "check", &into, "--subject", subject]).status.code();
    assert_eq!((check(subject), check("model")), (Some(1), Some(0)));
    let again = promote();
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("has the case already"));
}

/// Returns the result of a stage, as bytes.
fn result(campaign: &Campaign, stage: &str) -> Vec<u8> {
    let path = campaign.path(&format!("out/nights/0001/stages/{stage}/run/result.json"));
    fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn a_night_that_is_killed_goes_on_to_the_same_results() {
    let stages = "{name: cases, run: fuzz --only FADD FMUL --cases 80000000 --checkpoint-every 0.1, time: 5m}, \
        {name: lines, run: sweep popc --tier quick, time: 5m}";
    let undisturbed = Campaign::new("model", stages);
    undisturbed.night(0, &[]);
    let killed = Campaign::new("model", stages);
    // The run saves often. The default interval is five seconds, and a fast machine finishes before
    // that. The test kills the run once before anything is saved, and twice when there is a
    // checkpoint.
    for file in ["state.json", "stages/cases/run/checkpoint.json", "stages/cases/run/checkpoint.json"] {
        let mut night = killed.command(&["--resume"]).stdout(Stdio::null()).spawn().expect("assay runs");
        let file = killed.path(&format!("out/nights/0001/{file}"));
        let began = Instant::now();
        while !Path::new(&file).exists() || began.elapsed() < Duration::from_millis(300) {
            assert!(night.try_wait().expect("it is ours").is_none(), "it was over before it could be killed");
            sleep(Duration::from_millis(10));
        }
        night.kill().expect("it is ours");
        night.wait().expect("it ended");
        let status = assay(&["status", &killed.path("out")]);
        assert_eq!(status.status.code(), Some(0), "{}", String::from_utf8_lossy(&status.stderr));
        is_alone(&killed.path("out"));
    }
    let nightly = killed.night(0, &["--resume"]);
    assert_eq!(nightly["night"], 1, "it is still the first night");
    for stage in ["cases", "lines"] {
        assert_eq!(result(&undisturbed, stage), result(&killed, stage), "{stage}");
    }
}

/// Resets a stage of the first nightly run to the state before the end of the stage was recorded.
fn forget(campaign: &Campaign) {
    let path = campaign.path("out/nights/0001/state.json");
    let text = fs::read_to_string(&path).expect("a state");
    let mut state: Value = serde_json::from_str(&text).expect("JSON");
    state["finished"] = false.into();
    state["stages"][0]["at"] = "running".into();
    fs::write(&path, state.to_string()).expect("a state");
}

/// If this stage ran twice, the result would differ, because `--time` limits it. The second run
/// would also start with an empty folder.
#[test]
fn a_stage_that_was_over_is_not_run_again() {
    let campaign = Campaign::new("model", "{name: short, run: fuzz --only FADD --time 1s, time: 1m}");
    campaign.night(0, &[]);
    let before = result(&campaign, "short");
    forget(&campaign);
    assert_eq!(campaign.night(0, &["--resume"])["stages"][0]["at"], "held");
    assert!(before == result(&campaign, "short"), "its result is another one");
}

#[test]
fn a_stage_that_ran_out_of_time_and_left_nothing_is_no_success() {
    let campaign = Campaign::new("model", "{name: device, run: \"dut check 'exec:sleep 1000'\", time: 1s}");
    let nightly = campaign.night(3, &[]);
    assert_eq!(nightly["stages"][0]["at"], "out-of-time");
    assert!(
        nightly["verdict"]["reasons"][0].to_string().contains("left no result"),
        "{}",
        nightly["verdict"]
    );
}

/// A nightly run whose files have an unknown version is not changed.
#[test]
fn a_night_of_another_version_stays_as_it_is() {
    let campaign =
        Campaign::new("model", "{name: tables, run: vectors check vectors/data/fmul.yaml, time: 1m}");
    campaign.night(0, &[]);
    for file in ["state.json", "report/nightly.json"] {
        let path = campaign.path(&format!("out/nights/0001/{file}"));
        fs::write(path, r#"{"version": 1, "program": "another"}"#).expect("a file");
    }
    for extra in [&[][..], &["--resume"]] {
        assert_eq!(
            campaign.night(0, extra)["last"]["night"],
            if extra.is_empty() { Value::Null } else { 2.into() }
        );
    }
    let status = assay(&["status", &campaign.path("out"), "--night", "1"]);
    assert!(String::from_utf8_lossy(&status.stderr).contains("version 1"), "{status:?}");
    assert_eq!(status.status.code(), Some(2));
}

/// Waits until no process has the folder among its arguments.
fn is_alone(folder: &str) {
    let began = Instant::now();
    loop {
        let others = fs::read_dir("/proc").into_iter().flatten().flatten().filter(|process| {
            let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).contains(folder)
        });
        match others.count() {
            0 => return,
            left => assert!(began.elapsed() < Duration::from_secs(10), "{left} processes are left"),
        }
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_stage_that_cannot_do_its_work_fails_the_night_and_nothing_else() {
    let stages = "{name: nonsense, run: isa show NOWHERE, time: 1m}, \
        {name: slow, run: fuzz --only FADD --cases 1000000000, time: 2s}, \
        {name: tables, run: isa list, time: 1m}";
    let nightly = Campaign::new("model", stages).night(3, &[]);
    let ends: Vec<String> =
        nightly["stages"].as_array().expect("stages").iter().map(|s| s["at"].to_string()).collect();
    assert!(ends[0].contains("status 2"), "{ends:?}");
    assert_eq!(ends[1..], ["\"out-of-time\"", "\"held\""]);
    assert!(nightly["stages"][1]["cases"].as_u64() > Some(0), "what it did until then counts");
}

/// E049=1, the literal reading, leaves POPC undefined. So no case of POPC is judged.
#[test]
fn a_form_of_which_nothing_is_judged_fails_the_night_unless_the_policy_allows_it() {
    let stages =
        "{name: undefined, run: fuzz --only POPC_R BREV_R --cases 300000 --reading E049=1, time: 1m}";
    for (policy, status) in [("{}", 1), ("{allow_unjudged: [POPC_*]}", 0), ("{allow_unjudged: [BREV_*]}", 1)]
    {
        let nightly = Campaign::with_policy("model", stages, policy).night(status, &[]);
        let end = if status == 0 { "held" } else { "failed" };
        assert_eq!(nightly["stages"][0]["at"], end, "{policy}: {:#}", nightly["stages"]);
    }
}

/// If the stored case of a signature now passes, but a case of this run shows the signature, the
/// signature still counts as failing.
#[test]
fn a_signature_whose_case_holds_is_asked_by_the_case_of_tonight() {
    let campaign = Campaign::new(
        "mutant:fadd-tie-to-odd",
        "{name: fadd, run: fuzz --only FADD --cases 65536, time: 5m}",
    );
    let first = campaign.night(1, &[]);
    let lines = |nightly: &Value| nightly["signatures"].as_array().expect("a list").clone();
    let path = |line: &Value| campaign.path("out") + "/" + line["case"].as_str().expect("a case");
    assert!(!lines(&first).is_empty());
    let harmless = "{version: 1, suite: harmless, about: x, profile: intended, cases: [{name: zero, asm: 'FADD R0, R1, R2', \
        inputs: {R1: '0x0', R2: '0x0'}, expect: {R0: '0x0'}, provenance: {source: finding}}]}\n";
    lines(&first).iter().for_each(|line| fs::write(path(line), harmless).expect("a case"));
    let second = campaign.night(1, &[]);
    assert!(changes(&second).iter().all(|change| *change == "still-failing"), "{:?}", changes(&second));
    for line in lines(&second) {
        assert_eq!(assay(&["replay", &path(&line)]).status.code(), Some(1), "what shows it is kept: {line}");
    }
}

/// An earlier version of `assay` kept inputs of libFuzzer targets as records in the known-issues
/// list. These inputs cannot be replayed.
#[test]
fn an_input_of_a_fuzz_target_is_not_replayed_and_the_night_says_so() {
    let campaign =
        Campaign::new("model", "{name: tables, run: vectors check vectors/data/fmul.yaml, time: 1m}");
    fs::create_dir_all(campaign.path("out/findings")).expect("a folder");
    fs::write(campaign.path("out/findings/a.json"), r#"{"version": 1, "target": "assembler"}"#)
        .expect("a record");
    let list = "{version: 1, entries: [{signature: 'assembler | its text', is: new, first: 1, last: 1, \
        scope: {subject: '*', profile: '*'}, case: findings/a.json}]}\n";
    fs::write(campaign.path("out/known-issues.yaml"), list).expect("a known-issues list");
    let night = campaign.night(1, &[]);
    let change = night["signatures"][0]["change"]["not-asked"].to_string();
    assert!(change.contains("known-issues forget"), "{change}");
    let forget = assay(&["known-issues", "forget", "assembler | its text", "--in", &campaign.path("out")]);
    assert_eq!(forget.status.code(), Some(0), "{forget:?}");
    assert!(changes(&campaign.night(0, &[])).is_empty());
}

/// A report that is made again compares the run with the known-issues list from before the run. In
/// the list from after the run, fixed issues are already marked as fixed, so the report would omit
/// them.
#[test]
fn a_night_that_is_killed_after_its_dawn_tells_the_same_again() {
    let campaign =
        Campaign::new("model", "{name: tables, run: vectors check vectors/data/fmul.yaml, time: 1m}");
    fs::create_dir_all(campaign.path("out/findings")).expect("a folder");
    let case = "version: 1\nsuite: sum\nabout: one case\ncases:\n- {name: sum, asm: 'FADD R0, R1, R2', inputs: \
        {R1: 0x3f800000, R2: 0x3f800000}, expect: {R0: 0x40000000}, provenance: {source: hand}}\n";
    fs::write(campaign.path("out/findings/a.yaml"), case).expect("a case");
    let list = "{version: 1, entries: [{signature: 'FADD | rd: wrong value', is: new, first: 1, last: 1, \
        scope: {subject: '*', profile: '*'}, case: findings/a.yaml}]}\n";
    fs::write(campaign.path("out/known-issues.yaml"), list).expect("a known-issues list");
    assert_eq!(changes(&campaign.night(0, &[])), ["fixed"]);
    forget(&campaign);
    assert_eq!(changes(&campaign.night(0, &["--resume"])), ["fixed"]);
    assert!(changes(&campaign.night(0, &[])).is_empty(), "the next night it is no news");
}

#[test]
fn bad_input_is_one_clear_sentence() {
    let campaign =
        Campaign::new("model", "{name: tables, run: vectors check vectors/data/fmul.yaml, time: 1m}");
    let (plan, out) = (campaign.path("plan.yaml"), campaign.path("out"));
    let none = campaign.path("none.yaml");
    let cases: [(&[&str], &str); 7] = [
        (&["nightly", "--config", &none, "--out", &out], "give a plan with --config"),
        (&["nightly", "--config", &plan, "--out", &out, "--baseline", "7"], "there is no such nightly run"),
        (&["status", &none], "is no campaign's folder"),
        (&["known-issues", "show", &none], "is no campaign's folder"),
        (&["known-issues", "set", "X", "--is", "known", "--in", &out], "--because"),
        (
            &["known-issues", "set", "X*", "--all", "--is", "known", "--because", "x", "--in", &out],
            "no signature matches `X*`",
        ),
        (
            &[
                "ledger",
                "say",
                "*",
                "--all",
                "--is",
                "known",
                "--because",
                "x",
                "--of",
                "*",
                "--under",
                "*",
                "--in",
                &out,
            ],
            "would excuse everything",
        ),
    ];
    for (arguments, words) in cases {
        let output = assay(arguments);
        let said = String::from_utf8_lossy(&output.stderr).replace("\n  │ ", " ");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    assert_eq!(assay(&["nightly", "--print-plan"]).status.code(), Some(0));
}

/// Each mistake of a plan is reported once, at its place, before the first stage starts.
#[test]
fn mistakes_of_files_and_devices_are_reported_before_the_first_stage() {
    let stages = "{name: plug, run: \"dut check lib:./none.so\", time: 1m}, \
                  {name: cases, run: fuzz --only POPC --cases 1000, time: 1m}, \
                  {name: more, run: fuzz --only BREV --cases 1000, time: 1m}";
    let campaign = Campaign::new("model", stages);
    let path = campaign.path("plan.yaml");
    let plan = fs::read_to_string(&path).expect("a plan").replace("seed: 5", "seed: 5, files: ['*.none']");
    fs::write(&path, plan).expect("a plan");
    let output = campaign.command(&[]).output().expect("assay runs");
    let said = String::from_utf8_lossy(&output.stderr).replace("\n  │ ", " ");
    assert_eq!(output.status.code(), Some(2), "{said}");
    for words in ["2 mistakes", "`files`: *.none matches no file", "stage plug: ./none.so: no such file"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// A stage of `assay-lab` is checked by `assay-lab`, beside the program, before the first stage
/// starts.
#[test]
fn mistakes_of_stages_of_the_laboratory_are_reported_before_the_first_stage() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let program = folder.path().join("assay");
    fs::hard_link(ASSAY, &program).expect("a link in the same file system");
    let lab = folder.path().join("assay-lab");
    let script = "#!/bin/sh\n[ \"$*\" != 'mutants run --few 3 --format json --dry-run' ] && exit 0\n\
                  echo 'error: unexpected argument --few' >&2; echo >&2; echo 'Usage: …' >&2; exit 2\n";
    fs::write(&lab, script).expect("a script");
    fs::set_permissions(&lab, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let campaign = Campaign::new(
        "model",
        "{name: good, run: isa lint, time: 1m}, {name: bad, run: mutants run --few 3, time: 1m}",
    );
    let (plan, out) = (campaign.path("plan.yaml"), campaign.path("out"));
    let arguments = ["nightly", "--config", &plan, "--out", &out];
    let output = Command::new(&program).args(arguments).output().expect("assay runs");
    let said = String::from_utf8_lossy(&output.stderr).replace("\n  │ ", " ");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("line 1: stage bad: unexpected argument --few"), "{said}");
    assert!(!said.contains("Usage") && !said.contains("stage good"), "{said}");
}

/// An issue of a stage that was removed from the plan is open, and the report lists it.
#[test]
fn an_issue_of_a_removed_stage_is_listed() {
    let kept = "{name: kept, run: fuzz --only BREV --cases 1000, time: 1m}";
    let removed =
        "{name: gone, run: fuzz --only POPC --cases 1000 --subject mutant:popc-sign-bit-lost, time: 1m}";
    let campaign = Campaign::new("model", &format!("{kept}, {removed}"));
    let first = campaign.night(1, &[]);
    assert_eq!(first["untested"], Value::Null);
    let signature = first["signatures"][0]["signature"].as_str().expect("a finding");
    let path = campaign.path("plan.yaml");
    let plan = fs::read_to_string(&path).expect("a plan").replace(&format!(", {removed}"), "");
    fs::write(&path, plan).expect("a plan");
    let second = campaign.night(0, &[]);
    assert_eq!(second["untested"][0]["signature"], signature);
    assert_eq!(second["untested"][0]["last"], 1);
}

#[test]
fn another_plan_does_not_go_on_with_a_night() {
    let campaign = Campaign::new("model", "{name: long, run: fuzz --only FADD --cases 1000000000, time: 5m}");
    let mut night = campaign.command(&[]).stdout(Stdio::null()).spawn().expect("assay runs");
    let state = campaign.path("out/nights/0001/state.json");
    while !Path::new(&state).exists() {
        sleep(Duration::from_millis(20));
    }
    let second = campaign.command(&[]).output().expect("assay runs");
    assert!(String::from_utf8_lossy(&second.stderr).contains("a nightly run is using"), "one at a time");
    assert_eq!(second.status.code(), Some(2));
    night.kill().expect("it is ours");
    night.wait().expect("it ended");
    let plan = campaign.path("plan.yaml");
    let text = fs::read_to_string(&plan).expect("a plan").replace("5m", "6m");
    fs::write(&plan, text).expect("a plan");
    let other = campaign.command(&["--resume"]).output().expect("assay runs");
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("the plan is another one"));
}
