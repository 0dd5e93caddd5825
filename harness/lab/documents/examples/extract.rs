//! Writes the facts of specification documents to standard output, in the format of
//! `fixture/facts.json`.

use std::process::ExitCode;

use assay_documents::{DefinitionKind, Document, Error, read, render, resolve};

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    match extract(&files) {
        Ok(document) => {
            print!("{}", render(&document).expect("facts are plain data"));
            let [groups, optypes, forms] =
                [DefinitionKind::Group, DefinitionKind::Optype, DefinitionKind::Form]
                    .map(|kind| document.count(kind));
            let fields = document.count_fields();
            eprintln!("{groups} groups, {optypes} optypes, {forms} forms, {fields} fields");
            ExitCode::SUCCESS
        }
        Err(errors) => {
            errors.iter().for_each(|error| eprintln!("{error}"));
            ExitCode::from(2)
        }
    }
}

fn extract(files: &[String]) -> Result<Document, Vec<String>> {
    let show = |errors: Vec<Error>| -> Vec<String> { errors.iter().map(ToString::to_string).collect() };
    if files.is_empty() {
        return Err(vec!["usage: extract SPEC.txt...".to_owned()]);
    }
    let mut texts = Vec::new();
    for file in files {
        match std::fs::read_to_string(file) {
            Ok(text) => texts.push((file.as_str(), text)),
            Err(error) => return Err(vec![format!("{file}: {error}")]),
        }
    }
    let document: Document = read(texts.iter().map(|(file, text)| (*file, text.as_str()))).map_err(show)?;
    resolve(&document).map_err(show)?;
    Ok(document)
}
