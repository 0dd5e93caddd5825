//! Checks the machine-readable parts of prose: names, marks, formulas, references.

use std::collections::{HashMap, HashSet};

use super::Lint;
use super::arithmetic::precedence;
use super::classes::*;
use super::model::{Optype, Page};
use crate::document::Definition;
use crate::layout::{Block, Section, Span};
use crate::pseudo::Code;

/// The sections that describe operands and modifiers.
const DESCRIBING: [&str; 3] = ["__Description", "__OperandInfo", "__ModifierInfo"];

pub fn check(lint: &mut Lint) {
    let set = lint.set;
    for page in set.pages {
        marks(lint, page);
        for definition in &page.document.definitions {
            for section in &definition.sections {
                for span in spans(section) {
                    references(lint, page, definition, &span);
                }
            }
        }
    }
    let operands = operand_names(lint);
    let shown = shown_prefixes(lint);
    for optype in &set.optypes {
        modifiers(lint, optype);
        prefixes(lint, optype, &shown);
        operand_words(lint, optype, &operands);
        literal_types(lint, optype);
        defaults(lint, optype);
        formulas(lint, optype);
        off_by_one(lint, optype);
        exceptions(lint, optype);
        long_literals(lint, optype);
    }
    source_classes(lint);
}

/// Returns the text of a section: lines of prose and cells of tables.
pub fn spans(section: &Section) -> impl Iterator<Item = Span> {
    section.blocks.iter().flat_map(|block| match block {
        Block::Prose(span) => vec![span.clone()],
        Block::Table(table) => table.rows.iter().flatten().cloned().collect(),
        Block::Code(_) => Vec::new(),
    })
}

fn described(definition: &Definition, names: &[&str]) -> Vec<Span> {
    let sections = definition.sections.iter().filter(|section| names.contains(&section.name.as_str()));
    sections.flat_map(spans).collect()
}

/// Returns the words of a text with their positions. A word has ASCII letters, digits and `_`.
pub fn words<'t>(page: &'t Page, span: &Span) -> impl Iterator<Item = (&'t str, Span)> + use<'t> {
    let text = page.text(span);
    let start = span.start;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(move |c: char| !is_word(c)).filter(|word| !word.is_empty()).map(move |word| {
        let at = start + (word.as_ptr() as usize - text.as_ptr() as usize);
        (word, at..at + word.len())
    })
}

/// Reports `TODO`, `FIXME` and `???`.
fn marks(lint: &mut Lint, page: &Page) {
    let definitions = &page.document.definitions;
    for number in 0..page.source.line_count() {
        let line = page.source.line(number);
        let text = page.text(&line);
        let Some(at) = ["TODO", "FIXME", "???"].iter().filter_map(|mark| text.find(mark)).min() else {
            continue;
        };
        let span = line.start + at..line.end;
        let owner = definitions.partition_point(|d| d.at.line as usize <= number + 1);
        let ty = page.document.types.iter().rev().find(|ty| (ty.at.line as usize) <= number);
        let of = match owner.checked_sub(1).map(|owner| &definitions[owner]) {
            Some(definition) => definition.name.as_str(),
            None => ty.map_or("", |ty| ty.name.as_str()),
        };
        lint.report(&UNFINISHED, page, span, of, format!("this is left open: `{}`", text[at..].trim_end()));
    }
}

/// Reports links to documents that were not given, and `[[NAME]]` of an undefined name.
fn references(lint: &mut Lint, page: &Page, definition: &Definition, span: &Span) {
    let set = lint.set;
    let text = page.text(span);
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    for link in links {
        let file = link.split('#').next().unwrap_or_default();
        let given = set.pages.iter().any(|page| page.source.name.ends_with(file));
        if !file.is_empty() && !file.contains("://") && !given {
            let message = format!("document `{file}` is referred to and was not given");
            lint.report(&MISSING_DOCUMENT, page, span.clone(), &definition.name, message);
        }
    }
    for name in text.split("[[").skip(1).filter_map(|rest| rest.split("]]").next()) {
        if !lint.names.contains(name) {
            let message = format!("`{name}` is referred to and defined nowhere");
            lint.report(&MISSING_DOCUMENT, page, span.clone(), &definition.name, message);
        }
    }
}

/// Returns each `.NAME` in prose, with its position.
fn pointed(page: &Page, span: &Span) -> Vec<(String, Span)> {
    let text = page.text(span);
    let bytes = text.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut found: Vec<(String, Span)> = Vec::new();
    for (at, _) in text.match_indices('.') {
        let continues = found.last().is_some_and(|(_, last)| last.end == span.start + at);
        let after_word = at > 0 && is_word(bytes[at - 1]) && !continues;
        let len = bytes[at + 1..].iter().take_while(|b| is_word(**b)).count();
        let word = &text[at + 1..at + 1 + len];
        if !after_word && word.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()) {
            found.push((word.to_owned(), span.start + at..span.start + at + 1 + len));
        }
    }
    found
}

/// Reports modifiers that prose names but the syntax lacks, and values that prose leaves out.
fn modifiers(lint: &mut Lint, optype: &Optype) {
    let page = optype.page;
    if optype.syntax.lines.is_empty() {
        return;
    }
    let lines = optype.syntax.lines.iter();
    let mut known: HashSet<&str> = lines.flat_map(|line| &line.modifiers).map(|m| m.name.as_str()).collect();
    known.extend(optype.syntax.lists.iter().flat_map(|list| &list.values).map(|(value, _)| value.as_str()));
    let mut named: HashSet<String> = HashSet::new();
    for span in described(optype.definition, &DESCRIBING) {
        for (word, span) in pointed(page, &span) {
            if !known.contains(word.as_str()) && !named.contains(&word) {
                let message = format!("`.{word}` is described, and the syntax has no such modifier");
                lint.report(&PROSE_MODIFIER, page, span, optype.name(), message);
            }
            named.insert(word);
        }
    }
    for list in &optype.syntax.lists {
        let (with, without): (Vec<_>, Vec<_>) =
            list.values.iter().partition(|(value, _)| named.contains(value));
        if let (false, Some((value, span))) = (with.is_empty(), without.first()) {
            let message =
                format!("`.{value}` is listed, and the description of .{} does not name it", list.name);
            lint.report(&VALUE_NOT_DESCRIBED, page, span.clone(), optype.name(), message);
        }
    }
}

/// The prefix signs of operands.
const PREFIXES: [char; 3] = ['-', '~', '!'];

/// Whether prose shows a sign in parentheses. Elsewhere, `-` may be a dash.
fn shows(page: &Page, span: &Span, prefix: char) -> bool {
    let text = page.text(span);
    text.contains(&format!("({prefix})")) || text.contains(&format!("（{prefix}）"))
}

/// Returns the prefix signs that each document shows in its descriptions of operands.
fn shown_prefixes(lint: &Lint) -> HashSet<(String, char)> {
    let mut shown = HashSet::new();
    for optype in &lint.set.optypes {
        for span in described(optype.definition, &["__OperandInfo"]) {
            let signs = PREFIXES.into_iter().filter(|prefix| shows(optype.page, &span, *prefix));
            shown.extend(signs.map(|prefix| (optype.page.source.name.to_string(), prefix)));
        }
    }
    shown
}

/// Reports prefixes that prose shows but the syntax lacks, and prefixes that prose leaves out.
fn prefixes(lint: &mut Lint, optype: &Optype, shown: &HashSet<(String, char)>) {
    let page = optype.page;
    let slots: Vec<_> = optype.syntax.lines.iter().flat_map(|line| &line.slots).collect();
    let prose = described(optype.definition, &["__OperandInfo"]);
    if slots.is_empty() || prose.is_empty() {
        return;
    }
    for prefix in PREFIXES {
        let allowed = slots.iter().find(|slot| slot.prefixes.contains(&prefix));
        match (allowed, prose.iter().find(|span| shows(page, span, prefix))) {
            (None, Some(span)) => {
                let message = format!("the prefix `{prefix}` is described, and no line of the syntax has it");
                lint.report(&PROSE_PREFIX, page, span.clone(), optype.name(), message);
            }
            // If no description in a document shows the sign, its authors presumably describe the
            // prefix in words.
            (Some(slot), None) if shown.contains(&(page.source.name.to_string(), prefix)) => {
                let message = format!("the prefix `{prefix}` of `{}` is not described", slot.name);
                lint.report(&PREFIX_NOT_DESCRIBED, page, slot.span.clone(), optype.name(), message);
            }
            _ => {}
        }
    }
}

/// Returns the names of the operands in the syntax of all optypes, except those with an index in
/// brackets.
fn operand_names<'a>(lint: &Lint<'a>) -> HashSet<&'a str> {
    let lines = lint.set.optypes.iter().flat_map(|optype| &optype.syntax.lines);
    let slots = lines.flat_map(|line| &line.slots).filter(|slot| slot.index.is_empty());
    slots.map(|slot| slot.name.as_str()).collect()
}

/// Reports operands that prose names, but that only other instructions have.
fn operand_words(lint: &mut Lint, optype: &Optype, operands: &HashSet<&str>) {
    let page = optype.page;
    let mut own: HashSet<&str> = HashSet::new();
    for slot in optype.syntax.lines.iter().flat_map(|line| &line.slots) {
        own.insert(&slot.name);
        own.extend(slot.index.iter().map(|token| page.text(&token.span)));
    }
    if own.is_empty() {
        return;
    }
    for span in described(optype.definition, &DESCRIBING) {
        for (word, span) in words(page, &span) {
            if !operands.contains(word) || !own.insert(word) {
                continue;
            }
            let is_class = word.bytes().all(|b| b.is_ascii_uppercase());
            if is_class && lint.once(&TWO_MEANINGS, word) {
                let message =
                    format!("`{word}` is a source of operands here, and an operand of another syntax");
                lint.report(&TWO_MEANINGS, page, span, optype.name(), message);
            } else if !is_class {
                let message = format!("`{word}` is described, and `{}` has no such operand", optype.name());
                lint.report(&PROSE_OPERAND, page, span, optype.name(), message);
            }
        }
    }
}

/// Reports literal types that prose names, but no field has.
fn literal_types(lint: &mut Lint, optype: &Optype) {
    let page = optype.page;
    let types: HashSet<&str> = optype.fields.iter().map(|field| field.ty.as_str()).collect();
    if optype.forms.is_empty() {
        return;
    }
    let mut seen: HashSet<&str> = HashSet::new();
    for span in described(optype.definition, &["__OperandInfo"]) {
        for (word, span) in words(page, &span) {
            let Some(at) = word.find("Imm") else { continue };
            let is_type = word[..at].bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
                && word.bytes().any(|b| b.is_ascii_digit());
            let known = types.iter().any(|ty| ty.ends_with(word) || word.starts_with(*ty));
            if is_type && !known && seen.insert(word) {
                let message = format!("operands of type `{word}` are described, and no field has that type");
                lint.report(&PROSE_LITERAL_TYPE, page, span, optype.name(), message);
            }
        }
    }
}

/// Compares `NAME的默认值是VALUE`, the default in prose, with the default of the field.
fn defaults(lint: &mut Lint, optype: &Optype) {
    const IS_BY_DEFAULT: &str = "的默认值是";
    let page = optype.page;
    let Some(form) = optype.forms.first() else { return };
    for span in described(optype.definition, &["__OperandInfo"]) {
        let text = page.text(&span);
        for (at, _) in text.match_indices(IS_BY_DEFAULT) {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let name = text[..at].rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
            let said = &text[at + IS_BY_DEFAULT.len()..];
            let said = &said[..said.find(|c: char| !is_word(c) && c != '!').unwrap_or(said.len())];
            let Some(default) = form.field(name).and_then(|field| field.default.as_deref()) else { continue };
            let negated = form.field(&format!("{name}.not")).and_then(|field| field.default.as_deref());
            let encoded = format!("{}{default}", if negated == Some("True") { "!" } else { "" });
            if !said.is_empty() && said != encoded {
                let message =
                    format!("the default of `{name}` is described as `{said}`, and encoded as `{encoded}`");
                lint.report(&PROSE_DEFAULT, page, span.clone(), optype.name(), message);
            }
        }
    }
}

/// Reports formulas in prose whose operators bind tighter than they look.
fn formulas(lint: &mut Lint, optype: &Optype) {
    let page = optype.page;
    for span in described(optype.definition, &["__Description"]) {
        let text = page.text(&span);
        let mut start = 0;
        for run in text.split_inclusive(|c: char| !c.is_ascii()) {
            let ascii = run.trim_end_matches(|c: char| !c.is_ascii());
            if let Some(equals) = ascii.find(" = ") {
                let from = span.start + start + equals + 3;
                let end = ascii[equals..].find(';').map_or(ascii.len(), |semicolon| equals + semicolon);
                let to = span.start + start + ascii[..end].trim_end_matches([' ', '.']).len();
                let formula = (from < to).then(|| Code::formula(&page.source.text, from..to)).flatten();
                if let Some(formula) = formula {
                    formula.walk(&mut |expr| precedence(lint, page, optype.name(), expr));
                }
            }
            start += run.len();
        }
    }
}

/// Reports `x > n … mod(x, n)`, which leaves out n itself. Also reports `[a+n:a]`, which has n + 1
/// bits.
fn off_by_one(lint: &mut Lint, optype: &Optype) {
    let page = optype.page;
    for span in described(optype.definition, &DESCRIBING) {
        let text = page.text(&span);
        let reduced = text
            .split("mod(")
            .nth(1)
            .and_then(|rest| rest.split(')').next())
            .and_then(|inner| inner.split_once(','));
        if let Some((value, modulus)) = reduced
            && text.contains(&format!("{} > {}", value.trim(), modulus.trim()))
        {
            let message = format!("at {} itself this does not reduce, and a remainder would", modulus.trim());
            lint.report(&WRAP_COMPARE, page, span.clone(), optype.name(), message);
        }
        let parts = text
            .split('[')
            .skip(1)
            .filter_map(|rest| rest.split(']').next())
            .filter_map(|part| part.split_once(':'));
        for (high, low) in parts {
            let width = high.trim().strip_prefix(low.trim()).and_then(|rest| rest.strip_prefix('+'));
            if let Some(width) =
                width.filter(|width| !width.is_empty() && !width.contains('-') && !low.is_empty())
            {
                let message = format!("bits {high} to {low} are {width} + 1 bits, if both ends count");
                lint.report(&SLICE_WIDTH, page, span.clone(), optype.name(), message);
            }
        }
    }
}

/// Reports prose about exceptions if no form lists any exception.
fn exceptions(lint: &mut Lint, optype: &Optype) {
    let page = optype.page;
    if optype.forms.iter().any(|form| !form.facts.body.exceptions.is_empty()) {
        return;
    }
    let speaks = |span: &Span| ["异常", "exception"].iter().any(|word| page.text(span).contains(word));
    let prose = described(optype.definition, &DESCRIBING);
    if let Some(span) = prose.into_iter().find(speaks) {
        let message = "an exception is described, and none is listed".to_owned();
        lint.report(&EXCEPTION_NOT_LISTED, page, span, optype.name(), message);
    }
}

/// Reports hexadecimal literals of over 8 digits that are not 16, 24, … digits long, or are wider
/// than every output. Literals with one nonzero digit are exempt.
fn long_literals(lint: &mut Lint, optype: &Optype) {
    let page = optype.page;
    let outs = optype.forms.iter().flat_map(|form| {
        form.facts
            .body
            .outs
            .iter()
            .filter_map(|out| form.facts.body.bitwidths.get(out)?.parse::<usize>().ok())
    });
    let widest = outs.max().unwrap_or(64);
    for section in &optype.definition.sections {
        let code = section.blocks.iter().filter_map(|block| match block {
            Block::Code(span) => Some(span.clone()),
            _ => None,
        });
        for (word, span) in spans(section).chain(code).flat_map(|span| words(page, &span)) {
            let Some(digits) = word.strip_prefix("0x") else { continue };
            let significant = digits.trim_start_matches('0');
            let power_of_two = significant.trim_end_matches('0').len() == 1;
            if digits.len() <= 8 || power_of_two || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                continue;
            }
            let bits = 4 * significant.len();
            if !digits.len().is_multiple_of(8) {
                let message =
                    format!("`{word}` has {} digits: too many for 32 bits and too few for 64", digits.len());
                lint.report(&HEX_DIGITS, page, span, optype.name(), message);
            } else if bits > widest {
                let message = format!("`{word}` has {bits} bits, and no output has more than {widest}");
                lint.report(&WIDER_THAN_OUTPUT, page, span, optype.name(), message);
            }
        }
    }
}

/// Reports an optype whose prose has a word for operand sources, such as `GPR`, without the field
/// type that nearly all other users of the word have.
fn source_classes(lint: &mut Lint) {
    const ENOUGH: usize = 4;
    let set = lint.set;
    let mut users: HashMap<&str, Vec<(usize, Span)>> = HashMap::new();
    for (index, optype) in set.optypes.iter().enumerate() {
        let mut seen: HashSet<&str> = HashSet::new();
        for span in described(optype.definition, &["__OperandInfo"]) {
            for (word, span) in words(optype.page, &span) {
                if word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase()) && seen.insert(word) {
                    users.entry(word).or_default().push((index, span));
                }
            }
        }
    }
    let types: Vec<HashSet<&str>> = set
        .optypes
        .iter()
        .map(|optype| {
            optype.forms.iter().flat_map(|form| &form.facts.body.fields).map(|f| f.ty.as_str()).collect()
        })
        .collect();
    let mut words: Vec<_> = users.into_iter().filter(|(_, users)| users.len() > ENOUGH).collect();
    words.sort_by_key(|(word, _)| *word);
    for (word, users) in words {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for ty in users.iter().flat_map(|(index, _)| &types[*index]) {
            *counts.entry(ty).or_default() += 1;
        }
        // The type that belongs to the word: nearly all users have it, and the word starts or ends
        // with its letters.
        let register = |ty: &str| {
            let letters = super::model::register_name(ty);
            letters.len() < word.len() + 1 && (word.starts_with(&letters) || word.ends_with(&letters))
        };
        let nearly_all = |count: usize| count < users.len() && 5 * count >= 4 * users.len();
        let goes = counts.iter().filter(|(ty, count)| nearly_all(**count) && register(ty)).map(|(ty, _)| *ty);
        let begins = |ty: &str| word.starts_with(&super::model::register_name(ty));
        let Some(ty) = goes.min_by_key(|ty| (!begins(ty), *ty)) else { continue };
        for (index, span) in users.iter().filter(|(index, _)| !types[*index].contains(ty)) {
            let optype = &set.optypes[*index];
            let message = format!(
                "sources called `{word}` go with type `{ty}` elsewhere, and `{}` has none",
                optype.name()
            );
            lint.report(&SOURCE_WITHOUT_FIELD, optype.page, span.clone(), optype.name(), message);
        }
    }
}
