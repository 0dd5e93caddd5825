//! Parses the structure of a module: directives, kernels, registers, labels and statements (ISA 4,
//! 5 and 11).

use std::collections::HashMap;

use crate::body::Body;
use crate::decode::{self, Language};
use crate::error::ParseError;
use crate::operand::Operand;
use crate::token::{Reader, Token};
use crate::types::Type;
use crate::{Kernel, Module, Parameter};

type ParseResult<T> = std::result::Result<T, ParseError>;

/// Parses a module: see [`Module::parse`] and [`Module::parse_machine`].
pub(crate) fn module(text: &str, language: Language) -> ParseResult<Module> {
    let mut reader = Reader::new(text)?;
    let target = header(&mut reader)?;
    let (mut kernels, mut by_name) = (Vec::new(), HashMap::new());
    while reader.peek().is_some() {
        let kernel = kernel(&mut reader, language)?;
        if by_name.insert(kernel.name.clone(), kernels.len()).is_some() {
            return Err(reader.error(format!("a second kernel {}", kernel.name)));
        }
        kernels.push(kernel);
    }
    Ok(Module { target, kernels, by_name })
}

/// Parses the three directives with which a module begins (ISA 11.1). Returns the target.
fn header(reader: &mut Reader<'_>) -> ParseResult<String> {
    reader.expect_word(".version")?;
    let version = reader.word()?;
    if !is_supported(version) {
        return Err(reader.error(format!("version {version} is none of 8.2 and later")));
    }
    reader.expect_word(".target")?;
    let target = reader.name()?;
    if !target.starts_with("sm_") {
        return Err(reader.error(format!("unknown target {target}")));
    }
    reader.expect_word(".address_size")?;
    reader.expect_word("64")?;
    Ok(target.to_owned())
}

fn is_supported(version: &str) -> bool {
    let numbers = version.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    numbers.is_some_and(|numbers: (u32, u32)| numbers >= (8, 2))
}

/// Parses `.visible .entry name(.param …) { … }` (ISA 11.2).
fn kernel(reader: &mut Reader<'_>, language: Language) -> ParseResult<Kernel> {
    reader.eat(Token::Word(".visible"));
    reader.expect_word(".entry")?;
    let name = reader.name()?;
    let mut body = Body::new();
    reader.expect_symbol('(')?;
    if !reader.symbol(')') {
        parameter(&mut body, reader)?;
        while !reader.symbol(')') {
            reader.expect_symbol(',')?;
            parameter(&mut body, reader)?;
        }
    }
    reader.expect_symbol('{')?;
    while !reader.symbol('}') {
        statement(&mut body, reader, language)?;
    }
    body.finish(name, reader.line())
}

/// Parses `.param .u64 name`.
fn parameter(body: &mut Body, reader: &mut Reader<'_>) -> ParseResult<()> {
    reader.expect_word(".param")?;
    let (parameter, of) = match reader.word()? {
        ".u32" => (Parameter::U32, Type::U32),
        ".u64" => (Parameter::U64, Type::U64),
        other => return Err(reader.error(format!("unsupported type of a parameter: {other}"))),
    };
    let name = reader.name()?;
    body.add_parameter(name, parameter, of).map_err(|problem| reader.error(problem))
}

fn statement(body: &mut Body, reader: &mut Reader<'_>, language: Language) -> ParseResult<()> {
    if reader.symbol('@') {
        let guard = !reader.symbol('!');
        let predicate = reader.name()?;
        let predicate = body.register(predicate, Type::Pred).map_err(|problem| reader.error(problem))?;
        return match reader.word()? {
            "bra" => branch(body, Some((guard, predicate)), reader),
            opcode => guarded(body, (guard, predicate), opcode, reader, language),
        };
    }
    match reader.word()? {
        ".reg" => registers(body, reader),
        "bra" => branch(body, None, reader),
        label if reader.symbol(':') => body.add_label(label).map_err(|problem| reader.error(problem)),
        directive if directive.starts_with('.') => {
            Err(reader.error(format!("unsupported directive {directive}")))
        }
        opcode => instruction(body, opcode, reader, language),
    }
}

/// Parses `.reg .b32 %r<3>, %s;` (ISA 5.1.1 and 5.4.6).
fn registers(body: &mut Body, reader: &mut Reader<'_>) -> ParseResult<()> {
    let text = reader.word()?;
    let of = text.strip_prefix('.').and_then(Type::named);
    let of = of.ok_or_else(|| reader.error(format!("unsupported type of a register: {text}")))?;
    loop {
        let name = reader.name()?;
        if reader.symbol('<') {
            let text = reader.word()?;
            let count: usize = text.parse().map_err(|_| reader.error(format!("{text} is no count")))?;
            reader.expect_symbol('>')?;
            for index in 0..count {
                let name = format!("{name}{index}");
                body.add_register(name, of).map_err(|problem| reader.error(problem))?;
            }
        } else {
            let added = body.add_register(name.to_owned(), of);
            added.map_err(|problem| reader.error(problem))?;
        }
        if reader.symbol(';') {
            return Ok(());
        }
        reader.expect_symbol(',')?;
    }
}

/// Parses the rest of `bra label;`.
fn branch(body: &mut Body, guard: Option<(bool, usize)>, reader: &mut Reader<'_>) -> ParseResult<()> {
    let label = reader.name()?;
    body.add_branch(reader.line(), label, guard).map_err(|problem| reader.error(problem))?;
    reader.expect_symbol(';')
}

/// Parses an instruction with a guard. The threads that do not execute it branch over it (ISA 9.3).
fn guarded(
    body: &mut Body,
    (guard, predicate): (bool, usize),
    opcode: &str,
    reader: &mut Reader<'_>,
    language: Language,
) -> ParseResult<()> {
    let line = reader.line();
    // A number cannot be a label in the text, so this label is unique.
    let behind = body.steps().to_string();
    let located = |problem| ParseError::new(line, problem);
    body.add_branch(line, &behind, Some((!guard, predicate))).map_err(located)?;
    instruction(body, opcode, reader, language)?;
    body.add_label(&behind).map_err(located)
}

fn instruction(
    body: &mut Body,
    opcode: &str,
    reader: &mut Reader<'_>,
    language: Language,
) -> ParseResult<()> {
    let line = reader.line();
    let mut operands = Vec::new();
    if !reader.symbol(';') {
        operands.push(Operand::read(reader)?);
        while !reader.symbol(';') {
            reader.expect_symbol(',')?;
            operands.push(Operand::read(reader)?);
        }
    }
    let form = decode::form(opcode, &operands, language);
    let added = form.and_then(|form| body.add_instruction(line, &form, &operands));
    added.map_err(|problem| ParseError::new(line, format!("{opcode}: {problem}")))
}
