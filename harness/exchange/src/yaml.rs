//! A suite of cases, as `vectors check` reads it. In an answer each case has `actual`.

use assay_runner::Context;
use assay_runner::RunError;
use assay_runner::subjects::ORACLE;
use assay_vectors::{Case, Origin, Provenance, VERSION, to_item};

use crate::dialect::{Dialect, Line, Posed, case_of};
use crate::head::{Head, MARK};

/// The form.
pub struct Yaml<'a> {
    context: &'a Context,
}

impl<'a> Yaml<'a> {
    /// Returns the form for the current profile.
    pub fn new(context: &'a Context) -> Yaml<'a> {
        Yaml { context }
    }
}

impl Dialect for Yaml<'_> {
    fn head(&self, head: &Head) -> String {
        let profile = serde_json::Value::from(self.context.profile_name.as_str());
        format!(
            "# {MARK} {}\nversion: {VERSION}\nsuite: generated\nabout: {} generated cases\nprofile: {profile}\ncases:\n",
            head.to_json(),
            head.cases
        )
    }

    fn write(&self, posed: &Posed<'_>, text: &mut String) -> Result<(), RunError> {
        let reference = Some(format!("{ORACLE}, profile {}", self.context.profile_name));
        let detail = posed.expected.is_none().then(|| "generated; nothing is expected yet".to_owned());
        let provenance = Provenance { source: Origin::Oracle, reference, detail };
        let case = Case {
            name: format!("case-{:09}", posed.index),
            readings: self.context.overrides.clone(),
            provenance: Some(provenance),
            ..case_of(posed)
        };
        text.push_str(&to_item(&case));
        Ok(())
    }

    /// Reads a head in a comment. Other lines are part of the suite, which is not read line by line
    /// but as a whole.
    fn read(&self, line: &str) -> Result<Line, String> {
        match Head::in_comment(line, "#") {
            Some(head) => head.map(Line::Head),
            None => Ok(Line::Nothing),
        }
    }
}
