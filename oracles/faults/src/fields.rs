//! Generates the faults of a decoder: fields that are read from the wrong bits, and values that are
//! decoded as other values. Every field of every form has some of these faults.

use assay_isa::EncodingTable;
use assay_isa::catalog::{Form, catalog};
use assay_isa::row::{Data, Field, FieldType, Rule};

use super::families::Family;
use super::field_fault::{FieldFault, Misreading};
use super::listed::{Fault, FaultInfo};

/// Returns the family of a fault.
fn family(fault: FieldFault) -> Family {
    let field = fault.field();
    let flag = matches!(field.ty, FieldType::Enum(_)) && field.width == 1;
    let value = matches!(fault.how, Misreading::Taken(..))
        || flag && matches!(fault.how, Misreading::Lost(_) | Misreading::Odd);
    match field.ty {
        _ if field.constraint.is_some() => Family::Decoder,
        _ if field.operand() == fault.form().guard() && value => Family::Guard,
        FieldType::Enum(e) if value => of_values(field, e.name),
        FieldType::CMem => Family::Constant,
        FieldType::UImm(8) => Family::Lut,
        FieldType::F32Imm | FieldType::SImm32 | FieldType::UImm(_) | FieldType::SImm7 => Family::Immediate,
        _ if value => Family::Register,
        _ => Family::Decoder,
    }
}

fn info(fault: FieldFault) -> FaultInfo {
    let (form, field) = (fault.form(), fault.field());
    let named = |value: u32| match field.ty {
        FieldType::Enum(e) => e.values[value as usize].to_owned(),
        ty => ty.idle().filter(|(_, idle)| *idle == value).map_or(value.to_string(), |(name, _)| name.into()),
    };
    let (suffix, about) = match fault.how {
        Misreading::Shifted => ("shifted".into(), "is read from one bit higher".into()),
        Misreading::Swapped(other) => {
            let other = form.fields[usize::from(other)].name;
            (format!("for-{other}"), format!("and {other} are exchanged"))
        }
        Misreading::Lost(bit) => (format!("bit-{bit}-lost"), format!("is read with bit {bit} as 0")),
        Misreading::Odd => ("bit-0-set".into(), "is read with bit 0 as 1".into()),
        Misreading::HalvesSwapped => ("halves-swapped".into(), "is read with its halves exchanged".into()),
        Misreading::Taken(from, to) => {
            let (from, to) = (named(from), named(to));
            (format!("{from}-as-{to}"), format!("takes {from} for {to}"))
        }
    };
    let tidy = |text: &str| text.to_lowercase().replace(['_', '.'], "-");
    FaultInfo {
        fault: Fault::Field(fault),
        name: format!("{}-field-{}-{}", tidy(form.name), tidy(field.name), tidy(&suffix)).leak(),
        optype: form.optype.name,
        family: family(fault),
        about: format!("{}: the field {} {about}.", form.name, field.name).leak(),
    }
}

/// Returns the family of a fault that decodes one value as another, by the type of the field.
fn of_values(field: &Field, ty: &str) -> Family {
    match (field.attribute(), ty) {
        (Some("neg" | "abs" | "bitnot"), _) => Family::Prefix,
        (Some("hsel" | "bsel"), _) | (None, "BSel") => Family::HalfSelect,
        (Some(_), _) | (None, "LOPOp" | "BoolOp" | "EXBool" | "BVal") => Family::Predicate,
        (None, "FPRound") => Family::Rounding,
        (None, "FPFtz") => Family::Flush,
        (None, "FPSat") => Family::Saturation,
        (None, "FMULScale") => Family::Scale,
        (None, "FCMPOp" | "CompOp") => Family::Comparison,
        (None, "NAN") => Family::Nan,
        (None, "IType" | "MEMDType" | "VisaType" | "LEASX32") => Family::Signedness,
        (None, "FLOSH") => Family::LeadingOne,
        (None, "CWMode") => Family::Shift,
        (None, "SHFDir" | "SHFDType") => Family::Funnel,
        (None, "LOHI") => Family::Halves,
        (None, "PRMTMode") => Family::Selector,
        (None, "MOVW") => Family::Pair,
        (None, "IExt") => Family::Carry,
        (None, "ExecSize" | "ChannelMask") => Family::Lane,
        _ => Family::Modifier,
    }
}

/// Returns the faults of every field.
pub(super) fn fields() -> impl Iterator<Item = FaultInfo> {
    catalog().forms.iter().flat_map(|form| {
        (0..form.fields.len()).flat_map(move |place| {
            let fault = move |how| info(FieldFault { form: form.index as u16, field: place as u8, how });
            misreadings(form, place).into_iter().map(fault)
        })
    })
}

fn misreadings(form: &Form, place: usize) -> Vec<Misreading> {
    let field = form.fields[place];
    let codes = codes(form, field);
    let mut list = vec![Misreading::Shifted];
    let behind = form.fields[place + 1..].iter().position(|other| other.width == field.width);
    list.extend(behind.map(|distance| Misreading::Swapped((place + 1 + distance) as u8)));
    let lost: Vec<u8> = match field.ty {
        // The lowest two bits of an offset are always 0, because constants are addressed by word.
        FieldType::CMem => (2..field.width).collect(),
        FieldType::UImm(8) => (0..field.width).collect(),
        _ => vec![field.width - 1],
    };
    let shows = |bit: &u8| codes.as_ref().is_none_or(|codes| codes.iter().any(|code| code >> bit & 1 == 1));
    list.extend(lost.into_iter().filter(shows).map(Misreading::Lost));
    if codes.as_ref().is_none_or(|codes| codes.iter().any(|code| code & 1 == 0))
        && field.ty != FieldType::CMem
    {
        list.push(Misreading::Odd);
    }
    match field.ty {
        FieldType::Enum(e) if field.constraint.is_none() && e.values.len() > 2 => {
            let legal: Vec<u32> = (0..e.values.len() as u32)
                .filter(|v| !is_never(form, field, e.values[*v as usize]))
                .collect();
            let next = |n: usize| legal[(n + 1) % legal.len()];
            list.extend((0..legal.len()).map(|n| Misreading::Taken(legal[n], next(n))));
        }
        FieldType::UImm(8) if form.data(field.name) == Some(Data::Table) => {
            list.push(Misreading::Taken(255, 0));
        }
        ty if ty.is_literal() && field.width == 32 => list.push(Misreading::HalvesSwapped),
        ty => list.extend(
            ty.idle()
                .into_iter()
                .flat_map(|(_, idle)| [Misreading::Taken(idle, 0), Misreading::Taken(0, idle)]),
        ),
    }
    list
}

/// Returns the codes that an enumerated field can have in the project's encoding table. Returns
/// `None` for other types, which can have any bits.
fn codes(form: &Form, field: &Field) -> Option<Vec<u32>> {
    let FieldType::Enum(e) = field.ty else { return None };
    let held = |value: &str| match field.constraint {
        Some(only) => only == value,
        None => !is_never(form, field, value),
    };
    let values = (0..).zip(e.values).filter(|(_, value)| held(value));
    Some(values.map(|(index, _)| EncodingTable::provisional().code(e, index)).collect())
}

/// Returns whether a rule forbids this value for a field of a form.
pub(super) fn is_never(form: &Form, field: &Field, value: &str) -> bool {
    let forbids = |rule: &Rule| match *rule {
        Rule::Never { form: ruled, field: name, value: never, .. } => {
            (ruled.is_empty() || ruled == form.name) && name == field.name && never == value
        }
        _ => false,
    };
    form.optype.rules.iter().any(forbids)
}
