//! An erratum on a terminal.

use assay_vectors::errata::Language;

use super::sheet::{Block, Taker, answer, sheet, voices};
use super::words::Words;
use super::{Entry, Execution, Group};

/// Columns of text.
const WIDTH: usize = 100;

/// Columns of a label and what is before it.
const INDENT: usize = 16;

/// An erratum as a bug report in plain text.
pub fn text(entry: &Entry, language: Language) -> String {
    let words = Words::of(language);
    let sheet = sheet(entry, words);
    let mut page = format!("{}  {}\n{:<6}{}  {}\n", sheet.id, sheet.title, "", sheet.mark, sheet.optypes);
    for block in &sheet.blocks {
        page.push('\n');
        match block {
            Block::Lines(label, lines) => page += &labelled(label, lines),
            Block::Readings(label, question, readings) => page += &numbered(label, question, readings),
            Block::Cases(label, groups) => {
                page += &format!("  {label}\n");
                page.extend(groups.iter().map(|group| cases(group, words)));
            }
        }
    }
    page
}

fn labelled(label: &str, lines: &[String]) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().flat_map(|line| wrapped(line, WIDTH - INDENT)).enumerate() {
        let label = if index == 0 { label } else { "" };
        text += &format!("  {}{line}\n", padded(label, INDENT - 2));
    }
    text
}

fn numbered(label: &str, question: &str, readings: &[(&str, Vec<Taker>)]) -> String {
    let mut lines: Vec<String> = if question.is_empty() { vec![] } else { vec![question.to_owned()] };
    for (number, (reading, takers)) in (1..).zip(readings) {
        for (index, line) in wrapped(reading, WIDTH - INDENT - 3).iter().enumerate() {
            lines.push(if index == 0 { format!("{number}: {line}") } else { format!("   {line}") });
        }
        lines.extend(takers.iter().map(taker));
    }
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    labels.zip(lines).map(|(label, line)| format!("  {}{line}\n", padded(label, INDENT - 2))).collect()
}

fn taker(taker: &Taker) -> String {
    format!("     {:<9} {}{}", taker.profile, taker.evidence, taker.note)
}

/// An instruction with its inputs, and what is said of it under each setting.
fn cases(group: &Group, words: &Words) -> String {
    let others = group.others.join(" ");
    let others = if others.is_empty() { others } else { format!("  {} {others}", words.with) };
    let mut text = format!("    {}{others}\n", group.instruction);
    for input in &group.inputs {
        text += &format!("      {:<14} {}\n", input.location, value(&input.bits, &input.meaning));
    }
    text.extend(group.executions.iter().map(|execution| executed(execution, words)));
    text
}

fn executed(execution: &Execution, words: &Words) -> String {
    let setting = execution.setting.map(|number| format!("{} {number}  ", words.reading));
    let mut text = format!("      {}{}\n", setting.unwrap_or_default(), execution.case);
    for (voices, spoken) in voices(execution) {
        let said = answer(spoken, words, |write| value(&write.bits, &write.meaning));
        text += &format!("        {voices:<12} {said}\n");
    }
    text.extend(execution.problem.iter().map(|problem| format!("        {} {problem}\n", words.failed)));
    text
}

fn value(bits: &str, meaning: &str) -> String {
    if meaning.is_empty() { bits.to_owned() } else { format!("{bits}  {meaning}") }
}

/// Columns that a character takes: two for those of Chinese.
fn columns(c: char) -> usize {
    if ('\u{2e80}'..='\u{ffef}').contains(&c) { 2 } else { 1 }
}

fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Text in lines of so many columns, broken at spaces and behind Chinese characters.
fn wrapped(text: &str, limit: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in text.split_inclusive(|c| c == ' ' || columns(c) == 2) {
        let line = lines.last_mut().expect("there is always a line");
        // A mark that closes a phrase does not begin a line.
        let closes = piece.starts_with(['，', '。', '；', '：', '、', '）', '？']);
        if width(line) + width(piece.trim_end()) > limit && !closes && !line.is_empty() {
            lines.push(piece.to_owned());
        } else {
            line.push_str(piece);
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_where_they_may() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("incomprehensible", 8), ["incomprehensible"]);
        assert_eq!(wrapped("一二三四，五六", 8), ["一二三四，", "五六"]);
        assert_eq!(wrapped("按 C 的规则", 6), ["按 C", "的规则"]);
        assert_eq!(wrapped("", 8), [""]);
        assert_eq!(padded("位置", 6), "位置  ");
    }
}
