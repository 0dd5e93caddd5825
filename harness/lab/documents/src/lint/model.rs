//! The documents as the rules see them: each definition with its text, forms and sections.

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
    /// The text of the document.
    pub source: Source,
    /// The declarations of the document.
    pub document: Document,
    /// The errors found while reading.
    pub errors: Vec<Error>,
}

impl Page {
    /// Reads as much of a document as possible.
    pub fn read(name: &str, text: &str) -> Self {
        let source = Source::new(name, text);
        let (document, errors) = parse_source(&source);
        Self { source, document, errors }
    }

    /// Returns the text of a span.
    pub fn text(&self, span: &Span) -> &str {
        self.source.get(span)
    }

    /// Returns the statement at a position.
    pub fn at(&self, at: &Location) -> Span {
        self.source.statement(at)
    }

    /// Returns the statement that gives a list or width of a definition. If there is none, returns
    /// the definition's head.
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
    /// The types with listed values, by name.
    pub types: HashMap<&'a str, (&'a Page, &'a TypeFacts)>,
}

/// An optype.
pub struct Optype<'a> {
    /// The document that defines the optype.
    pub page: &'a Page,
    /// The declaration.
    pub definition: &'a Definition,
    /// The forms of the optype.
    pub forms: Vec<Form<'a>>,
    /// The contents of the optype's `__Syntax` section.
    pub syntax: Syntax,
    /// The examples of the optype's `__Examples` section.
    pub examples: Vec<Example>,
    /// The optype's pseudo-code: fenced blocks of `__Semantics`, and lines of `__Simulation`.
    pub code: Vec<Code>,
    /// The fields of all forms, inherited fields included. Each pair of name and type occurs once.
    pub fields: Vec<&'a FieldFacts>,
    /// The names of these fields, and attribute names without their operand: `neg` of `rb.neg`.
    pub names: HashSet<&'a str>,
}

/// Maximum number of routines of an optype that are checked.
pub const ROUTINES: usize = 64;

/// A form of an optype.
pub struct Form<'a> {
    /// The document that defines the form.
    pub page: &'a Page,
    /// The declaration.
    pub definition: &'a Definition,
    /// The facts of the form, inherited facts included.
    pub facts: &'a FormFacts,
    fields: HashMap<&'a str, &'a FieldFacts>,
    /// The operands in `Order`. Operands in brackets are separate items.
    pub operands: Vec<&'a str>,
}

/// Maximum number of checked forms of an optype.
const FORMS: usize = 64;
const OPERANDS: usize = 32;

impl<'a> DocumentSet<'a> {
    /// Combines documents. `forms` has the forms of all pages, in order.
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

    /// Returns every form with its optype.
    pub fn forms(&self) -> impl Iterator<Item = (&Optype<'a>, &Form<'a>)> {
        self.optypes.iter().flat_map(|optype| optype.forms.iter().map(move |form| (optype, form)))
    }

    /// Returns every field with its declaration.
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

    /// Returns the name of the optype.
    pub fn name(&self) -> &'a str {
        &self.definition.name
    }

    fn all_fields(&self) -> Vec<&'a FieldFacts> {
        let own = self.definition.body.fields.iter();
        let all = own.chain(self.forms.iter().flat_map(|form| &form.facts.body.fields));
        let mut known = HashSet::new();
        all.filter(|field| known.insert((&field.name, &field.ty))).collect()
    }

    /// Returns the routines of the pseudo-code.
    pub fn routines(&self) -> impl Iterator<Item = &crate::pseudo::Routine> {
        self.code.iter().flat_map(|code| &code.routines).take(ROUTINES)
    }
}

impl FieldFacts {
    /// Returns the part after the dot: `neg` of `rb.neg`. Without a dot, the whole name.
    pub(crate) fn attribute(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }
}

impl Definition {
    /// Returns the first section with this name.
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

    /// Returns the field with this name.
    pub fn field(&self, name: &str) -> Option<&'a FieldFacts> {
        self.fields.get(name).copied()
    }
}

/// Returns the operands of a list entry: `rb`, or `vb` and `ura` of `C[vb, ura]`.
pub fn names(entry: &str) -> impl Iterator<Item = &str> {
    let inner = entry.split_once('[').map_or(entry, |(_, inner)| inner.trim_end_matches(']'));
    inner.split(',').map(str::trim)
}

/// Returns the letters of a type's registers: the capitals of its name, such as `UR` of `UReg`.
pub fn register_name(ty: &str) -> String {
    ty.chars().filter(char::is_ascii_uppercase).collect()
}

/// Whether a type is a literal, by its name: `SImm32`.
pub fn is_literal(ty: &str) -> bool {
    ty.contains("Imm")
}
