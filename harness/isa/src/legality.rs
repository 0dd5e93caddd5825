//! Checks the rules of an instruction's row: combinations of fields can be illegal although each
//! field is in range.

use crate::catalog::{DISPATCH_MASK, Form};
use crate::instruction::{Instruction, Source, initial};
use crate::location::{CHANNELS, Location, RZ, SRZ, URZ, differs_in_warp, high_special, special_registers};
use crate::readings::Erratum;
use crate::row::Rule;
use crate::tables::types::ChannelMask;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// Two modifiers that are illegal together.
    #[error("{optype} does not support .{first} with .{second}; .{first} goes with: {legal} ({erratum})")]
    Pair {
        /// Optype.
        optype: &'static str,
        /// Value of the first field.
        first: &'static str,
        /// Value of the second field.
        second: &'static str,
        /// The legal values of the second field.
        legal: String,
        /// The erratum that states the rule.
        erratum: Erratum,
    },
    /// A field that must keep its default in this mode.
    #[error(
        "{form} field {field} must keep its default with .{other}; it may differ with: {legal} ({erratum})"
    )]
    OnlyWith {
        /// Form.
        form: &'static str,
        /// The field.
        field: &'static str,
        /// Value of the deciding field.
        other: &'static str,
        /// Values of the deciding field with which the field may differ from its default.
        legal: String,
        /// The erratum that states the rule.
        erratum: Erratum,
    },
    /// A constant operand whose offset is not a multiple of the operand's size.
    #[error("{form} reads {bytes} bytes at {offset:#x}, which is not a multiple of {bytes} (E096)")]
    Misaligned {
        /// Form.
        form: &'static str,
        /// Size of the operand in bytes.
        bytes: u32,
        /// The offset.
        offset: u32,
    },
    /// A wide operand whose first register number is not a multiple of the number of registers, or
    /// which includes the zero register.
    #[error(
        "{form} operand {operand} has {words} registers and cannot begin at number {number}; \
         begin at a multiple of {words}, and end before the zero register (E020)"
    )]
    Unaligned {
        /// Form.
        form: &'static str,
        /// Operand.
        operand: &'static str,
        /// Number of registers.
        words: u8,
        /// Number of the first register.
        number: u8,
    },
    /// An operand that the mode does not have.
    #[error(
        "{form} operand {operand} must keep its default with .{other}; {optype} has it with: {legal} ({erratum})"
    )]
    Absent {
        /// Optype.
        optype: &'static str,
        /// Form.
        form: &'static str,
        /// The operand.
        operand: &'static str,
        /// Value of the deciding field.
        other: &'static str,
        /// Values of the deciding field with which the operand exists.
        legal: String,
        /// The erratum that states the rule.
        erratum: Erratum,
    },
    /// A value that a field may not hold.
    #[error("{form} field {field} may not be {value}{}", erratum.map_or(String::new(), |e| format!(" ({e})")))]
    Never {
        /// Form.
        form: &'static str,
        /// The field.
        field: &'static str,
        /// The value.
        value: &'static str,
        /// The erratum that states the rule. `None` if the documents state it as an exception.
        erratum: Option<Erratum>,
    },
    /// A guard where none is allowed.
    #[error("{optype} writes for a whole warp and takes no guard but PT ({erratum})")]
    Guarded {
        /// Optype.
        optype: &'static str,
        /// The erratum that states the rule.
        erratum: Erratum,
    },
    /// An execution mask that reaches beyond the last channel.
    #[error("{optype}.{mask} with {size} elements reaches beyond channel 31 ({erratum})")]
    Channels {
        /// Optype.
        optype: &'static str,
        /// The mask.
        mask: &'static str,
        /// The execution size.
        size: &'static str,
        /// The erratum that states the rule.
        erratum: Erratum,
    },
    /// A vISA operand that is neither an existing variable nor a 16-bit literal.
    #[error("{form} operand {operand} names no variable: {bits:#x}")]
    NoVariable {
        /// Form.
        form: &'static str,
        /// Operand.
        operand: &'static str,
        /// The bits of its field.
        bits: u32,
    },
    /// A special register code that the documents do not list.
    #[error("{form} names the special register {code:#04x}, which is not listed (E068)")]
    UnknownSpecial {
        /// Form.
        form: &'static str,
        /// The code.
        code: u32,
    },
    /// A special register that the instruction cannot read.
    #[error("{optype} cannot read {register}, {why} ({erratum})")]
    Special {
        /// Optype.
        optype: &'static str,
        /// The register.
        register: Location,
        /// Why.
        why: &'static str,
        /// The erratum that states the rule.
        erratum: Erratum,
    },
}

/// Checks an instruction against the rules of its row.
pub fn check(instruction: &Instruction) -> Result<(), Violation> {
    let form = instruction.form();
    for rule in form.optype.rules {
        check_rule(instruction, form, rule)?;
    }
    operands(instruction, form)
}

/// Checks alignment of constants and of wide registers, codes of special registers, and vISA
/// operands.
fn operands(instruction: &Instruction, form: &'static Form) -> Result<(), Violation> {
    for name in form.order {
        let operand = instruction.operand(name);
        let (words, bytes) = (operand.words, 4 * u32::from(operand.words));
        match operand.source {
            Source::Const { offset, .. } if offset % bytes != 0 => {
                return Err(Violation::Misaligned { form: form.name, bytes, offset });
            }
            Source::Reg(number) | Source::UReg(number) if words > 1 => {
                let zero = if matches!(operand.source, Source::Reg(_)) { RZ } else { URZ };
                let fits = number % words == 0 && u32::from(number) + u32::from(words) <= u32::from(zero);
                if number != zero && !fits {
                    return Err(Violation::Unaligned { form: form.name, operand: name, words, number });
                }
            }
            Source::Special(code) if code != SRZ && usize::from(code) >= special_registers().len() => {
                return Err(Violation::UnknownSpecial { form: form.name, code: code.into() });
            }
            Source::Flags(_) if operand.not && operand.source.location().is_none() => {
                // If no predicate is named, a negation would disable all channels. The document has
                // no such instruction.
                let (field, value) = ("pred.not", "True");
                return Err(Violation::Never { form: form.name, field, value, erratum: None });
            }
            Source::Variable(number) => {
                let bits = instruction.get(name).unwrap_or_default();
                if bits != u32::from(number) {
                    return Err(Violation::NoVariable { form: form.name, operand: name, bits });
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_rule(instruction: &Instruction, form: &'static Form, rule: &Rule) -> Result<(), Violation> {
    let optype = form.optype.name;
    match *rule {
        Rule::Pairs { first, second, legal, erratum } => {
            let (first, second) = (instruction.value_name(first), instruction.value_name(second));
            let partners = legal.iter().find(|(name, _)| *name == first).map_or(&[][..], |(_, list)| *list);
            if partners.contains(&second) {
                return Ok(());
            }
            let (legal, erratum) = (partners.join(" "), Erratum(erratum));
            Err(Violation::Pair { optype, first, second, legal, erratum })
        }
        Rule::OnlyWith { field, other, values, erratum } => {
            let other = instruction.value_name(other);
            let changed = changed(instruction, |name| governs(field, name));
            let broken = changed.filter(|_| !values.contains(&other));
            broken.map_or(Ok(()), |field| {
                let (legal, erratum) = (values.join(" "), Erratum(erratum));
                Err(Violation::OnlyWith { form: form.name, field, other, legal, erratum })
            })
        }
        Rule::Present { operand, by, values, erratum } => {
            let other = instruction.value_name(by);
            let changed = changed(instruction, |name| name.split('.').next() == Some(operand));
            let broken = changed.filter(|_| !values.contains(&other));
            broken.map_or(Ok(()), |_| {
                let (legal, erratum) = (values.join(" "), Erratum(erratum));
                Err(Violation::Absent { optype, form: form.name, operand, other, legal, erratum })
            })
        }
        Rule::Never { form: ruled, field, value, erratum } => {
            let holds = (ruled.is_empty() || ruled == form.name)
                && form.field(field).is_some()
                && instruction.value_name(field) == value;
            let erratum = (erratum != 0).then_some(Erratum(erratum));
            if holds { Err(Violation::Never { form: form.name, field, value, erratum }) } else { Ok(()) }
        }
        Rule::Unguarded { erratum } => {
            let guard = instruction.guard();
            let free = !guard.not && guard.source.location().is_none();
            if free { Ok(()) } else { Err(Violation::Guarded { optype, erratum: Erratum(erratum) }) }
        }
        Rule::ChannelsExist { erratum } => {
            let (first, _) =
                instruction.modifier::<ChannelMask>("mask").map_or((0, false), ChannelMask::first_channel);
            if first + u32::from(instruction.operand("dst").words) <= u32::from(CHANNELS) {
                return Ok(());
            }
            let (mask, size) = (instruction.value_name("mask"), instruction.value_name("size"));
            Err(Violation::Channels { optype, mask, size, erratum: Erratum(erratum) })
        }
        Rule::PairOfSpecials { erratum } | Rule::SameInWarp { erratum } => {
            special(instruction, rule, Erratum(erratum))
        }
    }
}

/// Checks every special register of an instruction against a rule.
fn special(instruction: &Instruction, rule: &Rule, erratum: Erratum) -> Result<(), Violation> {
    let optype = instruction.form().optype.name;
    for operand in instruction.inputs() {
        if let (Source::Special(code), Some(register)) = (operand.source, operand.source.location())
            && let Some(why) = refuses_special(rule, code)
        {
            return Err(Violation::Special { optype, register, why, erratum });
        }
    }
    Ok(())
}

/// Returns why a rule refuses a special register, if it does.
pub(crate) fn refuses_special(rule: &Rule, code: u8) -> Option<&'static str> {
    match rule {
        Rule::PairOfSpecials { .. } => high_special(code).is_none().then_some("which has no high half"),
        Rule::SameInWarp { .. } => differs_in_warp(code).then_some("which differs from thread to thread"),
        _ => None,
    }
}

/// Returns the name of the first field that `chosen` accepts and whose value differs from the
/// default.
fn changed(instruction: &Instruction, chosen: impl Fn(&str) -> bool) -> Option<&'static str> {
    let fields = instruction.form().fields.iter().zip(instruction.values());
    let mut changed = fields.filter(|(field, value)| chosen(field.name) && **value != initial(field));
    changed.next().map(|(field, _)| field.name)
}

/// Whether the instruction's mode has an operand. An operand that the mode lacks is not in the text
/// and keeps its default.
pub fn has(instruction: &Instruction, operand: &str) -> bool {
    if operand == DISPATCH_MASK {
        return instruction.operand(operand).source == Source::DispatchMask;
    }
    instruction.form().optype.rules.iter().all(|rule| match *rule {
        Rule::Present { operand: ruled, by, values, .. } => {
            ruled != operand || values.contains(&instruction.value_name(by))
        }
        _ => true,
    })
}

/// Whether a `neg` bit means a complement in this mode, and is written `~` (E009).
pub fn complements(instruction: &Instruction) -> bool {
    let by = instruction.form().optype.extra.complement;
    by.is_some_and(|(field, value)| instruction.value_name(field) == value)
}

/// Whether the rules let a field differ from its default, given the instruction's other fields.
pub fn permits(instruction: &Instruction, field: &str) -> bool {
    if field == "pred.not" && instruction.operand("pred").source.location().is_none() {
        return false;
    }
    instruction.form().optype.rules.iter().all(|rule| match *rule {
        Rule::OnlyWith { field: ruled, other, values, .. } => {
            !governs(ruled, field) || values.contains(&instruction.value_name(other))
        }
        Rule::Present { operand, .. } => {
            field.split('.').next() != Some(operand) || has(instruction, operand)
        }
        Rule::Never { field: ruled, form, .. } => {
            // A field with this rule has two values. The rule forbids one of them, so the field
            // cannot change.
            ruled != field || !(form.is_empty() || form == instruction.form().name)
        }
        Rule::Unguarded { .. } => field.split('.').next() != Some(instruction.form().guard()),
        Rule::Pairs { .. }
        | Rule::PairOfSpecials { .. }
        | Rule::SameInWarp { .. }
        | Rule::ChannelsExist { .. } => true,
    })
}

/// Whether a rule applies to a field. `ruled` is a field's name, or `.attribute` for every operand.
fn governs(ruled: &str, field: &str) -> bool {
    field == ruled || ruled.starts_with('.') && field.ends_with(ruled)
}
