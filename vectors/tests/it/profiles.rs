//! Tests the built-in profiles, profiles of users, and the errors in profiles.

use std::path::Path;

use assay_isa::readings::{Erratum, Reading, SWITCHES};
use assay_isa::{Instruction, Readings, asm, catalog, legality};
use assay_vectors::published::{MEASURED, PUBLISHED, departures};
use assay_vectors::{
    Clauses, Contract, ErrorKind, Evidence, Profile, Relation, Relations, Signs, VectorError,
    profile::BUILT_IN,
};

#[test]
fn built_in_profiles_set_every_reading() {
    for (name, _) in BUILT_IN {
        let profile = Profile::load(name).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(profile.name, name);
        assert_eq!(profile.basis.len(), SWITCHES.len(), "{name}");
    }
}

#[test]
fn intended_is_what_the_tables_call_intended() {
    assert_eq!(Profile::load("intended").unwrap().readings, Readings::INTENDED);
}

#[test]
fn literal_takes_the_first_setting_except_where_the_documents_settle_it() {
    let literal = Profile::load("literal").unwrap();
    for (erratum, setting) in literal.readings.iter().filter(|(erratum, _)| !erratum.is_convention()) {
        // For these errata, the literal reading is setting 2. Their setting 1 mostly follows prose
        // that the pseudo-code contradicts. For E008 and E023, setting 1 is the correction.
        let second = [8, 23, 52, 57, 58, 62, 104, 114, 151, 180].contains(&erratum.0);
        // For these errata, the literal reading is the last setting, which leaves the result
        // undefined because the documents have no text. For E087, it is the last of three kinds of
        // extension, which depends on the type.
        let last = [71, 75, 76, 77, 78, 87, 168].contains(&erratum.0);
        let count = SWITCHES.iter().find(|s| s.erratum == erratum).unwrap().settings.len() as u8;
        assert_eq!(setting, if last { count } else { 1 + u8::from(second) }, "{erratum}");
        assert_eq!(literal.basis[&erratum].evidence, Evidence::Text, "{erratum}");
        assert_eq!(literal.basis[&erratum].profile, "literal", "{erratum}");
    }
}

#[test]
fn sm90_departs_from_intended_in_seven_readings() {
    let sm90 = Profile::load("sm90").unwrap();
    let departures: Vec<_> =
        sm90.readings.iter().zip(Readings::INTENDED.iter()).filter(|(a, b)| a != b).map(|(a, _)| a).collect();
    let expected = [(35, 2), (42, 3), (56, 2), (160, 2), (173, 2)].map(|(n, setting)| (Erratum(n), setting));
    assert_eq!(
        departures,
        [&expected[..], &[(Erratum::convention(7), 2), (Erratum::convention(8), 2)]].concat()
    );
    for (erratum, basis) in &sm90.basis {
        // These two are not measured: a kernel has no immediates (E023), and no witness
        // distinguishes the settings of E050.
        let own = if matches!(erratum.0, 23 | 50) { Evidence::Documented } else { Evidence::Measured };
        let evidence = if basis.profile == "sm90" { own } else { Evidence::Inferred };
        assert_eq!(basis.evidence, evidence, "{erratum}");
        let departs = departures.iter().any(|(departure, _)| departure == erratum);
        assert!(!departs || basis.evidence == Evidence::Measured, "{erratum}");
    }
}

/// The built-in profiles whose bounds are exactly the published bounds, without measured ones.
const PUBLISHED_BOUNDS: [&str; 2] = ["literal", "intended"];

#[test]
fn contracts_bound_mufu_and_nothing_else() {
    for name in PUBLISHED_BOUNDS {
        let mut profile = Profile::load(name).unwrap();
        for (text, expected) in [
            ("MUFU.RCP.F32 R0, R1", "1 ulp"),
            ("@!P0 MUFU.RCP.F32.SAT R0, c[0x0][0x4]", "1 ulp"),
            ("MUFU.RSQ.F64 R0, R1", "1 ulp"),
            ("MUFU.RSQ.F32 R0, R1", "relative 2^-22.9"),
            ("MUFU.LG2.F32 R0, R1", "absolute 2^-22 on (0.5, 2); relative 2^-22"),
            ("MUFU.TANH.F16_V2 R0, R1", "absolute 2^-10.987"),
            ("FFMA.FTZ R0, R1, R2, R3", "correctly rounded"),
        ] {
            let contract = profile.contract_for(&asm::parse(text).unwrap());
            assert_eq!(contract.to_string(), expected, "{text} in {name}");
        }
        let sine = asm::parse("MUFU.SIN.F32 R0, R1").unwrap();
        profile.set_reading("E035=1").unwrap();
        let radians = "absolute 2^-20.5 on [-2pi, 2pi]; absolute 2^-14.7 on [-100pi, 100pi]";
        assert_eq!(profile.contract_for(&sine).to_string(), radians);
        profile.set_reading("E035=2").unwrap();
        let turns = "absolute 2^-20.5 on [-1, 1]; absolute 2^-14.7 on [-50, 50]";
        assert_eq!(profile.contract_for(&sine).to_string(), turns);
    }
}

#[test]
fn every_function_of_mufu_is_bounded() {
    let profile = Profile::load("intended").unwrap();
    let faithful = Profile::load("faithful").unwrap();
    let mut pairs = 0;
    for (function, dtype) in (0..8).flat_map(|function| (0..6).map(move |dtype| (function, dtype))) {
        let mut mode = Instruction::new(catalog().form("MUFU_R").unwrap());
        mode.set("mufuop", function);
        mode.set("dtype", dtype);
        if legality::check(&mode).is_ok() {
            pairs += 1;
            let contract = profile.contract_for(&mode);
            assert!(matches!(contract, Contract::Bounded { .. }), "{}: {contract}", asm::print(&mode));
            assert_eq!(faithful.contract_for(&mode).to_string(), "<1 ulp", "{}", asm::print(&mode));
        }
    }
    assert_eq!(pairs, 18);
}

#[test]
fn the_bounds_are_the_published_ones() {
    for name in ["literal", "intended", "sm90"] {
        assert_eq!(departures(&Profile::load(name).unwrap()), [] as [String; 0], "{name}");
    }
    // If the profile is not named `sm90`, its measured bounds count as differences from the
    // published bounds.
    let mut renamed = Profile::load("sm90").unwrap();
    renamed.name = "mine".to_owned();
    assert_eq!(departures(&renamed).len(), MEASURED.len() + 1, "the bounds, and the inversions");
    let pairs: std::collections::BTreeSet<_> =
        PUBLISHED.iter().map(|(instruction, ..)| instruction).collect();
    assert_eq!(pairs.len(), 18);
}

/// Returns copies of a list of bounds. In each copy, one bound has a wider limit or lacks its
/// interval.
fn widened(bounds: &str) -> impl Iterator<Item = String> {
    let parts: Vec<(&str, Option<&str>)> = bounds
        .split("; ")
        .map(|part| part.split_once(" on ").map_or((part, None), |(b, on)| (b, Some(on))))
        .collect();
    let line = |bound: &str, on: Option<&str>| {
        let on = on.map_or(String::new(), |on| format!("on: \"{on}\", "));
        let (metric, limit) =
            bound.strip_suffix(" ulp").map_or_else(|| bound.split_once(' ').unwrap(), |l| ("ulp", l));
        format!("  - {{{on}metric: {metric}, bound: \"{limit}\"}}\n")
    };
    let changed = |place: usize, bound: &str, on: Option<&str>| {
        let mut parts = parts.clone();
        parts[place] = (bound, on);
        format!("  bounds:\n{}", parts.iter().map(|(bound, on)| line(bound, *on)).collect::<String>())
    };
    let lists = parts.iter().enumerate().flat_map(|(place, (bound, on))| {
        let wide = changed(place, "absolute 0.5", *on);
        std::iter::once(wide).chain(on.map(|_| changed(place, bound, None)))
    });
    lists.collect::<Vec<_>>().into_iter()
}

/// Widens the limit, the metric and the interval of each bound of each function. `departures` must
/// report each change.
#[test]
fn a_widened_bound_is_noticed() {
    let metrics = [("ulp", "1000000"), ("absolute", "0.5"), ("relative", "0.5")];
    for (instruction, reading, bounds) in PUBLISHED {
        let reading = reading.map_or(String::new(), |reading| format!("  reading: {reading}\n"));
        let whole = metrics.map(|(metric, limit)| format!("  metric: {metric}\n  bound: \"{limit}\"\n"));
        for contract in whole.into_iter().chain(widened(bounds)) {
            let text = format!(
                "version: 1\nname: wide\nabout: a\nextends: intended\ncontracts:\n- instruction: {instruction}\n{reading}{contract}"
            );
            let profile = load(&[("wide.yaml", &text)]).unwrap_or_else(|e| panic!("{text}{e}"));
            let found = departures(&profile);
            assert!(!found.is_empty() && found[0].starts_with(instruction), "{text}{found:?}");
        }
    }
}

#[test]
fn signs_and_relations_are_read_and_shown() {
    let with = |key: &str, more: &str| {
        let text = format!(
            "{HEAD}extends: intended\ncontracts:\n- {{instruction: {key}, metric: absolute, bound: \"2^-20\"{more}}}\n"
        );
        load(&[("p.yaml", &text)]).map_err(|error| error.to_string())
    };
    let clauses = |profile: &Profile, text: &str| -> (Clauses, String) {
        let contract = profile.contract_for(&asm::parse(text).unwrap());
        let Contract::Bounded { clauses, .. } = contract else { panic!("{contract}") };
        (clauses, contract.to_string())
    };
    let sine = "MUFU.SIN.F32 R0, R1";
    let (plain, text) = clauses(&with("MUFU", "").unwrap(), sine);
    assert_eq!(
        (plain.signs, plain.required(), text.as_str()),
        (Signs::default(), Relations::of(&[Relation::Odd]), "absolute 2^-20")
    );
    let (free, text) = clauses(&with("MUFU", ", signs: free").unwrap(), sine);
    assert_eq!((free.signs, text.as_str()), (Signs::Free, "absolute 2^-20; signs free"));
    let some = with("MUFU", ", relations: [even]").unwrap();
    assert_eq!(clauses(&some, sine).0.required(), Relations::NONE);
    let (even, text) = clauses(&some, "MUFU.COS.F32 R0, R1");
    assert_eq!(
        (even.required(), text.as_str()),
        (Relations::of(&[Relation::Even]), "absolute 2^-20; relations even")
    );
    assert_eq!(clauses(&with("MUFU", ", relations: []").unwrap(), sine).1, "absolute 2^-20; relations none");
    for (key, more, message) in [
        ("MUFU.SIN", ", relations: [even]", "no function of `MUFU.SIN` is even"),
        ("FADD", ", relations: [odd]", "no function of `FADD` is odd"),
        ("FFMA.FTZ", "", "`FFMA.FTZ` has no bound"),
        ("MUFU.SIN", ", relations: [periodic]", "unknown variant `periodic`"),
        ("MUFU.SIN", ", signs: maybe", "unknown variant `maybe`"),
    ] {
        let error = with(key, more).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let exact =
        format!("{HEAD}extends: intended\ncontracts:\n- {{instruction: MUFU, exact: model, signs: free}}\n");
    let error = load(&[("p.yaml", &exact)]).unwrap_err().to_string();
    assert!(error.contains("`signs` and `relations` stand beside bounds"), "{error}");
    let strict = format!(
        "{HEAD}extends: intended\ncontracts:\n- {{instruction: MUFU, metric: relative, bound: \"<1\"}}\n"
    );
    let error = load(&[("p.yaml", &strict)]).unwrap_err().to_string();
    assert!(error.contains("is not in ulp"), "{error}");
}

/// Of the entries that match, the entry with the most modifiers applies. An entry replaces
/// inherited entries that it covers.
#[test]
fn inversions_are_inherited_unless_an_entry_covers_them() {
    let under = |extends: &str, inversions: &str, text: &str| {
        let inversions =
            if inversions.is_empty() { String::new() } else { format!("inversions: {inversions}\n") };
        let profile = load(&[("p.yaml", &format!("{HEAD}extends: {extends}\n{inversions}"))]).unwrap();
        match profile.contract_for(&asm::parse(text).unwrap()) {
            Contract::Bounded { clauses, .. } => clauses.inversion,
            contract => panic!("{contract}"),
        }
    };
    let (tanh, root, power) = ("MUFU.TANH.F32 R0, R1", "MUFU.SQRT.F32 R0, R1", "MUFU.EX2.F16 R0, R1.H0");
    for (extends, inversions, expected) in [
        ("intended", "", [1, 1, 1]),
        ("sm90", "", [114, 1, 0]),
        ("faithful", "", [1, 1, 1]),
        ("sm90", "{MUFU.EX2: 3}", [114, 1, 3]),
        ("sm90", "{MUFU.TANH: 2}", [2, 1, 0]),
        ("sm90", "{MUFU: 7}", [7, 7, 7]),
        ("intended", "{MUFU.F32: 4, MUFU.TANH.F32: 5}", [5, 4, 1]),
    ] {
        let found = [tanh, root, power].map(|text| under(extends, inversions, text));
        assert_eq!(found, expected, "{extends} {inversions}");
    }
    // Entries are sorted by name, so the longer key comes first here.
    assert_eq!(under("intended", "{MUFU.EX2.F32: 5, MUFU.F32: 4}", "MUFU.EX2.F32 R0, R1"), 5);
}

/// Of the contracts that match, the one whose key has the most modifiers applies. If two have equal
/// keys, the one that names a setting applies.
#[test]
fn the_most_precise_contract_counts_wherever_it_stands() {
    let rows = [
        "{instruction: MUFU.RCP.F32, reading: E173=1, metric: ulp, bound: \"3\"}",
        "{instruction: MUFU.RCP.F32, metric: ulp, bound: \"2\"}",
        "{instruction: MUFU.RCP, metric: ulp, bound: \"4\"}",
    ];
    for order in [[0, 1, 2], [2, 1, 0]] {
        let contracts: String = order.iter().map(|row| format!("- {}\n", rows[*row])).collect();
        let mut profile =
            load(&[("p.yaml", &format!("{HEAD}extends: intended\ncontracts:\n{contracts}"))]).unwrap();
        let shown =
            |profile: &Profile, text: &str| profile.contract_for(&asm::parse(text).unwrap()).to_string();
        assert_eq!(shown(&profile, "MUFU.RCP.F32 R0, R1"), "3 ulp");
        assert_eq!(shown(&profile, "MUFU.RCP.F64 R0, R1"), "4 ulp");
        profile.set_reading("E173=2").unwrap();
        assert_eq!(shown(&profile, "MUFU.RCP.F32 R0, R1"), "2 ulp");
    }
}

#[test]
fn some_contracts_ask_for_the_model() {
    for (contract, expected) in
        [("exact: model", true), ("exact: truth", false), ("metric: ulp, bound: \"1\"", false)]
    {
        let text = format!("{HEAD}extends: intended\ncontracts:\n- {{instruction: MUFU, {contract}}}\n");
        assert_eq!(load(&[("p.yaml", &text)]).unwrap().asks_for_model(), expected, "{contract}");
    }
}

#[test]
fn judged_shares_are_percentages() {
    for (percent, is_read) in [(0, true), (99, true), (100, true), (101, false), (255, false)] {
        let found = load(&[("p.yaml", &format!("{HEAD}extends: intended\njudged: {{FADD: {percent}}}\n"))]);
        match found {
            Ok(profile) => assert!(is_read && profile.judged["FADD"] == percent, "{percent}"),
            Err(error) => {
                assert!(
                    !is_read && error.to_string().contains("write a percentage from 0 to 100"),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn a_reading_is_overridden_and_says_so() {
    let mut profile = Profile::load("sm90").unwrap();
    profile.set_reading("E173=1").unwrap();
    assert_eq!(profile.readings.get(Reading::E173), 1);
    assert_eq!(profile.basis[&Erratum(173)].evidence, Evidence::Design);
    for text in ["E173=3", "E001=1", "E173"] {
        let error = profile.set_reading(text).unwrap_err();
        assert!(matches!(*error.kind, ErrorKind::Reading(_)), "{error}");
    }
}

/// Writes files into a folder and loads the first file as a profile.
fn load(files: &[(&str, &str)]) -> Result<Profile, VectorError> {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    Profile::load(path_text(&dir.path().join(files[0].0)))
}

fn path_text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[test]
fn users_extend_a_profile_by_name_and_by_relative_path() {
    let mine = "version: 1
name: mine
about: stricter, and rounds ties away
extends: base/device.yaml
readings: {E169: 1}
contracts:
- {instruction: MUFU.F32.RCP, metric: ulp, bound: \"3/4\"}
- {instruction: MUFU.RCP.F32.SAT, metric: ulp, bound: \"2\", evidence: measured}
- {instruction: MUFU.EX2, exact: model}
- {instruction: MUFU.TANH.F32, exact: truth}
- {instruction: MUFU.SIN, exact: truth}
";
    let device = "version: 1\nname: device\nabout: a device\nextends: sm90\n\
                  readings: {E042: {setting: 1, evidence: measured, note: lot 7, trace: 4a168039117d351a2c5be0f3d8e97c610b5f42ad9e83716c0d24fb58a6e1937c}}\n";
    let profile =
        load(&[("mine.yaml", mine), ("base/device.yaml", device)]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(profile.name, "mine");
    assert_eq!(profile.readings.get(Reading::E169), 1);
    assert_eq!(profile.readings.get(Reading::E042), 1);
    assert_eq!(profile.readings.get(Reading::E173), 2);
    assert_eq!(profile.basis[&Erratum(169)].evidence, Evidence::Design);
    assert_eq!(profile.basis[&Erratum(42)].profile, "device");
    assert_eq!(
        profile.basis[&Erratum(42)].note,
        "lot 7 (trace 4a168039117d351a2c5be0f3d8e97c610b5f42ad9e83716c0d24fb58a6e1937c)"
    );
    for (text, expected, why) in [
        ("MUFU.RCP.F32 R0, R1", "3/4 ulp", "the same instruction under another spelling"),
        ("MUFU.RCP.F32.SAT R0, R1", "2 ulp", "the longer key counts"),
        ("MUFU.RCP.F64 R0, R1", "1 ulp", "inherited"),
        ("MUFU.EX2.F32 R0, R1", "the bits of the model", "it covers what is inherited"),
        ("MUFU.SIN.F32 R0, R1", "correctly rounded", "under every setting"),
        ("MUFU.TANH.F32 R0, R1", "correctly rounded", "replaced"),
    ] {
        assert_eq!(profile.contract_for(&asm::parse(text).unwrap()).to_string(), expected, "{why}");
    }
}

const HEAD: &str = "version: 1\nname: p\nabout: a\n";

#[test]
fn bad_profiles_are_refused_with_their_place() {
    let extends = format!("{HEAD}extends: intended\n");
    let contract = |key: &str, bound: &str| {
        format!("{extends}contracts:\n- {{instruction: {key}, metric: ulp, bound: {bound}}}\n")
    };
    let table = [
        (HEAD.to_owned(), "p.yaml: a profile that extends none needs every reading; add E008, E011"),
        (
            format!("{HEAD}extends: nowhere\n"),
            "p.yaml:4: no profile `nowhere` is built in and no such file exists",
        ),
        (format!("{HEAD}extends: p.yaml\n"), "p.yaml:4: the profile extends itself: "),
        (extends.replace("version: 1", "version: 9"), "p.yaml:1: format version 9 is not known"),
        (extends.replace("name: p", "name: p/q"), "p.yaml:2: `p/q` is no name"),
        (
            extends.replace("name: p", "name: intended"),
            "p.yaml:2: `intended` is the name of the built-in profile `intended`; choose another name",
        ),
        (
            extends.replace("name: p", "name: SM90"),
            "p.yaml:2: `SM90` is the name of the built-in profile `sm90`",
        ),
        (format!("{extends}reading: {{}}\n"), "p.yaml:5:1: unknown key `reading`"),
        (format!("{extends}readings: {{E001: 1}}\n"), "p.yaml:5:18: E001 has no switch"),
        (format!("{extends}readings: {{E042: 4}}\n"), "p.yaml:5:18: E042 has the settings 1 to 3, not 4"),
        (format!("{extends}readings: {{E042: 256}}\n"), "p.yaml:5:18: E042 has no setting 256"),
        (format!("{extends}readings: {{E042: {{setting: 2}}}}\n"), "the key `evidence` is missing"),
        (
            format!("{extends}readings: {{E042: {{setting: 2, evidence: hearsay}}}}\n"),
            "unknown variant `hearsay`, expected one of `text`",
        ),
        (format!("{extends}readings: {{E042: 1, E042: 2}}\n"), "E042 occurs twice"),
        (
            contract("MUFU.RCQ", "\"1\""),
            "p.yaml:6:17: `MUFU.RCQ` is no instruction: MUFU has no modifier .RCQ",
        ),
        (
            contract("MUFO", "\"1\""),
            "`MUFO` is no instruction: no optype is called `MUFO`; did you mean `MUFU`",
        ),
        (
            contract("MUFU.RCP.F32", "\"0.1\""),
            "the bound `0.1` is no multiple of 2^-32; 429496729/4294967296 is",
        ),
        (
            contract("MUFU.RCP.F32", "\"much\""),
            "p.yaml:6:51: the bound `much` is no number; write a decimal such as",
        ),
        (format!("{extends}inversions: {{MUFU.SIN: 1}}\n"), "no function of `MUFU.SIN` is monotonic"),
        (format!("{extends}inversions: {{FADD: 1}}\n"), "no function of `FADD` is monotonic"),
        (format!("{extends}inversions: {{MUFU.RCQ: 1}}\n"), "MUFU has no modifier .RCQ"),
        (format!("{extends}inversions: {{MUFU.RCP: -1}}\n"), "p.yaml:5"),
        (contract("MUFU.RCP.F32", "[1]"), "expected text like \"0.5\", \"3/4\" or"),
        (
            contract("MUFU.RCP.F32", "\"1\"").replace("ulp", "mile"),
            "unknown variant `mile`, expected one of `ulp`",
        ),
        (contract("MUFU.RCP.F32", "\"1\", on: \"[0, 1]\""), "unknown key `on`"),
        (contract("MUFU.RCP.F32", "\"1\", exact: model"), "write one of these"),
        (format!("{extends}contracts:\n- {{instruction: FADD, metric: ulp}}\n"), "`FADD` has no bound"),
        (format!("{extends}contracts:\n- {{instruction: FADD, bound: \"1\"}}\n"), "`FADD` has no bound"),
        (format!("{extends}readings: {{E042: [1]}}\n"), "expected a setting such as 2, or {setting: 2,"),
        (contract("MUFU.RCP.F32", "\"1\", reading: E999=1"), "E999 has no switch"),
        (
            format!("{extends}contracts:\n- {{instruction: MUFU.SIN, bounds: []}}\n"),
            "a contract is `metric` with `bound`, or a list of `bounds`",
        ),
        (
            format!(
                "{extends}contracts:\n- instruction: MUFU.SIN\n  bounds: [{{on: \"[2, 1]\", metric: ulp, bound: \"1\"}}]\n"
            ),
            "p.yaml:7:17: `[2, 1]` is no interval",
        ),
    ];
    for (text, message) in table {
        let error = load(&[("p.yaml", &text)]).expect_err(&text).to_string();
        assert!(error.contains(message), "{text}\n   is: {error}\nwant: {message}");
    }
}

#[test]
fn cycles_are_shown_in_full() {
    let profile =
        |name: &str, extends: &str| format!("version: 1\nname: {name}\nabout: a\nextends: {extends}\n");
    let (a, b) = (profile("a", "below/b.yaml"), profile("b", "../below/../a.yaml"));
    let error = load(&[("a.yaml", &a), ("below/b.yaml", &b)]).unwrap_err();
    assert!(error.to_string().contains("b.yaml:4: "), "{error}");
    let ErrorKind::Cycle(chain) = &*error.kind else { panic!("{error}") };
    assert_eq!(chain.matches("a.yaml").count(), 2, "{chain}");
}

#[test]
fn an_unknown_profile_gets_suggestions() {
    let error = Profile::load("sm91").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no profile `sm91` is built in and no such file exists; did you mean `sm90`?"
    );
    let error = Profile::load("hopper").unwrap_err();
    assert!(error.to_string().ends_with("built in are: literal, intended, sm90, faithful"), "{error}");
}

#[test]
fn what_was_measured_names_its_trace() {
    let with = |setting: &str| {
        let text =
            format!("version: 1\nname: mine\nabout: mine\nextends: sm90\nreadings:\n  E042: {setting}\n");
        load(&[("mine.yaml", &text)]).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(
        with(
            "{setting: 1, evidence: measured, trace: 4a168039117d351a2c5be0f3d8e97c610b5f42ad9e83716c0d24fb58a6e1937c}"
        ),
        Ok(())
    );
    let problem = with("{setting: 1, evidence: measured, trace: 4a16}").unwrap_err();
    assert!(problem.contains("E042") && problem.contains("64 digits"), "{problem}");
    let text = "version: 1\nname: mine\nabout: mine\nextends: sm90\ninherited: measured\n";
    let problem = load(&[("mine.yaml", text)]).unwrap_err().to_string();
    assert!(problem.contains("cannot be measured"), "{problem}");
    let problem = with("{setting: 1, evidence: measured}").unwrap_err();
    assert!(problem.contains("E042") && problem.contains("assay trace info"), "{problem}");
    let problem = with("{setting: 1, evidence: documented, trace: 4a168039117d351a2c5be0f3d8e97c610b5f42ad9e83716c0d24fb58a6e1937c}").unwrap_err();
    assert!(problem.contains("E042") && problem.contains("documented"), "{problem}");
}

#[test]
fn nothing_built_in_claims_a_measurement_without_a_trace() {
    for (name, _) in BUILT_IN {
        for (erratum, basis) in &Profile::load(name).unwrap().basis {
            let is_measured = basis.evidence == Evidence::Measured;
            assert_eq!(is_measured, basis.trace.is_some(), "{name} {erratum}");
        }
    }
}
