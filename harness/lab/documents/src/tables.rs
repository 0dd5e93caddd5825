//! Converts the project's tables to facts, so that they can be compared with the documents.

use assay_isa::catalog::{self, Form, parts};
use assay_isa::enumeration::Enumeration;
use assay_isa::location;
use assay_isa::row::{Field, FieldType, Optype, Rule, Words};
use assay_isa::tables::DEPARTURES;
use assay_isa::{EncodingTable, Erratum};

use crate::diff::Deviation;
use crate::facts::{
    BitsFacts, Body, ExceptionFacts, Facts, FieldFacts, FormFacts, ListFacts, SpellingFacts, StreamFacts,
    StreamFieldFacts, TypeFacts, ValueFacts,
};

/// The group of the instructions that are operand streams (E091).
const STREAMS: &str = "VISA";

/// Returns the facts of every table row.
pub fn tables() -> Facts {
    let (streams, forms): (Vec<&Form>, Vec<&Form>) =
        catalog::catalog().forms.iter().partition(|form| form.optype.group.name == STREAMS);
    let mut types: Vec<TypeFacts> = Vec::new();
    let mut spellings: Vec<SpellingFacts> = Vec::new();
    for ty in forms.iter().flat_map(|form| &form.fields).filter_map(|field| value_list(field.ty)) {
        if types.iter().all(|known| known.name != ty.name) {
            types.push(ty);
        }
    }
    for form in &forms {
        if spellings.iter().all(|known| known.optype != form.optype.name) {
            spellings.push(spelling(form));
        }
    }
    spellings.retain(|spelling| !spelling.lists.is_empty());
    Facts {
        forms: forms.into_iter().map(self::form).collect(),
        types,
        streams: streams.into_iter().map(stream).collect(),
        spellings,
    }
}

/// Returns the intended deviations of the tables from the documents, each with its erratum.
pub fn departures() -> Vec<Deviation> {
    let deviation = |d: &assay_isa::tables::Departure| {
        Deviation::new(d.of, d.subject, d.documents, &Erratum(d.erratum).to_string(), d.why)
    };
    DEPARTURES.iter().map(deviation).collect()
}

/// Returns a type's values with their numbers, which follow from their order. `None` if the type
/// lists no values.
fn value_list(ty: FieldType) -> Option<TypeFacts> {
    let named = |(name, value): (String, u64)| ValueFacts { name, value };
    let values = match ty {
        FieldType::Enum(Enumeration { values, .. }) => {
            values.iter().map(|name| (*name).to_owned()).zip(0..).map(named).collect()
        }
        FieldType::SReg => {
            let listed = location::special_registers().iter().map(|name| format!("SR_{name}")).zip(0..);
            listed.chain([("SRZ".to_owned(), 0xff)]).map(named).collect()
        }
        _ => return None,
    };
    Some(TypeFacts { name: ty.name().to_owned(), width: ty.width(), values, ..TypeFacts::default() })
}

/// Returns the value lists of an optype's modifiers. Leaves out values that assembler text never
/// shows.
fn spelling(form: &Form) -> SpellingFacts {
    let attributes = ["hsel", "bsel"];
    let mut lists: Vec<ListFacts> = Vec::new();
    for field in &form.fields {
        let name = field.attribute().unwrap_or(field.name);
        let FieldType::Enum(values) = field.ty else { continue };
        let is_modifier = form.optype.syntax.contains(&field.name) || attributes.contains(&name);
        if is_modifier && lists.iter().all(|list| list.modifier != name) {
            lists.push(list(name, field, values));
        }
    }
    SpellingFacts { optype: form.optype.name.to_owned(), lists, ..SpellingFacts::default() }
}

fn list(modifier: &str, field: &Field, values: &Enumeration) -> ListFacts {
    let spelled = (0..values.values.len() as u32).filter(|index| !values.is_silent(*index));
    let values: Vec<String> = spelled.map(|index| values.values[index as usize].to_owned()).collect();
    let starred = field.default.map(str::to_owned).filter(|default| values.contains(default));
    ListFacts { modifier: modifier.to_owned(), values, starred }
}

fn form(form: &Form) -> FormFacts {
    let guarded = |operands: &mut dyn Iterator<Item = &'static str>| -> Vec<String> {
        std::iter::once(form.guard()).chain(operands).map(str::to_owned).collect()
    };
    // `InList` names fields. The token that stands for all uniform predicates is no field, so it is
    // kept as written.
    let single = |operand: &'static str| match parts(operand).count() {
        0 => vec![operand],
        _ => parts(operand).collect(),
    };
    let mut asm_formats: Vec<_> = form
        .asm_format
        .iter()
        .map(|f| (f.field.to_owned(), format!("CvtFImm({}, {})", f.field, f.by)))
        .collect();
    if let Some((by, _)) = form.optype.extra.complement {
        let negated = form.fields.iter().filter(|field| field.attribute() == Some("neg"));
        asm_formats.extend(negated.map(|f| (f.name.to_owned(), format!("CvtINegX({}, {by})", f.name))));
    }
    // An indexed output is also an input: the index is read.
    let is_read = |operand: &&'static str| !form.is_output(operand) || parts(operand).count() > 1;
    let operands = || form.order.iter().copied().flat_map(parts);
    FormFacts {
        form: form.name.to_owned(),
        optype: form.optype.name.to_owned(),
        group: form.optype.group.name.to_owned(),
        body: Body {
            fields: form.fields.iter().map(|f| field(f)).collect(),
            ins: guarded(&mut form.order.iter().copied().filter(is_read).flat_map(single)),
            outs: form.optype.outs.iter().map(|o| (*o).to_owned()).collect(),
            order: guarded(&mut form.order.iter().copied()),
            bitwidths: operands()
                .filter_map(|operand| Some((operand.to_owned(), width(form, operand)?)))
                .collect(),
            asm_formats: asm_formats.into_iter().collect(),
            exceptions: form.optype.rules.iter().filter_map(|rule| exception(form, rule)).collect(),
        },
        ..FormFacts::default()
    }
}

/// Returns a rule as an exception if the documents state it, too. Such a rule has no erratum.
fn exception(form: &Form, rule: &Rule) -> Option<ExceptionFacts> {
    let Rule::Never { form: of, field, value, erratum: 0 } = rule else { return None };
    let kind = "IllegalBitFieldValue".to_owned();
    let condition = format!("{field}==\"{value}\"");
    (of.is_empty() || *of == form.name).then_some(ExceptionFacts { kind, condition })
}

/// Returns the width of an operand. A literal has the width of its field in every mode.
fn width(form: &Form, operand: &'static str) -> Option<String> {
    let field = form.field(operand)?;
    if field.ty.is_predicate() {
        return None;
    }
    if field.ty.is_literal() || field.ty == FieldType::SReg {
        return Some(field.width.to_string());
    }
    Some(words(form.optype, operand))
}

fn words(optype: &Optype, operand: &str) -> String {
    const WORD: u8 = 32;
    match optype.extra.wide.iter().find(|wide| wide.operand == operand).map(|wide| wide.words) {
        None => WORD.to_string(),
        Some(Words::Fixed(words)) => (words * WORD).to_string(),
        Some(Words::By(field, cases)) => {
            let case =
                |(value, words): &(&str, u8)| format!(" + ({field}==\"{value}\")*{}", (words - 1) * WORD);
            WORD.to_string() + &cases.iter().map(case).collect::<String>()
        }
    }
}

fn field(field: &Field) -> FieldFacts {
    FieldFacts {
        name: field.name.to_owned(),
        lo: field.lo,
        width: field.width,
        ty: field.ty.name().to_owned(),
        default: field.default.map(str::to_owned),
        constraint: field.constraint.map(str::to_owned),
        ..FieldFacts::default()
    }
}

/// The parts of a stream in order, with the row's fields. Size and mask share a byte.
const PARTS: [(&str, &[&str]); 7] = [
    ("Exec_size", &["size", "mask"]),
    ("Pred", &["pred"]),
    ("Dst", &["dst"]),
    ("Src0", &["src0"]),
    ("Src1", &["src1"]),
    ("Src2", &["src2"]),
    ("BooleanFuncCtrl", &["ctrl"]),
];

/// Returns the facts of an operand stream. Facts that only the document states stay empty, such as
/// the size of a part.
fn stream(form: &Form) -> StreamFacts {
    let numbers = EncodingTable::provisional();
    let part = |(name, fields): &(&str, &[&str])| {
        let fields: Vec<&Field> = fields.iter().filter_map(|field| form.field(field)).collect();
        let coded = fields.iter().filter(|field| matches!(field.ty, FieldType::Enum(_)));
        StreamFieldFacts {
            name: (*name).to_owned(),
            ty: String::new(),
            classes: fields
                .iter()
                .flat_map(|field| classes(field.ty))
                .map(|class| (*class).to_owned())
                .collect(),
            bits: coded.filter_map(|field| group_of_bits(form, field)).collect(),
        }
    };
    let is_written = |(_, fields): &&(&str, &[&str])| fields.iter().any(|field| form.field(field).is_some());
    let opcode = form.fields.iter().find(|field| field.constraint.is_some());
    let opcode = opcode.and_then(|field| match (field.ty, field.constraint) {
        (FieldType::Enum(values), Some(value)) => Some(numbers.code(values, values.index_of(value)?)),
        _ => None,
    });
    let types = form.field("type").and_then(|field| value_list(field.ty)).map(|ty| ty.values);
    StreamFacts {
        name: form.optype.name.to_owned(),
        opcode: opcode.unwrap_or_default().into(),
        fields: PARTS.iter().filter(is_written).map(part).collect(),
        types: types.into_iter().flatten().map(|ty| ty.name).collect(),
        ..StreamFacts::default()
    }
}

/// Returns the operand classes that a field can encode.
fn classes(ty: FieldType) -> &'static [&'static str] {
    match ty {
        FieldType::Variable => &["general"],
        FieldType::VecOperand => &["general", "immediate16"],
        _ => &[],
    }
}

/// Returns the values of a field, with bit numbers relative to its part of the stream. The only
/// such part is the byte of size and mask, whose lowest field is `size`.
fn group_of_bits(form: &Form, field: &Field) -> Option<BitsFacts> {
    let lo = field.lo - form.field("size")?.lo;
    let values = value_list(field.ty)?.values;
    Some(BitsFacts { hi: lo + field.width - 1, lo, values })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scope, diff, fixture};

    #[test]
    fn the_rows_equal_the_documents() {
        let report = diff(&fixture(), &tables(), &departures(), &Scope::Everything);
        let differences: Vec<_> = report.differences.iter().map(ToString::to_string).collect();
        let remedy = "correct the row, or add a `Departure` in harness/isa/src/tables/departures.rs";
        assert!(report.holds(), "{differences:#?} unused: {:#?}; {remedy}", report.unused);
        assert_eq!(report.forms_compared + report.streams_compared, assay_isa::catalog().forms.len());
        assert!(!report.explained.is_empty());
    }

    /// A deviation explains only one text of the documents. Any other text is a new difference.
    #[test]
    fn a_departure_does_not_excuse_another_text_of_the_documents() {
        let mut documents = fixture();
        let mufu_u = documents.forms.iter_mut().find(|form| form.form == "MUFU_U").unwrap();
        let stype = mufu_u.body.fields.iter_mut().find(|field| field.name == "stype").unwrap();
        stype.constraint = Some("RC".into());
        for form in documents.forms.iter_mut().filter(|form| form.optype == "MUFU") {
            form.body.exceptions[0].condition.push_str(" and other");
            form.body.fields.push(FieldFacts { name: "sat".into(), ..FieldFacts::default() });
        }
        let report = diff(&documents, &tables(), &departures(), &Scope::Everything);
        assert!(!report.holds());
        assert!(report.explained.iter().all(|explained| explained.difference.optype != "MUFU"));
        let stands = |subject: &str| report.differences.iter().filter(|d| d.subject == subject).count();
        assert_eq!(stands("field stype constraint"), 1);
        assert_eq!(stands("exception IllegalBitFieldCombination"), 4, "one a form");
        let of_mufu = |d: &Deviation| d.form == "MUFU" || d.form.starts_with("MUFU_");
        let of_mufu: Vec<_> = departures().into_iter().filter(of_mufu).collect();
        assert_eq!(report.unused, of_mufu);
    }
}
