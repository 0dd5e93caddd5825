//! Lists the modes from which a selection draws, for `--modes`.

use assay_isa::shown::plural;
use assay_records::commands::isa::FormModes;
use assay_runner::selection::{modes, select};

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::SubjectName;
use crate::output;

/// Prints the selected modes that both compared implementations support. One is the subject. The
/// other is the oracle, or the subject that takes its place.
pub fn list(
    context: &Context,
    only: &[String],
    subject: &SubjectName,
    against: Option<&SubjectName>,
) -> Result<ExitStatus, Failure> {
    let selection = select(&context.setup(subject, against).compared(), only)?;
    let forms = modes(&selection.scope);
    if context.json {
        output::print_output(&forms)?;
    } else {
        output::print(&(text(&forms) + &output::not_generated(&selection.unsupported)))?;
    }
    Ok(ExitStatus::Held)
}

/// Returns a line for each form, then the totals.
fn text(forms: &[FormModes]) -> String {
    let line = |form: &FormModes| {
        let values = form.modifiers.iter().filter(|(_, values)| !values.is_empty());
        let values: String = values.map(|(_, values)| format!("  .{}", values.join(" ."))).collect();
        format!("{:<14} {:>5}{values}\n", form.form, form.modes)
    };
    let lines: String = forms.iter().map(line).collect();
    let all: u64 = forms.iter().map(|form| form.modes).sum();
    format!(
        "{lines}{} with {} of modifiers\n",
        plural(forms.len(), "form", "forms"),
        plural(all, "combination", "combinations")
    )
}
