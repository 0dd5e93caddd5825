//! Describes the rules of a row: which words an assembler and a decoder refuse.

use assay_isa::Erratum;
use assay_isa::Form;
use assay_isa::row::{Field, FieldType, Optype, Rule, Words};

/// Returns the rules of an optype, in words.
pub fn rules(optype: &'static Optype, forms: &[&'static Form]) -> Vec<String> {
    let mut rules: Vec<String> = optype.rules.iter().flat_map(in_words).collect();
    let mandatory: Vec<String> = optype
        .syntax
        .iter()
        .filter(|name| forms[0].field(name).is_some_and(|field| field.default.is_none()))
        .map(|name| format!("`{name}`"))
        .collect();
    if !mandatory.is_empty() {
        rules.push(format!("Must be written: {}.", mandatory.join(", ")));
    }
    for name in optype.extra.explicit {
        rules
            .push(format!("`{name}` must be written where the mode has it, though its field has a default."));
    }
    if optype.extra.wide.iter().any(|wide| is_register(forms, wide.operand)) {
        let widest = optype.extra.wide.iter().map(|wide| match wide.words {
            Words::Fixed(words) => words,
            Words::By(_, list) => list.iter().map(|(_, words)| *words).max().unwrap_or(1),
        });
        rules.push(format!(
            "A wide operand begins at a register whose number is a multiple of its number of registers (up to {}), the lowest \
             word first, and ends before the zero register; the zero register stands for zeros (E020).",
            widest.max().unwrap_or(1)
        ));
    }
    // In an indexed operand, the offset is only one part of the address. So the rule does not apply
    // to the offset alone.
    let is_offset =
        |form: &Form, field: &Field| field.ty == FieldType::CMem && form.order.contains(&field.name);
    if forms.iter().any(|form| form.fields.iter().any(|field| is_offset(form, field))) {
        rules.push("The offset of a constant is a multiple of the size of the operand (E096).".to_owned());
    }
    if forms.iter().any(|form| form.fields.iter().any(|field| field.ty == FieldType::SReg)) {
        rules.push("The special register is one of those that the documents list (E068).".to_owned());
    }
    rules.push("Codes that no value has, and bits that no field names, are refused (E006, E017).".to_owned());
    rules
}

fn is_register(forms: &[&'static Form], operand: &str) -> bool {
    let ty = |form: &&'static Form| form.field(operand).map(|field| field.ty);
    forms.iter().filter_map(ty).any(|ty| matches!(ty, FieldType::Reg | FieldType::UReg))
}

fn dotted(values: &[&str]) -> String {
    let spelled = |value: &&str| match value.strip_prefix("No") {
        Some(modifier) => format!("without .{modifier}"),
        None => format!(".{value}"),
    };
    values.iter().map(spelled).collect::<Vec<_>>().join(" ")
}

fn source(erratum: u16) -> String {
    if erratum == 0 { String::new() } else { format!(" ({})", Erratum(erratum)) }
}

fn in_words(rule: &Rule) -> Vec<String> {
    match *rule {
        Rule::Pairs { legal, erratum, .. } => legal
            .iter()
            .map(|(first, second)| {
                format!("{} goes with: {}{}.", dotted(&[first]), dotted(second), source(erratum))
            })
            .collect(),
        Rule::OnlyWith { field, other, values, erratum } => {
            let what = match field {
                ".neg" => "A minus sign".to_owned(),
                ".abs" => "Bars".to_owned(),
                ".hsel" => "A half suffix".to_owned(),
                field => format!("`{field}` other than its default"),
            };
            vec![format!("{what}: only with `{other}` {}{}.", dotted(values), source(erratum))]
        }
        Rule::Present { operand, by, values, erratum } => vec![format!(
            "`{operand}` is an operand only with `{by}` {}. Elsewhere its field keeps the default{}.",
            dotted(values),
            source(erratum)
        )],
        Rule::Never { form, field, value, erratum } => {
            let form = if form.is_empty() { String::new() } else { format!(" in {form}") };
            vec![format!("Field `{field}` may not be {value}{form}{}.", source(erratum))]
        }
        Rule::Unguarded { erratum } => vec![format!("The guard must be `PT`{}.", source(erratum))],
        Rule::PairOfSpecials { erratum } => {
            vec![format!("The special register has a high half of its own{}.", source(erratum))]
        }
        Rule::ChannelsExist { erratum } => {
            vec![format!("The channels of the mask end at channel 31{}.", source(erratum))]
        }
        Rule::SameInWarp { erratum } => {
            vec![format!("The special register holds one value for the whole warp{}.", source(erratum))]
        }
    }
}
