//! Decides whether a condition of the [hints](crate::hints) holds for a mode.

use crate::enumeration::Enumeration;
use crate::hints::Condition;
use crate::readings::Readings;
use crate::row::FieldType;
use crate::{Form, Instruction};

impl Condition {
    /// Whether the condition holds for a mode under some readings.
    pub fn holds(&self, mode: &Instruction, readings: &Readings) -> bool {
        match self {
            Condition::Always => true,
            Condition::Field(name, values) => value(mode, name).is_some_and(|value| values.contains(&value)),
            Condition::Sources(stypes) => stypes.contains(&mode.form().stype),
            Condition::Reads(reading, setting) => readings.get(*reading) == *setting,
            Condition::Not(condition) => !condition.holds(mode, readings),
            Condition::All(conditions) => conditions.iter().all(|condition| condition.holds(mode, readings)),
            Condition::Any(conditions) => conditions.iter().any(|condition| condition.holds(mode, readings)),
        }
    }
}

/// Returns the name of the value that an enumerated field holds.
fn value(mode: &Instruction, field: &str) -> Option<&'static str> {
    let position = mode.form().position(field)?;
    let values = enumeration(mode.form(), field)?.values;
    values.get(mode.values()[position] as usize).copied()
}

fn enumeration(form: &Form, field: &str) -> Option<&'static Enumeration> {
    match form.field(field)?.ty {
        FieldType::Enum(enumeration) => Some(enumeration),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    /// Returns the error in a condition of a form's row: an unknown field, value, source type or
    /// setting.
    fn problem(form: &Form, when: &Condition) -> Option<String> {
        let optype = form.optype.name;
        match when {
            Condition::Field(field, values) => match enumeration(form, field) {
                Some(known) => {
                    let unknown = values.iter().find(|value| known.index_of(value).is_none());
                    unknown.map(|value| format!("{optype}: {field} has no value {value}"))
                }
                None => Some(format!("{optype} has no modifier {field}")),
            },
            // Optypes of two units may share hints, so one known source type is enough.
            Condition::Sources(stypes) => {
                let has = catalog().forms_of(optype).any(|form| stypes.contains(&form.stype));
                (!has).then(|| format!("{optype} has no form {}", stypes.join(", ")))
            }
            Condition::Reads(reading, setting) => {
                let switch = reading.switch();
                let known =
                    switch.optypes.contains(&optype) && usize::from(*setting) <= switch.settings.len();
                (!known).then(|| format!("{optype}: {}={setting} is none of its readings", switch.erratum))
            }
            _ => None,
        }
    }

    /// Returns a condition and all conditions inside it.
    fn parts(when: &'static Condition) -> Vec<&'static Condition> {
        let inner: &[Condition] = match when {
            Condition::Not(condition) => std::slice::from_ref(*condition),
            Condition::All(conditions) | Condition::Any(conditions) => conditions,
            _ => &[],
        };
        std::iter::once(when).chain(inner.iter().flat_map(parts)).collect()
    }

    #[test]
    fn hints_speak_of_what_the_row_has() {
        for form in &catalog().forms {
            let hints = &form.optype.hints;
            let never = hints.never.iter().copied().flatten();
            let conditions = hints.undefined.iter().chain(never.map(|never| &never.when));
            let problems = conditions.flat_map(parts).filter_map(|when| problem(form, when));
            assert_eq!(problems.collect::<Vec<_>>(), Vec::<String>::new());
        }
    }
}
