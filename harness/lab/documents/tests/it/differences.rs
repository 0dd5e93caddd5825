//! Executes the documents and the product's model on the same cases, and counts the lanes that
//! differ.
//!
//! The documents are not in the repository: `ASSAY_SPEC_DIR` names their folder. The variable
//! `ASSAY_DOCUMENT_CASES` sets the number of cases of each optype.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use assay_documents::eval::{
    self, DocumentSubject, Edition, Patches, RoutineState, RoutineStatus, Specification, statuses,
};
use assay_engine::generate::{Scope, from_stream};
use assay_isa::{
    Answer, Batch, Effects, EncodingTable, Erratum, Event, Location, Readings, Subject, asm, catalog, codec,
};

use crate::support::documents;

/// Number of lanes of a batch.
const LANES: usize = 256;
/// Optypes without code or tables: their pages are empty.
const NO_CODE: [&str; 6] = ["PMTRIG", "SWITCH", "NOP", "IBBAR", "DEPBAR", "UF2FP"];
/// The erratum of values that no row of a table gives.
const OPEN: Erratum = Erratum(43);

/// What a lane did: its writes, its event, or nothing that is defined.
#[derive(Debug, Clone, PartialEq)]
enum LaneResult {
    Undefined,
    Done(BTreeMap<Location, u32>, Option<Event>),
}

fn result(effects: &Effects, lane: usize, batch: &Batch, readings: &Readings) -> LaneResult {
    if effects.undefined().iter().any(|(other, _)| *other == lane) {
        return LaneResult::Undefined;
    }
    let mut writes: BTreeMap<Location, u32> = effects.lane(lane).collect();
    // With E012 = 1, a source that the text assigns its own bits is written, or is not.
    if readings.setting(Erratum(12)) == Some(1) {
        let before: BTreeMap<Location, u32> = batch.lane(lane).collect();
        writes.retain(|location, value| before.get(location) != Some(value));
    }
    LaneResult::Done(writes, effects.event_of(lane).copied())
}

/// The outcome of a comparison of one optype.
#[derive(Debug, Default)]
struct Tally {
    cases: usize,
    differ: usize,
    /// Lanes that the documents leave open: no row of a table gives the value.
    open: usize,
    undefined: usize,
    unsupported: usize,
    document: Duration,
    first: Option<String>,
}

fn compare(
    optype: &str,
    subject: &mut DocumentSubject,
    model: &mut dyn Subject,
    readings: &Readings,
    batches: u64,
) -> Tally {
    let numbers = EncodingTable::provisional();
    let scope = Scope::filtered(|instruction| instruction.optype() == optype);
    let (mut bytes, mut batch, mut tally) = (Vec::new(), Batch::default(), Tally::default());
    let (mut found, mut expected) = (Effects::default(), Effects::default());
    for index in 0..batches {
        let pick = |u: &mut arbitrary::Unstructured<'_>| scope.instruction(u);
        from_stream((1, index), numbers, LANES, &mut bytes, &mut batch, pick).expect("a case");
        let start = Instant::now();
        let answer = subject.execute(&batch, &mut found).expect("the documents are executed");
        tally.document += start.elapsed();
        tally.cases += batch.len();
        if answer == Answer::Unsupported {
            tally.unsupported += batch.len();
            let word = batch.word();
            let why = subject.evaluator().prepare(word).err().map(|error| error.to_string());
            tally.first.get_or_insert_with(|| format!("{word:#034x}: {}", why.unwrap_or_default()));
            continue;
        }
        assert_eq!(model.execute(&batch, &mut expected).expect("the model executes"), Answer::Known);
        for lane in 0..batch.len() {
            if found.undefined().iter().any(|(other, erratum)| *other == lane && *erratum == OPEN) {
                tally.open += 1;
                continue;
            }
            let (ours, theirs) =
                (result(&found, lane, &batch, readings), result(&expected, lane, &batch, readings));
            tally.undefined += usize::from(ours == LaneResult::Undefined);
            if ours != theirs {
                tally.differ += 1;
                tally.first.get_or_insert_with(|| {
                    let text =
                        codec::decode(batch.word(), numbers).map(|i| asm::print(&i)).unwrap_or_default();
                    let inputs: Vec<String> =
                        batch.lane(lane).map(|(location, value)| format!("{location}={value:#x}")).collect();
                    format!("{text} {}: {ours:x?}, model {theirs:x?}", inputs.join(" "))
                });
            }
        }
    }
    tally
}

fn optypes() -> Vec<&'static str> {
    let mut optypes: Vec<&str> = catalog().forms.iter().map(|form| form.optype.name).collect();
    optypes.dedup();
    optypes
}

/// The known documents, if there are any.
fn specification() -> Option<Arc<Specification>> {
    let documents = documents("the documents against the model")?;
    let named = documents.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let specification = Specification::read(named);
    assert_eq!(specification.errors(), []);
    Some(Arc::new(specification))
}

/// Compares optypes under readings. Returns a table, and the optypes of which lanes differ.
fn table(
    specification: &Arc<Specification>,
    optypes: &[&str],
    patches: &Patches,
    (document, product): (Readings, Readings),
    batches: u64,
) -> (String, Vec<String>) {
    let numbers = EncodingTable::provisional();
    let subject = DocumentSubject::new(Arc::clone(specification), &document, patches, numbers);
    let mut subject = subject.expect("the reading is supported");
    let mut model = assay_model::model(numbers.clone(), product);
    let (mut page, mut differing) = (String::new(), Vec::new());
    for optype in optypes {
        let tally = compare(optype, &mut subject, &mut *model, &product, batches);
        if tally.differ + tally.unsupported > 0 {
            differing.push((*optype).to_owned());
        }
        let rate = tally.cases as f64 / tally.document.as_secs_f64();
        let Tally { cases, differ, open, undefined, unsupported, .. } = tally;
        writeln!(
            page,
            "{optype:<11}{cases:>9}{differ:>9}{open:>9}{undefined:>9}{unsupported:>9}{rate:>11.0}"
        )
        .unwrap();
        if let Some(first) = tally.first {
            writeln!(page, "    {first}").unwrap();
        }
    }
    (page, differing)
}

/// Returns the number of batches of each optype, for a number of cases.
fn batches(usual: u64) -> u64 {
    let cases = std::env::var("ASSAY_DOCUMENT_CASES").ok().and_then(|cases| cases.parse::<u64>().ok());
    cases.unwrap_or(usual).div_ceil(LANES as u64)
}

fn with_code() -> Vec<&'static str> {
    optypes().into_iter().filter(|optype| !NO_CODE.contains(optype)).collect()
}

/// What the columns of a table are.
const COLUMNS: &str = "optype, cases, different, open, undefined, unsupported, cases a second";

#[test]
fn the_patched_documents_equal_the_model() {
    let Some(specification) = specification() else { return };
    let both = (Readings::INTENDED, Readings::INTENDED);
    let (page, differing) = table(&specification, &with_code(), Patches::known(), both, batches(5_120));
    println!("{COLUMNS}\n{page}");
    assert!(differing.is_empty(), "{COLUMNS}:\n{page}");
}

/// Without the patches of one erratum, the documents are as the product is with the other setting
/// of that erratum. So each patch is needed, and is what its setting says.
///
/// | exception | why |
/// |---|---|
/// | E050 | falling through leaves 0xFFFFFFFF once E051 and E053 are corrected |
/// | E058 | the code names `Rb`, which BMSK_RU does not have either |
/// | E126 | the code applies the prefix to `URa` alone, and the prose to `URc:URa` |
#[test]
fn each_patch_is_one_setting() {
    let Some(specification) = specification() else { return };
    let patches = Patches::known();
    let mut optypes: BTreeMap<u16, BTreeSet<&str>> = BTreeMap::new();
    for patch in patches.code.iter().filter(|patch| patch.setting.is_some()) {
        optypes.entry(patch.erratum).or_default().extend(patch.optypes.iter().map(String::as_str));
    }
    let (mut unneeded, mut unlike, mut report) = (Vec::new(), Vec::new(), String::new());
    for (erratum, optypes) in optypes {
        let optypes: Vec<&str> = optypes.into_iter().collect();
        let mut text = Readings::INTENDED;
        let intended = text.setting(Erratum(erratum)).expect("a switch");
        text.set(Erratum(erratum), if intended == 1 { 2 } else { 1 }).unwrap();
        let without = patches.without(erratum);
        let of = |product| table(&specification, &optypes, &without, (text, product), batches(5_120));
        let ((_, needed), (page, differing)) = (of(Readings::INTENDED), of(text));
        if needed.is_empty() {
            unneeded.push(erratum);
        }
        if !differing.is_empty() {
            unlike.push(erratum);
            writeln!(report, "E{erratum:03}\n{page}").unwrap();
        }
    }
    assert_eq!((unneeded, unlike), (vec![50], vec![58, 126]), "{report}");
}

/// The text without patches equals the profile `literal`, except where the product is known not to
/// follow the text.
///
/// | optype | what the code says |
/// |---|---|
/// | BMSK | BMSK_RU has no `Rb` (E058) |
/// | UIMUL | the second factor is assigned, prefix included (E012) |
/// | ULEA | a signed immediate counts as an integer (E100); a prefix is applied to `URa` alone (E126) |
/// | UIMNMX | a signed immediate counts as an integer (E100) |
#[test]
fn the_text_equals_the_literal_profile() {
    let Some(specification) = specification() else { return };
    let literal = literal();
    let both = (literal, literal);
    let (page, differing) = table(&specification, &with_code(), Patches::known(), both, batches(5_120));
    println!("{COLUMNS}\n{page}");
    assert_eq!(differing, ["BMSK", "UIMUL", "ULEA", "UIMNMX"], "{COLUMNS}:\n{page}");
}

fn literal() -> Readings {
    assay_vectors::Profile::load("literal").expect("a built-in profile").readings
}

/// Returns the routines that do not run as the text stands, or with patches, and the counts.
fn states(specification: &Arc<Specification>, readings: Readings) -> (Vec<String>, [usize; 3]) {
    let codes = eval::codes(specification, EncodingTable::provisional());
    let rules = eval::rules(&readings).expect("a supported reading");
    let specification = Arc::clone(specification);
    let edition = if Patches::known().change_code(&rules) {
        Edition::new(specification, rules, Patches::known()).expect("the patches fit")
    } else {
        Edition::unpatched(specification, rules)
    };
    let output = statuses(&edition, &codes, Patches::known());
    let stopped = output.routines.iter().filter(|routine| routine.state != RoutineState::Runs);
    let line = |routine: &RoutineStatus| {
        format!("{} {:?} {}", routine.name, routine.state, routine.erratum.as_deref().unwrap_or("-"))
    };
    (stopped.map(line).collect(), [output.runs, output.part, output.stops])
}

/// 50 routines and a function. The function and 34 routines run as they stand.
#[test]
fn what_runs_is_known() {
    let Some(specification) = specification() else { return };
    assert_eq!(states(&specification, Readings::INTENDED), (vec![], [51, 0, 0]));
    let stopped = [
        "POPC Part E049",
        "BMSK Part E058",
        "CS2R Stops E066",
        "BFN Part E081",
        "UIMNMX Stops E133",
        "ULOP3 Stops E013",
        "UPLOP3 Stops E013",
        "USHF Stops E149",
        "UPRMT Stops E013",
        "UPOPC Part E049",
        "UFLO Stops E055",
        "UBMSK Stops E061",
        "USGXT Stops E061",
        "SETUGPR Stops E161",
        "FFMA Stops E177",
        "FSET Stops E187",
    ];
    let expected = stopped.iter().map(|line| (*line).to_owned()).collect();
    assert_eq!(states(&specification, literal()), (expected, [35, 4, 12]));
}
