//! Parses pseudo-code into routines and statements. Unreadable text is a fault, and parsing
//! continues on the next line.
//!
//! Blocks are marked by braces, or by indentation alone.

use super::token::{Lexed, PseudoToken, PseudoTokenKind, lex};
use super::tree::{Expr, Routine, Statement, StatementKind, TypeName};
use crate::layout::Span;

/// Maximum depth of nested statements and expressions.
const DEPTH: usize = 48;

/// Maximum number of tokens that are read from a head.
const HEAD: usize = 64;

/// Maximum number of consecutive operators or brackets on one level.
pub(super) const CHAIN: usize = 64;

/// Parsed pseudo-code.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Code {
    /// The routines, in order.
    pub routines: Vec<Routine>,
    /// The grammar errors, each with its position and a description.
    pub faults: Vec<(Span, &'static str)>,
    /// Statements without their final `;`.
    pub unended: Vec<Span>,
    /// Heads of blocks with several statements but no braces.
    pub braceless: Vec<Span>,
    /// The comments.
    pub comments: Vec<Span>,
}

impl Code {
    /// Reads a block of code.
    pub fn read(text: &str, code: Span) -> Self {
        let Lexed { tokens, comments } = lex(text, code);
        let mut read = Self { comments, ..Self::default() };
        for tokens in split(text, &tokens) {
            let mut parser = PseudoParser { text, tokens, at: 0, depth: 0, bars: 0, code: &mut read };
            let routine = parser.routine();
            read.routines.push(routine);
        }
        read
    }

    /// Reads a single expression, such as a formula in prose. `None` if the expression does not
    /// fill the span.
    pub fn formula(text: &str, span: Span) -> Option<Expr> {
        let lexed = lex(text, span);
        let mut read = Self::default();
        let mut parser =
            PseudoParser { text, tokens: &lexed.tokens, at: 0, depth: 0, bars: 0, code: &mut read };
        let expr = parser.expr();
        let whole = parser.peek(0).is_none();
        (whole && read.faults.is_empty()).then_some(expr)
    }
}

/// Splits tokens into routines. The head of a routine is an unindented line that ends in `:`.
fn split<'t>(text: &str, tokens: &'t [PseudoToken]) -> Vec<&'t [PseudoToken]> {
    let first_of_line = |at: usize| at == 0 || tokens[at - 1].line != tokens[at].line;
    let mut starts = vec![0];
    let mut line_start = 0;
    for at in 0..tokens.len() {
        if first_of_line(at) {
            line_start = at;
        }
        let ends_line = tokens.get(at + 1).is_none_or(|next| next.line != tokens[at].line);
        let is_head = ends_line && tokens[line_start].indent == 0 && &text[tokens[at].span.clone()] == ":";
        if is_head && line_start > 0 {
            starts.push(line_start);
        }
    }
    starts.push(tokens.len());
    starts.windows(2).map(|ends| &tokens[ends[0]..ends[1]]).filter(|tokens| !tokens.is_empty()).collect()
}

pub(super) struct PseudoParser<'a> {
    text: &'a str,
    tokens: &'a [PseudoToken],
    at: usize,
    depth: usize,
    /// Number of open absolute-value bars.
    bars: usize,
    code: &'a mut Code,
}

impl<'a> PseudoParser<'a> {
    pub(super) fn peek(&self, ahead: usize) -> Option<&'a PseudoToken> {
        self.tokens.get(self.at + ahead)
    }

    pub(super) fn text_of(&self, token: &PseudoToken) -> &'a str {
        &self.text[token.span.clone()]
    }

    pub(super) fn peek_is(&self, text: &str) -> bool {
        self.peek(0).is_some_and(|token| self.text_of(token) == text)
    }

    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.peek_is(text);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, text: &str) {
        if !self.eat(text) {
            let span = self.peek(0).map_or(self.end()..self.end(), |token| token.span.clone());
            self.fault(span, "a bracket is not closed before this");
        }
    }

    /// Returns the end of the last token read.
    pub(super) fn end(&self) -> usize {
        let last = self.at.min(self.tokens.len()).checked_sub(1).map(|at| self.tokens[at].span.end);
        last.unwrap_or_else(|| self.tokens.first().map_or(0, |token| token.span.start))
    }

    /// Returns the span from a byte to the end of the last token read. Empty if that end is before
    /// the byte.
    pub(super) fn since(&self, start: usize) -> Span {
        start..self.end().max(start)
    }

    /// Returns the line of the last token read.
    pub(super) fn line(&self) -> Option<usize> {
        self.at.checked_sub(1).and_then(|last| self.tokens.get(last)).map(|last| last.line)
    }

    pub(super) fn fault(&mut self, span: Span, what: &'static str) {
        self.code.faults.push((span, what));
    }

    /// Runs `read` one level deeper. Returns `None` at the maximum depth.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth == DEPTH {
            // Too deep to read: skip the line.
            self.skip_line();
            return None;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        Some(result)
    }

    pub(super) fn in_bars(&self) -> bool {
        self.bars > 0
    }

    pub(super) fn within_bars(&mut self) -> Expr {
        self.bars += 1;
        let expr = self.expr();
        self.bars -= 1;
        expr
    }

    pub(super) fn skip_line(&mut self) {
        let Some(line) = self.peek(0).map(|token| token.line) else { return };
        while self.peek(0).is_some_and(|token| token.line == line) {
            self.skip();
        }
    }

    fn routine(&mut self) -> Routine {
        let mut routine = self.head();
        while self.peek(0).is_some() {
            if self.eat("}") {
                let end = self.end();
                self.fault(end - 1..end, "this brace closes nothing");
            }
            routine.body.extend(self.statement());
        }
        routine
    }

    fn head(&mut self) -> Routine {
        let mut routine = Routine::default();
        let Some(first) = self.peek(0).filter(|token| token.indent == 0) else { return routine };
        let line = self.tokens.iter().take_while(|token| token.line == first.line).count();
        if self.text_of(&self.tokens[line - 1]) != ":" {
            return routine;
        }
        let head = &self.tokens[..line];
        self.at = line;
        routine.head = first.span.start..head[line - 1].span.start;
        routine.is_function = head.get(1).is_some_and(|token| self.text_of(token) == "(");
        for part in self.text_of(first).split('.').take(HEAD) {
            routine.name.push((part.to_owned(), first.span.clone()));
        }
        for token in head[1..].iter().take(HEAD) {
            match token.shape {
                PseudoTokenKind::Word => {
                    routine.operands.push((self.text_of(token).to_owned(), token.span.clone()))
                }
                PseudoTokenKind::Modifier if routine.operands.is_empty() => {
                    routine.name.push((self.text_of(token)[1..].to_owned(), token.span.clone()));
                }
                _ => {}
            }
        }
        routine
    }

    /// Reads a statement. `None` for a lone `;` or unreadable text.
    fn statement(&mut self) -> Option<Statement> {
        let before = self.at;
        let statement = self.deeper(Self::statement_inner).flatten();
        if self.at == before {
            let token = self.peek(0)?;
            self.fault(token.span.clone(), "no statement begins like this");
            self.skip();
        }
        statement
    }

    fn statement_inner(&mut self) -> Option<Statement> {
        let token = self.peek(0)?;
        let start = token.span.start;
        let kind = match self.text_of(token) {
            ";" => {
                self.skip();
                return None;
            }
            "if" => return Some(self.conditional()),
            "while" | "for" => return Some(self.repeated()),
            "switch" => return Some(self.switch()),
            "break" => {
                self.skip();
                StatementKind::Break
            }
            "continue" => {
                self.skip();
                StatementKind::Continue
            }
            "return" => {
                self.skip();
                let value = (!self.peek_is(";")).then(|| self.expr());
                StatementKind::Return(value)
            }
            _ => self.simple(),
        };
        let span = self.since(start);
        if !self.eat(";") && !self.peek_is(")") {
            self.code.unended.push(span.clone());
            let line = self.line();
            let stray = self.peek(0).filter(|next| Some(next.line) == line && !self.peek_is("}"));
            if let Some(stray) = stray {
                self.fault(stray.span.clone(), "this does not continue the expression before it");
                self.skip_line();
            }
        }
        Some(Statement { span, kind })
    }

    /// Reads an assignment, a declaration or an expression.
    fn simple(&mut self) -> StatementKind {
        let ty = self.type_name();
        let mut targets = vec![self.expr()];
        while self.eat(",") {
            targets.push(self.expr());
        }
        let (mut is_chain, update) = (false, self.update());
        let has_value = match &update {
            Some((_, steps)) => !steps,
            None => self.eat("="),
        };
        let update = update.map(|(operator, _)| operator);
        if !has_value {
            return match (&ty, &update) {
                (None, None) => StatementKind::Expr(targets.swap_remove(0)),
                _ => StatementKind::Assign { targets, is_chain, update, ty, value: None },
            };
        }
        let mut value = self.expr();
        while self.eat("=") {
            is_chain = true;
            targets.push(value);
            value = self.expr();
        }
        StatementKind::Assign { targets, is_chain, update, ty, value: Some(value) }
    }

    /// Takes an operator that updates its target, such as `>>=` or `++`. Returns its infix operator,
    /// and whether it adds or subtracts 1.
    fn update(&mut self) -> Option<(String, bool)> {
        const UPDATES: [&str; 10] = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];
        if let Some(sign) = ["++", "--"].into_iter().find(|sign| self.eat(sign)) {
            return Some((sign[1..].to_owned(), true));
        }
        let sign = UPDATES.into_iter().find(|sign| self.eat(sign))?;
        Some((sign.trim_end_matches('=').to_owned(), false))
    }

    /// Takes the type of `TYPE name` or `typeof(x) name`.
    fn type_name(&mut self) -> Option<TypeName> {
        let first = self.peek(0).filter(|token| token.shape == PseudoTokenKind::Word)?;
        let mut ahead = 1;
        if self.peek(1).is_some_and(|token| self.text_of(token) == "(") {
            while self.peek(ahead).is_some_and(|token| self.text_of(token) != ")" && token.line == first.line)
            {
                ahead += 1;
            }
            ahead += 1;
        }
        self.peek(ahead).filter(|token| token.shape == PseudoTokenKind::Word && token.line == first.line)?;
        let after = self.peek(ahead + 1).map(|token| self.text_of(token));
        if !matches!(after, Some("=" | ";" | ",")) {
            return None;
        }
        let end = self.at + ahead;
        self.skip();
        let argument = self.eat("(").then(|| self.expr());
        self.at = end;
        Some(TypeName { name: self.text_of(first).to_owned(), argument })
    }

    fn conditional(&mut self) -> Statement {
        let start = self.end_of_next();
        let mut arms = Vec::new();
        let mut span = start.clone();
        loop {
            let head = self.at;
            self.skip();
            let condition = self.parenthesised();
            if arms.is_empty() {
                span = self.since(start.start);
            }
            arms.push((condition, self.block(head)));
            if !self.peek_is("else") {
                break;
            }
            let head = self.at;
            self.skip();
            if !self.peek_is("if") {
                arms.push((None, self.block(head)));
                break;
            }
        }
        Statement { span, kind: StatementKind::If { arms } }
    }

    fn end_of_next(&self) -> Span {
        self.peek(0).map(|token| token.span.clone()).unwrap_or_default()
    }

    fn parenthesised(&mut self) -> Option<Expr> {
        self.expect("(");
        let expr = self.expr();
        self.expect(")");
        Some(expr)
    }

    fn repeated(&mut self) -> Statement {
        let (head, start) = (self.at, self.end_of_next().start);
        let is_for = self.peek_is("for");
        self.skip();
        let (mut init, mut step) = (Vec::new(), Vec::new());
        let condition = if is_for {
            self.expect("(");
            init.extend(self.statement());
            let condition = (!self.peek_is(";")).then(|| self.expr());
            self.expect(";");
            if !self.peek_is(")") {
                step.extend(self.statement());
            }
            self.expect(")");
            condition
        } else {
            self.parenthesised()
        };
        let span = self.since(start);
        let body = self.block(head);
        Statement { span, kind: StatementKind::Loop { init, condition, step, body } }
    }

    fn switch(&mut self) -> Statement {
        let start = self.end_of_next().start;
        self.skip();
        let subject = self.parenthesised().expect("parentheses always hold an expression, if a missing one");
        let span = self.since(start);
        self.expect("{");
        let mut cases: Vec<(Option<Expr>, Vec<Statement>)> = Vec::new();
        while self.peek(0).is_some() && !self.eat("}") {
            if self.eat("case") {
                let label = self.expr();
                cases.push((Some(label), Vec::new()));
                self.expect(":");
            } else if self.eat("default") {
                cases.push((None, Vec::new()));
                self.expect(":");
            } else {
                let statement = self.statement();
                match cases.last_mut() {
                    Some((_, body)) => body.extend(statement),
                    None => cases.push((None, statement.into_iter().collect())),
                }
            }
        }
        Statement { span, kind: StatementKind::Switch { subject, cases } }
    }

    /// Reads the statements that the head at a token governs: in braces, or indented below it.
    fn block(&mut self, head: usize) -> Vec<Statement> {
        let mut body = Vec::new();
        if self.eat("{") {
            while self.peek(0).is_some() && !self.eat("}") {
                body.extend(self.statement());
            }
            return body;
        }
        let (line, indent) = (self.tokens[head].line, self.tokens[head].indent);
        let belongs = |token: &PseudoToken, taken: usize| {
            if token.line == line { taken == 0 } else { token.indent > indent }
        };
        let mut taken = 0;
        while self.peek(0).is_some_and(|token| belongs(token, taken)) && !self.peek_is("}") {
            body.extend(self.statement());
            taken += 1;
        }
        if body.len() > 1 {
            self.code.braceless.push(self.tokens[head].span.clone());
        }
        body
    }
}
