//! The list of contents: sections in the order of the page, each with a unique id.

use std::cell::RefCell;
use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::{Text, text};

/// Least number of top-level sections for which a page has a list of contents.
const LEAST: usize = 3;
/// Greatest number of subsections that the list of contents names. If a section has more, the list
/// names none of them.
const PARTS: usize = 8;

/// A section.
struct Entry {
    id: String,
    heading: String,
    level: usize,
}

/// The sections of a page, in their order.
#[derive(Default)]
pub struct Contents {
    entries: RefCell<Vec<Entry>>,
    ids: RefCell<BTreeSet<String>>,
}

impl Contents {
    /// Number of sections so far.
    pub fn len(&self) -> usize {
        self.entries.borrow().len()
    }

    /// Adds a section before its subsections, which begin at index `place`. Returns the section's
    /// id.
    pub fn add(&self, place: usize, id: Option<&str>, heading: &Text, level: usize) -> String {
        let heading = text::lines(heading).join(" ");
        let id = self.unique(id.map_or_else(|| slug(&heading), str::to_owned));
        self.entries.borrow_mut().insert(place, Entry { id: id.clone(), heading, level });
        id
    }

    fn unique(&self, id: String) -> String {
        let mut ids = self.ids.borrow_mut();
        let numbered = (2..).map(|number| format!("{id}-{number}"));
        let free = [id.clone()].into_iter().chain(numbered).find(|id| !ids.contains(id));
        let free = free.expect("numbers do not end");
        ids.insert(free.clone());
        free
    }

    /// Returns the list, with a switch between light and dark above it.
    pub fn list(&self, language: &str) -> Markup {
        let entries = self.entries.borrow();
        let chapters: Vec<(&Entry, &[Entry])> = entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.level == 2)
            .map(|(place, entry)| {
                let rest = &entries[place + 1..];
                let parts = rest.iter().take_while(|part| part.level > 2).count();
                (entry, &rest[..parts])
            })
            .collect();
        let name = if language == "zh" { "目录" } else { "Contents" };
        html! {
            nav.contents aria-label=(name) {
                @if chapters.len() >= LEAST {
                    details {
                        summary { (name) }
                        ul {
                            @for (chapter, parts) in chapters {
                                li {
                                    (link(chapter))
                                    @let parts: Vec<_> = parts.iter().filter(|part| part.level == 3).collect();
                                    @if !parts.is_empty() && parts.len() <= PARTS {
                                        ul { @for part in parts { li { (link(part)) } } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn link(entry: &Entry) -> Markup {
    html! { a href=(format!("#{}", entry.id)) { (entry.heading) } }
}

/// Converts a heading into an id.
fn slug(heading: &str) -> String {
    let words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    format!("s-{}", words.collect::<Vec<_>>().join("-").to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_comes_before_its_parts_and_has_an_id_of_its_own() {
        let contents = Contents::default();
        let part = |place| contents.add(place, None, &"Values".into(), 3);
        assert_eq!(part(0), "s-values");
        assert_eq!(contents.add(0, Some("all"), &"All".into(), 2), "all");
        assert_eq!(part(2), "s-values-2");
        assert_eq!(contents.add(2, None, &"“More”, 2".into(), 2), "s-more-2");
        let ids: Vec<String> = contents.entries.borrow().iter().map(|entry| entry.id.clone()).collect();
        assert_eq!(ids, ["all", "s-values", "s-more-2", "s-values-2"]);
    }
}
