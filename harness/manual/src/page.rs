//! A page as data: everything known about an optype under a profile.

use assay_isa::readings::SWITCHES;
use assay_isa::row::Optype;
use assay_isa::{Form, Oracle, catalog};
use assay_vectors::Profile;
use assay_vectors::errata::{Language, built_in};
use schemars::JsonSchema;
use serde::Serialize;

use crate::ManualError;
use crate::encoding::{Encoding, encoding};
use crate::examples::{Example, execute};
use crate::operands::{ModifierRow, OperandRow, idle_names, modifiers, operands, prefixes, syntax};
use crate::rules::rules;
use crate::semantics::{Entry, Line, Semantics, semantics};
use crate::setting::Setting;
use crate::special::{self, SpecialRow};

/// The manual page of an optype, or of one of its forms.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Page {
    /// Name of the optype.
    pub optype: &'static str,
    /// The mnemonic. For one optype, it differs from the optype's name.
    pub mnemonic: &'static str,
    /// The operation in a few words.
    pub title: String,
    /// The unit that executes the optype.
    pub group: &'static str,
    /// The source: document and sections.
    pub source: String,
    /// Name of the profile.
    pub profile: String,
    /// The forms of the page.
    pub forms: Vec<FormRow>,
    /// The assembler syntax. Optional parts are in braces.
    pub syntax: String,
    /// The operation in words.
    pub summary: String,
    /// The operation as statements.
    pub formula: Vec<Statement>,
    /// The functions in the formula, each as `name(x): meaning`.
    pub functions: Vec<String>,
    /// Facts that the formula does not show.
    pub notes: Vec<Statement>,
    /// The operands, in the order of the assembler text.
    pub operands: Vec<OperandRow>,
    /// The effects of the operand prefixes.
    pub prefixes: Vec<String>,
    /// Operand names without storage, such as RZ, with the values that they read.
    pub idle_names: Vec<String>,
    /// The modifiers, in the order of the assembler text.
    pub modifiers: Vec<ModifierRow>,
    /// The rules that make instructions illegal.
    pub rules: Vec<String>,
    /// The faults under the readings in force.
    pub faults: Vec<String>,
    /// Special values and accuracy, for MUFU only.
    pub special: Vec<SpecialRow>,
    /// The fields of the instruction word.
    pub encoding: Encoding,
    /// The readings that affect the optype.
    pub readings: Vec<ReadingRow>,
    /// The defects of the documents that are decided in the same way in every profile.
    pub settled: Vec<SettledRow>,
    /// Worked examples.
    pub examples: Vec<Example>,
}

/// A form of the page.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FormRow {
    /// Name of the form.
    pub form: &'static str,
    /// The kinds of the form's operand sources, such as `RRI`.
    pub stype: &'static str,
    /// The names of the operand fields, in the order of the assembler text.
    pub operands: Vec<&'static str>,
}

/// A statement or note, with the errata that decide whether it holds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Statement {
    /// The text.
    pub text: String,
    /// Numbers of the errata.
    pub errata: Vec<String>,
}

/// A reading that affects the optype.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReadingRow {
    /// Number of the erratum.
    pub erratum: String,
    /// The question that the reading decides.
    pub question: &'static str,
    /// The setting in force.
    pub setting: u8,
    /// Meaning of the setting.
    pub meaning: &'static str,
    /// The other settings, each with its number.
    pub others: Vec<String>,
    /// The evidence for the setting.
    pub evidence: String,
}

/// A defect of the documents that is decided in the same way in every profile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SettledRow {
    /// Number of the erratum.
    pub erratum: String,
    /// The defect.
    pub title: String,
    /// The decision.
    pub decision: String,
}

impl Page {
    /// Returns the page of an optype, given by name or mnemonic, or of a form.
    ///
    /// # Errors
    /// [`ManualError::Unknown`] for any other name. The other errors are defects of the texts or of
    /// the oracle.
    pub fn of(name: &str, setting: &Setting, oracle: &mut dyn Oracle) -> Result<Page, ManualError> {
        let (optype, forms) = find(name).ok_or_else(|| ManualError::Unknown(name.to_owned()))?;
        let semantics = semantics();
        let entry = semantics.of(optype.name).ok_or(ManualError::Missing(optype.name))?;
        let readings = &setting.profile.readings;
        let statement = |line: &Line| Statement { text: line.text.clone(), errata: line.errata() };
        let formula: Vec<Statement> =
            entry.formula.iter().filter(|l| l.holds(readings)).map(statement).collect();
        let notes = entry.notes.iter().chain(semantics.common_of(optype.name)).filter(|l| l.holds(readings));
        let special = special::rows(&forms, setting, oracle)?;
        let examples = entry.examples.iter().map(|text| execute(text, optype.name, setting, oracle));
        let form_row = |form: &&'static Form| FormRow {
            form: form.name,
            stype: form.stype,
            operands: form.order.to_vec(),
        };
        Ok(Page {
            optype: optype.name,
            mnemonic: optype.mnemonic(),
            title: entry.title.clone(),
            group: optype.group.name,
            source: entry.source.clone(),
            profile: setting.profile.name.clone(),
            forms: forms.iter().map(form_row).collect(),
            syntax: syntax(entry, forms[0]),
            summary: entry.summary.clone(),
            functions: functions(entry, semantics, &formula),
            faults: formula.iter().filter_map(fault).collect(),
            formula,
            notes: notes.map(statement).collect(),
            operands: operands(entry, &forms),
            prefixes: prefixes(&forms),
            idle_names: idle_names(&forms),
            modifiers: modifiers(optype, forms[0], semantics),
            rules: rules(optype, &forms),
            special,
            encoding: encoding(&forms, setting.numbers),
            readings: reading_rows(optype, setting.profile),
            settled: settled_rows(optype),
            examples: examples.collect::<Result<_, _>>()?,
        })
    }
}

/// Returns the optype with a name or mnemonic and all its forms. For the name of a form, returns
/// only this form.
fn find(name: &str) -> Option<(&'static Optype, Vec<&'static Form>)> {
    match catalog().optype_named(name) {
        Some(optype) => Some((optype, catalog().forms_of(optype.name).collect())),
        None => catalog().form(name).map(|form| (form.optype, vec![form])),
    }
}

/// Returns the functions that a formula calls, each as `name(x): meaning`.
fn functions(entry: &Entry, semantics: &Semantics, formula: &[Statement]) -> Vec<String> {
    let calls = |name: &str| {
        let is_call = |text: &str| {
            let mut places = text.match_indices(name);
            places.any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        formula.iter().any(|statement| is_call(&statement.text))
    };
    let all = entry.functions.iter().chain(&semantics.functions);
    let used = all.filter(|f| f.name.split_once('(').is_some_and(|(name, _)| calls(&format!("{name}("))));
    used.map(|f| format!("`{}`: {}", f.name, f.about)).collect()
}

/// Returns the fault of a statement, with its condition.
fn fault(statement: &Statement) -> Option<String> {
    let (condition, fault) = statement.text.trim().split_once(": fault ")?;
    let condition = condition.strip_prefix("if ")?;
    let errata = if statement.errata.is_empty() {
        String::new()
    } else {
        format!(" ({})", statement.errata.join(" "))
    };
    Some(format!("{fault}: where `{condition}`{errata}"))
}

fn reading_rows(optype: &Optype, profile: &Profile) -> Vec<ReadingRow> {
    let touching = SWITCHES.iter().filter(|switch| switch.optypes.contains(&optype.name));
    let row = |switch: &'static assay_isa::readings::Switch| {
        let setting = profile.readings.setting(switch.erratum).unwrap_or(switch.intended);
        let numbered = (1..).zip(switch.settings).filter(|(number, _)| *number != setting);
        ReadingRow {
            erratum: switch.erratum.to_string(),
            question: switch.question,
            setting,
            meaning: switch.meaning(setting),
            others: numbered.map(|(number, text)| format!("{number}: {text}")).collect(),
            evidence: profile
                .basis
                .get(&switch.erratum)
                .map_or(String::new(), |basis| basis.evidence.to_string()),
        }
    };
    touching.map(row).collect()
}

/// Returns the defects of the documents that affect an optype, have a decision, and have no switch
/// for a profile.
fn settled_rows(optype: &Optype) -> Vec<SettledRow> {
    let errata = built_in().expect("the built-in errata are read by the tests of assay-vectors");
    let touching = errata
        .into_iter()
        .filter(|defect| defect.switch().is_none() && defect.optypes.iter().any(|name| name == optype.name));
    let row = |defect: assay_vectors::errata::Defect| {
        let decision = defect.decision()?.text.of(Language::English).to_owned();
        let title = defect.title.of(Language::English).to_owned();
        Some(SettledRow { erratum: defect.id.to_string(), title, decision })
    };
    touching.filter_map(row).collect()
}
