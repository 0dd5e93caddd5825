//! The project's own tables brought to the same facts, so that they can be compared with the documents.

use assay_isa::Erratum;
use assay_isa::catalog::{self, Form};
use assay_isa::enumeration::Enumeration;
use assay_isa::row::{Field, FieldType};
use assay_isa::tables::DEPARTURES;

use crate::diff::Deviation;
use crate::facts::{Body, Facts, FieldFacts, FormFacts, TypeFacts, ValueFacts};

/// The facts of every row.
pub fn tables() -> Facts {
    let forms = &catalog::catalog().forms;
    let mut types: Vec<TypeFacts> = Vec::new();
    for ty in forms.iter().flat_map(|form| &form.fields).filter_map(|field| value_list(field.ty)) {
        if types.iter().all(|known| known.name != ty.name) {
            types.push(ty);
        }
    }
    Facts { forms: forms.iter().map(form).collect(), types }
}

/// A value list with the numbers that its order implies.
fn value_list(ty: FieldType) -> Option<TypeFacts> {
    let FieldType::Enum(Enumeration { name, width, values }) = ty else { return None };
    let values = values.iter().zip(0..).map(|(name, value)| ValueFacts { name: (*name).to_owned(), value });
    Some(TypeFacts {
        name: (*name).to_owned(),
        width: *width,
        values: values.collect(),
        ..TypeFacts::default()
    })
}

/// The places where the rows depart from the documents on purpose, each with its erratum.
pub fn departures() -> Vec<Deviation> {
    let deviation = |d: &assay_isa::tables::Departure| {
        Deviation::new(d.of, d.subject, d.documents, &Erratum(d.erratum).to_string(), d.why)
    };
    DEPARTURES.iter().map(deviation).collect()
}

fn form(form: &Form) -> FormFacts {
    let guarded = |operands: &mut dyn Iterator<Item = &'static str>| -> Vec<String> {
        std::iter::once(form.guard()).chain(operands).map(str::to_owned).collect()
    };
    let width = |operand: &str| match form.field(operand)?.ty {
        FieldType::Pred => None,
        _ => Some((operand.to_owned(), "32".to_owned())),
    };
    let asm_format = form.asm_format.map(|f| (f.field.to_owned(), format!("CvtFImm({}, {})", f.field, f.by)));
    FormFacts {
        form: form.name.to_owned(),
        optype: form.optype.name.to_owned(),
        group: form.optype.group.name.to_owned(),
        body: Body {
            fields: form.fields.iter().map(|f| field(f)).collect(),
            ins: guarded(&mut form.inputs()),
            outs: form.optype.outs.iter().map(|o| (*o).to_owned()).collect(),
            order: guarded(&mut form.order.iter().copied()),
            bitwidths: form.order.iter().filter_map(|operand| width(operand)).collect(),
            asm_formats: asm_format.into_iter().collect(),
            exceptions: Vec::new(),
        },
        ..FormFacts::default()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scope, diff, fixture};

    #[test]
    fn the_rows_equal_the_documents() {
        let tables = tables();
        let report = diff(&fixture(), &tables, &departures(), &Scope::of(&tables));
        assert!(report.holds(), "{:#?} unused: {:#?}", report.differences, report.unused);
        assert_eq!(report.forms_compared, tables.forms.len());
        assert!(report.not_in_documents.is_empty());
        assert!(!report.explained.is_empty());
    }

    /// The erratum of a departure is about one text of the documents; another text is a new question.
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
        let tables = tables();
        let report = diff(&documents, &tables, &departures(), &Scope::of(&tables));
        assert!(!report.holds());
        assert!(report.explained.iter().all(|explained| explained.difference.optype != "MUFU"));
        let stands = |subject: &str| report.differences.iter().filter(|d| d.subject == subject).count();
        assert_eq!(stands("field stype constraint"), 1);
        assert_eq!(stands("exception IllegalBitFieldCombination"), 4, "one a form");
        let of_mufu: Vec<_> = departures().into_iter().filter(|d| d.form.starts_with("MUFU")).collect();
        assert_eq!(report.unused, of_mufu);
    }
}
