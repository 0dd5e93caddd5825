//! Findings, their words put back into assembler text.

use std::collections::BTreeMap;

use assay_engine::stats::tally::{ObservedDivergence, Tally};
use assay_isa::catalog::catalog;
use assay_isa::{EncodingTable, Location, asm, codec};
use assay_vectors::Values;

use crate::number::{count, hex};
use assay_pages::{Table, code, row};

/// The findings kept: for each function and kind of divergence the first cases.
pub fn table(tally: &Tally) -> Table {
    let all = tally.findings.iter().flat_map(|(key, list)| list.iter().enumerate().map(move |it| (key, it)));
    let rows = all.map(|(key, (position, found))| {
        let key_once = if position == 0 { key } else { "" };
        let text = assembler(key, found).unwrap_or_default();
        row![key_once, found.index, code(text), code(inputs(&found.inputs)), code(word(found))]
    });
    let head = "Function and kind | Case | Instruction | Inputs | Word";
    Table::new("The first cases of each function and kind", head, rows)
}

/// The first finding of each function and kind of divergence, of at most `kinds` of them.
pub fn brief(tally: &Tally, kinds: usize) -> Table {
    let firsts = tally.findings.iter().filter_map(|(key, list)| Some((key, list.first()?)));
    let rows = firsts.take(kinds).map(|(key, found)| {
        let text = assembler(key, found).unwrap_or_else(|| word(found));
        row![key.as_str(), found.index, code(text), code(inputs(&found.inputs))]
    });
    Table::new("", "finding | case | instruction | inputs", rows)
}

/// The findings of a form or a function, a line each. A finding is listed under its function: a form has those of its
/// optype, and a function with modifiers those of the function that it modifies.
pub fn lines(tally: &Tally, of: &str) -> Vec<String> {
    let optype = catalog().form(of).map_or(of, |form| form.optype.name);
    let belongs = |key: &str| {
        let function = key.split(' ').next().unwrap_or_default();
        let modified = of.strip_prefix(function).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        modified || function.split('.').next() == Some(optype)
    };
    let kinds = tally.findings.iter().filter(|(key, _)| belongs(key));
    let line = |key: &str, found: &ObservedDivergence| {
        let text = assembler(key, found).unwrap_or_else(|| word(found));
        format!("{key}: case {}: {text} with {}", count(found.index), inputs(&found.inputs))
    };
    kinds.flat_map(|(key, list)| list.iter().map(move |found| line(key, found))).collect()
}

/// Number of findings kept.
pub fn kept(tally: &Tally) -> usize {
    tally.findings.values().map(Vec::len).sum()
}

/// How many divergences are counted by raw key, and how many are not; nothing where none is.
pub fn keys(tally: &Tally) -> Option<String> {
    let (mut keys, mut total, mut beyond) = (0, 0, 0);
    for divergences in tally.divergences.values() {
        keys += divergences.keys().count() as u64;
        total += divergences.total();
        beyond += divergences.beyond();
    }
    (total > 0).then(|| {
        let (keys, counted, beyond) = (count(keys), count(total - beyond), count(beyond));
        format!("{counted} divergences are counted under {keys} raw keys, {beyond} under none.")
    })
}

/// The instruction of a finding, decoded with the provisional encoding table. The run may have used
/// another one; what decodes to another function than the finding's key names is therefore not shown.
pub fn assembler(key: &str, found: &ObservedDivergence) -> Option<String> {
    let instruction = codec::decode(found.word, EncodingTable::provisional()).ok()?;
    let same = key.strip_prefix(&instruction.function())?.starts_with(' ');
    same.then(|| asm::print(&instruction))
}

/// The word of a finding.
fn word(found: &ObservedDivergence) -> String {
    format!("{:#034x}", found.word)
}

/// Values of locations as the command line takes them, in the order of the locations' texts: `P0=true R1=0x3f800000`.
fn inputs(values: &Values) -> String {
    let text = |(location, value): (&Location, &u32)| match location.is_predicate() {
        true => (location.to_string(), (*value != 0).to_string()),
        false => (location.to_string(), hex(*value)),
    };
    let texts: BTreeMap<String, String> = values.iter().map(text).collect();
    texts.iter().map(|(location, value)| format!("{location}={value}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::samples;

    #[test]
    fn words_of_another_table_of_numbers_are_not_decoded() {
        let found = samples::finding(7, "FADD R0, R1, R2", &[("R1", 1), ("R2", 2)]);
        assert_eq!(assembler("FADD value", &found).as_deref(), Some("FADD R0, R1, R2"));
        assert_eq!(assembler("FMUL value", &found), None);
        assert_eq!(assembler("FADDX value", &found), None);
        assert_eq!(assembler("FADD value", &ObservedDivergence { word: u128::MAX, ..found }), None);
    }

    #[test]
    fn forms_and_functions_know_their_findings() {
        let finding = || vec![samples::finding(7, "FADD R0, R1, R2", &[])];
        let keys = ["FADD.FTZ value", "UIMAD_WIDE value", "MUFU.EX2.F16 value"];
        let findings = keys.map(|key| (key.to_owned(), finding())).into();
        let tally = Tally { findings, ..Tally::default() };
        let number = |of: &str| lines(&tally, of).len();
        assert_eq!(["FADD_RR", "FADD", "UIMAD_WIDE", "MUFU.EX2.F16.SAT"].map(number), [1; 4]);
        assert_eq!(["FMUL_RR", "UIMAD", "MUFU.EX2.F16_V2"].map(number), [0; 3]);
    }

    #[test]
    fn predicates_read_as_such() {
        let values = [(Location::R(1), 1), (Location::P(0), 1)].into_iter().collect();
        assert_eq!(inputs(&values), "P0=true R1=0x00000001");
    }
}
