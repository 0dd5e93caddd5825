//! The findings in the run's folder, shown in full, and the divergences that the result keeps.

use std::collections::BTreeMap;

use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::tally::{FINDINGS_EACH, ObservedDivergence, Tally};
use assay_isa::catalog::catalog;
use assay_isa::format::F32;
use assay_isa::shown::plural;
use assay_isa::{EncodingTable, Instruction, Location, asm, codec};
use assay_vectors::Values;

use crate::error_map;
use crate::finding_card as card;
use crate::number::{count, hex, share};
use crate::reported::{FindingFiles, ReportedFinding, ReportedRun};
use assay_pages::{Block, Inline, Table, Text, code, number, paragraph, row};

/// The text above the kept divergences.
const DECODED: &str = "Instructions are decoded with the provisional encoding table; a word that is \
                       something else under it stands alone.";
/// Number of findings that are shown unfolded.
const OPEN: usize = 3;
/// Greatest number of findings that are shown in full.
const FULL: usize = 40;

/// Returns the findings of a run, and the divergences that its result keeps. Empty without
/// divergences.
pub fn blocks(run: &ReportedRun) -> Vec<Block> {
    let tally = &run.outcome.tally;
    if tally.verdicts.diverged == 0 && run.found().is_empty() && tally.findings.is_empty() {
        return Vec::new();
    }
    let kept = kept_divergences(tally);
    let found: Vec<Block> = match &run.findings {
        FindingFiles::Read(list) if list.is_empty() => {
            let none = "The folder of the findings is empty: no divergence was shrunk.";
            [paragraph(none)].into_iter().chain(kept).collect()
        }
        FindingFiles::Read(list) => {
            let kept = Block::Folded("The first divergences of each function and kind".into(), kept);
            cards(list, tally.verdicts.diverged).into_iter().chain([kept]).collect()
        }
        FindingFiles::Missing(folder) => {
            let why = format!(
                "There is no folder `{folder}`: the page has no shrunk cases, and shows the divergences that the result keeps."
            );
            [paragraph(why)].into_iter().chain(kept).collect()
        }
        FindingFiles::Unreadable(why) => {
            let why = Text(vec![
                Inline::Words("The findings cannot be read: ".to_owned()),
                Inline::Verbatim(why.clone()),
            ]);
            [paragraph(why)].into_iter().chain(kept).collect()
        }
    };
    in_common(tally).into_iter().chain(found).collect()
}

/// Returns what the failing inputs of each swept function have in common. One shrunk case does not
/// tell it.
fn in_common(tally: &Tally) -> Vec<Block> {
    let sentence = |(name, accuracy): (&String, &Accuracy)| {
        let failing = error_map::failing(error_map::of(accuracy)?, F32)?;
        let failing =
            only_input(tally).map_or(failing, |input| format!("The only failing input is {}.", hex(input)));
        let text = vec![Inline::Verbatim(name.clone()), Inline::Words(format!(": {failing}"))];
        Some(paragraph(Text(text)))
    };
    tally.accuracy.iter().filter_map(sentence).collect()
}

/// Returns the input of the only divergence of a run. `None` if there are several, or several inputs.
fn only_input(tally: &Tally) -> Option<u32> {
    let found = tally.findings.values().flatten().next().filter(|_| tally.verdicts.diverged == 1)?;
    found.inputs.values().next().copied().filter(|_| found.inputs.len() == 1)
}

/// Returns the findings in full. If there are several, a table of their signatures comes first.
fn cards(list: &[ReportedFinding], diverged: u64) -> Vec<Block> {
    let explained_cases: u64 = list.iter().map(ReportedFinding::cases).sum();
    let findings =
        if list.len() == 1 { "One finding".to_owned() } else { format!("{} findings", list.len()) };
    let mut blocks = Vec::new();
    if explained_cases > 0 && diverged > 0 {
        let (explained, all) = (count(explained_cases), plural(count(diverged), "divergence", "divergences"));
        let rest = match diverged.saturating_sub(explained_cases) {
            0 => String::new(),
            rest => {
                format!(" The other {} were not examined, and another fault can be among them.", count(rest))
            }
        };
        blocks.push(paragraph(format!("{findings}, with {explained} of {all}.{rest}")));
    }
    if list.len() > 1 {
        blocks.push(signatures(list, diverged).into());
    }
    blocks.extend(in_full(list));
    blocks
}

/// Returns findings in full. The first ones are open, the others folded.
pub fn in_full(list: &[ReportedFinding]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (place, found) in list.iter().enumerate().take(FULL) {
        let heading = Text(vec![Inline::Verbatim(found.case.signature().to_owned())]);
        blocks.push(match place {
            0..OPEN => Block::Section { id: Some(id(found)), heading, body: card::blocks(found) },
            _ => Block::Folded(heading, card::blocks(found)),
        });
    }
    let more = list.len().saturating_sub(FULL);
    blocks.extend((more > 0).then(|| paragraph(format!("{more} more findings are in the table alone."))));
    blocks
}

/// Returns the id of a finding, for links.
fn id(found: &ReportedFinding) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    format!("finding-{}", found.file.chars().map(kept).collect::<String>())
}

/// Returns the signatures with their numbers of divergences, the most frequent first.
fn signatures(list: &[ReportedFinding], diverged: u64) -> Table {
    let mut sorted: Vec<&ReportedFinding> = list.iter().collect();
    sorted.sort_by_key(|found| std::cmp::Reverse(found.cases()));
    let rows = sorted.into_iter().map(|found| {
        let cases = found.cases();
        let share = if cases == 0 { String::new() } else { share(cases, diverged) };
        let signature = Text(vec![Inline::Verbatim(found.case.signature().to_owned())]);
        row![signature, cases, number(share), code(card::instruction(found)), card::file(found)]
    });
    Table::new("By signature", "Signature | Divergences | Share | Smallest case | File", rows)
}

/// Returns the divergences that a result keeps.
pub fn kept_divergences(tally: &Tally) -> Vec<Block> {
    let table = table(tally);
    if table.rows.is_empty() {
        return Vec::new();
    }
    let kept = format!(
        "{} of {} kept: the first {FINDINGS_EACH} of each function and kind. {DECODED}",
        kept(tally),
        plural(count(tally.verdicts.diverged), "divergence is", "divergences are")
    );
    let keys = keys(tally).map(paragraph);
    [paragraph(kept)].into_iter().chain(keys).chain([table.into()]).collect()
}

/// Returns the kept divergences: the first cases for each function and kind of divergence.
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

/// Returns the first kept divergence of each function and kind of divergence, for at most `kinds`.
pub fn brief(tally: &Tally, kinds: usize) -> Table {
    let firsts = tally.findings.iter().filter_map(|(key, list)| Some((key, list.first()?)));
    let rows = firsts.take(kinds).map(|(key, found)| {
        let text = assembler(key, found).unwrap_or_else(|| word(found));
        row![key.as_str(), found.index, code(text), code(inputs(&found.inputs))]
    });
    Table::new("", "finding | case | instruction | inputs", rows)
}

/// Returns the findings and the kept divergences of a run as texts, by the name of the judged form
/// or function. If neither name is known, the text is under the first judged name of the optype, or
/// else under the empty name. For a name without a finding, the first divergence is shown in full,
/// before the others.
pub fn by_name(run: &ReportedRun, names: &[&String]) -> BTreeMap<String, Vec<String>> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let is_judged = |name: &str| names.iter().any(|known| *known == name);
    let mut shown: Vec<u64> = run.found().iter().filter_map(index).collect();
    let in_full =
        |found: &ReportedFinding| format!("{}\n  {}", title(found), card::lines(found).join("\n  "));
    for found in run.found() {
        let name = of_finding(run, found).filter(|name| is_judged(name));
        let name = name.or_else(|| of_optype(found.case.signature(), names)).unwrap_or_default();
        texts.entry(name).or_default().push(in_full(found));
    }
    for (name, first) in run.firsts.iter().filter(|(name, _)| is_judged(name)) {
        if !texts.contains_key(name) {
            texts.insert(name.clone(), vec![in_full(first)]);
            shown.extend(index(first));
        }
    }
    for (key, list) in &run.outcome.tally.findings {
        for found in list.iter().filter(|found| !shown.contains(&found.index)) {
            let form = decoded(key, found);
            let name = form.into_iter().flat_map(names_of).find(|name| is_judged(name));
            let name = name.or_else(|| of_optype(key, names)).unwrap_or_default();
            let text = assembler(key, found).unwrap_or_else(|| word(found));
            let line = format!("{key}: case {}: {text} with {}", count(found.index), inputs(&found.inputs));
            texts.entry(name).or_default().push(line);
        }
    }
    texts
}

/// Returns the title of a finding: its signature. For a divergence that was not shrunk, the number
/// of its case follows.
fn title(found: &ReportedFinding) -> String {
    let signature = found.case.signature();
    match index(found).filter(|_| found.file.is_empty()) {
        Some(index) => format!("{signature}: case {}, not shrunk", count(index)),
        None => signature.to_owned(),
    }
}

/// Returns the two names under which an instruction can be judged: its form and its function.
fn names_of(instruction: Instruction) -> [String; 2] {
    [instruction.form().name.to_owned(), instruction.function()]
}

/// Returns the name of a finding's form or function that has divergences. The instruction of the
/// case in the run has priority, because the instruction of the finding may have changed when its
/// case was shrunk.
fn of_finding(run: &ReportedRun, found: &ReportedFinding) -> Option<String> {
    let tally = &run.outcome.tally;
    let index = index(found)?;
    let kept = tally.findings.iter().find_map(|(key, list)| {
        let seen = list.iter().find(|kept| kept.index == index)?;
        decoded(key, seen)
    });
    let shrunk = || asm::parse(found.case.asm.as_deref()?).ok();
    let names = names_of(kept.or_else(shrunk)?);
    let is_judged = |name: &String| {
        let counts = [&tally.functions, &tally.forms].map(|list| list.get(name));
        counts.into_iter().flatten().any(|counts| counts.diverged > 0)
    };
    names.into_iter().find(is_judged)
}

fn index(found: &ReportedFinding) -> Option<u64> {
    found.case.finding.as_ref()?.index
}

/// Returns the first judged name that belongs to the optype at the start of `text`. The text is a
/// signature or the key of a divergence.
fn of_optype(text: &str, names: &[&String]) -> Option<String> {
    let optype = text.split([' ', '.']).next().unwrap_or_default();
    let is_of = |name: &&&String| match catalog().form(name) {
        Some(form) => form.optype.name == optype,
        // The name is a function, or a form that this program does not know.
        None => name.strip_prefix(optype).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '_'])),
    };
    names.iter().find(is_of).map(|name| (*name).clone())
}

/// Returns the number of kept divergences.
pub fn kept(tally: &Tally) -> usize {
    tally.findings.values().map(Vec::len).sum()
}

/// Returns how many divergences are counted in groups by raw key, and how many are not. `None`
/// without divergences.
pub fn keys(tally: &Tally) -> Option<String> {
    let (mut keys, mut total, mut beyond) = (0, 0, 0);
    for divergences in tally.divergences.values() {
        keys += divergences.keys().count() as u64;
        total += divergences.total();
        beyond += divergences.beyond();
    }
    (total > 0).then(|| {
        let counted = plural(count(total - beyond), "divergence is", "divergences are");
        let groups = plural(count(keys), "group", "groups");
        let beyond = count(beyond);
        format!(
            "{counted} in {groups}, {beyond} in none. A group has one mode, kind of error and class of each value."
        )
    })
}

/// Returns the instruction of a divergence as text, if it can be decoded.
pub fn assembler(key: &str, found: &ObservedDivergence) -> Option<String> {
    decoded(key, found).map(|instruction| asm::print(&instruction))
}

/// Returns the instruction of a divergence, decoded with the provisional encoding table. The run
/// may have used another table. So the result is `None` if the decoded function differs from the
/// function in the key.
fn decoded(key: &str, found: &ObservedDivergence) -> Option<Instruction> {
    let instruction = codec::decode(found.word, EncodingTable::provisional()).ok()?;
    let same = key.strip_prefix(&instruction.function())?.starts_with(' ');
    same.then_some(instruction)
}

/// Returns the instruction word of a divergence as text.
fn word(found: &ObservedDivergence) -> String {
    format!("{:#034x}", found.word)
}

/// Returns inputs as the command line expects them, such as `P0=true R1=0x3f800000`. They are
/// sorted by the names of their locations.
fn inputs(values: &Values) -> String {
    let text = |(location, value): (&Location, &u32)| {
        if location.is_predicate() {
            (location.to_string(), (*value != 0).to_string())
        } else {
            (location.to_string(), hex(*value))
        }
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

    /// Returns a run over the given forms, which keeps a divergence for each key.
    fn run(keys: &[(&str, &str)], forms: &[&str]) -> ReportedRun {
        let mut outcome = samples::fuzz();
        let finding = |place: usize, text: &str| vec![samples::finding(place as u64, text, &[])];
        let findings = keys.iter().enumerate();
        outcome.tally.findings =
            findings.map(|(place, (key, text))| ((*key).to_owned(), finding(place, text))).collect();
        let counts = outcome.tally.forms["FADD_RR"];
        outcome.tally.forms = forms.iter().map(|form| ((*form).to_owned(), counts)).collect();
        ReportedRun::bare("a", outcome)
    }

    #[test]
    fn each_divergence_is_listed_once_and_under_its_form() {
        let keys = [
            ("FADD value", "FADD R0, R1, R2"),
            ("FADD flush", "FADD R0, R1, 1.0"),
            ("FMUL value", "FADD R0, R1, R2"),
        ];
        let run = run(&keys, &["FADD_RI", "FADD_RR", "FMUL_RR"]);
        let names: Vec<&String> = run.outcome.tally.forms.keys().collect();
        let texts = by_name(&run, &names);
        let firsts: Vec<(&str, usize, bool)> =
            texts.iter().map(|(name, list)| (name.as_str(), list.len(), list[0].contains("0x"))).collect();
        assert_eq!(firsts, [("FADD_RI", 1, false), ("FADD_RR", 1, false), ("FMUL_RR", 1, true)]);
    }

    #[test]
    fn a_divergence_of_no_judged_form_is_kept_under_no_name() {
        let run = run(&[("FADD value", "FADD R0, R1, R2")], &["FMUL_RR"]);
        let names: Vec<&String> = run.outcome.tally.forms.keys().collect();
        assert_eq!(by_name(&run, &names).keys().collect::<Vec<_>>(), [""]);
    }

    #[test]
    fn a_shrunk_finding_is_listed_where_it_was_seen() {
        let mut run = run(&[("FADD value", "FADD R0, R1, 1.0")], &["FADD_RI", "FADD_RR"]);
        let mut found = samples::found()[0].clone();
        found.case.finding.as_mut().unwrap().index = Some(0);
        run.findings = FindingFiles::Read(vec![found]);
        let names: Vec<&String> = run.outcome.tally.forms.keys().collect();
        let texts = by_name(&run, &names);
        assert_eq!(texts.keys().collect::<Vec<_>>(), ["FADD_RI"], "and the kept divergence is the same case");
        assert_eq!(texts["FADD_RI"].len(), 1);
    }

    #[test]
    fn predicates_read_as_such() {
        let values = [(Location::R(1), 1), (Location::P(0), 1)].into_iter().collect();
        assert_eq!(inputs(&values), "P0=true R1=0x00000001");
    }
}
