//! Tests that the errata are complete, in both languages, and consistent with the switches and the
//! assembler. Also tests how bad files are refused.

use assay_isa::readings::{Erratum, SWITCHES};
use assay_isa::{asm, catalog};
use assay_vectors::errata::{BUILT_IN, Class, Defect, Language, Severity, built_in, read};

fn errata() -> Vec<Defect> {
    built_in().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_erratum_is_there() {
    let numbers: Vec<u16> = errata().iter().map(|defect| defect.id.0).collect();
    assert_eq!(numbers, (1..=191).collect::<Vec<_>>());
    for switch in SWITCHES.iter().filter(|switch| !switch.erratum.is_convention()) {
        assert!(numbers.contains(&switch.erratum.0), "{}", switch.erratum);
    }
}

/// The expected numbers were counted in the original list of errata, from which the data files were
/// made.
#[test]
fn classes_and_severities_are_those_of_the_list() {
    let errata = errata();
    let count = |severity: Severity, class: Class| {
        errata.iter().filter(|defect| (defect.severity, defect.class) == (severity, class)).count()
    };
    let row = |severity| Class::ALL.iter().map(|class| count(severity, *class)).collect::<Vec<_>>();
    assert_eq!(
        Class::ALL.iter().map(|c| c.name()).collect::<Vec<_>>().join(" "),
        "SEM NUM PSEUDO ENC EX GAP AMB TYPO"
    );
    assert_eq!(row(Severity::H), [16, 4, 13, 6, 7, 15, 6, 1]);
    assert_eq!(row(Severity::M), [14, 0, 5, 16, 7, 18, 16, 3]);
    assert_eq!(row(Severity::L), [1, 0, 4, 6, 2, 2, 12, 17]);
}

/// The text of a switch is not repeated in the data, so the two texts cannot differ.
#[test]
fn nothing_is_said_twice() {
    for defect in errata().iter().filter(|defect| defect.switch().is_some()) {
        let id = defect.id;
        let english = defect.readings.iter().any(|reading| reading.en.is_some());
        assert!(!english, "{id}: its switch has the English readings; remove `en`");
        let taken = defect.decision.as_ref().is_some_and(|decision| decision.reading.is_some());
        assert!(!taken, "{id}: its profiles take a reading; remove `decision`, or its `reading`");
        assert!(defect.witness.is_none(), "{id}: its cases are the witness; remove `witness`");
    }
}

#[test]
fn an_erratum_names_every_optype_of_its_switch() {
    for defect in errata().iter().filter(|defect| !defect.optypes.is_empty()) {
        for optype in defect.switch().map_or(&[][..], |switch| &switch.optypes) {
            assert!(
                defect.optypes.iter().any(|name| name == optype),
                "add {optype} to `optypes` of {} in vectors/data/errata",
                defect.id
            );
        }
    }
}

/// A title fits on one line of a terminal.
#[test]
fn titles_are_short() {
    for defect in errata() {
        assert!(defect.title.en.chars().count() <= 72, "{}", defect.id);
        assert!(!defect.title.en.ends_with('.') && !defect.title.zh.ends_with('。'), "{}", defect.id);
    }
}

#[test]
fn readings_stand_side_by_side() {
    for defect in errata() {
        let [english, chinese] = [Language::English, Language::Chinese].map(|l| defect.readings(l).len());
        assert_eq!(english, chinese, "{}", defect.id);
        assert_eq!(defect.decision().is_none(), defect.switch().is_some() && defect.decision.is_none());
    }
}

/// The assembler accepts and refuses the texts that the witnesses list.
#[test]
fn texts_are_accepted_and_refused_as_they_say() {
    let known = |text: &str| {
        let mnemonic = text.split(['.', ' ']).next().expect("a split yields something");
        catalog().forms_of(mnemonic).next().is_some()
    };
    let mut checked = 0;
    for defect in errata() {
        let Some(witness) = &defect.witness else { continue };
        for text in witness.accepted.iter().filter(|text| known(text)) {
            asm::parse(text).unwrap_or_else(|e| panic!("{} `{text}`: {e}", defect.id));
            checked += 1;
        }
        for text in witness.refused.iter().filter(|text| known(text)) {
            assert!(asm::parse(text).is_err(), "{} `{text}`", defect.id);
            checked += 1;
        }
    }
    assert!(checked >= 13, "{checked}");
}

/// `Defect::rank` must order the most urgent errata first.
#[test]
fn the_worst_rank_first() {
    let mut errata = errata();
    errata.sort_by_key(Defect::rank);
    assert_eq!(errata[0].id, Erratum(40));
    assert!(errata.windows(2).all(|pair| pair[0].severity <= pair[1].severity));
    assert_eq!((errata[0].severity, errata[0].class), (Severity::H, Class::Sem));
    assert_eq!((errata[190].severity, errata[190].class), (Severity::L, Class::Typo));
}

/// Returns the error of reading the built-in files after one text in one file was replaced.
fn altered(file: &str, old: &str, new: &str) -> String {
    let files = BUILT_IN.map(|(name, text)| {
        let text = if name.ends_with(file) {
            assert!(text.contains(old), "{file} has no `{old}`");
            text.replacen(old, new, 1)
        } else {
            text.to_owned()
        };
        (name, text)
    });
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &text[..])).collect();
    read(&files).expect_err(new).to_string()
}

/// Each row: a file, the replaced text, its replacement, and the text of the error.
#[test]
fn a_bad_file_is_refused_with_its_place() {
    let table = [
        ("- id: E032", "- id: E0032", "xu.yaml:8:7: `E0032` is no erratum; write E and three digits"),
        ("- id: E033", "- id: E032", "xu.yaml:43: E032: the erratum is in data/errata/xu.yaml already"),
        ("- id: E032", "- id: E001", "xu.yaml:8: E001: the erratum is in data/errata/whole.yaml:8 already"),
        ("- id: E032", "- id: E500", "xu.yaml:8: E500: there is no such erratum; the last is E191"),
        ("  severity: H\n", "", "xu.yaml:8:3: E032: the key `severity` is missing; add it"),
        ("severity: H", "severity: X", "E032: unknown variant `X`, expected one of `H`, `M`, `L`"),
        ("class: ENC", "class: BAD", "xu.yaml:9:10: E032: unknown variant `BAD`, expected one of `SEM`"),
        (
            "class: ENC",
            "klass: ENC",
            "xu.yaml:9:3: E032: unknown key `klass`; write one of: id, class, severity",
        ),
        ("[MUFU]", "[MUFO]", "xu.yaml:8: E032: `MUFO` is no optype; write a name such as FLO"),
        ("document: \"000\"", "document: \"005\"", "E032: `005` is no document; write one of: 000, 001, 002"),
        ("\"17, 24, 89\"", "\"17, 24, 890\"", "E032: `17, 24, 890` are no lines of document 000"),
        ("\"17, 24, 89\"", "\"24-17\"", "E032: `24-17` are no lines of document 000"),
        (
            "[Encoding, Syntax,",
            "[Encodings, Syntax,",
            "E032: unknown variant `Encodings`, expected one of `Types`",
        ),
        ("[sibling]", "[]", "E032: the basis is missing"),
        ("[sibling]", "[hearsay]", "E032: unknown variant `hearsay`, expected one of `math`"),
        ("zh: MUFU 不支持 .SAT", "zh: ''", "E032: `readings` is empty; write it in both languages"),
        ("zh: \".SAT 的字段被注释掉\"", "zh: the field", "E032: `title` is not in Chinese under `zh`"),
        ("en: The field of .SAT is commented out", "en: ''", "E032: `title` is empty"),
        ("en: MUFU has no .SAT\n    zh", "zh", "E032: reading 1 has no English text, and no switch has one"),
        ("reading: 2", "reading: 3", "E032: `decision` takes reading 3, and there are 2 readings"),
        ("    reading: 2\n", "", "E032: `decision` takes none, and there are 2 readings"),
        (
            "    accepted: [\"MUFU.RCP.F32.SAT R0, R1\"]",
            "    accepted: []",
            "E032: it has no witness; add `witness`",
        ),
        (
            "  - zh: 按助记符：.COS 为余弦、.SIN 为正弦\n",
            "",
            "E033: it has 1 readings and its switch 2 settings",
        ),
        ("version: 1", "version: 2", "xu.yaml: format version 2 is not known"),
        ("errata:\n", "errata: [\n", "xu.yaml:8:1: E032: malformed: "),
    ];
    for (old, new, message) in table {
        let error = altered("xu.yaml", old, new);
        assert!(error.starts_with("data/errata/xu.yaml:"), "{error}");
        assert!(error.contains(message), "{old} -> {new}\n  is: {error}\nwant: {message}");
    }
}

#[test]
fn what_is_left_out_is_named() {
    let files: Vec<(&str, &str)> = BUILT_IN.into_iter().filter(|(name, _)| !name.contains("bfn")).collect();
    let error = read(&files).expect_err("BFN is missing").to_string();
    assert!(error.starts_with("nothing describes E081, E082, "), "{error}");
    assert!(error.ends_with("E091; add an entry for each to a file of data/errata"), "{error}");
}

/// An erratum without readings still needs a decision, which then consists only of a text.
#[test]
fn an_erratum_without_a_switch_must_be_decided() {
    let text = BUILT_IN.iter().find(|(name, _)| name.ends_with("xu.yaml")).expect("there is one").1;
    let decision = text.split("  decision:\n").nth(1).expect("E032 is decided").split("  witness:").next();
    let whole = format!("  decision:\n{}", decision.expect("a split yields something"));
    assert!(altered("xu.yaml", &whole, "").contains("E032: it has no reading; add `decision`"));
}
