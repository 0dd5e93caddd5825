//! The documents as the rules see them: every definition with its text, its forms and the contents of its sections.

use std::collections::{HashMap, HashSet};

use crate::asm::{Example, Syntax};
use crate::document::{Definition, DefinitionKind, Document};
use crate::error::{Error, Location};
use crate::facts::{FieldFacts, FormFacts, TypeFacts};
use crate::layout::{Section, Span};
use crate::parse::parse_source;
use crate::pseudo::Code;
use crate::source::Source;

/// A document and its parsed contents.
pub struct Page {
    /// Its text.
    pub source: Source,
    /// The declaration.
    pub document: Document,
    /// What could not be read.
    pub errors: Vec<Error>,
}

impl Page {
    /// Reads a document as far as it can be read.
    pub fn read(name: &str, text: &str) -> Self {
        let source = Source::new(name, text);
        let (document, errors) = parse_source(&source);
        Self { source, document, errors }
    }

    /// The text of a span.
    pub fn text(&self, span: &Span) -> &str {
        self.source.get(span)
    }

    /// The statement at a location.
    pub fn at(&self, at: &Location) -> Span {
        self.source.statement(at)
    }

    /// The statement that gives a list or width of a definition; its head if there is none.
    pub fn place(&self, definition: &Definition, what: &str) -> Span {
        self.at(definition.places.get(what).unwrap_or(&definition.at))
    }
}

/// All documents together.
pub struct DocumentSet<'a> {
    /// The documents.
    pub pages: &'a [Page],
    /// The optypes, in order.
    pub optypes: Vec<Optype<'a>>,
    /// The groups by name.
    pub groups: HashMap<&'a str, (&'a Page, &'a Definition)>,
    /// The types whose values are listed, by name.
    pub types: HashMap<&'a str, (&'a Page, &'a TypeFacts)>,
}

/// An optype.
pub struct Optype<'a> {
    /// Where it is.
    pub page: &'a Page,
    /// The declaration.
    pub definition: &'a Definition,
    /// Its forms.
    pub forms: Vec<Form<'a>>,
    /// How it is written.
    pub syntax: Syntax,
    /// The instructions written out.
    pub examples: Vec<Example>,
    /// Its pseudo-code, a fenced block or a line of a simulation each.
    pub code: Vec<Code>,
    /// The fields of all its forms, inherited ones too, each name and type once.
    pub fields: Vec<&'a FieldFacts>,
    /// The names of these fields, and of operands' attributes without their operand.
    pub names: HashSet<&'a str>,
}

/// How many routines of an optype are looked at.
pub const ROUTINES: usize = 64;

/// A form.
pub struct Form<'a> {
    /// Where it is.
    pub page: &'a Page,
    /// The declaration.
    pub definition: &'a Definition,
    /// Its facts with the inherited ones.
    pub facts: &'a FormFacts,
    fields: HashMap<&'a str, &'a FieldFacts>,
    /// The operands in the order of the text, those in brackets each by itself.
    pub operands: Vec<&'a str>,
}

/// How many forms of an optype are looked at, and how many operands of a form.
const FORMS: usize = 64;
const OPERANDS: usize = 32;

impl<'a> DocumentSet<'a> {
    /// Combines documents; `forms` are those of all pages in order.
    pub fn new(pages: &'a [Page], forms: &'a [FormFacts]) -> Self {
        let mut set = Self { pages, optypes: Vec::new(), groups: HashMap::new(), types: HashMap::new() };
        let mut index: HashMap<&str, usize> = HashMap::new();
        let mut forms = forms.iter();
        for page in pages {
            for ty in &page.document.types {
                set.types.entry(&ty.name).or_insert((page, ty));
            }
            for definition in &page.document.definitions {
                match definition.kind {
                    DefinitionKind::Group => {
                        set.groups.entry(&definition.name).or_insert((page, definition));
                    }
                    DefinitionKind::Optype => {
                        index.entry(&definition.name).or_insert(set.optypes.len());
                        set.optypes.push(Optype::read(page, definition));
                    }
                    DefinitionKind::Form => {
                        let Some(facts) = forms.next() else { continue };
                        let optype =
                            index.get(definition.parent.as_str()).map(|index| &mut set.optypes[*index]);
                        if let Some(optype) = optype.filter(|optype| optype.forms.len() < FORMS) {
                            optype.forms.push(Form::new(page, definition, facts));
                        }
                    }
                }
            }
        }
        for optype in &mut set.optypes {
            optype.fields = optype.all_fields();
            let names = optype.fields.iter().flat_map(|field| [field.name.as_str(), field.attribute()]);
            optype.names = names.collect();
        }
        set
    }

    /// Every form.
    pub fn forms(&self) -> impl Iterator<Item = (&Optype<'a>, &Form<'a>)> {
        self.optypes.iter().flat_map(|optype| optype.forms.iter().map(move |form| (optype, form)))
    }

    /// Every field where it is declared.
    pub fn declared_fields(
        &self,
    ) -> impl Iterator<Item = (&'a Page, &'a Definition, &'a FieldFacts)> + use<'a> {
        let definitions =
            self.pages.iter().flat_map(|page| page.document.definitions.iter().map(move |d| (page, d)));
        definitions.flat_map(|(page, d)| d.body.fields.iter().map(move |field| (page, d, field)))
    }
}

impl<'a> Optype<'a> {
    fn read(page: &'a Page, definition: &'a Definition) -> Self {
        let text = &page.source.text;
        let syntax = definition.section("__Syntax").map(|section| Syntax::read(text, section));
        let examples = definition.section("__Examples").map(|section| Example::read_all(text, section));
        let semantics = definition.section("__Semantics").into_iter().flat_map(Section::code);
        let simulation = definition.section("__Simulation").into_iter().flat_map(Section::prose);
        let code = semantics.chain(simulation).map(|span| Code::read(text, span)).collect();
        Self {
            page,
            definition,
            forms: Vec::new(),
            syntax: syntax.unwrap_or_default(),
            examples: examples.unwrap_or_default(),
            code,
            fields: Vec::new(),
            names: HashSet::new(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &'a str {
        &self.definition.name
    }

    fn all_fields(&self) -> Vec<&'a FieldFacts> {
        let own = self.definition.body.fields.iter();
        let all = own.chain(self.forms.iter().flat_map(|form| &form.facts.body.fields));
        let mut known = HashSet::new();
        all.filter(|field| known.insert((&field.name, &field.ty))).collect()
    }

    /// The routines of its pseudo-code.
    pub fn routines(&self) -> impl Iterator<Item = &crate::pseudo::Routine> {
        self.code.iter().flat_map(|code| &code.routines).take(ROUTINES)
    }
}

impl FieldFacts {
    /// The part after the point of `rb.neg`; the whole of a name without one.
    pub(crate) fn attribute(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }
}

impl Definition {
    /// The first section of a name.
    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }
}

impl<'a> Form<'a> {
    fn new(page: &'a Page, definition: &'a Definition, facts: &'a FormFacts) -> Self {
        let fields = facts.body.fields.iter().map(|field| (field.name.as_str(), field)).collect();
        let operands = facts.body.order.iter().flat_map(|entry| names(entry)).take(OPERANDS).collect();
        Self { page, definition, facts, fields, operands }
    }

    /// A field of the form by name.
    pub fn field(&self, name: &str) -> Option<&'a FieldFacts> {
        self.fields.get(name).copied()
    }
}

/// The operands that an entry of a list names: `rb`, or `vb` and `ura` of `C[vb, ura]`.
pub fn names(entry: &str) -> impl Iterator<Item = &str> {
    let inner = entry.split_once('[').map_or(entry, |(_, inner)| inner.trim_end_matches(']'));
    inner.split(',').map(str::trim)
}

/// The name of the registers that a type numbers: its capitals, such as `UR` for `UReg`.
pub fn register_name(ty: &str) -> String {
    ty.chars().filter(char::is_ascii_uppercase).collect()
}

/// Whether a type by its name holds a literal of its width: `SImm32`.
pub fn is_literal(ty: &str) -> bool {
    ty.contains("Imm")
}
