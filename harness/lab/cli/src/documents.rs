//! Compares specification documents with the instruction tables, and finds defects in the
//! documents.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_documents::lint::{LintOutput, Recall};
use assay_documents::{DiffReport, Document, Error, Facts, Finding, Scope, ShownDocuments};
use assay_isa::shown::plural;
use assay_isa::{catalog, lint};
use assay_records::commands::isa::TableLintOutput;
use clap::Args;

use crate::schema::print_output;
use assay_cli::context::Context;
use assay_cli::failure::{ExitStatus, Failure};
use assay_cli::output;

/// Compare the instruction tables with specification documents, field by field.
#[derive(Args)]
pub struct Diff {
    /// Files of documents. By default, the command uses the facts of the known documents, which
    /// this program contains.
    files: Vec<PathBuf>,
}

/// Find defects in specification documents, or in the instruction tables.
#[derive(Args)]
pub struct Lint {
    /// The documents. Give all documents of a specification in one call, because they refer to each
    /// other. Without documents, the command checks the tables.
    files: Vec<PathBuf>,
    /// Count how many known errata the findings show. The files must be the known documents. Exit
    /// status 1 means that a finding that shows a known erratum is missing.
    #[arg(long, requires = "files")]
    known: bool,
}

/// The given documents, each with its name and text.
pub(crate) struct DocumentTexts(Vec<(String, String)>);

impl DocumentTexts {
    pub(crate) fn read(files: &[PathBuf]) -> Result<DocumentTexts, Failure> {
        let read = |path: &PathBuf| {
            let refused = |problem: String| Failure::input(format!("{}: {problem}", path.display()));
            let text = assay_files::read_text(path, assay_documents::limits::BYTES)
                .map_err(|e| refused(format!("{e}; give documents as text in UTF-8")))?;
            assay_documents::limits::check(&text).map_err(|e| refused(e.to_string()))?;
            Ok((path.display().to_string(), text))
        };
        files.iter().map(read).collect::<Result<_, _>>().map(DocumentTexts)
    }

    pub(crate) fn named(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Prints the errors of the documents, each with its line, and returns the failure that ends
    /// the command.
    fn refuse(&self, errors: &[Error]) -> Failure {
        let shown = ShownDocuments::new(self.named());
        for error in errors {
            output::say(format_args!("{}", shown.error(error)));
        }
        let faults = if errors.len() == 1 { "fault" } else { "faults" };
        Failure::input(format!("the documents cannot be read: {} {faults}", errors.len()))
    }
}

impl Diff {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let documents = self.documents()?;
        let tables = assay_documents::tables();
        // If documents are given, only optypes that both the documents and the tables define are
        // compared.
        let scope = match (Scope::of(&documents), Scope::of(&tables)) {
            (Scope::Optypes(given), Scope::Optypes(ours)) if !self.files.is_empty() => {
                Scope::Optypes(given.intersection(&ours).cloned().collect())
            }
            _ => Scope::Everything,
        };
        let report = assay_documents::diff(&documents, &tables, &assay_documents::departures(), &scope);
        if report.forms_compared + report.streams_compared == 0 {
            return Err(Failure::input(
                "the documents define no form that the tables have; nothing was compared",
            ));
        }
        if context.json {
            print_output(&report)?;
        } else {
            output::print(&diff_page(&report))?;
        }
        Ok(ExitStatus::of(report.holds()))
    }

    fn documents(&self) -> Result<Facts, Failure> {
        if self.files.is_empty() {
            return Ok(assay_documents::fixture());
        }
        let texts = DocumentTexts::read(&self.files)?;
        assay_documents::extract(texts.named()).map_err(|errors| texts.refuse(&errors))
    }
}

fn diff_page(report: &DiffReport) -> String {
    let mut page = String::new();
    for difference in &report.differences {
        page += &format!("DIFFERS {difference}\n");
    }
    for explained in &report.explained {
        page += &format!("{} {}\n", explained.erratum, explained.difference);
    }
    for unused in &report.unused {
        page += &format!("UNUSED departure {unused:?}\n");
    }
    for (side, forms) in
        [("tables yet", &report.not_in_tables), ("documents given", &report.not_in_documents)]
    {
        if !forms.is_empty() {
            page += &format!(
                "not in the {side}: {}: {}\n",
                plural(forms.len(), "form", "forms"),
                forms.join(" ")
            );
        }
    }
    let declared = match report.definitions_compared {
        0 => String::new(),
        n => format!(" ({})", plural(n, "definition", "definitions")),
    };
    page += &format!(
        "{} and {}{declared}, {}, {} and {} compared: \
         {} differ without reason, {} explained by errata\n",
        plural(report.forms_compared, "form", "forms"),
        plural(report.fields_compared, "field", "fields"),
        plural(report.types_compared, "type", "types"),
        plural(report.lists_compared, "list of values", "lists of values"),
        plural(report.streams_compared, "stream", "streams"),
        report.differences.len(),
        report.explained.len()
    );
    page
}

impl Lint {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        if self.files.is_empty() {
            return lint_tables(context);
        }
        let texts = DocumentTexts::read(&self.files)?;
        if !texts.named().any(|(name, text)| defines(name, text)) {
            return Err(Failure::input("the documents define nothing, so nothing was checked"));
        }
        let findings = assay_documents::lint::lint(texts.named());
        let recall = self.known.then(|| assay_documents::lint::recall(&findings));
        let is_fit = recall.as_ref().map_or(findings.is_empty(), |recall| recall.lost.is_empty());
        if context.json {
            print_output(&LintOutput { classes: counts(&findings), findings, known: recall })?;
        } else {
            let page = match &recall {
                Some(recall) => recall_page(recall),
                None => lint_page(&findings, &ShownDocuments::new(texts.named())),
            };
            output::print(&page)?;
        }
        Ok(ExitStatus::of(is_fit))
    }
}

/// Whether a text has definitions, or cannot be parsed.
fn defines(name: &str, text: &str) -> bool {
    match assay_documents::parse(name, text) {
        Ok(Document { types, definitions, streams }) => {
            !(types.is_empty() && definitions.is_empty() && streams.is_empty())
        }
        Err(_) => true,
    }
}

fn counts(findings: &[Finding]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.class).or_default() += 1;
    }
    counts
}

fn lint_page(findings: &[Finding], shown: &ShownDocuments) -> String {
    let mut page: String = findings.iter().map(|finding| shown.finding(finding) + "\n").collect();
    for (class, count) in counts(findings) {
        page += &format!("{count:>5}  {class}\n");
    }
    page + &format!("{}\n", plural(findings.len(), "finding", "findings"))
}

fn recall_page(recall: &Recall) -> String {
    let mut page = String::new();
    for finding in &recall.unlisted {
        page += &format!("UNLISTED {finding}\n");
    }
    for lost in &recall.lost {
        page += &format!("LOST {lost}\n");
    }
    for (kind, count) in &recall.kinds {
        page += &format!("{kind:<7} {:>3} of {:>3}\n", count.found, count.known);
    }
    let known: usize = recall.kinds.values().map(|count| count.known).sum();
    page + &format!(
        "{} of {known} known errata found; {} one, {} none\n",
        recall.found.len(),
        plural(recall.explained, "finding shows", "findings show"),
        plural(recall.unlisted.len(), "shows", "show")
    )
}

fn lint_tables(context: &Context) -> Result<ExitStatus, Failure> {
    let report = lint::lint(catalog());
    let findings: Vec<String> =
        report.findings.iter().map(|f| format!("{}: {}", f.form, f.problem)).collect();
    if context.json {
        print_output(&TableLintOutput {
            forms: report.forms,
            fields: report.fields,
            bits: report.bits,
            modes: report.modes,
            legal_modes: report.legal_modes,
            findings,
        })?;
    } else {
        let mut page: String = findings.iter().map(|f| format!("{f}\n")).collect();
        page += &format!(
            "{}, {}, {} accounted for, {} of {} combinations of modifiers legal, {}\n",
            plural(report.forms, "form", "forms"),
            plural(report.fields, "field", "fields"),
            plural(report.bits, "bit", "bits"),
            report.legal_modes,
            report.modes,
            plural(findings.len(), "finding", "findings")
        );
        output::print(&page)?;
    }
    Ok(ExitStatus::of(report.findings.is_empty()))
}
