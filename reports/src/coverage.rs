//! The coverage bins that a campaign hit, by topic and by form, with a heat map.

use assay_engine::coverage::Topic;
use assay_engine::coverage::layout::{Extent, Layout};
use assay_isa::shown;
use assay_records::RunResult;

use crate::number::{NONE, count, share};
use crate::reported::ReportedRun;
use assay_pages::{Block, Cell, Inline, Table, Text, code, note, number, paragraph, row};

/// The text under the figures.
const BINS: &str = "A bin is a fact about a case that a run should have exercised. Hit and missed are of the \
    bins that cases can hit; impossible are those that a rule says no case does. `assay coverage why BIN` tells what would \
    hit one.";

/// The text above the map.
const CELLS: &str = "A click on a cell gives its counts, and the command that lists the bins it missed.";

/// Numbers of bins: reachable, hit, and impossible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Number of bins that cases can hit.
    pub bins: usize,
    /// Number of bins that were hit.
    pub hit: usize,
    /// Number of bins that no case can hit.
    pub impossible: usize,
}

impl Hits {
    fn of(extent: &Extent, outcome: &RunResult) -> Hits {
        let hit = extent.hit(&outcome.tally.coverage);
        Hits { bins: extent.reachable, hit, impossible: extent.impossible }
    }

    /// Returns the sum of two groups of bins.
    pub fn and(self, other: Hits) -> Hits {
        Hits {
            bins: self.bins + other.bins,
            hit: self.hit + other.hit,
            impossible: self.impossible + other.impossible,
        }
    }

    /// Returns the share that was hit, as text. Empty if no bin can be hit.
    pub fn share(&self) -> String {
        if self.bins == 0 { String::new() } else { share(self.hit as u64, self.bins as u64) }
    }
}

/// The hits by form and topic.
pub struct Coverage {
    /// The topics that have bins.
    pub topics: Vec<Topic>,
    /// Forms, each with its hits in the order of the topics.
    pub forms: Vec<(String, Vec<Hits>)>,
}

impl Coverage {
    /// Returns the coverage of a result, if it lists its bins.
    pub fn of(outcome: &RunResult) -> Option<Coverage> {
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

    /// Returns the hits of a topic over all forms. `place` is the topic's index.
    pub fn of_topic(&self, place: usize) -> Hits {
        self.forms.iter().fold(Hits::default(), |all, (_, hits)| all.and(hits[place]))
    }

    /// Returns the hits of a form over all topics.
    pub fn of_form(&self, name: &str) -> Hits {
        let hits = self.forms.iter().filter(|(form, _)| form == name).flat_map(|(_, hits)| hits);
        hits.fold(Hits::default(), |all, hits| all.and(*hits))
    }

    /// Returns the hits over all topics and forms.
    pub fn total(&self) -> Hits {
        (0..self.topics.len()).fold(Hits::default(), |all, place| all.and(self.of_topic(place)))
    }

    fn topic_table(&self) -> Table {
        let head = "Topic | Bins | Hit | Missed | Share | Impossible | A bin holds";
        let rows = self.topics.iter().enumerate().map(|(place, topic)| {
            let [bins, hit, missed, share, impossible] = figures(self.of_topic(place));
            row![topic.name(), bins, hit, missed, share, impossible, topic.about()]
        });
        Table::new("Bins by topic", head, rows)
    }

    /// Returns a table with a row for each form and a column for each topic, with totals. Each cell
    /// states its share, so no information is only in the colour. `path` is the path of the result.
    fn map(&self, path: &str) -> Table {
        let row = |form: &str, all: Hits, hits: &[Hits]| {
            let cells = self.topics.iter().zip(hits).map(|(topic, hits)| heat(form, topic.name(), hits));
            [code(form), percent(&all)].into_iter().chain(cells).collect::<Vec<Cell>>()
        };
        let names = self.topics.iter().map(|topic| topic.name());
        let of_topics: Vec<Hits> = (0..self.topics.len()).map(|place| self.of_topic(place)).collect();
        Table {
            head: ["Form", "all"].into_iter().chain(names).map(str::to_owned).collect(),
            rows: self.forms.iter().map(|(form, hits)| row(form, self.of_form(form), hits)).collect(),
            foot: row("all", self.total(), &of_topics),
            cell_command: Some(format!(
                "assay coverage missed {} --only {{row}} --topic {{column}}",
                shown::argument(path)
            )),
            is_open: true,
            ..Table::default()
        }
    }
}

/// Returns the figures by topic and by form, and the heat map. Empty if a result lists no bins.
pub fn blocks(run: &ReportedRun) -> Vec<Block> {
    let Some(coverage) = Coverage::of(&run.outcome) else { return Vec::new() };
    let keys = LEVELS.map(|(level, text)| Inline::Key(level, text));
    let legend = Text([vec![Inline::Words("Darker is more:".to_owned())], keys.into()].concat());
    vec![
        coverage.topic_table().into(),
        note(BINS),
        Block::Detail(vec![Block::Folded(
            "Share of the bins hit in percent, by form and topic".into(),
            vec![note(CELLS), coverage.map(&run.path).into(), paragraph(legend)],
        )]),
    ]
}

fn figures(hits: Hits) -> [Cell; 5] {
    let [bins, hit, missed, impossible] =
        [hits.bins, hits.hit, hits.bins - hits.hit, hits.impossible].map(|number| Cell::from(number as u64));
    [bins, hit, missed, number(hits.share()), impossible]
}

/// Colour levels of the heat map, and their meaning.
const LEVELS: [(&str, &str); 5] = [
    ("heat0", "below half"),
    ("heat1", "from half"),
    ("heat2", "from nine in ten"),
    ("heat3", "from 99 in a hundred"),
    ("heat4", "all"),
];

fn heat(form: &str, topic: &str, hits: &Hits) -> Cell {
    let Hits { bins, hit, impossible } = *hits;
    let [bins_text, hit_text, impossible_text] = [bins, hit, impossible].map(|number| count(number as u64));
    if bins == 0 {
        let about = format!("{form}, {topic}: no bin that cases can hit; {impossible_text} impossible");
        return Cell::Heat("", NONE.to_owned(), about);
    }
    let reached = [hit >= bins.div_ceil(2), 10 * hit >= 9 * bins, 100 * hit >= 99 * bins, hit == bins];
    let level = LEVELS[reached.iter().take_while(|reached| **reached).count()].0;
    let about =
        format!("{form}, {topic}: {hit_text} of {bins_text} bins hit; {impossible_text} more are impossible");
    Cell::Heat(level, without_sign(hits), about)
}

/// Returns a cell of totals.
fn percent(hits: &Hits) -> Cell {
    number(without_sign(hits))
}

/// Returns the share that was hit, without the sign of percent.
fn without_sign(hits: &Hits) -> String {
    hits.share().trim_end_matches(" %").to_owned()
}
