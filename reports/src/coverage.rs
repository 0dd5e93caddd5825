//! What a campaign hit of its coverage bins, by topic and by form.

use assay_engine::coverage::Topic;
use assay_engine::coverage::layout::{Extent, Layout};
use assay_engine::result::Outcome;

use crate::number::{count, share};
use crate::table::{Set, Table};

/// Said under the figures.
pub const BINS: &str = "A bin is a fact about a case that a run should have exercised. Hit and missed are of the \
    bins that cases can hit; impossible are those that a rule says no case does. `assay coverage why BIN` tells what would \
    hit one.";

/// Bins, and how many of them were hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Bins that cases can hit.
    pub bins: usize,
    /// Those that were hit.
    pub hit: usize,
    /// Bins that no case can hit.
    pub impossible: usize,
}

impl Hits {
    fn of(extent: &Extent, outcome: &Outcome) -> Hits {
        let hit = extent.hit(&outcome.tally.coverage);
        Hits { bins: extent.reachable, hit, impossible: extent.impossible }
    }

    fn and(self, other: Hits) -> Hits {
        Hits {
            bins: self.bins + other.bins,
            hit: self.hit + other.hit,
            impossible: self.impossible + other.impossible,
        }
    }

    /// The share that was hit, as text; nothing where there is no bin.
    pub fn share(&self) -> String {
        if self.bins == 0 { String::new() } else { share(self.hit as u64, self.bins as u64) }
    }
}

/// The hits of each form, by topic.
pub struct Coverage {
    /// The topics that have bins.
    pub topics: Vec<Topic>,
    /// Forms, each with its hits in the order of the topics.
    pub forms: Vec<(String, Vec<Hits>)>,
}

impl Coverage {
    /// That of a result, if it lists its bins.
    pub fn of(outcome: &Outcome) -> Option<Coverage> {
        let layout: &Layout = outcome.bins.as_ref()?;
        let hits = |form: &str, topic: Topic| Hits::of(&layout.extent(form, topic), outcome);
        let forms: Vec<&String> = layout.forms.keys().collect();
        let has = |topic: &Topic| forms.iter().any(|form| hits(form, *topic) != Hits::default());
        let topics: Vec<Topic> = Topic::ALL.into_iter().filter(has).collect();
        let row =
            |form: &&String| (form.to_string(), topics.iter().map(|topic| hits(form, *topic)).collect());
        let forms = forms.iter().map(row).collect();
        Some(Coverage { topics, forms })
    }

    /// The hits of a topic, by its place among the topics, over all forms.
    pub fn of_topic(&self, place: usize) -> Hits {
        self.forms.iter().fold(Hits::default(), |all, (_, hits)| all.and(hits[place]))
    }

    /// All hits.
    pub fn total(&self) -> Hits {
        (0..self.topics.len()).fold(Hits::default(), |all, place| all.and(self.of_topic(place)))
    }

    /// The figures by topic.
    pub fn topic_table(&self) -> Table<7> {
        let mut table = Table::new([
            ("Topic", Set::Words),
            ("Bins", Set::Number),
            ("Hit", Set::Number),
            ("Missed", Set::Number),
            ("Share", Set::Number),
            ("Impossible", Set::Number),
            ("A bin holds", Set::Words),
        ]);
        for (place, topic) in self.topics.iter().enumerate() {
            let hits = self.of_topic(place);
            let [bins, hit, missed, impossible] = figures(hits);
            let about = topic.about().to_owned();
            table.row([topic.name().to_owned(), bins, hit, missed, hits.share(), impossible, about]);
        }
        table
    }

    /// The figures by form.
    pub fn form_table(&self) -> Table<6> {
        let mut table = Table::new([
            ("Form", Set::Code),
            ("Bins", Set::Number),
            ("Hit", Set::Number),
            ("Missed", Set::Number),
            ("Share", Set::Number),
            ("Impossible", Set::Number),
        ]);
        for (form, hits) in &self.forms {
            let hits = hits.iter().fold(Hits::default(), |all, hits| all.and(*hits));
            let [bins, hit, missed, impossible] = figures(hits);
            table.row([form.clone(), bins, hit, missed, hits.share(), impossible]);
        }
        table
    }
}

fn figures(hits: Hits) -> [String; 4] {
    [hits.bins, hits.hit, hits.bins - hits.hit, hits.impossible].map(|number| count(number as u64))
}
