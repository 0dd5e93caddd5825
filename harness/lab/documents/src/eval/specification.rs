//! The documents as the evaluator sees them: routines, tables and forms of each optype.

use super::head::Head;
use super::tables::{Tables, TextTable};
use crate::asm::Syntax;
use crate::document::{Definition, DefinitionKind, Document};
use crate::error::{Error, Location};
use crate::facts::{FormFacts, StreamFacts, TypeFacts};
use crate::layout::{Block, Section, Span};
use crate::parse::parse_source;
use crate::pseudo::{Code, Routine, Statement};
use crate::resolve::resolve_all;
use crate::source::Source;
use crate::stream::sections;

/// Maximum number of routines of an optype.
const ROUTINES: usize = 64;

/// Documents that were read for execution.
#[derive(Debug, Clone, Default)]
pub struct Specification {
    pub(super) pages: Vec<Source>,
    pub(super) optypes: Vec<OptypeText>,
    pub(super) forms: Vec<FormFacts>,
    pub(super) types: Vec<TypeFacts>,
    errors: Vec<Error>,
}

/// The text of an optype.
#[derive(Debug, Clone, Default)]
pub(super) struct OptypeText {
    pub name: String,
    /// The document.
    pub page: usize,
    /// The mnemonics of its syntax lines.
    pub mnemonics: Vec<String>,
    pub routines: Vec<RoutineText>,
    pub tables: Tables,
    /// The lines of prose of `__Semantics`.
    pub prose: Vec<String>,
    /// The facts of an instruction that is an operand stream.
    pub stream: Option<StreamFacts>,
}

/// A routine, or a function that routines call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RoutineText {
    pub head: Head,
    pub is_function: bool,
    pub body: Vec<Statement>,
    /// Position of the head, or of the code if it has no head.
    pub span: Span,
}

impl Specification {
    /// Reads documents: every `(file name, text)`, in the order in which they inherit from each
    /// other. Text that cannot be read is left out, and is one of the [errors](Self::errors).
    pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Specification {
        let mut read = Specification::default();
        let mut documents = Vec::new();
        for (name, text) in files {
            let source = Source::new(name, text);
            let (document, errors) = parse_source(&source);
            read.errors.extend(errors);
            read.optypes.extend(optypes(read.pages.len(), &source, &document));
            read.types.extend(document.types.clone());
            read.pages.push(source);
            documents.push(document);
        }
        let (forms, errors) = resolve_all(&documents.iter().collect::<Vec<_>>());
        read.forms = forms;
        read.errors.extend(errors);
        read
    }

    /// The errors of the documents. The definitions that they concern are incomplete.
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    pub(super) fn location(&self, optype: &OptypeText, at: usize) -> Location {
        self.pages[optype.page].location(at)
    }
}

fn optypes(page: usize, source: &Source, document: &Document) -> Vec<OptypeText> {
    let definitions = document.definitions.iter().filter(|d| d.kind == DefinitionKind::Optype);
    let mut optypes: Vec<OptypeText> =
        definitions.map(|optype| of_definition(page, source, optype)).collect();
    for stream in &document.streams {
        let mut optype = OptypeText {
            name: stream.name.clone(),
            page,
            stream: Some(stream.clone()),
            ..OptypeText::default()
        };
        let sections = sections(source);
        let semantics = sections.iter().filter(|section| section.name == "Semantics");
        optype.add_code(source, semantics.flat_map(Section::code));
        optypes.push(optype);
    }
    optypes
}

fn of_definition(page: usize, source: &Source, definition: &Definition) -> OptypeText {
    let named = |name: &str| definition.sections.iter().find(move |section| section.name == name);
    let syntax = named("__Syntax").map(|section| Syntax::read(&source.text, section)).unwrap_or_default();
    let mut optype = OptypeText {
        name: definition.name.clone(),
        page,
        mnemonics: syntax.lines.into_iter().map(|line| line.mnemonic).collect(),
        tables: Tables(tables(source, &definition.sections).into()),
        ..OptypeText::default()
    };
    if let Some(section) = named("__Semantics") {
        optype.add_code(source, section.code());
        optype.prose = section.prose().map(|span| source.get(&span).to_owned()).collect();
    }
    optype
}

impl OptypeText {
    fn add_code(&mut self, source: &Source, spans: impl Iterator<Item = Span>) {
        for span in spans {
            let code = Code::read(&source.text, span.clone());
            let routines = code.routines.into_iter().take(ROUTINES - self.routines.len());
            self.routines.extend(routines.map(|routine| of_routine(source, span.start, routine)));
        }
    }
}

fn of_routine(source: &Source, start: usize, routine: Routine) -> RoutineText {
    let first = routine.body.first().map_or(start..start, |first| first.span.clone());
    let span = if routine.head.is_empty() { first } else { routine.head.clone() };
    let head = Head::read(&source.text, routine.head);
    RoutineText { head, is_function: routine.is_function, body: routine.body, span }
}

fn tables(source: &Source, sections: &[Section]) -> Vec<TextTable> {
    let blocks = sections.iter().flat_map(|section| &section.blocks);
    let tables = blocks.filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    let text = |span: &Span| source.get(span).to_owned();
    tables
        .map(|table| TextTable {
            heading: table.heading.as_ref().map(text).unwrap_or_default(),
            rows: table.rows.iter().map(|row| row.iter().map(text).collect()).collect(),
        })
        .collect()
}
