//! Checks the tables for consistency: no overlap, every bit accounted for, every name defined,
//! every form identified by its codes, every modifier value legal in some mode.

use crate::catalog::{Catalog, Form, is_operand_type, parts};
use crate::codec::SCHEDULE_LO;
use crate::enumeration::Enumeration;
use crate::instruction::Instruction;
use crate::legality;
use crate::legalize::legalize;
use crate::row::{Field, FieldType, Rule};

/// A defect of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Form.
    pub form: &'static str,
    /// The problem.
    pub problem: String,
}

/// The result of the lint: the numbers of checked items, and the defects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableLint {
    /// Number of checked forms.
    pub forms: usize,
    /// Number of checked fields. An inherited field counts once for each form.
    pub fields: usize,
    /// Number of checked combinations of modifier values.
    pub modes: usize,
    /// Number of legal combinations.
    pub legal_modes: usize,
    /// Number of word bits accounted for, over all forms: in a field, reserved as 0, or scheduling.
    pub bits: usize,
    /// The defects.
    pub findings: Vec<Finding>,
}

/// Checks every form of the catalog.
pub fn lint(catalog: &'static Catalog) -> TableLint {
    let mut report = TableLint { forms: catalog.forms.len(), ..TableLint::default() };
    for form in &catalog.forms {
        report.fields += form.fields.len();
        let mut problems = Vec::new();
        bits(form, &mut report, &mut problems);
        fields(form, &mut problems);
        operands(form, &mut problems);
        syntax(form, &mut problems);
        rules(form, &mut problems);
        if problems.is_empty() {
            modes(form, &mut report, &mut problems);
        }
        report.findings.extend(problems.into_iter().map(|problem| Finding { form: form.name, problem }));
    }
    identity(catalog, &mut report);
    report
}

fn bits(form: &Form, report: &mut TableLint, problems: &mut Vec<String>) {
    let mut seen = 0u128;
    for field in &form.fields {
        if u32::from(field.lo) + u32::from(field.width) > SCHEDULE_LO {
            problems.push(format!("field {} reaches into the scheduling bits", field.name));
            continue;
        }
        if seen & field.mask() != 0 {
            problems.push(format!("field {} at bit {} overlaps another", field.name, field.lo));
        }
        seen |= field.mask();
    }
    let reserved = !seen & ((1 << SCHEDULE_LO) - 1);
    report.bits += (seen.count_ones() + reserved.count_ones()) as usize + (128 - SCHEDULE_LO as usize);
}

fn fields(form: &Form, problems: &mut Vec<String>) {
    for (i, field) in form.fields.iter().enumerate() {
        if form.fields[..i].iter().any(|f| f.name == field.name) {
            problems.push(format!("field {} is declared twice", field.name));
        }
        if field.width != field.ty.width() {
            let (ty, width) = (field.ty.name(), field.ty.width());
            problems
                .push(format!("field {} is {} bits wide, its type {ty} {width}", field.name, field.width));
        }
        for value in [field.default, field.constraint].into_iter().flatten() {
            let known = match field.ty {
                FieldType::Enum(e) => e.index_of(value).is_some(),
                ty => ty.idle().is_some_and(|(name, _)| name == value),
            };
            if !known {
                problems.push(format!("field {}: {} has no value {value}", field.name, field.ty.name()));
            }
        }
        if let FieldType::Enum(e) = field.ty
            && e.values.len() > 1 << e.width
        {
            problems.push(format!("{} has more values than {} bits can tell apart", e.name, e.width));
        }
    }
    let identity = match form.field("opcode") {
        Some(_) => &[("opcode", form.optype.name)][..],
        None => &[("optype", form.optype.name), ("stype", form.stype)],
    };
    for (name, value) in identity.iter().copied() {
        if form.field(name).and_then(|f| f.constraint) != Some(value) {
            problems.push(format!("field {name} does not demand {value}"));
        }
    }
}

fn operands(form: &Form, problems: &mut Vec<String>) {
    let guard = form.field("opcode").is_none().then(|| form.guard());
    for name in form.order.iter().copied().chain(guard) {
        for part in parts(name).filter(|part| !form.field(part).is_some_and(|f| is_operand_type(f.ty))) {
            problems.push(format!("operand {name} has no field {part} that could hold it"));
        }
    }
    for name in form.optype.outs.iter().filter(|o| !form.order.contains(o)) {
        problems.push(format!("output {name} is missing from the operand order"));
    }
    for field in form.fields.iter().filter(|f| is_operand_type(f.ty) && !form.is_operand(f)) {
        problems.push(format!("field {} holds an operand that is in no list", field.name));
    }
    for field in form.fields.iter().filter(|f| f.attribute().is_some() && !form.is_operand(f)) {
        problems.push(format!("field {} belongs to no operand", field.name));
    }
    for pair in form.order.windows(2) {
        let ty = |name: &str| form.field(name).map(|f| f.ty);
        if form.is_optional(pair[0])
            && !form.is_optional(pair[1])
            && ty(pair[0]) == ty(pair[1])
            && ty(pair[0]).is_some()
        {
            problems.push(format!("the text cannot tell an absent {} from {}", pair[0], pair[1]));
        }
    }
    if form.words().count() != form.optype.data.len() {
        problems.push("it does not say of each operand what it stands for".into());
    }
    if let Some(format) = form.asm_format {
        for name in [format.field, format.by].into_iter().filter(|name| form.field(name).is_none()) {
            problems.push(format!("the assembler format names {name}, which is no field"));
        }
    }
}

/// Returns the enumerated fields that are written as modifiers of the mnemonic.
fn modifiers(form: &Form) -> impl Iterator<Item = (&'static Field, &'static Enumeration)> + '_ {
    form.fields.iter().filter_map(|f| match f.ty {
        FieldType::Enum(e) if f.constraint.is_none() && f.attribute().is_none() => Some((*f, e)),
        _ => None,
    })
}

fn syntax(form: &Form, problems: &mut Vec<String>) {
    let mut spelled: Vec<&str> = Vec::new();
    for (field, e) in modifiers(form) {
        if !form.optype.syntax.contains(&field.name) {
            problems.push(format!("modifier {} cannot be written: the syntax lacks it", field.name));
        }
        for value in (0..e.values.len()).filter(|i| !e.is_silent(*i as u32)).map(|i| e.values[i]) {
            if spelled.contains(&value) {
                problems.push(format!("two modifiers are spelled .{value}"));
            }
            spelled.push(value);
        }
        if e.values.iter().enumerate().any(|(i, v)| e.is_silent(i as u32) && field.default != Some(v)) {
            problems
                .push(format!("field {} has a value without spelling that is not its default", field.name));
        }
    }
    for name in form.optype.syntax.iter().filter(|name| !modifiers(form).any(|(f, _)| f.name == **name)) {
        problems.push(format!("the syntax names {name}, which is no modifier field"));
    }
}

fn rules(form: &Form, problems: &mut Vec<String>) {
    let named =
        |problems: &mut Vec<String>, field: &str, values: &[&str]| match form.field(field).map(|f| f.ty) {
            Some(FieldType::Enum(e)) => {
                for value in values.iter().filter(|v| e.index_of(v).is_none()) {
                    problems.push(format!("a rule names {field} {value}, which does not exist"));
                }
            }
            _ => problems.push(format!("a rule names {field}, which is no modifier field")),
        };
    for rule in form.optype.rules {
        match *rule {
            Rule::Pairs { first, second, legal, .. } => {
                for (value, partners) in legal {
                    named(problems, first, &[*value]);
                    named(problems, second, partners);
                }
            }
            Rule::OnlyWith { other, values, .. } => named(problems, other, values),
            Rule::Present { operand, by, values, .. } => {
                named(problems, by, values);
                if form.field(operand).is_none_or(|f| f.default.is_none()) {
                    problems.push(format!("operand {operand} has no default to rest at"));
                }
            }
            Rule::Never { form: ruled, field, value, .. } => {
                if form.field(field).is_some() && (ruled.is_empty() || ruled == form.name) {
                    named(problems, field, &[value]);
                }
            }
            Rule::Unguarded { .. }
            | Rule::PairOfSpecials { .. }
            | Rule::SameInWarp { .. }
            | Rule::ChannelsExist { .. } => {}
        }
    }
}

/// Tries every combination of modifier values. Each value must occur in at least one legal
/// combination, unless a rule forbids the value.
fn modes(form: &'static Form, report: &mut TableLint, problems: &mut Vec<String>) {
    let list: Vec<_> = modifiers(form).collect();
    let mut reached: Vec<Vec<bool>> = list.iter().map(|(_, e)| vec![false; e.values.len()]).collect();
    for instruction in combinations(form) {
        report.modes += 1;
        if legality::check(&instruction).is_err() {
            continue;
        }
        report.legal_modes += 1;
        for ((field, _), reached) in list.iter().zip(&mut reached) {
            reached[instruction.get(field.name).expect("a modifier of this form") as usize] = true;
        }
    }
    for ((field, e), reached) in list.iter().zip(&reached) {
        let forbidden = |value: &str| {
            form.optype.rules.iter().any(|rule| {
                matches!(*rule, Rule::Never { form: of, field: ruled, value: never, .. }
                    if (of.is_empty() || of == form.name) && ruled == field.name && never == value)
            })
        };
        for value in e.values.iter().zip(reached).filter(|(v, r)| !**r && !forbidden(v)).map(|(v, _)| v) {
            problems.push(format!("no legal instruction has {} {value}", field.name));
        }
    }
}

/// Returns an instruction of the form for every combination of modifier values, legal or not.
/// Operands have their defaults. A special register operand has a legal code.
pub fn combinations(form: &'static Form) -> impl Iterator<Item = Instruction> {
    let list: Vec<_> = modifiers(form).map(|(f, e)| (f.name, e.values.len() as u32)).collect();
    let total: u32 = list.iter().map(|(_, n)| n).product();
    (0..total).map(move |mut index| {
        let mut instruction = Instruction::new(form);
        for (name, count) in &list {
            instruction.set(name, index % count);
            index /= count;
        }
        // Some instructions cannot read the special register with the code 0.
        if let Some(position) = form.fields.iter().position(|f| f.ty == FieldType::SReg) {
            let code = legalize(&instruction, position, 0);
            instruction.set_at(position, code);
        }
        instruction
    })
}

fn identity(catalog: &'static Catalog, report: &mut TableLint) {
    for (i, form) in catalog.forms.iter().enumerate() {
        for other in &catalog.forms[..i] {
            let mut problem = |text: String| report.findings.push(Finding { form: form.name, problem: text });
            if other.name == form.name {
                problem("the name is used twice".into());
            }
            if other.optype.name != form.optype.name {
                continue;
            }
            if other.stype == form.stype {
                problem(format!("it shares optype and stype with {}", other.name));
            }
            if shape(other) == shape(form) {
                problem(format!("its operands cannot be distinguished from those of {}", other.name));
            }
        }
    }
}

fn shape(form: &Form) -> Vec<Option<FieldType>> {
    form.order.iter().map(|name| form.field(name).map(|f| f.ty)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::catalog;
    use crate::enumeration::Modifier;
    use crate::hints::Hints;
    use crate::row::FieldType::{Enum, Pred, Reg};
    use crate::row::{Extra, FormRow, Group, Optype, constant, field, field_or};
    use crate::tables::types;

    #[test]
    fn the_tables_are_sound() {
        let report = lint(catalog());
        assert_eq!(report.findings, []);
        assert_eq!(report.bits, 128 * report.forms);
        assert!(report.legal_modes > 0 && report.legal_modes < report.modes);
    }

    #[test]
    fn eighteen_of_forty_eight_pairs_are_legal() {
        let form = catalog().form("MUFU_R").unwrap();
        let plain = combinations(form).filter(|i| !i.flag("sat"));
        let (mut all, mut legal) = (0, 0);
        for instruction in plain {
            all += 1;
            legal += usize::from(legality::check(&instruction).is_ok());
        }
        assert_eq!((all, legal), (48, 18));
    }

    static GROUP: Group = Group {
        name: "G",
        parent: None,
        fields: &[field_or(12, 3, Pred, "pg", "PT"), field(14, 8, Reg, "rd")],
    };

    static BROKEN: Optype = Optype {
        name: "FADD",
        group: &GROUP,
        fields: &[
            constant(0, 8, Enum(&types::Optype::ENUM), "optype", "FADD"),
            field_or(76, 1, Enum(&types::FPFtz::ENUM), "ftz", "Off"),
            field_or(77, 2, Enum(&types::FPSat::ENUM), "sat", "NoSAT"),
            field_or(108, 8, Reg, "late", "x"),
            field(96, 1, Enum(&types::SignModi::ENUM), "rq.neg"),
        ],
        syntax: &["sat", "gone"],
        outs: &["rd", "re"],
        data: &[],
        hints: Hints::NONE,
        rules: &[Rule::OnlyWith { field: "sat", other: "ftz", values: &["ON"], erratum: 1 }],
        forms: &[
            FormRow {
                name: "A",
                stype: "RR",
                fields: &[constant(8, 4, Enum(&types::SType::ENUM), "stype", "RR")],
                order: &["rd"],
                asm_format: None,
            },
            FormRow {
                name: "A",
                stype: "RR",
                fields: &[constant(8, 4, Enum(&types::SType::ENUM), "stype", "RI")],
                order: &["rd"],
                asm_format: None,
            },
        ],
        extra: Extra::NONE,
    };

    #[test]
    fn every_kind_of_defect_is_found() {
        static ROWS: &[&Optype] = &[&BROKEN];
        static CATALOG: std::sync::LazyLock<Catalog> = std::sync::LazyLock::new(|| Catalog::resolve(ROWS));
        let findings = lint(&CATALOG).findings;
        for expected in [
            "overlaps another",
            "reaches into the scheduling bits",
            "has no value Off",
            "bits wide",
            "does not demand RR",
            "output re",
            "in no list",
            "belongs to no operand",
            "cannot be written",
            "the syntax names gone",
            "a rule names ftz ON",
            "what it stands for",
            "used twice",
            "shares optype and stype",
            "cannot be distinguished",
        ] {
            assert!(findings.iter().any(|f| f.problem.contains(expected)), "{expected}: {findings:#?}");
        }
    }

    static UNREACHABLE: Optype = Optype {
        name: "FMUL",
        group: &crate::tables::falu::FALU,
        fields: &[
            constant(0, 8, Enum(&types::Optype::ENUM), "optype", "FMUL"),
            constant(8, 4, Enum(&types::SType::ENUM), "stype", "X"),
            field_or(76, 1, Enum(&types::FPFtz::ENUM), "ftz", "NoFTZ"),
            field_or(77, 1, Enum(&types::FPSat::ENUM), "sat", "NoSAT"),
        ],
        syntax: &["ftz", "sat"],
        outs: &[],
        data: &[],
        hints: Hints::NONE,
        rules: &[Rule::Pairs {
            first: "ftz",
            second: "sat",
            legal: &[("NoFTZ", &["NoSAT", "SAT"])],
            erratum: 1,
        }],
        forms: &[FormRow { name: "FMUL_X", stype: "X", fields: &[], order: &[], asm_format: None }],
        extra: Extra::NONE,
    };

    #[test]
    fn an_unreachable_mode_is_found() {
        static ROWS: &[&Optype] = &[&UNREACHABLE];
        static CATALOG: std::sync::LazyLock<Catalog> = std::sync::LazyLock::new(|| Catalog::resolve(ROWS));
        let problems: Vec<_> = lint(&CATALOG).findings.into_iter().map(|f| f.problem).collect();
        assert_eq!(problems, ["no legal instruction has ftz FTZ"]);
    }
}
