//! The errata as one HTML file that needs nothing else, for the screen and for paper.

use assay_vectors::errata::{Language, Severity};

use super::page::{counts, of_severity, questions};
use super::sheet::{Block, Taker, optypes, sheet, table};
use super::words::Words;
use super::{Entry, Group};
use crate::table::Set;

/// The looks: dark on light, one column, entries kept together on paper.
const STYLE: &str = include_str!("page.css");

/// The page for the owner of the documents, in HTML.
pub fn html(entries: &[Entry], language: Language) -> String {
    let words = Words::of(language);
    let mut body = format!("<h1>{}</h1>\n", escaped(words.title));
    body += &paragraph(words.about);
    body += &paragraph(words.guide);
    let asked: String = questions(entries).into_iter().map(|entry| question(entry, words)).collect();
    if !asked.is_empty() {
        let about = paragraph(words.questions_about);
        body += &section(words.questions, &format!("{about}<ol>\n{asked}</ol>\n"));
    }
    let counts = counts(entries, words);
    body += &section(words.counts, &rows(&counts.head(), counts.rows()));
    let lists = Severity::ALL.iter().map(|severity| listed(entries, *severity, words));
    body += &format!("<nav>\n{}</nav>\n", section(words.contents, &lists.collect::<String>()));
    for severity in Severity::ALL {
        let articles = of_severity(entries, *severity).into_iter().map(|entry| article(entry, words));
        body += &section(words.severity(*severity), &articles.collect::<String>());
    }
    document(words, &body)
}

fn document(words: &Words, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        words.tag,
        escaped(words.title)
    )
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(text))
}

/// A section under a heading; nothing where there is no body.
fn section(heading: &str, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    format!("<section>\n<h2>{}</h2>\n{body}</section>\n", escaped(heading))
}

fn link(entry: &Entry) -> String {
    format!("<a href=\"#{0}\">{0}</a>", entry.defect.id)
}

fn question(entry: &Entry, words: &Words) -> String {
    let ask = entry.defect.ask.as_ref().map_or("", |ask| ask.of(words.language));
    let optypes = escaped(&optypes(entry.defect, words));
    format!("<li>{} <b>{optypes}</b><br>{}</li>\n", link(entry), escaped(ask))
}

fn listed(entries: &[Entry], severity: Severity, words: &Words) -> String {
    let line = |entry: &Entry| {
        let (class, title) = (entry.defect.class, entry.defect.title.of(words.language));
        format!("<li>{} <small>{class}/{severity}</small> {}</li>\n", link(entry), escaped(title))
    };
    let lines: String = of_severity(entries, severity).into_iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("<ul>\n{lines}</ul>\n") }
}

fn article(entry: &Entry, words: &Words) -> String {
    let sheet = sheet(entry, words);
    let mut text = format!(
        "<article id=\"{0}\">\n<h3>{0} {1}</h3>\n<p class=\"mark\"><code>{2}</code> {3}</p>\n<dl>\n",
        sheet.id,
        escaped(sheet.title),
        sheet.mark,
        escaped(&sheet.optypes)
    );
    for block in &sheet.blocks {
        text += &match block {
            Block::Lines(label, lines) => item(label, &joined(lines)),
            Block::Readings(label, question, readings) => {
                item(label, &format!("{}{}", escaped(question), numbered(readings)))
            }
            Block::Cases(label, groups) => item(label, &cases(groups, words)),
        };
    }
    text + "</dl>\n</article>\n"
}

fn item(label: &str, body: &str) -> String {
    format!("<dt>{}</dt>\n<dd>{body}</dd>\n", escaped(label))
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("<br>")
}

fn numbered(readings: &[(&str, Vec<Taker>)]) -> String {
    let taker = |t: &Taker| format!("<br><small>{} ({}){}</small>", t.profile, t.evidence, escaped(&t.note));
    let item = |(text, takers): &(&str, Vec<Taker>)| {
        format!("<li>{}{}</li>\n", escaped(text), takers.iter().map(taker).collect::<String>())
    };
    format!("<ol>\n{}</ol>\n", readings.iter().map(item).collect::<String>())
}

fn cases(groups: &[Group], words: &Words) -> String {
    let (head, cells) = table(groups, words);
    rows(&head, &cells)
}

/// A table. Instructions are set as code, and so is nothing else.
fn rows<R: AsRef<[String]>>(head: &[(String, Set)], rows: &[R]) -> String {
    let heads: String = head.iter().map(|(name, _)| format!("<th>{}</th>", escaped(name))).collect();
    let cell = |(text, (_, set)): (&String, &(String, Set))| match set {
        Set::Code => format!("<td><code>{}</code></td>", escaped(text)),
        Set::Number => format!("<td class=\"number\">{}</td>", escaped(text)),
        Set::Words => format!("<td>{}</td>", escaped(text)),
    };
    let row = |cells: &R| {
        let cells: String = cells.as_ref().iter().zip(head).map(cell).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = rows.iter().map(row).collect();
    format!("<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
}

/// Text that HTML takes as it stands.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c => out.push(c),
        }
    }
    out
}
