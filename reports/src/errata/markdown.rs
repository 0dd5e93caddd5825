//! The errata as a Markdown page.

use assay_vectors::errata::{Language, Severity};

use super::page::{counts, of_severity, questions};
use super::sheet::{Block, Sheet, Taker, optypes, sheet, table};
use super::words::Words;
use super::{Entry, Group};
use crate::markdown::Page;
use crate::table::grid;

/// The page for the owner of the documents, in Markdown.
pub fn markdown(entries: &[Entry], language: Language) -> String {
    let words = Words::of(language);
    let mut page = Page::new(words.title, 1);
    page.paragraph(words.about);
    page.paragraph(words.guide);
    let asked: String = (1..).zip(questions(entries)).map(|(n, entry)| question(n, entry, words)).collect();
    if !asked.is_empty() {
        page.section(words.questions, &format!("{}\n\n{asked}", words.questions_about));
    }
    page.section(words.counts, &counts(entries, words).markdown());
    let contents: String = Severity::ALL.iter().map(|severity| listed(entries, *severity, words)).collect();
    page.section(words.contents, &contents);
    for severity in Severity::ALL {
        let sheets =
            of_severity(entries, *severity).into_iter().map(|entry| article(&sheet(entry, words), words));
        page.section(words.severity(*severity), &sheets.collect::<Vec<_>>().join("\n"));
    }
    page.finish()
}

fn link(entry: &Entry) -> String {
    format!("[{0}](#{0})", entry.defect.id)
}

fn question(number: usize, entry: &Entry, words: &Words) -> String {
    let defect = entry.defect;
    let ask = defect.ask.as_ref().map_or("", |ask| ask.of(words.language));
    format!("{number}. {} ({}){}{}\n", link(entry), optypes(defect, words), words.colon, escaped(ask))
}

fn listed(entries: &[Entry], severity: Severity, words: &Words) -> String {
    let line = |entry: &Entry| {
        let (class, title) = (entry.defect.class, entry.defect.title.of(words.language));
        format!("- {} {class}/{severity} {}\n", link(entry), escaped(title))
    };
    of_severity(entries, severity).into_iter().map(line).collect()
}

fn article(sheet: &Sheet, words: &Words) -> String {
    let mut page = Page::new(&format!("<a id=\"{0}\"></a>{0} {1}", sheet.id, escaped(sheet.title)), 3);
    page.paragraph(&format!("`{}` {}", sheet.mark, sheet.optypes));
    for block in &sheet.blocks {
        let text = match block {
            Block::Lines(label, lines) => labelled(label, &joined(lines), words),
            Block::Readings(label, question, readings) => {
                format!("{}\n\n{}", labelled(label, &escaped(question), words), numbered(readings))
            }
            Block::Cases(label, groups) => {
                format!("{}\n\n{}", labelled(label, "", words), cases(groups, words))
            }
        };
        page.paragraph(&text);
    }
    page.finish()
}

fn labelled(label: &str, text: &str, words: &Words) -> String {
    format!("**{label}**{}{text}", words.colon).trim_end().to_owned()
}

/// Lines of one paragraph.
fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("\\\n")
}

fn numbered(readings: &[(&str, Vec<Taker>)]) -> String {
    let taker = |t: &Taker| format!("   - {} ({}){}\n", t.profile, t.evidence, escaped(&t.note));
    let item = |(number, (text, takers)): (usize, &(&str, Vec<Taker>))| {
        format!("{number}. {}\n{}", escaped(text), takers.iter().map(taker).collect::<String>())
    };
    (1..).zip(readings).map(item).collect()
}

fn cases(groups: &[Group], words: &Words) -> String {
    let (head, rows) = table(groups, words);
    grid(&head, &rows)
}

/// Text that Markdown takes as it stands.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if r"\`*_{}[]<>|#~".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
