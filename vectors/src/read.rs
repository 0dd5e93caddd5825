//! Reads cases from files and lines. Errors contain their place.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use assay_files::yaml::{self, Refused};
use assay_isa::shown;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::case::{Case, Suite};
use crate::error::{ErrorKind, VectorError};

/// Names of folders that may contain YAML files other than suites.
const NOT_SUITES: [&str; 2] = ["profiles", "errata"];

/// Reads a suite from a file.
pub fn read_suite(path: &Path) -> Result<Suite, VectorError> {
    read_suite_str(&path.display().to_string(), &read_text(path)?)
}

/// Reads a suite from text. Errors show `name` in place of a file.
pub fn read_suite_str(name: &str, text: &str) -> Result<Suite, VectorError> {
    let suite: Suite = parse_yaml(name, text)?;
    let locate = |index: usize, error: VectorError| {
        let error = error.in_case(&case_label(&suite.cases[index].name, index));
        match line_of_case(text, &suite.cases, index) {
            Some(line) => error.at_line(line),
            None => error,
        }
    };
    suite.check(locate).map_err(|e| e.in_file(name))?;
    Ok(suite)
}

/// Reads a case from a line of JSON. Name and provenance may be absent.
pub fn parse_line(line: &str) -> Result<Case, VectorError> {
    let case: Case = serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(&text[..], |(message, _)| message);
        let message = &shown::message(message);
        let kind = if error.is_data() { classify(message) } else { ErrorKind::Syntax(message.to_owned()) };
        let mut located = VectorError::from(kind);
        located.place.column = Some(error.column());
        located
    })?;
    case.check().map_err(|kind| VectorError::from(kind).in_case(&case.name))?;
    Ok(case)
}

/// Reads every suite below a folder. Returns the suites in the order of their paths. Each `*.yaml`
/// file must be a suite, except the files of [`not_suites`]. Suite names must be unique. A folder
/// without suites is an error, so no check passes without cases.
pub fn discover(dir: &Path) -> Result<Vec<(PathBuf, Suite)>, VectorError> {
    let YamlFiles { suites: paths, .. } = YamlFiles::below(dir)?;
    let mut seen: HashMap<String, PathBuf> = HashMap::new();
    let mut suites = Vec::new();
    for path in paths {
        let suite = read_suite(&path)?;
        if let Some(other) = seen.insert(suite.suite.clone(), path.clone()) {
            let kind = ErrorKind::DuplicateSuite { suite: suite.suite, other: other.display().to_string() };
            return Err(VectorError::from(kind).in_file(path.display()));
        }
        suites.push((path, suite));
    }
    if suites.is_empty() {
        return Err(VectorError::from(ErrorKind::NoSuites).in_file(dir.display()));
    }
    Ok(suites)
}

/// Returns the YAML files below a folder that [`discover`] leaves out, in the order of their paths.
/// These are files in a folder `profiles` or `errata` that lack the key `cases`.
pub fn not_suites(dir: &Path) -> Result<Vec<PathBuf>, VectorError> {
    Ok(YamlFiles::below(dir)?.others)
}

/// The YAML files below a folder, by path.
#[derive(Default)]
struct YamlFiles {
    suites: Vec<PathBuf>,
    others: Vec<PathBuf>,
}

impl YamlFiles {
    fn below(dir: &Path) -> Result<YamlFiles, VectorError> {
        let mut files = YamlFiles::default();
        files.collect(dir, false)?;
        files.suites.sort();
        files.others.sort();
        Ok(files)
    }

    /// Adds the files below a folder. `has_others` states whether YAML files other than suites may
    /// occur.
    fn collect(&mut self, dir: &Path, has_others: bool) -> Result<(), VectorError> {
        let failed = |e| VectorError::from(ErrorKind::Read(e)).in_file(dir.display());
        for entry in fs::read_dir(dir).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                let name = path.file_name().unwrap_or_default();
                self.collect(&path, has_others || NOT_SUITES.iter().any(|other| name == *other))?;
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                if has_others && !has_cases(&path)? { self.others.push(path) } else { self.suites.push(path) }
            } else if path.extension().is_some_and(is_like_yaml) {
                return Err(VectorError::from(ErrorKind::OtherExtension).in_file(path.display()));
            }
        }
        Ok(())
    }
}

/// Whether a YAML file has the key `cases`, as every suite has.
fn has_cases(path: &Path) -> Result<bool, VectorError> {
    let keys: BTreeMap<String, IgnoredAny> = parse_yaml(&path.display().to_string(), &read_text(path)?)?;
    Ok(keys.contains_key("cases"))
}

/// Whether other programs take a file with this extension for YAML. Such a file is refused, because
/// a suite with an unexpected extension would otherwise be skipped without a message.
fn is_like_yaml(extension: &OsStr) -> bool {
    ["yaml", "yml"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

pub(crate) fn read_text(path: &Path) -> Result<String, VectorError> {
    let text = assay_files::read_text(path, yaml::BYTES);
    text.map_err(|e| VectorError::from(ErrorKind::Read(e)).in_file(path.display()))
}

/// Reads a YAML document as a `T`.
pub(crate) fn parse_yaml<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, VectorError> {
    match yaml::check(text) {
        // `syntax_error` takes the text of the message from `serde_yaml`, as earlier versions did.
        // This error supplies the position.
        Err(Refused::Syntax { why, line, column }) => {
            Err(syntax_error(text, why, line, column).in_file(name))
        }
        Err(excess) => Err(VectorError::from(ErrorKind::Limit(excess)).in_file(name)),
        Ok(()) => serde_yaml::from_str(text).map_err(|error| locate_yaml_error(text, &error).in_file(name)),
    }
}

/// Greatest size, in bytes, of a text that is parsed a second time to get a better error message.
const EXPLAINED: usize = 1 << 14;

/// Returns the error for a text that is not YAML.
fn syntax_error(text: &str, why: String, line: usize, column: usize) -> VectorError {
    match serde_yaml::from_str::<IgnoredAny>(text.get(..EXPLAINED).unwrap_or(text)) {
        Err(syntax) if text.len() <= EXPLAINED => at_mark(ErrorKind::Syntax(syntax.to_string()), &syntax),
        _ => {
            let mut located = VectorError::from(ErrorKind::Syntax(why));
            (located.place.line, located.place.column) = (Some(line), Some(column));
            located
        }
    }
}

/// Converts an error of the YAML library. Splits its text, such as `cases[3].inputs: message at
/// line 9 column 4`, into the path, the message and the position.
fn locate_yaml_error(text: &str, error: &serde_yaml::Error) -> VectorError {
    if let Err(syntax) = serde_yaml::from_str::<IgnoredAny>(text) {
        return at_mark(ErrorKind::Syntax(shown::message(&syntax.to_string())), &syntax);
    }
    let message = shown::message(&error.to_string());
    let message = message.rsplit_once(" at line ").map_or(&message[..], |(message, _)| message);
    let (path, message) = split_path(message);
    let located = at_mark(classify(message), error);
    match case_index(path) {
        Some(index) => located.in_case(&case_label(&name_of_case(text, index), index)),
        None => located,
    }
}

fn at_mark(kind: ErrorKind, error: &serde_yaml::Error) -> VectorError {
    let mut located = VectorError::from(kind);
    located.place.line = error.location().map(|mark| mark.line());
    located.place.column = error.location().map(|mark| mark.column());
    located
}

/// Returns the name of a case in a document that is not a valid suite. Empty if there is none.
fn name_of_case(text: &str, index: usize) -> String {
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        name: String,
    }
    #[derive(Deserialize)]
    struct Document {
        cases: Vec<Named>,
    }
    let document: Option<Document> = serde_yaml::from_str(text).ok();
    document.and_then(|d| d.cases.into_iter().nth(index)).map_or(String::new(), |case| case.name)
}

/// Splits an error text into a path such as `cases[3].inputs` and the message. The path is empty if
/// there is none.
fn split_path(message: &str) -> (&str, &str) {
    let is_path = |path: &str| path.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.[]?".contains(&b));
    message.split_once(": ").filter(|(path, _)| is_path(path)).unwrap_or(("", message))
}

fn case_index(path: &str) -> Option<usize> {
    path.strip_prefix("cases[")?.split_once(']')?.0.parse().ok()
}

fn case_label(name: &str, index: usize) -> String {
    if name.is_empty() { format!("number {}", index + 1) } else { name.to_owned() }
}

/// Recognises two error messages of serde, unknown field and missing field, for which `assay` can
/// suggest a remedy.
fn classify(message: &str) -> ErrorKind {
    let quoted = |text: &str| text.split('`').nth(1).unwrap_or_default().to_owned();
    if message.starts_with("unknown field ") {
        let known = message.split('`').skip(3).step_by(2).collect::<Vec<_>>().join(", ");
        return ErrorKind::UnknownKey { key: quoted(message), known };
    }
    if message.starts_with("missing field ") {
        return ErrorKind::MissingKey(quoted(message));
    }
    ErrorKind::Shape(message.to_owned())
}

/// Returns the line of a case's `name`. The library keeps no positions, so this function searches
/// the text for the key `name` and the case's name. If cases share a name, the nth such line
/// belongs to the nth such case.
fn line_of_case(text: &str, cases: &[Case], index: usize) -> Option<usize> {
    let name = &cases[index].name;
    let earlier = cases[..index].iter().filter(|c| c.name == *name).count();
    let names_it = |line: &str| {
        let line = line.trim_start().trim_start_matches("- ").trim_start_matches('{');
        line.strip_prefix("name:").is_some_and(|rest| {
            let end = rest.find(" #").unwrap_or(rest.len());
            let value = rest[..end].split(',').next().unwrap_or_default();
            value.trim().trim_matches(['"', '\'']) == name
        })
    };
    text.lines().enumerate().filter(|(_, line)| names_it(line)).nth(earlier).map(|(n, _)| n + 1)
}
