//! Compares examples with the syntax lines: whether each parses, and whether a form can encode it.

use super::Lint;
use super::classes::*;
use super::matching::{Match, align, tries};
use super::model::{Form, Optype, is_literal};
use super::slots::field_of;
use crate::asm::{Core, Example, Line};

/// Maximum number of forms that are tried for an example.
const FORMS: usize = 16;

pub fn check(lint: &mut Lint) {
    for optype in &lint.set.optypes {
        for example in optype.examples.iter() {
            for (span, what) in &example.faults {
                lint.report(&EXAMPLE_FAULT, optype.page, span.clone(), optype.name(), (*what).to_owned());
            }
            if !optype.syntax.lines.is_empty() {
                one(lint, optype, example);
            }
        }
    }
}

/// How the modifiers of an example match a syntax line.
struct Modifiers<'e> {
    unknown: Vec<&'e (String, std::ops::Range<usize>)>,
    missing: Vec<String>,
    in_order: bool,
}

impl Modifiers<'_> {
    fn misfit(&self) -> usize {
        2 * self.unknown.len() + self.missing.len()
    }
}

fn modifiers<'e>(optype: &Optype, line: &Line, example: &'e Example) -> Modifiers<'e> {
    let mut used = vec![false; line.modifiers.len()];
    let (mut unknown, mut last, mut in_order) = (Vec::new(), 0, true);
    for given in &example.modifiers {
        let fits = |name: &str| match optype.syntax.list(name) {
            Some(list) => list.values.iter().any(|(value, _)| *value == given.0),
            None => name == given.0,
        };
        let found = (0..used.len()).find(|at| !used[*at] && fits(&line.modifiers[*at].name));
        let Some(at) = found else {
            unknown.push(given);
            continue;
        };
        used[at] = true;
        in_order &= at >= last;
        last = at;
    }
    let left_out = line.modifiers.iter().zip(&used).filter(|(slot, used)| !slot.optional && !**used);
    let missing = left_out.map(|(slot, _)| slot.name.clone()).collect();
    Modifiers { unknown, missing, in_order }
}

fn one(lint: &mut Lint, optype: &Optype, example: &Example) {
    let page = optype.page;
    let lines = optype.syntax.lines.iter().filter(|line| line.mnemonic == example.mnemonic);
    let fits = lines.map(|line| (line, modifiers(optype, line, example)));
    let Some((line, fit)) = fits.min_by_key(|(_, fit)| fit.misfit()) else {
        let message = format!("the example is of `{}`, and no line of the syntax is", example.mnemonic);
        lint.report(&EXAMPLE_MNEMONIC, page, example.span.clone(), optype.name(), message);
        return;
    };
    for (name, span) in &fit.unknown {
        let message = format!("`.{name}` is no modifier of this instruction");
        lint.report(&EXAMPLE_MODIFIER, page, span.clone(), optype.name(), message);
    }
    for name in &fit.missing {
        let message = format!("`.{name}` must be written by the syntax, and the example leaves it out");
        lint.report(&EXAMPLE_LEAVES_OUT, page, example.span.clone(), optype.name(), message);
    }
    if !fit.in_order {
        let message = "the modifiers stand in another order than in the syntax".to_owned();
        lint.report(&EXAMPLE_MODIFIER_ORDER, page, example.span.clone(), optype.name(), message);
    }
    operands(lint, optype, line, example);
}

fn operands(lint: &mut Lint, optype: &Optype, line: &Line, example: &Example) {
    let page = optype.page;
    let forms: Vec<&Form> = optype.forms.iter().take(FORMS).collect();
    if let Some(form) =
        forms.iter().find(|form| align(lint.set, optype, line, example, &[form]).misfits.is_empty())
    {
        notes(lint, optype, line, example, form);
        return;
    }
    let Match { misfits, pairs } = align(lint.set, optype, line, example, &forms);
    if pairs.is_empty() && !(line.slots.is_empty() && example.operands.is_empty()) {
        let least = line.slots.iter().filter(|slot| !slot.optional).count();
        let message = format!(
            "{} operands are given, and the syntax has {least} to {}",
            example.operands.len(),
            line.slots.len()
        );
        lint.report(&EXAMPLE_OPERAND_COUNT, page, example.span.clone(), optype.name(), message);
        return;
    }
    for (at, why) in &misfits {
        let span = example.operands[*at].span.clone();
        lint.report(&EXAMPLE_OPERAND, page, span, optype.name(), why.why.clone());
    }
    if misfits.is_empty() && !forms.is_empty() {
        let message = "each operand fits some form, and no form fits all of them".to_owned();
        lint.report(&EXAMPLE_WITHOUT_FORM, page, example.span.clone(), optype.name(), message);
    }
}

/// Reports unusual operands of an example that fits a syntax line and a form.
fn notes(lint: &mut Lint, optype: &Optype, line: &Line, example: &Example, form: &Form) {
    let page = optype.page;
    for (slot, at) in align(lint.set, optype, line, example, &[form]).pairs {
        let operand = &example.operands[at];
        let slot = &line.slots[slot];
        let Some(field) = field_of(form, line, slot) else { continue };
        match &operand.core {
            Core::Indexed(base, _)
                if slot.index.is_empty()
                    && !tries::is_constant(base, &field.ty)
                    && lint.once(&EXAMPLE_NOTATION, optype.name()) =>
            {
                let message =
                    format!("`{}` names several registers, and the syntax does not say how", slot.name);
                lint.report(&EXAMPLE_NOTATION, page, operand.span.clone(), optype.name(), message);
            }
            Core::Number(text) if is_literal(&field.ty) => {
                let negative = operand.prefixes.contains(&'-');
                if let Some(what) = tries::odd_literal(text, negative, &field.ty) {
                    lint.report(&EXAMPLE_LITERAL, page, operand.span.clone(), optype.name(), what);
                }
            }
            _ => {}
        }
    }
}
