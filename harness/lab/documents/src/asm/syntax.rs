//! The lines of a `__Syntax` section, such as `NAME{.FLAG}.mode Rd, {-}SrcB{.half}  $sched ;` and
//! `.mode = {.A*, .B}`.

use super::token::{AsmToken, AsmTokenKind, tokens};
use crate::layout::{Section, Span};

/// Maximum number of lines that are read from one section.
const LINES: usize = 16;

/// Maximum number of operands and of modifiers that are read from one line.
const SLOTS: usize = 16;
const VALUES: usize = 64;
const INDEX: usize = 24;

/// The contents of a `__Syntax` section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Syntax {
    /// The syntax lines: each is one way to write the instruction.
    pub lines: Vec<Line>,
    /// The value lists of modifiers that are written by name.
    pub lists: Vec<ValueList>,
}

/// One way to write an instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// The whole line.
    pub span: Span,
    /// The mnemonic: the text before the first modifier.
    pub mnemonic: String,
    /// The possible or required modifiers of the mnemonic, in order.
    pub modifiers: Vec<ModifierSlot>,
    /// The operands, in order.
    pub slots: Vec<Slot>,
    /// The placeholders at the end of the line, with their `$`.
    pub placeholders: Vec<(String, Span)>,
    /// The grammar errors, each with its position and a description.
    pub faults: Vec<(Span, &'static str)>,
}

/// A modifier of a syntax line: a word such as `X`, or the name of a value list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModifierSlot {
    /// The word, without the dot.
    pub name: String,
    /// Position of the modifier.
    pub span: Span,
    /// Whether the modifier may be left out.
    pub optional: bool,
}

/// An operand of a syntax line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Slot {
    /// The name of the operand, such as `SrcB`. For an indexed operand, the name before the
    /// bracket.
    pub name: String,
    /// Position of the name.
    pub span: Span,
    /// Whether the operand may be left out.
    pub optional: bool,
    /// The allowed prefixes. `|` stands for bars on both sides.
    pub prefixes: Vec<char>,
    /// The allowed or required suffix.
    pub suffix: Option<ModifierSlot>,
    /// The text in brackets after the name.
    pub index: Vec<AsmToken>,
}

/// A value list, such as `.mode = {.A*, .B}`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueList {
    /// The name of the modifier: `mode`.
    pub name: String,
    /// The whole line.
    pub span: Span,
    /// The values, without their dots.
    pub values: Vec<(String, Span)>,
    /// The value with the star, which applies when the modifier is left out.
    pub starred: Option<String>,
    /// The grammar errors, each with its position and a description.
    pub faults: Vec<(Span, &'static str)>,
}

impl Syntax {
    /// Reads the code of a section, at most `LINES` lines.
    pub fn read(text: &str, section: &Section) -> Self {
        let mut syntax = Self::default();
        for code in section.code() {
            let mut start = code.start;
            for line in text[code].split_inclusive('\n') {
                let span = start..start + line.trim_end().len();
                start += line.len();
                if syntax.lines.len() + syntax.lists.len() == LINES {
                    break;
                }
                let tokens = tokens(text, span.clone());
                match tokens.first() {
                    None => {}
                    Some(first) if first.is('.') => syntax.lists.push(list(text, span, &tokens)),
                    Some(_) => syntax.lines.push(LineReader::read(text, span, &tokens)),
                }
            }
        }
        syntax
    }

    /// Returns the value list of a modifier.
    pub fn list(&self, name: &str) -> Option<&ValueList> {
        self.lists.iter().find(|list| list.name == name)
    }
}

impl Line {
    /// Returns the modifiers that are not part of an optype's name. `WIDE` is part of the name
    /// `MAD_WIDE`.
    pub fn modifiers_of(&self, optype: &str) -> &[ModifierSlot] {
        let mut rest = optype.strip_prefix(self.mnemonic.as_str()).unwrap_or_default();
        let mut own = 0;
        for modifier in &self.modifiers {
            let Some(left) =
                rest.strip_prefix('_').and_then(|rest| rest.strip_prefix(modifier.name.as_str()))
            else {
                break;
            };
            (rest, own) = (left, own + 1);
        }
        if rest.is_empty() { &self.modifiers[own..] } else { &self.modifiers }
    }
}

fn list(text: &str, span: Span, tokens: &[AsmToken]) -> ValueList {
    let mut list = ValueList { span, ..ValueList::default() };
    let words: Vec<&AsmToken> = tokens
        .iter()
        .filter(|token| matches!(token.shape, AsmTokenKind::Word | AsmTokenKind::Number))
        .collect();
    if let Some(name) = words.first() {
        list.name = text[name.span.clone()].to_owned();
    }
    for value in words.iter().skip(1).take(VALUES) {
        list.values.push((text[value.span.clone()].to_owned(), value.span.clone()));
    }
    for pair in tokens.windows(2) {
        if pair[1].is('*') {
            list.starred = Some(text[pair[0].span.clone()].to_owned());
        }
    }
    let signs = |sign: char| tokens.iter().filter(move |token| token.is(sign));
    if signs('{').count() != 1 || signs('}').count() != 1 || signs('=').count() != 1 {
        list.faults.push((list.span.clone(), "a list of values is written `.name = {.A*, .B}`"));
    }
    if let Some(stray) = tokens.last().filter(|token| token.is(';')) {
        list.faults.push((stray.span.clone(), "a list of values ends without `;`"));
    }
    list
}

struct LineReader<'a> {
    text: &'a str,
    tokens: &'a [AsmToken],
    at: usize,
    line: Line,
    /// Number of open braces.
    depth: usize,
    /// Prefixes of the next operand.
    prefixes: Vec<char>,
    comma: bool,
}

impl<'a> LineReader<'a> {
    fn read(text: &'a str, span: Span, tokens: &'a [AsmToken]) -> Line {
        let line = Line { span, ..Line::default() };
        let mut reader = Self { text, tokens, at: 0, line, depth: 0, prefixes: Vec::new(), comma: true };
        reader.mnemonic();
        while reader.at < tokens.len() {
            reader.operand_part();
        }
        if let Some(last) = tokens.last().filter(|token| !token.is(';')) {
            reader.line.faults.push((last.span.clone(), "the line has no `;` at its end"));
        }
        reader.line
    }

    fn word(&self, token: &AsmToken) -> String {
        self.text[token.span.clone()].to_owned()
    }

    fn peek(&self, ahead: usize) -> Option<&'a AsmToken> {
        self.tokens.get(self.at + ahead)
    }

    fn mnemonic(&mut self) {
        if let Some(name) = self.peek(0) {
            self.line.mnemonic = self.word(name);
            self.at = 1;
        }
        while let Some(token) = self.peek(0).filter(|token| !token.spaced) {
            let optional = token.is('{');
            let point = usize::from(optional);
            let (Some(dot), Some(name)) = (self.peek(point), self.peek(point + 1)) else { return };
            if !dot.is('.') {
                return;
            }
            let (name, span) = (self.word(name), dot.span.start..name.span.end);
            if self.line.modifiers.len() < SLOTS {
                self.line.modifiers.push(ModifierSlot { name, span, optional });
            }
            self.at += point + 2 + point;
        }
    }

    fn operand_part(&mut self) {
        let token = &self.tokens[self.at];
        let closes = |ahead| self.peek(ahead).is_some_and(|token| token.is('}'));
        match token.shape {
            AsmTokenKind::Sign('{') => match self.peek(1).map(|next| next.shape) {
                Some(AsmTokenKind::Sign(sign @ ('-' | '~' | '!' | '|'))) if closes(2) => {
                    // A bar after an operand closes the bar in front of the operand.
                    if self.comma || sign != '|' {
                        self.prefixes.push(sign);
                    }
                    self.at += 3;
                }
                Some(AsmTokenKind::Sign('.')) => self.suffix(1),
                _ => {
                    self.depth += 1;
                    self.at += 1;
                }
            },
            AsmTokenKind::Sign('}') => {
                self.depth = self.depth.saturating_sub(1);
                self.at += 1;
            }
            AsmTokenKind::Sign(',') => {
                self.comma = true;
                self.at += 1;
            }
            AsmTokenKind::Sign('.') => self.suffix(0),
            AsmTokenKind::Placeholder => {
                self.line.placeholders.push((self.word(token), token.span.clone()));
                self.at += 1;
            }
            AsmTokenKind::Word => self.slot(),
            _ => self.at += 1,
        }
    }

    /// Reads `.name` or `{.name}`. The dot is the token at offset `ahead` from the current token.
    fn suffix(&mut self, ahead: usize) {
        if let (Some(dot), Some(name), Some(slot)) =
            (self.peek(ahead), self.peek(ahead + 1), self.line.slots.last_mut())
        {
            let span = dot.span.start..name.span.end;
            let name = self.text[name.span.clone()].to_owned();
            slot.suffix = Some(ModifierSlot { name, span, optional: ahead > 0 });
        }
        self.at += 2 * ahead + 2;
    }

    fn slot(&mut self) {
        let token = &self.tokens[self.at];
        if !self.comma {
            self.line
                .faults
                .push((token.span.clone(), "no comma separates this operand from the one before"));
        }
        self.at += 1;
        let index = self.brackets();
        if self.line.slots.len() == SLOTS {
            return;
        }
        self.line.slots.push(Slot {
            name: self.word(token),
            span: token.span.clone(),
            optional: self.depth > 0,
            prefixes: std::mem::take(&mut self.prefixes),
            suffix: None,
            index,
        });
        self.comma = false;
    }

    /// Takes all following groups in brackets, brackets included. Returns at most `INDEX` tokens.
    fn brackets(&mut self) -> Vec<AsmToken> {
        let start = self.at;
        let mut depth = 0usize;
        while let Some(token) = self.peek(0) {
            match token.shape {
                AsmTokenKind::Sign('[') => depth += 1,
                AsmTokenKind::Sign(']') => depth = depth.saturating_sub(1),
                _ if depth == 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        self.tokens[start..self.at.min(start + INDEX)].to_vec()
    }
}
