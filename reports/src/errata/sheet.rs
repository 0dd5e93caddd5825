//! What is said of an erratum in a language, block by block, however it is laid out.

use assay_vectors::errata::{Decision, Defect, Language, Passage};

use super::words::Words;
use super::{Answer, Choice, Entry, Execution, Group, Outcome, Trial, Value};
use crate::table::Set;

/// An erratum in a language.
pub struct Sheet<'a> {
    /// Its number, such as `E053`.
    pub id: String,
    /// The defect in one line.
    pub title: &'a str,
    /// Class and severity, such as `EX/H`.
    pub mark: String,
    /// The optypes it touches.
    pub optypes: String,
    /// The rest, in order.
    pub blocks: Vec<Block<'a>>,
}

/// Something with a label.
pub enum Block<'a> {
    /// Lines of text.
    Lines(&'static str, Vec<String>),
    /// What is in question, and the answers: numbered readings, each with who takes it.
    Readings(&'static str, &'a str, Vec<(&'a str, Vec<Taker<'a>>)>),
    /// Executed cases.
    Cases(&'static str, &'a [Group]),
}

/// A profile that takes a reading, and why.
pub struct Taker<'a> {
    /// Name of the profile.
    pub profile: &'a str,
    /// Kind of evidence.
    pub evidence: &'static str,
    /// More about it, behind a colon; can be empty.
    pub note: String,
}

/// Everything that is said of an erratum.
pub fn sheet<'a>(entry: &'a Entry, words: &Words) -> Sheet<'a> {
    let (defect, language) = (entry.defect, words.language);
    let basis = defect.basis.iter().map(|ground| words.ground(*ground)).collect::<Vec<_>>();
    let line = |label, text: &str| Block::Lines(label, vec![text.to_owned()]);
    let mut blocks = vec![
        Block::Lines(words.place, defect.passages.iter().map(|passage| place(passage, words)).collect()),
        line(words.problem, defect.problem.of(language)),
        line(words.consequence, defect.consequence.of(language)),
    ];
    let readings = defect.readings(language);
    if !readings.is_empty() {
        let takers = (1..).map(|number| takers(&entry.choices, number, words));
        let question = question(defect, words);
        blocks.push(Block::Readings(words.readings, question, readings.into_iter().zip(takers).collect()));
    }
    blocks.extend(defect.decision().map(|taken| line(words.decision, &decision(taken, words))));
    blocks.push(line(words.basis, &basis.join(words.comma)));
    let evident = evident(entry, words);
    if !evident.is_empty() {
        blocks.push(Block::Lines(words.witness, evident));
    }
    if !entry.groups.is_empty() {
        blocks.push(Block::Cases(words.witness, &entry.groups));
    }
    blocks.push(line(words.correction, defect.correction.of(language)));
    blocks.extend(defect.ask.as_ref().map(|ask| line(words.question, ask.of(language))));
    Sheet {
        id: defect.id.to_string(),
        title: defect.title.of(language),
        mark: format!("{}/{}", defect.class, defect.severity),
        optypes: optypes(defect, words),
        blocks,
    }
}

/// Names of the optypes that an erratum touches.
pub fn optypes(defect: &Defect, words: &Words) -> String {
    if defect.optypes.is_empty() { words.every_optype.to_owned() } else { defect.optypes.join(" ") }
}

fn place(passage: &Passage, words: &Words) -> String {
    let sections =
        passage.sections.iter().map(|section| section.name()).collect::<Vec<_>>().join(words.comma);
    let mut text = passage.document.clone();
    if !sections.is_empty() {
        text += &format!(" {sections}");
    }
    if let Some(lines) = &passage.lines {
        let label = if lines.contains([',', '-']) { words.lines } else { words.line };
        text += &format!("{}{label} {lines}", words.colon);
    }
    text
}

/// The question that the settings of a switch answer, in the language that they are in.
fn question(defect: &Defect, words: &Words) -> &'static str {
    let switch = defect.switch().filter(|_| words.language == Language::English);
    switch.map_or("", |switch| switch.question)
}

fn takers<'a>(choices: &'a [Choice], number: u8, words: &Words) -> Vec<Taker<'a>> {
    // Notes are in the profiles, which are in English.
    let has_note = |choice: &Choice| words.language == Language::English && !choice.note.is_empty();
    let taker = |choice: &'a Choice| Taker {
        profile: &choice.profile,
        evidence: words.evidence(choice.evidence),
        note: if has_note(choice) { format!("{}{}", words.colon, choice.note) } else { String::new() },
    };
    choices.iter().filter(|choice| choice.setting == number).map(taker).collect()
}

fn decision(decision: &Decision, words: &Words) -> String {
    let text = decision.text.of(words.language);
    match decision.reading {
        Some(number) => format!("{} {number}{}{text}", words.taken, words.colon),
        None => text.to_owned(),
    }
}

/// What shows an erratum beside cases.
fn evident(entry: &Entry, words: &Words) -> Vec<String> {
    let witness = entry.defect.witness.iter();
    let texts = witness.flat_map(|w| w.values.iter().chain(&w.none)).map(|t| t.of(words.language).to_owned());
    texts.chain(entry.trials.iter().map(|tried| trial(tried, words))).collect()
}

fn trial(trial: &Trial, words: &Words) -> String {
    let outcome = match &trial.outcome {
        Outcome::Accepted(text) => format!("{} {text}", words.accepted),
        // The assembler speaks English.
        Outcome::Refused(why) if words.language == Language::English => format!("{} ({why})", words.refused),
        Outcome::Refused(_) => words.refused.to_owned(),
        Outcome::Unknown => words.unknown.to_owned(),
    };
    let failed = if trial.holds() { String::new() } else { format!("{} ", words.failed) };
    format!("{failed}{}{}{outcome}", trial.text, words.colon)
}

/// An answer in words; `value` says how a value reads.
pub fn answer(answer: &Answer, words: &Words, value: impl Fn(&Value) -> String) -> String {
    match answer {
        Answer::Unsupported => words.unsupported.to_owned(),
        Answer::Undefined(erratum) => format!("{}{erratum}", words.undefined),
        Answer::Effect(writes, event) => {
            let writes = writes.iter().map(|write| format!("{} = {}", write.location, value(write)));
            let parts: Vec<String> = writes.chain(event.iter().cloned()).collect();
            if parts.is_empty() { words.nothing.to_owned() } else { parts.join("; ") }
        }
    }
}

/// What was said, once if all voices agree, else by each: names and answer.
pub fn voices(execution: &Execution) -> Vec<(String, &Answer)> {
    let names = |answers: &[(String, Answer)]| {
        answers.iter().map(|(voice, _)| &voice[..]).collect::<Vec<_>>().join(", ")
    };
    match &execution.answers[..] {
        [(_, first), rest @ ..] if rest.iter().all(|(_, other)| other == first) => {
            vec![(names(&execution.answers), first)]
        }
        differing => differing.iter().map(|(voice, answer)| (voice.clone(), answer)).collect(),
    }
}

/// Groups that a page shows of an erratum at most.
const GROUPS: usize = 3;

/// A table of executed cases, the settings side by side: its head, and a row for each of the first groups.
pub fn table(groups: &[Group], words: &Words) -> (Vec<(String, Set)>, Vec<Vec<String>>) {
    let settings = groups.iter().flat_map(|g| &g.executions).filter_map(|e| e.setting).max();
    let columns: Vec<Option<u8>> = settings.map_or(vec![None], |last| (1..=last).map(Some).collect());
    let name = |setting: &Option<u8>| match setting {
        Some(number) => format!("{} {number}", words.reading),
        None => words.result.to_owned(),
    };
    let mut head = vec![(words.instruction.to_owned(), Set::Code), (words.inputs.to_owned(), Set::Words)];
    head.extend(columns.iter().map(|setting| (name(setting), Set::Words)));
    let row = |group: &Group| {
        let inputs = group.inputs.iter().map(|input| format!("{} = {}", input.location, input.bits));
        let others = group.others.iter().map(|other| format!("{} {other}", words.with));
        let mut cells = vec![group.instruction.clone(), inputs.chain(others).collect::<Vec<_>>().join("; ")];
        cells.extend(columns.iter().map(|setting| result(group, *setting, words)));
        cells
    };
    let telling = |group: &&Group| tells_apart(group, &columns);
    let some = groups.iter().filter(telling).chain(groups.iter().filter(|group| !telling(group)));
    (head, some.take(GROUPS).map(row).collect())
}

/// Whether a group shows every setting, and not the same under all of them.
fn tells_apart(group: &Group, settings: &[Option<u8>]) -> bool {
    let shown = |setting: &Option<u8>| group.executions.iter().any(|e| e.setting == *setting);
    let differ = group.executions.windows(2).any(|pair| pair[0].answers != pair[1].answers);
    differ && settings.iter().all(shown)
}

/// What came of a group under a setting.
fn result(group: &Group, setting: Option<u8>, words: &Words) -> String {
    let Some(execution) = group.executions.iter().find(|e| e.setting == setting) else {
        return String::new();
    };
    let voices = voices(execution);
    let said = |(name, spoken): &(String, &Answer)| {
        let text = answer(spoken, words, |value| value.bits.clone());
        if voices.len() == 1 { text } else { format!("{name}{}{text}", words.colon) }
    };
    let failed = execution.problem.iter().map(|problem| format!("{} {problem}", words.failed));
    voices.iter().map(said).chain(failed).collect::<Vec<_>>().join("; ")
}
