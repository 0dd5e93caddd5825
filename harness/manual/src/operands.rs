//! The operands and modifiers of an optype, from its table row.

use std::collections::BTreeMap;

use assay_isa::Form;
use assay_isa::catalog::{ALL_PREDICATES, DISPATCH_MASK, parts};
use assay_isa::row::{Data, Field, FieldType, Optype, Rule, Words};
use schemars::JsonSchema;
use serde::Serialize;

use crate::semantics::{Entry, Semantics};

/// An operand of an optype.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OperandRow {
    /// Name of the operand in the formula.
    pub name: String,
    /// Meaning of the operand.
    pub about: String,
    /// `in`, `out`, or `in, out` if the old value of a destination is read, too.
    pub direction: &'static str,
    /// The field and the type. If the forms differ, the text states them for each source type.
    pub kind: String,
    /// Number of bits.
    pub width: String,
    /// The default operand. Null if the operand is required.
    pub default: Option<String>,
    /// The prefixes and suffixes that the operand may have.
    pub attributes: String,
}

/// A modifier of an optype.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModifierRow {
    /// Name of the field.
    pub name: String,
    /// The values, as the assembler text writes them.
    pub values: Vec<String>,
    /// The default value. Null if the modifier is required.
    pub default: Option<String>,
    /// Meaning of the values.
    pub about: String,
}

/// Returns the two names of each operand of a form: the name in the formula, and the name in the
/// row.
pub fn aliases<'a>(entry: &'a Entry, form: &'static Form) -> impl Iterator<Item = (&'a str, &'static str)> {
    entry.operands.iter().map(|named| named.name.as_str()).zip(form.order.iter().copied())
}

/// Returns the operands of some forms of an optype, in the order of the assembler text.
pub fn operands(entry: &Entry, forms: &[&'static Form]) -> Vec<OperandRow> {
    let row = |(place, named): (usize, &crate::semantics::Named)| {
        let first = forms[0];
        let operand = first.order[place];
        let is_old = first.optype.extra.old.contains(&operand);
        let attributes: Vec<String> =
            forms.iter().flat_map(|form| attributes(form, form.order[place])).collect();
        OperandRow {
            name: named.name.clone(),
            about: named.about.clone(),
            direction: match (first.is_output(operand), is_old) {
                (true, true) => "in, out",
                (true, false) => "out",
                _ => "in",
            },
            kind: kinds(forms, place),
            width: width(first, forms.iter().map(|form| form.order[place]).collect()),
            default: default(first, operand),
            attributes: distinct(attributes).join(" "),
        }
    };
    entry.operands.iter().enumerate().map(row).collect()
}

fn distinct(list: Vec<String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    list.into_iter().for_each(|item| {
        if !distinct.contains(&item) {
            distinct.push(item)
        }
    });
    distinct
}

/// Returns the field and type of the operand at index `place`. If forms differ, adds their source
/// types.
fn kinds(forms: &[&'static Form], place: usize) -> String {
    let mut kinds: Vec<(String, Vec<&str>)> = Vec::new();
    for form in forms {
        let kind = kind(form, form.order[place]);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, stypes)) => stypes.push(form.stype),
            None => kinds.push((kind, vec![form.stype])),
        }
    }
    match &kinds[..] {
        [(kind, _)] => kind.clone(),
        several => {
            let texts = several.iter().map(|(kind, stypes)| format!("{kind} in {}", stypes.join(" ")));
            texts.collect::<Vec<_>>().join("; ")
        }
    }
}

fn kind(form: &Form, operand: &'static str) -> String {
    match operand {
        ALL_PREDICATES => return "all uniform predicates; no field".to_owned(),
        DISPATCH_MASK => return "the dispatched channels; no field".to_owned(),
        _ => {}
    }
    let fields = parts(operand).filter_map(|part| form.field(part));
    fields.map(|field| format!("`{}` {}", field.name, type_words(field.ty))).collect::<Vec<_>>().join(" and ")
}

/// Returns a field type in words.
pub fn type_words(ty: FieldType) -> String {
    match ty {
        FieldType::Reg => "register".to_owned(),
        FieldType::UReg => "uniform register".to_owned(),
        FieldType::Pred => "predicate".to_owned(),
        FieldType::UPred => "uniform predicate".to_owned(),
        FieldType::CMem => "constant".to_owned(),
        FieldType::SReg => "special register".to_owned(),
        FieldType::F32Imm => "immediate (float)".to_owned(),
        FieldType::SImm32 => "immediate".to_owned(),
        FieldType::SImm7 => "immediate, 7 bits, signed".to_owned(),
        FieldType::UImm(width) => format!("immediate, {width} bits"),
        FieldType::Flags => "vISA predicate".to_owned(),
        FieldType::Variable => "variable".to_owned(),
        FieldType::VecOperand => "variable or immediate of 16 bits".to_owned(),
        FieldType::Enum(e) => e.name.to_owned(),
    }
}

fn width(form: &Form, names: Vec<&'static str>) -> String {
    let wide = form.optype.extra.wide.iter().find(|wide| names.contains(&wide.operand));
    match wide.map(|wide| wide.words) {
        Some(Words::Fixed(words)) => (32 * u32::from(words)).to_string(),
        Some(Words::By(field, list)) => {
            let widths =
                list.iter().map(|(value, words)| format!("{} with .{value}", 32 * u32::from(*words)));
            format!("32, by `{field}` {}", widths.collect::<Vec<_>>().join(", "))
        }
        None if names[0] == ALL_PREDICATES => "8".to_owned(),
        None if form.field(names[0]).is_some_and(|field| field.ty.is_predicate()) => "1".to_owned(),
        None => "32".to_owned(),
    }
}

/// Returns the default of an operand, which applies if the assembler text omits the operand.
fn default(form: &Form, operand: &'static str) -> Option<String> {
    let field = form.field(operand)?;
    let default = field.default.filter(|_| form.is_optional(operand))?;
    let negated = form
        .fields
        .iter()
        .any(|f| f.operand() == operand && f.attribute() == Some("not") && f.default == Some("True"));
    Some(format!("{}{default}", if negated { "!" } else { "" }))
}

/// Returns the prefixes and suffixes of an operand, as the assembler text writes them.
fn attributes(form: &Form, operand: &str) -> Vec<String> {
    let complement = form.optype.extra.complement;
    let is_refused = |field: &Field| {
        form.optype.rules.iter().any(|rule| matches!(rule, Rule::Never { field: f, .. } if *f == field.name))
    };
    let spelled = |field: &&&'static Field| match field.attribute()? {
        _ if field.operand() != operand || is_refused(field) => None,
        "neg" => Some(complement.map_or("-".to_owned(), |(_, value)| format!("- (~ with .{value})"))),
        "abs" => Some("|x|".to_owned()),
        "bitnot" => Some("~".to_owned()),
        "not" => Some("!".to_owned()),
        "hsel" => Some(".H0 .H1".to_owned()),
        "bsel" => Some(".B0 .B1 .B2 .B3".to_owned()),
        _ => None,
    };
    form.fields.iter().filter_map(|field| spelled(&field)).collect()
}

/// Returns the modifiers of an optype, in the order of the assembler text.
pub fn modifiers(optype: &'static Optype, form: &'static Form, semantics: &Semantics) -> Vec<ModifierRow> {
    let row = |name: &&str| {
        let field = form.field(name)?;
        let FieldType::Enum(e) = field.ty else { return None };
        let spelled =
            |value: &str| if value.starts_with("No") { "(none)".to_owned() } else { format!(".{value}") };
        Some(ModifierRow {
            name: field.name.to_owned(),
            values: e.values.iter().map(|value| spelled(value)).collect(),
            default: field.default.map(spelled),
            about: semantics.types.get(e.name).cloned().unwrap_or_default(),
        })
    };
    optype.syntax.iter().filter_map(row).collect()
}

/// Returns sentences on the effects of an optype's operand prefixes: signs and bars of floats, `~`,
/// and `!`. Omits the sign of an integer, because the row does not determine its effect.
pub fn prefixes(forms: &[&'static Form]) -> Vec<String> {
    let operands = forms.iter().flat_map(|form| form.order.iter().map(move |operand| (form, *operand)));
    let (mut of_floats, mut of_bits, mut of_predicates) = (false, false, false);
    for (form, operand) in operands {
        let is_float = matches!(form.data(operand), Some(Data::Float | Data::Exponent));
        let attributes = attributes(form, operand);
        of_floats |= is_float && attributes.iter().any(|a| a == "|x|");
        of_bits |= attributes.iter().any(|a| a == "~");
        of_predicates |= attributes.iter().any(|a| a == "!");
    }
    let known = [
        (of_floats, "Bars clear the sign of a float, and then `-` changes it, also of a NaN."),
        (of_bits, "`~` complements every bit of an operand."),
        (of_predicates, "`!` negates a predicate."),
    ];
    known.iter().filter(|(present, _)| *present).map(|(_, text)| (*text).to_owned()).collect()
}

/// Returns the syntax of the instruction. Optional parts are in braces.
pub fn syntax(entry: &Entry, form: &'static Form) -> String {
    let is_guarded = form.field(form.guard()).is_some()
        && !form.optype.rules.iter().any(|rule| matches!(rule, Rule::Unguarded { .. }));
    let guard = if is_guarded { format!("{{@{{!}}{}}} ", form.guard()) } else { String::new() };
    guard + &entry.syntax.clone().unwrap_or_else(|| unguarded(entry, form))
}

fn unguarded(entry: &Entry, form: &'static Form) -> String {
    let modifiers = form.optype.syntax.iter().filter_map(|name| form.field(name)).map(|field| {
        if field.default.is_some() { format!("{{.{}}}", field.name) } else { format!(".{}", field.name) }
    });
    let mut text = form.optype.mnemonic().to_owned() + &modifiers.collect::<String>();
    let written = aliases(entry, form).filter(|(_, operand)| *operand != DISPATCH_MASK);
    for (place, (alias, operand)) in written.enumerate() {
        let comma = if place == 0 { "" } else { "," };
        let is_optional = default(form, operand).is_some() || is_in_some_modes(form.optype, operand);
        text += &match is_optional {
            true if place == 0 => format!(" {{{alias}}}"),
            true => format!("{{{comma} {alias}}}"),
            false => format!("{comma} {alias}"),
        };
    }
    text
}

fn is_in_some_modes(optype: &Optype, operand: &str) -> bool {
    optype.rules.iter().any(|rule| matches!(rule, Rule::Present { operand: o, .. } if *o == operand))
}

/// Returns a sentence for each operand name without storage, such as RZ. It states the value that a
/// read gives.
pub fn idle_names(forms: &[&'static Form]) -> Vec<String> {
    let mut names = BTreeMap::new();
    for field in forms.iter().flat_map(|form| &form.fields) {
        let reads = match field.ty {
            FieldType::Reg | FieldType::UReg => "reads 0",
            FieldType::Pred | FieldType::UPred => "reads true",
            FieldType::SReg => {
                names.insert("SRZ", "`SRZ` is number 255 and reads 0.".to_owned());
                continue;
            }
            _ => continue,
        };
        if let Some((name, number)) = field.ty.idle() {
            names.insert(
                name,
                format!("`{name}` is number {number}: it {reads}, and a write to it is dropped."),
            );
        }
    }
    names.into_values().collect()
}
