//! The lines of an `__Examples` section, such as
//! `NAME.MODE R0, -|R1|, c[0x0][0x4] ; // what it does`.

use super::token::{AsmToken, AsmTokenKind, tokens};
use crate::layout::{Section, Span};

/// Maximum number of examples that are read from one section.
const EXAMPLES: usize = 16;

/// An example: one instruction in assembler text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Example {
    /// The instruction without its comment.
    pub span: Span,
    /// The mnemonic: the text before the first modifier.
    pub mnemonic: String,
    /// The modifiers, without their dots.
    pub modifiers: Vec<(String, Span)>,
    /// The operands, in order.
    pub operands: Vec<Operand>,
    /// The grammar errors, each with its position and a description.
    pub faults: Vec<(Span, &'static str)>,
}

/// An operand of an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The whole operand.
    pub span: Span,
    /// The prefix signs. `|` stands for bars on both sides.
    pub prefixes: Vec<char>,
    /// The kind of the operand, without prefixes and suffix.
    pub core: Core,
    /// The suffix: the word after a dot, without the dot.
    pub suffix: Option<String>,
}

/// The kind of an operand, without prefixes and suffix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Core {
    /// A literal, as written.
    Number(String),
    /// A name.
    Name(String),
    /// A name and the text in brackets after it, brackets included.
    Indexed(String, Vec<AsmToken>),
}

impl Example {
    /// Reads the examples of a section, one instruction a line. Reads at most `EXAMPLES`.
    pub fn read_all(text: &str, section: &Section) -> Vec<Self> {
        let mut examples = Vec::new();
        for code in section.code() {
            let mut start = code.start;
            for line in text[code].split_inclusive('\n') {
                let tokens = tokens(text, start..start + line.trim_end().len());
                start += line.len();
                examples.extend(Self::read(text, &tokens).filter(|_| examples.len() < EXAMPLES));
            }
        }
        examples
    }

    fn read(text: &str, tokens: &[AsmToken]) -> Option<Self> {
        let word = |token: &AsmToken| text[token.span.clone()].to_owned();
        let (first, last) = (tokens.first()?, tokens.last()?);
        let span = first.span.start..last.span.end;
        let mut example = Self { span, mnemonic: word(first), ..Self::default() };
        let mut at = 1;
        while let [dot, name, ..] = &tokens[at..]
            && dot.is('.')
            && !dot.spaced
        {
            example.modifiers.push((word(name), dot.span.start..name.span.end));
            at += 2;
        }
        let end = tokens.iter().position(|token| token.is(';')).unwrap_or(tokens.len());
        if end == tokens.len() {
            example.faults.push((last.span.clone(), "the instruction has no `;` at its end"));
        }
        example.operands(text, &tokens[at.min(end)..end]);
        Some(example)
    }

    /// Splits the tokens at commas outside brackets, and reads the operands.
    fn operands(&mut self, text: &str, tokens: &[AsmToken]) {
        let mut depth = 0usize;
        let mut start = 0;
        for (at, token) in tokens.iter().enumerate() {
            match token.shape {
                AsmTokenKind::Sign('[') => depth += 1,
                AsmTokenKind::Sign(']') => depth = depth.saturating_sub(1),
                AsmTokenKind::Sign(',') if depth == 0 => {
                    self.operand(text, &tokens[start..at], token);
                    start = at + 1;
                    if start == tokens.len() {
                        self.faults.push((token.span.clone(), "nothing follows this comma"));
                    }
                }
                _ => {}
            }
        }
        if let Some(last) = tokens.last().filter(|_| start < tokens.len()) {
            self.operand(text, &tokens[start..], last);
        }
    }

    fn operand(&mut self, text: &str, tokens: &[AsmToken], end: &AsmToken) {
        match Operand::read(text, tokens) {
            Some(operand) => self.operands.push(operand),
            None => {
                let start = tokens.first().unwrap_or(end).span.start;
                self.faults.push((start..end.span.end, "this is no operand"));
            }
        }
    }
}

impl Operand {
    fn read(text: &str, tokens: &[AsmToken]) -> Option<Self> {
        let (first, last) = (tokens.first()?, tokens.last()?);
        let span = first.span.start..last.span.end;
        let mut prefixes = Vec::new();
        let mut at = 0;
        while let Some(AsmTokenKind::Sign(sign @ ('-' | '~' | '!' | '|'))) =
            tokens.get(at).map(|token| token.shape)
        {
            prefixes.push(sign);
            at += 1;
        }
        let end = match prefixes.contains(&'|') {
            true if last.is('|') && tokens.len() - 1 > at => tokens.len() - 1,
            true => return None,
            false => tokens.len(),
        };
        let (core, rest) = tokens.get(at..end)?.split_first()?;
        let name = text[core.span.clone()].to_owned();
        let brackets = rest.iter().rposition(|token| token.is(']')).map_or(0, |at| at + 1);
        let (index, suffix) = rest.split_at(brackets);
        let suffix = match suffix {
            [] => None,
            [dot, word] if dot.is('.') => Some(text[word.span.clone()].to_owned()),
            _ => return None,
        };
        let core = match core.shape {
            AsmTokenKind::Number if index.is_empty() => Core::Number(name),
            AsmTokenKind::Word if index.is_empty() => Core::Name(name),
            AsmTokenKind::Word if index[0].is('[') => Core::Indexed(name, index.to_vec()),
            _ => return None,
        };
        Some(Self { span, prefixes, core, suffix })
    }
}
