//! The hand-written texts name only existing things, are complete, and differ under each reading.

use std::collections::BTreeSet;

use assay_engine::compare::comparator::PRECISION;
use assay_engine::compare::judge::{Verdict, Verdicts, judge};
use assay_isa::readings::SWITCHES;
use assay_isa::row::{FieldType, Optype};
use assay_isa::{Effects, EncodingTable, Oracle, Readings, Truths, asm, catalog};
use assay_manual::Setting;
use assay_manual::examples::{case, execute};
use assay_manual::semantics::{Entry, Line, semantics};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;

/// Words of the formulas that are not names.
const KEYWORDS: [&str; 18] = [
    "if",
    "elif",
    "else",
    "for",
    "in",
    "and",
    "or",
    "not",
    "undefined",
    "fault",
    "record",
    "reread",
    "overwrite",
    "with",
    "narrow",
    "AWAY",
    "below",
    "tiny",
];

/// The spaces whose locations a formula addresses by number.
const SPACES: [&str; 2] = ["G", "UR"];

fn entries() -> impl Iterator<Item = (&'static Optype, &'static Entry)> {
    let entry = |optype: &'static Optype| (optype, semantics().of(optype.name).expect("an optype has texts"));
    catalog().optypes().into_iter().map(entry)
}

/// Returns the values of an optype's modifiers, as the assembler text writes them.
fn values(optype: &'static Optype) -> BTreeSet<String> {
    let fields = catalog().forms_of(optype.name).flat_map(|form| &form.fields);
    let values = fields.filter(|field| field.constraint.is_none()).filter_map(|field| match field.ty {
        FieldType::Enum(e) => Some(e.values),
        _ => None,
    });
    values.flatten().map(|value| (*value).to_owned()).collect()
}

fn modifiers(optype: &'static Optype) -> BTreeSet<&'static str> {
    optype.syntax.iter().copied().collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// Returns the names, numbers and modifier values in a statement.
fn words(text: &str) -> Vec<&str> {
    text.split(|c| !is_word(c)).flat_map(|word| word.split("..")).filter(|word| !word.is_empty()).collect()
}

/// Returns the target of an assignment, without its condition. `None` for any other statement.
fn target(text: &str) -> Option<&str> {
    let simple = text.rsplit(": ").next()?.trim();
    let name = simple.split(|c| !is_word(c)).next()?;
    let behind = simple[name.len()..].trim_start();
    let behind = if behind.starts_with('[') { behind.split_once(']')?.1.trim_start() } else { behind };
    (behind.starts_with('=') && !behind.starts_with("==")).then_some(name)
}

#[test]
fn every_optype_has_texts_and_nothing_else_has() {
    let described: BTreeSet<&str> = semantics().optypes().collect();
    let optypes: BTreeSet<&str> = catalog().optypes().iter().map(|optype| optype.name).collect();
    assert_eq!(described, optypes);
}

#[test]
fn operands_are_those_of_the_forms() {
    for (optype, entry) in entries() {
        for form in catalog().forms_of(optype.name) {
            assert_eq!(entry.operands.len(), form.order.len(), "{}", form.name);
            for (named, operand) in entry.operands.iter().zip(form.order) {
                let is_a_field =
                    catalog().forms_of(optype.name).any(|form| form.field(&named.name).is_some());
                assert!(named.name == *operand || !is_a_field, "{}: {} for {operand}", form.name, named.name);
            }
        }
    }
}

#[test]
fn every_output_is_assigned() {
    for (optype, entry) in entries() {
        let form = catalog().forms_of(optype.name).next().unwrap();
        for profile in ["intended", "sm90"] {
            let readings = Profile::load(profile).unwrap().readings;
            let lines = entry.formula.iter().filter(|line| line.holds(&readings));
            let assigned: BTreeSet<&str> = lines.filter_map(|line| target(&line.text)).collect();
            for (named, operand) in entry.operands.iter().zip(form.order).filter(|(_, o)| form.is_output(o)) {
                let place = operand.split_once('[').map_or(named.name.as_str(), |(space, _)| space);
                assert!(assigned.contains(place), "{} does not say what {} becomes", optype.name, named.name);
            }
        }
    }
}

#[test]
fn formulas_name_only_what_exists() {
    let explained: BTreeSet<&str> =
        semantics().functions.iter().map(|f| f.name.split_once('(').unwrap().0).collect();
    let mut used = BTreeSet::new();
    for (optype, entry) in entries() {
        let own: BTreeSet<&str> = entry.functions.iter().map(|f| f.name.split_once('(').unwrap().0).collect();
        let mut known: BTreeSet<&str> = entry.operands.iter().map(|o| o.name.as_str()).collect();
        known.extend(modifiers(optype));
        known.extend(KEYWORDS.iter().chain(&SPACES));
        // `f` is MUFU's function, which the modifier names.
        known.extend((optype.name == "MUFU").then_some("f"));
        let values = values(optype);
        for line in &entry.formula {
            let text = line.text.split(": fault ").next().unwrap();
            known.extend(target(text));
            known.extend(text.trim().strip_prefix("for ").and_then(|rest| rest.split(' ').next()));
            for word in words(text) {
                let is_function = explained.contains(word) || own.contains(word);
                let is_number = word.starts_with(|c: char| c.is_ascii_digit());
                let is_value = word.strip_prefix('.').is_some_and(|value| values.contains(value));
                assert!(
                    is_function || is_number || is_value || known.contains(word),
                    "{}: `{word}` in `{}` is nothing",
                    optype.name,
                    line.text
                );
                used.insert(word);
            }
        }
        assert!(own.iter().all(|name| used.contains(name)), "{}: a function is not used", optype.name);
    }
    let unused: Vec<&&str> = explained.iter().filter(|name| !used.contains(*name)).collect();
    assert!(unused.is_empty(), "{unused:?} are explained and not used");
}

/// Whether a text in backticks names something of the optype.
fn exists(optype: &'static Optype, entry: &Entry, text: &str) -> bool {
    let values = values(optype);
    let is_register = |text: &str| {
        text.parse::<assay_isa::Location>().is_ok()
            || ["RZ", "URZ", "PT", "UPT", "SRZ", "!UPT"].contains(&text)
    };
    let suffixes =
        |text: &str| text.strip_prefix('.').is_some_and(|rest| rest.split('.').all(|v| values.contains(v)));
    let is_number = |text: &str| text.strip_prefix("0x").is_some_and(|d| u64::from_str_radix(d, 16).is_ok());
    let is_mask = |text: &str| [".Mk", ".Mk_NM"].contains(&text) && optype.name == "BFN";
    entry.operands.iter().any(|named| named.name == text)
        || modifiers(optype).contains(text)
        || optype.forms.iter().any(|form| form.fields.iter().any(|field| field.name == text))
        || suffixes(text)
        || is_register(text)
        || is_number(text)
        || is_mask(text)
        || ["-", "~", "!", "AWAY", "G[address]", "reread", "overwrite", "with", "lop3", "prmt"]
            .contains(&text)
}

#[test]
fn prose_names_only_what_exists() {
    for (optype, entry) in entries() {
        let notes = entry.notes.iter().map(|line| line.text.as_str());
        let operands = entry.operands.iter().map(|named| named.about.as_str());
        let examples = entry.examples.iter().map(|example| example.about.as_str());
        for text in notes.chain(operands).chain(examples).chain([entry.summary.as_str()]) {
            assert!(text.matches('`').count() % 2 == 0, "{}: {text}", optype.name);
            for name in text.split('`').skip(1).step_by(2) {
                assert!(exists(optype, entry, name), "{}: there is no `{name}`: {text}", optype.name);
            }
            for sentence in text.split(". ") {
                assert!(sentence.split_whitespace().count() <= 25, "{}: too long: {sentence}", optype.name);
            }
        }
    }
}

#[test]
fn modifiers_are_explained() {
    let types: BTreeSet<&str> = entries()
        .flat_map(|(optype, _)| catalog().forms_of(optype.name).flat_map(|form| &form.fields))
        .filter(|field| field.constraint.is_none())
        .filter_map(|field| if let FieldType::Enum(e) = field.ty { Some(e.name) } else { None })
        .collect();
    assert_eq!(types, semantics().types.keys().map(String::as_str).collect());
}

/// Returns the lines of an optype's texts that are in force.
fn in_force(optype: &'static Optype, entry: &'static Entry, readings: &Readings) -> Vec<&'static Line> {
    let all = entry.formula.iter().chain(&entry.notes).chain(semantics().common_of(optype.name));
    all.filter(|line| line.holds(readings)).collect()
}

#[test]
fn every_setting_of_every_reading_says_something_else() {
    for switch in SWITCHES {
        for (optype, entry) in entries().filter(|(optype, _)| switch.optypes.contains(&optype.name)) {
            let texts: Vec<Vec<&Line>> = (1..=switch.settings.len() as u8)
                .map(|setting| {
                    let mut readings = Readings::INTENDED;
                    readings.set(switch.erratum, setting).unwrap();
                    in_force(optype, entry, &readings)
                })
                .collect();
            for (place, text) in texts.iter().enumerate() {
                let others = texts.iter().enumerate().filter(|(other, _)| *other != place);
                for (other, same) in others {
                    assert_ne!(
                        text,
                        same,
                        "{}: {} = {} and {}",
                        optype.name,
                        switch.erratum,
                        place + 1,
                        other + 1
                    );
                }
                let speaks =
                    text.iter().any(|line| line.conditions.contains(&(switch.erratum, place as u8 + 1)));
                assert!(speaks, "{}: no line needs {} = {}", optype.name, switch.erratum, place + 1);
            }
        }
    }
}

#[test]
fn conditions_are_of_switches_that_touch_the_optype() {
    for (optype, entry) in entries() {
        for (erratum, _) in entry.formula.iter().chain(&entry.notes).flat_map(|line| &line.conditions) {
            let switch = SWITCHES.iter().find(|switch| switch.erratum == *erratum).unwrap();
            assert!(switch.optypes.contains(&optype.name), "{}: {erratum}", optype.name);
        }
    }
}

#[test]
fn examples_execute_under_every_profile_and_the_model_agrees() {
    let numbers = EncodingTable::provisional();
    for name in ["intended", "literal", "sm90", "faithful"] {
        let profile = Profile::load(name).unwrap();
        let setting = Setting { profile: &profile, numbers };
        let mut oracle = MpfrOracle::new(profile.readings);
        let mut model = assay_model::model(numbers.clone(), profile.readings);
        for (optype, entry) in entries() {
            assert_eq!(entry.examples.len(), 3, "{}", optype.name);
            let mut has_modifier = optype.syntax.is_empty();
            for text in &entry.examples {
                execute(text, optype.name, &setting, &mut oracle).unwrap_or_else(|e| panic!("{name}: {e}"));
                let (instruction, batch) = case(text, &setting).unwrap();
                assert_eq!(instruction.optype(), optype.name);
                has_modifier |= asm::mnemonic(&instruction).matches('.').count() > 0;
                let (mut truths, mut effects, mut verdicts) =
                    (Truths::default(), Effects::default(), Verdicts::default());
                oracle.truth(&instruction, &batch, PRECISION, &mut truths).unwrap();
                model.execute(&batch, &mut effects).unwrap();
                judge(&profile.contract_for(&instruction), &instruction, &truths, &effects, &mut verdicts);
                let verdict = verdicts.of(0);
                assert!(
                    verdict.holds() || matches!(verdict, Verdict::Undefined(_)),
                    "{name}: {}: {verdict:?}",
                    text.asm
                );
            }
            assert!(has_modifier, "{} has no example with a modifier", optype.name);
        }
    }
}
