//! The properties of suites and lines of cases: a readable one can be written, and the written text reads back the
//! same.

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

/// The reader and the writer of cases as the properties see them.
#[derive(Clone, Copy)]
pub struct Files {
    /// YAML to suite; the first argument is the name for errors.
    pub read: fn(&str, &str) -> Result<Suite, VectorError>,
    /// Suite to YAML.
    pub write: fn(&Suite) -> Result<String, VectorError>,
    /// A line of JSON to case.
    pub read_line: fn(&str) -> Result<Case, VectorError>,
    /// Case to a line of JSON.
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

/// Holds the case format to every file and every line that the bytes stand for.
pub fn case_file(data: &[u8], files: &Files) -> Result<Reached, Violation> {
    let [suites, lines] = documents(data);
    let suite = furthest(suites, |text| hold_suite(text, files))?;
    let line = furthest(lines, |text| hold_line(text, files))?;
    Ok(suite.max(line))
}

/// The suites and the lines that bytes stand for: the bytes as they are, and a generated case, whole in
/// a suite, and with scratches in both coats.
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

/// A readable suite can be written, and the written text reads as the same suite.
pub fn hold_suite(text: &str, files: &Files) -> Result<Reached, Violation> {
    let way = "reading, writing and reading a suite";
    let Ok(suite) = (files.read)("fuzzed", text).map_err(shows) else { return Ok(Reached::Refused) };
    let written = (files.write)(&suite).map_err(|e| refusal(way, text, e))?;
    let again = (files.read)("written", &written).map_err(|e| refusal(way, &written, e))?;
    equal(way, &suite, &again)?;
    suite.cases.iter().try_for_each(hold_case)?;
    Ok(Reached::Judged)
}

/// A readable line can be written as one line, and the written line reads as the same case.
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

/// A case that makes a batch has the inputs of that batch.
fn hold_case(case: &Case) -> Result<(), Violation> {
    let Ok((instruction, batch)) = case.batch(EncodingTable::provisional()).map_err(shows) else {
        return Ok(());
    };
    let again = Case::from_lane(&instruction, &batch, 0);
    equal("making a batch of a case", &case.inputs, &again.inputs)
}

/// A case of every shape that the format has, its texts of any characters.
fn any_case(u: &mut Unstructured<'_>) -> Drawn<Case> {
    let AnyCase { instruction, batch } = u.arbitrary()?;
    let source = *u.choose(&[Origin::Hand, Origin::Oracle, Origin::Finding, Origin::Hardware])?;
    let mut case = Case {
        name: "case".into(),
        skip: u.arbitrary()?,
        provenance: Some(Provenance { source, reference: u.arbitrary()?, detail: u.arbitrary()? }),
        ..Case::from_lane(&instruction, &batch, 0)
    };
    // Text alone, both, or the word alone.
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

/// The outcome in a case: none, an erratum, or an expectation and perhaps an event.
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
