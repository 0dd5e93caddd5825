//! JSON lines: one case per line. An answer repeats the line of its case and adds `actual`.

use assay_runner::Context;
use assay_runner::RunError;
use assay_vectors::parse_line;
use serde_json::{Map, Value};

use crate::dialect::{Answer, Dialect, Line, Posed, answer_of, case_of};
use crate::head::{Head, MARK};

/// The form.
pub struct JsonLines<'a> {
    context: &'a Context,
}

impl<'a> JsonLines<'a> {
    /// Returns the form for the current encoding table.
    pub fn new(context: &'a Context) -> JsonLines<'a> {
        JsonLines { context }
    }

    fn answer(&self, line: &str) -> Result<Answer, String> {
        answer_of(parse_line(line).map_err(|error| error.to_string())?, self.context)
    }
}

impl Dialect for JsonLines<'_> {
    fn head(&self, head: &Head) -> String {
        format!("{{\"{MARK}\":{}}}\n", head.to_json())
    }

    fn write(&self, case: &Posed<'_>, text: &mut String) -> Result<(), RunError> {
        let line = case_of(case).to_line();
        match case.parts {
            None => text.push_str(&line),
            // The line of a case ends with the brace of its object.
            Some(parts) => {
                text.push_str(&line[..line.len() - 1]);
                text.push_str(",\"parts\":");
                text.push_str(parts);
                text.push('}');
            }
        }
        text.push('\n');
        Ok(())
    }

    fn read(&self, line: &str) -> Result<Line, String> {
        // A head has this key and no other. No case has it.
        if line
            .trim_start()
            .strip_prefix('{')
            .is_some_and(|rest| rest.trim_start()[..].starts_with("\"assay-gen\""))
        {
            let map: Map<String, Value> = serde_json::from_str(line).map_err(|error| error.to_string())?;
            let head = map.get(MARK).filter(|_| map.len() == 1);
            let head = head.ok_or_else(|| format!("`{MARK}` is the only key of its line"))?;
            return Head::from_json(&head.to_string()).map(Line::Head);
        }
        self.answer(line).map(|answer| Line::Answer(Box::new(answer)))
    }
}
