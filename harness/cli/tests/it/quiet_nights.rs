//! Tests that a nightly run whose bugs are all known passes with every seed, and that a nightly run
//! with a further bug fails.
//!
//! The device is the example in C with planted faults: lines of its source are replaced.

use std::fs;
use std::path::Path;
use std::process::Command;

use assay_testing::skip;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{assay, compile, has, json, root, status, words};

/// Returns a text in the device's source and its replacement. The replacement makes the low bit of
/// FADD's result wrong if `fails` holds. `fails` is a condition in C on the operand words `a` and
/// `b`.
fn sum(fails: &str) -> [String; 2] {
    let right = "out[lane] = finished(it, input(it, 0, lane) + input(it, 1, lane));";
    let operands =
        "uint32_t a = raw(&it->sources[0], lane), b = raw(&it->sources[1], lane); (void)a; (void)b;";
    let wrong = format!("{{ {operands} {} ^ ({fails}); }}", right.trim_end_matches(';'));
    [right.to_owned(), wrong]
}

/// A bug for which triage finds an explanation: every optype that rounds executes .RP as .RZ.
const EXPLAINED: [&str; 2] = ["it.rounding = FE_UPWARD", "it.rounding = FE_TOWARDZERO"];
/// A bug for which triage finds no explanation: results are wrong if rb is subnormal and ra is
/// negative.
const UNEXPLAINED: &str = "(b & 0x7fffffff) - 1u < 0x7fffff && a >> 31";

/// Further faults of FADD that also make the low bit wrong, each under another condition.
const OTHERS: [&str; 10] = [
    "(b & 0x7fffffff) - 1u < 0x7fffff && !(a >> 31)",
    "(a & 0x7fffffff) - 1u < 0x7fffff && b >> 31",
    "it->rounding == FE_DOWNWARD",
    "it->has_guard",
    "!it->sources[1].column",
    "it->sources[0].column == it->sources[1].column",
    "it->sources[0].negated && it->sources[1].absolute",
    "it->ftz",
    "(b & 0x7fffffff) == 0",
    "b >> 31 && (a & 0x7fffffff) == 0",
];

/// The folder of a device and its nightly runs.
struct DeviceNights(TempDir);

impl DeviceNights {
    /// Returns `None` without a C compiler.
    fn new(cases: u32) -> Option<DeviceNights> {
        DeviceNights::of(&format!("fuzz --only FADD FFMA_RRR POPC_R --cases {cases}"))
    }

    /// Returns a device with a nightly plan of two stages: the given command, and `dut check`.
    /// `None` without a C compiler.
    fn of(run: &str) -> Option<DeviceNights> {
        if !has("cc") {
            skip("c-compiler", "nights of a device in C: there is no cc");
            return None;
        }
        let device = DeviceNights(tempfile::tempdir().expect("a folder"));
        let subject = format!("lib:{}", device.path("device.so").display());
        let plan = format!(
            "version: 1\nname: test\nsubject: {subject:?}\nseed: night\nstages:\n- {{name: cases, run: {run}, time: 5m}}\n- {{name: \
             protocol, run: dut check {subject}, time: 5m}}\n"
        );
        fs::write(device.path("plan.yaml"), plan).expect("a plan");
        Some(device)
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// Rebuilds the device from the example's source, in which it replaces some texts.
    fn has(&self, replaced: &[[String; 2]]) {
        let mut source = fs::read_to_string(root().join("examples/devices/c/device.c")).expect("the example");
        for [old, new] in replaced {
            assert!(source.contains(old), "the example has no `{old}`");
            source = source.replace(old, new);
        }
        fs::write(self.path("device.c"), source).expect("a source");
        let flags = ["-std=c11", "-O2", "-frounding-math", "-ffp-contract=off", "-shared", "-fPIC"];
        compile(&flags, &[self.path("device.c")], &self.path("new.so"));
        fs::rename(self.path("new.so"), self.path("device.so")).expect("a device");
    }

    /// Makes a nightly run in the folder `out`, and returns its report.
    fn night(&self, out: &str, ends: i32) -> Value {
        let (plan, out) = (self.path("plan.yaml"), self.path(out));
        let arguments = ["nightly", "--format", "json", "--config", &plan.display().to_string(), "--out"];
        let output = assay(&[&arguments[..], &[&out.display().to_string()]].concat());
        let report = json(&output)["nightly"].clone();
        assert_eq!(
            status(&output),
            ends,
            "{:#}\n{:#}\n{}",
            report["verdict"],
            report["signatures"],
            words(&output)
        );
        report
    }

    /// Replays a case of each known issue that shows in a new way. If the issue has a condition,
    /// this case does not meet the condition.
    fn replay_strays(&self, out: &str, report: &Value) {
        for line in report["signatures"].as_array().expect("a list") {
            let (Some(_), Some(shown)) = (line["change"]["widened"].as_str(), line["shown"].as_str()) else {
                continue;
            };
            let path = self.path(out).join(shown);
            let text = fs::read_to_string(&path).expect("a case");
            let has_condition = line["conditions"].is_array();
            assert_eq!(
                text.contains("no condition of the known issue holds"),
                has_condition,
                "{line:#}\n{text}"
            );
            let subject = format!("lib:{}", self.path("device.so").display());
            let output = assay(&["replay", &path.display().to_string(), "--subject", &subject]);
            assert_eq!(status(&output), 1, "{}", words(&output));
        }
    }

    /// Sets the status `known` for every signature of a nightly run.
    fn say_known(&self, out: &str, report: &Value) {
        for line in report["signatures"].as_array().expect("a list") {
            let signature = line["signature"].as_str().expect("a signature");
            let out = self.path(out).display().to_string();
            let arguments =
                ["known-issues", "set", signature, "--is", "known", "--because", "T1", "--in", &out];
            let output = assay(&arguments);
            assert_eq!(status(&output), 0, "{}", words(&output));
        }
    }

    /// Makes the first nightly run, and sets the status `known` for its findings.
    fn first_night(&self, replaced: &[[String; 2]]) -> Value {
        self.has(replaced);
        let report = self.night("out", 1);
        self.say_known("out", &report);
        report
    }
}

fn explained() -> [String; 2] {
    EXPLAINED.map(str::to_owned)
}

fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp").arg("-r").args([from, to]).status().expect("cp runs");
    assert!(done.success());
}

/// Makes nightly runs with different seeds, after a first run whose bugs have the status `known`.
/// Each must pass.
fn quiet_nights(nights: u32) {
    let Some(device) = DeviceNights::new(600_000) else { return };
    let first = device.first_night(&[explained(), sum(UNEXPLAINED)]);
    let conditions = first["signatures"].as_array().expect("a list").iter();
    let conditions: Vec<&Value> =
        conditions.flat_map(|line| line["conditions"].as_array()).flatten().collect();
    assert_eq!(conditions.len(), 1, "{first:#}");
    let all = conditions[0]["all"].to_string();
    assert!(all.contains("rb is subnormal") && all.contains("ra has its sign set"), "{all}");
    for _ in 0..nights {
        device.night("out", 0);
    }
}

/// For each further bug, continues from a copy of the same first run, and makes a nightly run with
/// this bug in the same function. Each must fail.
fn loud_nights(known: &[[String; 2]], others: &[&str], with: impl Fn(&str) -> Vec<[String; 2]>) {
    let Some(device) = DeviceNights::new(600_000) else { return };
    device.first_night(known);
    for (nth, other) in others.iter().enumerate() {
        let out = format!("out-{nth}");
        copy(&device.path("out"), &device.path(&out));
        device.has(&with(other));
        let report = device.night(&out, 1);
        let lines = report["signatures"].as_array().expect("a list").iter();
        let of_sums =
            lines.filter(|line| line["signature"].as_str().is_some_and(|name| name.contains("FADD")));
        let changes: Vec<&Value> = of_sums.map(|line| &line["change"]).collect();
        let is_new = |change: &&Value| *change == "new" || change["widened"].is_string();
        assert!(changes.iter().any(is_new), "{other}: {report:#}");
        device.replay_strays(&out, &report);
    }
}

/// Calls [`loud_nights`] with a known bug that has no explanation.
fn loud_beside_unexplained(others: &[&str]) {
    loud_nights(&[sum(UNEXPLAINED)], others, |other| vec![sum(&format!("({UNEXPLAINED}) || ({other})"))]);
}

/// Calls [`loud_nights`] with a known bug that has an explanation.
fn loud_beside_explained(others: &[&str]) {
    loud_nights(&[explained()], others, |other| vec![explained(), sum(other)]);
}

#[test]
fn nights_with_known_bugs_are_quiet() {
    quiet_nights(2);
}

#[test]
fn a_night_with_another_bug_in_the_same_function_is_not_quiet() {
    loud_beside_unexplained(&OTHERS[..1]);
    loud_beside_explained(&OTHERS[..1]);
}

/// The check of values in `dut check` has a separate signature for each optype.
#[test]
fn a_wrong_value_of_another_optype_is_new_to_the_check_of_the_device() {
    let Some(device) = DeviceNights::of("fuzz --only FFMA_RRR --cases 4096") else { return };
    let popc = ["out[lane] = count_ones(", "out[lane] = 1 + count_ones("].map(str::to_owned);
    device.first_night(&[sum("1")]);
    device.night("out", 0);
    device.has(&[sum("1"), popc]);
    let report = device.night("out", 1);
    let change = |optype: &str| {
        let signature = format!("dut check: values are right, {optype}");
        let mut lines = report["signatures"].as_array().expect("a list").iter();
        lines.find(|line| line["signature"] == signature).map(|line| line["change"].clone())
    };
    assert_eq!(change("FADD"), Some("known".into()), "{report:#}");
    assert_eq!(change("POPC"), Some("new".into()), "{report:#}");
    assert_eq!(change("FFMA"), None, "{report:#}");
    device.has(&[sum("a >> 31")]);
    let report = device.night("out", 0);
    assert!(report["signatures"].to_string().contains("fixed"), "{report:#}");
}

/// Once the second bug of a function has the status `known`, runs pass again. A third bug fails the
/// run.
#[test]
fn a_second_bug_that_was_accepted_is_quiet_and_a_third_is_not() {
    let Some(device) = DeviceNights::new(600_000) else { return };
    device.first_night(&[sum(UNEXPLAINED)]);
    let two = format!("({UNEXPLAINED}) || ({})", OTHERS[8]);
    device.has(&[sum(&two)]);
    let report = device.night("out", 1);
    device.say_known("out", &report);
    device.night("out", 0);
    device.night("out", 0);
    device.has(&[sum(&format!("{two} || ({})", OTHERS[2]))]);
    device.night("out", 1);
    // If one of two known bugs is fixed, the remaining bug is still known, so the run passes.
    device.has(&[sum(OTHERS[8])]);
    device.night("out", 0);
}

#[test]
fn a_known_bug_that_shows_ten_times_as_often_fails_the_night() {
    let Some(device) = DeviceNights::new(6_000_000) else { return };
    let rarely = format!("({UNEXPLAINED}) && (a * 0x9e3779b9u ^ b * 0x85ebca6bu) >> 24 < 26");
    device.first_night(&[sum(&rarely)]);
    device.night("out", 0);
    device.has(&[sum(UNEXPLAINED)]);
    let report = device.night("out", 1);
    let grown = report["signatures"][0]["change"]["grown"].as_str().unwrap_or_default().to_owned();
    assert!(grown.starts_with("grew from "), "{report:#}");
    device.say_known("out", &report);
    device.night("out", 0);
}

#[test]
#[ignore = "some minutes: `just quiet-nights`"]
fn twenty_nights_with_known_bugs_are_quiet() {
    quiet_nights(20);
}

#[test]
#[ignore = "some minutes: `just quiet-nights`"]
fn each_of_twenty_pairs_of_bugs_makes_a_night_loud() {
    loud_beside_unexplained(&OTHERS);
    loud_beside_explained(&OTHERS);
}

/// A sweep executes the same inputs each night. So a known issue excuses only the inputs that
/// diverged when its status was set, and no others, even if their number does not grow.
#[test]
fn a_known_issue_of_a_sweep_excuses_the_inputs_that_it_had() {
    let Some(device) = DeviceNights::of("sweep popc --tier quick") else { return };
    let wrong = |parts: &[u32]| {
        let is_in =
            parts.iter().map(|part| format!("x >> 20 == {part:#x}u")).collect::<Vec<_>>().join(" || ");
        let old = "out[lane] = count_ones(bits_of(source, lane));";
        let new = format!(
            "{{ uint32_t x = bits_of(source, lane); out[lane] = count_ones(x) + (({is_in}) ? 1 : 0); }}"
        );
        [[old.to_owned(), new]]
    };
    let grown = |report: &Value| {
        let text = report["signatures"][0]["change"]["grown"].as_str();
        text.unwrap_or_else(|| panic!("{report:#}")).to_owned()
    };
    device.first_night(&wrong(&[0x123]));
    device.night("out", 0);
    device.has(&wrong(&[0x123, 0x543]));
    assert!(grown(&device.night("out", 1)).starts_with("grew from "));
    // The run fails again until the new divergences are accepted.
    let report = device.night("out", 1);
    device.say_known("out", &report);
    device.night("out", 0);
    device.has(&wrong(&[0x543]));
    device.night("out", 0);
    device.has(&wrong(&[0xc43]));
    let text = grown(&device.night("out", 1));
    assert!(text.contains("did not diverge before") || text.starts_with("grew from "), "{text}");
}
