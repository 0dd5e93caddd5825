//! An erratum in one language, and the page of all errata.

use assay_vectors::errata::{Class, Decision, Defect, Language, Passage, Severity};

use super::cases::{lines, table};
use super::words::Words;
use super::{Choice, Entry, Trial, TrialResult};
use assay_pages::{Block, Cell, Document, Inline, Item, List, Table, Text, note, paragraph, row, section};

/// Returns the page for the owner of the documents.
pub fn page(entries: &[Entry], language: Language) -> Document {
    let words = Words(language);
    let asked = questions(entries).into_iter().map(|entry| question(entry, words)).collect::<Vec<_>>();
    let mut blocks = vec![paragraph(words.about()), paragraph(words.guide())];
    if !asked.is_empty() {
        let heading = words.say("Questions to the owner of the specification", "需要规格负责人答复的问题");
        blocks.push(section(heading, vec![paragraph(words.questions()), Block::List(List::Numbers, asked)]));
    }
    let contents = Severity::ALL.iter().map(|severity| listed(entries, *severity, language));
    blocks.extend([
        section(
            words.say("By severity and class", "按严重程度与类别统计"),
            vec![counts(entries, words).into()],
        ),
        section(words.say("Contents", "目录"), contents.collect()),
    ]);
    blocks.extend(Severity::ALL.iter().map(|severity| {
        let some = of_severity(entries, *severity).into_iter();
        section(words.severity(*severity), some.map(|entry| article(entry, words)).collect())
    }));
    Document {
        language: words.say("en", "zh"),
        title: words.say("Errata of the specification", "规格文档勘误").to_owned(),
        ..Document::new("", blocks)
    }
}

/// Returns an erratum as a bug report for a terminal.
pub fn report(entry: &Entry, language: Language) -> Document {
    let (words, defect) = (Words(language), entry.defect);
    let title = format!("{}  {}", defect.id, defect.title.of(language));
    let about = format!("{:<6}{}  {}", "", mark(defect), optypes(defect, words));
    let cases = Block::Lines(lines(&entry.groups, words));
    Document::new("", vec![Block::Lines(vec![title, about]), Block::Entries(sheet(entry, words, cases))])
}

/// Returns the errata with a question. Errata on which documents and hardware differ come first.
/// Within each group the worst comes first.
fn questions<'a, 'b>(entries: &'a [Entry<'b>]) -> Vec<&'a Entry<'b>> {
    let mut asking: Vec<&Entry> = entries.iter().filter(|entry| entry.defect.ask.is_some()).collect();
    asking.sort_by_key(|entry| (!entry.is_contested(), entry.defect.rank()));
    asking
}

/// Returns the errata of a severity, the worst class first.
fn of_severity<'a, 'b>(entries: &'a [Entry<'b>], severity: Severity) -> Vec<&'a Entry<'b>> {
    let mut some: Vec<&Entry> = entries.iter().filter(|entry| entry.defect.severity == severity).collect();
    some.sort_by_key(|entry| entry.defect.rank());
    some
}

/// Returns the number of errata of each class and severity.
fn counts(entries: &[Entry], words: Words) -> Table {
    const SEVERITIES: [Severity; 3] = [Severity::H, Severity::M, Severity::L];
    let of = |class: Option<Class>, severity: Option<Severity>| {
        let counted = entries.iter().filter(|entry| {
            class.is_none_or(|class| entry.defect.class == class)
                && severity.is_none_or(|severity| entry.defect.severity == severity)
        });
        Cell::from(counted.count() as u64)
    };
    let total = words.say("Total", "合计");
    let row = |name: String, class| {
        let [high, medium, low] = SEVERITIES.map(|severity| of(class, Some(severity)));
        row![name, high, medium, low, of(class, None)]
    };
    let classes =
        Class::ALL.iter().map(|class| row(format!("{class} {}", words.class(*class)), Some(*class)));
    let [high, medium, low] = SEVERITIES.map(Severity::name);
    let head = format!(" | {high} | {medium} | {low} | {total}");
    Table::new("", &head, classes.chain([row(total.to_owned(), None)]))
}

fn link(entry: &Entry) -> Inline {
    let id = entry.defect.id.to_string();
    Inline::Link(id.clone(), id)
}

fn question(entry: &Entry, words: Words) -> Item {
    let (optypes, ask) = (optypes(entry.defect, words), entry.defect.ask.as_ref());
    let ask = format!("{}{}", words.colon(), ask.map_or("", |ask| ask.of(words.0)));
    let space = Inline::Words(" ".to_owned());
    Text(vec![link(entry), space, Inline::Bold(optypes), Inline::Verbatim(ask)]).into()
}

/// Returns a list of links to the errata of a severity.
fn listed(entries: &[Entry], severity: Severity, language: Language) -> Block {
    let item = |entry: &Entry| {
        let title = format!(" {}", entry.defect.title.of(language));
        let space = Inline::Words(" ".to_owned());
        Text(vec![link(entry), space, Inline::Small(mark(entry.defect)), Inline::Verbatim(title)]).into()
    };
    Block::List(List::Contents, of_severity(entries, severity).into_iter().map(item).collect())
}

fn article(entry: &Entry, words: Words) -> Block {
    let defect = entry.defect;
    let id = defect.id.to_string();
    let title = Inline::Verbatim(format!(" {}", defect.title.of(words.0)));
    let about = [Inline::Code(mark(defect)), Inline::Words(format!(" {}", optypes(defect, words)))];
    let entries = sheet(entry, words, table(&entry.groups, words).into());
    Block::Section {
        heading: Text(vec![Inline::Words(id.clone()), title]),
        id: Some(id),
        body: vec![note(Text(about.into())), Block::Entries(entries)],
    }
}

/// Returns class and severity, such as `EX/H`.
fn mark(defect: &Defect) -> String {
    format!("{}/{}", defect.class, defect.severity)
}

/// Returns the texts about an erratum, by label. `cases` shows the executed cases.
fn sheet(entry: &Entry, words: Words, cases: Block) -> Vec<(&'static str, Vec<Block>)> {
    let (defect, language) = (entry.defect, words.0);
    let lines = |lines: Vec<String>| vec![Block::Paragraph(Text::verbatim(lines))];
    let line = |text: &str| lines(vec![text.to_owned()]);
    let basis = defect.basis.iter().map(|ground| words.ground(*ground)).collect::<Vec<_>>();
    let places = defect.passages.iter().map(|passage| place(passage, words));
    let witness = words.say("Witness", "例证");
    let mut list = vec![
        (words.say("Where", "位置"), lines(places.collect())),
        (words.say("Problem", "问题"), line(defect.problem.of(language))),
        (words.say("Consequence", "后果"), line(defect.consequence.of(language))),
    ];
    let readings = defect.readings(language);
    if !readings.is_empty() {
        let items = (1..).zip(readings).map(|(number, text)| Item {
            text: Text::verbatim([text]),
            lines: takers(&entry.choices, number, words),
        });
        let question = Block::Paragraph(Text::verbatim([question_of_switch(defect, words)]));
        let readings = Block::List(List::Numbers, items.collect());
        list.push((words.say("Readings", "可能的理解"), vec![question, readings]));
    }
    let decision = defect.decision().map(|taken| line(&decision(taken, words)));
    list.extend(decision.map(|text| (words.say("Every profile", "所有配置"), text)));
    list.push((words.say("Basis", "依据"), line(&basis.join(words.comma()))));
    let evident = evident(entry, words);
    list.extend((!evident.is_empty()).then(|| (witness, lines(evident))));
    list.extend((!entry.groups.is_empty()).then(|| (witness, vec![cases])));
    list.push((words.say("Correction", "修改建议"), line(defect.correction.of(language))));
    list.extend(defect.ask.as_ref().map(|ask| (words.say("Question", "提问"), line(ask.of(language)))));
    list
}

/// Returns the names of the optypes that an erratum affects.
fn optypes(defect: &Defect, words: Words) -> String {
    if defect.optypes.is_empty() {
        words.say("every optype", "所有 optype").to_owned()
    } else {
        defect.optypes.join(" ")
    }
}

fn place(passage: &Passage, words: Words) -> String {
    let sections =
        passage.sections.iter().map(|section| section.name()).collect::<Vec<_>>().join(words.comma());
    let mut text = passage.document.clone();
    if !sections.is_empty() {
        text += &format!(" {sections}");
    }
    if let Some(lines) = &passage.lines {
        let are_many = lines.contains([',', '-']);
        let label = words.say(if are_many { "lines" } else { "line" }, "行");
        text += &format!("{}{label} {lines}", words.colon());
    }
    text
}

/// Returns the question that the settings of a switch answer. It exists only in English.
fn question_of_switch(defect: &Defect, words: Words) -> &'static str {
    let switch = defect.switch().filter(|_| words.0 == Language::English);
    switch.map_or("", |switch| switch.question)
}

/// Returns the profiles that choose a reading, with their evidence.
fn takers(choices: &[Choice], number: u8, words: Words) -> Vec<Text> {
    let taker = |choice: &Choice| {
        let evidence = words.evidence(choice.evidence);
        // Notes come from the profiles, which are in English.
        let note = if words.0 == Language::English && !choice.note.is_empty() {
            format!("{}{}", words.colon(), choice.note)
        } else {
            String::new()
        };
        Text::verbatim([format!("{} ({evidence}){note}", choice.profile)])
    };
    choices.iter().filter(|choice| choice.setting == number).map(taker).collect()
}

fn decision(decision: &Decision, words: Words) -> String {
    let text = decision.text.of(words.0);
    match decision.reading {
        Some(number) => format!("{} {number}{}{text}", words.say("takes reading", "采用理解"), words.colon()),
        None => text.to_owned(),
    }
}

/// Returns the evidence for an erratum, without the executed cases.
fn evident(entry: &Entry, words: Words) -> Vec<String> {
    let witness = entry.defect.witness.iter();
    let texts = witness.flat_map(|w| w.values.iter().chain(&w.none)).map(|t| t.of(words.0).to_owned());
    texts.chain(entry.trials.iter().map(|tried| trial(tried, words))).collect()
}

fn trial(trial: &Trial, words: Words) -> String {
    let refused = words.say("refused", "拒绝");
    let outcome = match &trial.outcome {
        TrialResult::Accepted(text) => format!("{} {text}", words.say("accepted as", "接受为")),
        // The assembler's messages are in English.
        TrialResult::Refused(why) if words.0 == Language::English => format!("{refused} ({why})"),
        TrialResult::Refused(_) => refused.to_owned(),
        TrialResult::Unknown => words.say("the optype has no table so far", "该 optype 尚无表项").to_owned(),
    };
    let failed = if trial.holds() { String::new() } else { format!("{} ", words.failed()) };
    format!("{failed}{}{}{outcome}", trial.text, words.colon())
}
