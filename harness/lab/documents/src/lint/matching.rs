//! Assigns the operands of an example to the operands of a syntax line.

use super::model::{DocumentSet, Form, Optype, is_literal, register_name};
use super::slots::field_of;
use crate::asm::token::{AsmToken, AsmTokenKind};
use crate::asm::{Core, Example, Line, Operand, Slot};

/// The best assignment of an example's operands to a syntax line.
#[derive(Debug, Default)]
pub struct Match {
    /// Indices of the slot and the operand.
    pub pairs: Vec<(usize, usize)>,
    /// Operands that do not fit their slot, with the reasons.
    pub misfits: Vec<(usize, Misfit)>,
}

/// Why an operand does not fit, and how badly.
#[derive(Debug, Clone)]
pub struct Misfit {
    /// The reason, in words.
    pub why: String,
    /// Cost: 1 if only a prefix or suffix is wrong, and more if the operand has another kind.
    pub cost: usize,
}

/// Maximum number of operands that are assigned.
const OPERANDS: usize = 16;

/// Assigns the operands of an example to the slots of a line, with the least cost of misfits. An
/// operand fits if it fits in one of the forms. If the numbers of operands do not match, there are
/// no pairs, and one misfit of the first operand.
pub fn align(set: &DocumentSet, optype: &Optype, line: &Line, example: &Example, forms: &[&Form]) -> Match {
    let (slots, operands) = (&line.slots, &example.operands);
    let mut found = Match::default();
    if slots.len() > OPERANDS || operands.len() > OPERANDS {
        return found;
    }
    let misfit = |slot: &Slot, operand: &Operand| -> Option<Misfit> {
        let mut why = None;
        for form in forms {
            why = tries::misfit(set, optype, line, slot, operand, form);
            why.as_ref()?;
        }
        why.filter(|_| !forms.is_empty())
    };
    let whys: Vec<Vec<_>> =
        slots.iter().map(|slot| operands.iter().map(|operand| misfit(slot, operand)).collect()).collect();
    let cost = |i: usize, j: usize| whys[i][j].as_ref().map_or(0, |misfit: &Misfit| misfit.cost);
    // The least cost of assigning the operands from j on to the slots from i on.
    let mut least = vec![vec![None; operands.len() + 1]; slots.len() + 1];
    least[slots.len()][operands.len()] = Some(0usize);
    for i in (0..slots.len()).rev() {
        for j in (0..=operands.len()).rev() {
            let taken = (j < operands.len()).then(|| least[i + 1][j + 1]).flatten();
            let taken = taken.map(|rest| rest + cost(i, j));
            let left_out = least[i + 1][j].filter(|_| slots[i].optional);
            least[i][j] = match (taken, left_out) {
                (Some(taken), Some(left_out)) => Some(taken.min(left_out)),
                (one, other) => one.or(other),
            };
        }
    }
    if least[0][0].is_none() {
        let why = "the number of operands differs".to_owned();
        found.misfits.push((0, Misfit { why, cost: usize::MAX }));
        return found;
    }
    let (mut i, mut j) = (0, 0);
    while i < slots.len() {
        let takes = j < operands.len()
            && least[i + 1][j + 1].is_some_and(|rest| Some(rest + cost(i, j)) == least[i][j]);
        if takes {
            found.pairs.push((i, j));
            found.misfits.extend(whys[i][j].clone().map(|why| (j, why)));
            j += 1;
        }
        i += 1;
    }
    found
}

/// Checks one operand against one slot.
pub mod tries {
    use super::*;

    /// Returns why an operand does not fit a slot of a form. `None` if the operand fits.
    pub fn misfit(
        set: &DocumentSet,
        optype: &Optype,
        line: &Line,
        slot: &Slot,
        operand: &Operand,
        form: &Form,
    ) -> Option<Misfit> {
        if let Some(why) = kind_misfit(set, optype, line, slot, operand, form) {
            return Some(Misfit { why, cost: 2 });
        }
        let is_number = matches!(operand.core, Core::Number(_));
        let allowed = |prefix: &char| slot.prefixes.contains(prefix) || (is_number && *prefix == '-');
        let why = match operand.prefixes.iter().find(|prefix| !allowed(prefix)) {
            Some(prefix) => format!("`{prefix}` may not precede `{}` in this line of the syntax", slot.name),
            None => {
                // The name of a listed value may contain a dot.
                let is_value =
                    field_of(form, line, slot).is_some_and(|f| set.types.contains_key(f.ty.as_str()));
                suffix_misfit(optype, slot, operand).filter(|_| !is_value)?
            }
        };
        Some(Misfit { why, cost: 1 })
    }

    fn kind_misfit(
        set: &DocumentSet,
        optype: &Optype,
        line: &Line,
        slot: &Slot,
        operand: &Operand,
        form: &Form,
    ) -> Option<String> {
        let is_number = matches!(operand.core, Core::Number(_));
        if !slot.index.is_empty() {
            let fits = matches!(&operand.core, Core::Indexed(base, index)
                if *base == slot.name && same_index(optype, &slot.index, index));
            return (!fits).then(|| format!("this is not written as `{}[…]` is in the syntax", slot.name));
        }
        let Some(field) = field_of(form, line, slot) else {
            let token = matches!(&operand.core, Core::Name(name) if *name == slot.name);
            let literal = is_literal(&slot.name) && is_number;
            return (!token && !literal).then(|| format!("`{}` is expected here", slot.name));
        };
        let fits = match (&operand.core, set.types.get(field.ty.as_str())) {
            (_, _) if is_literal(&field.ty) => is_number,
            (Core::Number(_), _) => false,
            (Core::Name(name), Some((_, ty))) => {
                let full =
                    operand.suffix.iter().fold(name.clone(), |name, suffix| format!("{name}.{suffix}"));
                let known = ty.values.iter().any(|value| value.name == full);
                return (!known).then(|| format!("`{full}` is no value of type `{}`", field.ty));
            }
            (Core::Name(name), None) => is_register(name, &field.ty),
            (Core::Indexed(base, _), _) => is_constant(base, &field.ty) || *base == register_name(&field.ty),
        };
        (!fits).then(|| format!("a value of type `{}` is expected for `{}`", field.ty, slot.name))
    }

    fn suffix_misfit(optype: &Optype, slot: &Slot, operand: &Operand) -> Option<String> {
        match (&slot.suffix, &operand.suffix) {
            (None, Some(given)) => Some(format!("`.{given}` may not follow `{}`", slot.name)),
            (Some(suffix), Some(given)) => {
                let list = optype.syntax.list(&suffix.name)?;
                let known = list.values.iter().any(|(value, _)| value == given);
                (!known).then(|| format!("`.{given}` is no value of .{}", suffix.name))
            }
            _ => None,
        }
    }

    /// Whether a name is a register of a type: its letters, and then a number, `Z` or `T`.
    fn is_register(name: &str, ty: &str) -> bool {
        let Some(rest) = name.strip_prefix(register_name(ty).as_str()) else { return false };
        let is_number = !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
        is_number || matches!(rest, "Z" | "T")
    }

    /// Whether `base[…]` is memory of a type: `base` is the type's first letter in lower case.
    pub fn is_constant(base: &str, ty: &str) -> bool {
        ty.ends_with("Mem") && ty[..1].to_ascii_lowercase() == base
    }

    /// Returns what is unusual about a literal of a type. `None` if nothing is.
    pub fn odd_literal(text: &str, negative: bool, ty: &str) -> Option<String> {
        if ty.starts_with('F') {
            let is_integer = text.bytes().all(|b| b.is_ascii_digit());
            return is_integer.then(|| {
                format!("`{text}` looks like an integer where type `{ty}` is expected: value or bits?")
            });
        }
        let value = match text.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16).ok()?,
            None => text.parse().ok()?,
        };
        let width: u32 = ty.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
        let signed = u32::from(ty.starts_with('S'));
        let most = 1u128.checked_shl(width.checked_sub(signed)?)?;
        let fits = if negative { value <= most } else { value < most };
        (!fits).then(|| format!("`{text}` is outside the range of type `{ty}`"))
    }

    /// Whether the text in brackets matches the syntax. Groups in braces are optional.
    fn same_index(optype: &Optype, pattern: &[AsmToken], given: &[AsmToken]) -> bool {
        const LONGEST: usize = 24;
        let text = |token: &AsmToken| optype.page.text(&token.span);
        let Some((first, rest)) = pattern.split_first() else { return given.is_empty() };
        if pattern.len() > LONGEST || first.is('}') {
            return same_index(optype, rest, given) || pattern.len() > LONGEST;
        }
        if first.is('{') {
            let end = rest.iter().position(|token| token.is('}')).map_or(rest.len(), |at| at + 1);
            return same_index(optype, rest, given) || same_index(optype, &rest[end..], given);
        }
        let Some((token, left)) = given.split_first() else { return false };
        let fits = match (first.shape, token.shape) {
            (AsmTokenKind::Word, AsmTokenKind::Number) => is_literal(text(first)),
            (AsmTokenKind::Word, AsmTokenKind::Word) => {
                let kind = text(first).trim_end_matches(|c: char| !c.is_ascii_uppercase());
                let rest = text(token).strip_prefix(kind);
                !is_literal(text(first))
                    && rest.is_some_and(|rest| rest == "Z" || rest.parse::<u32>().is_ok())
            }
            (AsmTokenKind::Sign(wanted), AsmTokenKind::Sign(sign)) => wanted == sign,
            _ => false,
        };
        fits && same_index(optype, rest, left)
    }
}
