//! The nightly report in every format.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use assay_nightly::facts::{Covered, FunctionErrors, Score, SeenSignature, StageFacts};
use assay_nightly::known_issues::{Change, NightRate, Scope};
use assay_nightly::modes::LackingModes;
use assay_nightly::nightly_report::{FixedLine, NightlyReport, SignatureLine, UntestedLine, Verdict};
use assay_nightly::plan::Policy;
use assay_nightly::setting::StageSetting;
use assay_nightly::state::Stage;
use assay_records::devices::Devices;
use assay_vectors::looser::{LooserDemand, LooserProfile};
use insta::assert_snapshot;
use serde::de::IgnoredAny;

use super::{html, junit, markdown};
use crate::tests::pages::{assert_whole, lines};
use crate::tests::{HOSTILE, assert_no_forged_line, assert_plain, assert_well_formed, samples};

fn stage(name: &str, command: &str, at: Stage) -> StageFacts {
    StageFacts {
        name: name.into(),
        command: command.into(),
        started: format!("{command} --subject 'exec:python3 device.py'"),
        at,
        seconds: 90.0,
        cases: Some(1_000_000),
        wasted: Some(12_000),
        coverage: None,
        functions: BTreeMap::new(),
        targets: IgnoredAny,
        scores: Vec::new(),
        seen: Vec::new(),
        unexamined: None,
        setting: StageSetting::default(),
        problems: Vec::new(),
        passed: BTreeSet::new(),
        executed: None,
        drawn: BTreeMap::new(),
        swept: BTreeSet::new(),
        devices: None,
    }
}

/// Returns the settings of a stage that has its own options.
fn own_setting(name: &str, erratum: &str) -> StageSetting {
    let sine = LooserDemand {
        name: "MUFU.SIN.F32".into(),
        parts: "wider bound".into(),
        here: "within 2^60".into(),
        there: "within 2^-20.5".into(),
    };
    StageSetting {
        profile: Some(name.into()),
        looser: Some(LooserProfile { than: "intended".into(), demands: vec![sine] }),
        readings: [(erratum.into(), 2)].into(),
        allow_unjudged: ["POPC_*".into()].into(),
        allow_undeclared: ["BREV".into()].into(),
        ..StageSetting::default()
    }
}

/// Returns the first nightly run, in which everything passed.
fn first() -> NightlyReport {
    let mut sweep = stage("accuracy", "sweep mufu", Stage::Held);
    let errors = FunctionErrors { inputs: 4096, max_ulp: 0.93, mean_ulp: 0.25, correctly_rounded: 3000 };
    sweep.functions.insert("MUFU.RCP.F32".into(), errors);
    sweep.functions.insert("MUFU.RSQ.F32".into(), errors);
    let mut fuzz = stage("coverage", "fuzz --until-covered", Stage::Held);
    fuzz.coverage = Some(Covered { hit: 1000, bins: 1000 });
    NightlyReport {
        version: 2,
        name: "a <plan> & more".into(),
        night: 6,
        began: "2026-11-21T22:00:00Z".into(),
        build: "0.1.0 0123456789abcdef".into(),
        subject: "exec:python3 device.py".into(),
        profile: "intended".into(),
        seed: 6,
        verdict: Verdict::default(),
        started_in: Some("/nightly runs".into()),
        folder: Some("out of nights".into()),
        signatures: Vec::new(),
        fixed_before: Vec::new(),
        untested: Vec::new(),
        stages: vec![sweep, fuzz],
        undelivered_modes: BTreeMap::new(),
        undrawn_modes: BTreeMap::new(),
        executed_modes: Some(1234),
        unexecuted_modes: BTreeMap::new(),
        lost_modes: BTreeMap::new(),
        last: None,
        baseline: None,
        changed_files: Vec::new(),
        changed_rules: Vec::new(),
        devices: Devices::default(),
        excused: Vec::new(),
        trend: Vec::new(),
    }
}

/// Returns the second nightly run, in which everything possible occurs.
fn second() -> NightlyReport {
    let mut night = NightlyReport { night: 7, began: "2026-11-22T22:00:00Z".into(), ..first() };
    let rcp = night.stages[0].functions.get_mut("MUFU.RCP.F32").expect("it is swept");
    rcp.max_ulp = 1.25;
    night.stages[0].seconds = 60.0;
    night.stages[1].coverage = Some(Covered { hit: 990, bins: 1000 });
    night.stages[1].at = Stage::Failed;
    night.stages[1].seen =
        vec![SeenSignature { case: Some("x.yaml".into()), ..SeenSignature::named("FFMA: value".into()) }];
    night.stages.push(stage("campaign", "fuzz --time 30m", Stage::OutOfTime));
    let mut vectors = stage("vectors", "vectors check", Stage::Held);
    vectors.problems = vec!["no case was checked".into()];
    night.stages.push(vectors);
    night.stages.push(StageFacts { cases: None, ..stage("witnesses", "errata prove", Stage::OutOfTime) });
    let missing = "assay-lab is not installed";
    night.stages.push(stage("mutants", "mutants run", Stage::Skipped(missing.into())));
    let why = "it ended with status 3: no such | device";
    night.stages.push(StageFacts {
        cases: None,
        wasted: None,
        ..stage("broken", "fuzz", Stage::Broke(why.into()))
    });
    let changes = [
        Change::New,
        Change::StillFailing,
        Change::Regressed,
        Change::Known,
        Change::Expected,
        Change::ExpectedHolds,
        Change::Expired,
        Change::Flaky,
        Change::Grown("grew from 1.5 to 20 in a million cases".into()),
        Change::Widened("FADD R0, R1, R2 with R1=0x1 R2=0x2".into()),
        Change::Fixed,
        Change::NotAsked("its replay took too long".into()),
    ];
    let line = |(place, change): (usize, Change)| SignatureLine {
        signature: format!("FFMA: bug {place}"),
        because: matches!(change, Change::Known | Change::Expected).then(|| "ticket 12".into()),
        change,
        stages: vec!["coverage".into()],
        case: Some(PathBuf::from("findings/ffma.yaml")),
        first: 3,
        cases: None,
        shown: None,
        detail: None,
        conditions: Vec::new(),
        new_conditions: Vec::new(),
        unseen: Vec::new(),
        rates: Vec::new(),
    };
    night.signatures = changes.into_iter().enumerate().map(line).collect();
    let rate =
        |night, divergences| NightRate { night, divergences, events: 5, cases: 1_000_000, grown: false };
    night.signatures[0].rates = vec![rate(6, 12), rate(7, 300)];
    night.signatures[0].cases = Some(300);
    night.signatures[4].signature = "FADD | ra: wrong value".into();
    night.signatures[3].unseen = vec!["FFMA where rb is 0".into()];
    night.fixed_before = vec![FixedLine { signature: "POPC | rd: wrong value".into(), last: 2 }];
    night.untested = vec![UntestedLine {
        signature: "FMUL | rd: wrong value of lib:old.so".into(),
        scope: Scope::exactly("lib:old.so", "sm90"),
        last: 1,
    }];
    night.excused = vec!["the rule `F*` excuses every finding of FADD, because ticket 9".into()];
    night.changed_files = vec!["device.py".into()];
    night.undelivered_modes = [("POPC".into(), LackingModes { lacking: 1, of: 1 })].into();
    night.undrawn_modes = [("FMUL".into(), LackingModes { lacking: 2, of: 96 })].into();
    night.unexecuted_modes = [("BREV".into(), LackingModes { lacking: 1, of: 1 })].into();
    night.stages[1].setting = own_setting("mine", "E173");
    night.stages[2].setting =
        StageSetting { subject: Some("exec:./other".into()), ..own_setting("mine", "E173") };
    night.lost_modes = [("FADD".into(), LackingModes { lacking: 3, of: 48 })].into();
    let past = [first()];
    let limits = Policy { coverage_lost: Some(0.0), ulp_grown: Some(0.0), ..Policy::default() };
    night.compare(&past, Some(&past[0]), &limits);
    night
}

/// Each family of planted faults has its own row, and no row has sums.
#[test]
fn planted_faults_are_told_by_family() {
    let mut nightly = first();
    let mut faults =
        StageFacts { cases: None, wasted: None, ..stage("mutants", "mutants run", Stage::Failed) };
    let score = |layer: &str, family: &str, survivors| Score {
        layer: layer.into(),
        family: family.into(),
        faults: 1200,
        killed: 1190 - survivors,
        within_contract: 7,
        equivalent: 3,
        survivors,
    };
    faults.scores = vec![score("semantics", "rounding", 0), score("codec", "encoder", 2)];
    nightly.stages.push(faults);
    let page = markdown(&nightly, &[]).split_whitespace().collect::<Vec<_>>().join(" ");
    for row in [
        "| semantics | rounding | 1,200 | 1,190 | 7 | 3 | 0 |",
        "| codec | encoder | 1,200 | 1,188 | 7 | 3 | 2 |",
    ] {
        assert!(page.contains(row), "{page}");
    }
    let page = html(&nightly, &[]);
    assert!(page.contains("Planted faults") && page.contains("1,188"), "{page}");
    assert!(!markdown(&first(), &[]).contains("Planted faults"));
}

#[test]
fn a_night_in_which_everything_happens() {
    let nightly = second();
    assert_eq!(nightly.verdict.status, 3, "a stage broke");
    let page = markdown(&nightly, &[]);
    assert_eq!(assert_well_formed(&page), 13);
    assert_snapshot!(page);
    assert_snapshot!(junit(&nightly, &[]));
    roxmltree::Document::parse(&junit(&nightly, &[])).expect("XML");
    let page = html(&nightly, &[]);
    assert_whole(&page);
    assert!(
        page.contains("a &lt;plan&gt; &amp; more") && page.matches("<svg role").count() == 3,
        "{}",
        lines(&page)
    );
}

#[test]
fn a_night_in_which_nothing_happens() {
    let mut nightly = first();
    nightly.compare(&[], None, &Policy::default());
    assert_eq!(nightly.verdict, Verdict::default());
    assert_eq!(assert_well_formed(&markdown(&nightly, &[])), 2);
    assert_whole(&html(&nightly, &[]));
    assert!(junit(&nightly, &[]).contains("tests=\"3\" skipped=\"0\" failures=\"0\""));
}

#[test]
fn the_policy_decides_what_is_refused() {
    let all = Policy {
        new: true,
        known: true,
        flaky: true,
        out_of_time: true,
        unexamined: true,
        coverage_lost: Some(0.0),
        ulp_grown: Some(0.0),
        slowed: Some(0.0),
        ..Policy::default()
    };
    let none = Policy {
        new: false,
        known: false,
        flaky: false,
        out_of_time: false,
        unexamined: false,
        coverage_lost: None,
        ulp_grown: None,
        slowed: None,
        ..Policy::default()
    };
    let words = [
        ("new: FFMA: bug 0", true),
        ("still failing: FFMA: bug 1", true),
        ("known: FFMA: bug 3", true),
        ("flaky: FFMA: bug 7", true),
        ("stage campaign ran out of time", true),
        ("stage coverage: 12 divergences were not examined", true),
        ("stage coverage lost 1.0000 percentage points", true),
        ("accuracy MUFU.RCP.F32: the greatest error grew from 0.930000 ulp in night 6 to 1.250000", true),
        ("back again: FFMA: bug 2", false),
        ("expected to fail, and holds: FFMA: bug 5", false),
        ("expired: FFMA: bug 6", false),
        ("known, and shows more often: FFMA: bug 8", true),
        ("known, and shows in a new way: FFMA: bug 9", true),
        ("not replayed: FFMA: bug 11", false),
        ("`device.py` changed while the run was running", false),
        ("stage broken could not do its work", false),
        ("stage vectors: no case was checked", false),
        ("stage witnesses ran out of time and left no result", false),
    ];
    for (policy, is_strict) in [(all, true), (none, false)] {
        let mut nightly = second();
        nightly.stages[1].unexamined = Some(12);
        nightly.compare(&[first()], None, &policy);
        for (start, is_optional) in words {
            let is_refused = nightly.verdict.reasons.iter().any(|reason| reason.starts_with(start));
            assert_eq!(is_refused, is_strict || !is_optional, "{start}: {:?}", nightly.verdict.reasons);
        }
    }
}

#[test]
fn a_hostile_name_stays_text_in_a_morning() {
    let mut nightly = second();
    nightly.name = HOSTILE.into();
    nightly.subject = HOSTILE.into();
    nightly.profile = HOSTILE.into();
    nightly.verdict.reasons.push(HOSTILE.into());
    for change in nightly.last.iter_mut().chain(&mut nightly.baseline) {
        change.began = HOSTILE.into();
    }
    for stage in &mut nightly.stages {
        stage.problems.push(HOSTILE.into());
        stage.command = HOSTILE.into();
        stage.setting = own_setting(HOSTILE, HOSTILE);
        stage.setting.subject = Some(HOSTILE.into());
        stage.setting.looser.iter_mut().flat_map(|looser| &mut looser.demands).for_each(|one| {
            (one.name, one.parts, one.here) = (HOSTILE.into(), HOSTILE.into(), HOSTILE.into());
        });
        if let Stage::Broke(why) | Stage::Skipped(why) = &mut stage.at {
            *why = HOSTILE.into();
        }
    }
    for line in &mut nightly.signatures {
        line.signature = HOSTILE.into();
        line.because = Some(HOSTILE.into());
        line.case = Some(HOSTILE.into());
    }
    for (page, what) in [
        (html(&nightly, &[]), "HTML"),
        (markdown(&nightly, &[]), "Markdown"),
        (junit(&nightly, &[]), "JUnit"),
    ] {
        assert_plain(&page, what);
        let own = usize::from(page.contains("</html>"));
        assert_eq!(page.matches("<script").count(), own, "{what}: {page}");
    }
    assert_no_forged_line(&markdown(&nightly, &[]), "Markdown");
    assert_well_formed(&markdown(&nightly, &[]));
    roxmltree::Document::parse(&junit(&nightly, &[])).expect("well-formed XML");
}

#[test]
fn what_fails_is_shown_in_full() {
    let mut nightly = second();
    let found = samples::found();
    let line = nightly.signatures.iter_mut().find(|line| line.change == Change::New).unwrap();
    line.signature = found[0].case.signature().to_owned();
    let reason = format!("{}: {}", line.change.words(), line.signature);
    nightly.verdict.reasons = vec![reason];
    let page = markdown(&nightly, &found);
    let (_, section) = page.split_once("## Findings").unwrap();
    assert!(section.contains("expected | `R0`") && section.contains("assay replay"), "{page}");
    assert_eq!(
        page.matches("R0 differs in bit 0").count(),
        1,
        "the other finding is of no failing signature"
    );
    assert!(junit(&nightly, &found).contains("expected 0x00000000"));
    assert_whole(&html(&nightly, &found));
}
