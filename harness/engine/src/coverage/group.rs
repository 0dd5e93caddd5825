//! Groups of bins of one form, context and order, and the names of the bins.

use assay_isa::Form;
use assay_isa::hints::Operation;
use assay_isa::row::FieldType;

use super::exact;
use super::topic::Topic;
use crate::generate::ends;
use crate::operands::operand_kinds::FLOATS;

/// An operand or result of a form, and its bits in a block.
#[derive(Clone, Debug)]
pub(super) struct Aspect {
    pub operand: &'static str,
    pub is_result: bool,
    /// First bit of its classes in a block.
    pub first: usize,
    /// Names of the classes, from the mode that has the most classes.
    pub classes: &'static [&'static str],
}

impl Aspect {
    /// Writes that the operand or result has a class.
    fn say(&self, class: usize, text: &mut String) {
        let verb = if self.is_result { " becomes " } else { " is " };
        push(text, &[self.operand, verb, self.classes[class]]);
    }
}

/// Values of modifiers, each with the position of its field.
pub(super) type Context = Vec<(usize, u32)>;

/// A choice of registers that has bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RegisterChoice {
    /// One aspect is the zero register.
    Zero(usize),
    /// Two aspects are one register.
    Same(usize, usize),
}

/// What each bin of a group stands for, in the order of the bins.
#[derive(Clone, Debug)]
pub(super) enum BinOrder {
    /// A bin for each class of each aspect: one block of 64 places. With a register choice, only
    /// instructions that fit the choice count.
    Block(Option<RegisterChoice>),
    /// All combinations of the classes of some aspects. The class of the last aspect changes
    /// fastest.
    Cross(Vec<usize>),
    /// A bin for each value of the attribute at a field position.
    Attribute(usize),
    /// A bin for each end of the field at a position.
    Ends(usize),
    /// A bin for each of these facts.
    Facts(&'static [&'static str]),
    /// The bins of exact numbers.
    Exact(Operation),
    /// The bins of exact numbers if these two aspects are one register.
    Repeated(Operation, usize, usize),
    /// The special classes of each of these aspects, while the other aspects are normal numbers.
    Alone(Vec<usize>),
    /// A bin for each of these values of an aspect, ascending.
    Border(usize, Vec<u32>),
}

/// A group: bins of one form, context and order.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub first: usize,
    pub len: usize,
    pub topic: Topic,
    /// Index of the form in `Bins::forms`.
    pub form: usize,
    pub context: Context,
    pub shape: BinOrder,
}

impl Group {
    /// Writes the common start of the bins' names, after the form's name.
    pub fn say_context(&self, form: &'static Form, text: &mut String) {
        for (number, (position, value)) in self.context.iter().enumerate() {
            let field = form.fields[*position];
            let FieldType::Enum(e) = field.ty else { unreachable!("a modifier is enumerated") };
            push(text, &[if number == 0 { " " } else { ", " }, field.name, " ", e.values[*value as usize]]);
        }
        text.push_str(if self.context.is_empty() { " " } else { ", " });
    }

    /// Writes the rest of the name of a bin. The bin must exist.
    pub fn say_bin(&self, form: &'static Form, aspects: &[Aspect], bin: usize, text: &mut String) {
        let index = bin - self.first;
        match &self.shape {
            BinOrder::Block(held) => {
                match held {
                    Some(RegisterChoice::Zero(a)) => {
                        push(text, &[aspects[*a].operand, " is the zero register, "]);
                    }
                    Some(RegisterChoice::Same(a, b)) => say_same(aspects, [*a, *b], text),
                    None => {}
                }
                let aspect =
                    aspects.iter().rfind(|aspect| aspect.first <= index).expect("a class of an aspect");
                aspect.say(index - aspect.first, text);
            }
            BinOrder::Cross(crossed) => {
                for (number, (aspect, class)) in digits(aspects, crossed, index).enumerate() {
                    text.push_str(if number == 0 { "" } else { ", " });
                    aspects[aspect].say(class, text);
                }
            }
            BinOrder::Attribute(position) => {
                let field = form.fields[*position];
                let FieldType::Enum(e) = field.ty else { unreachable!("an attribute is enumerated") };
                push(text, &[field.name, " ", e.values[index]]);
            }
            BinOrder::Ends(position) => {
                let field = &form.fields[*position];
                push(text, &[field.name, " is its ", ends::names(field)[index]]);
            }
            BinOrder::Facts(facts) => text.push_str(facts[index]),
            BinOrder::Exact(operation) => text.push_str(&exact::name(*operation, self.topic, index)),
            BinOrder::Repeated(operation, a, b) => {
                say_same(aspects, [*a, *b], text);
                text.push_str(&exact::name(*operation, self.topic, index));
            }
            BinOrder::Alone(alone) => {
                let (aspect, class) = (alone[index / FLOATS.len()], index % FLOATS.len());
                aspects[aspect].say(class, text);
                text.push_str(" and no other operand is special");
            }
            BinOrder::Border(aspect, values) => {
                push(text, &[aspects[*aspect].operand, " is ", &format!("{:#010x}", values[index])]);
            }
        }
    }
}

/// Writes that two aspects are one register.
fn say_same(aspects: &[Aspect], same: [usize; 2], text: &mut String) {
    let [a, b] = same.map(|place| aspects[place].operand);
    push(text, &[a, " and ", b, " are one register, "]);
}

/// Appends texts. Appends the pieces directly, because `write!` would take twice as long.
fn push(text: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| text.push_str(part));
}

/// Returns each crossed aspect with its class in the combination with an index.
pub(super) fn digits(
    aspects: &[Aspect],
    crossed: &[usize],
    mut index: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let number = |aspect: &usize| aspects[*aspect].classes.len();
    let mut step: usize = crossed.iter().map(number).product();
    crossed.iter().map(move |aspect| {
        step /= number(aspect);
        let class = index / step;
        index %= step;
        (*aspect, class)
    })
}
