//! Reads files of errata. Errors contain their place.

use assay_isa::readings::Erratum;

use super::check::{DefectError, check, missing};
use super::{Area, Defect};
use crate::VERSION;
use crate::error::{ErrorKind, VectorError};
use crate::read::parse_yaml;

/// The built-in files, as pairs of name and text.
pub const BUILT_IN: [(&str, &str); 7] = [
    ("data/errata/whole.yaml", include_str!("../../data/errata/whole.yaml")),
    ("data/errata/xu.yaml", include_str!("../../data/errata/xu.yaml")),
    ("data/errata/misc.yaml", include_str!("../../data/errata/misc.yaml")),
    ("data/errata/bfn.yaml", include_str!("../../data/errata/bfn.yaml")),
    ("data/errata/udp-arithmetic.yaml", include_str!("../../data/errata/udp-arithmetic.yaml")),
    ("data/errata/udp-logic.yaml", include_str!("../../data/errata/udp-logic.yaml")),
    ("data/errata/falu.yaml", include_str!("../../data/errata/falu.yaml")),
];

/// Returns every erratum, in the order of their numbers.
pub fn built_in() -> Result<Vec<Defect>, VectorError> {
    read(&BUILT_IN)
}

/// Reads files, given as pairs of name and text. Fails unless the files together contain every
/// erratum exactly once.
pub fn read(files: &[(&str, &str)]) -> Result<Vec<Defect>, VectorError> {
    let mut all: Vec<(Defect, String)> = Vec::new();
    for (name, text) in files {
        for defect in read_area(name, text)?.errata {
            let line = line_of(text, defect.id, 0);
            if let Some((_, earlier)) = all.iter().find(|(other, _)| other.id == defect.id) {
                let kind = DefectError::Twice(earlier.clone());
                return Err(locate(kind, name, text, defect.id, 0));
            }
            let place = line.map_or_else(|| (*name).to_owned(), |line| format!("{name}:{line}"));
            all.push((defect, place));
        }
    }
    let mut defects: Vec<Defect> = all.into_iter().map(|(defect, _)| defect).collect();
    defects.sort_by_key(|defect| defect.id);
    match missing(&defects) {
        Some(error) => Err(ErrorKind::Erratum(error).into()),
        None => Ok(defects),
    }
}

/// Reads one file and checks each erratum in it.
fn read_area(name: &str, text: &str) -> Result<Area, VectorError> {
    let area: Area = parse_yaml(name, text).map_err(|error| in_erratum(error, text))?;
    if area.version != VERSION {
        return Err(VectorError::from(ErrorKind::Version(area.version)).in_file(name));
    }
    for (index, defect) in area.errata.iter().enumerate() {
        let earlier = area.errata[..index].iter().filter(|other| other.id == defect.id).count();
        let checked = if earlier == 0 { check(defect) } else { Err(DefectError::Twice(name.to_owned())) };
        checked.map_err(|kind| locate(kind, name, text, defect.id, earlier))?;
    }
    Ok(area)
}

fn locate(kind: DefectError, name: &str, text: &str, id: Erratum, earlier: usize) -> VectorError {
    let error = VectorError::from(ErrorKind::Erratum(kind)).in_file(name).in_erratum(id);
    match line_of(text, id, earlier) {
        Some(line) => error.at_line(line),
        None => error,
    }
}

/// Returns the erratum whose entry begins on this line, if any.
fn id_on(line: &str) -> Option<Erratum> {
    line.trim_start().strip_prefix("- id:")?.trim().parse().ok()
}

/// Returns the line on which an erratum's entry begins. Skips the first `earlier` entries with this
/// number.
fn line_of(text: &str, id: Erratum, earlier: usize) -> Option<usize> {
    text.lines().enumerate().filter(|(_, line)| id_on(line) == Some(id)).nth(earlier).map(|(n, _)| n + 1)
}

/// Adds to an error the erratum whose entry contains the error's line.
fn in_erratum(error: VectorError, text: &str) -> VectorError {
    let before = error.place.line.map(|line| text.lines().take(line).filter_map(id_on).last());
    match before.flatten() {
        Some(id) => error.in_erratum(id),
        None => error,
    }
}
