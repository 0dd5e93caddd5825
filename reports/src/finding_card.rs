//! One finding: smallest case, expected and actual values, agreeing implementations, and replay
//! command.

use std::collections::BTreeSet;

use assay_engine::compare::shown_value::{ShownValue, bit_names, float_format};
use assay_engine::triage::condition::Condition;
use assay_isa::readings::Switch;
use assay_isa::shown::plural;
use assay_isa::{Erratum, Instruction, Location, asm, shown};
use assay_vectors::{Allowed, Finding, FindingCondition};

use crate::number::count;
use crate::reported::{ReportedFinding, Side};
use assay_pages::{Block, Cell, Inline, Table, Text, code, number, paragraph, row};

/// A value that the case expects and the value that the subject wrote.
struct ComparedValue {
    location: Location,
    /// The expected value. If several are listed, the end of a listed span that differs from the
    /// actual value in the fewest bits. If a bound decides, the oracle's result. `None` if nothing
    /// may be written.
    expected: Option<u32>,
    /// Whether other values are allowed too.
    has_others: bool,
    /// The value that the subject wrote, if any.
    actual: Option<u32>,
}

impl ComparedValue {
    /// Returns the bits that differ; 0 if one of the values is missing.
    fn differing(&self) -> u32 {
        self.expected.zip(self.actual).map_or(0, |(expected, actual)| expected ^ actual)
    }
}

/// Returns everything known about a finding.
pub fn blocks(found: &ReportedFinding) -> Vec<Block> {
    let mut blocks = vec![paragraph(about(found)), values(found).into()];
    blocks.extend(difference(found).map(paragraph));
    blocks.extend(conditions(found).into_iter().map(paragraph));
    blocks.extend(agreement(found).map(paragraph));
    blocks.extend(found.right_under.iter().map(|setting| paragraph(erratum(*setting))));
    blocks.extend(shapes(found));
    blocks.push(Block::Command(found.replay.clone()));
    blocks.push(paragraph(file(found)));
    blocks
}

/// Returns the path of a finding's file. It is a link if the page is stored beside the file.
pub fn file(found: &ReportedFinding) -> Text {
    match &found.link {
        Some(link) => Inline::File(found.file.clone(), link.clone()).into(),
        None => Inline::Code(found.file.clone()).into(),
    }
}

/// Returns the instruction of a finding as text, or else its word.
pub fn instruction(found: &ReportedFinding) -> String {
    match (&found.case.asm, found.case.word) {
        (Some(text), _) => text.clone(),
        (None, Some(word)) => format!("{word:#034x}"),
        (None, None) => String::new(),
    }
}

/// Returns the finding as lines, for a terminal or a CI system.
pub fn lines(found: &ReportedFinding) -> Vec<String> {
    let inputs: Vec<String> =
        found.case.inputs.iter().map(|(l, v)| format!("{l}={}", bits(*l, *v))).collect();
    let mut lines = vec![format!("{} with {}", instruction(found), inputs.join(" "))];
    lines.extend(compared(found).iter().map(|value| {
        let text = |bits: Option<u32>| {
            bits.map_or("nothing".to_owned(), |bits| {
                let parts = shown_value(found, value.location, bits).into_iter();
                parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
            })
        };
        let differing = match value.differing() {
            0 => String::new(),
            mask => format!("; {}", bit_names(mask)),
        };
        let (location, expected, actual) = (value.location, text(value.expected), text(value.actual));
        if knows_expected(found) {
            format!("{location}: expected {expected}, actual {actual}{differing}")
        } else {
            // A bound decides, and no true value was computed for these lines.
            format!("{location}: actual {actual}{}", off(found))
        }
    }));
    lines.extend(event(found));
    lines.extend(conditions(found));
    lines.extend(agreement(found).map(|text| plain(&text)));
    lines.extend(found.right_under.iter().map(|setting| plain(&erratum(*setting))));
    lines.push(found.replay.clone());
    lines
}

/// Whether an expected value is known: the case lists one, or the oracle's answer is present.
fn knows_expected(found: &ReportedFinding) -> bool {
    found.case.expect.is_some() || found.answers.iter().any(|answer| answer.side == Side::Oracle)
}

/// Returns the error of the result, if it was measured.
fn off(found: &ReportedFinding) -> String {
    let ulp = found.case.finding.as_ref().and_then(|finding| finding.ulp.as_ref());
    ulp.map_or(String::new(), |ulp| format!(", {ulp} ulp off"))
}

fn plain(text: &Text) -> String {
    let part = |part: &Inline| match part {
        Inline::Words(text) | Inline::Code(text) => text.clone(),
        _ => String::new(),
    };
    text.0.iter().map(part).collect()
}

/// Returns the instruction, and the facts about the finding.
fn about(found: &ReportedFinding) -> Text {
    let mut parts = vec![Inline::Code(instruction(found))];
    if let Some(Finding { verdict, ulp, cases, index, when, .. }) = &found.case.finding {
        let off = ulp.as_ref().map(|ulp| format!("{ulp} ulp off"));
        let cases = cases.map(|n| plural(count(n), "divergence", "divergences"));
        let index = index.map(|index| format!("found in case {}", count(index)));
        let facts = [Some(shown::line(verdict).into_owned()), off, cases, index, when.clone()];
        let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        parts.push(Inline::Words(format!(" {facts}")));
    }
    Text(parts)
}

/// Returns the inputs, and the expected values beside the values that the subject wrote.
fn values(found: &ReportedFinding) -> Table {
    let inputs = found.case.inputs.iter().map(|(location, bits)| value(found, "input", *location, *bits, 0));
    let results = compared(found).into_iter().flat_map(|value| {
        let mask = value.differing();
        let role = if value.has_others { "nearest expected" } else { "expected" };
        [(role, value.expected), ("actual", value.actual)].map(|(role, bits)| match bits {
            Some(bits) => self::value(found, role, value.location, bits, mask),
            None => row![role, code(value.location.to_string()), code(""), number("not written"), "", ""],
        })
    });
    Table::new("", "Value | Location | Bits | Number | Class | Binary", inputs.chain(results)).open()
}

fn value(found: &ReportedFinding, role: &str, location: Location, bits: u32, mask: u32) -> [Cell; 6] {
    let [hexadecimal, decimal, class] = shown_value(found, location, bits);
    let format = parsed(found).and_then(|instruction| float_format(&instruction, location));
    let groups = format.map(|format| [1, format.exponent_bits]);
    let binary = if location.is_predicate() { Text::default() } else { binary(bits, mask, groups) };
    row![role, code(location.to_string()), code(hexadecimal), number(decimal), class, binary]
}

/// Returns the bits of a value, with the differing bits marked. Spaces separate sign, exponent and
/// fraction, or else bytes.
fn binary(bits: u32, mask: u32, groups: Option<[u32; 2]>) -> Text {
    let ends: Vec<u32> = match groups {
        Some([sign, exponent]) => vec![32 - sign, 32 - sign - exponent],
        None => vec![24, 16, 8],
    };
    let mut parts: Vec<Inline> = Vec::new();
    for bit in (0..32).rev() {
        let digit = if bits >> bit & 1 == 1 { '1' } else { '0' };
        let is_changed = mask >> bit & 1 == 1;
        match parts.last_mut() {
            Some(Inline::Changed(text)) if is_changed => text.push(digit),
            Some(Inline::Code(text)) if !is_changed => text.push(digit),
            _ if is_changed => parts.push(Inline::Changed(digit.into())),
            _ => parts.push(Inline::Code(digit.into())),
        }
        if ends.contains(&bit) {
            match parts.last_mut() {
                Some(Inline::Code(text)) => text.push(' '),
                _ => parts.push(Inline::Words(" ".to_owned())),
            }
        }
    }
    Text(parts)
}

/// Returns the expected and actual values, by location.
fn compared(found: &ReportedFinding) -> Vec<ComparedValue> {
    let actual = found.case.finding.as_ref().and_then(|finding| finding.actual.as_ref());
    let of = |location: Location| actual.and_then(|values| values.get(&location).copied());
    let oracle = found.answers.iter().find(|answer| answer.side == Side::Oracle);
    let mut list: Vec<ComparedValue> = match &found.case.expect {
        Some(expect) => expect
            .iter()
            .map(|(location, allowed)| {
                let actual = of(*location);
                let ends = allowed.ends();
                ComparedValue {
                    location: *location,
                    expected: nearest(allowed, actual),
                    has_others: ends.len() > 1,
                    actual,
                }
            })
            .collect(),
        // A bound decides. The oracle's result serves as the nearest allowed value.
        None => {
            let writes = oracle.iter().flat_map(|answer| &answer.writes);
            let one = |(location, bits): &(Location, u32)| ComparedValue {
                location: *location,
                expected: Some(*bits),
                has_others: true,
                actual: of(*location),
            };
            writes.map(one).collect()
        }
    };
    let unexpected = actual.iter().flat_map(|values| values.iter());
    let unexpected: Vec<ComparedValue> = unexpected
        .filter(|(location, _)| list.iter().all(|value| value.location != **location))
        .map(|(location, bits)| ComparedValue {
            location: *location,
            expected: None,
            has_others: false,
            actual: Some(*bits),
        })
        .collect();
    list.extend(unexpected);
    list
}

/// Returns the end of an allowed span that differs from `actual` in the fewest bits.
fn nearest(allowed: &Allowed, actual: Option<u32>) -> Option<u32> {
    let actual = actual.unwrap_or_default();
    allowed.ends().into_iter().min_by_key(|end| (end ^ actual).count_ones())
}

/// Names the bits in which the results differ.
fn difference(found: &ReportedFinding) -> Option<Text> {
    let differing = compared(found).into_iter().filter(|value| value.differing() != 0);
    let parts: Vec<String> = differing
        .map(|value| format!("{} differs in {}", value.location, bit_names(value.differing())))
        .collect();
    let parts: Vec<String> = parts.into_iter().chain(event(found)).collect();
    (!parts.is_empty()).then(|| format!("{}.", parts.join(". ")).into())
}

/// Returns the expected and the reported event, if they differ.
fn event(found: &ReportedFinding) -> Option<String> {
    let actual = found.case.finding.as_ref().and_then(|finding| finding.event);
    let text = |event: &Option<_>| event.as_ref().map_or("no event".to_owned(), ToString::to_string);
    let expected = found.case.event;
    (expected != actual).then(|| format!("Event: expected {}, actual {}", text(&expected), text(&actual)))
}

/// Names the implementations that agree with the expected result, and those that agree with the
/// subject.
fn agreement(found: &ReportedFinding) -> Option<Text> {
    let of = |sides: &[Side]| -> Vec<&str> {
        let some = found.answers.iter().filter(|answer| sides.contains(&answer.side));
        some.map(|answer| answer.implementation.as_str()).collect()
    };
    if found.answers.is_empty() {
        return None;
    }
    let mut parts = vec![Inline::Words("Agree with the expected result: ".to_owned())];
    let names = |list: Vec<&str>| {
        if list.is_empty() { vec![Inline::Words("none".to_owned())] } else { Text::codes(list).0 }
    };
    parts.extend(names(of(&[Side::Oracle, Side::Expected])));
    parts.push(Inline::Words(". With the subject: ".to_owned()));
    parts.extend(names(of(&[Side::Subject])));
    let others = of(&[Side::Neither]);
    if !others.is_empty() {
        parts.push(Inline::Words(". With neither: ".to_owned()));
        parts.extend(Text::codes(others).0);
    }
    parts.push(Inline::Words(".".to_owned()));
    Some(Text(parts))
}

/// Returns an erratum's setting under which the subject is right, with its meaning.
fn erratum((erratum, setting): (Erratum, u8)) -> Text {
    let switch = Switch::of(erratum);
    let [question, meaning] =
        switch.map_or(["", "unknown"], |switch| [switch.question, switch.meaning(setting)]);
    Text(vec![
        Inline::Words("In this case the subject is right under ".to_owned()),
        Inline::Code(format!("--reading {erratum}={setting}")),
        Inline::Words(format!(". {question}: {}.", meaning)),
    ])
}

/// Returns a sentence for each optype with the conditions under which cases fail, if any were
/// found.
fn conditions(found: &ReportedFinding) -> Vec<String> {
    let conditions = || found.case.finding.iter().flat_map(|finding| &finding.conditions);
    let optypes: BTreeSet<&str> = conditions().map(|condition| &condition.optype[..]).collect();
    let of = |optype: &str| conditions().filter(|it| it.optype == optype).collect::<Vec<_>>();
    let sentences: Vec<String> = optypes.into_iter().map(|optype| sentence(optype, &of(optype))).collect();
    // A finding lists its divergences only if no explanation covers them.
    let is_bare = |it: &Finding| !it.found.is_empty() && it.conditions.is_empty() && it.shapes.len() <= 1;
    if found.case.finding.as_ref().is_some_and(is_bare) {
        return vec!["Neither an explanation nor a condition of the failing cases was found.".to_owned()];
    }
    sentences
}

/// Returns a sentence with the conditions under which cases of an optype fail.
fn sentence(optype: &str, conditions: &[&FindingCondition]) -> String {
    let words = |FindingCondition { all, failing, passing, excluded, .. }: &FindingCondition| {
        let parsed = Condition::parse(optype, all, [*failing, *passing, *excluded]);
        parsed.map_or_else(|_| all.join(" and "), |condition| condition.to_string())
    };
    let words: Vec<String> = conditions.iter().map(|it| words(it)).collect();
    let numbers =
        conditions.iter().map(|it| format!("{} of {}", count(it.failing), count(it.failing + it.passing)));
    let numbers: Vec<String> = numbers.collect();
    // A case that one condition excludes may meet another condition.
    let others = match conditions {
        [only] => format!(", and none of {} others", count(only.excluded)),
        _ => String::new(),
    };
    format!(
        "In the cases tried, {optype} fails in this way only {}: {} such cases do{others}.",
        words.join(", or "),
        numbers.join(" and ")
    )
}

/// Returns the different symptoms of a finding without an explanation, if there are several.
fn shapes(found: &ReportedFinding) -> Option<Block> {
    let shapes = &found.case.finding.as_ref()?.shapes;
    let rows = shapes.iter().map(|shape| {
        let inputs: Vec<String> = shape.inputs.iter().map(|(l, v)| format!("{l}={}", bits(*l, *v))).collect();
        row![shape.signature.as_str(), code(&shape.asm), code(inputs.join(" "))]
    });
    let table = Table::new("", "Symptom | Instruction | Inputs", rows).open();
    let summary = format!("No explanation; it shows in {} ways", shapes.len());
    (shapes.len() > 1).then(|| Block::Folded(summary.into(), vec![table.into()]))
}

fn parsed(found: &ReportedFinding) -> Option<Instruction> {
    asm::parse(found.case.asm.as_deref()?).ok()
}

/// Returns the bits, the number and the class of a value.
fn shown_value(found: &ReportedFinding, location: Location, value: u32) -> [String; 3] {
    match parsed(found) {
        Some(instruction) => {
            let ShownValue { bits, number, class } = ShownValue::of(&instruction, location, value);
            [bits, number, class]
        }
        None => [bits(location, value), String::new(), String::new()],
    }
}

fn bits(location: Location, value: u32) -> String {
    if location.is_predicate() { (value != 0).to_string() } else { format!("{value:#010x}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::samples;

    #[test]
    fn bits_that_differ_are_marked() {
        let text = binary(0xbf80_0001, 0x8000_0003, Some([1, 8]));
        let changed = |text: &str| Inline::Changed(text.to_owned());
        let fraction = format!("01111111 {}", "0".repeat(21));
        let same = [Inline::Words(" ".to_owned()), Inline::Code(fraction)];
        assert_eq!(text.0, [vec![changed("1")], same.into(), vec![changed("01")]].concat());
    }

    #[test]
    fn a_finding_in_lines_has_everything_to_act_on() {
        let found = &samples::found()[0];
        insta::assert_snapshot!(lines(found).join("\n"));
    }

    #[test]
    fn a_result_that_is_not_written_reads_as_nothing() {
        let mut found = samples::found()[0].clone();
        found.case.finding.as_mut().unwrap().actual = Some(Default::default());
        assert!(lines(&found)[1].ends_with("actual nothing"), "{:?}", lines(&found));
        found.case.expect = Some(Default::default());
        assert!(lines(&found)[1].starts_with("Agree"), "{:?}", lines(&found));
    }
}
