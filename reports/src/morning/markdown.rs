//! The morning as Markdown, fit for a message or a pull request.

use assay_nightly::morning::{Change, Morning};

use super::facts;
use crate::markdown::Page;
use crate::number::share;
use crate::table::{Set, Table, words};

/// The page.
pub fn markdown(morning: &Morning) -> String {
    let mut page = Page::new(&words(&format!("{}, night {}", morning.name, morning.night)), 1);
    page.paragraph(&facts::conclusion(morning));
    let reasons: Vec<String> =
        morning.verdict.reasons.iter().map(|reason| format!("* {}", words(reason))).collect();
    page.section("Why it failed", &reasons.join("\n"));
    page.section("Signatures", &facts::fates(morning));
    page.paragraph(&facts::signatures(morning).markdown());
    page.section("Stages", &facts::stages(morning).markdown());
    let (wasted, cases) = morning.wasted();
    page.paragraph(&format!("{} of all cases were wasted. {}", share(wasted, cases), facts::WASTED));
    page.section("libFuzzer targets", &facts::targets(morning).markdown());
    page.section("Planted faults", &facts::scores(morning).markdown());
    for (name, change) in [("the last night", &morning.last), ("the baseline", &morning.baseline)] {
        if let Some(change) = change {
            changed(&mut page, name, change);
        }
    }
    let mut about = Table::new([("Property", Set::Words), ("Value", Set::Words)]);
    facts::about(morning).into_iter().for_each(|(label, value)| about.row([label.to_owned(), value]));
    page.section("What was run", &about.markdown());
    page.finish()
}

fn changed(page: &mut Page, name: &str, change: &Change) {
    page.section(
        &format!("Against {name}"),
        &format!("Night {}, begun {}. {}", change.night, words(&change.began), facts::compared(change)),
    );
    page.paragraph(&facts::accuracy(change).markdown());
    page.paragraph(&facts::coverage(change).markdown());
    page.paragraph(&facts::rates(change).markdown());
}
