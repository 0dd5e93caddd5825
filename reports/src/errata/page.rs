//! The order of the page for the owner of the documents, whatever it is laid out in.

use assay_vectors::errata::{Class, Severity};

use super::Entry;
use super::words::Words;
use crate::number::count;
use crate::table::{Set, Table};

/// The errata that ask something: first those where documents and hardware part, and of these the worst.
pub fn questions<'a, 'b>(entries: &'a [Entry<'b>]) -> Vec<&'a Entry<'b>> {
    let mut asking: Vec<&Entry> = entries.iter().filter(|entry| entry.defect.ask.is_some()).collect();
    asking.sort_by_key(|entry| (!entry.is_contested(), entry.defect.rank()));
    asking
}

/// The errata of a severity, the worst class first.
pub fn of_severity<'a, 'b>(entries: &'a [Entry<'b>], severity: Severity) -> Vec<&'a Entry<'b>> {
    let mut some: Vec<&Entry> = entries.iter().filter(|entry| entry.defect.severity == severity).collect();
    some.sort_by_key(|entry| entry.defect.rank());
    some
}

/// How many there are of each class and severity.
pub fn counts(entries: &[Entry], words: &Words) -> Table<5> {
    let number = |name| (name, Set::Number);
    let [high, medium, low] = [Severity::H, Severity::M, Severity::L].map(|s| number(s.name()));
    let mut table = Table::new([("", Set::Words), high, medium, low, number(words.total)]);
    let of = |class: Option<Class>, severity: Option<Severity>| {
        let counted = entries.iter().filter(|entry| {
            class.is_none_or(|class| entry.defect.class == class)
                && severity.is_none_or(|severity| entry.defect.severity == severity)
        });
        count(counted.count() as u64)
    };
    let mut row = |name: String, class| {
        let [high, medium, low] = [Severity::H, Severity::M, Severity::L].map(|s| of(class, Some(s)));
        table.row([name, high, medium, low, of(class, None)]);
    };
    for class in Class::ALL {
        row(format!("{class} {}", words.class(*class)), Some(*class));
    }
    row(words.total.to_owned(), None);
    table
}
