//! The properties of suites and lines of cases: a value that is read can be written, and reads back
//! unchanged.

use arbitrary::{Result as Drawn, Unstructured};
use assay_isa::effect::{Action, Fault};
use assay_isa::readings::SWITCHES;
use assay_isa::{EncodingTable, Event, Instruction};
use assay_vectors::{
    Allowed, Case, Finding, Origin, Overrides, Provenance, Suite, VERSION, VectorError, parse_line,
    read_suite_str, suite_to_string,
};

use crate::{Reached, Violation, equal, furthest, refusal, scratch, shows};
use assay_engine::generate::AnyCase;

/// The functions under test that read and write cases.
#[derive(Clone, Copy)]
pub struct Files {
    /// Parses YAML into a suite. The first argument names the file in errors.
    pub read: fn(&str, &str) -> Result<Suite, VectorError>,
    /// Writes a suite as YAML.
    pub write: fn(&Suite) -> Result<String, VectorError>,
    /// Parses a line of JSON into a case.
    pub read_line: fn(&str) -> Result<Case, VectorError>,
    /// Writes a case as a line of JSON.
    pub write_line: fn(&Case) -> String,
}

impl Files {
    /// The functions of `assay-vectors`.
    pub const VECTORS: Files = Files {
        read: read_suite_str,
        write: suite_to_string,
        read_line: parse_line,
        write_line: Case::to_line,
    };
}

/// Checks the case format on every file and line that is derived from the bytes.
pub fn case_file(data: &[u8], files: &Files) -> Result<Reached, Violation> {
    let [suites, lines] = documents(data);
    let suite = furthest(suites, |text| hold_suite(text, files))?;
    let line = furthest(lines, |text| hold_line(text, files))?;
    Ok(suite.max(line))
}

/// Returns the suites and lines that are derived from the bytes: the bytes as they are, and a
/// generated case. The case is in an intact suite, a damaged suite and a damaged line.
pub fn documents(data: &[u8]) -> [Vec<String>; 2] {
    let raw = String::from_utf8_lossy(data).into_owned();
    let mut documents = [vec![raw.clone()], vec![raw]];
    let u = &mut Unstructured::new(data);
    let Ok(case) = any_case(u) else { return documents };
    let line = case.to_line();
    let (suite, about) = ("fuzzed".into(), case.skip.clone().unwrap_or_default());
    let suite = Suite { version: VERSION, suite, about, profile: None, cases: vec![case] };
    if let Ok(text) = suite_to_string(&suite) {
        documents[0].push(text.clone());
        documents[0].extend(scratch(u, text));
    }
    documents[1].extend(scratch(u, line));
    documents
}

/// Checks that a suite that is read can be written, and reads back unchanged.
pub fn hold_suite(text: &str, files: &Files) -> Result<Reached, Violation> {
    let way = "reading, writing and reading a suite";
    let Ok(suite) = (files.read)("fuzzed", text).map_err(shows) else { return Ok(Reached::Refused) };
    let written = (files.write)(&suite).map_err(|e| refusal(way, text, e))?;
    let again = (files.read)("written", &written).map_err(|e| refusal(way, &written, e))?;
    equal(way, &suite, &again)?;
    suite.cases.iter().try_for_each(hold_case)?;
    Ok(Reached::Judged)
}

/// Checks that a line that is read can be written as one line, and reads back unchanged.
pub fn hold_line(text: &str, files: &Files) -> Result<Reached, Violation> {
    let way = "reading, writing and reading a line";
    let Ok(case) = (files.read_line)(text).map_err(shows) else { return Ok(Reached::Refused) };
    let written = (files.write_line)(&case);
    if written.contains('\n') {
        return Err(refusal(way, &written, "it is more than one line"));
    }
    let again = (files.read_line)(&written).map_err(|e| refusal(way, &written, e))?;
    equal(way, &case, &again)?;
    hold_case(&case)?;
    Ok(Reached::Judged)
}

/// Checks that the inputs of a case survive in the batch that is made of it.
fn hold_case(case: &Case) -> Result<(), Violation> {
    let Ok((instruction, batch)) = case.batch(EncodingTable::provisional()).map_err(shows) else {
        return Ok(());
    };
    let again = Case::from_lane(&instruction, &batch, 0);
    equal("making a batch of a case", &case.inputs, &again.inputs)
}

/// Returns a case with any combination of the format's fields, and texts of any characters.
fn any_case(u: &mut Unstructured<'_>) -> Drawn<Case> {
    let AnyCase { instruction, batch } = u.arbitrary()?;
    let source = *u.choose(&[Origin::Hand, Origin::Oracle, Origin::Finding, Origin::Hardware])?;
    let mut case = Case {
        name: "case".into(),
        skip: u.arbitrary()?,
        provenance: Some(Provenance { source, reference: u.arbitrary()?, detail: u.arbitrary()? }),
        ..Case::from_lane(&instruction, &batch, 0)
    };
    // Coat 0 has the text alone, 1 has text and word, and 2 has the word alone.
    let coat = u.int_in_range(0..=2)?;
    case.word = (coat > 0).then_some(batch.word());
    case.asm = case.asm.filter(|_| coat < 2);
    if u.arbitrary()? {
        let switch = u.choose(SWITCHES)?;
        let setting = u.int_in_range(1..=switch.settings.len())? as u8;
        case.readings = Overrides::from_iter([(switch.erratum, setting)]);
    }
    outcome(u, &instruction, &mut case)?;
    if u.arbitrary()? {
        let (subject, signature) = (u.arbitrary()?, u.arbitrary()?);
        let actual = Some(case.inputs.clone());
        case.finding =
            Some(Finding { index: u.arbitrary()?, subject, signature, actual, ..Finding::default() });
    }
    Ok(case)
}

/// Draws the outcome of a case: none, an erratum, an expectation, or an expectation and an event.
fn outcome(u: &mut Unstructured<'_>, instruction: &Instruction, case: &mut Case) -> Drawn<()> {
    match u.int_in_range(0..=3)? {
        0 => {}
        1 => case.undefined = Some(u.choose(SWITCHES)?.erratum),
        kind => {
            let mut expected = Vec::new();
            for location in instruction.writes() {
                let bits: [u32; 2] = u.arbitrary()?;
                expected.extend(Allowed::any(bits).map(|allowed| (location, allowed)));
            }
            case.expect = Some(expected.into_iter().collect());
            let action = Action::Switch(u.arbitrary()?);
            let event = *u.choose(&[Event::Fault(Fault::Misaligned), Event::Executed(action)])?;
            case.event = (kind == 3).then_some(event);
        }
    }
    Ok(())
}
