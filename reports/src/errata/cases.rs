//! The executed cases of an erratum: as a table for a page, or as lines for a terminal.

use super::words::Words;
use super::{Answer, Execution, Group, Value};
use assay_pages::{Cell, Table, code};

/// Greatest number of groups that a page shows for an erratum.
const GROUPS: usize = 3;

/// Returns a table with a row for each of the first groups, and a column for each setting. Groups
/// that distinguish settings come first.
pub fn table(groups: &[Group], words: Words) -> Table {
    let settings = groups.iter().flat_map(|g| &g.executions).filter_map(|e| e.setting).max();
    let columns: Vec<Option<u8>> = settings.map_or(vec![None], |last| (1..=last).map(Some).collect());
    let name = |setting: &Option<u8>| match setting {
        Some(number) => format!("{} {number}", words.reading()),
        None => words.say("Result", "结果").to_owned(),
    };
    let mut head = vec![words.say("Instruction", "指令").to_owned(), words.say("Inputs", "输入").to_owned()];
    head.extend(columns.iter().map(name));
    let row = |group: &Group| {
        let inputs = group.inputs.iter().map(|input| format!("{} = {}", input.location, input.bits));
        let others = group.others.iter().map(|other| format!("{} {other}", words.with()));
        let inputs = inputs.chain(others).collect::<Vec<_>>().join("; ");
        let results = columns.iter().map(|setting| result(group, *setting, words));
        [code(&group.instruction)]
            .into_iter()
            .chain([inputs].into_iter().chain(results).map(Cell::from))
            .collect()
    };
    let telling = |group: &&Group| tells_apart(group, &columns);
    let some = groups.iter().filter(telling).chain(groups.iter().filter(|group| !telling(group)));
    Table { head, rows: some.take(GROUPS).map(row).collect(), is_open: true, ..Table::default() }
}

/// Whether a group was executed under every setting, and its answers are not all equal.
fn tells_apart(group: &Group, settings: &[Option<u8>]) -> bool {
    let shown = |setting: &Option<u8>| group.executions.iter().any(|e| e.setting == *setting);
    let differ = group.executions.windows(2).any(|pair| pair[0].answers != pair[1].answers);
    differ && settings.iter().all(shown)
}

/// Returns the outcome of a group under a setting.
fn result(group: &Group, setting: Option<u8>, words: Words) -> String {
    let Some(execution) = group.executions.iter().find(|e| e.setting == setting) else {
        return String::new();
    };
    let implementations = implementations(execution);
    let said = |(name, spoken): &(String, &Answer)| {
        let text = answer(spoken, words, |value| value.bits.clone());
        if implementations.len() == 1 { text } else { format!("{name}{}{text}", words.colon()) }
    };
    let failed = execution.problem.iter().map(|problem| format!("{} {problem}", words.failed()));
    implementations.iter().map(said).chain(failed).collect::<Vec<_>>().join("; ")
}

/// Returns each instruction with its inputs, and the answers under each setting.
pub fn lines(groups: &[Group], words: Words) -> Vec<String> {
    groups.iter().flat_map(|group| group_lines(group, words)).collect()
}

fn group_lines(group: &Group, words: Words) -> Vec<String> {
    let others = group.others.join(" ");
    let others = if others.is_empty() { others } else { format!("  {} {others}", words.with()) };
    let mut lines = vec![format!("    {}{others}", group.instruction)];
    lines.extend(group.inputs.iter().map(|input| format!("      {:<14} {}", input.location, value(input))));
    for execution in &group.executions {
        let setting = execution.setting.map(|number| format!("{} {number}  ", words.reading()));
        lines.push(format!("      {}{}", setting.unwrap_or_default(), execution.case));
        let said = |(implementations, spoken)| {
            format!("        {implementations:<12} {}", answer(spoken, words, value))
        };
        lines.extend(implementations(execution).into_iter().map(said));
        let failed = execution.problem.iter();
        lines.extend(failed.map(|problem| format!("        {} {problem}", words.failed())));
    }
    lines
}

fn value(Value { bits, meaning, .. }: &Value) -> String {
    if meaning.is_empty() { bits.clone() } else { format!("{bits}  {meaning}") }
}

/// Returns an answer as text; `value` returns the text of a value.
fn answer(answer: &Answer, words: Words, value: impl Fn(&Value) -> String) -> String {
    match answer {
        Answer::Unsupported => words.say("not implemented", "未实现").to_owned(),
        Answer::Undefined(erratum) => format!("{}{erratum}", words.say("undefined by ", "未定义：")),
        Answer::Effect(writes, event) => {
            let writes = writes.iter().map(|write| format!("{} = {}", write.location, value(write)));
            let parts: Vec<String> = writes.chain(event.iter().cloned()).collect();
            if parts.is_empty() {
                words.say("writes nothing", "不写任何内容").to_owned()
            } else {
                parts.join("; ")
            }
        }
    }
}

/// Returns pairs of implementation and answer. If all implementations agree, there is one pair,
/// with all their names.
fn implementations(execution: &Execution) -> Vec<(String, &Answer)> {
    let names = |answers: &[(String, Answer)]| {
        answers.iter().map(|(implementation, _)| &implementation[..]).collect::<Vec<_>>().join(", ")
    };
    match &execution.answers[..] {
        [(_, first), rest @ ..] if rest.iter().all(|(_, other)| other == first) => {
            vec![(names(&execution.answers), first)]
        }
        differing => {
            differing.iter().map(|(implementation, answer)| (implementation.clone(), answer)).collect()
        }
    }
}
