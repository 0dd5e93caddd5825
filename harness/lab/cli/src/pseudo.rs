//! Executes specification documents: what of their pseudo-code runs, and the documents as a
//! subject.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use assay_cli::context::Context;
use assay_cli::failure::{ExitStatus, Failure};
use assay_cli::output;
use assay_documents::eval::{
    DocumentSubject, Edition, Patches, PseudoOutput, RoutineState, Specification, codes, rules, statuses,
};
use assay_isa::shown::plural;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Subject};
use assay_vectors::Profile;
use clap::Args;

use crate::documents::DocumentTexts;
use crate::schema::print_output;

/// The variable that names the folder of the documents.
const FOLDER: &str = "ASSAY_SPEC_DIR";

/// The profiles under which the documents are a subject. The first is the default.
pub const PROFILES: [&str; 2] = ["intended", "literal"];

/// Show which routines of specification documents can be executed.
///
/// With `--profile literal`, the text stands as it is. With another profile, it has the patches
/// that the profile's readings select.
#[derive(Args)]
pub struct Pseudo {
    /// The documents, in the order in which they inherit from each other. By default, the `.txt`
    /// files of the folder that the environment variable `ASSAY_SPEC_DIR` names.
    files: Vec<PathBuf>,
}

impl Pseudo {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let files = if self.files.is_empty() { listed(&folder()?)? } else { self.files.clone() };
        let texts = DocumentTexts::read(&files)?;
        let specification = Arc::new(Specification::read(texts.named()));
        let codes = codes(&specification, &context.numbers);
        let rules = rules(&context.profile.readings).map_err(|e| Failure::input(e.to_string()))?;
        let patches = Patches::known();
        let edition = if patches.change_code(&rules) {
            Edition::new(specification, rules, patches).map_err(|errors| {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                Failure::input(format!("the patches are of other documents: {}", errors.join("; ")))
            })?
        } else {
            Edition::unpatched(specification, rules)
        };
        let states = statuses(&edition, &codes, patches);
        if context.json {
            print_output(&states)?;
        } else {
            output::print(&page(&states))?;
        }
        Ok(ExitStatus::of(states.errors.is_empty()))
    }
}

fn page(states: &PseudoOutput) -> String {
    let mut page = String::new();
    for routine in &states.routines {
        let state = match routine.state {
            RoutineState::Runs => "runs",
            RoutineState::Part => "part",
            RoutineState::Stops => "stops",
        };
        page += &format!("{state:<6}{} {}:{}", routine.head, routine.file, routine.line);
        for word in routine.erratum.iter().chain(&routine.reason) {
            page += &format!(" {word}");
        }
        page += "\n";
    }
    for error in &states.errors {
        page += &format!("ERROR {error}\n");
    }
    let routines = plural(states.routines.len(), "routine", "routines");
    page + &format!("{routines}: {} run, {} run in part, {} stop\n", states.runs, states.part, states.stops)
}

fn folder() -> Result<PathBuf, Failure> {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    folder.ok_or_else(|| {
        Failure::input(format!("no documents: name their files, or set {FOLDER} to their folder"))
    })
}

/// Returns the `.txt` files of a folder, sorted by name.
fn listed(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let refused = |error: std::io::Error| Failure::input(format!("{}: {error}", folder.display()));
    let entries = folder.read_dir().map_err(refused)?;
    let mut files = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(refused)?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    Ok(files)
}

/// Returns the documents as a subject under a profile. Without documents, every case is
/// unsupported, and a message names the reason.
pub fn subject(profile: Option<&str>, numbers: &EncodingTable) -> Box<dyn Subject> {
    static READ: OnceLock<Result<Arc<Specification>, String>> = OnceLock::new();
    let made = READ.get_or_init(read).clone().and_then(|specification| {
        let profile = Profile::load(profile.unwrap_or(PROFILES[0])).map_err(|e| e.to_string())?;
        DocumentSubject::new(specification, &profile.readings, Patches::known(), numbers)
            .map_err(|e| e.to_string())
    });
    match made {
        Ok(subject) => Box::new(subject),
        Err(problem) => {
            static SAID: OnceLock<()> = OnceLock::new();
            SAID.get_or_init(|| output::say(format_args!("document: every case is unsupported: {problem}")));
            Box::new(NoDocuments)
        }
    }
}

fn read() -> Result<Arc<Specification>, String> {
    let files = folder().and_then(|folder| listed(&folder));
    let texts = files.and_then(|files| DocumentTexts::read(&files)).map_err(|failure| failure.message())?;
    Ok(Arc::new(Specification::read(texts.named())))
}

/// The subject `document` without documents.
struct NoDocuments;

impl Subject for NoDocuments {
    fn name(&self) -> &str {
        "document"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        effects.reset(batch.len());
        Ok(Answer::Unsupported)
    }
}
