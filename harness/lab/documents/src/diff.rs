//! Compares two sets of facts, statement by statement.
//!
//! The left side has the statements of the documents (or of their fixture). The right side has the
//! statements of the tables. A [`Deviation`] can explain a difference. A deviation that explains no
//! difference is reported as well, because it could hide a later mistake in the tables.

mod compare;

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::facts::{Facts, FormFacts, SpellingFacts, StreamFacts};
use compare::{Findings, pair};

/// An intended difference: the documents have a defect that the tables do not repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Deviation {
    /// The form or bit-field type that differs. The name of an optype stands for all its forms.
    pub form: String,
    /// The statement, as in `subject` of a difference.
    pub subject: String,
    /// The text of the documents, as in `documents` of a difference. The deviation explains no
    /// other text, because another text is another defect.
    pub documents: Option<String>,
    /// Number of the erratum, such as `E047`.
    pub erratum: String,
    /// A short reason for the difference.
    pub why: String,
}

impl Deviation {
    /// Creates a deviation of `form` in `subject` from the text `documents`, because of `erratum`.
    pub fn new(form: &str, subject: &str, documents: Option<&str>, erratum: &str, why: &str) -> Self {
        let [form, subject, erratum, why] = [form, subject, erratum, why].map(str::to_owned);
        Self { form, subject, documents: documents.map(str::to_owned), erratum, why }
    }

    fn explains(&self, difference: &Difference) -> bool {
        self.subject == difference.subject
            && self.documents == difference.documents
            && (self.form == difference.form || self.form == difference.optype)
    }

    fn names(&self, form: &FormFacts) -> bool {
        self.form == form.form || self.form == form.optype
    }
}

/// Which optypes are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All optypes of both sides.
    Everything,
    /// Only these optypes. The report lists the forms of other optypes.
    Optypes(BTreeSet<String>),
}

impl Scope {
    /// Returns the scope that contains the optypes of `facts`.
    pub fn of(facts: &Facts) -> Self {
        let streams = facts.streams.iter().map(|stream| stream.name.clone());
        Scope::Optypes(facts.forms.iter().map(|form| form.optype.clone()).chain(streams).collect())
    }

    fn holds(&self, form: &FormFacts) -> bool {
        self.names(&form.optype)
    }

    fn names(&self, optype: &str) -> bool {
        match self {
            Scope::Everything => true,
            Scope::Optypes(optypes) => optypes.contains(optype),
        }
    }
}

/// A statement that differs between documents and tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The form, or the bit-field type.
    pub form: String,
    /// Optype of the form. Empty for a bit-field type.
    pub optype: String,
    /// The statement: `form`, `optype`, `group`, `field NAME` (missing on one side), `field NAME
    /// lo`, `… width`, `… type`, `… default`, `… constraint`, `in`, `out`, `order`, `bitwidth
    /// NAME`, `asm format NAME`, `exception KIND`. For an optype: `modifier NAME`, `modifier NAME
    /// default`, `words`. For a type: `type`, `type width`, `value NAME`. For a stream: `stream`,
    /// `opcode`, `order`, `field NAME type`, `… classes`, `… bits`, `types`, `source modifier`,
    /// `text`.
    pub subject: String,
    /// Value in the documents. Null if the documents do not state the value.
    pub documents: Option<String>,
    /// Value in the tables. Null if the tables do not state the value.
    pub tables: Option<String>,
    /// File and line of the document, if known.
    pub at: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let say = |said: &Option<String>| match said {
            Some(said) => format!("say `{said}`"),
            None => "have none".to_owned(),
        };
        let (documents, tables) = (say(&self.documents), say(&self.tables));
        write!(f, "{}: {}: the documents {documents}", self.form, self.subject)?;
        if let Some(at) = &self.at {
            write!(f, " ({at})")?;
        }
        write!(f, ", the tables {tables}")
    }
}

/// A difference that a deviation explains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explained {
    /// The difference.
    pub difference: Difference,
    /// Number of the erratum.
    pub erratum: String,
    /// The reason for the difference.
    pub why: String,
}

/// The comparison of documents and tables.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiffReport {
    /// Number of forms that both sides have.
    pub forms_compared: usize,
    /// Number of fields of these forms that both sides have.
    pub fields_compared: usize,
    /// Number of declarations in the documents that define these fields. A declaration that several
    /// forms inherit counts once. 0 if the facts have no positions in a document.
    pub definitions_compared: usize,
    /// Number of bit-field types that the fields of the compared forms use. A type that only one
    /// side defines counts, too.
    pub types_compared: usize,
    /// Number of compared value lists of modifiers. A list that only one side has counts, too.
    pub lists_compared: usize,
    /// Number of instructions that are operand streams, and that both sides have.
    pub streams_compared: usize,
    /// Differences without an explanation.
    pub differences: Vec<Difference>,
    /// Differences that a deviation explains.
    pub explained: Vec<Explained>,
    /// Deviations in scope that explain no difference.
    pub unused: Vec<Deviation>,
    /// Forms of the documents that are out of scope.
    pub not_in_tables: Vec<String>,
    /// Forms of the tables that are out of scope.
    pub not_in_documents: Vec<String>,
}

impl DiffReport {
    /// Whether at least one form or stream was compared, no difference is unexplained, and no
    /// deviation is unused.
    pub fn holds(&self) -> bool {
        self.forms_compared + self.streams_compared > 0
            && self.differences.is_empty()
            && self.unused.is_empty()
    }

    /// Sorts the differences into explained and unexplained ones. Returns the deviations that
    /// explained nothing.
    fn explain<'a>(&mut self, found: Vec<Difference>, deviations: &'a [Deviation]) -> Vec<&'a Deviation> {
        let mut used = vec![false; deviations.len()];
        for difference in found {
            let Some(index) = deviations.iter().position(|deviation| deviation.explains(&difference)) else {
                self.differences.push(difference);
                continue;
            };
            used[index] = true;
            let Deviation { erratum, why, .. } = deviations[index].clone();
            self.explained.push(Explained { difference, erratum, why });
        }
        deviations.iter().zip(used).filter(|(_, used)| !used).map(|(deviation, _)| deviation).collect()
    }
}

/// Compares the documents with the tables.
///
/// If the tables cover only some optypes, pass [`Scope::of`] the tables. If only some documents are
/// given, pass [`Scope::of`] the documents. A bit-field type is compared if a compared form of
/// either side uses it. So a type that only one side defines is a difference, too.
pub fn diff<'a>(
    documents: &'a Facts,
    tables: &'a Facts,
    deviations: &[Deviation],
    scope: &Scope,
) -> DiffReport {
    let (left, left_out) = split(documents, scope);
    let (right, right_out) = split(tables, scope);
    let mut findings = Findings::default();
    for sides in pair(&left, &right, |form| &form.form) {
        findings.form(sides);
    }
    let fields = left.iter().chain(&right).flat_map(|form| &form.body.fields);
    let used: HashSet<&str> = fields.map(|field| field.ty.as_str()).collect();
    findings.types(&documents.types, &tables.types, &used);
    let spelled = |facts: &'a Facts| -> Vec<&'a SpellingFacts> {
        facts.spellings.iter().filter(|spelling| scope.names(&spelling.optype)).collect()
    };
    findings.spellings(&spelled(documents), &spelled(tables));
    let streams = |facts: &'a Facts| -> Vec<StreamFacts> {
        facts.streams.iter().filter(|stream| scope.names(&stream.name)).cloned().collect()
    };
    findings.streams(&streams(documents), &streams(tables));

    let mut report = DiffReport {
        forms_compared: findings.forms,
        fields_compared: findings.fields,
        definitions_compared: findings.definitions.len(),
        types_compared: findings.types,
        lists_compared: findings.lists,
        streams_compared: findings.streams,
        not_in_tables: left_out.iter().map(|form| form.form.clone()).collect(),
        not_in_documents: right_out.iter().map(|form| form.form.clone()).collect(),
        ..DiffReport::default()
    };
    let mut idle = report.explain(findings.differences, deviations);
    idle.retain(|deviation| {
        let form_left_out = left_out.iter().chain(&right_out).any(|form| deviation.names(form));
        let mut types = documents.types.iter().chain(&tables.types).map(|ty| ty.name.as_str());
        let type_left_out = types.any(|ty| deviation.form == ty && !used.contains(ty));
        !form_left_out && !type_left_out
    });
    report.unused = idle.into_iter().cloned().collect();
    report
}

/// Returns the forms in scope, and the forms out of scope.
fn split<'a>(facts: &'a Facts, scope: &Scope) -> (Vec<&'a FormFacts>, Vec<&'a FormFacts>) {
    facts.forms.iter().partition(|form| scope.holds(form))
}
