//! The subjects that a program adds to the built-in ones.

use std::fmt;
use std::sync::OnceLock;

use assay_isa::similar::did_you_mean;
use assay_isa::{EncodingTable, Subject};

/// A subject that a program adds. It has its own readings, which do not depend on the profile.
#[derive(Debug)]
pub struct AddedSubject {
    /// The name on the command line.
    pub name: &'static str,
    /// Returns the variants. On the command line, a variant follows the name and a colon.
    pub variants: fn() -> Vec<&'static str>,
    /// Makes the subject, or a variant of it.
    pub make: fn(variant: Option<&str>, numbers: EncodingTable) -> Box<dyn Subject>,
}

static ADDED: OnceLock<&'static [AddedSubject]> = OnceLock::new();

/// Adds subjects. A program calls this function once, before it reads the name of a subject.
pub fn add(subjects: &'static [AddedSubject]) {
    let _ = ADDED.set(subjects);
}

/// An added subject, or a variant of it.
#[derive(Clone, Copy, Debug)]
pub struct AddedName {
    subject: &'static AddedSubject,
    variant: Option<&'static str>,
}

impl AddedName {
    /// Reads a name, with or without a variant. `None` if no added subject has this name. The inner
    /// error is for a variant that does not exist.
    pub(super) fn parse(text: &str) -> Option<Result<AddedName, String>> {
        let (name, variant) = match text.split_once(':') {
            Some((name, variant)) => (name, Some(variant)),
            None => (text, None),
        };
        let subject = ADDED.get()?.iter().find(|subject| subject.name == name)?;
        let Some(wanted) = variant else { return Some(Ok(AddedName { subject, variant: None })) };
        let variants = (subject.variants)();
        let variant = variants.iter().find(|variant| **variant == wanted);
        let unknown =
            || did_you_mean(wanted, variants.iter().copied(), &format!("one of {}", variants.join(", ")));
        Some(variant.map(|variant| AddedName { subject, variant: Some(variant) }).ok_or_else(unknown))
    }

    /// Makes the subject.
    pub(super) fn subject(self, numbers: EncodingTable) -> Box<dyn Subject> {
        (self.subject.make)(self.variant, numbers)
    }
}

impl fmt::Display for AddedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.subject.name)?;
        self.variant.map_or(Ok(()), |variant| write!(f, ":{variant}"))
    }
}
